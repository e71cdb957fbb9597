//! What the contacts of a body could bear, and what overlaps at the start.

use glam::DVec3;

use crate::ids::{BodyId, PairId};
use crate::simulation::Simulation;

/// A contact of a body with its extent and its friction: all that a measure of a grasp asks for.
/// World axes.
///
/// See [`Simulation::bearing_contacts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BearingContact {
    /// What the body touches.
    pub other: BodyId,
    /// Centre of pressure, m.
    pub point: DVec3,
    /// Direction in which the body is pushed.
    pub normal: DVec3,
    /// Normal force, N.
    pub normal_force: f64,
    /// Area of contact seen along the normal, m².
    pub area: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Radius at which torsional friction acts, m.
    pub torsion_radius: f64,
    /// Radii of gyration of the pressure along its two principal axes in the plane of the
    /// contact, as vectors, m.
    pub spread: [DVec3; 2],
}

/// Two bodies in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOverlap {
    /// The bodies.
    pub pair: PairId,
    /// Greatest depth, m.
    pub depth: f64,
    /// Overlap volume, m³.
    pub volume: f64,
}

impl Simulation {
    /// The patches through which a body is pressed, by pair in order of the bodies.
    ///
    /// ```
    /// use volar_sim::{Body, ModelBuilder, Simulation};
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use volar_contact::Material;
    /// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
    /// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
    /// # let rubber = Material::named("rubber").unwrap();
    /// let mut builder = ModelBuilder::new();
    /// builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
    /// let cube = builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.02]));
    /// let mut sim = Simulation::start(builder.build()?)?;
    /// sim.advance_to(1.0)?;
    /// let contact = sim.bearing_contacts(cube)[0];
    /// assert!((contact.normal - DVec3::Z).length() < 1.0e-9);
    /// // A square of side a has radii of gyration of a/√12.
    /// assert!((contact.spread[0].length() - 0.04 / 12.0_f64.sqrt()).abs() < 1.0e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bearing_contacts(&self, body: BodyId) -> Vec<BearingContact> {
        let mut contacts = Vec::new();
        for active in self.evaluation.active() {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let Some(other) = PairId::new(BodyId::new(a), BodyId::new(b)).other(body) else {
                continue;
            };
            let X_WA = &self.evaluation.kinematics.X_WB[a];
            let contact = &active.contact;
            let pairs = self.state.patches.iter();
            let pair = pairs.filter(|pair| pair.bodies == active.bodies);
            let patches: usize = pair.map(|pair| pair.tracked.len()).sum();
            let pieces = &contact.normal_contact.pieces[..patches];
            for (piece, friction) in pieces.iter().zip(&contact.frictions) {
                let load = piece.normal_force();
                if load <= 0.0 {
                    continue;
                }
                let push = X_WA.vector(piece.normal());
                contacts.push(BearingContact {
                    other,
                    point: X_WA.point(contact.point + piece.centre()),
                    normal: if body.index() == a { push } else { -push },
                    normal_force: piece.net_normal_force(),
                    area: piece.area(),
                    friction: friction.limit / load,
                    torsion_radius: piece.friction_radius(),
                    spread: piece.gyration_axes().map(|axis| X_WA.vector(axis)),
                });
            }
        }
        contacts
    }

    /// Pairs of bodies that were in each other when the simulation
    /// [began](Simulation::begin), before anything was done about it.
    pub fn start_overlaps(&self) -> &[PairOverlap] {
        &self.start_overlaps
    }

    /// Pairs of bodies that are in each other now.
    pub(crate) fn overlaps(&self) -> Vec<PairOverlap> {
        let active = self.evaluation.active().iter();
        let overlaps = active.map(|active| {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let pieces = active.contact.normal_contact.pieces.iter();
            PairOverlap {
                pair: PairId::new(BodyId::new(a), BodyId::new(b)),
                depth: pieces.map(|piece| piece.deepest).fold(0.0, f64::max),
                volume: active.contact.volume,
            }
        });
        overlaps.filter(|overlap| overlap.volume > 0.0).collect()
    }
}
