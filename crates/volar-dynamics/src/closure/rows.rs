//! g, J, and how fast g changes, at a state.
//!
//! World axes throughout. For ends A and B at p_WA, p_WB:
//!
//! ```text
//! Connect   g = p_WA − p_WB                    J = J_A(p_WA) − J_B(p_WB)
//! Weld      the same, and log(R_WA R_WBᵀ)      and ω_A − ω_B
//! Joints    g = y − y₀ − p(x − x₀)             c − p'(x − x₀) d
//! ```

use glam::{DQuat, DVec3};
use volar_math::{Pose, Twist, rotation};

use super::{Closure, Closures, End, JointRelation};
use crate::kinematics::Kinematics;
use crate::tree::Tree;

/// All rows at a state; a buffer to be reused.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// g, m or rad.
    pub value: Vec<f64>,
    /// ġ; filled by [`Rows::rates`].
    pub rate: Vec<f64>,
    /// g̈; filled by [`Rows::accelerations`].
    pub acceleration: Vec<f64>,
    /// Where the entries of each row begin, and where the last ends.
    start: Vec<usize>,
    dofs: Vec<usize>,
    entries: Vec<f64>,
    /// Where the rows of each closure begin, and where the last ends.
    closure_start: Vec<usize>,
    accelerations: Vec<Twist>,
}

impl Rows {
    /// g and J at the pose of the kinematics.
    pub fn calc(&mut self, tree: &Tree, closures: &Closures, kinematics: &Kinematics, q: &[f64]) {
        for part in [&mut self.value, &mut self.entries] {
            part.clear();
        }
        for part in [&mut self.start, &mut self.dofs, &mut self.closure_start] {
            part.clear();
        }
        for closure in closures.iter() {
            self.closure_start.push(self.value.len());
            match closure {
                Closure::Connect(ends) => self.connect(tree, kinematics, ends),
                Closure::Weld(ends) => {
                    self.connect(tree, kinematics, ends);
                    self.align(tree, kinematics, ends);
                }
                Closure::Joints(relation) => self.joints(tree, relation, q),
            }
        }
        self.closure_start.push(self.value.len());
        self.start.push(self.dofs.len());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }

