//! A run that was saved and resumed, or ran on two threads, has the same bits
//! as one that did neither.

use std::sync::Arc;

use crate::scenes::{Squeeze, ball, block, place};
use glam::DVec3;
use volar_contact::Material;
use volar_geom::Pose;
use volar_sim::{
    Body, BodyId, Checkpoint, Integrator, ModelBuilder, Settings, SimError, Simulation, State,
};

/// A few bodies that fall on each other.
fn heap(integrator: Integrator) -> Simulation {
    let rubber = Material::named("rubber").unwrap();
    let mut builder = ModelBuilder::new();
    let floor = block(DVec3::new(1.0, 1.0, 0.1));
    let below = Pose::from_translation(DVec3::new(0.0, 0.0, -0.05));
    builder.add(Body::fixed("floor", floor, below, rubber));
    for i in 0..4 {
        let mesh = if i % 2 == 0 {
            ball()
        } else {
            block(DVec3::splat(0.06))
        };
        builder.add(Body::free(&format!("body {i}"), mesh, 0.2, rubber));
    }
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    for i in 0..4 {
        let a = i as f64;
        let position = DVec3::new(0.01 * a.sin(), 0.01 * a.cos(), 0.04 + 0.065 * a);
        place(
            &model,
            &mut state,
            BodyId::new(1 + i),
            position,
            [1.0, 0.1 * a, 0.05, 0.0],
        );
    }
    let settings = Settings {
        integrator,
        ..Settings::default()
    };
    Simulation::new(model, state, settings).unwrap()
}

#[test]
fn resumed_runs_have_the_same_bits() {
    for (integrator, end) in [(Integrator::Implicit, 0.5), (Integrator::Rk45, 0.06)] {
        let mut whole = heap(integrator);
        whole.advance_to(0.5 * end).unwrap();
        let text = whole.checkpoint().to_json().unwrap();
        whole.advance_to(end).unwrap();
        let mut resumed = heap(integrator);
        resumed
            .restore(&Checkpoint::from_json(&text).unwrap())
            .unwrap();
        resumed.advance_to(end).unwrap();
        assert!(!whole.state().patches.is_empty(), "bodies touch");
        assert_eq!(whole.state(), resumed.state());
        assert_eq!(whole.statistics(), resumed.statistics());
    }
}

#[test]
fn two_threads_give_the_same_bits() {
    let mut one = heap(Integrator::Implicit);
    let mut two = heap(Integrator::Implicit);
    two.set_threads(2).unwrap();
    one.advance_to(0.5).unwrap();
    two.advance_to(0.5).unwrap();
    assert_eq!(one.state(), two.state());
}

#[test]
fn checkpoints_of_other_models_are_refused() {
    let saved = heap(Integrator::Implicit).checkpoint();
    let model = Squeeze::of(ball()).model();
    let mut other =
        Simulation::new(model.clone(), State::neutral(&model), Settings::default()).unwrap();
    assert!(matches!(
        other.restore(&saved),
        Err(SimError::Checkpoint { .. })
    ));
    assert!(matches!(
        Checkpoint::from_json("{\"state\": 3}"),
        Err(SimError::Checkpoint { .. })
    ));
}

/// A heap that returns to an earlier state falls as it did then, and its energy balance closes
/// over the return.
#[test]
fn a_state_returns_and_energy_is_accounted_for() {
    let mut heap = heap(Integrator::Implicit);
    heap.advance_to(0.2).unwrap();
    let earlier = heap.state().clone();
    heap.advance_to(0.4).unwrap();
    let first = heap.state().clone();
    let before = heap.energies();

    heap.return_to(&earlier).unwrap();
    assert_eq!(heap.time().to_bits(), 0.4_f64.to_bits());
    assert_eq!((&heap.state().q, &heap.state().v), (&earlier.q, &earlier.v));
    let after = heap.energies();
    let gained = after.total() - before.total();
    assert!(
        gained > 0.1 * before.lost(),
        "they are up again: {gained} J"
    );
    assert!((after.balance() - before.balance()).abs() < 1.0e-12);
    assert!((after.lost() - before.lost()).abs() < 1.0e-12);

    heap.advance_to(0.6).unwrap();
    let apart = |a: &[f64], b: &[f64]| {
        let pairs = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        pairs.fold(0.0, f64::max)
    };
    // The first step is another one: it starts anew.
    assert!(apart(&heap.state().q, &first.q) < 1.0e-3);
}
