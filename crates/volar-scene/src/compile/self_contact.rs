//! Which links of a robot touch each other.

use std::sync::Arc;

use volar_robots::ClosureKind;
use volar_sim::{Model, Settings, SimError, Simulation, State};

use super::{PlacedRobot, Stage};
use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::SelfContact;

/// Links of one robot that overlap.
pub(super) struct Crossed {
    /// Numbers of the bodies.
    pub links: (usize, usize),
    /// When they do, in words.
    pub when: &'static str,
}

impl Stage {
    /// Leaves out pairs of links that the file or the scene says do not touch.
    pub(super) fn exclude_links(&mut self, placed: &PlacedRobot) {
        let robot = &placed.robot;
        let mut touching = match placed.self_contact {
            SelfContact::None => Vec::new(),
            SelfContact::All | SelfContact::Sensible => robot.touching_links(),
        };
        if placed.self_contact == SelfContact::Sensible {
            // What a closed chain joins is as near as parent and child.
            let joined = robot.closures.iter().filter_map(|closure| {
                let (ClosureKind::Connect([a, b]) | ClosureKind::Weld([a, b])) = &closure.kind
                else {
                    return None;
                };
                Some((a.link.min(b.link), a.link.max(b.link)))
            });
            let joined: Vec<(usize, usize)> = joined.collect();
            touching.retain(|pair| !joined.contains(pair));
        }
        let links = robot.links.len();
        for a in 0..links {
            for b in a + 1..links {
                if touching.binary_search(&(a, b)).is_err() {
                    self.excluded.push((placed.first + a, placed.first + b));
                }
            }
        }
    }

    /// Pairs of links of one robot that overlap at the start or in the pose of the
    /// robot's file: they would be blown apart, and files with
    /// such links mean them not to touch.
    pub(super) fn crossed_links(
        &self,
        model: &Arc<Model>,
        start: &State,
        scene: &Scene,
    ) -> Result<Vec<Crossed>, SceneError> {
        let sensible = |robot: &&PlacedRobot| robot.self_contact == SelfContact::Sensible;
        if !self.robots.iter().any(|robot| sensible(&robot)) {
            return Ok(Vec::new());
        }
        let mut reference = start.clone();
        for (body, q) in &self.references {
            reference.q[model.tree().q_range(*body)].copy_from_slice(q);
        }
        let probe =
            |state: &State| Simulation::new(model.clone(), state.clone(), Settings::default());
        let mut crossed = Vec::new();
        let mut add = |probe: &Simulation, when: &'static str| {
            let robot_of = |body: usize| self.robots.iter().find(|r| r.bodies().contains(&body));
            for contact in probe.contacts() {
                let (a, b) = (contact.a.index(), contact.b.index());
                let same = robot_of(a).filter(sensible).map(|robot| robot.first)
                    == robot_of(b).map(|robot| robot.first);
                if robot_of(a).is_some()
                    && same
                    && crossed.iter().all(|known: &Crossed| known.links != (a, b))
                {
                    crossed.push(Crossed {
                        links: (a, b),
                        when,
                    });
                }
            }
        };
        let at_start = probe(start).map_err(|source| SceneError::Start {
            file: scene.name.clone(),
            source,
        })?;
        add(&at_start, "at the start");
        if reference.q != start.q {
            match probe(&reference) {
                Ok(probe) => add(&probe, "in the pose of the file"),
                // A pose that cannot be has nothing to say.
                Err(SimError::Open { .. }) => {}
                Err(source) => {
                    let file = scene.name.clone();
                    return Err(SceneError::Start { file, source });
                }
            }
        }
        Ok(crossed)
    }
}
