//! Merging vertices that have equal coordinates.

use std::collections::BTreeMap;

use glam::DVec3;
use volar_geom::TriMesh;

/// Hands out one vertex per distinct position.
///
/// Positions are equal when their coordinates are, so 0 and −0 are one.
#[derive(Default)]
pub(crate) struct Welder {
    vertices: Vec<DVec3>,
    known: BTreeMap<[u64; 3], u32>,
}

impl Welder {
    /// The vertex at a position. None when there are too many to count.
    pub fn vertex(&mut self, p: DVec3) -> Option<u32> {
        // Adding zero turns −0 into 0 and leaves all else alone.
        let key = (p + DVec3::ZERO).to_array().map(f64::to_bits);
        if let Some(&vertex) = self.known.get(&key) {
            return Some(vertex);
        }
        let vertex = u32::try_from(self.vertices.len()).ok()?;
        self.vertices.push(p);
        self.known.insert(key, vertex);
        Some(vertex)
    }

    /// The mesh of some triangles between the vertices handed out.
    pub fn into_mesh(self, triangles: Vec<[u32; 3]>) -> TriMesh {
        TriMesh {
            vertices: self.vertices,
            triangles,
        }
    }
}
