//! What makes no sense although every number by itself is one: looked for before
//! the first step, because a simulation of it fails slowly or not at all.

use glam::DVec3;
use volar_geom::bvh::Aabb;
use volar_robots::JointKind;
use volar_sim::{Body, Parent};
use volar_solids::Shape;

use super::{Grasp, PlacedRobot, Stage};
use crate::error::Fault;
use crate::spec::{Command, JointEntry, SceneSpec};

/// Bodies farther from the origin than this are misplaced, m: at ten kilometres a
/// number still resolves a picometre, which contacts need.
const FARTHEST: f64 = 1.0e4;
/// Meshes larger than this are not in metres, m: the largest thing that a hand or a
/// gantry takes is smaller, and what is grasped of millimetres is larger.
const LARGEST_MESH: f64 = 20.0;
/// Free bodies larger than this may not be, m.
const LARGE_MESH: f64 = 2.0;
/// Meshes smaller than this may be metres that were taken for millimetres, m.
const SMALL_MESH: f64 = 2.0e-4;
/// Bodies of other shapes are not larger or smaller than this, m.
const SIZES: [f64; 2] = [1.0e-6, 1.0e3];
/// Masses of bodies, kg: from a grain of dust to a ship.
const MASSES: [f64; 2] = [1.0e-12, 1.0e7];
/// Speeds of bodies at the start, m/s and rad/s.
const SPEEDS: [f64; 2] = [1.0e4, 1.0e5];
/// Joints that turn farther than this were given in degrees, rad: one turn.
const TURN: f64 = 2.0 * std::f64::consts::PI;

impl Stage {
    /// Refuses what cannot be meant, and notes what may not be.
    pub(super) fn check_plausible(&mut self, scene: &SceneSpec) -> Result<(), Fault> {
        let of_robots: usize = self.robots.iter().map(|r| r.robot.links.len()).sum();
        let mut notes = Vec::new();
        for (number, placed) in self.robots.iter().enumerate() {
            let at = |fault: Fault| fault.within(&["robot", &number.to_string()]);
            for body in &self.bodies[placed.bodies()] {
                let size = extent(body).map_or(0.0, DVec3::max_element);
                let what = format!("link `{}`", body.name);
                if size > LARGEST_MESH {
                    let message = too_large(&what, size, "scale its meshes in the file");
                    return Err(at(Fault::new(&["file"], message)));
                }
                check_body(body, &what).map_err(|message| at(Fault::new(&["file"], message)))?;
            }
            let entry = &scene.robots[number];
            for (name, own) in &entry.joints {
                check_joint(placed, name, own, &mut notes)
                    .map_err(|fault| at(fault.within(&["joints", name])))?;
            }
            let set = |name: &str| {
                entry
                    .joints
                    .get(name)
                    .is_some_and(|own| own.start.is_some())
            };
            self.note_starts(placed, &set, &mut notes);
        }
        for (number, body) in self.bodies[of_robots..].iter().enumerate() {
            let at = |fault: Fault| fault.within(&["body", &number.to_string()]);
            let entry = &scene.bodies[number];
            check_size(body, &entry.shape, &mut notes).map_err(at)?;
            check_body(body, "this body").map_err(|message| at(Fault::new(&[], message)))?;
            let far = DVec3::from_array(entry.position).length();
            check_range("position", far, [0.0, FARTHEST], "m from the origin").map_err(at)?;
            for (key, velocity, most, unit) in [
                ("velocity", entry.velocity, SPEEDS[0], "m/s"),
                (
                    "angular_velocity",
                    entry.angular_velocity,
                    SPEEDS[1],
                    "rad/s",
                ),
            ] {
                let speed = DVec3::from_array(velocity).length();
                check_range(key, speed, [0.0, most], unit).map_err(at)?;
            }
        }
        self.notes.extend(notes);
        Ok(())
    }

    /// Joints that the file itself has outside of their limits.
    fn note_starts(
        &self,
        placed: &PlacedRobot,
        set: &dyn Fn(&str) -> bool,
        notes: &mut Vec<String>,
    ) {
        for (link, body) in placed.robot.links.iter().zip(placed.bodies()) {
            let joint = &link.joint;
            let start = self.starts.iter().find(|(of, ..)| *of == body);
            let (Some((_, q, _)), Some(limits)) = (start, joint.limits) else {
                continue;
            };
            if q.len() == 1 && !set(&joint.name) && outside(q[0], limits) {
                notes.push(format!(
                    "joint `{}` starts at {} {}, outside of its limits ({} to {}), and is pushed \
                     back: give it a `start`",
                    placed.full(&joint.name),
                    q[0],
                    unit(joint.kind),
                    limits[0],
                    limits[1],
                ));
            }
        }
    }

