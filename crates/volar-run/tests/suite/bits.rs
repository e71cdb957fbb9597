//! The same bits on every machine: a hash of the final state of each built-in
//! scene, against the one recorded when it last changed on purpose.

use std::fmt::Write as _;
use std::path::Path;

use crate::common::{page, scene};
use volar_run::{Options, execute};
use volar_scene::builtin;

/// FNV-1a over the bits of numbers [Fowler, Noll & Vo].
fn hash<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> u64 {
    let bytes = numbers.into_iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn final_states_have_the_recorded_bits() {
    let mut found = String::new();
    for builtin in builtin::all() {
        let outcome = execute(&scene(&builtin.name, &[]), &Options::default(), &mut []).unwrap();
        let state = outcome.run.simulation().state();
        let bits = hash(std::iter::once(&state.time).chain(&state.q).chain(&state.v));
        writeln!(found, "{} {bits:016x}", builtin.name).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/final_states.txt");
    if page::writes_tables() {
        std::fs::write(&path, &found).unwrap();
    }
    let recorded = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        found, recorded,
        "if the change is meant, run this test with VOLAR_WRITE_TABLES=1"
    );
}
