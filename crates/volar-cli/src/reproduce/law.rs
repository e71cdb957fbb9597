//! The terms of the paper's law, one by one: with and without them, as printed and as read.

use std::sync::atomic::AtomicBool;

use super::report::{Claim, Section, Verdict};
use super::scene;
use crate::compare::{Compared, Row, Series, ours, text};
use crate::terminal::note;

/// Grasps in which the fingers meet the object at the same time.
const SCENES: [&str; 3] = ["g2p-cube", "g2p-sphere", "g2r-sphere"];
const PAPER: [&str; 2] = ["contact.law=\"paper\"", "duration=3.0"];

/// Names of the variants and what they change, in the order of the rows of a scene.
const VARIANTS: [(&str, &[&str]); 7] = [
    ("our readings", &[]),
    ("no gain on contact", &["contact.paper.impact_gain=0.0"]),
    (
        "gain as printed",
        &[
            "contact.paper.printed_gain=true",
            "contact.paper.printed_pulse=true",
        ],
    ),
    (
        "direction as printed",
        &["contact.paper.printed_direction=true"],
    ),
    ("no damping", &["contact.paper.damping=0.0"]),
    (
        "rate filter at 2e4 rad/s",
        &["contact.paper.filter_frequency.fixed=2e4"],
    ),
    (
        "friction as printed",
        &[
            "contact.slope=1.0",
            "materials.pad.friction=0.2",
            "materials.hard.friction=0.2",
            "materials.pad.viscous_friction=0.1",
            "materials.hard.viscous_friction=0.1",
        ],
    ),
];
/// How runs end whose forces jump.
const NO_STEP: &str = "no step is small enough";
const READ: usize = 0;
const NO_GAIN: usize = 1;
const PRINTED_GAIN: usize = 2;
const PRINTED_DIRECTION: usize = 3;
const NO_DAMPING: usize = 4;
const SLOW_FILTER: usize = 5;
const PRINTED_FRICTION: usize = 6;

/// The paper's integrator, for as long as is affordable in the short version.
const EXPLICIT: [&str; 3] = [
    "contact.law=\"paper\"",
    "integrator.method=\"rk45\"",
    "duration=0.1",
];

pub fn run(stopped: &AtomicBool) -> anyhow::Result<Section> {
    let mut section = Section {
        name: "law",
        title: "The terms of the law",
        text: "Three seconds with the paper's law and the integrator `implicit`, our readings but \
               for what is named. Velocities are aligned when the depth grows at less than a tenth \
               of the fastest rate so far. Last rows: a tenth of a second with the paper's \
               integrator."
            .into(),
        heads: vec![
            "scene",
            "variant",
            "held",
            "greatest depth (mm)",
            "velocities aligned after (µs)",
            "depth at the end (mm)",
            "force varies by (N)",
            "evaluations",
            "processor (s)",
        ],
        rows: Vec::new(),
        figures: Vec::new(),
        claims: Vec::new(),
    };
    let mut all: Vec<Vec<Seen>> = Vec::new();
    for name in SCENES {
        note(format!("terms of the law in {name} …"));
        let mut seen = Vec::new();
        for (variant, changes) in VARIANTS {
            let scene = Compared::new(scene(name, &[&PAPER, changes].concat())?)?;
            seen.push(Seen::of(ours::run(&scene, variant, stopped)?));
        }
        section
            .rows
            .extend(seen.iter().map(|seen| seen.cells(name)));
        all.push(seen);
    }
    let mut explicit = Vec::new();
    for name in SCENES {
        note(format!("the paper's integrator in {name} …"));
        let scene = Compared::new(scene(name, &EXPLICIT)?)?;
        explicit.push(Seen::of(ours::run(&scene, "integrator rk45", stopped)?));
    }
    let rows = explicit.iter().zip(SCENES);
    section
        .rows
        .extend(rows.map(|(seen, name)| seen.cells(name)));
    section.claims = claims(&all);
    section.claims.push(cost(&all, &explicit));
    Ok(section)
}

/// What is read off a run.
struct Seen {
    row: Row,
    /// Time from first contact until the velocities are aligned, s.
    aligned_s: Option<f64>,
    /// Of the last sight, m; none where the object is gone.
    last_depth: Option<f64>,
}

impl Seen {
    fn of(row: Row) -> Seen {
        let last_depth = row.series.depth.last().copied().flatten();
        Seen {
            aligned_s: aligned(&row.series),
            last_depth: last_depth.filter(|depth| *depth > 0.0),
            row,
        }
    }

    fn kept(&self) -> bool {
        let held = self.row.summary.as_ref().and_then(|summary| summary.held);
        self.row.lost_at_s.is_none() && held == Some(true)
    }

