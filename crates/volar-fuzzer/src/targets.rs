//! What reads, and what it is given.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use volar_assets::Memory;
use volar_geom::overlap::OverlapKernel;
use volar_grasps::{Grasp, GraspList, ReadOptions};
use volar_meshes::MeshLibrary;
use volar_record::Recording;
use volar_robots::meshes::link_solids;
use volar_robots::{LoadOptions, load_from};
use volar_run::{Options, Saved, WallLimit, execute};
use volar_scene::{Scene, Setup};
use volar_testkit::cases::Case;

use crate::corpus;

/// Wall time of a run; what a step takes comes on top.
const RUN_LIMIT: Duration = Duration::from_secs(3);

/// A reader, and the kind of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A scene file, compiled.
    Scene,
    /// A scene file, run for 0.05 s.
    Run,
    /// A table of a prescribed motion.
    Csv,
    Urdf,
    Mjcf,
    Sdf,
    Obj,
    Stl,
    Ply,
    Gltf,
    Glb,
    Collada,
    /// `recording.mcap`, read and repaired.
    Recording,
    /// A checkpoint, resumed.
    Checkpoint,
    /// What a page sends to the server of the viewer.
    Message,
    /// A list of grasps; the first byte says which kind.
    Grasps,
    /// Two solids and a pose from bytes, held to exact arithmetic.
    Overlap,
}

impl Target {
    pub const ALL: [Target; 17] = [
        Target::Scene,
        Target::Run,
        Target::Csv,
        Target::Urdf,
        Target::Mjcf,
        Target::Sdf,
        Target::Obj,
        Target::Stl,
        Target::Ply,
        Target::Gltf,
        Target::Glb,
        Target::Collada,
        Target::Recording,
        Target::Checkpoint,
        Target::Message,
        Target::Grasps,
        Target::Overlap,
    ];

    pub fn name(&self) -> &'static str {
        match self {
            Target::Scene => "scene",
            Target::Run => "run",
            Target::Csv => "csv",
            Target::Urdf => "urdf",
            Target::Mjcf => "mjcf",
            Target::Sdf => "sdf",
            Target::Obj => "obj",
            Target::Stl => "stl",
            Target::Ply => "ply",
            Target::Gltf => "gltf",
            Target::Glb => "glb",
            Target::Collada => "collada",
            Target::Recording => "recording",
            Target::Checkpoint => "checkpoint",
            Target::Message => "message",
            Target::Grasps => "grasps",
            Target::Overlap => "overlap",
        }
    }

    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Reads an input. Gives whether it was accepted; panics where an answer is wrong.
    pub fn read(self, input: &[u8]) -> bool {
        match self {
            Target::Scene => scene(input).is_some(),
            Target::Run => scene(input).is_some_and(|setup| run(setup, 0.05)),
            Target::Csv => csv(input),
            Target::Urdf => robot("robot.urdf", input),
            Target::Mjcf => robot("robot.xml", input),
            Target::Sdf => robot("robot.sdf", input),
            Target::Obj => mesh("mesh.obj", input),
            Target::Stl => mesh("mesh.stl", input),
            Target::Ply => mesh("mesh.ply", input),
            Target::Gltf => mesh("mesh.gltf", input),
            Target::Glb => mesh("mesh.glb", input),
            Target::Collada => mesh("mesh.dae", input),
            Target::Recording => recording(input),
            Target::Checkpoint => checkpoint(input),
            Target::Message => volar_view::reads_message(&String::from_utf8_lossy(input)),
            Target::Grasps => grasps(input),
            Target::Overlap => overlap(input),
        }
    }
}

/// The files that scenes of the corpus name.
fn files() -> Memory {
    let files = Memory::new();
    let files = files.with("robot.urdf", corpus::URDF.as_bytes());
    let files = files.with("robot.xml", corpus::MJCF.as_bytes());
    files.with("mesh.obj", corpus::OBJ.as_bytes())
}

