//! Pairs of triangles whose boxes overlap.

use std::ops::ControlFlow;

use glam::{DMat3, DVec3};

use super::{Bvh, Cuboid};
use crate::Pose;

impl Bvh {
    /// Calls `visit` with the triangles (of this tree's body A, of B) whose
    /// boxes come within `margin` of each other when B is at `X_AB`.
    ///
    /// No pair that touches is left out. Pairs come in an order that does not
    /// depend on the pose. `stack` is working memory.
    pub fn pairs(
        &self,
        b: &Bvh,
        X_AB: &Pose,
        margin: f64,
        stack: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(u32, u32),
    ) {
        self.item_pairs(b, X_AB, margin, stack, |item_a, item_b| {
            let triangle = |tree: &Bvh, item: u32| tree.items[item as usize].triangle;
            visit(triangle(self, item_a), triangle(b, item_b));
        });
    }

    /// As [`pairs`](Self::pairs), with the places of the triangles in the trees
    /// instead of the triangles.
    #[inline]
    pub(crate) fn item_pairs(
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
                for (item_b, b) in (node_b.first..).zip(b.leaf_items(node_b)) {
                    let placed = test.place(&b.cuboid);
                    for (item_a, a) in (node_a.first..).zip(self.leaf_items(node_a)) {
                        if !test.separates(&a.cuboid, &placed) {
                            visit(item_a, item_b);
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

    /// Lists the pairs whose boxes come within `reach` of each other, in the order
    /// of [`pairs`](Self::pairs). `stack` is working memory.
    pub(crate) fn near_pairs(
        &self,
        b: &Bvh,
        X_AB: &Pose,
        reach: f64,
        stack: &mut Vec<(u32, u32)>,
        near: &mut Vec<NearPair>,
    ) {
        let test = BoxTest::new(X_AB, 0.0);
        near.clear();
        self.item_pairs(b, X_AB, reach, stack, |item_a, item_b| {
            let placed = test.place(&b.items[item_b as usize].cuboid);
            let gap = test.gap(&self.items[item_a as usize].cuboid, &placed);
            near.push(NearPair {
                items: [item_a, item_b],
                gap,
            });
        });
    }

    /// The triangles of a pair that was listed.
    pub(crate) fn triangles_of(&self, b: &Bvh, pair: &NearPair) -> [u32; 2] {
        let [item_a, item_b] = pair.items.map(|item| item as usize);
        [self.items[item_a].triangle, b.items[item_b].triangle]
    }

    /// Calls `visit` with the triangles of those of some pairs whose boxes come
    /// within `margin` of each other, when B has not `moved` further since they were
    /// listed.
    pub(crate) fn touching(
        &self,
        b: &Bvh,
        near: &[NearPair],
        moved: f64,
        (X_AB, margin): (&Pose, f64),
        mut visit: impl FnMut(u32, u32),
    ) {
        let test = BoxTest::new(X_AB, margin);
        // Pairs come in runs with the same triangle of B.
        let mut last: Option<(u32, Placed)> = None;
        for pair in near {
            // Most are further apart than anything has moved.
            if pair.gap > moved + margin {
                continue;
            }
            let [item_a, index_b] = pair.items;
            let (item_a, item_b) = (&self.items[item_a as usize], &b.items[index_b as usize]);
            let (_, placed) = match &last {
                Some(known) if known.0 == index_b => known,
                _ => last.insert((index_b, test.place(&item_b.cuboid))),
            };
            if !test.separates(&item_a.cuboid, placed) {
                visit(item_a.triangle, item_b.triangle);
            }
        }
    }

    /// Calls `visit` with every two different triangles of the mesh whose
    /// boxes overlap, once each, until it has seen enough.
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) {
        let overlap = |x: &Cuboid, y: &Cuboid| x.bounds().overlaps(&y.bounds());
        let mut stack: Vec<(u32, u32)> = self.nodes.first().map(|_| (0, 0)).into_iter().collect();
        while let Some((i, j)) = stack.pop() {
            let (x, y) = (&self.nodes[i as usize], &self.nodes[j as usize]);
            if i == j {
                let items = self.leaf_items(x);
                for (k, first) in items.iter().enumerate() {
                    for second in &items[k + 1..] {
                        if overlap(&first.cuboid, &second.cuboid)
                            && visit(first.triangle, second.triangle).is_break()
                        {
                            return;
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
                            if overlap(&first.cuboid, &second.cuboid)
                                && visit(first.triangle, second.triangle).is_break()
                            {
                                return;
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

/// Two triangles that may touch soon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearPair {
    /// Their places in the trees of A and of B.
    items: [u32; 2],
    /// They are at least so far from each other, metres; not
    /// positive when they may touch.
    pub gap: f64,
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

    /// How far two boxes are apart along the axis that separates them best.
    fn gap(&self, a: &Cuboid, b: &Placed) -> f64 {
        let gap_A = b.centre_A - a.centre;
        let mut widest = (gap_A.abs() - a.half - b.half_A).max_element();
        for j in 0..3 {
            let gap = self.X_AB.R.col(j).dot(gap_A).abs();
            let reach = b.cuboid.half[j] + self.abs_R_AB.col(j).dot(a.half) + self.margin;
            widest = widest.max(gap - reach);
        }
        widest
    }
}
