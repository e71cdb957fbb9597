//! The plane through six points, in floating point.

use crate::vector6::{Vector6, dot, norm, scaled};

/// Error of a distance times the smallest pivot: about 500 roundings, where elimination
/// with full pivoting makes about 100 operations. Distances below it are decided exactly, so
/// a larger value costs time only.
const ROUNDING: f64 = 1.0e-13;

/// A plane `normal · x = offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub normal: Vector6,
    pub offset: f64,
    /// Distances of points within the unit ball may err by this.
    pub error: f64,
}

impl Plane {
    /// Through six points; one of those that fit where they do not span a plane.
    pub fn through(points: [&Vector6; 6]) -> Plane {
        let mut rows: [Vector6; 5] =
            std::array::from_fn(|i| std::array::from_fn(|j| points[i + 1][j] - points[0][j]));
        let mut columns = [0, 1, 2, 3, 4, 5];
        let mut smallest = f64::INFINITY;
        let mut rank = 5;
        for k in 0..5 {
            let mut best = (k, k);
            for i in k..5 {
                for j in k..6 {
                    let size = rows[i][columns[j]].abs();
                    if size > rows[best.0][columns[best.1]].abs() {
                        best = (i, j);
                    }
                }
            }
            rows.swap(k, best.0);
            columns.swap(k, best.1);
            let pivot = rows[k][columns[k]];
            smallest = smallest.min(pivot.abs());
            if pivot.abs() <= 0.0 {
                rank = k;
                break;
            }
            for i in k + 1..5 {
                let factor = rows[i][columns[k]] / pivot;
                for j in k + 1..6 {
                    rows[i][columns[j]] -= factor * rows[k][columns[j]];
                }
            }
        }
        // The normal is across all rows: one free component, the others by substitution.
        let mut normal = [0.0; 6];
        normal[columns[5]] = 1.0;
        for k in (0..rank).rev() {
            let sum: f64 = (k + 1..6)
                .map(|j| rows[k][columns[j]] * normal[columns[j]])
                .sum();
            normal[columns[k]] = -sum / rows[k][columns[k]];
        }
        let normal = scaled(&normal, 1.0 / norm(&normal));
        let offset = points.iter().map(|p| dot(&normal, p)).sum::<f64>() / 6.0;
        Plane {
            normal,
            offset,
            error: if smallest > 0.0 {
                ROUNDING / smallest
            } else {
                f64::INFINITY
            },
        }
    }

    pub fn distance(&self, point: &Vector6) -> f64 {
        dot(&self.normal, point) - self.offset
    }

    /// The same plane seen from the other side.
    pub fn reversed(self) -> Plane {
        Plane {
            normal: scaled(&self.normal, -1.0),
            offset: -self.offset,
            ..self
        }
    }
}
