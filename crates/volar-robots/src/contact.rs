//! Which links may touch.
//!
//! MuJoCo's rules, which for URDF come down to: all but neighbours. Links that
//! are welded to each other count as one body. Two shapes may touch when
//!
//! - a [`ContactPair`](crate::ContactPair) names them, or
//! - one's `contype` shares a bit with the other's `conaffinity`, their bodies
//!   are not the same, neither is the other's parent (but that the world is
//!   nobody's parent), and no exclude names their links.

use crate::robot::{JointKind, Robot};

impl Robot {
    /// Whether any shape of link a may touch any of link b.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        self.pairs.iter().any(|pair| {
            let (x, y) = (pair.a.0, pair.b.0);
            (x, y) == (a, b) || (y, x) == (a, b)
        }) || (self.links_may_touch(a, b) && self.bits_agree(a, b))
    }

    /// All pairs of links that may touch, lower number first.
    pub fn touching_links(&self) -> Vec<(usize, usize)> {
        let with_shapes: Vec<usize> = (0..self.links.len())
            .filter(|link| !self.links[*link].collisions.is_empty())
            .collect();
        let mut pairs = Vec::new();
        for (i, &a) in with_shapes.iter().enumerate() {
            let later = with_shapes[i + 1..].iter();
            pairs.extend(later.filter(|b| self.may_touch(a, **b)).map(|b| (a, *b)));
        }
        pairs
    }

    fn bits_agree(&self, a: usize, b: usize) -> bool {
        self.links[a].collisions.iter().any(|x| {
            self.links[b]
                .collisions
                .iter()
                .any(|y| x.contype & y.conaffinity != 0 || y.contype & x.conaffinity != 0)
        })
    }

    fn links_may_touch(&self, a: usize, b: usize) -> bool {
        let (body_a, body_b) = (self.welded(a), self.welded(b));
        let is_parent = |parent: usize, child: usize| {
            Some(parent) != self.world && self.moving_parent(child) == Some(parent)
        };
        body_a != body_b
            && !is_parent(body_a, body_b)
            && !is_parent(body_b, body_a)
            && !self.excludes.contains(&(a.min(b), a.max(b)))
    }

    /// The first of the links that are welded to this one.
    fn welded(&self, mut link: usize) -> usize {
        while let (JointKind::Fixed, Some(parent)) =
            (self.links[link].joint.kind, self.links[link].parent)
        {
            link = parent;
        }
        link
    }

    /// What the welded body that starts with a link hangs on.
    fn moving_parent(&self, link: usize) -> Option<usize> {
        let mut parent = self.links[link].parent?;
        while self.links[parent].intermediate {
            parent = self.links[parent].parent?;
        }
        Some(self.welded(parent))
    }
}
