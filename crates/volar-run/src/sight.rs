//! A grasp at one time, as every engine can show it.

use glam::DVec3;
use volar_record::GraspFrame;
use volar_record::figures::{self, Touch};
use volar_scene::Grasp;
use volar_sim::{BodyId, Contact, Simulation};

use crate::frames::grasp_frame;

/// A grasp at one time: what all engines can tell of it.
///
/// ```
/// use volar_run::{Measures, Sight};
/// # use volar_scene::Scene;
/// # let setup = Scene::builtin("g2p-cube")?.compile()?;
///
/// // Another engine's run of this scene, in which nothing ever touches the cube.
/// let mut measures = Measures::new(&setup, 10.0);
/// for time in [0.0, 5.0, 9.0, 10.0] {
///     let finger_forces = vec![0.0; 2];
///     measures.look(&Sight { time, finger_forces, ..Sight::default() });
/// }
/// assert_eq!(measures.summary(&setup).held, Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// Time, s.
    pub time: f64,
    /// The object as the palm sees it.
    pub grasp: GraspFrame,
    /// Sum of the normal forces of each finger on the object, N; in the order of the scene.
    pub finger_forces: Vec<f64>,
    /// The same of the palm, N.
    pub palm_force: f64,
    /// Sum of all contact forces on the object, world axes, N.
    pub total_force: DVec3,
    /// Largest normal force between two bodies, N.
    pub largest_force: f64,
    /// Greatest depth of a contact that bears load, m.
    pub depth: f64,
    /// Least friction margin of the object's contacts; none where it is not known.
    pub friction_margin: Option<f64>,
}

impl Sight {
    /// As a simulation shows it now.
    pub fn of(grasp: &Grasp, simulation: &Simulation) -> Sight {
        Sight::with(grasp, simulation, &simulation.contacts())
    }

    /// The same with the contacts of the simulation.
    pub(crate) fn with(grasp: &Grasp, simulation: &Simulation, contacts: &[Contact]) -> Sight {
        let object = grasp.object;
        let by = |links: &[BodyId]| {
            let own = |c: &&Contact| c.other(object).is_some_and(|b| links.contains(&b));
            Touch::of(object, contacts.iter().filter(own)).normal_force
        };
        let fingers = grasp.fingers.iter().map(|finger| by(&finger.links));
        let own = contacts.iter().filter(|c| c.other(object).is_some());
        Sight {
            time: simulation.time(),
            grasp: grasp_frame(grasp, simulation),
            finger_forces: fingers.collect(),
            palm_force: by(&[grasp.palm]),
            total_force: own
                .map(|c| c.normal_force_on(object) + c.friction_force_on(object))
                .sum(),
            largest_force: figures::largest_force(contacts),
            depth: figures::bearing_depth(contacts, Some(object)),
            friction_margin: least_margin(grasp, contacts),
        }
    }
}

/// Least friction margin of the contacts of the object that carry load.
fn least_margin(grasp: &Grasp, contacts: &[Contact]) -> Option<f64> {
    let least = figures::bearing_load(contacts, grasp.object);
    let bearing = contacts
        .iter()
        .filter(|c| c.other(grasp.object).is_some() && c.normal_force >= least);
    Touch::of(grasp.object, bearing).friction_margin
}
