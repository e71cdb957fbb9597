//! Hands that are guessed from robot files, and the scenes of their grasps.

use std::path::{Path, PathBuf};

use volar_scene::hand::Anatomy;
use volar_scene::spec::Shape;
use volar_scene::{GraspOptions, Hand, Object, Scene, builtin};

/// A robot of a built-in scene as files on disk.
fn on_disk(scene: &str, file: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    builtin::find(scene).unwrap().write(folder.path()).unwrap();
    let path = folder.path().join(file);
    assert!(path.is_file(), "{}", path.display());
    (folder, path)
}

fn guess(path: &Path) -> Hand {
    let hand = Hand::guess(path, &[]).unwrap();
    println!("{}", hand.file.to_toml().unwrap());
    hand
}

/// Grippers of known shape: fingers, direction of closing, and where a ball goes.
#[test]
fn grippers_are_guessed() {
    for (scene, file, fingers) in [
        ("g2p-cube", "g2p.urdf", 2),
        ("g2r-cube", "g2r.urdf", 2),
        ("g3r-cube", "g3r.urdf", 3),
    ] {
        let (_folder, path) = on_disk(scene, file);
        let hand = guess(&path);
        assert_eq!(hand.file.palm, "palm");
        assert_eq!(hand.file.fingers.len(), fingers);
        // They hang below the palm, and what they hold is in the middle, as far as places
        // that are up to 15 mm apart tell.
        let [x, y, z] = hand.file.tool.position;
        assert!(x.hypot(y) < 0.015 && z < -0.05, "{x} {y} {z}");
        for closing in hand.file.closes.values() {
            assert!(closing.closed > closing.rest, "positive is inwards here");
        }
    }
}

/// What is written is what is read, and a line that is changed counts.
#[test]
fn a_hand_file_is_read_back() {
    let (folder, path) = on_disk("g2p-cube", "g2p.urdf");
    let mut hand = guess(&path);
    hand.file.material = "silicone".into();
    let file = folder.path().join("hand.toml");
    std::fs::write(&file, hand.file.to_toml().unwrap()).unwrap();
    let read = Hand::open(&file, &[]).unwrap();
    assert_eq!(read.file, hand.file);
    let plan = read.grasp(&Object::ball(0.03), &GraspOptions::default());
    assert_eq!(plan.unwrap().spec.robots[0].material, "silicone");

    let wrong = hand
        .file
        .to_toml()
        .unwrap()
        .replace("\"pad_1\"", "\"pad_9\"");
    std::fs::write(&file, wrong).unwrap();
    let error = Hand::open(&file, &[]).unwrap_err().to_string();
    assert!(error.contains("no link `pad_9`"), "{error}");
}

/// The scene of a grasp compiles, starts without overlap, and says all it assumes.
#[test]
fn a_grasp_is_a_scene() {
    let (_folder, path) = on_disk("g2r-cube", "g2r.urdf");
    let hand = guess(&path);
    let box_ = Object {
        name: "box".into(),
        shape: Shape::Box([0.08, 0.03, 0.05]),
        ..Object::ball(1.0)
    };
    for object in [Object::ball(0.03), box_] {
        let plan = hand.grasp(&object, &GraspOptions::default()).unwrap();
        println!("{}", plan.assumed.join("\n"));
        let scene = plan.scene().unwrap();
        let setup = scene.compile().unwrap();
        let simulation = setup.simulation().unwrap();
        assert!(simulation.contacts().is_empty(), "{}", object.name);
        assert_eq!(setup.grasp.unwrap().section.phases.len(), 4);
        // The text alone is the same scene.
        assert_eq!(Scene::parse("again", &scene.text).unwrap().spec, plan.spec);
    }
    let huge = Object::ball(0.3);
    let error = hand.grasp(&huge, &GraspOptions::default()).unwrap_err();
    assert!(error.to_string().contains("does not fit"), "{error}");
}

