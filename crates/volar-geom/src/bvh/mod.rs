//! A tree of boxes over triangles.

use glam::DVec3;

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
        points.into_iter().fold(Aabb::EMPTY, |b, p| Aabb {
            min: b.min.min(p),
            max: b.max.max(p),
        })
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

    /// The middle.
    pub fn centre(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// Edge lengths.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }
}

/// Placeholder until the tree lands.
#[derive(Clone, Debug)]
pub struct Bvh {
    bounds: Aabb,
}

impl Bvh {
    /// Builds the tree over one box per triangle.
    pub fn build(boxes: &[Aabb]) -> Bvh {
        Bvh {
            bounds: boxes.iter().fold(Aabb::EMPTY, |a, b| a.union(b)),
        }
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}
