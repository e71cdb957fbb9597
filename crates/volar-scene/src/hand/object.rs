//! What is grasped.

use std::path::Path;

use glam::DQuat;
use volar_assets::Disk;
use volar_geom::{Pose, TriMesh};
use volar_meshes::MeshLibrary;

use super::cloud::Cloud;
use super::grasp::parse;
use crate::error::SceneError;
use crate::spec::{BodyEntry, MeshFile, Scale, Shape};

/// What is grasped.
///
/// See the example of [`Hand`](super::Hand).
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Name in the scene.
    pub name: String,
    /// Its shape; a mesh with a path valid from anywhere.
    pub shape: Shape,
    /// Mass, kg; 1000 kg/m³ if not given.
    pub mass: Option<f64>,
    /// Name of its material.
    pub material: String,
}

impl Object {
    /// A ball of plastic.
    pub fn ball(radius: f64) -> Object {
        Object {
            name: "ball".into(),
            shape: Shape::sphere(radius),
            mass: None,
            material: "plastic".into(),
        }
    }

    /// An object as a person names it: a mesh file, whose coordinates are multiplied by a
    /// scale, or `sphere:RADIUS`, `box:X,Y,Z` or `cylinder:RADIUS,LENGTH` (m). Of plastic.
    pub fn named(text: &str, scale: f64) -> Result<Object, SceneError> {
        let refuse = |message: String| SceneError::Hand { message };
        let (kind, numbers) = match text.split_once(':') {
            Some((kind, rest)) if !Path::new(text).exists() => (kind, rest),
            _ => return Object::mesh(text, scale),
        };
        let numbers: Vec<f64> = numbers
            .split(',')
            .map(|number| number.trim().parse::<f64>().ok())
            .collect::<Option<Vec<f64>>>()
            .filter(|numbers| numbers.iter().all(|n| *n > 0.0 && n.is_finite()))
            .ok_or_else(|| {
                refuse(format!(
                    "`{text}`: expected lengths above zero after `{kind}:`"
                ))
            })?;
        let shape = match (kind, &numbers[..]) {
            ("sphere", &[radius]) => Shape::sphere(radius),
            ("box", &[x, y, z]) => Shape::Box([x, y, z]),
            ("cylinder", &[radius, length]) => Shape::Cylinder { radius, length },
            _ => {
                return Err(refuse(format!(
                    "`{text}` is neither a file nor sphere:RADIUS, box:X,Y,Z or \
                     cylinder:RADIUS,LENGTH"
                )));
            }
        };
        Ok(Object {
            name: kind.into(),
            shape,
            ..Object::ball(1.0)
        })
    }

    /// Its surface in its frame, m; repaired where that is a mesh of a file.
    pub fn surface(&self) -> Result<TriMesh, SceneError> {
        let unusable = |message: String| SceneError::Hand {
            message: format!("`{}`: {message}", self.name),
        };
        let mesh = match &self.shape {
            Shape::Mesh(file) => {
                let disk = Disk::default();
                let library = MeshLibrary::new(&disk);
                let solid = library.solid(Path::new(&file.file));
                let solid = solid.map_err(|error| unusable(error.to_string()))?;
                Some(file.placed(&solid.mesh))
            }
            other => other.tessellate(),
        };
        let mesh = mesh.ok_or_else(|| unusable("a half space cannot be grasped".into()))?;
        match mesh.triangles.is_empty() {
            true => Err(unusable("it has no triangles".into())),
            false => Ok(mesh),
        }
    }

    fn mesh(path: &str, scale: f64) -> Result<Object, SceneError> {
        let refuse = |message: String| SceneError::Hand { message };
        if !Path::new(path).is_file() {
            return Err(refuse(format!(
                "`{path}`: there is no such file; shapes are written as sphere:0.03"
            )));
        }
        let whole = std::path::absolute(path).map_err(|error| refuse(error.to_string()))?;
        let name = whole.file_stem().unwrap_or_default().to_string_lossy();
        let mut file = MeshFile::new(whole.to_string_lossy());
        file.scale = Scale::Uniform(scale);
        file.repair = true;
        Ok(Object {
            name: name.replace('/', "_"),
            shape: Shape::Mesh(file),
            ..Object::ball(1.0)
        })
    }
}

pub(super) fn body_entry(object: &Object, X_WO: &Pose) -> Result<BodyEntry, SceneError> {
    let mut entry: BodyEntry = parse("name = \"\"\nshape = { ground = {} }")?;
    entry.name.clone_from(&object.name);
    entry.shape = object.shape.clone();
    entry.position = X_WO.p.to_array();
    let R = DQuat::from_mat3(&X_WO.R);
    entry.orientation = [R.w, R.x, R.y, R.z];
    entry.mass = object.mass;
    entry.material.clone_from(&object.material);
    Ok(entry)
}

pub(super) fn object_cloud(object: &Object) -> Result<Cloud, SceneError> {
    Ok(Cloud::of(&[object.surface()?]))
}