/// Robots without fingers are refused with a reason.
#[test]
fn what_has_no_fingers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.urdf");
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" \
             iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><collision><geometry><box size=\"0.1 0.1 0.1\"/></geometry>\
             </collision></link>"
        )
    };
    let joint = |kind: &str| {
        format!("<joint name=\"j\" type=\"{kind}\"><parent link=\"a\"/><child link=\"b\"/></joint>")
    };
    for (kind, why) in [
        ("fixed", "no link has two moving fingers"),
        // A shaft in its bearing is no jaw.
        ("continuous", "do not close on a ball"),
    ] {
        let (a, b, joint) = (link("a"), link("b"), joint(kind));
        std::fs::write(&path, format!("<robot name=\"arm\">{a}{b}{joint}</robot>")).unwrap();
        let error = Hand::guess(&path, &[]).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// Links that are welded to a finger belong to it.
#[test]
fn welded_links_count_with_their_finger() {
    let (_folder, path) = on_disk("g3r-cube", "g3r.urdf");
    let hand = guess(&path);
    let anatomy = Anatomy::of(&hand.robot).unwrap();
    for finger in &anatomy.fingers {
        for (number, link) in hand.robot.links.iter().enumerate() {
            let on_finger = link.parent.is_some_and(|p| finger.links.contains(&p));
            assert!(!on_finger || finger.links.contains(&number));
        }
    }
}

/// A jaw that closes on one that does not move: two fingers, one of them the palm.
#[test]
fn one_jaw_closes_on_the_palm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jaw.urdf");
    let link = |name: &str, z: f64| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"0.2\"/><inertia ixx=\"1e-4\" iyy=\"1e-4\" \
             izz=\"1e-4\"/></inertial><collision><origin xyz=\"0 0 {z}\"/><geometry><box size=\"0.012 \
             0.03 0.1\"/></geometry></collision></link>"
        )
    };
    let joint = "<joint name=\"j\" type=\"prismatic\"><origin xyz=\"0.1 0 0\"/><parent link=\"a\"/>\
                 <child link=\"b\"/><axis xyz=\"1 0 0\"/><limit lower=\"-0.09\" upper=\"0\" effort=\"50\" \
                 velocity=\"1\"/></joint>";
    let (a, b) = (link("a", 0.05), link("b", 0.05));
    std::fs::write(&path, format!("<robot name=\"jaw\">{a}{b}{joint}</robot>")).unwrap();
    let hand = guess(&path);
    assert_eq!(hand.file.fingers.len(), 2);
    let [x, _, z] = hand.file.tool.position;
    assert!(
        (0.036..0.065).contains(&x) && (0.01..0.09).contains(&z),
        "{x} {z}"
    );
    let closing = hand.file.closes["j"];
    assert!(closing.closed < closing.rest);
}

