//! Robots of files as bodies, joints and couplings.

use std::sync::Arc;

use glam::DVec3;
use volar_dynamics::{DofParams, Joint, Spring};
use volar_geom::mesh::mass::{MassProperties, SolidMoments};
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_meshes::MeshLibrary;
use volar_robots::meshes::link_solids;
use volar_robots::{
    ImportReport, JointKind, Keyframe, Link, LoadOptions, NoteKind, Robot, load_from,
};
use volar_sim::{Body, BodyId, MotionId, Parent};
use volar_solids::{side_by_side, unite};

use super::chains::{contradicted_limits, follow};
use super::contact::material;
use super::detail::with_detail;
use super::names::not_in_file;
use super::workshop::{LoadedRobot, RobotKey};
use super::{PlacedRobot, Stage};
use crate::error::{Fault, not_negative, pose};
use crate::motions::{Mounted, motion};
use crate::spec::{JointEntry, RobotEntry, SceneSpec};

/// Spring at the limits of a joint or a coupling, N m/rad and N/m.
pub(super) const STOP_STIFFNESS: [f64; 2] = [1.0e3, 1.0e5];
/// Its damping over its stiffness, s.
pub(super) const STOP_DAMPING_TIME: f64 = 2.0e-3;
/// Density of links whose file gives neither mass nor density, kg/m³: MuJoCo's.
const DENSITY: f64 = 1000.0;

impl Stage {
    pub(super) fn add_robot(&mut self, scene: &SceneSpec, entry: &RobotEntry) -> Result<(), Fault> {
        let packages = entry.packages.iter().map(|p| self.files.path(p));
        let key = RobotKey {
            file: self.files.path(&entry.file),
            packages: packages.collect(),
            without: entry.without.clone(),
            detail: not_negative("detail", entry.detail)?,
        };
        let shared = &self.files.shared;
        let loaded = shared.robot(&key, || load(&shared.library, &key))?;
        let LoadedRobot {
            mut robot,
            mut report,
            solids,
        } = (*loaded).clone();
        let keyframe = keyframe(&robot, entry.keyframe.as_deref())?.cloned();
        check_names(&robot, entry)?;
        let bases = check_base(&robot, entry, &mut report)?;
        for (joint, other) in contradicted_limits(&robot) {
            let other = &robot.links[other].joint.name;
            let detail = format!("they leave no way to move along with `{other}`: they do not act");
            let joint = &mut robot.links[joint].joint;
            joint.limits = None;
            report.add(NoteKind::Changed, "limits of a joint", detail, &joint.name);
        }
        let first = self.bodies.len();
        let X_WM = pose(entry.position, entry.orientation)?;
        let (mount, X_PM) = match &entry.motion {
            Some(moving) => {
                let inner = motion(moving, &self.files).map_err(|f| f.within(&["motion"]))?;
                let origin = X_WM.p;
                self.motions.push(Arc::new(Mounted { inner, origin }));
                let X_PM = Pose {
                    p: DVec3::ZERO,
                    ..X_WM
                };
                (
                    Parent::BaseMotion(MotionId::new(self.motions.len() - 1)),
                    X_PM,
                )
            }
            None => (Parent::World, X_WM),
        };
        let mut at_q = 0;
        let mut at_v = 0;
        for (i, (link, (solid, mass))) in robot.links.iter().zip(solids).enumerate() {
            let body = self.bodies.len();
            let own = entry.joints.get(&link.joint.name);
            let linked = entry.link_materials.get(&link.name);
            let (parent, placement) = match link.parent {
                Some(parent) => (Parent::Body(BodyId::new(first + parent)), link.X_PJ),
                None => (mount, X_PM.compose(&link.X_PJ)),
            };
            let floats = entry.floating && link.parent.is_none() && robot.world.is_none();
            let kind = link.joint.kind;
            let mut q = link.joint.initial.clone();
            let mut v = vec![0.0; kind.nv()];
            if let Some(frame) = &keyframe {
                q.copy_from_slice(&frame.q[at_q..at_q + kind.nq()]);
                v.copy_from_slice(&frame.v[at_v..at_v + kind.nv()]);
            }
            at_q += kind.nq();
            at_v += kind.nv();
            if let Some(own) = own {
                set_start(kind, own, &mut q, &mut v)
                    .map_err(|f| f.within(&["joints", &link.joint.name]))?;
            }
            let held = bases.contains(&i) && !entry.floating;
            let (joint, placement) = match () {
                () if floats => (Joint::Free, placement),
                () if held => (Joint::Fixed, placement.compose(&link.joint.pose(&q))),
                () => (joint(link), placement),
            };
            self.bodies.push(Body {
                name: format!("{}/{}", entry.name, link.name),
                parent,
                placement,
                joint,
                mass,
                shapes: solid.into_iter().collect(),
                material: material(scene, linked.unwrap_or(&entry.material)).map_err(|f| {
                    match linked {
                        Some(_) => f.within(&["link_materials", &link.name]),
                        None => f.within(&["material"]),
                    }
                })?,
                joint_params: dof_params(link, own)
                    .map_err(|f| f.within(&["joints", &link.joint.name]))?,
            });
            if floats {
                (q, v) = (JointKind::Free.neutral(), vec![0.0; 6]);
            } else if !q.is_empty() && !held {
                self.references.push((body, link.joint.initial.clone()));
            }
            if !q.is_empty() && !held {
                self.starts.push((body, q, v));
            }
            let name = format!("{}/{}", entry.name, link.joint.name);
            self.joint_bodies.push((name, body));
        }
        if keyframe.is_none() {
            self.start_followers(&robot, entry, first);
        }
        self.add_couplings(&robot, first);
        self.add_closures(&entry.name, &robot, first);
        let placed = PlacedRobot {
            name: entry.name.clone(),
            first,
            fingers: fingers(&robot, entry, first)?,
            self_contact: entry.self_contact,
            robot: Arc::new(robot),
        };
        let controls = keyframe.map_or_else(Vec::new, |frame| frame.control);
        self.add_drives(entry, &placed, &controls)?;
        self.exclude_links(&placed);
        note_what_is_not_used(&placed.robot, &mut report);
        self.reports.push((entry.name.clone(), report));
        self.robots.push(placed);
        Ok(())
    }
}

