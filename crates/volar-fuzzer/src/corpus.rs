//! Where mutations start from: small files of every kind, and those that once broke
//! something (`corpus/KIND` beside the sources).

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use volar_assets::Memory;
use volar_geom::Pose;
use volar_grasps::{Format, Grasp, Header, Holds, Posture};
use volar_run::{Options, Recorder, execute};
use volar_scene::Scene;

use crate::targets::{LISTS, Target};

/// A hand with two links, a mimic and a mesh.
pub const URDF: &str = include_str!("../corpus/urdf/hand.urdf");
/// The same as MJCF, with defaults, tendon and actuator.
pub const MJCF: &str = include_str!("../corpus/mjcf/hand.xml");
/// A tetrahedron.
pub const OBJ: &str = include_str!("../corpus/obj/tetrahedron.obj");
/// Two blocks on the ground.
pub const BLOCKS: &str = include_str!("../corpus/scene/blocks.toml");
/// A body whose motion is a table.
pub const MOVED: &str = "name = \"moved\"\nduration = 0.02\n[[body]]\nname = \"tray\"\n\
                         shape = { box = [0.1, 0.1, 0.1] }\nmotion = { csv = { file = \"motion.csv\" } }\n";

/// The files of a kind.
pub struct Corpus(Vec<Vec<u8>>);

impl Corpus {
    pub fn of(target: Target) -> Result<Corpus> {
        let kind = match target {
            Target::Run => Target::Scene,
            other => other,
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("corpus")
            .join(kind.name());
        let mut paths = Vec::new();
        if folder.is_dir() {
            for entry in std::fs::read_dir(&folder).context("cannot read the corpus")? {
                paths.push(entry?.path());
            }
        }
        paths.sort();
        let read = paths
            .iter()
            .map(std::fs::read)
            .collect::<std::io::Result<Vec<_>>>();
        let mut files = read.context("cannot read the corpus")?;
        files.extend(made(target)?);
        Ok(Corpus(files))
    }

    pub fn files(&self) -> Vec<&[u8]> {
        self.0.iter().map(Vec::as_slice).collect()
    }
}

/// Files that are no text are made by our own writers.
fn made(target: Target) -> Result<Vec<Vec<u8>>> {
    Ok(match target {
        Target::Stl => vec![binary_stl()],
        Target::Glb => vec![glb()],
        Target::Recording => vec![recording()?],
        Target::Checkpoint => vec![checkpoint()?],
        Target::Grasps => grasps()?,
        Target::Overlap => (0..8)
            .map(|k| (0..64).map(|i| (i * (2 * k + 1)) as u8).collect())
            .collect(),
        _ => Vec::new(),
    })
}

const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
const FACES: [[u16; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((FACES.len() as u32).to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        for corner in face {
            bytes.extend(
                CORNERS[usize::from(corner)]
                    .iter()
                    .flat_map(|x| x.to_le_bytes()),
            );
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn glb() -> Vec<u8> {
    let mut data: Vec<u8> = FACES
        .iter()
        .flatten()
        .flat_map(|i| i.to_le_bytes())
        .collect();
    data.extend(CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()));
    let mut json =
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":1},"indices":0}]}],"buffers":[{"byteLength":72}],
"bufferViews":[{"buffer":0,"byteLength":24},{"buffer":0,"byteOffset":24,"byteLength":48}],
"accessors":[{"bufferView":0,"componentType":5123,"count":12,"type":"SCALAR"},
{"bufferView":1,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[0.1,0.1,0.1]}]}"#
            .to_owned();
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let length = 12 + 8 + json.len() + 8 + data.len();
    let mut bytes = b"glTF".to_vec();
    let number = |bytes: &mut Vec<u8>, value: usize| bytes.extend((value as u32).to_le_bytes());
    number(&mut bytes, 2);
    number(&mut bytes, length);
    number(&mut bytes, json.len());
    bytes.extend(b"JSON");
    bytes.extend(json.bytes());
    number(&mut bytes, data.len());
    bytes.extend(b"BIN\0");
    bytes.extend(data);
    bytes
}

fn blocks() -> Result<Arc<volar_scene::Setup>> {
    let scene = Scene::parse("blocks.toml", BLOCKS)?.with_files(Arc::new(Memory::new()));
    Ok(Arc::new(scene.compile()?))
}

fn recording() -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let mut recorder = Recorder::new(folder.path());
    execute(&blocks()?, &Options::default(), &mut [&mut recorder])?;
    Ok(std::fs::read(folder.path().join(volar_record::MCAP_FILE))?)
}

fn checkpoint() -> Result<Vec<u8>> {
    let outcome = execute(&blocks()?, &Options::default(), &mut [])?;
    Ok(serde_json::to_vec(&outcome.saved)?)
}

/// A small list in every format, after a byte that says which.
fn grasps() -> Result<Vec<Vec<u8>>> {
    let folder = tempfile::tempdir()?;
    let posture = Posture {
        joints: vec![0.1, 0.2],
        X_OH: None,
    };
    let grasp = Grasp {
        grasp: Some(posture),
        label: Some(true),
        ..Grasp::at(Pose::IDENTITY)
    };
    let header = Header {
        joints: vec!["a".into(), "b".into()],
        holds: Holds {
            grasp: true,
            ..Holds::default()
        },
        ..Header::default()
    };
    let mut files = Vec::new();
    for (_, format) in Format::ALL {
        for (number, ending) in (0..).zip(LISTS) {
            let path = folder.path().join("grasps").with_extension(ending);
            let rows = [Ok(grasp.clone()), Ok(grasp.clone())];
            if volar_grasps::write_as(&path, format, &header, rows).is_ok() {
                let mut file: Vec<u8> = vec![number];
                file.extend(std::fs::read(&path)?);
                files.push(file);
            }
        }
    }
    Ok(files)
}
