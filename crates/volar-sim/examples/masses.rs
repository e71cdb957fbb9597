#![allow(missing_docs)]
#[path = "../tests/scenes/mod.rs"]
#[allow(dead_code)]
mod scenes;
use glam::DVec3;
use scenes::*;
use volar_sim::*;
fn main() {
    for mass in [0.001, 0.01, 0.1, 1.0, 10.0] {
        let mut squeeze = Squeeze::of(block(DVec3::splat(0.06)));
        squeeze.mass = mass;
        squeeze.effort = 10.0 * mass / 0.2;
        let model = squeeze.model();
        let mut sim = Simulation::new(model.clone(), State::neutral(&model), Settings::default());
        let z = |sim: &Simulation| sim.state().q[model.tree.q_range(2).start + 2];
        sim.advance(2.0).unwrap();
        let z2 = z(&sim);
        sim.advance(10.0).unwrap();
        let v = model.tree.v_range(2);
        let speed = DVec3::from_slice(&sim.state().v[v.start..]).length();
        println!("mass {mass} z {:.3} mm drift {:.2e} speed {speed:.1e} {:?}", z(&sim) * 1e3, z(&sim) - z2, sim.statistics());
    }
    for (low, high) in [(0.001, 10.0), (10.0, 0.001)] {
        let rubber = volar_contact::Material::named("rubber").unwrap();
        let mut b = ModelBuilder::new();
        b.add(BodySpec::fixed("floor", block(DVec3::new(1.0, 1.0, 0.1)), volar_geom::Pose::from_translation(DVec3::new(0.0, 0.0, -0.05)), rubber));
        b.add(BodySpec::free("low", block(DVec3::splat(0.06)), low, rubber));
        b.add(BodySpec::free("high", block(DVec3::splat(0.05)), high, rubber));
        let model = std::sync::Arc::new(b.build().unwrap());
        let mut state = State::neutral(&model);
        place(&model, &mut state, 1, DVec3::new(0.0, 0.0, 0.031), [1.0, 0.0, 0.0, 0.0]);
        place(&model, &mut state, 2, DVec3::new(0.002, 0.001, 0.088), [1.0, 0.01, 0.0, 0.0]);
        let mut sim = Simulation::new(model.clone(), state, Settings::default());
        for t in [0.5, 2.0, 10.0] {
            if let Err(e) = sim.advance(t) { println!("{e}"); break; }
            let p = |b: usize| DVec3::from_slice(&sim.state().q[model.tree.q_range(b).start..]);
            println!("stack {low} {high} t {t} {:?} {:?} {:?}", p(1), p(2), sim.statistics());
            println!("  ke {:e}", sim.energies().unwrap().kinetic);
        }
    }
}
