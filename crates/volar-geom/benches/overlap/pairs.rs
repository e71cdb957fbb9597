//! The pair set of `bench/pairs.json` and its exact answers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::{DMat3, DVec3};
use serde::Deserialize;
use volar_geom::Pose;

use crate::meshes::Recipe;

/// Two meshes and the poses they are measured in.
pub struct Pair {
    pub name: String,
    pub a: String,
    pub b: String,
    pub poses: Vec<Case>,
}

/// One relative pose and its exact overlap.
pub struct Case {
    pub X_AB: Pose,
    pub volume: f64,
    /// In A's frame; none when the overlap is empty.
    pub centroid: Option<DVec3>,
}

/// How every mesh is made, and the pairs.
pub struct PairSet {
    pub recipes: BTreeMap<String, Recipe>,
    pub pairs: Vec<Pair>,
}

impl PairSet {
    /// Reads both files; of every pair, the first `poses` poses.
    pub fn load(poses: usize) -> PairSet {
        let PairsFile { meshes, pairs } = read_json("bench/pairs.json");
        let ReferenceFile { pairs: answers } = read_json("bench/reference.json");
        let pairs = pairs
            .into_iter()
            .map(|pair| {
                let cases = pair.poses.iter().zip(&answers[&pair.name]);
                Pair {
                    poses: cases.take(poses).map(|(p, r)| Case::new(p, r)).collect(),
                    name: pair.name,
                    a: pair.a,
                    b: pair.b,
                }
            })
            .collect();
        PairSet {
            recipes: meshes,
            pairs,
        }
    }
}

impl Case {
    /// From `R_WA`, `p_WA`, `R_WB`, `p_WB` and from volume, world centroid.
    fn new(world: &[f64; 24], answer: &[f64; 4]) -> Case {
        let X_WA = pose(&world[..12]);
        let X_WB = pose(&world[12..]);
        let [volume, x, y, z] = *answer;
        let p_WC = DVec3::new(x, y, z);
        Case {
            X_AB: Pose::relative(&X_WA, &X_WB),
            volume,
            // The origins are subtracted first: see `Pose::relative`.
            centroid: (volume > 0.0).then(|| X_WA.R.transpose() * (p_WC - X_WA.p)),
        }
    }
}

/// From nine entries of R, row by row, and three of p.
fn pose(entries: &[f64]) -> Pose {
    Pose {
        R: DMat3::from_cols_slice(&entries[..9]).transpose(),
        p: DVec3::from_slice(&entries[9..]),
    }
}

#[derive(Deserialize)]
struct PairsFile {
    meshes: BTreeMap<String, Recipe>,
    pairs: Vec<PairEntry>,
}

#[derive(Deserialize)]
struct PairEntry {
    name: String,
    a: String,
    b: String,
    poses: Vec<[f64; 24]>,
}

#[derive(Deserialize)]
struct ReferenceFile {
    pairs: BTreeMap<String, Vec<[f64; 4]>>,
}

fn read_json<T: serde::de::DeserializeOwned>(path: &str) -> T {
    let path = in_repository(Path::new(path));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("cannot understand {}: {error}", path.display()))
}

/// A path given from the top of the repository.
pub fn in_repository(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
