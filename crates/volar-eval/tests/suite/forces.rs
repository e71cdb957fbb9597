//! Fingers press with the force that is asked for.

use volar_eval::plan;
use volar_grasps::Grasp;
use volar_scene::{Object, Protocol};
use volar_sweep::{Cell, RunLimits};

use crate::{at_tool, request};

/// Closes, and nothing else.
const PRESS: &str = "name = \"press\"\nframe = \"hand\"\nclose = 0.5\nfriction = 1.0\n\
                     duration = 2.0\n[grasp]\nfrom = 1.0\nheld_since = 1.0";

/// On a ball and on boxes, with the object at the tool frame and to one side of it, with jaws
/// that slide and fingers that turn: within a fifth. What is missing is how far edges and balls
/// sink into the fingers, which grows with the force; fingers that turn meet boxes with an edge.
#[test]
fn fingers_press_with_the_force_asked_for() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    for (gripper, fingers) in [
        ("g2p", ["pad_1", "pad_2"]),
        ("g2r", ["finger_1", "finger_2"]),
    ] {
        let scene = volar_scene::builtin::find(&format!("{gripper}-cube")).unwrap();
        scene.write(&folder.join(gripper)).unwrap();
        let hand = folder.join(format!("{gripper}/{gripper}.urdf"));
        for object in ["sphere:0.025", "box:0.05,0.05,0.05", "box:0.03,0.04,0.06"] {
            for force in [5.0, 10.0] {
                let places = [[0.0; 3], [0.006, 0.0, 0.0]];
                let rows = places.map(|p| Ok(Grasp::at(at_tool(&hand, p, 0.0))));
                let mut asked = request(folder, rows.into(), "acronym");
                asked.protocol = Protocol::parse("press", PRESS).unwrap();
                asked.object = Object::named(object, 1.0).unwrap();
                (asked.hand, asked.force) = (hand.clone(), force);
                let sweep = plan(&asked).unwrap();
                for row in 0..2 {
                    let record = sweep.run(row, &RunLimits::default()).unwrap();
                    for finger in fingers {
                        let name = format!("normal_force_n/{finger}");
                        let at = sweep.figures.iter().position(|f| f.name == name).unwrap();
                        let what = format!("{gripper}, {object}, grasp {row}, {finger}");
                        let Cell::Number(pressed) = record.figures[at] else {
                            panic!("{what}: {:?}", record.failure)
                        };
                        println!("{what}: {pressed:.2} of {force} N");
                        let off = (pressed / force - 1.0).abs();
                        assert!(off < 0.2, "{what}: {pressed} N for {force} N");
                    }
                }
            }
        }
    }
}
