//! glTF 2.0, as JSON with its buffers or as one GLB file.
//!
//! All triangle meshes of the default scene, each placed by its nodes (glTF
//! has metres and +Y up; nothing is turned). glTF splits vertices wherever a
//! normal or a texture has a seam, so within one placed mesh vertices with
//! equal coordinates are merged. The `gltf` crate reads the document; the
//! numbers are taken from the buffers here, with every range checked.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use glam::{DMat4, DVec3};
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Gltf, Node, Primitive};
use volar_geom::TriMesh;

use crate::error::{Flaw, Problem};
use crate::placed;
use crate::weld::Welder;

pub(crate) fn parse(bytes: &[u8], folder: Option<&Path>) -> Result<TriMesh, Flaw> {
    check_glb_length(bytes)?;
    let Gltf { document, blob } =
        Gltf::from_slice(bytes).map_err(|e| Problem::Syntax(e.to_string()))?;
    let buffers = read_buffers(&document, blob, folder)?;
    let mut mesh = TriMesh::default();
    let roots: Vec<Node> = match document.default_scene().or(document.scenes().next()) {
        Some(scene) => scene.nodes().collect(),
        None => document.nodes().collect(),
    };
    // Every node with the transform of its parent. The format asks for trees:
    // whoever visits more nodes than there are runs in a circle.
    let mut pending: Vec<(Node, DMat4)> = roots.into_iter().map(|n| (n, DMat4::IDENTITY)).collect();
    let mut visits_left = document.nodes().len();
    while let Some((node, parent)) = pending.pop() {
        visits_left = visits_left.checked_sub(1).ok_or_else(|| {
            Problem::unexpected("a tree of nodes", "a node with two parents")
                .in_item("node", node.index())
        })?;
        let placed = add_node(&mut mesh, &buffers, &node, &parent)?;
        pending.extend(node.children().map(|child| (child, placed)));
    }
    Ok(mesh)
}

/// The crate takes the length in a GLB header at its word.
fn check_glb_length(bytes: &[u8]) -> Result<(), Problem> {
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let declared = bytes.get(8..12).and_then(|b| b.try_into().ok());
    match declared.map(u32::from_le_bytes) {
        Some(declared) if declared >= 12 && declared as usize <= bytes.len() => Ok(()),
        declared => Err(Problem::Truncated {
            expected: format!(
                "its header promises {} bytes, it has {}",
                declared.unwrap_or(12),
                bytes.len()
            ),
        }),
    }
}

fn read_buffers(
    document: &Document,
    mut blob: Option<Vec<u8>>,
    folder: Option<&Path>,
) -> Result<Vec<Vec<u8>>, Flaw> {
    document
        .buffers()
        .map(|buffer| {
            let data = match buffer.source() {
                Source::Bin => blob.take().unwrap_or_default(),
                Source::Uri(uri) => read_uri(uri, folder)?,
            };
            if data.len() < buffer.length() {
                return Err(Problem::Truncated {
                    expected: format!(
                        "it should have {} bytes, it has {}",
                        buffer.length(),
                        data.len()
                    ),
                }
                .in_item("buffer", buffer.index()));
            }
            Ok(data)
        })
        .collect()
}

fn read_uri(uri: &str, folder: Option<&Path>) -> Result<Vec<u8>, Problem> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, code) = data
            .split_once(";base64,")
            .ok_or_else(|| Problem::unexpected("base64 data", data))?;
        return base64::engine::general_purpose::STANDARD
            .decode(code)
            .map_err(|e| Problem::Syntax(format!("its embedded data is not base64: {e}")));
    }
    if uri.contains("://") {
        return Err(Problem::Unsupported {
            feature: format!("a buffer at the address {uri}"),
        });
    }
    let path: PathBuf = folder.unwrap_or(Path::new("")).join(percent_decoded(uri));
    std::fs::read(&path).map_err(|source| Problem::Buffer { path, source })
}

fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .filter(|_| first == b'%')
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds a node's mesh and gives the transform from the node's coordinates to
/// the scene's; `X_SP` is that of its parent.
#[allow(non_snake_case)] // frame notation: scene S, parent P, node N
fn add_node(
    mesh: &mut TriMesh,
    buffers: &[Vec<u8>],
    node: &Node,
    X_SP: &DMat4,
) -> Result<DMat4, Flaw> {
    let X_PN = DMat4::from_cols_array_2d(&node.transform().matrix().map(|c| c.map(f64::from)));
    let X_SN = *X_SP * X_PN;
    if let Some(part) = node.mesh() {
        let mut welder = Welder::default();
        let mut triangles = Vec::new();
        for primitive in part.primitives() {
            add_primitive(&mut welder, &mut triangles, buffers, &primitive)
                .map_err(|problem| problem.in_item("mesh", part.index()))?;
        }
        placed::append(mesh, welder.into_mesh(triangles), &X_SN)
            .map_err(|problem| problem.in_item("node", node.index()))?;
    }
    Ok(X_SN)
}

