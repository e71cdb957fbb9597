//! Held or not: the one definition, for the whole run and for each of its phases.

use serde::{Deserialize, Serialize};
use volar_record::GraspFrame;
use volar_record::figures::Drift;
use volar_scene::spec::{GraspSection, PhaseEntry};

use crate::summary::{FailureKind, PhaseSummary};

/// Slower than this in the last second, the object is at rest, m/s: 1 mm/s ...
pub const AT_REST: f64 = 1.0e-3;
/// ... and rad/s: the same at 30 mm from the middle.
pub const AT_REST_TURNING: f64 = AT_REST / 0.03;
/// Faster than this share of these it is worth a word.
const WORTH_A_WORD: f64 = 1.0e-2;
/// Turned by more than this in a phase it is worth a word: 10°.
const TURNED: f64 = 0.175;
/// With less of the friction limit left, the object is at it.
const AT_THE_LIMIT: f64 = 1.0e-2;

/// The object seen from the palm at some time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub time: f64,
    pub grasp: GraspFrame,
}

/// When an object counts as held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Criteria {
    within: f64,
    angle: f64,
    by: usize,
    /// Motion counts in a last second that begins after this, s; never where none.
    from: Option<f64>,
}

impl Criteria {
    /// Of the whole run.
    pub fn of(section: &GraspSection) -> Criteria {
        Criteria {
            within: section.held_within,
            angle: section.held_angle_deg.to_radians(),
            by: section.held_by,
            from: Some(section.from),
        }
    }

    /// Of a phase: its own, else those of the run.
    pub fn of_phase(section: &GraspSection, phase: &PhaseEntry) -> Criteria {
        let run = Criteria::of(section);
        Criteria {
            within: phase.held_within.unwrap_or(run.within),
            angle: phase.held_angle_deg.map_or(run.angle, f64::to_radians),
            by: phase.held_by.unwrap_or(run.by),
            from: (!phase.may_move).then_some(phase.from),
        }
    }
}

/// A stretch of a run and what became of the object in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stretch {
    /// Where the object was when it began, when its last second began, and now.
    pub first: Option<Seen>,
    pub last_second: Option<Seen>,
    pub now: Option<Seen>,
    /// Fingers that carry load now.
    pub loaded_fingers: usize,
    /// When one last did, s.
    #[serde(default)]
    pub last_loaded: Option<f64>,
    /// Least friction margin in the last second.
    pub margin: Option<f64>,
}

impl Stretch {
    /// How far the object has come since the stretch began.
    pub fn drift(&self) -> Option<Drift> {
        let (first, now) = (self.first?, self.now?);
        Some(now.grasp.drift_since(&first.grasp))
    }

    /// Its speed in the last second, m/s and rad/s.
    pub fn creep(&self) -> Option<(f64, f64)> {
        let (from, now) = (self.last_second?, self.now?);
        // What there was of it: a run may be shorter than a second.
        let second = now.time - from.time;
        let drift = now.grasp.drift_since(&from.grasp);
        (second > 0.0).then(|| (drift.distance / second, drift.rotation / second))
    }

    /// Whether the object was held; none before the stretch began.
    pub fn verdict(&self, criteria: &Criteria) -> Option<Verdict> {
        let drift = self.drift()?;
        // A run that is all closing does not tell.
        let counts = |seen: &Seen| criteria.from.is_some_and(|from| seen.time >= from);
        let last_second = self.last_second.filter(counts);
        let creep = last_second.and_then(|_| self.creep());
        let (speed, turning) = creep.unwrap_or((0.0, 0.0));
        let not = |kind, words: String| Verdict {
            failure: Some(kind),
            words: format!("not held: {words}"),
        };
        Some(if drift.distance > criteria.within {
            not(FailureKind::Dropped, self.lost(&drift))
        } else if drift.rotation > criteria.angle {
            let turned = drift.rotation.to_degrees();
            not(
                FailureKind::Turned,
                format!("the object turned by {turned:.0}°"),
            )
        } else if self.loaded_fingers < criteria.by {
            let words = format!("only {} fingers carry load", self.loaded_fingers);
            not(FailureKind::TooFewFingers, words)
        } else if speed > AT_REST || turning > AT_REST_TURNING {
            not(FailureKind::Moving, moving(speed, turning))
        } else {
            let mut words = "held".to_owned();
            if speed > WORTH_A_WORD * AT_REST || turning > WORTH_A_WORD * AT_REST_TURNING {
                words += &format!(", but {}", moving(speed, turning));
            }
            if drift.rotation > TURNED {
                words += &format!(", turned by {:.0}°", drift.rotation.to_degrees());
            }
            if self.margin.is_some_and(|margin| margin < AT_THE_LIMIT) {
                words += ", at the friction limit";
            }
            Verdict {
                failure: None,
                words,
            }
        })
    }

    /// What became of an object that is not where it was, in words.
    fn lost(&self, drift: &Drift) -> String {
        match (self.loaded_fingers, self.last_loaded) {
            (0, None) => "no finger touched the object".into(),
            (0, Some(time)) => format!("the object left the hand at {time:.2} s"),
            _ => {
                let moved = 1.0e3 * drift.distance;
                format!("the object is {moved:.1} mm from where it was")
            }
        }
    }

    /// The same as an entry of the summary.
    pub fn summary(&self, name: &str, criteria: &Criteria) -> PhaseSummary {
        let verdict = self.verdict(criteria);
        let drift = self.drift();
        PhaseSummary {
            name: name.into(),
            held: verdict.as_ref().map(|verdict| verdict.failure.is_none()),
            verdict: verdict.map_or_else(|| "not reached".into(), |verdict| verdict.words),
            drift_mm: drift.map(|drift| 1.0e3 * drift.distance),
            rotation_deg: drift.map(|drift| drift.rotation.to_degrees()),
            friction_margin: self.margin,
        }
    }
}

/// Held or not, in words.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// None when held.
    pub failure: Option<FailureKind>,
    pub words: String,
}

fn moving(speed: f64, turning: f64) -> String {
    let mm = 1.0e3 * speed;
    let deg = turning.to_degrees();
    format!("it still moves, by {mm:.2} mm/s and {deg:.2}°/s")
}
