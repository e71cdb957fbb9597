//! STL, binary and text.
//!
//! An STL file is a list of triangles that share no vertices, so corners with
//! equal coordinates are made one vertex: that is what the format means. The
//! stored normals are ignored, the order of the corners counts. Read here
//! rather than by a crate because the declared count has to agree with the
//! length of the file (also in binary files that begin with "solid"), text is
//! read as f64, and errors name their line.

use glam::DVec3;
use volar_geom::TriMesh;

use crate::error::{Flaw, Problem};
use crate::obj::position;
use crate::weld::Welder;

const HEADER: usize = 80;
const START: usize = HEADER + 4;
const RECORD: usize = 50;

pub(crate) fn parse(bytes: &[u8]) -> Result<TriMesh, Flaw> {
    if is_binary(bytes) {
        return parse_binary(bytes);
    }
    if bytes.trim_ascii_start().starts_with(b"solid") {
        return parse_text(&String::from_utf8_lossy(bytes));
    }
    // Neither kind: most likely a binary file that was cut short.
    match declared_triangles(bytes) {
        Some(declared) if bytes.len() > START => Err(Problem::Truncated {
            expected: format!(
                "its header promises {declared} triangles ({} bytes), it has {} bytes",
                START as u64 + u64::from(declared) * RECORD as u64,
                bytes.len()
            ),
        }
        .into()),
        _ => Err(Problem::unexpected(
            "'solid' or a binary header",
            &String::from_utf8_lossy(&bytes[..bytes.len().min(HEADER)]),
        )
        .into()),
    }
}

/// True when the length is what the count after the header asks for. Binary
/// files may begin with "solid" like text, so the length is the only sign;
/// some writers pad the end.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let Some(declared) = declared_triangles(bytes) else {
        return false;
    };
    let needed = START as u64 + u64::from(declared) * RECORD as u64;
    let given = bytes.len() as u64;
    given == needed || (given > needed && declared > 0 && !bytes.starts_with(b"solid"))
}

fn declared_triangles(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(HEADER..START)?;
    Some(u32::from_le_bytes(count.try_into().ok()?))
}

fn parse_binary(bytes: &[u8]) -> Result<TriMesh, Flaw> {
    let declared = declared_triangles(bytes).unwrap_or(0) as usize;
    let mut welder = Welder::default();
    let mut triangles = Vec::with_capacity(declared.min(bytes.len() / RECORD));
    for (index, record) in bytes[START..]
        .chunks_exact(RECORD)
        .take(declared)
        .enumerate()
    {
        // Twelve floats: the normal, then three corners. Two bytes follow.
        let number = |i: usize| {
            let at = 4 * i;
            f64::from(f32::from_le_bytes([
                record[at],
                record[at + 1],
                record[at + 2],
                record[at + 3],
            ]))
        };
        let mut triangle = [0; 3];
        for (k, slot) in triangle.iter_mut().enumerate() {
            let first = 3 + 3 * k;
            let p = DVec3::new(number(first), number(first + 1), number(first + 2));
            *slot = add_corner(&mut welder, p).map_err(|e| e.in_item("triangle", index))?;
        }
        triangles.push(triangle);
    }
    Ok(welder.into_mesh(triangles))
}

fn parse_text(text: &str) -> Result<TriMesh, Flaw> {
    let mut welder = Welder::default();
    let mut triangles = Vec::new();
    let mut corners: Vec<u32> = Vec::new();
    let mut last_line = 0;
    let mut ended = false;
    for (index, line) in text.lines().enumerate() {
        let at = index + 1;
        last_line = at;
        let mut words = line.split_whitespace();
        let keyword = words.next().unwrap_or_default().to_ascii_lowercase();
        match keyword.as_str() {
            "" | "outer" | "endloop" => {}
            // Several solids may follow each other; they form one mesh.
            "solid" => ended = false,
            "endsolid" => ended = true,
            "facet" => corners.clear(),
            "vertex" => {
                let corner = position(words)
                    .and_then(|p| add_corner(&mut welder, p))
                    .map_err(|e| e.on_line(at))?;
                corners.push(corner);
            }
            "endfacet" => match *corners {
                [a, b, c] => triangles.push([a, b, c]),
                _ => {
                    return Err(Problem::TooFew {
                        what: "a facet",
                        needed: 3,
                        found: corners.len(),
                    }
                    .on_line(at));
                }
            },
            other => return Err(Problem::unexpected("an STL statement", other).on_line(at)),
        }
    }
    if !ended {
        return Err(Problem::Truncated {
            expected: "before 'endsolid'".into(),
        }
        .on_line(last_line));
    }
    Ok(welder.into_mesh(triangles))
}

fn add_corner(welder: &mut Welder, p: DVec3) -> Result<u32, Problem> {
    if let Some(&value) = p.to_array().iter().find(|c| !c.is_finite()) {
        return Err(Problem::NotFinite { value });
    }
    welder.vertex(p).ok_or(Problem::TooManyVertices)
}
