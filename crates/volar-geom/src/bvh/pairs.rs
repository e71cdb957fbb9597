//! Pairs of triangles whose boxes overlap.

use glam::DMat3;

use super::{Bvh, Node};
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
            if test.separates(node_a, node_b) {
                continue;
            }
            if node_a.leaf && node_b.leaf {
                visit(node_a.index, node_b.index);
            } else if node_b.leaf || (!node_a.leaf && size(node_a) > size(node_b)) {
                stack.push((node_a.index + 1, j));
                stack.push((node_a.index, j));
            } else {
                stack.push((i, node_b.index + 1));
                stack.push((i, node_b.index));
            }
        }
    }

    /// Calls `visit` with every two different triangles of the mesh whose
    /// boxes overlap, once each.
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = vec![(0_u32, 0_u32)];
        while let Some((i, j)) = stack.pop() {
            let (x, y) = (&self.nodes[i as usize], &self.nodes[j as usize]);
            if i == j {
                if !x.leaf {
                    let (left, right) = (x.index, x.index + 1);
                    stack.extend([(left, left), (left, right), (right, right)]);
                }
            } else if x.bounds().overlaps(&y.bounds()) {
                if x.leaf && y.leaf {
                    visit(x.index, y.index);
                } else if y.leaf || (!x.leaf && size(x) > size(y)) {
                    stack.extend([(x.index, j), (x.index + 1, j)]);
                } else {
                    stack.extend([(i, y.index), (i, y.index + 1)]);
                }
            }
        }
    }
}

fn size(node: &Node) -> f64 {
    node.half.x + node.half.y + node.half.z
}

/// Looks for a separating axis among the face normals of two boxes.
struct BoxTest {
    X_AB: Pose,
    abs_R_AB: DMat3,
    abs_R_BA: DMat3,
    margin: f64,
}

impl BoxTest {
    fn new(X_AB: &Pose, margin: f64) -> BoxTest {
        BoxTest {
            X_AB: *X_AB,
            abs_R_AB: X_AB.R.abs(),
            abs_R_BA: X_AB.R.transpose().abs(),
            margin,
        }
    }

    #[inline]
    fn separates(&self, a: &Node, b: &Node) -> bool {
        // Axis by axis, because most pairs are told apart by the first few.
        let gap_A = self.X_AB.point(b.centre) - a.centre;
        for i in 0..3 {
            let reach = a.half[i] + self.abs_R_BA.col(i).dot(b.half) + self.margin;
            if gap_A[i].abs() > reach {
                return true;
            }
        }
        for j in 0..3 {
            let gap = self.X_AB.R.col(j).dot(gap_A);
            let reach = b.half[j] + self.abs_R_AB.col(j).dot(a.half) + self.margin;
            if gap.abs() > reach {
                return true;
            }
        }
        false
    }
}
