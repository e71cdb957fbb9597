//! Starts in overlap: as they are, relaxed, or released gently.
//!
//! A data set may place bodies millimetres deep in each other. The layers then
//! hold energy that nobody put there, and left alone it becomes speed: 1 mm of
//! steel in steel is worth tens of m/s. Released gently, it becomes heat.
//!
//! A pair that starts in overlap presses for a while with
//!
//! ```text
//! g (s V + τ V̇)         s from s₀ to 1 in 10 τ
//! ```
//!
//! instead of g V: its stiffness grows, beside a damper that may pull, from what
//! balances the other forces on the pair. What has little mass against the damper
//! follows `V̇ = −s V/τ`, so the overlap falls off as `exp(−t²/20 τ²)` and then
//! `exp(−t/τ)`, whatever its shape and stiffness. What is left when the overlap has become so
//! small that its damper is weak is stopped by a second one, `M/τ` with the inertia M of the
//! lighter body, against all motion of the two relative to each other: `τ k + m/τ` is at least
//! `2 √(k m)`, critical damping, whatever the stiffness k. τ is [`RELEASE_TIME`], or `√(m/k)` where
//! the contact is so soft that it would take longer. From 20 τ to 40 τ the
//! dampers fade, or end at once when the bodies part; from then on the contact is like any
//! other. What the dampers take is
//! [`EnergyBalance::start`](crate::EnergyBalance::start).

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use volar_contact::{NormalLaw, PairMaterial};
use volar_dynamics::{FrameMotion, Kinematics};
use volar_math::{Matrix6, Wrench};

use crate::error::SimError;
use crate::evaluate::{ActivePair, relative_twist};
use crate::ids::{BodyId, PairId};
use crate::model::Model;
use crate::simulation::{Integrator, Simulation};
use crate::warning::Warning;

/// Time constant of a release, s: 5 mm are let out in 0.1 s, with 2 g at most.
pub(crate) const RELEASE_TIME: f64 = 5.0e-3;
/// Multiples of the time constant at which the stiffness is whole again, ...
const WHOLE: f64 = 10.0;
/// ... the damper begins to fade ...
const FADES: f64 = 20.0;
/// ... and is gone.
const GONE: f64 = 40.0;
/// The stiffness begins with at least this share: none at all would leave patches
/// without a centre of pressure.
const LEAST_SHARE: f64 = 1.0e-6;
/// An overlap deeper than this at the start is named, m ...
const NAMED_DEPTH: f64 = 2.0e-6;
/// ... and one whose energy could become more than this speed, m/s.
const NAMED_SPEED: f64 = 5.0e-3;

/// What becomes of bodies that start in each other.
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Simulation, Start};
/// # use std::sync::Arc;
/// # use glam::DVec3;
/// # use volar_contact::Material;
/// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
/// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
/// # let steel = Material::named("steel").unwrap();
/// let mut builder = ModelBuilder::new();
/// builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, steel).unwrap());
/// let cube = builder.add(Body::free("cube", mesh, 0.1, steel).at([0.0, 0.0, 0.019])); // 1 mm deep
/// let mut sim = Simulation::start(builder.build()?)?;
/// sim.begin(Start::Gentle)?;
/// println!("{}", sim.warnings()[0]); // with names and depth
/// sim.advance_to(0.2)?;
/// assert!((sim.pose(cube).p.z - 0.02).abs() < 1.0e-6); // m: on the floor ...
/// assert!(sim.velocity(cube).linear.length() < 1.0e-3); // m/s: ... and at rest
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The overlap pushes them apart with the energy it stores.
    AsIs,
    /// They are moved to where nothing presses, see [`Simulation::relax`].
    Relaxed,
    /// They are pushed apart slowly, and the energy is lost.
    #[default]
    Gentle,
}

/// The release of a pair that started in overlap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// The bodies A < B.
    pub bodies: (u32, u32),
    /// When it began, s.
    pub since: f64,
    /// Its time constant τ, s.
    pub time: f64,
    /// The share of the stiffness it begins with.
    pub share: f64,
}

impl Release {
    /// When the contact is like any other again, s.
    pub(crate) fn end(&self) -> f64 {
        self.since + GONE * self.time
    }

