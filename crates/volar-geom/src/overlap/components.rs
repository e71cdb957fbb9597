//! Which pieces of surface bound the same connected piece of the overlap.

use super::classify::Insides;
use super::crossings::{Crossings, NONE};
use super::pieces::Pieces;
use crate::ClosedMesh;

/// Pieces and patches joined into components (a union–find forest).
#[derive(Clone, Debug, Default)]
pub(super) struct Components {
    parents: Vec<u32>,
    /// From an element (piece of a cut triangle, or patch) to its component;
    /// none if that was dropped.
    pub component_of: Vec<u32>,
    pub count: usize,
}

impl Components {
    /// Joins the pieces that meet along a segment or along an inside edge,
    /// and numbers the components in the order of their first piece.
    #[inline(never)]
    pub fn find(
        &mut self,
        bodies: [&ClosedMesh; 2],
        crossings: &Crossings,
        insides: &Insides,
        pieces: &Pieces,
    ) {
        let elements = pieces.element_of_patch(insides.patches.len() as u32);
        self.parents.clear();
        self.parents.extend(0..elements);
        let piece_of = |outline: u32| pieces.loops.loops[outline as usize].piece;
        for segment in &crossings.segments {
            self.join(piece_of(segment.loops[0]), piece_of(segment.loops[1]));
        }
        for body in 0..2 {
            let mesh = bodies[body];
            for cut in &crossings.cuts[body] {
                for k in 0..3 {
                    if cut.side_loops[k] == NONE {
                        continue;
                    }
                    let here = piece_of(cut.side_loops[k]);
                    let neighbour = mesh.neighbour(cut.triangle, k);
                    if let Some(patch) = insides.patch_of[body].get(neighbour) {
                        self.join(here, pieces.element_of_patch(patch));
                    } else if let Some(other) = crossings.cut_of[body].get(neighbour) {
                        let code = mesh.triangle_edges()[cut.triangle as usize][k] ^ 1;
                        let codes = mesh.triangle_edges()[neighbour as usize];
                        let other = &crossings.cuts[body][other as usize];
                        for j in 0..3 {
                            if codes[j] == code && other.side_loops[j] != NONE {
                                self.join(here, piece_of(other.side_loops[j]));
                            }
                        }
                    }
                }
            }
        }
        self.number();
    }

    /// Drops the components that are not `kept`; the others move up.
    pub fn retain(&mut self, kept: impl Fn(u32) -> bool) {
        for component in (0..self.count as u32).rev().filter(|&c| !kept(c)) {
            self.count -= 1;
            for number in &mut self.component_of {
                if *number == component {
                    *number = NONE;
                } else if *number > component && *number != NONE {
                    *number -= 1;
                }
            }
        }
    }

    /// Makes the components of two elements one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        // The lower one stays, so that the result does not depend on order.
        self.parents[a.max(b) as usize] = a.min(b);
    }

    fn root(&mut self, mut element: u32) -> u32 {
        while self.parents[element as usize] != element {
            let parent = self.parents[element as usize];
            self.parents[element as usize] = self.parents[parent as usize];
            element = parent;
        }
        element
    }

    /// Numbers the components in the order of their first element.
    pub fn number(&mut self) {
        self.component_of.clear();
        self.count = 0;
        for element in 0..self.parents.len() as u32 {
            // A root has the lowest number in its tree, so it comes first.
            let root = self.root(element);
            let component = if root == element {
                self.count += 1;
                self.count as u32 - 1
            } else {
                self.component_of[root as usize]
            };
            self.component_of.push(component);
        }
    }
}
