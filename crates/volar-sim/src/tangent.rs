//! The tangents of an evaluation, and the linear system of the implicit method.
//!
//! With c = hγ, one stage asks for `(1 − c J) k = r`. By rows, with the mass
//! matrix M, stiffness `K = ∂τ/∂q`, damping `D = ∂τ/∂v`, and for each patch p the
//! effort `B = ∂τ/∂z` and the rates `H = ∂ż/∂z`, `G = ∂ż/∂v`, `E = ∂ż/∂q`:
//!
//! ```text
//! δ − c v             = r_q
//! M v − c (K δ + D v + Σ B z) = M r_v
//! z − c (E δ + G v + H z)     = r_z        for each patch
//! ```
//!
//! δ and z are eliminated, which leaves one system of the size of v:
//!
//! ```text
//! (M − c D − c² K − Σ c B P (c G + c² E)) v
//!     = M r_v + c K r_q + Σ c B P (r_z + c E r_q),      P = (1 − c H)⁻¹
//! ```
//!
//! Bodies that neither touch nor hang together share no entry of it: see
//! [`BlockPattern`]. K and D hold contact, friction, joints, servos, gravity and the turning of
//! joint axes under load. Closed chains add `J v − ε μ = J r_v` and `Jᵀ μ` with their
//! forces μ; these are eliminated too, which adds `Jᵀ J v / ε` on the left and
//! `Jᵀ J r_v / ε` on the right. What is left out (inertial forces, the chart's
//! curvature, slips and the energy balance) keeps the order of a W-method.

use glam::DMat3;
use volar_contact::memory::StateRates;
use volar_dynamics::closure::{Rows, add_carried_force};
use volar_dynamics::{Crba, GeometricStiffness, Loads};
use volar_math::{BlockLu, BlockPattern, Matrix6, Twist};

use crate::controls::Controls;
use crate::coupled_states::{Coupled, dot};
use crate::evaluate::{ActivePair, Evaluation, Patches};
use crate::layout::Layout;
use crate::model::Model;

/// Tangents, and the factored system.
#[derive(Clone, Debug, Default)]
pub struct Tangent {
    /// Where entries are, by which dofs couple: `links` are pairs of their groups.
    pattern: BlockPattern,
    links: Vec<(usize, usize)>,
    old_links: Vec<(usize, usize)>,
    /// Diagonal blocks only.
    mass: Vec<f64>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    coupled: Vec<Coupled>,
    in_use: usize,
    /// J of closed chains, and 1/ε of its rows.
    rows: Rows,
    rigidity: Vec<f64>,
    crba: Crba,
    geometric: GeometricStiffness,
    dofs: Vec<usize>,
    columns: [Vec<Twist>; 2],
    system: Vec<f64>,
    factors: BlockLu,
    singular: bool,
    c: f64,
    right: Vec<f64>,
    product: Vec<f64>,
    state: Vec<f64>,
}

impl Tangent {
    /// Takes the tangents at the point the evaluation was last made at.
    #[expect(clippy::too_many_arguments, reason = "the inputs of one evaluation")]
    pub fn linearise(
        &mut self,
        model: &Model,
        controls: &Controls,
        evaluation: &Evaluation,
        patches: &Patches,
        layout: &Layout,
        t: f64,
        q: &[f64],
        x: &[f64],
    ) {
        self.find_pattern(model, controls, evaluation, patches);
        self.mass.resize(self.pattern.diagonal_len(), 0.0);
        for matrix in [&mut self.stiffness, &mut self.damping] {
            matrix.clear();
            matrix.resize(self.pattern.len(), 0.0);
        }
        self.in_use = 0;
        let (v, z) = (&x[layout.velocity()], &x[layout.joint_friction()]);
        let kinematics = &evaluation.kinematics;
        let armature = controls.joints.armature();
        let pattern = &self.pattern;
        self.crba
            .calc(&model.tree, kinematics, armature, pattern, &mut self.mass);
        let held = &evaluation.switches;
        let (K, D) = (&mut self.stiffness, &mut self.damping);
        controls
            .joints
            .add_tangents(t, q, v, z, held, pattern, K, D);
        let loads = Loads {
            gravity: controls.gravity.at(t),
            F_Bo_W: evaluation.acting_wrenches(),
            armature,
        };
        self.geometric
            .add(&model.tree, kinematics, &loads, pattern, K);
        self.add_loads(model, controls, evaluation, t);
        self.add_closures(model, evaluation, q);
        self.add_joint_friction(controls, evaluation, layout);
        for active in evaluation.active() {
            self.add_contact(model, evaluation, patches, layout, active);
        }
    }

