//! The paper's nine grasps: three grippers, three objects, 10 s under gravity,
//! default settings. All are held, no force is above 20 times the nominal 10 N
//! after the first second, and in the end nothing creeps.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

#[path = "scenes/grippers.rs"]
mod grippers;
#[allow(dead_code, reason = "each test uses its part of the scenes")]
mod scenes;

use glam::DVec3;
use scenes::{ball, block, bunny};
use volar_contact::Material;
use volar_sim::{BodySpec, Settings, Simulation};

const ON_ITS_BACK: [f64; 4] = [0.492_423_56, 0.870_355_696, 0.0, 0.0];
const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn start(gripper: &str, object: &str) -> (DVec3, [f64; 4]) {
    match (gripper, object) {
        ("g3r", "cube") => (DVec3::new(-0.006, 0.0, 0.0), UPRIGHT),
        ("g3r", "bunny") => (DVec3::new(0.004, 0.003, 0.0), UPRIGHT),
        (_, "bunny") => (DVec3::new(0.001, 0.0, 0.0), ON_ITS_BACK),
        _ => (DVec3::ZERO, UPRIGHT),
    }
}

#[test]
fn all_nine_are_held() {
    println!(
        "scene       held  drift 2-10 s mm  creep um/s  slip um   largest N after 1 s  N at 10 s                steps  rejected  wall ms"
    );
    let mut lost = Vec::new();
    for gripper in ["g2p", "g2r", "g3r"] {
        for name in ["cube", "sphere", "bunny"] {
            let mesh = match name {
                "cube" => block(DVec3::splat(0.06)),
                "sphere" => ball(),
                _ => bunny(),
            };
            let plastic = Material::named("plastic").unwrap().with_friction(0.8);
            let rubber = Material::named("rubber").unwrap().with_friction(0.8);
            let object = BodySpec::free(name, mesh, 0.2, plastic);
            let (position, wxyz) = start(gripper, name);
            let (model, state) = grippers::grasp(gripper, object, position, wxyz, rubber);
            let body = model.skins.len() - 1;
            let at = model.tree.q_range(body).start;
            let mut simulation = Simulation::new(model.clone(), state, Settings::default());
            let clock = std::time::Instant::now();
            let place = |s: &Simulation| DVec3::from_slice(&s.state().q[at..]);
            let mut largest = 0.0_f64;
            let (mut at_2, mut at_9) = (DVec3::ZERO, DVec3::ZERO);
            let mut slips = Vec::new();
            let mut error = None;
            for k in 1..=100 {
                if let Err(e) = simulation.advance(0.1 * f64::from(k)) {
                    error = Some(e);
                    break;
                }
                let contacts = simulation.contacts().unwrap();
                if k > 10 {
                    let forces = contacts.iter().map(|c| c.normal_force);
                    largest = forces.fold(largest, f64::max);
                }
                let slip = contacts.iter().map(|c| c.slip).fold(0.0, f64::max);
                match k {
                    20 => {
                        at_2 = place(&simulation);
                        slips.push(slip);
                    }
                    90 => at_9 = place(&simulation),
                    100 => slips.push(slip),
                    _ => {}
                }
            }
            let wall = clock.elapsed().as_secs_f64() * 1e3;
            let end = place(&simulation);
            let contacts = simulation.contacts().unwrap();
            let held = error.is_none() && (end - position).length() < 0.025 && contacts.len() >= 2;
            let slipped = slips.get(1).map_or(f64::NAN, |s| s - slips[0]);
            let loads: Vec<String> = contacts
                .iter()
                .map(|c| format!("{:.2}", c.normal_force))
                .collect();
            let s = simulation.statistics();
            println!(
                "{gripper}-{name:7} {held:5}  {:15.2e}  {:10.2e}  {:8.1e}  {largest:19.1}  {:24} {:6}  {:8}  {wall:7.0}",
                1e3 * (end - at_2).length(),
                1e6 * (end - at_9).length(),
                1e6 * slipped,
                loads.join(" "),
                s.steps,
                s.rejected,
            );
            let creep = (end - at_9).length();
            if !held || largest > 200.0 || creep > 1e-7 {
                lost.push(format!("{gripper}-{name} {error:?}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:?}");
}
