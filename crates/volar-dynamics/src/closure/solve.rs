//! The forces of closures, and the way back to g = 0.

use super::rows::pose;
use super::{Closure, Closures, Rows};
use crate::crba::Crba;
use crate::kinematics::{FrameMotion, Kinematics};
use crate::tree::Tree;
use glam::DVec3;
use volar_math::{BlockPattern, Twist, Wrench, cholesky};

/// The share of its own diagonal that the matrix of the closures' forces gets
/// added. Files give axes and points with five to seven digits, so a planar
/// linkage is a little out of its plane: by less than a part in 10⁴, squared.
pub const SOFTNESS: f64 = 1.0e-8;

/// How far g may be from zero after a step, m or rad: far below what matters,
/// far above rounding.
const CLOSED: f64 = 1.0e-11;

/// Newton steps back to g = 0 at most.
const MAX_STEPS: usize = 50;

/// Forces of closures; holds scratch memory only.
#[derive(Clone, Debug, Default)]
pub struct ClosureSolver {
    /// g, J and their rates at the state last prepared.
    pub rows: Rows,
    /// λ of every row, N or N m.
    pub force: Vec<f64>,
    /// Softness of each row, in the units of J M⁻¹ Jᵀ.
    pub softness: Vec<f64>,
    pattern: BlockPattern,
    crba: Crba,
    /// The mass matrix, its blocks factored where closures need them.
    mass: Vec<f64>,
    factored: Vec<bool>,
    /// M⁻¹ Jᵀ, a row of nv numbers for each row of J.
    response: Vec<f64>,
    nv: usize,
    /// L with L Lᵀ = J M⁻¹ Jᵀ + softness, island by island.
    factors: Vec<Island>,
    right: Vec<f64>,
    left_over: Vec<f64>,
    change: Vec<f64>,
}

/// The system of the closures that share joints.
#[derive(Clone, Debug, Default)]
struct Island {
    rows: std::ops::Range<usize>,
    /// J M⁻¹ Jᵀ, and its factor with the softness added; row-major.
    matrix: Vec<f64>,
    factor: Vec<f64>,
}

impl ClosureSolver {
    /// Everything that depends on the pose alone. False if the masses do not
    /// make a mass matrix that can be factored.
    pub fn prepare(
        &mut self,
        tree: &Tree,
        closures: &Closures,
        kinematics: &Kinematics,
        armature: &[f64],
        q: &[f64],
    ) -> bool {
        self.nv = tree.nv();
        self.rows.calc(tree, closures, kinematics, q);
        if self.pattern.indices() != tree.nv() {
            self.pattern = BlockPattern::of_groups(tree.dof_groups());
        }
        let pattern = &self.pattern;
        self.mass.resize(pattern.diagonal_len(), 0.0);
        self.crba
            .calc(tree, kinematics, armature, pattern, &mut self.mass);
        self.respond() && self.build(closures)
    }

    /// M⁻¹ Jᵀ.
    fn respond(&mut self) -> bool {
        let (nv, rows, pattern) = (self.nv, &self.rows, &self.pattern);
        self.response.clear();
        self.response.resize(rows.len() * nv, 0.0);
        self.factored.clear();
        self.factored.resize(pattern.blocks(), false);
        for row in 0..rows.len() {
            let response = &mut self.response[row * nv..(row + 1) * nv];
            for (dof, entry) in rows.row(row) {
                response[dof] += entry;
            }
            for block in 0..pattern.blocks() {
                let members = pattern.members(block);
                let n = members.len();
                if !rows
                    .row(row)
                    .any(|(dof, _)| members.binary_search(&dof).is_ok())
                {
                    continue;
                }
                let L = &mut self.mass[pattern.diagonal(block)];
                if !self.factored[block] {
                    if cholesky::factor(L, n, n, |_| 0.0).is_err() {
                        return false;
                    }
                    self.factored[block] = true;
                }
                self.change.clear();
                self.change.extend(members.iter().map(|dof| response[*dof]));
                cholesky::solve(L, n, &mut self.change);
                for (dof, x) in members.iter().zip(&self.change) {
                    response[*dof] = *x;
                }
            }
        }
        true
    }

