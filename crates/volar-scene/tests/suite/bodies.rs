//! Single bodies: shapes, masses, materials, and how they move.

use std::f64::consts::{PI, TAU};

use crate::common::{at, body, close, compile_in, folder, run, setup};
use glam::DVec3;
use volar_contact::{Friction, Material, NormalLaw, Tanh};
use volar_scene::builtin;

fn one_body(lines: &str) -> String {
    format!("name = \"b\"\n[[body]]\nname = \"b\"\n{lines}\n")
}

#[test]
fn shapes_have_their_volumes() {
    let ball = 4.0 / 3.0 * PI;
    for (shape, volume, tolerance) in [
        ("{ box = [0.1, 0.2, 0.3] }", 0.006, 1.0e-12),
        // Meshes inside round shapes are smaller.
        (
            "{ sphere = { radius = 0.1, subdivisions = 4 } }",
            ball * 1.0e-3,
            0.01,
        ),
        (
            "{ cylinder = { radius = 0.1, length = 0.2 } }",
            PI * 2.0e-3,
            0.03,
        ),
        (
            "{ capsule = { radius = 0.1, length = 0.2 } }",
            (PI * 2.0 + ball) * 1.0e-3,
            0.03,
        ),
        ("{ ellipsoid = [0.1, 0.2, 0.3] }", ball * 6.0e-3, 0.03),
    ] {
        let setup = setup(&one_body(&format!("shape = {shape}\ndensity = 500.0")));
        let mass = setup.model.tree().bodies()[0].mass;
        assert!(
            (mass / (500.0 * volume) - 1.0).abs() < tolerance,
            "{shape}: {mass} kg, by hand {}",
            500.0 * volume
        );
    }
}

#[test]
fn water_if_nothing_is_said_of_the_mass() {
    let setup = setup(&one_body("shape = { box = [0.1, 0.1, 0.1] }"));
    close(setup.model.tree().bodies()[0].mass, 1.0, 1.0e-12);
}

#[test]
fn the_ground_is_fixed_and_carries() {
    let mut run = run(
        "name = \"g\"\nduration = 2.0\n[[body]]\nname = \"ground\"\nshape = { ground = {} }\n\
         [[body]]\nname = \"cube\"\nshape = { box = [0.1, 0.1, 0.1] }\nmass = 2.0\n\
         position = [0.0, 0.0, 0.05]\n[[sensor]]\nname = \"scales\"\nkind = \"contact\"\nlink = \"ground\"\n",
    );
    let frame = at(&mut run, 2.0);
    assert!(
        frame.bodies[1].position.z > 0.049,
        "{}",
        frame.bodies[1].position
    );
    // Normal force, pressure on 0.01 m², slip.
    close(frame.sensors[0], 2.0 * 9.81, 1.0e-3);
    assert!(
        (frame.sensors[1] / (2.0 * 9.81 / 0.01) - 1.0).abs() < 0.02,
        "{}",
        frame.sensors[1]
    );
    assert!(frame.sensors[2] < 1.0e-6);
}

#[test]
fn meshes_are_scaled_turned_moved_and_centred() {
    let box_obj = "v 0 0 0\nv 100 0 0\nv 100 200 0\nv 0 200 0\nv 0 0 300\nv 100 0 300\nv 100 200 300\n\
                   v 0 200 300\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let folder = folder(&[("box.obj", box_obj)]);
    let centre = |mesh: &str| {
        let text = one_body(&format!(
            "shape = {{ mesh = {{ file = \"box.obj\", scale = 0.001{mesh} }} }}"
        ));
        let setup = compile_in(&folder, &text, &[]).unwrap();
        close(setup.model.tree().bodies()[0].mass, 6.0, 1.0e-9);
        setup.model.tree().bodies()[0].p_BoBcm_B
    };
    for (mesh, wanted) in [
        ("", DVec3::new(0.05, 0.1, 0.15)),
        (", centre = true", DVec3::ZERO),
        (", position = [0.0, 0.0, 1.0]", DVec3::new(0.05, 0.1, 1.15)),
        // A quarter turn about z: x becomes y.
        (
            ", orientation = [0.70710678, 0.0, 0.0, 0.70710678]",
            DVec3::new(-0.1, 0.05, 0.15),
        ),
    ] {
        let found = centre(mesh);
        assert!((found - wanted).length() < 1.0e-6, "{mesh}: {found}");
    }
}

