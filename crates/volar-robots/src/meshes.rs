//! Shapes as closed meshes for contact: primitives cut into triangles, mesh
//! files read and, where they must be, repaired.

use std::path::Path;

use volar_geom::TriMesh;
use volar_meshes::MeshLibrary;
use volar_solids::Shape;

use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::robot::{Geometry, Robot};

/// The closed meshes of a link in contact, in its frame. What had to be
/// changed or left out goes into the report.
pub fn link_solids(
    robot: &Robot,
    link: usize,
    library: &MeshLibrary,
    report: &mut ImportReport,
) -> Result<Vec<TriMesh>, RobotError> {
    let link = &robot.links[link];
    let mut solids = Vec::new();
    for (i, geometry) in link.collisions.iter().enumerate() {
        let what = match geometry.name.as_str() {
            "" => format!("{} shape {i}", link.name),
            name => format!("{} shape {name}", link.name),
        };
        solids.extend(solid(geometry, &what, library, report)?);
    }
    Ok(solids)
}

/// The closed mesh of a shape in the link's frame. None for a plane, which is
/// no solid.
fn solid(
    geometry: &Geometry,
    what: &str,
    library: &MeshLibrary,
    report: &mut ImportReport,
) -> Result<Option<TriMesh>, RobotError> {
    let mesh = match &geometry.shape {
        Shape::Ground {} => {
            let detail = "an endless plane is no solid; put a box there";
            report.add(NoteKind::Unsupported, "plane in contact", detail, what);
            return Ok(None);
        }
        Shape::Mesh(file) => {
            let path = Path::new(&file.file);
            let solid = library.solid(path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{what}: {name}");
            if !solid.report.is_usable() {
                let complaints = solid.report.complaints.iter();
                return Err(RobotError::NotASolid {
                    what: name,
                    complaints: complaints.filter(|c| c.is_fatal()).cloned().collect(),
                });
            }
            if !solid.steps.is_empty() {
                let steps: Vec<String> = solid.steps.iter().map(ToString::to_string).collect();
                report.add(NoteKind::Changed, "mesh repaired", steps.join(", "), name);
            }
            Some(file.placed(&solid.mesh))
        }
        primitive => primitive.tessellate(),
    };
    Ok(mesh.map(|mesh| mesh.transformed(1.0, &geometry.X_LG)))
}
