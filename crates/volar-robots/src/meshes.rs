//! Shapes as closed meshes for contact: primitives cut into triangles, mesh
//! files read and, where they must be, repaired.

use volar_geom::TriMesh;
use volar_geom::mesh::check::check;
use volar_meshes::{ReadOptions, RepairOptions, RepairStep, repair};

use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::robot::{Geometry, Robot, Shape};
use crate::shapes::{Resolution, tessellate};

/// How shapes become closed meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOptions {
    /// How finely primitives are cut.
    pub resolution: Resolution,
    /// How far a mesh that is not a solid may be repaired.
    pub repair: RepairOptions,
}

impl Default for MeshOptions {
    /// Repairs as far as the convex hull: what MuJoCo and Bullet take for the
    /// shape of any mesh.
    fn default() -> MeshOptions {
        MeshOptions {
            resolution: Resolution::default(),
            repair: RepairOptions {
                hull: true,
                ..RepairOptions::default()
            },
        }
    }
}

/// The triangles of a mesh file in G, as the file has them but for its scale
/// and frame. None for other shapes.
pub fn read_mesh(shape: &Shape) -> Result<Option<TriMesh>, RobotError> {
    let Shape::Mesh { path, scale, X_FM } = shape else {
        return Ok(None);
    };
    let mut mesh =
        volar_meshes::read(path, &ReadOptions::default()).map_err(|error| RobotError::Mesh {
            what: path.display().to_string(),
            problem: error.to_string(),
        })?;
    let X_MF = X_FM.inverse();
    for vertex in &mut mesh.vertices {
        *vertex = *scale * X_MF.point(*vertex);
    }
    if scale.element_product() < 0.0 {
        // A mirrored mesh is inside out.
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Ok(Some(mesh))
}

/// The closed mesh of a shape in the link's frame; what had to be changed goes
/// into the report under `what`. None for a plane, which is no solid: the
/// report says so.
pub fn solid(
    geometry: &Geometry,
    what: &str,
    options: &MeshOptions,
    report: &mut ImportReport,
) -> Result<Option<TriMesh>, RobotError> {
    if let Some(mesh) = tessellate(&geometry.shape, &options.resolution) {
        return Ok(Some(mesh.transformed(1.0, &geometry.X_LG)));
    }
    let Some(mesh) = read_mesh(&geometry.shape)? else {
        let detail = "an endless plane is no solid; put a box there";
        report.add(NoteKind::Unsupported, "plane in contact", detail, what);
        return Ok(None);
    };
    let usable = if check(&mesh).is_usable() {
        mesh
    } else {
        let repaired = repair(mesh, &options.repair);
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
    options: &MeshOptions,
    report: &mut ImportReport,
) -> Result<Vec<TriMesh>, RobotError> {
    let link = &robot.links[link];
    let mut solids = Vec::new();
    for (i, geometry) in link.collisions.iter().enumerate() {
        let what = match geometry.name.as_str() {
            "" => format!("{} shape {i}", link.name),
            name => format!("{} shape {name}", link.name),
        };
        solids.extend(solid(geometry, &what, options, report)?);
    }
    Ok(solids)
}

fn name_of(shape: &Shape) -> String {
    match shape {
        Shape::Mesh { path, .. } => path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        _ => String::new(),
    }
}

fn steps(steps: &[RepairStep]) -> String {
    let texts: Vec<String> = steps.iter().map(ToString::to_string).collect();
    texts.join(", ")
}
