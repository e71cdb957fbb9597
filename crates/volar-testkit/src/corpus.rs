//! The solids and pairs that the accuracy tables are about.

use std::path::{Path, PathBuf};

use glam::DVec3;
use volar_geom::{ClosedMesh, TriMesh};
use volar_meshes::ReadOptions;
use volar_solids::RepairOptions;

use crate::solids::{
    Link, closed, cuboid, finger_link, hollow_cuboid, icosphere, l_block, lathe, pipe, star, torus,
    u_channel,
};

/// Two solids to be put into each other.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Names of A and B, separated by a slash.
    pub name: String,
    /// The solid that stays.
    pub a: ClosedMesh,
    /// The solid that moves.
    pub b: ClosedMesh,
}

impl Pair {
    /// A pair of two named solids.
    pub fn new(a: (&str, ClosedMesh), b: (&str, ClosedMesh)) -> Pair {
        Pair {
            name: format!("{}/{}", a.0, b.0),
            a: a.1,
            b: b.1,
        }
    }
}

/// Pairs by the names of [`solid`]: boxes and plates, spheres of several
/// resolutions, the bunny, shapes that are not convex, links like a hand's.
pub fn pairs() -> Vec<Pair> {
    [
        ("cube", "cube"),
        ("cube", "finger"),
        ("plate", "finger"),
        ("plate", "sheet"),
        ("sphere_80", "finger"),
        ("sphere_320", "cube"),
        ("sphere_1280", "finger"),
        ("sphere_1280", "sphere_320"),
        ("bunny", "finger"),
        ("bunny", "plate"),
        ("bunny", "ball_1280"),
        ("bunny", "bunny"),
        ("bunny", "distal"),
        ("l_block", "l_block"),
        ("l_block", "finger"),
        ("u_channel", "finger"),
        ("u_channel", "torus"),
        ("star", "cube"),
        ("star", "star"),
        ("torus", "torus"),
        ("pipe", "peg"),
        ("hollow", "finger"),
        ("distal", "cube"),
        ("distal", "distal"),
        ("proximal", "distal"),
        ("palm", "distal"),
        ("palm", "proximal"),
        ("bunny", "proximal"),
    ]
    .map(|(a, b)| Pair::new((a, solid(a)), (b, solid(b))))
    .into()
}

/// A solid of the corpus, of the size of things a hand holds.
///
/// # Panics
/// When there is none of that name.
pub fn solid(name: &str) -> ClosedMesh {
    closed(match name {
        "cube" => cuboid(DVec3::splat(0.06)),
        "finger" => cuboid(DVec3::new(0.02, 0.02, 0.06)),
        "plate" => cuboid(DVec3::new(0.06, 0.06, 0.001)),
        "sheet" => cuboid(DVec3::new(0.08, 0.04, 0.0002)),
        "sphere_80" => icosphere(0.03, 1),
        "sphere_320" => icosphere(0.03, 2),
        "sphere_1280" => icosphere(0.03, 3),
        "ball_1280" => icosphere(0.01, 3),
        "bunny" => bunny(),
        "l_block" => l_block(0.05, 0.015, 0.03),
        "u_channel" => u_channel(0.05, 0.01, 0.03),
        "star" => star(5, 0.012, 0.03, 0.02),
        "torus" => torus(0.025, 0.008, 24, 12),
        "pipe" => pipe(0.01, 0.014, 0.05, 24),
        "peg" => peg(0.0101, 0.06, 24),
        "hollow" => hollow_cuboid(DVec3::splat(0.05), DVec3::splat(0.04)),
        "distal" => finger_link(&DISTAL),
        "proximal" => finger_link(&PROXIMAL),
        "palm" => palm(),
        _ => panic!("the corpus has no solid {name}"),
    })
}

/// A finger tip: short, tapered, 256 triangles.
const DISTAL: Link = Link {
    length: 0.022,
    radii: [0.0085, 0.006],
    waist: 1.0,
    flatness: 0.85,
    bow: 0.0015,
    segments: 16,
    rings: [3, 3],
};

/// A long link between two knuckles, waisted, 816 triangles.
const PROXIMAL: Link = Link {
    length: 0.045,
    radii: [0.010, 0.009],
    waist: 0.75,
    flatness: 0.9,
    bow: -0.002,
    segments: 24,
    rings: [8, 5],
};

/// A pebble the size of a palm: a sphere flattened towards a box.
fn palm() -> TriMesh {
    let mut mesh = icosphere(1.0, 3);
    for v in &mut mesh.vertices {
        let boxed = *v / v.abs().max_element();
        *v = (0.6 * boxed + 0.4 * *v) * DVec3::new(0.040, 0.045, 0.014);
    }
    mesh
}

fn peg(radius: f64, height: f64, segments: u32) -> TriMesh {
    let h = 0.5 * height;
    lathe(
        &[-h, h].map(|z| glam::DVec2::new(radius, z)),
        [-h, h],
        segments,
    )
}

/// The Stanford bunny, 80 mm high, 3674 triangles.
///
/// # Panics
/// When `crates/volar-scene/assets/bunny.obj` is missing or damaged.
pub fn bunny() -> TriMesh {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../volar-scene/assets/bunny.obj"
    );
    let mesh = volar_meshes::read(Path::new(path), &ReadOptions::default());
    mesh.expect("the bunny is part of the repository")
}

/// Names the folder with the links of a real hand, as STL files in
/// millimetres: `gymnasium_robotics/envs/assets/stls/hand` of the PyPI package
/// gymnasium-robotics.
pub const HAND_LINKS: &str = "VOLAR_HAND_LINKS";

/// Pairs with the links of a real hand, repaired where they have holes or
/// loose shells; none when [`HAND_LINKS`] is not set.
///
/// # Panics
/// When it is set, but a link cannot be read or made usable.
pub fn hand_pairs() -> Option<Vec<Pair>> {
    let folder = PathBuf::from(std::env::var_os(HAND_LINKS)?);
    let link = |name: &'static str| (name, hand_link(&folder.join(name).with_extension("stl")));
    let own = |name: &'static str| (name, solid(name));
    Some(vec![
        Pair::new(own("cube"), link("F1")),
        Pair::new(own("bunny"), link("F1")),
        Pair::new(own("ball_1280"), link("F2")),
        Pair::new(own("finger"), link("F3")),
        Pair::new(link("F2"), link("F1")),
        Pair::new(link("TH3_z"), link("TH2_z")),
        Pair::new(link("knuckle"), link("F3")),
        Pair::new(link("palm"), link("F1")),
        Pair::new(link("lfmetacarpal"), link("TH1_z")),
    ])
}

fn hand_link(path: &Path) -> ClosedMesh {
    let millimetres = ReadOptions {
        scale: 1e-3,
        ..ReadOptions::default()
    };
    let mesh = volar_meshes::read(path, &millimetres)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let repaired = volar_solids::repair(mesh, &RepairOptions::default());
    ClosedMesh::checked(repaired.mesh).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
