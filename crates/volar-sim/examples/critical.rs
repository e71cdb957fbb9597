#![allow(missing_docs)]
#[path = "../tests/scenes/mod.rs"]
#[allow(dead_code)]
mod scenes;
use glam::DVec3;
use scenes::*;
use volar_sim::*;
fn main() {
    for name in ["cube", "sphere", "bunny"] {
        for ratio in [1.001, 0.999] {
            let object = match name { "sphere" => ball(), "bunny" => bunny(), _ => block(DVec3::splat(0.06)) };
            let mut squeeze = Squeeze::of(object);
            squeeze.size = DVec3::new(0.02, 0.02, 0.03);
            let (m, g, n) = (0.2, 9.81, 10.0);
            let crit = m * g / (2.0 * n);
            squeeze.pad = squeeze.pad.with_friction(2.0 * crit);
            squeeze.skin = squeeze.skin.with_friction(2.0 * crit);
            squeeze.gap = if name == "bunny" { 0.0385 } else { 0.0305 };
            let mut builder = squeeze.builder();
            builder.gravity = DVec3::ZERO;
            let model = std::sync::Arc::new(builder.build().unwrap());
            let mut state = State::neutral(&model);
            if name == "bunny" {
                place(&model, &mut state, 2, DVec3::new(0.001, 0.0, 0.0), [0.49242356, 0.870355696, 0.0, 0.0]);
            }
            let mut sim = Simulation::new(model.clone(), state, Settings::default());
            sim.advance(1.0).unwrap();
            sim.controls_mut().gravity = DVec3::new(0.0, 0.0, -9.81);
            sim.advance(4.0).unwrap();
            let slip0: f64 = sim.contacts().unwrap().iter().map(|c| c.slip).fold(0.0, f64::max);
            let z0 = sim.state().q[model.tree.q_range(2).start + 2];
            let normal: Vec<f64> = sim.contacts().unwrap().iter().map(|c| c.normal_force).collect();
            for mat in &mut sim.controls_mut().materials { mat.friction = ratio * crit; }
            for t in [0.1, 0.2, 0.5, 1.0, 5.0] {
                if let Err(e) = sim.advance(4.0 + t) { println!("{e}"); break; }
                let z = sim.state().q[model.tree.q_range(2).start + 2] - z0;
                let slip: f64 = sim.contacts().unwrap().iter().map(|c| c.slip).fold(0.0, f64::max);
                let predict = 0.5 * (1.0 - ratio) * g * t * t;
                println!("{name} {ratio} t {t} dz {z:.4e} slip {:.3e} predict {:.3e} {:?} N {normal:?}", slip - slip0, -predict, sim.statistics().steps);
            }
        }
    }
}