    /// J M⁻¹ Jᵀ and its factors.
    fn build(&mut self, closures: &Closures) -> bool {
        let (nv, rows) = (self.nv, &self.rows);
        self.softness.clear();
        let own = |row: usize| rows.dot(row, &self.response[row * nv..(row + 1) * nv]);
        for (nth, closure) in closures.iter().enumerate() {
            let all = rows.of(nth);
            // Lengths with lengths, angles with angles.
            let parts = match closure {
                Closure::Weld(_) => [all.start..all.start + 3, all.start + 3..all.end],
                _ => [all.clone(), all.end..all.end],
            };
            for part in parts {
                let largest = part.clone().map(own).fold(0.0, f64::max);
                self.softness.extend(part.map(|_| SOFTNESS * largest));
            }
        }
        let mut used = 0;
        for island in closures.islands() {
            let (first, last) = (rows.of(island.start).start, rows.of(island.end - 1).end);
            if self.factors.len() == used {
                self.factors.push(Island::default());
            }
            let system = &mut self.factors[used];
            used += 1;
            let n = last - first;
            system.rows = first..last;
            system.matrix.clear();
            for i in first..last {
                for j in first..last {
                    let entry = rows.dot(i, &self.response[j * nv..(j + 1) * nv]);
                    system.matrix.push(entry);
                }
            }
            system.factor.clear();
            system.factor.extend_from_slice(&system.matrix);
            for i in 0..n {
                // A row that nothing moves at all needs a diagonal too.
                system.factor[i * n + i] += self.softness[first + i].max(f64::MIN_POSITIVE);
            }
            if cholesky::factor(&mut system.factor, n, n, |_| 0.0).is_err() {
                return false;
            }
        }
        self.factors.truncate(used);
        true
    }

    /// `(J M⁻¹ Jᵀ)⁻¹` times `right`, softened and refined once, in `force`.
    fn solve_rows(&mut self) {
        self.force.clear();
        self.force.extend_from_slice(&self.right);
        self.left_over.clear();
        self.left_over.extend_from_slice(&self.right);
        for island in &self.factors {
            let (rows, n) = (island.rows.clone(), island.rows.len());
            cholesky::solve(&island.factor, n, &mut self.force[rows.clone()]);
            let rest = &mut self.left_over[rows.clone()];
            for (i, rest) in rest.iter_mut().enumerate() {
                let row = &island.matrix[i * n..(i + 1) * n];
                let done: f64 = row
                    .iter()
                    .zip(&self.force[rows.clone()])
                    .map(|(a, x)| a * x)
                    .sum();
                *rest -= done;
            }
            cholesky::solve(&island.factor, n, rest);
            for (force, more) in self.force[rows].iter_mut().zip(rest) {
                *force += *more;
            }
        }
    }

    /// Adds `M⁻¹ Jᵀ force` to a vector over the dofs.
    fn add_response(&self, to: &mut [f64]) {
        for (row, force) in self.force.iter().enumerate() {
            let response = &self.response[row * self.nv..(row + 1) * self.nv];
            for (to, response) in to.iter_mut().zip(response) {
                *to += force * response;
            }
        }
    }

    /// λ by (1) of the module, at the pose prepared, and v̇ with it.
    pub fn accelerate(
        &mut self,
        tree: &Tree,
        closures: &Closures,
        kinematics: &Kinematics,
        q: &[f64],
        v: &[f64],
        vdot: &mut [f64],
    ) {
        self.rows.rates(closures, kinematics, v);
        self.rows
            .accelerations(tree, closures, kinematics, [q, v, vdot]);
        self.right.clear();
        self.right.extend(self.rows.acceleration.iter().map(|a| -a));
        self.solve_rows();
        self.add_response(vdot);
    }

    /// Power of the closures' forces, W: zero but for what drifts.
    pub fn power(&self) -> f64 {
        let rows = self.force.iter().zip(&self.rows.rate);
        rows.map(|(force, rate)| force * rate).sum()
    }

    /// Adds the closures' wrenches on bodies (about Bo, world axes) and efforts on
    /// joints to what else acts there.
    pub fn add_forces(
        &self,
        closures: &Closures,
        kinematics: &Kinematics,
        wrenches: &mut [Wrench],
        tau: &mut [f64],
    ) {
        for (nth, closure) in closures.iter().enumerate() {
            let rows = self.rows.of(nth);
            let Some((force, torque, ends)) = self.wrench(closure, nth) else {
                for (dof, entry) in self.rows.row(rows.start) {
                    tau[dof] += entry * self.force[rows.start];
                }
                continue;
            };
            for (end, sign) in ends.iter().zip([1.0, -1.0]) {
                if let Some(body) = end.body {
                    let r = pose(kinematics, end).p - kinematics.X_WB[body].p;
                    wrenches[body] += Wrench::new(torque, force).about(-r) * sign;
                }
            }
        }
    }

