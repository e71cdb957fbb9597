//! Which format a file is in. A new format is a file with its parser, its
//! module in `lib.rs`, and a variant and a row here.

use std::fmt;
use std::path::Path;

use volar_geom::TriMesh;

use crate::error::Flaw;
use crate::{Beside, collada, gltf, obj, ply, stl};

/// The mesh formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PLY, binary or text.
    Ply,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
    /// STL, binary or text.
    Stl,
    /// COLLADA 1.4 or 1.5.
    Collada,
    /// Wavefront OBJ.
    Obj,
}

/// What there is to know about a format.
struct Row {
    format: Format,
    name: &'static str,
    extensions: &'static [&'static str],
    /// Whether a file without a known extension is one, by its contents.
    sniff: fn(&[u8]) -> bool,
    parse: fn(&[u8], &Beside) -> Result<TriMesh, Flaw>,
}

/// In the order of the variants. Contents are asked in this order: OBJ, which
/// has no signature, last.
const FORMATS: &[Row] = &[
    Row {
        format: Format::Ply,
        name: "PLY",
        extensions: &["ply"],
        sniff: |bytes| bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r"),
        parse: |bytes, _| ply::parse(bytes),
    },
    Row {
        format: Format::Gltf,
        name: "glTF",
        extensions: &["gltf", "glb"],
        sniff: gltf::is_gltf,
        parse: gltf::parse,
    },
    Row {
        format: Format::Stl,
        name: "STL",
        extensions: &["stl"],
        sniff: |bytes| stl::is_binary(bytes) || bytes.starts_with(b"solid"),
        parse: |bytes, _| stl::parse(bytes),
    },
    Row {
        format: Format::Collada,
        name: "COLLADA",
        extensions: &["dae"],
        sniff: |bytes| head(bytes).contains("<COLLADA"),
        parse: |bytes, _| collada::parse(bytes),
    },
    Row {
        format: Format::Obj,
        name: "OBJ",
        extensions: &["obj"],
        sniff: obj::begins_as_obj,
        parse: |bytes, _| obj::parse(bytes),
    },
];

/// The beginning of a file as text, for signatures.
pub(crate) fn head(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).into_owned()
}

impl Format {
    /// From the extension of the path or, when that is unknown, from the
    /// contents.
    pub fn of(path: &Path, bytes: &[u8]) -> Option<Format> {
        let extension = path
            .extension()
            .and_then(|e| e.to_str())
            .map(str::to_ascii_lowercase)
            .unwrap_or_default();
        let by_name = |row: &&Row| row.extensions.contains(&extension.as_str());
        let by_contents = |row: &&Row| (row.sniff)(bytes);
        FORMATS
            .iter()
            .find(by_name)
            .or_else(|| FORMATS.iter().find(by_contents))
            .map(|row| row.format)
    }

    pub(crate) fn parse(self, bytes: &[u8], beside: &Beside) -> Result<TriMesh, Flaw> {
        (self.row().parse)(bytes, beside)
    }

    fn row(self) -> &'static Row {
        &FORMATS[self as usize]
    }
}

/// The extensions of all formats, as an error lists them.
pub(crate) fn extensions() -> String {
    let all = FORMATS.iter().flat_map(|row| row.extensions);
    all.map(|e| format!(".{e}")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_variants() {
        for (number, row) in FORMATS.iter().enumerate() {
            assert_eq!(row.format as usize, number);
        }
    }
}
