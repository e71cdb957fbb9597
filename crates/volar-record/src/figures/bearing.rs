//! Which contacts count for the headline figures: those that bear the object. A patch of
//! micronewtons at the rim of a pad slips at the slightest motion and may be anywhere on a
//! steep edge; it says nothing about the grasp.

use std::collections::BTreeMap;

use volar_sim::{BodyId, Contact};

/// A contact with less than this share of the object's normal load does not bear it.
const BEARING_SHARE: f64 = 0.01;

/// What a contact must carry to count for friction margin and slip, N.
pub fn bearing_load(contacts: &[Contact], object: BodyId) -> f64 {
    let own = contacts.iter().filter(|c| c.other(object).is_some());
    BEARING_SHARE * own.map(|c| c.normal_force).sum::<f64>()
}

/// Greatest depth of the contacts that bear, m. Those of the object are measured by its
/// load, others by that of the less loaded of their bodies.
pub fn bearing_depth(contacts: &[Contact], object: Option<BodyId>) -> f64 {
    let mut loads = BTreeMap::<BodyId, f64>::new();
    for contact in contacts {
        for body in [contact.a, contact.b] {
            *loads.entry(body).or_default() += contact.normal_force;
        }
    }
    let load = |contact: &Contact| match object.filter(|&o| contact.other(o).is_some()) {
        Some(object) => loads[&object],
        None => loads[&contact.a].min(loads[&contact.b]),
    };
    let bears = |c: &&Contact| c.normal_force >= BEARING_SHARE * load(c);
    let bearing = contacts.iter().filter(bears);
    bearing.map(|c| c.depth).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::SlipMeter;

    const OBJECT: usize = 2;

    fn same(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-15, "{got}, not {expected} m");
    }

    /// A finger's contact with the object.
    fn contact(finger: usize, normal_force: f64, depth: f64, slip: f64) -> Contact {
        Contact {
            a: BodyId::new(finger),
            b: BodyId::new(OBJECT),
            normal_force,
            depth,
            slip,
            ..Contact::default()
        }
    }

    /// Two pads of 10 N, and at the rim of one a patch of 8 µN that is deep in an edge and
    /// has slipped by 5 mm.
    #[test]
    fn a_patch_of_micronewtons_sets_no_headline_figure() {
        let mut contacts = vec![
            contact(0, 10.0, 1.5e-6, 0.0),
            contact(1, 10.0, 1.5e-6, 2.0e-6),
        ];
        let object = BodyId::new(OBJECT);
        let mut slips = SlipMeter::default();
        slips.look(0.0, &contacts, Some(object));
        contacts.push(Contact {
            created_at: 1.0,
            ..contact(1, 8.0e-6, 2.0e-3, 5.0e-3)
        });
        let least = bearing_load(&contacts, object);
        assert!(least > 8.0e-6 && least < 10.0, "{least}");
        slips.look(1.0, &contacts, Some(object));
        same(slips.largest(), 2.0e-6);
        same(bearing_depth(&contacts, Some(object)), 1.5e-6);

        // It counts from the moment it bears, and only for what it slips then.
        contacts[2].normal_force = 1.0;
        contacts[2].slip = 6.0e-3;
        slips.look(2.0, &contacts, Some(object));
        same(slips.largest(), 1.0e-3);
        same(bearing_depth(&contacts, Some(object)), 2.0e-3);
    }

    /// What lies light beside what is heavy still has its depth.
    #[test]
    fn a_light_body_on_the_ground_bears() {
        let light = Contact {
            a: BodyId::new(0),
            b: BodyId::new(1),
            normal_force: 0.01,
            depth: 1.0e-4,
            ..Contact::default()
        };
        let heavy = Contact {
            b: BodyId::new(3),
            normal_force: 10.0,
            depth: 1.0e-5,
            ..light
        };
        same(bearing_depth(&[light, heavy], None), 1.0e-4);
    }
}
