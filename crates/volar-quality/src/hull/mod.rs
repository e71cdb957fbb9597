//! The convex hull of points in six dimensions, one point after the other.
//!
//! Wrenches of a grasp are degenerate as a rule: all edges of a friction cone lie in one
//! plane, symmetric grasps have many more such coincidences. Rounding then decides
//! differently from one facet to the next, and the hull falls apart. Here every point
//! is rounded to a lattice and moved by a few random units of it (at most 3e-11 of the
//! size of the body), after which coincidences are as good as impossible, and each
//! decision that rounding could change is made with integers. All facets are simplices.
//! What is read off them is computed from the points as given.

mod exact;
mod plane;

use std::cmp::Ordering;

use crate::vector6::{Vector6, dot};
use plane::Plane;

/// A point on the lattice.
type LatticePoint = [i64; 6];

/// Units of the lattice to a length of 1.
const UNITS: f64 = 549_755_813_888.0; // 2³⁹
/// Points are moved by up to so many units.
const MOVED: u64 = 16;
/// A limit to what a hull may cost.
const MOST_FACETS: usize = 200_000;
/// No facet, or no longer one.
const NONE: u32 = u32::MAX;

/// The hull came apart: a coincidence survived the random motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inconsistent;

#[derive(Clone, Debug)]
struct Facet {
    vertices: [u32; 6],
    /// Across the ridge that lies opposite to each vertex.
    neighbours: [u32; 6],
    /// In the moved points; the inside is below.
    plane: Plane,
    /// Sign of the orientation of its vertices for points inside.
    inside: Ordering,
    alive: bool,
    /// Whether its normal has been looked along, see `inscribed.rs`.
    asked: bool,
}

/// A hull of points within the unit ball.
#[derive(Clone, Debug)]
pub(crate) struct Hull {
    points: Vec<Vector6>,
    moved: Vec<Vector6>,
    lattice: Vec<LatticePoint>,
    facets: Vec<Facet>,
    free: Vec<u32>,
    inner: LatticePoint,
    random: u64,
}

impl Hull {
    /// A simplex; its points must span all six dimensions.
    pub fn simplex(corners: [Vector6; 7], seed: u64) -> Result<Hull, Inconsistent> {
        let mut hull = Hull {
            points: Vec::new(),
            moved: Vec::new(),
            lattice: Vec::new(),
            facets: Vec::new(),
            free: Vec::new(),
            inner: [0; 6],
            random: seed,
        };
        for corner in corners {
            hull.place(corner);
        }
        for i in 0..6 {
            let sum: i64 = hull.lattice.iter().map(|p| p[i]).sum();
            hull.inner[i] = sum / 7;
        }
        for out in 0..7_u32 {
            // The facet without corner `out`; opposite to its vertex v is the one without v.
            let mut others = (0..7).filter(|v| *v != out);
            let vertices = std::array::from_fn(|_| others.next().unwrap_or(NONE));
            let facet = hull.facet(vertices, vertices)?;
            hull.facets.push(facet);
        }
        Ok(hull)
    }

    /// Adds a point; false if it lies inside.
    pub fn insert(&mut self, point: Vector6) -> Result<bool, Inconsistent> {
        let index = self.place(point);
        let seen: Vec<bool> = (0..self.facets.len())
            .map(|f| self.facets[f].alive && self.sees(index, &self.facets[f]))
            .collect();
        let mut ridges: Vec<([u32; 4], u32, usize)> = Vec::new();
        let mut outside = false;
        for f in 0..seen.len() {
            if !seen[f] {
                continue;
            }
            outside = true;
            let Facet {
                vertices,
                neighbours,
                ..
            } = self.facets[f];
            for slot in 0..6 {
                let beyond = neighbours[slot];
                if seen[beyond as usize] {
                    continue;
                }
                let mut own = vertices;
                own[slot] = index;
                let mut next = [NONE; 6];
                next[slot] = beyond;
                let facet = self.facet(own, next)?;
                let new = self.keep(facet);
                let back = &mut self.facets[beyond as usize].neighbours;
                let entry = back.iter_mut().find(|n| **n == f as u32);
                *entry.ok_or(Inconsistent)? = new;
                for opposite in (0..6).filter(|other| *other != slot) {
                    let mut left = (0..6).filter(|i| *i != slot && *i != opposite);
                    let mut key = [0; 4].map(|_: u32| left.next().map_or(NONE, |i| own[i]));
                    key.sort_unstable();
                    ridges.push((key, new, opposite));
                }
            }
        }
        if !outside {
            self.points.pop();
            self.moved.pop();
            self.lattice.pop();
            return Ok(false);
        }
        // Two new facets meet in every ridge at the new point.
        ridges.sort_unstable();
        for pair in ridges.chunks(2) {
            let [(key, f, i), (other, g, j)] = pair else {
                return Err(Inconsistent);
            };
            if key != other {
                return Err(Inconsistent);
            }
            self.facets[*f as usize].neighbours[*i] = *g;
            self.facets[*g as usize].neighbours[*j] = *f;
        }
        for f in 0..seen.len() {
            if seen[f] {
                self.facets[f].alive = false;
                self.free.push(f as u32);
            }
        }
        Ok(true)
    }

