//! The outcome for people: short lines that fit a narrow terminal.

use std::io::{self, Write};

use glam::DVec3;
use volar_geom::mesh::check::Complaint;

use super::{Checked, Outcome};

/// How many places of a complaint are worth a line.
const PLACES: usize = 3;

/// Writes everything there is to say about the files that could be read.
pub fn write(out: &mut impl Write, outcomes: &[Outcome]) -> io::Result<()> {
    for outcome in outcomes {
        if let Ok(checked) = &outcome.result {
            write_verdict(out, &outcome.file.display().to_string(), checked)?;
            write_measures(out, checked)?;
            for complaint in &checked.report.complaints {
                write_complaint(out, complaint)?;
            }
            if outcomes.len() > 1 {
                writeln!(out)?;
            }
        }
    }
    if outcomes.len() > 1 {
        let usable = |o: &&Outcome| o.result.as_ref().is_ok_and(|c| c.report.is_usable());
        let count = outcomes.iter().filter(usable).count();
        writeln!(out, "{count} of {} usable", outcomes.len())?;
    }
    Ok(())
}

fn write_verdict(out: &mut impl Write, file: &str, checked: &Checked) -> io::Result<()> {
    let verdict = if checked.report.is_usable() {
        "usable"
    } else {
        "NOT usable"
    };
    let steps = checked.repair.as_ref().map_or(&[][..], |r| &r.steps);
    let after = if steps.is_empty() {
        ""
    } else {
        " after repair"
    };
    writeln!(out, "{file}: {verdict}{after}")?;
    for step in steps {
        writeln!(out, "  step: {step}")?;
    }
    Ok(())
}

fn write_measures(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    let report = &checked.report;
    let mut line = |label: &str, value: String| writeln!(out, "  {label:<10}{value}");
    line("triangles", report.triangles.to_string())?;
    line("vertices", report.vertices.to_string())?;
    line("shells", report.shells.len().to_string())?;
    if let Some(bounds) = report.bounds {
        line("from", vector(bounds.min) + " m")?;
        line("to", vector(bounds.max) + " m")?;
        line("area", number(report.area) + " m²")?;
    }
    if let Some(planes) = &checked.planes {
        line(
            "rounding",
            format!(
                "{:.1e} m: so near to one plane, triangles are one face",
                planes.rounding
            ),
        )?;
        if let Some(step) = planes.grid_step {
            line(
                "grid",
                format!("{step:.1e} m: the coordinates are rounded to multiples of it"),
            )?;
        }
        if planes.triangles < report.triangles {
            line(
                "merged",
                format!(
                    "{} triangles, within {:.1e} m of these",
                    planes.triangles, planes.deviation
                ),
            )?;
        }
    }
    let (Some(moments), Some(mass)) = (report.moments, checked.mass) else {
        return Ok(());
    };
    line("volume", number(moments.volume) + " m³")?;
    line("centre", vector(moments.centroid) + " m")?;
    // Without a mass the inertia is that of one kilogram per cubic metre.
    let unit = if checked.has_weight {
        line("mass", number(mass.mass) + " kg")?;
        " kg m²"
    } else {
        " m⁵"
    };
    let rows = mass.inertia.transpose();
    line("inertia", vector(rows.x_axis) + unit)?;
    line("", vector(rows.y_axis))?;
    line("", vector(rows.z_axis))
}

fn write_complaint(out: &mut impl Write, complaint: &Complaint) -> io::Result<()> {
    let kind = if complaint.is_fatal() {
        "error"
    } else {
        "note"
    };
    writeln!(out, "  {kind}: {}", complaint.what())?;
    for place in complaint.places.iter().take(PLACES) {
        writeln!(out, "    {place}")?;
    }
    match complaint.defect.remedy() {
        "" => Ok(()),
        remedy => writeln!(out, "    remedy: {remedy}"),
    }
}

fn vector(v: DVec3) -> String {
    format!("{} {} {}", number(v.x), number(v.y), number(v.z))
}

/// Six significant digits.
fn number(x: f64) -> String {
    let size = x.abs();
    if size <= 0.0 {
        "0".into()
    } else if (1e-3..1e6).contains(&size) {
        let decimals = 5 - size.log10().floor() as i32;
        format!("{x:.*}", decimals.max(0) as usize)
    } else {
        format!("{x:.5e}")
    }
}
