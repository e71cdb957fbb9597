//! What a user should know about a run that goes on nevertheless.

use crate::evaluate::pair_input;
use crate::ids::{BodyId, PairId};
use crate::simulation::Simulation;

/// Something that makes results doubtful.
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Simulation};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let rubber = Material::named("rubber").unwrap();
/// # let mut builder = ModelBuilder::new();
/// # let floor = builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
/// # let cube = builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.02]));
/// # let model = builder.build()?;
/// # let mut sim = Simulation::start(model)?;
/// sim.advance_to(0.1)?;
/// for warning in sim.warnings() {
///     eprintln!("{warning}"); // a sentence with time, bodies and remedy
/// }
/// assert!(sim.warnings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Warning {
    /// A body is pressed in so far that the separation direction may turn to its far side.
    #[error(
        "at t = {time:.4} s `{a}` and `{b}` are {depth_mm:.2} mm deep in each other, more than a \
         third of what is {thickness_mm:.2} mm thick: a stiffer material or a smaller load is needed"
    )]
    Deep {
        /// When first seen, s.
        time: f64,
        /// Name of one body.
        a: String,
        /// Name of the other body.
        b: String,
        /// How deep they are in each other, mm.
        depth_mm: f64,
        /// Thickness of the thinner one, mm.
        thickness_mm: f64,
    },
    /// Two bodies are in each other at the start.
    #[error("`{a}` and `{b}` start {depth_mm:.4} mm inside each other: {what}")]
    StartsInside {
        /// When the run began, s.
        time: f64,
        /// Name of one body.
        a: String,
        /// Name of the other body.
        b: String,
        /// How deep they are in each other, mm.
        depth_mm: f64,
        /// What is done about it.
        what: String,
    },
    /// The law of contact is used where it does badly.
    #[error("at t = {time:.4} s between `{a}` and `{b}`: {what}")]
    Law {
        /// When first seen, s.
        time: f64,
        /// Name of one body.
        a: String,
        /// Name of the other body.
        b: String,
        /// What the law says.
        what: String,
    },
}

impl Simulation {
    /// What has been noticed so far, once per pair and kind.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Thickness of the thinner of two bodies, m.
    pub(crate) fn thickness(&self, pair: PairId) -> Option<f64> {
        let a = self.model.surface(pair.a())?;
        let b = self.model.surface(pair.b())?;
        Some(a.thickness.min(b.thickness))
    }

    /// Looks at the contacts of the present evaluation.
    pub(crate) fn watch(&mut self) {
        let time = self.state.time;
        for active in self.evaluation.active() {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let pieces = &active.contact.normal_contact.pieces;
            let depth = pieces.iter().map(|piece| piece.deepest).fold(0.0, f64::max);
            let Some(thickness) = self.thickness(PairId::new(BodyId::new(a), BodyId::new(b)))
            else {
                continue;
            };
            let key = (active.bodies, 0);
            if depth > thickness / 3.0 && !self.warned.contains(&key) {
                self.warned.push(key);
                self.warnings.push(Warning::Deep {
                    time,
                    a: self.model.name_at(a).into(),
                    b: self.model.name_at(b).into(),
                    depth_mm: 1.0e3 * depth,
                    thickness_mm: 1.0e3 * thickness,
                });
            }
            let key = (active.bodies, 1);
            if self.warned.contains(&key) {
                continue;
            }
            let pair_material = self.controls.pair_material_at(a, b);
            let pair = pair_input(&self.model, &pair_material, a, b);
            let law = &self.model.law.normal;
            if let Some(what) = pair.and_then(|pair| law.warning(&pair, pieces)) {
                self.warned.push(key);
                self.warnings.push(Warning::Law {
                    time,
                    a: self.model.name_at(a).into(),
                    b: self.model.name_at(b).into(),
                    what,
                });
            }
        }
    }
}