    /// Whether it is better given up: a hull of so many facets takes ten seconds.
    pub fn is_too_large(&self) -> bool {
        self.facets.len() - self.free.len() > MOST_FACETS
    }

    /// Whether this very point was added and lay outside.
    pub fn has(&self, point: &Vector6) -> bool {
        let same = |other: &Vector6| (0..6).all(|i| other[i].to_bits() == point[i].to_bits());
        self.points.iter().any(same)
    }

    /// Distance to the origin and number of the facet nearest to it, of those not yet
    /// [`asked`](Self::ask).
    pub fn nearest(&self) -> Option<(f64, usize)> {
        let facets = self.facets.iter().enumerate();
        let open = facets.filter(|(_, f)| f.alive && !f.asked);
        let distances = open.map(|(i, f)| (f.plane.offset, i));
        distances.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The outward normal of a facet through the points as given; the facet counts as
    /// asked from now on.
    pub fn ask(&mut self, facet: usize) -> Vector6 {
        self.facets[facet].asked = true;
        let facet = &self.facets[facet];
        let plane = Plane::through(facet.vertices.map(|v| &self.points[v as usize]));
        if dot(&plane.normal, &facet.plane.normal) < 0.0 {
            return plane.reversed().normal;
        }
        plane.normal
    }

    /// Volume of the hull of the points as given.
    pub fn volume(&self) -> f64 {
        let inner: Vector6 = std::array::from_fn(|i| self.inner[i] as f64 / UNITS);
        let facets = self.facets.iter().filter(|facet| facet.alive);
        let volumes = facets.map(|facet| {
            let mut rows = [0.0; 36];
            for (row, vertex) in rows.chunks_exact_mut(6).zip(facet.vertices) {
                for (i, x) in row.iter_mut().enumerate() {
                    *x = self.points[vertex as usize][i] - inner[i];
                }
            }
            match facet.inside {
                Ordering::Less => -determinant(&mut rows),
                _ => determinant(&mut rows),
            }
        });
        volumes.sum::<f64>() / 720.0
    }

    fn place(&mut self, point: Vector6) -> u32 {
        let lattice = point.map(|x| {
            let by = (self.draw() % (2 * MOVED + 1)) as i64 - MOVED as i64;
            ((x * UNITS).round() as i64 + by).clamp(-exact::GREATEST, exact::GREATEST)
        });
        self.points.push(point);
        self.moved.push(lattice.map(|x| x as f64 / UNITS));
        self.lattice.push(lattice);
        (self.points.len() - 1) as u32
    }

    /// SplitMix64 [Steele 2014].
    fn draw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.random;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn facet(&self, vertices: [u32; 6], neighbours: [u32; 6]) -> Result<Facet, Inconsistent> {
        let mut plane = Plane::through(vertices.map(|v| &self.moved[v as usize]));
        let inner = self.inner.map(|x| x as f64 / UNITS);
        let height = plane.distance(&inner);
        if height > 0.0 {
            plane = plane.reversed();
        }
        if height.abs() <= plane.error {
            plane.error = f64::INFINITY; // not even its outside is known
        }
        match self.side(vertices, &self.inner) {
            Ordering::Equal => Err(Inconsistent),
            inside => Ok(Facet {
                vertices,
                neighbours,
                plane,
                inside,
                alive: true,
                asked: false,
            }),
        }
    }

    fn keep(&mut self, facet: Facet) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.facets[slot as usize] = facet;
                slot
            }
            None => {
                self.facets.push(facet);
                (self.facets.len() - 1) as u32
            }
        }
    }

    fn sees(&self, point: u32, facet: &Facet) -> bool {
        let distance = facet.plane.distance(&self.moved[point as usize]);
        if distance.abs() > facet.plane.error {
            return distance > 0.0;
        }
        self.side(facet.vertices, &self.lattice[point as usize]) == facet.inside.reverse()
    }

    fn side(&self, vertices: [u32; 6], point: &LatticePoint) -> Ordering {
        exact::orientation(vertices.map(|v| &self.lattice[v as usize]), point)
    }
}

fn determinant(rows: &mut [f64; 36]) -> f64 {
    let mut pivots = Vec::with_capacity(6);
    if !volar_math::lu::factor(rows, 6, &mut pivots) {
        return 0.0;
    }
    let swaps = pivots.iter().enumerate().filter(|(k, p)| k != *p).count();
    let diagonal: f64 = (0..6).map(|i| rows[7 * i]).product();
    if swaps % 2 == 0 { diagonal } else { -diagonal }
}

#[cfg(test)]
mod tests;