impl Stage {
    /// Joints that follow others start where those are, but where the scene says else.
    fn start_followers(&mut self, robot: &Robot, entry: &RobotEntry, first: usize) {
        let mut q = vec![None; robot.links.len()];
        for (body, own, _) in &self.starts {
            if let (Some(link), [value]) = (body.checked_sub(first), &own[..]) {
                q[link] = Some(*value);
            }
        }
        let given = |link: &Link| entry.joints.get(&link.joint.name)?.start;
        let fixed: Vec<bool> = robot.links.iter().map(|l| given(l).is_some()).collect();
        follow(robot, &mut q, &fixed);
        for (body, own, _) in &mut self.starts {
            if let (Some(link), [value]) = (body.checked_sub(first), &mut own[..]) {
                *value = q[link].unwrap_or(*value);
            }
        }
    }
}

/// Links whose free joint makes them the base of a mechanism: they carry further
/// joints, unlike an object. A base is held unless the scene lets it float.
fn check_base(
    robot: &Robot,
    entry: &RobotEntry,
    report: &mut ImportReport,
) -> Result<Vec<usize>, Fault> {
    let carries = |base: usize| {
        robot.links.iter().any(|link| {
            let mut above = link.parent.filter(|_| link.joint.kind.nv() > 0);
            while let Some(at) = above.filter(|at| *at != base) {
                above = robot.links[at].parent;
            }
            above.is_some()
        })
    };
    let free = |link: &usize| robot.links[*link].joint.kind == JointKind::Free;
    let links = (0..robot.links.len()).filter(free);
    let bases: Vec<usize> = links.filter(|link| carries(*link)).collect();
    if entry.floating && entry.motion.is_some() {
        let message = "a root that floats is not moved: leave out `floating` or `motion`";
        return Err(Fault::new(&["floating"], message));
    }
    if entry.floating && robot.world.is_some() && bases.is_empty() {
        let message = "the file has no base with a free joint; give its root body a <freejoint/>";
        return Err(Fault::new(&["floating"], message));
    }
    if !entry.floating {
        for base in &bases {
            let detail = "free in the file: held here, or moved with `motion`; `floating = true` \
                          lets it go";
            let name = &robot.links[*base].joint.name;
            report.add(NoteKind::Changed, "base of the robot", detail, name);
        }
    }
    Ok(bases)
}

