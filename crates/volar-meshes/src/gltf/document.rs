//! The parts of a glTF document that say where triangles are.

use glam::{DMat4, DQuat, DVec3};
use serde::Deserialize;

use crate::error::Problem;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    /// x, y, z, w.
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    /// 4, triangles, when left out.
    pub mode: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub byte_length: usize,
    pub uri: Option<String>,
}

impl Document {
    pub fn parse(json: &[u8]) -> Result<Document, Problem> {
        let document: Document = serde_json::from_slice(json)
            .map_err(|e| Problem::Syntax(format!("not a glTF document: {e}")))?;
        if !document.asset.version.starts_with("2.") {
            return Err(Problem::Unsupported {
                feature: format!("glTF version {}", document.asset.version),
            });
        }
        // Of the extensions a file may insist on, these hide the positions.
        let hiding = [
            "KHR_draco_mesh_compression",
            "EXT_meshopt_compression",
            "KHR_mesh_quantization",
        ];
        match document
            .extensions_required
            .iter()
            .find(|name| hiding.contains(&name.as_str()))
        {
            Some(name) => Err(Problem::Unsupported {
                feature: format!("the extension {name}"),
            }),
            None => Ok(document),
        }
    }
}

impl Node {
    /// From the node's coordinates to those of its parent.
    pub fn transform(&self) -> DMat4 {
        if let Some(matrix) = self.matrix {
            return DMat4::from_cols_array(&matrix);
        }
        let [x, y, z, w] = self.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let rotation = DQuat::from_xyzw(x, y, z, w);
        // Files hold rounded quaternions; one that is not unit would scale.
        let length = rotation.length();
        let rotation = if length > 0.0 {
            rotation * (1.0 / length)
        } else {
            DQuat::IDENTITY
        };
        DMat4::from_scale_rotation_translation(
            DVec3::from_array(self.scale.unwrap_or([1.0; 3])),
            rotation,
            DVec3::from_array(self.translation.unwrap_or_default()),
        )
    }
}
