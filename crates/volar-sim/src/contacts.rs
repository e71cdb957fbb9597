//! Contacts as users see them.

use glam::DVec3;
use volar_contact::friction::PatchFriction;

use crate::evaluate::ActivePair;
use crate::ids::{BodyId, PairId};
use crate::simulation::Simulation;

/// One patch of contact between two bodies. World axes, SI units; forces act
/// on `a`.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The body that the forces act on.
    pub a: BodyId,
    /// The body that the opposite forces act on.
    pub b: BodyId,
    /// Centre of pressure, m.
    pub point: DVec3,
    /// Direction in which `a` is pushed.
    pub normal: DVec3,
    /// Normal force, N.
    pub normal_force: f64,
    /// Friction force, N.
    pub friction_force: DVec3,
    /// Part of the friction limit that is left, 0 to 1.
    pub friction_margin: f64,
    /// Area seen along the normal, m².
    pub area: f64,
    /// Overlap volume of the pair, m³.
    pub volume: f64,
    /// Greatest depth, m.
    pub depth: f64,
    /// Plastic slip since the patch was created, m.
    pub slip: f64,
    /// Speed of plastic slip, m/s.
    pub slip_rate: f64,
    /// Time at which it was created, s.
    pub created_at: f64,
    /// Corners of a box around the patch, m; its edges follow the axes of `a`.
    pub corners: [DVec3; 8],
}

impl Contact {
    /// The two bodies.
    pub fn pair(&self) -> PairId {
        PairId::new(self.a, self.b)
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
            a: BodyId::new(a),
            b: BodyId::new(b),
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
            corners: std::array::from_fn(|corner| {
                let pick = |axis: usize| piece.bounds[(corner >> axis) & 1][axis];
                X_WA.point(contact.point + DVec3::new(pick(0), pick(1), pick(2)))
            }),
        }
    }
}
