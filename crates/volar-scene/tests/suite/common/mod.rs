//! Scenes from text, for the tests of this crate.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use volar_record::Frame;
use volar_run::Run;
use volar_scene::{SceneError, SceneText, Setup};

/// A pendulum that points along x, a slide behind it and a plate that is fixed
/// to the base.
pub const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0.1 0 0"/><mass value="0.5"/><inertia ixx="1e-4" iyy="2e-3" izz="2e-3" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.02 0.02"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="5" velocity="10"/><dynamics damping="0.01" friction="0"/></joint>
  <link name="tip">
    <inertial><origin xyz="0 0 0"/><mass value="0.2"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.02"/></geometry></collision>
  </link>
  <joint name="slide" type="prismatic"><parent link="rod"/><child link="tip"/><origin xyz="0.25 0 0"/><axis xyz="1 0 0"/><limit lower="-0.02" upper="0.1" effort="20" velocity="1"/></joint>
  <link name="plate">
    <inertial><origin xyz="0.1 0 0"/><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.3"/><geometry><box size="0.1 0.1 0.02"/></geometry></collision>
  </link>
  <joint name="bolt" type="fixed"><parent link="base"/><child link="plate"/></joint>
</robot>
"#;

/// Every kind of actuator, a coupling, a tendon and a keyframe.
pub const HAND: &str = r#"<mujoco model="hand">
  <compiler angle="radian"/>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="palm">
      <geom name="pad" type="box" size="0.03 0.03 0.01" mass="1"/>
      <body name="one" pos="0.1 0 0">
        <joint name="j1" type="hinge" axis="0 0 1" range="-2 2" limited="true" damping="0.05"/>
        <geom type="box" size="0.01 0.01 0.01" mass="0.2" pos="0.05 0 0"/>
      </body>
      <body name="two" pos="0 0.1 0">
        <joint name="j2" type="hinge" axis="0 0 1" damping="0.05"/>
        <geom type="box" size="0.01 0.01 0.01" mass="0.2" pos="0 0.05 0"/>
      </body>
      <body name="three" pos="-0.1 0 0">
        <joint name="j3" type="hinge" axis="0 0 1" damping="0.05"/>
        <geom type="box" size="0.01 0.01 0.01" mass="0.2" pos="-0.05 0 0"/>
      </body>
      <body name="four" pos="0 -0.1 0">
        <joint name="j4" type="hinge" axis="0 0 1" damping="0.05"/>
        <geom type="box" size="0.01 0.01 0.01" mass="0.2" pos="0 -0.05 0"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="string"><joint joint="j3" coef="1"/><joint joint="j4" coef="1"/></fixed>
  </tendon>
  <equality>
    <joint name="mirror" joint1="j4" joint2="j3" polycoef="0 1 0 0 0"/>
  </equality>
  <actuator>
    <position name="servo" joint="j1" kp="20" kv="2" ctrlrange="-1 1" ctrllimited="true" forcerange="-3 3" forcelimited="true"/>
    <motor name="motor" joint="j2" gear="2" ctrlrange="-5 5" ctrllimited="true" forcerange="-0.5 0.5" forcelimited="true"/>
    <position name="puller" tendon="string" kp="5" kv="0.5"/>
  </actuator>
  <keyframe>
    <key name="bent" qpos="0.3 0.2 0.1 0.1" ctrl="0.3 0 0.2"/>
  </keyframe>
</mujoco>
"#;

/// A folder with the two robots and some files.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("arm.urdf", ARM), ("hand.xml", HAND)].iter().chain(files) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// What becomes of a scene text in a folder, under the name `test.toml`.
pub fn compile_in(folder: &Path, text: &str, overrides: &[&str]) -> Result<Setup, SceneError> {
    let overrides: Vec<String> = overrides.iter().map(|o| (*o).to_owned()).collect();
    Setup::compile(SceneText::parse("test.toml", text, &overrides)?, folder)
}

/// A scene that must compile.
pub fn setup(text: &str) -> Setup {
    compile_in(folder(&[]).path(), text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A scene on its way.
pub fn run(text: &str) -> Run {
    Run::new(Arc::new(setup(text)), 1).unwrap()
}

/// How a scene looks at a time.
pub fn at(run: &mut Run, time: f64) -> Frame {
    run.advance_to(time).unwrap();
    run.frame()
}

/// Number of a body.
pub fn body(setup: &Setup, name: &str) -> usize {
    let bodies = setup.model.tree().bodies().iter();
    bodies
        .map(|b| b.name.as_str())
        .position(|n| n == name)
        .unwrap()
}

/// Number of a joint with one coordinate.
pub fn joint(setup: &Setup, name: &str) -> usize {
    setup.joints.iter().position(|j| j.name == name).unwrap()
}

/// Close to, relative to the larger of the two and to one.
pub fn close(found: f64, wanted: f64, tolerance: f64) {
    let scale = wanted.abs().max(1.0);
    assert!(
        (found - wanted).abs() <= tolerance * scale,
        "found {found}, wanted {wanted}, tolerance {tolerance}"
    );
}
