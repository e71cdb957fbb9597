//! The exact overlap of two closed meshes.
//!
//! [`OverlapKernel::overlap`] is the story; its stages are the files:
//!
//! 1. `frame`: a local frame and lattice for the numbers;
//! 2. `candidates`: which triangles may cross, kept from one overlap to the next;
//!    `crossings`: where the surfaces cross (with `decide`, exact and tie-free);
//! 3. `classify`: what is inside;
//! 4. `pieces`: the pieces of surface round the overlap (with `loops`);
//! 5. `components`: which of them belong together (and `cavities`);
//! 6. `measure`: volume and moments;
//! 7. on request: `facets`, then `depth`; `cells`; `mesh` (with `triangulate`).
//!
//! The stages are kept out of line (`inline(never)`): merged into one function
//! they run no faster, and a profile no longer tells them apart.

mod candidates;
mod cavities;
mod cells;
mod classify;
mod components;
mod crossings;
mod decide;
mod depth;
mod facets;
mod frame;
mod loops;
mod measure;
mod mesh;
mod pieces;
mod triangulate;

pub use cells::{Cell, Fields};
pub use mesh::OverlapMesh;

use glam::DVec3;

use candidates::Candidates;
use cells::Cells;
use classify::Insides;
use components::Components;
use crossings::{Crossings, NONE};
use facets::Facets;
use frame::Frame;
use measure::Sums;
use pieces::Pieces;

use crate::{ClosedMesh, Pose};

/// What two solids share, in the frame of A. All zero when they are apart.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    /// The whole overlap.
    pub total: Measure,
    /// Its connected pieces, each measured on its own.
    pub components: Vec<Measure>,
    /// The parts of A's surface inside B (`facets[0]`) and of B's inside A;
    /// empty after a plain [`OverlapKernel::overlap`].
    pub facets: [Vec<Facet>; 2],
    /// Depth of each facet, same order; filled only by
    /// [`OverlapKernel::overlap_with_depths`].
    pub depths: [Vec<Depth>; 2],
    /// The parts of A's surface on which B's depth is linear (`cells[0]`), and
    /// those of B's surface in A's depth; filled only by
    /// [`OverlapKernel::overlap_with_cells`].
    pub cells: [Vec<Cell>; 2],
    /// How many triangles of A and of B are cut by the other's surface.
    pub crossing_triangles: [usize; 2],
    /// How many triangles of A and of B lie wholly inside the other solid.
    pub inside_triangles: [usize; 2],
}

/// Integrals over an overlap and over both parts of its surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Volume V, cubic metres; never negative.
    pub volume: f64,
    /// First moment `∫ x dV`, m⁴.
    pub first_moment: DVec3,
    /// Centroid of the volume; none when the volume is zero.
    pub centroid: Option<DVec3>,
    /// The part of the surface that comes from A (normals out of A), then B's.
    pub surfaces: [Surface; 2],
}

/// Integrals over one body's part of the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// Area, m².
    pub area: f64,
    /// `∫ n dA`, m².
    pub area_vector: DVec3,
    /// `∫ x × n dA`, m³.
    pub moment_vector: DVec3,
}

/// One connected piece of one triangle inside the other solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// The triangle it was cut from.
    pub triangle: u32,
    /// The component of the overlap it bounds.
    pub component: u32,
    /// Unit normal, out of the body that owns the triangle.
    pub normal: DVec3,
    /// Area, m².
    pub area: f64,
    /// Centroid of the area.
    pub centroid: DVec3,
    /// `∫ (x − c)(x − c)ᵀ dA` about the centroid: xx, yy, zz, xy, xz, yz, m⁴.
    pub second_moment: [f64; 6],
}

/// How deep a facet's centroid lies in the other body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Distance to the other body's surface, metres.
    pub distance: f64,
    /// The nearest triangle there; the lowest index if several are.
    pub triangle: u32,
}

/// How much of an overlap is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Volume, moments and area vectors.
    Moments,
    /// Also the facets.
    Facets,
}

/// The kernel and its buffers: make one per thread and reuse it, so that
/// nothing is allocated after the first few calls, and one per pair of bodies that
/// is asked for again and again: what was near stays near. Answers do not depend
/// on what was asked before.
#[derive(Clone, Debug, Default)]
pub struct OverlapKernel {
    overlap: Overlap,
    candidates: Candidates,
    crossings: Crossings,
    insides: Insides,
    pieces: Pieces,
    components: Components,
    sums: Vec<Sums>,
    facets: Facets,
    cells: Cells,
    stack: Vec<(f64, u32)>,
}

impl OverlapKernel {
    /// A kernel with empty buffers.
    pub fn new() -> OverlapKernel {
        OverlapKernel::default()
    }

