//! Mistakes, and what is said of them: file, line, and what to do.

use crate::common::{self, compile_in, folder};

/// A sound scene; mistakes are made in it by replacing a piece.
const SOUND: &str = r#"name = "sound"
duration = 2.0
[record]
rate = 100.0
[contact]
law = "foundation"
exclude = [["table", "arm/rod"]]
[materials.pad]
like = "rubber"
[[robot]]
name = "arm"
file = "arm.urdf"
material = "pad"
link_materials = { tip = "wood" }
without = ["plate"]
[robot.motion.sine]
amplitude = [0.1, 0.0, 0.0]
frequency = 1.0
[robot.joints]
hinge = { start = 0.1, effort = 1.0 }
slide = { target = 0.0, kp = 100.0, kd = 1.0 }
[robot.fingers]
one = ["rod", "tip"]
[[robot]]
name = "hand"
file = "hand.xml"
position = [0.0, 0.0, 1.0]
[robot.controls]
servo = 0.1
[[body]]
name = "cube"
shape = { box = [0.1, 0.1, 0.1] }
mass = 0.2
position = [3.0, 0.0, 0.0]
[[body]]
name = "table"
shape = { cylinder = { radius = 0.1, length = 0.2 } }
position = [4.0, 0.0, 0.0]
fixed = true
[[body]]
name = "tray"
shape = { mesh = { file = "box.obj" } }
position = [9.0, 0.0, 0.0]
orientation = [1.0, 0.0, 0.0, 0.0]
[body.motion]
waypoints = [
  { time = 0.0, position = [0.0, 0.0, 0.0] },
  { time = 1.0, position = [0.0, 0.0, 0.1] },
]
[[schedule]]
at = 1.0
over = 0.5
efforts = { hinge = 2.0 }
[[force]]
body = "cube"
force = [1.0, 0.0, 0.0]
[[sensor]]
name = "wrist"
kind = "force_torque"
link = "tip"
[grasp]
object = "cube"
palm = "arm/base"
[pull]
rate = 1.0
limit = 2.0
"#;

const BOX: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                   f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn files() -> volar_assets::Memory {
    let open = BOX.replace("f 5 6 7 8\n", "");
    folder(&[
        ("box.obj", BOX),
        ("open.obj", &open),
        ("empty.obj", ""),
        ("words.urdf", "no robot"),
        ("track.csv", "t,x,y\n0,0,0\n"),
        ("letters.csv", "t,x,y,z\n0,0,0,0\n1,a,0,0\n"),
        ("back.csv", "t,x,y,z\n1,0,0,0\n0.5,0,0,0\n"),
        ("short.csv", "t,x,y,z\n1,0,0,0\n"),
        (
            "half.csv",
            "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,0,0,0,0,1,0,0\n",
        ),
    ])
}

/// Line of a piece of the sound scene.
fn line(piece: &str) -> usize {
    SOUND[..SOUND.find(piece).unwrap()].matches('\n').count() + 1
}

#[test]
fn the_scene_without_mistakes_compiles() {
    let folder = files();
    let setup = compile_in(&folder, SOUND, &[]);
    assert!(setup.is_ok(), "{}", setup.unwrap_err());
}

/// What is replaced, by what, the piece in whose line the mistake is, and what
/// the message says.
type Mistake = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

