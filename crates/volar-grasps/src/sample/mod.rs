//! Samplers: candidates of grasps on a mesh, of which those are kept that the open hand can
//! start from without touching the object.
//!
//! What a candidate is follows from the seed and its number alone; whether the hand is clear is
//! decided by the overlap kernel, exactly. So the list is the same to the bit on any number of
//! threads.
//!
//! | file | what |
//! |---|---|
//! | `antipodal.rs` | pairs of contacts that a parallel jaw can close on |
//! | `approach.rs` | the other methods: towards a point, as near as the hand is clear |
//! | `surface.rs` | points on the mesh, and where lines pass through it |
//! | `hand.rs` | the solids of a hand, and whether they are clear of the object |
//!
//! Symbols: T is the tool frame of the hand, z away from the palm, x from finger to finger.

mod antipodal;
mod approach;
mod hand;
mod surface;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use volar_geom::ClosedMesh;
use volar_geom::overlap::OverlapKernel;
use volar_math::random;
use volar_scene::{Hand, Object, SceneError};

use crate::grasp::{Grasp, Posture};
use crate::list::{Header, Holds, ObjectInfo, Row};
use antipodal::Antipodal;
use approach::Approach;
use hand::HandSolids;
use surface::Surface;

/// Candidates that are tried together.
const BATCH: u64 = 1024;
/// A sampler gives up after so many candidates for each grasp that is wanted ...
const TRIES: u64 = 1000;
/// ... but not before these.
const FEWEST_TRIES: u64 = 100_000;

/// How candidates are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Pairs of points on the mesh, each in the friction cone of the other [Nguyen 1988].
    Antipodal,
    /// From directions over a sphere towards the centre of mass.
    Approach,
    /// Against the normal of a point of the surface.
    Surface,
    /// As `Surface`, with postures along the eigengrasps of the hand.
    Eigengrasp,
}

impl Method {
    /// All of them, by name.
    pub const ALL: [(&str, Method); 4] = [
        ("antipodal", Method::Antipodal),
        ("approach", Method::Approach),
        ("surface", Method::Surface),
        ("eigengrasp", Method::Eigengrasp),
    ];
}

/// What to sample.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleOptions {
    /// How candidates are made.
    pub method: Method,
    /// How many grasps are wanted.
    pub count: u64,
    /// Other seeds make other grasps.
    pub seed: u64,
    /// Coefficient of friction between finger and object, for antipodal pairs.
    pub friction: f64,
}

impl Default for SampleOptions {
    fn default() -> SampleOptions {
        SampleOptions {
            method: Method::Antipodal,
            count: 1000,
            seed: 0,
            friction: 0.5,
        }
    }
}

/// Why a candidate is no grasp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rejection {
    /// The line through the first contact leaves the object outside of the cone there.
    Friction,
    /// The jaw does not open or close that far.
    Width,
    /// Another part of the object would be touched first.
    Hidden,
    /// The open hand would be in the object.
    Collision,
}

impl Rejection {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Rejection::Friction => "outside of the friction cone",
            Rejection::Width => "wider or narrower than the jaw",
            Rejection::Hidden => "behind another part of the object",
            Rejection::Collision => "open hand in the object",
        }
    }
}

/// Grasps as they are sampled: an iterator over rows.
///
/// ```no_run
/// use volar_grasps::sample::{SampleOptions, Samples};
/// use volar_scene::{Hand, Object};
///
/// let hand = Hand::open("gripper.urdf", &[])?;
/// let mut samples = Samples::new(&hand, &Object::ball(0.03), SampleOptions::default())?;
/// let grasps: Vec<_> = samples.by_ref().collect();
/// println!("{} of {} candidates", grasps.len(), samples.tried);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Samples {
    /// What all rows share.
    pub header: Header,
    /// Candidates so far.
    pub tried: u64,
    /// Those that were no grasps.
    pub rejected: BTreeMap<Rejection, u64>,
    /// Set from elsewhere to stop.
    pub stop: Arc<AtomicBool>,
    options: SampleOptions,
    setting: Setting,
    maker: Maker,
    /// Found in a batch, and not yet given.
    found: VecDeque<Grasp>,
    given: u64,
}

/// What candidates are made in.
#[derive(Debug)]
struct Setting {
    object: ClosedMesh,
    surface: Surface,
    hand: HandSolids,
}

#[derive(Debug)]
enum Maker {
    Antipodal(Box<Antipodal>),
    Approach(Box<Approach>),
}

