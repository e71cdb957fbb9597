//! Prints what is in robot files: `inspect [--balance] [--table | --json] FILE…`.
//!
//! `--table` gives one line per file, refused ones with the reason; `--json`
//! the links of one file with their frames, masses and coordinates, for
//! comparison with other readers. `--balance` replaces inertias that no solid
//! has. Folders in `VOLAR_PACKAGES`, split by `:`,
//! are where `package://` is looked for.

#![allow(non_snake_case)] // frame notation

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use volar_robots::meshes::link_solids;
use volar_robots::{ImportReport, LoadOptions, NoteKind, Robot, load};

fn main() -> ExitCode {
    let mut mode = None;
    let mut balance_inertia = false;
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix("--") {
            Some("balance") => balance_inertia = true,
            Some(flag) => mode = Some(flag.to_owned()),
            None => files.push(PathBuf::from(argument)),
        }
    }
    if files.is_empty() {
        eprintln!("usage: inspect [--balance] [--table | --json] FILE…");
        return ExitCode::FAILURE;
    }
    let packages = std::env::var("VOLAR_PACKAGES").unwrap_or_default();
    let options = LoadOptions {
        packages: std::env::split_paths(&packages).collect(),
        balance_inertia,
    };
    if mode.as_deref() == Some("table") {
        println!("| file | links | dofs | actuators | couplings | notes |");
        println!("|---|---|---|---|---|---|");
    }
    let mut failed = false;
    for file in &files {
        match (load(file, &options), mode.as_deref()) {
            (Ok((robot, report)), Some("table")) => row(file, &robot, report),
            (Ok((robot, _)), Some("json")) => json(&robot),
            (Ok((robot, report)), _) => summary(&robot, report),
            (Err(error), Some("table")) => {
                println!("| {} | refused: {error} |||||", file.display());
            }
            (Err(error), _) => {
                eprintln!("{error}");
                failed = true;
            }
        }
    }
    match failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

/// Triangles of all solids; None when one of them is refused.
fn solids(robot: &Robot, report: &mut ImportReport) -> Result<usize, String> {
    let mut triangles = 0;
    for link in 0..robot.links.len() {
        let solids = link_solids(robot, link, report).map_err(|error| error.to_string())?;
        triangles += solids.iter().map(|s| s.triangles.len()).sum::<usize>();
    }
    Ok(triangles)
}

fn row(file: &Path, robot: &Robot, mut report: ImportReport) {
    let meshes = match solids(robot, &mut report) {
        Ok(triangles) => format!("{triangles} triangles"),
        Err(error) => format!("refused: {error}"),
    };
    let name = |kind| -> Vec<String> {
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        for note in report.of_kind(kind) {
            *counts.entry(&note.what).or_default() += note.names.len();
        }
        counts
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect()
    };
    println!(
        "| {} | {} | {} | {} | {} | {meshes}; not supported: {}; changed: {} |",
        file.display(),
        robot.links.len(),
        robot.nv(),
        robot.actuators.len(),
        robot.couplings.len(),
        name(NoteKind::Unsupported).join(", "),
        name(NoteKind::Changed).join(", "),
    );
}

fn summary(robot: &Robot, mut report: ImportReport) {
    println!(
        "{} `{}`: {} links, {} degrees of freedom, {} actuators, {} couplings, {} pairs, {} keyframes",
        report.format,
        robot.name,
        robot.links.len(),
        robot.nv(),
        robot.actuators.len(),
        robot.couplings.len(),
        robot.touching_links().len(),
        robot.keyframes.len(),
    );
    for (i, link) in robot.links.iter().enumerate() {
        let parent = link.parent.map_or(String::new(), |p| format!(" on {p}"));
        let mass = link.inertial.map_or(0.0, |m| m.mass);
        println!(
            "  {i} {}{parent}: {:?} `{}` {:?}, {mass} kg, {} solids, {} visuals",
            link.name,
            link.joint.kind,
            link.joint.name,
            link.joint.limits,
            link.collisions.len(),
            link.visuals.len(),
        );
    }
    for actuator in &robot.actuators {
        println!(
            "  actuator {}: {:?} on {:?}, force {:?}, control {:?}",
            actuator.name,
            actuator.law.kind(),
            actuator.drives,
            actuator.force_range,
            actuator.control_range
        );
    }
    for coupling in &robot.couplings {
        println!(
            "  coupling {}: {:?} in {:?}",
            coupling.name, coupling.terms, coupling.range
        );
    }
    match solids(robot, &mut report) {
        Ok(triangles) => println!("  {triangles} triangles in contact"),
        Err(error) => println!("  in contact: {error}"),
    }
    println!("{report}");
}

