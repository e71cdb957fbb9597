//! Poses of a given depth: B is swept towards A along a direction until they
//! touch, and then pushed on.
//!
//! The touch is found without the kernel under test, in floating point: it
//! decides only which poses are asked about, never what the answer is.

use glam::{DMat3, DVec2, DVec3};
use volar_geom::{ClosedMesh, Pose};

use crate::rng::Rng;

/// How two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Any orientation, any direction.
    Generic,
    /// B turned to A's axes up to a tilt of 1e-9 to 5e-2 rad, pushed along
    /// one of them: the flat contacts of a grasp.
    Tilted,
    /// B rotated exactly to A's axes, with a vertex of one straight above a
    /// vertex of the other, so that sides lie in common planes.
    Flush,
}

/// A pose and what it was made for.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// Where B sits in A's frame.
    pub X_AB: Pose,
    /// The direction in which B was moved, in A's frame.
    pub towards_a: DVec3,
    /// How far B was pushed on after the first touch, metres.
    pub depth: f64,
    /// How the bodies meet.
    pub family: Family,
}

/// The shallowest depth asked for.
pub const SHALLOWEST: f64 = 1e-6;

/// A random pose in which B has been pushed into A by between one micrometre
/// and half of the smaller body's shortest side.
pub fn random_approach(a: &ClosedMesh, b: &ClosedMesh, rng: &mut Rng) -> Approach {
    let deepest = 0.5 * shortest_side(a).min(shortest_side(b));
    let depth = rng.log_uniform(SHALLOWEST, deepest);
    approach(a, b, depth, rng)
}

/// A random pose of a given depth.
pub fn approach(a: &ClosedMesh, b: &ClosedMesh, depth: f64, rng: &mut Rng) -> Approach {
    let family = match rng.below(10) {
        0..=4 => Family::Generic,
        5..=7 => Family::Tilted,
        _ => Family::Flush,
    };
    let axis = [
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        DVec3::NEG_X,
        DVec3::NEG_Y,
        DVec3::NEG_Z,
    ];
    let (R, towards_a) = match family {
        Family::Generic => (rng.rotation(), rng.direction()),
        Family::Tilted => {
            let angle = rng.log_uniform(1e-9, 5e-2);
            (rng.tilt(angle) * rng.axis_rotation(), axis[rng.below(6)])
        }
        Family::Flush => (rng.axis_rotation(), axis[rng.below(6)]),
    };
    // Two points, one on each body, that start out on one line of approach;
    // their neighbourhoods overlap in projection, so the bodies must meet.
    loop {
        let (p_A, p_B) = match family {
            Family::Flush => (any_vertex(a, rng), any_vertex(b, rng)),
            _ => (
                any_point(a, -towards_a, rng),
                any_point(b, R.transpose() * towards_a, rng),
            ),
        };
        let start = Pose {
            R,
            p: p_A - R * p_B,
        };
        if let Some(travel) = travel_to_touch(a, b, &start, towards_a) {
            let X_AB = Pose {
                R,
                p: start.p + (travel + depth) * towards_a,
            };
            return Approach {
                X_AB,
                towards_a,
                depth,
                family,
            };
        }
    }
}

fn shortest_side(mesh: &ClosedMesh) -> f64 {
    mesh.bounds().size().min_element()
}

fn any_vertex(mesh: &ClosedMesh, rng: &mut Rng) -> DVec3 {
    mesh.vertices()[rng.below(mesh.vertices().len())]
}

/// A point on a triangle that faces `towards`: on one seen edge-on, the bodies
/// would only brush past each other.
fn any_point(mesh: &ClosedMesh, towards: DVec3, rng: &mut Rng) -> DVec3 {
    loop {
        let [a, b, c] = mesh.corners(rng.below(mesh.triangles().len()) as u32);
        let n = (b - a).cross(c - a);
        if n.dot(towards) > 0.1 * n.length() {
            let (u, v) = (rng.unit(), rng.unit());
            let (u, v) = if u + v > 1.0 {
                (1.0 - u, 1.0 - v)
            } else {
                (u, v)
            };
            return a + u * (b - a) + v * (c - a);
        }
    }
}

