use volar_record::{Frame, GraspHeader, Role};

use super::*;
use crate::sample;
use volar_sim::BodyId;

fn value(channels: &Channels, values: &[f64], plot: &str, label: &str) -> f64 {
    let plot = channels.plots.iter().find(|p| p.id == plot).unwrap();
    let series = plot.series.iter().find(|s| s.label == label).unwrap();
    values[series.channel]
}

#[test]
fn forces_are_summed_by_finger_and_volumes_by_pair() {
    let channels = Channels::new(&sample::header());
    let frame = sample::frame(10.0);
    let mut baseline = Baseline::new(&sample::header());
    channels.values(&mut baseline, &sample::frame(0.0));
    let values = channels.values(&mut baseline, &frame);
    assert_eq!(values.len(), channels.count);
    let at = |plot: &str, label: &str| value(&channels, &values, plot, label);
    assert!((at("normal-force", "left") - 20.0).abs() < 1e-9);
    assert!((at("normal-force", "right") - 10.0).abs() < 1e-9);
    assert!((at("friction-force", "left") - 2.0).abs() < 1e-9);
    assert!(
        (at("overlap-volume", "left") - 4.0).abs() < 1e-9,
        "mm³, once"
    );
    assert!((at("overlap-depth", "left") - 0.01).abs() < 1e-12);
    assert!(
        at("friction-margin", "palm").is_nan(),
        "nothing touches the palm"
    );
    assert!((at("drift", "drift") - 10.0).abs() < 1e-9, "mm");
    assert!(at("rotation", "rotation").abs() < 1e-12);
    assert!((at("joint-slides", "slide") - 10.0).abs() < 1e-9, "mm");
    assert!((at("joint-forces", "slide") - 10.0).abs() < 1e-9);
    assert!((at("sensors-1", "tip force") - 3.0).abs() < 1e-9, "by unit");
    assert!((at("sensors-2", "wrist torque") - 2.0).abs() < 1e-9);
    assert!(at("energies", "potential").abs() < 1e-9, "since the start");
}

#[test]
fn the_transient_ends_when_forces_are_steady() {
    let channels = Channels::new(&sample::header());
    let end = |frames: &[Frame]| channels.transient_end(&frames.iter().collect::<Vec<_>>());
    let steady = end(&sample::frames(1000)).unwrap();
    // 90 e^(-t/20 ms) twice on the left is within 5 % of 20 N at 104 ms.
    assert!((0.104..0.17).contains(&steady), "{steady}");
    // Nothing is steady in the first 50 ms.
    assert_eq!(end(&sample::frames(50)), None);
    let mut apart = sample::frames(10);
    apart.iter_mut().for_each(|frame| frame.contacts.clear());
    assert_eq!(end(&apart), None);
}

#[test]
fn drift_is_counted_from_the_time_of_the_scene() {
    let mut header = sample::header();
    header.grasp = Some(GraspHeader {
        drift_from: 1.0,
        ..GraspHeader::default()
    });
    let channels = Channels::new(&header);
    let mut baseline = Baseline::new(&header);
    let mut drift = |time| {
        let values = channels.values(&mut baseline, &sample::frame(time));
        value(&channels, &values, "drift", "drift")
    };
    assert!(drift(0.5).is_nan(), "not counted yet");
    assert!(drift(1.0).abs() < 1e-12);
    assert!((drift(3.0) - 2.0).abs() < 1e-9, "mm");
}

#[test]
fn what_fingers_do_to_each_other_is_no_force_on_the_object() {
    let channels = Channels::new(&sample::header());
    let mut frame = sample::frame(10.0);
    frame.contacts[2].b = BodyId::new(1);
    let values = channels.values(&mut Baseline::new(&sample::header()), &frame);
    assert!(value(&channels, &values, "normal-force", "right").abs() < 1e-12);
    let mut header = sample::header();
    header.bodies[3].role = Role::Other;
    let channels = Channels::new(&header);
    let values = channels.values(&mut Baseline::new(&sample::header()), &frame);
    let right = value(&channels, &values, "normal-force", "right");
    assert!(
        (right - 10.0).abs() < 1e-9,
        "without an object all forces count"
    );
}
