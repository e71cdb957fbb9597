//! Triangles in a box, and whether any lies above a plane.

use glam::DVec3;

use super::{Aabb, Bvh, Cuboid};

impl Bvh {
    /// Calls `visit` with every triangle whose box shares a point with
    /// `bounds`, given in the body's frame. `stack` is working memory.
    pub fn in_box(&self, bounds: &Aabb, stack: &mut Vec<u32>, mut visit: impl FnMut(u32)) {
        let sought = Cuboid::around(bounds);
        let apart = |cuboid: &Cuboid| {
            (cuboid.centre - sought.centre)
                .abs()
                .cmpgt(cuboid.half + sought.half)
                .any()
        };
        stack.clear();
        stack.extend(self.nodes.first().map(|_| 0));
        while let Some(i) = stack.pop() {
            let node = &self.nodes[i as usize];
            if apart(&node.cuboid) {
                continue;
            }
            for item in self.leaf_items(node) {
                if !apart(&item.cuboid) {
                    visit(item.triangle);
                }
            }
            if !node.is_leaf() {
                stack.extend([node.first + 1, node.first]);
            }
        }
    }

    /// True when a corner of a triangle is above the plane `normal · x = height`.
    pub fn reaches_above(
        &self,
        normal: DVec3,
        height: f64,
        corners: impl Fn(u32) -> [DVec3; 3],
        stack: &mut Vec<u32>,
    ) -> bool {
        let top =
            |cuboid: &Cuboid| normal.dot(cuboid.centre) + normal.abs().dot(cuboid.half) > height;
        stack.clear();
        stack.extend(self.nodes.first().map(|_| 0));
        while let Some(i) = stack.pop() {
            let node = &self.nodes[i as usize];
            if !top(&node.cuboid) {
                continue;
            }
            let above = |p: DVec3| normal.dot(p) > height;
            let mut items = self.leaf_items(node).iter();
            if items.any(|item| top(&item.cuboid) && corners(item.triangle).into_iter().any(above))
            {
                return true;
            }
            if !node.is_leaf() {
                stack.extend([node.first + 1, node.first]);
            }
        }
        false
    }
}
