//! Turning a bad mesh into a usable one, step by step and in the open.
//!
//! The steps come in a fixed order, each is taken only if something calls for
//! it, and each reports what it changed:
//!
//! 1. weld vertices on open edges that are closer than a tolerance
//! 2. drop triangles without area and repeated ones
//! 3. orient neighbouring triangles the same way
//! 4. fill holes up to a given number of edges; a cover without area, as over
//!    a slit, is swapped away with its neighbour
//! 5. turn shells outward
//! 6. drop shells inside the solid of another
//! 7. rebuild the surface of what is wound round at least once (the union) if
//!    triangles intersect
//! 8. replace the mesh by its convex hull, only when asked and only if it is
//!    still unusable
//!
//! Nothing is promised about the result: [`Repaired::report`] is a fresh check
//! of it, and an unusable mesh stays a refused one.

mod faces;
mod holes;
mod orient;
mod shells;
mod solid;
mod weld;

pub use solid::convex_hull;

use std::fmt;

use volar_geom::TriMesh;
use volar_geom::mesh::check::{CheckReport, Defect, check};

/// How far a repair may go.
///
/// See the example of [`Repaired`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairOptions {
    /// Vertices on open edges closer than this are welded, relative to the
    /// largest extent of the mesh.
    pub weld_tolerance: f64,
    /// Holes with more edges than this stay open.
    pub longest_hole: usize,
    /// Replace the mesh by its convex hull if nothing else made it usable.
    pub hull: bool,
}

impl RepairOptions {
    /// A weld tolerance of 1e-6, ten times the rounding of coordinates stored
    /// as 32-bit floats; holes up to 64 edges; no hull.
    pub const DEFAULT: RepairOptions = RepairOptions {
        weld_tolerance: 1e-6,
        longest_hole: 64,
        hull: false,
    };
    /// The same, and the convex hull where nothing else helps.
    pub const UP_TO_HULL: RepairOptions = RepairOptions {
        hull: true,
        ..RepairOptions::DEFAULT
    };
}

impl Default for RepairOptions {
    fn default() -> RepairOptions {
        RepairOptions::DEFAULT
    }
}

/// A repaired mesh and how it came about.
///
/// A box that lacks a triangle:
///
/// ```
/// use glam::DVec3;
/// use volar_geom::mesh::shapes::cuboid;
/// use volar_solids::{RepairOptions, repair};
///
/// let mut mesh = cuboid(DVec3::splat(0.1)); // m
/// mesh.triangles.pop();
/// let repaired = repair(mesh, &RepairOptions::DEFAULT);
/// assert!(repaired.report.is_usable());
/// for step in &repaired.steps {
///     println!("{step}");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The mesh after the steps.
    pub mesh: TriMesh,
    /// What was done, in order; empty when nothing had to be.
    pub steps: Vec<RepairStep>,
    /// A check of the mesh after the steps.
    pub report: CheckReport,
}

/// One thing a repair did, or could not do.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    missing_docs,
    reason = "counts, named as `Display` writes them; lengths in m"
)]
pub enum RepairStep {
    /// Vertices were merged with others near them.
    Welded { vertices: usize, tolerance: f64 },
    /// Triangles without area and repeated ones were dropped.
    DroppedFaces { degenerate: usize, duplicate: usize },
    /// Triangles without area were swapped away with their neighbours.
    FlippedNeedles { triangles: usize },
    /// Triangles were turned over to agree with their neighbours.
    OrientedFaces { triangles: usize },
    /// Holes were filled.
    FilledHoles {
        holes: usize,
        added: usize,
        removed: usize,
    },
    /// Holes were left open because they have too many edges.
    LeftHoles { holes: usize, longest: usize },
    /// Shells were rotated outward.
    FlippedShells { shells: usize },
    /// Shells inside the solid of another were dropped.
    DroppedShells { shells: usize, triangles: usize },
    /// The surface of the union was rebuilt.
    United { crossings: usize, triangles: usize },
    /// The union could not be built.
    NotUnited { reason: NoSolid },
    /// The mesh was replaced by its convex hull.
    Hull { triangles: usize },
    /// There is no convex hull to take.
    NoHull { reason: NoSolid },
}

/// Why no surface of a union or a hull could be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSolid {
    /// Some edge has a triangle on one side only.
    #[error("the surface is not closed")]
    NotClosed,
    /// Some edge joins more than two triangles.
    #[error("the surface does not hang together")]
    NotManifold,
    /// No point is inside.
    #[error("it encloses nothing")]
    Empty,
    /// A heap of triangles rather than a surface.
    #[error("too many of its triangles cross each other")]
    TooManyCrossings,
    /// An error of the engine that computes solids.
    #[error("the boolean engine failed")]
    Engine,
}

