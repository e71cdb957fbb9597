//! Robots from files: starts, drives, couplings, sensors, and what the scene
//! replaces.

use std::f64::consts::PI;

use crate::common::{at, body, close, compile_in, folder, joint, run, setup};
use volar_contact::Material;
use volar_dynamics::{Actuator, Signal};
use volar_scene::{Commanded, Scene, Setup};
use volar_sim::{ActuatorId, BodyId};

fn arm(robot: &str, rest: &str) -> String {
    format!(
        "name = \"a\"\ngravity = [0.0, 0.0, 0.0]\nduration = 5.0\n{rest}\n[[robot]]\nname = \"arm\"\n\
         file = \"arm.urdf\"\n{robot}\n"
    )
}

fn hand(robot: &str) -> String {
    format!(
        "name = \"h\"\ngravity = [0.0, 0.0, 0.0]\nduration = 5.0\n[[robot]]\nname = \"hand\"\n\
         file = \"hand.xml\"\n{robot}\n"
    )
}

fn actuator<'a>(setup: &'a Setup, joint: &str) -> &'a Actuator {
    let number = setup.drives.iter().position(|d| d.joint == joint).unwrap();
    setup
        .model
        .controls()
        .actuator(ActuatorId::new(number))
        .unwrap()
}

/// A fine surface gets fewer triangles where the scene allows it, and the notes say so; the
/// mass is that of the whole shape.
#[test]
fn surfaces_have_as_much_detail_as_asked_for() {
    let scene = |detail: &str| {
        let bunny = Scene::builtin("g2r-bunny").unwrap();
        bunny.with(&[detail]).unwrap().compile().unwrap()
    };
    let triangles = |setup: &Setup| {
        let bunny = BodyId::new(body(setup, "bunny"));
        let surface = setup.model.surface(bunny).unwrap();
        surface.mesh.triangles().len()
    };
    let (whole, lean) = (scene("duration=10.0"), scene("body.bunny.detail=2e-4"));
    assert!(3 * triangles(&lean) < 2 * triangles(&whole));
    let said = |setup: &Setup| setup.notes.iter().any(|n| n.contains("is simplified: "));
    assert!(said(&lean) && !said(&whole));
    let bunny = BodyId::new(body(&whole, "bunny"));
    let inertia = |setup: &Setup| setup.model.mass(bunny).inertia;
    assert_eq!(inertia(&lean), inertia(&whole));
}

#[test]
fn links_materials_and_fingers_are_found_by_name() {
    let setup = setup(&arm(
        "material = \"wood\"\nlink_materials = { tip = \"rubber\" }\nfingers = { all = [\"rod\", \"tip\"] }",
        "grasp = { object = \"plate\", palm = \"base\" }",
    ));
    assert_eq!(setup.model.name(BodyId::new(1)), "arm/rod");
    let materials: Vec<_> = setup
        .model
        .bodies()
        .map(|b| *setup.model.controls().material(b))
        .collect();
    assert_eq!(
        materials[body(&setup, "arm/rod")],
        Material::named("wood").unwrap()
    );
    assert_eq!(
        materials[body(&setup, "arm/tip")],
        Material::named("rubber").unwrap()
    );
    let grasp = setup.grasp.unwrap();
    assert_eq!(grasp.fingers[0].links, [1, 2].map(BodyId::new));
    assert_eq!((grasp.object.index(), grasp.palm.index()), (3, 0));
}

#[test]
fn two_robots_with_the_same_fingers_are_told_apart() {
    let robot = |name: &str, x: f64| {
        format!(
            "[[robot]]\nname = \"{name}\"\nfile = \"arm.urdf\"\nposition = [{x:?}, 0.0, 0.0]\n\
             fingers = {{ tip = [\"tip\"], \"{name}s rod\" = [\"rod\"] }}\n"
        )
    };
    let text = format!(
        "name = \"two\"\ngrasp = {{ object = \"left/plate\" }}\n{}{}",
        robot("left", 0.0),
        robot("right", 5.0)
    );
    let fingers = setup(&text).grasp.unwrap().fingers;
    let names: Vec<&str> = fingers.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["lefts rod", "left/tip", "rights rod", "right/tip"]);
}

#[test]
fn shapes_can_be_left_out_and_self_contact_switched_off() {
    let setup = setup(&arm("without = [\"tip\"]\nself_contact = \"none\"", ""));
    assert!(
        setup
            .model
            .surface(BodyId::new(body(&setup, "arm/tip")))
            .is_none()
    );
    assert!(
        setup
            .model
            .surface(BodyId::new(body(&setup, "arm/rod")))
            .is_some()
    );
}

#[test]
fn joints_start_where_the_scene_says() {
    let mut run = run(&arm(
        "joints = { hinge = { start = 0.5, speed = 0.1, damping = 0.0 }, slide = { start = 0.02 } }",
        "",
    ));
    let frame = at(&mut run, 0.0);
    let hinge = joint(run.setup(), "arm/hinge");
    close(frame.joints[hinge].position, 0.5, 1.0e-12);
    close(frame.joints[hinge].velocity, 0.1, 1.0e-12);
    close(
        frame.joints[joint(run.setup(), "arm/slide")].position,
        0.02,
        1.0e-12,
    );
}

