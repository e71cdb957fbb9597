//! Summary, recording, table, report and viewer say the same of a run.
//!
//! In CI of some scenes; `VOLAR_SCENES=all` makes it all built-in ones, and
//! `VOLAR_SCENES=lift-cube,row-5` those.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Float64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use volar_record::{Curves, Header, Point, Recording, SERIES_FILE};
use volar_run::{Context, Observed, Options, Recorder, Summary, ThinnedFrames, execute, header};
use volar_scene::{Scene, builtin};
use volar_view::{MAX_FRAMES, RunInfo, report};

use crate::page::{Shown, greatest};

/// Impacts of one and several fingers, a table, a shake, many bodies.
const IN_CI: [&str; 6] = [
    "g2r-bunny",
    "g3r-bunny",
    "lift-cube",
    "g2p-cube",
    "shake-cube",
    "row-5",
];

/// What the sampler promises: parts of the largest value up to the next sample.
const ERROR: f64 = 0.01;

fn scenes() -> Vec<String> {
    match std::env::var("VOLAR_SCENES").ok().as_deref() {
        None => IN_CI.map(str::to_owned).to_vec(),
        Some("all") => builtin::all().into_iter().map(|b| b.name).collect(),
        Some(list) => list.split(',').map(str::to_owned).collect(),
    }
}

/// The curves at the end of every step.
#[derive(Default)]
struct Every {
    points: Vec<Point>,
}

impl Every {
    fn look(&mut self, curves: &Curves, context: &mut Context<'_>) {
        let frame = context.frame();
        let values = curves.values(frame);
        let time = frame.time;
        if self.points.last().is_none_or(|last| time > last.time) {
            self.points.push(Point { time, values });
        }
    }
}

/// A run with everything that looks at it.
struct Seen {
    summary: Summary,
    header: Header,
    every: Every,
    thinned: ThinnedFrames,
    /// Between samples, s.
    period: f64,
}

fn run(name: &str, folder: &Path) -> Seen {
    let scene = Scene::builtin(name).unwrap();
    let setup = Arc::new(scene.compile().unwrap());
    let header = header(&setup);
    let curves = Curves::new(&header);
    let mut every = Every::default();
    let mut look = |context: &mut Context<'_>| -> Observed {
        every.look(&curves, context);
        Ok(ControlFlow::Continue(()))
    };
    let mut recorder = Recorder::new(folder);
    let mut thinned = ThinnedFrames::new(MAX_FRAMES);
    let outcome = execute(
        &setup,
        &Options::default(),
        &mut [&mut look, &mut recorder, &mut thinned],
    );
    Seen {
        summary: outcome.unwrap().summary,
        header,
        every,
        thinned,
        period: 1.0 / setup.scene.spec.record.rate,
    }
}

/// Columns of numbers of a table.
fn table(folder: &Path) -> BTreeMap<String, Vec<f64>> {
    let file = File::open(folder.join(SERIES_FILE)).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let mut columns = BTreeMap::<String, Vec<f64>>::new();
    for batch in reader.build().unwrap() {
        let batch = batch.unwrap();
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
                let all = columns.entry(field.name().clone()).or_default();
                all.extend(numbers.values());
            }
        }
    }
    columns
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

#[test]
fn every_place_has_the_same_curves_and_the_same_peaks() {
    for name in scenes() {
        let folder = tempfile::tempdir().unwrap();
        let seen = run(&name, folder.path());
        let recording = Recording::open(folder.path()).unwrap();
        let worst = departure(&seen, &recording);
        println!(
            "{name}: {:.1} N, {} steps, {} frames, {} kB, off by {:.2} % at most",
            seen.summary.max_force_n,
            seen.summary.steps,
            recording.frames.len(),
            size(folder.path()) / 1000,
            100.0 * worst
        );
        assert!(worst <= ERROR, "{name}: {worst}");
        same_peaks(&name, &seen, &recording, &table(folder.path()));
    }
}

