//! PLY, text and binary.
//!
//! Read here rather than by a crate because numbers in a text file are read
//! as f64 whatever the header calls them, and because a header that promises
//! more than the file holds must cost nothing: every value is taken from the
//! bytes that are there before anything is stored.

use std::str::SplitWhitespace;

use glam::DVec3;
use volar_geom::TriMesh;

use crate::error::{Flaw, Problem};
use crate::obj::push_polygon;

pub(crate) fn parse(bytes: &[u8]) -> Result<TriMesh, Flaw> {
    let (header, body) = Header::parse(bytes)?;
    let text;
    let mut values = match header.encoding {
        Encoding::Text => {
            text = String::from_utf8_lossy(body);
            Values::Text {
                lines: text.lines(),
                words: "".split_whitespace(),
                line: header.lines,
            }
        }
        Encoding::Binary { big_endian } => Values::Binary { body, big_endian },
    };
    let mut mesh = TriMesh::default();
    let mut polygons = Vec::new();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => mesh.vertices = read_vertices(element, &mut values)?,
            "face" => polygons = read_faces(element, &mut values)?,
            _ => read_rows(element, &mut values, |_, _| ())?,
        }
    }
    for (index, polygon) in polygons.iter().enumerate() {
        add_polygon(&mut mesh, polygon).map_err(|problem| problem.in_item("face", index))?;
    }
    Ok(mesh)
}

fn add_polygon(mesh: &mut TriMesh, polygon: &[f64]) -> Result<(), Problem> {
    let count = mesh.vertices.len();
    let corners = polygon
        .iter()
        .map(|&index| {
            // Indices come as f64, which holds every PLY integer exactly; a
            // negative one becomes 0 in the cast and is told by comparing.
            let vertex = index as u32;
            let known = f64::from(vertex).total_cmp(&index).is_eq() && (vertex as usize) < count;
            known.then_some(vertex).ok_or(Problem::NoSuchVertex {
                index: index as i64,
                count,
            })
        })
        .collect::<Result<Vec<u32>, Problem>>()?;
    push_polygon(mesh, &corners)
}

fn read_vertices(element: &Element, values: &mut Values) -> Result<Vec<DVec3>, Flaw> {
    let mut slots = [0; 3];
    for (slot, axis) in slots.iter_mut().zip(["x", "y", "z"]) {
        *slot = element
            .properties
            .iter()
            .position(|p| p.name == axis && p.list_count.is_none())
            .ok_or_else(|| Problem::unexpected("vertex properties x, y and z", axis))?;
    }
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut row = [0.0; 3];
    read_rows(element, values, |property, row_values| {
        for (axis, &slot) in slots.iter().enumerate() {
            if slot == property {
                row[axis] = row_values[0];
            }
        }
        if property + 1 == element.properties.len() {
            vertices.push(DVec3::from_array(row));
        }
    })?;
    let bad = |p: &DVec3| p.to_array().into_iter().find(|c| !c.is_finite());
    if let Some((index, value)) = vertices
        .iter()
        .enumerate()
        .find_map(|(i, p)| Some((i, bad(p)?)))
    {
        return Err(Problem::NotFinite { value }.in_item("vertex", index));
    }
    Ok(vertices)
}

fn read_faces(element: &Element, values: &mut Values) -> Result<Vec<Vec<f64>>, Flaw> {
    let slot = element
        .properties
        .iter()
        .position(|p| {
            matches!(p.name.as_str(), "vertex_indices" | "vertex_index") && p.list_count.is_some()
        })
        .ok_or_else(|| Problem::Unsupported {
            feature: "a face element without a list 'vertex_indices'".into(),
        })?;
    let mut faces = Vec::new();
    read_rows(element, values, |property, row_values| {
        if property == slot {
            faces.push(row_values.to_vec());
        }
    })?;
    Ok(faces)
}

/// Reads all rows of an element and hands over the values of each property.
fn read_rows(
    element: &Element,
    values: &mut Values,
    mut take: impl FnMut(usize, &[f64]),
) -> Result<(), Flaw> {
    if element.properties.is_empty() {
        return Ok(());
    }
    let mut list = Vec::new();
    for row in 0..element.count {
        for (index, property) in element.properties.iter().enumerate() {
            let at_row = |flaw| values_end(flaw, element, row);
            list.clear();
            let count = match property.list_count {
                None => 1.0,
                Some(scalar) => values.next(scalar).map_err(at_row)?,
            };
            let mut read = 0.0;
            while read < count {
                list.push(values.next(property.scalar).map_err(at_row)?);
                read += 1.0;
            }
            take(index, &list);
        }
    }
    Ok(())
}

/// Says which row was cut short, which the source of values does not know.
fn values_end(flaw: Option<Flaw>, element: &Element, row: u64) -> Flaw {
    flaw.unwrap_or_else(|| {
        Problem::Truncated {
            expected: format!(
                "after {row} of the {} '{}' rows its header promises",
                element.count, element.name
            ),
        }
        .into()
    })
}

#[derive(Clone, Copy)]
enum Encoding {
    Text,
    Binary { big_endian: bool },
}

