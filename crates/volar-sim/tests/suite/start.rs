//! Starting in overlap: relaxing takes bodies apart without speed, and refuses
//! what is too deep to say which way is out.

use std::sync::Arc;

use crate::scenes::{Squeeze, ball, block, place};
use glam::DVec3;
use volar_math::Wrench;
use volar_sim::{
    Body, BodyId, Controls, Load, ModelBuilder, Settings, SimError, Simulation, State, Warning,
};

/// Pads that start `deep` metres in the object.
fn deep_in(deep: f64) -> Simulation {
    let mut squeeze = Squeeze::of(ball());
    squeeze.gap = 0.03 - deep;
    let model = squeeze.model();
    Simulation::new(model.clone(), State::neutral(&model), Settings::default()).unwrap()
}

#[test]
fn relaxed_start_has_no_overlap_and_no_speed() {
    let mut simulation = deep_in(0.003);
    let depth = |simulation: &mut Simulation| {
        let contacts = simulation.contacts();
        contacts.iter().map(|c| c.depth).fold(0.0, f64::max)
    };
    let before = depth(&mut simulation);
    simulation.relax().unwrap();
    let after = depth(&mut simulation);
    println!(
        "deepest {:.2} mm, relaxed {:.1e} mm",
        1e3 * before,
        1e3 * after
    );
    assert!(before > 2e-3 && after <= 1e-6);
    assert!(simulation.energies().kinetic <= 0.0);
    // And it goes on to hold, with no force above that of a normal grasp.
    let mut most = 0.0_f64;
    for k in 1..=200 {
        simulation.advance_to(0.005 * f64::from(k)).unwrap();
        for contact in simulation.contacts() {
            most = most.max(contact.normal_force);
        }
    }
    println!("largest force after it {most:.1} N");
    assert!(most < 200.0);
    assert_eq!(simulation.contacts().len(), 2);
}

/// Ground is a half-space: a block slides down it wherever it is put.
#[test]
fn ground_carries_a_block_far_from_its_middle() {
    let rubber = volar_contact::Material::named("rubber").unwrap();
    let up = DVec3::new(0.0, 0.0, 1.0);
    let mut builder = ModelBuilder::new();
    builder.add(Body::ground("ground", DVec3::ZERO, up, rubber).unwrap());
    builder.add(Body::free("block", block(DVec3::splat(0.06)), 0.2, rubber));
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    place(
        &model,
        &mut state,
        BodyId::new(1),
        DVec3::new(7.0, -6.0, 0.031),
        [1.0, 0.0, 0.0, 0.0],
    );
    let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
    simulation.advance_to(2.0).unwrap();
    let contacts = simulation.contacts();
    let [contact] = &contacts[..] else {
        panic!("one contact, not {}", contacts.len());
    };
    assert!((contact.normal_force / (0.2 * 9.81) - 1.0).abs() < 1e-6);
    assert!(Body::ground("ground", DVec3::ZERO, DVec3::ZERO, rubber).is_none());
}

#[test]
fn too_deep_a_start_is_refused_by_name() {
    let mut simulation = deep_in(0.015);
    let error = simulation.relax().unwrap_err();
    println!("{error}");
    assert!(matches!(error, SimError::TooDeep { .. }));
    assert!(error.to_string().contains("pad-left"));
}

#[test]
fn deep_overlaps_are_warned_of_once() {
    let mut squeeze = Squeeze::of(block(DVec3::new(0.06, 0.002, 0.06)));
    // The edge of a 2 mm plate, pressed hard into soft pads.
    squeeze.effort = 2000.0;
    squeeze.gap = 0.0305;
    let model = squeeze.model();
    let mut simulation =
        Simulation::new(model.clone(), State::neutral(&model), Settings::default()).unwrap();
    simulation.advance_to(0.2).unwrap();
    let deep = simulation
        .warnings()
        .iter()
        .filter(|w| matches!(w, Warning::Deep { .. }));
    assert_eq!(deep.count(), 2, "{:?}", simulation.warnings());
}

/// States and controls from outside are checked before they are used.
#[test]
fn what_does_not_fit_the_model_is_refused() {
    let refused = |spoil: &dyn Fn(&mut State, &mut Controls)| {
        let mut simulation = deep_in(0.0);
        let before = simulation.state().clone();
        let (mut state, mut controls) = (before.clone(), simulation.controls().clone());
        spoil(&mut state, &mut controls);
        let changed = simulation.set_state(state);
        let changed = changed.and_then(|()| simulation.change(|own| *own = controls));
        let error = changed.unwrap_err();
        println!("{error}");
        assert!(matches!(error, SimError::Unfit { .. }), "{error}");
        assert_eq!(simulation.state(), &before, "nothing has changed");
        simulation.advance_to(0.1).unwrap();
    };
    refused(&|state, _| state.q.truncate(3));
    refused(&|state, _| state.q[0] = f64::NAN);
    refused(&|state, _| state.q[5..].fill(0.0));
    refused(&|state, _| state.v.push(0.0));
    refused(&|state, _| state.v[1] = f64::INFINITY);
    let push = Wrench::new(DVec3::ZERO, DVec3::X);
    refused(&|_, controls| controls.loads.push(Load::new(BodyId::new(99), push)));
    refused(&|_, controls| controls.material_mut(BodyId::new(2)).stiffness = 0.0);
}