#[test]
fn a_mesh_with_a_hole_is_mended_on_request() {
    let open = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let folder = folder(&[("open.obj", open)]);
    let text = |more: &str| {
        one_body(&format!(
            "shape = {{ mesh = {{ file = \"open.obj\"{more} }} }}"
        ))
    };
    let error = compile_in(&folder, &text(""), &[]).unwrap_err().to_string();
    assert!(error.contains("repair = true"), "{error}");
    let setup = compile_in(&folder, &text(", repair = true"), &[]).unwrap();
    close(setup.model.tree().bodies()[0].mass, 1000.0, 1.0e-6);
    assert!(
        setup.notes.iter().any(|n| n.contains("open.obj: repaired")),
        "{:?}",
        setup.notes
    );
}

#[test]
fn materials_are_those_of_the_scene_or_known_ones() {
    let setup = setup(
        "name = \"m\"\n[materials.soft]\nlike = \"rubber\"\nfriction = 0.5\n\
         [materials.layered]\nmodulus = 2e6\nthickness = 0.004\npoisson = 0.3\n\
         [materials.exact]\nstiffness = 1e9\nshear_stiffness = 2e8\ndamping_time = 0.001\nfriction = 0.3\nviscous_friction = 0.1\n\
         [materials.steel]\nlike = \"steel\"\nfriction = 0.11\n\
         [[body]]\nname = \"a\"\nshape = { box = [1.0, 1.0, 1.0] }\nmaterial = \"soft\"\n\
         [[body]]\nname = \"b\"\nshape = { box = [1.0, 1.0, 1.0] }\nposition = [2.0, 0.0, 0.0]\nmaterial = \"layered\"\n\
         [[body]]\nname = \"c\"\nshape = { box = [1.0, 1.0, 1.0] }\nposition = [4.0, 0.0, 0.0]\nmaterial = \"exact\"\n\
         [[body]]\nname = \"d\"\nshape = { box = [1.0, 1.0, 1.0] }\nposition = [6.0, 0.0, 0.0]\n\
         [[body]]\nname = \"e\"\nshape = { box = [1.0, 1.0, 1.0] }\nposition = [8.0, 0.0, 0.0]\nmaterial = \"steel\"\n",
    );
    let materials: Vec<_> = setup
        .model
        .bodies()
        .map(|b| *setup.model.controls().material(b))
        .collect();
    let rubber = Material::named("rubber").unwrap();
    assert_eq!(
        materials[0],
        Material {
            friction: 0.5,
            ..rubber
        }
    );
    assert_eq!(materials[1], Material::layer(2.0e6, 0.004, 0.3));
    let exact = Material {
        stiffness: 1.0e9,
        shear_stiffness: 2.0e8,
        damping_time: 0.001,
        friction: 0.3,
        viscous_friction: 0.1,
    };
    assert_eq!(materials[2], exact);
    assert_eq!(materials[3], Material::named("plastic").unwrap());
    close(materials[4].friction, 0.11, 0.0);
}

#[test]
fn the_law_is_the_one_asked_for() {
    let text =
        |contact: &str| format!("{}{contact}", one_body("shape = { box = [1.0, 1.0, 1.0] }"));
    let law = |contact: &str| *setup(&text(contact)).model.law();
    assert!(matches!(law("").normal, NormalLaw::Foundation));
    let paper = law(
        "[contact]\nlaw = \"paper\"\nslope = 50.0\n[contact.paper]\nstiffness = 2e8\nper_pair = true\n",
    );
    let NormalLaw::Paper(own) = paper.normal else {
        panic!("not the paper's law");
    };
    close(own.stiffness, 2.0e8, 0.0);
    assert!(own.per_pair && !own.adhesion);
    assert_eq!(paper.friction, Friction::Tanh(Tanh { slope: 50.0 }));
    let mixed = law("[contact]\nlaw = \"paper\"\nfriction = \"bristle\"\n");
    assert_eq!(mixed.friction, Friction::Bristle);
}

