//! Built-in scenes: put together from parts that are embedded in the program,
//! so that they run with nothing else installed.

use std::path::Path;

use volar_assets::Memory;

use crate::error::SceneError;
use crate::keep::write_file;
use crate::scene::FILE;

/// A built-in scene: its text, and the files the text names.
///
/// ```
/// use volar_scene::builtin;
///
/// let cube = builtin::find("g2p-cube").unwrap();
/// println!("{}: {}", cube.name, cube.description);
/// assert!(builtin::all().contains(&cube));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// By which [`find`] finds it.
    pub name: String,
    /// What it shows, in a line.
    pub description: String,
    /// The scene file.
    pub text: String,
    /// Files beside it.
    pub files: Vec<(&'static str, &'static [u8])>,
}

const G2P: &str = include_str!("../scenes/gripper-g2p.toml");
const G2R: &str = include_str!("../scenes/gripper-g2r.toml");
const G3R: &str = include_str!("../scenes/gripper-g3r.toml");
const MATERIALS: &str = include_str!("../scenes/materials.toml");
const CUBE: &str = include_str!("../scenes/object-cube.toml");
const SPHERE: &str = include_str!("../scenes/object-sphere.toml");
const BUNNY: &str = include_str!("../scenes/object-bunny.toml");
const SHAKE: &str = include_str!("../scenes/motion-shake.toml");
const LIFT: &str = include_str!("../scenes/lift.toml");
const G2P_URDF: (&str, &[u8]) = ("g2p.urdf", include_bytes!("../assets/g2p.urdf"));
const G2R_URDF: (&str, &[u8]) = ("g2r.urdf", include_bytes!("../assets/g2r.urdf"));
const G3R_URDF: (&str, &[u8]) = ("g3r.urdf", include_bytes!("../assets/g3r.urdf"));
const BUNNY_MESH: (&str, &[u8]) = ("bunny.obj", include_bytes!("../assets/bunny.obj"));

const SHADOW: &str = include_str!("../scenes/shadow.toml");
macro_rules! hand_files {
    ($($name:literal),*) => {
        [$(($name, include_bytes!(concat!("../assets/shadow/", $name)))),*]
    };
}
const HAND: [(&str, &[u8]); 11] = hand_files![
    "hand.xml",
    "finger_distal.obj",
    "finger_middle.obj",
    "finger_proximal.obj",
    "forearm.obj",
    "metacarpal.obj",
    "palm.obj",
    "thumb_distal.obj",
    "thumb_middle.obj",
    "thumb_proximal.obj",
    "wrist.obj"
];

/// Blocks of the longest row.
const LONGEST_ROW: usize = 11;

/// All built-in scenes.
pub fn all() -> Vec<Builtin> {
    let objects = ["cube", "sphere", "bunny"];
    let mut scenes = Vec::new();
    for gripper in ["g2p", "g2r", "g3r"] {
        scenes.extend(objects.map(|object| grasp(gripper, object)));
    }
    scenes.extend(objects.map(shake));
    scenes.extend([shadow(), lift("cube"), lift("bunny"), pull()]);
    scenes.extend((1..=LONGEST_ROW).map(row));
    scenes
}

/// A built-in scene by name; dashes and underscores are the same.
pub fn find(name: &str) -> Option<Builtin> {
    let wanted = name.replace('_', "-");
    all().into_iter().find(|scene| scene.name == wanted)
}

impl Builtin {
    /// The scene as `scene.toml` and all its files.
    pub fn source(&self) -> Memory {
        let scene = Memory::new().with(FILE, self.text.clone().into_bytes());
        let files = self.files.iter();
        files.fold(scene, |all, (name, bytes)| all.with(name, *bytes))
    }

    /// Writes the scene as `scene.toml` with all its files into a folder, which
    /// is made. Nothing that exists is overwritten.
    pub fn write(&self, folder: &Path) -> Result<(), SceneError> {
        std::fs::create_dir_all(folder).map_err(|error| SceneError::write(folder, error))?;
        let source = self.source();
        for (name, _) in source.files() {
            let path = folder.join(name);
            if path.exists() {
                let taken = std::io::Error::new(
                    std::io::ErrorKind::AlreadyExists,
                    "already exists; nothing was written",
                );
                return Err(SceneError::write(&path, taken));
            }
        }
        for (name, bytes) in source.files() {
            write_file(&folder.join(name), bytes)?;
        }
        Ok(())
    }
}

fn gripper(name: &str) -> (&'static str, &'static str, (&'static str, &'static [u8])) {
    match name {
        "g2p" => ("two fingers on slides", G2P, G2P_URDF),
        "g2r" => ("two fingers on hinges", G2R, G2R_URDF),
        _ => ("three fingers of two links", G3R, G3R_URDF),
    }
}

/// The text of an object, and what it needs beside the scene.
fn object(name: &str) -> (&'static str, Vec<(&'static str, &'static [u8])>) {
    match name {
        "cube" => (CUBE, Vec::new()),
        "sphere" => (SPHERE, Vec::new()),
        _ => (BUNNY, vec![BUNNY_MESH]),
    }
}

/// Where an object starts between the fingers of a gripper.
fn start(gripper: &str, object: &str) -> &'static str {
    match (gripper, object) {
        ("g3r", "cube") => "position = [-0.006, 0.0, 0.0]\n",
        ("g3r", "bunny") => "position = [0.004, 0.003, 0.0]\n",
        // On its back, so that its centre of mass hangs below the contacts.
        (_, "bunny") => {
            "position = [0.001, 0.0, 0.0]\norientation = [0.49242356, 0.870355696, 0.0, 0.0]\n"
        }
        _ => "position = [0.0, 0.0, 0.0]\n",
    }
}

