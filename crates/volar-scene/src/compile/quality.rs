//! When and how the static quality of a grasp is measured.

use volar_sim::Body;

use crate::error::{Fault, not_negative, positive};
use crate::spec::{GraspSection, SceneSpec};

/// When and how the static quality of a grasp is measured.
///
/// ```
/// use volar_scene::Scene;
///
/// let scene = Scene::builtin("g2p-cube")?.with(&["grasp.quality.at=1.5"])?;
/// let plan = scene.compile()?.grasp.and_then(|grasp| grasp.quality).unwrap();
/// assert_eq!((plan.at, plan.edges), (1.5, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityPlan {
    /// When, s.
    pub at: f64,
    /// Length by which torques are divided, m.
    pub length: f64,
    /// Edges of the pyramid in a cone of friction.
    pub edges: usize,
}

pub(super) fn plan(
    scene: &SceneSpec,
    section: &GraspSection,
    object: &Body,
) -> Result<Option<QualityPlan>, Fault> {
    let Some(quality) = &section.quality else {
        return Ok(None);
    };
    let in_quality = |fault: Fault| fault.within(&["quality"]);
    let end = section.until.unwrap_or(scene.duration).min(scene.duration);
    let at = match quality.at {
        Some(at) => {
            not_negative("at", at).map_err(in_quality)?;
            if at > end {
                let message = format!("{at} s is after the end of the measures, {end} s");
                return Err(in_quality(Fault::new(&["at"], message)));
            }
            at
        }
        None => closed(scene, section).min(end),
    };
    let length = match quality.length {
        Some(length) => positive("length", length).map_err(in_quality)?,
        None => reach(object),
    };
    if !(3..=64).contains(&quality.edges) {
        let message = format!("{} edges: 3 to 64 are possible", quality.edges);
        return Err(in_quality(Fault::new(&["edges"], message)));
    }
    Ok(Some(QualityPlan {
        at,
        length,
        edges: quality.edges,
    }))
}

/// When the hand has closed and nothing else has begun yet.
fn closed(scene: &SceneSpec, section: &GraspSection) -> f64 {
    let phases = section.phases.iter().map(|phase| phase.from);
    let turns = scene
        .schedule
        .iter()
        .filter(|entry| entry.gravity.is_some() || entry.turn_gravity.is_some());
    let begins = phases.chain(turns.map(|entry| entry.at));
    let first = begins.filter(|time| *time > 0.0).reduce(f64::min);
    first.unwrap_or(section.from)
}

/// Greatest distance of a body's surface from its centre of mass, m.
fn reach(body: &Body) -> f64 {
    let vertices = body.shapes.iter().flat_map(|shape| shape.vertices());
    let distances = vertices.map(|vertex| vertex.distance(body.mass.centre_of_mass));
    distances.fold(0.0, f64::max)
}
