//! A scene and its own export, run side by side.

use std::sync::Arc;

use volar_export::{Export, Format};
use volar_scene::{Scene, Setup, builtin};
use volar_sim::Simulation;

/// The scene that Volar runs from an export.
pub fn reread(setup: &Setup, to: Format) -> Setup {
    let export = Export::new(setup, to).unwrap();
    let scene = Scene::load_from(Arc::new(export.files), "scene.toml").unwrap();
    scene.compile().unwrap()
}

/// Advances a simulation, making the changes of its scene on the way.
fn advance(setup: &Setup, simulation: &mut Simulation, end: f64) {
    let begin = simulation.time();
    for event in setup.events.iter().filter(|e| e.at > begin && e.at <= end) {
        simulation.advance_to(event.at).unwrap();
        simulation.change(|controls| event.apply(controls)).unwrap();
    }
    simulation.advance_to(end).unwrap();
}

/// Greatest distance between the same bodies of two runs at every tenth of a second, m.
fn apart(a: &Setup, b: &Setup, duration: f64) -> f64 {
    let same = a
        .model
        .bodies()
        .map(|id| (id, b.model.body(a.model.name(id))));
    let pairs: Vec<_> = same.filter_map(|(id, other)| Some((id, other?))).collect();
    let solid = a.model.bodies().filter(|id| a.model.surface(*id).is_some());
    assert!(
        solid
            .into_iter()
            .all(|id| pairs.iter().any(|pair| pair.0 == id))
    );
    let [mut one, mut other] = [a, b].map(|setup| setup.simulation().unwrap());
    let mut apart: f64 = 0.0;
    for tenth in 1..=(10.0 * duration).round() as u32 {
        let t = 0.1 * f64::from(tenth);
        advance(a, &mut one, t);
        advance(b, &mut other, t);
        let off = |(x, y): &(_, _)| (one.pose(*x).p - other.pose(*y).p).length();
        apart = pairs.iter().map(off).fold(apart, f64::max);
    }
    apart
}

/// What may differ, m: the bar for exports.
const LARGEST: f64 = 1.0e-6;

/// Scenes that differ more, by how much, and why.
const MORE: [(&str, Format, f64, &str); 2] = [
    ("shadow-bunny", Format::Urdf, 0.1, "URDF has no tendons"),
    ("shadow-bunny", Format::Sdf, 0.1, "SDF has no tendons"),
];

#[test]
fn built_in_scenes_move_as_their_exports_do() {
    let mut failed = Vec::new();
    println!("greatest distance over 10 s, m");
    for builtin in builtin::all() {
        let scene = Scene::builtin(&builtin.name).unwrap();
        let scene = scene.with(&["duration=10.0"]).unwrap();
        for to in Format::ALL {
            let setup = scene.compile().unwrap();
            let again = reread(&setup, to);
            let apart = apart(&setup, &again, 10.0);
            let known = MORE.iter().find(|m| m.0 == builtin.name && m.1 == to);
            let (largest, why) = known.map_or((LARGEST, ""), |m| (m.2, m.3));
            println!("{:14} {to} {apart:.1e} {why}", builtin.name);
            if apart > largest {
                failed.push(format!("{} {to}: {apart:e} m", builtin.name));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// The same joints, drives and masses, to rounding.
#[test]
fn what_is_read_back_has_the_same_numbers() {
    for name in ["g3r-bunny", "shadow-bunny", "lift-cube", "row-3"] {
        let setup = Scene::builtin(name).unwrap().compile().unwrap();
        let again = reread(&setup, Format::Mjcf);
        let (a, b) = (&setup.model, &again.model);
        let numbers = |setup: &Setup| {
            let forces = setup.model.controls().joint_forces();
            format!("{:?} {:?}", forces.params(), forces.actuators())
        };
        assert_eq!(numbers(&setup), numbers(&again), "{name}");
        assert_eq!(setup.start.q, again.start.q, "{name}");
        let (mut turned, mut heavier): (f64, f64) = (0.0, 0.0);
        for id in a.bodies() {
            let own = &a.tree().bodies()[id.index()];
            let Some(other) = b.body(&own.name) else {
                continue;
            };
            let read = &b.tree().bodies()[other.index()];
            assert_eq!(own.joint, read.joint, "{name}: {}", own.name);
            // A root stands in the world of its file, which the mount is part of here.
            if own.parent.is_none() {
                continue;
            }
            assert_eq!(own.X_PJ.p, read.X_PJ.p, "{name}: {}", own.name);
            let largest = |m: glam::DMat3| m.abs().to_cols_array().into_iter().fold(0.0, f64::max);
            turned = turned.max(largest(own.X_PJ.R - read.X_PJ.R));
            let size = largest(own.inertia).max(1.0e-30);
            heavier = heavier.max(largest(own.inertia - read.inertia) / size);
            let mesh = |model: &volar_sim::Model, id| {
                model
                    .surface(id)
                    .map(|s| (s.mesh.vertices().to_vec(), s.mesh.triangles().to_vec()))
            };
            assert!(mesh(a, id) == mesh(b, other), "{name}: {}", own.name);
        }
        println!("{name}: joint frames turned by {turned:.1e}, inertias off by {heavier:.1e}");
        assert!(turned < 1.0e-15 && heavier < 1.0e-15, "{name}");
    }
}

/// A slide between two motors: what a joint with one drive cannot say is listed, and the scene is
/// read without it.
const TWO_DRIVES: &str = r#"<mujoco model="two">
  <worldbody>
    <body name="base">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="slider">
        <inertial pos="0 0 0" mass="0.2" diaginertia="1e-3 1e-3 1e-3"/>
        <joint name="slide" type="slide" axis="1 0 0"/>
        <geom type="box" size="0.01 0.01 0.01"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <velocity name="run" joint="slide" kv="5" forcerange="-1 3"/>
    <motor name="push" joint="slide"/>
  </actuator>
</mujoco>"#;

const TWO_DRIVES_SCENE: &str = r#"
name = "two"
duration = 1.0
gravity = [0.0, 0.0, 0.0]
[[robot]]
name = "r"
file = "two.xml"
material = "steel"
[robot.controls]
run = 0.1
[[schedule]]
at = 0.5
controls = { run = 0.3, push = 0.01 }
"#;

#[test]
fn second_drives_and_uneven_limits_are_listed_and_speeds_change() {
    let files = volar_assets::Memory::new()
        .with("two.xml", TWO_DRIVES.as_bytes().to_vec())
        .with("scene.toml", TWO_DRIVES_SCENE.as_bytes().to_vec());
    let scene = Scene::load_from(Arc::new(files), "scene.toml").unwrap();
    let setup = scene.compile().unwrap();
    for to in Format::ALL {
        let export = Export::new(&setup, to).unwrap();
        let said = export.not_said.join("\n");
        let again = reread(&setup, to);
        let apart = apart(&setup, &again, 1.0);
        match to {
            Format::Mjcf => assert_eq!(apart.to_bits(), 0, "{to}: {apart:e}"),
            Format::Urdf | Format::Sdf => {
                let endless = said.contains("`r/slide` slides without limits");
                assert_eq!(endless, to == Format::Urdf, "{said}");
                assert!(said.contains("`r/push` is the second drive"), "{said}");
                assert!(said.contains("`r/run` pushes harder one way"), "{said}");
                // The motor's 0.01 N against 5 N s/m: 2 mm/s for half a second, less the start.
                assert!((0.5e-3..1.0e-3).contains(&apart), "{to}: {apart:e}");
            }
        }
    }
}
