//! ACRONYM: HDF5 with `grasps/transforms` (matrices of 4 x 4, the gripper in the frame of the
//! scaled mesh, m), `grasps/qualities/flex/object_in_gripper` (whether each held), and `object/`:
//! `file`, `scale`, `mass` (kg), `friction`.

use std::path::Path;

use hdf5_pure::{Dataset, File, FileBuilder};

use crate::error::GraspFileError;
use crate::files::replaced;
use crate::grasp::{BadRow, Grasp, matrix_of, pose_of_matrix};
use crate::list::{Header, ObjectInfo, Opened, Row, Verdict};

const TRANSFORMS: &str = "grasps/transforms";
/// In place of 0 and 1 where nobody has judged a grasp; users of ACRONYM ask for 1.
const NO_VERDICT: i64 = -1;
const LABELS: &str = "grasps/qualities/flex/object_in_gripper";
/// Rows that are in memory at a time.
const ROWS_PER_READ: u64 = 4096;
/// Rows that are compressed together.
const ROWS_PER_CHUNK: u64 = 1024;

pub fn read(path: &Path) -> Result<Opened, GraspFileError> {
    // Told apart from a file that is there and wrong.
    let length = std::fs::File::open(path).and_then(|file| file.metadata());
    let length = length.map_err(GraspFileError::io("open", path))?.len();
    let foreign = |place: &str, error: &dyn std::fmt::Display| {
        let message = format!("{error}; is it an HDF5 file of ACRONYM, and whole?");
        GraspFileError::damaged(path, place, message)
    };
    let file =
        File::open_streaming(path).map_err(|error| foreign("the head of the file", &error))?;
    // What is read may all be before the cut, and what is not read behind it.
    let whole = file.superblock().eof_address;
    if whole > length {
        let message = format!("{length} bytes of {whole}");
        return Err(foreign("the end of the file", &message));
    }
    let transforms = file.dataset(TRANSFORMS);
    let transforms = transforms.map_err(|error| foreign(TRANSFORMS, &error))?;
    let shape = transforms.shape();
    let shape = shape.map_err(|error| foreign(TRANSFORMS, &error))?;
    let &[rows, 4, 4] = &shape[..] else {
        let message = format!("an array of {shape:?}, not of grasps x 4 x 4");
        return Err(foreign(TRANSFORMS, &message));
    };
    let labels = file.dataset(LABELS).ok();
    if let Some(labels) = &labels {
        let shape = labels.shape().map_err(|error| foreign(LABELS, &error))?;
        if shape != [rows] {
            let message = format!("an array of {shape:?} for {rows} grasps");
            return Err(foreign(LABELS, &message));
        }
    }
    let text = |name: &str| {
        file.dataset(name)
            .ok()?
            .read_string()
            .ok()?
            .into_iter()
            .next()
    };
    let number = |name: &str| {
        let numbers = file.dataset(name).ok()?.read_f64().ok()?;
        numbers.first().copied().filter(|number| number.is_finite())
    };
    let header = Header {
        hand: text("gripper/type"),
        object: ObjectInfo {
            file: text("object/file"),
            scale: number("object/scale"),
            mass: number("object/mass"),
            friction: number("object/friction"),
        },
        ..Header::default()
    };
    let stream = Rows {
        transforms,
        labels,
        rows,
        row: 0,
        first: 0,
        numbers: Vec::new(),
        held: Vec::new(),
    };
    Ok(Opened {
        header,
        rows: Some(rows),
        stream: Box::new(stream),
    })
}

struct Rows {
    transforms: Dataset,
    labels: Option<Dataset>,
    rows: u64,
    /// The next one.
    row: u64,
    /// The first of those in memory.
    first: u64,
    numbers: Vec<f64>,
    held: Vec<i64>,
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.row >= self.rows {
            return None;
        }
        let row = self.row;
        let mut at = (row - self.first) as usize;
        if 16 * at >= self.numbers.len() {
            if let Err(error) = self.load() {
                let last = self.rows - 1;
                self.row = self.rows;
                let reason =
                    format!("the file is damaged, rows {row} to {last} cannot be read: {error}");
                return Some(Err(BadRow { row, reason }));
            }
            at = 0;
        }
        self.row += 1;
        let mut matrix = [0.0; 16];
        matrix.copy_from_slice(&self.numbers[16 * at..16 * at + 16]);
        Some(match pose_of_matrix(&matrix) {
            Ok(pose) => Ok(Grasp {
                label: self.held.get(at).and_then(|held| label_of(*held)),
                ..Grasp::at(pose)
            }),
            Err(reason) => Err(BadRow { row, reason }),
        })
    }
}

impl Rows {
    /// Reads the rows from the next one on.
    fn load(&mut self) -> Result<(), String> {
        let count = ROWS_PER_READ.min(self.rows - self.row);
        let numbers = self.transforms.read_f64_rows(self.row, count);
        self.numbers = numbers.map_err(|error| error.to_string())?;
        if let Some(labels) = &self.labels {
            let held = labels.read_i64_rows(self.row, count);
            self.held = held.map_err(|error| error.to_string())?;
        }
        self.first = self.row;
        let whole = self.numbers.len() as u64 == 16 * count;
        let labelled = self.labels.is_none() || self.held.len() as u64 == count;
        match whole && labelled {
            true => Ok(()),
            false => Err("fewer numbers than its shape says".into()),
        }
    }
}

