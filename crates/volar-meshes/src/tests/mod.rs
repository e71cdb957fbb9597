//! Readers against good files, bad files and noise.

use glam::{DMat3, DVec3, EulerRot};
use volar_assets::Memory;
use volar_geom::mesh::check::check;
use volar_geom::mesh::shapes::cuboid;

mod files;

use super::*;
use files::*;

const FORMATS: [Format; 5] = [
    Format::Obj,
    Format::Stl,
    Format::Ply,
    Format::Gltf,
    Format::Collada,
];

fn parsed(bytes: &[u8], format: Format) -> Result<TriMesh, Flaw> {
    let beside = Beside {
        source: &Memory::new(),
        folder: Path::new(""),
    };
    parse(bytes, format, &beside)
}

fn problem(bytes: &[u8], format: Format) -> String {
    let flaw = parsed(bytes, format).unwrap_err();
    format!("{}: {}", flaw.place, flaw.problem)
}

#[test]
fn every_format_gives_the_same_cube() {
    for (name, format, bytes) in files() {
        let mesh = parsed(&bytes, format).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let report = check(&mesh);
        assert_eq!(report.complaints, [], "{name}");
        assert_eq!((report.vertices, report.triangles), (8, 12), "{name}");
        let volume = report.moments.unwrap().volume;
        assert!((volume - 1.0).abs() < 1e-15, "{name}: {volume}");
    }
}

#[test]
fn contents_tell_the_format_when_the_name_does_not() {
    for (name, format, bytes) in files() {
        assert_eq!(
            Format::of(Path::new("mesh"), &bytes),
            Some(format),
            "{name}"
        );
    }
    assert_eq!(Format::of(Path::new("x.txt"), b"hello world"), None);
    assert_eq!(Format::of(Path::new("X.STL"), b""), Some(Format::Stl));
}

#[test]
fn text_formats_keep_f64() {
    let x = 0.123_456_789_012_345_68_f64;
    let mesh = cuboid(DVec3::splat(2.0 * x));
    for (format, text) in [
        (Format::Obj, obj(&mesh)),
        (Format::Stl, stl_text(&mesh)),
        (Format::Ply, ply_text(&mesh)),
    ] {
        let read = parsed(text.as_bytes(), format).unwrap();
        assert_eq!(read.vertices[0].x.abs().to_bits(), x.to_bits(), "{format}");
    }
}

