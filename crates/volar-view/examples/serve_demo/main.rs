//! Runs that need no scene file, for trying and testing report and viewer.
//!
//! ```text
//! serve_demo report DIR       a grasp, as a report in DIR
//! serve_demo recording        the same grasp as a recording
//! serve_demo live             the same grasp, live
//! serve_demo squeeze          a cube between two pads, live
//! serve_demo hand             24 joints and the bunny, moved by formulas, live
//! ```
//!
//! Servers print their address and stop when standard input ends.

mod grasp;
mod hand;

use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::json;
use volar_record::{Frame, Role};
use volar_view::{Live, RunInfo, ServeOptions, Server};

use grasp::Grasp;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let port = std::env::var("PORT")
        .ok()
        .and_then(|port| port.parse().ok());
    let options = ServeOptions {
        port: port.unwrap_or(0),
        open: false,
    };
    match words.as_slice() {
        ["report", dir] => {
            let mut grasp = Grasp::three_fingers()?;
            let (frames, info) = recorded(&mut grasp, 4.0)?;
            let clock = Instant::now();
            volar_view::report::write(Path::new(dir), &info, grasp.header(), &frames)?;
            println!("written in {:.2} s", clock.elapsed().as_secs_f64());
        }
        ["recording"] => {
            let mut grasp = Grasp::three_fingers()?;
            let (frames, info) = recorded(&mut grasp, 4.0)?;
            let server = Server::bind(&options)?;
            println!("{}", server.address());
            server.serve_recording(grasp.header(), &frames, Some(&info), &until_input_ends())?;
        }
        ["live"] => live(Box::new(Grasp::three_fingers()?), &options)?,
        ["squeeze"] => live(Box::new(Grasp::squeeze()?), &options)?,
        ["hand"] => live(Box::new(hand::Hand::new()?), &options)?,
        _ => return Err("usage: serve_demo report DIR | recording | live | squeeze | hand".into()),
    }
    Ok(())
}

fn live(live: Box<dyn Live>, options: &ServeOptions) -> Outcome<()> {
    let server = Server::bind(options)?;
    println!("{}", server.address());
    server.serve_live(live, &until_input_ends())?;
    Ok(())
}

/// A flag that is set when standard input ends.
fn until_input_ends() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        flag.store(true, Ordering::Relaxed);
    });
    stop
}

/// Frames at 250 Hz, and what is to be said about them.
fn recorded(grasp: &mut Grasp, duration: f64) -> Outcome<(Vec<Frame>, RunInfo)> {
    let clock = Instant::now();
    let mut frames = vec![grasp.frame()?];
    for k in 1..=(250.0 * duration) as u32 {
        grasp.advance(f64::from(k) / 250.0)?;
        frames.push(grasp.frame()?);
    }
    let wall = clock.elapsed().as_secs_f64();
    let header = grasp.header();
    let last = frames.last().ok_or("no frames")?;
    let object = header
        .bodies
        .iter()
        .position(|b| b.role == Role::Object)
        .ok_or("no object")?;
    let moved = last.bodies[object].position - frames[0].bodies[object].position;
    let mut forces = serde_json::Map::new();
    for contact in &last.contacts {
        let finger = [contact.a, contact.b].map(|body| header.bodies[body].finger.as_str());
        let sum = forces.entry(finger.concat()).or_insert(json!(0.0));
        *sum = json!(sum.as_f64().unwrap_or(0.0) + contact.normal_force);
    }
    let largest = |of: fn(&volar_record::Contact) -> f64| {
        let contacts = frames.iter().flat_map(|frame| &frame.contacts);
        contacts.map(of).fold(0.0, f64::max)
    };
    let margins = last.contacts.iter().map(|contact| contact.friction_margin);
    let info = RunInfo {
        summary: json!({
            "held": moved.length() < 0.02,
            "failure": null,
            "drift_mm": 1e3 * moved.length(),
            "friction_margin": margins.fold(1.0, f64::min),
            "normal_force_n": forces,
            "max_force_n": largest(|contact| contact.normal_force),
            "max_depth_mm": 1e3 * largest(|contact| contact.depth),
            "wall_s": wall,
            "real_time_factor": duration / wall,
            "scene": header.scene,
            "law": "foundation",
            "integrator": "implicit",
        }),
        scene_toml: "# Three fingers close on the bunny.\n[object]\nmesh = \"bunny.obj\"\nmass = 0.2\n\n[gripper]\nmaterial = \"rubber\"\n".into(),
        command: "cargo run --release -p volar-view --example serve_demo -- report out/demo".into(),
        version: env!("CARGO_PKG_VERSION").into(),
    };
    Ok((frames, info))
}
