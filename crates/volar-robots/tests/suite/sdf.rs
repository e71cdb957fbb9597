//! SDF: the same robot as its URDF, frames by name, closed chains, and what is refused.

use std::path::Path;

use glam::DVec3;
use volar_geom::Pose;
use volar_robots::{ClosureKind, Format, ImportReport, JointKind, LoadOptions, Robot, RobotError};
use volar_solids::Shape;

use crate::text::load_text;

fn read(text: &str) -> Result<(Robot, ImportReport), RobotError> {
    load_text(text, Path::new(""), &LoadOptions::default())
}

fn model(version: &str, inside: &str) -> String {
    format!("<sdf version=\"{version}\"><model name=\"m\">{inside}</model></sdf>")
}

fn refused(text: &str) -> String {
    match read(text) {
        Ok(_) => panic!("read what should be refused: {text}"),
        Err(error) => error.to_string(),
    }
}

const URDF: &str = r#"
<robot name="m">
  <link name="palm"><inertial><origin xyz="0 0 0.02"/><mass value="0.5"/>
    <inertia ixx="1e-3" iyy="2e-3" izz="2.5e-3" ixy="1e-4"/></inertial>
    <collision name="p"><origin xyz="0 0 0.03" rpy="0.1 0.2 0.3"/>
      <geometry><box size="0.1 0.05 0.04"/></geometry></collision></link>
  <link name="left"><inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4"/></inertial>
    <collision name="l"><origin xyz="0 0 0.05"/><geometry><cylinder radius="0.01" length="0.08"/>
    </geometry></collision></link>
  <link name="tip"><inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5"/></inertial>
    <collision name="t"><geometry><sphere radius="0.01"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><origin xyz="0.04 0 0.05" rpy="0 0.3 0"/><parent link="palm"/>
    <child link="left"/><axis xyz="1 0 0"/><limit lower="-0.03" upper="0.01" effort="20" velocity="0.4"/>
    <dynamics damping="0.5" friction="0.1"/></joint>
  <joint name="bend" type="revolute"><origin xyz="0 0 0.1"/><parent link="left"/><child link="tip"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="2" velocity="3"/><mimic joint="slide"
    multiplier="20" offset="0.1"/></joint>
</robot>"#;

/// The same with the frames of links where SDF may have them: in the model, in frames, in
/// each other, in degrees; joints apart from the links they move.
const SDF: &str = r#"<?xml version="1.0"?>
<sdf version="1.11">
 <model name="m">
  <pose>1 2 3 0 0 0</pose>
  <link name="palm">
    <inertial><pose>0 0 0.02 0 0 0</pose><mass>0.5</mass>
      <inertia><ixx>1e-3</ixx><iyy>2e-3</iyy><izz>2.5e-3</izz><ixy>1e-4</ixy></inertia></inertial>
    <collision name="p"><pose degrees="true">0 0 0.03 5.729577951308232 11.459155902616466 17.188733853924695</pose>
      <geometry><box><size>0.1 0.05 0.04</size></box></geometry></collision>
  </link>
  <frame name="mount" attached_to="palm"><pose>0.04 0 0.05 0 0.3 0</pose></frame>
  <link name="left"><pose relative_to="mount">0 0 0.02 0 0 0</pose>
    <inertial><pose>0 0 -0.02 0 0 0</pose><mass>0.1</mass>
      <inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>1e-4</izz></inertia></inertial>
    <collision name="l"><pose>0 0 0.03 0 0 0</pose>
      <geometry><cylinder><radius>0.01</radius><length>0.08</length></cylinder></geometry>
      <surface><friction><ode><mu>0.7</mu></ode></friction></surface></collision>
  </link>
  <link name="tip"><pose relative_to="left">0 0 0.08 0 0 1.5707963267948966</pose>
    <inertial><mass>0.05</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial>
    <collision name="t"><geometry><sphere><radius>0.01</radius></sphere></geometry>
      <drake:proximity_properties><drake:mu_dynamic>0.9</drake:mu_dynamic></drake:proximity_properties>
    </collision>
  </link>
  <joint name="slide" type="prismatic"><pose relative_to="mount"/><parent>palm</parent><child>left</child>
    <axis><xyz>1 0 0</xyz><limit><lower>-0.03</lower><upper>0.01</upper><effort>20</effort>
      <velocity>0.4</velocity></limit><dynamics><damping>0.5</damping><friction>0.1</friction>
      <spring_stiffness>30</spring_stiffness><spring_reference>0.002</spring_reference></dynamics></axis>
  </joint>
  <joint name="bend" type="revolute"><parent>left</parent><child>tip</child>
    <axis><xyz expressed_in="left">0 1 0</xyz><limit><lower>-1</lower><upper>1</upper><effort>2</effort>
      <velocity>3</velocity></limit>
      <mimic joint="slide"><multiplier>20</multiplier><offset>0.3</offset><reference>0.01</reference></mimic>
    </axis>
  </joint>
 </model>
</sdf>"#;

