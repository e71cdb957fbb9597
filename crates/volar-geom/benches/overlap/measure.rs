//! Timing and checking of one pair.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;
use volar_geom::overlap::{Measure, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};

use crate::pairs::{Case, Pair};

/// Every pose is timed at least this often, however slow it is.
const MIN_REPEATS: u32 = 3;

/// Relative errors of an overlap.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Errors {
    /// Of the volume; where the exact overlap is empty, relative to the
    /// smaller body.
    pub volume: f64,
    /// Distance of the centroids over the cube root of the volume, which is
    /// never more than the size of the overlap.
    pub centroid: f64,
}

/// What was measured of one pair; times in microseconds, one per pose, each
/// the shortest of the repeats.
#[derive(Serialize)]
pub struct PairReport {
    pub pair: String,
    pub triangles: [usize; 2],
    /// Triangles cut by the other body, median over the poses.
    pub crossing: [usize; 2],
    /// Triangles inside the other body, median over the poses.
    pub inside: [usize; 2],
    pub moments_us: Vec<f64>,
    pub depths_us: Vec<f64>,
    /// The worst of all poses.
    pub errors: Errors,
}

/// Checks every pose of a pair, then times it for at least `budget`.
pub fn measure(pair: &Pair, a: &ClosedMesh, b: &ClosedMesh, budget: Duration) -> PairReport {
    let mut kernel = OverlapKernel::default();
    let mut errors = Errors::default();
    let mut counts: [Vec<usize>; 4] = Default::default();
    for case in &pair.poses {
        let overlap = kernel.overlap(a, b, &case.X_AB);
        let [cross_a, cross_b] = overlap.crossing_triangles;
        let [in_a, in_b] = overlap.inside_triangles;
        for (list, n) in counts.iter_mut().zip([cross_a, cross_b, in_a, in_b]) {
            list.push(n);
        }
        errors = errors.worst(Errors::of(&overlap.total, case, a, b));
        let deep = kernel.overlap_with_depths(a, b, &case.X_AB);
        errors = errors.worst(Errors::of(&deep.total, case, a, b));
    }
    let [cross_a, cross_b, in_a, in_b] = counts.map(median);

    // Round robin: between two calls with the same pose lie all the others,
    // so no call finds its own answer, or a neighbour's, in the caches.
    let mut moments_us = vec![f64::INFINITY; pair.poses.len()];
    let mut depths_us = moments_us.clone();
    let start = Instant::now();
    let mut repeats = 0;
    while repeats < MIN_REPEATS || start.elapsed() < budget {
        for (case, best) in pair.poses.iter().zip(&mut moments_us) {
            let time = microseconds(|| {
                black_box(kernel.overlap(a, b, black_box(&case.X_AB)));
            });
            *best = best.min(time);
        }
        for (case, best) in pair.poses.iter().zip(&mut depths_us) {
            let time = microseconds(|| {
                black_box(kernel.overlap_with_depths(a, b, black_box(&case.X_AB)));
            });
            *best = best.min(time);
        }
        repeats += 1;
    }
    PairReport {
        pair: pair.name.clone(),
        triangles: [a.triangles().len(), b.triangles().len()],
        crossing: [cross_a, cross_b],
        inside: [in_a, in_b],
        moments_us,
        depths_us,
        errors,
    }
}

/// Calls the kernel twice per pose, the second time inside [`counted`].
pub fn count(pair: &Pair, a: &ClosedMesh, b: &ClosedMesh) {
    let mut kernel = OverlapKernel::default();
    for case in &pair.poses {
        black_box(kernel.overlap(a, b, &case.X_AB));
    }
    for case in &pair.poses {
        counted(&mut kernel, a, b, &case.X_AB);
    }
}

/// A name for callgrind's `--toggle-collect`.
#[inline(never)]
fn counted(kernel: &mut OverlapKernel, a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) {
    black_box(kernel.overlap(a, b, black_box(X_AB)));
}

impl Errors {
    /// The exactness that is promised, for both.
    pub const ALLOWED: f64 = 1e-9;

    fn of(got: &Measure, case: &Case, a: &ClosedMesh, b: &ClosedMesh) -> Errors {
        let scale = if case.volume > 0.0 {
            case.volume
        } else {
            a.volume().min(b.volume())
        };
        Errors {
            volume: known((got.volume - case.volume).abs() / scale),
            centroid: match (got.centroid, case.centroid) {
                (Some(got), Some(exact)) => known(got.distance(exact) / case.volume.cbrt()),
                (None, Some(_)) => 1.0,
                (_, None) => 0.0,
            },
        }
    }

    fn worst(self, other: Errors) -> Errors {
        Errors {
            volume: self.volume.max(other.volume),
            centroid: self.centroid.max(other.centroid),
        }
    }

    pub fn allowed(&self) -> bool {
        self.volume <= Errors::ALLOWED && self.centroid <= Errors::ALLOWED
    }
}

/// The error itself, or one if it is not a number.
fn known(error: f64) -> f64 {
    if error.is_nan() { 1.0 } else { error }
}

/// How long the work takes.
pub fn microseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    1e6 * start.elapsed().as_secs_f64()
}

/// The middle of the sorted values, the lower one of two.
pub fn median<T: Copy + PartialOrd>(mut values: Vec<T>) -> T {
    values.sort_by(|x, y| x.partial_cmp(y).expect("times and counts are numbers"));
    values[(values.len() - 1) / 2]
}
