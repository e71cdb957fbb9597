//! The exact oracle: volume and centroid of the overlap of two solids, summed
//! over vertical columns in integer arithmetic.
//!
//! Symbols: `i` is a triangle of the lower solid A, `j` one of the upper solid
//! B; `P_i` its shadow on the xy plane, `z_i(x, y)` its height, `σ_i` the sign
//! of its normal's z component (+1 for a top face).
//!
//! A point is inside A when the faces above it do not cancel, and inside B
//! when the faces below it do not:
//!
//! ```text
//! 1_A(x, y, z) =   Σ_i σ_i [z < z_i(x, y)]        over i with (x, y) in P_i
//! 1_B(x, y, z) = − Σ_j σ_j [z > z_j(x, y)]        over j with (x, y) in P_j
//! ∫ 1_A 1_B dz = − Σ_ij σ_i σ_j (z_i − z_j)⁺
//! V            = − Σ_ij σ_i σ_j ∫_{P_i ∩ P_j} (z_i − z_j)⁺ dx dy
//! ```
//!
//! and likewise the first moment. Each term is a polynomial over a convex
//! polygon. The sum has nothing in common with clipping surfaces against each
//! other: no intersection curve, no classification, no adjacency, and every
//! term is a continuous function of the input, so flush and coincident faces
//! are no special case.
//!
//! Exactness: posed vertices are rounded to a lattice of 2⁻⁶¹ of the scene's
//! extent (for 10 cm scenes 5e-20 m, a two-hundredth of the rounding of the
//! coordinates themselves). From there every decision is exact, and values are
//! rounded only once, to 2⁻¹²⁸ of a lattice unit. A volume below one cubic
//! lattice unit is reported as zero.
//!
//! Not to be trusted for: meshes with a boundary (the answer then depends on
//! the axis of projection); meshes whose shells overlap each other (it
//! integrates the product of the winding numbers); overlaps thinner than the
//! lattice. The answer is that of the lattice solids: for a depth `d` it
//! differs from the real ones by about (lattice unit / d), 5e-14 at 1 µm.

mod lattice;
mod term;

use glam::DVec3;
use volar_geom::{ClosedMesh, Pose};

use lattice::{Face, lattice_faces};
use term::{Sums, add_term};

/// Volume and centroid of an overlap, correctly rounded up to the last digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactOverlap {
    /// Volume, cubic metres.
    pub volume: f64,
    /// Centroid in the frame of A; none when the volume is zero.
    pub centroid: Option<DVec3>,
}

/// Which way the columns run, and which solid is taken as the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The axis along the columns: 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// True when B, not A, is taken as the lower solid.
    pub swapped: bool,
}

impl Projection {
    /// All six; they give the same answer, at different cost.
    pub const ALL: [Projection; 6] = {
        let mut all = [Projection {
            axis: 0,
            swapped: false,
        }; 6];
        let mut k = 0;
        while k < 6 {
            all[k] = Projection {
                axis: k / 2,
                swapped: k % 2 == 1,
            };
            k += 1;
        }
        all
    };
}

/// The overlap of A and B, with B at `X_AB` in A's frame.
pub fn exact_overlap(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> ExactOverlap {
    let scene = Scene::new(a, b, X_AB);
    let cheapest = Projection::ALL
        .into_iter()
        .min_by_key(|&projection| {
            let [lower, upper] = scene.relevant(projection);
            lower.len() * upper.len()
        })
        .expect("there are six projections");
    scene.integrate(cheapest)
}

/// As [`exact_overlap`], along a given projection: all must agree.
pub fn exact_overlap_along(
    a: &ClosedMesh,
    b: &ClosedMesh,
    X_AB: &Pose,
    projection: Projection,
) -> ExactOverlap {
    Scene::new(a, b, X_AB).integrate(projection)
}

/// Both solids on one lattice.
struct Scene {
    faces: [Vec<Face>; 2],
    /// Metres per lattice unit.
    unit: f64,
}

impl Scene {
    fn new(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> Scene {
        let (faces, unit) = lattice_faces(a, b, X_AB);
        Scene { faces, unit }
    }

    /// The faces of the lower and of the upper solid, rotated so that columns
    /// run along z, that can have one of the former above one of the latter.
    fn relevant(&self, projection: Projection) -> [Vec<Face>; 2] {
        let side = |body: usize| -> Vec<Face> {
            self.faces[body]
                .iter()
                .map(|face| face.rotated(projection.axis))
                .collect()
        };
        let [mut lower, mut upper] = [
            side(usize::from(projection.swapped)),
            side(usize::from(!projection.swapped)),
        ];
        let (lower_box, upper_box) = (bounds(&lower), bounds(&upper));
        lower.retain(|face| face.shades(&upper_box) && face.max[2] > upper_box.min[2]);
        upper.retain(|face| face.shades(&lower_box) && face.min[2] < lower_box.max[2]);
        [lower, upper]
    }

    fn integrate(&self, projection: Projection) -> ExactOverlap {
        let [lower, mut upper] = self.relevant(projection);
        upper.sort_unstable_by_key(|face| face.min[0]);
        let mut sums = Sums::default();
        for i in &lower {
            for j in upper.iter().take_while(|j| j.min[0] < i.max[0]) {
                if i.shades(j) && i.max[2] > j.min[2] {
                    add_term(&mut sums, i, j);
                }
            }
        }
        sums.finish(self.unit, projection.axis)
    }
}

/// The box around some faces, as a face without corners of its own.
fn bounds(faces: &[Face]) -> Face {
    faces
        .iter()
        .fold(Face::NOTHING, |all, face| all.union(face))
}
