//! DexGraspNet: a list of dicts, each with `scale` (of the object's mesh) and `qpos`: joints by
//! name (rad), `WRJTx`, `WRJTy`, `WRJTz` (m) and `WRJRx`, `WRJRy`, `WRJRz` (rad), the hand in the
//! frame of the scaled mesh. The rotation is R = Rz Ry Rx of the three angles.

use volar_math::{Pose, real, rotation};

use super::{Fault, LABEL, Reading, SCORE, mark};
use crate::document::{Array, Value};
use crate::grasp::{Grasp, Posture};
use crate::list::{Header, Verdict};

const TRANSLATION: [&str; 3] = ["WRJTx", "WRJTy", "WRJTz"];
const ANGLES: [&str; 3] = ["WRJRx", "WRJRy", "WRJRz"];

pub fn read(tree: Value) -> Result<Reading, Fault> {
    let items = tree.items().unwrap_or_default();
    let mut header = Header::default();
    let first = items.iter().find_map(|row| row.get("qpos"));
    if let Some(Value::Dict(qpos)) = first {
        let names = qpos.iter().map(|(name, _)| name.clone());
        let of_root = |name: &String| [TRANSLATION, ANGLES].concat().contains(&name.as_str());
        header.joints = names.filter(|name| !of_root(name)).collect();
        header.holds.grasp = !header.joints.is_empty();
    }
    let (rows, joints) = (items.len(), header.joints.clone());
    let row = move |at: usize| {
        let items = tree.items().unwrap_or_default();
        one(&items[at], &joints)
    };
    Ok(Reading {
        header,
        rows,
        row: Box::new(row),
    })
}

fn one(row: &Value, joints: &[String]) -> Result<Grasp, String> {
    let number = |name: &str| {
        let value = row.at(&["qpos", name]).and_then(Value::as_number);
        let value = value.filter(|value| value.is_finite());
        value.ok_or_else(|| format!("its `qpos` has no number `{name}`"))
    };
    let three = |names: [&str; 3]| -> Result<[f64; 3], String> {
        Ok([number(names[0])?, number(names[1])?, number(names[2])?])
    };
    let [x, y, z] = three(ANGLES)?;
    let pose = Pose {
        R: rotation::about_z(z) * rotation::about_y(y) * rotation::about_x(x),
        p: three(TRANSLATION)?.into(),
    };
    let scale = row.get("scale").and_then(Value::as_number);
    if scale.is_some_and(|scale| !(scale > 0.0 && scale.is_finite())) {
        return Err("its `scale` is no number above zero".into());
    }
    let mut grasp = Grasp::at(pose);
    if !joints.is_empty() {
        let joints: Result<Vec<f64>, String> = joints.iter().map(|joint| number(joint)).collect();
        grasp.grasp = Some(Posture {
            joints: joints?,
            X_OH: None,
        });
    }
    grasp.scale = scale;
    grasp.label = row.get(LABEL).and_then(Value::as_bool);
    grasp.score = row.get(SCORE).and_then(Value::as_number);
    Ok(grasp)
}

pub fn build(header: &Header, grasps: &[Grasp]) -> Result<Value, (usize, String)> {
    let mut rows = Vec::with_capacity(grasps.len());
    for (at, grasp) in grasps.iter().enumerate() {
        // It has one posture; of those there are, the one nearest to the grasp.
        let postures = [&grasp.grasp, &grasp.pregrasp, &grasp.squeeze];
        let posture = postures.into_iter().flatten().next();
        let joints = posture.map_or(&[][..], |posture| &posture.joints);
        if joints.len() != header.joints.len() {
            let message = "it has no posture with the joints of the list";
            return Err((at, message.into()));
        }
        let joints = header.joints.iter().zip(joints);
        let mut qpos: Vec<(String, Value)> = joints
            .map(|(name, value)| (name.clone(), Value::Float(*value)))
            .collect();
        let (p, angles) = (grasp.X_OH.p.to_array(), angles_of(&grasp.X_OH));
        for (names, values) in [(TRANSLATION, p), (ANGLES, angles)] {
            let named = names.into_iter().zip(values);
            qpos.extend(named.map(|(name, value)| (name.to_owned(), Value::Float(value))));
        }
        let scale = grasp.scale.or(header.object.scale).unwrap_or(1.0);
        let mut row = Value::dict([("scale", Value::Float(scale)), ("qpos", Value::Dict(qpos))]);
        mark(
            &mut row,
            &Verdict {
                label: grasp.label,
                score: grasp.score,
            },
        );
        rows.push(row);
    }
    Ok(Value::array(Array::objects(rows)))
}

/// The angles about x, y and z of R = Rz Ry Rx.
fn angles_of(X: &Pose) -> [f64; 3] {
    let R = &X.R;
    let cos = R.x_axis.truncate().length();
    let y = real::atan2(-R.x_axis.z, cos);
    // Where y is upright, only the sum of the others counts.
    match cos > 1.0e-12 {
        true => [
            real::atan2(R.y_axis.z, R.z_axis.z),
            y,
            real::atan2(R.x_axis.y, R.x_axis.x),
        ],
        false => [real::atan2(-R.z_axis.y, R.y_axis.y), y, 0.0],
    }
}

pub fn relabel(tree: &mut Value, verdicts: &[Verdict]) {
    let rows = tree.items_mut().into_iter().flatten();
    for (row, verdict) in rows.zip(verdicts) {
        mark(row, verdict);
    }
}
