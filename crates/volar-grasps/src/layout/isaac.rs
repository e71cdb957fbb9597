//! Isaac's grasp files: `grasps` by name, each with `position` (m), `orientation` (`w`, `xyz`) of
//! the gripper's frame in the object's, `confidence`, and joints by name: `cspace_position` at the
//! grasp, `pregrasp_cspace_position` before it.

use super::{Fault, LABEL, Reading};
use crate::document::Value;
use crate::grasp::{Grasp, Posture, Stage, pose_of, wxyz_of};
use crate::list::{Header, Verdict};

const POSTURES: [(Stage, &str); 2] = [
    (Stage::Pregrasp, "pregrasp_cspace_position"),
    (Stage::Grasp, "cspace_position"),
];

pub fn read(tree: Value) -> Result<Reading, Fault> {
    let Some(Value::Dict(grasps)) = tree.get("grasps") else {
        return Err(("grasps".into(), "not a dict of grasps by name".into()));
    };
    let mut header = Header {
        hand: tree
            .get("gripper_frame_link")
            .and_then(Value::as_text)
            .map(str::to_owned),
        ..Header::default()
    };
    header.object.file = tree
        .get("object_frame_link")
        .and_then(Value::as_text)
        .map(str::to_owned);
    for (_, grasp) in grasps {
        for (stage, key) in POSTURES {
            if let Some(Value::Dict(joints)) = grasp.get(key) {
                match stage {
                    Stage::Pregrasp => header.holds.pregrasp |= !joints.is_empty(),
                    _ => header.holds.grasp |= !joints.is_empty(),
                }
                if header.joints.is_empty() {
                    header.joints = joints.iter().map(|(name, _)| name.clone()).collect();
                }
            }
        }
    }
    let (rows, joints) = (grasps.len(), header.joints.clone());
    let row = move |at: usize| {
        let Some(Value::Dict(grasps)) = tree.get("grasps") else {
            return Err("it is gone".into());
        };
        let (name, grasp) = &grasps[at];
        one(grasp, &joints).map_err(|reason| format!("`{name}`: {reason}"))
    };
    Ok(Reading {
        header,
        rows,
        row: Box::new(row),
    })
}

fn one(grasp: &Value, joints: &[String]) -> Result<Grasp, String> {
    let numbers = |keys: &[&str]| grasp.at(keys).and_then(Value::as_numbers);
    let position: Option<[f64; 3]> = numbers(&["position"]).and_then(|p| p.try_into().ok());
    let position = position.ok_or("`position` is not three numbers")?;
    let xyz: Option<[f64; 3]> =
        numbers(&["orientation", "xyz"]).and_then(|xyz| xyz.try_into().ok());
    let w = grasp.at(&["orientation", "w"]).and_then(Value::as_number);
    let (Some(w), Some([x, y, z])) = (w, xyz) else {
        return Err("`orientation` is not a number `w` and three numbers `xyz`".into());
    };
    let mut read = Grasp::at(pose_of(position, [w, x, y, z])?);
    for (stage, key) in POSTURES {
        let Some(values) = grasp.get(key).filter(|v| **v != Value::Dict(Vec::new())) else {
            continue;
        };
        let mut posture = Posture::default();
        for joint in joints {
            let value = values.get(joint).and_then(Value::as_number);
            let value = value.filter(|value| value.is_finite());
            let value = value.ok_or_else(|| format!("`{key}` has no number for `{joint}`"))?;
            posture.joints.push(value);
        }
        *read.posture_mut(stage) = Some(posture);
    }
    read.score = grasp.get("confidence").and_then(Value::as_number);
    read.label = grasp.get(LABEL).and_then(Value::as_bool);
    Ok(read)
}

pub fn build(header: &Header, grasps: &[Grasp]) -> Result<Value, (usize, String)> {
    let mut all = Vec::with_capacity(grasps.len());
    for (at, grasp) in grasps.iter().enumerate() {
        let [w, x, y, z] = wxyz_of(&grasp.X_OH);
        let list =
            |numbers: &[f64]| Value::List(numbers.iter().copied().map(Value::Float).collect());
        let mut one = Value::dict([
            ("confidence", Value::Float(confidence(grasp))),
            ("position", list(&grasp.X_OH.p.to_array())),
            (
                "orientation",
                Value::dict([("w", Value::Float(w)), ("xyz", list(&[x, y, z]))]),
            ),
        ]);
        for (stage, key) in POSTURES {
            if let Some(posture) = grasp.posture(stage) {
                if posture.joints.len() != header.joints.len() {
                    let message = format!("its {} has other joints than the list", stage.name());
                    return Err((at, message));
                }
                let joints = header.joints.iter().zip(&posture.joints);
                let joints = joints.map(|(name, value)| (name.clone(), Value::Float(*value)));
                one.set(key, Value::Dict(joints.collect()));
            }
        }
        if let Some(label) = grasp.label {
            one.set(LABEL, Value::Bool(label));
        }
        all.push((format!("grasp_{at}"), one));
    }
    let mut tree = Value::dict([
        ("format", Value::text("isaac_grasp")),
        ("format_version", Value::Float(1.0)),
    ]);
    if let Some(file) = &header.object.file {
        tree.set("object_frame_link", Value::text(file));
    }
    if let Some(hand) = &header.hand {
        tree.set("gripper_frame_link", Value::text(hand));
    }
    tree.set("grasps", Value::Dict(all));
    Ok(tree)
}

/// Files need one: the score, or whether it held.
fn confidence(grasp: &Grasp) -> f64 {
    let held = grasp.label.map(|held| if held { 1.0 } else { 0.0 });
    grasp.score.or(held).unwrap_or(1.0)
}

pub fn relabel(tree: &mut Value, verdicts: &[Verdict]) {
    if let Some(Value::Dict(grasps)) = tree.get_mut("grasps") {
        for ((_, grasp), verdict) in grasps.iter_mut().zip(verdicts) {
            if let Some(score) = verdict.score {
                grasp.set("confidence", Value::Float(score));
            }
            if let Some(label) = verdict.label {
                grasp.set(LABEL, Value::Bool(label));
            }
        }
    }
}
