use super::*;
use crate::sample;

fn value(channels: &Channels, values: &[f64], plot: &str, label: &str) -> f64 {
    let plot = channels.plots.iter().find(|p| p.id == plot).unwrap();
    let series = plot.series.iter().find(|s| s.label == label).unwrap();
    values[series.channel]
}

#[test]
fn forces_are_summed_by_finger_and_volumes_by_pair() {
    let channels = Channels::new(&sample::header(), false);
    let frame = sample::frame(10.0);
    let values = channels.values(&sample::frame(0.0), &frame, None);
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
    let channels = Channels::new(&sample::header(), false);
    let end = channels.transient_end(&sample::frames(1000)).unwrap();
    // 90 e^(-t/20 ms) twice on the left is within 5 % of 20 N at 104 ms.
    assert!((0.104..0.17).contains(&end), "{end}");
    // Nothing is steady in the first 50 ms.
    assert_eq!(channels.transient_end(&sample::frames(50)), None);
    let mut apart = sample::frames(10);
    apart.iter_mut().for_each(|frame| frame.contacts.clear());
    assert_eq!(channels.transient_end(&apart), None);
}

#[test]
fn the_energy_of_the_object_has_its_channels() {
    let channels = Channels::new(&sample::header(), true);
    let frame = sample::frame(0.0);
    let values = channels.values(&frame, &frame, Some([1.0, 2.0, 0.5]));
    let ratio = value(&channels, &values, "kinetic-energy-ratio", "ratio");
    assert!((ratio - 0.5).abs() < 1e-12);
    assert!((value(&channels, &values, "step", "step") - 1e-3).abs() < 1e-12);
    assert_eq!(channels.values(&frame, &frame, None).len(), channels.count);
}

#[test]
fn what_fingers_do_to_each_other_is_no_force_on_the_object() {
    let channels = Channels::new(&sample::header(), false);
    let mut frame = sample::frame(10.0);
    frame.contacts[2].b = 1;
    let values = channels.values(&frame, &frame, None);
    assert!(value(&channels, &values, "normal-force", "right").abs() < 1e-12);
    let mut header = sample::header();
    header.bodies[3].role = Role::Other;
    let channels = Channels::new(&header, false);
    let values = channels.values(&frame, &frame, None);
    let right = value(&channels, &values, "normal-force", "right");
    assert!(
        (right - 10.0).abs() < 1e-9,
        "without an object all forces count"
    );
}
