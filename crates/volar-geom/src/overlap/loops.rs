//! The outlines of the parts of a cut triangle that are inside the other body.
//!
//! Going round such a part one follows segments through the triangle and
//! stretches of its sides. Which segment follows which is known from the
//! crossings they share. On a side, the stretches inside begin where the side
//! enters the other body (or at an inside corner) and end where it exits (or
//! at an inside corner); the first beginning belongs to the first end, and so
//! on. Nothing is decided by comparing coordinates of nearly equal points.

use glam::DVec3;

use super::crossings::{Crossings, Cut, NONE};
use super::decide::NEXT;
use crate::ClosedMesh;

/// What a corner of an outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A vertex of the body that owns the triangle.
    Vertex(u32),
    /// A crossing.
    Crossing(u32),
}

/// A corner of an outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopPoint {
    /// In L.
    pub position: DVec3,
    pub source: Source,
}

/// A closed outline, counter-clockwise seen from outside the body round the
/// inside part; the outline of a hole is clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// Its range of points.
    pub start: u32,
    pub end: u32,
    /// The piece of surface it bounds.
    pub piece: u32,
}

/// The outlines on all cut triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Loops {
    pub points: Vec<LoopPoint>,
    pub loops: Vec<Loop>,
    /// Where inside stretches of the sides begin, side by side.
    begins: Vec<Begin>,
    /// Where they end; same order, so that `begins[i]` belongs to `ends[i]`.
    ends: Vec<End>,
    /// The crossings on one side, in order.
    on_side: Vec<(f64, u32, bool)>,
    /// From a crossing at which a stretch begins to its place in `begins`.
    begin_of: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Begin {
    point: LoopPoint,
    /// The side, if the stretch begins at the side's first corner.
    side: Option<usize>,
    visited: bool,
}

#[derive(Clone, Copy, Debug)]
enum End {
    /// At a crossing; a segment goes on from there.
    Crossing(u32),
    /// At a corner; the stretch that begins there goes on.
    Corner { begin: usize, last_of_side: bool },
}

impl Loops {
    pub fn clear(&mut self, crossings: usize) {
        self.points.clear();
        self.loops.clear();
        self.begin_of.clear();
        self.begin_of.resize(crossings, NONE);
    }

    /// Traces all outlines on one cut triangle of `body`.
    #[inline(never)]
    pub fn trace(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        crossings: &mut Crossings,
        index: usize,
        corners: [DVec3; 3],
    ) {
        let cut = crossings.cuts[body][index];
        self.find_stretches(mesh, body, crossings, &cut, corners);
        for first in 0..self.begins.len() {
            if !self.begins[first].visited {
                self.open_loop();
                self.follow_stretches(mesh, body, crossings, index, first);
                self.close_loop();
            }
        }
        // What is left are outlines that touch no side of the triangle.
        let mut segment = cut.first_segment;
        while segment != NONE {
            if crossings.segments[segment as usize].loops[body] == NONE {
                self.open_loop();
                self.follow_segments(body, crossings, segment);
                self.close_loop();
            }
            segment = crossings.segments[segment as usize].next[body];
        }
    }

    /// Lists the inside stretches of the three sides.
    fn find_stretches(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        crossings: &Crossings,
        cut: &Cut,
        corners: [DVec3; 3],
    ) {
        let vertices = mesh.triangles()[cut.triangle as usize];
        let at_corner = |k: usize| LoopPoint {
            position: corners[k],
            source: Source::Vertex(vertices[k]),
        };
        self.begins.clear();
        self.ends.clear();
        // Where the list of each side starts, to join the sides at corners.
        let mut starts = [0; 4];
        for k in 0..3 {
            self.sort_side(mesh, body, crossings, cut.triangle, k);
            let (first, last) = (cut.windings[k], cut.windings[NEXT[k]]);
            starts[k + 1] = self.begins.len();
            if first == 0 && self.on_side.is_empty() {
                continue;
            }
            let begin = |point, side| Begin {
                point,
                side,
                visited: false,
            };
            // An inside corner begins a stretch here and ends one on the side
            // before; a corner with a negative winding number the reverse.
            for _ in 0..first {
                self.begins.push(begin(at_corner(k), Some(k)));
            }
            for _ in first..0 {
                self.ends.push(End::Corner {
                    begin: usize::MAX,
                    last_of_side: false,
                });
            }
            for &(_, crossing, enters) in &self.on_side {
                if enters {
                    self.begin_of[crossing as usize] = self.begins.len() as u32;
                    let position = crossings.crossings[crossing as usize].position;
                    let point = LoopPoint {
                        position,
                        source: Source::Crossing(crossing),
                    };
                    self.begins.push(begin(point, None));
                } else {
                    self.ends.push(End::Crossing(crossing));
                }
            }
            for _ in last..0 {
                self.begins.push(begin(at_corner(NEXT[k]), None));
            }
            for _ in 0..last {
                self.ends.push(End::Corner {
                    begin: usize::MAX,
                    last_of_side: true,
                });
            }
            debug_assert_eq!(
                self.begins.len(),
                self.ends.len(),
                "windings and crossings differ"
            );
            starts[k + 1] = self.begins.len();
        }
        // Join the ends at each corner to the beginnings there, in order.
        for k in 0..3 {
            let next = NEXT[k];
            let winding = cut.windings[next];
            let count = winding.unsigned_abs() as usize;
            for copy in 0..count {
                let (end, begin) = if winding > 0 {
                    (starts[k + 1] - count + copy, starts[next] + copy)
                } else {
                    (starts[next] + copy, starts[k + 1] - count + copy)
                };
                if let Some(End::Corner { begin: target, .. }) = self.ends.get_mut(end) {
                    *target = begin;
                }
            }
        }
    }

