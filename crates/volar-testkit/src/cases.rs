//! Small overlap problems made from bytes, with coincidences the rule: what
//! the fuzz target and the seeded loop both run.
//!
//! Shapes live on a grid of 2⁻⁷ m, and most poses map the grid onto itself, so
//! shared planes, edges and corners are everywhere and exact. Others are off
//! the grid by a few units in the last place, or rotated by an angle whose sine
//! and cosine are fractions, or rotated freely.

use glam::{DMat3, DVec2, DVec3};
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose, TriMesh};

use crate::columns::exact_overlap;
use crate::invariants;
use crate::rng::Rng;
use crate::solids::{closed, cuboid, hollow_cuboid, icosphere, l_block, merged, prism, ring};
use crate::tolerance;

/// The grid's spacing, metres: a power of two, so grid coordinates and their
/// sums are exact.
const GRID: f64 = 1.0 / 128.0;

/// Bytes a case reads; it takes missing ones as zero.
pub const CASE_BYTES: usize = 64;

/// How many seeds the test and the accuracy table go through.
pub const SEEDS: usize = 60_000;

/// An overlap problem.
#[derive(Clone, Debug)]
pub struct Case {
    /// The solid that stays.
    pub a: ClosedMesh,
    /// The solid that moves.
    pub b: ClosedMesh,
    /// Where B sits in A's frame.
    pub X_AB: Pose,
}

impl Case {
    /// The case that some bytes stand for. Every string of bytes is one.
    pub fn from_bytes(bytes: &[u8]) -> Case {
        let mut bytes = Bytes(bytes.iter());
        Case {
            a: closed(shape(&mut bytes)),
            b: closed(shape(&mut bytes)),
            X_AB: pose(&mut bytes),
        }
    }

    /// The case that belongs to a seed.
    pub fn from_seed(seed: u64) -> Case {
        let mut rng = Rng::new(seed);
        let bytes: Vec<u8> = (0..CASE_BYTES).map(|_| rng.bits() as u8).collect();
        Case::from_bytes(&bytes)
    }

    /// Asks the kernel and checks its answer: every invariant, and the volume
    /// and first moment of the exact oracle up to the rounding of the pose.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check(&self, kernel: &mut OverlapKernel) -> Result<(), String> {
        let Case { a, b, X_AB } = self;
        let overlap = kernel.overlap_with_depths(a, b, X_AB);
        if let Some(violation) = invariants::violation(a, b, X_AB, overlap) {
            return Err(violation);
        }
        for k in 0..2 {
            let depths = &overlap.depths[k];
            if depths.len() != overlap.facets[k].len()
                || depths
                    .iter()
                    .any(|d| !(d.distance >= 0.0 && d.distance.is_finite()))
            {
                return Err(format!("depths of body {k}: {depths:?}"));
            }
        }
        let exact = exact_overlap(a, b, X_AB);
        let got = &overlap.total;
        let extent = 40.0 * GRID;
        // Half the larger surface is as much as rounding can move.
        let floor = tolerance::pose_rounding(extent) * (surface(a) + surface(b));
        let moment = exact.volume * exact.centroid.unwrap_or_default();
        let error = (got.volume - exact.volume).abs();
        if error > tolerance::VOLUME * exact.volume + floor {
            return Err(format!(
                "volume {:e} instead of {:e}",
                got.volume, exact.volume
            ));
        }
        let error = got.first_moment.distance(moment);
        if error > (tolerance::VOLUME * exact.volume + floor) * extent {
            return Err(format!(
                "first moment {} instead of {moment}",
                got.first_moment
            ));
        }
        Ok(())
    }
}

fn surface(mesh: &ClosedMesh) -> f64 {
    let area = |t| {
        let [a, b, c] = mesh.corners(t);
        0.5 * (b - a).cross(c - a).length()
    };
    (0..mesh.triangles().len() as u32).map(area).sum()
}

/// The bytes of a case, then zeros.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// One of `n` choices.
    fn choice(&mut self, n: u8) -> u8 {
        self.byte() % n
    }

    /// A whole number of grid steps, `1..=n`.
    fn steps(&mut self, n: u8) -> f64 {
        f64::from(1 + self.choice(n)) * GRID
    }

    /// A whole number of half grid steps in `±n/2`.
    fn offset(&mut self, n: u8) -> f64 {
        (f64::from(self.choice(2 * n + 1)) - f64::from(n)) * 0.5 * GRID
    }

    fn vector(&mut self, mut component: impl FnMut(&mut Self) -> f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| component(self)))
    }

    fn rng(&mut self) -> Rng {
        Rng::new(u64::from_le_bytes([0; 8].map(|_: u8| self.byte())))
    }
}

fn shape(bytes: &mut Bytes) -> TriMesh {
    match bytes.choice(10) {
        0 | 1 => cuboid(bytes.vector(|b| 2.0 * b.steps(6))),
        2 => tetrahedron(bytes),
        3 => octahedron(bytes),
        4 => l_block(8.0 * GRID, 2.0 * bytes.steps(3), 2.0 * bytes.steps(4)),
        5 => terrain(bytes),
        6 => {
            let outer = bytes.vector(|b| 2.0 * GRID + 2.0 * b.steps(4));
            hollow_cuboid(outer, outer - DVec3::splat(2.0 * GRID))
        }
        7 => frame(bytes),
        8 => two_boxes(bytes),
        _ => icosphere(4.0 * GRID, u32::from(bytes.choice(2))),
    }
}

