//! Tables as text: a line for every grasp, commas, names in the first line. Lines before it
//! that start with `#` say what all rows share, as `# key = value`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::columns::{Cells, Columns, LABEL, REASON, Slot};
use crate::error::GraspFileError;
use crate::files::replaced;
use crate::grasp::BadRow;
use crate::list::{Header, Opened, Row};

/// A longer line is no row, bytes: a hand of a thousand joints has as much.
const LONGEST_LINE: u64 = 1 << 20;

pub fn read_csv(path: &Path) -> Result<Opened, GraspFileError> {
    let file = File::open(path).map_err(GraspFileError::io("open", path))?;
    let mut lines = Lines {
        reader: BufReader::new(file),
        number: 0,
    };
    let mut facts = Vec::new();
    let names = loop {
        match lines.next() {
            None => {
                let message = "the file has no row with the names of columns";
                let place = format!("line {}", lines.number);
                return Err(GraspFileError::damaged(path, place, message));
            }
            Some(Err(message)) => {
                return Err(GraspFileError::damaged(
                    path,
                    format!("line {}", lines.number),
                    message,
                ));
            }
            Some(Ok(line)) => match line.strip_prefix('#') {
                Some(fact) => facts.extend(
                    fact.split_once('=')
                        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())),
                ),
                None if line.trim().is_empty() => {}
                None => break fields(&line),
            },
        }
    };
    let place = format!("line {}", lines.number);
    let (columns, slots, mut header) = names
        .and_then(|names| Columns::of_names(&names))
        .map_err(|message| GraspFileError::damaged(path, place, message))?;
    for (key, value) in facts {
        header.learn(&key, &value);
    }
    let stream = Rows {
        lines,
        columns,
        slots,
        row: 0,
    };
    Ok(Opened {
        header,
        rows: None,
        stream: Box::new(stream),
    })
}

struct Lines {
    reader: BufReader<File>,
    number: u64,
}

impl Iterator for Lines {
    type Item = Result<String, String>;

    fn next(&mut self) -> Option<Result<String, String>> {
        self.number += 1;
        let mut line = Vec::new();
        let mut some = (&mut self.reader).take(LONGEST_LINE);
        match some.read_until(b'\n', &mut line) {
            Err(error) => return Some(Err(format!("cannot be read: {error}"))),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE {
            let rest = self.skip_line();
            return Some(Err(rest.err().unwrap_or_else(|| {
                format!(
                    "a line of more than {} kB; is it the right file?",
                    LONGEST_LINE >> 10
                )
            })));
        }
        let text = String::from_utf8(line).map_err(|_| "not text (UTF-8)".to_owned());
        Some(text.map(|text| text.trim_end_matches(['\n', '\r']).to_owned()))
    }
}

impl Lines {
    /// The rest of a line that is too long, without keeping it.
    fn skip_line(&mut self) -> Result<(), String> {
        loop {
            let buffer = self.reader.fill_buf();
            let buffer = buffer.map_err(|error| format!("cannot be read: {error}"))?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() || used == 0 {
                return Ok(());
            }
        }
    }
}

struct Rows {
    lines: Lines,
    columns: Columns,
    slots: Vec<Option<Slot>>,
    row: u64,
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let line = loop {
            match self.lines.next()? {
                Ok(line) if line.trim().is_empty() => {}
                other => break other,
            }
        };
        let row = self.row;
        self.row += 1;
        let cells = line.and_then(|line| self.cells(&line));
        Some(match cells {
            Ok(cells) => self.columns.row(row, &cells),
            Err(reason) => Err(BadRow {
                row,
                reason: format!("line {}: {reason}", self.lines.number),
            }),
        })
    }
}

impl Rows {
    fn cells(&self, line: &str) -> Result<Cells, String> {
        let fields = fields(line)?;
        if fields.len() != self.slots.len() {
            return Err(format!(
                "{} fields, the first line names {}; is the file cut?",
                fields.len(),
                self.slots.len()
            ));
        }
        let mut cells = Cells {
            numbers: vec![None; self.columns.len()],
            ..Cells::default()
        };
        for (text, slot) in fields.iter().zip(&self.slots) {
            match (slot, text.trim()) {
                (None, _) | (Some(_), "") => {}
                (Some(Slot::Number(at)), text) => {
                    let number = text.parse::<f64>();
                    cells.numbers[*at] =
                        Some(number.map_err(|_| format!("`{}` is no number", shown(text)))?);
                }
                (Some(Slot::Label), text) => {
                    cells.label = Some(match text.to_ascii_lowercase().as_str() {
                        "true" | "1" => true,
                        "false" | "0" => false,
                        _ => {
                            return Err(format!(
                                "label `{}` is neither true nor false",
                                shown(text)
                            ));
                        }
                    });
                }
                (Some(Slot::Reason), text) => cells.reason = Some(text.to_owned()),
            }
        }
        Ok(cells)
    }
}

/// The start of a text, for messages.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The fields of a line; in quotes where they have commas or quotes in them.
fn fields(line: &str) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    let mut rest = line;
    loop {
        let mut field = String::new();
        if let Some(inner) = rest.strip_prefix('"') {
            rest = inner;
            loop {
                let (before, after) = rest.split_once('"').ok_or("a quote without an end")?;
                field.push_str(before);
                rest = after;
                match rest.strip_prefix('"') {
                    Some(after) => {
                        field.push('"');
                        rest = after;
                    }
                    None => break,
                }
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            field.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        all.push(field);
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None if rest.is_empty() => return Ok(all),
            None => return Err("text after a quote".into()),
        }
    }
}

/// A field as `fields` reads it back.
fn quoted(text: &str) -> String {
    let plain = text.replace(['\n', '\r'], " ");
    match plain.contains([',', '"']) {
        true => format!("\"{}\"", plain.replace('"', "\"\"")),
        false => plain,
    }
}

pub fn write_csv(
    path: &Path,
    header: &Header,
    rows: &mut dyn Iterator<Item = Row>,
) -> Result<(), GraspFileError> {
    let columns = Columns::new(header);
    let wanted = columns.to_write(header);
    replaced(path, |file| {
        let mut out = BufWriter::new(file);
        let mut first = String::new();
        for (key, value) in header.facts() {
            first.push_str(&format!("# {key} = {}\n", value.replace(['\n', '\r'], " ")));
        }
        let names: Vec<String> = wanted.iter().map(|(_, name)| quoted(name)).collect();
        first.push_str(&format!("{},{LABEL},{REASON}\n", names.join(",")));
        out.write_all(first.as_bytes())
            .map_err(GraspFileError::io("write", path))?;
        let mut line = String::new();
        for (number, row) in (0..).zip(rows) {
            let cells = super::cells_to_write(path, header, &columns, number, &row)?;
            line.clear();
            for (at, _) in &wanted {
                if let Some(value) = cells.numbers[*at] {
                    line.push_str(&format!("{value:?}"));
                }
                line.push(',');
            }
            line.push_str(
                cells
                    .label
                    .map_or("", |label| if label { "true" } else { "false" }),
            );
            line.push(',');
            line.push_str(&quoted(cells.reason.as_deref().unwrap_or("")));
            line.push('\n');
            out.write_all(line.as_bytes())
                .map_err(GraspFileError::io("write", path))?;
        }
        out.flush().map_err(GraspFileError::io("write", path))
    })
}
