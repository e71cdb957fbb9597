//! Hands: what of a robot file is a hand, and how it closes.
//!
//! A `hand.toml` says what a robot file does not: which link is the palm, which
//! links are fingers, which joints close them and from where to where, and where
//! an object belongs. `HandFile::guess` proposes all of it from the geometry; a
//! person may change any line.
//!
//! | file | what |
//! |---|---|
//! | `fingers.rs` | the palm and the fingers |
//! | `closing.rs` | which joints close, and which way |
//! | `linkage.rs` | chains that close |
//! | `cloud.rs` | points on surfaces |
//! | `reach.rs` | where surfaces go while the hand closes, and where a ball fits in |
//! | `touching.rs` | whether and when they touch an object |
//! | `posture.rs` | coordinates of its joints, and where these put its links |
//! | `object.rs` | what is grasped |
//! | `resting.rs` | how it lies on a table |
//! | `grasp.rs` | the scene of a grasp |
//! | `pick_up.rs` | the same from a table |
//! | `servos.rs` | what drives its joints |
//! | `protocol.rs` | what is done to an object in a hand |
//! | `trials.rs` | a hand at the grasps of a list, under a protocol |

mod closing;
mod cloud;
mod fingers;
mod grasp;
mod linkage;
mod object;
mod pick_up;
mod posture;
mod protocol;
mod reach;
mod resting;
mod servos;
mod touching;
mod trials;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DQuat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use volar_assets::{AssetSource, Disk};
use volar_geom::Pose;
use volar_meshes::MeshLibrary;
use volar_robots::{LoadOptions, Robot, load_from};

use crate::error::{SceneError, pose};
pub use fingers::{Anatomy, Finger};
pub use grasp::{GraspOptions, GraspPlan};
pub use object::Object;
pub use protocol::{Frame, Protocol};
use reach::Reach;
pub use trials::{HandAt, Offset, Touching, Trials};

/// A hand: a robot file and how it is used. Units are SI, angles in rad.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct HandFile {
    /// URDF, MJCF or SDF file; relative to this one.
    pub file: String,
    /// Folders in which `package://` looks; relative to this file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<String>,
    /// Material of all links; rubber if not given.
    #[serde(default = "rubber")]
    pub material: String,
    /// The link that the fingers are on.
    pub palm: String,
    /// Where an object belongs.
    pub tool: ToolFrame,
    /// Fingers: names, each with its links.
    pub fingers: BTreeMap<String, Vec<String>>,
    /// Joints of the fingers that close, by the names of the file.
    pub closes: BTreeMap<String, Closing>,
    /// Other joints, and where they are held; at the file's start if not named.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held: BTreeMap<String, f64>,
    /// Directions in which joints move together, for postures that are sampled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eigengrasps: Vec<Eigengrasp>,
}

fn rubber() -> String {
    "rubber".into()
}

/// The middle of an object of 60 mm, or of the largest that fits, in the palm's frame. z points
/// away from the palm, x from finger to finger.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ToolFrame {
    /// Origin, m.
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z).
    pub orientation: [f64; 4],
}

impl ToolFrame {
    fn of(X_PT: &Pose) -> ToolFrame {
        let R = DQuat::from_mat3(&X_PT.R);
        ToolFrame {
            position: X_PT.p.to_array(),
            orientation: [R.w, R.x, R.y, R.z],
        }
    }

    /// As a pose in the palm's frame.
    pub fn pose(&self) -> Result<Pose, SceneError> {
        pose(self.position, self.orientation).map_err(|fault| SceneError::Hand {
            message: format!(
                "hand.toml: tool.{}: {}",
                fault.path.join("."),
                fault.message
            ),
        })
    }
}

/// From where to where a joint closes, rad or m.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// Open.
    pub rest: f64,
    /// Closed on nothing.
    pub closed: f64,
}

/// A direction in which joints move together: a posture is the open one and a multiple of it
/// [Ciocarlie & Allen 2009].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Eigengrasp {
    /// What each joint moves by at an amplitude of 1, rad or m.
    pub joints: BTreeMap<String, f64>,
    /// Least and greatest amplitude.
    #[serde(default = "from_zero_to_one")]
    pub range: [f64; 2],
}

fn from_zero_to_one() -> [f64; 2] {
    [0.0, 1.0]
}

/// A hand file with its robot.
///
/// ```no_run
/// use volar_scene::{Hand, Object};
///
/// let hand = Hand::open("gripper.urdf", &[])?; // or a hand.toml
/// println!("{}", hand.file.to_toml()?);
/// let plan = hand.grasp(&Object::ball(0.03), &Default::default())?;
/// let setup = plan.scene()?.compile()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hand {
    /// What is said about it.
    pub file: HandFile,
    /// The robot.
    pub robot: Robot,
    /// Folder that the paths of `file` are relative to.
    folder: PathBuf,
    /// Radius of the ball that the tool frame was guessed for, m; none where it is given.
    ball: Option<f64>,
    reach: Reach,
}

