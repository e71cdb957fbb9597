//! Which format a file is in.

use std::fmt;
use std::path::Path;

use crate::stl;

/// The mesh formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, binary or text.
    Stl,
    /// PLY, binary or text.
    Ply,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
    /// COLLADA 1.4 or 1.5.
    Collada,
}

impl Format {
    /// From the extension of the path or, when that is unknown, from the
    /// contents.
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Format> {
        let extension = path
            .extension()
            .and_then(|e| e.to_str())
            .map(str::to_ascii_lowercase);
        match extension.as_deref() {
            Some("obj") => Some(Format::Obj),
            Some("stl") => Some(Format::Stl),
            Some("ply") => Some(Format::Ply),
            Some("gltf" | "glb") => Some(Format::Gltf),
            Some("dae") => Some(Format::Collada),
            _ => Format::sniff(bytes),
        }
    }

    fn sniff(bytes: &[u8]) -> Option<Format> {
        let head = &bytes[..bytes.len().min(1024)];
        if head.starts_with(b"ply\n") || head.starts_with(b"ply\r") {
            return Some(Format::Ply);
        }
        if head.starts_with(b"glTF") {
            return Some(Format::Gltf);
        }
        if stl::is_binary(bytes) || head.starts_with(b"solid") {
            return Some(Format::Stl);
        }
        let text = String::from_utf8_lossy(head);
        if text.contains("<COLLADA") {
            return Some(Format::Collada);
        }
        if text.trim_start().starts_with('{') && text.contains("\"asset\"") {
            return Some(Format::Gltf);
        }
        // OBJ has no signature: take it for one when its first statement is
        // one that files begin with.
        let first = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let keyword = first.split_whitespace().next()?;
        matches!(keyword, "v" | "o" | "g" | "mtllib").then_some(Format::Obj)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Obj => "OBJ",
            Format::Stl => "STL",
            Format::Ply => "PLY",
            Format::Gltf => "glTF",
            Format::Collada => "COLLADA",
        })
    }
}