fn joint(link: &Link) -> Joint {
    let axis = link.joint.axis;
    match link.joint.kind {
        JointKind::Fixed => Joint::Fixed,
        JointKind::Revolute | JointKind::Continuous => Joint::Revolute { axis },
        JointKind::Prismatic => Joint::Prismatic { axis },
        JointKind::Ball => Joint::Ball,
        JointKind::Planar => Joint::Planar,
        JointKind::Free => Joint::Free,
    }
}

fn dof_params(link: &Link, own: Option<&JointEntry>) -> Result<DofParams, Fault> {
    let joint = &link.joint;
    let one = joint.kind.nv() == 1;
    let slides = joint.kind == JointKind::Prismatic;
    let stiffness = STOP_STIFFNESS[usize::from(slides)];
    let own = own.cloned().unwrap_or_default();
    for (key, value) in [
        ("damping", own.damping),
        ("armature", own.armature),
        ("friction", own.friction),
    ] {
        value.map_or(Ok(0.0), |value| not_negative(key, value))?;
    }
    Ok(DofParams {
        limits: joint.limits.filter(|_| one),
        limit_stiffness: stiffness,
        limit_damping: STOP_DAMPING_TIME * stiffness,
        speed_limit: joint.velocity_limit.filter(|_| one),
        speed_damping: speed_damping(joint, stiffness),
        damping: own.damping.unwrap_or(joint.damping),
        armature: own.armature.unwrap_or(joint.armature),
        friction: own.friction.unwrap_or(joint.friction),
        spring: (one && joint.stiffness > 0.0).then_some(Spring {
            stiffness: joint.stiffness,
            rest: joint.spring_rest,
        }),
        ..DofParams::default()
    })
}

/// The damper beyond a joint's greatest speed: its drive, with all its effort, passes
/// the limit by a hundredth.
fn speed_damping(joint: &volar_robots::Joint, stop_stiffness: f64) -> f64 {
    let least = STOP_DAMPING_TIME * stop_stiffness;
    let speed = joint.velocity_limit.unwrap_or(1.0);
    let effort = joint.effort_limit.map_or(0.0, |[low, high]| high.max(-low));
    least.max(100.0 * effort / speed)
}

fn set_start(kind: JointKind, own: &JointEntry, q: &mut [f64], v: &mut [f64]) -> Result<(), Fault> {
    for (key, value, slot) in [("start", own.start, q), ("speed", own.speed, v)] {
        let Some(value) = value else { continue };
        match slot {
            [slot] if kind.nv() == 1 && value.is_finite() => *slot = value,
            _ => {
                let message =
                    "only joints with one degree of freedom can be set, to a finite number";
                return Err(Fault::new(&[key], message));
            }
        }
    }
    Ok(())
}

