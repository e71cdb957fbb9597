//! Static quality of the grasp of a run, and what its start overlaps.

use serde::{Deserialize, Serialize};
use volar_math::Wrench;
use volar_quality::{Contact, ContactModel, Options, Quality, quality};
use volar_record::figures;
use volar_scene::{Grasp, QualityPlan};
use volar_sim::{BearingContact, Simulation};

/// Static quality of a grasp at one time of a run, from the patches between hand and object that
/// carry at least 1 % of the object's normal load; definitions are in `docs/quality.md`.
///
/// ```
/// use std::sync::Arc;
/// use volar_run::{Options, execute};
/// use volar_scene::Scene;
///
/// let scene = Scene::open("g2p-cube")?.with(&["duration=0.5", "grasp.quality.at=0.5"])?;
/// let summary = execute(&Arc::new(scene.compile()?), &Options::default(), &mut [])?.summary;
/// let quality = summary.quality.unwrap();
/// println!("{} contacts, {:.1} mm²", quality.contacts, quality.area_mm2);
/// assert!(quality.patch.is_some_and(|patch| patch.force_closure));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraspQuality {
    /// Simulated time, s.
    pub time_s: f64,
    /// Length by which torques are divided, m.
    pub length_m: f64,
    /// Edges of the pyramid in a cone of friction.
    pub edges: usize,
    /// Patches between hand and object.
    pub contacts: usize,
    /// Area of these, mm².
    pub area_mm2: f64,
    /// With the patches as hard points.
    pub point: Option<Quality>,
    /// With the patches as soft fingers.
    pub soft_finger: Option<Quality>,
    /// With the extent of the patches.
    pub patch: Option<Quality>,
    /// Why a model has no measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What was in each other at the start of a run, before anything was done about it. Only pairs
/// of bodies that can touch in the scene.
///
/// ```
/// use volar_run::Summary;
///
/// fn is_free(summary: &Summary) -> bool {
///     let overlap = summary.start_overlap.unwrap_or_default();
///     overlap.object_depth_mm.max(overlap.hand_depth_mm) <= 0.0
/// }
/// # assert!(is_free(&Summary::default()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StartOverlap {
    /// Greatest depth between hand and object, mm.
    pub object_depth_mm: f64,
    /// Overlap volume of hand and object, summed over links, mm³.
    pub object_volume_mm3: f64,
    /// Greatest depth between two links of the hand, mm.
    pub hand_depth_mm: f64,
    /// Overlap volume between links of the hand, mm³.
    pub hand_volume_mm3: f64,
}

impl StartOverlap {
    pub(crate) fn of(grasp: &Grasp, simulation: &Simulation) -> StartOverlap {
        let mut overlap = StartOverlap::default();
        for found in simulation.start_overlaps() {
            let ends = [found.pair.a(), found.pair.b()];
            let links = ends.iter().filter(|end| grasp.hand.contains(end)).count();
            let (depth, volume) = match links {
                2 => (&mut overlap.hand_depth_mm, &mut overlap.hand_volume_mm3),
                1 if found.pair.has(grasp.object) => {
                    (&mut overlap.object_depth_mm, &mut overlap.object_volume_mm3)
                }
                _ => continue,
            };
            *depth = depth.max(1.0e3 * found.depth);
            *volume += 1.0e9 * found.volume;
        }
        overlap
    }
}

/// Judges a grasp as it is now; the load is the object's weight.
pub(crate) fn measure(grasp: &Grasp, plan: &QualityPlan, simulation: &Simulation) -> GraspQuality {
    let object = grasp.object;
    let least = figures::bearing_load(&simulation.contacts_of(object), object);
    let mut contacts = simulation.bearing_contacts(object);
    contacts.retain(|c| grasp.hand.contains(&c.other) && c.normal_force >= least);
    let judged = volar_quality::Grasp {
        contacts: contacts.iter().map(contact).collect(),
        centre: simulation.pose(object).point(grasp.centre),
        length: plan.length,
    };
    let gravity = simulation.controls().gravity.at(simulation.time());
    let weight = simulation.model().mass(object).mass * gravity;
    let mut problem = None;
    let mut judge = |model| {
        let options = Options {
            model,
            edges: plan.edges,
            load: Wrench {
                force: weight,
                torque: glam::DVec3::ZERO,
            },
        };
        match quality(&judged, &options) {
            Ok(found) => Some(found),
            Err(error) => {
                problem.get_or_insert(error.to_string());
                None
            }
        }
    };
    let point = judge(ContactModel::Point);
    let soft_finger = judge(ContactModel::SoftFinger);
    let patch = judge(ContactModel::Patch);
    GraspQuality {
        time_s: simulation.time(),
        length_m: plan.length,
        edges: plan.edges,
        contacts: contacts.len(),
        area_mm2: 1.0e6 * contacts.iter().map(|c| c.area).sum::<f64>(),
        point,
        soft_finger,
        patch,
        problem,
    }
}

fn contact(contact: &BearingContact) -> Contact {
    Contact {
        point: contact.point,
        normal: contact.normal,
        friction: contact.friction,
        torsion_radius: contact.torsion_radius,
        spread: contact.spread,
    }
}
