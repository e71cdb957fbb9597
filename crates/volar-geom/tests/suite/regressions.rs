//! Cases that once broke the kernel: found by the fuzz target or a property
//! test, shrunk, and kept for ever.

use volar_geom::overlap::OverlapKernel;
use volar_testkit::cases::Case;

fn check(bytes: &[u8]) {
    let answer = Case::from_bytes(bytes).check(&mut OverlapKernel::new());
    assert_eq!(answer, Ok(()), "{bytes:?}");
}

/// The wall of a cavity inside the overlap was measured as a component of its
/// own: it touches the surface around it with the very corner that was asked
/// whether it is inside.
#[test]
fn a_cavity_that_touches_the_surface_around_it() {
    check(&[vec![46], vec![251; 26], vec![122, 162, 162]].concat());
    check(
        &[
            vec![16, 0],
            vec![216; 38],
            vec![221, 43, 221, 25, 255, 255, 45],
        ]
        .concat(),
    );
    check(&[6, 2, 0, 0, 0, 2, 3, 3, 0, 17, 22, 13, 2, 0, 0, 2, 8, 0, 2]);
}

/// A hole in a triangle was measured as a piece of negative area instead of
/// being taken from the piece around it, whose outline it touches.
#[test]
fn a_hole_that_touches_its_outline() {
    check(&[6, 3, 1, 1, 7, 0, 0, 1, 0, 3, 13, 15, 1, 0, 2]);
    check(&[
        0, 0, 5, 5, 6, 0, 2, 1, 0, 9, 16, 22, 17, 7, 8, 45, 19, 0, 7, 4,
    ]);
    check(&[6, 1, 2, 3, 3, 5, 0, 3, 0, 7, 6, 8, 0, 0, 0, 0, 0, 1, 3]);
}

/// Octahedra that touch along an edge, rotated by an angle with cosine 4/5: what
/// rounding left over, 1e-19 m² of surface with a negative volume, was reported as
/// a component without volume.
#[test]
fn a_touch_is_no_component() {
    check(&[3, 2, 2, 5, 3, 1, 2, 2, 4, 12, 13, 6, 1, 0, 1, 0, 0, 12, 5]);
}
