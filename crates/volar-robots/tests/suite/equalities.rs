//! MJCF's equalities.

use glam::DVec3;
use volar_robots::ClosureKind;

use crate::mjcf::{read, refused};

/// Two bars that MuJoCo closes where they are in the file; a weld with a pose of its own;
/// a tendon held at the length it has there.
#[test]
fn equalities_close_chains_as_they_are_in_the_file() {
    let bar = |name: &str, at: &str, range: &str| {
        format!(
            "<body name=\"{name}\" pos=\"{at}\"><joint name=\"of {name}\" axis=\"0 1 0\" \
             ref=\"{range}\"/><geom size=\"0.1\" mass=\"1\"/><site name=\"on {name}\" \
             pos=\"0 0 0.3\"/></body>"
        )
    };
    let world = format!(
        "<compiler angle=\"radian\"/><worldbody>{}{}</worldbody>\
         <tendon><fixed name=\"t\"><joint joint=\"of a\" coef=\"2\"/></fixed></tendon>",
        bar("a", "0 0 1", "0.2"),
        bar("b", "1 0 1", "0")
    );
    let (robot, report) = read(&format!(
        "{world}<equality><connect body1=\"a\" body2=\"b\" anchor=\"0.1 0 0.5\" solref=\"1 1\"/>\
         <connect body1=\"b\" anchor=\"0 0 0\"/><connect site1=\"on a\" site2=\"on b\"/>\
         <weld body1=\"a\" body2=\"b\" relpose=\"0.5 0 0 1 0 0 0\"/><tendon tendon1=\"t\"/></equality>"
    ))
    .unwrap();
    let poses = robot.link_poses(&robot.initial());
    let ends = |nth: usize| match &robot.closures[nth].kind {
        ClosureKind::Connect(ends) | ClosureKind::Weld(ends) => {
            ends.map(|end| poses[end.link].compose(&end.X_LE))
        }
        ClosureKind::Joints { .. } => panic!("a relation of joints"),
    };
    let [a, b] = ends(0);
    assert!((a.p - DVec3::new(0.1, 0.0, 1.5)).length() < 1e-12 && (a.p - b.p).length() < 1e-12);
    let [b, w] = ends(1);
    assert!((b.p - DVec3::new(1.0, 0.0, 1.0)).length() < 1e-12 && (b.p - w.p).length() < 1e-12);
    let [a, b] = ends(2);
    assert!((b.p - a.p - DVec3::X).length() < 1e-12, "sites apart");
    let [a, b] = ends(3);
    assert!((b.p - a.p - DVec3::new(0.5, 0.0, 0.0)).length() < 1e-12);
    let ClosureKind::Joints {
        reference, leader, ..
    } = &robot.closures[4].kind
    else {
        panic!("{:?}", robot.closures[4])
    };
    assert!(leader.is_empty() && (reference[0] - 0.4).abs() < 1e-12);
    assert!(
        report
            .about("solref of <equality><connect>")
            .next()
            .is_some()
    );
    for (equality, complaint) in [
        ("<connect body1=\"a\" body2=\"b\"/>", "an `anchor`"),
        (
            "<connect body1=\"a\" body2=\"x\" anchor=\"0 0 0\"/>",
            "no body of this name",
        ),
        ("<weld site1=\"on a\"/>", "site2"),
        ("<tendon tendon1=\"x\"/>", "no tendon of this name"),
    ] {
        let message = refused(&format!("{world}<equality>{equality}</equality>"));
        assert!(message.contains(complaint), "{message}");
    }
}
