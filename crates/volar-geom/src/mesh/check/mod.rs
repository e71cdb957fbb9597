//! Is a mesh the surface of a solid, and if not, what is wrong where?
//!
//! A usable mesh is closed (every edge has exactly one triangle along it and
//! one against), outward, and does not intersect itself; touching itself in
//! single points is fine. It may consist of several shells: separate solids,
//! and cavities inside them. The solid is where the winding number is at least
//! one, so a shell inside the solid of another adds nothing; because it would
//! count twice in a volume, it is refused until dropped. Every complaint says
//! what, how often, where first, and the remedy.

mod complaint;
mod contact;
pub mod crossing;
pub mod nesting;
pub mod topology;

pub use complaint::{Complaint, Defect, MAX_PLACES, Place, Severity};

use std::ops::RangeInclusive;

use super::mass::SolidMoments;
use super::{ClosedMesh, MeshError, TriMesh};
use crate::bvh::Aabb;
use complaint::Finding;
use crossing::Surface;
use topology::{Shells, Side, edges, find_shells, sorted_sides, touching_vertices};

/// Largest extents, in metres, that make sense for bodies to be grasped:
/// below, volumes near 1e-18 m³ meet rounding; above, a file in the wrong
/// unit is far more likely than a body of that size.
pub const EXTENTS: RangeInclusive<f64> = 1e-6..=1e6;

/// What [`check`] found.
///
/// ```
/// use glam::DVec3;
/// use volar_geom::mesh::{check::check, shapes::cuboid};
///
/// let mut mesh = cuboid(DVec3::splat(0.1)); // m
/// assert!(check(&mesh).is_usable());
/// mesh.triangles.pop();
/// let report = check(&mesh);
/// assert!(!report.is_usable());
/// for complaint in &report.complaints {
///     println!("{complaint}"); // what, how often, where first, and the remedy
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// How many vertices there are.
    pub vertices: usize,
    /// How many triangles there are.
    pub triangles: usize,
    /// The smallest box around the triangles; none without any.
    pub bounds: Option<Aabb>,
    /// The area of the triangles, m².
    pub area: f64,
    /// The connected surfaces.
    pub shells: Vec<ShellReport>,
    /// Volume, centroid and second moments; none unless every edge is sound.
    pub moments: Option<SolidMoments>,
    /// Everything found, the fundamental first.
    pub complaints: Vec<Complaint>,
}

/// One connected surface of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellReport {
    /// Its first triangle.
    pub face: u32,
    /// How many triangles it has.
    pub triangles: usize,
    /// The volume it encloses, m³, negative for the wall of a cavity. None
    /// when it is not closed.
    pub volume: Option<f64>,
    /// How often the other shells go round it. None when one is not closed.
    pub outer_winding: Option<i32>,
}

impl CheckReport {
    /// True when the kernel can compute with the mesh.
    pub fn is_usable(&self) -> bool {
        !self.complaints.iter().any(Complaint::is_fatal)
    }

    /// The complaint about a kind of defect, if there is one.
    pub fn complaint(&self, name: &str) -> Option<&Complaint> {
        self.complaints.iter().find(|c| c.defect.name() == name)
    }
}

/// Checks whether a mesh is the surface of a solid.
pub fn check(mesh: &TriMesh) -> CheckReport {
    let mut report = CheckReport {
        vertices: mesh.vertices.len(),
        triangles: mesh.triangles.len(),
        bounds: None,
        area: 0.0,
        shells: Vec::new(),
        moments: None,
        complaints: Vec::new(),
    };
    check_data(mesh, &mut report);
    if !report.is_usable() {
        // Without numbers there is no geometry to look at.
        return report;
    }
    check_extent(mesh, &mut report);

    let surface = Surface::new(mesh);
    check_faces(mesh, &surface, &mut report);
    let sides = sorted_sides(&mesh.triangles);
    let closed = check_edges(mesh, &sides, &surface, &mut report);
    let shells = find_shells(mesh.triangles.len(), &sides);
    if closed {
        report.moments = SolidMoments::of(mesh);
    }
    let crossings = surface.crossings();
    measure_shells(mesh, &surface, &shells, closed, &mut report);
    check_nesting(mesh, &shells, &crossings, &mut report);
    check_crossings(mesh, &shells, &crossings, &mut report);
    check_vertices(mesh, &sides, &mut report);
    report
}

