use serde_json::json;
use volar_record::{GraspFrame, GraspHeader};

use super::*;
use crate::sample;

const PAGE: Page = Page {
    script: "const closing = '</script>';",
    style: "body { margin: 0 }",
};

fn info() -> RunInfo {
    RunInfo {
        summary: json!({ "held": false, "failure": { "kind": "dropped", "what": "slipped <out>", "time_s": 1.0 }, "drift_mm": 1.5 }),
        scene_toml: "name = \"</script>\"".into(),
        origin: Origin::here("volar run scene.toml".into()),
    }
}

fn written(page: Option<Page>, info: &RunInfo) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    write_with(
        page,
        dir.path(),
        info,
        &sample::header(),
        &sample::frames(300),
    )
    .unwrap();
    let html = fs::read_to_string(dir.path().join("report.html")).unwrap();
    (dir, html)
}

#[test]
fn a_report_is_one_file_that_no_data_can_break_out_of() {
    let (_dir, html) = written(Some(PAGE), &info());
    assert!(!html.contains("<script>alert"), "the scene's name is data");
    assert_eq!(html.matches("</script>").count(), 4, "one end per script");
    for address in ["http://", "https://", "src=", "href=\"/"] {
        assert!(!html.contains(address), "nothing is fetched: {address}");
    }
    assert!(html.contains("volar-meta") && html.contains("volar-frames"));
}

#[test]
fn plots_are_written_as_svg_and_png() {
    let (dir, _) = written(Some(PAGE), &info());
    for plot in [
        "normal-force",
        "friction-force",
        "drift",
        "energies",
        "step",
        "overlap-volume",
    ] {
        let path = dir.path().join("plots").join(plot);
        let svg = fs::read_to_string(path.with_extension("svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("stroke-linejoin"), "{plot} has a line");
        let png = fs::read(path.with_extension("png")).unwrap();
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    }
    let forces = fs::read_to_string(dir.path().join("plots/normal-force.svg")).unwrap();
    assert!(forces.contains("transient") && forces.contains("steady state"));
    assert!(!forces.contains(">palm<"), "what never touches has no line");
}

#[test]
fn without_the_page_a_report_has_still_plots() {
    let (_dir, html) = written(None, &info());
    assert!(html.contains("<svg") && html.contains("Contact normal force"));
    assert!(html.contains("failed: slipped &lt;out&gt;"));
    assert!(html.contains("volar run scene.toml") && html.contains("Node.js"));
    assert!(!html.contains("<script"), "it needs no program");
    assert!(html.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let header = sample::header();
    let refused = |info: &RunInfo, frames: &[Frame]| {
        write_with(Some(PAGE), dir.path(), info, &header, frames).unwrap_err()
    };
    assert!(matches!(refused(&info(), &[]), ReportError::NoFrames));
    let mut frames = sample::frames(3);
    frames[2].bodies.pop();
    assert!(matches!(
        refused(&info(), &frames),
        ReportError::WrongFrame { frame: 2, .. }
    ));
    let frames = sample::frames(3);
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let failed = write_with(None, &file, &info(), &header, &frames).unwrap_err();
    assert!(failed.to_string().contains("file"), "{failed}");
}

#[test]
fn long_runs_are_thinned_out_but_keep_their_peaks_and_their_end() {
    let (header, mut frames) = (sample::header(), sample::frames(20_000));
    frames[12_345].contacts[2].normal_force = 300.0;
    let prepared = Prepared::new(&header, &frames).unwrap();
    let kept = &prepared.frames;
    assert!((1400..=2000).contains(&kept.len()), "{}", kept.len());
    for must in [0, 12_345, 19_999] {
        assert!(
            kept.iter().any(|f| std::ptr::eq(*f, &frames[must])),
            "{must}"
        );
    }
    assert!(kept.is_sorted_by(|a, b| a.time < b.time));
    // What was thinned out during the run is left as it is.
    let again: Vec<Frame> = kept.iter().map(|frame| (*frame).clone()).collect();
    assert_eq!(
        Prepared::new(&header, &again).unwrap().times(),
        prepared.times()
    );
}

#[test]
fn a_run_of_one_frame_and_one_without_numbers_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let mut frame = sample::frame(0.0);
    write_with(
        Some(PAGE),
        dir.path(),
        &info(),
        &sample::header(),
        &[frame.clone()],
    )
    .unwrap();
    frame.energies.kinetic = f64::NAN;
    frame.bodies[3].position.x = f64::INFINITY;
    frame.contacts.clear();
    write_with(
        Some(PAGE),
        dir.path(),
        &info(),
        &sample::header(),
        &[frame.clone(), frame],
    )
    .unwrap();
    write_with(
        None,
        dir.path(),
        &RunInfo::default(),
        &Header::default(),
        &[Frame::default()],
    )
    .unwrap();
}

#[test]
fn the_ratio_of_energies_is_left_out_where_nothing_is_expected() {
    let (mut header, mut frames) = (sample::header(), sample::frames(3));
    header.grasp = Some(GraspHeader {
        energy_from: Some(0.0),
        ..GraspHeader::default()
    });
    for (frame, [found, expected]) in frames.iter_mut().zip([[1e-9, 0.0], [1.0, 2.0], [3.0, 2.0]]) {
        frame.grasp = Some(GraspFrame {
            kinetic_energy: found,
            expected_kinetic_energy: expected,
            ..GraspFrame::default()
        });
    }
    let prepared = Prepared::new(&header, &frames).unwrap();
    let plots = &prepared.channels.plots;
    let ratio = plots
        .iter()
        .find(|p| p.id == "kinetic-energy-ratio")
        .unwrap();
    let at = |frame: usize| prepared.values[frame][ratio.series[0].channel];
    assert!(at(0).is_nan());
    assert!((at(1) - 0.5).abs() < 1e-12 && (at(2) - 1.5).abs() < 1e-12);
}
