//! Posed vertices as integers.

use glam::DVec3;
use volar_geom::{ClosedMesh, Pose};

/// Coordinates stay below 2⁶¹ units, so that their differences fit in 63 bits
/// and 2×2 determinants of differences in an `i128`.
const COORDINATE_BITS: i32 = 61;

/// A triangle on the lattice, with the box around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [[i64; 3]; 3],
    pub min: [i64; 3],
    pub max: [i64; 3],
}

impl Face {
    pub const NOTHING: Face = Face {
        corners: [[0; 3]; 3],
        min: [i64::MAX; 3],
        max: [i64::MIN; 3],
    };

    fn new(corners: [[i64; 3]; 3]) -> Face {
        let [a, b, c] = corners;
        Face {
            corners,
            min: [0, 1, 2].map(|k| a[k].min(b[k]).min(c[k])),
            max: [0, 1, 2].map(|k| a[k].max(b[k]).max(c[k])),
        }
    }

    /// The same triangle with its axes renamed in cyclic order, which keeps
    /// its orientation, so that `axis` becomes z.
    pub fn rotated(&self, axis: usize) -> Face {
        let turn = |p: [i64; 3]| [p[(axis + 1) % 3], p[(axis + 2) % 3], p[axis]];
        Face {
            corners: self.corners.map(turn),
            min: turn(self.min),
            max: turn(self.max),
        }
    }

    pub fn union(&self, other: &Face) -> Face {
        Face {
            corners: self.corners,
            min: [0, 1, 2].map(|k| self.min[k].min(other.min[k])),
            max: [0, 1, 2].map(|k| self.max[k].max(other.max[k])),
        }
    }

    /// True when the boxes of the two shadows share more than an edge.
    pub fn shades(&self, other: &Face) -> bool {
        (0..2).all(|k| self.min[k] < other.max[k] && other.min[k] < self.max[k])
    }
}

/// The triangles of both meshes in the frame of A, and metres per unit.
pub(super) fn lattice_faces(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> ([Vec<Face>; 2], f64) {
    let in_a: Vec<[Sum; 3]> = a
        .vertices()
        .iter()
        .map(|p| p.to_array().map(|x| Sum { high: x, low: 0.0 }))
        .collect();
    let in_b: Vec<[Sum; 3]> = b.vertices().iter().map(|&p| posed(X_AB, p)).collect();
    let extent = in_a
        .iter()
        .chain(&in_b)
        .flatten()
        .fold(f64::MIN_POSITIVE, |m, x| m.max(x.high.abs()));
    let per_metre = 2.0_f64.powi(COORDINATE_BITS - 1 - extent.log2().floor() as i32);
    let faces = |vertices: &[[Sum; 3]], triangles: &[[u32; 3]]| {
        let vertices: Vec<[i64; 3]> = vertices
            .iter()
            .map(|p| p.map(|x| x.to_lattice(per_metre)))
            .collect();
        triangles
            .iter()
            .map(|t| Face::new(t.map(|v| vertices[v as usize])))
            .collect()
    };
    (
        [faces(&in_a, a.triangles()), faces(&in_b, b.triangles())],
        1.0 / per_metre,
    )
}

/// `R p + t` to twice the working precision.
fn posed(X_AB: &Pose, p: DVec3) -> [Sum; 3] {
    let rows = X_AB.R.transpose().to_cols_array_2d();
    [0, 1, 2].map(|k| {
        let start = Sum {
            high: X_AB.p[k],
            low: 0.0,
        };
        (0..3).fold(start, |sum, l| sum.plus_product(rows[k][l], p[l]))
    })
}

/// An unevaluated sum of two numbers, about 106 bits (Dekker 1971).
#[derive(Clone, Copy, Debug)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    fn plus_product(self, x: f64, y: f64) -> Sum {
        let product = x * y;
        let product_error = x.mul_add(y, -product);
        // Knuth's exact sum of two numbers.
        let sum = self.high + product;
        let back = sum - self.high;
        let sum_error = (self.high - (sum - back)) + (product - back);
        let low = self.low + product_error + sum_error;
        let high = sum + low;
        Sum {
            high,
            low: low - (high - sum),
        }
    }

    fn to_lattice(self, per_metre: f64) -> i64 {
        // A power of two times a number is exact; below 2⁶¹ so is the cast of
        // the whole part, and the fractions add up to less than two units.
        let (high, low) = (self.high * per_metre, self.low * per_metre);
        let whole = high.floor();
        whole as i64 + ((high - whole) + low).round() as i64
    }
}
