//! A facet cut by straight lines into fragments, in coordinates of its plane.
//!
//! A facet is one closed line of points: holes are joined to the outline by a
//! cut that is walked both ways. Clipping such a line by a half-plane leaves
//! edges along the border that are walked both ways, too; in a signed integral
//! they cancel, so nothing needs to be convex. Every cut makes two fragments
//! of one with the same points on both sides: fragments always add up to the
//! facet, whatever rounds.

use glam::DVec2;

/// A linear function on the plane of a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub at_origin: f64,
    pub slope: DVec2,
}

impl Affine {
    #[inline]
    pub fn at(&self, p: DVec2) -> f64 {
        self.at_origin + self.slope.dot(p)
    }

    #[inline]
    pub fn minus(&self, other: &Affine) -> Affine {
        Affine {
            at_origin: self.at_origin - other.at_origin,
            slope: self.slope - other.slope,
        }
    }
}

/// No function yet.
pub(super) const OPEN: u32 = u32::MAX;

/// A part of the facet to which one function belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    /// Its range of points.
    pub start: u32,
    pub end: u32,
    /// The function, or [`OPEN`].
    pub function: u32,
    pub min: DVec2,
    pub max: DVec2,
}

/// The fragments of one facet.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    pub points: Vec<DVec2>,
    pub fragments: Vec<Fragment>,
    /// A point this close to a line is on it.
    pub slack: f64,
}

/// On which side of a line a fragment is.
enum Side {
    Inside,
    Outside,
    Both,
}

impl Partition {
    /// Starts anew with one fragment, whose points are in `points` already.
    pub fn restart(&mut self, function: u32, slack: f64) {
        self.slack = slack;
        self.fragments.clear();
        let whole = self.fragment(0, function);
        self.fragments.push(whole);
    }

    /// Gives `function` to all points where the functions of `domain` are
    /// positive and, if it has a function already, where the new one is lower.
    /// `values` are the functions.
    pub fn insert(&mut self, function: u32, values: &[Affine], domain: &[Affine], area: Bounds) {
        let value = values[function as usize];
        for index in 0..self.fragments.len() {
            let fragment = self.fragments[index];
            if fragment.max.cmplt(area.min).any() || area.max.cmplt(fragment.min).any() {
                continue;
            }
            let lower = (fragment.function != OPEN)
                .then(|| values[fragment.function as usize].minus(&value));
            let (kept_points, kept_fragments) = (self.points.len(), self.fragments.len());
            let mut rest = Some(fragment);
            for line in lower.iter().chain(domain) {
                let Some(inside) = rest else { break };
                rest = match self.side(&inside, line) {
                    Side::Inside => Some(inside),
                    Side::Outside => None,
                    Side::Both => {
                        let [inside, outside] = self.split(&inside, line);
                        self.fragments.push(outside);
                        Some(inside)
                    }
                };
            }
            match rest {
                Some(inside) => {
                    self.fragments[index] = Fragment { function, ..inside };
                }
                // Nothing of it is in the domain: as if it had not been cut.
                None => {
                    self.points.truncate(kept_points);
                    self.fragments.truncate(kept_fragments);
                }
            }
        }
    }

    /// The box around what is left of the whole facet where all of `domain`
    /// is positive; none when that is nothing.
    pub fn reach(&mut self, whole: &Fragment, domain: &[Affine]) -> Option<Bounds> {
        let kept = self.points.len();
        let mut rest = Some(*whole);
        for line in domain {
            let Some(inside) = rest else { break };
            rest = match self.side(&inside, line) {
                Side::Inside => Some(inside),
                Side::Outside => None,
                Side::Both => {
                    let start = self.points.len();
                    self.clip(&inside, line, 1.0);
                    Some(self.fragment(start, OPEN))
                }
            };
        }
        self.points.truncate(kept);
        rest.map(|rest| Bounds {
            min: rest.min,
            max: rest.max,
        })
    }

