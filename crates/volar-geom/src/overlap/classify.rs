//! What is inside: the winding number of the other body round each corner of
//! a cut, and the triangles that lie wholly inside.
//!
//! Along an edge the winding number rises by one where the edge enters the
//! other body and falls where it exits, which the crossings tell exactly. So
//! one known corner settles a whole strip of neighbouring cuts. A strip with
//! an inside and an outside corner knows by itself; any other asks for one
//! corner by counting the faces on a ray that leaves the other body.

use glam::DVec3;

use super::crossings::{Crossings, NONE};
use super::decide::{Face, passes_close};
use super::frame::{Frame, Slots};
use crate::ClosedMesh;
use crate::bvh::Aabb;

/// A triangle wholly inside the other body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    pub triangle: u32,
    /// The patch of connected inside triangles it belongs to.
    pub patch: u32,
}

/// A connected patch of triangles wholly inside the other body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Winding number of the other body there: 1, unless its shells overlap.
    pub winding: i32,
}

/// The triangles of both bodies that lie inside the other one.
#[derive(Clone, Debug, Default)]
pub(super) struct Insides {
    pub triangles: [Vec<Inside>; 2],
    pub patches: Vec<Patch>,
    /// From a triangle to its patch.
    pub patch_of: [Slots; 2],
    /// The shells that have a cut.
    cut_shells: Slots,
    stack: Vec<u32>,
}

/// Neighbouring cuts, named by the first, and the relative windings in them.
struct Strip {
    first: u32,
    lowest: i32,
    highest: i32,
}

impl Insides {
    /// Completes the windings of the cuts and finds the inside triangles.
    #[inline(never)]
    pub fn find(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame, crossings: &mut Crossings) {
        self.patches.clear();
        for body in 0..2 {
            let mesh = bodies[body];
            self.triangles[body].clear();
            self.patch_of[body].restart(mesh.triangles().len());
            self.cut_shells.restart(mesh.shells().len());
            for first in 0..crossings.cuts[body].len() as u32 {
                if crossings.cuts[body][first as usize].strip == NONE {
                    let strip = self.walk_strip(mesh, body, crossings, first);
                    settle_strip(bodies, body, frame, crossings, &mut self.stack, &strip);
                }
            }
            for cut in 0..crossings.cuts[body].len() {
                let cut = crossings.cuts[body][cut];
                self.cut_shells
                    .set(mesh.triangle_shells()[cut.triangle as usize], 0);
                for k in 0..3 {
                    // A side without crossings has one winding number, which
                    // is that of the uncut triangle across it.
                    let neighbour = mesh.neighbour(cut.triangle, k);
                    if cut.windings[k] != 0 && crossings.cut_of[body].get(neighbour).is_none() {
                        self.fill(mesh, body, crossings, neighbour, cut.windings[k]);
                    }
                }
            }
            // Shells that cross nothing are inside or outside as a whole.
            for shell in 0..mesh.shells().len() as u32 {
                if self.cut_shells.get(shell).is_none() {
                    let triangle = mesh.shells()[shell as usize].triangle;
                    let vertex = mesh.triangles()[triangle as usize][0];
                    let winding = winding(bodies, body, frame, crossings, &mut self.stack, vertex);
                    if winding != 0 {
                        self.fill(mesh, body, crossings, triangle, winding);
                    }
                }
            }
        }
    }

    /// Gives every cut connected to `first` its windings relative to the
    /// first corner of `first`.
    fn walk_strip(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        crossings: &mut Crossings,
        first: u32,
    ) -> Strip {
        let mut strip = Strip {
            first,
            lowest: 0,
            highest: 0,
        };
        self.stack.clear();
        self.stack.push(first);
        crossings.start_cut(mesh, body, first, &strip, 0, 0);
        while let Some(index) = self.stack.pop() {
            let cut = crossings.cuts[body][index as usize];
            for k in 0..3 {
                strip.lowest = strip.lowest.min(cut.windings[k]);
                strip.highest = strip.highest.max(cut.windings[k]);
                let neighbour = mesh.neighbour(cut.triangle, k);
                let Some(next) = crossings.cut_of[body].get(neighbour) else {
                    continue;
                };
                if crossings.cuts[body][next as usize].strip == NONE {
                    // Corner k ends the neighbour's side along this edge.
                    let code = mesh.triangle_edges()[cut.triangle as usize][k] ^ 1;
                    let corner = mesh.triangle_edges()[neighbour as usize]
                        .iter()
                        .position(|&c| c == code)
                        .map_or(0, |side| (side + 1) % 3);
                    crossings.start_cut(mesh, body, next, &strip, corner, cut.windings[k]);
                    self.stack.push(next);
                }
            }
        }
        strip
    }

    /// Marks a triangle and all uncut ones connected to it as inside.
    fn fill(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        crossings: &Crossings,
        seed: u32,
        winding: i32,
    ) {
        if self.patch_of[body].get(seed).is_some() {
            return;
        }
        let patch = self.patches.len() as u32;
        self.patches.push(Patch { winding });
        self.patch_of[body].set(seed, patch);
        self.stack.clear();
        self.stack.push(seed);
        while let Some(triangle) = self.stack.pop() {
            self.triangles[body].push(Inside { triangle, patch });
            for k in 0..3 {
                let next = mesh.neighbour(triangle, k);
                let new = self.patch_of[body].get(next).is_none()
                    && crossings.cut_of[body].get(next).is_none();
                if new {
                    self.patch_of[body].set(next, patch);
                    self.stack.push(next);
                }
            }
        }
    }
}

