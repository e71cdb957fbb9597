//! Prescribed motions.

use volar_dynamics::Joint;
use volar_scene::Setup;
use volar_scene::spec::{MotionEntry, SceneSpec};
use volar_sim::MotionId;

use super::{Motion, placed};

/// Longest time between two samples where it moves, s.
const STEP: f64 = 0.005;

pub(super) fn motions(setup: &Setup, duration: f64) -> Vec<Motion> {
    let (model, spec) = (&setup.model, &setup.scene.spec);
    let tree = model.tree();
    let entries = entries(spec);
    let motions = entries.iter().enumerate().filter_map(|(number, entry)| {
        let motion = model.motion(MotionId::new(number))?;
        let on_it = model.bodies().filter(|id| {
            let body = &tree.bodies()[id.index()];
            body.base_motion == Some(number) && body.joint == Joint::Fixed
        });
        let on_it: Vec<_> = on_it.collect();
        let first = *on_it.first()?;
        let X_FB = tree.bodies()[first.index()].X_PJ;
        let sample = |t: f64| {
            let at = motion.at(t);
            let [x, y, z, qw, qx, qy, qz] = placed(&at.X_WF.compose(&X_FB));
            let V = at.V_WF.at(at.X_WF.R * X_FB.p);
            let (v, w) = (V.linear, V.angular);
            [t, x, y, z, qw, qx, qy, qz, v.x, v.y, v.z, w.x, w.y, w.z]
        };
        let name = |id: &volar_sim::BodyId| model.name(*id).to_owned();
        let mut breaks = motion.breaks();
        breaks.retain(|t| (0.0..=duration).contains(t));
        let (kind, formula) = formula(entry);
        Some(Motion {
            bodies: on_it.iter().map(name).collect(),
            kind,
            formula,
            body: name(&first),
            samples: times(&breaks, duration, |t| motion.moves_after(t))
                .into_iter()
                .map(sample)
                .collect(),
            breaks,
        })
    });
    motions.collect()
}

/// Motions in the order in which the scene numbers them.
fn entries(spec: &SceneSpec) -> Vec<&MotionEntry> {
    let robots = spec.robots.iter().filter_map(|robot| robot.motion.as_ref());
    let bodies = spec.bodies.iter().filter_map(|body| body.motion.as_ref());
    robots.chain(bodies).collect()
}

fn formula(entry: &MotionEntry) -> (&'static str, String) {
    match entry {
        MotionEntry::Sine {
            amplitude,
            frequency,
            phase_deg,
            start,
            ramp,
        } => (
            "sine",
            format!(
                "displacement along x, y, z: {amplitude:?} m · s(u) · sin(2π · {frequency} · (t − \
                 {start}) + {phase_deg:?} degrees), u = (t − {start}) / {ramp}, s(u) = u³ (10 − 15 u \
                 + 6 u²) from u = 0 to 1, 0 before, 1 after"
            ),
        ),
        MotionEntry::Waypoints(_) => (
            "waypoints",
            "from each break to the next along a straight line, turning about a fixed axis, by the \
             share u³ (10 − 15 u + 6 u²) of the way, u the share of the time"
                .into(),
        ),
        MotionEntry::Csv { file } => (
            "csv",
            format!("natural cubic spline through the rows of {file}"),
        ),
    }
}

/// From break to break, densely where it moves.
fn times(breaks: &[f64], duration: f64, moves_after: impl Fn(f64) -> bool) -> Vec<f64> {
    let inner = breaks.iter().copied().filter(|t| *t > 0.0 && *t < duration);
    let mut ends: Vec<f64> = std::iter::once(0.0).chain(inner).collect();
    ends.push(duration);
    let mut times = vec![0.0];
    for pair in ends.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let pieces = match moves_after(a) {
            true => ((b - a) / STEP).ceil().clamp(1.0, 1.0e6) as usize,
            false => 1,
        };
        times.extend((1..pieces).map(|i| a + (b - a) * i as f64 / pieces as f64));
        times.push(b);
    }
    times
}
