//! The exact overlap of two closed meshes.

use glam::DVec3;

use crate::{ClosedMesh, Pose};

/// What two solids share, in the frame of A. All zero when they are apart.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    /// The whole overlap.
    pub total: Measure,
    /// Its connected pieces, each measured on its own.
    pub components: Vec<Measure>,
    /// The parts of A's skin inside B (`facets[0]`) and of B's inside A.
    pub facets: [Vec<Facet>; 2],
    /// Depth of each facet, same order; filled only by
    /// [`OverlapKernel::overlap_with_depths`].
    pub depths: [Vec<Depth>; 2],
    /// How many triangles of A and of B are cut by the other's skin.
    pub crossing_triangles: [usize; 2],
    /// How many triangles of A and of B lie wholly inside the other solid.
    pub inside_triangles: [usize; 2],
}

/// Integrals over an overlap and over both parts of its skin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Volume V, cubic metres; never negative.
    pub volume: f64,
    /// First moment `∫ x dV`, m⁴.
    pub first_moment: DVec3,
    /// Centroid of the volume; none when the volume is zero.
    pub centroid: Option<DVec3>,
    /// The part of the skin that comes from A (normals out of A), then B's.
    pub skins: [Skin; 2],
}

/// Integrals over one body's part of the skin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Skin {
    /// Area, m².
    pub area: f64,
    /// `∫ n dA`, m².
    pub area_vector: DVec3,
    /// `∫ x × n dA`, m³.
    pub moment_vector: DVec3,
    /// `∫ w wᵀ dA` with `w = (n, x × n)`, symmetric.
    pub spread: [[f64; 6]; 6],
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
    /// Distance to the other body's skin, metres.
    pub distance: f64,
    /// The nearest triangle there; the lowest index if several are.
    pub triangle: u32,
}

/// The kernel and its buffers: make one per thread and reuse it, so that
/// nothing is allocated after the first few calls. Answers do not depend on
/// what was asked before.
#[derive(Clone, Debug, Default)]
pub struct OverlapKernel {
    overlap: Overlap,
}

/// The surface of an overlap as a closed mesh, in the frame of A.
#[derive(Clone, Debug, Default)]
pub struct OverlapMesh {
    /// Corner positions, metres.
    pub vertices: Vec<DVec3>,
    /// Three vertex indices per triangle, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle: the body it comes from (0 is A, 1 is B) and the
    /// triangle of that body.
    pub origins: Vec<(u8, u32)>,
}

impl OverlapKernel {
    /// The overlap of A and B, with B at `X_AB` in A's frame.
    pub fn overlap(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> &Overlap {
        let _ = (a, b, X_AB);
        &self.overlap
    }

    /// As [`overlap`](Self::overlap), with the depth of every facet.
    pub fn overlap_with_depths(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> &Overlap {
        let _ = (a, b, X_AB);
        &self.overlap
    }

    /// The surface of the overlap as a mesh, for a viewer or a file.
    pub fn overlap_mesh(&mut self, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> OverlapMesh {
        let _ = (a, b, X_AB);
        OverlapMesh::default()
    }
}
