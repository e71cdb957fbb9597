//! Protocols: what is done to an object in a hand, and when it counts as held. A protocol is
//! a scene without its hand and its object, with a few entries of its own.
//!
//! ```toml
//! name = "heavy"
//! frame = "object"          # the world's axes: those of the object's mesh, or of the "hand"
//! close = 0.5               # how long the hand takes to close, from 0.25 s on
//! friction = 0.6            # between hand and object
//! duration = 3.0            # this and the rest are entries of scenes
//! [object]                  # entries of the object's [[body]]
//! mass = 0.3
//! [[schedule]]
//! at = 1.0
//! gravity = [0.0, 0.0, -9.81]
//! [grasp]
//! from = 1.0
//! held_since = 1.0
//! ```

use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use crate::error::SceneError;

/// Built-in protocols, as files.
const BUILTIN: [(&str, &str); 6] = [
    ("acronym", include_str!("../../protocols/acronym.toml")),
    (
        "dexgraspbench",
        include_str!("../../protocols/dexgraspbench.toml"),
    ),
    (
        "dexgraspnet",
        include_str!("../../protocols/dexgraspnet.toml"),
    ),
    ("pull", include_str!("../../protocols/pull.toml")),
    ("simready", include_str!("../../protocols/simready.toml")),
    ("turns", include_str!("../../protocols/turns.toml")),
];

/// What the axes of the world are in a protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Frame {
    /// Those of the object's mesh.
    #[default]
    Object,
    /// Those of the tool frame of the open hand: x from finger to finger, z away from the
    /// palm.
    Hand,
}

/// A protocol.
///
/// ```
/// use volar_scene::Protocol;
///
/// let protocol = Protocol::open("dexgraspbench")?;
/// assert_eq!(protocol.friction, Some(0.6));
/// # Ok::<(), volar_scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// Its name.
    pub name: String,
    /// What the axes of the world are.
    pub frame: Frame,
    /// How long the hand takes to close, s; it begins at 0.25 s.
    pub close: f64,
    /// When the hand opens again, s.
    pub open: Option<f64>,
    /// Friction between hand and object; that of their materials if not given.
    pub friction: Option<f64>,
    /// Entries of the object.
    pub(super) object: Table,
    /// Entries of the hand.
    pub(super) hand: Table,
    /// Entries of the scene.
    pub(super) scene: Table,
}

/// The entries of a protocol that scenes do not have.
#[derive(Deserialize)]
struct Own {
    name: String,
    #[serde(default)]
    frame: Frame,
    #[serde(default = "second")]
    close: f64,
    #[serde(default)]
    open: Option<f64>,
    #[serde(default)]
    friction: Option<f64>,
    #[serde(default)]
    object: Table,
    #[serde(default)]
    hand: Table,
}

fn second() -> f64 {
    1.0
}

/// Entries that the scene has from the hand, the object and the grasp.
const TAKEN: [&str; 3] = ["robot", "body", "materials"];

impl Protocol {
    /// The names of the built-in ones.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// A protocol as a person names it: a file, or else a built-in one.
    pub fn open(name: impl AsRef<Path>) -> Result<Protocol, SceneError> {
        let path = name.as_ref();
        let text = path.to_string_lossy();
        if path.is_file() {
            let bytes = std::fs::read_to_string(path).map_err(|error| SceneError::Syntax {
                file: text.clone().into_owned(),
                message: error.to_string(),
            })?;
            return Protocol::parse(&text, &bytes);
        }
        match BUILTIN.iter().find(|(known, _)| *known == text) {
            Some((known, contents)) => Protocol::parse(known, contents),
            None => Err(SceneError::Syntax {
                file: text.into_owned(),
                message: format!(
                    "neither a file nor a built-in protocol; there are {}",
                    Protocol::names().collect::<Vec<_>>().join(", ")
                ),
            }),
        }
    }

    /// Reads a protocol. `file` is what errors call it.
    pub fn parse(file: &str, text: &str) -> Result<Protocol, SceneError> {
        let syntax = |message: String| SceneError::Syntax {
            file: file.to_owned(),
            message,
        };
        let own: Own = toml::from_str(text).map_err(|error| syntax(error.to_string()))?;
        let mut scene: Table = toml::from_str(text).map_err(|error| syntax(error.to_string()))?;
        for key in [
            "name", "frame", "close", "open", "friction", "object", "hand",
        ] {
            scene.remove(key);
        }
        if let Some(key) = TAKEN.iter().find(|key| scene.contains_key(**key)) {
            return Err(syntax(format!(
                "`{key}`: the evaluation has its own; entries of the object and of the hand go \
                 into [object] and [hand]"
            )));
        }
        let positive = |name: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(syntax(format!("`{name}`: {value} is no number above zero"))),
        };
        positive("close", own.close)?;
        own.open.map_or(Ok(()), |open| positive("open", open))?;
        own.friction.map_or(Ok(()), |mu| positive("friction", mu))?;
        Ok(Protocol {
            name: own.name,
            frame: own.frame,
            close: own.close,
            open: own.open,
            friction: own.friction,
            object: own.object,
            hand: own.hand,
            scene,
        })
    }
}

/// Puts entries over those of a table; tables within are added to.
pub(super) fn put_over(table: &mut Table, over: &Table) {
    for (key, value) in over {
        match (table.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(more)) => put_over(inner, more),
            _ => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}
