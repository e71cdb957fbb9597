//! What the trees of datasets say: which key is what, in which frame and unit.
//!
//! | file | dataset |
//! |---|---|
//! | `graspgen.rs` | GraspGen's dataset, JSON |
//! | `isaac.rs` | Isaac's grasp files, which GraspGen writes too, YAML |
//! | `dexgraspnet.rs` | DexGraspNet, NPY |
//! | `bodex.rs` | BODex and DexGraspBench, NPY |

mod bodex;
mod dexgraspnet;
mod graspgen;
mod isaac;

use std::path::Path;

use crate::document::{self, Notation, Value};
use crate::error::GraspFileError;
use crate::grasp::{BadRow, Grasp};
use crate::list::{Header, Opened, ReadOptions, Row, Verdict};

/// A dataset whose files are trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    GraspGen,
    Isaac,
    DexGraspNet,
    Bodex,
}

/// Where a tree is wrong, and how.
type Fault = (String, String);

/// A tree that is being read.
struct Reading {
    header: Header,
    rows: usize,
    row: Box<dyn Fn(usize) -> Result<Grasp, String> + Send>,
}

impl Layout {
    /// The layout that a tree has.
    fn of(tree: &Value) -> Result<Layout, Fault> {
        let transforms = tree.at(&["grasps", "transforms"]);
        let is_isaac = tree.get("format").and_then(Value::as_text) == Some("isaac_grasp");
        let first = tree.items().map(|items| items.first());
        if transforms.is_some() {
            Ok(Layout::GraspGen)
        } else if is_isaac || matches!(tree.get("grasps"), Some(Value::Dict(_))) {
            Ok(Layout::Isaac)
        } else if first.is_some_and(|first| first.is_none_or(|row| row.get("qpos").is_some())) {
            Ok(Layout::DexGraspNet)
        } else if ["robot_pose", "grasp_qpos", "pregrasp_qpos", "squeeze_qpos"]
            .iter()
            .any(|key| tree.get(key).is_some())
        {
            Ok(Layout::Bodex)
        } else {
            let message = "no list of grasps that is known: GraspGen has `grasps` with \
                 `transforms`, Isaac `grasps` with names, DexGraspNet a list of dicts with \
                 `qpos`, BODex `robot_pose`, DexGraspBench `grasp_qpos`";
            Err(("its keys".into(), message.into()))
        }
    }

    fn read(self, tree: Value, options: &ReadOptions) -> Result<Reading, Fault> {
        match self {
            Layout::GraspGen => graspgen::read(tree),
            Layout::Isaac => isaac::read(tree),
            Layout::DexGraspNet => dexgraspnet::read(tree),
            Layout::Bodex => bodex::read(&tree, &options.joints),
        }
    }
}

pub(crate) fn open(
    path: &Path,
    notation: Notation,
    options: &ReadOptions,
) -> Result<(Layout, Opened), GraspFileError> {
    let tree = document::read(path, notation)?;
    let damaged = |(place, message): Fault| GraspFileError::damaged(path, place, message);
    let layout = Layout::of(&tree).map_err(damaged)?;
    let reading = layout.read(tree, options).map_err(damaged)?;
    let Reading { header, rows, row } = reading;
    let stream = (0..rows).map(move |at| {
        row(at).map_err(|reason| BadRow {
            row: at as u64,
            reason,
        })
    });
    let opened = Opened {
        header,
        rows: Some(rows as u64),
        stream: Box::new(stream),
    };
    Ok((layout, opened))
}

pub(crate) fn write(
    path: &Path,
    layout: Layout,
    notation: Notation,
    header: &Header,
    rows: &mut dyn Iterator<Item = Row>,
) -> Result<(), GraspFileError> {
    // Files that are read whole are written whole.
    let mut grasps = Vec::new();
    let no_place = |row: u64, message: String| GraspFileError::NoPlace {
        path: path.to_owned(),
        row,
        message,
    };
    for (number, row) in (0..).zip(rows) {
        grasps.push(row.map_err(|bad| {
            let message = format!(
                "it is none ({}); .csv and .parquet keep such rows",
                bad.reason
            );
            no_place(number, message)
        })?);
    }
    let tree = match layout {
        Layout::GraspGen => graspgen::build(header, &grasps),
        Layout::Isaac => isaac::build(header, &grasps),
        Layout::DexGraspNet => dexgraspnet::build(header, &grasps),
        Layout::Bodex => bodex::build(header, &grasps),
    };
    let tree = tree.map_err(|(row, message)| no_place(row as u64, message))?;
    document::write(path, notation, &tree)
}

/// Writes a file anew with other labels and scores; everything else stays as it is.
pub(crate) fn relabel(
    source: &Path,
    out: &Path,
    notation: Notation,
    verdicts: &[Verdict],
) -> Result<(), GraspFileError> {
    let mut tree = document::read(source, notation)?;
    let damaged = |(place, message): Fault| GraspFileError::damaged(source, place, message);
    let layout = Layout::of(&tree).map_err(damaged)?;
    match layout {
        Layout::GraspGen => graspgen::relabel(&mut tree, verdicts),
        Layout::Isaac => isaac::relabel(&mut tree, verdicts),
        Layout::DexGraspNet => dexgraspnet::relabel(&mut tree, verdicts),
        Layout::Bodex => bodex::relabel(&mut tree, verdicts),
    }
    document::write(out, notation, &tree)
}

/// The key that a label has in pickles: DexGraspBench's.
const LABEL: &str = "succ_flag";
/// The key of a score, which these datasets do not have.
const SCORE: &str = "score";

/// Puts a verdict into the dict of a grasp.
fn mark(grasp: &mut Value, verdict: &Verdict) {
    if let Some(label) = verdict.label {
        grasp.set(LABEL, Value::Bool(label));
    }
    if let Some(score) = verdict.score {
        grasp.set(SCORE, Value::Float(score));
    }
}
