//! Pulls at a held object, in six directions, until it slips.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use glam::DVec3;
use volar_dynamics::{Lines, Signal};
use volar_math::Wrench;
use volar_scene::Grasp;
use volar_scene::spec::PullSection;
use volar_sim::{BodyId, Load, Simulation};

use crate::observer::{Context, Ended, Observed, Observer, RunError, Stop};
use crate::run::Run;

/// Slip is checked whenever the load has grown by this, N.
const LOAD_STEP: f64 = 0.1;

/// The load at which a contact of the object has slipped by the length in the
/// scene, N, for each direction along the palm's axes; each pull starts from
/// the state the run is in. None where it holds up to the limit.
pub fn pulls(run: &Run) -> Result<BTreeMap<String, Option<f64>>, RunError> {
    let (Some(pull), Some(grasp)) = (&run.setup().pull, &run.setup().grasp) else {
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
) -> Result<Option<f64>, RunError> {
    let start = run.time();
    let simulation = run.simulation_mut();
    let palm = simulation.pose(grasp.palm).R;
    let mut watch = SlipWatch {
        grasp,
        pull,
        start,
        before: slips(simulation, grasp),
        checks: 1,
        slipped_at: None,
    };
    let end = start + pull.limit / pull.rate;
    let ramp = Lines::new(vec![(start, 0.0), (end, 1.0)]);
    let force = pull.limit * (palm * along_palm);
    let load = Load {
        body: grasp.object,
        wrench: Wrench::new(DVec3::ZERO, force),
        point: grasp.centre,
        scale: ramp.map_or(Signal::Constant(1.0), Signal::Lines),
    };
    simulation.change(|controls| controls.loads.push(load))?;
    match run.advance_with(end, &mut [&mut watch]) {
        Ended::Failed(error) => Err(error),
        Ended::Complete | Ended::Stopped(_) => Ok(watch.slipped_at),
    }
}

/// Stops a pull when the object slips.
struct SlipWatch<'a> {
    grasp: &'a Grasp,
    pull: &'a PullSection,
    /// When the pull begins, s.
    start: f64,
    /// Slips at that time.
    before: BTreeMap<BodyId, f64>,
    /// Number of the next check; the first is 1.
    checks: u64,
    slipped_at: Option<f64>,
}

impl SlipWatch<'_> {
    /// Load at the next check, N.
    fn load(&self) -> f64 {
        (self.checks as f64 * LOAD_STEP).min(self.pull.limit)
    }
}

impl Observer for SlipWatch<'_> {
    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if self.next_time().is_some_and(|next| context.time() < next) {
            return Ok(ControlFlow::Continue(()));
        }
        let now = slips(context.simulation, self.grasp);
        let slipped = now.iter().any(|(other, slip)| {
            let before = self.before.get(other).copied().unwrap_or(0.0);
            slip - before > self.pull.slip
        });
        if slipped || now.is_empty() {
            self.slipped_at = Some(self.load());
            return Ok(ControlFlow::Break(Stop::Done));
        }
        self.checks += 1;
        Ok(ControlFlow::Continue(()))
    }

    fn next_time(&self) -> Option<f64> {
        Some(self.start + self.load() / self.pull.rate)
    }
}

/// Plastic slip of the object's contacts, m, by the other body.
fn slips(simulation: &Simulation, grasp: &Grasp) -> BTreeMap<BodyId, f64> {
    let mut slips = BTreeMap::new();
    for contact in simulation.contacts() {
        let Some(other) = contact.pair().other(grasp.object) else {
            continue;
        };
        let slip: &mut f64 = slips.entry(other).or_default();
        *slip = slip.max(contact.slip);
    }
    slips
}
