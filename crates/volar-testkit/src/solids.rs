//! Closed meshes of shapes a test wants and a user rarely does: not convex,
//! with holes, with cavities, like the links of a hand. Metres, outward.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use volar_geom::{ClosedMesh, TriMesh};

pub use volar_geom::mesh::shapes::{cuboid, icosphere, subdivide};

/// The mesh as a solid.
///
/// # Panics
/// When it is not closed, which for the shapes of this module is a bug.
pub fn closed(mesh: TriMesh) -> ClosedMesh {
    ClosedMesh::new(mesh).expect("a test mesh must be closed")
}

/// A simple polygon, counter-clockwise, extruded along z from `-height/2` to
/// `height/2`.
pub fn prism(outline: &[DVec2], height: f64) -> TriMesh {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |p| p.extend(z));
    let vertices = at(-0.5 * height).chain(at(0.5 * height)).collect();
    let mut triangles = Vec::new();
    for [a, b, c] in ears(outline) {
        triangles.push([a, c, b]);
        triangles.push([n + a, n + b, n + c]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.push([k, next, n + next]);
        triangles.push([k, n + next, n + k]);
    }
    TriMesh {
        vertices,
        triangles,
    }
}

/// Triangles of a simple counter-clockwise polygon, by cutting off ears.
fn ears(outline: &[DVec2]) -> Vec<[u32; 3]> {
    let turn =
        |a: usize, b: usize, c: usize| (outline[b] - outline[a]).perp_dot(outline[c] - outline[a]);
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let ear = (0..n)
            .find(|&k| {
                let [a, b, c] = [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
                let holds =
                    |p: usize| turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
                turn(a, b, c) > 0.0 && !left.iter().any(|&p| p != a && p != b && p != c && holds(p))
            })
            .expect("a simple polygon has an ear");
        let triangle = [left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]];
        triangles.push(triangle.map(|v| v as u32));
        left.remove(ear);
    }
    triangles.push([left[0], left[1], left[2]].map(|v| v as u32));
    triangles
}

/// An L, `size` long and high, `width` thick, extruded over `height`.
pub fn l_block(size: f64, width: f64, height: f64) -> TriMesh {
    let outline = [
        (0.0, 0.0),
        (size, 0.0),
        (size, width),
        (width, width),
        (width, size),
        (0.0, size),
    ];
    prism(&centred(&outline), height)
}

/// A U open to +y: two ears `wall` thick on a floor `wall` thick.
pub fn u_channel(size: f64, wall: f64, height: f64) -> TriMesh {
    let outline = [
        (0.0, 0.0),
        (size, 0.0),
        (size, size),
        (size - wall, size),
        (size - wall, wall),
        (wall, wall),
        (wall, size),
        (0.0, size),
    ];
    prism(&centred(&outline), height)
}

/// A star with `points` points, extruded.
pub fn star(points: u32, inner: f64, outer: f64, height: f64) -> TriMesh {
    let outline: Vec<DVec2> = (0..2 * points)
        .map(|k| {
            let angle = TAU * f64::from(k) / f64::from(2 * points);
            DVec2::from_angle(angle) * if k % 2 == 0 { outer } else { inner }
        })
        .collect();
    prism(&outline, height)
}

fn centred(outline: &[(f64, f64)]) -> Vec<DVec2> {
    let corners: Vec<DVec2> = outline.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    let min = corners
        .iter()
        .copied()
        .reduce(DVec2::min)
        .unwrap_or_default();
    let max = corners
        .iter()
        .copied()
        .reduce(DVec2::max)
        .unwrap_or_default();
    corners.iter().map(|&p| p - 0.5 * (min + max)).collect()
}

/// A closed profile in the (radius, z) half-plane, counter-clockwise with the
/// radius to the right, rotated about z in `segments` steps.
pub fn ring(profile: &[DVec2], segments: u32) -> TriMesh {
    let m = profile.len() as u32;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for s in 0..segments {
        let around = DVec2::from_angle(TAU * f64::from(s) / f64::from(segments));
        vertices.extend(profile.iter().map(|p| (around * p.x).extend(p.y)));
        let (here, there) = (s * m, (s + 1) % segments * m);
        for k in 0..m {
            let next = (k + 1) % m;
            triangles.push([here + k, there + k, there + next]);
            triangles.push([here + k, there + next, here + next]);
        }
    }
    TriMesh {
        vertices,
        triangles,
    }
}

/// A torus about z.
pub fn torus(radius: f64, tube: f64, segments: u32, around_tube: u32) -> TriMesh {
    let profile: Vec<DVec2> = (0..around_tube)
        .map(|k| {
            let angle = TAU * f64::from(k) / f64::from(around_tube);
            DVec2::new(radius, 0.0) + tube * DVec2::from_angle(angle)
        })
        .collect();
    ring(&profile, segments)
}