/// How far B must travel along `direction`, from outside, until it first
/// touches A. Negative when it would have to back off. `None` when it passes.
fn travel_to_touch(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose, direction: DVec3) -> Option<f64> {
    // Seen along the way of approach: B comes down from above.
    let x = direction.any_orthonormal_vector();
    let turn = DMat3::from_cols(x, x.cross(direction), -direction).transpose();
    let seen = |mesh: &ClosedMesh, X: &Pose, upward: bool| -> Vec<Tile> {
        let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&p| turn * X.point(p)).collect();
        let tiles = mesh
            .triangles()
            .iter()
            .map(|t| Tile::new(t.map(|v| vertices[v as usize])));
        let faces = |tile: &Tile| if upward { tile.lift } else { -tile.lift };
        tiles.filter(|tile| faces(tile) > EDGE_ON).collect()
    };
    let mut floor = seen(a, &Pose::IDENTITY, true);
    let mut ceiling = seen(b, X_AB, false);
    floor.sort_unstable_by(|p, q| q.max.z.total_cmp(&p.max.z));
    ceiling.sort_unstable_by(|p, q| p.min.z.total_cmp(&q.min.z));
    let mut travel = f64::INFINITY;
    for i in &floor {
        for j in &ceiling {
            if j.min.z - i.max.z >= travel {
                break;
            }
            travel = travel.min(gap(i, j));
        }
    }
    travel.is_finite().then_some(travel)
}

/// A triangle whose normal is this close to the horizontal is seen edge-on; in
/// floating point its shadow would be noise.
const EDGE_ON: f64 = 1e-9;

/// A triangle seen from above.
struct Tile {
    corners: [DVec3; 3],
    min: DVec3,
    max: DVec3,
    /// The unit normal's z component, positive when it faces up.
    lift: f64,
}

impl Tile {
    fn new(corners: [DVec3; 3]) -> Tile {
        let [a, b, c] = corners;
        Tile {
            corners,
            min: a.min(b).min(c),
            max: a.max(b).max(c),
            lift: (b - a).cross(c - a).normalize_or_zero().z,
        }
    }

    fn height(&self, p: DVec2) -> f64 {
        let [a, b, c] = self.corners;
        let n = (b - a).cross(c - a);
        let z = a.z - n.truncate().dot(p - a.truncate()) / n.z;
        // Steep faces amplify rounding; the height is within the triangle.
        z.clamp(self.min.z, self.max.z)
    }
}

/// The smallest height of `j` above `i` over their common shadow; infinite
/// when they have none.
fn gap(i: &Tile, j: &Tile) -> f64 {
    if i.min.x > j.max.x || j.min.x > i.max.x || i.min.y > j.max.y || j.min.y > i.max.y {
        return f64::INFINITY;
    }
    let mut polygon: Vec<DVec2> = i.corners.map(DVec3::truncate).to_vec();
    for k in 0..3 {
        // `j` faces down, so its shadow is walked backwards.
        let (p, q) = (j.corners[(k + 1) % 3].truncate(), j.corners[k].truncate());
        polygon = clip(&polygon, |x| (q - p).perp_dot(x - p));
    }
    let gaps = polygon.iter().map(|&p| j.height(p) - i.height(p));
    gaps.fold(f64::INFINITY, f64::min)
}

fn clip(polygon: &[DVec2], side: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        let (s_p, s_q) = (side(p), side(q));
        if s_p >= 0.0 {
            kept.push(p);
        }
        if (s_p > 0.0 && s_q < 0.0) || (s_p < 0.0 && s_q > 0.0) {
            kept.push(p + (q - p) * (s_p / (s_p - s_q)));
        }
    }
    kept
}
