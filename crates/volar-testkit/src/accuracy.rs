//! The kernel against the exact oracle, pair by pair: what the accuracy table
//! says is what the oracle test asserts.

use volar_geom::overlap::{Overlap, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};

use crate::columns::exact_overlap;
use crate::corpus::Pair;
use crate::invariants;
use crate::parallel;
use crate::rng::Rng;
use crate::sweep::{SHALLOWEST, random_approach};
use crate::tolerance;

/// Poses per pair in the oracle test and in the table.
pub const POSES_PER_PAIR: usize = 500;

/// An overlap thinner than this, volume over area, is a sliver: most are two
/// sides that were put into one plane and overlap by the rounding of the pose,
/// if at all. Rounding one coordinate of 10 cm moves a side by 1e-17 m, which
/// is the bar of 1e-9 for a thickness of 10 nm; below that the pose does not
/// determine the volume, and it is judged by [`tolerance::pose_rounding`].
const SLIVER: f64 = 1e-8;

/// How far off a pose's answer was.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// How deep B was pushed into A, metres.
    pub depth: f64,
    /// Relative error of the volume; none for a sliver.
    pub volume: Option<f64>,
    /// Error of the centroid over the size of the overlap.
    pub centroid: Option<f64>,
    /// `|S_A + S_B|` over the area.
    pub closure: f64,
}

/// The worst over the poses of a pair.
#[derive(Clone, Debug)]
pub struct PairAccuracy {
    /// Name of the pair.
    pub name: String,
    /// Triangles of A and of B.
    pub triangles: [usize; 2],
    /// Poses compared with the oracle.
    pub poses: usize,
    /// Poses among them that are slivers.
    pub slivers: usize,
    /// Shallowest depth among them.
    pub shallowest: f64,
    /// Worst relative error of the volume, and the pose that has it.
    pub volume: (f64, usize),
    /// Worst error of the centroid, and the pose that has it.
    pub centroid: (f64, usize),
    /// Worst closure.
    pub closure: f64,
    /// Poses, worst volume and worst centroid error by decade of the depth,
    /// from 1–10 µm up.
    pub by_depth: [(usize, f64, f64); DECADES],
}

/// Decades of depth that are told apart: from 1 µm to 1 cm and more.
pub const DECADES: usize = 5;

/// Compares the kernel with the oracle on one random pose.
///
/// # Errors
/// A sentence when the answer breaks an invariant, or is wrong where only the
/// rounding of the pose may count.
pub fn compare(kernel: &mut OverlapKernel, pair: &Pair, index: usize) -> Result<Errors, String> {
    let mut rng = Rng::for_case(&pair.name, index);
    let approach = random_approach(&pair.a, &pair.b, &mut rng);
    let X_AB = &approach.X_AB;
    let overlap = kernel.overlap_with_facets(&pair.a, &pair.b, X_AB);
    let complain = |what: String| format!("{} pose {index}: {what}; {approach:?}", pair.name);
    if let Some(violation) = invariants::violation(&pair.a, &pair.b, X_AB, overlap) {
        return Err(complain(violation));
    }
    let exact = exact_overlap(&pair.a, &pair.b, X_AB);
    let got = &overlap.total;
    let area = got.surfaces[0].area + got.surfaces[1].area;
    let gap = (got.surfaces[0].area_vector + got.surfaces[1].area_vector).length();
    let mut errors = Errors {
        depth: approach.depth,
        volume: None,
        centroid: None,
        closure: if area > 0.0 { gap / area } else { 0.0 },
    };
    let error = (got.volume - exact.volume).abs();
    // The area is the kernel's, which may rightly find nothing in a sliver; a
    // patch pushed in by `depth` is wider than a tenth of it.
    if exact.volume <= SLIVER * area.max(0.01 * approach.depth * approach.depth) {
        let extent = extent(&pair.a, &pair.b, X_AB);
        let floor = tolerance::pose_rounding(extent) * area.max(approach.depth * extent);
        if error > floor + tolerance::VOLUME * exact.volume {
            let (got, exact) = (got.volume, exact.volume);
            return Err(complain(format!("sliver of {exact:e} measured as {got:e}")));
        }
        return Ok(errors);
    }
    errors.volume = Some(error / exact.volume);
    // A missing centroid is infinitely far off.
    errors.centroid = Some(match (got.centroid, exact.centroid) {
        (Some(got), Some(exact_c)) => got.distance(exact_c) / size(overlap, exact.volume),
        _ => f64::INFINITY,
    });
    Ok(errors)
}