/// A pipe about z with a rectangular wall.
pub fn pipe(inner: f64, outer: f64, height: f64, segments: u32) -> TriMesh {
    let h = 0.5 * height;
    let profile = [(inner, -h), (outer, -h), (outer, h), (inner, h)];
    ring(&profile.map(|(r, z)| DVec2::new(r, z)), segments)
}

/// An open profile from the bottom pole to the top one, rotated about z: radius
/// and height of each ring, then the heights of the poles.
pub fn lathe(rings: &[DVec2], poles: [f64; 2], segments: u32) -> TriMesh {
    let mut vertices: Vec<DVec3> = Vec::new();
    for ring in rings {
        vertices.extend((0..segments).map(|s| {
            let around = DVec2::from_angle(TAU * f64::from(s) / f64::from(segments));
            (around * ring.x).extend(ring.y)
        }));
    }
    let bottom = vertices.len() as u32;
    let top = bottom + 1;
    vertices.extend(poles.map(|z| DVec3::new(0.0, 0.0, z)));
    let last = (rings.len() as u32 - 1) * segments;
    let mut triangles = Vec::new();
    for s in 0..segments {
        let next = (s + 1) % segments;
        triangles.push([bottom, next, s]);
        triangles.push([top, last + s, last + next]);
        for ring in 1..rings.len() as u32 {
            let (low, high) = ((ring - 1) * segments, ring * segments);
            triangles.push([low + s, low + next, high + next]);
            triangles.push([low + s, high + next, high + s]);
        }
    }
    TriMesh {
        vertices,
        triangles,
    }
}

/// Measures of a finger link.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Distance between the centres of the two round ends.
    pub length: f64,
    /// Radii of the near and the far end.
    pub radii: [f64; 2],
    /// Radius in the middle over the mean of the two: below 1 gives a waist.
    pub waist: f64,
    /// Width over thickness of the cross-section.
    pub flatness: f64,
    /// Sideways bow of the middle, metres.
    pub bow: f64,
    /// Steps around.
    pub segments: u32,
    /// Rings along the shaft and over each end.
    pub rings: [u32; 2],
}

/// A tapered capsule along z, waisted, flattened and bowed: what the links of
/// a hand look like to a contact solver.
pub fn finger_link(link: &Link) -> TriMesh {
    let [shaft, cap] = link.rings;
    let half = 0.5 * link.length;
    let mut rings = Vec::new();
    for k in 1..=cap {
        let (sin, cos) = (0.25 * TAU * f64::from(k) / f64::from(cap)).sin_cos();
        rings.push(DVec2::new(link.radii[0] * sin, -half - link.radii[0] * cos));
    }
    for k in 1..shaft {
        let t = f64::from(k) / f64::from(shaft);
        let taper = link.radii[0] + t * (link.radii[1] - link.radii[0]);
        let waist = 1.0 - 4.0 * t * (1.0 - t) * (1.0 - link.waist);
        rings.push(DVec2::new(taper * waist, half * (2.0 * t - 1.0)));
    }
    for k in 0..cap {
        let (sin, cos) = (0.25 * TAU * f64::from(k) / f64::from(cap)).sin_cos();
        rings.push(DVec2::new(link.radii[1] * cos, half + link.radii[1] * sin));
    }
    let poles = [-half - link.radii[0], half + link.radii[1]];
    let mut mesh = lathe(&rings, poles, link.segments);
    for v in &mut mesh.vertices {
        let t = v.z / half;
        v.x += link.bow * (1.0 - t * t);
        v.y *= link.flatness;
    }
    mesh
}

/// Several meshes as the shells of one.
pub fn merged(meshes: &[TriMesh]) -> TriMesh {
    let mut all = TriMesh::default();
    for mesh in meshes {
        let offset = all.vertices.len() as u32;
        all.vertices.extend(&mesh.vertices);
        let shifted = mesh.triangles.iter().map(|t| t.map(|v| v + offset));
        all.triangles.extend(shifted);
    }
    all
}

/// The mesh inside out: the wall of a cavity.
pub fn inverted(mut mesh: TriMesh) -> TriMesh {
    for triangle in &mut mesh.triangles {
        triangle.swap(1, 2);
    }
    mesh
}

/// A box with a box-shaped cavity in its middle.
pub fn hollow_cuboid(outer: DVec3, inner: DVec3) -> TriMesh {
    merged(&[cuboid(outer), inverted(cuboid(inner))])
}
