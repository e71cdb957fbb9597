//! The body of the fuzz target over a fixed set of seeds: small solids on a
//! grid, in poses that make coincidences the rule. See `volar_testkit::cases`.

use volar_geom::overlap::OverlapKernel;
use volar_testkit::cases::{Case, SEEDS};
use volar_testkit::parallel;

#[test]
fn no_case_breaks_an_invariant() {
    let results = parallel::map_with(SEEDS, OverlapKernel::new, |kernel, seed| {
        Case::from_seed(seed as u64).check(kernel)
    });
    let complaints: Vec<String> = (0..)
        .zip(results)
        .filter_map(|(seed, result): (u64, _)| Some(format!("seed {seed}: {}", result.err()?)))
        .collect();
    assert!(
        complaints.is_empty(),
        "{} of {SEEDS}, the first being\n{}",
        complaints.len(),
        complaints[..complaints.len().min(10)].join("\n")
    );
}