#[test]
fn the_same_robot_as_in_urdf() {
    let (urdf, _) = read(URDF).unwrap();
    let (sdf, report) = read(SDF).unwrap();
    assert_eq!(report.format, Format::Sdf);
    let q = [0.004, 0.4];
    let poses = |robot: &Robot| robot.link_poses(&q);
    for (i, (a, b)) in urdf.links.iter().zip(&sdf.links).enumerate() {
        assert_eq!((&a.name, a.parent), (&b.name, b.parent));
        assert_eq!(a.joint.limits, b.joint.limits);
        assert_eq!(a.joint.effort_limit, b.joint.effort_limit);
        assert_eq!(a.joint.velocity_limit, b.joint.velocity_limit);
        assert_eq!(
            (a.joint.damping, a.joint.friction),
            (b.joint.damping, b.joint.friction)
        );
        // Shapes and masses are where they were, whatever the frames of the links.
        let (A, B) = (poses(&urdf)[i], poses(&sdf)[i]);
        let (a0, b0) = (&a.collisions[0], &b.collisions[0]);
        assert_eq!(a0.shape, b0.shape);
        let (GA, GB) = (A.compose(&a0.X_LG), B.compose(&b0.X_LG));
        assert!((GA.p - GB.p).length() < 1e-15, "{}", a.name);
        if !matches!(a0.shape, Shape::Sphere { .. }) {
            assert!((GA.R.z_axis - GB.R.z_axis).length() < 1e-15, "{}", a.name);
        }
        let (a, b) = (a.inertial.unwrap(), b.inertial.unwrap());
        let turned = |X: &Pose, I| X.R * I * X.R.transpose();
        assert!((A.point(a.centre_of_mass) - B.point(b.centre_of_mass)).length() < 1e-15);
        let difference = turned(&A, a.inertia) - turned(&B, b.inertia);
        assert!(difference.to_cols_array().iter().all(|v| v.abs() < 1e-17));
    }
    let law = |robot: &Robot| match &robot.closures[..] {
        [closure] => match &closure.kind {
            ClosureKind::Joints { polynomial, .. } => *polynomial,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    for (a, b) in law(&urdf).iter().zip(law(&sdf)) {
        assert!((a - b).abs() < 1e-15);
    }
    // What URDF cannot say.
    let slide = &sdf.links[sdf.joint("slide").unwrap()].joint;
    assert_eq!((slide.stiffness, slide.spring_rest), (30.0, 0.002));
    let friction = |name: &str| sdf.links[sdf.link(name).unwrap()].collisions[0].friction;
    assert_eq!(
        ["palm", "left", "tip"].map(friction),
        [None, Some(0.7), Some(0.9)]
    );
    // The frame of the file is kept: 20 mm up, and turned.
    let left = &sdf.links[1];
    assert!((left.X_LB.p - DVec3::new(0.0, 0.0, 0.02)).length() < 1e-15);
}

const MASS: &str =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

#[test]
fn a_second_joint_on_a_link_closes_a_chain() {
    let link = |name: &str, x: f64| {
        format!("<link name=\"{name}\"><pose>{x} 0 0 0 0 0</pose>{MASS}</link>")
    };
    let joint = |name: &str, kind: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{name}\" type=\"{kind}\"><parent>{parent}</parent><child>{child}</child>\
             <axis><xyz>0 0 1</xyz></axis></joint>"
        )
    };
    let chain = |kind: &str| {
        let parts = [
            link("a", 0.0),
            link("b", 1.0),
            link("c", 2.0),
            joint("ab", "revolute", "a", "b"),
            joint("ac", "revolute", "a", "c"),
            joint("bc", kind, "b", "c"),
        ];
        model("1.7", &parts.concat())
    };
    for (kind, closures) in [("ball", 1), ("fixed", 1), ("revolute", 2)] {
        let (robot, _) = read(&chain(kind)).unwrap();
        assert_eq!(robot.closures.len(), closures, "{kind}");
        // Without limits a hinge turns for ever.
        assert_eq!(robot.links[1].joint.kind, JointKind::Continuous);
        let poses = robot.link_poses(&robot.initial());
        for closure in &robot.closures {
            let (ClosureKind::Connect([a, b]) | ClosureKind::Weld([a, b])) = &closure.kind else {
                panic!("{closure:?}");
            };
            assert_eq!([a.link, b.link], [1, 2]);
            let at = |end: &volar_robots::Anchor| poses[end.link].compose(&end.X_LE).p;
            assert!((at(a) - at(b)).length() < 1e-15);
        }
    }
    assert!(refused(&chain("prismatic")).contains("closed chain"));
}

#[test]
fn joints_to_the_world_and_old_axes() {
    let inside = format!(
        "<link name=\"a\"><pose>0 0 1 1.5707963267948966 0 0</pose>{MASS}</link>\
         <joint name=\"j\" type=\"revolute\"><parent>world</parent><child>a</child>\
         <axis><xyz>0 0 1</xyz></axis></joint>"
    );
    for (version, along) in [("1.4", DVec3::Z), ("1.6", -DVec3::Y)] {
        let (robot, _) = read(&model(version, &inside)).unwrap();
        assert_eq!(robot.links[0].name, "world");
        let X = robot.link_poses(&[0.0])[1];
        assert!((X.p - DVec3::Z).length() < 1e-15);
        assert!(
            (X.R * robot.links[1].joint.axis - along).length() < 1e-15,
            "{version}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let two = "<sdf version=\"1.7\"><model name=\"a\"/><model name=\"b\"/></sdf>";
    assert!(refused(two).contains("2 models"));
    let include = model("1.7", "<include><uri>model://hand</uri></include>");
    assert!(refused(&include).contains("gz sdf -p"));
    let screw = model(
        "1.7",
        &format!(
            "<link name=\"a\">{MASS}</link><link name=\"b\">{MASS}</link><joint name=\"j\" \
             type=\"screw\"><parent>a</parent><child>b</child></joint>"
        ),
    );
    assert!(refused(&screw).contains("\"screw\""));
    let circle = model(
        "1.7",
        "<link name=\"a\"><pose relative_to=\"f\"/></link><frame name=\"f\" attached_to=\"a\"/>",
    );
    assert!(refused(&circle).contains("relative_to"));
    let text = model("1.7", "<link name=\"a\"><pose>0 0 zero 0 0 0</pose></link>");
    assert!(refused(&text).contains("6 numbers"), "{}", refused(&text));
}
