//! The grid on which a text file with few digits leaves the coordinates of a mesh.
//!
//! A file with six decimals has coordinates that are multiples of 1e-6. Scaled
//! and moved, though not rotated, they are still a constant plus multiples of
//! one step. So the step is found from the coordinates alone: the
//! largest one of which all differences along an axis are multiples.

use glam::DVec3;

/// A step above this part of the size is a design on a grid, not rounding.
const COARSEST: f64 = 3e-5;

/// Coordinates that are not on a grid pass for it with this chance each...
const INTEGER: f64 = 1e-4;

/// ... and so many with none.
const ENOUGH: usize = 12;

/// Coordinates rounded in double precision are off by no more than this part of
/// the largest.
const DOUBLE: f64 = 1e-15;

/// The step of the grid on which the coordinates are, metres; none if there is no
/// such grid, or only one finer than `finest` or coarser than rounding would be.
pub(super) fn step(vertices: &[DVec3], size: f64, finest: f64) -> Option<f64> {
    let mut differences = Vec::with_capacity(3 * vertices.len());
    let mut least = f64::INFINITY;
    let mut largest = 0.0_f64;
    for axis in 0..3 {
        let mut along: Vec<f64> = vertices.iter().map(|p| p[axis]).collect();
        along.sort_unstable_by(f64::total_cmp);
        let Some(&first) = along.first() else {
            continue;
        };
        let last = along.last().map_or(first, |last| last.abs());
        largest = largest.max(first.abs()).max(last);
        let equal = DOUBLE * largest;
        along.dedup_by(|x, y| (*x - *y).abs() <= equal);
        for gap in along.windows(2) {
            least = least.min(gap[1] - gap[0]);
        }
        differences.extend(along.iter().skip(1).map(|x| x - first));
    }
    // What differs by rounding in double precision is not on a grid worth it.
    let finest = finest.max(DOUBLE * largest / INTEGER);
    if differences.len() < ENOUGH || !least.is_finite() || least < finest {
        return None;
    }
    // The least difference is a multiple, too. Large steps first.
    let fits = |step: f64| {
        differences.iter().all(|difference| {
            let count = difference / step;
            (count - count.round()).abs() <= INTEGER
        })
    };
    let most = (least / finest) as u32;
    (1..=most)
        .map(|count| least / f64::from(count))
        .find(|&step| fits(step))
        .filter(|&step| step <= COARSEST * size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{cuboid, icosphere};
    use crate::{Pose, TriMesh};
    use glam::DMat3;

    const FINEST: f64 = 1e-9;

    fn rotated(mesh: TriMesh) -> TriMesh {
        let X = Pose {
            R: DMat3::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), 1.0),
            p: DVec3::new(0.1, -0.02, 0.05),
        };
        mesh.transformed(1.0, &X)
    }

    /// As written with so many decimals, then scaled and moved.
    fn printed(mesh: TriMesh, decimals: i32, scale: f64) -> TriMesh {
        let unit = 10.0_f64.powi(decimals);
        let mut mesh = mesh;
        for p in &mut mesh.vertices {
            *p = (*p * unit).round() / unit;
        }
        let moved = Pose {
            R: DMat3::IDENTITY,
            p: DVec3::new(0.0123, 0.4567, -0.0789),
        };
        mesh.transformed(scale, &moved)
    }

    #[test]
    fn decimals_are_found_whatever_the_scale() {
        for solid in [cuboid(DVec3::splat(0.06)), icosphere(0.03, 2)] {
            for scale in [1.0, 0.001, 0.0254, 0.73] {
                let mesh = printed(rotated(solid.clone()), 6, scale);
                let found = step(&mesh.vertices, 0.1 * scale, FINEST * scale).unwrap();
                assert!((found / (1e-6 * scale) - 1.0).abs() < 1e-6, "{found}");
            }
        }
    }

    #[test]
    fn what_is_not_rounded_to_decimals_has_no_grid() {
        let fine = rotated(icosphere(0.03, 3));
        assert_eq!(step(&fine.vertices, 0.1, FINEST), None);
        let mut single = fine;
        for p in &mut single.vertices {
            *p = p.as_vec3().as_dvec3();
        }
        assert_eq!(step(&single.vertices, 0.1, 1e-8), None);
        // A box along the axes, and a part designed in tenths of millimetres.
        assert_eq!(
            step(&cuboid(DVec3::splat(0.06)).vertices, 0.1, FINEST),
            None
        );
        let coarse = printed(icosphere(0.03, 2), 4, 1.0);
        assert_eq!(step(&coarse.vertices, 0.1, FINEST), None);
    }
}
