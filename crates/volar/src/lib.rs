//! Grasp simulation on the exact overlap of closed meshes.
//!
//! Contacts are the overlap volumes of closed triangle meshes; the force follows
//! from that volume and from how it changes. Units are SI throughout: metres,
//! kilograms, seconds, newtons, radians.
//!
//! # A scene from a file, or built in
//!
//! A [`Scene`](scene::Scene) is what a person writes in TOML. Compiled once, it
//! can be run any number of times:
//!
//! ```
//! use volar::prelude::*;
//!
//! let setup = Arc::new(Scene::open("g2p-cube")?.with(&["duration=0.2"])?.compile()?);
//! let outcome = execute(&setup, &Options::default(), &mut [])?;
//! println!("{} contacts, {} steps", outcome.run.simulation().contacts().len(), outcome.summary.steps);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A scene in code
//!
//! ```
//! use volar::prelude::*;
//!
//! let mut model = ModelBuilder::new();
//! let floor = model.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, material("wood")?).unwrap());
//! let ball = model.add(Body::free("ball", mesh::sphere(0.03)?, 0.1, material("rubber")?));
//! let model = model.build()?;
//!
//! let mut state = State::neutral(&model);
//! state.set_pose(&model, ball, &Pose::from_translation(DVec3::new(0.0, 0.0, 0.05)));
//! let mut sim = Simulation::new(Arc::new(model), state, Settings::default())?;
//! sim.advance_to(1.0)?;
//! println!("the ball is at {} m", sim.pose(ball).p);
//! for contact in sim.contacts_between(PairId::new(floor, ball)) {
//!     println!("{:.3} N at {:.4} m", contact.normal_force, contact.point);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! | module | what |
//! |---|---|
//! | [`sim`] | bodies, joints, simulation, contacts, energies |
//! | [`contact`] | materials and laws of contact |
//! | [`mesh`] | closed meshes: shapes, files, check, repair |
//! | [`overlap`] | what two meshes share |
//! | [`robot`] | URDF, MJCF and SDF files |
//! | [`scene`] | scene files |
//! | [`run`] | running a scene with observers; summary |
//! | [`record`] | recordings in MCAP and Parquet |
//! | [`math`] | poses, twists, wrenches |

pub mod mesh;

use volar_contact::Material;

pub use glam;

/// Bodies, joints, simulation, contacts, energies.
pub mod sim {
    pub use volar_dynamics::{
        Actuator, DofParams, FrameMotion, Joint, JointForceError, Lines, Signal, Spring,
    };
    pub use volar_sim::*;
}

/// Materials and laws of contact.
pub mod contact {
    pub use volar_contact::{ContactLaw, Friction, Material, NormalLaw, PairMaterial, Paper};
}

/// What two closed meshes share: volume, moments, surfaces, depths.
pub mod overlap {
    pub use volar_geom::overlap::*;
}

/// Robots from URDF, MJCF and SDF files, with a report of what is not imported.
pub mod robot {
    pub use volar_robots::*;
}

/// Scene files, built-in scenes, and where their files come from.
pub mod scene {
    pub use volar_assets::{AssetError, AssetSource, Disk, Memory};
    pub use volar_scene::*;
}

/// Running a scene from beginning to end: the loop, its observers, the summary.
pub mod run {
    pub use volar_run::*;
}

/// Recordings in MCAP and Parquet.
pub mod record {
    pub use volar_record::*;
}

/// Poses, twists, wrenches.
pub mod math {
    pub use volar_math::{Pose, Twist, Wrench};
}

/// What most programs need, in one `use`.
pub mod prelude {
    pub use std::sync::Arc;

    pub use crate::contact::{ContactLaw, Material};
    pub use crate::material;
    pub use crate::math::{Pose, Twist, Wrench};
    pub use crate::mesh::{self, Mesh};
    pub use crate::run::{Observer, Options, Run, Summary, execute};
    pub use crate::scene::{Scene, Setup};
    pub use crate::sim::{
        Actuator, ActuatorId, Body, BodyId, Contact, Controls, Coupling, Joint, JointId, Load,
        Model, ModelBuilder, PairId, Parent, Settings, SimError, Simulation, State,
    };
    pub use glam::{DMat3, DVec3};
}

/// No material has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no material `{name}`; there are {}",
    Material::names().collect::<Vec<_>>().join(", ")
)]
pub struct UnknownMaterial {
    /// The name asked for.
    pub name: String,
}

/// A material of the table in `docs/contact.md`, by its name.
///
/// ```
/// let rubber = volar::material("rubber")?.with_friction(0.8);
/// assert!(volar::material("ruber").unwrap_err().to_string().contains("rubber"));
/// # Ok::<(), volar::UnknownMaterial>(())
/// ```
pub fn material(name: &str) -> Result<Material, UnknownMaterial> {
    Material::named(name).ok_or_else(|| UnknownMaterial { name: name.into() })
}

/// The code in the README is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
