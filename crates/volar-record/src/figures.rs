//! Definitions of the figures of a grasp. Summary, tables, plots and viewer all take
//! them from here.
//!
//! Symbols: O object, C its centre of mass, P palm, f friction force of a contact on
//! the object, N its normal force, A its area.
//!
//! | figure | formula | unit |
//! |---|---|---|
//! | drift | \|p_PC − p_PC(t₀)\| | m |
//! | rotation | angle of R_PO(t₀)ᵀ R_PO | rad |
//! | normal force of a finger | Σ N over its contacts with the object | N |
//! | friction force of a finger | \|Σ f\| over the same contacts | N |
//! | largest force | largest Σ N over the contacts between two bodies | N |
//! | pressure | Σ N / Σ A | Pa |
//! | kinetic energy of the object | ½ m \|v_WC\|² + ½ ω·I_C ω | J |
//! | expected kinetic energy | ½ m \|v_WP\|²: the object moves as the palm's origin does | J |

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3};
use volar_math::rotation;
use volar_sim::{BodyId, Contact, PairId, pressure};

use crate::frame::{Frame, GraspFrame, Header};

mod bearing;
mod slip;

pub use bearing::{bearing_depth, bearing_load};
pub use slip::SlipMeter;

/// How far an object has moved against the palm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// Distance of its centre of mass from where it was, m.
    pub distance: f64,
    /// Angle between its orientation and that of the start, rad.
    pub rotation: f64,
}

impl GraspFrame {
    /// Drift of the object since an earlier frame.
    pub fn drift_since(&self, start: &GraspFrame) -> Drift {
        let quaternion = |[w, x, y, z]: [f64; 4]| DQuat::from_xyzw(x, y, z, w);
        let turn = quaternion(start.orientation).inverse() * quaternion(self.orientation);
        Drift {
            distance: (self.position - start.position).length(),
            rotation: rotation::angle(&DMat3::from_quat(turn)),
        }
    }
}

/// Drift since the time that the scene names, from one frame after another.
#[derive(Clone, Debug, Default)]
pub struct DriftMeter {
    from: f64,
    start: Option<GraspFrame>,
}

impl DriftMeter {
    /// For the frames of a recording.
    pub fn new(header: &Header) -> DriftMeter {
        DriftMeter {
            from: header.grasp.as_ref().map_or(0.0, |grasp| grasp.drift_from),
            start: None,
        }
    }

    /// Drift at the next frame; none before the time it is counted from, and without a
    /// grasp.
    pub fn at(&mut self, frame: &Frame) -> Option<Drift> {
        let grasp = frame.grasp.as_ref().filter(|_| frame.time >= self.from)?;
        Some(grasp.drift_since(self.start.get_or_insert(*grasp)))
    }
}

/// Largest sum of normal forces between two bodies, N.
pub fn largest_force(contacts: &[Contact]) -> f64 {
    let mut pairs = BTreeMap::<PairId, f64>::new();
    for contact in contacts {
        *pairs.entry(contact.pair()).or_default() += contact.normal_force;
    }
    pairs.values().copied().fold(0.0, f64::max)
}

/// Name and unit of a channel of a sensor: `wrist force x (N)` ends with its unit.
pub fn sensor_unit(sensor: &str) -> (&str, &str) {
    let parts = sensor.strip_suffix(')').and_then(|s| s.rsplit_once(" ("));
    parts.unwrap_or((sensor, ""))
}

/// Kinetic energy of a body, J: its mass (kg), its inertia about the centre of mass in
/// its own axes (kg m²), the velocity of that centre (m/s), and its angular velocity in
/// its own axes (rad/s).
pub fn kinetic_energy(mass: f64, inertia: DMat3, velocity: DVec3, angular: DVec3) -> f64 {
    0.5 * mass * velocity.length_squared() + 0.5 * angular.dot(inertia * angular)
}

/// Pressure (Pa) on parts of a surface, given as (area in m², depth in m): in proportion
/// to depth, which is the foundation law, and such that it adds up to a normal force (N).
pub fn pressures(normal_force: f64, parts: &[(f64, f64)]) -> Vec<f64> {
    let sum: f64 = parts.iter().map(|(area, depth)| area * depth).sum();
    let factor = if sum > 0.0 { normal_force / sum } else { 0.0 };
    parts.iter().map(|(_, depth)| factor * depth).collect()
}

/// What a finger, or another body, does to the object: figures over their contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// Number of contacts.
    pub contacts: u32,
    /// Sum of the normal forces, N.
    pub normal_force: f64,
    /// Sum of the friction forces on the object, N.
    pub friction: DVec3,
    /// Least friction margin of those that bear load; none without such a contact.
    pub friction_margin: Option<f64>,
    /// Sum of the areas, m².
    pub area: f64,
    /// Sum of the overlap volumes, each pair of bodies once, m³.
    pub volume: f64,
    /// Greatest depth, m.
    pub depth: f64,
    /// Greatest plastic slip, m.
    pub slip: f64,
    pairs: Vec<PairId>,
}

impl Default for Touch {
    fn default() -> Touch {
        Touch {
            contacts: 0,
            // A sum over nothing is -0 for an iterator, and 0 for people.
            normal_force: 0.0,
            friction: DVec3::ZERO,
            friction_margin: None,
            area: 0.0,
            volume: 0.0,
            depth: 0.0,
            slip: 0.0,
            pairs: Vec::new(),
        }
    }
}

