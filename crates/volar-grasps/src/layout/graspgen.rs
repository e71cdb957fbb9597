//! GraspGen's dataset: `object` with `file` and `scale`, `grasps` with `transforms` (matrices
//! of 4 x 4, the base link of the gripper in the frame of the scaled mesh, m) and
//! `object_in_gripper` (whether each held).

use super::{Fault, Reading};
use crate::document::Value;
use crate::grasp::{Grasp, matrix_of, pose_of_matrix};
use crate::list::{Header, ObjectInfo, Verdict};

const LABELS: &str = "object_in_gripper";

pub fn read(tree: Value) -> Result<Reading, Fault> {
    let object = |key: &str| tree.at(&["object", key]);
    let header = Header {
        object: ObjectInfo {
            file: object("file").and_then(Value::as_text).map(str::to_owned),
            scale: object("scale").and_then(Value::as_number),
            mass: object("mass").and_then(Value::as_number),
            friction: object("friction").and_then(Value::as_number),
        },
        ..Header::default()
    };
    let length = |key: &str| {
        let list = tree.at(&["grasps", key])?;
        Some(list.items().map(<[Value]>::len))
    };
    let place = || "grasps.transforms".to_owned();
    let rows = length("transforms").flatten();
    let rows = rows.ok_or_else(|| (place(), "not a list of matrices".to_owned()))?;
    if let Some(labels) = length(LABELS)
        && labels != Some(rows)
    {
        let message = format!("{LABELS} is not as long: is the file cut?");
        return Err((place(), message));
    }
    let row = move |at: usize| {
        let item = |key: &str| tree.at(&["grasps", key])?.items()?.get(at);
        let matrix = item("transforms").and_then(Value::as_numbers);
        let matrix: Option<[f64; 16]> = matrix.and_then(|numbers| numbers.try_into().ok());
        let matrix = matrix.ok_or("its transform is no matrix of 4 x 4 numbers")?;
        Ok(Grasp {
            label: item(LABELS).and_then(Value::as_bool),
            ..Grasp::at(pose_of_matrix(&matrix)?)
        })
    };
    Ok(Reading {
        header,
        rows,
        row: Box::new(row),
    })
}

pub fn build(header: &Header, grasps: &[Grasp]) -> Result<Value, (usize, String)> {
    let mut object = Value::Dict(Vec::new());
    if let Some(file) = &header.object.file {
        object.set("file", Value::text(file));
    }
    object.set("scale", Value::Float(header.object.scale.unwrap_or(1.0)));
    let numbers = [
        ("mass", header.object.mass),
        ("friction", header.object.friction),
    ];
    for (key, value) in numbers {
        if let Some(value) = value {
            object.set(key, Value::Float(value));
        }
    }
    let matrices = grasps.iter().map(|grasp| {
        let matrix = matrix_of(&grasp.X_OH);
        let rows = matrix.chunks_exact(4);
        let row = |row: &[f64]| Value::List(row.iter().copied().map(Value::Float).collect());
        Value::List(rows.map(row).collect())
    });
    let mut all = Value::dict([("transforms", Value::List(matrices.collect()))]);
    if grasps.iter().any(|grasp| grasp.label.is_some()) {
        let labels = grasps.iter().map(|grasp| written(grasp.label)).collect();
        all.set(LABELS, Value::List(labels));
    }
    Ok(Value::dict([("object", object), ("grasps", all)]))
}

/// A label; null where nobody has judged the grasp.
fn written(label: Option<bool>) -> Value {
    label.map_or(Value::None, Value::Bool)
}

/// Grasps without a verdict keep their label, if they have one.
pub fn relabel(tree: &mut Value, verdicts: &[Verdict]) {
    let Some(grasps) = tree.get_mut("grasps") else {
        return;
    };
    let rows = grasps.get("transforms").and_then(Value::items);
    let rows = rows.map_or(0, <[Value]>::len);
    let old = grasps
        .get(LABELS)
        .and_then(Value::items)
        .map(<[Value]>::to_vec);
    let old = old.unwrap_or_default();
    let labels = (0..rows).map(|at| {
        let new = verdicts.get(at).and_then(|verdict| verdict.label);
        let label = new.or_else(|| old.get(at).and_then(Value::as_bool));
        written(label)
    });
    let labels = labels.collect();
    grasps.set(LABELS, Value::List(labels));
}
