//! Contacts as users see them.

use glam::DVec3;
use volar_contact::friction::PatchFriction;

use crate::contact_fields::{ContactField, Figure, Interpolation, contact_record};
use crate::error::SimError;
use crate::evaluate::ActivePair;
use crate::simulation::Simulation;

// A line here is all that recordings, tables and the viewer need for a new figure; it is
// computed in `Simulation::contacts` below and described in `docs/recordings.md`.
contact_record! {
    /// Centre of pressure.
    point: DVec3, "m", Linear;
    /// Direction in which `a` is pushed.
    normal: DVec3, "1", Direction;
    /// Normal force.
    normal_force: f64, "N", Linear;
    /// Friction force on `a`.
    friction_force: DVec3, "N", Linear;
    /// Part of the friction limit that is left, from 1 down to 0 where it slips.
    friction_margin: f64, "1", Linear;
    /// Area of contact seen along the normal.
    area: f64, "m^2", Linear;
    /// Overlap volume of the two bodies; the same for all patches of the pair.
    volume: f64, "m^3", Linear;
    /// Greatest depth.
    depth: f64, "m", Linear;
    /// Plastic slip since the patch was created.
    slip: f64, "m", Linear;
    /// Speed of plastic slip.
    slip_rate: f64, "m/s", Linear;
    /// Time at which the patch was created.
    created_at: f64, "s", Nearest;
}

impl Contact {
    /// The body that touches `body` in this contact; none if `body` is not part of it.
    pub fn other(&self, body: usize) -> Option<usize> {
        match body {
            body if body == self.a => Some(self.b),
            body if body == self.b => Some(self.a),
            _ => None,
        }
    }

    /// Friction force on one of the two bodies, N.
    pub fn friction_force_on(&self, body: usize) -> DVec3 {
        if body == self.a {
            self.friction_force
        } else {
            -self.friction_force
        }
    }

    /// Normal force on one of the two bodies, N.
    pub fn normal_force_on(&self, body: usize) -> DVec3 {
        let force = self.normal_force * self.normal;
        if body == self.a { force } else { -force }
    }
}

impl Simulation {
    /// The patches in contact at the present state.
    pub fn contacts(&mut self) -> Result<Vec<Contact>, SimError> {
        self.prepare()?;
        let mut contacts = Vec::new();
        for active in self.evaluation.active() {
            let tracked = self
                .state
                .patches
                .iter()
                .find(|pair| pair.bodies == active.bodies);
            let Some(pair) = tracked else { continue };
            for (i, tracked) in pair.tracked.iter().enumerate() {
                let friction = &active.contact.frictions[i];
                let mut contact = self.contact(active, i, friction);
                contact.slip = tracked.slip;
                contact.created_at = tracked.patch.created_at;
                contacts.push(contact);
            }
        }
        Ok(contacts)
    }

    fn contact(&self, active: &ActivePair, piece: usize, friction: &PatchFriction) -> Contact {
        let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
        let X_WA = &self.evaluation.kinematics.X_WB[a];
        let contact = &active.contact;
        let piece = &contact.normal_contact.pieces[piece];
        let margin = if friction.limit > 0.0 {
            1.0 - friction.used / friction.limit
        } else {
            0.0
        };
        Contact {
            a,
            b,
            point: X_WA.point(contact.point + piece.centre()),
            normal: X_WA.vector(piece.normal()),
            normal_force: piece.normal_force(),
            friction_force: X_WA.vector(friction.wrench.force),
            friction_margin: margin,
            area: piece.area(),
            volume: contact.volume,
            depth: piece.depth,
            slip: 0.0,
            slip_rate: friction.slip_rate,
            created_at: 0.0,
        }
    }
}
