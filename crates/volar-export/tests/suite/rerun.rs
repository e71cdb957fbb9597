//! A scene and its own export, run side by side.

use std::sync::Arc;

use volar_export::{Export, Format};
use volar_run::Run;
use volar_scene::{Scene, Setup, builtin};

/// The scene that Volar runs from an export.
pub fn reread(setup: &Setup, to: Format) -> Setup {
    let export = Export::new(setup, to).unwrap();
    let scene = Scene::load_from(Arc::new(export.files), "scene.toml").unwrap();
    scene.compile().unwrap()
}

/// Greatest distance between the same bodies of two runs at every tenth of a second, m.
fn apart(a: Setup, b: Setup, duration: f64) -> f64 {
    let (a, b) = (Arc::new(a), Arc::new(b));
    let mut runs = [&a, &b].map(|setup| Run::new(setup.clone(), 1).unwrap());
    let pairs: Vec<_> = a
        .model
        .bodies()
        .filter_map(|id| Some((id, b.model.body(a.model.name(id))?)))
        .collect();
    let named = |id: &volar_sim::BodyId| a.model.surface(*id).is_some();
    assert!(
        a.model
            .bodies()
            .filter(named)
            .all(|id| pairs.iter().any(|pair| pair.0 == id))
    );
    let mut apart: f64 = 0.0;
    let mut t = 0.0;
    while t < duration - 0.05 {
        t += 0.1;
        for run in &mut runs {
            run.advance_to(t).unwrap();
        }
        for (one, other) in &pairs {
            let p = runs[0].simulation().pose(*one).p - runs[1].simulation().pose(*other).p;
            apart = apart.max(p.length());
        }
    }
    apart
}

/// Where URDF says less than the scene has, and why the motion differs.
const NOT_IN_URDF: [(&str, &str); 1] = [("shadow-bunny", "its tendons are missing")];

/// What may differ, m. A scene and its export have the same numbers to the bit or to
/// rounding, and grasps do not amplify that to this.
const LARGEST: f64 = 1.0e-6;

#[test]
fn built_in_scenes_move_as_their_exports_do() {
    let mut failed = Vec::new();
    println!("greatest distance over 10 s, m");
    for builtin in builtin::all() {
        let scene = Scene::builtin(&builtin.name).unwrap();
        let scene = scene.with(&["duration=10.0"]).unwrap();
        for to in [Format::Mjcf, Format::Urdf] {
            let setup = scene.compile().unwrap();
            let again = reread(&setup, to);
            let apart = apart(setup, again, 10.0);
            let known = NOT_IN_URDF.iter().find(|(name, _)| *name == builtin.name);
            let known = known.filter(|_| to == Format::Urdf);
            println!(
                "{:14} {to} {apart:.1e} {}",
                builtin.name,
                known.map_or("", |k| k.1)
            );
            if apart > LARGEST && known.is_none() {
                failed.push(format!("{} {to}: {apart:e} m", builtin.name));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
