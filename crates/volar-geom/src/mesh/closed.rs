//! A checked, closed, oriented mesh with everything the kernel asks of it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;

use super::faces::{Bend, Faces, PlanarFace};
use super::layer::Layer;
use super::{MeshError, TriMesh};
use crate::bvh::{Aabb, Bvh};

/// An edge and the two triangles that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its end points.
    pub vertices: [u32; 2],
    /// The triangle that runs along it from `vertices[0]` to `vertices[1]`,
    /// then the one that runs against it.
    pub triangles: [u32; 2],
}

/// A connected closed surface; a mesh is made of one or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shell {
    /// One of its triangles.
    pub triangle: u32,
    /// Enclosed volume in cubic metres, negative for the wall of a cavity.
    pub volume: f64,
}

/// A closed triangle mesh that bounds a solid.
///
/// Every edge is shared by exactly two triangles that run along it in
/// opposite directions, and the normals point out of the solid.
///
/// ```
/// use glam::DVec3;
/// use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
///
/// let mesh = ClosedMesh::checked(cuboid(DVec3::new(0.02, 0.03, 0.05)))?; // m
/// let moments = mesh.moments().unwrap();
/// assert!((moments.volume - 3.0e-5).abs() < 1.0e-18); // m³
/// assert_eq!(mesh.triangles().len(), 12);
///
/// let mut open = cuboid(DVec3::ONE);
/// open.triangles.pop();
/// assert!(ClosedMesh::checked(open).is_err());
/// # Ok::<(), volar_geom::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClosedMesh {
    id: u64,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<Edge>,
    triangle_edges: Vec<[u32; 3]>,
    neighbours: Vec<[u32; 3]>,
    triangle_shells: Vec<u32>,
    shells: Vec<Shell>,
    bvh: Bvh,
    volume: f64,
    faces: Faces,
    layer: OnceLock<Layer>,
    thickness: OnceLock<f64>,
}

/// The number of the next mesh.
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

