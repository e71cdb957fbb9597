//! Efforts of the joints: actuators, damping, limits, springs, couplings and
//! dry friction, with their derivatives and their powers.
//!
//! ```text
//! τ_i = actuators − damping v − k (q − rest) + limits + Σ couplings c_i e − f(z, v)
//! τ · v = actuator power − dissipated − d(stored)/dt                            (1)
//! ```
//!
//! Dry friction has a state z of its own per dof that has it, see
//! [`crate::bristle`]; the states stand in the order of
//! [`JointForces::friction_dofs`].

use crate::bristle::{Bristle, BristleEffort};
use crate::coupling::{Coupling, RangeEffort, Side, calc_range};
use crate::joint_params::{DofParams, JointForceError, Spring};
use crate::servo::Actuator;
use crate::switches::Switches;
use crate::tree::Tree;
use volar_math::BlockPattern;

/// What acts in the joints of a tree.
#[derive(Clone, Debug)]
pub struct JointForces {
    pub(crate) params: Vec<DofParams>,
    /// With the dofs and coefficients that make the s they act on.
    pub(crate) actuators: Vec<(Vec<(usize, f64)>, Actuator)>,
    pub(crate) couplings: Vec<Coupling>,
    /// Per dof: where its coordinate is in q.
    pub(crate) coordinate: Vec<Option<usize>>,
    armature: Vec<f64>,
    friction_dofs: Vec<usize>,
}

/// Efforts and powers at one instant; a buffer to be reused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointEfforts {
    /// Effort of each dof, N m or N.
    pub tau: Vec<f64>,
    /// Per friction state: effort, rate of the state, and how they change.
    pub bristles: Vec<BristleEffort>,
    /// Power that actuators put in, W; negative while they brake.
    pub actuator_power: f64,
    /// Power lost to heat, W; never negative.
    pub dissipated: f64,
    /// Energy in springs, limits, couplings and bristles, J.
    pub stored: f64,
    /// Rate of that energy, W.
    pub stored_rate: f64,
}

impl JointForces {
    /// Checks and takes parameters: one set per dof, actuators with the dof
    /// they drive, couplings.
    pub fn new(
        tree: &Tree,
        params: Vec<DofParams>,
        actuators: Vec<(usize, Actuator)>,
        couplings: Vec<Coupling>,
    ) -> Result<JointForces, JointForceError> {
        let dofs = tree.nv();
        if params.len() != dofs {
            let given = params.len();
            return Err(JointForceError::WrongCount { given, dofs });
        }
        let forces = JointForces {
            coordinate: (0..dofs).map(|dof| tree.coordinate(dof)).collect(),
            armature: params.iter().map(|p| p.armature).collect(),
            friction_dofs: (0..dofs).filter(|i| params[*i].friction > 0.0).collect(),
            params,
            actuators: Vec::new(),
            couplings,
        };
        forces.check_params()?;
        forces.check_couplings()?;
        let mut forces = forces;
        for (dof, actuator) in actuators {
            forces.add_actuator(vec![(dof, 1.0)], actuator)?;
        }
        Ok(forces)
    }

    /// Adds an actuator on a joint or on a tendon: it acts on
    /// `s = Σ coefficient · q`, and its effort reaches every dof by its
    /// coefficient.
    pub fn add_actuator(
        &mut self,
        terms: Vec<(usize, f64)>,
        actuator: Actuator,
    ) -> Result<(), JointForceError> {
        self.check_actuator(&terms, &actuator)?;
        self.actuators.push((terms, actuator));
        Ok(())
    }

    /// Joints that move freely.
    pub fn none(tree: &Tree) -> JointForces {
        let dofs = tree.nv();
        JointForces {
            params: vec![DofParams::default(); dofs],
            actuators: Vec::new(),
            couplings: Vec::new(),
            coordinate: (0..dofs).map(|dof| tree.coordinate(dof)).collect(),
            armature: vec![0.0; dofs],
            friction_dofs: Vec::new(),
        }
    }

