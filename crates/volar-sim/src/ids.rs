//! What the parts of a model are called by: numbers with a type, so that a body
//! cannot be taken for a joint.
//!
//! Ids are given out by [`ModelBuilder`](crate::ModelBuilder) and found by name
//! with [`Model::body`](crate::Model::body) and
//! [`Model::joint`](crate::Model::joint). They are valid in the model they come
//! from and in its simulations.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id with a number, counted from 0 in the order of adding.
            pub const fn new(index: usize) -> $name {
                $name(index as u32)
            }

            /// Its number, for arrays with one entry each.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A body, as returned by [`ModelBuilder::add`](crate::ModelBuilder::add).
    ///
    /// ```
    /// use volar_sim::BodyId;
    ///
    /// assert_eq!(BodyId::new(2).index(), 2);
    /// ```
    BodyId
}
id! {
    /// The joint between a body and its parent. Every body has one, also where
    /// it is fixed or free: [`BodyId::joint`].
    ///
    /// ```
    /// use volar_sim::BodyId;
    ///
    /// let finger = BodyId::new(2);
    /// assert_eq!(finger.joint().body(), finger);
    /// ```
    JointId
}
id! {
    /// An actuator, as returned by [`ModelBuilder::drive`](crate::ModelBuilder::drive);
    /// see the example of [`Controls`](crate::Controls).
    ActuatorId
}
id! {
    /// A prescribed motion, as returned by
    /// [`ModelBuilder::add_motion`](crate::ModelBuilder::add_motion); see the
    /// example of [`Motion`](crate::Motion).
    MotionId
}

impl BodyId {
    /// The joint that the body hangs on.
    pub const fn joint(self) -> JointId {
        JointId(self.0)
    }
}

impl JointId {
    /// The body that the joint moves.
    pub const fn body(self) -> BodyId {
        BodyId(self.0)
    }

    /// One of its degrees of freedom, counted from 0: hinges and slides have
    /// one, planar joints (x, y, angle) and ball joints (x, y, z) three, free
    /// ones six (position, then rotation).
    pub const fn axis(self, axis: usize) -> DofId {
        DofId { joint: self, axis }
    }
}

/// One degree of freedom of a joint; what actuators drive and couplings couple.
///
/// ```
/// use volar_sim::{BodyId, DofId};
///
/// let slide = BodyId::new(1).joint();
/// assert_eq!(DofId::from(slide), slide.axis(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DofId {
    /// The joint it belongs to.
    pub joint: JointId,
    /// Which of its degrees of freedom, see [`JointId::axis`].
    pub axis: usize,
}

impl From<JointId> for DofId {
    /// The first degree of freedom; the only one of hinges and slides.
    fn from(joint: JointId) -> DofId {
        joint.axis(0)
    }
}

/// Two bodies that may touch, the one with the smaller number first.
///
/// ```
/// use volar_sim::{BodyId, PairId};
///
/// let (cube, pad) = (BodyId::new(2), BodyId::new(0));
/// assert_eq!(PairId::new(cube, pad), PairId::new(pad, cube));
/// assert_eq!(PairId::new(cube, pad).other(pad), Some(cube));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId {
    a: BodyId,
    b: BodyId,
}

impl PairId {
    /// The pair of two bodies, in either order.
    pub fn new(a: BodyId, b: BodyId) -> PairId {
        PairId {
            a: a.min(b),
            b: a.max(b),
        }
    }

    /// The body with the smaller number.
    pub const fn a(self) -> BodyId {
        self.a
    }

    /// The body with the greater number.
    pub const fn b(self) -> BodyId {
        self.b
    }

    /// Whether a body is one of the two.
    pub fn has(self, body: BodyId) -> bool {
        self.a == body || self.b == body
    }

    /// The body that a body is paired with, if it is one of the two.
    pub fn other(self, body: BodyId) -> Option<BodyId> {
        match body {
            body if body == self.a => Some(self.b),
            body if body == self.b => Some(self.a),
            _ => None,
        }
    }
}
