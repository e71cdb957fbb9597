//! The hands and grippers of two PyPI packages, which are not part of this
//! project: set `VOLAR_GYM_ASSETS` to `gymnasium_robotics/envs/assets` of
//! gymnasium-robotics 1.4.2, and `VOLAR_PYBULLET_DATA` to `pybullet_data` of
//! pybullet 3.2.7. Without them these tests say so and pass.

use std::path::PathBuf;

use glam::DVec3;
use volar_assets::Disk;
use volar_meshes::MeshLibrary;
use volar_robots::meshes::link_solids;
use volar_robots::{ActuatorKind, Drives, ImportReport, LoadOptions, Robot, RobotError, load};
use volar_solids::Shape;

/// Makes solids of the shapes of a link.
fn solid(robot: &Robot, link: usize, report: &mut ImportReport) {
    let disk = Disk::default();
    link_solids(robot, link, &MeshLibrary::new(&disk), report).unwrap();
}

fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: {variable} is not set, see the top of this file");
    }
    folder
}

fn check(robot: &Robot) {
    assert!(
        robot
            .links
            .iter()
            .enumerate()
            .all(|(i, l)| l.parent.is_none_or(|p| p < i))
    );
    let poses = robot.link_poses(&robot.initial());
    assert!(poses.iter().all(volar_geom::Pose::is_finite));
}

#[test]
fn the_shadow_hand_is_as_published() {
    let Some(folder) = folder("VOLAR_GYM_ASSETS") else {
        return;
    };
    let (robot, mut report) =
        load(&folder.join("hand/reach.xml"), &LoadOptions::default()).unwrap();
    check(&robot);
    assert_eq!(
        (robot.links.len(), robot.nv(), robot.actuators.len()),
        (28, 24, 20)
    );
    assert_eq!(robot.couplings.len(), 44);
    assert!(robot.couplings.iter().all(|c| c.range.is_some()));
    // The four that couple the distal pairs.
    for finger in ["FF", "MF", "RF", "LF"] {
        let name = format!("robot0:T_{finger}J1c");
        let tendon = robot.couplings.iter().find(|c| c.name == name).unwrap();
        let joint = |n| robot.joint(&format!("robot0:{finger}J{n}")).unwrap();
        assert_eq!(
            tendon.terms,
            vec![(joint(0), 0.00705), (joint(1), -0.00805)]
        );
        assert_eq!(tendon.range, Some([-0.001, 0.001]));
    }
    for actuator in &robot.actuators {
        let wrist = actuator.name.contains("WRJ");
        let kp = if wrist { 5.0 } else { 1.0 };
        assert_eq!(actuator.law.kind(), ActuatorKind::Position { kp, kd: 0.0 });
        assert!(actuator.force_range.is_some());
        let Drives::Joint(link) = actuator.drives else {
            panic!("{} drives a joint", actuator.name)
        };
        assert_eq!(actuator.control_range, robot.links[link].joint.limits);
    }
    let force = |name: &str| {
        let actuator = robot.actuators.iter().find(|a| a.name == name).unwrap();
        actuator.force_range.unwrap()[1]
    };
    assert!((force("robot0:A_WRJ1") - 4.785).abs() < 1e-15);
    assert!((force("robot0:A_FFJ1") - 0.7245).abs() < 1e-15);
    assert!((force("robot0:A_THJ4") - 2.3722).abs() < 1e-15);
    let joint = |name: &str| &robot.links[robot.joint(name).unwrap()].joint;
    assert_eq!(joint("robot0:LFJ4").limits, Some([0.0, 0.785]));
    assert_eq!(
        (joint("robot0:WRJ0").damping, joint("robot0:WRJ0").armature),
        (0.5, 0.005)
    );
    assert_eq!(
        (joint("robot0:FFJ0").damping, joint("robot0:FFJ0").friction),
        (0.1, 0.001)
    );
    let mount = robot.link("robot0:hand mount").unwrap();
    let poses = robot.link_poses(&robot.initial());
    assert!((poses[mount].p - DVec3::new(1.0, 1.25, 0.15)).length() < 1e-15);
    // From MuJoCo 4.0 at q = 0: the tip of the first finger and of the thumb.
    let at = |name: &str| poses[robot.link(name).unwrap()].p;
    for (name, p) in EXPECTED {
        assert!(
            (at(name) - DVec3::from_array(p)).length() < 1e-9,
            "{name}: {:?}",
            at(name)
        );
    }
    let capsules = robot.links.iter().flat_map(|l| &l.collisions);
    assert!(
        capsules
            .clone()
            .any(|g| matches!(g.shape, Shape::Capsule { .. }))
    );
    for link in 0..robot.links.len() {
        solid(&robot, link, &mut report);
    }
}

