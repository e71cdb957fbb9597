//! The plane of a facet, and from there back to cells.

use glam::{DVec2, DVec3};

use super::partition::{Affine, Moments};
use super::planes::Plane;
use super::{Cell, NO_AREA, Task, turn};
use crate::mesh::layer::HalfSpace;
use crate::overlap::Facet;
use crate::overlap::facets::Origin;
use crate::overlap::frame::Frame;

/// Coordinates in the plane of a facet, about its centroid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    origin: DVec3,
    x: DVec3,
    y: DVec3,
}

impl Sheet {
    pub fn new(facet: &Facet, origin: &Origin) -> Sheet {
        let x = facet.normal.any_orthonormal_vector();
        Sheet {
            origin: origin.centroid,
            x,
            y: facet.normal.cross(x),
        }
    }

    pub fn flat(&self, p: DVec3) -> DVec2 {
        let p = p - self.origin;
        DVec2::new(self.x.dot(p), self.y.dot(p))
    }

    pub fn lifted(&self, p: DVec2) -> DVec3 {
        self.origin + self.x * p.x + self.y * p.y
    }

    /// The same sheet in the frame of a body.
    pub fn in_body(&self, frame: &Frame, body: usize) -> Sheet {
        let to_body = turn(frame, body).transpose();
        Sheet {
            origin: frame.point_in_body(body, self.origin),
            x: to_body * self.x,
            y: to_body * self.y,
        }
    }

    /// `direction · x − offset`.
    pub fn beyond(&self, side: &HalfSpace) -> Affine {
        Affine {
            at_origin: side.direction.dot(self.origin) - side.offset,
            slope: DVec2::new(side.direction.dot(self.x), side.direction.dot(self.y)),
        }
    }

    /// `direction · (x − through)`.
    pub fn height(&self, direction: DVec3, through: DVec3) -> Affine {
        Affine {
            at_origin: direction.dot(self.origin - through),
            slope: DVec2::new(direction.dot(self.x), direction.dot(self.y)),
        }
    }

    pub fn depth_below(&self, plane: &Plane) -> Affine {
        self.height(-plane.normal, plane.through)
    }
}

/// The whole facet as one cell, with the depth of its centroid and the greatest.
pub(super) fn whole(task: &Task, depths: [f64; 2], separation_direction: DVec3) -> Cell {
    let facet = task.facet;
    Cell {
        triangle: facet.triangle,
        component: facet.component,
        normal: facet.normal,
        area: facet.area,
        centroid: facet.centroid,
        second_moment: facet.second_moment,
        depth: depths[0].max(0.0),
        deepest: depths[1].max(0.0),
        separation_direction,
    }
}

/// A part of a facet as a cell; none when it has no area.
pub(super) fn cell(
    task: &Task,
    sheet: &Sheet,
    frame: &Frame,
    moments: &Moments,
    depth: impl Fn(DVec2) -> f64,
    deepest: f64,
    separation_direction: DVec3,
) -> Option<Cell> {
    let (facet, winding) = (task.facet, task.origin.winding);
    let area = winding * moments.area;
    if area.is_nan() || area <= NO_AREA * facet.area {
        return None;
    }
    let (centroid, [xx, xy, yy]) = moments.finish();
    let depth = depth(centroid).max(0.0);
    let entry = |i: usize, j: usize| {
        let (x, y) = (sheet.x, sheet.y);
        winding * (xx * x[i] * x[j] + xy * (x[i] * y[j] + y[i] * x[j]) + yy * y[i] * y[j])
    };
    Some(Cell {
        triangle: facet.triangle,
        component: facet.component,
        normal: facet.normal,
        area,
        centroid: sheet.lifted(centroid) + frame.p_AL,
        second_moment: [
            entry(0, 0).max(0.0),
            entry(1, 1).max(0.0),
            entry(2, 2).max(0.0),
            entry(0, 1),
            entry(0, 2),
            entry(1, 2),
        ],
        depth,
        deepest: deepest.max(depth),
        separation_direction,
    })
}
