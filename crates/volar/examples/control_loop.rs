//! A controller in the loop, at 1 kHz: dampers on the fingers of a gripper.
//!
//! ```text
//! cargo run --release -p volar --example control_loop -- SCENE SECONDS REPETITIONS
//! ```
//!
//! `python/bench/cost.py` compares it with the same loop in Python.

use std::error::Error;

use volar::prelude::*;

/// Between two calls of the controller, s.
const PERIOD: f64 = 1.0e-3;

/// N s/m or N m s/rad.
const DAMPING: f64 = 5.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "g2p-cube".into());
    let seconds: f64 = arguments.next().as_deref().unwrap_or("1").parse()?;
    let repetitions: usize = arguments.next().as_deref().unwrap_or("1").parse()?;
    let setup = Arc::new(Scene::open(&name)?.compile()?);
    for _ in 0..repetitions {
        let run = control(&setup, seconds)?;
        println!("{:.3} s: {:?}", run.time(), run.simulation().state().q);
    }
    Ok(())
}

/// The loop: read the rates of the joints, set their efforts, go on by a period.
fn control(setup: &Arc<Setup>, seconds: f64) -> Result<Run, Box<dyn Error>> {
    let mut run = Run::new(setup.clone(), 1)?;
    let mut motors = Vec::new();
    run.simulation_mut().change(|controls| {
        let joints = setup.joints.iter().map(|joint| joint.joint);
        motors.extend(joints.filter_map(|joint| {
            let id = controls.drive(&setup.model, joint, Actuator::effort(0.0));
            Some((joint, id.ok()??))
        }));
    })?;
    for period in 1..=(seconds / PERIOD).round() as u32 {
        let simulation = run.simulation_mut();
        let mut controls = simulation.controls().clone();
        for (joint, motor) in &motors {
            let rate = simulation.joint_velocity(*joint).unwrap_or(0.0);
            controls.set_actuator(*motor, Actuator::effort(-DAMPING * rate))?;
        }
        simulation.adjust(|own| *own = controls)?;
        run.advance_to(f64::from(period) * PERIOD)?;
    }
    Ok(run)
}
