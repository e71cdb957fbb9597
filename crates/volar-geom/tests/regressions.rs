//! Cases that once broke the kernel: found by the fuzz target or a property
//! test, kept for ever.

use volar_geom::overlap::OverlapKernel;
use volar_testkit::cases::Case;

fn check(bytes: &[u8]) {
    let answer = Case::from_bytes(bytes).check(&mut OverlapKernel::new());
    assert_eq!(answer, Ok(()));
}

/// The wall of a cavity inside the overlap was measured as a component of its
/// own, because the ray that looks for the skin around it met a corner.
#[test]
fn a_cavity_on_the_diagonal_belongs_to_the_skin_around_it() {
    check(&[vec![46], vec![251; 26], vec![122, 162, 162]].concat());
    check(
        &[
            vec![16, 0],
            vec![216; 38],
            vec![221, 43, 221, 25, 255, 255, 45],
        ]
        .concat(),
    );
}

/// `|S_A + S_B|` of a speck of 2 µm was 1e-10 of its area: each side's area
/// times its normal, with corners that are a rounding off its plane.
#[test]
fn the_skin_of_a_speck_is_closed() {
    check(&[
        17, 169, 80, 1, 193, 213, 237, 0, 133, 24, 237, 145, 214, 133, 3, 176, 73, 74, 111, 115,
    ]);
}