/// The bars of a linkage are one finger, one joint of which is driven; the others start where
/// the chain is closed, and nothing holds them.
#[test]
fn linkages_are_fingers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gripper.xml");
    // A parallelogram of 60 mm on each side: the pad stays upright.
    let side = |name: &str, sign: f64| {
        format!(
            r#"<body name="{name}_driver" pos="{x} 0 0"><joint name="{name}_drive" axis="0 {sign} 0" range="-1.2 0"/>
                <geom type="box" size="0.003 0.006 0.03" pos="0 0 0.03"/>
                <body name="{name}_pad" pos="0 0 0.06"><joint name="{name}_tilt" axis="0 {sign} 0"/>
                  <geom type="box" size="0.004 0.01 0.03" pos="{inside} 0 0.03"/></body></body>
               <body name="{name}_follower" pos="{x2} 0 0"><joint name="{name}_follow" axis="0 {sign} 0"/>
                <geom type="box" size="0.003 0.006 0.03" pos="0 0 0.03" contype="0" conaffinity="0"/></body>"#,
            x = -0.02 * sign,
            x2 = -0.05 * sign,
            inside = 0.008 * sign,
        )
    };
    let ties = |name: &str, sign: f64| {
        format!(
            r#"<connect body1="{name}_follower" body2="{name}_pad" anchor="0 0 0.06" name="{name} {sign}"/>"#
        )
    };
    let text = format!(
        r#"<mujoco model="gripper"><compiler angle="radian"/><worldbody><body name="base">
           <geom type="box" size="0.06 0.02 0.01" pos="0 0 -0.02"/>{}{}</body></worldbody>
           <equality>{}{}</equality>
           <actuator><position joint="left_drive" kp="20" ctrlrange="-1.2 0"/>
           <position joint="right_drive" kp="20" ctrlrange="-1.2 0"/></actuator></mujoco>"#,
        side("left", 1.0),
        side("right", -1.0),
        ties("left", 1.0),
        ties("right", -1.0),
    );
    std::fs::write(&path, text).unwrap();
    let hand = guess(&path);
    assert_eq!(hand.file.fingers.len(), 2);
    let driven: Vec<&String> = hand.file.closes.keys().collect();
    assert_eq!(driven, ["left_drive", "right_drive"]);
    let plan = hand
        .grasp(&Object::ball(0.03), &GraspOptions::default())
        .unwrap();
    let joints = &plan.spec.robots[0].joints;
    for side in ["left", "right"] {
        let at = |joint: &str| joints[&format!("{side}_{joint}")].start.unwrap();
        // A parallelogram: the follower as the driver, the pad upright.
        assert!((at("follow") - at("drive")).abs() < 1e-4, "{side}");
        assert!((at("tilt") + at("drive")).abs() < 1e-4, "{side}");
        for passive in ["follow", "tilt"] {
            assert!(joints[&format!("{side}_{passive}")].target.is_none());
        }
    }
    plan.scene()
        .unwrap()
        .compile()
        .unwrap()
        .simulation()
        .unwrap();
}

/// A cube that lies on a table is lifted with the hand, one that is too heavy stays, and what is
/// larger than the hand opens is refused with what would fit.
#[test]
fn objects_are_picked_up_from_a_table() {
    let (_folder, path) = on_disk("g2p-cube", "g2p.urdf");
    let hand = guess(&path);
    let cube = |edge: f64, mass: f64| Object {
        name: "cube".into(),
        shape: Shape::Box([edge; 3]),
        mass: Some(mass),
        ..Object::ball(1.0)
    };
    let options = GraspOptions {
        hold: 1.0,
        lift: Some(0.1),
        ..GraspOptions::default()
    };
    for (mass, held) in [(0.2, true), (5.0, false)] {
        let plan = hand.grasp(&cube(0.05, mass), &options).unwrap();
        let setup = std::sync::Arc::new(plan.scene().unwrap().compile().unwrap());
        let end = setup.scene.spec.duration;
        let mut measures = volar_run::Measures::new(&setup, end);
        let mut run = volar_run::Run::new(setup.clone(), 1).unwrap();
        let height = |run: &volar_run::Run| {
            let simulation = run.simulation();
            simulation.pose(setup.grasp.as_ref().unwrap().object).p.z
        };
        let before = height(&run);
        let _ = run.advance_with(end, &mut [&mut measures]);
        let summary = measures.summary(&setup);
        assert_eq!(summary.held, Some(held), "{:?}", summary.verdict);
        let lifted = height(&run) - before;
        let expected = if held { 0.1 } else { 0.0 };
        assert!((lifted - expected).abs() < 1.0e-3, "lifted by {lifted} m");
    }
    let error = hand.grasp(&cube(0.3, 1.0), &options).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("which close on a ball of 60 mm"), "{told}");
}