fn add_primitive(
    welder: &mut Welder,
    triangles: &mut Vec<[u32; 3]>,
    buffers: &[Vec<u8>],
    primitive: &Primitive,
) -> Result<(), Problem> {
    match primitive.mode() {
        Mode::Triangles => {}
        // Points and lines bound nothing.
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => return Ok(()),
        Mode::TriangleStrip | Mode::TriangleFan => {
            return Err(Problem::Unsupported {
                feature: "a triangle strip or fan".into(),
            });
        }
    }
    let positions =
        primitive
            .get(&gltf::Semantic::Positions)
            .ok_or_else(|| Problem::Unsupported {
                feature: "a mesh without plain positions (compressed?)".into(),
            })?;
    let vertices = read_positions(&positions, buffers)?
        .into_iter()
        .map(|p| welder.vertex(p).ok_or(Problem::TooManyVertices))
        .collect::<Result<Vec<u32>, Problem>>()?;
    let indices = match primitive.indices() {
        Some(accessor) => read_indices(&accessor, buffers)?,
        None => (0..vertices.len() as u32).collect(),
    };
    if indices.len() % 3 != 0 {
        return Err(Problem::TooFew {
            what: "a triangle",
            needed: 3,
            found: indices.len() % 3,
        });
    }
    for corners in indices.chunks_exact(3) {
        let mut triangle = [0; 3];
        for (slot, &index) in triangle.iter_mut().zip(corners) {
            *slot = *vertices.get(index as usize).ok_or(Problem::NoSuchVertex {
                index: i64::from(index),
                count: vertices.len(),
            })?;
        }
        triangles.push(triangle);
    }
    Ok(())
}

fn read_positions(accessor: &Accessor, buffers: &[Vec<u8>]) -> Result<Vec<DVec3>, Problem> {
    if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
        return Err(Problem::Unsupported {
            feature: "positions that are not three floats (quantised?)".into(),
        });
    }
    let number = |item: &[u8], i: usize| {
        let at = 4 * i;
        f64::from(f32::from_le_bytes([
            item[at],
            item[at + 1],
            item[at + 2],
            item[at + 3],
        ]))
    };
    items(accessor, buffers)?
        .map(|item| {
            let p = [0, 1, 2].map(|i| number(item, i));
            match p.iter().find(|c| !c.is_finite()) {
                Some(&value) => Err(Problem::NotFinite { value }),
                None => Ok(DVec3::from_array(p)),
            }
        })
        .collect()
}

fn read_indices(accessor: &Accessor, buffers: &[Vec<u8>]) -> Result<Vec<u32>, Problem> {
    if accessor.dimensions() != Dimensions::Scalar {
        return Err(Problem::Unsupported {
            feature: "indices that are not single numbers".into(),
        });
    }
    let items = items(accessor, buffers)?;
    Ok(match accessor.data_type() {
        DataType::U8 => items.map(|b| u32::from(b[0])).collect(),
        DataType::U16 => items
            .map(|b| u32::from(u16::from_le_bytes([b[0], b[1]])))
            .collect(),
        DataType::U32 => items
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect(),
        _ => {
            return Err(Problem::Unsupported {
                feature: "indices that are not unsigned integers".into(),
            });
        }
    })
}

/// The bytes of each item of an accessor.
fn items<'b>(
    accessor: &Accessor,
    buffers: &'b [Vec<u8>],
) -> Result<impl Iterator<Item = &'b [u8]> + use<'b>, Problem> {
    let unsupported = |feature: &str| Problem::Unsupported {
        feature: feature.into(),
    };
    if accessor.sparse().is_some() {
        return Err(unsupported("sparse data"));
    }
    let view = accessor
        .view()
        .ok_or_else(|| unsupported("data without a buffer"))?;
    let size = accessor.size();
    let stride = view.stride().unwrap_or(size);
    let data = buffers
        .get(view.buffer().index())
        .and_then(|buffer| buffer.get(view.offset()..view.offset().checked_add(view.length())?))
        .and_then(|data| data.get(accessor.offset()..))
        .unwrap_or_default();
    // The last item need not fill its stride.
    let count = accessor.count();
    let needed = count
        .checked_sub(1)
        .map_or(Some(0), |gaps| gaps.checked_mul(stride)?.checked_add(size));
    if stride < size || needed.is_none_or(|needed| needed > data.len()) {
        return Err(Problem::Truncated {
            expected: format!(
                "accessor {} asks for {count} items of {size} bytes, its buffer has {} bytes",
                accessor.index(),
                data.len()
            ),
        });
    }
    Ok((0..count).map(move |i| &data[i * stride..i * stride + size]))
}