/// The robot of a file with the solids of its links.
fn load(library: &MeshLibrary, key: &RobotKey) -> Result<LoadedRobot, Fault> {
    let options = LoadOptions {
        packages: key.packages.clone(),
    };
    let (mut robot, mut report) = load_from(library, &key.file, &options).map_err(at_file)?;
    leave_out(&mut robot, &key.without)?;
    let mut solids = (0..robot.links.len())
        .map(|link| solid_and_mass(&robot, link, library, &mut report))
        .collect::<Result<Vec<_>, Fault>>()?;
    for (link, (solid, _)) in robot.links.iter().zip(&mut solids) {
        let lean = solid.as_ref().map(|mesh| with_detail(mesh, key.detail));
        if let Some((mesh, said)) = lean.transpose().map_err(at_file)?.flatten() {
            *solid = Some(Arc::new(mesh));
            report.add(NoteKind::Changed, "surface simplified", said, &link.name);
        }
    }
    Ok(LoadedRobot {
        robot,
        report,
        solids,
    })
}

fn at_file(error: impl std::fmt::Display) -> Fault {
    Fault::new(&["file"], error.to_string())
}

/// The mesh of a link, all its shapes as one, and its mass: from the file, or
/// else that of the shapes.
fn solid_and_mass(
    robot: &Robot,
    link: usize,
    library: &MeshLibrary,
    report: &mut ImportReport,
) -> Result<(Option<Arc<ClosedMesh>>, MassProperties), Fault> {
    let solids = link_solids(robot, link, library, report).map_err(at_file)?;
    let link = &robot.links[link];
    let at_link = |error: &dyn std::fmt::Display| at_file(format!("link {}: {error}", link.name));
    let mass = match (link.inertial, &solids[..]) {
        (Some(mass), _) => mass,
        (None, []) => MassProperties {
            mass: 0.0,
            centre_of_mass: DVec3::ZERO,
            inertia: glam::DMat3::ZERO,
        },
        (None, solids) => {
            let detail = "no inertia in the file: that of the contact shapes at 1000 kg/m³";
            report.add(NoteKind::Changed, "mass", detail, &link.name);
            SolidMoments::of(&as_one(solids, &link.name, report))
                .map(|moments| moments.with_density(DENSITY))
                .ok_or_else(|| at_link(&"its shapes have no volume"))?
        }
    };
    let closed = |mesh: TriMesh| ClosedMesh::new(mesh).map_err(|error| at_link(&error));
    let mut parts = solids
        .into_iter()
        .map(closed)
        .collect::<Result<Vec<_>, _>>()?;
    // Here and not in the model, which may have to be built twice.
    let solid = match parts.len() {
        0 | 1 => parts.pop(),
        _ => {
            let parts: Vec<TriMesh> = parts.iter().map(ClosedMesh::to_tri_mesh).collect();
            Some(closed(as_one(&parts, &link.name, report))?)
        }
    };
    Ok((solid.map(Arc::new), mass))
}

/// The union of a link's shapes. Where it fails, the shapes side by side: the
/// kernel integrates winding numbers, so what two of them share counts twice.
fn as_one(solids: &[TriMesh], link: &str, report: &mut ImportReport) -> TriMesh {
    unite(solids).unwrap_or_else(|error| {
        let detail = format!(
            "the union of its shapes failed ({error}): they touch side by side, and what two of \
             them share is counted twice"
        );
        report.add(NoteKind::Changed, "shapes not united", detail, link);
        side_by_side(solids)
    })
}

/// Takes shapes out of contact, by their names or their links'.
fn leave_out(robot: &mut Robot, without: &[String]) -> Result<(), Fault> {
    for (i, name) in without.iter().enumerate() {
        let mut found = false;
        for number in 0..robot.links.len() {
            let whole = robot.links[number].name == *name;
            for shape in (0..robot.links[number].collisions.len()).rev() {
                if whole || robot.links[number].collisions[shape].name == *name {
                    remove_shape(robot, number, shape);
                    found = true;
                }
            }
        }
        if !found {
            let links = robot.links.iter();
            let names = links.flat_map(|link| {
                let shapes = link.collisions.iter().map(|shape| shape.name.clone());
                std::iter::once(link.name.clone()).chain(shapes)
            });
            let message = not_in_file("link or shape", name, &names.collect::<Vec<_>>());
            return Err(Fault::new(&["without", &i.to_string()], message));
        }
    }
    Ok(())
}

