//! Plastic slip of contacts since a window began.

use serde::{Deserialize, Serialize};
use volar_sim::{BodyId, Contact};

use super::{Groups, bearing_load};

/// Plastic slip of each contact, counted from a time on, from one frame after another.
/// Only what a contact slips while it bears load counts; see [`bearing_load`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SlipMeter {
    from: f64,
    contacts: Vec<ContactSlip>,
}

/// A contact is known by its bodies and its creation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct ContactSlip {
    bodies: (BodyId, BodyId),
    created_at: f64,
    /// As last seen, m.
    seen: f64,
    /// Since the window began, m.
    slip: f64,
}

impl SlipMeter {
    /// Slip is counted from a time on, s.
    pub fn new(from: f64) -> SlipMeter {
        SlipMeter {
            from,
            contacts: Vec::new(),
        }
    }

    /// Looks at the contacts at a time, s; `object` is what is grasped, if anything.
    pub fn look(&mut self, time: f64, contacts: &[Contact], object: Option<BodyId>) {
        if time < self.from {
            // What is there before the window does not count.
            self.contacts.clear();
        }
        let least = object.map_or(0.0, |object| bearing_load(contacts, object));
        for contact in contacts {
            let counts = time >= self.from && contact.normal_force >= least;
            let entry = self.of(contact);
            if counts {
                entry.slip += (contact.slip - entry.seen).max(0.0);
            }
            entry.seen = entry.seen.max(contact.slip);
        }
    }

    fn of(&mut self, contact: &Contact) -> &mut ContactSlip {
        let (bodies, created_at) = ((contact.a, contact.b), contact.created_at);
        let same =
            |c: &ContactSlip| c.bodies == bodies && c.created_at.to_bits() == created_at.to_bits();
        let at = self.contacts.iter().position(same).unwrap_or_else(|| {
            self.contacts.push(ContactSlip {
                bodies,
                created_at,
                seen: 0.0,
                slip: 0.0,
            });
            self.contacts.len() - 1
        });
        &mut self.contacts[at]
    }

    /// The most that any contact has slipped since the window began, m.
    pub fn largest(&self) -> f64 {
        self.contacts.iter().map(|c| c.slip).fold(0.0, f64::max)
    }

    /// The same by group; a contact of other bodies than the object counts for its `a`.
    pub fn by_group(&self, groups: &Groups) -> Vec<f64> {
        let mut largest = vec![0.0_f64; groups.names.len()];
        for contact in &self.contacts {
            let group = groups.of_pair(contact.bodies.0, contact.bodies.1);
            if let Some(largest) = group.and_then(|group| largest.get_mut(group)) {
                *largest = largest.max(contact.slip);
            }
        }
        largest
    }
}
