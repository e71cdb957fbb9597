//! Objects of other people in the three grippers: held or lost as static balance says, and
//! at rest where nothing sways or swings.
//!
//! `VOLAR_OBJECTS=FOLDER` names a folder of OBJ files, sound and about 60 mm long; every row is
//! then printed as JSON for `bench/objects.py`. Without it the test takes a few solids of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DQuat, DVec2};
use serde_json::json;
use volar_run::FailureKind;
use volar_scene::Setup;
use volar_sim::Simulation;
use volar_testkit::solids;

use crate::common::statics::{BALANCED, unbalance};
use crate::common::{GRIPPERS, processor_time, scene_in, trial};

/// The coefficient of both materials in the built-in scenes.
const FRICTION: f64 = 0.8;
/// What is slower at the end is at rest or swings, m/s; lost objects fall.
const RESTS: f64 = 0.05;
/// An object that has moved so far is on its way out, m.
const LOST: f64 = 0.025;
/// How the objects lie: as their file has them, and turned about two axes.
/// Duration of the run of what still moves at 10 s, s.
const LONGER: f64 = 40.0;
/// Over which it is seen whether something swings, s: many periods of a pendulum of this size.
const WINDOW: f64 = 4.0;
const POSES: [[f64; 3]; 2] = [[0.0; 3], [0.4, 0.0, 0.7]];

struct Row {
    gripper: &'static str,
    object: String,
    pose: usize,
    orientation: DQuat,
    /// Whether it is at rest at the end, or nearly so.
    rests: bool,
    summary: volar_run::Summary,
    /// Processor time of the run without loading, s, where the system tells it.
    cpu: Option<f64>,
    /// Of an object at rest: what is left of weight and efforts at the end. Of a lost one: the part
    /// of its way out, as far as it gained speed, on which no balance was possible.
    statics: f64,
    /// Fastest joint of the gripper at the end, rad/s or m/s.
    fingers: f64,
    /// The end of a run four times as long, where the speed is above 1 µm/s at 10 s.
    later: Option<Later>,
}

/// What becomes of an object that still moves.
struct Later {
    /// At the end, µm/s.
    creep: f64,
    /// Distance between the ends of the way of the last `WINDOW` over its length: near 1 for what
    /// creeps, near 0 for what swings.
    straightness: f64,
    /// Greatest kinetic energy of the last `WINDOW` over that of the one in the middle of the run.
    energy: f64,
}

impl Later {
    /// It goes to and fro, less and less.
    fn swings(&self) -> bool {
        self.straightness < 0.2 && self.energy < 1.0
    }
}

impl Row {
    fn json(&self) -> serde_json::Value {
        let s = &self.summary;
        let DQuat { x, y, z, w } = self.orientation;
        json!({
            "gripper": self.gripper, "object": self.object, "pose": self.pose,
            "orientation": [w, x, y, z], "simulated_s": s.duration_s, "cpu_s": self.cpu,
            "held": s.held, "rests": self.rests, "kind": s.failure.as_ref().map(|f| f.kind),
            "failure": s.failure.as_ref().map(|f| f.what.clone()),
            "creep_um_per_s": s.creep_um_per_s, "drift_mm": s.drift_mm, "slip_um": s.slip_um,
            "friction_margin": s.friction_margin, "max_depth_mm": s.max_depth_mm,
            "steps": s.steps, "rejected": s.rejected, "evaluations": s.evaluations,
            "statics": self.statics, "fingers": self.fingers,
            "later_um_per_s": self.later.as_ref().map(|l| l.creep),
            "straightness": self.later.as_ref().map(|l| l.straightness),
            "complaint": self.complaint(),
        })
    }

    fn complaint(&self) -> Option<String> {
        let s = &self.summary;
        // What may become of an object; anything else is a fault of the program.
        let expected = [
            FailureKind::Dropped,
            FailureKind::Turned,
            FailureKind::Moving,
            FailureKind::TooFewFingers,
        ];
        if let Some(failure) = s.failure.as_ref().filter(|f| !expected.contains(&f.kind)) {
            return Some(failure.what.clone());
        }
        // A grasp sways when its fingers move along, within 0.1 m of their joints.
        let sways = |creep: f64| 0.1e6 * self.fingers > 0.3 * creep;
        let moves = self.later.is_some();
        match self.rests {
            // What still moves carries a little by its dampers.
            true if self.statics > BALANCED && !moves => Some(format!(
                "at rest, but {} of the load is left over",
                self.statics
            )),
            true => {
                let moves = self.later.as_ref().filter(|later| later.creep > 1.0);
                let creeps = moves.filter(|later| !sways(later.creep) && !later.swings());
                creeps.map(|later| format!("still creeps by {} µm/s after 40 s", later.creep))
            }
            false => (self.statics < 0.5)
                .then(|| format!("lost, but balanced on {:.2} of its way", 1.0 - self.statics)),
        }
    }
}

