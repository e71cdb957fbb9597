//! Cells: the parts of each surface on which the depth in the other body is linear.
//!
//! In a convex body the depth is the least of the distances from its planes
//! (`planes`); in any other the least over its faces and valleys, each with
//! the region for which it is responsible (`features`). Both are linear
//! functions on the plane of a facet, and the facet is cut (`partition`, `envelope`) where
//! another one becomes the least.

mod bids;
mod envelope;
mod features;
mod partition;
mod planes;
mod sheet;

use glam::{DMat3, DVec2, DVec3};

use super::crossings::{Crossings, NONE};
use super::facets::{Facets, Origin};
use super::frame::{Frame, Slots};
use super::pieces::Pieces;
use super::{Facet, Overlap};
use crate::ClosedMesh;
use crate::bvh::{Aabb, Nearest, closest_on_triangle};
use bids::Bid;
use features::Part;
use partition::{Affine, Claim, Fragment, Moments, OPEN, Partition};
use planes::Plane;
use sheet::{Sheet, cell, whole};

/// A part of one body's surface inside the other over which the depth is linear:
/// one face of the other body is nearest there.
///
/// The depth at a point x of it is `depth − separation_direction · (x − centroid)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The triangle it was cut from.
    pub triangle: u32,
    /// The component of the overlap it bounds.
    pub component: u32,
    /// Unit normal, out of the body that owns the triangle.
    pub normal: DVec3,
    /// Area, m².
    pub area: f64,
    /// Centroid of the area.
    pub centroid: DVec3,
    /// `∫ (x − c)(x − c)ᵀ dA` about the centroid: xx, yy, zz, xy, xz, yz, m⁴.
    pub second_moment: [f64; 6],
    /// Depth of the centroid in the other body, metres.
    pub depth: f64,
    /// The greatest depth in the cell, which is at one of its corners, metres.
    pub deepest: f64,
    /// Unit vector along which the depth falls fastest: the separation direction of the
    /// other body.
    pub separation_direction: DVec3,
}

/// Whose depth is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The depth in A, over B's surface: `cells[1]`.
    pub of_a: bool,
    /// The depth in B, over A's surface: `cells[0]`.
    pub of_b: bool,
}

impl Fields {
    /// Both.
    pub const BOTH: Fields = Fields {
        of_a: true,
        of_b: true,
    };
}

/// Parts with less than this part of their facet's area are rounding.
const NO_AREA: f64 = 1e-13;

/// Areas that differ by less than this part of them are the same.
const SAME_AREA: f64 = 1e-11;

/// The stage and its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// The outlines of each piece: the first, and from one to the next.
    first_loop: Vec<u32>,
    next_loop: Vec<u32>,
    /// The corners of the facet at hand, in L.
    corners: Vec<DVec3>,
    partition: Partition,
    functions: Functions,
    /// The planes of a convex body with few faces, and those that matter.
    planes: Vec<Plane>,
    kept: Vec<Plane>,
    /// Functions of these that have won nothing yet.
    waiting: Vec<u32>,
    /// Triangles that may be nearest, and what they claim of the facet.
    candidates: Vec<u32>,
    claims: Vec<Claim>,
    /// What may be nearest in some part of the facet, the parts still to be
    /// cut with the lists of what may be nearest in each, and those for which
    /// that was not enough.
    bids: Vec<Bid>,
    bid_list: Vec<u32>,
    parts: Vec<Part>,
    failed: Vec<Fragment>,
    /// From a face to its function, or to nothing, for the facet at hand.
    function_of: Slots,
    stack: Vec<u32>,
    nearest_stack: Vec<(f64, u32)>,
}

/// The linear functions that compete on a facet, and what they have won.
#[derive(Clone, Debug, Default)]
struct Functions {
    values: Vec<Affine>,
    ways: Vec<DVec3>,
    moments: Vec<Moments>,
    /// The greatest value of each over what it has won.
    greatest: Vec<f64>,
}

impl Functions {
    fn clear(&mut self) {
        self.values.clear();
        self.ways.clear();
    }

    fn push(&mut self, sheet: &Sheet, plane: &Plane) -> u32 {
        self.values.push(sheet.depth_below(plane));
        self.ways.push(plane.normal);
        self.values.len() as u32 - 1
    }
}

/// What this stage reads.
pub(super) struct Scene<'a> {
    pub bodies: [&'a ClosedMesh; 2],
    pub frame: &'a Frame,
    pub crossings: &'a mut Crossings,
    pub pieces: &'a Pieces,
    pub facets: &'a Facets,
}

/// The facet at hand, and the body in whose depth it is.
#[derive(Clone, Copy)]
struct Task<'a> {
    facet: &'a Facet,
    origin: &'a Origin,
    /// The body that has the depth.
    field: usize,
    /// A triangle of it that may be near.
    guess: u32,
}

impl Cells {
    /// Fills the cells from the facets.
    #[inline(never)]
    pub fn find(&mut self, overlap: &mut Overlap, mut scene: Scene, fields: Fields) {
        self.list_outlines(scene.pieces);
        for (body, wanted) in [(0, fields.of_b), (1, fields.of_a)] {
            if !wanted || overlap.facets[body].is_empty() {
                continue;
            }
            let field = 1 - body;
            let mesh = scene.bodies[field];
            let few = mesh.is_convex() && mesh.faces().len() <= planes::FEW;
            if few {
                self.place_planes(&mut scene, field);
            } else {
                self.function_of.restart(mesh.faces().len());
            }
            let [ref mut cells_a, ref mut cells_b] = overlap.cells;
            let cells = if body == 0 { cells_a } else { cells_b };
            // Neighbouring facets follow one another, so the face nearest to
            // the last one is a good first guess for the next.
            let mut guess = overlap.facets[field].first().map_or(0, |f| f.triangle);
            for (facet, origin) in overlap.facets[body].iter().zip(&scene.facets.origins[body]) {
                let task = Task {
                    facet,
                    origin,
                    field,
                    guess,
                };
                if few {
                    self.cut_by_few(cells, &mut scene, &task);
                } else if mesh.is_convex() {
                    guess = self.cut_by_planes(cells, &mut scene, &task);
                } else {
                    guess = self.cut_by_features(cells, &mut scene, &task);
                }
            }
        }
    }

