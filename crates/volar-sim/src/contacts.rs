//! Contacts as users see them.

use glam::DVec3;
use volar_contact::friction::PatchFriction;

use crate::contact_fields::{ContactField, Figure, Interpolation, contact_record};
use crate::evaluate::ActivePair;
use crate::ids::{BodyId, PairId};
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
    /// Mean pressure: normal force over area; 0 without an area.
    pressure: f64, "Pa", Linear;
}

/// Mean pressure of a normal force (N) on an area (m²), Pa; 0 without an area.
pub fn pressure(normal_force: f64, area: f64) -> f64 {
    if area > 0.0 { normal_force / area } else { 0.0 }
}

impl Contact {
    /// The two bodies.
    pub fn pair(&self) -> PairId {
        PairId::new(self.a, self.b)
    }

    /// The body that touches `body` in this contact; none if `body` is not part of it.
    pub fn other(&self, body: BodyId) -> Option<BodyId> {
        self.pair().other(body)
    }

    /// Friction force on one of the two bodies, N.
    pub fn friction_force_on(&self, body: BodyId) -> DVec3 {
        if body == self.a {
            self.friction_force
        } else {
            -self.friction_force
        }
    }

    /// Normal force on one of the two bodies, N.
    pub fn normal_force_on(&self, body: BodyId) -> DVec3 {
        let force = self.normal_force * self.normal;
        if body == self.a { force } else { -force }
    }
}

impl Simulation {
    /// The patches in contact at the present state, by pair in order of their
    /// bodies.
    pub fn contacts(&self) -> Vec<Contact> {
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
                if contact.area <= 0.0 {
                    // Nothing is left in it that would have a place.
                    let X_WA = &self.evaluation.kinematics.X_WB[active.bodies.0 as usize];
                    contact.point = X_WA.point(tracked.patch.centre);
                }
                contact.slip = tracked.slip;
                contact.created_at = tracked.patch.created_at;
                contacts.push(contact);
            }
        }
        contacts
    }

    /// The patches in which a body touches others.
    pub fn contacts_of(&self, body: BodyId) -> Vec<Contact> {
        let mut contacts = self.contacts();
        contacts.retain(|contact| contact.pair().has(body));
        contacts
    }

    /// The patches in which the bodies of a pair touch.
    pub fn contacts_between(&self, pair: PairId) -> Vec<Contact> {
        let mut contacts = self.contacts();
        contacts.retain(|contact| contact.pair() == pair);
        contacts
    }

    /// Corners of a box around each of the [`contacts`](Self::contacts), m, world
    /// axes; its edges follow the axes of body `a`.
    pub fn contact_boxes(&self) -> Vec<[DVec3; 8]> {
        let mut boxes = Vec::new();
        for active in self.evaluation.active() {
            let X_WA = &self.evaluation.kinematics.X_WB[active.bodies.0 as usize];
            let contact = &active.contact;
            let pairs = self.state.patches.iter();
            let pair = pairs.filter(|pair| pair.bodies == active.bodies);
            let patches = pair.map(|pair| pair.tracked.len()).sum();
            for piece in &contact.normal_contact.pieces[..patches] {
                boxes.push(std::array::from_fn(|corner| {
                    let pick = |axis: usize| piece.bounds[(corner >> axis) & 1][axis];
                    X_WA.point(contact.point + DVec3::new(pick(0), pick(1), pick(2)))
                }));
            }
        }
        boxes
    }

    fn contact(&self, active: &ActivePair, piece: usize, friction: &PatchFriction) -> Contact {
        let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
        let X_WA = &self.evaluation.kinematics.X_WB[a];
        let contact = &active.contact;
        let piece = &contact.normal_contact.pieces[piece];
        let margin = if friction.limit > 0.0 {
            // What slips is at its limit, up to a rounding.
            (1.0 - friction.used / friction.limit).max(0.0)
        } else {
            0.0
        };
        Contact {
            a: BodyId::new(a),
            b: BodyId::new(b),
            point: X_WA.point(contact.point + piece.centre()),
            normal: X_WA.vector(piece.normal()),
            normal_force: piece.net_normal_force(),
            friction_force: X_WA.vector(friction.wrench.force),
            friction_margin: margin,
            area: piece.area(),
            volume: contact.volume,
            depth: piece.deepest,
            slip: 0.0,
            slip_rate: friction.slip_rate,
            created_at: 0.0,
            pressure: pressure(piece.net_normal_force(), piece.area()),
        }
    }
}
