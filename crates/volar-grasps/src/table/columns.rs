//! Columns by name, and rows of cells as grasps.

use std::collections::BTreeMap;

use volar_math::Pose;

use crate::grasp::{BadRow, Grasp, Posture, Stage, pose_of, wxyz_of};
use crate::list::{Header, Holds, Row};

pub const LABEL: &str = "label";
pub const REASON: &str = "reason";
const POSE: [&str; 7] = [
    "position_x",
    "position_y",
    "position_z",
    "orientation_w",
    "orientation_x",
    "orientation_y",
    "orientation_z",
];
const LAST: [&str; 3] = ["width", "scale", "score"];

/// Where each number of a row is: the pose, then for every stage a pose and the joints, then
/// the last three.
#[derive(Clone, Debug)]
pub struct Columns {
    joints: usize,
}

/// The cells of a row.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// By the numbers of [`Columns`].
    pub numbers: Vec<Option<f64>>,
    pub label: Option<bool>,
    pub reason: Option<String>,
}

/// What a column of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Number(usize),
    Label,
    Reason,
}

impl Columns {
    pub fn new(header: &Header) -> Columns {
        Columns {
            joints: header.joints.len(),
        }
    }

    /// Numbers of a row.
    pub fn len(&self) -> usize {
        7 + 3 * self.per_stage() + LAST.len()
    }

    fn per_stage(&self) -> usize {
        7 + self.joints
    }

    fn stage_at(&self, stage: Stage) -> usize {
        let before = Stage::ALL.iter().take_while(|other| **other != stage);
        7 + before.count() * self.per_stage()
    }

    /// All numbers by name.
    fn names(&self, joints: &[String]) -> Vec<String> {
        let mut names: Vec<String> = POSE.map(str::to_owned).to_vec();
        for stage in Stage::ALL {
            names.extend(POSE.map(|name| format!("{}_{name}", stage.name())));
            let joints = joints.iter();
            names.extend(joints.map(|joint| format!("{}/{joint}", stage.name())));
        }
        names.extend(LAST.map(str::to_owned));
        names
    }

    /// The columns that a list needs, with their numbers.
    pub fn to_write(&self, header: &Header) -> Vec<(usize, String)> {
        let names = self.names(&header.joints);
        let mut wanted: Vec<usize> = (0..7).collect();
        for stage in Stage::ALL {
            let first = self.stage_at(stage);
            if header.holds.stage(stage) {
                wanted.extend(
                    header
                        .holds
                        .poses
                        .then_some(first..first + 7)
                        .into_iter()
                        .flatten(),
                );
                wanted.extend(first + 7..first + self.per_stage());
            }
        }
        wanted.extend(self.len() - LAST.len()..self.len());
        wanted
            .into_iter()
            .map(|at| (at, names[at].clone()))
            .collect()
    }

    /// What the columns of a file are, by their names. Joints are in the order in which they
    /// first come.
    pub fn of_names(names: &[String]) -> Result<(Columns, Vec<Option<Slot>>, Header), String> {
        let mut header = Header::default();
        for name in names {
            for stage in Stage::ALL {
                let joint = name.strip_prefix(stage.name());
                if let Some(joint) = joint.and_then(|rest| rest.strip_prefix('/')) {
                    header.holds.set(stage);
                    if !header.joints.iter().any(|known| known == joint) {
                        header.joints.push(joint.to_owned());
                    }
                }
                header.holds.poses |= *name == format!("{}_{}", stage.name(), POSE[0]);
            }
        }
        let columns = Columns::new(&header);
        let mut known: BTreeMap<String, Slot> = BTreeMap::new();
        for (at, name) in columns.names(&header.joints).into_iter().enumerate() {
            known.insert(name, Slot::Number(at));
        }
        known.insert(LABEL.into(), Slot::Label);
        known.insert(REASON.into(), Slot::Reason);
        let slots: Vec<Option<Slot>> = names.iter().map(|name| known.get(name).copied()).collect();
        for (at, slot) in slots.iter().enumerate() {
            if slot.is_some() && slots[..at].contains(slot) {
                return Err(format!("there are two columns `{}`", names[at]));
            }
        }
        let has = |at: usize| slots.contains(&Some(Slot::Number(at)));
        if let Some(missing) = (0..POSE.len()).find(|at| !has(*at)) {
            return Err(format!(
                "there is no column `{}`; a list of grasps has {}",
                POSE[missing],
                POSE.join(", ")
            ));
        }
        Ok((columns, slots, header))
    }

    pub fn cells(&self, row: &Row) -> Result<Cells, String> {
        let mut cells = Cells {
            numbers: vec![None; self.len()],
            ..Cells::default()
        };
        let grasp = match row {
            Ok(grasp) => grasp,
            Err(bad) => {
                cells.reason = Some(bad.reason.clone());
                return Ok(cells);
            }
        };
        let mut put = |at: usize, values: &[f64]| {
            for (slot, value) in cells.numbers[at..].iter_mut().zip(values) {
                *slot = Some(*value);
            }
        };
        put(0, &numbers_of(&grasp.X_OH));
        for stage in Stage::ALL {
            let Some(posture) = grasp.posture(stage) else {
                continue;
            };
            if posture.joints.len() != self.joints {
                return Err(format!(
                    "its {} has {} joints, the list {}",
                    stage.name(),
                    posture.joints.len(),
                    self.joints
                ));
            }
            let at = self.stage_at(stage);
            if let Some(X_OH) = &posture.X_OH {
                put(at, &numbers_of(X_OH));
            }
            put(at + 7, &posture.joints);
        }
        let last = self.len() - LAST.len();
        for (at, value) in [grasp.width, grasp.scale, grasp.score]
            .into_iter()
            .enumerate()
        {
            cells.numbers[last + at] = value;
        }
        cells.label = grasp.label;
        Ok(cells)
    }