/// Takes a shape out of contact, and the pairs that name it; the numbers of
/// later shapes in pairs move up.
fn remove_shape(robot: &mut Robot, link: usize, shape: usize) {
    robot.links[link].collisions.remove(shape);
    robot
        .pairs
        .retain(|pair| pair.a != (link, shape) && pair.b != (link, shape));
    for pair in &mut robot.pairs {
        for end in [&mut pair.a, &mut pair.b] {
            if end.0 == link && end.1 > shape {
                end.1 -= 1;
            }
        }
    }
}

fn keyframe<'a>(robot: &'a Robot, wanted: Option<&str>) -> Result<Option<&'a Keyframe>, Fault> {
    let Some(wanted) = wanted else {
        return Ok(None);
    };
    let frames = &robot.keyframes;
    let named = frames.iter().find(|frame| frame.name == wanted);
    let numbered = wanted.parse::<usize>().ok().and_then(|n| frames.get(n));
    named.or(numbered).map(Some).ok_or_else(|| {
        let names: Vec<String> = frames.iter().map(|f| f.name.clone()).collect();
        let message = not_in_file("keyframe", wanted, &names);
        Fault::new(&["keyframe"], message)
    })
}

/// Names that the file does not know are mistakes.
fn check_names(robot: &Robot, entry: &RobotEntry) -> Result<(), Fault> {
    let joints: Vec<String> = robot
        .links
        .iter()
        .filter(|link| link.joint.kind.nv() > 0)
        .map(|link| link.joint.name.clone())
        .collect();
    for name in entry.joints.keys() {
        if !joints.contains(name) {
            let message = not_in_file("joint", name, &joints);
            return Err(Fault::new(&["joints", name], message));
        }
    }
    let links: Vec<String> = robot.links.iter().map(|link| link.name.clone()).collect();
    for name in entry.link_materials.keys() {
        if !links.contains(name) {
            let message = not_in_file("link", name, &links);
            return Err(Fault::new(&["link_materials", name], message));
        }
    }
    Ok(())
}

fn fingers(
    robot: &Robot,
    entry: &RobotEntry,
    first: usize,
) -> Result<Vec<(String, Vec<usize>)>, Fault> {
    let mut fingers = Vec::new();
    for (name, links) in &entry.fingers {
        let mut numbers = Vec::new();
        for link in links {
            let number = robot.links.iter().position(|l| l.name == *link);
            let number = number.ok_or_else(|| {
                let all: Vec<String> = robot.links.iter().map(|l| l.name.clone()).collect();
                let message = not_in_file("link", link, &all);
                Fault::new(&["fingers", name], message)
            })?;
            numbers.push(first + number);
        }
        // What is welded to a finger counts with it.
        for (number, link) in robot.links.iter().enumerate() {
            let welded = link.joint.kind == JointKind::Fixed;
            let on = link.parent.map(|parent| first + parent);
            let new = !numbers.contains(&(first + number));
            if welded && new && on.is_some_and(|parent| numbers.contains(&parent)) {
                numbers.push(first + number);
            }
        }
        fingers.push((name.clone(), numbers));
    }
    Ok(fingers)
}

/// What the robot says and the simulation does not use.
fn note_what_is_not_used(robot: &Robot, report: &mut ImportReport) {
    for link in &robot.links {
        if link.joint.kind.nv() > 1 && link.joint.limits.is_some() {
            let detail = "limits of ball joints are not enforced";
            report.add(
                NoteKind::Unsupported,
                "joint limit",
                detail,
                &link.joint.name,
            );
        }
        for shape in &link.collisions {
            if shape.friction.is_some() {
                let detail = "friction of shapes: the scene's material counts";
                report.add(NoteKind::Ignored, "friction", detail, &link.name);
            }
        }
    }
}
