#![allow(missing_docs)]
#[path = "../tests/scenes/mod.rs"]
#[allow(dead_code)]
mod scenes;
use glam::DVec3;
use scenes::*;
use std::sync::Arc;
use volar_contact::Material;
use volar_dynamics::*;
use volar_geom::Pose;
use volar_sim::*;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mat = std::env::args().nth(2).unwrap_or("plastic".into());
    let tol: f64 = std::env::args().nth(3).map_or(1e-3, |s| s.parse().unwrap());
    let end: f64 = std::env::args().nth(4).map_or(100.0, |s| s.parse().unwrap());
    let material = Material::named(&mat).unwrap().with_friction(100.0);
    let mut b = ModelBuilder::new();
    let size = DVec3::new(0.1, 0.2, 0.2);
    for side in [-1.0, 1.0] {
        let pad = b.add(BodySpec {
            name: format!("finger{side}"),
            parent: Parent::World,
            X_PJ: Pose::from_translation(DVec3::new(side * (0.05 * n as f64 + 0.05), 0.0, 0.0)),
            joint: Joint::Prismatic { axis: DVec3::new(-side, 0.0, 0.0) },
            mass: box_mass(1.0, size),
            shapes: vec![block(size)],
            material,
            dof: DofParams::default(),
        });
        b.actuate(pad, 0, Actuator::Effort(100.0 * n as f64));
    }
    let cube = block(DVec3::splat(0.1));
    for i in 0..n {
        b.add(BodySpec::free(&format!("block{i}"), cube.clone(), 1.0, material));
    }
    let model = Arc::new(b.build().unwrap());
    let mut state = State::neutral(&model);
    for i in 0..n {
        let x = 0.1 * (i as f64 - 0.5 * (n as f64 - 1.0));
        place(&model, &mut state, 2 + i, DVec3::new(x, 0.0, 0.0), [1.0, 0.0, 0.0, 0.0]);
    }
    let mut sim = Simulation::new(model.clone(), state, Settings { tolerance: tol, ..Settings::default() });
    let start = std::time::Instant::now();
    let pos = |sim: &Simulation| -> Vec<DVec3> {
        (0..n).map(|i| DVec3::from_slice(&sim.state().q[model.tree.q_range(2 + i).start..])).collect()
    };
    let mut at2 = vec![];
    for t in [0.001, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0] {
        if t > end { break; }
        if let Err(e) = sim.advance(t) {
            println!("{e}");
            break;
        }
        let p = pos(&sim);
        if t == 2.0 { at2 = p.clone(); }
        let drift = p.iter().zip(&at2).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        let ke = sim.energies().unwrap().kinetic;
        println!("n {n} t {t} sag {:.3e} m drift {drift:.2e} ke {ke:.2e} next {:.1e} contacts {} {:?} wall {:?}", p[n / 2].z, sim.next_step(), sim.contacts().unwrap().len(), sim.statistics(), start.elapsed());
    }
}