    /// Passive parameters per dof.
    pub fn params(&self) -> &[DofParams] {
        &self.params
    }

    /// Actuators, each with the dofs it drives and their coefficients.
    pub fn actuators(&self) -> &[(Vec<(usize, f64)>, Actuator)] {
        &self.actuators
    }

    /// Couplings of joints.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Replaces an actuator, for instance to give it a new target.
    pub fn set_actuator(&mut self, number: usize, new: Actuator) -> Result<(), JointForceError> {
        self.check_actuator(&self.actuators[number].0, &new)?;
        self.actuators[number].1 = new;
        Ok(())
    }

    /// Rotor inertia of each dof, as [`crate::Loads`] wants it.
    pub fn armature(&self) -> &[f64] {
        &self.armature
    }

    /// The dofs with dry friction: one state z each, in this order.
    pub fn friction_dofs(&self) -> &[usize] {
        &self.friction_dofs
    }

    /// The bristle of a dof with dry friction.
    pub fn bristle(&self, dof: usize) -> Bristle {
        Bristle::new(self.params[dof].friction, self.params[dof].breakaway)
    }

    /// Efforts and powers at time t (s), for coordinates q, velocities v and
    /// friction states z, with the sides of stops and servos held.
    pub fn calc(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        z: &[f64],
        held: &Switches,
        out: &mut JointEfforts,
    ) {
        assert_eq!(v.len(), self.params.len(), "one value per dof");
        assert_eq!(z.len(), self.friction_dofs.len(), "one per friction state");
        out.tau.clear();
        out.tau.resize(v.len(), 0.0);
        out.bristles.clear();
        out.actuator_power = 0.0;
        out.dissipated = 0.0;
        out.stored = 0.0;
        out.stored_rate = 0.0;

        for (i, params) in self.params.iter().enumerate() {
            out.tau[i] -= params.damping * v[i];
            out.dissipated += params.damping * v[i] * v[i];
            if params.speed_limit.is_some() {
                let braking = params.speed_effort(v[i], held.speeds[i]);
                out.tau[i] += braking;
                out.dissipated -= braking * v[i];
            }
            let Some(at) = self.coordinate[i] else {
                continue;
            };
            if let Some(Spring { stiffness, rest }) = params.spring {
                let x = q[at] - rest;
                out.tau[i] -= stiffness * x;
                out.stored += 0.5 * stiffness * x * x;
                out.stored_rate += stiffness * x * v[i];
            }
            if let Some(limits) = params.limits {
                let (k, d) = (params.limit_stiffness, params.limit_damping);
                let effort = calc_range(limits, k, d, q[at], v[i], held.limits[i]);
                out.add_range(effort, [(i, 1.0)].iter());
            }
        }
        for ((terms, actuator), side) in self.actuators.iter().zip(&held.actuators) {
            let (s, rate) = self.sum(terms, 0.0, q, v);
            let effort = actuator.calc(t, s, rate, *side).effort;
            for (dof, c) in terms {
                out.tau[*dof] += c * effort;
            }
            out.actuator_power += effort * rate;
        }
        for (coupling, side) in self.couplings.iter().zip(&held.couplings) {
            let (s, rate) = self.sum(&coupling.terms, coupling.offset, q, v);
            let (k, d) = (coupling.stiffness, coupling.damping);
            let effort = calc_range(coupling.range, k, d, s, rate, *side);
            out.add_range(effort, coupling.terms.iter());
        }
        for (dof, z) in self.friction_dofs.iter().zip(z) {
            let bristle = self.bristle(*dof).calc(*z, v[*dof]);
            out.tau[*dof] -= bristle.f;
            out.dissipated += bristle.dissipated;
            out.stored += bristle.stored;
            out.stored_rate += bristle.stored_rate;
            out.bristles.push(bristle);
        }
    }

