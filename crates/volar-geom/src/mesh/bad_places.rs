//! Where a simplified surface did not come out well, and what stays because of it.

use glam::DVec3;

use super::ClosedMesh;
use super::check::crossing::Surface;
use crate::bvh::{Aabb, Nearest, closest_on_triangle};

/// The triangles at which a surface passes through itself before anything is done.
pub(super) struct Known {
    /// Their vertices.
    pub triangles: Vec<[u32; 3]>,
    corners: Vec<[DVec3; 3]>,
}

impl Known {
    pub fn of(mesh: &ClosedMesh) -> Known {
        let mut crossed: Vec<u32> = Surface::new(&mesh.to_tri_mesh())
            .crossings()
            .into_iter()
            .flatten()
            .collect();
        crossed.sort_unstable();
        crossed.dedup();
        let triangles = crossed.iter().map(|&t| mesh.triangles()[t as usize]);
        Known {
            triangles: triangles.collect(),
            corners: crossed.iter().map(|&t| mesh.corners(t)).collect(),
        }
    }

    /// True for the corners of one of them: vertices that stay are where they were, to the
    /// last digit.
    pub fn contains(&self, corners: &[DVec3; 3]) -> bool {
        self.corners.contains(corners)
    }
}

/// The box that the boxes around two triangles that cross have in common.
pub(super) fn common_box(a: [DVec3; 3], b: [DVec3; 3]) -> Aabb {
    let (a, b) = (Aabb::around(a), Aabb::around(b));
    Aabb {
        min: a.min.max(b.min),
        max: a.max.min(b.max),
    }
}

/// The greatest distance of a vertex, of the centre of a triangle or of an edge, from
/// another surface; adds the boxes around triangles where it is above the limit.
pub(super) fn distances(
    from: &ClosedMesh,
    to: &ClosedMesh,
    limit: f64,
    above: &mut Vec<Aabb>,
) -> f64 {
    let mut stack = Vec::new();
    let mut guess = 0;
    let mut greatest = 0.0_f64;
    for triangle in 0..from.triangles().len() as u32 {
        let corners = from.corners(triangle);
        let [a, b, c] = corners;
        let mut farthest = 0.0_f64;
        for p in [a, 0.5 * (a + b), 0.5 * (b + c), (a + b + c) / 3.0] {
            let closest = closest_on_triangle(p, to.corners(guess));
            let start = Nearest {
                distance_squared: (closest - p).length_squared(),
                triangle: guess,
            };
            let found = to.bvh().nearest(p, start, |t| to.corners(t), &mut stack);
            guess = found.triangle;
            farthest = farthest.max(found.distance_squared.sqrt());
        }
        if farthest > limit {
            above.push(Aabb::around(corners).grown(farthest));
        }
        greatest = greatest.max(farthest);
    }
    greatest
}

impl ClosedMesh {
    /// Lets the vertices round a bad place stay: as far round it as it takes for one of
    /// them not to have stayed before, so that no place is bad twice for the same reason,
    /// and the rest of the surface may still be simplified.
    pub(super) fn keep_around(
        &self,
        place: &Aabb,
        tolerance: f64,
        before: &[bool],
        stays: &mut [bool],
    ) {
        let size = self.bounds().size().length();
        let mut ring = tolerance;
        let mut more = false;
        while !more && ring <= size {
            let around = place.grown(ring);
            for (vertex, &p) in self.vertices().iter().enumerate() {
                if around.contains(p, 0.0) {
                    more |= !before[vertex];
                    stays[vertex] = true;
                }
            }
            ring *= 2.0;
        }
    }
}
