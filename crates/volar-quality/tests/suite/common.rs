//! Grasps that several tests use.

use glam::DVec3;
use volar_quality::{Contact, ContactModel, Grasp, Options};
use volar_testkit::rng::Rng;

pub fn options(model: ContactModel, edges: usize) -> Options {
    Options {
        model,
        edges,
        ..Options::default()
    }
}

/// Two fingers at the ends of a diameter of a sphere, along x.
pub fn two_on_sphere(radius: f64, friction: f64, torsion_radius: f64) -> Grasp {
    let finger = |side: f64| Contact {
        torsion_radius,
        ..Contact::point(radius * side * DVec3::X, -side * DVec3::X, friction)
    };
    Grasp {
        contacts: vec![finger(1.0), finger(-1.0)],
        centre: DVec3::ZERO,
        length: radius,
    }
}

/// Three fingers around a disc, 120° apart.
pub fn three_on_disc(radius: f64, friction: f64) -> Grasp {
    let finger = |k: usize| {
        let (sin, cos) = (k as f64 * std::f64::consts::TAU / 3.0).sin_cos();
        let out = DVec3::new(cos, sin, 0.0);
        Contact::point(radius * out, -out, friction)
    };
    Grasp {
        contacts: (0..3).map(finger).collect(),
        centre: DVec3::ZERO,
        length: radius,
    }
}

/// A finger in the middle of every face of a cube.
pub fn faces_of_cube(half: f64, friction: f64) -> Grasp {
    let outs = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
    let outs = outs.flat_map(|axis| [axis, -axis]);
    Grasp {
        contacts: outs
            .map(|out| Contact::point(half * out, -out, friction))
            .collect(),
        centre: DVec3::ZERO,
        length: half,
    }
}

/// Contacts on a bumpy ball of about 50 mm, with patches of some millimetres.
pub fn random(rng: &mut Rng) -> Grasp {
    let count = 2 + rng.below(4);
    let friction = rng.uniform(0.2, 1.0);
    let contacts = (0..count).map(|_| {
        let out = rng.direction();
        let normal = -(rng.tilt(0.3) * out);
        let (u, v) = normal.any_orthonormal_pair();
        Contact {
            torsion_radius: rng.uniform(1.0e-3, 8.0e-3),
            spread: [
                rng.uniform(2.0e-3, 6.0e-3) * u,
                rng.uniform(1.0e-3, 2.0e-3) * v,
            ],
            ..Contact::point(rng.uniform(0.03, 0.06) * out, normal, friction)
        }
    });
    Grasp {
        contacts: contacts.collect(),
        centre: rng.in_cube(5.0e-3),
        length: 0.05,
    }
}
