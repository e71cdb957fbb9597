//! The outcome for scripts. The keys are part of the interface: they are
//! listed in the help of the command and stay.

use std::io::{self, Write};

use glam::{DMat3, DVec3};
use serde::Serialize;
use volar_geom::mesh::check::{Complaint, Place, Severity};

use super::Outcome;

#[derive(Serialize)]
struct Output<'a> {
    files: Vec<File<'a>>,
}

#[derive(Default, Serialize)]
struct File<'a> {
    file: String,
    usable: bool,
    error: Option<String>,
    vertices: Option<usize>,
    triangles: Option<usize>,
    shells: Option<Vec<Shell>>,
    bounds: Option<Bounds>,
    area: Option<f64>,
    volume: Option<f64>,
    density: Option<f64>,
    mass: Option<f64>,
    centre_of_mass: Option<[f64; 3]>,
    inertia: Option<[[f64; 3]; 3]>,
    rounding: Option<f64>,
    grid_step: Option<f64>,
    merged_triangles: Option<usize>,
    merged_deviation: Option<f64>,
    complaints: Vec<Defect<'a>>,
    repair: Option<Repair<'a>>,
}

#[derive(Serialize)]
struct Repair<'a> {
    steps: Vec<String>,
    volume_before: Option<f64>,
    complaints_before: Vec<Defect<'a>>,
}

#[derive(Serialize)]
struct Shell {
    face: u32,
    triangles: usize,
    volume: Option<f64>,
    outer_winding: Option<i32>,
}

#[derive(Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

#[derive(Serialize)]
struct Defect<'a> {
    defect: &'a str,
    severity: &'a str,
    count: usize,
    places: Vec<Location>,
    message: String,
    remedy: &'a str,
}

#[derive(Serialize)]
struct Location {
    kind: &'static str,
    ids: Vec<u32>,
    at: [f64; 3],
}

/// Writes one object for all files.
pub fn write(out: &mut impl Write, outcomes: &[Outcome]) -> io::Result<()> {
    let output = Output {
        files: outcomes.iter().map(file).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &output)?;
    writeln!(out)
}

fn file<'a>(outcome: &'a Outcome) -> File<'a> {
    let name = outcome.file.display().to_string();
    let checked = match &outcome.result {
        Ok(checked) => checked,
        Err(error) => {
            return File {
                file: name,
                error: Some(error.to_string()),
                ..File::default()
            };
        }
    };
    let report = &checked.report;
    let volume = report.moments.map(|m| m.volume);
    File {
        file: name,
        usable: report.is_usable(),
        error: None,
        vertices: Some(report.vertices),
        triangles: Some(report.triangles),
        shells: Some(
            report
                .shells
                .iter()
                .map(|s| Shell {
                    face: s.face,
                    triangles: s.triangles,
                    volume: s.volume,
                    outer_winding: s.outer_winding,
                })
                .collect(),
        ),
        bounds: report.bounds.map(|b| Bounds {
            min: b.min.to_array(),
            max: b.max.to_array(),
        }),
        area: Some(report.area),
        volume,
        density: checked.mass.zip(volume).map(|(m, v)| m.mass / v),
        mass: checked.mass.map(|m| m.mass),
        centre_of_mass: checked.mass.map(|m| m.centre_of_mass.to_array()),
        inertia: checked.mass.map(|m| rows(m.inertia)),
        rounding: checked.planes.as_ref().map(|planes| planes.rounding),
        grid_step: checked.planes.as_ref().and_then(|planes| planes.grid_step),
        merged_triangles: checked.planes.as_ref().map(|planes| planes.triangles),
        merged_deviation: checked.planes.as_ref().map(|planes| planes.deviation),
        complaints: report.complaints.iter().map(defect).collect(),
        repair: checked.repair.as_ref().map(|repair| Repair {
            steps: repair.steps.iter().map(ToString::to_string).collect(),
            volume_before: repair.before.moments.map(|m| m.volume),
            complaints_before: repair.before.complaints.iter().map(defect).collect(),
        }),
    }
}

fn defect(complaint: &Complaint) -> Defect<'_> {
    Defect {
        defect: complaint.defect.name(),
        severity: match complaint.defect.severity() {
            Severity::Unusable => "unusable",
            Severity::Note => "note",
        },
        count: complaint.count,
        places: complaint.places.iter().map(location).collect(),
        message: complaint.what(),
        remedy: complaint.defect.remedy(),
    }
}

fn location(place: &Place) -> Location {
    let (kind, ids, at): (_, _, DVec3) = match *place {
        Place::Vertex { vertex, at } => ("vertex", vec![vertex], at),
        Place::Edge { vertices, at } => ("edge", vertices.to_vec(), at),
        Place::Face { face, at } => ("face", vec![face], at),
        Place::Faces { faces, at } => ("faces", faces.to_vec(), at),
    };
    Location {
        kind,
        ids,
        at: at.to_array(),
    }
}

fn rows(m: DMat3) -> [[f64; 3]; 3] {
    m.transpose().to_cols_array_2d()
}
