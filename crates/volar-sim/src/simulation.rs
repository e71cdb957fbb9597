//! A simulation: a model, its state, and an integrator that takes it through
//! time.

use std::sync::Arc;
use std::time::Duration;

use glam::DVec3;
use volar_dynamics::Closed;
use volar_math::{Pose, Twist, Wrench};
use volar_ode::{Controller, Method, Statistics, Stepper};

use crate::bearing_contacts::PairOverlap;
use crate::causes::StepCauses;
use crate::controls::Controls;
use crate::energy_balance::Energies;
use crate::error::SimError;
use crate::evaluate::{Evaluation, Patches};
use crate::ids::{BodyId, DofId};
use crate::layout::Layout;
use crate::model::Model;
use crate::passing::Passing;
use crate::state::State;
use crate::tangent::Tangent;
use crate::tolerance::Scales;
use crate::warning::Warning;

/// How time is integrated.
///
/// See the example of [`Settings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Linearly implicit, L-stable, order 3: large steps at rest.
    #[default]
    Implicit,
    /// Dormand–Prince 4(5), explicit: the paper's choice.
    Rk45,
}

/// Accuracy and limits of the steps.
///
/// At rest the implicit integrator takes far longer steps than the explicit one:
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Settings, Simulation, State};
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
/// # let model = Arc::new(model);
/// let steps = |settings: Settings| {
///     let mut sim = Simulation::new(model.clone(), State::neutral(&model), settings)?;
///     sim.advance_to(0.5)?;
///     Ok::<u64, volar_sim::SimError>(sim.statistics().steps)
/// };
/// let fine = Settings { tolerance: 1.0e-4, ..Settings::default() };
/// assert!(steps(fine)? < steps(Settings::rk45())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Implicit, or explicit as in the paper.
    pub integrator: Integrator,
    /// Relative tolerance of velocities; positions may err by this many
    /// millimetres, velocities at rest by this many decimetres per second.
    pub tolerance: f64,
    /// Longest step, s; at most 0.1 s while motions, efforts, loads or gravity change with
    /// time.
    pub longest_step: f64,
    /// A run that needs a shorter step ends with an error, s.
    pub shortest_step: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            integrator: Integrator::Implicit,
            tolerance: 1.0e-3,
            longest_step: 0.5,
            shortest_step: 1.0e-12,
        }
    }
}

impl Settings {
    /// The explicit integrator, with a tolerance at which it does not creep:
    /// its steps are bounded by stability, and the ripple that leaves in the
    /// forces must stay below the slip limit.
    pub fn rk45() -> Settings {
        Settings {
            integrator: Integrator::Rk45,
            tolerance: 1.0e-5,
            ..Settings::default()
        }
    }
}

/// Upper limit of [`Simulation::set_threads`]: more than a grasp has contacts
/// to share out.
pub const MAX_THREADS: usize = 256;

/// A scene on its way through time. Poses, contacts and energies are always
/// those of the present state.
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
///
/// let mut builder = ModelBuilder::new();
/// builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
/// let cube = builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.025]));
/// let mut sim = Simulation::start(builder.build()?)?;
/// sim.advance_to(0.5)?;
/// assert!((sim.pose(cube).p.z - 0.02).abs() < 1.0e-4); // m: it lies on the floor
///
/// // Without gravity, what presses it down is gone.
/// sim.change(|controls| controls.gravity = DVec3::ZERO.into())?; // m/s²
/// sim.advance(0.5)?;
/// assert!(sim.wrench_on(cube).force.length() < 0.01); // N, all contacts and loads
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    pub(crate) model: Arc<Model>,
    pub(crate) settings: Settings,
    pub(crate) controls: Controls,
    pub(crate) state: State,
    pub(crate) statistics: Statistics,
    pub(crate) next_step: f64,
    pub(crate) controller: Controller,
    pub(crate) stepper: Stepper,
    pub(crate) evaluation: Evaluation,
    pub(crate) passing: Passing,
    pub(crate) tangent: Tangent,
    pub(crate) patches: Patches,
    pub(crate) layout: Layout,
    pub(crate) scales: Scales,
    pub(crate) x: Vec<f64>,
    pub(crate) rate: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) warnings: Vec<Warning>,
    /// Pairs and kinds of warnings given.
    pub(crate) warned: Vec<((u32, u32), u8)>,
    /// What kept a step of late from being longer.
    pub(crate) limited_by: Option<String>,
    pub(crate) causes: StepCauses,
    /// What was in each other at the start.
    pub(crate) start_overlaps: Vec<PairOverlap>,
    /// How well chains were closed last.
    pub(crate) closed: Closed,
}

