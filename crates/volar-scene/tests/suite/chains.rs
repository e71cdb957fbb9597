//! Closed chains, bases, self-contact and limits of robots, from their files to motion.

use std::sync::Arc;

use volar_run::Run;
use volar_scene::Setup;

use crate::common::{at, body, close, compile_in, folder, joint};

fn compiled(file: &str, text: &str, robot: &str) -> Setup {
    let scene = format!(
        "name = \"c\"\ngravity = [0.0, 0.0, -9.81]\nduration = 5.0\n[[robot]]\nname = \"r\"\n\
         file = \"{file}\"\n{robot}\n"
    );
    let files = folder(&[(file, text)]);
    compile_in(&files, &scene, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn started(setup: Setup) -> Run {
    Run::new(Arc::new(setup), 1).unwrap()
}

/// A parallelogram of three bars on a free base, its loop closed by `connect`; a motor
/// pulls at a tendon over both cranks.
const GRIPPER: &str = r#"<mujoco><compiler angle="radian" autolimits="true"/><worldbody>
  <body name="base"><freejoint/><geom type="box" size="0.05 0.02 0.01" mass="0.5"/>
    <body name="left" pos="-0.04 0 0.02"><joint name="l" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0.02 0 0 0.08" size="0.003" mass="0.02"/>
      <body name="bridge" pos="0 0 0.1"><joint name="b" axis="0 1 0"/>
        <geom type="capsule" fromto="0.02 0 0 0.06 0 0" size="0.003" mass="0.02"/></body>
    </body>
    <body name="right" pos="0.04 0 0.02"><joint name="r" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0.02 0 0 0.08" size="0.003" mass="0.02"/></body>
  </body></worldbody>
  <tendon><fixed name="both"><joint joint="l" coef="0.5"/><joint joint="r" coef="0.5"/></fixed></tendon>
  <equality><connect name="loop" body1="bridge" body2="right" anchor="0.08 0 0"/></equality>
  <actuator><position name="motor" tendon="both" kp="5" kv="0.5" forcerange="-0.4 0.4"
    ctrlrange="-1 1"/></actuator></mujoco>"#;

#[test]
fn a_loop_of_a_file_is_closed_and_driven_over_time() {
    let controls = "controls = { motor = [[0.0, 0.0], [1.0, 0.5]] }";
    let mut run = started(compiled("g.xml", GRIPPER, controls));
    let frame = at(&mut run, 3.0);
    let [l, r, b] =
        ["r/l", "r/r", "r/b"].map(|name| frame.joints[joint(run.setup(), name)].position);
    // A parallelogram: the cranks turn alike, the bridge stays level.
    close(l, r, 1.0e-9);
    close(b, -l, 1.0e-9);
    // Held against gravity by 5 N m/rad of the tendon.
    close(l, 0.5, 0.02);
    // The base has a free joint, and is held.
    let base = frame.bodies[body(run.setup(), "r/base")].position;
    assert!(base.length() < 1.0e-12);
}

#[test]
fn a_motor_of_a_file_keeps_its_force_limit_on_a_tendon() {
    let setup = compiled("g.xml", GRIPPER, "controls = { motor = 1.0 }");
    let mut run = started(setup);
    run.advance_to(1.0e-4).unwrap();
    let sim = run.simulation();
    let effort = |name: &str| {
        let joint = &run.setup().joints[joint(run.setup(), name)];
        sim.joint_effort(joint.joint).unwrap()
    };
    // 5 N m/rad over 1 rad would be 5 N m; the limit is 0.4, half on each crank. At the
    // start the loop carries no load.
    for name in ["r/l", "r/r"] {
        close(effort(name), 0.2, 1.0e-3);
    }
}

#[test]
fn a_base_floats_or_is_moved_as_the_scene_says() {
    let mut run = started(compiled("g.xml", GRIPPER, "floating = true"));
    let frame = at(&mut run, 0.3);
    let base = frame.bodies[body(run.setup(), "r/base")].position;
    close(base.z, -0.5 * 9.81 * 0.09, 1.0e-3);

    let moving =
        "motion = { sine = { amplitude = [0.02, 0.0, 0.0], frequency = 1.0, ramp = 0.1 } }";
    let mut run = started(compiled("g.xml", GRIPPER, moving));
    let frame = at(&mut run, 1.25);
    let base = frame.bodies[body(run.setup(), "r/base")].position;
    close(base.x, 0.02, 1.0e-9);
    let scene =
        |robot: &str| format!("name = \"c\"\n[[robot]]\nname = \"r\"\nfile = \"g.xml\"\n{robot}\n");
    let files = folder(&[("g.xml", GRIPPER)]);
    let both = compile_in(&files, &scene(&format!("floating = true\n{moving}")), &[]);
    let message = both.unwrap_err().to_string();
    assert!(message.contains("floating"), "{message}");
}

/// Three joints in a chain of followers with an offset; the leader starts bent.
#[test]
fn followers_start_where_their_leaders_are_and_stay_there() {
    let link = |name: &str, parent: &str, z: f64, mimic: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="0.1"/><inertia ixx="1e-5" iyy="1e-5"
            izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j{name}"
            type="revolute"><parent link="{parent}"/><child link="{name}"/><origin xyz="0 0 {z}"/>
            <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="9" velocity="50"/>{mimic}</joint>"#
        )
    };
    let text = format!(
        "<robot name=\"m\"><link name=\"base\"/>{}{}{}</robot>",
        link("a", "base", 0.0, ""),
        link(
            "b",
            "a",
            0.1,
            "<mimic joint=\"ja\" multiplier=\"0.5\" offset=\"0.1\"/>"
        ),
        link("c", "b", 0.1, "<mimic joint=\"jb\" multiplier=\"-2\"/>")
    );
    let setup = compiled("m.urdf", &text, "joints = { ja = { start = 0.4 } }");
    let mut run = started(setup);
    for (time, tolerance) in [(0.0, 1.0e-12), (2.0, 1.0e-9)] {
        let frame = at(&mut run, time);
        let [a, b, c] =
            ["r/ja", "r/jb", "r/jc"].map(|name| frame.joints[joint(run.setup(), name)].position);
        if time <= 0.0 {
            close(a, 0.4, tolerance);
        }
        close(b, 0.5 * a + 0.1, tolerance);
        close(c, -2.0 * b, tolerance);
    }
}

