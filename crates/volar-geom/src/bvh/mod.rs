//! A binary tree of boxes over the triangles of one mesh.
//!
//! Built once in the body's frame; a moving body never rebuilds it. Queries
//! are in their own files: [`pairs`](Bvh::pairs) of two trees,
//! [`self_pairs`](Bvh::self_pairs) of one, triangles along a
//! [`segment`](Bvh::along_segment) or [in a box](Bvh::in_box), and the
//! [`nearest`](Bvh::nearest) one.

mod aabb;
mod build;
mod nearest;
mod pairs;
mod region;
mod segment;

pub use aabb::Aabb;
pub use nearest::{Nearest, closest_on_triangle};
pub(crate) use pairs::NearPair;

use glam::DVec3;

/// A tree of boxes with a few triangles in each leaf.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// The root first; the two children of a node stand side by side.
    nodes: Vec<Node>,
    /// The triangles and their boxes, leaf by leaf.
    items: Vec<Item>,
}

/// A box, by its centre and half its edge lengths.
#[derive(Clone, Copy, Debug)]
struct Cuboid {
    centre: DVec3,
    half: DVec3,
}

/// A box around a part of the mesh; one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    cuboid: Cuboid,
    /// The first of two children, or the first item of a leaf.
    first: u32,
    /// How many items a leaf has; 0 for a node with children.
    count: u32,
}

/// A triangle and the box around it; one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Item {
    cuboid: Cuboid,
    triangle: u32,
}

impl Bvh {
    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes
            .first()
            .map_or(Aabb::EMPTY, |root| root.cuboid.bounds())
    }

    /// The triangles of a leaf; none of a node with children.
    fn leaf_items(&self, node: &Node) -> &[Item] {
        &self.items[node.first as usize * usize::from(node.is_leaf())..][..node.count as usize]
    }
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.count > 0
    }
}

impl Cuboid {
    fn around(bounds: &Aabb) -> Cuboid {
        Cuboid {
            centre: bounds.centre(),
            half: 0.5 * bounds.size(),
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb {
            min: self.centre - self.half,
            max: self.centre + self.half,
        }
    }

    /// The sum of the edge lengths, halved.
    fn size(&self) -> f64 {
        self.half.x + self.half.y + self.half.z
    }
}
