//! MJCF: bodies in bodies, with classes of defaults.
//!
//! Bodies become links. MuJoCo's joint may be anywhere in its body and a body
//! may have several; here a link's frame is at its joint, so
//!
//! ```text
//! X_WB(q) = X_PB · Π T(p_k) M_k(q_k) T(−p_k)      the body's joints k, outermost first
//!         = [X_PB T(p_1)] M_1 [T(p_2 − p_1)] M_2 … T(−p_n)
//! ```
//!
//! each bracket is the `X_PJ` of a link, all but the last of them without mass
//! or shape, and the body's frame is at `X_LB = T(−p_n)`. A joint whose
//! coordinate is `ref` where the body stands in the file has `M(−ref)` in its
//! bracket, so that coordinates stay those of the file.
//!
//! | file | what |
//! |---|---|
//! | `include.rs` | other files in place |
//! | `compiler.rs`, `unit_of_angle.rs` | angles, orientations, folders |
//! | `defaults.rs` | classes |
//! | `asset.rs` | meshes |
//! | `read_body.rs`, `read_joint.rs`, `read_geom.rs` | the tree |
//! | `inertia.rs` | mass given, or from shapes |
//! | `read_actuator.rs`, `read_coupling.rs`, `read_equality.rs`, `read_contact.rs`, `read_key.rs`, `read_custom.rs` | the rest |
//! | `passed_over.rs` | what is named in the report alone |

mod asset;
mod compiler;
mod defaults;
mod include;
mod inertia;
mod passed_over;
mod read_actuator;
mod read_body;
mod read_contact;
mod read_coupling;
mod read_custom;
mod read_equality;
mod read_geom;
mod read_joint;
mod read_key;
mod unit_of_angle;

use std::collections::{BTreeMap, BTreeSet};

use volar_geom::Pose;

use crate::error::RobotError;
use crate::format::{Files, Format};
use crate::mass_check::{Origin, check_inertias, check_masses};
use crate::report::{ImportReport, NoteKind};
use crate::robot::Robot;
use crate::xml::{Element, check_links};
use asset::MeshAsset;
use compiler::Compiler;
use defaults::Defaults;
use unit_of_angle::means_radians;

/// What the readers share: settings, what is read so far, and its names.
pub(crate) struct Reader<'a> {
    files: Files<'a>,
    compiler: Compiler,
    defaults: Defaults,
    report: ImportReport,
    meshes: BTreeMap<String, MeshAsset>,
    robot: Robot,
    origins: Vec<Origin>,
    /// Link of each body.
    bodies: BTreeMap<String, usize>,
    /// Link of each named joint.
    joints: BTreeMap<String, usize>,
    /// Coupling of each named tendon; None for one that is not supported.
    tendons: BTreeMap<String, Option<usize>>,
    /// Link of each named shape and its number among the link's collisions.
    geoms: BTreeMap<String, (usize, usize)>,
    /// Link of each named site, and the site in it.
    sites: BTreeMap<String, (usize, Pose)>,
    /// Shapes that `<pair>` names: they touch though their bits say no.
    paired: BTreeSet<String>,
    /// Per actuator of the file: whether it was taken over.
    driven: Vec<bool>,
    /// Where free joints stand at their zero, for keyframes: link and pose of
    /// the body in its parent.
    free: Vec<(usize, Pose)>,
}

pub(crate) fn read(mut root: Element, files: Files) -> Result<(Robot, ImportReport), RobotError> {
    let mut report = ImportReport::new(Format::Mjcf);
    report.files = include::expand(&mut root, files)?;
    if root.child("worldbody").is_none() {
        let needed = "a <worldbody>; without one it may be a part that another file includes";
        return Err(root.incomplete(needed));
    }
    let mut compiler = Compiler::default();
    for element in root.all("compiler") {
        compiler.read(element, &mut report)?;
    }
    if means_radians(&root)? {
        compiler.angle = 1.0;
        let what = "angle of <compiler>";
        let detail = "not said: radians, as the servos of joints have it, which would else aim \
                      far beyond them";
        report.add(NoteKind::Changed, what, detail, "angle=\"radian\"");
    }
    let defaults = Defaults::read(&root, &mut report)?;
    let mut reader = Reader {
        files,
        compiler,
        defaults,
        report,
        meshes: BTreeMap::new(),
        robot: Robot {
            name: root.get("model").unwrap_or("robot").to_owned(),
            ..Robot::default()
        },
        origins: Vec::new(),
        bodies: BTreeMap::new(),
        joints: BTreeMap::new(),
        tendons: BTreeMap::new(),
        geoms: BTreeMap::new(),
        sites: BTreeMap::new(),
        paired: BTreeSet::new(),
        driven: Vec::new(),
        free: Vec::new(),
    };
    check_links(&root, "body")?;
    reader.read_assets(&root)?;
    reader.collect_pairs(&root);
    reader.read_world(&root)?;
    reader.set_total_mass();
    reader.read_tendons(&root)?;
    reader.read_equalities(&root)?;
    reader.read_actuators(&root)?;
    reader.read_contacts(&root)?;
    reader.read_keys(&root)?;
    reader.read_custom(&root)?;
    reader.pass_over(&root)?;
    if reader.robot.links.len() < 2 {
        let file = root.file.name.clone();
        return Err(RobotError::NoLinks { file });
    }
    let Reader {
        mut robot,
        origins,
        mut report,
        ..
    } = reader;
    check_masses(&robot, &origins, &mut report)?;
    check_inertias(&mut robot, &origins, &mut report)?;
    Ok((robot, report))
}
