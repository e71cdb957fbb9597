//! Saving a run and resuming it, to the bit.
//!
//! A checkpoint holds the state and what the step control remembers. It does
//! not hold the model or the controls: those are the scene's, and whoever
//! resumes gives the same ones again.

use serde::{Deserialize, Serialize};
use volar_ode::Statistics;

use crate::energy_balance::EnergyBalance;
use crate::error::SimError;
use crate::simulation::Simulation;
use crate::state::State;

/// A run at the end of one of its steps.
///
/// ```
/// use volar_sim::{Body, Checkpoint, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
/// # let mut builder = ModelBuilder::new();
/// # let floor = builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
/// # let cube = builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.02]));
/// # let model = builder.build()?;
/// # let mut sim = Simulation::start(model)?;
/// sim.advance_to(0.1)?;
/// let text = sim.checkpoint().to_json()?;
/// sim.advance_to(0.2)?;
/// let end = sim.state().clone();
///
/// sim.restore(&Checkpoint::from_json(&text)?)?;
/// assert_eq!(sim.time(), 0.1); // s
/// sim.advance_to(0.2)?;
/// assert_eq!(*sim.state(), end); // to the bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Names of the bodies, to recognise the model.
    bodies: Vec<String>,
    state: State,
    next_step: f64,
    control: (Option<f64>, bool),
    statistics: [u64; 5],
}

impl Checkpoint {
    /// As text; numbers keep all their digits.
    pub fn to_json(&self) -> Result<String, SimError> {
        serde_json::to_string(self).map_err(|error| unfit(&error.to_string()))
    }

    /// From text.
    pub fn from_json(text: &str) -> Result<Checkpoint, SimError> {
        serde_json::from_str(text).map_err(|error| unfit(&error.to_string()))
    }

    /// Time of the state, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }
}

fn unfit(what: &str) -> SimError {
    SimError::Checkpoint { what: what.into() }
}

impl Simulation {
    /// The run as it is.
    pub fn checkpoint(&self) -> Checkpoint {
        let s = self.statistics;
        Checkpoint {
            bodies: self.body_names(),
            state: self.state.clone(),
            next_step: self.next_step,
            control: self.controller.memory(),
            statistics: [
                s.steps,
                s.rejected,
                s.evaluations,
                s.jacobians,
                s.factorisations,
            ],
        }
    }

    /// Goes back to a checkpoint of a run with the same model; the controls
    /// stay as they are.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), SimError> {
        let state = &checkpoint.state;
        if checkpoint.bodies != self.body_names() {
            return Err(unfit("it has other bodies"));
        }
        let fits = state.q.len() == self.model.tree.nq()
            && state.v.len() == self.model.tree.nv()
            && state.joint_friction.len() == self.controls.joints.friction_dofs().len();
        if !fits {
            return Err(unfit("it has other joints"));
        }
        let count = self.model.surfaces.len() as u32;
        if state
            .patches
            .iter()
            .any(|pair| pair.bodies.0 >= count || pair.bodies.1 >= count)
        {
            return Err(unfit("it has contacts of bodies that do not exist"));
        }
        self.state = state.clone();
        self.next_step = checkpoint.next_step;
        let [steps, rejected, evaluations, jacobians, factorisations] = checkpoint.statistics;
        self.statistics = Statistics {
            steps,
            rejected,
            evaluations,
            jacobians,
            factorisations,
        };
        // The patches are those of the end of a step: they must not be renewed
        // again.
        self.evaluate()?;
        self.statistics.evaluations = evaluations;
        self.controller.remember(checkpoint.control);
        Ok(())
    }

    /// Returns to an earlier state of this simulation at the present time: poses, velocities and
    /// what contacts remember are those of then; time goes on, and the controls stay as they
    /// are. The energy that this takes or gives counts as work from outside. Bodies that move as
    /// prescribed are where their motion has them now.
    ///
    /// A cube is pushed twice, each time from rest at the same place:
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use volar_contact::Material;
    /// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
    /// # use volar_sim::{Body, ModelBuilder, Simulation};
    /// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
    /// # let rubber = Material::named("rubber").unwrap();
    /// # let mut builder = ModelBuilder::new();
    /// # let cube = builder.add(Body::free("cube", mesh, 0.1, rubber));
    /// # let mut sim = Simulation::start(builder.build()?)?;
    /// let start = sim.state().clone();
    /// for way in [DVec3::X, DVec3::Y] {
    ///     sim.return_to(&start)?;
    ///     sim.change(|controls| controls.gravity = way.into())?; // m/s²
    ///     sim.advance(1.0)?; // s
    ///     assert!((sim.pose(cube).p - 0.5 * way).length() < 1.0e-9); // m
    /// }
    /// assert_eq!(sim.time(), 2.0); // s
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn return_to(&mut self, earlier: &State) -> Result<(), SimError> {
        let before = self.energies();
        let mut state = earlier.clone();
        state.time = self.state.time;
        for release in &mut state.releases {
            release.since += state.time - earlier.time;
        }
        // What was put in and lost stays so; what the layers hold is that of then.
        state.balance = EnergyBalance {
            contact: earlier.balance.contact,
            ..self.state.balance
        };
        self.set_state(state)?;
        // Bristles hold other energies than before: that is no loss.
        self.state.balance.friction += before.lost() - self.energies().lost();
        self.state.balance.external += self.energies().balance() - before.balance();
        self.evaluate()
    }

    fn body_names(&self) -> Vec<String> {
        let bodies = self.model.tree.bodies().iter();
        bodies.map(|body| body.name.clone()).collect()
    }
}
