//! Which triangles of two bodies may cross, kept from one overlap to the next.
//!
//! A simulation asks for the same two bodies again and again, each time a little
//! further on. So the pairs of triangles that come within some slack of each
//! other are kept, with the pose at which they were found. As long as no
//! point of B has moved by more than the slack since, every two triangles that
//! touch are among them, and the trees need not be walked. Where there are none
//! at all, bodies that were apart still are.
//!
//! The answer has the same bits as from nothing: a walk visits pairs in an order
//! that does not depend on the pose, kept pairs stand in that order, and a pair that
//! does not cross leaves no trace.

use glam::DVec3;

use super::frame::Frame;
use crate::bvh::{Aabb, NearPair};
use crate::{ClosedMesh, Pose};

/// The slack against the motion since the last overlap, so that a list serves more
/// than once.
const SERVES: f64 = 4.0;

/// The least and the greatest slack, against the size of the smaller body: a tenth
/// of a millimetre and a millimetre for what a hand holds. What moves too fast
/// for the greatest has no list.
const SLACK: [f64; 2] = [2e-3, 2e-2];

/// Two bodies and where B is in A's frame.
#[derive(Clone, Copy, Debug)]
struct Question {
    meshes: [u64; 2],
    X_AB: Pose,
}

/// When the pairs that are kept hold.
#[derive(Clone, Copy, Debug)]
struct Kept {
    found_at: Question,
    slack: f64,
    /// No point of B has moved further since, metres.
    moved: f64,
    /// No pair is near, and no body is in the other.
    are_apart: bool,
}

/// The pairs kept, and the buffers to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    last: Option<Question>,
    kept: Option<Kept>,
    pairs: Vec<NearPair>,
    stack: Vec<(u32, u32)>,
}

impl Question {
    fn new(bodies: [&ClosedMesh; 2], frame: &Frame) -> Question {
        Question {
            meshes: bodies.map(ClosedMesh::id),
            X_AB: frame.X_AB,
        }
    }

    /// No point of B has moved further than this since an earlier question, metres.
    fn moved_since(&self, then: &Question, bounds_b: &Aabb) -> f64 {
        if self.meshes != then.meshes {
            return f64::INFINITY;
        }
        // The distance is a convex function of the point: greatest at a corner.
        let (min, max) = (bounds_b.min, bounds_b.max);
        let mut farthest = 0.0_f64;
        for x in [min.x, max.x] {
            for y in [min.y, max.y] {
                for z in [min.z, max.z] {
                    let p = DVec3::new(x, y, z);
                    let way = self.X_AB.point(p) - then.X_AB.point(p);
                    farthest = farthest.max(way.length_squared());
                }
            }
        }
        farthest.sqrt()
    }
}

impl Candidates {
    /// Looks whether the pairs kept hold for a new question, and finds them anew
    /// if not. False when the bodies are known to be apart.
    #[inline(never)]
    pub fn find(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame) -> bool {
        let question = Question::new(bodies, frame);
        let bounds = bodies[1].bounds();
        let last = self.last.replace(question);
        if let Some(kept) = &mut self.kept {
            kept.moved = question.moved_since(&kept.found_at, &bounds);
            if kept.moved + frame.margin <= kept.slack {
                return !kept.are_apart;
            }
        }
        let step = last.map_or(f64::INFINITY, |last| question.moved_since(&last, &bounds));
        let size = bounds
            .size()
            .length()
            .min(bodies[0].bounds().size().length());
        let [least, greatest] = SLACK.map(|part| part * size);
        let slack = (SERVES * step).max(least);
        self.kept = None;
        if slack <= greatest {
            let [a, b] = bodies.map(ClosedMesh::bvh);
            let reach = frame.margin + slack;
            a.near_pairs(b, &frame.X_AB, reach, &mut self.stack, &mut self.pairs);
            self.pairs.retain_mut(|pair| {
                let triangles = a.triangles_of(b, pair);
                let corners = corners_in_A(bodies, triangles, &frame.X_AB);
                pair.gap = pair.gap.max(gap(corners, reach));
                pair.gap <= reach
            });
            self.kept = Some(Kept {
                found_at: question,
                slack,
                moved: 0.0,
                are_apart: false,
            });
        }
        true
    }

    /// Calls `visit` with the triangles (of A, of B) whose boxes touch at the
    /// pose that [`find`](Self::find) was told last.
    pub fn visit(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame, visit: impl FnMut(u32, u32)) {
        let [a, b] = bodies.map(ClosedMesh::bvh);
        if let Some(kept) = &self.kept {
            let pose = (&frame.X_AB, frame.margin);
            a.touching(b, &self.pairs, kept.moved, pose, visit);
        } else {
            a.pairs(b, &frame.X_AB, frame.margin, &mut self.stack, visit);
        }
    }

    /// To be told when the overlap is empty: then bodies without any pair
    /// stay apart as long as the list holds.
    pub fn nothing_overlaps(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.are_apart = self.pairs.is_empty();
        }
    }
}

/// The corners of a triangle of A and of one of B, in A's frame.
fn corners_in_A(bodies: [&ClosedMesh; 2], triangles: [u32; 2], X_AB: &Pose) -> [[DVec3; 3]; 2] {
    let corners = |body: usize| {
        let mesh = bodies[body];
        mesh.triangles()[triangles[body] as usize].map(|v| mesh.vertices()[v as usize])
    };
    [corners(0), corners(1).map(|p| X_AB.point(p))]
}

/// No two points of two triangles are nearer than this, metres, or negative: the farthest
/// that a plane along one of the faces, or along an edge of each, keeps them apart. Boxes
/// around triangles that lie askew say little. Beyond `enough` no larger gap is looked for.
fn gap([a, b]: [[DVec3; 3]; 2], enough: f64) -> f64 {
    let edges = |[p, q, r]: [DVec3; 3]| [q - p, r - q, p - r];
    let (edges_a, edges_b) = (edges(a), edges(b));
    let faces = [edges_a[0].cross(edges_a[1]), edges_b[0].cross(edges_b[1])];
    let crosses = edges_a
        .into_iter()
        .flat_map(|u| edges_b.map(|v| u.cross(v)));
    let mut gap = f64::NEG_INFINITY;
    for axis in faces.into_iter().chain(crosses) {
        let Some(axis) = axis.try_normalize() else {
            continue;
        };
        let range = |points: [DVec3; 3]| {
            let heights = points.map(|p| p.dot(axis));
            let [x, y, z] = heights;
            (x.min(y).min(z), x.max(y).max(z))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
        gap = gap.max(low_a - high_b).max(low_b - high_a);
        if gap > enough {
            break;
        }
    }
    gap
}
