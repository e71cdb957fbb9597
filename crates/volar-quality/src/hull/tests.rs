//! Hulls whose volume is known, degenerate ones too.

use super::*;
use volar_testkit::rng::Rng;

fn unit(axis: usize, length: f64) -> Vector6 {
    std::array::from_fn(|i| if i == axis { length } else { 0.0 })
}

/// The hull of points, of which the origin and the unit vectors make the first simplex.
fn hull(points: &[Vector6], size: f64, seed: u64) -> Hull {
    let corners = std::array::from_fn(|i| match i {
        0 => [0.0; 6],
        _ => unit(i - 1, size),
    });
    let mut hull = Hull::simplex(corners, seed).unwrap();
    for point in points {
        hull.insert(*point).unwrap();
    }
    hull
}

fn alive(hull: &Hull) -> impl Iterator<Item = &Facet> {
    hull.facets.iter().filter(|facet| facet.alive)
}

#[test]
fn a_cube_of_many_coplanar_points() {
    // The 64 corners, and the middles of the 12 facets.
    let size = 0.3;
    let corner = |code: u32| std::array::from_fn(|i| size * f64::from((code >> i) & 1));
    let mut points: Vec<Vector6> = (0..64).map(corner).collect();
    for axis in 0..6 {
        for end in [0.0, size] {
            let middle = |i: usize| if i == axis { end } else { 0.5 * size };
            points.push(std::array::from_fn(middle));
        }
    }
    let volume = hull(&points, size, 1).volume();
    let expected = size * size * size * size * size * size;
    assert!((volume / expected - 1.0).abs() < 1.0e-9, "{volume:e}");
}

#[test]
fn a_cross_polytope_has_64_facets() {
    let ends: Vec<Vector6> = (0..6).map(|axis| unit(axis, -0.5)).collect();
    let cross = hull(&ends, 0.5, 2);
    assert_eq!(alive(&cross).count(), 64);
    // 2⁶ simplices of volume (1/2)⁶/6!.
    assert!((cross.volume() * 720.0 - 1.0).abs() < 1.0e-9);
    for facet in alive(&cross) {
        assert!((facet.plane.offset - 0.5 / 6.0_f64.sqrt()).abs() < 1.0e-9);
    }
}

#[test]
fn every_point_is_below_every_facet() {
    for case in 0..20 {
        let mut rng = Rng::for_case("hull", case);
        let points: Vec<Vector6> = (0..40)
            .map(|_| std::array::from_fn(|_| rng.uniform(-0.4, 0.4)))
            .collect();
        let hull = hull(&points, 0.1, case as u64);
        for facet in alive(&hull) {
            for point in &hull.moved {
                let above = facet.plane.distance(point);
                assert!(above <= facet.plane.error.max(1.0e-12), "{above:e}");
            }
        }
    }
}

#[test]
fn a_point_inside_changes_nothing() {
    let mut simplex = hull(&[], 0.5, 3);
    let before = alive(&simplex).count();
    assert!(!simplex.insert([0.01; 6]).unwrap());
    assert!(!simplex.has(&[0.01; 6]));
    assert_eq!(alive(&simplex).count(), before);
    assert!(simplex.insert([0.2; 6]).unwrap());
}
