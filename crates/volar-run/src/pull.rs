//! Pulls at a held object, in six directions, until it slips.

use std::collections::BTreeMap;

use glam::DVec3;
use volar_dynamics::{Lines, Signal};
use volar_math::Wrench;
use volar_scene::spec::PullSection;
use volar_scene::{Grasp, Setup};
use volar_sim::{Load, SimError};

use crate::run::Run;

/// How often a pull is looked at, N.
const LOOK: f64 = 0.1;

/// The load at which a contact of the object has slipped by the length in the
/// scene, for each direction along the palm's axes; each pull starts from the
/// state the run is in. None where it holds up to the limit.
pub fn pulls(run: &Run, setup: &Setup) -> Result<BTreeMap<String, Option<f64>>, SimError> {
    let (Some(pull), Some(grasp)) = (&setup.pull, &setup.grasp) else {
        return Ok(BTreeMap::new());
    };
    let mut loads = BTreeMap::new();
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        for (sign, mark) in [(1.0, "+"), (-1.0, "-")] {
            let direction = sign * DVec3::AXES[axis];
            let load = one_pull(run.clone(), grasp, pull, direction)?;
            loads.insert(format!("{mark}{name}"), load);
        }
    }
    Ok(loads)
}

fn one_pull(
    mut run: Run,
    grasp: &Grasp,
    pull: &PullSection,
    along_palm: DVec3,
) -> Result<Option<f64>, SimError> {
    let start = run.time();
    let simulation = run.simulation();
    let palm = simulation.evaluation()?.kinematics.X_WB[grasp.palm].R;
    let before = slips(run.simulation(), grasp)?;
    let duration = pull.limit / pull.rate;
    let ramp = Lines::new(vec![(start, 0.0), (start + duration, 1.0)]);
    let force = pull.limit * (palm * along_palm);
    run.simulation().controls_mut().loads.push(Load {
        body: grasp.object,
        wrench: Wrench::new(DVec3::ZERO, force),
        point: grasp.centre,
        scale: ramp.map_or(Signal::Constant(1.0), Signal::Lines),
    });
    let looks = (pull.limit / LOOK).ceil();
    for k in 1..=looks as u64 {
        let load = (k as f64 * LOOK).min(pull.limit);
        run.advance(start + load / pull.rate)?;
        let now = slips(run.simulation(), grasp)?;
        let lost = now.is_empty();
        let slipped = now.iter().any(|(key, slip)| {
            let old = before.get(key).copied().unwrap_or(0.0);
            slip - old > pull.slip
        });
        if slipped || lost {
            return Ok(Some(load));
        }
    }
    Ok(None)
}

/// Plastic slip of the object's contacts, by the other body.
fn slips(
    simulation: &mut volar_sim::Simulation,
    grasp: &Grasp,
) -> Result<BTreeMap<usize, f64>, SimError> {
    let mut slips = BTreeMap::new();
    for contact in simulation.contacts()? {
        let other = match grasp.object {
            object if object == contact.a => contact.b,
            object if object == contact.b => contact.a,
            _ => continue,
        };
        let slip: &mut f64 = slips.entry(other).or_default();
        *slip = slip.max(contact.slip);
    }
    Ok(slips)
}
