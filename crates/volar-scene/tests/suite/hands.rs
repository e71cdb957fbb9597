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
    let joint =
        "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>";
    let text = format!(
        "<robot name=\"arm\">{}{}{joint}</robot>",
        link("a"),
        link("b")
    );
    std::fs::write(&path, text).unwrap();
    let error = Hand::guess(&path, &[]).unwrap_err().to_string();
    assert!(error.contains("no link has two moving fingers"), "{error}");
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
