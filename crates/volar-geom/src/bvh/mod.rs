//! A binary tree of boxes over the triangles of one mesh.
//!
//! Built once in the body's frame; a moving body never rebuilds it. Queries
//! are in their own files: [`pairs`](Bvh::pairs) of two trees,
//! [`self_pairs`](Bvh::self_pairs) of one, triangles along a
//! [`segment`](Bvh::along_segment), and the [`nearest`](Bvh::nearest) one.

mod aabb;
mod build;
mod nearest;
mod pairs;
mod segment;

pub use aabb::Aabb;
pub use nearest::{Nearest, closest_on_triangle};

use glam::DVec3;

/// A tree of boxes with one triangle in each leaf.
#[derive(Clone, Debug)]
pub struct Bvh {
    /// The root first; the two children of a node stand side by side.
    nodes: Vec<Node>,
}

/// A box around a part of the mesh; one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    centre: DVec3,
    /// Half the edge lengths.
    half: DVec3,
    /// The first of two children, or the triangle of a leaf.
    index: u32,
    leaf: bool,
}

impl Node {
    fn bounds(&self) -> Aabb {
        Aabb {
            min: self.centre - self.half,
            max: self.centre + self.half,
        }
    }
}

impl Bvh {
    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, Node::bounds)
    }

    fn children(&self, node: &Node) -> [&Node; 2] {
        let first = node.index as usize;
        [&self.nodes[first], &self.nodes[first + 1]]
    }
}