    /// Adds ∂τ/∂q and ∂τ/∂v to matrices of a pattern of the dofs, in which the dofs of
    /// a coupling or an actuator are linked; q by the chart's coordinates, z held. ∂τ/∂z is −`df_dz`
    /// of each bristle on its dof, and the rates of z have their derivatives there too.
    #[expect(clippy::too_many_arguments, reason = "a state and two matrices")]
    pub fn add_tangents(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        z: &[f64],
        held: &Switches,
        pattern: &BlockPattern,
        dtau_dq: &mut [f64],
        dtau_dv: &mut [f64],
    ) {
        assert_eq!(pattern.indices(), self.params.len(), "one index per dof");
        assert_eq!(dtau_dq.len(), pattern.len(), "as the pattern says");
        assert_eq!(dtau_dv.len(), pattern.len(), "as the pattern says");
        for (i, params) in self.params.iter().enumerate() {
            let diagonal = pattern.index(i, i);
            dtau_dv[diagonal] -= params.damping;
            if params.speed_limit.is_some() && held.speeds[i] != Side::Within {
                dtau_dv[diagonal] -= params.speed_damping;
            }
            let Some(at) = self.coordinate[i] else {
                continue;
            };
            if let Some(spring) = params.spring {
                dtau_dq[diagonal] -= spring.stiffness;
            }
            if let Some(limits) = params.limits {
                let (k, d) = (params.limit_stiffness, params.limit_damping);
                let effort = calc_range(limits, k, d, q[at], v[i], held.limits[i]);
                dtau_dq[diagonal] += effort.d_s;
                dtau_dv[diagonal] += effort.d_rate;
            }
        }
        let mut add = |terms: &[(usize, f64)], d_s: f64, d_rate: f64| {
            for (i, c_i) in terms {
                for (j, c_j) in terms {
                    let entry = pattern.index(*i, *j);
                    dtau_dq[entry] += c_i * d_s * c_j;
                    dtau_dv[entry] += c_i * d_rate * c_j;
                }
            }
        };
        for ((terms, actuator), side) in self.actuators.iter().zip(&held.actuators) {
            let (s, rate) = self.sum(terms, 0.0, q, v);
            let effort = actuator.calc(t, s, rate, *side);
            add(terms, effort.d_q, effort.d_v);
        }
        for (coupling, side) in self.couplings.iter().zip(&held.couplings) {
            let (s, rate) = self.sum(&coupling.terms, coupling.offset, q, v);
            let (k, d) = (coupling.stiffness, coupling.damping);
            let effort = calc_range(coupling.range, k, d, s, rate, *side);
            add(&coupling.terms, effort.d_s, effort.d_rate);
        }
        for (dof, z) in self.friction_dofs.iter().zip(z) {
            dtau_dv[pattern.index(*dof, *dof)] -= self.bristle(*dof).calc(*z, v[*dof]).df_dv;
        }
    }

    /// The coordinate of a dof; zero where it has none and nothing asks.
    fn value(&self, dof: usize, q: &[f64]) -> f64 {
        self.coordinate[dof].map_or(0.0, |at| q[at])
    }

    /// `offset + Σ coefficient · q`, and its rate.
    pub(crate) fn sum(
        &self,
        terms: &[(usize, f64)],
        offset: f64,
        q: &[f64],
        v: &[f64],
    ) -> (f64, f64) {
        terms.iter().fold((offset, 0.0), |(s, rate), (dof, c)| {
            (s + c * self.value(*dof, q), rate + c * v[*dof])
        })
    }
}

impl JointEfforts {
    fn add_range<'a>(&mut self, range: RangeEffort, terms: impl Iterator<Item = &'a (usize, f64)>) {
        for (dof, coefficient) in terms {
            self.tau[*dof] += coefficient * range.effort;
        }
        self.dissipated += range.dissipated;
        self.stored += range.stored;
        self.stored_rate += range.stored_rate;
    }
}
