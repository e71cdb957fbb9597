//! glTF 2.0, as JSON with its buffers or as one GLB file.
//!
//! All triangle meshes of the default scene, each placed by its nodes (glTF
//! has metres and +Y up; nothing is rotated). glTF splits vertices wherever a
//! normal or a texture has a seam, so within one placed mesh vertices with
//! equal coordinates are merged. Read here because the `gltf` crate panics on
//! some malformed documents.

mod container;
mod document;

use glam::{DMat4, DVec3};
use volar_geom::TriMesh;

use crate::error::{Flaw, Problem};
use crate::format::head;
use crate::weld::Welder;
use crate::{Beside, placed};
use document::{Accessor, Document, Mesh, Primitive};

/// Component types, by their numbers in the format.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Primitive modes.
const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;

/// A GLB signature, or JSON that has what every glTF document must have.
pub(crate) fn is_gltf(bytes: &[u8]) -> bool {
    let text = head(bytes);
    bytes.starts_with(container::MAGIC)
        || (text.trim_start().starts_with('{') && text.contains("\"asset\""))
}

pub(crate) fn parse(bytes: &[u8], beside: &Beside) -> Result<TriMesh, Flaw> {
    let (json, binary) = container::split(bytes)?;
    let document = Document::parse(json)?;
    let buffers = container::read_buffers(&document.buffers, binary, beside)?;
    let file = File { document, buffers };

    // Every node with the transform of its parent. The format asks for trees:
    // whoever visits more nodes than there are runs in a circle.
    let nodes = &file.document.nodes;
    let mut pending: Vec<(usize, DMat4)> = file
        .root_nodes()
        .into_iter()
        .map(|node| (node, DMat4::IDENTITY))
        .collect();
    let mut visits_left = nodes.len();
    let mut mesh = TriMesh::default();
    while let Some((index, parent)) = pending.pop() {
        let node = nodes
            .get(index)
            .ok_or_else(|| no_such("node", index))
            .map_err(|problem| problem.in_item("node", index))?;
        visits_left = visits_left.checked_sub(1).ok_or_else(|| {
            Problem::unexpected("a tree of nodes", "a node with two parents").in_item("node", index)
        })?;
        let placed = parent * node.transform();
        if let Some(part) = node.mesh {
            file.read_mesh(part)
                .and_then(|part| placed::append(&mut mesh, part, &placed))
                .map_err(|problem| problem.in_item("mesh", part))?;
        }
        pending.extend(node.children.iter().map(|&child| (child, placed)));
    }
    Ok(mesh)
}

fn no_such(kind: &'static str, index: usize) -> Problem {
    Problem::unexpected("a number in range", &format!("{kind} {index}"))
}

struct File {
    document: Document,
    buffers: Vec<Vec<u8>>,
}

impl File {
    /// Those of the default scene, else of the first, else all that are
    /// nobody's child.
    fn root_nodes(&self) -> Vec<usize> {
        let scenes = &self.document.scenes;
        if let Some(scene) = scenes.get(self.document.scene.unwrap_or(0)) {
            return scene.nodes.clone();
        }
        let nodes = &self.document.nodes;
        let mut is_child = vec![false; nodes.len()];
        for &child in nodes.iter().flat_map(|node| &node.children) {
            if let Some(slot) = is_child.get_mut(child) {
                *slot = true;
            }
        }
        (0..nodes.len()).filter(|&node| !is_child[node]).collect()
    }

    fn read_mesh(&self, index: usize) -> Result<TriMesh, Problem> {
        let mesh: &Mesh = self
            .document
            .meshes
            .get(index)
            .ok_or_else(|| no_such("mesh", index))?;
        let mut welder = Welder::default();
        let mut triangles = Vec::new();
        for primitive in &mesh.primitives {
            self.read_primitive(primitive, &mut welder, &mut triangles)?;
        }
        Ok(welder.into_mesh(triangles))
    }

