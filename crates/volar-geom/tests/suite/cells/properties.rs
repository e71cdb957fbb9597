//! Whatever the solids and the pose: finite, and the areas add up.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use volar_geom::overlap::{Fields, OverlapKernel};
use volar_testkit::cases::{CASE_BYTES, Case};
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::sweep::random_approach;

fn config() -> Config {
    Config {
        cases: 1_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_116),
        ..Config::default()
    }
}

fn check(
    a: &volar_geom::ClosedMesh,
    b: &volar_geom::ClosedMesh,
    X_AB: &volar_geom::Pose,
) -> Result<(), String> {
    let mut kernel = OverlapKernel::new();
    let plain = kernel.overlap_with_facets(a, b, X_AB).clone();
    let overlap = kernel.overlap_with_cells(a, b, X_AB, Fields::BOTH);
    if overlap.total != plain.total || overlap.facets != plain.facets {
        return Err("cells change the overlap".into());
    }
    for body in 0..2 {
        let mut area = 0.0;
        for cell in &overlap.cells[body] {
            let values = [
                cell.area,
                cell.depth,
                cell.normal.length(),
                cell.separation_direction.length(),
            ];
            let finite = values
                .iter()
                .chain(&cell.second_moment)
                .all(|v| v.is_finite());
            let sound = cell.area > 0.0 && cell.depth >= 0.0 && cell.centroid.is_finite();
            if !finite || !sound {
                return Err(format!("{cell:?}"));
            }
            area += cell.area;
        }
        let facets: f64 = overlap.facets[body].iter().map(|facet| facet.area).sum();
        if (area - facets).abs() > 1e-9 * facets {
            return Err(format!("cells {area:e}, facets {facets:e}"));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn grid_solids(bytes in prop::collection::vec(any::<u8>(), CASE_BYTES)) {
        let case = Case::from_bytes(&bytes);
        prop_assert_eq!(check(&case.a, &case.b, &case.X_AB), Ok(()));
    }

    #[test]
    fn solids_of_the_corpus(first in 0..9_usize, second in 0..9_usize, seed in any::<u64>()) {
        let names = ["cube", "plate", "sphere_80", "l_block", "u_channel", "star", "torus", "pipe", "hollow"];
        let (a, b) = (solid(names[first]), solid(names[second]));
        let X_AB = random_approach(&a, &b, &mut Rng::new(seed)).X_AB;
        prop_assert_eq!(check(&a, &b, &X_AB), Ok(()));
    }
}