/// A drive that could spin a joint up without end stops at its greatest speed.
#[test]
fn greatest_speeds_are_kept() {
    let text = r#"<robot name="m"><link name="base"/><link name="a"><inertial><mass value="0.1"/>
        <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="a"/>
        <axis xyz="0 0 1"/><limit effort="2" velocity="3"/></joint></robot>"#;
    for (effort, wanted) in [(2.0, 3.0), (-2.0, -3.0), (1.0, 3.0)] {
        let robot = format!("joints = {{ j = {{ effort = {effort:?} }} }}");
        let mut run = started(compiled("m.urdf", text, &robot));
        let frame = at(&mut run, 1.0);
        let v = frame.joints[joint(run.setup(), "r/j")].velocity;
        close(v, wanted, 0.011);
        assert!(run.simulation().statistics().steps < 200);
        assert!(
            run.setup().reports[0]
                .1
                .about("velocity limit")
                .next()
                .is_none()
        );
    }
}

/// Three boxes in a row on slides, the outer ones in each other in the pose of the file
/// but not at the start.
#[test]
fn self_contact_is_all_sensible_or_none() {
    let text = r#"<mujoco><worldbody><body name="base">
        <body name="a"><joint name="a" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
        <body name="b" pos="0.15 0 0"><joint name="b" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
        <body name="c" pos="1 0 0"><joint name="c" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
        </body></worldbody></mujoco>"#;
    // b goes towards a, or towards c: it is slowed down where it touches.
    for (kind, touches) in [
        ("all", [true, true]),
        ("sensible", [false, true]),
        ("none", [false, false]),
    ] {
        for (speed, touch) in [(-2.5, touches[0]), (3.5, touches[1])] {
            let joints = format!("joints = {{ b = {{ start = 0.3, speed = {speed:?} }} }}");
            let robot = format!("self_contact = \"{kind}\"\n{joints}");
            let setup = compiled("s.xml", text, &robot);
            let notes = setup.notes.join(" ");
            let noted = notes.contains("in the pose of the file");
            assert_eq!(noted, kind == "sensible", "{notes}");
            let mut run = started(setup);
            let frame = at(&mut run, 0.15);
            let now = frame.joints[joint(run.setup(), "r/b")].velocity;
            assert_eq!((now - speed).abs() > 0.1, touch, "{kind}: {speed} to {now}");
        }
    }
}

/// A tendon that ties two joints whose limits exclude each other, as in public hands: the
/// joint without a motor gives way.
#[test]
fn limits_that_contradict_a_coupling_do_not_act() {
    let text = r#"<mujoco><compiler angle="radian" autolimits="true"/><worldbody>
      <body name="a"><joint name="one" axis="0 1 0" range="0 1.5"/><geom size="0.01" mass="0.1"/>
        <body name="b" pos="0 0 0.05"><joint name="two" axis="0 1 0" range="0 1.5"/>
          <geom size="0.01" mass="0.1"/></body></body></worldbody>
      <tendon><fixed name="t"><joint joint="one" coef="0.5"/><joint joint="two" coef="0.5"/></fixed></tendon>
      <equality><tendon tendon1="t"/></equality>
      <actuator><position name="m" joint="one" kp="20" kv="1"/></actuator></mujoco>"#;
    let setup = compiled("t.xml", text, "controls = { m = 0.8 }");
    let note = setup.reports[0]
        .1
        .about("limits of a joint")
        .next()
        .unwrap();
    assert_eq!(note.names, ["two"]);
    let mut run = started(setup);
    let frame = at(&mut run, 3.0);
    let [one, two] = ["r/one", "r/two"].map(|name| frame.joints[joint(run.setup(), name)].position);
    close(one, 0.8, 0.02);
    close(two, -one, 1.0e-9);
}

#[test]
fn a_loop_that_cannot_close_is_refused_by_name() {
    let text = r#"<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/>
        <geom size="0.01" mass="0.1"/><site name="s" pos="0 0 0.1"/></body>
        <body name="post" pos="0 0 0.5"><site name="p"/></body></worldbody>
        <equality><connect name="too far" site1="s" site2="p"/></equality></mujoco>"#;
    let scene = "name = \"c\"\n[[robot]]\nname = \"r\"\nfile = \"f.xml\"\n";
    let error = compile_in(&folder(&[("f.xml", text)]), scene, &[]).map(|setup| setup.simulation());
    let message = match error {
        Err(error) => error.to_string(),
        Ok(start) => start.unwrap_err().to_string(),
    };
    assert!(
        message.contains("r/too far") && message.contains("4.00e-1"),
        "{message}"
    );
}
