//! How a run came about: what is needed to do it again, or to know why another machine
//! took longer.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// File in the folder of a run that holds it.
pub const ORIGIN_FILE: &str = "origin.json";

/// Where a run comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The command that repeats the run.
    pub command: String,
    /// Version of Volar.
    pub version: String,
    /// Commit that Volar was built from; empty where that is not known.
    pub commit: String,
    /// When the run ended, in UTC: `2026-01-31 23:59 UTC`.
    pub date: String,
    /// Processor, cores and operating system.
    pub machine: String,
}

impl Origin {
    /// Of a run that has just ended here.
    pub fn here(command: String) -> Origin {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Origin {
            command,
            version: env!("CARGO_PKG_VERSION").into(),
            commit: env!("VOLAR_COMMIT").into(),
            date: date(now.map_or(0, |now| now.as_secs())),
            machine: machine(),
        }
    }
}

impl Origin {
    /// Version, commit, date and machine in a line; what is not known is left out.
    pub fn about(&self) -> String {
        let version = format!("Volar {}", self.version);
        let commit = match self.commit.is_empty() {
            true => String::new(),
            false => format!("commit {}", self.commit),
        };
        let parts = [&version, &commit, &self.date, &self.machine];
        let known = parts.into_iter().filter(|part| !part.is_empty());
        known.map(String::as_str).collect::<Vec<_>>().join(" · ")
    }
}

/// Seconds since 1970 as date and time.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let (hour, minute) = (rest / 3600, rest % 3600 / 60);
    format!(
        "{year}-{:02}-{:02} {hour:02}:{minute:02} UTC",
        month + 1,
        day + 1
    )
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    // Only Linux says it in a file.
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map(|rest| rest.trim_start_matches([' ', '\t', ':']).trim());
    let parts = model.into_iter().map(str::to_owned);
    let rest = [format!("{cores} cores"), system];
    parts.chain(rest).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_767_225_599, "2025-12-31 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }

    #[test]
    fn a_run_knows_where_it_was_made() {
        let origin = Origin::here("volar run x".into());
        assert_eq!(origin.version, env!("CARGO_PKG_VERSION"));
        assert!(origin.machine.contains(std::env::consts::ARCH));
        assert!(origin.date.starts_with("20"));
    }
}
