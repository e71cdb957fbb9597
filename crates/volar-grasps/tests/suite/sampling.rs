//! Samplers: what they give can be grasped, and is the same on any number of threads.

use std::path::Path;

use glam::DVec3;
use volar_geom::ClosedMesh;
use volar_geom::overlap::OverlapKernel;
use volar_grasps::sample::{Method, Rejection, SampleOptions, Samples};
use volar_grasps::{Grasp, Row};
use volar_math::Pose;
use volar_scene::spec::{MeshFile, Shape};
use volar_scene::{Hand, Object};

fn asset(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../volar-scene/assets");
    folder.join(name).to_string_lossy().into_owned()
}

fn jaw() -> Hand {
    Hand::open(asset("g2p.urdf"), &[]).unwrap()
}

fn cube(edge: f64) -> Object {
    Object {
        name: "box".into(),
        shape: Shape::Box([edge; 3]),
        ..Object::ball(1.0)
    }
}

fn bunny() -> Object {
    Object {
        name: "bunny".into(),
        shape: Shape::Mesh(MeshFile::new(asset("bunny.obj"))),
        ..Object::ball(1.0)
    }
}

fn sampled(hand: &Hand, object: &Object, options: SampleOptions) -> (Samples, Vec<Grasp>) {
    let mut samples = Samples::new(hand, object, options).unwrap();
    let rows: Result<Vec<Grasp>, _> = samples.by_ref().collect();
    (samples, rows.unwrap())
}

/// The volume that hand and object share.
fn overlap(hand: &Hand, object: &Object, grasp: &Grasp) -> f64 {
    let object = ClosedMesh::checked(object.surface().unwrap()).unwrap();
    let posture = grasp.pregrasp.as_ref().unwrap();
    let names = hand.joints().into_iter().map(|(name, _)| name);
    let joints = names.zip(posture.joints.iter().copied()).collect();
    let poses = hand.link_poses(&hand.values_with(&joints));
    let mut kernel = OverlapKernel::new();
    let mut sum = 0.0;
    for (link, solids) in hand.solids().unwrap().into_iter().enumerate() {
        for solid in solids {
            let X_OL = grasp.X_OH.compose(&poses[link]);
            sum += kernel.overlap(&object, &solid, &X_OL).total.volume;
        }
    }
    sum
}

#[test]
fn jaws_close_on_opposite_faces_of_a_cube() {
    let hand = jaw();
    // Without friction to speak of only opposite faces will do.
    let options = SampleOptions {
        count: 50,
        friction: 1.0e-3,
        ..SampleOptions::default()
    };
    let (samples, grasps) = sampled(&hand, &cube(0.04), options);
    assert_eq!(grasps.len(), 50);
    assert!(!samples.rejected.contains_key(&Rejection::Width));
    let X_HT = hand.tool_frame(&hand.open_values()).unwrap();
    for grasp in &grasps {
        // From face to face: 40 mm and at most 1e-3 squared over two more.
        let width = grasp.width.unwrap();
        assert!((0.04..0.04 * (1.0 + 0.6e-6)).contains(&width), "{width}");
        let X_OT = grasp.X_OH.compose(&X_HT);
        let along = X_OT.R.x_axis.abs().max_element();
        assert!(along > 1.0 - 1.0e-6, "{along}");
        // The middle of the jaw is the middle of the cube along its axis.
        assert!(X_OT.p.dot(X_OT.R.x_axis).abs() < 1.0e-4);
        assert!(overlap(&hand, &cube(0.04), grasp) <= 0.0);
    }
}

#[test]
fn antipodal_pairs_are_in_both_friction_cones() {
    let hand = jaw();
    let options = SampleOptions {
        count: 40,
        friction: 0.4,
        seed: 3,
        ..SampleOptions::default()
    };
    let ball = Object::ball(0.03);
    let (_, grasps) = sampled(&hand, &ball, options);
    for grasp in &grasps {
        // On a ball the chord makes the same angle with both normals: its cosine is half the
        // chord over the radius. The ball of triangles is off by as much as its normals.
        let cos = 0.5 * grasp.width.unwrap() / 0.03;
        assert!(cos > 1.0 / 1.16_f64.sqrt() - 0.03 && cos <= 1.0, "{cos}");
        assert!(overlap(&hand, &ball, grasp) <= 0.0);
    }
}

#[test]
fn what_is_wider_than_the_jaw_is_counted() {
    let hand = jaw();
    let options = SampleOptions {
        count: 1,
        ..SampleOptions::default()
    };
    let (samples, grasps) = sampled(&hand, &cube(0.2), options);
    assert!(grasps.is_empty() && samples.gave_up());
    assert!(samples.rejected[&Rejection::Width] > 1000);
    let rejected: u64 = samples.rejected.values().sum();
    assert_eq!(rejected, samples.tried);
}

#[test]
fn lists_are_the_same_on_any_number_of_threads() {
    let hand = jaw();
    for (name, method) in Method::ALL {
        let sample = |threads: usize, seed: u64| -> Vec<Row> {
            let options = SampleOptions {
                method,
                count: 30,
                seed,
                ..SampleOptions::default()
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| Samples::new(&hand, &bunny(), options).unwrap().collect())
        };
        let one = sample(1, 1);
        assert_eq!(one.len(), 30, "{name}");
        assert_eq!(one, sample(3, 1), "{name}");
        assert_ne!(one, sample(1, 2), "{name}");
    }
}

#[test]
fn hands_approach_as_near_as_they_are_clear() {
    let hand = jaw();
    for method in [Method::Approach, Method::Surface, Method::Eigengrasp] {
        let options = SampleOptions {
            method,
            count: 10,
            ..SampleOptions::default()
        };
        let (_, grasps) = sampled(&hand, &bunny(), options);
        assert_eq!(grasps.len(), 10, "{method:?}");
        let mut postures: Vec<f64> = Vec::new();
        let mut stopped = 0;
        for grasp in &grasps {
            assert!(overlap(&hand, &bunny(), grasp) <= 0.0, "{method:?}");
            let X_HT = hand.tool_frame(&hand.open_values()).unwrap();
            let z = grasp.X_OH.vector(X_HT.vector(DVec3::Z));
            // 2 mm farther, and the hand is in the object; or it is at its goal already.
            let nearer = Grasp {
                X_OH: Pose {
                    p: grasp.X_OH.p + 2.0e-3 * z,
                    ..grasp.X_OH
                },
                ..grasp.clone()
            };
            stopped += usize::from(overlap(&hand, &bunny(), &nearer) > 0.0);
            postures.push(grasp.pregrasp.as_ref().unwrap().joints[0]);
        }
        assert!(stopped > 0, "{method:?}");
        postures.sort_by(f64::total_cmp);
        postures.dedup();
        assert_eq!(postures.len() > 1, method == Method::Eigengrasp);
    }
}

#[test]
fn a_hand_without_facing_fingers_is_no_parallel_jaw() {
    let mut hand = jaw();
    hand.file.tool.position[0] += 0.3;
    let options = SampleOptions::default();
    let told = Samples::new(&hand, &cube(0.04), options).unwrap_err();
    assert!(told.to_string().contains("no parallel jaw"), "{told}");
}
