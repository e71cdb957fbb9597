//! The oracle itself: against formulas, against itself along all six
//! projections, and against another exact program.

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_testkit::closed_form::box_overlap;
use volar_testkit::columns::{ExactOverlap, Projection, exact_overlap, exact_overlap_along};
use volar_testkit::corpus;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid, hollow_cuboid, icosphere};
use volar_testkit::sweep::random_approach;

/// The answer is rounded to floating point once or twice at the end.
const LAST_DIGITS: f64 = 4.0 * f64::EPSILON;

/// Boxes on a grid of 2⁻²², 1 µm deep and more: the formula is exact too.
#[test]
fn boxes() {
    const STEP: f64 = 1.0 / 4_194_304.0;
    let mut rng = Rng::new(11);
    for _ in 0..300 {
        let mut side = || STEP * rng.log_uniform(8.0, 1e6).round();
        let [half_a, half_b, p] = [0; 3].map(|_| DVec3::from_array([0; 3].map(|_| side())));
        let (a, b) = (closed(cuboid(2.0 * half_a)), closed(cuboid(2.0 * half_b)));
        let got = exact_overlap(&a, &b, &Pose::from_translation(p));
        match box_overlap([-half_a, half_a], [p - half_b, p + half_b]) {
            Some([min, max]) => {
                let volume = (max - min).element_product();
                assert!((got.volume - volume).abs() <= LAST_DIGITS * volume);
                let centroid = got.centroid.expect("volume has a centroid");
                assert!(centroid.distance(0.5 * (min + max)) <= LAST_DIGITS * p.length());
            }
            None => assert_eq!((got.volume, got.centroid), (0.0, None)),
        }
    }
}

/// All of a solid, in itself and in a room, with and without a cavity.
#[test]
fn whole_solids() {
    let room = closed(cuboid(DVec3::splat(1.0)));
    for solid in [
        closed(icosphere(0.25, 2)),
        closed(hollow_cuboid(DVec3::splat(0.5), DVec3::splat(0.25))),
        corpus::solid("bunny"),
    ] {
        let mut rng = Rng::new(12);
        let X_AB = Pose {
            R: rng.rotation(),
            p: rng.in_cube(0.05),
        };
        for got in [
            exact_overlap(&solid, &solid, &Pose::IDENTITY),
            exact_overlap(&room, &solid, &X_AB),
        ] {
            // The mesh's own volume is a sum in floating point, and rotation
            // matrices are orthogonal to 1e-16 only.
            assert!((got.volume / solid.volume() - 1.0).abs() < 1e-14);
        }
    }
}

/// Six sums with no term in common agree to the last digits.
#[test]
fn projections_agree() {
    for pair in corpus::pairs() {
        for index in 0..4 {
            let mut rng = Rng::for_case(&format!("projections {}", pair.name), index);
            let X_AB = random_approach(&pair.a, &pair.b, &mut rng).X_AB;
            let answers: Vec<ExactOverlap> = Projection::ALL
                .map(|projection| exact_overlap_along(&pair.a, &pair.b, &X_AB, projection))
                .into();
            let first = answers[0];
            for other in &answers[1..] {
                let what = format!("{} pose {index}: {answers:?}", pair.name);
                let volume = (other.volume - first.volume).abs();
                assert!(volume <= LAST_DIGITS * first.volume, "{what}");
                let [c, first_c] = [other, &first].map(|x| x.centroid.unwrap_or_default());
                assert!(c.distance(first_c) <= LAST_DIGITS * 0.1, "{what}");
            }
        }
    }
}

/// The benchmark's pair set, measured by another exact program (libigl 2.6.3 on
/// CGAL's exact kernel), whose result is rounded to world coordinates: 1e-17 m
/// of 50 µm and more.
#[test]
fn another_program_agrees() {
    let read = |name: &str| -> serde_json::Value {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/");
        let text = std::fs::read_to_string(format!("{path}{name}")).expect("the pair set");
        serde_json::from_str(&text).expect("sound JSON")
    };
    let (set, answers) = (read("pairs.json"), read("reference.json"));
    let solid = |name: &str| match name {
        "cube60" => Some(corpus::solid("cube")),
        "ico30_s3" => Some(corpus::solid("sphere_1280")),
        "ico10_s3" => Some(corpus::solid("ball_1280")),
        "finger" | "bunny" => Some(corpus::solid(name)),
        _ => None,
    };
    let mut checked = 0;
    for pair in set["pairs"].as_array().expect("a list of pairs") {
        let name = pair["name"].as_str().expect("a name");
        let [a, b] = ["a", "b"].map(|body| solid(pair[body].as_str().expect("a mesh")));
        let (Some(a), Some(b)) = (a, b) else {
            continue;
        };
        for index in 0..5 {
            let numbers = |value: &serde_json::Value| -> Vec<f64> {
                let list = value.as_array().expect("a list of numbers");
                list.iter().map(|x| x.as_f64().expect("a number")).collect()
            };
            let entries = numbers(&pair["poses"][index]);
            let pose = |k: usize| Pose {
                R: DMat3::from_cols_slice(&entries[k..k + 9]).transpose(),
                p: DVec3::from_slice(&entries[k + 9..k + 12]),
            };
            let X_AB = Pose::relative(&pose(0), &pose(12));
            let expected = numbers(&answers["pairs"][name][index])[0];
            let got = exact_overlap(&a, &b, &X_AB).volume;
            // Touching faces: the positions round, so a film of 1e-17 m
            // times the face may be left.
            let film = 1e-17 * 2e-3;
            let error = (got - expected).abs();
            assert!(
                error <= 1e-11 * expected + film,
                "{name} pose {index}: {got:e}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 10 * 5);
}