fn head(name: &str, description: &str, rest: &str) -> String {
    format!("name = \"{name}\"\ndescription = \"{description}\"\n{rest}")
}

fn grasp(gripper_name: &str, object_name: &str) -> Builtin {
    let name = format!("{gripper_name}-{object_name}");
    let (fingers, robot, urdf) = gripper(gripper_name);
    let (body, mut files) = object(object_name);
    let description = format!("{fingers} close on the {object_name} and hold it against gravity");
    let head = head(&name, &description, "duration = 10.0                # s\n");
    let start = start(gripper_name, object_name);
    let text =
        format!("{head}{MATERIALS}{robot}{body}{start}\n[grasp]\nobject = \"{object_name}\"\n");
    files.push(urdf);
    Builtin {
        name,
        description,
        text,
        files,
    }
}

fn shake(object_name: &str) -> Builtin {
    let name = format!("shake-{object_name}");
    let (_, robot, urdf) = gripper("g3r");
    let (body, mut files) = object(object_name);
    let description =
        format!("three fingers hold the {object_name} while the palm goes round in a circle");
    let head = head(&name, &description, "duration = 10.0                # s\n");
    let start = start("g3r", object_name);
    let text = format!(
        "{head}{MATERIALS}{robot}{SHAKE}{body}{start}travels_with = \"gripper\"\n\n[grasp]\nobject = \"{object_name}\"\nkinetic_energy_from = 3.0      # s\n"
    );
    files.push(urdf);
    Builtin {
        name,
        description,
        text,
        files,
    }
}

fn shadow() -> Builtin {
    let mut files = HAND.to_vec();
    files.push(BUNNY_MESH);
    Builtin {
        name: "shadow-bunny".into(),
        description: "a Shadow Hand closes on the bunny, is turned over and holds it".into(),
        text: SHADOW.into(),
        files,
    }
}

fn lift(object_name: &str) -> Builtin {
    let name = format!("lift-{object_name}");
    let (body, mut files) = object(object_name);
    let description =
        format!("two fingers pick the {object_name} from a table, carry it and put it back");
    let head = head(&name, &description, "duration = 10.0                # s\n");
    let (position, table) = match object_name {
        "cube" => ("[0.0, 0.0, 0.0]", -0.03),
        _ => ("[0.0, -0.005, 0.0]", -0.0281),
    };
    let robot = G2R.replace("effort = 0.75", "effort = -0.02");
    let text = format!(
        "{head}{MATERIALS}{robot}{LIFT}{body}position = {position}

[[body]]
name = \"table\"
shape = {{ box = [0.4, 0.4, 0.02] }}
position = [0.0, 0.05, {height}]
material = \"rubber\"
fixed = true

[[schedule]]                # close
at = 0.3
over = 0.1
efforts = {{ hinge_1 = 0.75, hinge_2 = 0.75 }}

[[schedule]]                # open
at = 6.0
over = 0.2
efforts = {{ hinge_1 = -0.05, hinge_2 = -0.05 }}

[grasp]
object = \"{object_name}\"
from = 2.0
until = 4.2
held_since = 0.9
",
        height = table - 0.01,
    );
    files.push(G2R_URDF);
    Builtin {
        name,
        description,
        text,
        files,
    }
}

fn pull() -> Builtin {
    let name = "pull-bunny".to_owned();
    let description =
        "the held bunny is pulled along x, y, z, both ways, until it slips".to_owned();
    let base = grasp("g3r", "bunny");
    let text = base
        .text
        .replace("g3r-bunny", &name)
        .replace(&base.description, &description)
        .replace("duration = 10.0", "duration = 3.0 ");
    let text = format!(
        "{text}
[pull]                         # at the end of the run
rate = 2.0                     # N/s
limit = 60.0                   # N
slip = 1e-4                    # m
"
    );
    Builtin {
        name,
        description,
        text,
        ..base
    }
}

/// Blocks in a row between two fingers [Taylor et al. 2016].
fn row(blocks: usize) -> Builtin {
    const EDGE: f64 = 0.1;
    let name = format!("row-{blocks}");
    let description = match blocks {
        1 => "1 block squeezed between two fingers".to_owned(),
        _ => format!("{blocks} blocks in a row, squeezed between two fingers"),
    };
    let half = 0.5 * EDGE * blocks as f64;
    let mut text = head(&name, &description, "duration = 100.0               # s\n");
    text.push_str("\n[record]\nrate = 10.0                    # Hz\n");
    text.push_str("\n[materials.block]\nlike = \"plastic\"\nfriction = 100.0\n");
    for (finger, side) in [("left", -1.0), ("right", 1.0)] {
        text.push_str(&format!(
            "\n[[body]]\nname = \"{finger}\"\nshape = {{ box = [0.1, 0.2, 0.2] }}\nmass = 1.0\nmaterial = \"block\"\nposition = [{:.2}, 0.0, 0.0]\nslides_along = [{:.1}, 0.0, 0.0]\neffort = {:.1}\n",
            side * (half + 0.05),
            -side,
            100.0 * blocks as f64,
        ));
    }
    for i in 0..blocks {
        text.push_str(&format!(
            "\n[[body]]\nname = \"block_{}\"\nshape = {{ box = [0.1, 0.1, 0.1] }}\nmass = 1.0\nmaterial = \"block\"\nposition = [{:.2}, 0.0, 0.0]\n",
            i + 1,
            EDGE * (i as f64 + 0.5) - half,
        ));
    }
    text.push_str(&format!(
        "\n[grasp]\nobject = \"block_{}\"\npalm = \"left\"\nheld_by = 1\nfailure_force = 1e5\n",
        blocks.div_ceil(2)
    ));
    Builtin {
        name,
        description,
        text,
        files: Vec::new(),
    }
}