    /// Puts the crossings on side `k` of a triangle in order along it.
    fn sort_side(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        crossings: &Crossings,
        triangle: u32,
        k: usize,
    ) {
        self.on_side.clear();
        let code = mesh.triangle_edges()[triangle as usize][k];
        let reversed = code % 2 == 1;
        let mut crossing = crossings.first_on_edge[body].get(code / 2).unwrap_or(NONE);
        while crossing != NONE {
            let found = &crossings.crossings[crossing as usize];
            let along = if reversed { -found.along } else { found.along };
            self.on_side
                .push((along, crossing, found.enters ^ reversed));
            crossing = found.next_on_edge;
        }
        if self.on_side.len() > 1 {
            // Their indices settle equal places, the same from both sides.
            self.on_side.sort_unstable_by(|x, y| {
                let by_index = if reversed {
                    y.1.cmp(&x.1)
                } else {
                    x.1.cmp(&y.1)
                };
                x.0.total_cmp(&y.0).then(by_index)
            });
        }
    }

    /// Goes round from a beginning, over stretches and segments.
    fn follow_stretches(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        crossings: &mut Crossings,
        index: usize,
        first: usize,
    ) {
        let this = self.loops.len() as u32 - 1;
        let triangle = crossings.cuts[body][index].triangle;
        let mut at = first;
        while let Some(begin) = self.begins.get_mut(at) {
            if begin.visited {
                break;
            }
            begin.visited = true;
            let (point, side) = (begin.point, begin.side);
            self.points.push(point);
            match self.ends[at] {
                End::Corner {
                    begin,
                    last_of_side,
                } => {
                    if let (Some(k), true) = (side, last_of_side) {
                        crossings.cuts[body][index].side_loops[k] = this;
                    }
                    at = begin;
                }
                End::Crossing(exit) => {
                    self.push_crossing(crossings, exit);
                    let found = &crossings.crossings[exit as usize];
                    let along = mesh.edges()[found.edge as usize].triangles[0] == triangle;
                    let segment = found.segments[usize::from(!along)];
                    let entry = self.follow_segments(body, crossings, segment);
                    at = self.begin_of[entry as usize] as usize;
                }
            }
        }
    }

    /// Goes along segments until a side of the triangle is reached or the
    /// loop is closed; returns the last crossing, which is not recorded if it
    /// is on a side.
    fn follow_segments(&mut self, body: usize, crossings: &mut Crossings, first: u32) -> u32 {
        let this = self.loops.len() as u32 - 1;
        let mut index = first;
        loop {
            let segment = &mut crossings.segments[index as usize];
            segment.loops[body] = this;
            let end = segment.ends[1 - body];
            let crossing = &crossings.crossings[end as usize];
            if crossing.body == body {
                return end;
            }
            self.push_crossing(crossings, end);
            // Two segments meet within the triangle, this one and the next.
            let [x, y] = crossing.segments;
            index = if x == index { y } else { x };
            if crossings.segments[index as usize].loops[body] != NONE {
                return end;
            }
        }
    }

    fn push_crossing(&mut self, crossings: &Crossings, crossing: u32) {
        self.points.push(LoopPoint {
            position: crossings.crossings[crossing as usize].position,
            source: Source::Crossing(crossing),
        });
    }

    fn open_loop(&mut self) {
        let start = self.points.len() as u32;
        self.loops.push(Loop {
            start,
            end: start,
            piece: NONE,
        });
    }

    fn close_loop(&mut self) {
        if let Some(last) = self.loops.last_mut() {
            last.end = self.points.len() as u32;
        }
    }
}
