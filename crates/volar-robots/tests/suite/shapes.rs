//! Primitives: sound meshes, and closed forms that the meshes approach.

use glam::{DMat3, DVec3};
use volar_geom::mesh::check::check;
use volar_geom::mesh::mass::SolidMoments;
use volar_robots::Shape;
use volar_robots::moments::moments;
use volar_robots::shapes::{Resolution, tessellate};

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Box {
            size: DVec3::new(0.1, 0.2, 0.3),
        },
        Shape::Sphere { radius: 0.03 },
        Shape::Cylinder {
            radius: 0.02,
            length: 0.07,
        },
        Shape::Capsule {
            radius: 0.01,
            length: 0.045,
        },
        Shape::Capsule {
            radius: 0.01,
            length: 0.0,
        },
        Shape::Ellipsoid {
            radii: DVec3::new(0.01, 0.02, 0.03),
        },
    ]
}

fn error_of(resolution: &Resolution, shape: &Shape) -> (f64, f64) {
    let mesh = tessellate(shape, resolution).unwrap();
    let report = check(&mesh);
    assert!(report.is_usable(), "{shape:?}: {:?}", report.complaints);
    let (got, want) = (
        SolidMoments::of(&mesh).unwrap(),
        moments(shape).unwrap().unwrap(),
    );
    assert!(got.centroid.length() < 1e-15);
    let size = |m: &DMat3| {
        m.to_cols_array()
            .iter()
            .fold(0.0, |a: f64, b| a.max(b.abs()))
    };
    (
        (want.volume - got.volume) / want.volume,
        size(&(got.second_moment - want.second_moment)) / size(&want.second_moment),
    )
}

#[test]
fn meshes_are_sound_and_near_the_shape() {
    for shape in shapes() {
        let (volume, second) = error_of(&Resolution::default(), &shape);
        assert!((-1e-14..0.015).contains(&volume), "{shape:?}: {volume}");
        assert!(second < 0.025, "{shape:?}: {second}");
    }
}

#[test]
fn finer_meshes_approach_the_closed_forms() {
    let fine = Resolution {
        cylinder_sides: 96,
        capsule_sides: 64,
        capsule_rings: 16,
        sphere_subdivisions: 4,
    };
    for shape in shapes() {
        let (coarse, finer) = (
            error_of(&Resolution::default(), &shape),
            error_of(&fine, &shape),
        );
        // Errors go with the square of the size of facets.
        assert!(
            finer.0 <= 0.27 * coarse.0 + 1e-14,
            "{shape:?}: {coarse:?} {finer:?}"
        );
        assert!(
            finer.1 <= 0.27 * coarse.1 + 1e-14,
            "{shape:?}: {coarse:?} {finer:?}"
        );
    }
}

#[test]
fn coarse_requests_still_close() {
    let coarse = Resolution {
        cylinder_sides: 0,
        capsule_sides: 0,
        capsule_rings: 0,
        sphere_subdivisions: 0,
    };
    for shape in shapes() {
        assert!(check(&tessellate(&shape, &coarse).unwrap()).is_usable());
    }
    assert!(tessellate(&Shape::Plane, &coarse).is_none());
}
