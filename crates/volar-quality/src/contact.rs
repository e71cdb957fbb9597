//! What a grasp is here: contacts, the centre of mass, a length.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::QualityError;

/// A contact as a hand makes it; the [`ContactModel`] says how much of it counts.
///
/// ```
/// use glam::DVec3;
/// use volar_quality::Contact;
///
/// let finger = Contact {
///     torsion_radius: 4.0e-3, // m: a fingertip's patch
///     ..Contact::point(DVec3::new(0.03, 0.0, 0.0), -DVec3::X, 0.5)
/// };
/// assert_eq!(finger.friction, 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Where: the centre of pressure, m.
    pub point: DVec3,
    /// Direction in which the object is pushed. Its length does not matter.
    pub normal: DVec3,
    /// Coefficient of friction μ.
    pub friction: f64,
    /// Radius r at which torsional friction acts, m: the torque about the normal is at
    /// most μ r N. Of no effect on hard points.
    pub torsion_radius: f64,
    /// Radii of gyration of the pressure along its two principal axes in the plane of the
    /// contact, as vectors, m. Used by patches only.
    pub spread: [DVec3; 2],
}

impl Contact {
    /// A contact without extent.
    pub fn point(point: DVec3, normal: DVec3, friction: f64) -> Contact {
        Contact {
            point,
            normal,
            friction,
            torsion_radius: 0.0,
            spread: [DVec3::ZERO; 2],
        }
    }

    fn check(&self, index: usize) -> Result<(), QualityError> {
        let bad = |what| Err(QualityError::Contact { index, what });
        let vectors = [self.point, self.normal, self.spread[0], self.spread[1]];
        if !vectors.iter().all(|v| v.is_finite()) {
            return bad("has a coordinate that is not finite");
        }
        if self.normal.try_normalize().is_none() {
            return bad("has no normal");
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return bad("has a friction coefficient that is negative or not finite");
        }
        if !(self.torsion_radius >= 0.0 && self.torsion_radius.is_finite()) {
            return bad("has a torsion radius that is negative or not finite");
        }
        Ok(())
    }
}

/// Contacts on an object, all in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Grasp {
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Centre of mass of the object, m: torques are taken about it ...
    pub centre: DVec3,
    /// ... and divided by this length, m, to be compared with forces.
    pub length: f64,
}

impl Grasp {
    pub(crate) fn check(&self) -> Result<(), QualityError> {
        if !self.centre.is_finite() {
            return Err(QualityError::Centre);
        }
        if !(self.length > 0.0 && self.length.is_finite()) {
            return Err(QualityError::Length(self.length));
        }
        let mut contacts = self.contacts.iter().enumerate();
        contacts.try_for_each(|(index, contact)| contact.check(index))
    }
}

/// How much of a contact counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactModel {
    /// A hard point with friction: force in the cone `|f_t| ≤ μ N`, no torque.
    Point,
    /// A soft finger: torsion beside it, `|(f_t, τ/r)| ≤ μ N`, the limit surface that the
    /// friction of a simulation has.
    SoftFinger,
    /// A patch: four hard points, half-way up and down both principal axes, such
    /// that equal pressures have the second moments of the patch. They may share the load in any
    /// way, so a patch also resists being tilted.
    #[default]
    Patch,
}
