//! The runs of a sweep on all cores.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::SweepError;
use crate::store::{Brief, Folder, Journal, read_records};
use crate::sweep::Sweep;
use crate::worker::RunLimits;

/// How far a sweep has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs there are, or those of the shard.
    pub total: u64,
    /// Finished.
    pub done: u64,
    /// Of these, how many held the object.
    pub held: u64,
    /// Of these, how many had an object to hold.
    pub judged: u64,
    /// Failures by kind.
    pub failures: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts a finished run.
    pub fn count(&mut self, run: &Brief) {
        self.done += 1;
        self.held += u64::from(run.held == Some(true));
        self.judged += u64::from(run.held.is_some());
        if let Some(kind) = &run.failure {
            *self.failures.entry(kind.clone()).or_default() += 1;
        }
    }
}

/// Which rows are finished, and how they ended.
#[derive(Clone, Debug)]
pub struct Done {
    rows: Range<u64>,
    bits: Vec<u64>,
    /// Counts of the rows.
    pub tally: Tally,
}

impl Done {
    /// What a folder has of some rows. Runs that a clock ended count as not done.
    pub fn read(folder: &Folder, rows: Range<u64>) -> Result<Done, SweepError> {
        let total = rows.end - rows.start;
        let words = usize::try_from(total.div_ceil(64)).unwrap_or(usize::MAX);
        let mut done = Done {
            rows,
            bits: vec![0; words],
            tally: Tally {
                total,
                ..Tally::default()
            },
        };
        for piece in folder.pieces()? {
            for run in read_records(&piece, &folder.manifest.figures)? {
                if !run.is_provisional() {
                    done.add(&run);
                }
            }
        }
        Ok(done)
    }

    fn add(&mut self, run: &Brief) {
        if self.rows.contains(&run.row) && !self.has(run.row) {
            let at = run.row - self.rows.start;
            self.bits[(at / 64) as usize] |= 1 << (at % 64);
            self.tally.count(run);
        }
    }

    /// Whether a row is finished.
    pub fn has(&self, row: u64) -> bool {
        let at = row - self.rows.start;
        self.bits[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    /// The first row from here on that is not finished.
    pub fn next_missing(&self, from: u64) -> Option<u64> {
        (from..self.rows.end).find(|row| !self.has(*row))
    }
}

/// How to run a sweep.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Threads; 0 means all cores.
    pub threads: usize,
    /// Of every run.
    pub limits: RunLimits,
    /// Which part of the sweep, of how many; all if not given.
    pub shard: Option<(u64, u64)>,
}

/// Runs whatever a folder does not have yet; tells about every finished run. Gives the
/// count at the end; less than all of them where it was stopped.
pub fn run_missing(
    sweep: &Sweep,
    folder: &Folder,
    work: &Work,
    progress: &(dyn Fn(&Tally) + Sync),
) -> Result<Tally, SweepError> {
    let (rows, writer) = match work.shard {
        Some((number, count)) => (
            sweep.plan.shard(number, count),
            format!("shard-{}-of-{count}", number + 1),
        ),
        None => (0..sweep.plan.rows(), "all".to_owned()),
    };
    let journal = Journal::open(folder, &sweep.plan, &writer)?;
    let done = Done::read(folder, rows.clone())?;
    progress(&done.tally);
    let next = AtomicU64::new(rows.start);
    let shared = Mutex::new((journal, done.tally.clone()));
    let stop = &work.limits.stop;
    let ended = pool(work.threads)?.broadcast(|_| {
        while let Some(row) = take(&next, &done) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(record) = sweep.run(row, &work.limits) else {
                break;
            };
            let brief = Brief::of(&record, &sweep.figures);
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (journal, tally) = &mut *shared;
            if let Err(error) = journal.append(record) {
                // Nothing more can be kept.
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            tally.count(&brief);
            progress(tally);
        }
        Ok(())
    });
    ended.into_iter().collect::<Result<(), SweepError>>()?;
    let (mut journal, tally) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    journal.seal()?;
    Ok(tally)
}

/// Threads that share work; 0 for as many as there are cores.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, SweepError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| SweepError::Invalid(format!("no threads: {error}")))
}

/// The next row that nobody has run or runs.
fn take(next: &AtomicU64, done: &Done) -> Option<u64> {
    loop {
        let from = next.load(Ordering::Relaxed);
        let row = done.next_missing(from)?;
        let taken = next.compare_exchange(from, row + 1, Ordering::Relaxed, Ordering::Relaxed);
        if taken.is_ok() {
            return Some(row);
        }
    }
}
