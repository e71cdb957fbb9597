//! The laws of contact: the list of them, and what a normal law is.
//!
//! A new law is a file of its own and its lines in this one. A scene file
//! names it by a key in `volar-scene`.

use std::ops::Range;

use glam::DVec3;
use volar_geom::overlap::{Fields, OverlapKernel};

use crate::foundation::Foundation;
use crate::friction::{Bristle, FrictionModel, Tanh};
use crate::material::PairMaterial;
use crate::memory::{Memory, PatchState};
use crate::normal_contact::NormalContact;
use crate::pair::{PairInput, PairState};
use crate::paper::Paper;
use crate::piece::Piece;

/// The law of contact.
///
/// ```
/// use volar_contact::{ContactLaw, Friction, NormalLaw};
///
/// let law = ContactLaw::default();
/// assert_eq!((law.normal, law.friction), (NormalLaw::Foundation, Friction::Bristle));
/// // The paper's normal force with friction that does not creep.
/// let mixed = ContactLaw { friction: Friction::Bristle, ..ContactLaw::paper() };
/// assert!(matches!(mixed.normal, NormalLaw::Paper(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// What pushes bodies apart.
    pub normal: NormalLaw,
    /// What resists sliding.
    pub friction: Friction,
}

/// What pushes bodies apart.
///
/// See the example of [`ContactLaw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalLaw {
    /// An elastic foundation on the depth fields of both bodies.
    Foundation,
    /// The paper's impedance on the overlap's volume.
    Paper(Paper),
}

/// How bodies in contact resist sliding.
///
/// See the example of [`ContactLaw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Elastic bristles that slip at the Coulomb limit.
    Bristle,
    /// The paper's regularised Coulomb law.
    Tanh(Tanh),
}

impl NormalLaw {
    pub(crate) fn model(&self) -> &dyn NormalModel {
        match self {
            NormalLaw::Foundation => &Foundation,
            NormalLaw::Paper(paper) => paper,
        }
    }

    /// What makes results with this law doubtful, as a sentence; none if all is
    /// well.
    pub fn warning(&self, pair: &PairInput, pieces: &[Piece]) -> Option<String> {
        self.model().warning(pair, pieces)
    }
}

impl Friction {
    pub(crate) fn model(&self) -> &dyn FrictionModel {
        match self {
            Friction::Bristle => &Bristle,
            Friction::Tanh(tanh) => tanh,
        }
    }
}

impl Default for ContactLaw {
    fn default() -> ContactLaw {
        ContactLaw {
            normal: NormalLaw::Foundation,
            friction: Friction::Bristle,
        }
    }
}

impl ContactLaw {
    /// The paper's law with its friction.
    pub fn paper() -> ContactLaw {
        ContactLaw {
            normal: NormalLaw::Paper(Paper::default()),
            friction: Friction::Tanh(Tanh::default()),
        }
    }

    /// Number of states per patch.
    pub fn states(&self) -> usize {
        self.normal_states().end
    }

    /// Where friction's states are in those of a patch.
    pub fn friction_states(&self) -> Range<usize> {
        0..self.friction.model().states()
    }

    /// Where the normal law's states are in those of a patch.
    pub fn normal_states(&self) -> Range<usize> {
        let start = self.friction_states().end;
        start..start + self.normal.model().states()
    }

    /// Both memories, with the place of their states in those of a patch.
    pub fn memories(&self) -> [(&dyn Memory, Range<usize>); 2] {
        [
            (self.friction.model(), self.friction_states()),
            (self.normal.model(), self.normal_states()),
        ]
    }
}

/// A law that pushes bodies apart.
pub trait NormalModel: Memory {
    /// The depth fields it needs; none when the measures of the overlap will do.
    fn fields(&self, pair_material: &PairMaterial) -> Option<Fields>;

    /// Fills `normal_contact` from the kernel's last overlap.
    fn press(
        &self,
        pressing: &Pressing,
        kernel: &mut OverlapKernel,
        normal_contact: &mut NormalContact,
    );

    /// See [`NormalLaw::warning`].
    fn warning(&self, _pair: &PairInput, _pieces: &[Piece]) -> Option<String> {
        None
    }
}

/// A pair that is pressed together at one moment.
pub struct Pressing<'a> {
    /// The pair.
    pub pair: &'a PairInput<'a>,
    /// Its motion and memory.
    pub state: &'a PairState<'a>,
    /// Point of reference of all wrenches, in A.
    pub point: DVec3,
    /// Where the law's own states are in those of a patch.
    pub own: Range<usize>,
}

impl Pressing<'_> {
    /// The law's own states of a patch.
    pub fn memory(&self, patch: usize) -> &[f64] {
        let state: &PatchState = &self.state.states[patch];
        &state[self.own.clone()]
    }
}
