//! The formats, and where they have a body.

use std::fmt;

use volar_scene::Setup;
use volar_sim::BodyId;

use crate::names::{file_names, part_of};

/// What a scene is exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// MuJoCo's format.
    Mjcf,
    /// Unified Robot Description Format.
    Urdf,
    /// Gazebo's format.
    Sdf,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Mjcf, Format::Urdf, Format::Sdf];

    /// As it is said on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Mjcf => "mjcf",
            Format::Urdf => "urdf",
            Format::Sdf => "sdf",
        }
    }

    /// The format with a name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The name in its file of something with a full name.
    pub(crate) fn name_in_file(self, full: &str, robot: Option<&str>) -> String {
        let own = robot.and_then(|robot| full.strip_prefix(robot)?.strip_prefix('/'));
        match (self, own) {
            // No link of SDF may have the name of the world.
            (Format::Sdf, Some("world")) => "world_link".to_owned(),
            (Format::Urdf | Format::Sdf, Some(own)) => own.to_owned(),
            _ => full.to_owned(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Mjcf => "MJCF",
            Format::Urdf => "URDF",
            Format::Sdf => "SDF",
        })
    }
}

/// Files of the robots and of the single bodies, without an ending.
pub(crate) struct Parts {
    pub robots: Vec<String>,
    pub bodies: Vec<String>,
}

impl Parts {
    pub fn new(setup: &Setup) -> Parts {
        let robots = setup.robots.iter().map(|robot| robot.name.as_str());
        let bodies = single_bodies(setup);
        let bodies = bodies.iter().map(|id| setup.model.name(*id));
        // No part is called as the whole.
        let names = file_names(std::iter::once("scene").chain(robots).chain(bodies));
        let (robots, bodies) = names[1..].split_at(setup.robots.len());
        Parts {
            robots: robots.to_vec(),
            bodies: bodies.to_vec(),
        }
    }

    /// The file that describes a body.
    pub fn file_of(&self, setup: &Setup, body: BodyId, to: Format) -> String {
        match to {
            Format::Mjcf => return "scene.xml".into(),
            Format::Sdf => return "scene.sdf".into(),
            Format::Urdf => {}
        }
        let file = match part_of(setup, body) {
            (Some(r), _) => self.robots.get(r),
            (None, _) => {
                let single = single_bodies(setup).into_iter().position(|id| id == body);
                single.and_then(|number| self.bodies.get(number))
            }
        };
        format!("{}.urdf", file.map_or("", String::as_str))
    }
}

fn single_bodies(setup: &Setup) -> Vec<BodyId> {
    let single = |id: &BodyId| part_of(setup, *id).0.is_none();
    setup.model.bodies().filter(single).collect()
}