    /// Lists which outlines belong to which piece.
    fn list_outlines(&mut self, pieces: &Pieces) {
        self.first_loop.clear();
        self.first_loop.resize(pieces.pieces.len(), NONE);
        self.next_loop.clear();
        for (index, outline) in (0..).zip(&pieces.loops.loops) {
            let first = match self.first_loop.get_mut(outline.piece as usize) {
                Some(first) => std::mem::replace(first, index),
                None => NONE,
            };
            self.next_loop.push(first);
        }
    }

    /// The corners of a facet as one closed line: the first outline, and from
    /// its first corner to each further one, round it, and back.
    fn collect_corners(&mut self, scene: &mut Scene, task: &Task) {
        self.corners.clear();
        let element = task.origin.element;
        if element == NONE {
            let body = 1 - task.field;
            let mesh = scene.bodies[body];
            let triangle = task.facet.triangle;
            let corners = scene.crossings.corners(mesh, body, scene.frame, triangle);
            self.corners.extend(corners);
            return;
        }
        let mut outline = self.first_loop[element as usize];
        while outline != NONE {
            let points = scene.pieces.outline(outline as usize);
            outline = self.next_loop[outline as usize];
            let home = self.corners.first().copied();
            self.corners.extend(home);
            self.corners
                .extend(points.iter().map(|point| point.position));
            if home.is_some() {
                self.corners.extend(points.first().map(|p| p.position));
            }
        }
    }

    /// Lays the facet out in its plane, as one fragment without a function.
    fn lay_out(&mut self, sheet: &Sheet, slack: f64) -> Fragment {
        self.partition.points.clear();
        let flat = self.corners.iter().map(|&p| sheet.flat(p));
        self.partition.points.extend(flat);
        self.partition.restart(slack)
    }

    /// Makes a cell of what each function has won.
    fn collect(&self, cells: &mut Vec<Cell>, task: &Task, sheet: &Sheet, frame: &Frame) {
        let functions = &self.functions;
        for (index, moments) in functions.moments.iter().enumerate() {
            let (value, separation_direction) = (functions.values[index], functions.ways[index]);
            let depth = |p: DVec2| value.at(p);
            cells.extend(cell(
                task,
                sheet,
                frame,
                moments,
                depth,
                functions.greatest[index],
                separation_direction,
            ));
        }
    }

    /// Adds up what each function has won. What lies between the domains of two faces and is
    /// no wider than the `rounding` of the mesh may have fallen to any function, so it does not
    /// tell how deep the facet is.
    fn sum_up(&mut self, rounding: f64) {
        let functions = &mut self.functions;
        let (moments, greatest) = (&mut functions.moments, &mut functions.greatest);
        moments.clear();
        moments.resize(functions.values.len(), Moments::default());
        greatest.clear();
        greatest.resize(functions.values.len(), 0.0);
        for fragment in &self.partition.fragments {
            let index = fragment.function as usize;
            let Some(moments) = moments.get_mut(index) else {
                continue;
            };
            let corners = self.partition.corners(fragment);
            let before = moments.area;
            moments.add(corners);
            let extent = (fragment.max - fragment.min).max_element();
            if (moments.area - before).abs() > rounding * extent {
                let value = functions.values[index];
                greatest[index] = value.greatest(corners).max(greatest[index]);
            }
        }
    }

    /// The triangle of the field's body nearest to a point of L, with the
    /// nearest point of it.
    fn nearest(&mut self, scene: &mut Scene, task: &Task, p: DVec3) -> (u32, DVec3) {
        let mesh = scene.bodies[task.field];
        let p_field = scene.frame.point_in_body(task.field, p);
        let closest = closest_on_triangle(p_field, mesh.corners(task.guess));
        let start = Nearest {
            distance_squared: (closest - p_field).length_squared(),
            triangle: task.guess,
        };
        let corners = |triangle| mesh.corners(triangle);
        let found = mesh
            .bvh()
            .nearest(p_field, start, corners, &mut self.nearest_stack);
        let corners = scene
            .crossings
            .corners(mesh, task.field, scene.frame, found.triangle);
        (found.triangle, closest_on_triangle(p, corners))
    }

    /// Lists the triangles of the field's body within `reach` of a box, which is
    /// given in that body's frame.
    fn find_candidates(&mut self, scene: &Scene, task: &Task, around: &Aabb, reach: f64) {
        let bounds = Aabb {
            min: around.min - (reach + scene.frame.margin),
            max: around.max + (reach + scene.frame.margin),
        };
        self.candidates.clear();
        let candidates = &mut self.candidates;
        scene.bodies[task.field]
            .bvh()
            .in_box(&bounds, &mut self.stack, |triangle| {
                candidates.push(triangle)
            });
    }
}

/// The rotation from the frame of a body to L.
fn turn(frame: &Frame, body: usize) -> DMat3 {
    if body == 0 {
        DMat3::IDENTITY
    } else {
        frame.X_AB.R
    }
}