pub fn write(
    path: &Path,
    header: &Header,
    rows: &mut dyn Iterator<Item = Row>,
) -> Result<(), GraspFileError> {
    let no_place = |row: u64, message: String| GraspFileError::NoPlace {
        path: path.to_owned(),
        row,
        message,
    };
    let (mut numbers, mut held) = (Vec::new(), Vec::new());
    for (number, row) in (0..).zip(rows) {
        let grasp = row.map_err(|bad| {
            let message = format!(
                "it is none ({}); .csv and .parquet keep such rows",
                bad.reason
            );
            no_place(number, message)
        })?;
        numbers.extend(matrix_of(&grasp.X_OH));
        held.push(grasp.label);
    }
    let count = held.len() as u64;
    let mut builder = FileBuilder::new();
    let chunk = ROWS_PER_CHUNK.min(count.max(1));
    let mut grasps = builder.create_group("grasps");
    let dataset = grasps.create_dataset("transforms");
    dataset.with_f64_data(&numbers).with_shape(&[count, 4, 4]);
    if count > 0 {
        dataset.with_chunks(&[chunk, 4, 4]).with_deflate(4);
    }
    if held.iter().any(Option::is_some) {
        let labels = held.iter().map(|held| held.map_or(NO_VERDICT, i64::from));
        let labels: Vec<i64> = labels.collect();
        let mut qualities = grasps.create_group("qualities");
        let mut flex = qualities.create_group("flex");
        let dataset = flex.create_dataset("object_in_gripper");
        dataset.with_i64_data(&labels).with_shape(&[count]);
        dataset.with_chunks(&[chunk]).with_deflate(4);
        qualities.add_group(flex.finish());
        grasps.add_group(qualities.finish());
    }
    builder.add_group(grasps.finish());
    let object = &header.object;
    let groups = [
        ("object", "file", &object.file),
        ("gripper", "type", &header.hand),
    ];
    let numbers = [
        ("scale", object.scale),
        ("mass", object.mass),
        ("friction", object.friction),
    ];
    for (name, key, text) in groups {
        let mut group = builder.create_group(name);
        if let Some(text) = text {
            let written = group.create_dataset(key).with_strings(&[text.as_str()]);
            let dataset = written.map_err(|error| GraspFileError::damaged(path, key, error))?;
            dataset.with_shape(&[]);
        }
        for (key, number) in numbers.iter().filter(|_| name == "object") {
            if let Some(number) = number {
                let dataset = group.create_dataset(key);
                dataset.with_f64_data(&[*number]).with_shape(&[]);
            }
        }
        builder.add_group(group.finish());
    }
    replaced(path, |file| {
        let written = builder.finish_to(std::io::BufWriter::new(file));
        written.map_err(|error| GraspFileError::damaged(path, "cannot be written", error))
    })
}

/// Whether a grasp held, as the file says it.
fn label_of(held: i64) -> Option<bool> {
    match held {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// A copy of a file with other labels; everything else stays as it is. Grasps without a
/// verdict keep their label, if they have one.
pub fn relabel(source: &Path, out: &Path, verdicts: &[Verdict]) -> Result<(), GraspFileError> {
    let rows = read(source)?.rows.unwrap_or(0);
    let unwritable = |error: hdf5_pure::Error| GraspFileError::damaged(source, LABELS, error);
    let old = File::open_streaming(source)
        .map_err(unwritable)?
        .dataset(LABELS);
    let old = old.and_then(|labels| labels.read_i64()).unwrap_or_default();
    let label = |at: usize| {
        let new = verdicts.get(at).and_then(|verdict| verdict.label);
        let new = new.map(i64::from).or_else(|| old.get(at).copied());
        new.unwrap_or(NO_VERDICT)
    };
    let labels: Vec<i64> = (0..rows as usize).map(label).collect();
    replaced(out, |file| {
        let mut from = std::fs::File::open(source).map_err(GraspFileError::io("open", source))?;
        std::io::copy(&mut from, file).map_err(GraspFileError::io("write", out))?;
        Ok(())
    })?;
    let edit = || -> Result<(), hdf5_pure::Error> {
        let file = File::open_rw(out)?;
        if file.dataset(LABELS).is_ok() {
            file.root().delete(LABELS)?;
        }
        let mut at = file.root();
        for name in ["grasps", "qualities", "flex"] {
            at = match at.group(name) {
                Ok(group) => group,
                Err(_) => at.create_group(name)?,
            };
        }
        let shape = [rows];
        at.create_dataset("object_in_gripper", |dataset| {
            dataset.with_i64_data(&labels).with_shape(&shape);
        })?;
        file.commit()?;
        file.close()
    };
    edit().map_err(|error| GraspFileError::damaged(out, LABELS, error))
}