    fn depth_mm(&self) -> f64 {
        let summary = self.row.summary.as_ref();
        summary.map_or(f64::NAN, |summary| summary.max_depth_mm)
    }

    /// Over the last second, if that is after the impact.
    fn varies_n(&self) -> Option<f64> {
        let summary = self.row.summary.as_ref()?;
        summary.force_std_n.filter(|_| summary.duration_s > 2.0)
    }

    /// What went wrong, in a few words.
    fn end(&self) -> String {
        let failure = self.row.summary.as_ref().and_then(|s| s.failure.as_ref());
        let what = failure.map_or_else(String::new, |f| match f.what.contains("too inaccurate") {
            true => format!("{NO_STEP} after {:.3} s", f.time_s),
            false => f.what.clone(),
        });
        match (self.kept(), what.is_empty()) {
            (true, _) => "yes".into(),
            (false, true) => "no".into(),
            (false, false) => format!("no: {what}"),
        }
    }

    fn cells(&self, scene: &str) -> Vec<String> {
        let figure = |value: Option<f64>| value.map_or("–".into(), text::short);
        let evaluations = self.row.summary.as_ref().map(|s| s.evaluations);
        vec![
            scene.into(),
            self.row.setting.clone(),
            self.end(),
            text::short(self.depth_mm()),
            figure(self.aligned_s.map(|s| 1e6 * s)),
            figure(self.last_depth.map(|depth| 1e3 * depth)),
            figure(self.varies_n().filter(|_| self.kept())),
            evaluations.map_or("–".into(), |n| n.to_string()),
            figure(self.row.processor_s),
        ]
    }
}

/// Time from first contact until the depth grows at less than a tenth of the fastest rate yet.
fn aligned(series: &Series) -> Option<f64> {
    let depth = |i: usize| series.depth.get(i).copied().flatten().unwrap_or(0.0);
    let first = (0..series.time.len()).find(|i| depth(*i) > 0.0)?;
    let mut fastest: f64 = 0.0;
    for i in first..series.time.len() {
        let (before, was) = match i {
            0 => return None,
            _ => (series.time[i - 1], depth(i - 1)),
        };
        let rate = (depth(i) - was) / (series.time[i] - before).max(f64::MIN_POSITIVE);
        if i > first && rate < 0.1 * fastest {
            return Some(series.time[i] - series.time[first]);
        }
        fastest = fastest.max(rate);
    }
    None
}

/// A figure of two variants in each scene: "g2p-cube 0.1 against 0.2, …".
fn beside(all: &[Vec<Seen>], a: usize, b: usize, figure: impl Fn(&Seen) -> Option<f64>) -> String {
    let shown = |seen: &Seen| figure(seen).map_or("–".into(), text::short);
    let each = all.iter().zip(SCENES);
    let each = each.map(|(seen, name)| format!("{name} {} / {}", shown(&seen[a]), shown(&seen[b])));
    each.collect::<Vec<_>>().join(", ")
}

fn kept(all: &[Vec<Seen>], which: usize) -> usize {
    all.iter().filter(|seen| seen[which].kept()).count()
}

/// In how many scenes the figure of the first variant is less than so many times the other's.
fn less(
    all: &[Vec<Seen>],
    (a, b): (usize, usize),
    factor: f64,
    figure: impl Fn(&Seen) -> Option<f64>,
) -> usize {
    let below = |seen: &&Vec<Seen>| match (figure(&seen[a]), figure(&seen[b])) {
        (Some(x), Some(y)) => x < factor * y,
        _ => false,
    };
    all.iter().filter(below).count()
}

fn by_count(confirmed: usize) -> Verdict {
    match confirmed {
        n if n == SCENES.len() => Verdict::Confirmed,
        0 => Verdict::NotConfirmed,
        _ => Verdict::Partly,
    }
}