impl Hand {
    /// Opens a `hand.toml`, or guesses the hand in a robot file.
    pub fn open(path: impl AsRef<Path>, packages: &[PathBuf]) -> Result<Hand, SceneError> {
        let path = path.as_ref();
        match path.extension().is_some_and(|end| end == "toml") {
            true => Hand::load(path),
            false => Hand::guess(path, packages),
        }
    }

    /// Reads a `hand.toml`.
    pub fn load(path: &Path) -> Result<Hand, SceneError> {
        let name = path.display().to_string();
        let syntax = |message: String| SceneError::Syntax {
            file: name.clone(),
            message,
        };
        let bytes = Disk::default().read(path)?.into_owned();
        let text = String::from_utf8(bytes).map_err(|error| syntax(error.to_string()))?;
        let file: HandFile = toml::from_str(&text).map_err(|error| syntax(error.to_string()))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let packages: Vec<PathBuf> = file.packages.iter().map(|p| folder.join(p)).collect();
        let (robot, reach) = read_robot(&folder.join(&file.file), &packages)?;
        file.check(&robot)?;
        file.tool.pose()?;
        Ok(Hand {
            file,
            robot,
            folder,
            ball: None,
            reach,
        })
    }

    /// Guesses what of a robot file is a hand and how it closes.
    pub fn guess(path: &Path, packages: &[PathBuf]) -> Result<Hand, SceneError> {
        let (robot, reach) = read_robot(path, packages)?;
        let anatomy = Anatomy::of(&robot).ok_or_else(|| SceneError::Hand {
            message: format!(
                "{}: no link has two moving fingers with shapes that can touch, or one and a shape \
                 of its own; write a hand.toml by hand",
                path.display()
            ),
        })?;
        let guess = reach
            .guess(&robot, &anatomy)
            .ok_or_else(|| SceneError::Hand {
                message: format!(
                    "{}: the fingers ({}) do not close on a ball of 10 to 60 mm anywhere; write a \
                 hand.toml by hand",
                    path.display(),
                    anatomy.names().join(", ")
                ),
            })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.file_name().unwrap_or_default();
        let joint = |link: usize| robot.links[link].joint.name.clone();
        let file = HandFile {
            file: name.to_string_lossy().into_owned(),
            packages: packages.iter().map(|p| absolute(p)).collect(),
            material: rubber(),
            palm: robot.links[anatomy.palm].name.clone(),
            tool: ToolFrame::of(&guess.X_PT),
            fingers: anatomy.by_name(&robot),
            closes: guess.closes.iter().map(|(l, c)| (joint(*l), *c)).collect(),
            held: guess.held.iter().map(|(l, q)| (joint(*l), *q)).collect(),
            eigengrasps: Vec::new(),
        };
        Ok(Hand {
            file,
            robot,
            folder,
            ball: Some(guess.ball),
            reach,
        })
    }

    /// Where the robot file is.
    pub fn robot_path(&self) -> PathBuf {
        self.folder.join(&self.file.file)
    }
}

impl HandFile {
    /// As text.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        toml::to_string(self).map_err(|error| SceneError::Hand {
            message: error.to_string(),
        })
    }

    fn check(&self, robot: &Robot) -> Result<(), SceneError> {
        let links = self.fingers.values().flatten().chain([&self.palm]);
        for link in links {
            if robot.link(link).is_none() {
                let message = format!("{} has no link `{link}`", self.file);
                return Err(SceneError::Hand { message });
            }
        }
        let sampled = self.eigengrasps.iter().flat_map(|e| e.joints.keys());
        for joint in self.closes.keys().chain(self.held.keys()).chain(sampled) {
            let found = robot.joint(joint);
            if found.is_none_or(|link| robot.links[link].joint.kind.nv() != 1) {
                let message = format!(
                    "{} has no joint `{joint}` with one degree of freedom",
                    self.file
                );
                return Err(SceneError::Hand { message });
            }
        }
        for (number, eigengrasp) in self.eigengrasps.iter().enumerate() {
            let [low, high] = eigengrasp.range;
            let numbers = eigengrasp.joints.values().chain(&eigengrasp.range);
            if low > high || !numbers.into_iter().all(|n| n.is_finite()) {
                let message = format!(
                    "hand.toml: eigengrasps[{number}]: finite numbers, and a range from low to high"
                );
                return Err(SceneError::Hand { message });
            }
        }
        Ok(())
    }
}

/// A path that is valid from any folder.
pub(crate) fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole.to_string_lossy().into_owned()
}

fn read_robot(path: &Path, packages: &[PathBuf]) -> Result<(Robot, Reach), SceneError> {
    let disk: Arc<dyn AssetSource> = Arc::new(Disk::default());
    let library = MeshLibrary::new(&*disk);
    let options = LoadOptions {
        packages: packages.to_vec(),
    };
    let unusable = |error: volar_robots::RobotError| SceneError::Hand {
        message: error.to_string(),
    };
    let (robot, mut report) = load_from(&library, path, &options).map_err(unusable)?;
    let reach = Reach::of(&robot, &library, &mut report).map_err(unusable)?;
    Ok((robot, reach))
}
