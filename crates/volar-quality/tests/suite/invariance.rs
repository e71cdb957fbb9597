//! Measures do not depend on the frame, nor on the unit of length, and grow with friction.

use volar_quality::{Contact, ContactModel, Grasp, Options, Quality, quality};
use volar_testkit::rng::Rng;

use crate::common::{faces_of_cube, options, random, three_on_disc, two_on_sphere};

const MODELS: [ContactModel; 3] = [
    ContactModel::Point,
    ContactModel::SoftFinger,
    ContactModel::Patch,
];

fn judge(grasp: &Grasp, options: &Options) -> Quality {
    quality(grasp, options).unwrap()
}

#[track_caller]
fn same(a: &Quality, b: &Quality) {
    let figures = |q: &Quality| {
        [
            q.epsilon_l1.unwrap(),
            q.epsilon_linf.unwrap(),
            q.volume_l1.unwrap_or(-1.0),
            q.q1.unwrap(),
            q.min_singular_value,
            q.isotropy,
        ]
    };
    assert_eq!(a.force_closure, b.force_closure);
    for (x, y) in figures(a).into_iter().zip(figures(b)) {
        assert!((x - y).abs() < 1.0e-9 * (1.0 + x.abs()), "{a:?}\n{b:?}");
    }
    let (x, y) = (a.balancing_force_n, b.balancing_force_n);
    assert_eq!(x.is_some(), y.is_some());
    let (x, y) = (x.unwrap_or(0.0), y.unwrap_or(0.0));
    // What the solver leaves.
    assert!((x - y).abs() < 1.0e-6 * (1.0 + x), "{x} {y}");
}

fn cases() -> Vec<Grasp> {
    let mut grasps = vec![
        two_on_sphere(0.03, 0.5, 6.0e-3),
        three_on_disc(0.04, 0.6),
        faces_of_cube(0.03, 0.4),
    ];
    for case in 0..8 {
        let mut grasp = random(&mut Rng::for_case("invariance", case));
        grasp.contacts.truncate(4);
        grasps.push(grasp);
    }
    grasps
}

/// Few edges where many contacts would take seconds.
fn edges(grasp: &Grasp) -> usize {
    if grasp.contacts.len() > 4 { 4 } else { 8 }
}

#[test]
fn of_the_frame() {
    for (case, grasp) in cases().iter().enumerate() {
        for model in MODELS {
            let mut rng = Rng::for_case("frame", case);
            let (rotation, shift) = (rng.rotation(), rng.in_cube(1.0));
            let moved = Grasp {
                contacts: grasp
                    .contacts
                    .iter()
                    .map(|contact| Contact {
                        point: rotation * contact.point + shift,
                        normal: rotation * contact.normal,
                        spread: contact.spread.map(|axis| rotation * axis),
                        ..*contact
                    })
                    .collect(),
                centre: rotation * grasp.centre + shift,
                length: grasp.length,
            };
            let mut options = options(model, edges(grasp));
            options.load.force = rng.direction();
            let before = judge(grasp, &options);
            options.load.force = rotation * options.load.force;
            same(&before, &judge(&moved, &options));
        }
    }
}

#[test]
fn of_the_unit_of_length() {
    for grasp in cases() {
        let larger = Grasp {
            contacts: grasp
                .contacts
                .iter()
                .map(|contact| Contact {
                    point: 1000.0 * contact.point,
                    torsion_radius: 1000.0 * contact.torsion_radius,
                    spread: contact.spread.map(|axis| 1000.0 * axis),
                    ..*contact
                })
                .collect(),
            centre: 1000.0 * grasp.centre,
            length: 1000.0 * grasp.length,
        };
        let options = options(ContactModel::SoftFinger, edges(&grasp));
        same(&judge(&grasp, &options), &judge(&larger, &options));
    }
}

#[test]
fn more_friction_is_never_worse() {
    for grasp in cases() {
        for model in MODELS {
            let mut last = Quality::default();
            let mut force = f64::INFINITY;
            for friction in [0.0, 0.1, 0.3, 0.9] {
                let mut grasp = grasp.clone();
                grasp
                    .contacts
                    .iter_mut()
                    .for_each(|c| c.friction = friction);
                let mut options = options(model, edges(&grasp));
                options.load.force.z = -1.0;
                let now = judge(&grasp, &options);
                for (now, last) in [
                    (now.epsilon_l1, last.epsilon_l1),
                    (now.epsilon_linf, last.epsilon_linf),
                    (now.q1, last.q1),
                ] {
                    assert!(now.unwrap() >= last.unwrap_or(0.0) - 1.0e-9);
                }
                assert!(now.volume_l1 >= last.volume_l1.map(|v| v * (1.0 - 1.0e-9)));
                assert!(now.force_closure || !last.force_closure);
                let needed = now.balancing_force_n.unwrap_or(f64::INFINITY);
                assert!(needed <= force * (1.0 + 1.0e-6), "{needed} after {force}");
                (last, force) = (now, needed);
            }
        }
    }
}

/// L∞ allows everything that L1 does; closure by exact cones is implied by that of pyramids.
#[test]
fn of_each_other() {
    for case in 0..30 {
        let grasp = random(&mut Rng::for_case("each other", case));
        let found = judge(&grasp, &options(ContactModel::SoftFinger, 8));
        assert!(found.epsilon_linf.unwrap() >= found.epsilon_l1.unwrap() - 1.0e-9);
        let most = grasp.contacts.len() as f64 * found.epsilon_l1.unwrap();
        assert!(found.epsilon_linf.unwrap() <= most + 1.0e-9);
        assert!(found.force_closure || found.epsilon_l1.unwrap() <= 1.0e-8);
    }
}