impl Simulation {
    /// A simulation of a model from a state, with the model's own controls.
    pub fn new(
        model: Arc<Model>,
        state: State,
        settings: Settings,
    ) -> Result<Simulation, SimError> {
        let controls = model.controls.clone();
        Simulation::with_controls(model, state, controls, settings)
    }

    /// A simulation of a model at rest with every joint at zero, and with the
    /// default settings.
    pub fn start(model: Model) -> Result<Simulation, SimError> {
        let state = State::neutral(&model);
        Simulation::new(Arc::new(model), state, Settings::default())
    }

    /// A simulation that starts with other controls than the model's.
    pub fn with_controls(
        model: Arc<Model>,
        state: State,
        controls: Controls,
        settings: Settings,
    ) -> Result<Simulation, SimError> {
        let method = match settings.integrator {
            Integrator::Implicit => Method::Implicit,
            Integrator::Rk45 => Method::Rk45,
        };
        let mut simulation = Simulation {
            controls,
            layout: Layout {
                nv: model.tree.nv(),
                joints: 0,
                patches: 0,
                patch_size: 0,
            },
            model,
            settings,
            state,
            statistics: Statistics::default(),
            next_step: 0.0,
            controller: Controller::new(method),
            stepper: Stepper::new(method),
            evaluation: Evaluation::default(),
            passing: Passing::default(),
            tangent: Tangent::default(),
            patches: Patches::default(),
            scales: Scales::default(),
            x: Vec::new(),
            rate: Vec::new(),
            q: Vec::new(),
            warnings: Vec::new(),
            warned: Vec::new(),
            limited_by: None,
            start_overlaps: Vec::new(),
            causes: StepCauses::default(),
            closed: Closed::default(),
        };
        simulation.check_fit()?;
        simulation.restart()?;
        Ok(simulation)
    }

