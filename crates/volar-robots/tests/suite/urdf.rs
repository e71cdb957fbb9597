//! URDF: our grippers, every joint type, what is noted and what is refused.

use std::path::{Path, PathBuf};

use glam::DVec3;
use volar_geom::Pose;
use volar_robots::{ClosureKind, JointKind, LoadOptions, NoteKind, RobotError, load};
use volar_solids::Shape;

use crate::text::load_text;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn read(text: &str) -> Result<(volar_robots::Robot, volar_robots::ImportReport), RobotError> {
    load_text(text, Path::new(""), &LoadOptions::default())
}

fn refused(text: &str) -> String {
    match read(text) {
        Ok(_) => panic!("read what should be refused: {text}"),
        Err(error) => error.to_string(),
    }
}

const MASS: &str = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>"#;

#[test]
fn our_grippers_load() {
    for (name, links, dofs) in [("g2p", 3, 2), ("g2r", 3, 2), ("g3r", 7, 6)] {
        let (robot, report) =
            load(&data(&format!("{name}.urdf")), &LoadOptions::default()).unwrap();
        assert_eq!(
            (robot.name.as_str(), robot.links.len(), robot.nv()),
            (name, links, dofs)
        );
        // Their display meshes are not here: noted, and nothing else is.
        assert_eq!(report.notes.len(), 1, "{report}");
        assert_eq!(report.notes[0].names.len(), links);
        assert!(
            robot
                .links
                .iter()
                .all(|l| l.collisions.len() == 1 && l.inertial.is_some())
        );
        assert!(robot.world.is_none() && robot.actuators.is_empty());
    }
}

#[test]
fn a_gripper_is_as_its_file_says() {
    let (robot, _) = load(&data("g3r.urdf"), &LoadOptions::default()).unwrap();
    let i = robot.joint("distal_2").unwrap();
    let link = &robot.links[i];
    assert_eq!(robot.links[link.parent.unwrap()].name, "prox_2");
    assert_eq!(link.joint.kind, JointKind::Revolute);
    assert_eq!(link.joint.axis, DVec3::Y);
    assert_eq!(link.joint.limits, Some([-0.2, 1.4]));
    assert_eq!(link.joint.effort_limit, Some([-10.0, 10.0]));
    assert_eq!(link.joint.velocity_limit, Some(10.0));
    assert!((link.joint.damping - 0.04).abs() < 1e-15);
    assert_eq!(
        link.X_PJ,
        Pose::from_translation(DVec3::new(0.0, 0.0, -0.045))
    );
    assert_eq!(link.collisions[0].shape, Shape::Box([0.016, 0.016, 0.06]));
    // Finger 2 stands at 120°.
    let poses = robot.link_poses(&robot.initial());
    let azimuth = poses[i].p.y.atan2(poses[i].p.x).to_degrees();
    assert!((azimuth - 120.0).abs() < 1e-5, "{azimuth}");
    // Neighbours do not touch, fingers do.
    let name = |n: &str| robot.link(n).unwrap();
    assert!(!robot.may_touch(name("palm"), name("prox_1")));
    assert!(robot.may_touch(name("palm"), name("dist_1")));
    assert!(robot.may_touch(name("dist_1"), name("dist_2")));
}