#[test]
fn the_scene_replaces_what_the_file_says_of_a_joint() {
    let own = setup(&arm(
        "joints = { hinge = { damping = 0.2, friction = 0.3, armature = 0.4 } }",
        "",
    ));
    let params = own.model.controls().joint_params();
    close(params[0].damping, 0.2, 0.0);
    close(params[0].friction, 0.3, 0.0);
    close(params[0].armature, 0.4, 0.0);
    assert_eq!(params[0].limits, Some([-2.0, 2.0]));
    let file = setup(&arm("", ""));
    close(file.model.controls().joint_params()[0].damping, 0.01, 0.0);
}

#[test]
fn efforts_targets_and_speeds_over_time_are_commands() {
    let setup = setup(&arm(
        "joints = { hinge = { effort = [[0.0, 0.0], [1.0, 4.0]] }, slide = { target_speed = 0.1, kd = 50.0, effort_limit = 2.0 } }",
        "",
    ));
    let Actuator::Effort(effort) = actuator(&setup, "arm/hinge") else {
        panic!("no effort");
    };
    close(effort.value(0.5), 2.0, 1.0e-12);
    close(effort.value(9.0), 4.0, 1.0e-12);
    let slide = actuator(&setup, "arm/slide");
    let wanted = Actuator::Velocity {
        target: Signal::Constant(0.1),
        kd: 50.0,
        effort_limit: Some([-2.0, 2.0]),
    };
    assert_eq!(*slide, wanted);
    let commands: Vec<Commanded> = setup.drives.iter().map(|d| d.commands).collect();
    assert_eq!(commands, [Commanded::Effort, Commanded::Speed]);
}

#[test]
fn a_target_is_reached_and_a_speed_kept() {
    let mut run = run(&arm(
        "joints = { hinge = { target = 0.8, kp = 20.0, kd = 1.0 }, slide = { target_speed = 0.01, kd = 100.0 } }",
        "",
    ));
    let frame = at(&mut run, 5.0);
    close(
        frame.joints[joint(run.setup(), "arm/hinge")].position,
        0.8,
        1.0e-3,
    );
    close(
        frame.joints[joint(run.setup(), "arm/slide")].velocity,
        0.01,
        1.0e-4,
    );
}

#[test]
fn an_effort_turns_a_joint_as_it_should() {
    // About the hinge: rod 2e-3 + 0.5·0.1², tip 1e-4 + 0.2·0.25².
    let inertia = 2.0e-3 + 5.0e-3 + 1.0e-4 + 0.0125;
    let text = arm(
        "joints = { hinge = { effort = 0.01, damping = 0.0 }, slide = { target = 0.0, kp = 1e7, kd = 1e4 } }",
        "",
    );
    let mut run = run(&text);
    let q = at(&mut run, 0.5).joints[joint(run.setup(), "arm/hinge")].position;
    close(q, 0.5 * 0.01 / inertia * 0.25, 1.0e-4);
}

#[test]
fn a_force_torque_sensor_reads_weight_and_lever() {
    let text = arm(
        "",
        "sensor = [{ name = \"bolt\", kind = \"force_torque\", link = \"plate\" }]",
    )
    .replace("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, 0.0, -9.81]");
    let mut run = run(&text);
    assert_eq!(run.setup().sensors[0].channels()[2], "bolt force z (N)");
    let read = at(&mut run, 0.0).sensors;
    let weight = 0.5 * 9.81;
    // The parent holds it up, at a lever of 0.1 m along x.
    for (found, wanted) in read.iter().zip([0.0, 0.0, weight, 0.0, -0.1 * weight, 0.0]) {
        close(*found, wanted, 1.0e-9);
    }
}

#[test]
fn the_same_sensor_on_a_turned_robot_reads_in_the_links_axes() {
    let text = arm(
        "orientation = [0.70710678118, 0.70710678118, 0.0, 0.0]",
        "sensor = [{ name = \"bolt\", kind = \"force_torque\", link = \"arm/plate\" }]",
    )
    .replace("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, 0.0, -9.81]");
    let mut run = run(&text);
    let read = at(&mut run, 0.0).sensors;
    // A quarter turn about x: the world's z is the link's y.
    close(read[1], 0.5 * 9.81, 1.0e-9);
    close(read[5], 0.1 * 0.5 * 9.81, 1.0e-9);
}

#[test]
fn actuators_of_a_file_follow_their_controls() {
    let setup = setup(&hand("controls = { servo = 0.5, motor = 0.1 }"));
    let Actuator::Position {
        target,
        kp,
        kd,
        effort_limit,
    } = actuator(&setup, "hand/j1")
    else {
        panic!("no servo");
    };
    close(target.value(0.0), 0.5, 1.0e-12);
    close(*kp, 20.0, 0.0);
    close(*kd, 2.0, 0.0);
    assert_eq!(*effort_limit, Some([-3.0, 3.0]));
    // Gear 2.
    assert_eq!(*actuator(&setup, "hand/j2"), Actuator::effort(0.2));
    assert_eq!(setup.drives[0].actuator, "hand/servo");
}