#[rustfmt::skip] // a table
const MISTAKES: &[Mistake] = &[
    // TOML and types.
    ("duration = 2.0", "duration = ", "duration", &["line"]),
    ("duration = 2.0", "durations = 2.0", "duration", &["unknown field `durations`", "expected one of"]),
    ("duration = 2.0", "duration = \"long\"", "duration", &["invalid type", "f64"]),
    ("name = \"sound\"\n", "", "name", &["missing field `name`"]),
    ("mass = 0.2", "weight = 0.2", "mass = 0.2", &["unknown field `weight`", "`mass`"]),
    ("{ box = [0.1, 0.1, 0.1] }", "{ cube = [0.1, 0.1, 0.1] }", "shape = { box", &["unknown variant `cube`", "`box`"]),
    ("{ box = [0.1, 0.1, 0.1] }", "{ box = [0.1, 0.1] }", "shape = { box", &["length 2", "3"]),
    ("radius = 0.1, ", "", "shape = { cylinder", &["missing field `radius`"]),
    ("\"force_torque\"", "\"temperature\"", "kind = ", &["unknown variant `temperature`", "force_torque"]),
    ("\"foundation\"", "\"rigid\"", "law = ", &["unknown variant `rigid`", "`paper`"]),
    ("servo = 0.1", "servo = \"on\"", "servo", &["did not match any variant"]),
    // Values.
    ("duration = 2.0", "duration = -2.0", "duration", &["duration", "-2 is no number above zero"]),
    ("rate = 100.0", "rate = 0.0", "rate = 100.0", &["record.rate", "above zero"]),
    ("mass = 0.2", "mass = -0.2", "mass = 0.2", &["body[0].mass", "above zero"]),
    ("mass = 0.2", "mass = 0.2\ndensity = 10.0", "position = [3.0", &["`mass` or `density`, not both"]),
    ("mass = 0.2", "inertia = [1.0, 1.0, 9.0, 0.0, 0.0, 0.0]", "mass = 0.2", &["body[0].inertia", "sum of the others"]),
    ("{ box = [0.1, 0.1, 0.1] }", "{ box = [0.1, 0.0, 0.1] }", "shape = { box", &["body[0].shape.box", "above zero"]),
    ("radius = 0.1", "radius = inf", "shape = { cylinder", &["body[1].shape.cylinder.radius"]),
    ("orientation = [1.0, 0.0, 0.0, 0.0]", "orientation = [1.0, 1.0, 0.0, 0.0]", "orientation", &["body[2].orientation", "(w, x, y, z) has length 1", "1.4142"]),
    ("position = [3.0,", "position = [nan,", "position = [3.0", &["body[0].position", "finite"]),
    ("frequency = 1.0", "frequency = 0.0", "frequency", &["robot[0].motion.sine.frequency", "above zero"]),
    ("{ time = 1.0,", "{ time = 0.0,", "{ time = 1.0", &["motion.waypoints[1].time", "must ascend"]),
    ("  { time = 0.0, position = [0.0, 0.0, 0.0] },\n  { time = 1.0, position = [0.0, 0.0, 0.1] },\n", "", "waypoints", &["at least one waypoint"]),
    ("like = \"rubber\"", "like = \"rubber\"\nfriction = -1.0", "[materials.pad]", &["materials.pad", "negative"]),
    ("like = \"rubber\"", "modulus = 1e6", "like = \"rubber\"", &["materials.pad.modulus", "`thickness` belong together"]),
    ("over = 0.5", "over = -0.5", "over", &["schedule[0].over", "not negative"]),
    ("at = 1.0\n", "at = 1.0\ngravity = [0.0, 0.0, 0.0]\n", "efforts", &["gravity changes at once", "`turn_gravity`"]),
    ("at = 1.0\n", "at = 1.0\nturn_gravity = { axis = [0.0, 0.0, 0.0], angle_deg = 1.0 }\n", "over = 0.5", &["turn_gravity.axis", "cannot be zero"]),
    ("at = 1.0\n", "at = 1.0\nreturn_to = 1.5\n", "over = 0.5", &["schedule[0].return_to", "earlier time than `at`"]),
    ("at = 1.0\n", "at = 1.0\nreturn_to = 0.5\n", "over = 0.5", &["schedule[0].return_to", "bodies with a `motion`"]),
    ("force = [1.0, 0.0, 0.0]", "end = 1.0", "[[force]]", &["force[0]", "a `force` or a `torque`"]),
    ("force = [1.0, 0.0, 0.0]", "force = [1.0, 0.0, 0.0]\nend = 0.0", "[[sensor]]", &["force[0].end", "before it begins"]),
    ("force = [1.0, 0.0, 0.0]", "force = [1.0, 0.0, 0.0]\nramp = 1.0\nfrequency = 1.0", "[[sensor]]", &["`ramp` or `frequency`"]),
    ("rate = 1.0\n", "rate = 0.0\n", "rate = 1.0", &["pull.rate", "above zero"]),
    ("palm = \"arm/base\"", "held_within = 0.0", "palm", &["grasp.held_within"]),
    ("palm = \"arm/base\"", "from = nan", "palm", &["grasp.from"]),
    // What joints bear and need.
    ("effort = 1.0 }", "effort = 9.0 }", "hinge = { start", &["robot[0].joints.hinge.effort", "9 is more than the joint bears (-5 to 5)", "`effort_limit`"]),
    ("effort = 1.0 }", "effort = [[0.0, 1.0], [1.0, -9.0]] }", "hinge = { start", &["-9 is more than the joint bears"]),
    ("effort = 1.0 }", "effort = [[1.0, 1.0], [0.0, 1.0]] }", "hinge = { start", &["ascending times"]),
    ("hinge = 2.0", "hinge = 20.0", "efforts", &["schedule[0].efforts.hinge", "more than the joint bears"]),
    ("effort = 1.0 }", "effort = 1.0, target = 1.0 }", "hinge = { start", &["one of `effort`, `target` and `target_speed`"]),
    ("effort = 1.0 }", "target = 1.0 }", "hinge = { start", &["no position actuator on this joint", "give `kp`"]),
    ("effort = 1.0 }", "target_speed = 1.0 }", "hinge = { start", &["joints.hinge.kd"]),
    ("effort = 1.0 }", "kp = 1.0 }", "hinge = { start", &["joints.hinge.kp", "give `target`"]),
    ("effort = 1.0 }", "friction = -1.0 }", "hinge = { start", &["joints.hinge.friction", "negative"]),
    ("kd = 1.0", "kd = -1.0", "slide = {", &["joints.slide.kd"]),
    ("efforts = { hinge = 2.0 }", "targets = { hinge = 2.0 }", "efforts", &["driven in another way", "under `joints`"]),
    ("servo = 0.1", "servo = [[0.0, 0.0], [1.0, 5.0]]", "servo", &["robot[1].controls.servo", "range, -1 to 1"]),
    // Names.
    ("hinge = { start", "hing = { start", "hinge = { start", &["no joint `hing`", "it has hinge, slide"]),
    ("{ tip = \"wood\" }", "{ top = \"wood\" }", "link_materials", &["no link `top`", "base, rod, tip, plate"]),
    ("{ tip = \"wood\" }", "{ tip = \"wod\" }", "link_materials", &["robot[0].link_materials.tip", "no material `wod`", "rubber"]),
    ("material = \"pad\"", "material = \"pat\"", "material = \"pad\"", &["robot[0].material", "no material `pat` (did you mean `pad`?); there are pad, "]),
    ("like = \"rubber\"", "like = \"ruber\"", "like", &["materials.pad.like", "no material `ruber`", "rubber"]),
    ("without = [\"plate\"]", "detail = -1e-4", "without", &["robot[0].detail", "-0.0001 is negative"]),
    ("without = [\"plate\"]", "without = [\"plat\"]", "without", &["robot[0].without[0]", "`plat`"]),
    ("one = [\"rod\", \"tip\"]", "one = [\"rod\", \"tipp\"]", "one = ", &["robot[0].fingers.one", "no link `tipp`"]),
    ("servo = 0.1", "serv = 0.1", "servo", &["no actuator `serv`", "servo, motor, puller"]),
    ("[robot.controls]", "keyframe = \"open\"\n[robot.controls]", "[robot.controls]", &["no keyframe `open`; it has bent"]),
    ("[[\"table\", \"arm/rod\"]]", "[[\"table\", \"arm/rods\"]]", "exclude", &["contact.exclude[0]", "no body or link `arm/rods`"]),
    ("hinge = 2.0", "hung = 2.0", "efforts", &["no driven joint `hung`; there are arm/hinge"]),
    ("efforts = { hinge = 2.0 }", "controls = { serv = 2.0 }", "efforts", &["no actuator `serv` (did you mean `servo`?); there are hand/servo, hand/motor"]),
    ("body = \"cube\"", "body = \"cub\"", "body = \"cube\"", &["force[0].body", "no body or link `cub`"]),
    ("link = \"tip\"", "link = \"tips\"", "link = \"tip\"", &["sensor[0].link", "arm/tip"]),
    ("object = \"cube\"", "object = \"ball\"", "object", &["grasp.object", "cube"]),
    ("palm = \"arm/base\"", "palm = \"arm\"", "palm", &["grasp.palm", "arm/base"]),
    ("name = \"table\"", "name = \"cube\"", "name = \"table\"", &["body[1].name", "`cube` is the name of another body"]),
    ("name = \"hand\"", "name = \"arm\"", "name = \"hand\"", &["robot[1].name", "another robot"]),
    ("name = \"table\"", "name = \"\"", "name = \"table\"", &["cannot be empty"]),
    ("mass = 0.2", "travels_with = \"hand\"", "mass = 0.2", &["body[0].travels_with", "no prescribed motion"]),
    ("mass = 0.2", "travels_with = \"leg\"", "mass = 0.2", &["no robot `leg`"]),
    // What does not go together.
    ("fixed = true", "fixed = true\nvelocity = [1.0, 0.0, 0.0]", "[[body]]\nname = \"tray\"", &["body[1].velocity", "free body"]),
    ("fixed = true", "fixed = true\nslides_along = [1.0, 0.0, 0.0]", "[[body]]\nname = \"tray\"", &["body[1].slides_along"]),
    ("mass = 0.2", "effort = 0.2", "mass = 0.2", &["body[0].effort", "give `slides_along`"]),
    ("position = [0.0, 0.0, 1.0]", "floating = true", "position = [0.0, 0.0, 1.0]", &["robot[1].floating", "free joint"]),
    // Files.
    ("arm.urdf", "leg.urdf", "file = \"arm", &["robot[0].file", "leg.urdf"]),
    ("arm.urdf", "box.obj", "file = \"arm", &["robot[0].file", "box.obj"]),
    ("arm.urdf", "words.urdf", "file = \"arm", &["robot[0].file", "words.urdf"]),
    ("box.obj", "bax.obj", "box.obj", &["body[2].shape.mesh.file", "bax.obj"]),
    ("box.obj", "open.obj", "box.obj", &["open.obj is not a closed solid", "`volar check`", "`repair = true`"]),
    ("\"box.obj\"", "\"empty.obj\", repair = true", "box.obj", &["empty.obj"]),
    ("{ file = \"box.obj\" }", "{ file = \"box.obj\", scale = 0.0 }", "box.obj", &["shape.mesh.scale", "above zero"]),
];
#[test]
fn mistakes_are_told_with_file_line_and_remedy() {
    let folder = files();
    let mut wrong = Vec::new();
    for (from, to, place, wanted) in MISTAKES {
        assert_eq!(SOUND.matches(from).count(), 1, "`{from}` is not one place");
        let text = SOUND.replace(from, to);
        let Err(error) = compile_in(&folder, &text, &[]) else {
            wrong.push(format!("`{to}` passes"));
            continue;
        };
        let message = error.to_string();
        let here = line(place);
        let (colon, words) = (format!("test.toml:{here}: "), format!("at line {here}, "));
        let placed = message.starts_with("test.toml:")
            && (message.contains(&colon) || message.contains(&words));
        let said = wanted.iter().all(|part| message.contains(part));
        if !(placed && said) {
            wrong.push(format!("`{to}` (line {here}, {wanted:?}):\n{message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(MISTAKES.len() > 60);
}

#[test]
fn faults_of_csv_files_have_their_own_lines() {
    let folder = files();
    for (file, wanted) in [
        ("none.csv", "none.csv: "),
        (
            "track.csv",
            "track.csv: line 1: expected the head `t,x,y,z`",
        ),
        ("letters.csv", "letters.csv: line 3: invalid float"),
        ("back.csv", "back.csv: line 3: times must ascend"),
        ("short.csv", "short.csv: a motion needs at least two lines"),
        ("half.csv", "half.csv: line 3: more than 160°"),
    ] {
        let motion = format!("[robot.motion.csv]\nfile = \"{file}\"\n");
        let text = SOUND.replace(
            "[robot.motion.sine]\namplitude = [0.1, 0.0, 0.0]\nfrequency = 1.0\n",
            &motion,
        );
        let message = compile_in(&folder, &text, &[]).unwrap_err().to_string();
        let place = format!(
            "test.toml:{}: robot[0].motion.csv.file: ",
            line("[robot.motion.sine]") + 1
        );
        assert!(
            message.starts_with(&place) && message.contains(wanted),
            "{message}"
        );
    }
}

#[test]
fn overrides_that_cannot_be_made_are_named() {
    let folder = files();
    for (assignment, wanted) in [
        ("duration", "expected `path=value`"),
        ("duration.x=1", "no place in a plain value"),
        (
            "body.ball.mass=1",
            "no entry `ball` in the list of cube, table, tray",
        ),
        ("body.7.mass=1", "no entry `7`"),
        ("body.0.position.5=1", "no entry `5` in a list of 3"),
        ("body..mass=1", "empty key"),
        ("bodi.0.mass=1", "unknown field `bodi`"),
        ("body.cube.mas=1", "unknown field `mas`"),
        ("body.cube.mass=much", "invalid type"),
        ("contact.law=rigid", "unknown variant `rigid`"),
    ] {
        let message = compile_in(&folder, SOUND, &["duration=1", assignment])
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with(&format!("--set {assignment}: ")) && message.contains(wanted),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn lines_are_those_of_the_file_with_overrides_too() {
    let folder = files();
    let text = SOUND.replace("mass = 0.2", "mass = -0.2");
    let message = compile_in(&folder, &text, &["duration=1"])
        .unwrap_err()
        .to_string();
    let place = format!("test.toml:{}: body[0].mass", line("mass = 0.2"));
    assert!(message.starts_with(&place), "{message}");
    let text = SOUND.replace("mass = 0.2", "weight = 0.2");
    let message = compile_in(&folder, &text, &["duration=1"])
        .unwrap_err()
        .to_string();
    assert!(
        message.contains(&format!("line {},", line("mass = 0.2"))),
        "{message}"
    );
    // A value from an override has no line of its own: that of its table.
    let message = compile_in(&folder, SOUND, &["body.cube.density=-1"])
        .unwrap_err()
        .to_string();
    assert!(message.contains("`mass` or `density`"), "{message}");
}

#[test]
fn overrides_reach_every_kind_of_entry() {
    let folder = files();
    let overrides = [
        "duration=3",
        "gravity=[0, 0, -1.6]",
        "contact.law=paper",
        "body.cube.mass=0.5",
        "body.1.position=[5.0, 0, 0]",
        "robot.arm.joints.hinge.effort=0.25",
        "robot.arm.material=wood",
        "schedule.0.at=0.5",
        "materials.pad.friction=0.9",
        "grasp.held_by=1",
    ];
    let setup = compile_in(&folder, SOUND, &overrides).unwrap_or_else(|e| panic!("{e}"));
    let scene = &setup.scene.spec;
    common::close(scene.duration, 3.0, 0.0);
    common::close(scene.gravity[2], -1.6, 0.0);
    assert_eq!(scene.contact.law.name(), "paper");
    assert_eq!(scene.bodies[0].mass, Some(0.5));
    common::close(scene.bodies[1].position[0], 5.0, 0.0);
    assert_eq!(scene.robots[0].material, "wood");
    common::close(setup.events[0].at, 0.0, 0.0);
    assert!(
        setup
            .events
            .iter()
            .any(|event| (event.at - 0.5).abs() < 1.0e-12)
    );
}

#[test]
fn a_missing_file_and_an_empty_scene_are_errors() {
    let path = std::path::Path::new("there/is/no.toml");
    let message = volar_scene::Scene::load(path).unwrap_err().to_string();
    assert!(message.starts_with("there/is/no.toml: "), "{message}");
    let message = compile_in(&files(), "name = \"empty\"\n", &[])
        .unwrap_err()
        .to_string();
    assert!(message.contains("neither a robot nor a body"), "{message}");
}

#[test]
fn an_ambiguous_link_is_asked_for() {
    let text = SOUND
        .replace(
            "name = \"hand\"\nfile = \"hand.xml\"",
            "name = \"leg\"\nfile = \"arm.urdf\"",
        )
        .replace("[robot.controls]\nservo = 0.1\n", "")
        .replace(
            "efforts = { hinge = 2.0 }",
            "efforts = { \"arm/hinge\" = 2.0 }",
        );
    let message = compile_in(&files(), &text, &[]).unwrap_err().to_string();
    assert!(
        message.contains("`tip` could be any of arm/tip, leg/tip"),
        "{message}"
    );
}
