//! Writing XML: elements with attributes, indented.

use std::fmt::{Display, Write as _};

/// An XML file that is being written.
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// Names and values, in order.
pub(crate) type Attributes<'a> = &'a [(&'static str, String)];

impl Xml {
    /// A file that begins with a comment.
    pub fn new(comment: &str) -> Xml {
        Xml {
            // Two dashes would end the comment.
            text: format!(
                "<?xml version=\"1.0\"?>\n<!-- {} -->\n",
                comment.replace("--", "- -")
            ),
            open: Vec::new(),
        }
    }

    /// An element that has others in it, up to [`Xml::close`].
    pub fn open(&mut self, tag: &'static str, attributes: Attributes) {
        self.start(tag, attributes);
        self.text.push_str(">\n");
        self.open.push(tag);
    }

    /// The end of the element that was opened last.
    pub fn close(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.indent();
            let _ = writeln!(self.text, "</{tag}>");
        }
    }

    /// An element without others in it.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes) {
        self.start(tag, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with text in it.
    pub fn text(&mut self, tag: &'static str, text: &str) {
        self.text_with(tag, &[], text);
    }

    /// The same with attributes.
    pub fn text_with(&mut self, tag: &'static str, attributes: Attributes, text: &str) {
        self.start(tag, attributes);
        let _ = writeln!(self.text, ">{}</{tag}>", escaped(text));
    }

    /// The file, with everything closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn start(&mut self, tag: &str, attributes: Attributes) {
        self.indent();
        let _ = write!(self.text, "<{tag}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"{}\"", escaped(value));
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len() {
            self.text.push_str("  ");
        }
    }
}

/// Text in which nothing ends an attribute or an element.
pub(crate) fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Numbers with spaces between; each reads back to the same bits.
pub(crate) fn numbers<N: Display>(values: impl IntoIterator<Item = N>) -> String {
    let mut text = String::new();
    for value in values {
        if !text.is_empty() {
            text.push(' ');
        }
        let _ = write!(text, "{value}");
    }
    text
}
