//! SDF, the format of Gazebo and Drake: a world with one model for each robot and each
//! single body.
//!
//! A link stands in the frame of the one that it hangs on, as it is when all coordinates are
//! zero; a joint is where its child is. What is fixed or on a rail hangs on `world`.

use crate::ExportError;
use crate::files::Described;
use crate::format::Parts;
use crate::plain::{Body, Held, Joint, JointKind, Schedule};
use crate::turns::roll_pitch_yaw;
use crate::urdf::not_in_trees;
use crate::xml::{Xml, numbers};

use volar_math::Pose;
use volar_scene::Setup;

/// Of the format: the first with `relative_to`.
const VERSION: &str = "1.7";
/// What links between joints weigh, kg: SDF has none without mass.
const LEAST_MASS: f64 = 1.0e-9;

pub(crate) fn describe(
    schedule: &Schedule,
    setup: &Setup,
    parts: &Parts,
) -> Result<Described, ExportError> {
    for joint in &schedule.joints {
        if joint.kind == JointKind::Planar {
            return Err(ExportError::CannotSay {
                format: "SDF",
                what: format!("`{}` is a planar joint", joint.name),
                remedy: "export to mjcf",
            });
        }
    }
    let alone = setup.robots.iter().zip(&parts.robots);
    let alone =
        alone.map(|(robot, file)| (format!("{file}.sdf"), alone_text(schedule, &robot.name)));
    let mut xml = Xml::new("Written by `volar export`; schedule.json says what happens when.");
    xml.open("sdf", &[("version", VERSION.into())]);
    xml.open("world", &[("name", schedule.scene.clone())]);
    if let Some([_, gravity @ ..]) = schedule.gravity.first() {
        xml.text("gravity", &numbers(gravity));
    }
    for (model, links) in models(schedule) {
        xml.open("model", &[("name", model.to_owned())]);
        for body in &links {
            link(&mut xml, schedule, body, in_world(body));
        }
        for body in &links {
            joint(&mut xml, schedule, body);
        }
        xml.close();
    }
    Ok(Described {
        files: vec![("scene.sdf".into(), xml.finish())],
        parts: alone.collect(),
        not_said: not_said(schedule),
    })
}

/// One robot in the frame that it is mounted in, for Volar.
fn alone_text(schedule: &Schedule, robot: &str) -> String {
    let mut xml = Xml::new("Written by `volar export`: one robot of scene.sdf.");
    xml.open("sdf", &[("version", VERSION.into())]);
    xml.open("model", &[("name", robot.to_owned())]);
    let own = |body: &&Body| body.robot.as_deref() == Some(robot);
    for body in schedule.bodies.iter().filter(own) {
        link(&mut xml, schedule, body, body.X_PJ);
    }
    for body in schedule.bodies.iter().filter(own) {
        // The scene says how the robot is mounted.
        if body.parent.is_some() {
            joint(&mut xml, schedule, body);
        }
    }
    xml.finish()
}

/// Where a body without parent stands.
fn in_world(body: &Body) -> Pose {
    let [x, y, z, wxyz @ ..] = body.pose_in_parent;
    Pose::from_wxyz([x, y, z], wxyz).unwrap_or(body.X_PJ)
}

/// Robots and single bodies with their links, in order.
fn models(schedule: &Schedule) -> Vec<(&str, Vec<&Body>)> {
    let mut models: Vec<(&str, Vec<&Body>)> = Vec::new();
    for body in &schedule.bodies {
        let model = body.robot.as_deref().unwrap_or(&body.name);
        match models.iter_mut().find(|(name, _)| *name == model) {
            Some((_, links)) => links.push(body),
            None => models.push((model, vec![body])),
        }
    }
    models
}

/// A link; `root` is where it stands if it hangs on nothing.
fn link(xml: &mut Xml, schedule: &Schedule, body: &Body, root: Pose) {
    xml.open("link", &[("name", body.name_in_file.clone())]);
    let parent = body
        .parent
        .as_ref()
        .and_then(|parent| schedule.body(parent));
    match parent {
        Some(parent) => {
            let frame = parent.name_in_file.clone();
            pose(xml, &body.X_PJ, &[("relative_to", frame)]);
        }
        None => pose(xml, &root, &[]),
    }
    let [xx, yy, zz, xy, xz, yz] = body.inertia;
    let least = |x: f64, mass: f64| if mass > 0.0 { x } else { LEAST_MASS };
    xml.open("inertial", &[]);
    let [x, y, z] = body.centre_of_mass;
    xml.text("pose", &numbers([x, y, z, 0.0, 0.0, 0.0]));
    xml.text("mass", &least(body.mass, body.mass).to_string());
    xml.open("inertia", &[]);
    for (tag, entry) in [("ixx", xx), ("iyy", yy), ("izz", zz)] {
        xml.text(tag, &least(entry, body.mass).to_string());
    }
    for (tag, entry) in [("ixy", xy), ("ixz", xz), ("iyz", yz)] {
        xml.text(tag, &entry.to_string());
    }
    xml.close();
    xml.close();
    for tag in ["visual", "collision"] {
        shape(xml, body, tag);
    }
    xml.close();
}

