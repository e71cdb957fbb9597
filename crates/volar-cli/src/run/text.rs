//! The summary for people.

use std::fmt::Write;
use std::path::Path;

use volar_robots::NoteKind;
use volar_run::{GraspQuality, Outcome};
use volar_scene::Setup;

use crate::terminal;

/// What was changed or left out of the scene's files, on stderr.
pub fn notes(setup: &Setup) {
    for (robot, report) in &setup.reports {
        for kind in [NoteKind::Unsupported, NoteKind::Changed] {
            for note in report.of_kind(kind) {
                terminal::note(format!("{robot}: {note}"));
            }
        }
    }
}

/// The summary as a short text.
pub fn summary(setup: &Setup, outcome: &Outcome, folder: Option<&Path>) -> String {
    let s = &outcome.summary;
    let mut out = String::new();
    let verdict = match (s.held, &s.failure) {
        (_, Some(failure)) => format!("FAILED at {:.3} s: {}", failure.time_s, failure.what),
        (Some(true), None) => {
            let words = s.verdict.as_deref();
            let doubts = words.and_then(|words| words.strip_prefix("held"));
            format!("held for {} s{}", s.duration_s, doubts.unwrap_or_default())
        }
        _ => format!("ran for {} s", s.duration_s),
    };
    let _ = writeln!(out, "{}: {verdict}", s.scene);
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "  {name:16}{text}");
    };
    for phase in &s.phases {
        line("phase", format!("{}: {}", phase.name, phase.verdict));
    }
    let header = volar_run::grasp_header(setup).unwrap_or_default();
    let since = header.since(s.duration_s).text;
    let last = header.last_second(s.duration_s).text;
    if let (Some(drift), Some(rotation)) = (s.drift_mm, s.rotation_deg) {
        let text = format!("{} mm, {}° ({since})", sig(drift), sig(rotation));
        line("drift", text);
    }
    if let (Some(creep), Some(turn)) = (s.creep_um_per_s, s.creep_deg_per_s) {
        let text = format!("{} µm/s, {}°/s ({last})", sig(creep), sig(turn));
        line("creep", text);
    }
    if let Some(slip) = s.slip_um {
        line("slip", format!("{} µm ({since})", sig(slip)));
    }
    if let Some(margin) = s.friction_margin {
        let text = format!("{:.0} % of the limit at least ({last})", 100.0 * margin);
        line("friction left", text);
    }
    if !s.normal_force_n.is_empty() {
        let forces: Vec<String> = s
            .normal_force_n
            .iter()
            .map(|(finger, force)| format!("{finger} {force:.3} N"))
            .collect();
        line("normal force", format!("{} ({last})", forces.join(", ")));
    }
    if let Some(load) = s.palm_load_n.filter(|load| *load > 0.0) {
        line("load on palm", format!("{load:.3} N ({last})"));
    }
    if let Some(ratio) = s.kinetic_energy_ratio {
        line(
            "kinetic energy",
            format!("{ratio:.4} of the prescribed motion's"),
        );
    }
    if let Some(loads) = &s.pull_loads_n {
        let loads: Vec<String> = loads
            .iter()
            .map(|(way, load)| match load {
                Some(load) => format!("{way} {load:.1} N"),
                None => format!("{way} held"),
            })
            .collect();
        line("slips at", loads.join(", "));
    }
    if let Some(overlap) = s
        .start_overlap
        .filter(|o| o.object_depth_mm + o.hand_depth_mm > 0.0)
    {
        let text = format!(
            "hand in object {} mm ({} mm³), in itself {} mm ({} mm³)",
            sig(overlap.object_depth_mm),
            sig(overlap.object_volume_mm3),
            sig(overlap.hand_depth_mm),
            sig(overlap.hand_volume_mm3),
        );
        line("start overlap", text);
    }
    for text in s.quality.iter().flat_map(quality) {
        line("quality", text);
    }
    line(
        "largest",
        format!(
            "{:.1} N, {:.3} mm deep (whole run)",
            s.max_force_n, s.max_depth_mm
        ),
    );
    line(
        "cost",
        format!(
            "{:.3} s ({} x real time), {} steps, {} rejected, {} evaluations",
            s.wall_s,
            sig(s.real_time_factor),
            s.steps,
            s.rejected,
            s.evaluations
        ),
    );
    // What is wrong with the scene was said before it ran.
    for warning in s.warnings.iter().filter(|w| !setup.notes.contains(w)) {
        line("warning", warning.clone());
    }
    if let Some(folder) = folder {
        line("kept in", folder.display().to_string());
    }
    out
}

/// The static quality of the grasp, a line for each contact model.
fn quality(quality: &GraspQuality) -> Vec<String> {
    let mut lines = vec![format!(
        "{} contacts, {} mm² (at {} s; torques over {} m)",
        quality.contacts,
        sig(quality.area_mm2),
        quality.time_s,
        sig(quality.length_m),
    )];
    let models = [
        ("points", &quality.point),
        ("soft fingers", &quality.soft_finger),
        ("patches", &quality.patch),
    ];
    let or_none = |value: Option<f64>| value.map_or("-".into(), sig);
    for (name, found) in models {
        let Some(found) = found else { continue };
        let closure = if found.force_closure {
            "force closure"
        } else {
            "no force closure"
        };
        lines.push(format!(
            "{name}: {closure}, epsilon {} (L1), {} (L∞), volume {}, Q1 {}, isotropy {}, weight balanced by {} N",
            or_none(found.epsilon_l1),
            or_none(found.epsilon_linf),
            or_none(found.volume_l1),
            or_none(found.q1),
            sig(found.isotropy),
            or_none(found.balancing_force_n),
        ));
    }
    lines.extend(
        quality
            .problem
            .iter()
            .map(|problem| format!("not all measured: {problem}")),
    );
    lines
}

/// Three significant digits, without a long tail of zeros.
fn sig(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if (1.0e-3..1.0e4).contains(&size) {
        let digits = (2 - size.log10().floor() as i32).max(0);
        format!("{value:.*}", digits as usize)
    } else {
        format!("{value:.2e}")
    }
}
