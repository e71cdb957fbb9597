//! Pieces of surface: the connected parts of triangles that bound the overlap.

use glam::DVec3;

use super::crossings::{Crossings, NONE};
use super::frame::Frame;
use super::loops::{LoopPoint, Loops};
use crate::ClosedMesh;
use crate::bvh::Aabb;

/// A connected part of one triangle, with its integrals about `reference`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub body: usize,
    pub triangle: u32,
    /// Its own number among the pieces, by which components are found; none
    /// for a whole triangle, which goes by its patch.
    pub element: u32,
    /// How many times the other body winds round it, so often it counts: once,
    /// unless shells of the other body overlap.
    pub winding: f64,
    /// Unit normal of the triangle; zero for a triangle without extent.
    pub normal: DVec3,
    /// A point on it, in L.
    pub reference: DVec3,
    /// `∫ n dA` of the outline as it is, with its rounded corners: summed
    /// over a closed surface these cancel to the last digit.
    pub area_vector: DVec3,
    /// Area.
    pub area: f64,
    /// `∫ (x − r) dA`.
    pub first: DVec3,
    /// The box around it, in L.
    pub bounds: Aabb,
}

/// The pieces of the cut triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub pieces: Vec<Piece>,
    pub loops: Loops,
    /// What each outline on the triangle at hand encloses.
    measured: Vec<Piece>,
}

impl Pieces {
    /// Cuts every cut triangle into pieces.
    #[inline(never)]
    pub fn find(&mut self, bodies: [&ClosedMesh; 2], frame: &Frame, crossings: &mut Crossings) {
        self.pieces.clear();
        self.loops.clear(crossings.crossings.len());
        for body in 0..2 {
            for index in 0..crossings.cuts[body].len() {
                let triangle = crossings.cuts[body][index].triangle;
                let corners = crossings.corners(bodies[body], body, frame, triangle);
                let first_loop = self.loops.loops.len();
                self.loops
                    .trace(bodies[body], body, crossings, index, corners);
                self.gather(body, triangle, corners, first_loop);
            }
        }
    }

    /// The element of a patch of inside triangles: patches are counted after
    /// the pieces.
    pub fn element_of_patch(&self, patch: u32) -> u32 {
        self.pieces.len() as u32 + patch
    }

    /// Makes pieces of the outlines on one triangle.
    fn gather(&mut self, body: usize, triangle: u32, corners: [DVec3; 3], first: usize) {
        let end = self.loops.loops.len();
        if end - first == 1 {
            // Nearly always.
            let element = self.pieces.len() as u32;
            self.loops.loops[first].piece = element;
            let piece = self.measure(body, triangle, corners, first);
            self.pieces.push(Piece { element, ..piece });
            return;
        }
        self.measured.clear();
        for index in first..end {
            let piece = self.measure(body, triangle, corners, index);
            self.measured.push(piece);
        }
        // Outlines that run backwards are holes, which belong to the (smallest) outline around them.
        let is_hole = |measured: &[Piece], index: usize| measured[index - first].area < 0.0;
        for index in first..end {
            if !is_hole(&self.measured, index) {
                self.add_piece(index, first);
            }
        }
        for hole in first..end {
            if !is_hole(&self.measured, hole) {
                continue;
            }
            let normal = self.measured[hole - first].normal;
            let around = (first..end)
                .filter(|&outer| !is_hole(&self.measured, outer))
                .map(|outer| {
                    (
                        count_inside(self.outline(hole), self.outline(outer), normal),
                        outer,
                    )
                })
                .filter(|&(count, _)| count > 0)
                .max_by(|&(count_x, x), &(count_y, y)| {
                    let area = |index: usize| self.measured[index - first].area;
                    count_x.cmp(&count_y).then(area(y).total_cmp(&area(x)))
                })
                .map(|(_, outer)| outer);
            match around {
                Some(outer) => {
                    let element = self.loops.loops[outer].piece;
                    let mut piece = self.pieces[element as usize];
                    piece.add_outline(self.outline(hole));
                    self.pieces[element as usize] = piece;
                    self.loops.loops[hole].piece = element;
                }
                // Rounding can make an outline of no area come out negative.
                None => self.add_piece(hole, first),
            }
        }
    }