impl ClosedMesh {
    /// Builds the edge table, the shells and the tree of a mesh whose edges
    /// all have one triangle on each side.
    ///
    /// This checks what the data structure needs. Whether the mesh is a sound
    /// solid (outward, free of self-intersections) is the question of
    /// [`check`](super::check::check); [`ClosedMesh::checked`] asks both.
    pub fn new(mesh: TriMesh) -> Result<ClosedMesh, MeshError> {
        let TriMesh {
            vertices,
            triangles,
        } = mesh;
        for (triangle, corners) in triangles.iter().enumerate() {
            for &vertex in corners {
                if vertex as usize >= vertices.len() {
                    return Err(MeshError::NoSuchVertex {
                        triangle,
                        vertex,
                        vertices: vertices.len(),
                    });
                }
            }
        }
        if let Some(vertex) = vertices.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::NotFinite { vertex });
        }
        let (edges, triangle_edges) = find_edges(&triangles)?;
        let across = |side: u32| edges[(side / 2) as usize].triangles[1 - (side % 2) as usize];
        let neighbours = triangle_edges
            .iter()
            .map(|sides| sides.map(across))
            .collect();
        let boxes: Vec<Aabb> = triangles
            .iter()
            .map(|t| Aabb::around(t.map(|v| vertices[v as usize])))
            .collect();
        let mut closed = ClosedMesh {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            bvh: Bvh::build(&boxes),
            triangle_shells: vec![u32::MAX; triangles.len()],
            vertices,
            triangles,
            edges,
            triangle_edges,
            neighbours,
            shells: Vec::new(),
            volume: 0.0,
            faces: Faces::default(),
            layer: OnceLock::new(),
            thickness: OnceLock::new(),
        };
        closed.find_shells();
        closed.faces = Faces::find(&closed);
        Ok(closed)
    }

    /// A number that it shares with its clones only: what was found out about a
    /// mesh is known by it. An address would not do, another mesh may
    /// have it later.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Corner positions in the body's frame, metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Three vertex indices per triangle, counter-clockwise from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// For each triangle and each of its sides `k`, from corner `k` to corner
    /// `k + 1`: twice the edge's index, plus one if the side runs against it.
    pub fn triangle_edges(&self) -> &[[u32; 3]] {
        &self.triangle_edges
    }

    /// The triangle on the other side of side `k` of `triangle`.
    #[inline]
    pub fn neighbour(&self, triangle: u32, k: usize) -> u32 {
        self.neighbours[triangle as usize][k]
    }

    /// The connected closed surfaces that make up the mesh.
    pub fn shells(&self) -> &[Shell] {
        &self.shells
    }

    /// Which shell each triangle belongs to.
    pub fn triangle_shells(&self) -> &[u32] {
        &self.triangle_shells
    }

    /// The tree over the triangles.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// The smallest box around the mesh, in its own frame.
    pub fn bounds(&self) -> Aabb {
        self.bvh.bounds()
    }

    /// Enclosed volume, cubic metres.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The planar faces: connected triangles that lie in one plane, up to the
    /// rounding of their corners, are one face.
    pub fn faces(&self) -> &[PlanarFace] {
        &self.faces.faces
    }

    /// Which planar face each triangle belongs to.
    pub fn triangle_faces(&self) -> &[u32] {
        &self.faces.triangle_faces
    }

    /// How the surface bends at each edge.
    pub fn bends(&self) -> &[Bend] {
        &self.faces.bends
    }

    /// How far a vertex may be from the plane of its planar face: the rounding
    /// of the coordinates, metres.
    pub fn face_tolerance(&self) -> f64 {
        self.faces.tolerance
    }

    /// The step of the grid on which a text file with few decimals has left the
    /// coordinates, metres; none when they are as good as single precision.
    pub fn grid_step(&self) -> Option<f64> {
        self.faces.grid_step
    }

    /// What each face and valley answers for in the depth below the surface.
    pub(crate) fn layer(&self) -> &Layer {
        self.layer.get_or_init(|| Layer::new(self))
    }

    /// True when the solid is convex: no vertex stands out of any face by
    /// more than the rounding of a file in single precision.
    pub fn is_convex(&self) -> bool {
        self.faces.is_convex
    }

    /// How thin the solid is at its thin places: 5 % of the surface has the
    /// opposite surface nearer than this, straight inward; metres. Found when
    /// first asked for, from at most 500 triangles.
    pub fn thickness(&self) -> f64 {
        *self.thickness.get_or_init(|| super::thickness::find(self))
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }

    /// The same triangles without the derived data.
    pub fn to_tri_mesh(&self) -> TriMesh {
        TriMesh {
            vertices: self.vertices.clone(),
            triangles: self.triangles.clone(),
        }
    }

    fn find_shells(&mut self) {
        // Volumes are taken about the middle of the mesh: about a far origin
        // the tetrahedra would cancel and take the digits with them.
        let middle = self.bounds().centre();
        let mut stack = Vec::new();
        for seed in 0..self.triangles.len() as u32 {
            if self.triangle_shells[seed as usize] != u32::MAX {
                continue;
            }
            let shell = self.shells.len() as u32;
            let mut volume = 0.0;
            self.triangle_shells[seed as usize] = shell;
            stack.push(seed);
            while let Some(triangle) = stack.pop() {
                let [a, b, c] = self.corners(triangle).map(|p| p - middle);
                volume += a.dot(b.cross(c)) / 6.0;
                for k in 0..3 {
                    let next = self.neighbour(triangle, k);
                    if self.triangle_shells[next as usize] == u32::MAX {
                        self.triangle_shells[next as usize] = shell;
                        stack.push(next);
                    }
                }
            }
            self.shells.push(Shell {
                triangle: seed,
                volume,
            });
        }
        self.volume = self.shells.iter().map(|shell| shell.volume).sum();
    }
}

/// Pairs up the sides of the triangles.
fn find_edges(triangles: &[[u32; 3]]) -> Result<(Vec<Edge>, Vec<[u32; 3]>), MeshError> {
    // One entry per side, keyed so that both sides of an edge become
    // neighbours in the sorted list, the one that runs from the lower to the
    // higher vertex first.
    let mut sides: Vec<(u32, u32, bool, u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in (0_u32..).zip(triangles) {
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            sides.push((from.min(to), from.max(to), from > to, triangle, k as u32));
        }
    }
    sides.sort_unstable();
    let mut edges = Vec::with_capacity(sides.len() / 2);
    let mut triangle_edges = vec![[0; 3]; triangles.len()];
    for group in sides.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let &[
            (from, to, false, along, k_along),
            (_, _, true, against, k_against),
        ] = group
        else {
            let against = group.iter().filter(|side| side.2).count();
            return Err(MeshError::OpenEdge {
                from: group[0].0,
                to: group[0].1,
                along: group.len() - against,
                against,
            });
        };
        let edge = 2 * edges.len() as u32;
        triangle_edges[along as usize][k_along as usize] = edge;
        triangle_edges[against as usize][k_against as usize] = edge + 1;
        edges.push(Edge {
            vertices: [from, to],
            triangles: [along, against],
        });
    }
    Ok((edges, triangle_edges))
}
