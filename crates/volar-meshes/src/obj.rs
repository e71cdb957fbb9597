//! Wavefront OBJ: the vertices and faces of all its objects and groups.
//!
//! Written here rather than taken from a crate so that an error names its
//! line and a statement from some other format is not passed over.

use glam::DVec3;
use volar_geom::TriMesh;

use crate::error::{Flaw, Problem};
use volar_solids::triangulate;

/// Statements that say nothing about the surface: attributes, names,
/// grouping, materials, display, points and lines.
const IGNORED: [&str; 26] = [
    "vt",
    "vn",
    "vp",
    "o",
    "g",
    "s",
    "mg",
    "p",
    "l",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "call",
    "csh",
    "con",
    "bmat",
    "step",
];

pub(crate) fn parse(bytes: &[u8]) -> Result<TriMesh, Flaw> {
    // Names and comments may be in any encoding; statements are ASCII.
    let text = String::from_utf8_lossy(bytes);
    let mut mesh = TriMesh::default();
    for (line, statement) in statements(&text) {
        parse_statement(&statement, &mut mesh).map_err(|problem| problem.on_line(line))?;
    }
    Ok(mesh)
}

/// The statements with the number of their first line: comments cut off,
/// lines that end in a backslash joined with the next.
fn statements(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (first, line) = lines.next()?;
        let mut statement = String::new();
        let mut rest = line;
        loop {
            rest = rest.split('#').next().unwrap_or_default().trim_end();
            match rest.strip_suffix('\\') {
                Some(part) => statement.push_str(part),
                None => {
                    statement.push_str(rest);
                    break;
                }
            }
            statement.push(' ');
            rest = match lines.next() {
                Some((_, next)) => next,
                None => break,
            };
        }
        Some((first + 1, statement))
    })
}

fn parse_statement(statement: &str, mesh: &mut TriMesh) -> Result<(), Problem> {
    let mut words = statement.split_whitespace();
    match words.next() {
        None => Ok(()),
        Some("v") => {
            mesh.vertices.push(position(words)?);
            Ok(())
        }
        Some("f" | "fo") => {
            let corners = words
                .map(|word| corner(word, mesh.vertices.len()))
                .collect::<Result<Vec<u32>, Problem>>()?;
            push_polygon(mesh, &corners)
        }
        Some("curv" | "curv2" | "surf" | "cstype" | "deg" | "parm" | "trim" | "hole" | "end") => {
            Err(Problem::Unsupported {
                feature: "a free-form curve or surface".into(),
            })
        }
        Some(keyword) if IGNORED.contains(&keyword) => Ok(()),
        Some(keyword) => Err(Problem::unexpected("an OBJ statement", keyword)),
    }
}

/// The first three of some words as a position. A weight or a colour may
/// follow and does not matter.
pub(crate) fn position<'a>(words: impl Iterator<Item = &'a str>) -> Result<DVec3, Problem> {
    let mut p = [0.0; 3];
    let mut found = 0;
    for (slot, word) in p.iter_mut().zip(words) {
        *slot = coordinate(word)?;
        found += 1;
    }
    if found < 3 {
        return Err(Problem::TooFew {
            what: "a vertex",
            needed: 3,
            found,
        });
    }
    Ok(DVec3::from_array(p))
}

fn coordinate(word: &str) -> Result<f64, Problem> {
    let value: f64 = word.parse().map_err(|_| Problem::not_a_number(word))?;
    if !value.is_finite() {
        return Err(Problem::NotFinite { value });
    }
    Ok(value)
}

/// The vertex of a face corner: `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted
/// from 1, or from the latest vertex back when negative.
fn corner(word: &str, vertices: usize) -> Result<u32, Problem> {
    let vertex = word.split('/').next().unwrap_or_default();
    let index: i64 = vertex.parse().map_err(|_| Problem::not_a_number(word))?;
    let zero_based = if index < 0 {
        vertices as i64 + index
    } else {
        index - 1
    };
    u32::try_from(zero_based)
        .ok()
        .filter(|&v| (v as usize) < vertices)
        .ok_or(Problem::NoSuchVertex {
            index,
            count: vertices,
        })
}

/// Adds a polygon whose corners are known to exist.
pub(crate) fn push_polygon(mesh: &mut TriMesh, corners: &[u32]) -> Result<(), Problem> {
    match *corners {
        [a, b, c] => mesh.triangles.push([a, b, c]),
        [_, _, _, ..] => {
            let points: Vec<DVec3> = corners.iter().map(|&v| mesh.vertices[v as usize]).collect();
            let triangles = triangulate(&points);
            mesh.triangles
                .extend(triangles.into_iter().map(|t| t.map(|i| corners[i])));
        }
        _ => {
            return Err(Problem::TooFew {
                what: "a face",
                needed: 3,
                found: corners.len(),
            });
        }
    }
    Ok(())
}