    /// Notes an object that no finger can reach.
    pub(super) fn note_reach(&self, grasp: &Grasp) -> Option<String> {
        let object = grasp.object.index();
        let body = &self.bodies[object];
        // What is carried may come by itself.
        if body.parent != Parent::World {
            return None;
        }
        let start = self.starts.iter().find(|(of, ..)| *of == object);
        let X_WB = match start {
            Some((_, q, _)) => body.placement.compose(&body.joint.pose(q)),
            None => body.placement,
        };
        let bounds = bounds(body)?;
        let (centre, radius) = (X_WB.point(bounds.centre()), 0.5 * bounds.size().length());
        let mut nearest: Option<(f64, f64, String)> = None;
        let links = grasp.fingers.iter().flat_map(|finger| &finger.links);
        for link in links.map(|link| link.index()) {
            let (base, reach) = self.reach(link)?;
            let gap = (centre - base).length() - radius - reach;
            if gap <= 0.0 {
                return None;
            }
            if nearest.as_ref().is_none_or(|(least, ..)| gap < *least) {
                nearest = Some((gap, reach, self.bodies[link].name.clone()));
            }
        }
        let (gap, reach, link) = nearest?;
        let object = &self.bodies[object].name;
        Some(format!(
            "no finger can reach `{object}`: `{link}` is the nearest, reaches {reach:.3} m from \
             where its robot is fixed, and {gap:.3} m are missing; move the robot or the object"
        ))
    }

    /// Where the robot of a link is fixed, and how far from there a point of the link
    /// can ever be, m. None where there is no such bound.
    fn reach(&self, link: usize) -> Option<(DVec3, f64)> {
        let robot = self.robots.iter().find(|r| r.bodies().contains(&link))?;
        let bounds = bounds(&self.bodies[link])?;
        let far = |p: DVec3| p.length();
        let mut reach = far(bounds.centre()) + 0.5 * far(bounds.size());
        let mut at = link;
        loop {
            let body = &self.bodies[at];
            let joint = &robot.robot.links[at - robot.first].joint;
            match (body.joint.nv(), joint.kind) {
                (0, _) | (1, JointKind::Revolute | JointKind::Continuous) => {}
                (3, JointKind::Ball) => {}
                (1, JointKind::Prismatic) => {
                    let [low, high] = joint.limits?;
                    reach += low.abs().max(high.abs());
                }
                _ => return None,
            }
            match body.parent {
                Parent::Body(parent) => {
                    reach += far(body.placement.p);
                    at = parent.index();
                }
                Parent::World => return Some((body.placement.p, reach)),
                Parent::BaseMotion(_) => return None,
            }
        }
    }
}

/// A joint of the scene within the limits of its file, and in its units.
fn check_joint(
    placed: &PlacedRobot,
    name: &str,
    own: &JointEntry,
    notes: &mut Vec<String>,
) -> Result<(), Fault> {
    let Some(link) = placed.link_of_joint(name) else {
        return Ok(());
    };
    let joint = &placed.robot.links[link].joint;
    let (kind, unit) = (joint.kind, unit(joint.kind));
    let turns = kind != JointKind::Prismatic;
    let degrees = |value: f64| match turns && value.abs() > TURN {
        true => format!("; {value}° are {:.4} rad", value.to_radians()),
        false => String::new(),
    };
    if let Some(start) = own.start {
        let bound = if turns { 1.0e3 } else { FARTHEST };
        check_range("start", start.abs(), [0.0, bound], unit)?;
        match joint.limits {
            Some([low, high]) if outside(start, [low, high]) => {
                let hint = match degrees(start) {
                    hint if hint.is_empty() => "; start it within them".to_owned(),
                    hint => hint,
                };
                return Err(Fault::new(
                    &["start"],
                    format!(
                        "{start} {unit} is outside of the joint's limits, {low} to {high} {unit}{hint}"
                    ),
                ));
            }
            None if !degrees(start).is_empty() => notes.push(format!(
                "joint `{}` starts at {start} rad{}",
                placed.full(name),
                degrees(start)
            )),
            _ => {}
        }
    }
    let targets = match &own.target {
        Some(Command::Constant(target)) => vec![*target],
        Some(Command::OverTime(points)) => points.iter().map(|[_, target]| *target).collect(),
        None => Vec::new(),
    };
    for target in targets {
        let beyond = joint.limits.is_some_and(|limits| outside(target, limits));
        if beyond && !degrees(target).is_empty() {
            notes.push(format!(
                "joint `{}` is driven to {target} rad, beyond its limits{}",
                placed.full(name),
                degrees(target)
            ));
            break;
        }
    }
    Ok(())
}

