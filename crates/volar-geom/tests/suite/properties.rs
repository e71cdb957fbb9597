//! Properties of arbitrary overlaps: shrunk to the smallest input that breaks
//! one. The seed is fixed, so a run on one machine is a run on all.

use glam::{DMat3, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use volar_geom::Pose;
use volar_geom::overlap::OverlapKernel;
use volar_testkit::cases::{CASE_BYTES, Case};
use volar_testkit::closed_form::box_overlap;
use volar_testkit::columns::exact_overlap;
use volar_testkit::invariants::violation;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, cuboid, icosphere};
use volar_testkit::tolerance;

fn config() -> Config {
    Config {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260_415),
        ..Config::default()
    }
}

/// Whole numbers of grid steps, few enough to coincide often.
fn steps(range: std::ops::RangeInclusive<i32>) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(range).prop_map(|v| DVec3::from_array(v.map(f64::from)))
}

proptest! {
    #![proptest_config(config())]

    /// Solids on a grid, in poses on the grid, near it and off it.
    #[test]
    fn grid_solids_overlap_as_they_should(bytes in prop::collection::vec(any::<u8>(), CASE_BYTES)) {
        let case = Case::from_bytes(&bytes);
        prop_assert_eq!(case.check(&mut OverlapKernel::new()), Ok(()));
    }

    /// Boxes on a grid: the volume is a whole number of cells, exactly.
    #[test]
    fn grid_boxes_share_whole_cells(
        half_a in steps(1..=4),
        half_b in steps(1..=4),
        offset in steps(-8..=8),
        turn in any::<u64>(),
    ) {
        let R = Rng::new(turn).axis_rotation();
        let (a, b) = (closed(cuboid(2.0 * half_a)), closed(cuboid(2.0 * half_b)));
        let X_AB = Pose { R, p: offset };
        let reach = DMat3::from_cols(R.x_axis.abs(), R.y_axis.abs(), R.z_axis.abs()) * half_b;
        let cells = box_overlap([-half_a, half_a], [offset - reach, offset + reach])
            .map_or(0.0, |[min, max]| (max - min).element_product());
        let mut kernel = OverlapKernel::new();
        let overlap = kernel.overlap_with_facets(&a, &b, &X_AB);
        prop_assert!((overlap.total.volume - cells).abs() <= 1e-13 * cells);
        prop_assert_eq!(overlap.components.len(), usize::from(cells > 0.0));
        prop_assert_eq!(violation(&a, &b, &X_AB, overlap), None);
    }

    /// From grains of sand to houses, and far off centre: nothing is tuned to
    /// the size of a hand.
    #[test]
    fn any_size_and_place(exponent in -20..=20_i32, seed in any::<u64>(), far in 0..=10_i32) {
        let mut rng = Rng::new(seed);
        let scale = 2.0_f64.powi(exponent);
        let shift = Pose::from_translation(scale * 2.0_f64.powi(far) * rng.direction());
        let a = closed(cuboid(DVec3::new(1.0, 2.0, 3.0)).transformed(scale, &shift));
        let b = closed(icosphere(1.0, 1).transformed(scale, &shift));
        let local = Pose { R: rng.rotation(), p: scale * rng.in_cube(2.0) };
        let X_AB = shift.compose(&local).compose(&shift.inverse());
        let mut kernel = OverlapKernel::new();
        let overlap = kernel.overlap_with_facets(&a, &b, &X_AB);
        prop_assert_eq!(violation(&a, &b, &X_AB, overlap), None);
        let exact = exact_overlap(&a, &b, &X_AB);
        let extent = shift.p.length() + 4.0 * scale;
        let area = overlap.total.surfaces[0].area + overlap.total.surfaces[1].area;
        let allowed = tolerance::VOLUME * exact.volume + tolerance::pose_rounding(extent) * area;
        let error = (overlap.total.volume - exact.volume).abs();
        prop_assert!(error <= allowed, "off by {:e}, allowed {:e}", error, allowed);
    }
}
