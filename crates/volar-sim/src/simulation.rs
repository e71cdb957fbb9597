//! A simulation: a model, its state, and an integrator that takes it through
//! time.

use std::sync::Arc;

use volar_ode::{Controller, Method, Statistics, Stepper};

use crate::controls::Controls;
use crate::energy_balance::Energies;
use crate::error::SimError;
use crate::evaluate::{Evaluation, Patches};
use crate::layout::Layout;
use crate::model::Model;
use crate::state::State;
use crate::tangent::Tangent;
use crate::tolerance::Scales;
use crate::warning::Warning;

/// How time is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Linearly implicit, L-stable, order 3: large steps at rest.
    #[default]
    Implicit,
    /// Dormand–Prince 4(5), explicit: the paper's choice.
    Rk45,
}

/// Accuracy and limits of the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The integrator.
    pub integrator: Integrator,
    /// Relative tolerance of velocities; positions may err by this many
    /// millimetres, velocities at rest by this many decimetres per second.
    pub tolerance: f64,
    /// Longest step, s.
    pub longest_step: f64,
    /// A run that needs a shorter step ends with an error, s.
    pub shortest_step: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            integrator: Integrator::Implicit,
            tolerance: 1.0e-3,
            longest_step: 0.1,
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

/// A scene on its way through time.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub(crate) model: Arc<Model>,
    pub(crate) settings: Settings,
    pub(crate) controls: Controls,
    pub(crate) state: State,
    pub(crate) statistics: Statistics,
    /// False when state or controls were changed from outside.
    pub(crate) ready: bool,
    pub(crate) next_step: f64,
    pub(crate) controller: Controller,
    pub(crate) stepper: Stepper,
    pub(crate) evaluation: Evaluation,
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
}

impl Simulation {
    /// A simulation of a model from a state.
    pub fn new(model: Arc<Model>, state: State, settings: Settings) -> Simulation {
        let method = match settings.integrator {
            Integrator::Implicit => Method::Implicit,
            Integrator::Rk45 => Method::Rk45,
        };
        Simulation {
            controls: model.controls.clone(),
            layout: Layout {
                nv: model.tree.nv(),
                joints: 0,
                patches: 0,
            },
            model,
            settings,
            state,
            statistics: Statistics::default(),
            ready: false,
            next_step: 0.0,
            controller: Controller::new(method),
            stepper: Stepper::new(method),
            evaluation: Evaluation::default(),
            tangent: Tangent::default(),
            patches: Patches::default(),
            scales: Scales::default(),
            x: Vec::new(),
            rate: Vec::new(),
            q: Vec::new(),
            warnings: Vec::new(),
            warned: Vec::new(),
        }
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

    /// Goes on to a time, which is hit exactly.
    pub fn advance(&mut self, end: f64) -> Result<(), SimError> {
        if end.is_nan() || end < self.state.time {
            return Err(SimError::BackInTime {
                from: self.state.time,
                to: end,
            });
        }
        self.prepare()?;
        while self.state.time < end {
            self.step_towards(end)?;
        }
        Ok(())
    }

    /// Takes one step towards a later time, as long as the tolerance, the
    /// prescribed motions and what is scheduled allow.
    pub fn step_towards(&mut self, end: f64) -> Result<(), SimError> {
        let motions = self.model.motions.iter().flat_map(|m| m.breaks());
        let breaks = motions.chain(self.controls.corners());
        let ahead = breaks.filter(|t| *t > self.state.time);
        let stop = ahead.fold(end, f64::min);
        self.step(stop)?;
        if stop < end && self.state.time >= stop {
            self.changed();
        }
        Ok(())
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Present time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Replaces the state: a reset, or the next trial.
    pub fn set_state(&mut self, state: State) {
        self.state = state;
        self.changed();
    }

    /// Efforts, targets, gravity, materials and loads.
    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    /// The same, to be changed; the next step starts anew.
    pub fn controls_mut(&mut self) -> &mut Controls {
        self.changed();
        &mut self.controls
    }

    /// Steps, rejections and evaluations so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Length the next step would have, s.
    pub fn next_step(&self) -> f64 {
        self.next_step
    }

    /// The evaluation at the present state, with poses, velocities, contacts.
    pub fn evaluation(&mut self) -> Result<&Evaluation, SimError> {
        self.prepare()?;
        Ok(&self.evaluation)
    }

    /// The wrench that passes through a body's joint from its parent, about the
    /// body's origin in world axes.
    pub fn joint_wrench(&mut self, body: usize) -> Result<volar_dynamics::SpatialVec, SimError> {
        self.prepare()?;
        let gravity = self.controls.gravity.at(self.state.time);
        Ok(self
            .evaluation
            .joint_wrench(&self.model, &self.controls, gravity, body))
    }

    /// For timing the stages of evaluations.
    pub fn clock(&mut self) -> &mut crate::stage::Clock {
        &mut self.evaluation.clock
    }

    /// Energies at the present state.
    pub fn energies(&mut self) -> Result<Energies, SimError> {
        self.prepare()?;
        let evaluation = &self.evaluation;
        Ok(Energies {
            kinetic: evaluation.kinetic_energy(&self.controls, &self.state.v),
            potential: volar_dynamics::energy::potential_energy(
                &self.model.tree,
                &evaluation.kinematics,
                self.controls.gravity.at(self.state.time),
            ),
            bristles: evaluation.bristle_energy(),
            joints: evaluation.efforts.stored,
            balance: self.state.balance,
        })
    }

    /// Refuses a state or controls that do not fit the model.
    pub(crate) fn check_fit(&self) -> Result<(), SimError> {
        match self.model.misfit(&self.state, &self.controls) {
            Some(what) => Err(SimError::Unfit { what }),
            None => Ok(()),
        }
    }

    fn changed(&mut self) {
        self.ready = false;
    }
}
