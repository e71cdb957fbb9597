//! The integrals of an overlap summed triangle by triangle over its surface
//! mesh: slow, plain, and free of everything the kernel does to be fast.

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Measure, OverlapMesh, Surface};
use volar_math::outer;

/// Measures the solid inside an overlap mesh.
pub fn measure(mesh: &OverlapMesh) -> Measure {
    let mut total = Measure::default();
    // About a point of the mesh: far from it the tetrahedra would cancel.
    let origin = mesh.vertices.first().copied().unwrap_or_default();
    let mut moment = DVec3::ZERO;
    for (corners, &(body, _)) in triangles(mesh).zip(&mesh.origins) {
        let [a, b, c] = corners.map(|p| p - origin);
        let volume = a.dot(b.cross(c)) / 6.0;
        total.volume += volume;
        moment += volume * (a + b + c) / 4.0;
        add_triangle(&mut total.surfaces[usize::from(body)], corners);
    }
    total.first_moment = moment + total.volume * origin;
    total.centroid = (total.volume > 0.0).then(|| origin + moment / total.volume);
    total
}

/// The corners of every triangle.
pub fn triangles(mesh: &OverlapMesh) -> impl Iterator<Item = [DVec3; 3]> {
    let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices[v as usize]);
    mesh.triangles.iter().map(corners)
}

fn add_triangle(surface: &mut Surface, [a, b, c]: [DVec3; 3]) {
    let cross = 0.5 * (b - a).cross(c - a);
    surface.area += cross.length();
    surface.area_vector += cross;
    surface.moment_vector += ((a + b + c) / 3.0).cross(cross);
}

/// `∫ x xᵀ dA` over each body's part of the surface. It is quadratic in x, so
/// three points at the middles of the sides integrate it exactly.
pub fn second_moments(mesh: &OverlapMesh) -> [DMat3; 2] {
    let mut seconds = [DMat3::ZERO; 2];
    for ([a, b, c], &(body, _)) in triangles(mesh).zip(&mesh.origins) {
        let third = (b - a).cross(c - a).length() / 6.0;
        for x in [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)] {
            seconds[usize::from(body)] += outer(third * x, x);
        }
    }
    seconds
}

/// Edges that are not walked as often one way as the other: empty for a closed
/// surface.
pub fn open_edges(mesh: &OverlapMesh) -> Vec<[u32; 2]> {
    let mut balance = std::collections::BTreeMap::<[u32; 2], i32>::new();
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (key, step) = if from < to {
                ([from, to], 1)
            } else {
                ([to, from], -1)
            };
            *balance.entry(key).or_default() += step;
        }
    }
    let open = balance.into_iter().filter(|&(_, count)| count != 0);
    open.map(|(edge, _)| edge).collect()
}
