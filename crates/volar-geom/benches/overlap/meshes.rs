//! The meshes of the pair set, made from a few shapes and the bunny.

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::DVec3;
use serde::Deserialize;
use volar_geom::TriMesh;
use volar_geom::mesh::shapes;
use volar_meshes::ReadOptions;

use crate::pairs::in_repository;

/// How to make a mesh.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recipe {
    /// Edge lengths, metres.
    Cuboid([f64; 3]),
    Icosphere {
        radius: f64,
        subdivisions: u32,
    },
    /// A file in the repository.
    Obj(PathBuf),
    /// Another mesh with every triangle split into four in its plane.
    Flat {
        of: String,
        times: u32,
    },
    /// Another mesh after Loop subdivision.
    Loop {
        of: String,
        times: u32,
    },
}

/// Makes a mesh by name.
pub fn make(recipes: &BTreeMap<String, Recipe>, name: &str) -> TriMesh {
    let repeat = |split: fn(&TriMesh) -> TriMesh, of: &str, times: u32| {
        (0..times).fold(make(recipes, of), |mesh, _| split(&mesh))
    };
    match &recipes[name] {
        Recipe::Cuboid(size) => shapes::cuboid(DVec3::from_array(*size)),
        &Recipe::Icosphere {
            radius,
            subdivisions,
        } => shapes::icosphere(radius, subdivisions),
        Recipe::Obj(path) => volar_meshes::read(&in_repository(path), &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{error}")),
        Recipe::Flat { of, times } => repeat(shapes::subdivide, of, *times),
        Recipe::Loop { of, times } => repeat(loop_subdivide, of, *times),
    }
}

/// One step of Loop subdivision: [`shapes::subdivide`] with every vertex moved
/// towards its neighbours, so that the surface becomes smooth.
///
/// Weights: C. Loop, *Smooth Subdivision Surfaces Based on Triangles*, 1987.
fn loop_subdivide(mesh: &TriMesh) -> TriMesh {
    let mut split = shapes::subdivide(mesh);
    let old = mesh.vertices.len();

    // A new vertex in the middle of an edge: 3/8 of each end of the edge and
    // 1/8 of each of the two corners opposite it, that is 3/4 of the middle
    // and 1/8 of the opposites. Every corner of the old mesh lies opposite
    // one of its sides; subdivide() makes the children in the order of the
    // triangles, the inner one last, its corners the middles of ab, bc, ca.
    for middle in &mut split.vertices[old..] {
        *middle *= 0.75;
    }
    for (corners, children) in mesh.triangles.iter().zip(split.triangles.chunks_exact(4)) {
        let [a, b, c] = corners.map(|v| mesh.vertices[v as usize]);
        let [ab, bc, ca] = children[3];
        for (middle, opposite) in [(ab, c), (bc, a), (ca, b)] {
            split.vertices[middle as usize] += 0.125 * opposite;
        }
    }

    // An old vertex: pulled towards the mean of its neighbours. On a closed
    // mesh the sides that leave a vertex reach each neighbour once.
    let mut sums = vec![(DVec3::ZERO, 0.0); old];
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (sum, valence) = &mut sums[from as usize];
            *sum += mesh.vertices[to as usize];
            *valence += 1.0;
        }
    }
    for (vertex, (sum, valence)) in split.vertices.iter_mut().zip(sums) {
        let cosine: f64 = 0.375 + 0.25 * (std::f64::consts::TAU / valence).cos();
        let pull = 0.625 - cosine * cosine;
        *vertex = (1.0 - pull) * *vertex + pull / valence * sum;
    }
    split
}