impl Touch {
    /// The figures of some contacts, with forces as they act on `object`.
    pub fn of<'a>(object: BodyId, contacts: impl IntoIterator<Item = &'a Contact>) -> Touch {
        let mut touch = Touch::default();
        for contact in contacts {
            touch.add(object, contact, 0.0);
        }
        touch
    }

    /// Magnitude of the friction force, N.
    pub fn friction_force(&self) -> f64 {
        self.friction.length()
    }

    /// Mean pressure, Pa.
    pub fn pressure(&self) -> f64 {
        pressure(self.normal_force, self.area)
    }

    /// Adds a contact; with less than `bearing`, N, its friction margin does not count.
    fn add(&mut self, object: BodyId, contact: &Contact, bearing: f64) {
        self.contacts += 1;
        self.normal_force += contact.normal_force;
        self.friction += contact.friction_force_on(object);
        if contact.normal_force >= bearing {
            let margins = self.friction_margin.into_iter();
            self.friction_margin = margins.chain([contact.friction_margin]).reduce(f64::min);
        }
        self.area += contact.area;
        // Every patch of a pair tells the volume of the whole pair.
        let pair = contact.pair();
        if !self.pairs.contains(&pair) {
            self.pairs.push(pair);
            self.volume += contact.volume;
        }
        self.depth = self.depth.max(contact.depth);
        self.slip = self.slip.max(contact.slip);
    }
}

/// Who touches the object: fingers, and bodies that belong to no finger.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Names of the fingers, and of bodies that belong to none.
    pub names: Vec<String>,
    /// Which of them are fingers.
    pub is_finger: Vec<bool>,
    /// The object; none in a scene without a grasp.
    pub object: Option<BodyId>,
    /// Group of each body; none for the object.
    of_body: Vec<Option<usize>>,
}

impl Groups {
    /// The groups of a scene.
    pub fn new(header: &Header) -> Groups {
        let mut groups = Groups {
            names: Vec::new(),
            is_finger: Vec::new(),
            object: header.object(),
            of_body: Vec::new(),
        };
        for (number, body) in header.bodies.iter().enumerate() {
            if Some(BodyId::new(number)) == groups.object {
                groups.of_body.push(None);
                continue;
            }
            let is_finger = !body.finger.is_empty();
            let name = if is_finger { &body.finger } else { &body.name };
            let mut all = groups.names.iter().zip(&groups.is_finger);
            let known = all.position(|(known, finger)| known == name && *finger == is_finger);
            groups.of_body.push(Some(known.unwrap_or_else(|| {
                groups.names.push(name.clone());
                groups.is_finger.push(is_finger);
                groups.names.len() - 1
            })));
        }
        groups
    }

    /// The group that a contact of two bodies counts for: that of the body which touches
    /// the object, and of `a` where neither body is the object. None for a body that is
    /// not in the header.
    pub(crate) fn of_pair(&self, a: BodyId, b: BodyId) -> Option<usize> {
        let body = if Some(a) == self.object { b } else { a };
        self.of(body)
    }

    /// The group of a body; none for the object.
    pub fn of(&self, body: BodyId) -> Option<usize> {
        self.of_body.get(body.index()).copied().flatten()
    }

    /// What each group does to the object. In a scene without an object all contacts
    /// count, with forces as they act on `a`.
    pub fn touches(&self, contacts: &[Contact]) -> Vec<Touch> {
        let mut touches = vec![Touch::default(); self.names.len()];
        let object = self.object;
        let bearing = object.map_or(0.0, |object| bearing_load(contacts, object));
        for contact in contacts {
            let on = self.object.unwrap_or(contact.a);
            if contact.other(on).is_none() {
                continue;
            }
            let group = self.of_pair(contact.a, contact.b);
            if let Some(touch) = group.and_then(|group| touches.get_mut(group)) {
                touch.add(on, contact, bearing);
            }
        }
        touches
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // the bits of tests do not matter
mod tests {
    use super::*;

    #[test]
    fn small_rotations_keep_their_digits() {
        let at = |q: DQuat| GraspFrame {
            orientation: [q.w, q.x, q.y, q.z],
            ..GraspFrame::default()
        };
        for expected in [1e-12, 1e-3, 1.0, 3.0] {
            let start = DQuat::from_rotation_x(0.7);
            let end = start * DQuat::from_rotation_z(expected);
            let found = at(end).drift_since(&at(start)).rotation;
            assert!(
                (found / expected - 1.0).abs() < 1e-3,
                "{found} for {expected}"
            );
        }
    }

    #[test]
    fn pressures_add_up_to_the_force() {
        let parts = [(2.0, 1e-3), (1.0, 3e-3), (1.0, 0.0)];
        let pressures = pressures(10.0, &parts);
        let sum: f64 = parts
            .iter()
            .zip(&pressures)
            .map(|((area, _), p)| area * p)
            .sum();
        assert!((sum - 10.0).abs() < 1e-12);
        assert!(pressures[2].abs() < 1e-12, "no depth, no pressure");
        assert!((pressure(10.0, 4.0) - 2.5).abs() < 1e-12);
    }
}
