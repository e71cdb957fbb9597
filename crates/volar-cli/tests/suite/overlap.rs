//! `volar overlap` as its users meet it.

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde_json::Value;
use volar_geom::mesh::check::check;
use volar_geom::mesh::shapes::cuboid;
use volar_meshes::{ReadOptions, read, write_obj};

use crate::common::run;

/// A file in cargo's own folder for files of tests.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn cube(name: &str) -> String {
    let path = file(name);
    write_obj(&path, &cuboid(DVec3::ONE)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json(args: &[&str]) -> Value {
    let (out, _) = run(args, Path::new("."), 0);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn two_cubes_in_the_world_frame() {
    let cube = cube("world.obj");
    // Both rotated by a quarter about z, 10 m off; they share 0.9 × 0.25 × 0.8 m.
    let poses = [
        "--pose-a",
        "10 0 0 1 0 0 1",
        "--pose-b",
        "10.1 0.75 0.2 1 0 0 1",
    ];
    let mesh = file("world-overlap.obj");
    let answer = json(
        &[
            &[
                "overlap",
                &cube,
                &cube,
                "--json",
                "--mesh",
                mesh.to_str().unwrap(),
            ],
            &poses[..],
        ]
        .concat(),
    );
    assert!((answer["volume"].as_f64().unwrap() - 0.18).abs() < 1e-12);
    let centroid = answer["centroid"].as_array().unwrap();
    for (got, expected) in centroid.iter().zip([10.05, 0.375, 0.1]) {
        assert!(
            (got.as_f64().unwrap() - expected).abs() < 1e-12,
            "{centroid:?}"
        );
    }
    // The face of A that lies in B faces along +y.
    assert!((answer["area_vector_a"][1].as_f64().unwrap() - 0.72).abs() < 1e-12);
    assert!((answer["area_vector_b"][1].as_f64().unwrap() + 0.72).abs() < 1e-12);
    assert_eq!(answer["components"].as_array().unwrap().len(), 1);
    for key in ["crossing_triangles", "inside_triangles"] {
        assert_eq!(answer[key].as_array().unwrap().len(), 2, "{key}");
    }
    assert!(answer["microseconds"].as_f64().unwrap() > 0.0);

    let report = check(&read(&mesh, &ReadOptions::default()).unwrap());
    assert!(report.is_usable(), "{:?}", report.complaints);
    assert!((report.moments.unwrap().volume - 0.18).abs() < 1e-12);
}

#[test]
fn no_overlap_is_an_answer() {
    let cube = cube("apart.obj");
    let answer = json(&[
        "overlap",
        &cube,
        &cube,
        "--pose-b",
        "-3 0 0 1 0 0 0",
        "--json",
    ]);
    assert_eq!(answer["volume"], 0.0);
    assert!(answer["centroid"].is_null());
    assert!(answer["components"].as_array().unwrap().is_empty());
}

#[test]
fn mistakes_are_named() {
    let cube = cube("mistakes.obj");
    let mut open = cuboid(DVec3::ONE);
    open.triangles.pop();
    let open_file = file("open.obj");
    write_obj(&open_file, &open).unwrap();
    let open_file = open_file.to_str().unwrap();
    let cases: [(&[&str], i32, &str); 5] = [
        (
            &["overlap", &cube, "no-such-file.obj"],
            2,
            "no-such-file.obj",
        ),
        (&["overlap", &cube, open_file], 1, "open.obj"),
        (
            &["overlap", &cube, &cube, "--pose-b", "1 2 3"],
            2,
            "3 numbers instead of seven",
        ),
        (
            &["overlap", &cube, &cube, "--pose-b", "0 0 0 0 0 0 0"],
            2,
            "quaternion",
        ),
        (
            &["overlap", &cube, &cube, "--mesh", "no/such/folder/x.obj"],
            2,
            "cannot write",
        ),
    ];
    for (args, status, words) in cases {
        let (_, message) = run(args, Path::new("."), status);
        assert!(message.contains(words), "{args:?}: {message}");
    }
    // The open cube is closed again when asked.
    let answer = json(&["overlap", &cube, open_file, "--repair", "--json"]);
    assert!((answer["volume"].as_f64().unwrap() - 1.0).abs() < 1e-12);
}
