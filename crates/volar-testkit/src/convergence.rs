//! Spheres as meshes: how fast the overlap of the meshes approaches that of
//! the balls.

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_geom::overlap::{Measure, OverlapKernel};

use crate::closed_form::{cap_centroid, cap_volume, lens_centroid, lens_volume};
use crate::solids::{closed, cuboid, icosphere};

/// Subdivisions of the icosphere, coarse to fine.
pub const LEVELS: std::ops::RangeInclusive<u32> = 2..=6;

/// Radius of the ball in the cap, and of the larger one in the lens, metres.
pub const RADIUS: f64 = 0.03;

/// How far the overlap of meshes is off that of balls.
#[derive(Clone, Copy, Debug)]
pub struct MeshError {
    /// Triangles of a sphere.
    pub triangles: usize,
    /// Relative error of the volume.
    pub volume: f64,
    /// Error of the centroid over [`RADIUS`].
    pub centroid: f64,
}

/// A generic orientation, so that no vertex of a sphere sits anywhere special.
fn generic() -> DMat3 {
    DMat3::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 0.7)
}

/// A ball 20 mm deep in the face of a large box.
pub fn cap() -> Vec<MeshError> {
    let (a, h) = (closed(cuboid(DVec3::splat(0.2))), 0.02);
    let p = DVec3::new(0.01, -0.005, 0.1 - h + RADIUS);
    let centroid = p - cap_centroid(RADIUS, h) * DVec3::Z;
    let at_level = |level| {
        let ball = closed(icosphere(RADIUS, level));
        let got = OverlapKernel::new()
            .overlap(&a, &ball, &Pose { R: generic(), p })
            .total;
        error(level, &got, cap_volume(RADIUS, h), centroid)
    };
    LEVELS.map(at_level).collect()
}

/// Balls of 30 and 20 mm, 40 mm apart.
pub fn lens() -> Vec<MeshError> {
    let (r_b, d) = (0.02, 0.04);
    let direction = DVec3::new(2.0, 3.0, 6.0) / 7.0;
    let centroid = lens_centroid(RADIUS, r_b, d) * direction;
    let at_level = |level| {
        let [a, b] = [RADIUS, r_b].map(|r| closed(icosphere(r, level)));
        let X_AB = Pose {
            R: generic(),
            p: d * direction,
        };
        let got = OverlapKernel::new().overlap(&a, &b, &X_AB).total;
        error(level, &got, lens_volume(RADIUS, r_b, d), centroid)
    };
    LEVELS.map(at_level).collect()
}

fn error(level: u32, got: &Measure, volume: f64, centroid: DVec3) -> MeshError {
    // A missing centroid is infinitely far off.
    let off = got.centroid.map_or(f64::INFINITY, |c| c.distance(centroid));
    MeshError {
        triangles: 20 << (2 * level),
        volume: (got.volume - volume).abs() / volume,
        centroid: off / RADIUS,
    }
}

/// Observed order between successive errors, in the length of the sides, which
/// halves from level to level.
pub fn orders(errors: &[f64]) -> Vec<f64> {
    errors
        .windows(2)
        .map(|pair| (pair[0] / pair[1]).log2())
        .collect()
}