/// Repairs a mesh as far as the options allow.
pub fn repair(mesh: TriMesh, options: &RepairOptions) -> Repaired {
    let mut work = Work {
        report: check(&mesh),
        mesh,
        steps: Vec::new(),
    };
    if work.has(|d| {
        matches!(
            d,
            Defect::Empty | Defect::MissingVertices | Defect::NotFinite
        )
    }) {
        // There is no geometry to repair.
        return work.finish();
    }
    work.weld(options.weld_tolerance);
    work.drop_faces();
    work.orient_faces();
    work.fill_holes(options.longest_hole);
    work.flip_needles();
    work.flip_shells();
    work.drop_shells();
    work.unite();
    if options.hull && !work.report.is_usable() {
        work.take_hull();
    }
    work.finish()
}

/// A mesh under repair; the report is always that of the mesh as it is.
struct Work {
    mesh: TriMesh,
    report: CheckReport,
    steps: Vec<RepairStep>,
}

impl Work {
    fn has(&self, defect: impl Fn(&Defect) -> bool) -> bool {
        self.report.complaints.iter().any(|c| defect(&c.defect))
    }

    fn has_open_edges(&self) -> bool {
        self.has(|d| matches!(d, Defect::OpenEdges { .. }))
    }

    /// Every edge has one triangle along it and one against.
    fn is_closed(&self) -> bool {
        !self.has(|d| {
            matches!(
                d,
                Defect::OpenEdges { .. } | Defect::CrowdedEdges | Defect::FlippedNeighbours
            )
        })
    }

    /// Takes a changed mesh and notes how it came about.
    fn change(&mut self, mesh: TriMesh, step: RepairStep) {
        self.report = check(&mesh);
        self.mesh = mesh;
        self.steps.push(step);
    }

    fn finish(self) -> Repaired {
        Repaired {
            mesh: self.mesh,
            steps: self.steps,
            report: self.report,
        }
    }
}

/// The mesh without the vertices no triangle uses.
fn compacted(mesh: TriMesh) -> TriMesh {
    let mut new_index = vec![u32::MAX; mesh.vertices.len()];
    let mut vertices = Vec::new();
    let triangles = mesh
        .triangles
        .iter()
        .map(|t| {
            t.map(|v| {
                let slot = &mut new_index[v as usize];
                if *slot == u32::MAX {
                    *slot = vertices.len() as u32;
                    vertices.push(mesh.vertices[v as usize]);
                }
                *slot
            })
        })
        .collect();
    TriMesh {
        vertices,
        triangles,
    }
}

impl fmt::Display for RepairStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RepairStep::Welded {
                vertices,
                tolerance,
            } => write!(
                f,
                "welded {} closer than {tolerance:.1e} m",
                counted(vertices, "vertex", "vertices")
            ),
            RepairStep::DroppedFaces {
                degenerate,
                duplicate,
            } => write!(
                f,
                "dropped {} without area and {duplicate} repeated",
                triangles_counted(degenerate)
            ),
            RepairStep::FlippedNeedles { triangles } => {
                write!(
                    f,
                    "swapped {} without area away",
                    triangles_counted(triangles)
                )
            }
            RepairStep::OrientedFaces { triangles } => write!(
                f,
                "rotated {} to agree with the neighbours",
                triangles_counted(triangles)
            ),
            RepairStep::FilledHoles {
                holes,
                added,
                removed,
            } => {
                let holes = counted(holes, "hole", "holes");
                write!(f, "filled {holes} with {}", triangles_counted(added))?;
                match removed {
                    0 => Ok(()),
                    _ => write!(f, ", took {removed} loose away"),
                }
            }
            RepairStep::LeftHoles { holes, longest } => write!(
                f,
                "left {} open, the longest with {longest} edges",
                counted(holes, "hole", "holes")
            ),
            RepairStep::FlippedShells { shells } => {
                write!(f, "rotated {} outward", counted(shells, "shell", "shells"))
            }
            RepairStep::DroppedShells { shells, triangles } => write!(
                f,
                "dropped {} inside another, {}",
                counted(shells, "shell", "shells"),
                triangles_counted(triangles)
            ),
            RepairStep::United {
                crossings,
                triangles,
            } => write!(
                f,
                "rebuilt the union ({}), now {}",
                counted(crossings, "intersection", "intersections"),
                triangles_counted(triangles)
            ),
            RepairStep::NotUnited { reason } => write!(f, "could not rebuild the union: {reason}"),
            RepairStep::Hull { triangles } => write!(
                f,
                "replaced by its convex hull, {}",
                triangles_counted(triangles)
            ),
            RepairStep::NoHull { reason } => write!(f, "could not take its convex hull: {reason}"),
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn triangles_counted(count: usize) -> String {
    counted(count, "triangle", "triangles")
}

#[cfg(test)]
mod tests;