    /// Which dofs couple: those of one tree, of a coupling or an actuator, of bodies
    /// that touch.
    fn find_pattern(
        &mut self,
        model: &Model,
        controls: &Controls,
        evaluation: &Evaluation,
        patches: &Patches,
    ) {
        let groups = model.tree.dof_groups();
        std::mem::swap(&mut self.links, &mut self.old_links);
        self.links.clear();
        let mut link = |a: usize, b: usize| {
            let (a, b) = (groups[a], groups[b]);
            if a != b {
                self.links.push((a.min(b), a.max(b)));
            }
        };
        let couplings = controls.joints.couplings().iter().map(|c| &c.terms);
        let actuators = controls.joints.actuators().iter().map(|(terms, _)| terms);
        for terms in couplings.chain(actuators) {
            for (nth, (a, _)) in terms.iter().enumerate() {
                for (b, _) in &terms[..nth] {
                    link(*a, *b);
                }
            }
        }
        for closure in model.closures.iter() {
            let dofs = closure.dofs(&model.tree);
            for (nth, a) in dofs.iter().enumerate() {
                for b in &dofs[..nth] {
                    link(*a, *b);
                }
            }
        }
        for active in evaluation.active().iter().filter(|a| acts(a, patches)) {
            let [a, b] = [active.bodies.0, active.bodies.1]
                .map(|body| model.tree.ancestor_dofs(body as usize).first());
            if let (Some(&a), Some(&b)) = (a, b) {
                link(a, b);
            }
        }
        self.links.sort_unstable();
        self.links.dedup();
        if self.links != self.old_links || self.pattern.indices() != groups.len() {
            self.pattern.rebuild(groups, &self.links);
            self.factors.analyse(&self.pattern);
        }
    }

    /// Loads act at a point of the body and move along with it; the geometric
    /// stiffness holds their line of action still.
    fn add_loads(&mut self, model: &Model, controls: &Controls, evaluation: &Evaluation, t: f64) {
        for load in &controls.loads {
            let (body, F) = (load.body.index(), load.at(t));
            let X_WB = &evaluation.kinematics.X_WB[body];
            let p_WP = X_WB.p + load.arm(X_WB);
            let (tree, kinematics) = (&model.tree, &evaluation.kinematics);
            let (pattern, K) = (&self.pattern, &mut self.stiffness);
            add_carried_force(tree, kinematics, body, p_WP, F.force, pattern, K);
        }
    }

    fn add_closures(&mut self, model: &Model, evaluation: &Evaluation, q: &[f64]) {
        self.rigidity.clear();
        if model.closures.is_empty() {
            return;
        }
        let (tree, kinematics) = (&model.tree, &evaluation.kinematics);
        let (closures, closing) = (&model.closures, &evaluation.closing);
        let (pattern, K) = (&self.pattern, &mut self.stiffness);
        closing.add_stiffness(tree, closures, kinematics, q, pattern, K);
        self.rows.clone_from(&closing.rows);
        self.rigidity.extend(
            closing
                .softness
                .iter()
                .map(|softness| match *softness > 0.0 {
                    true => 1.0 / softness,
                    false => 0.0,
                }),
        );
    }

    fn add_joint_friction(
        &mut self,
        controls: &Controls,
        evaluation: &Evaluation,
        layout: &Layout,
    ) {
        let states = layout.joint_friction().zip(controls.joints.friction_dofs());
        for ((at, &dof), bristle) in states.zip(&evaluation.efforts.bristles) {
            let coupled = self.next_coupled();
            coupled.at = at;
            coupled.size = 1;
            coupled.dofs.push(dof);
            coupled.effort.push(-bristle.df_dz);
            coupled.by_state.push(bristle.dzdot_dz);
            coupled.by_velocity.push(bristle.dzdot_dv);
            coupled.by_position.push(0.0);
        }
    }

