//! Closed chains and couplings without play: relations between bodies or joints
//! that hold exactly.
//!
//! A tree has no loops. A [`Closure`] closes one: `g(q) = 0` for a point of two
//! bodies that stays one point, for two frames that stay one, or for joint
//! coordinates that follow each other. With J = ∂g/∂q and the forces λ that keep
//! it closed,
//!
//! ```text
//! M v̇ + c = τ + … + Jᵀ λ,      J v̇ + J̇ v = 0
//! ⇒ (J M⁻¹ Jᵀ) λ = −(J v̇₀ + J̇ v),   v̇ = v̇₀ + M⁻¹ Jᵀ λ                        (1)
//! ```
//!
//! with v̇₀ the accelerations without closures. So λ is a function of the state,
//! and the equations of motion stay an ordinary differential equation without
//! stiff parts, for an explicit method as for an implicit one. What a step
//! drifts off g = 0 is taken back at its end, along M⁻¹ Jᵀ: with the least motion
//! that mass allows.
//!
//! Directions in which a loop is closed twice have no λ of their own: the loops
//! of planar linkages are closed across their plane by their hinges already.
//! Hence the matrix of (1) gets a diagonal of [`SOFTNESS`] times its own, and λ is
//! refined once: along directions that the joints can move it errs by the
//! square of that, along others λ stays small.
//!
//! | file | what |
//! |---|---|
//! | `rows.rs` | g, J and the relative velocities and accelerations |
//! | `solve.rs` | λ, and the way back to g = 0 |

mod rows;
mod solve;

use thiserror::Error;
use volar_math::Pose;

pub use rows::Rows;
pub use solve::{Closed, ClosureSolver, SOFTNESS, add_carried_force};

use crate::tree::Tree;

/// A frame E on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The body; None for the world.
    pub body: Option<usize>,
    /// The frame on it.
    pub X_BE: Pose,
}

/// A relation that holds exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Closure {
    /// The origins of two frames are one point, as in a ball joint.
    Connect([End; 2]),
    /// Two frames are one.
    Weld([End; 2]),
    /// Joint coordinates follow others.
    Joints(JointRelation),
}

/// `y − y₀ = p(x − x₀)` with sums of joint coordinates `y = Σ c q`, `x = Σ d q`
/// and a polynomial p.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointRelation {
    /// Dofs and coefficients of y.
    pub follower: Vec<(usize, f64)>,
    /// Dofs and coefficients of x; empty when y is held.
    pub leader: Vec<(usize, f64)>,
    /// y₀ and x₀.
    pub reference: [f64; 2],
    /// Coefficients of p, the constant first.
    pub polynomial: [f64; 5],
}

/// Why a closure makes no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClosureError {
    /// A body the tree does not have.
    #[error("closure {closure} names body number {body}, which does not exist")]
    UnknownBody {
        /// Number of the closure.
        closure: usize,
        /// The number given.
        body: usize,
    },
    /// A dof without a coordinate of its own, or one that does not exist.
    #[error(
        "closure {closure} names degree of freedom {dof}, which does not exist or has no \
         coordinate of its own"
    )]
    NoCoordinate {
        /// Number of the closure.
        closure: usize,
        /// The number given.
        dof: usize,
    },
    /// Nothing can move against each other.
    #[error("closure {closure} relates things that no joint moves against each other")]
    NothingMoves {
        /// Number of the closure.
        closure: usize,
    },
    /// A number that is not finite.
    #[error("closure {closure} has a number that is not finite")]
    NotFinite {
        /// Number of the closure.
        closure: usize,
    },
}

impl ClosureError {
    /// Number of the closure that is wrong.
    pub fn closure(&self) -> usize {
        match self {
            ClosureError::UnknownBody { closure, .. }
            | ClosureError::NoCoordinate { closure, .. }
            | ClosureError::NothingMoves { closure }
            | ClosureError::NotFinite { closure } => *closure,
        }
    }
}

/// The closures of a tree, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Closures {
    /// Sorted by island.
    list: Vec<Closure>,
    /// Where each closure was in the list given.
    number: Vec<usize>,
    /// Of each closure the first dof group it moves; islands are what shares none.
    island: Vec<usize>,
}

impl Closure {
    /// How many numbers g has.
    pub fn rows(&self) -> usize {
        match self {
            Closure::Connect(_) => 3,
            Closure::Weld(_) => 6,
            Closure::Joints(_) => 1,
        }
    }