/// Outside by more than what rounding leaves of a limit.
fn outside(q: f64, [low, high]: [f64; 2]) -> bool {
    let margin = 1.0e-3 * (high - low).abs().min(1.0);
    q < low - margin || q > high + margin
}

fn unit(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Prismatic => "m",
        _ => "rad",
    }
}

fn bounds(body: &Body) -> Option<Aabb> {
    let all = body.shapes.iter().map(|mesh| mesh.bounds());
    all.reduce(|a, b| a.union(&b))
}

/// Size of a body along its axes, m.
fn extent(body: &Body) -> Option<DVec3> {
    bounds(body).map(|bounds| bounds.size())
}

fn check_size(body: &Body, shape: &Shape, notes: &mut Vec<String>) -> Result<(), Fault> {
    let size = extent(body).map_or(0.0, DVec3::max_element);
    let free = body.joint.nv() > 0;
    match shape {
        Shape::Ground {} => Ok(()),
        Shape::Mesh(_) if size > LARGEST_MESH && free => {
            let remedy = "give `scale = 0.001`";
            let message = too_large("this mesh", size, remedy);
            Err(Fault::new(&["shape", "mesh", "file"], message))
        }
        Shape::Mesh(_) => {
            let doubt = match size {
                _ if size > LARGE_MESH && free => {
                    "if its file is in millimetres, give `scale = 0.001`"
                }
                _ if size < SMALL_MESH => "is `scale` right?",
                _ => return check_range("shape", size, SIZES, "m in size"),
            };
            notes.push(format!(
                "`{}` is {} in size: {doubt}",
                body.name,
                length(size)
            ));
            check_range("shape", size, SIZES, "m in size")
        }
        _ => check_range("shape", size, SIZES, "m in size"),
    }
}

fn too_large(what: &str, size: f64, remedy: &str) -> String {
    format!(
        "{what} is {} in size: if the file is in millimetres, {remedy}",
        length(size)
    )
}

fn length(size: f64) -> String {
    match size {
        _ if size >= 1.0 => format!("{size:.3} m"),
        _ if size >= 1.0e-3 => format!("{:.3} mm", 1.0e3 * size),
        _ => format!("{:.3} µm", 1.0e6 * size),
    }
}

/// Place and mass of a body.
fn check_body(body: &Body, what: &str) -> Result<(), String> {
    let far = body.placement.p.length();
    if far.is_nan() || far > FARTHEST {
        return Err(format!(
            "{what} is {far:.1e} m from its parent, more than {FARTHEST:.0e} m"
        ));
    }
    let mass = body.mass.mass;
    let moves = body.joint.nv() > 0;
    let inertia = body.mass.inertia.to_cols_array();
    let largest = inertia.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if mass > MASSES[1] || (moves && mass > 0.0 && mass < MASSES[0]) {
        let [least, most] = MASSES;
        return Err(format!(
            "{what} has a mass of {mass:.1e} kg; from {least:.0e} to {most:.0e} kg are supported"
        ));
    }
    // As far from the centre as the mass of a body can be.
    if mass.is_nan() || largest.is_nan() || largest > mass.max(1.0) * FARTHEST * FARTHEST {
        return Err(format!(
            "{what} has an inertia of {largest:.1e} kg m², too much for its mass"
        ));
    }
    Ok(())
}

fn check_range(key: &str, value: f64, [least, most]: [f64; 2], unit: &str) -> Result<(), Fault> {
    match value >= least && value <= most {
        true => Ok(()),
        false => Err(Fault::new(
            &[key],
            format!("{value:.3e} {unit}; from {least:.0e} to {most:.0e} are supported"),
        )),
    }
}
