//! What runs cost, counted: steps, rejections and evaluations. A slow-down
//! shows here without a clock; if a change moves these numbers for a reason,
//! say so in its message and take the new ones over.

use crate::scenes::squeezed;
use volar_sim::{Settings, Simulation};

/// Counts may drift this much where compilers round differently, and no more.
const SLACK: f64 = 0.15;

#[test]
fn squeezes_cost_what_they_cost() {
    println!("object  steps  rejected  evaluations (10 s)");
    for (name, expected) in [
        ("cube", [227, 7, 937]),
        ("sphere", [257, 7, 1050]),
        ("bunny", [820, 19, 3400]),
    ] {
        let (model, state) = squeezed(name);
        let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
        for k in 1..=100 {
            simulation.advance_to(0.1 * f64::from(k)).unwrap();
        }
        let s = simulation.statistics();
        println!(
            "{name:6}  {:5}  {:8}  {:11}",
            s.steps, s.rejected, s.evaluations
        );
        for (counted, expected) in [s.steps, s.rejected, s.evaluations].iter().zip(expected) {
            let most = (1.0 + SLACK) * f64::from(expected) + 5.0;
            assert!(
                *counted as f64 <= most,
                "{name}: {counted} instead of {expected}"
            );
        }
    }
}