/// How far the curves at the ends of steps are from those of the recording, in parts of
/// the largest value of their unit up to the next sample.
fn departure(seen: &Seen, recording: &Recording) -> f64 {
    let curves = Curves::new(&seen.header);
    let mut scales = curves.scales();
    let recorded: Vec<Point> = recording
        .frames
        .iter()
        .map(|frame| Point {
            time: frame.time,
            values: curves.values(frame),
        })
        .collect();
    let mut worst = 0.0_f64;
    let mut ahead = seen.every.points.iter().peekable();
    for point in &seen.every.points {
        // The scale is the largest value up to the next sample.
        while let Some(next) = ahead.next_if(|next| next.time <= point.time + seen.period) {
            scales.widen(&next.values);
        }
        let after = recorded.partition_point(|r| r.time < point.time);
        assert!(after < recorded.len(), "the last step is recorded");
        let before = after.saturating_sub(1);
        let off = scales.departure(point, &recorded[before], &recorded[after]);
        worst = worst.max(off);
    }
    worst
}

/// Size of both files of a recording, bytes.
fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|f| f.unwrap().metadata().unwrap().len()).sum()
}

fn same_peaks(name: &str, seen: &Seen, recording: &Recording, table: &BTreeMap<String, Vec<f64>>) {
    let summary = &seen.summary;
    // To the bit in both files.
    let force = most(&table["largest/normal_force"]);
    assert_eq!(force.to_bits(), summary.max_force_n.to_bits(), "{name}");
    let depth = 1.0e3 * most(&table["largest/depth"]);
    assert_eq!(depth.to_bits(), summary.max_depth_mm.to_bits(), "{name}");
    let of_frames = |curve: usize| {
        let curves = Curves::new(&recording.header);
        let values = recording.frames.iter().map(|f| curves.values(f)[curve]);
        most(&values.collect::<Vec<_>>())
    };
    assert_eq!(of_frames(0).to_bits(), force.to_bits(), "{name}");

    // The report and `volar view` of the recording are the same page.
    let info = RunInfo {
        summary: serde_json::to_value(summary).unwrap(),
        ..RunInfo::default()
    };
    let page = |frames| report::html(&info, &recording.header, frames).unwrap();
    let report = page(seen.thinned.frames());
    assert!(report == page(&recording.frames), "{name}: other pages");
    if !volar_view::Page::IS_BUILT {
        return;
    }
    let shown = Shown::new(&report);
    let single = |value: f64| value as f32;
    let peak = |plot: &str| greatest(&shown.curves(plot)[0].1);
    assert_eq!(peak("largest-force").to_bits(), single(force).to_bits());
    assert_eq!(peak("largest-depth").to_bits(), single(depth).to_bits());
    for (finger, curve) in shown.curves("normal-force") {
        if let Some(column) = table.get(&format!("normal_force/{finger}")) {
            let (page, table) = (greatest(&curve), single(most(column)));
            assert_eq!(page.to_bits(), table.to_bits(), "{name}: {finger}");
        }
    }
    same_windows(name, summary, recording, &shown);
}

/// What the summary counts from a time on ends where the plots do.
fn same_windows(name: &str, summary: &Summary, recording: &Recording, shown: &Shown) {
    let Some(grasp) = &recording.header.grasp else {
        return;
    };
    let end = grasp.until.min(summary.duration_s);
    for (plot, figure) in [
        ("drift", summary.drift_mm),
        ("rotation", summary.rotation_deg),
    ] {
        let figure = figure.unwrap();
        let at_end = f64::from(shown.at(plot, end));
        // Single precision, and where nothing moves the rounding of positions.
        assert!(
            (at_end - figure).abs() <= 1.0e-6 * figure + 1.0e-12,
            "{name}: {plot} {at_end} in the plot, {figure} in the summary"
        );
    }
    let slips = shown.curves("slip");
    let slips = slips.iter().flat_map(|(_, points)| points);
    let slip = slips.filter(|(t, v)| *t <= end && v.is_finite());
    let slip = f64::from(slip.map(|(_, v)| *v).fold(0.0, f32::max));
    let figure = summary.slip_um.unwrap();
    assert!(
        (slip - figure).abs() <= 0.01 * figure + 1.0e-6,
        "{name}: slip {slip} um in the plot, {figure} in the summary"
    );
    let margins = shown.curves("friction-margin");
    let margins = margins.iter().flat_map(|(_, points)| points);
    let last = margins.filter(|(t, v)| *t >= end - 1.0 && *t <= end && v.is_finite());
    let least = last.map(|(_, v)| f64::from(*v)).fold(1.0, f64::min);
    if let Some(figure) = summary.friction_margin {
        assert!(figure >= 0.0, "{name}: a margin of {figure}");
        assert!(
            (least - figure).abs() <= 0.01,
            "{name}: margin {least} in the plot, {figure} in the summary"
        );
    }
}
