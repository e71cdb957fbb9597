//! Against Pinocchio, another library with other conventions.
//!
//! `oracle/dynamics.py` writes the cases. Those of our own models are kept in
//! `tests/data`; `VOLAR_PIN_CASES` names a file with more, of real robots.

use glam::{DMat3, DVec3};
use serde::Deserialize;
use volar_dynamics::{Aba, Body, Crba, Joint, Kinematics, Loads, Rnea, Tree, TreeBuilder};
use volar_math::{BlockPattern, Pose, Wrench};

/// Two programs in double precision on a tree of forty bodies: what is left is
/// rounding, amplified by the condition of the mass matrix.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Case {
    model: String,
    gravity: [f64; 3],
    bodies: Vec<BodyRow>,
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct BodyRow {
    name: String,
    parent: i64,
    rotation: [[f64; 3]; 3],
    position: [f64; 3],
    joint: String,
    axis: Option<[f64; 3]>,
    mass: f64,
    centre_of_mass: [f64; 3],
    inertia: [[f64; 3]; 3],
}

#[derive(Deserialize)]
struct Sample {
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    vdot: Vec<f64>,
    wrenches: Vec<[f64; 6]>,
    mass_matrix: Vec<Vec<f64>>,
    forward: Vec<f64>,
    inverse: Vec<f64>,
}

fn matrix(rows: [[f64; 3]; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(&rows).transpose()
}

fn make_tree(rows: &[BodyRow]) -> Tree {
    let mut builder = TreeBuilder::new();
    for row in rows {
        let axis = row.axis.map(DVec3::from_array).unwrap_or_default();
        builder.add(Body {
            name: row.name.clone(),
            parent: usize::try_from(row.parent).ok(),
            base_motion: None,
            X_PJ: Pose {
                R: matrix(row.rotation),
                p: DVec3::from_array(row.position),
            },
            joint: match row.joint.as_str() {
                "revolute" => Joint::Revolute { axis },
                "prismatic" => Joint::Prismatic { axis },
                "ball" => Joint::Ball,
                "planar" => Joint::Planar,
                "free" => Joint::Free,
                other => panic!("joint {other}"),
            },
            mass: row.mass,
            p_BoBcm_B: DVec3::from_array(row.centre_of_mass),
            inertia: matrix(row.inertia),
        });
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// The largest difference over the largest value.
fn difference(got: &[f64], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let largest = got.iter().zip(want).map(|(a, b)| (a - b).abs());
    largest.fold(0.0, f64::max) / scale
}

fn compare(text: &str) {
    assert!(!text.is_empty(), "no cases");
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let tree = make_tree(&case.bodies);
        let nv = tree.nv();
        let mut worst = [0.0_f64; 3];
        for sample in &case.samples {
            let mut kinematics = Kinematics::default();
            kinematics.calc(&tree, &sample.q, &sample.v, &[]);
            let wrench =
                |w: &[f64; 6]| Wrench::new(DVec3::from_slice(&w[..3]), DVec3::from_slice(&w[3..]));
            let F_Bo_W: Vec<Wrench> = sample.wrenches.iter().map(wrench).collect();
            let loads = Loads {
                gravity: DVec3::from_array(case.gravity),
                F_Bo_W: &F_Bo_W,
                armature: &[],
            };
            let mut M = vec![0.0; nv * nv];
            let pattern = BlockPattern::dense(nv);
            Crba::default().calc(&tree, &kinematics, &[], &pattern, &mut M);
            let mut forward = vec![0.0; nv];
            Aba::default()
                .calc(&tree, &kinematics, &loads, &sample.tau, &mut forward)
                .unwrap();
            let mut inverse = vec![0.0; nv];
            Rnea::default().calc(&tree, &kinematics, &loads, &sample.vdot, &mut inverse);
            let errors = [
                difference(&M, &sample.mass_matrix.concat()),
                difference(&forward, &sample.forward),
                difference(&inverse, &sample.inverse),
            ];
            worst = std::array::from_fn(|k| worst[k].max(errors[k]));
        }
        let [mass, forward, inverse] = worst;
        println!(
            "{:32} {nv:3} dofs  {:3} states  mass {mass:.1e}  forward {forward:.1e}  \
             inverse {inverse:.1e}",
            case.model,
            case.samples.len()
        );
        assert!(worst.iter().all(|e| *e < TOLERANCE), "{}", case.model);
    }
}

#[test]
fn our_models_agree_with_pinocchio() {
    compare(include_str!("../data/pinocchio.jsonl"));
}

/// Does nothing unless `VOLAR_PIN_CASES` names a file.
#[test]
fn real_robots_agree_with_pinocchio() {
    if let Some(path) = std::env::var_os("VOLAR_PIN_CASES") {
        compare(&std::fs::read_to_string(path).unwrap());
    }
}
