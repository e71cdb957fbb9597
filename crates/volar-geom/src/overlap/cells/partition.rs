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
    pub const ZERO: Affine = Affine {
        at_origin: 0.0,
        slope: DVec2::ZERO,
    };

    #[inline]
    pub fn at(&self, p: DVec2) -> f64 {
        self.at_origin + self.slope.dot(p)
    }

    /// The greatest value over a region within a closed line of points.
    #[inline]
    pub fn greatest(&self, corners: &[DVec2]) -> f64 {
        let values = corners.iter().map(|&corner| self.at(corner));
        values.fold(f64::NEG_INFINITY, f64::max)
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

impl Fragment {
    /// No points.
    pub const NOTHING: Fragment = Fragment {
        start: 0,
        end: 0,
        function: OPEN,
        min: DVec2::INFINITY,
        max: DVec2::NEG_INFINITY,
    };

    /// True when the boxes around two fragments share no area.
    fn is_apart(&self, other: &Fragment) -> bool {
        self.max.cmple(other.min).any() || other.max.cmple(self.min).any()
    }
}

/// So many lines at most bound the domain of a function.
pub(super) const DOMAIN: usize = 5;

/// The lines on the positive side of which a function counts.
pub(super) type Domain = [Affine; DOMAIN];

/// A function and where it counts: where the first `lines` of `domain` are
/// positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub domain: Domain,
    pub lines: usize,
    /// The part of the facet in the domain; knows the function.
    pub region: Fragment,
}

/// The fragments of one facet.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    pub points: Vec<DVec2>,
    pub fragments: Vec<Fragment>,
    /// A point this close to a line is on it.
    pub slack: f64,
    /// Heights of the corners of a fragment over a line.
    heights: Vec<f64>,
    /// The corners of the other part, while a fragment is split.
    other: Vec<DVec2>,
}

/// On which side of a line a fragment is.
enum Side {
    Inside,
    Outside,
    Both,
    On,
}

impl Partition {
    /// Starts anew with one fragment, whose points are in `points` already.
    pub fn restart(&mut self, slack: f64) -> Fragment {
        self.slack = slack;
        self.fragments.clear();
        let whole = self.fragment(0, OPEN);
        self.fragments.push(whole);
        whole
    }