    /// The parts of a fragment on the positive and on the negative side.
    pub fn split(&mut self, fragment: &Fragment, line: &Affine) -> [Fragment; 2] {
        [1.0, -1.0].map(|sign| {
            let start = self.points.len();
            self.clip(fragment, line, sign);
            self.fragment(start, fragment.function)
        })
    }

    /// Appends the corners of a fragment where `sign · line` is positive
    /// [Sutherland & Hodgman 1974].
    fn clip(&mut self, fragment: &Fragment, line: &Affine, sign: f64) {
        let range = fragment.start as usize..fragment.end as usize;
        let Some(mut p) = self.points[range.clone()].last().copied() else {
            return;
        };
        let mut at_p = line.at(p);
        for index in range {
            let q = self.points[index];
            let at_q = line.at(q);
            if at_p * at_q < 0.0 {
                // The same point for both sides, to the last digit.
                self.points.push(p + (q - p) * (at_p / (at_p - at_q)));
            }
            if sign * at_q >= 0.0 {
                self.points.push(q);
            }
            (p, at_p) = (q, at_q);
        }
    }

    /// True when no point of a fragment is on the negative side of a line.
    pub fn is_inside(&self, fragment: &Fragment, line: &Affine) -> bool {
        matches!(self.side(fragment, line), Side::Inside)
    }

    fn side(&self, fragment: &Fragment, line: &Affine) -> Side {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &p in self.corners(fragment) {
            let value = line.at(p);
            low = low.min(value);
            high = high.max(value);
        }
        if high <= self.slack {
            Side::Outside
        } else if low >= -self.slack {
            Side::Inside
        } else {
            Side::Both
        }
    }

    /// The points from `start` on as a fragment.
    fn fragment(&self, start: usize, function: u32) -> Fragment {
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &p in &self.points[start..] {
            min = min.min(p);
            max = max.max(p);
        }
        Fragment {
            start: start as u32,
            end: self.points.len() as u32,
            function,
            min,
            max,
        }
    }

    pub fn corners(&self, fragment: &Fragment) -> &[DVec2] {
        &self.points[fragment.start as usize..fragment.end as usize]
    }
}

/// A box in the plane of a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub min: DVec2,
    pub max: DVec2,
}

/// No limit.
pub(super) const EVERYWHERE: Bounds = Bounds {
    min: DVec2::NEG_INFINITY,
    max: DVec2::INFINITY,
};

/// Integrals over fragments, about a corner of the first of them, so that a
/// small one keeps its digits wherever it is in the facet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    about: Option<DVec2>,
    pub area: f64,
    first: DVec2,
    /// xx, xy, yy.
    second: [f64; 3],
}

impl Moments {
    /// Adds the region within a closed line of points.
    pub fn add(&mut self, corners: &[DVec2]) {
        let Some(&last) = corners.last() else { return };
        let about = *self.about.get_or_insert(last);
        let mut u = last - about;
        for &corner in corners {
            let v = corner - about;
            let twice = u.perp_dot(v);
            let sum = u + v;
            self.area += 0.5 * twice;
            self.first += sum * (twice / 6.0);
            let twelfth = twice / 24.0;
            self.second[0] += twelfth * (u.x * u.x + v.x * v.x + sum.x * sum.x);
            self.second[1] += twelfth * (u.x * u.y + v.x * v.y + sum.x * sum.y);
            self.second[2] += twelfth * (u.y * u.y + v.y * v.y + sum.y * sum.y);
            u = v;
        }
    }

    /// Centroid and second moment about it. The area must not be zero.
    pub fn finish(&self) -> (DVec2, [f64; 3]) {
        let mean = self.first / self.area;
        let second = [
            (self.second[0] - self.first.x * mean.x).max(0.0),
            self.second[1] - self.first.x * mean.y,
            (self.second[2] - self.first.y * mean.y).max(0.0),
        ];
        (self.about.unwrap_or_default() + mean, second)
    }
}