impl Crossings {
    /// Puts a cut into a strip, given the winding at one of its corners.
    fn start_cut(
        &mut self,
        mesh: &ClosedMesh,
        body: usize,
        index: u32,
        strip: &Strip,
        corner: usize,
        winding: i32,
    ) {
        let codes = mesh.triangle_edges()[self.cuts[body][index as usize].triangle as usize];
        let mut windings = [winding; 3];
        let (next, last) = ((corner + 1) % 3, (corner + 2) % 3);
        windings[next] = winding + self.rise(body, codes[corner]);
        windings[last] = windings[next] + self.rise(body, codes[next]);
        let cut = &mut self.cuts[body][index as usize];
        cut.windings = windings;
        cut.strip = strip.first;
    }

    /// How much the winding number rises along a side of a triangle.
    fn rise(&self, body: usize, code: u32) -> i32 {
        let mut rise = 0;
        let mut crossing = self.first_on_edge[body].get(code / 2).unwrap_or(NONE);
        while crossing != NONE {
            let found = &self.crossings[crossing as usize];
            rise += if found.enters { 1 } else { -1 };
            crossing = found.next_on_edge;
        }
        if code % 2 == 1 { -rise } else { rise }
    }
}

/// Turns the relative windings of a strip into true ones.
fn settle_strip(
    bodies: [&ClosedMesh; 2],
    body: usize,
    frame: &Frame,
    crossings: &mut Crossings,
    stack: &mut Vec<u32>,
    strip: &Strip,
) {
    // With one corner inside and one outside there is nothing to ask.
    let base = if strip.highest - strip.lowest == 1 {
        -strip.lowest
    } else {
        let cut = crossings.cuts[body][strip.first as usize];
        let vertices = bodies[body].triangles()[cut.triangle as usize];
        // A corner beyond the other's box spares the ray.
        let k = (0..3)
            .find(|&k| is_beyond(bodies, body, frame, crossings, vertices[k]))
            .unwrap_or(0);
        winding(bodies, body, frame, crossings, stack, vertices[k]) - cut.windings[k]
    };
    if base != 0 {
        for cut in &mut crossings.cuts[body] {
            if cut.strip == strip.first {
                cut.windings = cut.windings.map(|winding| winding + base);
            }
        }
    }
}

/// True when a vertex of `body` is outside the other body's box.
fn is_beyond(
    bodies: [&ClosedMesh; 2],
    body: usize,
    frame: &Frame,
    crossings: &mut Crossings,
    vertex: u32,
) -> bool {
    let p = crossings.vertex(bodies[body], body, frame, vertex);
    let p_body = frame.point_in_body(1 - body, p);
    !bodies[1 - body].bounds().contains(p_body, frame.margin)
}

/// How many times the other body winds round a vertex of `body`.
#[inline(never)]
fn winding(
    bodies: [&ClosedMesh; 2],
    body: usize,
    frame: &Frame,
    crossings: &mut Crossings,
    stack: &mut Vec<u32>,
    vertex: u32,
) -> i32 {
    if is_beyond(bodies, body, frame, crossings, vertex) {
        return 0;
    }
    let (mesh, other) = (bodies[body], bodies[1 - body]);
    let p = crossings.vertex(mesh, body, frame, vertex);
    // A ray along an axis of L, to whichever end leaves the other's box first.
    let bounds_L = frame.bounds_in_L(1 - body, &other.bounds());
    let q = frame.lattice.snap(ray_end(p, &bounds_L, frame.extent));
    let [p_body, q_body] = [p, q].map(|p| frame.point_in_body(1 - body, p));
    let mut winding = 0;
    other
        .bvh()
        .along_segment(p_body, q_body, frame.margin, stack, |triangle| {
            let corners = crossings.corners(other, 1 - body, frame, triangle);
            let face = Face::new(&frame.lattice, 1 - body, corners);
            let from = face.side(&frame.lattice, &p).outside;
            if from == face.side(&frame.lattice, &q).outside {
                return;
            }
            let passing = [0, 1, 2].map(|k| {
                let edge = [corners[k], corners[(k + 1) % 3]];
                let (edge_a, edge_b) = if body == 0 {
                    ([p, q], edge)
                } else {
                    (edge, [p, q])
                };
                passes_close(&frame.lattice, edge_a, edge_b)
            });
            if passing[0] == passing[1] && passing[1] == passing[2] {
                // The ray exits where it goes from below the face to above it.
                winding += if from { -1 } else { 1 };
            }
        });
    winding
}

/// The end of the shortest axis-parallel ray from `p` out of a box.
fn ray_end(p: DVec3, bounds: &Aabb, extent: f64) -> DVec3 {
    let mut best = (f64::INFINITY, p);
    for axis in 0..3 {
        for (end, sign) in [(bounds.min[axis], -1.0), (bounds.max[axis], 1.0)] {
            let length = sign * (end - p[axis]);
            if length < best.0 {
                let mut q = p;
                q[axis] = end + sign * 0.01 * extent;
                best = (length, q);
            }
        }
    }
    best.1
}
