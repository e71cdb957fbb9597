//! `<asset>`: the meshes that shapes name.

use std::path::{Path, PathBuf};

use glam::DVec3;
use volar_geom::Pose;
use volar_solids::{MeshFile, Scale, Shape};

use super::Reader;
use crate::error::{Place, RobotError};
use crate::report::NoteKind;
use crate::xml::Element;

#[derive(Clone, Debug)]
pub struct MeshAsset {
    place: Box<Place>,
    /// As the file names it.
    file: String,
    /// None when the file gives vertices instead.
    path: Option<PathBuf>,
    scale: DVec3,
    X_FM: Pose,
}

const KNOWN: &[&str] = &[
    "name", "class", "file", "scale", "refpos", "refquat", "vertex",
];

impl Reader<'_> {
    pub fn read_assets(&mut self, root: &Element) -> Result<(), RobotError> {
        for asset in root.all("asset").flat_map(|asset| &asset.children) {
            match asset.tag.as_str() {
                "mesh" => self.read_mesh(asset)?,
                "texture" | "material" | "surface" => {
                    self.note(NoteKind::Ignored, asset, "for looks");
                }
                "hfield" => self.note(NoteKind::Unsupported, asset, "use a mesh"),
                "model" => self.note(NoteKind::Unsupported, asset, "load the model by itself"),
                _ => self.note(
                    NoteKind::Unsupported,
                    asset,
                    "not an asset that is known here",
                ),
            }
        }
        Ok(())
    }

    fn read_mesh(&mut self, element: &Element) -> Result<(), RobotError> {
        let element = self.defaults.apply(element, None)?;
        let file = element.get("file");
        let stem = file.and_then(|f| {
            let stem = Path::new(f).file_stem()?;
            Some(stem.to_string_lossy().into_owned())
        });
        let name = match (element.get("name"), stem) {
            (Some(name), _) => name.to_owned(),
            (None, Some(stem)) => stem,
            (None, None) => return Err(element.incomplete("a `name` or a `file`")),
        };
        for (attribute, value) in &element.attributes {
            let (kind, detail) = match attribute.as_str() {
                known if KNOWN.contains(&known) => continue,
                "face" if element.get("vertex").is_some() => continue,
                "inertia" if value == "exact" => continue,
                "inertia" => (
                    NoteKind::Unsupported,
                    "meshes have the mass of their inside",
                ),
                "smoothnormal" | "texcoord" | "normal" | "material" | "content_type" => {
                    (NoteKind::Ignored, "for looks")
                }
                "maxhullvert" | "octree_maxdepth" => (NoteKind::Ignored, "meshes are taken whole"),
                _ => (NoteKind::Unsupported, "not an attribute that is known here"),
            };
            let what = format!("{attribute} of <mesh>");
            self.report.add(kind, what, detail, &name);
        }
        let p = element.vector_or("refpos", DVec3::ZERO)?;
        let X_FM = match element.numbers("refquat", 4, 4)? {
            Some(q) => element.pose(p, &q, "refquat")?,
            None => Pose::from_translation(p),
        };
        let scale = element.vector_or("scale", DVec3::ONE)?;
        if scale.element_product().abs() <= 0.0 {
            return Err(element.bad("scale", "numbers that are not zero"));
        }
        let asset = MeshAsset {
            place: element.place(),
            file: file.unwrap_or_default().to_owned(),
            path: file.map(|file| self.compiler.asset_path(file, self.files.folder)),
            scale,
            X_FM,
        };
        match self.meshes.get(&name) {
            None => {
                self.meshes.insert(name, asset);
            }
            Some(first) if self.can_stand_for(first, &asset) => {
                let detail = "listed twice under one name: the first is taken";
                self.report.add(NoteKind::Changed, "<mesh>", detail, name);
            }
            Some(_) => {
                return Err(RobotError::Duplicate {
                    place: element.place(),
                    kind: "mesh",
                });
            }
        }
        Ok(())
    }

    /// Whether another mesh of the same name is the same, or is not there.
    fn can_stand_for(&self, first: &MeshAsset, other: &MeshAsset) -> bool {
        let source = self.files.library.source();
        let bytes = |asset: &MeshAsset| source.read(asset.path.as_ref()?).ok();
        match (bytes(first), bytes(other)) {
            (Some(first_bytes), Some(other_bytes)) => {
                first_bytes == other_bytes && first.scale == other.scale && first.X_FM == other.X_FM
            }
            (Some(_), None) => other.path.is_some(),
            (None, _) => false,
        }
    }

    /// The mesh that a shape names.
    pub fn mesh_shape(&self, geom: &Element) -> Result<Shape, RobotError> {
        let name = geom.need("mesh")?;
        let asset = self
            .meshes
            .get(name)
            .ok_or_else(|| geom.unknown("mesh", "mesh asset"))?;
        let Some(path) = &asset.path else {
            return Err(RobotError::Unsupported {
                place: asset.place.clone(),
                what: "a mesh given by its vertices".into(),
                remedy: "save it as an OBJ or STL file and name that",
            });
        };
        let source = self.files.library.source();
        if !source.contains(path) {
            return Err(RobotError::Missing {
                place: asset.place.clone(),
                what: "the mesh file",
                name: asset.file.clone(),
                tried: vec![source.name_of(path)],
            });
        }
        Ok(Shape::Mesh(MeshFile {
            scale: Scale::PerAxis(asset.scale.to_array()),
            X_FM: asset.X_FM,
            ..MeshFile::new(path.to_string_lossy())
        }))
    }

    pub fn note(&mut self, kind: NoteKind, element: &Element, detail: &str) {
        let what = format!("<{}>", element.tag);
        self.report.add(kind, what, detail, element.label());
    }
}
