//! Finished runs as lines, and parts of them when there are enough.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::SweepError;
use crate::figures::Record;
use crate::plan::Plan;

use super::{Folder, Layout, Piece};

/// Rows of a part: some hundred kilobytes.
const ROWS_PER_PART: usize = 4096;

/// Where finished runs are written.
#[derive(Debug)]
pub struct Journal {
    folder: Folder,
    layout: Layout,
    plan: Plan,
    writer: String,
    number: u64,
    file: File,
    /// Bytes of whole lines.
    length: u64,
    records: Vec<Record>,
    /// Set when a write failed: what comes after it would not be read.
    broken: bool,
    /// Held while this writes.
    _lock: File,
}

impl Journal {
    /// The journal of a writer, where it was left.
    pub fn open(folder: &Folder, plan: &Plan, writer: &str) -> Result<Journal, SweepError> {
        let lock = folder.lock(writer)?;
        let mut own = folder.pieces()?.into_iter().filter(|p| p.writer == writer);
        let last = own.next_back();
        let number = match &last {
            Some(piece) if piece.is_journal => piece.number,
            Some(piece) => piece.number + 1,
            None => 1,
        };
        if let Some(piece) = last.filter(|piece| !piece.is_journal) {
            // Killed after its part was there.
            let _ = std::fs::remove_file(folder.journal_path(writer, piece.number));
        }
        let path = folder.journal_path(writer, number);
        let mut file = open(&path)?;
        let (records, length) = read(&mut file, &path)?;
        let mut journal = Journal {
            layout: folder.layout(plan)?,
            folder: folder.clone(),
            plan: plan.clone(),
            writer: writer.to_owned(),
            number,
            file,
            length,
            records,
            broken: false,
            _lock: lock,
        };
        journal.cut(&path)?;
        Ok(journal)
    }

    /// Writes down a finished run.
    pub fn append(&mut self, record: Record) -> Result<(), SweepError> {
        let path = self.folder.journal_path(&self.writer, self.number);
        if self.broken {
            let source = std::io::Error::other("an earlier write failed");
            return Err(SweepError::io("write", &path)(source));
        }
        let line = format!("{}\n", record.to_line()?);
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            self.broken = true;
            // Half a line would spoil the next one; without this it is passed over on reading.
            let _ = self.cut(&path);
            return Err(SweepError::io("write", &path)(error));
        }
        self.length += line.len() as u64;
        self.records.push(record);
        match self.records.len() >= ROWS_PER_PART {
            true => self.seal(),
            false => Ok(()),
        }
    }

    /// Makes a part of the lines so far.
    pub fn seal(&mut self) -> Result<(), SweepError> {
        if self.records.is_empty() {
            return Ok(());
        }
        let part = self.folder.part_path(&self.writer, self.number);
        self.records.sort_by_key(|record| record.row);
        self.layout.write_part(&part, &self.plan, &self.records)?;
        let journal = self.folder.journal_path(&self.writer, self.number);
        std::fs::remove_file(&journal).map_err(SweepError::io("remove", &journal))?;
        self.records.clear();
        self.number += 1;
        let journal = self.folder.journal_path(&self.writer, self.number);
        self.file = open(&journal)?;
        self.length = 0;
        Ok(())
    }

    /// Leaves nothing but whole lines.
    fn cut(&mut self, path: &Path) -> Result<(), SweepError> {
        let cut = self.file.set_len(self.length);
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        cut.map(|_| ()).map_err(SweepError::io("write", path))
    }
}

fn open(path: &Path) -> Result<File, SweepError> {
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    options.open(path).map_err(SweepError::io("open", path))
}

/// Whole lines of a journal, up to the first that is none, and their length.
fn read(file: &mut File, path: &Path) -> Result<(Vec<Record>, u64), SweepError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(SweepError::io("read", path))?;
    let (mut records, mut length) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match serde_json::from_slice(line) {
            Ok(record) if line.ends_with(b"\n") => records.push(record),
            _ => break,
        }
        length += line.len() as u64;
    }
    Ok((records, length))
}

/// The runs in a journal.
pub(super) fn records_of(piece: &Piece) -> Result<Vec<Record>, SweepError> {
    let mut file = File::open(&piece.path).map_err(SweepError::io("open", &piece.path))?;
    Ok(read(&mut file, &piece.path)?.0)
}