/// Compares the kernel with the oracle on many random poses, on all cores.
///
/// # Errors
/// The first pose whose answer breaks an invariant.
pub fn measure(pair: &Pair, poses: usize) -> Result<PairAccuracy, String> {
    let results = parallel::map_with(poses, OverlapKernel::new, |kernel, index| {
        compare(kernel, pair, index)
    });
    let mut accuracy = PairAccuracy {
        name: pair.name.clone(),
        triangles: [&pair.a, &pair.b].map(|mesh| mesh.triangles().len()),
        poses,
        slivers: 0,
        shallowest: f64::INFINITY,
        volume: (0.0, 0),
        centroid: (0.0, 0),
        closure: 0.0,
        by_depth: [(0, 0.0, 0.0); DECADES],
    };
    for (index, errors) in results.into_iter().enumerate() {
        let errors = errors?;
        accuracy.shallowest = accuracy.shallowest.min(errors.depth);
        accuracy.closure = accuracy.closure.max(errors.closure);
        let (Some(volume), Some(centroid)) = (errors.volume, errors.centroid) else {
            accuracy.slivers += 1;
            continue;
        };
        worsen(&mut accuracy.volume, volume, index);
        worsen(&mut accuracy.centroid, centroid, index);
        let decade = (errors.depth / SHALLOWEST).log10().max(0.0) as usize;
        let (poses, worst_volume, worst_centroid) = &mut accuracy.by_depth[decade.min(DECADES - 1)];
        *poses += 1;
        *worst_volume = worst_volume.max(volume);
        *worst_centroid = worst_centroid.max(centroid);
    }
    Ok(accuracy)
}

/// The overlap's size: how far it reaches from its centroid, which for two
/// specks of a micrometre can be centimetres; at least the cube root of its
/// volume.
fn size(overlap: &Overlap, volume: f64) -> f64 {
    let centroid = overlap.total.centroid.unwrap_or_default();
    let facets = overlap.facets.iter().flatten();
    facets.fold(volume.cbrt(), |r, f| r.max(f.centroid.distance(centroid)))
}

fn worsen(worst: &mut (f64, usize), error: f64, index: usize) {
    if error > worst.0 || error.is_nan() {
        *worst = (error, index);
    }
}

fn extent(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose) -> f64 {
    let in_b = b.vertices().iter().map(|&p| X_AB.point(p));
    let all = a.vertices().iter().copied().chain(in_b);
    all.fold(0.0, |m, p| m.max(p.abs().max_element()))
}

impl PairAccuracy {
    /// Column heads of [`PairAccuracy::row`], as the start of a table.
    pub const HEAD: &str = "\
| pair | triangles | poses | slivers | shallowest | worst volume error | worst centroid error | worst closure |
|---|---|---|---|---|---|---|---|";

    /// One line of a table.
    pub fn row(&self) -> String {
        let [a, b] = self.triangles;
        format!(
            "| {} | {a}/{b} | {} | {} | {:.1} µm | {:.1e} | {:.1e} | {:.1e} |",
            self.name,
            self.poses,
            self.slivers,
            1e6 * self.shallowest,
            self.volume.0,
            self.centroid.0,
            self.closure,
        )
    }

    /// What is worse than promised, if anything.
    pub fn shortfall(&self) -> Option<String> {
        let bars = [
            ("volume", self.volume, tolerance::VOLUME),
            ("centroid", self.centroid, tolerance::CENTROID),
        ];
        for (what, (error, pose), bar) in bars {
            if error > bar || error.is_nan() {
                let name = &self.name;
                return Some(format!(
                    "{name} pose {pose}: {what} off by {error:e}, bar {bar:e}"
                ));
            }
        }
        None
    }
}