#[derive(Clone, Copy)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &str) -> Result<Scalar, Problem> {
        Ok(match name {
            "char" | "int8" => Scalar::I8,
            "uchar" | "uint8" => Scalar::U8,
            "short" | "int16" => Scalar::I16,
            "ushort" | "uint16" => Scalar::U16,
            "int" | "int32" => Scalar::I32,
            "uint" | "uint32" => Scalar::U32,
            "float" | "float32" => Scalar::F32,
            "double" | "float64" => Scalar::F64,
            _ => return Err(Problem::unexpected("a PLY type", name)),
        })
    }
}

struct Property {
    name: String,
    /// The type of the list's length, for a list.
    list_count: Option<Scalar>,
    scalar: Scalar,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

struct Header {
    encoding: Encoding,
    elements: Vec<Element>,
    /// How many lines it takes.
    lines: usize,
}

impl Header {
    /// The header and the bytes after it.
    fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), Flaw> {
        let mut encoding = None;
        let mut elements = Vec::new();
        let mut rest = bytes;
        for line in 1.. {
            let Some(end) = rest.iter().position(|&b| b == b'\n') else {
                return Err(Problem::Truncated {
                    expected: "before 'end_header'".into(),
                }
                .on_line(line));
            };
            let text = String::from_utf8_lossy(&rest[..end]);
            rest = &rest[end + 1..];
            let words: Vec<&str> = text.split_whitespace().collect();
            if line == 1 {
                if words != ["ply"] {
                    return Err(Problem::unexpected("'ply'", &text).on_line(1));
                }
                continue;
            }
            if words == ["end_header"] {
                let encoding = encoding.ok_or_else(|| {
                    Problem::unexpected("a 'format' line before the end", "end_header")
                        .on_line(line)
                })?;
                let header = Header {
                    encoding,
                    elements,
                    lines: line,
                };
                return Ok((header, rest));
            }
            header_line(&words, &mut encoding, &mut elements).map_err(|p| p.on_line(line))?;
        }
        Err(Problem::Empty.into())
    }
}

fn header_line(
    words: &[&str],
    encoding: &mut Option<Encoding>,
    elements: &mut Vec<Element>,
) -> Result<(), Problem> {
    match *words {
        [] | ["comment" | "obj_info", ..] => {}
        ["format", name, _version] => {
            *encoding = Some(match name {
                "ascii" => Encoding::Text,
                "binary_little_endian" => Encoding::Binary { big_endian: false },
                "binary_big_endian" => Encoding::Binary { big_endian: true },
                _ => return Err(Problem::unexpected("a PLY format", name)),
            });
        }
        ["element", name, count] => elements.push(Element {
            name: name.to_owned(),
            count: count.parse().map_err(|_| Problem::not_a_number(count))?,
            properties: Vec::new(),
        }),
        ["property", ref kind @ .., name] => {
            let (list_count, scalar) = match *kind {
                [scalar] => (None, Scalar::named(scalar)?),
                ["list", count, scalar] => (Some(Scalar::named(count)?), Scalar::named(scalar)?),
                _ => return Err(Problem::unexpected("a property", &words.join(" "))),
            };
            elements
                .last_mut()
                .ok_or_else(|| Problem::unexpected("an element first", "property"))?
                .properties
                .push(Property {
                    name: name.to_owned(),
                    list_count,
                    scalar,
                });
        }
        _ => return Err(Problem::unexpected("a PLY header line", &words.join(" "))),
    }
    Ok(())
}

/// The numbers after the header, one after the other.
enum Values<'a> {
    Text {
        lines: std::str::Lines<'a>,
        words: SplitWhitespace<'a>,
        line: usize,
    },
    Binary {
        body: &'a [u8],
        big_endian: bool,
    },
}

impl Values<'_> {
    /// The next number. The error is none when there are no more.
    fn next(&mut self, scalar: Scalar) -> Result<f64, Option<Flaw>> {
        match self {
            Values::Text { lines, words, line } => loop {
                if let Some(word) = words.next() {
                    return word
                        .parse()
                        .map_err(|_| Some(Problem::not_a_number(word).on_line(*line)));
                }
                *words = lines.next().ok_or(None)?.split_whitespace();
                *line += 1;
            },
            Values::Binary { body, big_endian } => {
                let big_endian = *big_endian;
                Ok(match scalar {
                    Scalar::I8 => f64::from(i8::from_le_bytes(take(body, big_endian)?)),
                    Scalar::U8 => f64::from(u8::from_le_bytes(take(body, big_endian)?)),
                    Scalar::I16 => f64::from(i16::from_le_bytes(take(body, big_endian)?)),
                    Scalar::U16 => f64::from(u16::from_le_bytes(take(body, big_endian)?)),
                    Scalar::I32 => f64::from(i32::from_le_bytes(take(body, big_endian)?)),
                    Scalar::U32 => f64::from(u32::from_le_bytes(take(body, big_endian)?)),
                    Scalar::F32 => f64::from(f32::from_le_bytes(take(body, big_endian)?)),
                    Scalar::F64 => f64::from_le_bytes(take(body, big_endian)?),
                })
            }
        }
    }
}

/// Takes the bytes of one number off the front, in little-endian order.
fn take<const N: usize>(body: &mut &[u8], big_endian: bool) -> Result<[u8; N], Option<Flaw>> {
    let (number, rest) = body.split_first_chunk::<N>().ok_or(None)?;
    *body = rest;
    let mut number = *number;
    if big_endian {
        number.reverse();
    }
    Ok(number)
}