    /// A contact: `τ = J_rᵀ F` with `J_r = J_A − J_B` at the contact's point, so
    /// `∂τ/∂q = J_rᵀ (F' J_r + F ×* J_B)` and `∂τ/∂v = J_rᵀ F' J_r`; that the axes
    /// themselves turn is in the geometric stiffness.
    fn add_contact(
        &mut self,
        model: &Model,
        evaluation: &Evaluation,
        patches: &Patches,
        layout: &Layout,
        active: &ActivePair,
    ) {
        let contact = &active.contact;
        if !acts(active, patches) {
            return;
        }
        let own = patches.of(active.bodies);
        let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
        let kinematics = &evaluation.kinematics;
        let X_WA = &kinematics.X_WB[a];
        let p_WC = X_WA.point(contact.point);
        self.gather_columns(model, evaluation, [a, b], p_WC);
        let (relative, of_b) = (&self.columns[0], &self.columns[1]);
        let count = self.dofs.len();

        let K = contact.by_displacement.rotated(&X_WA.R);
        let D = contact.by_twist.rotated(&X_WA.R);
        let carried = Matrix6::carrying(contact.wrench.rotated(&X_WA.R));
        for j in 0..count {
            let by_displacement = &K * relative[j] + &carried * of_b[j];
            let by_twist = &D * relative[j];
            for i in 0..count {
                let entry = self.pattern.index(self.dofs[i], self.dofs[j]);
                self.stiffness[entry] += by_displacement.dot(relative[i]);
                self.damping[entry] += by_twist.dot(relative[i]);
            }
        }

        let places = [model.law.friction_states(), model.law.normal_states()];
        let laws = contact.frictions.iter().zip(&contact.normal_contact.states);
        for ((friction, normal), patch) in laws.zip(own) {
            let start = layout.patch(patch).start;
            for (states, place) in [&friction.states, normal].into_iter().zip(&places) {
                if !place.is_empty() {
                    self.add_states(states, place.len(), &X_WA.R, start + place.start);
                }
            }
        }
    }

    /// The dofs that move A or B, and the columns of `J_r` and `J_B` for them.
    fn gather_columns(
        &mut self,
        model: &Model,
        evaluation: &Evaluation,
        [a, b]: [usize; 2],
        p_WC: glam::DVec3,
    ) {
        let tree = &model.tree;
        self.dofs.clear();
        self.dofs.extend_from_slice(tree.ancestor_dofs(a));
        self.dofs.extend_from_slice(tree.ancestor_dofs(b));
        self.dofs.sort_unstable();
        self.dofs.dedup();
        self.columns.iter_mut().for_each(Vec::clear);
        for &dof in &self.dofs {
            let axis = evaluation.kinematics.axis_at(tree, dof, p_WC);
            let part = |body| {
                let moves = tree.ancestor_dofs(body).binary_search(&dof).is_ok();
                if moves { axis } else { Twist::ZERO }
            };
            self.columns[0].push(part(a) - part(b));
            self.columns[1].push(part(b));
        }
    }

    /// The states that one law keeps for a patch; they begin at `at` in x.
    fn add_states(&mut self, states: &StateRates, size: usize, R_WA: &DMat3, at: usize) {
        let count = self.dofs.len();
        let in_use = self.in_use;
        self.next_coupled();
        let coupled = &mut self.coupled[in_use];
        coupled.at = at;
        coupled.size = size;
        coupled.dofs.extend_from_slice(&self.dofs);
        // The patch is in A's axes, the columns in the world's.
        let R_AW = R_WA.transpose();
        let columns: &[Twist] = &self.columns[0];
        let local = |i: usize| columns[i].rotated(&R_AW).to_array();
        for i in 0..count {
            let J = local(i);
            for k in 0..size {
                let effort: f64 = (0..6).map(|r| J[r] * states.wrench_by_state[r][k]).sum();
                coupled.effort.push(effort);
            }
        }
        for row in &states.rate_by_state[..size] {
            coupled.by_state.extend_from_slice(&row[..size]);
        }
        for (block, out) in [
            (&states.rate_by_twist, &mut coupled.by_velocity),
            (&states.rate_by_displacement, &mut coupled.by_position),
        ] {
            for row in &block[..size] {
                for i in 0..count {
                    let J = local(i);
                    out.push(row.iter().zip(J).map(|(x, y)| x * y).sum());
                }
            }
        }
    }

