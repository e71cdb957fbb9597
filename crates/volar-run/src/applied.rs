//! What a controller applies to a run, on top of what its scene does.

use std::collections::BTreeMap;

use volar_dynamics::{Actuator, JointForceError, Signal};
use volar_sim::{ActuatorId, BodyId, Controls, Load, SimError};

use crate::run::Run;

/// Why something cannot be applied; the run is as it was.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A number that makes no sense.
    #[error(transparent)]
    Joint(#[from] JointForceError),
    /// The simulation refuses it.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// There is no joint, drive or body of this number.
    #[error("there is no {what} with the number {number}")]
    Missing {
        /// `joint`, `drive` or `body`.
        what: &'static str,
        /// Its number.
        number: usize,
    },
}

/// Efforts and loads of a controller. They stay until the next, and change nothing else:
/// efforts come on top of the drives of the scene, loads on top of its forces.
///
/// A cart on a rail that nothing drives, pushed with 2 N:
///
/// ```
/// use volar_run::{Applied, Run};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"cart\"\ngravity = [0.0, 0.0, 0.0]\n\
/// #             [[body]]\nname = \"cart\"\nmass = 0.5\nshape = { box = [0.1, 0.1, 0.1] }\n\
/// #             slides_along = [1.0, 0.0, 0.0]\n";
/// # let setup = Arc::new(Scene::parse("cart", text)?.compile()?);
///
/// let mut run = Run::new(setup, 1)?;
/// let mut applied = Applied::default();
/// applied.set_efforts(&mut run, &[(0, 2.0)])?; // N, on the first joint of the setup
/// run.advance_to(0.5)?;
/// let cart = run.setup().joints[0].joint;
/// assert!((run.simulation().joint_velocity(cart).unwrap() - 2.0).abs() < 1.0e-9); // m/s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// Actuators that apply efforts, by number of the joint in the setup.
    efforts: BTreeMap<usize, ActuatorId>,
    /// Loads by body.
    loads: BTreeMap<BodyId, Load>,
}

impl Applied {
    /// The effort on a joint, by its number in the setup, N m or N.
    pub fn effort(&self, run: &Run, joint: usize) -> f64 {
        let id = self.efforts.get(&joint);
        id.and_then(|id| command(run, id.index())).unwrap_or(0.0)
    }

    /// The load on a body, where there is one.
    pub fn load(&self, body: BodyId) -> Option<&Load> {
        self.loads.get(&body)
    }

    /// The bodies that were loaded, with their loads.
    pub fn loads(&self) -> impl Iterator<Item = &Load> {
        self.loads.values()
    }

    /// Efforts on joints, by their numbers in the setup; others stay as they are.
    ///
    /// # Errors
    /// When a joint is missing or an effort is not finite; then nothing changes.
    pub fn set_efforts(
        &mut self,
        run: &mut Run,
        efforts: &[(usize, f64)],
    ) -> Result<(), ApplyError> {
        // A change makes the next step start anew.
        let same =
            |(joint, effort): &(usize, f64)| self.effort(run, *joint).to_bits() == effort.to_bits();
        if efforts.iter().all(same) {
            return Ok(());
        }
        let setup = run.setup().clone();
        let mut drives = self.efforts.clone();
        change(run, |controls| {
            for (joint, effort) in efforts {
                let actuator = Actuator::effort(*effort);
                if let Some(id) = drives.get(joint) {
                    controls.set_actuator(*id, actuator)?;
                    continue;
                }
                let missing = ApplyError::Missing {
                    what: "joint",
                    number: *joint,
                };
                let name = setup.joints.get(*joint).ok_or(missing)?;
                let id = controls.drive(&setup.model, name.joint, actuator)?;
                drives.extend(id.map(|id| (*joint, id)));
            }
            Ok(())
        })?;
        self.efforts = drives;
        Ok(())
    }

    /// Loads a body, in place of what was applied to it before.
    ///
    /// # Errors
    /// When the load is not finite or the body is missing; then nothing changes.
    pub fn set_load(&mut self, run: &mut Run, load: Load) -> Result<(), ApplyError> {
        let number = load.body.index();
        if number >= run.setup().model.bodies().len() {
            return Err(ApplyError::Missing {
                what: "body",
                number,
            });
        }
        let old = self.loads.get(&load.body);
        change(run, |controls| {
            let at = controls.loads.iter().position(|load| Some(load) == old);
            match at {
                Some(at) => controls.loads[at] = load.clone(),
                None => controls.loads.push(load.clone()),
            }
            Ok(())
        })?;
        self.loads.insert(load.body, load);
        Ok(())
    }
}

/// What an actuator of a run is commanded now, by its number: effort, target or speed.
pub fn command(run: &Run, actuator: usize) -> Option<f64> {
    let simulation = run.simulation();
    let actuator = simulation.controls().actuator(ActuatorId::new(actuator))?;
    Some(actuator.command().value(simulation.time()))
}

/// Commands drives of the scene, by their numbers in the setup, until the next.
///
/// # Errors
/// When a drive is missing or a command is not finite; then nothing changes.
pub fn set_commands(run: &mut Run, commands: &[(usize, f64)]) -> Result<(), ApplyError> {
    let count = run.setup().drives.len();
    if let Some((number, _)) = commands.iter().find(|(number, _)| *number >= count) {
        return Err(ApplyError::Missing {
            what: "drive",
            number: *number,
        });
    }
    let controls = run.simulation().controls();
    let same = |(drive, value): &(usize, f64)| {
        let known = controls.actuator(ActuatorId::new(*drive));
        known.is_some_and(|known| *known.command() == Signal::Constant(*value))
    };
    if commands.iter().all(same) {
        return Ok(());
    }
    change(run, |controls| {
        for (drive, value) in commands {
            let id = ActuatorId::new(*drive);
            if let Some(old) = controls.actuator(id).cloned() {
                controls.set_actuator(id, old.with_command(Signal::Constant(*value)))?;
            }
        }
        Ok(())
    })
}

/// Changes the controls of a run; what cannot be done changes nothing.
///
/// # Errors
/// When a change makes no sense.
pub fn change(
    run: &mut Run,
    change: impl FnOnce(&mut Controls) -> Result<(), ApplyError>,
) -> Result<(), ApplyError> {
    let simulation = run.simulation_mut();
    let mut controls = simulation.controls().clone();
    change(&mut controls)?;
    Ok(simulation.adjust(|own| *own = controls)?)
}