/// A palm with two fingers on slides that open to 2 × `way`, as MJCF with what else is needed.
fn slides(way: f64, rest: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gripper.xml");
    let finger = |name: &str, side: f64| {
        format!(
            r#"<body name="{name}" pos="{} 0 0.05"><joint name="{name}_slide" type="slide" axis="{side} 0 0"
               range="0 {way}"/><geom type="box" size="0.005 0.01 0.03"/></body>"#,
            0.005 * side
        )
    };
    let text = format!(
        r#"<mujoco model="gripper"><worldbody><body name="palm"><geom type="box" size="0.06 0.02 0.01"/>
           {}{}</body></worldbody>{rest}</mujoco>"#,
        finger("left", -1.0),
        finger("right", 1.0)
    );
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// A tendon that pulls at two joints, one of which follows the other, closes both.
#[test]
fn a_tendon_closes_joints_that_follow() {
    let (_folder, path) = slides(
        0.04,
        r#"<tendon><fixed name="split"><joint joint="left_slide" coef="0.5"/>
           <joint joint="right_slide" coef="0.5"/></fixed></tendon>
           <equality><joint joint1="right_slide" joint2="left_slide"/></equality>
           <actuator><general tendon="split" ctrlrange="0 255" biastype="affine" gainprm="0.08"
           biasprm="0 -500 0" name="servo"/></actuator>"#,
    );
    let plan = guess(&path).grasp(&Object::ball(0.03), &GraspOptions::default());
    let controls = &plan.unwrap().spec.robots[0].controls;
    let volar_scene::spec::Command::OverTime(way) = &controls["servo"] else {
        panic!("it moves");
    };
    let [open, closed] = [way[0][1], way[1][1]];
    assert!(
        (open - 250.0).abs() < 1e-9 && closed.abs() < 1e-9,
        "{way:?}"
    );
}

/// A ball that is wider than the fingers open lies before them, and they would push it out.
#[test]
fn what_fingers_push_out_is_refused() {
    let (_folder, path) = slides(0.024, "");
    let hand = guess(&path);
    let plan = |radius: f64| hand.grasp(&Object::ball(radius), &GraspOptions::default());
    let error = plan(0.03).unwrap_err().to_string();
    assert!(error.contains("which close on a ball of 40 mm"), "{error}");
    assert!(plan(0.02).is_ok());
}

/// Of a tendon of given length between two joints, the one without a servo follows.
#[test]
fn a_joint_at_the_other_end_of_a_tendon_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gripper.xml");
    let finger = |name: &str, side: f64| {
        format!(
            r#"<body name="{name}" pos="{x} 0 0"><joint name="{name}_near" axis="0 {side} 0" range="-0.5 1"/>
               <geom type="box" size="0.004 0.01 0.02" pos="0 0 0.02"/>
               <body name="{name}_tip" pos="0 0 0.04"><joint name="{name}_far" axis="0 {side} 0" range="-1 1"/>
               <geom type="box" size="0.004 0.01 0.02" pos="0 0 0.02"/></body></body>"#,
            x = -0.05 * side
        )
    };
    let for_both = |text: &str| {
        ["left", "right"]
            .map(|name| text.replace("SIDE", name))
            .concat()
    };
    let text = format!(
        r#"<mujoco model="gripper"><compiler angle="radian"/><worldbody><body name="palm">
           <geom type="box" size="0.06 0.02 0.01" pos="0 0 -0.02"/>{}{}</body></worldbody>
           <tendon>{}</tendon><equality>{}</equality><actuator>{}</actuator></mujoco>"#,
        finger("left", 1.0),
        finger("right", -1.0),
        for_both(
            r#"<fixed name="SIDE_link"><joint joint="SIDE_near" coef="1"/><joint joint="SIDE_far"
               coef="2"/></fixed>"#
        ),
        for_both(r#"<tendon tendon1="SIDE_link"/>"#),
        for_both(r#"<position joint="SIDE_near" kp="20" ctrlrange="-0.5 1"/>"#),
    );
    std::fs::write(&path, text).unwrap();
    let hand = guess(&path);
    let closes: Vec<&String> = hand.file.closes.keys().collect();
    assert_eq!(closes, ["left_near", "right_near"]);
    let plan = hand.grasp(&Object::ball(0.03), &GraspOptions::default());
    let joints = &plan.unwrap().spec.robots[0].joints;
    for side in ["left", "right"] {
        let [near, far] = ["near", "far"].map(|joint| &joints[&format!("{side}_{joint}")]);
        assert!((near.start.unwrap() + 2.0 * far.start.unwrap()).abs() < 1e-12);
        assert!(near.target.is_some() && far.target.is_none());
    }
}