    fn next_coupled(&mut self) -> &mut Coupled {
        if self.coupled.len() == self.in_use {
            self.coupled.push(Coupled::default());
        }
        let coupled = &mut self.coupled[self.in_use];
        self.in_use += 1;
        coupled.dofs.clear();
        for part in [
            &mut coupled.effort,
            &mut coupled.by_state,
            &mut coupled.by_velocity,
            &mut coupled.by_position,
        ] {
            part.clear();
        }
        coupled
    }

    /// Factors the system for c; false when it is singular.
    pub fn factor(&mut self, c: f64) -> bool {
        self.c = c;
        self.singular = true;
        self.system.clear();
        let mass = self.mass.iter().copied().chain(std::iter::repeat(0.0));
        let parts = mass.zip(&self.damping).zip(&self.stiffness);
        self.system
            .extend(parts.map(|((m, d), k)| m - c * d - c * c * k));
        for (row, rigidity) in self.rigidity.iter().enumerate() {
            for (i, a) in self.rows.row(row) {
                for (j, b) in self.rows.row(row) {
                    self.system[self.pattern.index(i, j)] += a * rigidity * b;
                }
            }
        }
        for coupled in &mut self.coupled[..self.in_use] {
            if !coupled.invert(c) {
                return false;
            }
            let (size, count) = (coupled.size, coupled.dofs.len());
            for (i, &row) in coupled.dofs.iter().enumerate() {
                for (j, &column) in coupled.dofs.iter().enumerate() {
                    let sum: f64 = (0..size)
                        .map(|k| coupled.effort[i * size + k] * coupled.reduced[k * count + j])
                        .sum();
                    self.system[self.pattern.index(row, column)] -= c * sum;
                }
            }
        }
        self.singular = !self.factors.factor(&self.pattern, &self.system);
        !self.singular
    }

    /// Solves `(1 − c J) k = b` in place; a singular system has no finite answer.
    pub fn solve(&mut self, layout: &Layout, b: &mut [f64]) {
        if self.singular {
            b.fill(f64::NAN);
            return;
        }
        let c = self.c;
        let (inertia, spring) = (&mut self.right, &mut self.product);
        let pattern = &self.pattern;
        pattern.multiply(&self.mass, &b[layout.velocity()], inertia);
        pattern.multiply(&self.stiffness, &b[layout.chart()], spring);
        for (right, spring) in self.right.iter_mut().zip(&self.product) {
            *right += c * spring;
        }
        for (row, rigidity) in self.rigidity.iter().enumerate() {
            let held = rigidity * self.rows.dot(row, &b[layout.velocity()]);
            for (dof, entry) in self.rows.row(row) {
                self.right[dof] += entry * held;
            }
        }
        for coupled in &self.coupled[..self.in_use] {
            coupled.settle(c, b, layout, &mut self.state);
            for (i, &row) in coupled.dofs.iter().enumerate() {
                let effort = &coupled.effort[i * coupled.size..(i + 1) * coupled.size];
                self.right[row] += c * dot(effort, &self.state);
            }
        }
        self.factors.solve(&self.pattern, &mut self.right);
        for coupled in &self.coupled[..self.in_use] {
            coupled.settle(c, b, layout, &mut self.state);
            let count = coupled.dofs.len();
            for k in 0..coupled.size {
                let row = &coupled.reduced[k * count..(k + 1) * count];
                let moved: f64 = row
                    .iter()
                    .zip(&coupled.dofs)
                    .map(|(r, &dof)| r * self.right[dof])
                    .sum();
                b[coupled.at + k] = self.state[k] + moved;
            }
        }
        for i in 0..layout.nv {
            b[i] += c * self.right[i];
        }
        b[layout.velocity()].copy_from_slice(&self.right);
    }

    /// `∂τ/∂q` and `∂τ/∂v` with z held, and where their entries are.
    #[cfg(test)]
    pub fn matrices(&self) -> (&BlockPattern, &[f64], &[f64]) {
        (&self.pattern, &self.stiffness, &self.damping)
    }
}

/// Whether a pair presses or remembers anything.
fn acts(active: &ActivePair, patches: &Patches) -> bool {
    active.contact.volume > 0.0 || !patches.of(active.bodies).is_empty()
}
