//! What is on a link: mass, shapes, and how they touch.

use super::frames::Frames;
use super::translate::{OfLink, in_place_of, named, origin, value};
use volar_geom::Pose;

use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::xml::Element;

/// A `<link>` of URDF.
pub(super) fn link(
    link: &Element,
    own: &mut OfLink,
    frames: &Frames,
    report: &mut ImportReport,
) -> Result<Element, RobotError> {
    let name = link.need("name")?;
    let mut children = vec![inertial(link, own, frames, report)?];
    for part in &link.children {
        match part.tag.as_str() {
            "collision" | "visual" => {
                let Some(shape) = shape(part, name, own, frames, report)? else {
                    continue;
                };
                children.push(shape);
                if part.tag == "collision" {
                    own.friction.push(friction(part)?);
                }
            }
            "contact" => {
                let text = part.text_of("lateral_friction");
                let value = text.map(|text| named("value", text));
                if let Some(value) = value {
                    let lateral = in_place_of(part, "lateral_friction", [value], Vec::new());
                    children.push(in_place_of(part, "contact", [], vec![lateral]));
                }
            }
            "inertial" | "pose" => {}
            "gravity" if matches!(&part.text[..], "0" | "false") => {
                let detail = "gravity pulls at all links alike";
                report.add(NoteKind::Unsupported, "link without gravity", detail, name);
            }
            "kinematic" if matches!(&part.text[..], "1" | "true") => {
                let detail = "moved by another simulator; here by its joints";
                report.add(NoteKind::Unsupported, "kinematic link", detail, name);
            }
            _ => {
                let what = format!("<{}> of a link", part.tag);
                let detail = "settings of another simulator";
                report.add(NoteKind::Ignored, what, detail, name);
            }
        }
    }
    Ok(in_place_of(link, "link", [named("name", name)], children))
}

/// Mass and inertia; 1 kg and 1 kg m² where the file says nothing, as SDF has it.
fn inertial(
    link: &Element,
    own: &OfLink,
    frames: &Frames,
    report: &mut ImportReport,
) -> Result<Element, RobotError> {
    let name = link.need("name")?;
    let source = link.child("inertial").unwrap_or(link);
    let given = link.child("inertial");
    let mass = given.and_then(|own| own.text_of("mass"));
    let inertia = given.and_then(|own| own.child("inertia"));
    for (missing, what) in [(mass.is_none(), "mass"), (inertia.is_none(), "inertia")] {
        if missing {
            let detail = "not given: 1 in SI units, as SDF has it";
            report.add(NoteKind::Changed, what, detail, name);
        }
    }
    let entry = |tag: &str| {
        let text = inertia.and_then(|inertia| inertia.text_of(tag));
        let otherwise = if matches!(tag, "ixx" | "iyy" | "izz") {
            "1"
        } else {
            "0"
        };
        named(tag, text.unwrap_or(otherwise))
    };
    let entries = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(entry);
    let X_BI = given.map_or(Ok(Pose::IDENTITY), |own| frames.seen_from(name, own, name))?;
    let children = vec![
        origin(source, &own.X_LB.compose(&X_BI)),
        in_place_of(
            source,
            "mass",
            [named("value", mass.unwrap_or("1"))],
            Vec::new(),
        ),
        in_place_of(inertia.unwrap_or(source), "inertia", entries, Vec::new()),
    ];
    Ok(in_place_of(source, "inertial", [], children))
}

/// A `<collision>` or `<visual>` of URDF; none for one without a shape.
fn shape(
    part: &Element,
    link: &str,
    own: &OfLink,
    frames: &Frames,
    report: &mut ImportReport,
) -> Result<Option<Element>, RobotError> {
    let geometry = part.child("geometry");
    let shape = geometry.and_then(|geometry| geometry.children.first());
    let Some(shape) = shape.filter(|shape| shape.tag != "empty") else {
        return Ok(None);
    };
    let tags: &[&str] = match shape.tag.as_str() {
        "box" => &["size"],
        "sphere" => &["radius"],
        "cylinder" | "capsule" => &["radius", "length"],
        "ellipsoid" => &["radii"],
        "plane" => &["normal"],
        "mesh" => &["uri", "scale"],
        // URDF's reader refuses it, or leaves it out of what is only looked at.
        _ => &[],
    };
    if shape.child("submesh").is_some() {
        let detail = "only whole files are used as shapes";
        report.add(NoteKind::Unsupported, "<submesh>", detail, link);
    }
    let attributes = tags.iter().filter_map(|tag| {
        let name = if *tag == "uri" { "filename" } else { tag };
        Some(named(name, shape.text_of(tag)?))
    });
    let shape = in_place_of(shape, &shape.tag, attributes, Vec::new());
    let X_BG = frames.seen_from(link, part, link)?;
    let children = vec![
        origin(part, &own.X_LB.compose(&X_BG)),
        in_place_of(part, "geometry", [], vec![shape]),
    ];
    let name = part.get("name").unwrap_or_default();
    Ok(Some(in_place_of(
        part,
        &part.tag,
        [named("name", name)],
        children,
    )))
}

/// Gazebo's coefficient of friction, or Drake's.
fn friction(collision: &Element) -> Result<Option<f64>, RobotError> {
    let friction = collision.child("surface").and_then(|s| s.child("friction"));
    for (engine, tag) in [("ode", "mu"), ("bullet", "friction")] {
        let engine = friction.and_then(|friction| friction.child(engine));
        if let Some(mu) = engine.map(|own| value(own, tag)).transpose()?.flatten() {
            return Ok(Some(mu).filter(|mu| *mu >= 0.0));
        }
    }
    let drake = collision.child("proximity_properties");
    let mu = drake.map(|own| value(own, "mu_dynamic")).transpose()?;
    Ok(mu.flatten().filter(|mu| *mu >= 0.0))
}