    /// Evaluates contacts on several threads; the bits stay the same.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SimError> {
        self.evaluation.workers = match threads {
            0 | 1 => None,
            many if many > MAX_THREADS => {
                return Err(SimError::Threads {
                    why: format!("{many} are more than {MAX_THREADS}"),
                });
            }
            several => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(several).build();
                Some(Arc::new(pool.map_err(|error| SimError::Threads {
                    why: error.to_string(),
                })?))
            }
        };
        Ok(())
    }

    /// Threads that contacts are evaluated on, the calling one counted.
    pub fn threads(&self) -> usize {
        let workers = self.evaluation.workers.as_ref();
        workers.map_or(1, |pool| pool.current_num_threads())
    }

    /// Goes on by a duration, s; its end is hit exactly.
    pub fn advance(&mut self, duration: f64) -> Result<(), SimError> {
        self.advance_to(self.state.time + duration)
    }

    /// Goes on to a time, s, which is hit exactly.
    pub fn advance_to(&mut self, end: f64) -> Result<(), SimError> {
        if end.is_nan() || end < self.state.time {
            return Err(SimError::BackInTime {
                from: self.state.time,
                to: end,
            });
        }
        while self.state.time < end {
            self.step_towards(end)?;
        }
        Ok(())
    }

    /// Takes one step towards a later time, as long as the tolerance, the
    /// prescribed motions and what is scheduled allow.
    pub fn step_towards(&mut self, end: f64) -> Result<(), SimError> {
        let motions = self.model.motions.iter().flat_map(|m| m.breaks());
        let releases = self.state.releases.iter().flat_map(|r| r.corners());
        let breaks = motions.chain(self.controls.corners()).chain(releases);
        let ahead = breaks.filter(|t| *t > self.state.time);
        let stop = ahead.fold(end, f64::min);
        if let Err(error) = self.step(stop) {
            // Whatever was tried last: what is read from now on is the state.
            let _ = self.evaluate();
            return Err(error);
        }
        if stop < end && self.state.time >= stop {
            self.restart()?;
        }
        Ok(())
    }

    /// What is simulated; shared with other simulations of it.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What kept steps short of late, in words: a contact, a joint, a stop. None while
    /// nothing has.
    pub fn limited_by(&self) -> Option<&str> {
        self.limited_by.as_deref()
    }

    /// Present time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Replaces the state: a reset, or the next trial. A state that does not
    /// fit the model is refused and nothing changes.
    pub fn set_state(&mut self, state: State) -> Result<(), SimError> {
        let before = std::mem::replace(&mut self.state, state);
        self.check_fit()
            .and_then(|()| self.restart())
            .or_else(|error| {
                self.state = before;
                self.evaluate()?;
                Err(error)
            })
    }

    /// Efforts, targets, gravity, materials and loads as they are.
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// Changes efforts, targets, gravity, materials or loads; the next step
    /// starts anew. Controls that make no sense are refused and nothing changes.
    pub fn change(&mut self, change: impl FnOnce(&mut Controls)) -> Result<(), SimError> {
        self.change_then(change, Simulation::restart)
    }

    /// The same for controllers, which change a little and often: the next step
    /// is as long as it would have been. After a large change it is rejected and
    /// taken shorter, as any step that is too inaccurate.
    pub fn adjust(&mut self, change: impl FnOnce(&mut Controls)) -> Result<(), SimError> {
        self.change_then(change, Simulation::evaluate)
    }

    fn change_then(
        &mut self,
        change: impl FnOnce(&mut Controls),
        go_on: impl FnOnce(&mut Simulation) -> Result<(), SimError>,
    ) -> Result<(), SimError> {
        let before = self.controls.clone();
        change(&mut self.controls);
        self.check_fit()
            .and_then(|()| go_on(self))
            .or_else(|error| {
                self.controls = before;
                self.evaluate()?;
                Err(error)
            })
    }

    /// Steps, rejections and evaluations so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// What made steps as short as they were, since the simulation was made.
    pub fn step_causes(&self) -> StepCauses {
        self.causes
    }

    /// Length the next step would have, s.
    pub fn next_step(&self) -> f64 {
        self.next_step
    }

    /// Pose of a body in the world.
    pub fn pose(&self, body: BodyId) -> Pose {
        self.evaluation.kinematics.X_WB[body.index()]
    }

    /// Angular velocity of a body and velocity of its origin, world axes.
    pub fn velocity(&self, body: BodyId) -> Twist {
        self.evaluation.kinematics.V_WB[body.index()]
    }

    /// Coordinate of a joint, m or rad; none for a degree of freedom that does
    /// not exist or is part of a rotation in space.
    pub fn joint_position(&self, joint: impl Into<DofId>) -> Option<f64> {
        let dof = self.model.dof(joint.into())?;
        self.model.tree.coordinate(dof).map(|at| self.state.q[at])
    }

    /// Velocity of a joint, m/s or rad/s.
    pub fn joint_velocity(&self, joint: impl Into<DofId>) -> Option<f64> {
        let dof = self.model.dof(joint.into())?;
        Some(self.state.v[dof])
    }

    /// Effort of a joint, N or N m: of its actuators, couplings, limits,
    /// damping, spring and friction together.
    pub fn joint_effort(&self, joint: impl Into<DofId>) -> Option<f64> {
        let dof = self.model.dof(joint.into())?;
        Some(self.evaluation.efforts.tau[dof])
    }

    /// The wrench of all contacts and loads on a body, about its origin in
    /// world axes; gravity and joints are not in it.
    pub fn wrench_on(&self, body: BodyId) -> Wrench {
        self.evaluation.wrenches[body.index()]
    }

    /// The wrench that passes through a body's joint from its parent, about the
    /// body's origin in world axes.
    pub fn joint_wrench(&self, body: BodyId) -> Wrench {
        let gravity = self.controls.gravity.at(self.state.time);
        self.evaluation
            .joint_wrench(&self.model, &self.controls, gravity, body.index())
    }

    /// Angular momentum of all bodies about the world's origin, kg m²/s.
    pub fn angular_momentum(&self) -> DVec3 {
        volar_dynamics::energy::angular_momentum(&self.evaluation.kinematics)
    }

    /// Starts or stops measuring how long the stages of evaluations take.
    pub fn time_stages(&mut self, on: bool) {
        self.evaluation.clock.switch(on);
    }

    /// Time spent in each stage of evaluations and steps since
    /// [`time_stages`](Self::time_stages), by name in the order of the stages.
    pub fn stage_times(&self) -> Vec<(&'static str, Duration)> {
        self.evaluation.clock.times()
    }

    /// Energies at the present state.
    pub fn energies(&self) -> Energies {
        let evaluation = &self.evaluation;
        Energies {
            kinetic: evaluation.kinetic_energy(&self.controls, &self.state.v),
            potential: volar_dynamics::energy::potential_energy(
                &self.model.tree,
                &evaluation.kinematics,
                self.controls.gravity.at(self.state.time),
            ),
            bristles: evaluation.bristle_energy(),
            joints: evaluation.efforts.stored,
            balance: self.state.balance,
        }
    }

    /// Refuses a state or controls that do not fit the model.
    pub(crate) fn check_fit(&self) -> Result<(), SimError> {
        match self.model.misfit(&self.state, &self.controls) {
            Some(what) => Err(SimError::Unfit { what }),
            None => Ok(()),
        }
    }
}
