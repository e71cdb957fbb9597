//! Points on surfaces, in clusters: which of them is nearest to a place is asked millions of
//! times while a hand is tried on.

use std::collections::BTreeMap;

use glam::DVec3;
use volar_geom::TriMesh;

/// Distance of sample points, m.
const SPACING: f64 = 4.0e-3;
/// Edge of the cells whose points are a cluster, m: about twenty points each.
const CLUSTER: f64 = 4.0 * SPACING;

/// Points on the surfaces of solids, about [`SPACING`] apart, in the frame of the solids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cloud {
    /// Those of a cluster one after the other.
    pub points: Vec<DVec3>,
    clusters: Vec<Cluster>,
    /// The ball around all.
    whole: Ball,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ball {
    centre: DVec3,
    radius: f64,
}

/// Points `first..end`, and a ball around them.
#[derive(Clone, Debug)]
struct Cluster {
    around: Ball,
    first: usize,
    end: usize,
}

impl Cloud {
    /// Samples surfaces.
    pub fn of(solids: &[TriMesh]) -> Cloud {
        let cell = |point: DVec3, edge: f64| (point / edge).to_array().map(|x| x.round() as i64);
        let mut taken: BTreeMap<[i64; 3], DVec3> = BTreeMap::new();
        for mesh in solids {
            for triangle in &mesh.triangles {
                let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
                let longest = (b - a).length().max((c - b).length()).max((a - c).length());
                let parts = ((longest / SPACING).ceil() as usize).clamp(1, 60);
                for i in 0..=parts {
                    for j in 0..=parts - i {
                        let (u, v) = (i as f64 / parts as f64, j as f64 / parts as f64);
                        let point = a + u * (b - a) + v * (c - a);
                        taken.entry(cell(point, SPACING)).or_insert(point);
                    }
                }
            }
        }
        let mut cells: BTreeMap<[i64; 3], Vec<DVec3>> = BTreeMap::new();
        for point in taken.into_values() {
            cells.entry(cell(point, CLUSTER)).or_default().push(point);
        }
        let mut cloud = Cloud::default();
        for members in cells.into_values() {
            let first = cloud.points.len();
            let around = Ball::around(&members);
            cloud.points.extend(members);
            let end = cloud.points.len();
            cloud.clusters.push(Cluster { around, first, end });
        }
        cloud.whole = Ball::around(&cloud.points);
        cloud
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The middle of all points.
    pub fn middle(&self) -> DVec3 {
        mean(&self.points)
    }

    /// Least and greatest coordinates.
    pub fn bounds(&self) -> [DVec3; 2] {
        let points = || self.points.iter().copied();
        [
            points().fold(DVec3::INFINITY, DVec3::min),
            points().fold(DVec3::NEG_INFINITY, DVec3::max),
        ]
    }

    /// The point nearest to a place, if it is nearer than a distance.
    pub fn nearest(&self, place: DVec3, within: f64) -> Option<DVec3> {
        let mut best = None;
        let mut least = within;
        if !self.whole.is_near(place, least) {
            return None;
        }
        for cluster in &self.clusters {
            if !cluster.around.is_near(place, least) {
                continue;
            }
            for point in &self.points[cluster.first..cluster.end] {
                let distance = (*point - place).length();
                if distance < least {
                    (best, least) = (Some(*point), distance);
                }
            }
        }
        best
    }

    /// Whether a point is nearer to a place than a distance.
    pub fn is_near(&self, place: DVec3, within: f64) -> bool {
        let near = |cluster: &&Cluster| cluster.around.is_near(place, within);
        self.whole.is_near(place, within)
            && self.clusters.iter().filter(near).any(|cluster| {
                let mut points = self.points[cluster.first..cluster.end].iter();
                points.any(|p| (*p - place).length_squared() < within * within)
            })
    }

    /// Points that may be nearer to a place than a distance, and some more.
    pub fn points_about(&self, place: DVec3, within: f64) -> impl Iterator<Item = DVec3> {
        let near = move |cluster: &&Cluster| cluster.around.is_near(place, within);
        let clusters = self.clusters.iter().filter(near);
        clusters.flat_map(|cluster| self.points[cluster.first..cluster.end].iter().copied())
    }

    /// Centre and radius of a ball that has all points in it.
    pub fn ball(&self) -> (DVec3, f64) {
        (self.whole.centre, self.whole.radius)
    }
}

impl Ball {
    fn around(points: &[DVec3]) -> Ball {
        let centre = mean(points);
        let radii = points.iter().map(|p| (*p - centre).length());
        Ball {
            centre,
            radius: radii.fold(0.0, f64::max),
        }
    }

    fn is_near(&self, place: DVec3, within: f64) -> bool {
        let reach = self.radius + within;
        (place - self.centre).length_squared() < reach * reach
    }
}

fn mean(points: &[DVec3]) -> DVec3 {
    points.iter().sum::<DVec3>() / points.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use volar_solids::Shape;

    #[test]
    fn the_nearest_point_is_found() {
        let solids = [
            Shape::Box([0.1, 0.06, 0.03]).tessellate().unwrap(),
            Shape::sphere(0.04).tessellate().unwrap(),
        ];
        let cloud = Cloud::of(&solids);
        for n in 0..200 {
            let at = |k: usize| ((n * k) % 29) as f64 / 29.0 - 0.5;
            let place = 0.15 * DVec3::new(at(3), at(7), at(11));
            let distances = cloud.points.iter().map(|p| (*p - place).length());
            let least = distances.fold(f64::INFINITY, f64::min);
            let found = cloud.nearest(place, 0.02).map(|p| (p - place).length());
            assert_eq!(found, Some(least).filter(|d| *d < 0.02));
            assert_eq!(cloud.is_near(place, 0.02), least < 0.02);
            let (centre, radius) = cloud.ball();
            assert!((place - centre).length() <= radius + least);
        }
    }
}