#[test]
fn every_joint_type_is_read() {
    let types = [
        ("revolute", JointKind::Revolute),
        ("continuous", JointKind::Continuous),
        ("prismatic", JointKind::Prismatic),
        ("fixed", JointKind::Fixed),
        ("floating", JointKind::Free),
        ("planar", JointKind::Planar),
        ("spherical", JointKind::Ball),
    ];
    for (name, kind) in types {
        let text = format!(
            r#"<robot name="r"><link name="a"/><link name="b">{MASS}</link>
               <joint name="j" type="{name}"><parent link="a"/><child link="b"/>
               <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 3 4"/></joint></robot>"#
        );
        let (robot, _) = read(&text).unwrap();
        assert_eq!(robot.links[1].joint.kind, kind);
        // At rest the file's frame is where the origin puts it.
        let pose = robot.link_poses(&robot.initial())[1].compose(&robot.links[1].X_LB);
        assert!((pose.p - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-15);
        // Roll, then pitch, then yaw about fixed axes.
        assert!((pose.R.x_axis.z + 0.2_f64.sin()).abs() < 1e-15);
        assert!((pose.R.x_axis.y - 0.3_f64.sin() * 0.2_f64.cos()).abs() < 1e-15);
        assert!((pose.R.y_axis.z - 0.2_f64.cos() * 0.1_f64.sin()).abs() < 1e-15);
    }
}

#[test]
fn a_planar_joint_moves_across_its_axis() {
    let text = format!(
        r#"<robot name="r"><link name="a"/><link name="b">{MASS}</link>
           <joint name="j" type="planar"><parent link="a"/><child link="b"/>
           <axis xyz="1 0 0"/></joint></robot>"#
    );
    let (robot, _) = read(&text).unwrap();
    let pose = robot.link_poses(&[0.3, 0.4, 0.5])[1].compose(&robot.links[1].X_LB);
    assert!(pose.p.x.abs() < 1e-15 && (pose.p.length() - 0.5).abs() < 1e-15);
    assert!(
        (pose.R.x_axis - DVec3::X).length() < 1e-15,
        "turns about its axis"
    );
}

#[test]
fn mimic_becomes_a_follower() {
    let text = format!(
        r#"<robot name="r"><link name="a"/><link name="b">{MASS}</link><link name="c">{MASS}</link>
           <joint name="k" type="prismatic"><parent link="a"/><child link="c"/>
           <mimic joint="j" multiplier="-2" offset="0.1"/></joint>
           <joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>"#
    );
    let (robot, report) = read(&text).unwrap();
    let (j, k) = (robot.joint("j").unwrap(), robot.joint("k").unwrap());
    let relation = ClosureKind::Joints {
        follower: vec![(k, 1.0)],
        leader: vec![(j, 1.0)],
        reference: [0.0, 0.0],
        polynomial: [0.1, -2.0, 0.0, 0.0, 0.0],
    };
    assert_eq!(robot.closures[0].kind, relation);
    // Neither has limits, and that is said.
    assert_eq!(report.about("<limit>").next().unwrap().names.len(), 2);
}

/// Followers of followers are fine; a circle of them, or one alone, is refused.
#[test]
fn mimics_that_follow_themselves_are_refused() {
    let chain = |leaders: [&str; 3]| {
        let joints = ["i", "j", "k"].iter().zip(leaders).map(|(name, leader)| {
            let mimic = match leader {
                "" => String::new(),
                _ => format!("<mimic joint=\"{leader}\"/>"),
            };
            format!(
                "<link name=\"of_{name}\">{MASS}</link><joint name=\"{name}\" type=\"revolute\">\
                 <parent link=\"a\"/><child link=\"of_{name}\"/>{mimic}</joint>"
            )
        });
        let joints: String = joints.collect();
        read(&format!(
            "<robot name=\"r\"><link name=\"a\"/>{joints}</robot>"
        ))
    };
    assert_eq!(chain(["", "i", "j"]).unwrap().0.closures.len(), 2);
    for (leaders, circle) in [(["i", "", ""], "i → i"), (["k", "i", "j"], "i → k → j → i")]
    {
        let error = chain(leaders).unwrap_err();
        assert!(matches!(error, RobotError::FollowerCycle { .. }), "{error}");
        assert!(error.to_string().contains(circle), "{error}");
    }
}

#[test]
fn inertia_is_turned_with_its_origin() {
    let text = r#"<robot name="r"><link name="a"><inertial>
        <origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
        <inertia ixx="1" iyy="2" izz="3" ixy="0.5" ixz="0" iyz="0"/></inertial></link></robot>"#;
    let (robot, _) = read(text).unwrap();
    let mass = robot.links[0].inertial.unwrap();
    assert!((mass.inertia.x_axis.x - 2.0).abs() < 1e-15);
    assert!((mass.inertia.y_axis.y - 1.0).abs() < 1e-15);
    assert!((mass.inertia.x_axis.y + 0.5).abs() < 1e-15);
    assert_eq!(mass.centre_of_mass, DVec3::new(0.1, 0.0, 0.0));
}

#[test]
fn what_is_not_taken_over_is_named() {
    let text = format!(
        r#"<robot name="r"><material name="red"/><gazebo/><transmission name="t"/><strange/>
           <link name="a" odd="1"><contact><lateral_friction value="0.6"/><stiffness value="3"/></contact>
           <collision><geometry><capsule radius="0.1" length="0.3"/></geometry></collision></link>
           <link name="b">{MASS}</link>
           <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
           <limit lower="2" upper="1" effort="0" velocity="0"/><safety_controller/>
           <dynamics damping="1" friction="2" springy="3"/></joint></robot>"#
    );
    let (robot, report) = read(&text).unwrap();
    let noted = |what: &str, kind| report.about(what).any(|note| note.kind == kind);
    for what in [
        "<material>",
        "<gazebo>",
        "<transmission>",
        "<safety_controller>",
    ] {
        assert!(noted(what, NoteKind::Ignored), "{what}: {report}");
    }
    for what in [
        "<strange>",
        "odd of <link>",
        "<stiffness>",
        "springy of <dynamics>",
    ] {
        assert!(noted(what, NoteKind::Unsupported), "{what}: {report}");
    }
    assert!(noted("<limit>", NoteKind::Changed));
    assert_eq!(robot.links[0].collisions[0].friction, Some(0.6));
    assert_eq!(robot.links[1].joint.limits, None);
    assert_eq!(
        (robot.links[1].joint.damping, robot.links[1].joint.friction),
        (1.0, 2.0)
    );
    let lines = report.to_string();
    assert!(lines.contains("not supported: 1 × <strange>"), "{lines}");
}

#[test]
fn packages_are_found() {
    let folder = std::env::temp_dir().join(format!("volar-robots-{}", std::process::id()));
    let (meshes, robots) = (folder.join("hand/meshes"), folder.join("hand/urdf"));
    for place in [&meshes, &robots] {
        std::fs::create_dir_all(place).unwrap();
    }
    std::fs::copy(data("parts/wedge.obj"), meshes.join("a.obj")).unwrap();
    let text = |name: &str| {
        format!(
            r#"<robot name="r"><link name="a"><collision><geometry>
               <mesh filename="{name}" scale="2 2 -2"/></geometry></collision></link></robot>"#
        )
    };
    let options = LoadOptions {
        packages: vec![folder.clone()],
    };
    // By the folders above the file, by the search path, relative to the file.
    for (name, from, options) in [
        (
            "package://hand/meshes/a.obj",
            Some(robots.as_path()),
            LoadOptions::default(),
        ),
        ("package://hand/meshes/a.obj", None, options),
        (
            "../meshes/a.obj",
            Some(robots.as_path()),
            LoadOptions::default(),
        ),
    ] {
        let (robot, _) = load_text(&text(name), from.unwrap_or(Path::new("")), &options).unwrap();
        let Shape::Mesh(file) = &robot.links[0].collisions[0].shape else {
            panic!("a mesh")
        };
        assert!(Path::new(&file.file).is_file());
        assert_eq!(file.scale.axes(), DVec3::new(2.0, 2.0, -2.0));
        // Mirrored, and still outward.
        let mesh = volar_meshes::read(Path::new(&file.file), &Default::default()).unwrap();
        assert!(volar_geom::mesh::check::check(&file.placed(&mesh)).is_usable());
    }
    let error = refused(&text("package://hand/meshes/none.obj"));
    assert!(
        error.contains("<mesh>: the mesh file") && error.contains("none.obj"),
        "{error}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn errors_name_the_place() {
    let joint = |kind: &str, parent: &str, child: &str| {
        format!(
            r#"<joint name="{parent}{child}" type="{kind}"><parent link="{parent}"/><child link="{child}"/></joint>"#
        )
    };
    let robot = |links: &str, joints: &str| {
        let links: String = links
            .chars()
            .map(|c| format!("<link name=\"{c}\">{MASS}</link>\n"))
            .collect();
        format!("<robot name=\"r\">\n{links}{joints}</robot>")
    };
    let fixed = |parent: &str, child: &str| joint("fixed", parent, child);
    let cases = [
        (
            robot("ab", &joint("hinge", "a", "b")),
            "no joint of type \"hinge\"",
        ),
        (
            robot("ab", &fixed("x", "b")),
            "<joint name=\"xb\">: parent link=\"x\": there is no link",
        ),
        (robot("ab", ""), "links a, b have no parent"),
        (
            robot("ab", &(fixed("a", "b") + &fixed("b", "a"))),
            "hangs on itself through",
        ),
        (robot("abc", &(fixed("b", "c") + &fixed("c", "b"))), "→"),
        (
            robot("abc", &(fixed("a", "c") + &fixed("b", "c"))),
            "child of joint `ac` already",
        ),
        (robot("aa", ""), "another link of this name"),
        (robot("", ""), "no link"),
        (
            robot("ab", "<joint name=\"j\" type=\"fixed\"/>"),
            "needs a <parent",
        ),
        (
            "<robot name=\"r\">\n<link/></robot>".into(),
            "<memory>:2: <link>: needs the attribute `name`",
        ),
        ("<sdf/>".into(), "needs a <model>"),
        ("<world/>".into(), "root element is <world>"),
        ("nothing".into(), "not well-formed"),
    ];
    for (text, wanted) in cases {
        let error = refused(&text);
        assert!(error.contains(wanted), "{error} does not say {wanted}");
    }
}

#[test]
fn bad_values_are_refused() {
    let with = |inside: &str| format!("<robot name=\"r\"><link name=\"a\">{inside}</link></robot>");
    let shape = |s: &str| with(&format!("<collision><geometry>{s}</geometry></collision>"));
    let mass = |m: &str| {
        format!(
            r#"<robot name="r"><link name="a"/><link name="b"><inertial><mass value="{m}"/>
            <inertia ixx="1" iyy="1" izz="1"/></inertial></link>
            <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"#
        )
    };
    let cases = [
        (mass("0"), "a mass above zero"),
        (mass("-1"), "a mass above zero"),
        (mass("1,0"), "value=\"1,0\" should be a number"),
        (mass("inf"), "should be a number"),
        (mass("NaN"), "should be a number"),
        (
            shape("<box size=\"1 2\"/>"),
            "size=\"1 2\" should be 3 numbers",
        ),
        (shape("<box size=\"1 2 0\"/>"), "above zero"),
        (shape("<sphere/>"), "needs the attribute `radius`"),
        (shape("<cone/>"), "a shape <cone> is not supported"),
        (shape(""), "needs a <geometry> with a shape"),
        (shape("<mesh filename=\"no.stl\"/>"), "is not there"),
    ];
    for (text, wanted) in cases {
        let error = refused(&text);
        assert!(error.contains(wanted), "{error} does not say {wanted}");
    }
    // A zero mass that does not move is none.
    let (robot, report) = read(&mass("0").replace("continuous", "fixed")).unwrap();
    assert!(robot.links[1].inertial.is_none());
    assert!(report.about("mass of zero").next().is_some());
    // Without mass at all, and with none on it.
    let bare = r#"<robot name="r"><link name="a"/><link name="b"/>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"#;
    assert!(refused(bare).contains("<link name=\"b\">: moves, but"));
}

#[test]
fn impossible_inertias_are_balanced_negative_ones_refused() {
    let with = |xx: f64, yy: f64, zz: f64, xy: f64| {
        format!(
            r#"<robot name="r"><link name="a"><inertial><mass value="1"/>
            <inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="{xy}"/></inertial></link></robot>"#
        )
    };
    // A disc is at the limit; a little more is too much. A product that makes
    // one moment negative is more than a slip of digits.
    assert!(read(&with(1.0, 1.0, 2.0, 0.0)).is_ok());
    for text in [with(1.0, 1.0, 1.0, 2.0), with(-1.0, 1.0, 1.0, 0.0)] {
        assert!(refused(&text).contains("<inertia>: link `a` has an inertia that no solid"));
    }
    let (robot, report) = read(&with(1.0, 1.0, 4.0, 0.0)).unwrap();
    let inertia = robot.links[0].inertial.unwrap().inertia;
    assert!((inertia.x_axis.x - 2.0).abs() < 1e-15 && (inertia.z_axis.z - 2.0).abs() < 1e-15);
    assert!(report.about("inertia balanced").next().is_some());
}

#[test]
fn bombs_and_towers_are_refused_quickly() {
    let started = std::time::Instant::now();
    let bomb =
        "<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><robot>&b;</robot>";
    assert!(refused(bomb).contains("has a DOCTYPE"));
    let tower = "<robot>".repeat(1_000_000);
    assert!(refused(&tower).contains("elements within each other"));
    let tower = "<robot>".repeat(100_000) + &"</robot>".repeat(100_000);
    assert!(refused(&tower).contains("elements within each other"));
    let wide = format!("<robot name=\"r\">{}</robot>", "<link/>".repeat(3_000_000));
    assert!(refused(&wide).contains("elements"));
    // A second when nothing else runs; what grows as the square takes hours.
    assert!(
        started.elapsed().as_secs_f64() < 60.0,
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn files_that_are_none_are_named() {
    let error = |path: &Path| match load(path, &LoadOptions::default()) {
        Ok(_) => panic!("loaded {}", path.display()),
        Err(error) => error.to_string(),
    };
    assert!(error(&data("nowhere.urdf")).contains("nowhere.urdf"));
    assert!(error(&data("parts")).contains("not a file"));
    assert!(error(&data("parts/wedge.obj")).contains("URDF, MJCF or SDF"));
    assert!(error(&data("parts/arm.xml")).contains("a part to be included"));
}

#[test]
fn a_declaration_may_be_odd() {
    let text = "<!-- made by hand -->\n<?xml version=\"0.0\" ?>\n<robot name=\"r\"><link name=\"a\" x=\"1\"/></robot>";
    let (robot, report) = read(text).unwrap();
    assert_eq!(robot.links.len(), 1);
    assert_eq!(report.notes.len(), 1);
}

#[test]
fn templates_are_refused_with_what_to_do() {
    let declared = r#"<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">"#;
    for (line, inside) in [
        (2, "\n<xacro:include filename=\"arm.xacro\"/></robot>"),
        (
            3,
            "\n<link name=\"a\">\n<visual name=\"${prefix}_v\"/></link></robot>",
        ),
    ] {
        let message = refused(&format!("{declared}{inside}"));
        assert!(message.contains(&format!(":{line}: ")), "{message}");
        assert!(
            message.contains("xacro FILE.xacro > FILE.urdf"),
            "{message}"
        );
    }
    let undeclared = "<robot name=\"r\">\n<xacro:property name=\"x\"/></robot>";
    assert!(refused(undeclared).contains("xacro FILE.xacro"));
    // An expanded file keeps the declaration.
    assert!(read(&format!("{declared}<link name=\"a\"/></robot>")).is_ok());
}

#[test]
fn massless_links_may_stand_between_joints() {
    let text = r#"<robot name="r"><link name="world"/>
        <link name="between"><inertial><mass value="0"/>
        <inertia ixx="0" iyy="0" izz="0"/></inertial></link>
        <link name="hand"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial></link>
        <joint name="x" type="prismatic"><parent link="world"/><child link="between"/>
        <axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint>
        <joint name="y" type="prismatic"><parent link="between"/><child link="hand"/>
        <axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint></robot>"#;
    let (robot, report) = read(text).unwrap();
    assert!(robot.links[1].inertial.is_none());
    let note = report.about("mass of zero").next().unwrap();
    assert!(note.detail.contains("what it carries has some") && note.names == ["between"]);
}
