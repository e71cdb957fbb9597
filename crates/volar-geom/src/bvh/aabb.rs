//! Axis-aligned boxes.

use glam::DVec3;

use crate::Pose;

/// An axis-aligned box, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Corner with the smallest coordinates.
    pub min: DVec3,
    /// Corner with the largest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The box around nothing: every union with it gives the other box.
    pub const EMPTY: Aabb = Aabb {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The smallest box around some points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Aabb {
        points
            .into_iter()
            .fold(Aabb::EMPTY, |bounds, p| bounds.including(p))
    }

    /// The smallest box around this one and a point.
    pub fn including(&self, p: DVec3) -> Aabb {
        Aabb {
            min: self.min.min(p),
            max: self.max.max(p),
        }
    }

    /// The smallest box around two boxes.
    pub fn union(&self, other: &Aabb) -> Aabb {
        Aabb {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// True when the boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The box with every side moved out by a distance.
    pub fn grown(&self, by: f64) -> Aabb {
        Aabb {
            min: self.min - by,
            max: self.max + by,
        }
    }

    /// How far apart the boxes are along the axis that parts them most; 0 if none does.
    pub fn gap(&self, other: &Aabb) -> f64 {
        let along = (self.min - other.max).max(other.min - self.max);
        along.max_element().max(0.0)
    }

    /// The middle.
    pub fn centre(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// Edge lengths.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The box around this one, given in frame B, seen from frame A.
    pub fn transformed(&self, X_AB: &Pose) -> Aabb {
        let centre = X_AB.point(self.centre());
        let half = 0.5 * (X_AB.R.abs() * self.size());
        Aabb {
            min: centre - half,
            max: centre + half,
        }
    }

    /// True when the point lies in the box or within `margin` of it.
    pub fn contains(&self, p: DVec3, margin: f64) -> bool {
        (self.min - margin).cmple(p).all() && p.cmple(self.max + margin).all()
    }
}