    /// Times at which stiffness or damping have a corner, s.
    pub(crate) fn corners(&self) -> [f64; 3] {
        [WHOLE, FADES, GONE].map(|factor| self.since + factor * self.time)
    }

    /// Makes the material of the pair what it is at a time.
    pub(crate) fn apply(&self, t: f64, pair_material: &mut PairMaterial) {
        let age = (t - self.since) / self.time;
        let share = self.share + (1.0 - self.share) * (age / WHOLE).clamp(0.0, 1.0);
        // The damper is that of the whole stiffness.
        pair_material.release_time = self.fading(t) * self.time / share;
        pair_material.stiffness *= share;
    }

    /// How much of the dampers there is at a time.
    fn fading(&self, t: f64) -> f64 {
        let age = (t - self.since) / self.time;
        ((GONE - age) / (GONE - FADES)).clamp(0.0, 1.0)
    }

    /// Adds the damper `M/τ` against the motion of the lighter body relative to the other.
    pub(crate) fn add_drag(&self, t: f64, model: &Model, active: &mut ActivePair) {
        let bodies = [self.bodies.0 as usize, self.bodies.1 as usize];
        let [of_a, of_b] = bodies.map(|body| model.movable_mass(body).unwrap_or(f64::INFINITY));
        let lighter = if of_b < of_a { 1 } else { 0 };
        let (light, heavy) = (of_a.min(of_b), of_a.max(of_b));
        if !light.is_finite() {
            return;
        }
        // Of two in series the lighter counts, less what the heavier gives way.
        let rate = self.fading(t) / (self.time * (1.0 + light / heavy));
        let body = &model.tree.bodies()[bodies[lighter]];
        let (R, centre) = match lighter {
            0 => (DMat3::IDENTITY, body.p_BoBcm_B),
            _ => (active.X_AB.R, active.X_AB.point(body.p_BoBcm_B)),
        };
        let contact = &mut active.contact;
        let mut by_twist = Matrix6::at(
            centre - contact.point,
            DMat3::from_diagonal(DVec3::splat(light)),
        );
        by_twist.torque_by_rotation += R * body.inertia * R.transpose();
        let by_twist = -rate * by_twist;
        let wrench = &by_twist * active.twist;
        contact.normal_contact.release += wrench;
        contact.wrench += wrench;
        contact.by_twist += by_twist;
        contact.by_displacement += Matrix6::carrying(wrench);
        contact.release_lost -= wrench.dot(active.twist);
    }
}

impl Simulation {
    /// Deals with bodies that are in each other at the start; call it before the
    /// first step. Names every such pair in [`warnings`](Self::warnings), whatever
    /// is done about it.
    ///
    /// A gentle release needs the foundation law and the implicit integrator; without
    /// them the start stays as it is, and the warning says so.
    pub fn begin(&mut self, start: Start) -> Result<(), SimError> {
        self.start_overlaps = self.overlaps();
        let mut deep = self.starts_inside();
        let can_release = matches!(self.model.law.normal, NormalLaw::Foundation)
            && self.settings.integrator == Integrator::Implicit;
        for inside in &deep {
            let [a, b] = [inside.pair.a(), inside.pair.b()];
            self.warnings.push(Warning::StartsInside {
                time: self.state.time,
                a: self.model.name(a).into(),
                b: self.model.name(b).into(),
                depth_mm: 1.0e3 * inside.depth,
                what: match start {
                    _ if !inside.is_parting() => "other forces hold them together".into(),
                    Start::Gentle if can_release => "they are released gently".into(),
                    Start::Gentle => "they are pushed apart with the energy this stores, because \
                         only the foundation law with the implicit integrator can release them \
                         gently"
                        .into(),
                    Start::Relaxed => "they are moved apart".into(),
                    Start::AsIs => "they are pushed apart with the energy this stores".into(),
                },
            });
        }
        if deep.is_empty() || start == Start::AsIs || (start == Start::Gentle && !can_release) {
            return Ok(());
        }
        if start == Start::Relaxed {
            return self.relax();
        }
        deep.retain(Inside::is_parting);
        if deep.is_empty() {
            return Ok(());
        }
        self.state.releases = self.releases(&deep)?;
        self.restart()
    }

