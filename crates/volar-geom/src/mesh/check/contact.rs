//! What two triangles have in common, decided exactly.
//!
//! The triangles have area and their corners are on the lattice.

use glam::DVec3;

use crate::predicates::Lattice;

/// Decides contacts by the signs of determinants on a lattice.
pub(super) struct Contact<'l>(pub &'l Lattice);

impl Contact<'_> {
    /// True when triangles that share no corner have more than one point in
    /// common.
    ///
    /// What they have in common is convex, and each of its corners is one of:
    /// a corner of one triangle on the other; a point where a side of one
    /// goes through the inside of the other; a point where two sides cross.
    /// These kinds exclude each other, so counting them counts points.
    pub fn apart(&self, t: [DVec3; 3], u: [DVec3; 3]) -> bool {
        if self.one_side(t, &u) || self.one_side(u, &t) {
            return false;
        }
        let corners_on =
            |t: [DVec3; 3], u: [DVec3; 3]| t.into_iter().filter(|&p| self.contains(u, p)).count();
        let mut points = corners_on(t, u) + corners_on(u, t);
        for (p, q) in sides(t) {
            points += match self.side_through(p, q, u) {
                Through::Inside | Through::Side => 1,
                Through::InPlane => sides(u)
                    .into_iter()
                    .filter(|&(a, b)| self.cross_in_plane(u, [p, q], [a, b]))
                    .count(),
                Through::Nothing => 0,
            };
        }
        for (p, q) in sides(u) {
            // Crossing sides have been counted from the other triangle.
            points += usize::from(matches!(self.side_through(p, q, t), Through::Inside));
        }
        points > 1
    }

    /// True when triangles that share their first corner have more in common.
    ///
    /// If so, follow what they have in common away from that corner: it ends
    /// on the opposite side of one of the two.
    pub fn at_vertex(&self, t: [DVec3; 3], u: [DVec3; 3]) -> bool {
        if self.one_side(t, &u[1..]) || self.one_side(u, &t[1..]) {
            return false;
        }
        self.segment_hits(t[1], t[2], u) || self.segment_hits(u[1], u[2], t)
    }

    /// True when triangles on the edge from `p` to `q` with third corners `c`
    /// and `d` are folded flat onto each other.
    pub fn at_edge(&self, p: DVec3, q: DVec3, c: DVec3, d: DVec3) -> bool {
        self.sign(p, q, c, d) == 0
            && self.0.cross_signs(p, q, p, c) == self.0.cross_signs(p, q, p, d)
    }

    /// True when two surfaces bent along the edge from `a` to `b`, with third
    /// corners `p` and `q`, pass through each other there: going round the
    /// edge one meets them in turn.
    pub fn pass_through(&self, a: DVec3, b: DVec3, p: [DVec3; 2], q: [DVec3; 2]) -> bool {
        let [from, to] = p;
        // Strictly between `from` and `to`, counter-clockwise about the edge.
        let between = |x: DVec3| {
            let after = self.sign(a, b, from, x) > 0;
            let before = self.sign(a, b, x, to) > 0;
            match self.sign(a, b, from, to) {
                1 => after && before,
                -1 => after || before,
                // A straight surface has one side of it between its wings.
                _ => after,
            }
        };
        between(q[0]) != between(q[1])
    }

    /// True when all points are strictly on one side of a triangle's plane.
    fn one_side(&self, [a, b, c]: [DVec3; 3], points: &[DVec3]) -> bool {
        let mut signs = points.iter().map(|&p| self.sign(a, b, c, p));
        let first = signs.next().unwrap_or(0);
        first != 0 && signs.all(|sign| sign == first)
    }

    /// True when a point is on the closed triangle.
    pub fn contains(&self, [a, b, c]: [DVec3; 3], p: DVec3) -> bool {
        let turn = self.view(a, b, c);
        self.sign(a, b, c, p) == 0
            && sides([a, b, c])
                .into_iter()
                .all(|(u, v)| turn(u, v, p) >= 0)
    }

    /// Where the open segment from `p` to `q` goes through a triangle.
    fn side_through(&self, p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> Through {
        let (at_p, at_q) = (self.sign(a, b, c, p), self.sign(a, b, c, q));
        if (at_p, at_q) == (0, 0) {
            return Through::InPlane;
        }
        if at_p * at_q >= 0 {
            return Through::Nothing;
        }
        // It goes through the plane once: inside if it passes the three sides
        // on the same hand, through a side if it meets that one.
        let mut hands = sides([a, b, c]).map(|(u, v)| self.sign(p, q, u, v));
        hands.sort_unstable();
        match hands {
            [1, 1, 1] | [-1, -1, -1] => Through::Inside,
            [0, 1, 1] | [-1, -1, 0] => Through::Side,
            // Past it, or through a corner, which is counted as a corner.
            _ => Through::Nothing,
        }
    }

    /// True when two open segments in the plane of a triangle cross.
    fn cross_in_plane(&self, [a, b, c]: [DVec3; 3], s: [DVec3; 2], t: [DVec3; 2]) -> bool {
        let turn = self.view(a, b, c);
        let apart = |s: [DVec3; 2], t: [DVec3; 2]| turn(s[0], s[1], t[0]) * turn(s[0], s[1], t[1]);
        apart(s, t) < 0 && apart(t, s) < 0
    }

    /// True when the closed segment and the closed triangle share a point.
    fn segment_hits(&self, p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
        match (self.sign(a, b, c, p), self.sign(a, b, c, q)) {
            (0, 0) => self.segment_hits_in_plane(p, q, [a, b, c]),
            (1, 1) | (-1, -1) => false,
            _ => {
                let hands = sides([a, b, c]).map(|(u, v)| self.sign(p, q, u, v));
                hands.iter().all(|&h| h >= 0) || hands.iter().all(|&h| h <= 0)
            }
        }
    }

    /// The same for a segment in the triangle's plane.
    fn segment_hits_in_plane(&self, p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
        let turn = self.view(a, b, c);
        // Their Minkowski difference has the sides of the triangle and twice
        // the segment for sides, so one of those separates them if any line
        // does.
        let apart = sides([a, b, c])
            .into_iter()
            .any(|(u, v)| turn(u, v, p) < 0 && turn(u, v, q) < 0);
        let hands = [a, b, c].map(|v| turn(p, q, v));
        !(apart || hands.iter().all(|&h| h > 0) || hands.iter().all(|&h| h < 0))
    }

    /// Looks at the plane of a triangle along an axis it is not edge-on to,
    /// from the side from which it runs counter-clockwise; gives the sense in
    /// which three points of the plane turn.
    fn view(&self, a: DVec3, b: DVec3, c: DVec3) -> impl Fn(DVec3, DVec3, DVec3) -> i32 {
        let normal = self.0.cross_signs(a, b, a, c);
        let axis = (0..3).find(|&k| normal[k] != 0).unwrap_or(0);
        move |u, v, w| normal[axis] * self.0.cross_signs(u, v, u, w)[axis]
    }

    /// The side of a triangle's plane a point is on: 1 in front, −1 behind, 0
    /// in the plane.
    fn sign(&self, a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> i32 {
        let side = self.0.side(a, b, c, p);
        i32::from(side > 0.0) - i32::from(side < 0.0)
    }
}

/// Where a side of one triangle goes through another.
enum Through {
    /// Strictly inside.
    Inside,
    /// Through the inside of a side.
    Side,
    /// It lies in the other's plane.
    InPlane,
    /// Nowhere, or through a corner.
    Nothing,
}

fn sides([a, b, c]: [DVec3; 3]) -> [(DVec3, DVec3); 3] {
    [(a, b), (b, c), (c, a)]
}
