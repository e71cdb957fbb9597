//! Mistakes of people, found before the first step, with place and remedy.

use volar_assets::Memory;
use volar_scene::{Scene, Setup};

const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="0.2"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.2"/></geometry></collision></link>
  <link name="tip"><inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.05"/></geometry></collision></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="10" velocity="1"/>MIMIC_A</joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="tip"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.1" effort="10" velocity="1"/>MIMIC_B</joint>
</robot>"#;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 60 0 0\nv 0 60 0\nv 0 0 60\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

fn arm(first: &str, second: &str) -> String {
    ARM.replace("MIMIC_A", first).replace("MIMIC_B", second)
}

fn compile_with(robot: &str, text: &str, set: &[&str]) -> Result<Setup, String> {
    let files = Memory::new()
        .with("arm.urdf", robot.to_owned().into_bytes())
        .with("part.obj", TETRAHEDRON.as_bytes());
    let scene = Scene::parse("scene.toml", text).map_err(|e| e.to_string())?;
    let scene = scene.with_files(std::sync::Arc::new(files));
    let scene = scene.with(set).map_err(|e| e.to_string())?;
    scene.compile().map_err(|e| e.to_string())
}

fn compile(text: &str) -> Result<Setup, String> {
    compile_with(&arm("", ""), text, &[])
}

fn refused(text: &str, words: &[&str]) {
    let error = compile(text).expect_err(text);
    for word in words {
        assert!(error.contains(word), "{word}: {error}");
    }
}

fn noted(text: &str, words: &[&str]) {
    let notes = compile(text).unwrap().notes;
    let found = |note: &String| words.iter().all(|word| note.contains(word));
    assert!(notes.iter().any(found), "{words:?}: {notes:?}");
}

fn robot(joints: &str) -> String {
    format!(
        "name = \"x\"\n[[robot]]\nname = \"arm\"\nfile = \"arm.urdf\"\n[robot.joints]\n{joints}\n"
    )
}

fn body(entries: &str) -> String {
    format!("name = \"x\"\n[[body]]\nname = \"b\"\n{entries}\n")
}

const BOX: &str = "shape = { box = [0.1, 0.1, 0.1] }";

#[test]
fn joints_start_within_their_limits_and_in_radians() {
    refused(
        &robot("elbow = { start = 45.0 }"),
        &[
            "scene.toml:6",
            "elbow.start",
            "outside of the joint's limits",
            "45° are 0.7854 rad",
        ],
    );
    refused(
        &robot("slide = { start = 0.3 }"),
        &["slide.start", "0 to 0.1 m", "start it within them"],
    );
    noted(
        &robot("elbow = { target = 60.0, kp = 1.0, kd = 0.1 }"),
        &["arm/elbow", "beyond its limits", "60° are 1.0472 rad"],
    );
    assert!(
        compile(&robot("elbow = { start = 1.5000001 }"))
            .unwrap()
            .notes
            .is_empty()
    );
}

#[test]
fn millimetres_are_not_taken_for_metres() {
    let mesh = |scale: &str| {
        body(&format!(
            "shape = {{ mesh = {{ file = \"part.obj\"{scale} }} }}"
        ))
    };
    refused(
        &mesh(""),
        &["scene.toml:4", "60.000 m in size", "scale = 0.001"],
    );
    assert!(compile(&mesh(", scale = 0.001")).unwrap().notes.is_empty());
    noted(
        &mesh(", scale = 0.05"),
        &["`b` is 3.000 m in size", "scale = 0.001"],
    );
    noted(&mesh(", scale = 1e-6"), &["60.000 µm", "is `scale` right?"]);
    // What stands still may be a hall.
    compile(&(mesh(", scale = 0.5") + "fixed = true\n")).unwrap();
}

#[test]
fn numbers_beyond_what_can_be_simulated_are_refused() {
    for (entries, word) in [
        (
            format!("{BOX}\nposition = [1e308, 0.0, 0.0]"),
            "body[0].position",
        ),
        (
            format!("{BOX}\nposition = [0.0, 1e5, 0.0]"),
            "body[0].position",
        ),
        (
            "shape = { box = [1e9, 0.1, 0.1] }".to_owned(),
            "body[0].shape",
        ),
        (
            "shape = { sphere = { radius = 1e-9 } }".to_owned(),
            "body[0].shape",
        ),
        (format!("{BOX}\nmass = 1e308"), "body[0].mass"),
        (format!("{BOX}\nmass = 1e12"), "kg"),
        (
            format!("{BOX}\nvelocity = [0.0, 0.0, 1e6]"),
            "body[0].velocity",
        ),
        (
            format!("{BOX}\n[[schedule]]\nat = 0.1\ngravity = [0.0, 0.0, -1e200]"),
            "gravity",
        ),
    ] {
        refused(&body(&entries), &["scene.toml:", word]);
    }
}