fn scene(input: &[u8]) -> Option<Setup> {
    let text = std::str::from_utf8(input).ok()?;
    let scene = Scene::parse("scene.toml", text).ok()?;
    scene.with_files(Arc::new(files())).compile().ok()
}

fn run(setup: Setup, duration: f64) -> bool {
    let scene = setup.scene.with(&[format!("duration={duration:?}")]);
    let Some(setup) = scene.ok().and_then(|scene| scene.compile().ok()) else {
        return false;
    };
    let mut limit = WallLimit::new(RUN_LIMIT);
    execute(&Arc::new(setup), &Options::default(), &mut [&mut limit]).is_ok()
}

fn csv(input: &[u8]) -> bool {
    let files = Memory::new().with("motion.csv", input.to_vec());
    let scene = Scene::parse("scene.toml", corpus::MOVED).map(|s| s.with_files(Arc::new(files)));
    let setup = scene.and_then(|scene| scene.compile());
    setup.is_ok_and(|setup| run(setup, 0.02))
}

fn robot(name: &str, input: &[u8]) -> bool {
    let files = files().with(name, input.to_vec());
    let library = MeshLibrary::new(&files);
    let loaded = load_from(&library, Path::new(name), &LoadOptions::default());
    let Ok((robot, mut report)) = loaded else {
        return false;
    };
    let links = 0..robot.links.len();
    links
        .map(|link| link_solids(&robot, link, &library, &mut report))
        .all(|solids| solids.is_ok())
}

fn mesh(name: &str, input: &[u8]) -> bool {
    let files = Memory::new().with(name, input.to_vec());
    MeshLibrary::new(&files).solid(Path::new(name)).is_ok()
}

fn recording(input: &[u8]) -> bool {
    let Ok(folder) = tempfile::tempdir() else {
        return false;
    };
    let written = std::fs::write(folder.path().join(volar_record::MCAP_FILE), input);
    let recovered = Recording::recover(folder.path()).is_ok();
    if written.is_ok() && volar_record::repair(folder.path()).is_ok() {
        assert!(recovered, "repaired, but not read");
        let read = Recording::open(folder.path());
        assert!(read.is_ok(), "not whole after a repair: {:?}", read.err());
    }
    recovered
}

fn checkpoint(input: &[u8]) -> bool {
    let Ok(saved) = serde_json::from_slice::<Saved>(input) else {
        return false;
    };
    let Some(setup) = scene(corpus::BLOCKS.as_bytes()) else {
        return false;
    };
    let options = Options {
        resume: Some(saved),
        ..Options::default()
    };
    let mut limit = WallLimit::new(RUN_LIMIT);
    execute(&Arc::new(setup), &options, &mut [&mut limit]).is_ok()
}

/// Endings of lists of grasps.
pub const LISTS: [&str; 6] = ["csv", "parquet", "h5", "json", "yaml", "npy"];

fn grasps(input: &[u8]) -> bool {
    let [kind, input @ ..] = input else {
        return false;
    };
    let Ok(folder) = tempfile::tempdir() else {
        return false;
    };
    let ending = LISTS[usize::from(*kind) % LISTS.len()];
    let path = folder.path().join("grasps").with_extension(ending);
    let written = std::fs::write(&path, input);
    let list = GraspList::open(&path, &ReadOptions::default());
    let Ok(list) = list.map(|list| list.take(10_000)) else {
        return false;
    };
    // A grasp that was read is a pose.
    let sound = |grasp: &Grasp| grasp.X_OH.is_finite();
    assert!(
        list.flatten().all(|grasp| sound(&grasp)),
        "a pose that is none"
    );
    written.is_ok()
}

fn overlap(input: &[u8]) -> bool {
    let case = Case::from_bytes(input);
    if let Err(complaint) = case.check(&mut OverlapKernel::new()) {
        panic!("{complaint}");
    }
    true
}