#[test]
fn controls_stay_in_their_range_and_forces_in_theirs() {
    let setup = setup(&hand("controls = { servo = 7.0, motor = 4.0 }"));
    let Actuator::Position { target, .. } = actuator(&setup, "hand/j1") else {
        panic!("no servo");
    };
    close(target.value(0.0), 1.0, 1.0e-12);
    // Gear times the greatest force, 0.5 N.
    assert_eq!(*actuator(&setup, "hand/j2"), Actuator::effort(1.0));
}

#[test]
fn the_scene_may_replace_the_drive_of_a_file() {
    let setup = setup(&hand(
        "joints = { j1 = { target = 0.2 }, j2 = { target = 0.1, kp = 3.0, kd = 0.1 } }",
    ));
    // Those two, and the servo of the file's tendon.
    assert_eq!(setup.drives.len(), 3, "{:?}", setup.drives);
    let wanted = Actuator::Position {
        target: Signal::Constant(0.2),
        kp: 20.0,
        kd: 2.0,
        effort_limit: Some([-3.0, 3.0]),
    };
    assert_eq!(*actuator(&setup, "hand/j1"), wanted);
    let own = setup_with_limit();
    let Actuator::Position {
        effort_limit, kd, ..
    } = actuator(&own, "hand/j1")
    else {
        panic!("no servo");
    };
    assert_eq!(*effort_limit, Some([-1.0, 1.0]));
    close(*kd, 4.0, 0.0);
}

fn setup_with_limit() -> Setup {
    setup(&hand(
        "joints = { j1 = { target = 0.2, kd = 4.0, effort_limit = 1.0 } }",
    ))
}

#[test]
fn a_keyframe_is_the_start() {
    for name in ["bent", "0"] {
        let mut run = run(&hand(&format!(
            "keyframe = \"{name}\"\njoints = {{ j2 = {{ start = 0.25 }} }}"
        )));
        let frame = at(&mut run, 0.0);
        let at = |name: &str| frame.joints[joint(run.setup(), name)].position;
        close(at("hand/j1"), 0.3, 1.0e-12);
        close(at("hand/j2"), 0.25, 1.0e-12);
        close(at("hand/j3"), 0.1, 1.0e-12);
        // Controls of the keyframe too.
        let Actuator::Position { target, .. } = actuator(run.setup(), "hand/j1") else {
            panic!("no servo");
        };
        close(target.value(0.0), 0.3, 1.0e-12);
    }
}

#[test]
fn coupled_joints_and_tendons_move_together() {
    let mut run = run(&hand("controls = { servo = 0.7, puller = 0.6 }"));
    let frame = at(&mut run, 5.0);
    let at = |name: &str| frame.joints[joint(run.setup(), name)].position;
    close(at("hand/j1"), 0.7, 1.0e-3);
    // j4 = j3, and the tendon's length j3 + j4 is 0.6.
    close(at("hand/j3"), 0.3, 2.0e-3);
    close(at("hand/j4"), 0.3, 2.0e-3);
}

#[test]
fn a_floating_root_falls_with_its_robot() {
    let text = arm(
        "floating = true\nposition = [0.0, 0.0, 2.0]\nself_contact = \"none\"",
        "",
    )
    .replace("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, 0.0, -9.81]");
    // A root without mass of its own can fall only with what is bolted to it.
    let mut run = run(&text);
    let frame = at(&mut run, 0.5);
    let plate = frame.bodies[body(run.setup(), "arm/plate")].position;
    close(plate.z, 2.0 - 0.5 * 9.81 * 0.25, 1.0e-6);
}

/// The torso of a well-known cheetah: the union of its two capsules fails.
#[test]
fn shapes_that_cannot_be_united_touch_side_by_side() {
    let capsules = r#"<mujoco><worldbody><body name="torso"><freejoint/>
        <geom fromto="-.5 0 0 .5 0 0" size="0.046" type="capsule"/>
        <geom axisangle="0 1 0 .87" pos=".6 0 .1" size="0.046 .15" type="capsule"/>
        </body></worldbody></mujoco>"#
        .replace("<mujoco>", "<mujoco><compiler angle=\"radian\"/>");
    let scene = "name = \"s\"\n[[robot]]\nname = \"cheetah\"\nfile = \"cheetah.xml\"\n";
    let setup = compile_in(&folder(&[("cheetah.xml", &capsules)]), scene, &[]).unwrap();
    let torso = setup.model.body("cheetah/torso").unwrap();
    let mesh = &setup.model.surface(torso).unwrap().mesh;
    let (volume, radius) = (mesh.moments().unwrap().volume, 0.046);
    let capsule = |half: f64| PI * radius * radius * (2.0 * half + 4.0 / 3.0 * radius);
    let sum = capsule(0.5) + capsule(0.15);
    // Flat faces cut a little off the round.
    assert!((0.97 * sum..sum).contains(&volume), "{volume} of {sum}");
    let report = &setup.reports[0].1;
    assert_eq!(
        report.about("shapes not united").next().unwrap().names,
        ["torso"]
    );
}
