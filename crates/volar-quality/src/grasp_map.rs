//! The grasp map G, from forces of the contacts to wrenches on the object, and its singular
//! values.
//!
//! Its columns are the wrenches of unit forces along the normal and two tangents of every
//! contact, and for soft fingers of a unit of torsion over the length; four points for a
//! patch. Torques are about the centre of mass and over the length.

use crate::cones::Cone;
use crate::vector6::Vector6;

/// The six singular values, greatest first.
pub(crate) fn singular_values(cones: &[Cone]) -> Vector6 {
    let columns: Vec<&Vector6> = cones
        .iter()
        .flat_map(|cone| std::iter::once(&cone.normal).chain(&cone.tangents))
        .collect();
    let mut rows: [Vec<f64>; 6] =
        std::array::from_fn(|i| columns.iter().map(|column| column[i]).collect());
    orthogonalise(&mut rows);
    let mut values = rows.each_ref().map(|row| dot(row, row).sqrt());
    values.sort_unstable_by(|a, b| b.total_cmp(a));
    values
}

/// Rotates the rows into each other until they are orthogonal: their lengths then are the singular
/// values, small ones as accurate as large ones [Hestenes 1958].
fn orthogonalise(rows: &mut [Vec<f64>; 6]) {
    const MOST_SWEEPS: usize = 60;
    for _ in 0..MOST_SWEEPS {
        let mut turned = false;
        for i in 0..5 {
            for j in i + 1..6 {
                let (a, b, c) = (
                    dot(&rows[i], &rows[i]),
                    dot(&rows[j], &rows[j]),
                    dot(&rows[i], &rows[j]),
                );
                if c.abs() <= f64::EPSILON * (a * b).sqrt() {
                    continue;
                }
                turned = true;
                let zeta = (b - a) / (2.0 * c);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cos = 1.0 / (1.0 + t * t).sqrt();
                let sin = cos * t;
                for k in 0..rows[i].len() {
                    let (x, y) = (rows[i][k], rows[j][k]);
                    rows[i][k] = cos * x - sin * y;
                    rows[j][k] = sin * x + cos * y;
                }
            }
        }
        if !turned {
            return;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