/// Four grid points; a fixed tetrahedron when they lie in a plane.
fn tetrahedron(bytes: &mut Bytes) -> TriMesh {
    let mut vertices: Vec<DVec3> = (0..4).map(|_| bytes.vector(|b| b.offset(12))).collect();
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| vertices[k]);
    let volume = (b - a).cross(c - a).dot(d - a);
    if volume == 0.0 {
        vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
            .map(|v| 6.0 * GRID * v)
            .into();
    } else if volume < 0.0 {
        vertices.swap(0, 1);
    }
    TriMesh {
        vertices,
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    }
}

/// Corners on the axes: edges and faces that a box meets at 45°.
fn octahedron(bytes: &mut Bytes) -> TriMesh {
    let r = bytes.vector(|b| b.steps(6));
    let tip = |axis: usize, sign: f64| {
        let mut v = DVec3::ZERO;
        v[axis] = sign * r[axis];
        v
    };
    let vertices = (0..6)
        .map(|k| tip(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }))
        .collect();
    let triangles = (0..8_u32)
        .map(|octant| {
            let [x, y, z] = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2 & 1)];
            if octant.count_ones() % 2 == 0 {
                [x, y, z]
            } else {
                [x, z, y]
            }
        })
        .collect();
    TriMesh {
        vertices,
        triangles,
    }
}

/// A block whose top is a 3×3 field of grid heights.
fn terrain(bytes: &mut Bytes) -> TriMesh {
    const N: u32 = 3;
    let at = |i: u32, j: u32| i * N + j;
    let mut vertices = Vec::new();
    for top in [false, true] {
        for (i, j) in (0..N * N).map(|k| (k / N, k % N)) {
            let height = if top { bytes.steps(3) } else { -2.0 * GRID };
            let [x, y] = [i, j].map(|k| (f64::from(k) - 1.0) * 3.0 * GRID);
            vertices.push(DVec3::new(x, y, height));
        }
    }
    let above = N * N;
    let mut triangles = Vec::new();
    for (i, j) in (0..(N - 1) * (N - 1)).map(|k| (k / (N - 1), k % (N - 1))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        triangles.extend([[a, c, b], [a, d, c]]);
        triangles.extend([[a, b, c], [a, c, d]].map(|t| t.map(|v| v + above)));
    }
    // Walls, walking round the rim counter-clockwise seen from above.
    let rim: Vec<u32> = (0..N - 1)
        .map(|k| at(k, 0))
        .chain((0..N - 1).map(|k| at(N - 1, k)))
        .chain((0..N - 1).map(|k| at(N - 1 - k, N - 1)))
        .chain((0..N - 1).map(|k| at(0, N - 1 - k)))
        .collect();
    for (k, &a) in rim.iter().enumerate() {
        let b = rim[(k + 1) % rim.len()];
        triangles.extend([[a, b, b + above], [a, b + above, a + above]]);
    }
    TriMesh {
        vertices,
        triangles,
    }
}

/// A square frame, a solid with a hole through it.
fn frame(bytes: &mut Bytes) -> TriMesh {
    let (hole, wall, half) = (bytes.steps(3), bytes.steps(3), bytes.steps(3));
    let profile = [
        (hole, -half),
        (hole + wall, -half),
        (hole + wall, half),
        (hole, half),
    ];
    let mut mesh = ring(&profile.map(|(r, z)| DVec2::new(r, z)), 4);
    for v in &mut mesh.vertices {
        // The corners of the ring are on the axes up to rounding.
        let snap = |x: f64| (x / GRID).round() * GRID;
        *v = DVec3::new(snap(v.x), snap(v.y), v.z);
    }
    mesh
}

/// Two boxes apart: a solid in two pieces.
fn two_boxes(bytes: &mut Bytes) -> TriMesh {
    let size = bytes.vector(|b| b.steps(4));
    let gap = bytes.steps(3);
    let corner = |x: f64, y: f64| DVec2::new(x, y);
    let block = |shift: f64| {
        let outline = [
            corner(shift, 0.0),
            corner(shift + size.x, 0.0),
            corner(shift + size.x, size.y),
            corner(shift, size.y),
        ];
        prism(&outline, 2.0 * size.z)
    };
    merged(&[block(0.0), block(-gap - size.x)])
}

fn pose(bytes: &mut Bytes) -> Pose {
    let kind = bytes.choice(8);
    let p = bytes.vector(|b| b.offset(16));
    let mut rng = bytes.rng();
    let R = match kind {
        0..=3 => rng.axis_rotation(),
        4 => rng.axis_rotation() * pythagorean(&mut rng),
        5 => {
            let angle = 2.0_f64.powi(-(rng.below(50) as i32));
            rng.tilt(angle) * rng.axis_rotation()
        }
        _ => rng.rotation(),
    };
    let p = match kind {
        // Off the grid by a few units in the last place.
        3 => p + rng.in_cube(8.0 * f64::EPSILON * GRID),
        7 => p + rng.in_cube(GRID),
        _ => p,
    };
    Pose { R, p }
}

/// A turn by an angle with a fraction for cosine: planes that coincide on
/// paper and differ by rounding.
fn pythagorean(rng: &mut Rng) -> DMat3 {
    let (a, b, c) = [(3.0, 4.0, 5.0), (5.0, 12.0, 13.0), (8.0, 15.0, 17.0)][rng.below(3)];
    let (cos, sin) = (a / c, b / c);
    DMat3::from_cols(
        DVec3::new(cos, sin, 0.0),
        DVec3::new(-sin, cos, 0.0),
        DVec3::Z,
    )
}
