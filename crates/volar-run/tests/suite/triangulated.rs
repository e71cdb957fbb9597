//! One cube, triangulated more and more finely and rounded as files round: the grasp does not
//! know. Steel pads, so that the cube's own layer is the one that yields.

use std::fmt::Write as _;
use std::path::Path;

use glam::{DQuat, DVec3};
use volar_geom::TriMesh;
use volar_geom::mesh::shapes::{cuboid, subdivide};
use volar_testkit::rng::Rng;

use crate::common::{page, processor_time, scene_in, trial};

const EDGE: f64 = 0.06;
/// Times the triangles of the cube are cut into four: 12 to 12,288.
const CUTS: usize = 5;
/// What a file may make of the mesh. The body is turned back, so that all lie alike.
const FORMS: [&str; 4] = [
    "as it is",
    "single precision",
    "turned, single precision",
    "turned, shaken by 1e-9",
];
/// How much more an evaluation may cost than one of the plain cube, by the number of cuts.
const COSTS: [f64; CUTS + 1] = [3.0, 3.0, 3.0, 3.0, 6.0, 6.0];
/// Runs of each: the clock of a thread goes on by milliseconds, and one run takes ten.
const REPEATS: usize = 12;

struct Grasped {
    /// Of the contact that carries most, at the end, m.
    depth: f64,
    /// The greatest of the run, in the first touch, m.
    greatest: f64,
    margin: f64,
    forces: Vec<f64>,
    /// Processor time per evaluation, s.
    cost: Option<f64>,
}

fn turned() -> DQuat {
    DQuat::from_rotation_z(0.3) * DQuat::from_rotation_x(0.7)
}

fn formed(mesh: &TriMesh, form: usize) -> TriMesh {
    let mut mesh = mesh.clone();
    let mut rng = Rng::for_case("triangulated", 0);
    for p in &mut mesh.vertices {
        if form >= 2 {
            *p = turned() * *p;
        }
        match form {
            1 | 2 => *p = p.as_vec3().as_dvec3(),
            3 => *p += rng.in_cube(0.5e-9 * EDGE),
            _ => {}
        }
    }
    mesh
}

fn grasp(folder: &Path, mesh: &TriMesh, form: usize) -> Grasped {
    volar_meshes::write_obj(&folder.join("object.obj"), mesh).unwrap();
    let back = if form >= 2 {
        turned().inverse()
    } else {
        DQuat::IDENTITY
    };
    let setup = scene_in(
        folder,
        "g2p-cube",
        &[
            "body.cube.shape={ mesh = { file = \"object.obj\" } }".into(),
            format!(
                "body.cube.orientation={:?}",
                [back.w, back.x, back.y, back.z]
            ),
            "materials.pad={ like = \"steel\", friction = 0.8 }".into(),
            "duration=3.0".into(),
        ],
    );
    let began = processor_time();
    let mut last = None;
    for _ in 0..REPEATS {
        last = Some(trial(&setup, |_| {}));
    }
    let took = began.and_then(|began| Some(processor_time()? - began));
    let done = last.unwrap();
    let cost = took.map(|took| took / (REPEATS as f64 * done.summary.evaluations as f64));
    let contacts = done.run.simulation().contacts();
    let main = contacts
        .iter()
        .max_by(|a, b| a.normal_force.total_cmp(&b.normal_force));
    Grasped {
        depth: main.unwrap().depth,
        greatest: 1.0e-3 * done.summary.max_depth_mm,
        margin: done.summary.friction_margin.unwrap(),
        forces: done.summary.normal_force_n.values().copied().collect(),
        cost,
    }
}

#[test]
fn a_cube_is_a_cube_however_it_is_triangulated() {
    let folder = tempfile::tempdir().unwrap();
    let builtin = volar_scene::builtin::find("g2p-cube").unwrap();
    builtin.write(folder.path()).unwrap();
    let mut mesh = cuboid(DVec3::splat(EDGE));
    let plain = grasp(folder.path(), &mesh, 0);
    let mut table = String::from(
        "| triangles | depth at rest (nm) | friction margin |\n\
         |--:|---|---|\n",
    );
    let mut wrong = Vec::new();
    for allowed in COSTS {
        let forms: Vec<Grasped> = (0..FORMS.len())
            .map(|form| grasp(folder.path(), &formed(&mesh, form), form))
            .collect();
        let range = |of: fn(&Grasped) -> f64| {
            let least = forms.iter().map(of).fold(f64::INFINITY, f64::min);
            [least, forms.iter().map(of).fold(0.0, f64::max)]
        };
        let [shallow, deep] = range(|g| 1.0e9 * g.depth);
        let [least, most] = range(|g| g.margin);
        let costs = forms.iter().filter_map(|g| Some(g.cost? / plain.cost?));
        let cost = costs.fold(0.0, f64::max);
        let count = mesh.triangles.len();
        writeln!(
            table,
            "| {count} | {shallow:.2} – {deep:.2} | {least:.4} – {most:.4} |"
        )
        .unwrap();
        println!("{count} triangles: cost {cost:.2} of the plain cube's");
        for (what, got) in FORMS.iter().zip(&forms) {
            let what = format!("{count} triangles, {what}");
            let pairs = got.forces.iter().zip(&plain.forces);
            let off = pairs.map(|(a, b)| (a - b).abs() / b).fold(0.0, f64::max);
            if off > 1.0e-3 {
                wrong.push(format!("{what}: forces off by {off:e}"));
            }
            for (got, plain) in [(got.depth, plain.depth), (got.greatest, plain.greatest)] {
                if (got - plain).abs() > 0.01 * plain {
                    wrong.push(format!("{what}: depth {got:e}, not {plain:e} m"));
                }
            }
            if (got.margin - plain.margin).abs() > 1.0e-3 {
                wrong.push(format!(
                    "{what}: margin {}, not {}",
                    got.margin, plain.margin
                ));
            }
        }
        if cost > allowed {
            wrong.push(format!("{count} triangles: {cost:.2} times the cost"));
        }
        mesh = subdivide(&mesh);
    }
    println!("{table}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    page::check("meshes.md", "triangulated", &table);
}
