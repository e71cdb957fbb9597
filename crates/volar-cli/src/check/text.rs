//! The outcome for people: short lines that fit a narrow terminal.

use glam::DVec3;
use volar_geom::mesh::check::{CheckReport, Complaint};

use super::{Checked, Outcome};

pub fn print(outcomes: &[Outcome]) {
    for (index, outcome) in outcomes.iter().enumerate() {
        if index > 0 {
            println!();
        }
        match &outcome.result {
            Ok(checked) => print_checked(&outcome.file.display().to_string(), checked),
            // The error names the file.
            Err(error) => eprintln!("error: {error}"),
        }
    }
    if outcomes.len() > 1 {
        let usable = |o: &&Outcome| o.result.as_ref().is_ok_and(|c| c.report.is_usable());
        println!(
            "\n{} of {} usable",
            outcomes.iter().filter(usable).count(),
            outcomes.len()
        );
    }
}

fn print_checked(file: &str, checked: &Checked) {
    let report = &checked.report;
    let verdict = if report.is_usable() {
        "usable"
    } else {
        "NOT usable"
    };
    match &checked.repair {
        Some(repair) if !repair.steps.is_empty() => {
            println!("{file}: {verdict} after repair");
            repair
                .steps
                .iter()
                .for_each(|step| println!("  step: {step}"));
        }
        _ => println!("{file}: {verdict}"),
    }
    print_measures(report, checked);
    for complaint in &report.complaints {
        print_complaint(complaint);
    }
}

fn print_measures(report: &CheckReport, checked: &Checked) {
    line("triangles", &report.triangles.to_string());
    line("vertices", &report.vertices.to_string());
    line("shells", &report.shells.len().to_string());
    if let Some(bounds) = report.bounds {
        line("from", &vector(bounds.min, "m"));
        line("to", &vector(bounds.max, "m"));
        line("area", &format!("{} m²", number(report.area)));
    }
    if let (Some(moments), Some(mass)) = (report.moments, checked.mass) {
        line("volume", &format!("{} m³", number(moments.volume)));
        line("centre", &vector(moments.centroid, "m"));
        line("mass", &format!("{} kg", number(mass.mass)));
        let rows = mass.inertia.transpose();
        line("inertia", &vector(rows.x_axis, "kg m²"));
        line("", &vector(rows.y_axis, ""));
        line("", &vector(rows.z_axis, ""));
    }
}

fn print_complaint(complaint: &Complaint) {
    let kind = if complaint.is_fatal() {
        "error"
    } else {
        "note"
    };
    println!("  {kind}: {}", complaint.what());
    for place in complaint.places.iter().take(3) {
        println!("    {place}");
    }
    match complaint.defect.remedy() {
        "" => {}
        remedy => println!("    remedy: {remedy}"),
    }
}

fn line(label: &str, value: &str) {
    println!("  {label:<10}{value}");
}

fn vector(v: DVec3, unit: &str) -> String {
    let text = format!("{} {} {}", number(v.x), number(v.y), number(v.z));
    format!("{text} {unit}").trim_end().to_owned()
}

/// Six significant digits.
fn number(x: f64) -> String {
    if x.abs() >= 1e-3 && x.abs() < 1e6 || x.abs() <= 0.0 {
        let digits = 5 - x.abs().log10().floor().clamp(-3.0, 5.0) as i32;
        format!("{x:.*}", digits as usize)
    } else {
        format!("{x:.5e}")
    }
}