    /// The dofs and entries of a row of J.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[row]..self.start[row + 1];
        let dofs = self.dofs[range.clone()].iter().copied();
        dofs.zip(self.entries[range].iter().copied())
    }

    /// The rows of a closure.
    pub fn of(&self, closure: usize) -> std::ops::Range<usize> {
        self.closure_start[closure]..self.closure_start[closure + 1]
    }

    /// A row of J times a vector over the dofs.
    pub fn dot(&self, row: usize, x: &[f64]) -> f64 {
        self.row(row).map(|(dof, entry)| entry * x[dof]).sum()
    }

    /// Fills ġ, prescribed motions of bases included.
    pub fn rates(&mut self, closures: &Closures, kinematics: &Kinematics, v: &[f64]) {
        self.rate.clear();
        for (nth, closure) in closures.iter().enumerate() {
            match closure {
                Closure::Connect(ends) | Closure::Weld(ends) => {
                    let twist = |end: &End| {
                        end.body.map_or(Twist::ZERO, |body| {
                            let r = pose(kinematics, end).p - kinematics.X_WB[body].p;
                            kinematics.V_WB[body].at(r)
                        })
                    };
                    let relative = twist(&ends[0]) - twist(&ends[1]);
                    self.rate.extend(relative.linear.to_array());
                    if matches!(closure, Closure::Weld(_)) {
                        self.rate.extend(relative.angular.to_array());
                    }
                }
                Closure::Joints(_) => {
                    let row = self.closure_start[nth];
                    self.rate.push(self.dot(row, v));
                }
            }
        }
    }

    /// Fills g̈ for the joints' accelerations v̇.
    pub fn accelerations(
        &mut self,
        tree: &Tree,
        closures: &Closures,
        kinematics: &Kinematics,
        [q, v, vdot]: [&[f64]; 3],
    ) {
        self.acceleration.clear();
        self.accelerations.resize(tree.bodies().len(), Twist::ZERO);
        kinematics.calc_accelerations(tree, vdot, &mut self.accelerations);
        for (nth, closure) in closures.iter().enumerate() {
            match closure {
                Closure::Connect(ends) | Closure::Weld(ends) => {
                    let at = |end: &End| {
                        end.body.map_or(Twist::ZERO, |body| {
                            let r = pose(kinematics, end).p - kinematics.X_WB[body].p;
                            let w = kinematics.V_WB[body].angular;
                            let A = self.accelerations[body].at(r);
                            Twist::new(A.angular, A.linear + w.cross(w.cross(r)))
                        })
                    };
                    let relative = at(&ends[0]) - at(&ends[1]);
                    self.acceleration.extend(relative.linear.to_array());
                    if matches!(closure, Closure::Weld(_)) {
                        self.acceleration.extend(relative.angular.to_array());
                    }
                }
                Closure::Joints(relation) => {
                    let row = self.closure_start[nth];
                    let x_rate = dot(&relation.leader, v);
                    let [_, _, curvature] = relation.polynomial_at(tree, q);
                    let turning = curvature * x_rate * x_rate;
                    self.acceleration.push(self.dot(row, vdot) - turning);
                }
            }
        }
    }

    fn connect(&mut self, tree: &Tree, kinematics: &Kinematics, ends: &[End; 2]) {
        let p_W = ends.map(|end| pose(kinematics, &end).p);
        let gap = p_W[0] - p_W[1];
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            self.start.push(self.dofs.len());
            self.value.push(gap.dot(axis));
            self.body_row(tree, ends, |dof, end| {
                axis.dot(kinematics.axis_at(tree, dof, p_W[end]).linear)
            });
        }
    }

    fn align(&mut self, tree: &Tree, kinematics: &Kinematics, ends: &[End; 2]) {
        let [a, b] = ends.map(|end| pose(kinematics, &end).R);
        let turn = DQuat::from_mat3(&(a * b.transpose()));
        let turn = rotation::log(turn * (1.0 / turn.length()));
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            self.start.push(self.dofs.len());
            self.value.push(turn.dot(axis));
            self.body_row(tree, ends, |dof, _| axis.dot(kinematics.axes[dof].angular));
        }
    }

    /// A row for what the dofs do to end A less what they do to end B.
    fn body_row(&mut self, tree: &Tree, ends: &[End; 2], entry: impl Fn(usize, usize) -> f64) {
        let of = |end: &End| end.body.map_or(&[][..], |body| tree.ancestor_dofs(body));
        let (a, b) = (of(&ends[0]), of(&ends[1]));
        // What carries both moves neither against the other.
        for (end, (own, other), sign) in [(0, (a, b), 1.0), (1, (b, a), -1.0)] {
            for dof in own.iter().filter(|dof| other.binary_search(dof).is_err()) {
                self.dofs.push(*dof);
                self.entries.push(sign * entry(*dof, end));
            }
        }
    }

    fn joints(&mut self, tree: &Tree, relation: &JointRelation, q: &[f64]) {
        self.start.push(self.dofs.len());
        let [p, slope, _] = relation.polynomial_at(tree, q);
        let y = sum(tree, &relation.follower, q) - relation.reference[0];
        self.value.push(y - p);
        for (dof, c) in &relation.follower {
            self.dofs.push(*dof);
            self.entries.push(*c);
        }
        for (dof, d) in &relation.leader {
            self.dofs.push(*dof);
            self.entries.push(-slope * d);
        }
    }
}

impl JointRelation {
    /// p and its first two derivatives at the leader's x.
    pub(crate) fn polynomial_at(&self, tree: &Tree, q: &[f64]) -> [f64; 3] {
        let x = sum(tree, &self.leader, q) - self.reference[1];
        self.polynomial
            .iter()
            .rev()
            .fold([0.0; 3], |[p, first, second], c| {
                // Horner's scheme for p, p' and p''.
                [p * x + c, first * x + p, second * x + 2.0 * first]
            })
    }
}

/// Where an end is in the world.
pub(crate) fn pose(kinematics: &Kinematics, end: &End) -> Pose {
    end.body
        .map_or(end.X_BE, |body| kinematics.X_WB[body].compose(&end.X_BE))
}

fn sum(tree: &Tree, terms: &[(usize, f64)], q: &[f64]) -> f64 {
    terms
        .iter()
        .filter_map(|(dof, c)| Some(c * q[tree.coordinate(*dof)?]))
        .sum()
}

fn dot(terms: &[(usize, f64)], v: &[f64]) -> f64 {
    terms.iter().map(|(dof, c)| c * v[*dof]).sum()
}