    /// Gives all points of a claim to its function; of those that have one
    /// already, where the new one is lower. Looks at the fragments from `first` on.
    pub fn insert(&mut self, claim: &Claim, values: &[Affine], first: usize) {
        let function = claim.region.function;
        let value = values[function as usize];
        for index in first..self.fragments.len() {
            let fragment = self.fragments[index];
            if fragment.is_apart(&claim.region) {
                continue;
            }
            let lower = (fragment.function != OPEN)
                .then(|| values[fragment.function as usize].minus(&value));
            let (kept_points, kept_fragments) = (self.points.len(), self.fragments.len());
            let mut rest = Some(fragment);
            for line in lower.iter().chain(&claim.domain[..claim.lines]) {
                let Some(inside) = rest else { break };
                rest = match self.side(&inside, line) {
                    Side::Inside => Some(inside),
                    Side::Outside | Side::On => None,
                    Side::Both => {
                        let [inside, outside] = self.split(&inside);
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

    /// What is left of a fragment where all of `domain` is positive.
    pub fn clipped(&mut self, fragment: &Fragment, domain: &[Affine]) -> Option<Fragment> {
        let kept = self.points.len();
        let mut rest = *fragment;
        for line in domain {
            match self.side(&rest, line) {
                Side::Inside => {}
                Side::Both => rest = self.clip(&rest),
                Side::Outside | Side::On => {
                    self.points.truncate(kept);
                    return None;
                }
            }
        }
        Some(rest)
    }

    /// Adds the fragments of claims: what each claims, without what others
    /// have a better claim to. Far fewer cuts than with `insert`, but nothing
    /// makes sure that no point is claimed by none.
    pub fn settle(&mut self, claims: &mut [Claim], values: &[Affine]) {
        // From left to right, so that only neighbours need be asked.
        claims.sort_unstable_by(|x, y| {
            let (x, y) = (&x.region, &y.region);
            let by_start = x.start.cmp(&y.start).then(x.function.cmp(&y.function));
            x.min.x.total_cmp(&y.min.x).then(by_start)
        });
        let widths = claims.iter().map(|c| c.region.max.x - c.region.min.x);
        let widest = widths.fold(0.0, f64::max);
        for (index, claim) in claims.iter().enumerate() {
            let first = self.fragments.len();
            self.fragments.push(claim.region);
            let left = claim.region.min.x - widest;
            let nearest = claims.partition_point(|rival| rival.region.min.x < left);
            for (other, rival) in claims.iter().enumerate().skip(nearest) {
                if rival.region.min.x >= claim.region.max.x {
                    break;
                }
                if other == index || claim.region.is_apart(&rival.region) {
                    continue;
                }
                let value = |claim: &Claim| values[claim.region.function as usize];
                let lower = value(claim).minus(&value(rival));
                if other > index && self.is_below(&claim.region, &lower) {
                    continue;
                }
                for mine in first..self.fragments.len() {
                    self.yield_to(mine, &lower, rival, other < index);
                }
            }
        }
    }

    /// Takes from a fragment what a rival claims and where `lower`, by which
    /// the rival's value is less, is positive; where they are equal, all if
    /// the rival `goes_first`.
    fn yield_to(&mut self, index: usize, lower: &Affine, rival: &Claim, goes_first: bool) {
        let fragment = self.fragments[index];
        if fragment.is_apart(&rival.region) {
            return;
        }
        // Most rivals have no claim to any of it, which is soon seen.
        let domain = &rival.domain[..rival.lines];
        if (!goes_first && self.is_below(&fragment, lower))
            || domain.iter().any(|line| self.is_below(&fragment, line))
        {
            return;
        }
        let (kept_points, kept_fragments) = (self.points.len(), self.fragments.len());
        let mut lost = fragment;
        for (k, line) in std::iter::once(lower).chain(domain).enumerate() {
            match self.side(&lost, line) {
                Side::Inside => {}
                Side::On if k == 0 && goes_first => {}
                Side::Both => {
                    let [inside, outside] = self.split(&lost);
                    self.fragments.push(outside);
                    lost = inside;
                }
                // None after all: as if never cut.
                Side::Outside | Side::On => {
                    self.points.truncate(kept_points);
                    self.fragments.truncate(kept_fragments);
                    return;
                }
            }
        }
        // What is left of it stays in its place, so that there are no gaps
        // in the list.
        let rest = if self.fragments.len() > kept_fragments {
            self.fragments.pop()
        } else {
            None
        };
        self.fragments[index] = rest.unwrap_or(Fragment::NOTHING);
    }

    /// The parts of a fragment on the positive and on the negative side of a
    /// line, which must be the last one it was compared with
    /// [Sutherland & Hodgman 1974].
    fn split(&mut self, fragment: &Fragment) -> [Fragment; 2] {
        let start = self.points.len();
        self.other.clear();
        let range = fragment.start as usize..fragment.end as usize;
        if let (Some(&(mut p)), Some(&(mut at_p))) =
            (self.points[range.clone()].last(), self.heights.last())
        {
            for (index, &at_q) in range.zip(&self.heights) {
                let q = self.points[index];
                if at_p * at_q < 0.0 {
                    // The same point for both sides, to the last digit.
                    let crossing = p + (q - p) * (at_p / (at_p - at_q));
                    self.points.push(crossing);
                    self.other.push(crossing);
                }
                if at_q >= 0.0 {
                    self.points.push(q);
                }
                if at_q <= 0.0 {
                    self.other.push(q);
                }
                (p, at_p) = (q, at_q);
            }
        }
        let inside = self.fragment(start, fragment.function);
        let start = self.points.len();
        self.points.extend_from_slice(&self.other);
        [inside, self.fragment(start, fragment.function)]
    }

    /// As [`split`](Self::split), the positive side only.
    fn clip(&mut self, fragment: &Fragment) -> Fragment {
        let start = self.points.len();
        let range = fragment.start as usize..fragment.end as usize;
        if let (Some(&(mut p)), Some(&(mut at_p))) =
            (self.points[range.clone()].last(), self.heights.last())
        {
            for (index, &at_q) in range.zip(&self.heights) {
                let q = self.points[index];
                if at_p * at_q < 0.0 {
                    self.points.push(p + (q - p) * (at_p / (at_p - at_q)));
                }
                if at_q >= 0.0 {
                    self.points.push(q);
                }
                (p, at_p) = (q, at_q);
            }
        }
        self.fragment(start, fragment.function)
    }

    /// Cuts a fragment in two along a line.
    pub fn halve(&mut self, fragment: &Fragment, line: &Affine) -> [Fragment; 2] {
        self.side(fragment, line);
        self.split(fragment)
    }

    /// True when no corner of a fragment is on the positive side of a line.
    #[inline]
    fn is_below(&self, fragment: &Fragment, line: &Affine) -> bool {
        let mut corners = self.corners(fragment).iter();
        corners.all(|&p| line.at(p) <= self.slack)
    }

    /// On which side of a line a fragment is.
    fn side(&mut self, fragment: &Fragment, line: &Affine) -> Side {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        self.heights.clear();
        let corners = &self.points[fragment.start as usize..fragment.end as usize];
        self.heights.extend(corners.iter().map(|&p| {
            let height = line.at(p);
            low = low.min(height);
            high = high.max(height);
            height
        }));
        match (low >= -self.slack, high <= self.slack) {
            (true, true) => Side::On,
            (true, false) => Side::Inside,
            (false, true) => Side::Outside,
            (false, false) => Side::Both,
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

/// The area within a closed line of points.
pub(super) fn area(corners: &[DVec2]) -> f64 {
    let Some(&about) = corners.last() else {
        return 0.0;
    };
    let mut u = DVec2::ZERO;
    let mut twice = 0.0;
    for &corner in corners {
        let v = corner - about;
        twice += u.perp_dot(v);
        u = v;
    }
    0.5 * twice
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
