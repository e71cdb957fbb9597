//! Writes `docs/accuracy.md`: how far the overlap kernel is off, measured.
//!
//! ```text
//! cargo run --release -p volar-testkit --bin accuracy
//! ```
//!
//! With `VOLAR_HAND_LINKS` set to a folder with the links of a real hand (see
//! `volar_testkit::corpus::HAND_LINKS`) they get a table too. Ends with a
//! failure when something is worse than promised.

use std::fmt::Write;
use std::process::ExitCode;

use volar_geom::overlap::OverlapKernel;
use volar_testkit::accuracy::{self, DECADES, POSES_PER_PAIR, PairAccuracy};
use volar_testkit::cases::{Case, SEEDS};
use volar_testkit::convergence::{self, MeshError};
use volar_testkit::corpus::{self, Pair};
use volar_testkit::{parallel, tolerance};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/accuracy.md");

fn main() -> ExitCode {
    match report().map(|text| std::fs::write(PATH, text)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("cannot write docs/accuracy.md: {error}");
            ExitCode::FAILURE
        }
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
    }
}

fn report() -> Result<String, String> {
    let mut text = introduction();
    let own = measure(&corpus::pairs())?;
    text += &pair_table("Random poses", &own);
    if let Some(pairs) = corpus::hand_pairs() {
        text += &pair_table("Links of a real hand", &measure(&pairs)?);
    }
    text += &depth_table(&own);
    text += &convergence_table();
    text += &grid_cases()?;
    Ok(text)
}

fn introduction() -> String {
    format!(
        "# Accuracy of the overlap kernel

<!-- Written by `cargo run --release -p volar-testkit --bin accuracy`. Do not edit. -->

Every answer is compared with an oracle in exact integer arithmetic that sums
over vertical columns and shares no step with the kernel
(`crates/volar-testkit/src/columns/`, whose header says where it is not to be
trusted). The same comparison is a test,
`crates/volar-geom/tests/suite/oracle_overlap.rs`, and fails above these bars:

| quantity | bar | relative to |
|---|---|---|
| volume | {:.0e} | volume |
| centroid | {:.0e} | how far the overlap reaches from it |
| closure of the surface, `S_A + S_B` | {:.0e} | area of the surface |

Poses are swept: B comes along a random direction until it touches A, and is
pushed on by 1 µm up to half of the smaller body, evenly in the logarithm. Half
of them are rotated at random, three in ten are flat contacts with a tilt of
1e-9 to 5e-2 rad, two in ten are flush, sides in common planes. A *sliver* is
thinner than 10 nm on average: most are flush sides that overlap by the
rounding of the pose. The pose does not determine its volume to nine digits; it
is held to the rounding of the pose instead.
",
        tolerance::VOLUME,
        tolerance::CENTROID,
        tolerance::CLOSURE,
    )
}

fn measure(pairs: &[Pair]) -> Result<Vec<PairAccuracy>, String> {
    let mut rows = Vec::new();
    for pair in pairs {
        let accuracy = accuracy::measure(pair, POSES_PER_PAIR)?;
        println!("{}", accuracy.row());
        match accuracy.shortfall() {
            Some(complaint) => return Err(complaint),
            None => rows.push(accuracy),
        }
    }
    Ok(rows)
}

fn pair_table(title: &str, rows: &[PairAccuracy]) -> String {
    let poses: usize = rows.iter().map(|row| row.poses).sum();
    let table: Vec<String> = rows.iter().map(PairAccuracy::row).collect();
    format!(
        "\n## {title}\n\n{} pairs, {poses} poses.\n\n{}\n{}\n",
        rows.len(),
        PairAccuracy::HEAD,
        table.join("\n")
    )
}

fn depth_table(rows: &[PairAccuracy]) -> String {
    let mut text = String::from(
        "
## By depth

What is left is the rounding of the pose, 1e-17 m of a decimetre, over the
depth; it shrinks as the overlap grows.

| depth | poses | worst volume error | worst centroid error |
|---|---|---|---|
",
    );
    let names = ["1–10 µm", "10–100 µm", "0.1–1 mm", "1–10 mm", "above 10 mm"];
    for (decade, name) in names.into_iter().enumerate().take(DECADES) {
        let cells = rows.iter().map(|row| row.by_depth[decade]);
        let (poses, volume, centroid) = cells.fold((0, 0.0_f64, 0.0_f64), |all, cell| {
            (all.0 + cell.0, all.1.max(cell.1), all.2.max(cell.2))
        });
        let _ = writeln!(text, "| {name} | {poses} | {volume:.1e} | {centroid:.1e} |");
    }
    text
}

fn convergence_table() -> String {
    let mut text = String::from(
        "
## Spheres

The overlap of two meshes is exact; that of the balls they stand for is
approached with order two in the length of the triangles' sides. Asserted by
`crates/volar-geom/tests/suite/closed_forms.rs`, which also holds boxes, corners and
edges to 1e-12.

| overlap | triangles per sphere | volume error | order | centroid error / radius |
|---|---|---|---|---|
",
    );
    for (name, errors) in [("cap", convergence::cap()), ("lens", convergence::lens())] {
        let volume: Vec<f64> = errors.iter().map(|e| e.volume).collect();
        let orders = convergence::orders(&volume);
        for (k, error) in errors.iter().enumerate() {
            let MeshError {
                triangles,
                volume,
                centroid,
            } = error;
            let order = match k.checked_sub(1) {
                Some(k) => format!("{:.2}", orders[k]),
                None => String::from("–"),
            };
            let row = format!("| {name} | {triangles} | {volume:.1e} | {order} | {centroid:.1e} |");
            text += &row;
            text.push('\n');
        }
    }
    text
}

fn grid_cases() -> Result<String, String> {
    let results = parallel::map_with(SEEDS, OverlapKernel::new, |kernel, seed| {
        Case::from_seed(seed as u64)
            .check(kernel)
            .map_err(|complaint| format!("seed {seed}: {complaint}"))
    });
    results.into_iter().collect::<Result<Vec<()>, String>>()?;
    Ok(format!(
        "
## Coincidences

{SEEDS} small solids on a grid, in poses that map the grid onto itself, miss it
by a few units in the last place or are rotated by a fraction: flush faces,
shared planes, edges on edges and vertices on faces are the rule. None breaks
an invariant, and every volume is that of the oracle
(`crates/volar-testkit/src/cases.rs`; `fuzz/` looks for more).
"
    ))
}
