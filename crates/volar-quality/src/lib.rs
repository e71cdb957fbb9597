//! How good a grasp is by its contacts alone, without a simulation.
//!
//! [`quality`] takes contacts on an object and returns the usual measures, each in a file of
//! its own with its definition and source; `docs/quality.md` has them in one place. No
//! file, no mesh and no time is known here.
//!
//! ```
//! use glam::DVec3;
//! use volar_quality::{Contact, ContactModel, Grasp, Options, quality};
//!
//! // Two soft fingers on a sphere of 30 mm.
//! let finger = |side: f64| Contact {
//!     torsion_radius: 6.0e-3, // m
//!     ..Contact::point(DVec3::new(0.03 * side, 0.0, 0.0), -side * DVec3::X, 0.5)
//! };
//! let grasp = Grasp {
//!     contacts: vec![finger(1.0), finger(-1.0)],
//!     centre: DVec3::ZERO,
//!     length: 0.03, // m
//! };
//! let soft = Options { model: ContactModel::SoftFinger, ..Options::default() };
//! assert!(quality(&grasp, &soft)?.force_closure);
//! // Hard points leave it free to turn about the line between them.
//! let hard = Options { model: ContactModel::Point, ..Options::default() };
//! assert!(!quality(&grasp, &hard)?.force_closure);
//! # Ok::<(), volar_quality::QualityError>(())
//! ```
#![cfg_attr(test, allow(clippy::disallowed_methods))] // the bits of tests do not matter

mod cones;
mod conic;
mod contact;
mod epsilon;
mod force_closure;
mod grasp_force;
mod grasp_map;
mod hull;
mod inscribed;
mod isotropy;
mod min_singular_value;
mod q1;
mod vector6;
mod volume;

use serde::{Deserialize, Serialize};
use volar_math::Wrench;

pub use contact::{Contact, ContactModel, Grasp};

/// How a grasp is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How much of a contact counts.
    pub model: ContactModel,
    /// Edges of the pyramid in a cone of friction, at least 3; 8 by default. For what is not
    /// exact in the cone: epsilon, volume and Q1.
    pub edges: usize,
    /// A load on the object about its centre of mass, N and N m, that the contacts have to balance.
    pub load: Wrench,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: ContactModel::default(),
            edges: 8,
            load: Wrench::ZERO,
        }
    }
}

/// The measures of a grasp; definitions and sources are in `docs/quality.md`. More is better,
/// but for `balancing_force_n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Whether the contacts can make every wrench.
    pub force_closure: bool,
    /// Ferrari and Canny's measure, the sum of normal forces limited to 1. This, the next three: null
    /// where a hull of more than 200,000 facets would be needed.
    pub epsilon_l1: Option<f64>,
    /// The same, every normal force limited to 1.
    pub epsilon_linf: Option<f64>,
    /// Volume of the set of wrenches with a sum of normal forces of 1.
    pub volume_l1: Option<f64>,
    /// Epsilon as DexGraspBench takes it, about the mean of the contacts.
    pub q1: Option<f64>,
    /// Smallest singular value of the grasp map.
    pub min_singular_value: f64,
    /// Smallest over greatest singular value of the grasp map.
    pub isotropy: f64,
    /// Smallest possible value of the greatest normal force with which the contacts balance
    /// the load, N; null if they cannot.
    pub balancing_force_n: Option<f64>,
}

/// Why a grasp cannot be judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QualityError {
    /// A number of a contact is of no use.
    #[error("contact {index} {what}")]
    Contact {
        /// Its place in the list, from 0.
        index: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The centre of mass is not finite.
    #[error("the centre of mass is not finite")]
    Centre,
    /// The length by which torques are divided.
    #[error("the characteristic length is {0} m; it must be positive")]
    Length(f64),
    /// Too few or too many edges.
    #[error("{0} edges of a friction cone: 3 to 64 are possible")]
    Edges(usize),
    /// The load is not finite.
    #[error("the load is not finite")]
    Load,
    /// The conic program was not solved.
    #[error("the balance of forces was not solved: {0}")]
    Solver(String),
    /// Rounding could not be kept out of the hull.
    #[error("the wrenches coincide in a way that their hull cannot be computed")]
    Degenerate,
}

/// Judges a grasp.
pub fn quality(grasp: &Grasp, options: &Options) -> Result<Quality, QualityError> {
    check(grasp, options)?;
    let Wrench { force, torque } = options.load;
    let load = vector6::wrench(force, torque / grasp.length);
    let contacts = grasp.contacts.len();
    if contacts == 0 {
        let balanced = vector6::norm(&load) <= 0.0;
        return Ok(Quality {
            epsilon_l1: Some(0.0),
            epsilon_linf: Some(0.0),
            volume_l1: Some(0.0),
            q1: Some(0.0),
            balancing_force_n: balanced.then_some(0.0),
            ..Quality::default()
        });
    }
    let cones = cones::cones(grasp, options.model);
    let edges = cones::edges_by_contact(&cones, contacts, options.edges);
    let values = grasp_map::singular_values(&cones);
    Ok(Quality {
        force_closure: force_closure::force_closure(&cones, &values)?,
        epsilon_l1: epsilon::l1(&edges)?,
        epsilon_linf: epsilon::l_infinity(&edges)?,
        volume_l1: volume::l1(&edges)?,
        q1: q1::q1(grasp, options.model, options.edges)?,
        min_singular_value: min_singular_value::min_singular_value(&values),
        isotropy: isotropy::isotropy(&values),
        balancing_force_n: grasp_force::grasp_force(&cones, contacts, &load)?,
    })
}

/// The wrenches that epsilon and volume are computed from, by contact: those of the edges of the
/// pyramids in its cones, with a unit of normal force each; force first, then torque over the
/// length.
pub fn edge_wrenches(grasp: &Grasp, options: &Options) -> Result<Vec<Vec<[f64; 6]>>, QualityError> {
    check(grasp, options)?;
    let cones = cones::cones(grasp, options.model);
    let contacts = grasp.contacts.len();
    Ok(cones::edges_by_contact(&cones, contacts, options.edges))
}

fn check(grasp: &Grasp, options: &Options) -> Result<(), QualityError> {
    grasp.check()?;
    if !(3..=64).contains(&options.edges) {
        return Err(QualityError::Edges(options.edges));
    }
    let Wrench { force, torque } = options.load;
    if !(force.is_finite() && torque.is_finite()) {
        return Err(QualityError::Load);
    }
    Ok(())
}