impl ClosedMesh {
    /// Checks a mesh and prepares it for the kernel. The error carries every
    /// complaint.
    pub fn checked(mesh: TriMesh) -> Result<ClosedMesh, MeshError> {
        let report = check(&mesh);
        if !report.is_usable() {
            return Err(MeshError::Invalid {
                complaints: report.complaints,
            });
        }
        ClosedMesh::new(mesh)
    }
}

/// Triangles, indices and coordinates that are there and are numbers.
fn check_data(mesh: &TriMesh, report: &mut CheckReport) {
    let mut empty = Finding::new(mesh, Defect::Empty);
    if mesh.triangles.is_empty() {
        empty.nameless();
    }
    empty.file(&mut report.complaints);

    let mut missing = Finding::new(mesh, Defect::MissingVertices);
    let exists = |v: &u32| (*v as usize) < mesh.vertices.len();
    for corners in &mesh.triangles {
        if !corners.iter().all(exists) {
            missing.nameless();
        }
    }
    missing.file(&mut report.complaints);

    let mut not_finite = Finding::new(mesh, Defect::NotFinite);
    for (vertex, p) in (0_u32..).zip(&mesh.vertices) {
        if !p.is_finite() {
            not_finite.vertex(vertex);
        }
    }
    not_finite.file(&mut report.complaints);
}

fn check_extent(mesh: &TriMesh, report: &mut CheckReport) {
    let corners = (0..mesh.triangles.len()).flat_map(|t| mesh.corners(t));
    let bounds = Aabb::around(corners);
    report.bounds = Some(bounds);
    let extent = bounds.size().max_element();
    let mut out_of_range = Finding::new(mesh, Defect::ExtentOutOfRange { extent });
    if !EXTENTS.contains(&extent) {
        out_of_range.nameless();
    }
    out_of_range.file(&mut report.complaints);
}

fn check_faces(mesh: &TriMesh, surface: &Surface, report: &mut CheckReport) {
    let mut degenerate = Finding::new(mesh, Defect::DegenerateFaces);
    for face in 0..mesh.triangles.len() as u32 {
        let [a, b, c] = mesh.corners(face as usize);
        report.area += 0.5 * (b - a).cross(c - a).length();
        if surface.is_degenerate(face) {
            degenerate.face(face);
        }
    }
    degenerate.file(&mut report.complaints);

    let mut duplicate = Finding::new(mesh, Defect::DuplicateFaces);
    for face in duplicate_faces(&mesh.triangles) {
        duplicate.face(face);
    }
    duplicate.file(&mut report.complaints);
}

/// Triangles with the same three corners as an earlier one, in any order.
pub fn duplicate_faces(triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut keyed: Vec<([u32; 3], u32)> = triangles
        .iter()
        .zip(0_u32..)
        .map(|(&corners, face)| {
            let mut key = corners;
            key.sort_unstable();
            (key, face)
        })
        .collect();
    keyed.sort_unstable();
    let mut repeated: Vec<u32> = keyed
        .chunk_by(|x, y| x.0 == y.0)
        .flat_map(|group| &group[1..])
        .map(|&(_, face)| face)
        .collect();
    repeated.sort_unstable();
    repeated
}

/// True when every edge has one triangle along it and one against.
fn check_edges(
    mesh: &TriMesh,
    sides: &[Side],
    surface: &Surface,
    report: &mut CheckReport,
) -> bool {
    let unwelded = surface.coincident_vertices();
    let mut open = Finding::new(mesh, Defect::OpenEdges { unwelded });
    let mut crowded = Finding::new(mesh, Defect::CrowdedEdges);
    let mut flipped = Finding::new(mesh, Defect::FlippedNeighbours);
    for edge in edges(sides) {
        match edge {
            [x, y] if x.against == y.against => flipped.edge(x.edge),
            [_, _] => {}
            [x] => open.edge(x.edge),
            _ => crowded.edge(edge[0].edge),
        }
    }
    let before = report.complaints.len();
    open.file(&mut report.complaints);
    crowded.file(&mut report.complaints);
    flipped.file(&mut report.complaints);
    report.complaints.len() == before
}

