//! Inputs that make careless programs quadratic or worse: each ends in seconds, with a
//! result or a clear error.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::volar;

/// On a machine that does other things too.
const SECONDS: Duration = Duration::from_secs(20);

/// Runs the command on a file; gives its exit status and all it said.
fn said(args: &[&str], name: &str, contents: &[u8]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), contents).unwrap();
    let begun = Instant::now();
    let output = volar(args, folder.path()).arg(name).output().unwrap();
    let took = begun.elapsed();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let code = output
        .status
        .code()
        .unwrap_or_else(|| panic!("{name}: {:?}", output.status));
    println!("{name}: {:.2} s, exit status {code}", took.as_secs_f64());
    assert!(took < SECONDS, "{name}: {took:?}");
    assert!(!text.contains("panicked"), "{text}");
    (code, text)
}

#[allow(clippy::disallowed_methods)] // any circle will do
fn circle(n: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..n).map(move |i| (2.0 * std::f64::consts::PI * i as f64 / n as f64).sin_cos())
}

#[test]
fn a_polygon_of_twenty_thousand_corners() {
    let n = 20_000;
    let mut text = String::new();
    for z in [0.0, 0.1] {
        for (y, x) in circle(n) {
            writeln!(text, "v {} {} {z}", 0.1 * x, 0.1 * y).unwrap();
        }
    }
    let top: Vec<String> = (0..n).map(|i| (n + i + 1).to_string()).collect();
    let bottom: Vec<String> = (0..n).rev().map(|i| (i + 1).to_string()).collect();
    writeln!(text, "f {}\nf {}", top.join(" "), bottom.join(" ")).unwrap();
    for i in 0..n {
        let j = (i + 1) % n;
        writeln!(text, "f {} {} {} {}", i + 1, j + 1, n + j + 1, n + i + 1).unwrap();
    }
    let (code, text) = said(&["check"], "prism.obj", text.as_bytes());
    assert_eq!(code, 0, "{text}");
}

#[test]
fn faces_that_are_there_fifty_thousand_times() {
    let mut text = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    for _ in 0..50_000 {
        text.push_str("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    }
    let (code, text) = said(&["check", "--repair"], "again.obj", text.as_bytes());
    assert!(code <= 1, "{text}");
}

/// Triangles that know nothing of each other, in a cube of 1 m.
fn soup(triangles: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1_u64 << 24) as f32
    };
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles as u32).to_le_bytes());
    for _ in 0..triangles {
        bytes.extend([0; 12]);
        bytes.extend((0..9).flat_map(|_| random().to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn a_soup_of_triangles() {
    let (code, text) = said(&["check"], "soup.stl", &soup(20_000));
    assert_eq!(code, 1, "{text}");
    let (code, text) = said(&["check", "--repair"], "soup.stl", &soup(20_000));
    assert_eq!(code, 1, "{text}");
}

#[test]
fn a_chain_of_a_hundred_thousand_links() {
    let mut text = String::from("<robot name=\"chain\"><link name=\"l0\"/>");
    for i in 1..100_000 {
        write!(
            text,
            "<link name=\"l{i}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\
             <joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"l{i}\"/></joint>",
            i - 1
        )
        .unwrap();
    }
    text.push_str("</robot>");
    let (code, text) = said(&["inspect"], "chain.urdf", text.as_bytes());
    assert_eq!(code, 2);
    assert!(text.contains("more than 1000 links"), "{text}");
}

#[test]
fn counts_that_the_file_does_not_have() {
    let mut stl = soup(1);
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let ply = "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n\
               property float z\nelement face 4000000000\nproperty list uint int vertex_indices\n\
               end_header\n0 0 0\n";
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":4000000000,"uri":"data:;base64,AAAA"}],
        "bufferViews":[{"buffer":0,"byteLength":4000000000}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":300000000,"type":"VEC3"}]}"#;
    for (name, bytes) in [
        ("counts.stl", stl),
        ("counts.ply", ply.as_bytes().to_vec()),
        ("counts.gltf", gltf.as_bytes().to_vec()),
    ] {
        let (code, text) = said(&["check"], name, &bytes);
        assert_eq!(code, 2, "{name}: {text}");
    }
}

/// Wall time of `volar run` of so many boxes for one short step, s.
fn boxes(count: usize, folder: &Path) -> f64 {
    let mut text = String::from("name = \"boxes\"\nduration = 1e-6\n");
    for i in 0..count {
        let (x, y, z) = (i % 10, i / 10 % 10, i / 100);
        write!(
            text,
            "[[body]]\nname = \"b{i}\"\nshape = {{ box = [0.05, 0.05, 0.05] }}\n\
             position = [{}.0, {}.0, {}.0]\n",
            x, y, z
        )
        .unwrap();
    }
    std::fs::write(folder.join("boxes.toml"), text).unwrap();
    let begun = Instant::now();
    let status = volar(&["run", "boxes.toml", "--json"], folder)
        .output()
        .unwrap()
        .status;
    assert!(status.success());
    begun.elapsed().as_secs_f64()
}

#[test]
fn a_thousand_boxes_load_in_proportion() {
    let folder = tempfile::tempdir().unwrap();
    let few = boxes(250, folder.path());
    let many = boxes(1000, folder.path());
    println!("250 boxes {few:.2} s, 1000 boxes {many:.2} s");
    assert!(many < SECONDS.as_secs_f64());
    // Four times as many: quadratic would be 16; a busy machine may double either.
    assert!(many < 12.0 * few + 1.0, "{few} {many}");
}
