//! Depths against brute force over all triangles.

use glam::DVec3;
use volar_geom::Pose;
use volar_geom::overlap::OverlapKernel;
use volar_testkit::brute::nearest;
use volar_testkit::corpus::{Pair, solid};
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid};
use volar_testkit::sweep::random_approach;

/// Rounding of a distance between points with coordinates of a decimetre.
const DISTANCE: f64 = 1e-15;

#[test]
fn depths_are_distances_to_the_other_surface() {
    let pairs = [
        ("cube", "finger"),
        ("sphere_1280", "finger"),
        ("bunny", "finger"),
        ("bunny", "ball_1280"),
        ("bunny", "distal"),
        ("u_channel", "torus"),
        ("hollow", "finger"),
        ("star", "star"),
        ("proximal", "distal"),
    ];
    let mut kernel = OverlapKernel::new();
    for (name_a, name_b) in pairs {
        let pair = Pair::new((name_a, solid(name_a)), (name_b, solid(name_b)));
        let mut facets = 0;
        for index in 0..40 {
            let mut rng = Rng::for_case(&pair.name, index);
            let X_AB = random_approach(&pair.a, &pair.b, &mut rng).X_AB;
            let overlap = kernel.overlap_with_depths(&pair.a, &pair.b, &X_AB);
            // The facets of A look for B's surface, and the other way round.
            let others = [(&pair.b, X_AB), (&pair.a, Pose::IDENTITY)];
            for (k, (other, X)) in others.into_iter().enumerate() {
                assert_eq!(overlap.facets[k].len(), overlap.depths[k].len());
                for (facet, depth) in overlap.facets[k].iter().zip(&overlap.depths[k]) {
                    facets += 1;
                    let (distance, ties) = nearest(other, &X, facet.centroid, 2.0 * DISTANCE);
                    let what = format!("{} pose {index}: {facet:?}, {depth:?}", pair.name);
                    let error = (depth.distance - distance).abs();
                    assert!(error <= DISTANCE, "{what}, not {distance:e}");
                    assert!(
                        ties.contains(&depth.triangle),
                        "{what}, not one of {ties:?}"
                    );
                }
            }
        }
        assert!(facets > 100, "only {facets} facets of {}", pair.name);
    }
}

/// In the middle of a cube all faces are equally near, all twelve triangles.
#[test]
fn the_lowest_triangle_wins_a_tie() {
    let room = closed(cuboid(DVec3::splat(0.5)));
    // A symmetric cross-section through the middle: the facets of its upper
    // and lower face have their centroids off the middle, but on mirror planes
    // of the room, where two faces and their triangles tie.
    let bar = closed(cuboid(DVec3::new(0.125, 0.125, 1.0)));
    let mut kernel = OverlapKernel::new();
    let mut ties_seen = 0;
    for shift in [0.0, 0.0625, 0.125] {
        let X_AB = Pose::from_translation(DVec3::new(shift, shift, 0.25));
        let overlap = kernel.overlap_with_depths(&room, &bar, &X_AB);
        for (facet, depth) in overlap.facets[1].iter().zip(&overlap.depths[1]) {
            let (distance, ties) = nearest(&room, &Pose::IDENTITY, facet.centroid, 0.0);
            assert_eq!(
                (depth.distance, depth.triangle),
                (distance, ties[0]),
                "{facet:?}"
            );
            ties_seen += usize::from(ties.len() > 1);
        }
    }
    assert!(ties_seen > 0, "the poses were meant to have ties");
}