const EXPECTED: [(&str, [f64; 3]); 2] = [
    (
        "robot0:ffdistal",
        [0.9669999734642183, 0.7950000367347988, 0.13999841626024384],
    ),
    (
        "robot0:thdistal",
        [0.9165222346693286, 0.8814828248331734, 0.14899886787656727],
    ),
];

/// Every file with a hand or gripper in it: loads, or is a part of another.
#[test]
fn every_gym_model_loads_or_is_refused() {
    let Some(folder) = folder("VOLAR_GYM_ASSETS") else {
        return;
    };
    let models = [
        ("hand/reach.xml", 24),
        ("hand/manipulate_block.xml", 36),
        ("hand/manipulate_block_touch_sensors.xml", 36),
        ("hand/manipulate_egg.xml", 36),
        ("hand/manipulate_egg_touch_sensors.xml", 36),
        ("hand/manipulate_pen.xml", 36),
        ("hand/manipulate_pen_touch_sensors.xml", 36),
        ("adroit_hand/adroit_door.xml", 30),
        ("adroit_hand/adroit_hammer.xml", 33),
        ("adroit_hand/adroit_pen.xml", 30),
        ("adroit_hand/adroit_relocate.xml", 36),
        ("fetch/pick_and_place.xml", 21),
        ("fetch/push.xml", 21),
        ("fetch/reach.xml", 15),
        ("fetch/slide.xml", 21),
        ("kitchen_franka/kitchen_assets/kitchen_env_model.xml", 29),
    ];
    for (name, dofs) in models {
        let (robot, mut report) = match load(&folder.join(name), &LoadOptions::default()) {
            Ok(read) => read,
            Err(error) => panic!("{name}: {error}"),
        };
        check(&robot);
        assert_eq!(robot.nv(), dofs, "{name}");
        for link in 0..robot.links.len() {
            solid(&robot, link, &mut report);
        }
    }
    for part in [
        "hand/robot.xml",
        "hand/shared.xml",
        "fetch/robot.xml",
        "adroit_hand/adroit_model.xml",
    ] {
        let error = load(&folder.join(part), &LoadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("include"), "{part}: {error}");
    }
}

#[test]
fn every_bullet_gripper_loads_or_is_refused() {
    let Some(folder) = folder("VOLAR_PYBULLET_DATA") else {
        return;
    };
    let models = [
        ("pr2_gripper.urdf", 5, 2, 0),
        ("franka_panda/panda.urdf", 13, 9, 1),
        ("xarm/xarm6_with_gripper.urdf", 15, 12, 5),
        ("xarm/xarm6_robot.urdf", 8, 6, 0),
        ("kuka_iiwa/model.urdf", 8, 7, 0),
        ("gripper/wsg50_one_motor_gripper_left_finger.urdf", 1, 0, 0),
        ("gripper/wsg50_one_motor_gripper_right_finger.urdf", 1, 0, 0),
    ];
    // The xArm's links 2 and 3 have inertias that no solid has.
    let options = LoadOptions::default();
    let (_, report) = load(&folder.join(models[2].0), &options).unwrap();
    let balanced: Vec<_> = report.about("inertia balanced").collect();
    assert_eq!(balanced[0].names, ["link2", "link3"]);
    for (name, links, dofs, couplings) in models {
        let (robot, mut report) = match load(&folder.join(name), &options) {
            Ok(read) => read,
            Err(error) => panic!("{name}: {error}"),
        };
        check(&robot);
        let counts = (robot.links.len(), robot.nv(), robot.closures.len());
        assert_eq!(counts, (links, dofs, couplings), "{name}");
        for link in 0..robot.links.len() {
            solid(&robot, link, &mut report);
        }
    }
    let sdf = folder.join("gripper/wsg50_one_motor_gripper.sdf");
    let error = load(&sdf, &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, RobotError::WrongRoot { .. }) && error.to_string().contains("SDF"));
}
