//! What a check can find fault with.

use std::fmt;

use glam::DVec3;

use crate::mesh::TriMesh;

/// How many places a complaint names; the rest is only counted.
pub const MAX_PLACES: usize = 5;

/// Whether a mesh with a defect can be computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The mesh bounds no definite solid; the kernel refuses it.
    Unusable,
    /// Worth knowing, harmless to the kernel.
    Note,
}

/// Something wrong with a mesh: what, how often, and where first.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    /// What is wrong.
    pub defect: Defect,
    /// How often.
    pub count: usize,
    /// The first few places, at most [`MAX_PLACES`].
    pub places: Vec<Place>,
}

/// The kinds of defects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Defect {
    /// No triangles at all.
    Empty,
    /// Triangles that name a vertex which does not exist.
    MissingVertices,
    /// Vertices with a coordinate that is infinite or NaN.
    NotFinite,
    /// A largest extent, in metres, for which lengths and their cubes lose
    /// their meaning.
    ExtentOutOfRange {
        /// The largest edge of the bounding box, metres.
        extent: f64,
    },
    /// Triangles without area.
    DegenerateFaces,
    /// Triangles with the same three corners as an earlier one.
    DuplicateFaces,
    /// Edges with a triangle on one side only.
    OpenEdges {
        /// Vertices at the same position as another: two surfaces that meet but
        /// share no vertices look like holes.
        unwelded: usize,
    },
    /// Edges where more than two triangles meet.
    CrowdedEdges,
    /// Edges along which two triangles run the same way: one is upside down.
    FlippedNeighbours,
    /// Closed shells that enclose their inside as if it were outside.
    InsideOutShells,
    /// Closed shells inside the solid of another: material counted twice.
    RedundantShells,
    /// Triangles of one shell that have more in common than the vertices and
    /// edges they share, and more than one point.
    SelfIntersections,
    /// Triangles of different shells that have more than one point in common.
    CrossingShells,
    /// Vertices where surfaces touch in that one point. The kernel works edge by
    /// edge and does not mind.
    TouchingVertices,
    /// Vertices no triangle uses.
    UnusedVertices,
}

/// Where a defect is: indices into the mesh, counted from 0, and a position in
/// metres in the mesh's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A vertex.
    Vertex {
        /// Its index.
        vertex: u32,
        /// Its position.
        at: DVec3,
    },
    /// An edge.
    Edge {
        /// Its end points.
        vertices: [u32; 2],
        /// Its middle.
        at: DVec3,
    },
    /// A triangle, for a shell one of its triangles.
    Face {
        /// Its index.
        face: u32,
        /// Its centroid.
        at: DVec3,
    },
    /// Two triangles that meet.
    Faces {
        /// Their indices.
        faces: [u32; 2],
        /// The centroid of the smaller.
        at: DVec3,
    },
}

impl Complaint {
    /// True when the mesh cannot be computed with because of this.
    pub fn is_fatal(&self) -> bool {
        self.defect.severity() == Severity::Unusable
    }

    /// What is wrong and how often, without the place and the remedy.
    pub fn what(&self) -> String {
        self.defect.describe(self.count)
    }
}

impl Defect {
    /// Whether a mesh with this defect can be computed with.
    pub fn severity(&self) -> Severity {
        match self {
            Defect::TouchingVertices | Defect::UnusedVertices => Severity::Note,
            _ => Severity::Unusable,
        }
    }

