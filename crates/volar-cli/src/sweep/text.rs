//! How far a sweep has come, in words.

use std::fmt::Write;

use volar_sweep::{Folder, Tally};

/// A name without what folders cannot have.
pub fn file_name(name: &str) -> String {
    let kept = |c: char| match c.is_alphanumeric() || "-_.".contains(c) {
        true => c,
        false => '-',
    };
    name.chars().map(kept).collect()
}

pub fn json(folder: &Folder, tally: &Tally) -> String {
    let value = serde_json::json!({
        "folder": folder.path,
        "name": folder.manifest.spec.name,
        "hash": folder.manifest.hash,
        "total": tally.total,
        "done": tally.done,
        "judged": tally.judged,
        "held": tally.held,
        "failures": tally.failures,
    });
    value.to_string()
}

pub fn tally(folder: &Folder, tally: &Tally, shard: Option<(u64, u64)>) -> String {
    let mut out = String::new();
    let name = &folder.manifest.spec.name;
    let part = shard.map_or_else(String::new, |(number, count)| {
        format!(", part {} of {count}", number + 1)
    });
    let _ = writeln!(
        out,
        "{name}{part}: {} of {} runs done",
        tally.done, tally.total
    );
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "  {name:16}{text}");
    };
    if tally.judged > 0 {
        let share = 100.0 * tally.held as f64 / tally.judged as f64;
        line("held", format!("{} ({share:.1} %)", tally.held));
    }
    let failures: Vec<String> = tally
        .failures
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    if !failures.is_empty() {
        line("failed", failures.join(", "));
    }
    line("kept in", folder.path.display().to_string());
    if tally.done < tally.total {
        line("to go on", "start the same command again".into());
    } else if shard.is_some() {
        line(
            "then",
            format!("volar sweep merge {}", folder.path.display()),
        );
    } else if folder.path.join("table.parquet").exists() {
        let file = |name: &str| folder.path.join(name).display().to_string();
        line("table", file("table.parquet"));
        line("report", file("report.html"));
    }
    out
}