#[test]
fn scale_and_transform_are_applied() {
    let folder = Folder::new("scale");
    let path = folder.write("cube.stl", &stl_binary(&cube()));
    let R = DMat3::from_euler(EulerRot::XYZ, 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let transform = Pose {
        R,
        p: DVec3::new(1.0, 2.0, 3.0),
    };
    let options = ReadOptions {
        scale: 0.5,
        transform,
    };
    let mesh = read(&path, &options).unwrap();
    let report = check(&mesh);
    assert!((report.moments.unwrap().volume - 0.125).abs() < 1e-15);
    assert!((report.moments.unwrap().centroid - transform.p).length() < 1e-15);
    let bad = ReadOptions {
        scale: -1.0,
        ..ReadOptions::default()
    };
    assert!(read(&path, &bad).is_err());
}

#[test]
fn nodes_place_and_mirror_gltf_meshes() {
    let text = gltf(&cube(), r#""translation":[5,0,0],"scale":[-2,1,1],"#);
    let report = check(&parsed(text.as_bytes(), Format::Gltf).unwrap());
    assert_eq!(report.complaints, []);
    let moments = report.moments.unwrap();
    assert!((moments.volume - 2.0).abs() < 1e-15);
    assert!((moments.centroid.x - 5.0).abs() < 1e-15);
}

#[test]
fn nodes_place_collada_meshes() {
    let text = dae(&cube())
        .replace(
            "<node>",
            r##"<node><translate>500 0 0</translate><rotate>0 0 1 90</rotate>
                <node><scale>2 1 1</scale><instance_node url="#n"/></node></node>
                <node id="n"><translate>0 300 0</translate>"##,
        )
        .replace("<triangles count", "<polylist count")
        .replace(
            "</triangles>",
            "<vcount>3 3 3 3 3 3 3 3 3 3 3 3</vcount></polylist>",
        );
    let report = check(&parsed(text.as_bytes(), Format::Collada).unwrap());
    assert_eq!(report.complaints, []);
    // Once by its own node, once rotated and stretched by the other: the
    // transforms apply from the innermost out, in centimetres.
    let mut volumes: Vec<f64> = report.shells.iter().map(|s| s.volume.unwrap()).collect();
    volumes.sort_by(f64::total_cmp);
    assert!((volumes[0] - 1.0).abs() < 1e-12 && (volumes[1] - 2.0).abs() < 1e-12);
    let centroid = report.moments.unwrap().centroid;
    let wanted = (DVec3::new(0.0, 3.0, 0.0) + 2.0 * DVec3::new(2.0, 0.0, 0.0)) / 3.0;
    assert!((centroid - wanted).length() < 1e-12, "{centroid}");
}

#[test]
fn a_gltf_buffer_in_its_own_file_is_found_beside_it() {
    let folder = Folder::new("gltf");
    folder.write("cube data.bin", &gltf_buffer(&cube()));
    let json = gltf_json(&cube(), r#""uri":"cube%20data.bin","#, "");
    let path = folder.write("cube.gltf", json.as_bytes());
    assert_eq!(
        read(&path, &ReadOptions::default())
            .unwrap()
            .triangles
            .len(),
        12
    );
    let json = gltf_json(&cube(), r#""uri":"missing.bin","#, "");
    let path = folder.write("cube.gltf", json.as_bytes());
    let error = read(&path, &ReadOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("missing.bin"), "{error}");
}

#[test]
fn polygons_and_negative_indices_are_read() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 \\\n -2 -1\n";
    let mesh = parsed(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn written_meshes_read_back_the_same() {
    let folder = Folder::new("write");
    let mut mesh = volar_geom::mesh::shapes::icosphere(0.1, 2);
    mesh.vertices[0] = DVec3::new(1e-300, -0.1 / 3.0, 12_345.678_9e7);
    let path = folder.path("out.obj");
    write_obj(&path, &mesh).unwrap();
    assert_eq!(read(&path, &ReadOptions::default()).unwrap(), mesh);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let expect = |format, text: &str, wanted: &[&str]| {
        let got = problem(text.as_bytes(), format);
        for part in wanted {
            assert!(got.contains(part), "{got:?} lacks {part:?}");
        }
    };
    expect(Format::Obj, "v 0 0 zero\n", &["line 1", "'zero'"]);
    expect(Format::Obj, "v 0 0 0\n\nv 0 nan 0\n", &["line 3", "NaN"]);
    expect(
        Format::Obj,
        "v 0 0 0\nf 1 2 3\n",
        &["line 2", "vertex 2", "only 1"],
    );
    expect(
        Format::Obj,
        "v 0 0 0\nf 1 1\n",
        &["line 2", "needs 3 values, found 2"],
    );
    expect(Format::Obj, "v 0 0 0\n", &["no triangles"]);
    expect(Format::Obj, "<html>\n", &["line 1", "an OBJ statement"]);
    expect(Format::Obj, "", &["empty"]);
    expect(
        Format::Stl,
        "solid x\nfacet normal 0 0 0\nvertex 0 0\n",
        &["line 3"],
    );
    expect(Format::Stl, "hello", &["'solid' or a binary header"]);
    expect(
        Format::Ply,
        "ply\nformat ascii 1.0\nelement vertex many\n",
        &["line 3", "'many'"],
    );
    expect(Format::Ply, "obj\n", &["line 1", "'ply'"]);
    expect(Format::Gltf, "{}", &["asset"]);
    expect(Format::Collada, "<COLLADA><a></COLLADA>", &["line 1"]);
    expect(Format::Collada, "<kml></kml>", &["<COLLADA>", "kml"]);
    let broken = dae(&cube()).replace("<p>0 0 1", "<p>0 0 99");
    expect(Format::Collada, &broken, &["vertex 99", "only 8"]);
    let broken = gltf(&cube(), "").replace("\"count\":36", "\"count\":360000000");
    expect(Format::Gltf, &broken, &["360000000 items"]);
    let broken = ply_text(&cube()).replace("3 0 1 3", "3 0 1 8");
    expect(Format::Ply, &broken, &["face 0", "vertex 8"]);
}

#[test]
fn a_file_cut_short_anywhere_is_an_error_or_a_smaller_mesh() {
    for (name, format, bytes) in files() {
        for length in 0..bytes.len() {
            // Lines of OBJ stand alone, so a part of the file is a file.
            // What follows the last needed byte of a JSON or XML file may go.
            let result = parsed(&bytes[..length], format);
            if format != Format::Obj && length + 16 < bytes.len() {
                assert!(result.is_err(), "{name} cut at {length} of {}", bytes.len());
            }
        }
    }
}

#[test]
fn a_header_that_promises_too_much_costs_nothing() {
    let mut stl = stl_binary(&cube());
    stl[0] = b'S';
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let got = problem(&stl, Format::Stl);
    assert!(got.contains("4294967295 triangles"), "{got}");
    let ply = ply_text(&cube()).replace("vertex 8", "vertex 18446744073709551615");
    let got = problem(ply.as_bytes(), Format::Ply);
    assert!(got.contains("18446744073709551615"), "{got}");
    let ply = "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\nend_header\n";
    assert!(parsed(ply.as_bytes(), Format::Ply).is_err());
}

#[test]
fn folders_and_missing_files_are_told_apart() {
    let folder = Folder::new("missing");
    let error = |path: &Path| read(path, &ReadOptions::default()).unwrap_err();
    assert!(matches!(
        error(&folder.path("")),
        FileError::Asset(AssetError::NotAFile { .. })
    ));
    assert!(matches!(
        error(&folder.path("no.obj")),
        FileError::Asset(AssetError::Io { .. })
    ));
    let path = folder.write("notes.txt", b"dear diary");
    assert!(matches!(error(&path), FileError::UnknownFormat { .. }));
}

#[test]
fn noise_never_panics() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for format in FORMATS {
        for _ in 0..300 {
            let length = random.below(400);
            let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            let _ = parsed(&bytes, format);
        }
    }
    // Good files with a few bytes changed get further into the readers.
    for (_, format, bytes) in files() {
        for _ in 0..2000 {
            let mut bytes = bytes.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(3) {
                    0 => random.below(256) as u8,
                    1 => b"0123456789-.e \n"[random.below(15)],
                    _ => bytes[at] ^ (1 << random.below(8)),
                };
            }
            if let Ok(mesh) = parsed(&bytes, format) {
                let count = mesh.vertices.len();
                assert!(
                    mesh.triangles
                        .iter()
                        .flatten()
                        .all(|&v| (v as usize) < count)
                );
                assert!(mesh.vertices.iter().all(|p| p.is_finite()));
                let _ = check(&mesh);
            }
        }
    }
}

/// A small generator with a fixed seed [Steele 2014, splitmix64].
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// A folder that goes away with the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("volar-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, file: &str) -> std::path::PathBuf {
        self.0.join(file)
    }

    fn write(&self, file: &str, bytes: &[u8]) -> std::path::PathBuf {
        let path = self.path(file);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
