//! What the command says: results on stdout, everything else on stderr.
//!
//! Names in files may contain anything. Characters that a terminal acts upon are
//! shown as codes, so that a file cannot colour, move or overwrite what is printed.

use std::io::{ErrorKind, Write};

use anyhow::Context;

/// Prints the result. It is an error when that is not possible, but for a reader who
/// stops early, as `head` does.
pub fn print(text: &str) -> anyhow::Result<()> {
    write(&shown(text))
}

/// The same for JSON, in which characters have other codes.
pub fn print_json(text: &str) -> anyhow::Result<()> {
    write(&coded(text, |c| format!("\\u{:04x}", u32::from(c))))
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the result")
        }
        _ => Ok(()),
    }
}

/// A line on stderr that begins with `error`.
pub fn error(what: impl std::fmt::Display) {
    say(&format!("error: {what}"));
}

/// An error with its causes on stderr.
pub fn failed(what: &anyhow::Error) {
    error(causes(what));
}

/// An error with its causes, each said once: some errors name their cause themselves.
pub fn causes(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| {
        let cause = cause.to_string();
        match said.as_str() {
            "" => cause,
            _ if said.contains(&cause) => said,
            _ => format!("{said}: {cause}"),
        }
    })
}

/// A line on stderr that begins with `warning`.
pub fn warning(what: impl std::fmt::Display) {
    say(&format!("warning: {what}"));
}

/// A line on stderr that begins with `note`.
pub fn note(what: impl std::fmt::Display) {
    say(&format!("note: {what}"));
}

/// A line on stderr. Nobody can be told when that is gone, as after a dropped
/// connection; the run goes on.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", shown(line));
}

/// Text without characters that a terminal acts upon.
pub fn shown(text: &str) -> String {
    coded(text, |c| c.escape_unicode().to_string())
}

fn coded(text: &str, code: impl Fn(char) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match acts_on_terminals(c) {
            true => out.push_str(&code(c)),
            false => out.push(c),
        }
    }
    out
}

/// Control characters, and those that turn the direction of text.
fn acts_on_terminals(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_terminal_acts_upon_is_coded() {
        assert_eq!(shown("µ ünïcode\n\t名"), "µ ünïcode\n\t名");
        assert_eq!(shown("a\u{1b}[31mb\r\u{9b}"), "a\\u{1b}[31mb\\u{d}\\u{9b}");
        assert_eq!(shown("\u{202e}gnp"), "\\u{202e}gnp");
        let json = coded("\"\u{9b}x\"", |c| format!("\\u{:04x}", u32::from(c)));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "\u{9b}x");
    }
}