fn claims(all: &[Vec<Seen>]) -> Vec<Claim> {
    let of = SCENES.len();
    let depth = |seen: &Seen| Some(seen.depth_mm());
    let pair = (READ, NO_GAIN);
    let shallower = less(all, pair, 0.95, depth);
    let faster = less(all, pair, 0.8, |seen| seen.aligned_s);
    let (calm, damped) = (
        kept(all, NO_DAMPING),
        less(all, (READ, NO_DAMPING), 0.5, Seen::varies_n) + of - kept(all, NO_DAMPING),
    );
    vec![
        Claim {
            says: "the transient gain aligns the velocities at the contact substantially faster",
            measured: format!(
                "with / without the gain, µs: {}",
                beside(all, READ, NO_GAIN, |seen| Some(1e6 * seen.aligned_s?))
            ),
            verdict: by_count(faster),
        },
        Claim {
            says: "the transient gain reduces the overall overlap",
            measured: format!(
                "greatest depth with / without, mm: {}",
                beside(all, READ, NO_GAIN, depth)
            ),
            verdict: by_count(shallower),
        },
        Claim {
            says: "the reaction effort is δᵢ (g₁ v + g₂ v̇) (equation 6)",
            measured: format!(
                "as printed, a pulse that ends multiplies all of it: {} of {of} objects are kept \
                 for 3 s, the fingers sink in by up to {} mm; with 1 + δᵢ {} of {of}",
                kept(all, PRINTED_GAIN),
                text::short(
                    all.iter()
                        .map(|s| s[PRINTED_GAIN].depth_mm())
                        .fold(0.0, f64::max)
                ),
                kept(all, READ)
            ),
            verdict: by_count(kept(all, PRINTED_GAIN)),
        },
        Claim {
            says: "the direction, a sum over the triangles of the overlap, makes bodies separate; \
                   its efficacy is illustrated",
            measured: format!(
                "as printed {} of {of} objects are kept, and for {} no step is small enough: the \
                 direction jumps (paper-law.md, reading 13); against the area vector of the overlap \
                 {} of {of} are kept",
                kept(all, PRINTED_DIRECTION),
                all.iter()
                    .filter(|seen| seen[PRINTED_DIRECTION].end().contains(NO_STEP))
                    .count(),
                kept(all, READ)
            ),
            verdict: by_count(kept(all, PRINTED_DIRECTION)),
        },
        Claim {
            says: "damping in the impedance removes the oscillations of penalty methods",
            measured: format!(
                "without g₂ {calm} of {of} objects are kept; force varies in the last second with \
                 / without g₂, N: {}",
                beside(all, READ, NO_DAMPING, Seen::varies_n)
            ),
            verdict: by_count(damped.min(of)),
        },
        Claim {
            says: "a second-order low-pass of the volume gives its rate",
            measured: format!(
                "the filter must be fast (paper-law.md, reading 4), and no frequency is printed: at \
                 2e4 rad/s {} of {of} objects are kept, at twice the bound {}",
                kept(all, SLOW_FILTER),
                kept(all, READ)
            ),
            verdict: match (kept(all, READ) == of, kept(all, SLOW_FILTER) == of) {
                (true, true) => Verdict::Confirmed,
                (true, false) => Verdict::Partly,
                _ => Verdict::NotConfirmed,
            },
        },
        Claim {
            says: "μ = β = 0.2, γ = 1 hold the objects",
            measured: format!(
                "in SI units, γ = 1 s/m, {} of {of} objects are kept for 3 s: the friction carries \
                 the weight only while the object slides; with γ = 1 s/mm and the scenes' μ = 0.8 {}",
                kept(all, PRINTED_FRICTION),
                kept(all, READ)
            ),
            verdict: by_count(kept(all, PRINTED_FRICTION)),
        },
        Claim {
            says: "the overlap remains a transient occurrence",
            measured: format!(
                "a penalty needs overlap to push, and keeps it; depth at the end / greatest, mm: {}",
                depths(all)
            ),
            verdict: by_count(all.iter().filter(|s| s[READ].last_depth.is_none()).count()),
        },
    ]
}

/// Depth at the end and greatest depth with our readings, mm.
fn depths(all: &[Vec<Seen>]) -> String {
    let each = all.iter().zip(SCENES).map(|(seen, name)| {
        let read = &seen[READ];
        let last = read.last_depth.map_or("–".into(), |d| text::short(1e3 * d));
        format!("{name} {last} / {}", text::short(read.depth_mm()))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn cost(all: &[Vec<Seen>], explicit: &[Seen]) -> Claim {
    let speed = |seen: &Seen| seen.row.real_time_factor;
    let each = |seen: &Seen| {
        let evaluations = seen.row.summary.as_ref()?.evaluations;
        Some(1e6 * seen.row.processor_s? / evaluations.max(1) as f64)
    };
    let range = |values: Vec<f64>| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        format!("{} to {}", text::short(least), text::short(most))
    };
    let evaluation: Vec<f64> = explicit.iter().filter_map(each).collect();
    let slow: Vec<f64> = explicit.iter().filter_map(speed).collect();
    let quick: Vec<f64> = all.iter().filter_map(|seen| speed(&seen[READ])).collect();
    let fast = slow.iter().all(|speed| *speed >= 1.0);
    Claim {
        says: "the overlap is assessed by a simple, computationally inexpensive method",
        measured: format!(
            "an evaluation of overlaps, forces and dynamics takes {} µs here (libigl's Boolean, \
             which the paper uses: performance.md); the law is stiff: {} × real time with `rk45` \
             during the first 0.1 s, {} × with `implicit`",
            range(evaluation),
            range(slow),
            range(quick)
        ),
        verdict: match fast {
            true => Verdict::Confirmed,
            false => Verdict::Partly,
        },
    }
}
