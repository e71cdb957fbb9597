//! A pile of ten bodies of different shapes, convex and not, falls into a tray
//! and comes to rest.
//!
//! The energy balance closes to a permille; what is lost never comes back; kinetic
//! and stored energy together never grow; and once at rest the pile stays at
//! rest for a minute.

use std::sync::Arc;

use crate::scenes::{block, closed, place};
use glam::{DVec2, DVec3};
use volar_contact::Material;
use volar_geom::mesh::shapes::{cuboid, icosphere};
use volar_geom::{Pose, TriMesh};
use volar_sim::{Body, BodyId, Model, ModelBuilder, Settings, Simulation, State};
use volar_testkit::solids::{l_block, prism, star, u_channel};

fn regular(corners: u32, radius: f64) -> Vec<DVec2> {
    let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(corners);
    (0..corners)
        .map(|i| radius * DVec2::from_angle(angle(i)))
        .collect()
}

fn shapes() -> [(&'static str, TriMesh); 10] {
    [
        ("cube", cuboid(DVec3::splat(0.06))),
        ("slab", cuboid(DVec3::new(0.1, 0.08, 0.02))),
        ("tower", cuboid(DVec3::new(0.03, 0.04, 0.1))),
        ("ball", icosphere(0.03, 2)),
        ("hexagon", prism(&regular(6, 0.035), 0.04)),
        ("cylinder", prism(&regular(24, 0.025), 0.07)),
        ("wedge", prism(&regular(3, 0.04), 0.05)),
        ("ell", l_block(0.07, 0.025, 0.04)),
        ("star", star(5, 0.02, 0.045, 0.03)),
        ("channel", u_channel(0.07, 0.02, 0.05)),
    ]
}

/// Ten bodies above a tray of 0.3 m, each rotated another way.
fn pile() -> (Arc<Model>, State) {
    let rubber = Material::named("rubber").unwrap().with_friction(0.6);
    let mut builder = ModelBuilder::new();
    let mut wall = |name: &str, size: DVec3, centre: DVec3| {
        let pose = Pose::from_translation(centre);
        builder.add(Body::fixed(name, block(size), pose, rubber));
    };
    let across = DVec3::new(0.1, 0.5, 0.4);
    let along = DVec3::new(0.5, 0.1, 0.4);
    wall(
        "floor",
        DVec3::new(0.5, 0.5, 0.1),
        DVec3::new(0.0, 0.0, -0.05),
    );
    wall("left", across, DVec3::new(-0.2, 0.0, 0.2));
    wall("right", across, DVec3::new(0.2, 0.0, 0.2));
    wall("front", along, DVec3::new(0.0, -0.2, 0.2));
    wall("back", along, DVec3::new(0.0, 0.2, 0.2));
    let shapes = shapes();
    let first = 5;
    for (name, mesh) in &shapes {
        builder.add(Body::free(name, closed(mesh.clone()), 0.2, rubber));
    }
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    for i in 0..shapes.len() {
        let a = i as f64;
        let position = DVec3::new(
            0.02 * (2.1 * a).sin(),
            0.02 * (1.3 * a).cos(),
            0.08 + 0.09 * a,
        );
        let wxyz = [1.0, 0.3 * a.sin(), 0.4 * (1.7 * a).cos(), 0.2 * a];
        place(&model, &mut state, BodyId::new(first + i), position, wxyz);
    }
    (model, state)
}

/// How a run went.
struct Course {
    /// Largest departure of the energy balance from where it started, J.
    imbalance: f64,
    /// Largest growth of the total energy between two looks, J.
    growth: f64,
    simulation: Simulation,
    /// Energy that there was to lose, J.
    scale: f64,
}

fn fall(tolerance: f64, end: f64) -> Course {
    let (model, state) = pile();
    let settings = Settings {
        tolerance,
        ..Settings::default()
    };
    let mut simulation = Simulation::new(model, state, settings).unwrap();
    let start = simulation.energies();
    let (mut total, mut lost) = (start.total(), 0.0);
    let (mut imbalance, mut growth) = (0.0_f64, 0.0_f64);
    for look in 1..=(end / 0.01) as u32 {
        simulation.advance_to(0.01 * f64::from(look)).unwrap();
        let now = simulation.energies();
        let contacts = simulation.contacts();
        // Also of patches in which nothing is left.
        assert!(contacts.iter().all(|contact| contact.point.is_finite()));
        imbalance = imbalance.max((now.balance() - start.balance()).abs());
        growth = growth.max(now.total() - total);
        assert!(now.lost() >= lost - 1e-12, "what was lost came back");
        (total, lost) = (now.total(), now.lost());
    }
    Course {
        imbalance,
        growth,
        simulation,
        scale: start.total() - total,
    }
}

#[test]
fn the_energy_balance_closes_and_energy_never_grows() {
    println!("tolerance  imbalance / J  largest growth / J  of what falls / J");
    for tolerance in [1e-3, 1e-4] {
        let course = fall(tolerance, 1.5);
        println!(
            "{tolerance:9.0e}  {:13.2e}  {:18.2e}  {:17.3}",
            course.imbalance, course.growth, course.scale
        );
        // Works are integrated along but not controlled: in the hardest hits
        // some permille of what they turn over is miscounted.
        assert!(course.imbalance < 1e-3 * course.scale);
        assert!(course.growth < 10.0 * tolerance * course.scale);
    }
}

#[test]
fn a_pile_at_rest_stays_at_rest() {
    let mut simulation = fall(1e-3, 3.0).simulation;
    // The ball rocks on its flat for half a minute.
    simulation.advance_to(50.0).unwrap();
    let mut most = 0.0_f64;
    for second in 51..=110 {
        simulation.advance_to(f64::from(second)).unwrap();
        most = most.max(simulation.energies().kinetic);
    }
    println!("kinetic energy from 50 s to 110 s: at most {most:.1e} J");
    println!("{:?}", simulation.statistics());
    assert!(most < 1e-12);
}