    fn read_primitive(
        &self,
        primitive: &Primitive,
        welder: &mut Welder,
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), Problem> {
        match primitive.mode.unwrap_or(TRIANGLES) {
            TRIANGLES => {}
            // Points and lines bound nothing.
            0..TRIANGLES => return Ok(()),
            TRIANGLE_STRIP.. => {
                return Err(Problem::Unsupported {
                    feature: "a triangle strip or fan".into(),
                });
            }
        }
        let positions = primitive
            .attributes
            .position
            .ok_or_else(|| Problem::Unsupported {
                feature: "a mesh without positions".into(),
            })?;
        let vertices = self
            .read_positions(positions)?
            .into_iter()
            .map(|p| welder.vertex(p).ok_or(Problem::TooManyVertices))
            .collect::<Result<Vec<u32>, Problem>>()?;
        let indices = match primitive.indices {
            Some(accessor) => self.read_indices(accessor)?,
            None => (0..vertices.len() as u32).collect(),
        };
        let (corners, rest) = indices.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(Problem::TooFew {
                what: "a triangle",
                needed: 3,
                found: rest.len(),
            });
        }
        for &corners in corners {
            let mut triangle = [0; 3];
            for (slot, index) in triangle.iter_mut().zip(corners) {
                *slot = *vertices.get(index as usize).ok_or(Problem::NoSuchVertex {
                    index: i64::from(index),
                    count: vertices.len(),
                })?;
            }
            triangles.push(triangle);
        }
        Ok(())
    }

    fn read_positions(&self, index: usize) -> Result<Vec<DVec3>, Problem> {
        let accessor = self.accessor(index)?;
        if (accessor.component_type, accessor.shape.as_str()) != (F32, "VEC3") {
            return Err(Problem::Unsupported {
                feature: "positions that are not three floats".into(),
            });
        }
        let items = self.items::<12>(index, accessor)?;
        items
            .map(|item| {
                let number =
                    |i: usize| f64::from(f32::from_le_bytes([0, 1, 2, 3].map(|k| item[i + k])));
                let p = DVec3::new(number(0), number(4), number(8));
                match p.to_array().into_iter().find(|c| !c.is_finite()) {
                    Some(value) => Err(Problem::NotFinite { value }),
                    None => Ok(p),
                }
            })
            .collect()
    }

    fn read_indices(&self, index: usize) -> Result<Vec<u32>, Problem> {
        let accessor = self.accessor(index)?;
        match (accessor.component_type, accessor.shape.as_str()) {
            (U8, "SCALAR") => Ok(self
                .items::<1>(index, accessor)?
                .map(|b| u32::from(b[0]))
                .collect()),
            (U16, "SCALAR") => Ok(self
                .items::<2>(index, accessor)?
                .map(|b| u32::from(u16::from_le_bytes(b)))
                .collect()),
            (U32, "SCALAR") => Ok(self
                .items::<4>(index, accessor)?
                .map(u32::from_le_bytes)
                .collect()),
            _ => Err(Problem::Unsupported {
                feature: "indices that are not unsigned integers".into(),
            }),
        }
    }

    fn accessor(&self, index: usize) -> Result<&Accessor, Problem> {
        let accessors = &self.document.accessors;
        accessors
            .get(index)
            .ok_or_else(|| no_such("accessor", index))
    }

    /// The items of an accessor, `SIZE` bytes each.
    fn items<const SIZE: usize>(
        &self,
        index: usize,
        accessor: &Accessor,
    ) -> Result<impl Iterator<Item = [u8; SIZE]>, Problem> {
        let (None, Some(view)) = (&accessor.sparse, accessor.buffer_view) else {
            return Err(Problem::Unsupported {
                feature: "sparse data".into(),
            });
        };
        let views = &self.document.buffer_views;
        let view = views.get(view).ok_or_else(|| no_such("view", view))?;
        let stride = view.byte_stride.filter(|&s| s > 0).unwrap_or(SIZE);
        let data = self
            .buffers
            .get(view.buffer)
            .and_then(|buffer| buffer.get(view.byte_offset..)?.get(..view.byte_length))
            .and_then(|data| data.get(accessor.byte_offset..))
            .unwrap_or_default();
        // The last item need not fill its stride.
        let count = accessor.count;
        let needed = match count.checked_sub(1) {
            None => Some(0),
            Some(gaps) => gaps.checked_mul(stride).and_then(|g| g.checked_add(SIZE)),
        };
        if stride < SIZE || needed.is_none_or(|needed| needed > data.len()) {
            return Err(Problem::Truncated {
                expected: format!(
                    "accessor {index} asks for {count} items of {SIZE} bytes, its buffer has {} bytes",
                    data.len()
                ),
            });
        }
        Ok((0..count).filter_map(move |i| data[i * stride..].first_chunk().copied()))
    }
}