fn json(robot: &Robot) {
    let list = |v: &[f64]| {
        let texts: Vec<String> = v.iter().map(|x| format!("{x:e}")).collect();
        format!("[{}]", texts.join(","))
    };
    let links: Vec<String> = robot
        .links
        .iter()
        .map(|link| {
            let (mass, com, inertia) = link.inertial.map_or((0.0, [0.0; 3], [0.0; 9]), |m| {
                let (com, inertia) = (m.centre_of_mass, m.inertia.to_cols_array());
                (m.mass, com.to_array(), inertia)
            });
            format!(
                "{{\"name\":{:?},\"parent\":{},\"kind\":\"{:?}\",\"joint\":{:?},\"axis\":{},\
                 \"R\":{},\"p\":{},\"offset\":{},\"initial\":{},\"mass\":{mass:e},\"com\":{},\
                 \"inertia\":{},\"intermediate\":{},\"limits\":{},\"damping\":{:e},\
                 \"armature\":{:e},\"friction\":{:e},\"stiffness\":{:e}}}",
                link.name,
                link.parent.map_or("null".into(), |p| p.to_string()),
                link.joint.kind,
                link.joint.name,
                list(&link.joint.axis.to_array()),
                list(&link.X_PJ.R.to_cols_array()),
                list(&link.X_PJ.p.to_array()),
                list(&link.X_LB.p.to_array()),
                list(&link.joint.initial),
                list(&com),
                list(&inertia),
                link.intermediate,
                link.joint.limits.map_or("null".into(), |l| list(&l)),
                link.joint.damping,
                link.joint.armature,
                link.joint.friction,
                link.joint.stiffness,
            )
        })
        .collect();
    let poses: Vec<String> = [robot.initial(), some_coordinates(robot)]
        .iter()
        .map(|q| {
            let poses = robot.link_poses(q);
            let bodies: Vec<String> = poses
                .iter()
                .zip(&robot.links)
                .map(|(X_WL, link)| {
                    let X_WB = X_WL.compose(&link.X_LB);
                    list(&[&X_WB.R.to_cols_array()[..], &X_WB.p.to_array()].concat())
                })
                .collect();
            format!("{{\"q\":{},\"bodies\":[{}]}}", list(q), bodies.join(","))
        })
        .collect();
    let actuators: Vec<String> = robot
        .actuators
        .iter()
        .map(|a| {
            format!(
                "{{\"name\":{:?},\"gain\":{:e},\"bias\":{},\"gear\":{:e},\"force\":{},\"control\":{}}}",
                a.name,
                a.law.gain,
                list(&a.law.bias),
                a.gear,
                a.force_range.map_or("null".into(), |r| list(&r)),
                a.control_range.map_or("null".into(), |r| list(&r)),
            )
        })
        .collect();
    let pairs: Vec<String> = robot
        .touching_links()
        .iter()
        .map(|(a, b)| format!("[{a},{b}]"))
        .collect();
    println!(
        "{{\"links\":[{}],\"poses\":[{}],\"actuators\":[{}],\"pairs\":[{}],\"couplings\":{}}}",
        links.join(","),
        poses.join(","),
        actuators.join(","),
        pairs.join(","),
        robot.couplings.len(),
    );
}

/// Coordinates away from the start, the same every time.
fn some_coordinates(robot: &Robot) -> Vec<f64> {
    let start = robot.initial();
    let steps = start.iter().enumerate();
    steps
        .map(|(i, q)| q + 0.3 * (1.0 + 7.3 * i as f64).sin())
        .collect()
}
