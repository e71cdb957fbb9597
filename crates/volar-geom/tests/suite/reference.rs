//! The pair set of the benchmark against exact answers made by another
//! program: libigl's mesh booleans on CGAL's exact kernel.
//!
//! Volumes and centroids are in `bench/reference.json`. The integrals over the
//! two parts of the surface are in `data/reference_surfaces.csv`, for the pairs in
//! which no face of A lies in a face of B (where whose surface it is would be a
//! convention): pair, number of the pose, then for A and for B the area,
//! `∫ n dA` and `∫ x × n dA`, in the world's frame.
//!
//! Not to be trusted beyond rounding: that program rounds its exact result to
//! world coordinates in floating point before it measures it.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DMat3, DVec3};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use volar_geom::overlap::{Measure, OverlapKernel, Surface};
use volar_geom::{ClosedMesh, Pose};
use volar_testkit::corpus::bunny;
use volar_testkit::solids::{closed, cuboid, icosphere, subdivide};
use volar_testkit::tolerance;

/// How far rounding moves a point with coordinates of a decimetre, there in
/// the world's frame and here between the frames.
const SHIFT: f64 = 1e-16;

#[derive(Deserialize)]
struct PairSet {
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    name: String,
    a: String,
    b: String,
    /// R_WA by rows, p_WA, R_WB by rows, p_WB.
    poses: Vec<[f64; 24]>,
}

#[derive(Deserialize)]
struct Answers {
    /// Volume and world centroid of every pose.
    pairs: BTreeMap<String, Vec<[f64; 4]>>,
}

fn read_json<T: DeserializeOwned>(path: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    let text = std::fs::read_to_string(&path).expect("the pair set is part of the repository");
    serde_json::from_str(&text).expect("the pair set is sound")
}

/// The meshes of the set; none for those this test leaves out.
fn solid(name: &str) -> Option<ClosedMesh> {
    Some(closed(match name {
        "cube60" => cuboid(DVec3::splat(0.06)),
        "finger" => cuboid(DVec3::new(0.02, 0.02, 0.06)),
        "ico10_s3" => icosphere(0.01, 3),
        "ico30_s3" => icosphere(0.03, 3),
        "ico20_s5" => icosphere(0.02, 5),
        "ico30_s5" => icosphere(0.03, 5),
        "bunny" => bunny(),
        "bunny_mid1" => subdivide(&bunny()),
        _ => return None,
    }))
}

fn pose(entries: &[f64]) -> Pose {
    Pose {
        R: DMat3::from_cols_slice(&entries[..9]).transpose(),
        p: DVec3::from_slice(&entries[9..12]),
    }
}

/// Calls `check` with every pose of the set: names of pair and pose, the pose
/// of A in the world, and the overlap.
fn for_each_pose(mut check: impl FnMut(&str, usize, &Pose, &Measure)) {
    let mut kernel = OverlapKernel::new();
    let mut checked = 0;
    for pair in read_json::<PairSet>("bench/pairs.json").pairs {
        let (Some(a), Some(b)) = (solid(&pair.a), solid(&pair.b)) else {
            continue;
        };
        for (index, entries) in pair.poses.iter().enumerate() {
            let (X_WA, X_WB) = (pose(&entries[..12]), pose(&entries[12..]));
            let X_AB = Pose::relative(&X_WA, &X_WB);
            check(
                &pair.name,
                index,
                &X_WA,
                &kernel.overlap(&a, &b, &X_AB).total,
            );
        }
        checked += 1;
    }
    assert_eq!(checked, 12, "pairs of the set");
}

#[test]
fn volumes_and_centroids() {
    let answers = read_json::<Answers>("bench/reference.json").pairs;
    for_each_pose(|pair, index, X_WA, got| {
        let [volume, x, y, z] = answers[pair][index];
        let what = format!("{pair} pose {index}");
        let error = (got.volume - volume).abs();
        if volume == 0.0 {
            assert_eq!((got.volume, got.centroid), (0.0, None), "{what}");
            return;
        }
        assert!(
            error <= tolerance::VOLUME * volume,
            "{what}: {:e}, not {volume:e}",
            got.volume
        );
        let centroid = X_WA.point(got.centroid.expect("volume has a centroid"));
        let off = centroid.distance(DVec3::new(x, y, z));
        assert!(
            off <= tolerance::CENTROID * volume.cbrt(),
            "{what}: centroid off by {off:e}"
        );
    });
}

#[test]
fn areas_area_vectors_and_moment_vectors() {
    let mut answers = BTreeMap::new();
    for line in include_str!("../data/reference_surfaces.csv")
        .lines()
        .skip(1)
    {
        let mut words = line.split(',');
        let pair = words.next().expect("a name");
        let index: usize = words.next().and_then(|w| w.parse().ok()).expect("a pose");
        let numbers: Vec<f64> = words.map(|w| w.parse().expect("a number")).collect();
        answers.insert((pair, index), numbers);
    }
    let mut checked = 0;
    for_each_pose(|pair, index, X_WA, got| {
        // Flat subdivision changes the triangles, not the solid.
        let pair = if pair == "g1" { "d" } else { pair };
        let Some(answer) = answers.get(&(pair, index)) else {
            return;
        };
        checked += 1;
        for (body, expected) in answer.chunks(7).enumerate() {
            let Surface {
                area,
                area_vector,
                moment_vector,
                ..
            } = got.surfaces[body];
            let what = format!("{pair} pose {index} body {body}");
            // Rounding moves the rim, which is a few times the diameter long.
            let allowed = 1e-12 * area + SHIFT * 10.0 * area.sqrt().max(0.06);
            let error = (area - expected[0]).abs();
            assert!(error <= allowed, "{what}: area off by {error:e}");
            let vector = X_WA.R * area_vector;
            let error = vector.distance(DVec3::from_slice(&expected[1..4]));
            assert!(error <= allowed, "{what}: area vector off by {error:e}");
            let moment = X_WA.R * moment_vector + X_WA.p.cross(vector);
            let error = moment.distance(DVec3::from_slice(&expected[4..7]));
            assert!(
                error <= allowed * 0.1,
                "{what}: moment vector off by {error:e}"
            );
        }
    });
    assert_eq!(checked, 8 * 20);
}