#[test]
fn a_free_body_starts_as_it_is_told() {
    let mut run = run(&format!(
        "gravity = [0.0, 0.0, 0.0]\n{}",
        one_body(
            "shape = { box = [0.1, 0.1, 0.1] }\nposition = [1.0, 0.0, 0.0]\n\
             velocity = [0.0, 0.5, 0.0]\nangular_velocity = [0.0, 0.0, 1.0]"
        )
    ));
    let frame = at(&mut run, 2.0);
    let b = &frame.bodies[0];
    assert!(
        (b.position - DVec3::new(1.0, 1.0, 0.0)).length() < 1.0e-9,
        "{}",
        b.position
    );
    close(b.orientation[0], 1.0_f64.cos(), 1.0e-6);
}

/// Displacement of 2 kg after a second under a force entry.
fn pushed(force: &str) -> DVec3 {
    let mut run = run(&format!(
        "gravity = [0.0, 0.0, 0.0]\n{}\n[integrator]\ntolerance = 1e-8\n[[force]]\nbody = \"b\"\n{force}\n",
        one_body("shape = { box = [0.1, 0.1, 0.1] }\nmass = 2.0")
    ));
    at(&mut run, 1.0).bodies[0].position
}

#[test]
fn a_force_pushes_as_it_should() {
    // 2 m/s² from 0.2 to 0.7 s, then on at 1 m/s.
    let step = pushed("force = [4.0, 0.0, 0.0]\nstart = 0.2\nend = 0.7");
    close(step.x, 0.25 + 0.3, 1.0e-9);
    // Up to 2 m/s² within half a second: ∫∫ of the ramp, then of the rest.
    let ramp = pushed("force = [0.0, 4.0, 0.0]\nramp = 0.5");
    close(ramp.y, 2.0 * 0.25 / 6.0 + 0.5 * 0.5 + 0.25, 1.0e-9);
    // a sin(w t): x = a t/w − a sin(w t)/w².
    let w = TAU * 1.3;
    let sine = pushed("force = [0.0, 0.0, 4.0]\nfrequency = 1.3");
    close(sine.z, 2.0 / w - 2.0 * w.sin() / (w * w), 1.0e-7);
}

#[test]
fn a_torque_turns() {
    let mut run = run(&format!(
        "gravity = [0.0, 0.0, 0.0]\n{}\n[integrator]\ntolerance = 1e-8\n[[force]]\nbody = \"b\"\n\
         torque = [0.0, 0.0, 0.006]\n",
        one_body(
            "shape = { box = [0.1, 0.1, 0.1] }\nmass = 2.0\n\
             inertia = [0.004, 0.004, 0.006, 0.0, 0.0, 0.0]"
        )
    ));
    let frame = at(&mut run, 1.0);
    // 1 rad/s² for a second: half a radian, a quarter in the quaternion.
    close(frame.bodies[0].orientation[3], 0.25_f64.sin(), 1.0e-7);
}

#[test]
fn one_of_two_equal_forces_ends_and_the_other_goes_on() {
    // The later one stands first in the file, and begins when the other ends.
    let text = format!(
        "gravity = [0.0, 0.0, 0.0]\n{}\n[[force]]\nbody = \"b\"\nforce = [2.0, 0.0, 0.0]\nstart = 0.5\nend = 1.0\n\
         [[force]]\nbody = \"b\"\nforce = [2.0, 0.0, 0.0]\nstart = 0.0\nend = 0.5\n",
        one_body("shape = { box = [0.1, 0.1, 0.1] }\nmass = 2.0")
    );
    let mut run = run(&text);
    close(at(&mut run, 1.0).bodies[0].velocity.x, 1.0, 1.0e-9);
}