#[test]
fn joints_that_follow_themselves_are_refused() {
    let follows = |joint: &str| format!("<mimic joint=\"{joint}\"/>");
    for (a, b) in [
        (follows("elbow"), String::new()),
        (follows("slide"), follows("elbow")),
    ] {
        let error = compile_with(&arm(&a, &b), &robot(""), &[]).unwrap_err();
        assert!(error.contains("follow"), "{error}");
        assert!(error.contains("arm.urdf:"), "{error}");
    }
    compile_with(&arm("", &follows("elbow")), &robot(""), &[]).unwrap();
}

#[test]
fn options_of_mjcf_make_sense() {
    let model = |option: &str| {
        format!(
            "<mujoco><option {option}/><worldbody><body name=\"b\"><joint name=\"j\" axis=\"0 0 1\"/>\
             <geom type=\"box\" size=\"0.1 0.1 0.1\"/></body></worldbody></mujoco>"
        )
    };
    let load = |option: &str| compile_with(&model(option), &robot(""), &[]);
    load("timestep=\"0.002\" integrator=\"RK4\" gravity=\"0 0 -1\"").unwrap();
    for (option, word) in [
        ("timestep=\"0\"", "above zero"),
        ("timestep=\"-0.002\"", "above zero"),
        ("gravity=\"0 0\"", "3 numbers"),
        ("gravity=\"0 0 nan\"", "3 numbers"),
        ("integrator=\"magic\"", "one of Euler"),
        ("iterations=\"-3\"", "not negative"),
    ] {
        let error = load(option).unwrap_err();
        assert!(
            error.contains(word) && error.contains("<option"),
            "{option}: {error}"
        );
    }
}

#[test]
fn an_object_out_of_reach_is_noted() {
    let scene = |x: f64| {
        format!(
            "{}[robot.fingers]\ntip = [\"tip\"]\n[[body]]\nname = \"cup\"\nposition = [{x}, 0.0, 0.0]\n\
             shape = {{ box = [0.05, 0.05, 0.05] }}\n[grasp]\nobject = \"cup\"\n",
            robot("")
        )
    };
    noted(
        &scene(1.5),
        &["no finger can reach `cup`", "arm/tip", "missing"],
    );
    let notes = compile(&scene(0.35)).unwrap().notes;
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn the_nearest_name_is_offered() {
    for (text, word) in [
        (robot("elbo = { start = 0.1 }"), "did you mean `elbow`?"),
        (
            body("shape = { box = [0.1, 0.1, 0.1] }\nmas = 0.1"),
            "did you mean `mass`?",
        ),
        (
            body(&format!("{BOX}\nmaterial = \"ruber\"")),
            "did you mean `rubber`?",
        ),
        (
            robot("") + "[[sensor]]\nname = \"s\"\nkind = \"contact\"\nlink = \"uper\"\n",
            "did you mean `upper`?",
        ),
    ] {
        refused(&text, &[word]);
    }
    let error = Scene::open("g2r-buny").unwrap_err().to_string();
    assert!(error.contains("did you mean `g2r-bunny`?"), "{error}");
    let set = |set: &str| compile_with(&arm("", ""), &body(BOX), &[set]).unwrap_err();
    assert!(
        set("bodi.0.mass=1").contains("did you mean `body`?"),
        "{}",
        set("bodi.0.mass=1")
    );
    assert!(set("body.0.mas=1").contains("did you mean `mass`?"));
}

#[test]
fn overrides_are_blamed_for_what_they_do() {
    for set in [
        "body.b.mass=-1",
        "body.0.mass=-1",
        "body.b.position=[1e9, 0.0, 0.0]",
    ] {
        let error = compile_with(&arm("", ""), &body(BOX), &[set]).unwrap_err();
        assert!(error.starts_with(&format!("--set {set}: ")), "{error}");
    }
    // But not for what was wrong before.
    let text = body(&format!("{BOX}\nmass = -1"));
    let error = compile_with(&arm("", ""), &text, &["duration=2.0"]).unwrap_err();
    assert!(error.starts_with("scene.toml:5: body[0].mass"), "{error}");
}
