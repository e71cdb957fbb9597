//! A hand that pulls at a body: a spring from a point of it to where the mouse is.
#![allow(non_snake_case)] // frame notation: X_WB

use glam::DVec3;
use serde::{Deserialize, Serialize};
use volar_math::Wrench;
use volar_sim::{Controls, Load, SimError, Simulation};

/// The spring swings the body at this rate, rad/s: slow against the pictures, at which its
/// force is renewed, so that it never feeds the motion.
const RATE: f64 = 10.0;

/// What a viewer pulls at.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Grip {
    /// Number of the body.
    pub body: usize,
    /// Where it is held, in its frame, m.
    pub point: [f64; 3],
    /// Where it is pulled to, in the world, m.
    pub target: [f64; 3],
}

/// A spring at work, as viewers see it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pull {
    /// Where the body is held, in the world, m.
    pub from: [f64; 3],
    /// Where it is pulled to, m.
    pub to: [f64; 3],
    /// Force, N.
    pub force: f64,
}

/// The hand of a run.
#[derive(Debug, Default)]
pub struct Hand {
    grip: Option<Grip>,
    /// What of the controls is ours.
    load: Option<Load>,
}

impl Hand {
    /// Takes hold, follows, or lets go.
    pub fn hold(&mut self, grip: Option<Grip>) {
        self.grip = grip;
    }

    /// Renews the force; none while nothing is held.
    pub fn pull(&mut self, simulation: &mut Simulation) -> Result<Option<Pull>, SimError> {
        let found = self.grip.as_ref().and_then(|grip| spring(grip, simulation));
        let new = found.as_ref().map(|(load, _)| load.clone());
        if new.is_some() || self.load.is_some() {
            let old = self.load.take();
            simulation.change(|controls| replace(controls, old.as_ref(), new.clone()))?;
        }
        self.load = new;
        Ok(found.map(|(_, pull)| pull))
    }

    /// Forgets a run that is over.
    pub fn forget(&mut self) {
        *self = Hand::default();
    }
}

fn replace(controls: &mut Controls, old: Option<&Load>, new: Option<Load>) {
    if let Some(own) = controls.loads.iter().position(|load| Some(load) == old) {
        controls.loads.remove(own);
    }
    controls.loads.extend(new);
}

/// The force of the spring at present: m ω² times its length, damped as a swing would be
/// that just comes to rest. None for what cannot move and for what is not there.
fn spring(grip: &Grip, simulation: &Simulation) -> Option<(Load, Pull)> {
    let model = simulation.model();
    let body = model.bodies().find(|body| body.index() == grip.body)?;
    let mass = model.mass(body).mass;
    let (point, target) = (DVec3::from(grip.point), DVec3::from(grip.target));
    if !(mass > 0.0 && point.is_finite() && target.is_finite()) {
        return None;
    }
    let (X_WB, V_WB) = (simulation.pose(body), simulation.velocity(body));
    let arm = X_WB.R * point;
    let velocity = V_WB.linear + V_WB.angular.cross(arm);
    let from = X_WB.p + arm;
    let force = mass * (RATE * RATE * (target - from) - 2.0 * RATE * velocity);
    let load = Load {
        point,
        ..Load::new(body, Wrench::new(DVec3::ZERO, force))
    };
    let pull = Pull {
        from: from.to_array(),
        to: grip.target,
        force: force.length(),
    };
    Some((load, pull))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use volar_run::Run;
    use volar_scene::Scene;
    use volar_sim::BodyId;

    use super::*;

    const BALL: &str = "name = \"ball\"\nduration = 1.0\ngravity = [0.0, 0.0, 0.0]\n\
                        [[body]]\nname = \"ball\"\nmass = 0.2\nshape = { sphere = { radius = 0.03 } }\n";

    #[test]
    fn what_is_pulled_comes_to_the_hand_and_rests_there() {
        let setup = Arc::new(Scene::parse("ball", BALL).unwrap().compile().unwrap());
        let mut run = Run::new(setup, 1).unwrap();
        let mut hand = Hand::default();
        hand.hold(Some(Grip {
            body: 0,
            point: [0.0; 3],
            target: [0.1, 0.0, 0.0],
        }));
        let first = hand.pull(run.simulation_mut()).unwrap().unwrap();
        assert!((first.force - 0.2 * 100.0 * 0.1).abs() < 1e-9, "{first:?}");
        for picture in 1..=120 {
            run.advance_to(f64::from(picture) / 60.0).unwrap();
            hand.pull(run.simulation_mut()).unwrap();
        }
        let ball = BodyId::new(0);
        let place = run.simulation().pose(ball).p;
        assert!(
            (place - DVec3::new(0.1, 0.0, 0.0)).length() < 1e-3,
            "{place}"
        );
        hand.hold(None);
        assert_eq!(hand.pull(run.simulation_mut()).unwrap(), None);
        assert_eq!(run.simulation().controls().loads, []);
    }

    #[test]
    fn nothing_is_pulled_that_is_not_there() {
        let setup = Arc::new(Scene::parse("ball", BALL).unwrap().compile().unwrap());
        let mut run = Run::new(setup, 1).unwrap();
        let mut hand = Hand::default();
        for (body, x) in [(7, 0.0), (0, f64::NAN), (0, f64::INFINITY)] {
            hand.hold(Some(Grip {
                body,
                point: [0.0; 3],
                target: [x, 0.0, 0.0],
            }));
            assert_eq!(hand.pull(run.simulation_mut()).unwrap(), None);
        }
    }
}
