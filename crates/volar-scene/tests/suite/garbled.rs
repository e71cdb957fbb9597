//! Garbled scenes: whatever is written, it is a scene or an error.

use std::path::Path;

use crate::common::{compile_in, folder};
use volar_scene::builtin;

/// A small generator of numbers (xorshift), so that failures come back.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const VALUES: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1.0",
    "0.0",
    "-0.0",
    "1e308",
    "1e-308",
    "1e30",
    "9",
    "-9",
    "\"x\"",
    "\"\"",
    "[]",
    "{}",
    "true",
    "[1.0]",
    "[nan, nan, nan]",
    "[0.0, 0.0, 0.0]",
    "[[0.0, 1.0]]",
    "[1e308, 1e308, 1e308]",
    "[1e-300, 1e-300, 1e-300]",
    "[1.0, 0.0, 0.0, 0.0]",
    "18446744073709551615",
    "",
];

fn garbled(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len());
        match random.below(6) {
            0 => {
                lines.remove(at);
            }
            1 => {
                let line = lines[at].clone();
                lines.insert(random.below(lines.len()), line);
            }
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let mut letters: Vec<char> = lines[at].chars().collect();
                if !letters.is_empty() {
                    let place = random.below(letters.len());
                    letters[place] = *random.pick(&['"', '[', ']', '=', '0', '-', 'é', '.', '#']);
                    lines[at] = letters.into_iter().collect();
                }
            }
            _ => {
                if let Some((key, _)) = lines[at].clone().split_once('=') {
                    lines[at] = format!("{key}= {}", random.pick(VALUES));
                }
            }
        }
    }
    lines.join("\n")
}

/// How many of so many garbled texts are still scenes.
fn survive(folder: &Path, text: &str, times: usize, seed: u64) -> usize {
    let mut random = Random(seed);
    (0..times)
        .filter(|_| {
            let text = garbled(text, &mut random);
            compile_in(folder, &text, &[]).is_ok()
        })
        .count()
}

#[test]
fn garbled_built_in_scenes_are_scenes_or_errors() {
    for (name, seed) in [
        ("g2p-cube", 0x9e37_79b9),
        ("lift-cube", 0x7f4a_7c15),
        ("shake-cube", 0xbf58_476d),
        ("row-2", 0x1ce4_e5b9),
    ] {
        let scene = builtin::find(name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        scene.write(folder.path()).unwrap();
        let sound = survive(folder.path(), &scene.text, 800, seed);
        // Some of both, or the test tests nothing.
        assert!((8..792).contains(&sound), "{name}: {sound} of 800");
    }
}

#[test]
fn garbled_robots_with_all_kinds_of_drives_are_scenes_or_errors() {
    let text = "name = \"h\"\nduration = 3.0\n[record]\nrate = 50.0\n[contact]\nlaw = \"paper\"\nslope = 50.0\n\
        [contact.paper]\nstiffness = 1e8\ntarget_depth = 1e-3\nfilter_frequency = { fixed = 100.0 }\n\
        [materials.soft]\nmodulus = 1e6\nthickness = 0.01\npoisson = 0.3\nfriction = 0.5\n\
        [[robot]]\nname = \"hand\"\nfile = \"hand.xml\"\nmaterial = \"soft\"\nkeyframe = \"bent\"\n\
        [robot.joints]\nj1 = { start = 0.1, target = 0.2 }\n\
        [robot.controls]\nmotor = [[0.0, 0.0], [1.0, 0.2]]\npuller = 0.1\n\
        [[robot]]\nname = \"arm\"\nfile = \"arm.urdf\"\nposition = [2.0, 0.0, 0.0]\n\
        [robot.joints]\nhinge = { effort = [[0.0, 0.0], [1.0, 2.0]] }\n\
        [robot.motion]\ncsv = { file = \"track.csv\" }\n\
        [[body]]\nname = \"can\"\nshape = { capsule = { radius = 0.1, length = 0.1 } }\nposition = [5.0, 0.0, 0.0]\n\
        velocity = [0.0, 0.0, 1.0]\ndensity = 100.0\n\
        [[body]]\nname = \"egg\"\nshape = { ellipsoid = [0.1, 0.1, 0.2] }\nposition = [7.0, 0.0, 0.0]\n\
        slides_along = [1.0, 0.0, 0.0]\neffort = 1.0\ndamping = 2.0\n\
        [[schedule]]\nat = 1.0\nover = 0.5\nshape = \"smooth\"\ntargets = { j1 = 0.3 }\n\
        controls = { motor = 0.1 }\nturn_gravity = { axis = [1.0, 0.0, 0.0], angle_deg = 90.0 }\n\
        [[force]]\nbody = \"can\"\nforce = [1.0, 0.0, 0.0]\nfrequency = 3.0\nend = 2.0\n\
        [[sensor]]\nname = \"s\"\nkind = \"contact\"\nlink = \"hand/one\"\n\
        [grasp]\nobject = \"can\"\nuntil = 2.0\nkinetic_energy_from = 1.0\n[pull]\nrate = 1.0\nlimit = 2.0\n";
    let folder = folder(&[("track.csv", "t,x,y,z\n0,0,0,0\n1,0,0,0.1\n")]);
    let compiled = compile_in(folder.path(), text, &[]);
    assert!(compiled.is_ok(), "{}", compiled.unwrap_err());
    let sound = survive(folder.path(), text, 1500, 0x94d0_49bb);
    assert!((50..1450).contains(&sound), "{sound} of 1500");
}

#[test]
fn garbled_overrides_are_scenes_or_errors() {
    let scene = builtin::find("g2p-cube").unwrap();
    let folder = tempfile::tempdir().unwrap();
    scene.write(folder.path()).unwrap();
    let keys = [
        "body", "cube", "0", "mass", "robot", "gripper", "joints", "slide_1", "effort", "shape",
        "", "position", "2", "contact", "law", "é", "\"", "duration", "box",
    ];
    let mut random = Random(0x1331_11eb);
    for _ in 0..800 {
        let path: Vec<&str> = (0..=random.below(4)).map(|_| *random.pick(&keys)).collect();
        let assignment = format!("{}={}", path.join("."), random.pick(VALUES));
        // Either way; it must come back.
        let _ = compile_in(folder.path(), &scene.text, &[&assignment]);
    }
}