    /// The overlap that was computed last; of bodies apart before any was.
    pub fn last(&self) -> &Overlap {
        &self.overlap
    }

    /// The overlap of A and B, with B at `X_AB` in A's frame: volume, moments
    /// and area vectors, of the whole and of each component.
    pub fn overlap(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> &Overlap {
        self.compute([a, b], X_AB, Detail::Moments);
        &self.overlap
    }

    /// As [`overlap`](Self::overlap), with the facets.
    pub fn overlap_with_facets(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> &Overlap {
        self.compute([a, b], X_AB, Detail::Facets);
        &self.overlap
    }

    /// As [`overlap_with_facets`](Self::overlap_with_facets), with the depth
    /// of every facet: what a contact force needs.
    pub fn overlap_with_depths(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> &Overlap {
        self.compute([a, b], X_AB, Detail::Facets);
        depth::find(&mut self.overlap, [a, b], X_AB, &mut self.stack);
        &self.overlap
    }

    /// As [`overlap_with_facets`](Self::overlap_with_facets), with the surfaces
    /// cut into cells on each of which one face of the other body is nearest:
    /// what a pressure that follows the depth is integrated over.
    pub fn overlap_with_cells(
        &mut self,
        a: &ClosedMesh,
        b: &ClosedMesh,
        X_AB: &Pose,
        fields: Fields,
    ) -> &Overlap {
        if let Some(frame) = self.compute([a, b], X_AB, Detail::Facets) {
            let scene = cells::Scene {
                bodies: [a, b],
                frame: &frame,
                crossings: &mut self.crossings,
                pieces: &self.pieces,
                facets: &self.facets,
            };
            self.cells.find(&mut self.overlap, scene, fields);
        }
        &self.overlap
    }

    /// The surface of the overlap as a mesh, for a viewer or a file. It is
    /// closed; faces that are flush can leave triangles without area in it.
    pub fn overlap_mesh(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> OverlapMesh {
        let Some(frame) = self.compute([a, b], X_AB, Detail::Moments) else {
            return OverlapMesh::default();
        };
        let component_of = &self.components.component_of;
        mesh::assemble(
            [a, b],
            &frame,
            &mut self.crossings,
            &self.insides,
            &self.pieces,
            |element| component_of[element as usize] != NONE,
        )
    }

    /// The stages of an overlap; none when the bodies are soon seen to be apart.
    fn compute(&mut self, bodies: [&ClosedMesh; 2], X_AB: &Pose, detail: Detail) -> Option<Frame> {
        self.overlap.clear();
        let frame = Frame::new(bodies[0], bodies[1], X_AB)?;
        if !self.candidates.find(bodies, &frame) {
            return None;
        }
        self.crossings.find(bodies, &frame, &mut self.candidates);
        self.insides.find(bodies, &frame, &mut self.crossings);
        self.pieces.find(bodies, &frame, &mut self.crossings);
        self.components
            .find(bodies, &self.crossings, &self.insides, &self.pieces);
        self.sum(bodies, &frame);
        let has_cavities = cavities::attach(
            bodies,
            &frame,
            &self.sums,
            &mut self.crossings,
            &self.insides,
            &self.pieces,
            &mut self.components,
        );
        if has_cavities {
            self.sum(bodies, &frame);
        }
        measure::drop_rounding(&mut self.sums, &mut self.components, &frame);

        for body in 0..2 {
            self.overlap.crossing_triangles[body] = self.crossings.cuts[body].len();
            self.overlap.inside_triangles[body] = self.insides.triangles[body].len();
        }
        if self.overlap.crossing_triangles == [0; 2] && self.overlap.inside_triangles == [0; 2] {
            self.candidates.nothing_overlaps();
        }
        let largest = bodies[0].volume().min(bodies[1].volume()).max(0.0);
        measure::write(&mut self.overlap, &self.sums, &frame, largest);
        if detail == Detail::Facets {
            let parts = (&self.insides, &self.pieces, &self.components);
            self.facets.find(
                &mut self.overlap,
                bodies,
                &frame,
                &mut self.crossings,
                parts,
            );
        }
        Some(frame)
    }

    fn sum(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame) {
        measure::sum_components(
            &mut self.sums,
            bodies,
            frame,
            &mut self.crossings,
            &self.insides,
            &self.pieces,
            &self.components,
        );
    }
}

impl Overlap {
    /// Makes it the overlap of bodies that are apart, keeping the buffers.
    fn clear(&mut self) {
        self.total = Measure::default();
        self.components.clear();
        self.facets.iter_mut().for_each(Vec::clear);
        self.depths.iter_mut().for_each(Vec::clear);
        self.cells.iter_mut().for_each(Vec::clear);
        self.crossing_triangles = [0; 2];
        self.inside_triangles = [0; 2];
    }
}
