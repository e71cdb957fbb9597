//! Closed meshes of simple shapes, outward, centred on the origin.

use glam::DVec3;

use super::TriMesh;

/// A box with the given edge lengths, metres.
pub fn cuboid(size: DVec3) -> TriMesh {
    let h = 0.5 * size;
    let vertices = (0..8)
        .map(|i| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            DVec3::new(sign(4) * h.x, sign(2) * h.y, sign(1) * h.z)
        })
        .collect();
    // Faces −x, +x, −y, +y, −z, +z; bit 4 of a vertex is x, 2 is y, 1 is z.
    let triangles = vec![
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ];
    TriMesh {
        vertices,
        triangles,
    }
}

/// A sphere with vertices on the given radius: an icosahedron whose triangles
/// are split into four `subdivisions` times, 20·4ⁿ triangles.
pub fn icosphere(radius: f64, subdivisions: u32) -> TriMesh {
    let phi = 0.5 * (1.0 + 5.0_f64.sqrt());
    let on_sphere = |v: DVec3| v * (radius / v.length());
    let mut vertices: Vec<DVec3> = [
        (-1.0, phi, 0.0),
        (1.0, phi, 0.0),
        (-1.0, -phi, 0.0),
        (1.0, -phi, 0.0),
        (0.0, -1.0, phi),
        (0.0, 1.0, phi),
        (0.0, -1.0, -phi),
        (0.0, 1.0, -phi),
        (phi, 0.0, -1.0),
        (phi, 0.0, 1.0),
        (-phi, 0.0, -1.0),
        (-phi, 0.0, 1.0),
    ]
    .into_iter()
    .map(|(x, y, z)| on_sphere(DVec3::new(x, y, z)))
    .collect();
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        let split = subdivide(&TriMesh {
            vertices,
            triangles,
        });
        vertices = split.vertices.into_iter().map(on_sphere).collect();
        triangles = split.triangles;
    }
    TriMesh {
        vertices,
        triangles,
    }
}

/// Splits every triangle into four at the middles of its sides. The surface
/// stays where it is.
pub fn subdivide(mesh: &TriMesh) -> TriMesh {
    let mut vertices = mesh.vertices.clone();
    let mut middles = std::collections::BTreeMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            vertices.push(0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]));
            vertices.len() as u32 - 1
        })
    };
    let triangles = mesh
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        })
        .collect();
    TriMesh {
        vertices,
        triangles,
    }
}
