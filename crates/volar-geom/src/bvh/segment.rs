//! Triangles along a line segment.

use glam::DVec3;

use super::{Bvh, Cuboid};

impl Bvh {
    /// Calls `visit` with every triangle whose box comes within `margin` of
    /// the segment from `p` to `q`, both in the body's frame. `stack` is
    /// working memory.
    pub fn along_segment(
        &self,
        p: DVec3,
        q: DVec3,
        margin: f64,
        stack: &mut Vec<u32>,
        mut visit: impl FnMut(u32),
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let segment = Segment {
            middle: 0.5 * (p + q),
            half: 0.5 * (q - p),
            margin,
        };
        stack.clear();
        stack.push(0);
        while let Some(i) = stack.pop() {
            let node = &self.nodes[i as usize];
            if segment.separated_from(&node.cuboid) {
                continue;
            }
            if node.is_leaf() {
                for item in self.leaf_items(node) {
                    if !segment.separated_from(&item.cuboid) {
                        visit(item.triangle);
                    }
                }
            } else {
                stack.extend([node.first + 1, node.first]);
            }
        }
    }
}

struct Segment {
    middle: DVec3,
    half: DVec3,
    margin: f64,
}

impl Segment {
    /// Separating axes: the box's face normals and their products with the
    /// segment's direction [Ericson 2005, §5.3.3].
    fn separated_from(&self, cuboid: &Cuboid) -> bool {
        let gap = self.middle - cuboid.centre;
        let reach = cuboid.half + DVec3::splat(self.margin);
        let d = self.half.abs();
        if gap.abs().cmpgt(reach + d).any() {
            return true;
        }
        let moment = gap.cross(self.half).abs();
        let bound = DVec3::new(
            reach.y * d.z + reach.z * d.y,
            reach.x * d.z + reach.z * d.x,
            reach.x * d.y + reach.y * d.x,
        );
        moment.cmpgt(bound).any()
    }
}
