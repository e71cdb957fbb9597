//! The worker: makes inputs, hands them to their readers and says what came of it.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::corpus::Corpus;
use crate::mutate::{Random, mutated};
use crate::targets::Target;

/// Hands inputs of a kind to their reader, and writes a line before and after each.
pub fn work(kind: &str, first: u64, count: u64) -> Result<()> {
    let target = Target::named(kind).with_context(|| format!("no kind `{kind}`"))?;
    let corpus = Corpus::of(target)?;
    std::panic::set_hook(Box::new(|_| ()));
    let mut out = std::io::stdout().lock();
    for number in first..first + count {
        writeln!(out, "begin {kind} {number}")?;
        out.flush()?;
        let input = input(&corpus, kind, number);
        let clock = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| target.read(&input)));
        let took = clock.elapsed().as_secs_f64();
        match outcome {
            Ok(accepted) => writeln!(
                out,
                "end {kind} {number} {took:.3} {} {}",
                peak_kilobytes(),
                u8::from(accepted)
            )?,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                let text = text.unwrap_or("a panic without words").replace('\n', " ");
                writeln!(out, "panic {kind} {number} {text}")?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

/// Writes an input to stdout.
pub fn show(kind: &str, number: u64) -> Result<()> {
    let target = Target::named(kind).with_context(|| format!("no kind `{kind}`"))?;
    let corpus = Corpus::of(target)?;
    std::io::stdout().write_all(&input(&corpus, kind, number))?;
    Ok(())
}

/// The first inputs are the corpus as it is, the rest are mutations.
fn input(corpus: &Corpus, kind: &str, number: u64) -> Vec<u8> {
    let files = corpus.files();
    if let Some(file) = usize::try_from(number).ok().and_then(|n| files.get(n)) {
        return file.to_vec();
    }
    let salt = kind
        .bytes()
        .fold(0, |sum: u64, b| sum.wrapping_mul(31) + u64::from(b));
    let mut random = Random::new(number.wrapping_add(salt << 32));
    let start = *random.pick(&files);
    mutated(start, &files, &mut random)
}

/// Most memory that this process has had, kB; 0 where the system does not say.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    number.unwrap_or(0)
}