fn study(file: &Path, gripper: &'static str, pose: usize) -> Option<Row> {
    let folder = tempfile::tempdir().unwrap();
    let base = format!("{gripper}-cube");
    let builtin = volar_scene::builtin::find(&base).unwrap();
    builtin.write(folder.path()).unwrap();
    std::fs::copy(file, folder.path().join("object.obj")).unwrap();
    let [x, y, z] = POSES[pose];
    let q = DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x);
    let mut overrides = vec![
        "body.cube.shape={ mesh = { file = \"object.obj\", centre = true } }".into(),
        "body.cube.position=[0.0, 0.0, 0.0]".into(),
        format!("body.cube.orientation={:?}", [q.w, q.x, q.y, q.z]),
    ];
    let setup = scene_in(folder.path(), &base, &overrides);
    let grasp = setup.grasp.clone().unwrap();
    let (mut start, mut speed, mut next) = (None, 0.0, 0.0);
    let (mut seen, mut impossible) = (0.0, 0.0);
    let mut fingers = 0.0_f64;
    // Processor time of looking.
    let mut aside = 0.0;
    let began = processor_time();
    let done = trial(&setup, |simulation| {
        let place = simulation.pose(grasp.object).point(grasp.centre);
        let moved = (place - *start.get_or_insert(place)).length();
        let before = speed;
        speed = simulation.velocity(grasp.object).linear.length();
        fingers = fastest_joint(simulation);
        if simulation.time() >= next && moved > 0.5 * LOST && moved < LOST && speed >= before {
            next = simulation.time() + 2.0e-3;
            seen += 1.0;
            let paused = processor_time();
            let left = unbalance(&setup, simulation, FRICTION);
            aside += paused.map_or(0.0, |paused| processor_time().unwrap_or(paused) - paused);
            impossible += f64::from(u8::from(left > BALANCED));
        }
    });
    let cpu = began.and_then(|began| Some(processor_time()? - began - aside));
    // What is not held may have come to rest elsewhere in the gripper.
    let simulation = done.run.simulation();
    let rests = simulation.velocity(grasp.object).linear.length() < RESTS;
    let statics = match rests {
        true => unbalance(&setup, done.run.simulation(), FRICTION),
        _ if seen > 0.0 => impossible / seen,
        _ => 1.0,
    };
    let moves = rests && done.summary.creep_um_per_s.is_some_and(|creep| creep > 1.0);
    let later = moves.then(|| {
        overrides.push(format!("duration={LONGER:?}"));
        let setup = scene_in(folder.path(), &base, &overrides);
        later(&setup, &mut fingers)
    });
    Some(Row {
        gripper,
        object: file.file_stem()?.to_string_lossy().into_owned(),
        pose,
        orientation: q,
        rests,
        summary: done.summary,
        cpu,
        statics,
        fingers,
        later,
    })
}

fn later(setup: &Arc<Setup>, fingers: &mut f64) -> Later {
    let grasp = setup.grasp.clone().unwrap();
    let (mut from, mut way, mut moved) = (None, 0.0, 0.0);
    let mut energies = [0.0_f64; 2];
    let done = trial(setup, |simulation| {
        *fingers = fastest_joint(simulation);
        let time = simulation.time();
        let energy = simulation.energies().kinetic;
        if (0.5 * LONGER..0.5 * LONGER + WINDOW).contains(&time) {
            energies[0] = energies[0].max(energy);
        }
        if time >= LONGER - WINDOW {
            energies[1] = energies[1].max(energy);
            let place = simulation.pose(grasp.object).point(grasp.centre);
            let (first, last) = *from.get_or_insert((place, place));
            way += (place - last).length();
            moved = (place - first).length();
            from = Some((first, place));
        }
    });
    Later {
        creep: done.summary.creep_um_per_s.unwrap_or(f64::NAN),
        straightness: moved / f64::max(way, f64::MIN_POSITIVE),
        energy: energies[1] / energies[0].max(f64::MIN_POSITIVE),
    }
}

/// The gripper comes before the object, whose six velocities are the last.
fn fastest_joint(simulation: &Simulation) -> f64 {
    let v = &simulation.state().v;
    v.iter()
        .take(v.len() - 6)
        .fold(0.0, |most, v| v.abs().max(most))
}

/// A few solids, written to a folder.
fn own(folder: &Path) -> Vec<PathBuf> {
    let bowl: Vec<DVec2> = [
        (0.012, -0.015),
        (0.03, 0.015),
        (0.027, 0.015),
        (0.009, -0.012),
    ]
    .map(DVec2::from)
    .to_vec();
    let meshes = [
        ("torus", solids::torus(0.022, 0.008, 32, 16)),
        ("bracket", solids::l_block(0.05, 0.02, 0.04)),
        ("cup", solids::lathe(&bowl, [-0.015, -0.012], 32)),
    ];
    let write = |(name, mesh): (&str, volar_geom::TriMesh)| {
        let file = folder.join(format!("{name}.obj"));
        volar_meshes::write_obj(&file, &mesh).unwrap();
        file
    };
    meshes.into_iter().map(write).collect()
}

#[test]
fn objects_are_held_or_lost_as_statics_says() {
    let given = std::env::var_os("VOLAR_OBJECTS").map(PathBuf::from);
    let folder = tempfile::tempdir().unwrap();
    let files = match &given {
        Some(given) => {
            let entries = std::fs::read_dir(given).unwrap();
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
            files.retain(|file| file.extension().is_some_and(|e| e == "obj"));
            files.sort();
            files
        }
        None => own(folder.path()),
    };
    let mut jobs = Vec::new();
    for (number, file) in files.iter().enumerate() {
        for gripper in GRIPPERS {
            // The second pose for two objects of three: 300 grasps of 60 objects.
            let poses = if number % 3 == 2 { 1 } else { 2 };
            jobs.extend((0..poses).map(|pose| (file, gripper, pose)));
        }
    }
    let work = |(): &mut (), k: usize| {
        let (file, gripper, pose) = jobs[k];
        let row = study(file, gripper, pose);
        if let Some(row) = row.as_ref().filter(|_| given.is_some()) {
            println!("{}", row.json());
        }
        row
    };
    let rows = volar_testkit::parallel::map_with(jobs.len(), || (), work);
    let wrong: Vec<String> = rows
        .iter()
        .flatten()
        .filter_map(|row| Some(format!("{} {}: {}", row.json(), row.complaint()?, row.pose)))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
