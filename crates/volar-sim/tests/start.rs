//! Starting in overlap: relaxing takes bodies apart without speed, and refuses
//! what is too deep to say which way is out.

#[allow(dead_code, reason = "each test uses its part of the scenes")]
mod scenes;

use glam::DVec3;
use scenes::{Squeeze, ball, block};
use volar_sim::{Settings, SimError, Simulation, State, Warning};

/// Pads that start `deep` metres in the object.
fn deep_in(deep: f64) -> Simulation {
    let mut squeeze = Squeeze::of(ball());
    squeeze.gap = 0.03 - deep;
    let model = squeeze.model();
    Simulation::new(model.clone(), State::neutral(&model), Settings::default())
}

#[test]
fn relaxed_start_has_no_overlap_and_no_speed() {
    let mut simulation = deep_in(0.003);
    let depth = |simulation: &mut Simulation| {
        let contacts = simulation.contacts().unwrap();
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
    assert!(simulation.energies().unwrap().kinetic <= 0.0);
    // And it goes on to hold, with no force above that of a normal grasp.
    let mut most = 0.0_f64;
    for k in 1..=200 {
        simulation.advance(0.005 * f64::from(k)).unwrap();
        for contact in simulation.contacts().unwrap() {
            most = most.max(contact.normal_force);
        }
    }
    println!("largest force after it {most:.1} N");
    assert!(most < 200.0);
    assert_eq!(simulation.contacts().unwrap().len(), 2);
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
        Simulation::new(model.clone(), State::neutral(&model), Settings::default());
    simulation.advance(0.2).unwrap();
    let deep = simulation
        .warnings()
        .iter()
        .filter(|w| matches!(w, Warning::Deep { .. }));
    assert_eq!(deep.count(), 2, "{:?}", simulation.warnings());
}
