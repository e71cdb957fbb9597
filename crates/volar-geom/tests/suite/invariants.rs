//! What must hold between answers, with no oracle: symmetry, motion, rates of
//! change, and the overlap's own mesh.

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Facet, Measure, Overlap, OverlapKernel, Surface};
use volar_geom::{ClosedMesh, Pose};
use volar_math::outer;
use volar_testkit::corpus::{self, Pair};
use volar_testkit::direct;
use volar_testkit::invariants::{close_surfaces, violation};
use volar_testkit::rng::Rng;
use volar_testkit::sweep::{Approach, Family, approach, random_approach};
use volar_testkit::tolerance;

/// Coordinates in the frame of A: no body of the corpus reaches farther from
/// the other's origin.
const EXTENT: f64 = 0.25;

/// Every pair of the corpus in a few random poses.
fn for_each_pose(name: &str, poses: usize, check: impl Fn(&Pair, &Approach, &mut Rng)) {
    for pair in corpus::pairs() {
        for index in 0..poses {
            let mut rng = Rng::for_case(&format!("{name} {}", pair.name), index);
            let approach = random_approach(&pair.a, &pair.b, &mut rng);
            check(&pair, &approach, &mut rng);
        }
    }
}

fn ask(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> Overlap {
    OverlapKernel::new().overlap_with_facets(a, b, X_AB).clone()
}

fn area(m: &Measure) -> f64 {
    m.surfaces[0].area + m.surfaces[1].area
}

/// Volume, first moment and surfaces agree when B's surface may have moved by
/// `shift`: the volume changes by at most the area it sweeps.
fn assert_same(what: &str, got: &Measure, expected: &Measure, shift: f64) {
    let swept = shift * area(expected).max(area(got)) + 1e-12 * expected.volume;
    let error = (got.volume - expected.volume).abs();
    assert!(
        error <= swept,
        "{what}: volume off by {error:e}, allowed {swept:e}"
    );
    let error = got.first_moment.distance(expected.first_moment);
    assert!(
        error <= swept * EXTENT,
        "{what}: first moment off by {error:e}"
    );
}

#[test]
fn every_answer_makes_sense() {
    for_each_pose("sense", 50, |pair, Approach { X_AB, .. }, _| {
        let overlap = ask(&pair.a, &pair.b, X_AB);
        let complaint = violation(&pair.a, &pair.b, X_AB, &overlap);
        assert_eq!(complaint, None, "{} at {X_AB:?}", pair.name);
    });
}

#[test]
fn swapping_the_bodies_swaps_the_answer() {
    for_each_pose("swap", 50, |pair, approach, _| {
        let X_AB = &approach.X_AB;
        let there = ask(&pair.a, &pair.b, X_AB);
        let back = ask(&pair.b, &pair.a, &X_AB.inverse());
        // Seen from B's frame and brought back to A's.
        let moment = X_AB.R * back.total.first_moment + back.total.volume * X_AB.p;
        let swapped = Measure {
            first_moment: moment,
            ..back.total
        };
        let what = format!("{} at {X_AB:?}", pair.name);
        let shift = tolerance::pose_rounding(EXTENT);
        assert_same(&what, &swapped, &there.total, shift);
        // Which surface a common plane belongs to is a convention, and where two
        // almost common planes cross is up to rounding.
        if approach.family != Family::Generic {
            return;
        }
        // The area vector hangs on the curve where the surfaces cross, which is
        // not longer than this.
        let rim = 8.0 * EXTENT;
        for k in 0..2 {
            let vector = X_AB.R * back.total.surfaces[1 - k].area_vector;
            let error = vector.distance(there.total.surfaces[k].area_vector);
            assert!(
                error <= shift * rim,
                "{what}: area vector of {k} off by {error:e}"
            );
        }
    });
}

/// The bodies carried 10 m away together: what changes is the rounding of
/// their positions, 4 units in the last place of the offset.
#[test]
fn moving_both_bodies_changes_nothing() {
    const OFFSET: f64 = 10.0;
    const ULP: f64 = 8.0 * f64::EPSILON; // of numbers from 8 to 16
    for_each_pose("move", 50, |pair, Approach { X_AB, .. }, rng| {
        let here = ask(&pair.a, &pair.b, X_AB);
        let X_WA = Pose {
            R: rng.rotation(),
            p: OFFSET * rng.direction(),
        };
        let X_WB = X_WA.compose(X_AB);
        let there = ask(&pair.a, &pair.b, &Pose::relative(&X_WA, &X_WB));
        let what = format!("{} at {X_AB:?} seen from {X_WA:?}", pair.name);
        assert_same(&what, &there.total, &here.total, 4.0 * ULP);
    });
}

/// B moves with the twist −(v, ω) in the frame of A, by `h`.
fn moved(X_AB: &Pose, v: DVec3, omega: DVec3, h: f64) -> Pose {
    let turn = DMat3::from_axis_angle(omega.normalize_or_zero(), -h * omega.length());
    // About A's origin, and to second order along the screw.
    let shift = -h * v + 0.5 * h * h * omega.cross(v);
    Pose {
        R: turn * X_AB.R,
        p: turn * X_AB.p + shift,
    }
}

/// `V̇ = ∫_{Γ_A} u·n dA` and `Q̇ = −∫_{Γ_B} x (u·n) dA`, u the velocity of A's
/// points relative to B's: in the frame of A, B's surface moves with −u.
///
/// Central differences over h are off by the cube of h over the depth and by
/// the rounding of V over h; at 0.4 mm deep and 0.1 µm wide both stay below
/// 1e-6 of the rate (of `area × speed / 20` where the rate is smaller).
#[test]
fn rates_of_volume_and_first_moment() {
    const RATE: f64 = 1e-6;
    const STEP: f64 = 1e-7;
    const DEPTH: f64 = 4e-4;
    for pair in corpus::pairs()
        .iter()
        .filter(|pair| !pair.name.contains("sheet"))
    {
        for index in 0..20 {
            let mut rng = Rng::for_case(&format!("rates {}", pair.name), index);
            let Approach { X_AB, family, .. } = approach(&pair.a, &pair.b, DEPTH, &mut rng);
            if family == Family::Flush {
                continue; // a common plane is a kink: no rate, but two
            }
            let (v, omega) = (rng.direction(), rng.direction() / EXTENT);
            let now = ask(&pair.a, &pair.b, &X_AB);
            let [before, after] =
                [-STEP, STEP].map(|h| ask(&pair.a, &pair.b, &moved(&X_AB, v, omega, h)).total);
            let surface = &now.total.surfaces[0];
            let rate = v.dot(surface.area_vector) + omega.dot(surface.moment_vector);
            let difference = (after.volume - before.volume) / (2.0 * STEP);
            let scale = rate.abs().max(0.05 * area(&now.total));
            let what = format!("{} at {X_AB:?}", pair.name);
            let error = (rate - difference).abs();
            assert!(
                error <= RATE * scale,
                "{what}: V̇ {rate:e}, but {difference:e}"
            );

            let rate = -first_moment_flux(&now, v, omega);
            let difference = (after.first_moment - before.first_moment) / (2.0 * STEP);
            let error = rate.distance(difference);
            assert!(
                error <= RATE * scale * EXTENT,
                "{what}: Q̇ {rate}, but {difference}"
            );
        }
    }
}

/// `∫_{Γ_B} x (u·n) dA` with `u = v + ω × x`, from the facets: on each,
/// `u·n = v·n + x·(n × ω)` is linear.
fn first_moment_flux(overlap: &Overlap, v: DVec3, omega: DVec3) -> DVec3 {
    let mut flux = DVec3::ZERO;
    for facet in &overlap.facets[1] {
        let g = facet.normal.cross(omega);
        let normal_speed = v.dot(facet.normal) + facet.centroid.dot(g);
        flux += facet.area * facet.centroid * normal_speed + second_moment(facet) * g;
    }
    flux
}

/// Of a facet, about its centroid.
fn second_moment(facet: &Facet) -> DMat3 {
    let [xx, yy, zz, xy, xz, yz] = facet.second_moment;
    DMat3::from_cols(
        DVec3::new(xx, xy, xz),
        DVec3::new(xy, yy, yz),
        DVec3::new(xz, yz, zz),
    )
}

#[test]
fn the_mesh_is_the_overlap() {
    for_each_pose("mesh", 30, |pair, Approach { X_AB, .. }, _| {
        let what = format!("{} at {X_AB:?}", pair.name);
        let overlap = ask(&pair.a, &pair.b, X_AB);
        let mesh = OverlapKernel::new().overlap_mesh(&pair.a, &pair.b, X_AB);
        assert_eq!(mesh.triangles.len(), mesh.origins.len());
        assert_eq!(direct::open_edges(&mesh), Vec::<[u32; 2]>::new(), "{what}");

        let shift = tolerance::pose_rounding(EXTENT);
        let summed = direct::measure(&mesh);
        assert_same(&what, &summed, &overlap.total, shift);
        let blurred = area(&overlap.total) + shift * 8.0 * EXTENT / tolerance::SUMS;
        for k in 0..2 {
            let (got, expected): (&Surface, &Surface) =
                (&summed.surfaces[k], &overlap.total.surfaces[k]);
            assert_eq!(
                close_surfaces(&what, got, expected, blurred, EXTENT),
                Ok(())
            );
            let facets = overlap.facets[k].iter();
            let about_origin =
                |f: &Facet| second_moment(f) + outer(f.area * f.centroid, f.centroid);
            let off = facets.map(about_origin).sum::<DMat3>() - direct::second_moments(&mesh)[k];
            let largest = off.abs().to_cols_array().into_iter().fold(0.0, f64::max);
            assert!(
                largest <= tolerance::SUMS * blurred * EXTENT * EXTENT,
                "{what}: second moments differ by {largest:e}"
            );
        }

        // Every face lies in the triangle it says it comes from.
        let bodies = [(&pair.a, Pose::IDENTITY), (&pair.b, *X_AB)];
        for (corners, &(body, triangle)) in direct::triangles(&mesh).zip(&mesh.origins) {
            let (solid, X) = &bodies[usize::from(body)];
            let owner = solid.corners(triangle).map(|p| X.point(p));
            for p in corners {
                let off = volar_testkit::brute::point_triangle_distance(p, owner);
                assert!(
                    off <= shift,
                    "{what}: {off:e} off triangle {triangle} of {body}"
                );
            }
        }
    });
}