    /// A stable name for scripts.
    pub fn name(&self) -> &'static str {
        match self {
            Defect::Empty => "empty",
            Defect::MissingVertices => "missing_vertices",
            Defect::NotFinite => "not_finite",
            Defect::ExtentOutOfRange { .. } => "extent_out_of_range",
            Defect::DegenerateFaces => "degenerate_faces",
            Defect::DuplicateFaces => "duplicate_faces",
            Defect::OpenEdges { .. } => "open_edges",
            Defect::CrowdedEdges => "crowded_edges",
            Defect::FlippedNeighbours => "flipped_neighbours",
            Defect::InsideOutShells => "inside_out_shells",
            Defect::RedundantShells => "redundant_shells",
            Defect::SelfIntersections => "self_intersections",
            Defect::CrossingShells => "crossing_shells",
            Defect::TouchingVertices => "touching_vertices",
            Defect::UnusedVertices => "unused_vertices",
        }
    }

    /// What to do about it; empty for a note.
    pub fn remedy(&self) -> &'static str {
        match self {
            Defect::Empty => "give a mesh with triangles",
            Defect::MissingVertices => "export the mesh again",
            Defect::NotFinite => "export the mesh again; coordinates must be numbers",
            Defect::ExtentOutOfRange { .. } => {
                "lengths are in metres: scale it, by 0.001 if it is in millimetres"
            }
            Defect::DegenerateFaces | Defect::DuplicateFaces => "repair drops them",
            Defect::OpenEdges { unwelded: 0 } => "repair fills small holes",
            Defect::OpenEdges { .. } => "repair welds the vertices, then fills small holes",
            Defect::CrowdedEdges => "repair rebuilds the surface if it is closed",
            Defect::FlippedNeighbours | Defect::InsideOutShells => "repair turns them over",
            Defect::RedundantShells => "repair drops them: the union is the solid around them",
            Defect::SelfIntersections => "repair keeps what is wound round at least once",
            Defect::CrossingShells => "repair unites them",
            Defect::TouchingVertices | Defect::UnusedVertices => "",
        }
    }

    fn describe(&self, count: usize) -> String {
        let s = |one: &str, many: &str| {
            if count == 1 {
                format!("1 {one}")
            } else {
                format!("{count} {many}")
            }
        };
        match self {
            Defect::Empty => "no triangles".into(),
            Defect::MissingVertices => s(
                "triangle names a vertex that does not exist",
                "triangles name vertices that do not exist",
            ),
            Defect::NotFinite => s(
                "vertex has a coordinate that is not finite",
                "vertices have coordinates that are not finite",
            ),
            Defect::ExtentOutOfRange { extent } => format!(
                "its extent is {extent:.3e} m, outside {:e} to {:e} m",
                super::EXTENTS.start(),
                super::EXTENTS.end()
            ),
            Defect::DegenerateFaces => s("triangle without area", "triangles without area"),
            Defect::DuplicateFaces => s(
                "triangle repeats the corners of another",
                "triangles repeat the corners of others",
            ),
            Defect::OpenEdges { unwelded: 0 } => s(
                "open edge (a triangle on one side only)",
                "open edges (a triangle on one side only)",
            ),
            Defect::OpenEdges { unwelded } => format!(
                "{} (a triangle on one side only), {unwelded} vertices at the same place as another",
                s("open edge", "open edges")
            ),
            Defect::CrowdedEdges => s(
                "edge where more than two triangles meet",
                "edges where more than two triangles meet",
            ),
            Defect::FlippedNeighbours => s(
                "edge between triangles that face opposite ways",
                "edges between triangles that face opposite ways",
            ),
            Defect::InsideOutShells => s("shell is inside out", "shells are inside out"),
            Defect::RedundantShells => s(
                "shell lies inside the solid of another",
                "shells lie inside the solid of another",
            ),
            Defect::SelfIntersections => s(
                "pair of triangles of one shell intersects",
                "pairs of triangles of one shell intersect",
            ),
            Defect::CrossingShells => s(
                "pair of triangles of different shells intersects",
                "pairs of triangles of different shells intersect",
            ),
            Defect::TouchingVertices => s(
                "vertex where surfaces touch in one point",
                "vertices where surfaces touch in one point",
            ),
            Defect::UnusedVertices => s("vertex no triangle uses", "vertices no triangle uses"),
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        if let Some(place) = self.places.first() {
            let first = if self.count > 1 { ", first " } else { ": " };
            write!(f, "{first}{place}")?;
        }
        match self.defect.remedy() {
            "" => Ok(()),
            remedy => write!(f, "; {remedy}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = match self {
            Place::Vertex { vertex, at } => {
                write!(f, "vertex {vertex}")?;
                at
            }
            Place::Edge {
                vertices: [a, b],
                at,
            } => {
                write!(f, "edge {a}-{b}")?;
                at
            }
            Place::Face { face, at } => {
                write!(f, "face {face}")?;
                at
            }
            Place::Faces { faces: [a, b], at } => {
                write!(f, "faces {a} and {b}")?;
                at
            }
        };
        write!(f, " at ({:.6}, {:.6}, {:.6})", at.x, at.y, at.z)
    }
}

/// Collects the places of one defect.
pub(super) struct Finding<'m> {
    mesh: &'m TriMesh,
    defect: Defect,
    count: usize,
    places: Vec<Place>,
}

impl<'m> Finding<'m> {
    pub fn new(mesh: &'m TriMesh, defect: Defect) -> Finding<'m> {
        Finding {
            mesh,
            defect,
            count: 0,
            places: Vec::new(),
        }
    }

    pub fn vertex(&mut self, vertex: u32) {
        let at = self.mesh.vertices[vertex as usize];
        self.note(|| Place::Vertex { vertex, at });
    }

    pub fn edge(&mut self, vertices: [u32; 2]) {
        let [a, b] = vertices.map(|v| self.mesh.vertices[v as usize]);
        let at = 0.5 * (a + b);
        self.note(|| Place::Edge { vertices, at });
    }

    pub fn face(&mut self, face: u32) {
        let at = centroid(self.mesh, face);
        self.note(|| Place::Face { face, at });
    }

    pub fn faces(&mut self, faces: [u32; 2]) {
        let mesh = self.mesh;
        self.note(|| {
            let size = |f: u32| {
                let [a, b, c] = mesh.corners(f as usize);
                (b - a).cross(c - a).length_squared()
            };
            let smaller = if size(faces[0]) <= size(faces[1]) {
                faces[0]
            } else {
                faces[1]
            };
            Place::Faces {
                faces,
                at: centroid(mesh, smaller),
            }
        });
    }

    /// A place that has no position to name.
    pub fn nameless(&mut self) {
        self.count += 1;
    }

    /// Adds the complaint to a list if there is anything to complain about.
    pub fn file(self, complaints: &mut Vec<Complaint>) {
        if self.count > 0 {
            complaints.push(Complaint {
                defect: self.defect,
                count: self.count,
                places: self.places,
            });
        }
    }

    fn note(&mut self, place: impl FnOnce() -> Place) {
        self.count += 1;
        if self.places.len() < MAX_PLACES {
            self.places.push(place());
        }
    }
}

fn centroid(mesh: &TriMesh, face: u32) -> DVec3 {
    let [a, b, c] = mesh.corners(face as usize);
    (a + b + c) / 3.0
}
