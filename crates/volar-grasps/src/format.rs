//! The kinds of files.

use std::path::Path;

use crate::error::GraspFileError;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Our table as text.
    Csv,
    /// Our table as Parquet.
    Parquet,
}

impl Format {
    /// What names may end in.
    pub const ENDINGS: &str = ".csv, .parquet";

    /// The kind that the name of a file says.
    pub fn of(path: &Path) -> Result<Format, GraspFileError> {
        let end = path.extension().unwrap_or_default().to_string_lossy();
        match end.to_ascii_lowercase().as_str() {
            "csv" => Ok(Format::Csv),
            "parquet" => Ok(Format::Parquet),
            other => Err(GraspFileError::Unknown {
                path: path.to_owned(),
                message: match other {
                    "" => "its name has no ending".into(),
                    other => format!("its name ends in .{other}"),
                },
            }),
        }
    }
}
