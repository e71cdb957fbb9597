//! What presses: the normal part of a contact, piece by piece.
//!
//! Either law fills a [`NormalContact`]; friction and the tracking of patches read
//! it. Everything is in A's frame, wrenches act on A about one point.

use glam::DVec3;

use crate::memory::StateRates;
use crate::patch::{Patch, nearest, same_direction};
use crate::piece::Piece;
use volar_math::{Matrix6, Wrench};

/// The normal part of the contact of one pair.
#[derive(Clone, Debug)]
pub struct NormalContact {
    /// Elastic wrench that follows A's depth field, turning with A; then the
    /// one that follows B's.
    pub elastic: [Wrench; 2],
    /// Damping wrench.
    pub damping: Wrench,
    /// Damping wrench of the release of a start in overlap.
    pub release: Wrench,
    /// Change of the elastic wrench per displacement of A relative to B, each
    /// part seen from the body whose field it follows.
    pub by_displacement: Matrix6,
    /// Change of the wrench per twist of A relative to B.
    pub by_twist: Matrix6,
    /// The pieces: one for every patch, then one for every group of cells
    /// that belongs to no patch yet.
    pub pieces: Vec<Piece>,
    /// The same split by component of the overlap.
    pub fragments: Vec<Fragment>,
    /// Rates of the normal law's states, one for every patch.
    pub states: Vec<StateRates>,
    /// Each component of the overlap as a whole.
    wholes: Vec<Whole>,
    /// The component of the overlap that each patch belongs to, and how far its
    /// nearest part is; empty when there is but one.
    owners: Vec<(Option<u32>, f64)>,
}

/// Sums over one component of the overlap, all to one arbitrary scale.
#[derive(Clone, Copy, Debug, Default)]
struct Whole {
    /// Size of all loads.
    load: f64,
    /// The loads along their pushes, and along their separation directions.
    push: DVec3,
    way: DVec3,
}

impl Whole {
    /// False where the loads cancel out. Those of a sharp tip nearly do by their pushes, but
    /// not by their separation directions.
    fn is_one_sided(&self) -> bool {
        self.push.length().max(self.way.length()) > 0.5 * self.load
    }
}

/// Where a part of the contact is, in A's frame, and which way it acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Component of the overlap.
    pub component: u32,
    /// Its centre, and how far it reaches from there.
    pub centre: DVec3,
    pub reach: f64,
    /// The separation direction of A.
    pub way: DVec3,
    /// The direction in which A is pushed.
    pub push: DVec3,
}

impl Default for NormalContact {
    fn default() -> NormalContact {
        NormalContact {
            elastic: [Wrench::default(); 2],
            damping: Wrench::default(),
            release: Wrench::default(),
            by_displacement: Matrix6::ZERO,
            by_twist: Matrix6::ZERO,
            pieces: Vec::new(),
            fragments: Vec::new(),
            states: Vec::new(),
            wholes: Vec::new(),
            owners: Vec::new(),
        }
    }
}

/// The share of one component of the overlap in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Fragment {
    /// Which piece it belongs to.
    pub piece: usize,
    /// Which component of the overlap it comes from.
    pub component: u32,
    /// Its sums.
    pub sums: Piece,
}

impl NormalContact {
    /// Empties it for a pair with `patches`.
    pub(crate) fn clear(&mut self, patches: usize) {
        self.elastic = [Wrench::default(); 2];
        self.damping = Wrench::default();
        self.release = Wrench::default();
        self.by_displacement = Matrix6::ZERO;
        self.by_twist = Matrix6::ZERO;
        self.fragments.clear();
        self.pieces.clear();
        self.pieces.resize(patches, Piece::NONE);
        self.states.clear();
        self.states.resize(patches, StateRates::NONE);
        self.owners.clear();
        self.wholes.clear();
    }

    /// Adds a part to the sum of its component.
    pub(crate) fn push_whole(&mut self, load: f64, place: &Place) {
        let index = place.component as usize;
        if self.wholes.len() <= index {
            self.wholes.resize(index + 1, Whole::default());
        }
        let whole = &mut self.wholes[index];
        whole.load += load;
        whole.push += load * place.push;
        whole.way += load * place.way;
    }

    /// Gives every patch to the component whose nearest part acts in its
    /// direction. Without it cells of two components that lie side by side would
    /// go to each other's patches, and every renewal would mix their memories.
    pub(crate) fn claim(&mut self, patches: &[Patch], places: impl Iterator<Item = Place>) {
        self.owners.resize(patches.len(), (None, f64::INFINITY));
        for place in places {
            for (patch, (owner, least)) in patches.iter().zip(&mut self.owners) {
                let distance = (patch.centre - place.centre).length();
                let alike = [place.push, place.way].map(|d| same_direction(patch.normal, d));
                if alike.contains(&true) && distance < *least {
                    *least = distance;
                    *owner = Some(place.component);
                }
            }
        }
    }

