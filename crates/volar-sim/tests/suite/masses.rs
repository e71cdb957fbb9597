//! Masses from 1 g to 10 kg between the pads, and mass ratios of 10⁴ in a
//! stack of two.

use std::sync::Arc;

use crate::scenes::{Squeeze, block, place};
use glam::DVec3;
use volar_contact::Material;
use volar_geom::Pose;
use volar_sim::{Body, BodyId, ModelBuilder, Settings, Simulation, State};

#[test]
fn one_gram_to_ten_kilograms_are_held() {
    println!("mass/kg  effort/N  drift 2-10 s/m  speed m/s  steps  rejected");
    for mass in [0.001, 0.01, 0.1, 1.0, 10.0] {
        let mut squeeze = Squeeze::of(block(DVec3::splat(0.06)));
        squeeze.mass = mass;
        squeeze.effort = 50.0 * mass;
        // Small efforts close slowly, so the pads start at the object.
        squeeze.gap = 0.03;
        let model = squeeze.model();
        let mut simulation =
            Simulation::new(model.clone(), State::neutral(&model), Settings::default()).unwrap();
        simulation.advance_to(2.0).unwrap();
        let at = model.tree().q_range(2).start;
        let height = simulation.state().q[at + 2];
        simulation.advance_to(10.0).unwrap();
        let drift = (simulation.state().q[at + 2] - height).abs();
        let v = &simulation.state().v[model.tree().v_range(2)];
        let speed = DVec3::from_slice(v).length();
        let s = simulation.statistics();
        println!(
            "{mass:7}  {:8}  {drift:14.1e}  {speed:9.1e}  {:5}  {:8}",
            squeeze.effort, s.steps, s.rejected
        );
        assert!(height > -0.005, "held");
        assert!(drift < 1e-12 && speed < 1e-12);
    }
}

#[test]
fn stacks_with_mass_ratios_of_ten_thousand_stand() {
    let rubber = Material::named("rubber").unwrap();
    println!("lower/kg  upper/kg  kinetic energy at 10 s/J  steps  rejected");
    for (lower, upper) in [(0.001, 10.0), (10.0, 0.001)] {
        let mut builder = ModelBuilder::new();
        let floor = block(DVec3::new(1.0, 1.0, 0.1));
        let below = Pose::from_translation(DVec3::new(0.0, 0.0, -0.05));
        builder.add(Body::fixed("floor", floor, below, rubber));
        builder.add(Body::free(
            "lower",
            block(DVec3::splat(0.06)),
            lower,
            rubber,
        ));
        builder.add(Body::free(
            "upper",
            block(DVec3::splat(0.05)),
            upper,
            rubber,
        ));
        let model = Arc::new(builder.build().unwrap());
        let mut state = State::neutral(&model);
        let level = [1.0, 0.0, 0.0, 0.0];
        place(
            &model,
            &mut state,
            BodyId::new(1),
            DVec3::new(0.0, 0.0, 0.031),
            level,
        );
        // A millimetre above, off the middle and askew.
        let askew = [1.0, 0.01, 0.0, 0.0];
        place(
            &model,
            &mut state,
            BodyId::new(2),
            DVec3::new(0.002, 0.001, 0.088),
            askew,
        );
        let mut simulation = Simulation::new(model.clone(), state, Settings::default()).unwrap();
        simulation.advance_to(10.0).unwrap();
        let kinetic = simulation.energies().kinetic;
        let s = simulation.statistics();
        println!(
            "{lower:8}  {upper:8}  {kinetic:24.1e}  {:5}  {:8}",
            s.steps, s.rejected
        );
        let height = simulation.state().q[model.tree().q_range(2).start + 2];
        assert!(
            (height - 0.085).abs() < 0.001,
            "the upper one lies on the lower"
        );
        assert!(kinetic < 1e-12);
    }
}
