//! A cube of 0.2 kg between two pads of 10 N: held, still, without creep; and
//! how fast the paper's friction creeps beside it.

use std::sync::Arc;

use crate::scenes::{Squeeze, block, squeezed};
use glam::DVec3;
use volar_contact::{ContactLaw, Friction};
use volar_sim::{Settings, Simulation, State};

const OBJECT: usize = 2;

fn position(simulation: &Simulation) -> DVec3 {
    let at = simulation.model().tree().q_range(OBJECT).start;
    DVec3::from_slice(&simulation.state().q[at..])
}

fn speed(simulation: &Simulation) -> f64 {
    let at = simulation.model().tree().v_range(OBJECT).start;
    DVec3::from_slice(&simulation.state().v[at..]).length()
}

#[test]
fn held_objects_stand_still() {
    println!(
        "object  height/mm  force error  speed at 10 s  drift 2-10 s  slip after 2 s  mean step/ms"
    );
    for name in ["cube", "sphere", "bunny"] {
        let (model, state) = squeezed(name);
        let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
        // The bunny swings for a second before it hangs still.
        let settled = if name == "bunny" { 8.0 } else { 2.0 };
        simulation.advance_to(settled).unwrap();
        let before = position(&simulation);
        let slip = |simulation: &mut Simulation| {
            let contacts = simulation.contacts();
            contacts.iter().map(|c| c.slip).fold(0.0, f64::max)
        };
        let (slip_before, steps) = (slip(&mut simulation), simulation.statistics().steps);
        simulation.advance_to(settled + 8.0).unwrap();
        let drift = (position(&simulation) - before).length();
        let slipped = slip(&mut simulation) - slip_before;
        let mean_step = 8.0 / (simulation.statistics().steps - steps) as f64;
        let contacts = simulation.contacts();
        let force_error = contacts
            .iter()
            .map(|c| ((c.normal_force * c.normal + c.friction_force).x.abs() / 10.0 - 1.0).abs())
            .fold(0.0, f64::max);
        println!(
            "{name:6}  {:9.4}  {force_error:11.1e}  {:13.1e}  {drift:12.1e}  {slipped:14.1e}  {:12.1}",
            1e3 * before.z,
            speed(&simulation),
            1e3 * mean_step
        );
        assert_eq!(contacts.len(), 2);
        assert!(force_error < 1e-6, "force along the slide axis");
        assert!(speed(&simulation) < 1e-12);
        assert!(drift < 1e-12, "one picometre");
        assert!(slipped <= 0.0, "a stuck contact does not slip");
        assert!(mean_step >= 0.01, "steps at rest");
    }
}

/// With `f = μN tanh(γv)` two pads carry the weight at a speed with
/// `m g / 2 = μ N tanh(γ v)`.
#[test]
fn tanh_friction_creeps_as_its_formula_says() {
    let squeeze = Squeeze::of(block(DVec3::splat(0.06)));
    println!("slope s/m  creep m/s   formula m/s");
    for slope in [30.0, 100.0, 1000.0] {
        let mut builder = squeeze.builder();
        builder.law = ContactLaw {
            friction: Friction::Tanh { slope },
            ..ContactLaw::default()
        };
        let model = Arc::new(builder.build().unwrap());
        let mut simulation =
            Simulation::new(model.clone(), State::neutral(&model), Settings::default()).unwrap();
        simulation.advance_to(1.0).unwrap();
        let before = position(&simulation);
        simulation.advance_to(2.0).unwrap();
        let creep = before.z - position(&simulation).z;
        let formula = (0.2_f64 * 9.81 / (2.0 * 0.8 * 10.0)).atanh() / slope;
        println!("{slope:9.0}  {creep:.4e}  {formula:.4e}");
        // The layer under the pads' rims also pushes a little up or down.
        assert!((creep / formula - 1.0).abs() < 3e-3);
    }
}
