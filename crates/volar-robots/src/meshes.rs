//! Shapes as closed meshes for contact: primitives cut into triangles, mesh
//! files read and, where they must be, repaired.

use std::path::Path;

use volar_geom::TriMesh;
use volar_geom::mesh::check::check;
use volar_meshes::ReadOptions;
use volar_solids::{MeshFile, RepairOptions, RepairStep, Shape, repair};

use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::robot::{Geometry, Robot};

/// The triangles of a mesh file in G, as the file has them but for its scale
/// and frame.
pub fn read_mesh(file: &MeshFile) -> Result<TriMesh, RobotError> {
    let mesh =
        volar_meshes::read(Path::new(&file.file), &ReadOptions::default()).map_err(|error| {
            RobotError::Mesh {
                what: file.file.clone(),
                problem: error.to_string(),
            }
        })?;
    Ok(file.placed(&mesh))
}

/// The closed mesh of a shape in the link's frame; what had to be changed goes
/// into the report under `what`. None for a plane, which is no solid: the
/// report says so.
pub fn solid(
    geometry: &Geometry,
    what: &str,
    report: &mut ImportReport,
) -> Result<Option<TriMesh>, RobotError> {
    let mesh = match &geometry.shape {
        Shape::Mesh(file) => read_mesh(file)?,
        Shape::Ground {} => {
            let detail = "an endless plane is no solid; put a box there";
            report.add(NoteKind::Unsupported, "plane in contact", detail, what);
            return Ok(None);
        }
        primitive => {
            let mesh = primitive.tessellate();
            return Ok(mesh.map(|mesh| mesh.transformed(1.0, &geometry.X_LG)));
        }
    };
    let usable = if check(&mesh).is_usable() {
        mesh
    } else {
        // The hull is what MuJoCo and Bullet take for the shape of any mesh.
        let repaired = repair(mesh, &RepairOptions::UP_TO_HULL);
        if !repaired.report.is_usable() {
            let complaints = repaired.report.complaints.iter();
            let texts: Vec<String> = complaints
                .filter(|c| c.is_fatal())
                .map(ToString::to_string)
                .collect();
            return Err(RobotError::Mesh {
                what: format!("{what}: {}", name_of(&geometry.shape)),
                problem: format!(
                    "not a closed solid, and repair did not make it one: {}; \
                     `volar check` tells more",
                    texts.join("; ")
                ),
            });
        }
        let name = format!("{what}: {}", name_of(&geometry.shape));
        report.add(
            NoteKind::Changed,
            "mesh repaired",
            steps(&repaired.steps),
            name,
        );
        repaired.mesh
    };
    Ok(Some(usable.transformed(1.0, &geometry.X_LG)))
}

/// The closed meshes of a link in contact, in its frame.
pub fn link_solids(
    robot: &Robot,
    link: usize,
    report: &mut ImportReport,
) -> Result<Vec<TriMesh>, RobotError> {
    let link = &robot.links[link];
    let mut solids = Vec::new();
    for (i, geometry) in link.collisions.iter().enumerate() {
        let what = match geometry.name.as_str() {
            "" => format!("{} shape {i}", link.name),
            name => format!("{} shape {name}", link.name),
        };
        solids.extend(solid(geometry, &what, report)?);
    }
    Ok(solids)
}

fn name_of(shape: &Shape) -> String {
    match shape {
        Shape::Mesh(mesh) => Path::new(&mesh.file)
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        _ => String::new(),
    }
}

fn steps(steps: &[RepairStep]) -> String {
    let texts: Vec<String> = steps.iter().map(ToString::to_string).collect();
    texts.join(", ")
}
