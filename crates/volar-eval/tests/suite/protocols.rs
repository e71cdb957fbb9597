//! Every built-in protocol can be run, and tells what holds from what does not.

use volar_eval::plan;
use volar_grasps::Grasp;
use volar_scene::Protocol;
use volar_sweep::{Cell, RunLimits};

use crate::{at_tool, gripper, request};

#[test]
fn built_in_protocols_tell_a_grasp_from_none() {
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let rows = || {
        vec![
            Ok(Grasp::at(at_tool(&hand, [0.0; 3], 0.0))),
            Ok(Grasp::at(at_tool(&hand, [0.0, 0.2, 0.0], 0.0))),
        ]
    };
    for protocol in Protocol::names() {
        let sweep = plan(&request(temporary.path(), rows(), protocol)).unwrap();
        let held = |row: u64| {
            let record = sweep.run(row, &RunLimits::default()).unwrap();
            let at = sweep
                .figures
                .iter()
                .position(|figure| figure.name == "held");
            let held = record.figures[at.unwrap()] == Cell::Bool(true);
            (held, record.failure)
        };
        let (first, second) = (held(0), held(1));
        assert!(first.0, "{protocol}: {:?}", first.1);
        assert!(!second.0, "{protocol}");
    }
}

#[test]
fn what_is_no_protocol_is_refused_with_its_place() {
    let refused = |text: &str| Protocol::parse("own.toml", text).unwrap_err().to_string();
    assert!(refused("frame = \"object\"").contains("name"));
    assert!(refused("name = \"x\"\nframe = \"sky\"").contains("sky"));
    assert!(refused("name = \"x\"\nclose = -1.0").contains("above zero"));
    assert!(refused("name = \"x\"\n[[body]]\nname = \"y\"").contains("[object]"));
    let unknown = Protocol::open("heavy").unwrap_err().to_string();
    assert!(unknown.contains("acronym"), "{unknown}");
    // What scenes do not know is found when the scene is made.
    let temporary = tempfile::tempdir().unwrap();
    let hand = gripper(temporary.path());
    let rows = vec![Ok(Grasp::at(at_tool(&hand, [0.0; 3], 0.0)))];
    let mut request = request(temporary.path(), rows, "pull");
    request.protocol = Protocol::parse("own.toml", "name = \"own\"\nweight = 3.0").unwrap();
    let error = plan(&request).unwrap_err().to_string();
    assert!(
        error.contains("protocol own") && error.contains("weight"),
        "{error}"
    );
}
