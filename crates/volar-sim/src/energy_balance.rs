//! Energy balance: where energy came from and where it went.
//!
//! ```text
//! kinetic + potential + contact + bristles + joints
//!     = initial + actuators + external + base motions + closures − lost
//! ```
//!
//! Kinetic energy, gravity's potential and what springs and bristles hold
//! follow from the state; the rest is integrated along with the motion.

use volar_dynamics::energy;

use crate::controls::Controls;
use crate::evaluate::Evaluation;
use crate::layout::BALANCE;

/// Energies that are integrated along, J.
///
/// Part of [`Energies`]; see the example there.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EnergyBalance {
    /// Work done by actuators.
    pub actuators: f64,
    /// Work done by external wrenches.
    pub external: f64,
    /// Work done by prescribed motions.
    pub base_motions: f64,
    /// Energy stored in the elastic foundations of the contacts since the start.
    pub contact: f64,
    /// Lost in the damping of contacts.
    pub contact_damping: f64,
    /// Lost in the gentle release of overlaps at the start, see
    /// [`Start`](crate::Start). While a pair is released, `contact` counts the
    /// work of its growing stiffness.
    #[serde(default)]
    pub start: f64,
    /// Work done against friction between bodies: what bristles hold of it
    /// ([`Energies::bristles`]) may come back, the rest is lost.
    pub friction: f64,
    /// Lost in joints.
    pub joints: f64,
    /// Work of closed chains: that of bringing them back to where they are closed at
    /// the ends of steps. A closed chain itself does none.
    #[serde(default)]
    pub closures: f64,
}

impl EnergyBalance {
    /// From the numbers in x.
    pub fn read(x: &[f64]) -> EnergyBalance {
        let [
            actuators,
            external,
            base_motions,
            contact,
            contact_damping,
            start,
            friction,
            joints,
            closures,
        ] = *x
        else {
            return EnergyBalance::default();
        };
        EnergyBalance {
            actuators,
            external,
            base_motions,
            contact,
            contact_damping,
            start,
            friction,
            joints,
            closures,
        }
    }

    /// As numbers for x.
    pub fn numbers(&self) -> [f64; BALANCE] {
        [
            self.actuators,
            self.external,
            self.base_motions,
            self.contact,
            self.contact_damping,
            self.start,
            self.friction,
            self.joints,
            self.closures,
        ]
    }

    /// All that was put in, J.
    pub fn put_in(&self) -> f64 {
        self.actuators + self.external + self.base_motions + self.closures
    }
}

/// All energies at one time, J.
///
/// A cube that falls onto the floor and comes to rest:
///
/// ```
/// use volar_sim::{Body, ModelBuilder, Simulation, State};
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
/// # let mut state = State::neutral(&model);
/// # state.set_pose(&model, cube, &volar_math::Pose::from_translation(DVec3::new(0.0, 0.0, 0.05)));
/// # let mut sim = Simulation::new(Arc::new(model), state, Default::default())?;
/// let start = sim.energies();
/// sim.advance_to(1.0)?;
/// let end = sim.energies();
/// assert!(end.potential < start.potential); // J
/// assert!(end.lost() > 0.0);
/// assert!((end.balance() - start.balance()).abs() < 1.0e-3 * end.lost());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Energies {
    /// Of motion, rotors included.
    pub kinetic: f64,
    /// In gravity, zero at the world's origin.
    pub potential: f64,
    /// In the bristles of contacts.
    pub bristles: f64,
    /// In springs, limits, couplings and friction of joints.
    pub joints: f64,
    /// What was integrated along.
    pub balance: EnergyBalance,
}

impl Energies {
    /// Kinetic and all stored energy, J: never grows but by what is put in.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.bristles + self.joints + self.balance.contact
    }

    /// All that was lost so far, J: never falls.
    pub fn lost(&self) -> f64 {
        let balance = &self.balance;
        balance.contact_damping
            + balance.start
            + (balance.friction - self.bristles)
            + balance.joints
    }

    /// Stays what it was at the start, up to the integrator's error.
    pub fn balance(&self) -> f64 {
        self.total() + self.lost() - self.balance.put_in()
    }
}

/// Rates of the balance at an evaluation.
pub(crate) fn write_powers(
    evaluation: &Evaluation,
    controls: &Controls,
    t: f64,
    base_motion_power: f64,
    rate: &mut [f64],
) {
    let mut power = EnergyBalance {
        actuators: evaluation.efforts.actuator_power,
        base_motions: base_motion_power,
        joints: evaluation.efforts.dissipated,
        ..EnergyBalance::default()
    };
    let (X_WB, V_WB) = (&evaluation.kinematics.X_WB, &evaluation.kinematics.V_WB);
    let loads = controls.loads.iter().map(|load| {
        let body = load.body.index();
        let arm = load.arm(&X_WB[body]);
        load.at(t).dot(V_WB[body].at(arm))
    });
    power.external = loads.sum();
    for active in evaluation.active() {
        power.contact -= active.contact.elastic_power;
        power.contact_damping += active.contact.damping_lost;
        power.start += active.contact.release_lost;
        let frictions = active.contact.frictions.iter();
        power.friction += frictions
            .map(|friction| friction.lost + friction.storing)
            .sum::<f64>();
    }
    rate.copy_from_slice(&power.numbers());
}

impl Evaluation {
    /// Energy in the bristles of all contacts, J.
    pub fn bristle_energy(&self) -> f64 {
        let frictions = self
            .active()
            .iter()
            .flat_map(|active| &active.contact.frictions);
        frictions.map(|friction| friction.stored).sum()
    }

    /// Kinetic energy of bodies and rotors, J.
    pub fn kinetic_energy(&self, controls: &Controls, v: &[f64]) -> f64 {
        energy::kinetic_energy(&self.kinematics)
            + energy::armature_energy(controls.joints.armature(), v)
    }
}