    /// The releases of pairs that are pushed apart.
    fn releases(&mut self, deep: &[Inside]) -> Result<Vec<Release>, SimError> {
        // Without their stiffness: what all other forces do to them.
        self.state.releases = deep
            .iter()
            .map(|inside| inside.release(self.state.time))
            .collect();
        self.restart()?;
        let accelerations = self.accelerations();
        let mut releases = std::mem::take(&mut self.state.releases);
        for (release, inside) in releases.iter_mut().zip(deep) {
            let (a, b) = (release.bodies.0 as usize, release.bodies.1 as usize);
            let active = self.evaluation.active().iter();
            let Some(active) = active.into_iter().find(|p| p.bodies == release.bodies) else {
                continue;
            };
            let alone = relative_twist(&accelerations, a, b, &active.contact);
            let together = -inside.wrench.dot(alone);
            let share = together / (inside.parting + together);
            release.share = share.clamp(LEAST_SHARE, 1.0);
        }
        Ok(releases)
    }

    /// Accelerations in place of velocities: they are to the rates of the velocities
    /// what velocities are to these, but for terms of the speed, which a start has little of.
    fn accelerations(&self) -> Kinematics {
        let mut accelerations = Kinematics::default();
        let moved = self.model.motions.iter().map(|motion| {
            let frame = motion.at(self.state.time);
            let V_WF = frame.A_WF;
            FrameMotion { V_WF, ..frame }
        });
        let moved: Vec<FrameMotion> = moved.collect();
        let (q, vdot) = (&self.state.q, &self.evaluation.vdot);
        accelerations.calc(&self.model.tree, q, vdot, &moved);
        accelerations
    }

    /// Pairs that overlap by more than rounding.
    fn starts_inside(&self) -> Vec<Inside> {
        let accelerations = self.accelerations();
        let inside = self.evaluation.active().iter().map(|active| {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let masses = [a, b].map(|body| self.model.movable_mass(body));
            let pieces = &active.contact.normal_contact.pieces;
            let wrench = active.contact.normal_contact.wrench();
            Inside {
                pair: PairId::new(BodyId::new(a), BodyId::new(b)),
                depth: pieces.iter().map(|piece| piece.depth).fold(0.0, f64::max),
                stiffness: pieces.iter().map(|piece| piece.approach_stiffness).sum(),
                // Two in series where both can move.
                mass: 1.0 / masses.into_iter().flatten().map(|m| 1.0 / m).sum::<f64>(),
                wrench,
                parting: wrench.dot(relative_twist(&accelerations, a, b, &active.contact)),
            }
        });
        inside.filter(Inside::is_named).collect()
    }

    /// Ends the releases of pairs that have parted or whose time is over.
    pub(crate) fn end_releases(&mut self) {
        let time = self.state.time;
        let active = self.evaluation.active();
        let touches = |bodies: (u32, u32)| {
            let mut own = active.iter().filter(|pair| pair.bodies == bodies);
            own.any(|pair| pair.contact.volume > 0.0)
        };
        let releases = &mut self.state.releases;
        releases.retain(|release| time < release.end() && touches(release.bodies));
    }
}

/// A pair that starts in overlap.
struct Inside {
    pair: PairId,
    /// Greatest depth, m.
    depth: f64,
    /// Against approach, N/m.
    stiffness: f64,
    /// What is pushed apart, kg.
    mass: f64,
    /// What the overlap presses with, on A.
    wrench: Wrench,
    /// That times the acceleration with which the bodies part, N m/s².
    parting: f64,
}

impl Inside {
    /// Whether they are pushed apart: other forces may hold them together.
    fn is_parting(&self) -> bool {
        self.parting > 0.0
    }

    /// Its release without any stiffness.
    fn release(&self, since: f64) -> Release {
        Release {
            bodies: (self.pair.a().index() as u32, self.pair.b().index() as u32),
            since,
            time: self.critical_time().max(RELEASE_TIME),
            share: LEAST_SHARE,
        }
    }

    /// The τ with which the spring and the two dampers beside it are just damped
    /// critically, s.
    fn critical_time(&self) -> f64 {
        if self.stiffness > 0.0 {
            (self.mass / self.stiffness).sqrt()
        } else {
            0.0
        }
    }

    fn is_named(&self) -> bool {
        let speed = self.depth * (self.stiffness / self.mass).sqrt();
        self.mass.is_finite() && (self.depth >= NAMED_DEPTH || speed >= NAMED_SPEED)
    }
}