    /// The bodies whose frames it brings together.
    pub fn bodies(&self) -> Option<[Option<usize>; 2]> {
        match self {
            Closure::Connect(ends) | Closure::Weld(ends) => Some(ends.map(|end| end.body)),
            Closure::Joints(_) => None,
        }
    }

    /// The dofs that may change g, ascending.
    pub fn dofs(&self, tree: &Tree) -> Vec<usize> {
        let mut dofs = Vec::new();
        match self {
            Closure::Connect([a, b]) | Closure::Weld([a, b]) => {
                let of = |end: &End| end.body.map_or(&[][..], |body| tree.ancestor_dofs(body));
                // What carries both moves neither against the other.
                let (a, b) = (of(a), of(b));
                dofs.extend(a.iter().filter(|dof| b.binary_search(dof).is_err()));
                dofs.extend(b.iter().filter(|dof| a.binary_search(dof).is_err()));
            }
            Closure::Joints(relation) => {
                let terms = relation.follower.iter().chain(&relation.leader);
                dofs.extend(terms.map(|(dof, _)| *dof));
            }
        }
        dofs.sort_unstable();
        dofs.dedup();
        dofs
    }

    fn check(&self, tree: &Tree, closure: usize) -> Result<(), ClosureError> {
        let finite = match self {
            Closure::Connect(ends) | Closure::Weld(ends) => {
                let bodies = ends.iter().filter_map(|end| end.body);
                if let Some(body) = bodies.into_iter().find(|b| *b >= tree.bodies().len()) {
                    return Err(ClosureError::UnknownBody { closure, body });
                }
                ends.iter().all(|end| end.X_BE.is_finite())
            }
            Closure::Joints(relation) => {
                let terms = relation.follower.iter().chain(&relation.leader);
                for (dof, _) in terms.clone() {
                    if *dof >= tree.nv() || tree.coordinate(*dof).is_none() {
                        let dof = *dof;
                        return Err(ClosureError::NoCoordinate { closure, dof });
                    }
                }
                let numbers = relation.reference.iter().chain(&relation.polynomial);
                terms.map(|(_, c)| c).chain(numbers).all(|x| x.is_finite())
            }
        };
        if !finite {
            return Err(ClosureError::NotFinite { closure });
        }
        match self.dofs(tree).is_empty() {
            true => Err(ClosureError::NothingMoves { closure }),
            false => Ok(()),
        }
    }
}

impl Closures {
    /// Checks closures and finds which share joints.
    pub fn new(tree: &Tree, closures: Vec<Closure>) -> Result<Closures, ClosureError> {
        let groups = tree.dof_groups();
        let mut of_group: Vec<usize> = (0..tree.nv()).collect();
        let find = |of_group: &[usize], mut group: usize| {
            while of_group[group] != group {
                group = of_group[group];
            }
            group
        };
        let mut first = Vec::new();
        for (number, closure) in closures.iter().enumerate() {
            closure.check(tree, number)?;
            let dofs = closure.dofs(tree);
            for dof in &dofs {
                let (a, b) = (
                    find(&of_group, groups[dofs[0]]),
                    find(&of_group, groups[*dof]),
                );
                of_group[a.max(b)] = a.min(b);
            }
            first.push(groups[dofs[0]]);
        }
        let mut list: Vec<(usize, usize, Closure)> = closures
            .into_iter()
            .enumerate()
            .map(|(number, closure)| (find(&of_group, first[number]), number, closure))
            .collect();
        list.sort_by_key(|(island, number, _)| (*island, *number));
        let mut out = Closures::default();
        for (island, number, closure) in list {
            out.island.push(island);
            out.number.push(number);
            out.list.push(closure);
        }
        Ok(out)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The closures, those that share joints side by side.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Closure> {
        self.list.iter()
    }

    /// Where the nth closure here was in the list that was given.
    pub fn number(&self, nth: usize) -> usize {
        self.number[nth]
    }

    /// Runs of closures that share joints with each other and with no others.
    pub(crate) fn islands(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let mut start = 0;
        std::iter::from_fn(move || {
            let island = *self.island.get(start)?;
            let len = self.island[start..].iter().take_while(|i| **i == island);
            let run = start..start + len.count();
            start = run.end;
            Some(run)
        })
    }
}
