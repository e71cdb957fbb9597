//! Objects of other people in the three grippers: held or lost as static balance says, and
//! at rest where nothing sways or swings.
//!
//! No balance, no rest; but a balance that is possible need not come about. Contacts that slide
//! carry μN against their motion and not what would be wanted of them, what swings passes through
//! its balance, and fingers of constant effort are a linkage that may be unstable
//! (`docs/grasps.md`). So an object may be lost through poses with a balance, but only by what
//! Coulomb allows: its surface moves against a finger's only where friction is at its limit.
//! Bristles that let go without slip would show as a walk.
//!
//! `VOLAR_OBJECTS=FOLDER` names a folder of OBJ files, sound and about 60 mm long; every row is
//! then printed as JSON for `bench/objects.py`. Without it the test takes a few solids of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DQuat, DVec2, DVec3};
use serde_json::json;
use volar_run::FailureKind;
use volar_scene::Setup;
use volar_sim::{BodyId, Simulation};
use volar_testkit::solids;

use crate::common::statics::{BALANCED, unbalance};
use crate::common::{GRIPPERS, processor_time, scene_in, trial};

/// The coefficient of both materials in the built-in scenes.
const FRICTION: f64 = 0.8;
/// What is slower at the end is at rest or swings, m/s; lost objects fall.
const RESTS: f64 = 0.05;
/// An object that has moved so far is on its way out, m.
const LOST: f64 = 0.025;
/// A lost object may have walked by this part of its way: bristles stretch by up to
/// `μN / (g_t A)` before they slip, 0.3 mm on tips of 2 mm² in these pads, and do so again in
/// each new patch.
const WALKED: f64 = 0.1;
/// Duration of the run of what still moves at 10 s, s.
const LONGER: f64 = 40.0;
/// Over which it is seen whether something swings, s: many periods of a pendulum of this size.
const WINDOW: f64 = 4.0;
/// How the objects lie: as their file has them, and turned about two axes.
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
    /// of its way out on which no balance was possible.
    statics: f64,
    /// The part of its way out that it walked.
    walked: f64,
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
    /// Of one that is lost by then: where its way out goes against statics and Coulomb.
    lost: Option<Option<String>>,
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
            "start_depth_mm": s.start_overlap.as_ref().map(|start| start.object_depth_mm),
            "steps": s.steps, "rejected": s.rejected, "evaluations": s.evaluations,
            "statics": self.statics, "walked": self.walked, "fingers": self.fingers,
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
        if let Some(lost) = self.later.as_ref().and_then(|later| later.lost.clone()) {
            return lost;
        }
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
            false => lost_against_the_law(self.statics, self.walked),
        }
    }
}

/// What is wrong with a way out, by the part without a balance and the part that was walked.
fn lost_against_the_law(impossible: f64, walked: f64) -> Option<String> {
    // Not a number is wrong, too.
    let is_right = impossible >= 0.5 || walked <= WALKED;
    let balanced = 1.0 - impossible;
    (!is_right).then(|| {
        format!("lost, but balanced on {balanced:.2} of its way, and walked {walked:.2} of it")
    })
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
    let mut fingers = 0.0_f64;
    let mut way_out = WayOut::default();
    let began = processor_time();
    let done = trial(&setup, |simulation| {
        fingers = fastest_joint(simulation);
        way_out.look(&setup, simulation);
    });
    let cpu = began.and_then(|began| Some(processor_time()? - began - way_out.aside));
    // What is not held may have come to rest elsewhere in the gripper.
    let simulation = done.run.simulation();
    let rests = simulation.velocity(grasp.object).linear.length() < RESTS;
    let statics = match rests {
        true => unbalance(&setup, done.run.simulation(), FRICTION),
        false => way_out.impossible_part(),
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
        walked: way_out.walked_part(),
        fingers,
        later,
    })
}

/// What is seen of an object while it is between half of `LOST` and `LOST` from where it started.
#[derive(Default)]
struct WayOut {
    start: Option<DVec3>,
    time: f64,
    speed: f64,
    /// When statics is asked next, s.
    next: f64,
    /// How often it was asked, while the object gained speed, and how often there was no balance.
    asked: f64,
    impossible: f64,
    /// Of the object, m.
    way: f64,
    /// By which its surface moved against those that bear it and neither slipped nor rolled: mean
    /// of the contacts by their loads, m.
    walked: f64,
    /// Processor time of looking, s.
    aside: f64,
}

impl WayOut {
    fn look(&mut self, setup: &Setup, simulation: &Simulation) {
        let grasp = setup.grasp.as_ref().unwrap();
        let place = simulation.pose(grasp.object).point(grasp.centre);
        let moved = (place - *self.start.get_or_insert(place)).length();
        let speed = simulation.velocity(grasp.object).linear.length();
        let before = std::mem::replace(&mut self.speed, speed);
        let step = simulation.time() - std::mem::replace(&mut self.time, simulation.time());
        if !(0.5 * LOST..LOST).contains(&moved) {
            return;
        }
        let paused = processor_time();
        self.way += step * speed;
        self.walked += step * walking(simulation, grasp.object);
        if simulation.time() >= self.next && speed >= before {
            self.next = simulation.time() + 2.0e-3;
            self.asked += 1.0;
            let left = unbalance(setup, simulation, FRICTION);
            self.impossible += f64::from(u8::from(left > BALANCED));
        }
        self.aside += paused.map_or(0.0, |paused| processor_time().unwrap_or(paused) - paused);
    }

    /// The part without a balance; all of it where the object was too fast to be asked.
    fn impossible_part(&self) -> f64 {
        match self.asked > 0.0 {
            true => self.impossible / self.asked,
            false => 1.0,
        }
    }

    fn walked_part(&self) -> f64 {
        self.walked / self.way.max(f64::MIN_POSITIVE)
    }
}

/// How fast an object's surface moves against those that bear it beyond their slip, m/s.
fn walking(simulation: &Simulation, object: BodyId) -> f64 {
    let at = |body: BodyId, point: DVec3| {
        let twist = simulation.velocity(body);
        twist.linear + twist.angular.cross(point - simulation.pose(body).p)
    };
    let (mut load, mut sum) = (0.0, 0.0);
    let contacts = simulation.contacts_of(object);
    for contact in contacts.iter().filter(|c| c.normal_force > 0.0) {
        let apart = at(contact.a, contact.point) - at(contact.b, contact.point);
        let speed = apart.reject_from_normalized(contact.normal).length();
        load += contact.normal_force;
        sum += contact.normal_force * (speed - contact.slip_rate).max(0.0);
    }
    sum / load.max(f64::MIN_POSITIVE)
}

fn later(setup: &Arc<Setup>, fingers: &mut f64) -> Later {
    let grasp = setup.grasp.clone().unwrap();
    let (mut from, mut way, mut moved) = (None, 0.0, 0.0);
    let mut energies = [0.0_f64; 2];
    let mut way_out = WayOut::default();
    let done = trial(setup, |simulation| {
        *fingers = fastest_joint(simulation);
        way_out.look(setup, simulation);
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
    let last = done.run.simulation().velocity(grasp.object);
    let is_lost = last.linear.length() >= RESTS;
    let against = || lost_against_the_law(way_out.impossible_part(), way_out.walked_part());
    Later {
        lost: is_lost.then(against),
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
