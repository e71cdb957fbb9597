//! How an object lies on a table.
//!
//! Of all the ways to lie, an object takes the one in which its centre of mass is lowest: on the
//! face of its convex hull that is nearest to its centre of mass.

use glam::{DMat3, DVec3};
use volar_geom::TriMesh;
use volar_geom::mesh::mass::SolidMoments;
use volar_solids::convex_hull;

/// Faces whose heights differ by less than this share are equally good, as those of a cube.
const SAME_HEIGHT: f64 = 1.0e-6;

/// An object as it lies, in a frame L on the table: z up, x along its least width, origin under
/// its centre of mass.
pub(crate) struct Resting {
    /// From the object's axes to those of the table.
    pub R_LO: DMat3,
    /// The object's centre of mass in its own frame, m.
    pub centre: DVec3,
    /// How high that lies above the table, m.
    pub height: f64,
    /// Edges of the box around it, m.
    pub size: DVec3,
}

impl Resting {
    /// None for a surface that bounds no solid.
    pub fn of(surface: &TriMesh) -> Option<Resting> {
        let centre = SolidMoments::of(surface)?.centroid;
        let hull = convex_hull(&surface.vertices).ok()?;
        let corners: Vec<DVec3> = hull.vertices.iter().map(|v| *v - centre).collect();
        // What reaches farthest along a direction; right also for the normals of faces that
        // are next to nothing.
        let reach = |along: DVec3| corners.iter().map(|v| v.dot(along)).fold(0.0, f64::max);
        let normals = hull.triangles.iter().filter_map(|triangle| {
            let [a, b, c] = triangle.map(|v| hull.vertices[v as usize]);
            (b - a).cross(c - a).try_normalize()
        });
        let faces: Vec<(f64, DVec3)> = normals.map(|n| (reach(n), n)).collect();
        let least = faces.iter().map(|(h, _)| *h).fold(f64::INFINITY, f64::min);
        let lowest = faces
            .iter()
            .filter(|(height, _)| *height <= (1.0 + SAME_HEIGHT) * least);
        // Of equals the one that the file has lowest.
        let (height, down) = *lowest.min_by(|a, b| a.1.z.total_cmp(&b.1.z))?;
        let x = least_width(&hull, &corners, down)?;
        let z = -down;
        // The rows are the axes of L.
        let R_LO = DMat3::from_cols(x, z.cross(x), z).transpose();
        let turned = || corners.iter().map(|v| R_LO * *v);
        let low = turned().fold(DVec3::INFINITY, DVec3::min);
        let high = turned().fold(DVec3::NEG_INFINITY, DVec3::max);
        Some(Resting {
            R_LO,
            centre,
            height,
            size: high - low,
        })
    }
}

/// The horizontal direction along which a solid is narrowest: across one of its edges, seen from
/// above.
fn least_width(hull: &TriMesh, corners: &[DVec3], down: DVec3) -> Option<DVec3> {
    let edges = hull
        .triangles
        .iter()
        .flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]);
    let across = edges.filter_map(|(a, b)| {
        let edge = hull.vertices[b as usize] - hull.vertices[a as usize];
        edge.cross(down).try_normalize()
    });
    let width = |along: DVec3| {
        let reach = corners.iter().map(|v| v.dot(along));
        let [low, high] = reach.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], r| {
            [low.min(r), high.max(r)]
        });
        high - low
    };
    let widths = across.map(|along| (width(along), along));
    Some(widths.min_by(|a, b| a.0.total_cmp(&b.0))?.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use volar_solids::Shape;

    /// A box lies on its largest side, its least horizontal edge along x, wherever its file
    /// has them.
    #[test]
    fn a_box_lies_flat() {
        for [x, y, z] in [[0.1, 0.06, 0.02], [0.02, 0.1, 0.06], [0.06, 0.02, 0.1]] {
            let lies = Resting::of(&Shape::Box([x, y, z]).tessellate().unwrap()).unwrap();
            assert!((lies.height - 0.01).abs() < 1.0e-12, "{}", lies.height);
            let error = (lies.size - DVec3::new(0.06, 0.1, 0.02))
                .abs()
                .max_element();
            assert!(error < 1.0e-12, "{}", lies.size);
            assert!((lies.R_LO.determinant() - 1.0).abs() < 1.0e-12);
        }
    }

    /// One that lies equally well on several faces is left as its file has it.
    #[test]
    fn a_cube_stands_as_it_is() {
        let lies = Resting::of(&Shape::Box([0.05; 3]).tessellate().unwrap()).unwrap();
        assert!((lies.R_LO * DVec3::Z - DVec3::Z).length() < 1.0e-12);
    }
}