/// Volumes of the shells and, when all are closed, how they lie in each other.
fn measure_shells(
    mesh: &TriMesh,
    surface: &Surface,
    shells: &Shells,
    closed: bool,
    report: &mut CheckReport,
) {
    let surrounding = closed.then(|| nesting::surrounding_shells(surface, shells));
    for (shell, triangles) in shells.triangles.iter().enumerate() {
        report.shells.push(ShellReport {
            face: triangles[0],
            triangles: triangles.len(),
            volume: closed.then(|| shell_volume(mesh, triangles)),
            outer_winding: surrounding
                .as_ref()
                .map(|s| nesting::outer_winding(&s[shell])),
        });
    }
}

/// A surface belongs where the winding number changes between 0 and 1.
fn check_nesting(
    mesh: &TriMesh,
    shells: &Shells,
    crossings: &[[u32; 2]],
    report: &mut CheckReport,
) {
    let mut intersects = vec![false; shells.triangles.len()];
    for &face in crossings.iter().flatten() {
        intersects[shells.of_triangle[face as usize] as usize] = true;
    }
    let mut inside_out = Finding::new(mesh, Defect::InsideOutShells);
    let mut redundant = Finding::new(mesh, Defect::RedundantShells);
    for (shell, intersects) in report.shells.iter().zip(intersects) {
        let (Some(volume), Some(around)) = (shell.volume, shell.outer_winding) else {
            continue;
        };
        // In a closed mesh only a triangle with a repeated corner is alone.
        if shell.triangles == 1 {
            continue;
        }
        let expected = if volume > 0.0 { 0 } else { 1 };
        if around < expected {
            inside_out.face(shell.face);
        } else if around > expected && !intersects {
            // A shell that intersects another is neither inside nor outside.
            redundant.face(shell.face);
        }
    }
    inside_out.file(&mut report.complaints);
    redundant.file(&mut report.complaints);
}

/// The volume some triangles enclose, about a point near them.
pub fn shell_volume(mesh: &TriMesh, triangles: &[u32]) -> f64 {
    let corners = |&t: &u32| mesh.corners(t as usize);
    let middle = Aabb::around(triangles.iter().flat_map(corners)).centre();
    triangles
        .iter()
        .map(|t| {
            let [a, b, c] = corners(t).map(|p| p - middle);
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

fn check_crossings(
    mesh: &TriMesh,
    shells: &Shells,
    crossings: &[[u32; 2]],
    report: &mut CheckReport,
) {
    let mut own = Finding::new(mesh, Defect::SelfIntersections);
    let mut other = Finding::new(mesh, Defect::CrossingShells);
    for &faces in crossings {
        let [i, j] = faces.map(|f| shells.of_triangle[f as usize]);
        if i == j {
            own.faces(faces);
        } else {
            other.faces(faces);
        }
    }
    own.file(&mut report.complaints);
    other.file(&mut report.complaints);
}

fn check_vertices(mesh: &TriMesh, sides: &[Side], report: &mut CheckReport) {
    let mut touching = Finding::new(mesh, Defect::TouchingVertices);
    for vertex in touching_vertices(mesh.vertices.len(), &mesh.triangles, sides) {
        touching.vertex(vertex);
    }
    touching.file(&mut report.complaints);

    let mut used = vec![false; mesh.vertices.len()];
    for &vertex in mesh.triangles.iter().flatten() {
        used[vertex as usize] = true;
    }
    let mut unused = Finding::new(mesh, Defect::UnusedVertices);
    for (vertex, &used) in (0_u32..).zip(&used) {
        if !used {
            unused.vertex(vertex);
        }
    }
    unused.file(&mut report.complaints);
}

#[cfg(test)]
mod tests;
