//! `volar check` as its users meet it: files in, text and exit status out.

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde_json::Value;
use volar_geom::mesh::shapes::{cuboid, icosphere};
use volar_geom::{Pose, TriMesh};
use volar_meshes::write_obj;

use crate::common;

const USABLE: i32 = 0;
const NOT_USABLE: i32 = 1;
const BAD_INPUT: i32 = 2;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("volar-check-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn mesh(&self, file: &str, mesh: &TriMesh) -> PathBuf {
        let path = self.path(file);
        write_obj(&path, mesh).unwrap();
        path
    }

    fn bytes(&self, file: &str, bytes: &[u8]) -> PathBuf {
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

/// Runs the command on files and expects an exit status.
fn checked(options: &[&str], files: &[&Path], status: i32) -> (String, String) {
    let files = files.iter().map(|file| file.to_str().unwrap());
    let mut args = vec!["check"];
    args.extend(options);
    args.extend(files);
    common::run(&args, Path::new("."), status)
}

/// All that the command prints.
fn run(options: &[&str], files: &[&Path], status: i32) -> String {
    let (out, err) = checked(options, files, status);
    out + &err
}

fn json(options: &[&str], files: &[&Path], status: i32) -> Value {
    let (out, _) = checked(&[&["--json"], options].concat(), files, status);
    serde_json::from_str(&out).unwrap()
}

fn cube() -> TriMesh {
    cuboid(DVec3::ONE)
}

fn at(mesh: TriMesh, x: f64, y: f64, z: f64) -> TriMesh {
    mesh.transformed(1.0, &Pose::from_translation(DVec3::new(x, y, z)))
}

fn joined(parts: [TriMesh; 2]) -> TriMesh {
    let [mut all, part] = parts;
    let offset = all.vertices.len() as u32;
    all.vertices.extend(part.vertices);
    all.triangles
        .extend(part.triangles.iter().map(|t| t.map(|v| v + offset)));
    all
}

fn edited(mut mesh: TriMesh, edit: impl FnOnce(&mut TriMesh)) -> TriMesh {
    edit(&mut mesh);
    mesh
}

#[test]
fn a_good_cube_is_usable_and_measured() {
    let folder = Folder::new("good");
    let file = folder.mesh("cube.obj", &at(cube(), 10.0, 0.0, 0.0));
    let text = run(&[], &[&file], USABLE);
    assert!(text.contains("cube.obj: usable"), "{text}");
    let output = json(&["--density", "1000"], &[&file], USABLE);
    let found = &output["files"][0];
    assert_eq!(found["usable"], true);
    assert_eq!(found["triangles"], 12);
    let number = |value: &Value, wanted: f64| {
        let got = value.as_f64().unwrap();
        assert!((got - wanted).abs() < 1e-9, "{got} is not {wanted}");
    };
    number(&found["volume"], 1.0);
    number(&found["mass"], 1000.0);
    number(&found["density"], 1000.0);
    number(&found["centre_of_mass"][0], 10.0);
    number(&found["inertia"][1][1], 1000.0 / 6.0);
    number(&found["bounds"]["max"][0], 10.5);
    assert_eq!(found["complaints"], Value::Array(Vec::new()));
    let output = json(&["--mass", "3"], &[&file], USABLE);
    number(&output["files"][0]["inertia"][0][0], 0.5);
}

#[test]
fn every_defect_is_named_and_the_repairable_are_repaired() {
    let folder = Folder::new("defects");
    let hole = edited(cube(), |m| m.triangles.truncate(11));
    let flipped = edited(cube(), |m| m.triangles[2].swap(0, 1));
    let doubled = edited(cube(), |m| m.triangles.push(m.triangles[4]));
    let inside_out = edited(cube(), |m| {
        m.triangles.iter_mut().for_each(|t| t.swap(0, 1))
    });
    let fin = edited(cube(), |m| {
        m.vertices.push(DVec3::splat(2.0));
        m.triangles.push([0, 1, 8]);
    });
    let nested = joined([cube(), cuboid(DVec3::splat(0.5))]);
    let crossing = joined([cube(), at(cube(), 0.5, 0.5, 0.5)]);
    let folded = edited(icosphere(1.0, 2), |m| m.vertices[0] *= -1.25);
    for (name, mesh, defect) in [
        ("hole", hole, "open_edges"),
        ("flipped", flipped, "flipped_neighbours"),
        ("doubled", doubled, "duplicate_faces"),
        ("inside out", inside_out, "inside_out_shells"),
        ("fin", fin, "crowded_edges"),
        ("nested", nested, "redundant_shells"),
        ("crossing", crossing, "crossing_shells"),
        ("folded", folded, "self_intersections"),
    ] {
        let file = folder.mesh(&format!("{name}.obj"), &mesh);
        let text = run(&[], &[&file], NOT_USABLE);
        assert!(text.contains("NOT usable"), "{text}");
        assert!(text.contains(" at ("), "{name} has no place: {text}");
        assert!(text.contains("remedy: "), "{name} has no remedy: {text}");
        let output = json(&[], &[&file], NOT_USABLE);
        let complaints = output["files"][0]["complaints"].as_array().unwrap();
        let complaint = complaints.iter().find(|c| c["defect"] == defect);
        let complaint = complaint.unwrap_or_else(|| panic!("{name}: {complaints:?}"));
        assert_eq!(complaint["severity"], "unusable");
        assert!(complaint["count"].as_u64().unwrap() > 0);
        assert!(!complaint["places"].as_array().unwrap().is_empty());

        let text = run(&["--repair"], &[&file], USABLE);
        assert!(text.contains("usable after repair"), "{text}");
        assert!(text.contains("step: "), "{text}");
    }
}

#[test]
fn a_repaired_mesh_can_be_written_and_used() {
    let folder = Folder::new("write");
    let crossing = joined([cube(), at(cube(), 0.5, 0.5, 0.5)]);
    let file = folder.mesh("two.obj", &crossing);
    let out = folder.path("one.obj");
    let out_text = out.display().to_string();
    run(&["--repair", "--write", &out_text], &[&file], USABLE);
    let output = json(&[], &[&out], USABLE);
    let volume = output["files"][0]["volume"].as_f64().unwrap();
    assert!((volume - 1.875).abs() < 1e-12, "{volume}");
    let text = run(&["--write", &out_text], &[&file, &file], BAD_INPUT);
    assert!(text.contains("--write takes one mesh"), "{text}");
    let nowhere = folder.path("no/such/folder/x.obj").display().to_string();
    run(&["--write", &nowhere], &[&out], BAD_INPUT);
}

#[test]
fn holes_beyond_the_limit_need_the_hull() {
    let folder = Folder::new("hull");
    let open = edited(icosphere(1.0, 2), |m| {
        m.triangles.retain(|t| !t.contains(&0))
    });
    let file = folder.mesh("open.obj", &open);
    let text = run(&["--repair", "--fill-holes", "4"], &[&file], NOT_USABLE);
    assert!(text.contains("left 1 hole open"), "{text}");
    let text = run(
        &["--repair", "--fill-holes", "4", "--hull"],
        &[&file],
        USABLE,
    );
    assert!(text.contains("replaced by its convex hull"), "{text}");
    // Options that only a repair reads are not passed over in silence.
    run(&["--hull"], &[&file], BAD_INPUT);
}

#[test]
fn the_worst_of_many_files_decides() {
    let folder = Folder::new("many");
    let good = folder.mesh("good.obj", &cube());
    let open = folder.mesh("open.obj", &edited(cube(), |m| m.triangles.truncate(11)));
    let missing = folder.path("missing.stl");
    let text = run(&[], &[&good, &open], NOT_USABLE);
    assert!(text.contains("1 of 2 usable"), "{text}");
    let text = run(&[], &[&missing, &good, &open], BAD_INPUT);
    assert!(
        text.contains("missing.stl") && text.contains("1 of 3 usable"),
        "{text}"
    );
    let output = json(&[], &[&missing, &good], BAD_INPUT);
    assert!(
        output["files"][0]["error"]
            .as_str()
            .unwrap()
            .contains("missing.stl")
    );
    assert_eq!(output["files"][0]["volume"], Value::Null);
    assert_eq!(output["files"][1]["usable"], true);
}

#[test]
fn files_that_are_no_meshes_are_bad_input() {
    let folder = Folder::new("bad");
    for (name, bytes, wanted) in [
        ("empty.obj", b"".as_slice(), "empty"),
        ("page.obj", b"<html><body>", "line 1"),
        ("notes.txt", b"dear diary", "not a known mesh format"),
        ("photo.stl", b"\x89PNG\r\n\x1a\n", "expected"),
        (
            "cut.ply",
            b"ply\nformat ascii 1.0\nelement vertex 3\n",
            "ends too early",
        ),
        (
            "cut.glb",
            b"glTF\x02\0\0\0\xff\xff\xff\xff",
            "ends too early",
        ),
        (
            "cut.gltf",
            b"{\"asset\": {\"version\"",
            "not a glTF document",
        ),
        ("cut.dae", b"<COLLADA><asset>", "not well-formed"),
    ] {
        let text = run(&[], &[&folder.bytes(name, bytes)], BAD_INPUT);
        assert!(text.contains(name) && text.contains(wanted), "{text}");
    }
    let text = run(&[], &[&folder.path("")], BAD_INPUT);
    assert!(text.contains("not a file"), "{text}");
    let good = folder.mesh("good.obj", &cube());
    run(&["--scale", "0"], &[&good], BAD_INPUT);
    run(&["--mass", "-1"], &[&good], BAD_INPUT);
    run(&["--mass", "1", "--density", "1"], &[&good], BAD_INPUT);
    run(&[], &[], BAD_INPUT);
}

#[test]
fn the_scale_makes_metres_of_millimetres() {
    let folder = Folder::new("scale");
    let file = folder.mesh("link.obj", &cuboid(DVec3::splat(20.0)));
    let output = json(&["--scale", "0.001"], &[&file], USABLE);
    let volume = output["files"][0]["volume"].as_f64().unwrap();
    assert!((volume - 8e-6).abs() < 1e-18, "{volume}");
}

#[test]
fn help_shows_examples() {
    let text = run(&["--help"], &[], USABLE);
    assert!(text.contains("volar check --repair"), "{text}");
    assert!(text.contains("Exit status"), "{text}");
}

#[test]
fn lines_fit_a_narrow_terminal() {
    let folder = Folder::new("narrow");
    let file = folder.mesh("x.obj", &edited(cube(), |m| m.triangles.truncate(11)));
    let name_length = file.display().to_string().chars().count();
    for line in run(&[], &[&file], NOT_USABLE).lines() {
        let length = line.chars().count();
        assert!(length <= 80.max(name_length + 12), "{length}: {line}");
    }
}
