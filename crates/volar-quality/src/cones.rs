//! Contacts as cones of wrenches.
//!
//! Every model comes down to cones `{ N (w + Σ cᵢ tᵢ) : |c| ≤ 1, N ≥ 0 }`: N is the normal force,
//! w the wrench of a unit of it, and the t are those of friction at its limit: two along the
//! surface, and one about the normal for soft fingers; none without friction. A contact is one
//! cone, a patch four.

use std::f64::consts::TAU;

use glam::DVec3;
use volar_math::real;

use crate::contact::{Contact, ContactModel, Grasp};
use crate::vector6::{Vector6, add_scaled, wrench};

/// One cone.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    /// The contact it belongs to.
    pub contact: usize,
    /// Wrench of a unit of normal force.
    pub normal: Vector6,
    /// Wrenches of friction at its limit under a unit of normal force.
    pub friction: Vec<Vector6>,
    /// The same for a coefficient of friction of 1 and a radius of the length.
    pub tangents: Vec<Vector6>,
}

/// The cones of a grasp.
pub(crate) fn cones(grasp: &Grasp, model: ContactModel) -> Vec<Cone> {
    let mut cones = Vec::new();
    for (index, contact) in grasp.contacts.iter().enumerate() {
        let normal = contact.normal.normalize_or_zero();
        let along = tangent(grasp, index);
        let tangents = [along, normal.cross(along)];
        let mut add = |point: DVec3, torsion_radius: f64| {
            let arm = (point - grasp.centre) / grasp.length;
            let of = |force: DVec3| wrench(force, arm.cross(force));
            let mut cone = Cone {
                contact: index,
                normal: of(normal),
                friction: tangents.map(|t| of(contact.friction * t)).to_vec(),
                tangents: tangents.map(of).to_vec(),
            };
            if contact.friction <= 0.0 {
                cone.friction.clear();
                cone.tangents.clear();
            } else if torsion_radius > 0.0 {
                let torsion = contact.friction * torsion_radius / grasp.length;
                cone.friction.push(wrench(DVec3::ZERO, torsion * normal));
                cone.tangents.push(wrench(DVec3::ZERO, normal));
            }
            cones.push(cone);
        };
        match model {
            ContactModel::Point => add(contact.point, 0.0),
            ContactModel::SoftFinger => add(contact.point, contact.torsion_radius),
            ContactModel::Patch => points(contact).into_iter().for_each(|p| add(p, 0.0)),
        }
    }
    cones
}

/// Points of a patch: equal loads on them have its second moments.
fn points(contact: &Contact) -> [DVec3; 4] {
    let [a, b] = contact.spread.map(|axis| std::f64::consts::SQRT_2 * axis);
    [a, -a, b, -b].map(|offset| contact.point + offset)
}

impl Cone {
    /// Edges of a pyramid in the cone, each with a unit of normal force: as many
    /// as asked for along the surface, and two of pure torsion.
    pub fn edges(&self, count: usize) -> Vec<Vector6> {
        let [first, second, ..] = self.friction[..] else {
            return vec![self.normal];
        };
        let mut edges = Vec::with_capacity(count + 2);
        for k in 0..count {
            let (sin, cos) = real::sin_cos(TAU * k as f64 / count as f64);
            let edge = add_scaled(&self.normal, cos, &first);
            edges.push(add_scaled(&edge, sin, &second));
        }
        if let Some(torsion) = self.friction.get(2) {
            edges.push(add_scaled(&self.normal, 1.0, torsion));
            edges.push(add_scaled(&self.normal, -1.0, torsion));
        }
        edges
    }
}

/// Edges by contact.
pub(crate) fn edges_by_contact(cones: &[Cone], contacts: usize, count: usize) -> Vec<Vec<Vector6>> {
    let mut edges = vec![Vec::new(); contacts];
    for cone in cones {
        edges[cone.contact].extend(cone.edges(count));
    }
    edges
}

/// Directions within this of the normal give no tangent.
const PARALLEL: f64 = 1.0e-6;

/// The direction of the first edge. It follows from the grasp alone, so that what is computed
/// from pyramids does not change when everything is rotated: towards the contact
/// from the centre of mass, or from or along the normal of the first other contact for which
/// that is not along the normal.
fn tangent(grasp: &Grasp, index: usize) -> DVec3 {
    let own = &grasp.contacts[index];
    let normal = own.normal.normalize_or_zero();
    let across = |direction: DVec3| {
        let unit = direction.try_normalize()?;
        let flat = unit.reject_from_normalized(normal);
        (flat.length() > PARALLEL).then(|| flat.normalize_or_zero())
    };
    let others = grasp.contacts.iter().flat_map(|other| {
        [
            other.point - own.point,
            other.normal,
            other.spread[0],
            other.spread[1],
        ]
    });
    let directions = std::iter::once(own.point - grasp.centre).chain(others);
    let mut tangents = directions.filter_map(across);
    // Without any, all lies on one line, and every choice is as good if all make the same.
    tangents.next().unwrap_or_else(|| any_across(normal))
}

/// A unit vector across another, the same for its opposite.
fn any_across(unit: DVec3) -> DVec3 {
    let axis = if unit.x.abs() > 0.9 {
        DVec3::Y
    } else {
        DVec3::X
    };
    axis.reject_from_normalized(unit).normalize_or_zero()
}
