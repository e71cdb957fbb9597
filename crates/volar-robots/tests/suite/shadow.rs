//! The built-in Shadow Hand: its meshes, its start over the bunny, and, where
//! `VOLAR_GYM_ASSETS` is set as in `packages.rs`, its agreement with the public
//! model.

#[allow(dead_code, reason = "its `main` is for users")]
#[path = "../../examples/shadow_meshes.rs"]
mod shadow_meshes;

use std::path::PathBuf;

use glam::{DMat3, DQuat, DVec3, Vec3Swizzles};
use volar_assets::Disk;
use volar_geom::mesh::check::check;
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_meshes::{MeshLibrary, ReadOptions};
use volar_robots::meshes::link_solids;
use volar_robots::{ActuatorKind, Drives, LoadOptions, Robot, load};

fn asset(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../volar-scene/assets");
    folder.join(name)
}

fn hand() -> Robot {
    let path = asset("shadow/hand.xml");
    load(&path, &LoadOptions::default()).unwrap().0
}

fn public_hand() -> Option<Robot> {
    let Some(folder) = std::env::var_os("VOLAR_GYM_ASSETS").map(PathBuf::from) else {
        eprintln!("skipped: VOLAR_GYM_ASSETS is not set, see packages.rs");
        return None;
    };
    let path = folder.join("hand/reach.xml");
    Some(load(&path, &LoadOptions::default()).unwrap().0)
}

/// Links that move, by the names of their joints.
fn moving(robot: &Robot) -> Vec<(usize, &str)> {
    let links = robot.links.iter().enumerate();
    links
        .filter(|(_, link)| link.joint.kind.nv() == 1)
        .map(|(i, link)| (i, link.joint.name.trim_start_matches("robot0:")))
        .collect()
}

/// The largest angle by which two frames differ, rad.
fn angle(a: &DMat3, b: &DMat3) -> f64 {
    let turn = DQuat::from_mat3(&(a.transpose() * *b));
    2.0 * turn.xyz().length().min(1.0).asin()
}

#[test]
fn has_the_joints_and_motors_of_a_shadow_hand() {
    let hand = hand();
    assert_eq!((hand.nv(), hand.actuators.len()), (24, 20));
    assert_eq!(hand.couplings.len(), 4);
    for finger in ["FF", "MF", "RF", "LF"] {
        let motors = |n: u32| {
            let name = format!("{finger}J{n}");
            hand.actuators.iter().filter(|a| a.name == name).count()
        };
        assert_eq!([0, 1, 2, 3].map(motors), [0, 1, 1, 1]);
    }
    let poses = hand.link_poses(&hand.initial());
    let at = |name: &str| poses[hand.link(name).unwrap()];
    assert!((at("mount").p - DVec3::new(1.0, 1.25, 0.15)).length() < 1e-12);
    let palm = at("palm");
    assert!((palm.R * DVec3::NEG_Y - DVec3::Z).length() < 1e-5);
    assert!((palm.R * DVec3::Z - DVec3::NEG_Y).length() < 1e-5);
}

#[test]
fn meshes_are_convex_solids_as_the_program_makes_them() {
    for (name, made) in shadow_meshes::meshes() {
        let path = asset("shadow").join(name).with_extension("obj");
        let read = volar_meshes::read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(read.triangles, made.triangles, "{name}");
        for (p, q) in read.vertices.iter().zip(&made.vertices) {
            assert!((*p - *q).length() < 1e-12, "{name}");
        }
        assert!(check(&read).is_usable(), "{name}");
        assert!((100..=400).contains(&read.triangles.len()), "{name}");
        assert!(ClosedMesh::new(read).unwrap().is_convex(), "{name}");
    }
}

/// The start of the scene with the bunny: nothing overlaps that may touch.
#[test]
fn starts_clear_of_itself_and_of_the_bunny() {
    let hand = hand();
    let (_, mut report) = load(&asset("shadow/hand.xml"), &LoadOptions::default()).unwrap();
    let mut q = hand.initial();
    let thumb = moving(&hand).iter().position(|(_, joint)| *joint == "THJ4");
    q[thumb.unwrap()] = 0.82;
    let poses = hand.link_poses(&q);
    let mut solids: Vec<(usize, ClosedMesh)> = Vec::new();
    let disk = Disk::default();
    let library = MeshLibrary::new(&disk);
    for link in 0..hand.links.len() {
        let meshes = link_solids(&hand, link, &library, &mut report).unwrap();
        solids.extend(
            meshes
                .into_iter()
                .map(|m| (link, ClosedMesh::new(m).unwrap())),
        );
    }
    let mut bunny = volar_meshes::read(&asset("bunny.obj"), &ReadOptions::default()).unwrap();
    // Ears up: the file has them along y.
    bunny.vertices.iter_mut().for_each(|v| *v = v.zxy());
    let bunny = ClosedMesh::new(bunny).unwrap();
    let X_WO = Pose {
        R: DMat3::from_rotation_z(86.0_f64.to_radians()),
        p: DVec3::new(0.990, 0.902, 0.184),
    };
    let mut kernel = OverlapKernel::new();
    for (a, (link, solid)) in solids.iter().enumerate() {
        let X_LW = poses[*link].inverse();
        let name = &hand.links[*link].name;
        let shared = kernel.overlap(solid, &bunny, &X_LW.compose(&X_WO));
        assert!(shared.total.volume <= 0.0, "{name} and the bunny");
        for (other, second) in &solids[a + 1..] {
            if hand.may_touch(*link, *other) {
                let shared = kernel.overlap(solid, second, &X_LW.compose(&poses[*other]));
                let second = &hand.links[*other].name;
                assert!(shared.total.volume <= 0.0, "{name} and {second}");
            }
        }
    }
}

