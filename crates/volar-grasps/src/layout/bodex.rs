//! BODex and DexGraspBench: a dict of arrays. A hand is 7 numbers, position (m) and quaternion
//! (w, x, y, z) of its root in the world, and its joints (rad). BODex has `robot_pose`, grasps of
//! three hands each: pregrasp, grasp and squeeze; DexGraspBench `pregrasp_qpos`, `grasp_qpos` and
//! `squeeze_qpos`, of one grasp or of several. The object is at `obj_pose` in the world (BODex:
//! in `world_cfg`), its mesh multiplied by `obj_scale`.

use std::sync::Arc;

use volar_math::Pose;

use super::{Fault, LABEL, Reading, SCORE};
use crate::document::{Array, Value};
use crate::grasp::{Grasp, Posture, Stage, pose_of, wxyz_of};
use crate::list::{Header, Verdict};

/// The hands of one stage: those of grasp i begin at `first + i * step`.
#[derive(Clone)]
struct Hands {
    stage: Stage,
    numbers: Arc<Vec<f64>>,
    first: usize,
    step: usize,
}

/// What a file has.
struct Tables {
    hands: Vec<Hands>,
    rows: usize,
    /// Numbers of a hand.
    width: usize,
}

pub fn read(tree: &Value, given: &[String]) -> Result<Reading, Fault> {
    let tables = tables(tree)?;
    let (rows, width) = (tables.rows, tables.width);
    let object = object(tree);
    let number = |key: &str| object.get(key).and_then(first_number);
    let mut header = Header {
        joints: joints(tree, given, width - 7)?,
        ..Header::default()
    };
    let text = |key: &str| object.get(key).and_then(Value::as_text);
    header.object.file = text("obj_path").or(text("file_path")).map(str::to_owned);
    header.object.scale = number("obj_scale").or(number("scale"));
    let own = |stage: Stage| tables.hands.iter().any(|hands| hands.stage == stage) && width > 7;
    header.holds.pregrasp = own(Stage::Pregrasp);
    header.holds.grasp = own(Stage::Grasp);
    header.holds.squeeze = own(Stage::Squeeze);
    header.holds.poses = tables.hands.len() > 1;
    let poses = object.get("obj_pose").or(object.get("pose"));
    let poses = poses.and_then(Value::as_numbers);
    let poses = poses.unwrap_or_else(|| vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    if poses.len() != 7 && poses.len() != 7 * rows {
        let message = "not 7 numbers for all grasps or for each";
        return Err(("obj_pose".into(), message.into()));
    }
    let scales = tree.get("obj_scale").and_then(Value::as_numbers);
    let scales = scales.filter(|scales| scales.len() == rows && rows > 1);
    let per_row = |key: &str| tree.get(key).and_then(Value::as_numbers_or_bools);
    let (labels, scores) = (per_row(LABEL), per_row(SCORE));
    let row = move |at: usize| {
        let pose = &poses[if poses.len() == 7 { 0 } else { 7 * at }..][..7];
        let X_WO = seven(pose).map_err(|reason| format!("its object: {reason}"))?;
        let mut grasp = grasp_of(&tables, at, &X_WO)?;
        let of_row = |numbers: &Option<Vec<f64>>| {
            let number = numbers.as_ref()?.get(at).copied();
            // Where only others have one.
            number.filter(|number| !number.is_nan())
        };
        grasp.label = of_row(&labels).map(|label| label > 0.5);
        grasp.score = of_row(&scores);
        grasp.scale = of_row(&scales);
        Ok(grasp)
    };
    Ok(Reading {
        header,
        rows,
        row: Box::new(row),
    })
}

fn tables(tree: &Value) -> Result<Tables, Fault> {
    let array = |key: &str| match tree.get(key) {
        Some(Value::Array(array)) => array
            .numbers()
            .map(|numbers| (array.shape.clone(), numbers)),
        _ => None,
    };
    let fault = |key: &str, message: &str| (key.to_owned(), message.to_owned());
    if tree.get("robot_pose").is_some() {
        let key = "robot_pose";
        let wrong = || {
            fault(
                key,
                "not an array of grasps x 3 hands x (7 + joints) numbers",
            )
        };
        let (shape, numbers) = array(key).ok_or_else(wrong)?;
        // Some have the number of scenes before: one.
        let &[rows, 3, width] = shape
            .strip_prefix(&[1])
            .filter(|s| s.len() == 3)
            .unwrap_or(&shape)
        else {
            return Err(wrong());
        };
        if width < 7 {
            return Err(wrong());
        }
        let numbers = Arc::new(numbers);
        let hands = Stage::ALL
            .into_iter()
            .enumerate()
            .map(|(number, stage)| Hands {
                stage,
                numbers: numbers.clone(),
                first: number * width,
                step: 3 * width,
            });
        return Ok(Tables {
            hands: hands.collect(),
            rows,
            width,
        });
    }
    let mut tables: Option<Tables> = None;
    for stage in Stage::ALL {
        let key = format!("{}_qpos", stage.name());
        if tree.get(&key).is_none() {
            continue;
        }
        let wrong = || {
            fault(
                &key,
                "not an array of 7 + joints numbers, as the others are",
            )
        };
        let (shape, numbers) = array(&key).ok_or_else(wrong)?;
        let (rows, width) = match shape[..] {
            [width] => (1, width),
            [rows, width] => (rows, width),
            _ => return Err(wrong()),
        };
        let all = tables.get_or_insert(Tables {
            hands: Vec::new(),
            rows,
            width,
        });
        if (rows, width) != (all.rows, all.width) || width < 7 {
            return Err(wrong());
        }
        all.hands.push(Hands {
            stage,
            numbers: Arc::new(numbers),
            first: 0,
            step: width,
        });
    }
    tables.ok_or_else(|| fault("its keys", "there is no `grasp_qpos`"))
}

/// The dict that says where the object is: the file's own, or that of BODex's world.
fn object(tree: &Value) -> &Value {
    let first = |key: &str| match tree.get(key)? {
        Value::List(items) => items.first(),
        other => Some(other),
    };
    let name = first("manip_name").and_then(Value::as_text);
    let world = first("world_cfg").and_then(|world| world.get("mesh"));
    let named = name.and_then(|name| world?.get(name));
    named.unwrap_or(tree)
}

fn joints(tree: &Value, given: &[String], count: usize) -> Result<Vec<String>, Fault> {
    let names = tree.get("joint_names").and_then(Value::items);
    let names = names.map(|names| {
        let names = names.iter().map(|name| name.as_text().map(str::to_owned));
        names.collect::<Option<Vec<String>>>()
    });
    let names = match names {
        Some(names) => names.ok_or_else(|| ("joint_names".into(), "not a list of names".into()))?,
        None if given.is_empty() => (0..count).map(|n| format!("joint_{n}")).collect(),
        None => given.to_vec(),
    };
    match names.len() == count {
        true => Ok(names),
        false => Err((
            "joint_names".to_owned(),
            format!("{} names for {count} joints", names.len()),
        )),
    }
}

/// A number, or the first of an array: scales may be given for each axis, all the same.
fn first_number(value: &Value) -> Option<f64> {
    value.as_numbers()?.first().copied()
}

fn grasp_of(tables: &Tables, at: usize, X_WO: &Pose) -> Result<Grasp, String> {
    let hand = |hands: &Hands| -> Result<(Pose, Vec<f64>), String> {
        let from = hands.first + at * hands.step;
        let numbers = &hands.numbers[from..from + tables.width];
        let pose = seven(&numbers[..7]);
        let joints = numbers[7..].to_vec();
        let name = hands.stage.name();
        if joints.iter().any(|q| !q.is_finite()) {
            return Err(format!("its {name} has joints without a number"));
        }
        let X_WH = pose.map_err(|reason| format!("its {name}: {reason}"))?;
        Ok((Pose::relative(X_WO, &X_WH), joints))
    };
    // The pose is that of the grasp, or of what is nearest to it.
    let order = [Stage::Grasp, Stage::Squeeze, Stage::Pregrasp];
    let of = |stage: Stage| tables.hands.iter().find(|hands| hands.stage == stage);
    let main = order.into_iter().find_map(of).ok_or("it has no hand")?;
    let (X_OH, _) = hand(main)?;
    let mut grasp = Grasp::at(X_OH);
    for hands in &tables.hands {
        let (X, joints) = hand(hands)?;
        if tables.width > 7 {
            *grasp.posture_mut(hands.stage) = Some(Posture {
                joints,
                X_OH: Some(X).filter(|X| *X != X_OH),
            });
        }
    }
    Ok(grasp)
}

fn seven(numbers: &[f64]) -> Result<Pose, String> {
    match *numbers {
        [x, y, z, w, i, j, k] => pose_of([x, y, z], [w, i, j, k]),
        _ => Err("not 7 numbers".into()),
    }
}

/// In the form of DexGraspBench, several grasps in a file.
pub fn build(header: &Header, grasps: &[Grasp]) -> Result<Value, (usize, String)> {
    let rows = grasps.len();
    let names = header.joints.iter().map(|name| Value::text(name));
    let mut tree = Value::dict([
        ("joint_names", Value::List(names.collect())),
        (
            "obj_pose",
            Value::array(Array::doubles(
                vec![7],
                &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            )),
        ),
    ]);
    if let Some(file) = &header.object.file {
        tree.set("obj_path", Value::text(file));
    }
    let scale = header.object.scale.unwrap_or(1.0);
    tree.set("obj_scale", Value::Float(scale));
    if grasps.iter().any(|grasp| grasp.scale.is_some()) {
        let scales: Vec<f64> = grasps.iter().map(|g| g.scale.unwrap_or(scale)).collect();
        tree.set(
            "obj_scale",
            Value::array(Array::doubles(vec![rows], &scales)),
        );
    }
    let held: Vec<Stage> = Stage::ALL
        .into_iter()
        .filter(|s| header.holds.stage(*s))
        .collect();
    let joints = header.joints.len();
    for stage in if held.is_empty() {
        vec![Stage::Grasp]
    } else {
        held.clone()
    } {
        let mut numbers = Vec::with_capacity(rows * (7 + joints));
        for (at, grasp) in grasps.iter().enumerate() {
            let posture = grasp.posture(stage);
            let X_OH = posture.and_then(|p| p.X_OH).unwrap_or(grasp.X_OH);
            numbers.extend(X_OH.p.to_array());
            numbers.extend(wxyz_of(&X_OH));
            match posture {
                Some(posture) if posture.joints.len() == joints => {
                    numbers.extend(&posture.joints);
                }
                None if held.is_empty() => {}
                _ => {
                    let message = format!("it has no {} with the joints of the list", stage.name());
                    return Err((at, message));
                }
            }
        }
        let width = if held.is_empty() { 7 } else { 7 + joints };
        let array = Array::doubles(vec![rows, width], &numbers);
        tree.set(&format!("{}_qpos", stage.name()), Value::array(array));
    }
    if held.is_empty() {
        tree.set("joint_names", Value::List(Vec::new()));
    }
    let verdicts: Vec<Verdict> = grasps
        .iter()
        .map(|grasp| Verdict {
            label: grasp.label,
            score: grasp.score,
        })
        .collect();
    relabel(&mut tree, &verdicts);
    Ok(tree)
}

pub fn relabel(tree: &mut Value, verdicts: &[Verdict]) {
    let rows = tables(tree).map_or(0, |tables| tables.rows);
    let mut put = |key: &str, new: &dyn Fn(&Verdict) -> Option<f64>| {
        let old = tree.get(key).and_then(Value::as_numbers_or_bools);
        let old = old.unwrap_or_default();
        let value = |at: usize| {
            let new = verdicts.get(at).and_then(new);
            new.or_else(|| old.get(at).copied()).unwrap_or(f64::NAN)
        };
        let values: Vec<f64> = (0..rows).map(value).collect();
        let whole = values.iter().all(|value| !value.is_nan());
        match (key, &values[..]) {
            (_, values) if values.iter().all(|value| value.is_nan()) => {}
            (LABEL, [value]) => tree.set(key, Value::Bool(*value > 0.5)),
            (LABEL, values) if whole => {
                let flags: Vec<bool> = values.iter().map(|value| *value > 0.5).collect();
                tree.set(key, Value::array(Array::flags(&flags)));
            }
            (_, values) => tree.set(key, Value::array(Array::doubles(vec![rows], values))),
        }
    };
    put(LABEL, &|verdict| {
        verdict.label.map(|label| if label { 1.0 } else { 0.0 })
    });
    put(SCORE, &|verdict| verdict.score);
}
