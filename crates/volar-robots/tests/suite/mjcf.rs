//! MJCF: every feature, what is noted and what is refused. The model
//! `features.xml` has also been compared with MuJoCo: `compare_mujoco.py`.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use glam::DVec3;
use volar_assets::Disk;
use volar_meshes::MeshLibrary;
use volar_robots::meshes::link_solids;
use volar_robots::{
    ActuatorKind, ClosureKind, Drives, ImportReport, JointKind, LoadOptions, NoteKind, Robot,
    RobotError, load,
};
use volar_solids::Shape;

use crate::text::load_text;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn features() -> (Robot, ImportReport) {
    load(&data("features.xml"), &LoadOptions::default()).unwrap()
}

pub fn read(inside: &str) -> Result<(Robot, ImportReport), RobotError> {
    let text = format!("<mujoco>\n{inside}</mujoco>");
    load_text(&text, &data(""), &LoadOptions::default())
}

/// One body on a joint, with a ball of 1 kg.
fn body(joint: &str) -> String {
    format!("<worldbody><body name=\"b\">{joint}<geom size=\"0.1\" mass=\"1\"/></body></worldbody>")
}

pub fn refused(inside: &str) -> String {
    match read(inside) {
        Ok(_) => panic!("read what should be refused: {inside}"),
        Err(error) => error.to_string(),
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

/// A file that is made to be merged with another does not say what its angles are; its servos do.
#[test]
fn angles_are_radians_where_servos_say_so() {
    let file = |compiler: &str, range: &str, aims: &str| {
        let hinge = format!("<joint name=\"j\" range=\"{range}\"/>");
        let servo = format!("<position joint=\"j\" kp=\"20\" ctrlrange=\"{aims}\"/>");
        let text = format!("{compiler}{}<actuator>{servo}</actuator>", body(&hinge));
        let (robot, report) = read(&text).unwrap();
        let link = robot.joint("j").unwrap();
        let told = report.notes.iter().any(|n| n.what == "angle of <compiler>");
        (robot.links[link].joint.limits.unwrap()[1], told)
    };
    let degrees = |d: f64| d.to_radians();
    assert_eq!(file("", "0 0.8", "0 0.8"), (0.8, true));
    let said = "<compiler angle=\"degree\"/>";
    assert_eq!(file(said, "0 0.8", "0 0.8"), (degrees(0.8), false));
    assert_eq!(file("", "0 90", "0 1.57"), (degrees(90.0), false));
    assert_eq!(file("", "0 5", "0 0.09"), (degrees(5.0), false));
}

#[test]
fn bodies_with_several_joints_get_links_between() {
    let (robot, report) = features();
    assert_eq!(report.files.len(), 2);
    let spread = robot.joint("spread").unwrap();
    let bend = robot.joint("bend").unwrap();
    assert!(robot.links[spread].intermediate && robot.links[spread].inertial.is_none());
    assert_eq!(robot.links[bend].parent, Some(spread));
    assert_eq!(robot.links[bend].name, "knuckle");
    // The frame of the link is at its joint, and the body's is back from it.
    assert_eq!(robot.links[bend].X_LB.p, DVec3::new(0.02, 0.0, -0.01));
    // Joint 1 acts on joint 2, not the other way round.
    let step = robot.links[bend].X_PJ.p;
    assert!((step - DVec3::new(-0.03, -0.02, -0.02)).length() < 1e-15);
}

#[test]
fn a_body_stands_as_in_the_file_at_its_reference() {
    let (robot, _) = features();
    let at = |q: &[f64], name: &str| {
        let i = robot.link(name).unwrap();
        robot.link_poses(q)[i].compose(&robot.links[i].X_LB)
    };
    let q = robot.initial();
    // knuckle: 45° about z at (0.03, 0, 0.01) of the palm, whatever its joints.
    let relative = at(&q, "palm").inverse().compose(&at(&q, "knuckle"));
    assert!((relative.p - DVec3::new(0.03, 0.0, 0.01)).length() < 1e-15);
    assert!(close(relative.R.x_axis.x, (PI / 4.0).cos()));
    let spread = &robot.links[robot.joint("spread").unwrap()].joint;
    assert!(close(spread.initial[0], 15.0_f64.to_radians()));
    assert!(close(spread.spring_rest, 5.0_f64.to_radians()));
    assert!(close(spread.stiffness, 0.4));
    // Ten degrees more about (1, 1, 0)/√2 through (0.01, 0.02, 0.03).
    let mut rotated = q.clone();
    rotated[0] += 10.0_f64.to_radians();
    let moved = at(&q, "knuckle")
        .inverse()
        .compose(&at(&rotated, "knuckle"));
    let anchor = DVec3::new(0.01, 0.02, 0.03);
    assert!((moved.point(anchor) - anchor).length() < 1e-15);
    let axis = DVec3::new(1.0, 1.0, 0.0) / 2.0_f64.sqrt();
    assert!((moved.R * axis - axis).length() < 1e-15);
    // A free body stands where the file puts it with neutral coordinates.
    assert!((at(&q, "object").p - DVec3::new(0.2, -0.1, 0.5)).length() < 1e-15);
}

#[test]
fn classes_reach_joints_shapes_and_actuators() {
    let (robot, _) = features();
    let joint = |name: &str| &robot.links[robot.joint(name).unwrap()].joint;
    assert_eq!(joint("bend").axis, DVec3::Y, "from childclass");
    assert!(close(joint("bend").damping, 0.2) && close(joint("bend").armature, 0.01));
    assert!(close(joint("elbow").damping, 0.1), "from the main class");
    let limits = joint("bend").limits.unwrap();
    assert!(
        close(limits[0], -PI / 6.0) && close(limits[1], PI / 3.0),
        "degrees"
    );
    assert!(close(joint("bend").friction, 0.05));
    assert_eq!(joint("slide").limits, Some([-0.01, 0.02]));
    assert_eq!(joint("framed joint").kind, JointKind::Continuous);
    let slider = &robot.links[robot.link("slider").unwrap()];
    assert_eq!(slider.collisions[0].friction, Some(1.1), "class tip");
    assert_eq!(slider.collisions[1].friction, Some(0.7), "main");
    let Shape::Capsule { radius, length } = slider.collisions[0].shape else {
        panic!("type from the class around")
    };
    assert!(close(radius, 0.008) && close(length, 0.03), "half sizes");
}

#[test]
fn shapes_have_whole_sizes_and_their_frames() {
    let (robot, _) = features();
    let knuckle = &robot.links[robot.link("knuckle").unwrap()];
    let Shape::Capsule { length, .. } = knuckle.collisions[0].shape else {
        panic!("a capsule")
    };
    assert!(close(length, DVec3::new(0.03, 0.01, 0.04).length()));
    let middle = knuckle.X_LB.inverse().point(knuckle.collisions[0].X_LG.p);
    assert!((middle - DVec3::new(0.015, 0.005, 0.02)).length() < 1e-15);
    let along = knuckle.collisions[0].X_LG.R.z_axis;
    assert!(along.cross(DVec3::new(0.03, 0.01, 0.04)).length() < 1e-15);
    let palm = &robot.links[robot.link("palm").unwrap()];
    assert_eq!(palm.visuals.len(), 1, "contype and conaffinity of zero");
    assert_eq!(palm.collisions[0].shape, Shape::Box([0.06, 0.08, 0.02]));
}

#[test]
fn mass_is_given_or_of_shapes() {
    let (robot, _) = features();
    let mass = |name: &str| robot.links[robot.link(name).unwrap()].inertial.unwrap();
    let palm = mass("palm");
    assert!(close(palm.mass, 0.5));
    assert_eq!(palm.centre_of_mass, DVec3::new(0.01, 0.0, 0.02));
    let i = palm.inertia;
    assert_eq!((i.x_axis.x, i.y_axis.y, i.z_axis.z), (0.002, 0.003, 0.0035));
    assert_eq!(
        (i.x_axis.y, i.x_axis.z, i.y_axis.z),
        (0.0001, -0.0002, 0.0003)
    );
    // Ball and box at 500 kg/m³, the true ball.
    let ball = 500.0 * (4.0 / 3.0 * PI * 0.012_f64.powi(3) + 8.0 * 0.01 * 0.02 * 0.005);
    assert!(close(mass("ball").mass, ball));
    assert!(close(mass("object").mass, 0.3));
    // The wedge, half its size: a corner of a box, V = abc/6.
    assert!(close(mass("framed").mass, 500.0 * 0.05 * 0.04 * 0.03 / 6.0));
}

#[test]
fn actuators_are_affine() {
    let (robot, report) = features();
    let find = |name: &str| robot.actuators.iter().find(|a| a.name == name).unwrap();
    assert_eq!(robot.actuators.len(), 5);
    assert!(
        report
            .about("<muscle>")
            .any(|n| n.kind == NoteKind::Unsupported)
    );
    let push = find("push");
    assert_eq!((push.law.kind(), push.gear), (ActuatorKind::Motor, 3.0));
    assert_eq!(push.force_range, Some([-2.0, 2.0]));
    // Force 2 at most, times the gear.
    assert!(close(push.effort(1.5, 0.0, 0.0), 4.5) && close(push.effort(9.0, 0.0, 0.0), 6.0));
    let hold = find("hold");
    assert_eq!(hold.law.kind(), ActuatorKind::Position { kp: 4.0, kd: 0.5 });
    assert!(close(hold.effort(0.3, 0.1, 0.2), 4.0 * 0.2 - 0.5 * 0.2));
    assert_eq!(find("turn").law.kind(), ActuatorKind::Velocity { kd: 0.7 });
    let affine = find("affine");
    assert_eq!(affine.law.kind(), ActuatorKind::Affine);
    assert!(close(affine.effort(0.1, 0.2, 0.3), 50.0 + 1.0 - 40.0 - 0.9));
    let held = affine.at_control(0.1);
    assert_eq!((held.constant, held.kp, held.kd), (51.0, 200.0, 3.0));
    assert_eq!(find("tug").drives, Drives::Coupling(0));
    assert_eq!(
        find("tug").control_range,
        Some([-2.0, 2.0]),
        "defaults of all actuators"
    );
}

#[test]
fn couplings_are_linear() {
    let (robot, report) = features();
    let joint = |name: &str| robot.joint(name).unwrap();
    let pull = &robot.couplings[0];
    assert_eq!(
        pull.terms,
        vec![(joint("bend"), 0.01), (joint("twin"), -0.02)]
    );
    assert_eq!(pull.range, Some([-0.1, 0.2]));
    assert!(close(pull.stiffness, 2.0) && close(pull.damping, 0.3));
    // twin = 0.1 − 0.5 (spread − 15°), and one that bends.
    let [mirror, bent] = &robot.closures[..] else {
        panic!("{:?}", robot.closures)
    };
    let ClosureKind::Joints {
        follower,
        leader,
        reference,
        polynomial,
    } = &mirror.kind
    else {
        panic!("{mirror:?}")
    };
    assert_eq!(*follower, vec![(joint("twin"), 1.0)]);
    assert_eq!(*leader, vec![(joint("spread"), 1.0)]);
    assert!(close(reference[1], 15.0_f64.to_radians()));
    assert_eq!(polynomial[..3], [0.1, -0.5, 0.0]);
    let ClosureKind::Joints { polynomial, .. } = &bent.kind else {
        panic!("{bent:?}")
    };
    assert!(polynomial[2..].iter().any(|c| c.abs() > 0.0));
    let spatial = |n: &volar_robots::Note| n.kind == NoteKind::Unsupported;
    assert!(report.about("<spatial>").any(spatial), "{report}");
    assert!(
        report.about("<weld>").any(|n| n.kind == NoteKind::Ignored),
        "not active"
    );
}

#[test]
fn contact_follows_bits_pairs_and_excludes() {
    let (robot, _) = features();
    let link = |name: &str| robot.link(name).unwrap();
    let may = |a: &str, b: &str| robot.may_touch(link(a), link(b));
    assert!(!may("palm", "slider"), "excluded");
    assert!(
        may("palm", "knuckle"),
        "paired, though neighbours and both fixed to it"
    );
    assert!(!may("knuckle", "slider"), "neighbours");
    assert!(
        may("world", "knuckle") && may("world", "arm"),
        "the world is no neighbour"
    );
    assert!(!may("world", "palm"), "welded");
    // Type 2, answers to 3: others show 1.
    assert!(may("object", "slider"));
    assert_eq!(
        robot.pairs[0].friction,
        Some(0.0),
        "one dimension of contact"
    );
    assert_eq!(robot.pairs[1].friction, Some(0.9));
}

#[test]
fn keyframes_come_in_our_coordinates() {
    let (robot, _) = features();
    let key = &robot.keyframes[0];
    assert_eq!(
        (key.name.as_str(), key.q.len(), key.control.len()),
        ("home", robot.nq(), 5)
    );
    let i = robot.link("object").unwrap();
    let pose = robot.link_poses(&key.q)[i];
    // The file's pose of the object: (0.05, 0, 0.5), (0.5, 1, 0, 0).
    assert!(
        (pose.p - DVec3::new(0.05, 0.0, 0.5)).length() < 1e-15,
        "{:?}",
        pose.p
    );
    let half = 2.0_f64.atan() * 2.0;
    assert!(close(pose.R.y_axis.y, half.cos()));
}

#[test]
fn every_shape_is_a_solid() {
    let (robot, mut report) = features();
    let disk = Disk::default();
    let library = MeshLibrary::new(&disk);
    for link in 0..robot.links.len() {
        let solids = link_solids(&robot, link, &library, &mut report).unwrap();
        for mesh in solids {
            assert!(volar_geom::mesh::check::check(&mesh).is_usable());
        }
    }
    assert!(report.about("plane in contact").next().is_some());
}

#[test]
fn compiler_settings_count() {
    let two = r#"<worldbody>
        <body name="a"><joint/><geom size="0.1" mass="1" group="1"/><geom size="0.1" mass="5"/></body>
        <body name="b"><joint/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
        <geom size="0.1" mass="2" group="1"/></body></worldbody>"#;
    let masses = |compiler: &str| -> Vec<f64> {
        let (robot, _) = read(&format!("<compiler {compiler}/>{two}")).unwrap();
        robot.links[1..]
            .iter()
            .map(|l| l.inertial.unwrap().mass)
            .collect()
    };
    assert_eq!(masses(""), [6.0, 3.0]);
    assert_eq!(masses("inertiafromgeom=\"true\""), [6.0, 2.0]);
    assert_eq!(masses("inertiagrouprange=\"1 2\""), [1.0, 3.0]);
    assert_eq!(masses("boundmass=\"4\""), [6.0, 4.0]);
    assert_eq!(masses("settotalmass=\"18\""), [12.0, 6.0]);
    // Euler angles: rotated axes in lower case, fixed ones in upper.
    // x goes to y by the last turn, and with rotated axes the first takes y to z.
    for (sequence, wanted) in [("xyz", DVec3::Z), ("XYZ", DVec3::Y)] {
        let (robot, _) = read(&format!(
            "<compiler eulerseq=\"{sequence}\"/><worldbody><body euler=\"90 0 90\">\
             <joint/><geom size=\"1\"/></body></worldbody>"
        ))
        .unwrap();
        let y = robot.links[1].X_PJ.R * DVec3::X;
        assert!((y - wanted).length() < 1e-15, "{sequence}: {y}");
    }
    let text = format!(
        "<compiler autolimits=\"false\"/>{}",
        body("<joint range=\"0 1\"/>")
    );
    assert_eq!(read(&text).unwrap().0.links[1].joint.limits, None);
}

#[test]
fn errors_name_the_place() {
    let cases = [
        (
            body("<joint type=\"screw\"/>"),
            "no joint of type \"screw\"",
        ),
        (
            body("<joint axis=\"0 0 0\"/>"),
            "axis=\"0 0 0\" should be a vector that is not zero",
        ),
        (body("<joint range=\"1 0\"/>"), "the lower first"),
        (body("<joint damping=\"-1\"/>"), "not negative"),
        (
            body("<joint class=\"none\"/>"),
            "no default class of this name",
        ),
        (body("<joint limited=\"true\"/>"), "needs a `range`"),
        (body("<freejoint/><joint/>"), "the only joint"),
        (
            body("<joint/>\n<geom type=\"box\" size=\"1 1\"/>"),
            "<memory>:3: <geom>: size=\"1 1\"",
        ),
        (
            body("<joint/><geom type=\"mesh\" mesh=\"no\"/>"),
            "no mesh asset of this name",
        ),
        (
            body("<joint/><geom type=\"hfield\"/>"),
            "a height field is not supported",
        ),
        (
            body("<joint/><inertial pos=\"0 0 0\" mass=\"0\"/>"),
            "a mass above zero",
        ),
        (
            body("<joint/><geom size=\"1\" mass=\"-2\"/>"),
            "a mass above zero",
        ),
        (
            body("<joint/><replicate count=\"2\"/>"),
            "<replicate> is not supported",
        ),
        (
            "<worldbody><body name=\"b\"><joint/></body></worldbody>".into(),
            "moves, but neither",
        ),
        (
            body("<joint/>") + "<actuator><motor joint=\"x\"/></actuator>",
            "no joint of this name",
        ),
        (
            body("<joint/>") + "<actuator><motor/></actuator>",
            "a `joint` or a `tendon`",
        ),
        (
            body("<joint/>") + "<contact><exclude body1=\"b\" body2=\"c\"/></contact>",
            "body2=\"c\": there is no body",
        ),
        (
            body("<joint/>") + "<keyframe><key qpos=\"1 2\"/></keyframe>",
            "should be a number",
        ),
        (
            "<compiler coordinate=\"global\"/>".to_owned() + &body("<joint/>"),
            "global",
        ),
        (
            "<compiler angle=\"gon\"/>".to_owned() + &body("<joint/>"),
            "one of radian, degree",
        ),
        ("<worldbody/>".into(), "no link"),
        ("<asset/>".into(), "needs a <worldbody>"),
        (
            "<include file=\"no.xml\"/>".into(),
            "the included file \"no.xml\" is not there",
        ),
        (
            "<asset><mesh name=\"m\" file=\"no.stl\"/></asset>".to_owned()
                + &body("<joint/><geom type=\"mesh\" mesh=\"m\"/>"),
            "the mesh file \"no.stl\" is not there",
        ),
    ];
    for (text, wanted) in cases {
        let error = refused(&text);
        assert!(error.contains(wanted), "{error} does not say {wanted}");
    }
}

#[test]
fn includes_that_never_end_are_refused() {
    let folder = std::env::temp_dir().join(format!("volar-includes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "a.xml",
        "<mujoco><include file=\"b.xml\"/><worldbody/></mujoco>",
    );
    write(
        "b.xml",
        "<mujocoinclude>\n<include file=\"./a.xml\"/></mujocoinclude>",
    );
    let error = load(&folder.join("a.xml"), &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, RobotError::CyclicInclude { .. }), "{error}");
    assert!(error.to_string().contains("b.xml:2: <include>"), "{error}");
    // No cycle, but two to the power of thirty.
    for i in 0..30 {
        let next = format!("<include file=\"t{}.xml\"/>", i + 1);
        write(
            &format!("t{i}.xml"),
            &format!("<mujoco>{next}{next}</mujoco>"),
        );
    }
    write("t30.xml", "<mujoco><worldbody/></mujoco>");
    let started = std::time::Instant::now();
    let error = load(&folder.join("t0.xml"), &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, RobotError::TooLarge { .. }), "{error}");
    // At once when nothing else runs; 2^30 files take for ever.
    assert!(started.elapsed().as_secs_f64() < 60.0);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_mesh_listed_twice_is_one() {
    let file = "parts/wedge.obj";
    let asset = |more: &str| {
        format!(
            "<asset><mesh name=\"m\" file=\"{file}\"/><mesh name=\"m\" {more}/></asset>{}",
            body("<joint/>")
        )
    };
    for again in [format!("file=\"{file}\""), "file=\"not_there.stl\"".into()] {
        let (_, report) = read(&asset(&again)).unwrap();
        let note = report.about("<mesh>").next().unwrap();
        assert!(note.detail.contains("the first is taken"), "{note}");
    }
    let other = refused(&asset(&format!("file=\"{file}\" scale=\"2 2 2\"")));
    assert!(other.contains("another mesh of this name"), "{other}");
}
