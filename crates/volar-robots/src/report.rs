//! What an import did not take over, and what it changed.

use std::fmt;
use std::path::PathBuf;

use crate::format::Format;

/// What was read, and what of it the [`Robot`](crate::Robot) does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportReport {
    /// The format of the file.
    pub format: Format,
    /// The file and all that it includes, in order of reading; not the meshes.
    pub files: Vec<PathBuf>,
    /// Everything worth knowing, one entry per kind of thing.
    pub notes: Vec<Note>,
}

/// One kind of thing that was not taken over or was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub kind: NoteKind,
    /// What: an element, an attribute of one, a setting.
    pub what: String,
    /// Why, or what was done instead.
    pub detail: String,
    /// Names of the elements concerned, or their places where they have none;
    /// one per occurrence.
    pub names: Vec<String>,
}

/// How much a [`Note`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// Acts on motion in the file's own simulator and is not simulated here.
    Unsupported,
    /// Taken over in another form: repaired, completed, interpreted.
    Changed,
    /// Without effect on motion: looks, cameras, sensors, hints for tools.
    Ignored,
}

impl ImportReport {
    /// A report without notes.
    pub fn new(format: Format) -> ImportReport {
        ImportReport {
            format,
            files: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds an occurrence to the note of this kind, what and detail.
    pub fn add(
        &mut self,
        kind: NoteKind,
        what: impl Into<String>,
        detail: impl Into<String>,
        name: impl Into<String>,
    ) {
        let (what, detail, name) = (what.into(), detail.into(), name.into());
        let same = |n: &&mut Note| n.kind == kind && n.what == what && n.detail == detail;
        match self.notes.iter_mut().find(same) {
            Some(note) => note.names.push(name),
            None => self.notes.push(Note {
                kind,
                what,
                detail,
                names: vec![name],
            }),
        }
    }

    /// The notes of one kind.
    pub fn of_kind(&self, kind: NoteKind) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.kind == kind)
    }

    /// The notes about one thing.
    pub fn about(&self, what: &str) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.what == what)
    }
}

/// How many names a line of the report shows.
const SHOWN: usize = 4;

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} × {}", self.kind, self.names.len(), self.what)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        let shown = self.names.len().min(SHOWN);
        write!(f, " ({}", self.names[..shown].join(", "))?;
        match self.names.len() - shown {
            0 => write!(f, ")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoteKind::Unsupported => "not supported",
            NoteKind::Changed => "changed",
            NoteKind::Ignored => "ignored",
        })
    }
}

/// One note per line, what matters most first.
impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut notes: Vec<&Note> = self.notes.iter().collect();
        notes.sort_by_key(|note| note.kind);
        for (i, note) in notes.iter().enumerate() {
            let end = if i + 1 < notes.len() { "\n" } else { "" };
            write!(f, "{note}{end}")?;
        }
        Ok(())
    }
}