#[test]
fn moves_like_the_public_model() {
    let Some(public) = public_hand() else { return };
    let ours = hand();
    let (a, b) = (moving(&ours), moving(&public));
    let names = |links: &[(usize, &str)]| -> Vec<String> {
        links.iter().map(|(_, joint)| (*joint).to_owned()).collect()
    };
    assert_eq!(names(&a), names(&b));
    let (mut far, mut rotated) = (0.0_f64, 0.0_f64);
    for sample in 0..50_u32 {
        let q: Vec<f64> = (0..ours.nq())
            .map(|i| {
                let [low, high] = ours.links[a[i].0].joint.limits.unwrap();
                // Spread over the limits, without a pattern among the joints.
                let part = (0.5 + 0.618_033_988 * f64::from(sample + 1) * (i + 1) as f64).fract();
                low + (high - low) * part
            })
            .collect();
        let (x, y) = (ours.link_poses(&q), public.link_poses(&q));
        for ((i, _), (j, _)) in a.iter().zip(&b) {
            far = far.max((x[*i].p - y[*j].p).length());
            rotated = rotated.max(angle(&x[*i].R, &y[*j].R));
        }
    }
    println!("link poses differ by at most {far:.1e} m and {rotated:.1e} rad");
    assert!(far < 1e-6 && rotated < 1e-6);
}

#[test]
fn weighs_and_drives_like_the_public_model() {
    let Some(public) = public_hand() else { return };
    let ours = hand();
    for ((i, joint), (j, _)) in moving(&ours).into_iter().zip(moving(&public)) {
        let (x, y) = (&ours.links[i], &public.links[j]);
        assert!((x.joint.axis - y.joint.axis).length() < 1e-12, "{joint}");
        assert_eq!(x.joint.limits, y.joint.limits, "{joint}");
        for (own, theirs) in [
            (x.joint.damping, y.joint.damping),
            (x.joint.armature, y.joint.armature),
            (x.joint.friction, y.joint.friction),
            (x.joint.stiffness, y.joint.stiffness),
        ] {
            assert!((own - theirs).abs() < 1e-15, "{joint}: {own} and {theirs}");
        }
        let (x, y) = (x.inertial.unwrap(), y.inertial.unwrap());
        assert!((x.mass - y.mass).abs() < 1e-12, "{joint}");
        assert!((x.centre_of_mass - y.centre_of_mass).length() < 1e-12);
        // Printed quaternions are not quite of unit length.
        let largest = (x.inertia - y.inertia).to_cols_array();
        let largest = largest.into_iter().map(f64::abs).fold(0.0, f64::max);
        assert!(largest < 1e-9 * x.mass, "{joint}: inertia off by {largest}");
    }
    assert_eq!(ours.actuators.len(), public.actuators.len());
    for theirs in &public.actuators {
        let name = theirs.name.trim_start_matches("robot0:A_");
        let own = ours.actuators.iter().find(|a| a.name == name).unwrap();
        assert!(matches!(own.law.kind(), ActuatorKind::Position { .. }));
        assert_eq!(own.law.kind(), theirs.law.kind(), "{name}");
        assert_eq!(own.force_range, theirs.force_range, "{name}");
        assert_eq!(own.control_range, theirs.control_range, "{name}");
        let Drives::Joint(link) = own.drives else {
            panic!("{name} drives a joint")
        };
        assert_eq!(ours.links[link].joint.name, name);
    }
}

/// The public model has 44 limited tendons. The four that ours has are the
/// same; the others can never leave their range within the limits of joints.
#[test]
fn has_the_tendons_that_matter() {
    let Some(public) = public_hand() else { return };
    let ours = hand();
    let joint = |robot: &Robot, link: usize| {
        let name = robot.links[link].joint.name.clone();
        name.trim_start_matches("robot0:").to_owned()
    };
    let mut matter = 0;
    for tendon in &public.couplings {
        let (mut least, mut most) = (0.0, 0.0);
        for (link, coefficient) in &tendon.terms {
            let ends = public.links[*link].joint.limits.unwrap();
            let [x, y] = ends.map(|q| coefficient * q);
            least += x.min(y);
            most += x.max(y);
        }
        let [low, high] = tendon.range.unwrap();
        if least >= low && most <= high {
            continue;
        }
        matter += 1;
        let terms = |robot: &Robot, c: &volar_robots::Coupling| -> Vec<(String, f64)> {
            c.terms
                .iter()
                .map(|(l, k)| (joint(robot, *l), *k))
                .collect()
        };
        let same = ours
            .couplings
            .iter()
            .filter(|own| own.range == tendon.range && terms(&ours, own) == terms(&public, tendon));
        assert_eq!(same.count(), 1, "{}", tendon.name);
    }
    assert_eq!(matter, ours.couplings.len());
}

/// The same pairs of links may touch; but for the floor, and two cubes of 2 mm
/// in the thumb that mark places and are inside of its links.
#[test]
fn touches_itself_like_the_public_model() {
    let Some(public) = public_hand() else { return };
    let ours = hand();
    let pairs = |robot: &Robot| {
        let joint = |link: usize| {
            let name = &robot.links[link].joint.name;
            name.trim_start_matches("robot0:").to_owned()
        };
        let mut pairs: Vec<[String; 2]> = robot
            .touching_links()
            .iter()
            .map(|(a, b)| {
                let mut pair = [joint(*a), joint(*b)];
                pair.sort();
                pair
            })
            .filter(|pair| {
                !pair
                    .iter()
                    .any(|j| j == "THJ4" || j == "THJ2" || j == "world mount")
            })
            .collect();
        pairs.sort();
        pairs
    };
    assert_eq!(pairs(&ours).len(), 18);
    assert_eq!(pairs(&ours), pairs(&public));
}
