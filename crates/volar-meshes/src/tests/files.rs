//! The same cube as a file of every format.

use glam::DVec3;
use volar_geom::TriMesh;
use volar_geom::mesh::shapes::cuboid;

use crate::Format;

pub fn cube() -> TriMesh {
    cuboid(DVec3::ONE)
}

/// A cube in every format and variant, as the bytes of a file.
pub fn files() -> Vec<(&'static str, Format, Vec<u8>)> {
    vec![
        ("obj", Format::Obj, obj(&cube()).into_bytes()),
        ("stl text", Format::Stl, stl_text(&cube()).into_bytes()),
        ("stl binary", Format::Stl, stl_binary(&cube())),
        ("ply text", Format::Ply, ply_text(&cube()).into_bytes()),
        ("ply little endian", Format::Ply, ply_binary(&cube(), false)),
        ("ply big endian", Format::Ply, ply_binary(&cube(), true)),
        ("gltf", Format::Gltf, gltf(&cube(), "").into_bytes()),
        ("glb", Format::Gltf, glb(&cube())),
        ("dae", Format::Collada, dae(&cube()).into_bytes()),
    ]
}

pub fn obj(mesh: &TriMesh) -> String {
    let mut text = String::from("# a cube\no cube\nvn 0 0 1\n");
    for p in &mesh.vertices {
        text += &format!("v {} {} {} 1.0\n", p.x, p.y, p.z);
    }
    for [a, b, c] in &mesh.triangles {
        text += &format!("f {}//1 {}//1 {}\n", a + 1, b + 1, c + 1);
    }
    text
}

pub fn stl_text(mesh: &TriMesh) -> String {
    let mut text = String::from("solid cube\n");
    for t in 0..mesh.triangles.len() {
        text += "facet normal 0 0 0\n outer loop\n";
        for p in mesh.corners(t) {
            text += &format!("  vertex {} {} {}\n", p.x, p.y, p.z);
        }
        text += " endloop\nendfacet\n";
    }
    text + "endsolid cube\n"
}

pub fn stl_binary(mesh: &TriMesh) -> Vec<u8> {
    // Real files begin with "solid" although they are binary.
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for t in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        for p in mesh.corners(t) {
            bytes.extend(p.to_array().iter().flat_map(|&x| (x as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

pub fn ply_header(format: &str, mesh: &TriMesh, real: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment a cube\nelement vertex {}\nproperty uchar red\n\
         property {real} x\nproperty {real} y\nproperty {real} z\nelement face {}\n\
         property list uchar int vertex_indices\nend_header\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
}

pub fn ply_text(mesh: &TriMesh) -> String {
    let mut text = ply_header("ascii", mesh, "float");
    for p in &mesh.vertices {
        text += &format!("255 {} {} {}\n", p.x, p.y, p.z);
    }
    for [a, b, c] in &mesh.triangles {
        text += &format!("3 {a} {b} {c}\n");
    }
    text
}

pub fn ply_binary(mesh: &TriMesh, big_endian: bool) -> Vec<u8> {
    let format = if big_endian {
        "binary_big_endian"
    } else {
        "binary_little_endian"
    };
    let mut bytes = ply_header(format, mesh, "double").into_bytes();
    let mut push = |mut number: Vec<u8>| {
        if big_endian {
            number.reverse();
        }
        bytes.extend(number);
    };
    for p in &mesh.vertices {
        push(vec![255]);
        p.to_array()
            .iter()
            .for_each(|x| push(x.to_le_bytes().to_vec()));
    }
    for t in &mesh.triangles {
        push(vec![3]);
        t.iter().for_each(|v| push(v.to_le_bytes().to_vec()));
    }
    bytes
}

/// Positions and indices as one buffer.
pub fn gltf_buffer(mesh: &TriMesh) -> Vec<u8> {
    let positions = mesh.vertices.iter().flat_map(|p| p.to_array());
    let mut bytes: Vec<u8> = positions.flat_map(|x| (x as f32).to_le_bytes()).collect();
    bytes.extend(
        mesh.triangles
            .iter()
            .flatten()
            .flat_map(|v| v.to_le_bytes()),
    );
    bytes
}

pub fn gltf_json(mesh: &TriMesh, uri: &str, transform: &str) -> String {
    let (vertices, indices) = (mesh.vertices.len(), 3 * mesh.triangles.len());
    let length = gltf_buffer(mesh).len();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{{transform}"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{{uri}"byteLength":{length}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{}}},
                       {{"buffer":0,"byteOffset":{},"byteLength":{}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3",
                       "min":[-1,-1,-1],"max":[1,1,1]}},
                     {{"bufferView":1,"componentType":5125,"count":{indices},"type":"SCALAR"}}]}}"#,
        12 * vertices,
        12 * vertices,
        4 * indices
    )
}

pub fn gltf(mesh: &TriMesh, transform: &str) -> String {
    use base64::Engine as _;
    let code = base64::engine::general_purpose::STANDARD.encode(gltf_buffer(mesh));
    let uri = format!(r#""uri":"data:application/octet-stream;base64,{code}","#);
    gltf_json(mesh, &uri, transform)
}

pub fn glb(mesh: &TriMesh) -> Vec<u8> {
    let mut json = gltf_json(mesh, "", "").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let buffer = gltf_buffer(mesh);
    let length = 12 + 8 + json.len() + 8 + buffer.len();
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &buffer)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

pub fn dae(mesh: &TriMesh) -> String {
    let numbers = |values: Vec<String>| values.join(" ");
    let positions = numbers(
        mesh.vertices
            .iter()
            .flat_map(|p| p.to_array())
            .map(|x| (x * 100.0).to_string())
            .collect(),
    );
    let indices = numbers(
        mesh.triangles
            .iter()
            .flatten()
            .flat_map(|v| [v.to_string(), "0".into()])
            .collect(),
    );
    format!(
        r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
 <library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array id="a" count="24">{positions}</float_array>
   <technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles count="12">
   <input semantic="VERTEX" source="#v" offset="0"/>
   <input semantic="NORMAL" source="#p" offset="1"/>
   <p>{indices}</p>
  </triangles>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="s"><node>
  <instance_geometry url="#g"/>
 </node></visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##
    )
}
