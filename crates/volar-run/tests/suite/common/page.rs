//! Tables in `docs` that tests hold to what they measure.

use std::path::PathBuf;
use std::sync::Mutex;

/// Set, tests write their tables into the page instead of comparing.
const WRITE: &str = "VOLAR_WRITE_TABLES";

/// Tests run at the same time; one that reads the page between another's read and
/// write would undo it.
static PAGE: Mutex<()> = Mutex::new(());

/// Whether what was measured replaces what is recorded.
pub fn writes_tables() -> bool {
    std::env::var_os(WRITE).is_some()
}

fn page(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.join("../../docs").join(name)
}

/// Compares a table with the part of a page, such as `grasps.md`, between `<!-- table NAME -->` and
/// `<!-- end of table -->`: words must be the same, numbers may differ by one and
/// a half in their last digit, for machines round differently.
pub fn check(file: &str, name: &str, table: &str) {
    // A table that was not as measured is no reason to fail for the others.
    let _alone = PAGE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let text = std::fs::read_to_string(page(file)).unwrap();
    let begin = format!("<!-- table {name} -->");
    let end = "<!-- end of table -->";
    let (before, rest) = text.split_once(&begin).expect("the page has the table");
    let (found, after) = rest.split_once(end).expect("the table has an end");
    if writes_tables() {
        let new = format!("{before}{begin}\n\n{}\n\n{end}{after}", table.trim());
        std::fs::write(page(file), new).unwrap();
        return;
    }
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let (expected, found) = (words(table), words(found));
    let differ = expected.iter().zip(&found).find(|(a, b)| !same(a, b));
    assert!(
        expected.len() == found.len() && differ.is_none(),
        "docs/{file}, table {name}: {differ:?} (measured, page); if that is right, run this test with {WRITE}=1"
    );
}

fn same(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => {
            let digits = |text: &str| text.split_once('.').map_or(0, |(_, d)| d.len());
            let unit = 10.0_f64.powi(-(digits(a).min(digits(b)) as i32));
            (x - y).abs() <= 1.5 * unit
        }
        _ => a == b,
    }
}