impl Samples {
    /// Prepares to sample.
    pub fn new(
        hand: &Hand,
        object: &Object,
        options: SampleOptions,
    ) -> Result<Samples, SceneError> {
        let refused = |message: String| SceneError::Hand { message };
        if !(options.friction > 0.0 && options.friction.is_finite()) {
            let message = format!("friction: {} is no number above zero", options.friction);
            return Err(refused(message));
        }
        let mesh = object.surface()?;
        let mesh = ClosedMesh::checked(mesh)
            .map_err(|error| refused(format!("`{}`: {error}", object.name)))?;
        let solids = HandSolids::new(hand)?;
        let maker = match options.method {
            Method::Antipodal => {
                let maker = Antipodal::new(hand, &solids, options.friction)?;
                Maker::Antipodal(Box::new(maker))
            }
            method => Maker::Approach(Box::new(Approach::new(hand, &mesh, method)?)),
        };
        let setting = Setting {
            surface: Surface::new(&mesh),
            object: mesh,
            hand: solids,
        };
        Ok(Samples {
            header: header(hand, object, &options),
            tried: 0,
            rejected: BTreeMap::new(),
            stop: Arc::default(),
            options,
            setting,
            maker,
            found: VecDeque::new(),
            given: 0,
        })
    }

    /// Whether fewer grasps were found than were wanted.
    pub fn gave_up(&self) -> bool {
        self.given < self.options.count && !self.stop.load(Ordering::Relaxed)
    }

    /// Tries the next candidates.
    fn try_batch(&mut self) {
        let (setting, maker, seed) = (&self.setting, &self.maker, self.options.seed);
        let tried: Vec<Result<Grasp, Rejection>> = (self.tried..self.tried + BATCH)
            .into_par_iter()
            .map_init(OverlapKernel::new, |kernel, row| {
                let draws = Draws { seed, row };
                match maker {
                    Maker::Antipodal(maker) => maker.candidate(setting, kernel, draws),
                    Maker::Approach(maker) => maker.candidate(setting, kernel, draws),
                }
            })
            .collect();
        let missing = self.options.count - self.given;
        for candidate in tried {
            // What comes after the last grasp is not counted.
            if self.found.len() as u64 == missing {
                break;
            }
            self.tried += 1;
            match candidate {
                Ok(grasp) => self.found.push_back(grasp),
                Err(why) => *self.rejected.entry(why).or_default() += 1,
            }
        }
    }
}

impl Iterator for Samples {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let most = FEWEST_TRIES.max(self.options.count.saturating_mul(TRIES));
        while self.found.is_empty() && self.given < self.options.count && self.tried < most {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            self.try_batch();
        }
        let grasp = self.found.pop_front()?;
        self.given += 1;
        Some(Ok(grasp))
    }
}

/// Random numbers of one candidate.
#[derive(Clone, Copy, Debug)]
struct Draws {
    seed: u64,
    row: u64,
}

impl Draws {
    /// From 0 to below 1; each name draws its own.
    fn uniform(self, name: &str) -> f64 {
        random::uniform(self.seed, name, self.row)
    }

    fn angle(self, name: &str) -> f64 {
        std::f64::consts::TAU * self.uniform(name)
    }
}

fn header(hand: &Hand, object: &Object, options: &SampleOptions) -> Header {
    let (file, scale) = match &object.shape {
        volar_scene::spec::Shape::Mesh(mesh) => {
            let scale = match mesh.scale {
                volar_scene::spec::Scale::Uniform(factor) => Some(factor),
                volar_scene::spec::Scale::PerAxis(_) => None,
            };
            (Some(mesh.file.clone()), scale)
        }
        _ => (None, None),
    };
    let antipodal = options.method == Method::Antipodal;
    Header {
        hand: Some(hand.robot_path().display().to_string()),
        object: ObjectInfo {
            file,
            scale,
            mass: object.mass,
            friction: antipodal.then_some(options.friction),
        },
        joints: hand.joints().into_iter().map(|(name, _)| name).collect(),
        holds: Holds {
            pregrasp: true,
            ..Holds::default()
        },
    }
}

/// Coordinates by link as a posture.
fn posture(hand: &Hand, values: &[f64]) -> Posture {
    let joints = hand.joints().into_iter();
    Posture {
        joints: joints.map(|(_, link)| values[link]).collect(),
        X_OH: None,
    }
}
