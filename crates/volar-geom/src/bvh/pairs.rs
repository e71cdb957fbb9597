//! Pairs of triangles whose boxes overlap.

use glam::{DMat3, DVec3};

use super::{Bvh, Cuboid};
use crate::Pose;

impl Bvh {
    /// Calls `visit` with the triangles (of this tree's body A, of B) whose
    /// boxes come within `margin` of each other when B is at `X_AB`.
    ///
    /// No pair that touches is left out. `stack` is working memory.
    pub fn pairs(
        &self,
        b: &Bvh,
        X_AB: &Pose,
        margin: f64,
        stack: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(u32, u32),
    ) {
        if self.nodes.is_empty() || b.nodes.is_empty() {
            return;
        }
        let test = BoxTest::new(X_AB, margin);
        stack.clear();
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            let (node_a, node_b) = (&self.nodes[i as usize], &b.nodes[j as usize]);
            if test.separates(&node_a.cuboid, &test.place(&node_b.cuboid)) {
                continue;
            }
            if node_a.is_leaf() && node_b.is_leaf() {
                for item_b in b.leaf_items(node_b) {
                    let placed = test.place(&item_b.cuboid);
                    for item_a in self.leaf_items(node_a) {
                        if !test.separates(&item_a.cuboid, &placed) {
                            visit(item_a.triangle, item_b.triangle);
                        }
                    }
                }
            } else if node_b.is_leaf()
                || (!node_a.is_leaf() && node_a.cuboid.size() > node_b.cuboid.size())
            {
                stack.extend([(node_a.first + 1, j), (node_a.first, j)]);
            } else {
                stack.extend([(i, node_b.first + 1), (i, node_b.first)]);
            }
        }
    }

    /// Calls `visit` with every two different triangles of the mesh whose
    /// boxes overlap, once each.
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        let overlap = |x: &Cuboid, y: &Cuboid| x.bounds().overlaps(&y.bounds());
        let mut stack: Vec<(u32, u32)> = self.nodes.first().map(|_| (0, 0)).into_iter().collect();
        while let Some((i, j)) = stack.pop() {
            let (x, y) = (&self.nodes[i as usize], &self.nodes[j as usize]);
            if i == j {
                let items = self.leaf_items(x);
                for (k, first) in items.iter().enumerate() {
                    for second in &items[k + 1..] {
                        if overlap(&first.cuboid, &second.cuboid) {
                            visit(first.triangle, second.triangle);
                        }
                    }
                }
                if !x.is_leaf() {
                    let (left, right) = (x.first, x.first + 1);
                    stack.extend([(left, left), (left, right), (right, right)]);
                }
            } else if overlap(&x.cuboid, &y.cuboid) {
                if x.is_leaf() && y.is_leaf() {
                    for first in self.leaf_items(x) {
                        for second in self.leaf_items(y) {
                            if overlap(&first.cuboid, &second.cuboid) {
                                visit(first.triangle, second.triangle);
                            }
                        }
                    }
                } else if y.is_leaf() || (!x.is_leaf() && x.cuboid.size() > y.cuboid.size()) {
                    stack.extend([(x.first, j), (x.first + 1, j)]);
                } else {
                    stack.extend([(i, y.first), (i, y.first + 1)]);
                }
            }
        }
    }
}

/// Looks for a separating axis among the face normals of two boxes.
struct BoxTest {
    X_AB: Pose,
    abs_R_AB: DMat3,
    margin: f64,
}

/// A box of B seen from A.
struct Placed<'b> {
    cuboid: &'b Cuboid,
    centre_A: DVec3,
    /// Half the edge lengths of the box around it along A's axes, widened.
    half_A: DVec3,
}

impl BoxTest {
    fn new(X_AB: &Pose, margin: f64) -> BoxTest {
        BoxTest {
            X_AB: *X_AB,
            abs_R_AB: X_AB.R.abs(),
            margin,
        }
    }

    #[inline(always)]
    fn place<'b>(&self, cuboid: &'b Cuboid) -> Placed<'b> {
        Placed {
            centre_A: self.X_AB.point(cuboid.centre),
            half_A: self.abs_R_AB * cuboid.half + self.margin,
            cuboid,
        }
    }

    #[inline(always)]
    fn separates(&self, a: &Cuboid, b: &Placed) -> bool {
        // Axis by axis, because most pairs are told apart by the first few.
        let gap_A = b.centre_A - a.centre;
        for i in 0..3 {
            if gap_A[i].abs() > a.half[i] + b.half_A[i] {
                return true;
            }
        }
        for j in 0..3 {
            let gap = self.X_AB.R.col(j).dot(gap_A);
            let reach = b.cuboid.half[j] + self.abs_R_AB.col(j).dot(a.half) + self.margin;
            if gap.abs() > reach {
                return true;
            }
        }
        false
    }
}