    /// Force and torque on end A of a closure of bodies, world axes.
    fn wrench<'c>(
        &self,
        closure: &'c Closure,
        nth: usize,
    ) -> Option<(DVec3, DVec3, &'c [super::End; 2])> {
        let rows = &self.force[self.rows.of(nth)];
        match closure {
            Closure::Connect(ends) => Some((DVec3::from_slice(rows), DVec3::ZERO, ends)),
            Closure::Weld(ends) => {
                Some((DVec3::from_slice(rows), DVec3::from_slice(&rows[3..]), ends))
            }
            Closure::Joints(_) => None,
        }
    }

    /// Adds ∂(Jᵀ λ)/∂q with λ held to the entries of a pattern of the dofs: that the
    /// points where forces act move with their bodies, and that polynomials bend. That
    /// joint axes turn is in [`crate::GeometricStiffness`].
    pub fn add_stiffness(
        &self,
        tree: &Tree,
        closures: &Closures,
        kinematics: &Kinematics,
        q: &[f64],
        pattern: &BlockPattern,
        K: &mut [f64],
    ) {
        for (nth, closure) in closures.iter().enumerate() {
            let Some((force, _, ends)) = self.wrench(closure, nth) else {
                let Closure::Joints(relation) = closure else {
                    continue;
                };
                let [_, _, curvature] = relation.polynomial_at(tree, q);
                let bend = -curvature * self.force[self.rows.of(nth).start];
                for (i, a) in &relation.leader {
                    for (j, b) in &relation.leader {
                        K[pattern.index(*i, *j)] += a * bend * b;
                    }
                }
                continue;
            };
            for (end, sign) in ends.iter().zip([1.0, -1.0]) {
                if let Some(body) = end.body {
                    let p_W = pose(kinematics, end).p;
                    add_carried_force(tree, kinematics, body, p_W, force * sign, pattern, K);
                }
            }
        }
    }

    /// Moves q and v to where the closures hold: `g(q) = 0` and `ġ = 0`, by the least
    /// motion that mass allows. Leaves everything prepared there, in `kinematics` too.
    /// The result says what is left of g, how far joints were moved, and the kinetic
    /// energy that was taken.
    #[expect(clippy::too_many_arguments, reason = "a state and what moves it")]
    pub fn close(
        &mut self,
        tree: &Tree,
        closures: &Closures,
        armature: &[f64],
        base_motions: &[FrameMotion],
        kinematics: &mut Kinematics,
        q: &mut Vec<f64>,
        v: &mut [f64],
    ) -> Closed {
        let mut moved = vec![0.0; tree.nv()];
        let mut before = f64::INFINITY;
        let mut next = q.clone();
        let mut closed = Closed::default();
        for step in 0..=MAX_STEPS {
            kinematics.calc(tree, q, v, base_motions);
            if !self.prepare(tree, closures, kinematics, armature, q) {
                closed.gap = f64::INFINITY;
                return closed;
            }
            let values = self.rows.value.iter();
            closed.gap = values.fold(0.0, |most: f64, g| most.max(g.abs()));
            closed.row = (self.rows.value.iter())
                .position(|g| g.abs() >= closed.gap)
                .unwrap_or(0);
            if step == 0 {
                closed.gap_before = closed.gap;
            }
            // Closed, or as closed as it gets: what is left cannot be moved.
            if closed.gap <= CLOSED || step == MAX_STEPS || closed.gap > 0.9 * before {
                break;
            }
            before = closed.gap;
            self.right.clear();
            self.right.extend(self.rows.value.iter().map(|g| -g));
            self.solve_rows();
            self.change.clear();
            self.change.resize(tree.nv(), 0.0);
            let mut change = std::mem::take(&mut self.change);
            self.add_response(&mut change);
            // No more than half a rad or metre at a time: the relations bend.
            let longest = change.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if longest > 0.5 {
                change.iter_mut().for_each(|x| *x *= 0.5 / longest);
                before = f64::INFINITY;
            }
            for (moved, x) in moved.iter_mut().zip(&change) {
                *moved += x;
            }
            next.resize(q.len(), 0.0);
            tree.plus(q, &change, &mut next);
            std::mem::swap(q, &mut next);
            self.change = change;
        }
        closed.moved = moved.iter().fold(0.0, |most, x| most.max(x.abs()));
        self.rows.rates(closures, kinematics, v);
        self.right.clear();
        self.right.extend(self.rows.rate.iter().map(|rate| -rate));
        self.solve_rows();
        self.add_response(v);
        let impulses = self.force.iter().zip(&self.rows.rate);
        closed.energy = -0.5 * impulses.map(|(p, rate)| p * rate).sum::<f64>();
        closed
    }
}

/// How well closures hold after [`ClosureSolver::close`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Closed {
    /// The largest of g that is left, m or rad, and its row.
    pub gap: f64,
    /// The row it is in.
    pub row: usize,
    /// The largest of g before.
    pub gap_before: f64,
    /// The farthest that a dof was moved, m or rad.
    pub moved: f64,
    /// Kinetic energy that was taken, J.
    pub energy: f64,
}

/// Adds to K how the efforts of a force change because the point of a body at which it
/// acts moves with the body, the force itself fixed in the world.
pub fn add_carried_force(
    tree: &Tree,
    kinematics: &Kinematics,
    body: usize,
    p_W: DVec3,
    force: DVec3,
    pattern: &BlockPattern,
    K: &mut [f64],
) {
    let axis = |dof: usize| -> Twist { kinematics.axis_at(tree, dof, p_W) };
    for &i in tree.ancestor_dofs(body) {
        let S_i = axis(i);
        for &j in tree.ancestor_dofs(body) {
            K[pattern.index(i, j)] += S_i.angular.dot(axis(j).linear.cross(force));
        }
    }
}