fn shape(xml: &mut Xml, body: &Body, tag: &'static str) {
    let Some(mesh) = &body.mesh else {
        return;
    };
    xml.open(tag, &[("name", tag.to_owned())]);
    xml.open("geometry", &[]);
    match body.ground {
        true => {
            xml.open("plane", &[]);
            xml.text("normal", "0 0 1");
            xml.text("size", "20 20");
        }
        false => {
            xml.open("mesh", &[]);
            xml.text("uri", &mesh.file);
        }
    }
    xml.close();
    xml.close();
    if tag == "collision" {
        xml.open("surface", &[]);
        xml.open("friction", &[]);
        xml.open("ode", &[]);
        for coefficient in ["mu", "mu2"] {
            xml.text(coefficient, &body.material.friction.to_string());
        }
        xml.close();
        xml.close();
        xml.close();
    }
    xml.close();
}

fn joint(xml: &mut Xml, schedule: &Schedule, body: &Body) {
    if body.held == Held::Free {
        return;
    }
    let own = schedule.joint_of(body);
    let kind = match own.map(|joint| (joint.kind, joint.limits)) {
        Some((JointKind::Revolute, Some(_))) => "revolute",
        Some((JointKind::Revolute, None)) => "continuous",
        Some((JointKind::Prismatic, _)) => "prismatic",
        Some((JointKind::Ball, _)) => "ball",
        // The others were refused, or hold nothing.
        _ => "fixed",
    };
    let name = match own {
        Some(joint) => joint.name_in_file.clone(),
        None => format!("{} weld", body.name_in_file),
    };
    let parent = body
        .parent
        .as_ref()
        .and_then(|parent| schedule.body(parent));
    xml.open("joint", &[("name", name), ("type", kind.to_owned())]);
    xml.text("parent", parent.map_or("world", |p| &p.name_in_file));
    xml.text("child", &body.name_in_file);
    if let Some((joint, axis)) = own.and_then(|joint| Some((joint, joint.axis?))) {
        xml.open("axis", &[]);
        xml.text("xyz", &numbers(axis));
        limits(xml, joint);
        xml.close();
    }
    xml.close();
}

fn limits(xml: &mut Xml, joint: &Joint) {
    let effort = joint.effort_limit.map(|[low, high]| high.max(-low));
    let entries = [
        ("lower", joint.limits.map(|limits| limits[0])),
        ("upper", joint.limits.map(|limits| limits[1])),
        ("effort", effort),
        ("velocity", joint.speed_limit),
    ];
    if entries.iter().any(|(_, value)| value.is_some()) {
        xml.open("limit", &[]);
        for (tag, value) in entries {
            if let Some(value) = value {
                xml.text(tag, &value.to_string());
            }
        }
        xml.close();
    }
    xml.open("dynamics", &[]);
    xml.text("damping", &joint.damping.to_string());
    xml.text("friction", &joint.friction.to_string());
    if let Some(spring) = joint.spring {
        xml.text("spring_reference", &spring.rest.to_string());
        xml.text("spring_stiffness", &spring.stiffness.to_string());
    }
    xml.close();
}

fn pose(xml: &mut Xml, X: &Pose, attributes: &[(&'static str, String)]) {
    let p = X.p.to_array().into_iter();
    let values = numbers(p.chain(roll_pitch_yaw(&X.R)));
    xml.text_with("pose", attributes, &values);
}

fn not_said(schedule: &Schedule) -> Vec<String> {
    let mut said = not_in_trees(schedule, "SDF");
    said.push(
        "Friction is <mu> of each collision; engines combine two of them in their own ways, Volar \
         takes the geometric mean. Hardness: `material` of the bodies."
            .into(),
    );
    for closure in &schedule.closures {
        let name = &closure.name;
        said.push(format!(
            "The closed chain or relation `{name}` is missing: `closures` has it."
        ));
    }
    let massless = schedule.bodies.iter().filter(|body| body.mass <= 0.0);
    let massless: Vec<&str> = massless.map(|body| body.name.as_str()).collect();
    if !massless.is_empty() {
        said.push(format!(
            "SDF has no links without mass: 1e-9 kg for {}.",
            massless.join(", ")
        ));
    }
    said
}