    /// The patch that a part of the contact belongs to by one of its directions:
    /// one of its component; a component that has just come off another, and
    /// has none yet, finds those of all.
    pub(crate) fn find(&self, patches: &[Patch], place: &Place, way: DVec3) -> Option<usize> {
        let own = Some(place.component);
        let all = !self.owners.iter().any(|owner| owner.0 == own);
        let may = |index: usize| all || self.owners[index].0 == own;
        nearest(patches, may, place.centre, place.reach, way)
    }

    /// The directions by which a part of the contact may find its patch, in this order: the
    /// one of its push, and its separation direction.
    ///
    /// The two differ where a body's nearest face changes under a surface that
    /// does not: along the rim of a pad on a face, or at a finger's edge on a
    /// face. There the surface decides. Where the surface is the one that bends, at
    /// an edge or a tip pressed into a face, the separation direction does. Either way it
    /// is the one closer to the push of the whole component; where that cancels out, as
    /// around a peg in a tight hole, any patch with either direction will do.
    fn directions(&self, place: &Place) -> [DVec3; 2] {
        let Place { push, way, .. } = *place;
        match self.wholes.get(place.component as usize) {
            Some(whole) if whole.is_one_sided() => {
                let closer = push.dot(whole.push) >= way.dot(whole.push);
                [if closer { push } else { way }; 2]
            }
            _ => [push, way],
        }
    }

    /// Gives a part of the contact to the patch it belongs to: one that it could reach
    /// and whose normal is about its direction.
    pub(crate) fn add(&mut self, patches: &[Patch], place: &Place, part: &Piece) {
        let [first, second] = self.directions(place);
        let piece = self
            .find(patches, place, first)
            .or_else(|| self.find(patches, place, second))
            .or_else(|| self.unassigned(patches.len(), place.component, second))
            .unwrap_or_else(|| {
                self.pieces.push(Piece::NONE);
                self.pieces.len() - 1
            });
        let same = |f: &Fragment| f.piece == piece && f.component == place.component;
        let fragment = self.fragments.iter().position(same).unwrap_or_else(|| {
            self.fragments.push(Fragment {
                piece,
                component: place.component,
                sums: Piece::NONE,
            });
            self.fragments.len() - 1
        });
        let sums = &mut self.fragments[fragment].sums;
        sums.add(part);
        sums.direction += part.load * second;
    }

    /// A piece that belongs to no patch, of the same component and separation direction.
    fn unassigned(&self, patches: usize, component: u32, way: DVec3) -> Option<usize> {
        let found = self.fragments.iter().find(|f| {
            let own = f.piece >= patches && f.component == component;
            own && same_direction(f.sums.direction.normalize_or_zero(), way)
        });
        found.map(|fragment| fragment.piece)
    }

    /// Adds up the fragments of each piece.
    pub(crate) fn finish(&mut self, patches: usize) {
        self.join(patches);
        for fragment in &self.fragments {
            self.pieces[fragment.piece].add(&fragment.sums);
        }
    }

    /// Joins what was told apart by its separation direction but pushes the same way, and
    /// what carries next to nothing, with the fragment of the same component
    /// that carries most.
    fn join(&mut self, patches: usize) {
        for i in 0..self.fragments.len() {
            let fragment = self.fragments[i];
            if fragment.piece < patches {
                continue;
            }
            let load = fragment.sums.load;
            let mut best = None;
            let mut most = load;
            for (index, other) in self.fragments.iter().enumerate() {
                let small = load < NEXT_TO_NOTHING * other.sums.load;
                let alike = small || same_direction(other.sums.normal(), fragment.sums.normal());
                let more = other.sums.load > most || (other.sums.load >= most && index < i);
                if index != i && other.component == fragment.component && alike && more {
                    most = other.sums.load;
                    best = Some(index);
                }
            }
            if let Some(target) = best {
                self.fragments[target].sums.add(&fragment.sums);
                self.fragments[i].sums = Piece::NONE;
            }
        }
        self.fragments.retain(|f| f.sums.area_vector != DVec3::ZERO);
    }

    /// The whole normal wrench on A.
    pub fn wrench(&self) -> Wrench {
        self.elastic[0] + self.elastic[1] + self.damping + self.release
    }
}

/// A part with less than this share of another's load does not make a patch.
const NEXT_TO_NOTHING: f64 = 1.0e-3;