#[test]
fn a_body_on_a_rail_slides_along_it_only() {
    let mut run = run(
        "name = \"r\"\nduration = 3.0\n[[body]]\nname = \"cart\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
         mass = 1.5\nposition = [0.0, 1.0, 0.0]\norientation = [0.0, 0.0, 0.0, 1.0]\n\
         slides_along = [2.0, 0.0, 0.0]\neffort = 3.0\n\
         [[body]]\nname = \"damped\"\nshape = { box = [0.1, 0.1, 0.1] }\nmass = 0.1\n\
         position = [0.0, 2.0, 0.0]\nslides_along = [0.0, 0.0, 1.0]\ndamping = 2.0\n",
    );
    assert_eq!(run.setup().joints.len(), 2);
    assert!(run.setup().joints.iter().all(|joint| joint.slides));
    let frame = at(&mut run, 3.0);
    let cart = frame.bodies[0].position;
    assert!(
        (cart - DVec3::new(9.0, 1.0, 0.0)).length() < 1.0e-9,
        "{cart}"
    );
    // Falls at m g / c.
    close(frame.bodies[1].velocity.z, -0.1 * 9.81 / 2.0, 1.0e-6);
}

#[test]
fn travelling_with_a_robot_changes_how_it_is_computed_and_not_how_it_moves() {
    let scene = builtin::find("g2p-cube").unwrap();
    let folder = scene.source();
    let shaken = "robot.0.motion.sine={ amplitude = [0.0, 0.01, 0.01], frequency = 2.0, start = 0.2, ramp = 0.3 }";
    let end = |more: &[&str]| {
        let overrides = [&[shaken, "integrator.tolerance=1e-5"], more].concat();
        let setup = compile_in(&folder, &scene.text, &overrides).unwrap();
        let mut run = volar_run::Run::new(std::sync::Arc::new(setup), 1).unwrap();
        let frame = at(&mut run, 0.8);
        let cube = body(run.setup(), "cube");
        (frame.bodies[cube].position, frame.bodies[cube].velocity)
    };
    let (p, v) = end(&[]);
    let (q, w) = end(&["body.cube.travels_with=gripper"]);
    assert!(v.length() > 0.05, "{v}");
    assert!((p - q).length() < 2.0e-6, "{p} {q}");
    assert!((v - w).length() < 1.0e-3, "{v} {w}");
}

#[test]
fn a_carried_body_keeps_its_own_velocity_at_the_start() {
    let text = |more: &str| {
        format!(
            "name = \"c\"\ngravity = [0.0, 0.0, 0.0]\n[[robot]]\nname = \"arm\"\nfile = \"arm.urdf\"\n\
             [robot.motion.sine]\namplitude = [0.1, 0.0, 0.0]\nfrequency = 1.0\nstart = -2.0\n\
             [[body]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.05 }} }}\nposition = [0.0, 0.0, 2.0]\n\
             velocity = [0.1, 0.2, 0.3]\nangular_velocity = [0.0, 1.0, 0.0]\n{more}"
        )
    };
    let mut run = run(&text("travels_with = \"arm\"\n"));
    let ball = body(run.setup(), "ball");
    let start = at(&mut run, 0.0).bodies[ball];
    assert!((start.velocity - DVec3::new(0.1, 0.2, 0.3)).length() < 1.0e-12);
    let p = at(&mut run, 0.5).bodies[ball].position;
    assert!((p - DVec3::new(0.05, 0.1, 2.15)).length() < 1.0e-4, "{p}");
}

#[test]
fn a_thousand_bodies_load_at_once() {
    let boxes = (0..1000).map(|i| {
        let (x, y) = (0.1 * f64::from(i % 32), 0.1 * f64::from(i / 32));
        format!("[[body]]\nname = \"b{i}\"\nshape = {{ box = [0.04, 0.04, 0.04] }}\nposition = [{x}, {y}, 0.02]\n")
    });
    let ground = "[[body]]\nname = \"ground\"\nshape = { ground = {} }\n";
    let scene = format!("name = \"many\"\n{ground}{}", boxes.collect::<String>());
    let started = std::time::Instant::now();
    let mut sim = setup(&scene).simulation().unwrap();
    sim.advance_to(1.0e-4).unwrap();
    // 0.1 s when nothing else runs; quadratic memory or cubic factors take minutes.
    assert!(
        started.elapsed().as_secs_f64() < 30.0,
        "{:?}",
        started.elapsed()
    );
}
