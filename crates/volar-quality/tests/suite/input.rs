//! What cannot be judged is named.

use glam::DVec3;
use volar_quality::{Contact, ContactModel, Grasp, QualityError, quality};

use crate::common::{options, two_on_sphere};

fn error(change: impl Fn(&mut Grasp)) -> String {
    let mut grasp = two_on_sphere(0.03, 0.5, 5.0e-3);
    change(&mut grasp);
    let found = quality(&grasp, &options(ContactModel::Patch, 8));
    found.unwrap_err().to_string()
}

#[test]
fn bad_numbers() {
    let normal = error(|grasp| grasp.contacts[1].normal = DVec3::ZERO);
    assert_eq!(normal, "contact 1 has no normal");
    let nan = error(|grasp| grasp.contacts[0].point.x = f64::NAN);
    assert_eq!(nan, "contact 0 has a coordinate that is not finite");
    let friction = error(|grasp| grasp.contacts[0].friction = -0.1);
    assert!(friction.contains("friction"), "{friction}");
    let torsion = error(|grasp| grasp.contacts[0].torsion_radius = f64::INFINITY);
    assert!(torsion.contains("torsion"), "{torsion}");
    assert!(error(|grasp| grasp.length = 0.0).contains("length"));
    assert!(error(|grasp| grasp.centre.y = f64::NAN).contains("centre"));
    let grasp = two_on_sphere(0.03, 0.5, 5.0e-3);
    for edges in [0, 2, 65] {
        let found = quality(&grasp, &options(ContactModel::Point, edges));
        assert_eq!(found.unwrap_err(), QualityError::Edges(edges));
    }
}

#[test]
fn few_contacts_are_no_grasp() {
    let none = Grasp {
        contacts: Vec::new(),
        centre: DVec3::ZERO,
        length: 0.05,
    };
    let mut one = none.clone();
    one.contacts.push(Contact {
        torsion_radius: 0.01,
        ..Contact::point(DVec3::X, -DVec3::X, 0.5)
    });
    let mut twice = one.clone();
    twice.contacts.push(one.contacts[0]);
    for model in [
        ContactModel::Point,
        ContactModel::SoftFinger,
        ContactModel::Patch,
    ] {
        for grasp in [&none, &one, &twice] {
            let mut options = options(model, 8);
            options.load.force = DVec3::Z;
            let found = quality(grasp, &options).unwrap();
            assert!(!found.force_closure);
            assert!(found.epsilon_l1.unwrap() == 0.0 && found.epsilon_linf.unwrap() == 0.0);
            assert_eq!(found.balancing_force_n, None);
        }
    }
}

/// Twelve contacts with four points each: 240 wrenches.
#[test]
fn a_hand_with_many_patches() {
    let contact = |k: usize| {
        let (sin, cos) = (2.4 * k as f64).sin_cos();
        let z = (k as f64 + 0.5) / 6.0 - 1.0;
        let r = (1.0 - z * z).sqrt();
        let out = DVec3::new(r * cos, r * sin, z);
        let (u, v) = out.any_orthonormal_pair();
        Contact {
            spread: [3.0e-3 * u, 2.0e-3 * v],
            ..Contact::point(0.04 * out, -out, 0.6)
        }
    };
    let grasp = Grasp {
        contacts: (0..12).map(contact).collect(),
        centre: DVec3::ZERO,
        length: 0.04,
    };
    let found = quality(&grasp, &options(ContactModel::Patch, 5)).unwrap();
    assert!(found.force_closure && found.epsilon_l1.unwrap() > 0.0);
}