    fn add_piece(&mut self, index: usize, first: usize) {
        let element = self.pieces.len() as u32;
        self.loops.loops[index].piece = element;
        self.pieces.push(Piece {
            element,
            ..self.measured[index - first]
        });
    }

    /// The region within an outline.
    fn measure(&self, body: usize, triangle: u32, corners: [DVec3; 3], index: usize) -> Piece {
        let outline = self.outline(index);
        let reference = outline.first().map_or(corners[0], |point| point.position);
        let mut piece = Piece::new(body, triangle, corners, reference);
        piece.add_outline(outline);
        piece
    }

    /// The corners of an outline.
    pub fn outline(&self, index: usize) -> &[LoopPoint] {
        let outline = &self.loops.loops[index];
        &self.loops.points[outline.start as usize..outline.end as usize]
    }
}

impl Piece {
    /// A whole triangle.
    pub fn whole(body: usize, triangle: u32, winding: i32, corners: [DVec3; 3]) -> Piece {
        let mut piece = Piece::new(body, triangle, corners, corners[0]);
        piece.winding = f64::from(winding);
        piece.add_triangle(corners[1] - corners[0], corners[2] - corners[0]);
        piece.bounds = Aabb::around(corners);
        piece
    }

    fn new(body: usize, triangle: u32, [a, b, c]: [DVec3; 3], reference: DVec3) -> Piece {
        Piece {
            body,
            triangle,
            element: NONE,
            winding: 1.0,
            normal: (b - a).cross(c - a).normalize_or_zero(),
            reference,
            area_vector: DVec3::ZERO,
            area: 0.0,
            first: DVec3::ZERO,
            bounds: Aabb {
                min: reference,
                max: reference,
            },
        }
    }

    /// Adds the region within an outline: the signed sum of the triangles
    /// that the reference point makes with its sides.
    fn add_outline(&mut self, outline: &[LoopPoint]) {
        let Some(last) = outline.last() else { return };
        let mut u = last.position - self.reference;
        for point in outline {
            let v = point.position - self.reference;
            self.add_triangle(u, v);
            self.bounds = self.bounds.including(point.position);
            u = v;
        }
    }

    /// Adds the triangle `(r, r + u, r + v)`.
    fn add_triangle(&mut self, u: DVec3, v: DVec3) {
        let area_vector = (0.5 * self.winding) * u.cross(v);
        let area = area_vector.dot(self.normal);
        self.area_vector += area_vector;
        self.area += area;
        self.first += (u + v) * (area / 3.0);
    }
}

/// How many corners and middles of sides of `hole` lie within `outline`. Some
/// may lie on it, where either answer can come out, so it takes the vote.
fn count_inside(hole: &[LoopPoint], outline: &[LoopPoint], normal: DVec3) -> usize {
    let Some(last) = hole.last() else { return 0 };
    let mut before = last.position;
    let mut count = 0;
    for point in hole {
        for p in [point.position, 0.5 * (before + point.position)] {
            count += usize::from(surrounds(outline, normal, p));
        }
        before = point.position;
    }
    count
}

/// True when an outline winds round a point of its plane.
fn surrounds(outline: &[LoopPoint], normal: DVec3, p: DVec3) -> bool {
    // Look along the axis closest to the normal, and count the sides that a
    // ray from p crosses.
    let axis = normal.abs().max_position();
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    let Some(last) = outline.last() else {
        return false;
    };
    let mut inside = false;
    let mut a = last.position;
    for point in outline {
        let b = point.position;
        if (a[y] > p[y]) != (b[y] > p[y])
            && p[x] < a[x] + (p[y] - a[y]) / (b[y] - a[y]) * (b[x] - a[x])
        {
            inside = !inside;
        }
        a = b;
    }
    inside
}
