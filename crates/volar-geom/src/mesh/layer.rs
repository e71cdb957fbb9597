//! What each face and valley of a solid answers for, fixed in the body.
//!
//! From a point inside a body that is not convex, the nearest point of the
//! surface is the foot on a face, or it is on a valley (a reflex edge) or in a
//! pit (a vertex in whose normal cone there is room). A face answers for the
//! prism below it; towards another face the prism ends at the plane that bisects
//! the edge between them, at a ridge as at a shallow valley. A deep valley
//! answers for the wedge between the prisms of its faces. There the depth is the
//! distance from a line, which is replaced by the greatest of a few planes
//! through the edge, no more than [`STEP`] apart: at most 1.5 % less, and equal
//! to the depth below the faces where it joins them.
//!
//! The bisecting plane holds the edge and the direction `n + m` between the
//! normals of its faces. So both faces end at the same plane, and that plane is as
//! well known as the edge, however flat it is; the plane across `n − m`, which
//! is the same but for rounding, would turn to anywhere at an edge that is
//! flat up to rounding. On it both faces tell the same depth but for the
//! distance of the edge from their planes, which is within the rounding of
//! the mesh.

use glam::DVec3;
use volar_math::real;

use super::ClosedMesh;
use super::faces::Bend;

/// The largest angle between two planes through a valley, radians. Valleys
/// flatter than this need no planes but those of their faces.
const STEP: f64 = 0.35;

/// Where `direction · x ≥ offset`, with a unit direction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HalfSpace {
    pub direction: DVec3,
    pub offset: f64,
}

impl HalfSpace {
    fn new(direction: DVec3, through: DVec3) -> HalfSpace {
        HalfSpace {
            direction,
            offset: direction.dot(through),
        }
    }
}

/// A plane through a valley and where it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wedge {
    /// The way out there: against the depth, which is zero on the edge.
    pub normal: DVec3,
    /// A point of the edge.
    pub through: DVec3,
    /// Where it counts: between two planes through the edge, and between the
    /// planes across its ends.
    pub sides: [HalfSpace; 4],
    /// The face whose plane it is, if it is the first or the last one.
    pub face: Option<u32>,
}

/// The domains of the faces and valleys of a body that is not convex.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// The three sides of the prism below each triangle.
    pub prisms: Vec<[HalfSpace; 3]>,
    /// The planes of deep valleys, those of one valley in a row.
    pub wedges: Vec<Wedge>,
    /// For each triangle, where the planes of its valleys are in `wedges`: of
    /// the edges that it is the first triangle of.
    pub wedges_of: Vec<[(u32, u32); 3]>,
}

impl Layer {
    pub fn new(mesh: &ClosedMesh) -> Layer {
        let mut layer = Layer::default();
        for triangle in 0..mesh.triangles().len() as u32 {
            let mut sides = [HalfSpace::default(); 3];
            let mut wedges = [(0, 0); 3];
            for k in 0..3 {
                sides[k] = prism_side(mesh, triangle, k);
                let code = mesh.triangle_edges()[triangle as usize][k];
                let first = layer.wedges.len() as u32;
                // Each edge once; both of its triangles are candidates.
                if code.is_multiple_of(2) && mesh.bends()[code as usize / 2] == Bend::Reflex {
                    add_wedges(mesh, code / 2, &mut layer.wedges);
                }
                wedges[k] = (first, layer.wedges.len() as u32);
            }
            layer.prisms.push(sides);
            layer.wedges_of.push(wedges);
        }
        layer
    }
}

/// The side of the prism below a triangle at its side `k`.
fn prism_side(mesh: &ClosedMesh, triangle: u32, k: usize) -> HalfSpace {
    let normal_of = |triangle: u32| {
        let face = mesh.triangle_faces()[triangle as usize];
        mesh.faces()[face as usize].normal
    };
    let corners = mesh.corners(triangle);
    let along = (corners[(k + 1) % 3] - corners[k]).normalize_or_zero();
    let (n, m) = (normal_of(triangle), normal_of(mesh.neighbour(triangle, k)));
    let inward = n.cross(along);
    let edge = mesh.triangle_edges()[triangle as usize][k] / 2;
    let direction = match mesh.bends()[edge as usize] {
        Bend::Flat => inward,
        Bend::Reflex if !is_shallow(n, inward, m) => inward,
        // A knife's edge: now n + m is the difference of large numbers.
        Bend::Convex if n.dot(m) < 0.0 => n - m,
        Bend::Convex | Bend::Reflex => (n + m).cross(along),
    };
    HalfSpace::new(direction.normalize_or_zero(), corners[k])
}

/// Adds the planes of a valley, if it is a deep one.
fn add_wedges(mesh: &ClosedMesh, edge: u32, wedges: &mut Vec<Wedge>) {
    let edge = &mesh.edges()[edge as usize];
    let [from, to] = edge.vertices.map(|v| mesh.vertices()[v as usize]);
    let faces = edge.triangles.map(|t| mesh.triangle_faces()[t as usize]);
    let [n, m] = faces.map(|face| mesh.faces()[face as usize].normal);
    let Some(along) = (to - from).try_normalize() else {
        return;
    };
    // Into the first face, away from the edge.
    let inward = n.cross(along).normalize_or_zero();
    if is_shallow(n, inward, m) {
        return;
    }
    let angle = real::atan2(m.dot(inward), n.dot(m));
    let steps = (angle / STEP).ceil().max(1.0);
    let step = angle / steps;
    for i in 0..=steps as u32 {
        let middle = f64::from(i) * step;
        let is_last = f64::from(i) >= steps;
        // It ends where the prism of the second face begins, to the last digit:
        // a slit between them would belong to neither.
        let across = |turned: f64| {
            if turned >= angle {
                m.cross(along).normalize_or_zero()
            } else {
                inward * real::cos(turned) - n * real::sin(turned)
            }
        };
        wedges.push(Wedge {
            normal: match i {
                0 => n,
                _ if is_last => m,
                _ => n * real::cos(middle) + inward * real::sin(middle),
            },
            through: from,
            sides: [
                HalfSpace::new(-across((middle - 0.5 * step).max(0.0)), from),
                HalfSpace::new(across((middle + 0.5 * step).min(angle)), from),
                HalfSpace::new(along, from),
                HalfSpace::new(-along, to),
            ],
            face: match i {
                0 => Some(faces[0]),
                _ if is_last => Some(faces[1]),
                _ => None,
            },
        });
    }
}

/// True when the angle between two faces at a valley, seen from the one with
/// `normal` and the direction `inward` from the valley, needs no more planes.
fn is_shallow(normal: DVec3, inward: DVec3, other: DVec3) -> bool {
    other.dot(inward) < real::sin(STEP) && other.dot(normal) > 0.0
}