    pub fn row(&self, row: u64, cells: &Cells) -> Row {
        let bad = |reason: String| BadRow { row, reason };
        if let Some(reason) = &cells.reason {
            return Err(bad(reason.clone()));
        }
        let pose = pose_at(&cells.numbers[..7]).map_err(bad)?;
        let mut grasp = Grasp::at(pose.ok_or_else(|| bad("it has no pose".into()))?);
        for stage in Stage::ALL {
            let at = self.stage_at(stage);
            let joints = &cells.numbers[at + 7..at + self.per_stage()];
            let X_OH = pose_at(&cells.numbers[at..at + 7])
                .map_err(|reason| bad(format!("{}: {reason}", stage.name())))?;
            if self.joints == 0 || joints.iter().all(Option::is_none) {
                continue;
            }
            let joints: Option<Vec<f64>> = joints.iter().copied().collect();
            let joints = joints.filter(|joints| joints.iter().all(|q| q.is_finite()));
            let Some(joints) = joints else {
                return Err(bad(format!(
                    "its {} has joints without a number",
                    stage.name()
                )));
            };
            *grasp.posture_mut(stage) = Some(Posture { joints, X_OH });
        }
        let last = &cells.numbers[self.len() - LAST.len()..];
        let above_zero = |at: usize| match last[at] {
            Some(value) if !(value > 0.0 && value.is_finite()) => Err(bad(format!(
                "its {} is {value}, which is no number above zero",
                LAST[at]
            ))),
            value => Ok(value),
        };
        // A jaw may close on nothing.
        grasp.width = match last[0] {
            Some(0.0) => last[0],
            _ => above_zero(0)?,
        };
        grasp.scale = above_zero(1)?;
        grasp.score = last[2];
        grasp.label = cells.label;
        Ok(grasp)
    }
}

fn numbers_of(X: &Pose) -> [f64; 7] {
    let ([x, y, z], [w, i, j, k]) = (X.p.to_array(), wxyz_of(X));
    [x, y, z, w, i, j, k]
}

/// None where there are no numbers at all.
fn pose_at(numbers: &[Option<f64>]) -> Result<Option<Pose>, String> {
    match numbers {
        [
            Some(x),
            Some(y),
            Some(z),
            Some(w),
            Some(i),
            Some(j),
            Some(k),
        ] => pose_of([*x, *y, *z], [*w, *i, *j, *k]).map(Some),
        numbers if numbers.iter().all(Option::is_none) => Ok(None),
        _ => Err("a part of its pose is missing".into()),
    }
}

impl Holds {
    /// Whether rows may have a posture.
    pub fn stage(&self, stage: Stage) -> bool {
        match stage {
            Stage::Pregrasp => self.pregrasp,
            Stage::Grasp => self.grasp,
            Stage::Squeeze => self.squeeze,
        }
    }

    fn set(&mut self, stage: Stage) {
        match stage {
            Stage::Pregrasp => self.pregrasp = true,
            Stage::Grasp => self.grasp = true,
            Stage::Squeeze => self.squeeze = true,
        }
    }

    /// Why a grasp has no place in a list that holds these.
    pub(super) fn refuses(&self, grasp: &Grasp) -> Option<String> {
        Stage::ALL.into_iter().find_map(|stage| {
            let posture = grasp.posture(stage)?;
            let name = stage.name();
            match self.stage(stage) {
                false => Some(format!("the list holds no {name}")),
                true if posture.X_OH.is_some() && !self.poses => Some(format!(
                    "the list holds no poses of postures, its {name} has one"
                )),
                true => None,
            }
        })
    }
}

impl Header {
    /// What is said of hand and object, by key.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let number = |value: Option<f64>| value.map(|value| format!("{value:?}"));
        let all = [
            ("hand", self.hand.clone()),
            ("object_file", self.object.file.clone()),
            ("object_scale", number(self.object.scale)),
            ("object_mass", number(self.object.mass)),
            ("object_friction", number(self.object.friction)),
        ];
        let given = all.into_iter();
        given
            .filter_map(|(key, value)| Some((key, value?)))
            .collect()
    }

    /// Takes over a fact; others are left alone.
    pub(super) fn learn(&mut self, key: &str, value: &str) {
        let number = || value.parse::<f64>().ok().filter(|value| value.is_finite());
        match key {
            "hand" => self.hand = Some(value.to_owned()),
            "object_file" => self.object.file = Some(value.to_owned()),
            "object_scale" => self.object.scale = number(),
            "object_mass" => self.object.mass = number(),
            "object_friction" => self.object.friction = number(),
            _ => {}
        }
    }
}
