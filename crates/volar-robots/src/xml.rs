//! XML as an owned tree with places, and its values.
//!
//! `roxmltree` parses; what stays are tags, attributes and lines, so that
//! files that include each other become one tree.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use roxmltree::{Document, Node, ParsingOptions};
use volar_assets::AssetSource;
use volar_geom::Pose;

use crate::error::{Place, RobotError};

/// Bytes of a robot file; the largest known has about one megabyte.
const MAX_BYTES: usize = 64 << 20;
/// Elements of a robot with all it includes.
pub(crate) const MAX_ELEMENTS: usize = 500_000;
/// Elements within elements. The deepest known robot has some forty; readers
/// recurse along them.
const DEEPEST: usize = 200;

/// An element with what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    /// What stands between its tags, without the elements.
    pub text: String,
    pub children: Vec<Element>,
    pub file: Arc<File>,
    pub line: u32,
}

/// The file that an element is in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// In its source.
    pub path: PathBuf,
    /// What errors call it.
    pub name: String,
}

/// Reads a file into its root element.
pub(crate) fn read_file(source: &dyn AssetSource, path: &Path) -> Result<Element, RobotError> {
    let bytes = source.read(path)?;
    let file = File {
        path: path.to_owned(),
        name: source.name_of(path),
    };
    if bytes.len() > MAX_BYTES {
        return Err(too_large(&file.name, "bytes", MAX_BYTES));
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => parse(text, file),
        Err(error) => Err(RobotError::Syntax {
            file: file.name,
            problem: format!("not UTF-8 text: {error}"),
        }),
    }
}

fn parse(text: &str, file: File) -> Result<Element, RobotError> {
    check_depth(text, &file.name)?;
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: 4 * MAX_ELEMENTS as u32,
        ..ParsingOptions::default()
    };
    let text = &with_prefixes(without_declaration(text));
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => RobotError::Doctype {
            file: file.name.clone(),
        },
        roxmltree::Error::NodesLimitReached => too_large(&file.name, "elements", MAX_ELEMENTS),
        roxmltree::Error::UnknownNamespace(prefix, at) if prefix == "xacro" => RobotError::Xacro {
            file: file.name.clone(),
            line: at.row,
            found: "<xacro:…>".into(),
        },
        other => RobotError::Syntax {
            file: file.name.clone(),
            problem: format!("not well-formed XML: {other}"),
        },
    })?;
    let lines = Lines::of(text);
    if let Some((found, at)) = document.root_element().descendants().find_map(template) {
        let (file, line) = (file.name, lines.at(at));
        return Err(RobotError::Xacro { file, line, found });
    }
    Ok(owned(document.root_element(), &Arc::new(file), &lines))
}

/// Blanks the XML declaration: files made by hand have comments before it or
/// versions that do not exist, and readers of robots take them.
fn without_declaration(text: &str) -> String {
    let mut text = text.replace('\u{feff}', " ");
    let start = text.find("<?xml").filter(|start| {
        let root = text.find('<').unwrap_or(0);
        // Before the root element: only comments in between.
        text[root..].starts_with("<?xml") || text[..*start].trim_end().ends_with("-->")
    });
    if let Some(start) = start
        && let Some(length) = text[start..].find("?>")
    {
        let end = start + length + 2;
        let blank: String = text[start..end]
            .chars()
            .map(|c| if c == '\n' { c } else { ' ' })
            .collect();
        text.replace_range(start..end, &blank);
    }
    text
}

/// Declares the prefixes that a file uses without saying what they stand for, as `drake:` in
/// SDF: on the root element, so lines stay what they are. Not that of xacro, whose files are
/// refused.
fn with_prefixes(mut text: String) -> String {
    const MOST: usize = 8;
    for _ in 0..MOST {
        let Err(roxmltree::Error::UnknownNamespace(prefix, _)) = Document::parse(&text) else {
            break;
        };
        let Some(end) = end_of_root_name(&text).filter(|_| prefix != "xacro") else {
            break;
        };
        text.insert_str(end, &format!(" xmlns:{prefix}=\"{prefix}\""));
    }
    text
}

/// Where the name of the root element ends.
fn end_of_root_name(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let start = at + text[at..].find('<')?;
        let rest = &text[start..];
        let skip = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => {
                let name = rest[1..].find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
                return Some(start + 1 + name);
            }
        };
        at = start + rest.find(skip)? + skip.len();
    }
}

/// Refuses deep nesting before anything recurses into it: counts tags that
/// open less those that close. Comments and attributes with angle brackets in
/// them can only make the count too high by little.
fn check_depth(text: &str, file: &str) -> Result<(), RobotError> {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest) = (0_isize, 0);
    let mut at = 0;
    while let Some(next) = text[at..].find('<') {
        let start = at + next;
        at = start + 1;
        if text[at..].starts_with("!--") {
            at = text[at..].find("-->").map_or(text.len(), |end| at + end);
            continue;
        }
        match bytes.get(at) {
            Some(b'/') => depth -= 1,
            Some(b'?' | b'!') => {}
            _ => {
                let end = text[at..].find('>').map_or(text.len(), |end| at + end);
                if bytes[end - 1] != b'/' {
                    depth += 1;
                }
                deepest = deepest.max(depth);
            }
        }
    }
    match deepest > DEEPEST as isize {
        true => Err(too_large(file, "elements within each other", DEEPEST)),
        false => Ok(()),
    }
}

pub(crate) fn too_large(file: &str, what: &'static str, limit: usize) -> RobotError {
    RobotError::TooLarge {
        file: file.to_owned(),
        what,
        limit,
    }
}

/// Links of one robot: the largest humanoids have 100, and which of them may touch is a
/// question for every two.
const MAX_LINKS: usize = 1000;

/// Refuses more links than any robot has, before anything is done with them.
pub(crate) fn check_links(root: &Element, tag: &str) -> Result<(), RobotError> {
    match root.count_of(tag) > MAX_LINKS {
        true => Err(too_large(&root.file.name, "links", MAX_LINKS)),
        false => Ok(()),
    }
}

/// Where lines start; asking the parser for each position would count from the
/// start of the text every time.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        Lines(ends.map(|(i, _)| i).collect())
    }

    fn at(&self, byte: usize) -> u32 {
        self.0.partition_point(|end| *end < byte) as u32 + 1
    }
}

/// What of a node only xacro understands, and where it is. Expanded files keep
/// the declaration of its namespace, which means nothing.
fn template(node: Node) -> Option<(String, usize)> {
    if node
        .tag_name()
        .namespace()
        .is_some_and(|uri| uri.contains("xacro"))
    {
        let found = format!("<xacro:{}>", node.tag_name().name());
        return Some((found, node.range().start));
    }
    // `$(find package)` is a path of ROS that can be resolved.
    let is_template =
        |value: &str| value.contains("${") || value.contains("$(") && !value.contains("$(find ");
    let found = node.attributes().find(|a| is_template(a.value()))?;
    let found_text = format!("{}=\"{}\"", found.name(), found.value());
    Some((found_text, node.range().start))
}

fn owned(node: Node, file: &Arc<File>, lines: &Lines) -> Element {
    Element {
        tag: node.tag_name().name().to_owned(),
        attributes: node
            .attributes()
            .map(|a| (a.name().to_owned(), a.value().to_owned()))
            .collect(),
        text: {
            let parts = node.children().filter(Node::is_text);
            let parts: Vec<&str> = parts.filter_map(|part| part.text()).collect();
            parts.join(" ").trim().to_owned()
        },
        children: node
            .children()
            .filter(Node::is_element)
            .map(|child| owned(child, file, lines))
            .collect(),
        file: file.clone(),
        line: lines.at(node.range().start),
    }
}

impl Element {
    /// How many elements this is, with all in it.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Element::count).sum::<usize>()
    }

    /// How many of them have a tag.
    fn count_of(&self, tag: &str) -> usize {
        let below: usize = self.children.iter().map(|child| child.count_of(tag)).sum();
        usize::from(self.tag == tag) + below
    }

    pub fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(name, _)| name == attribute)
            .map(|(_, value)| value.as_str())
    }

    /// Sets an attribute, replacing its value.
    pub fn set(&mut self, attribute: &str, value: &str) {
        match self.attributes.iter_mut().find(|(n, _)| n == attribute) {
            Some((_, old)) => *old = value.to_owned(),
            None => self.attributes.push((attribute.into(), value.into())),
        }
    }

    pub fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    pub fn child(&self, tag: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.tag == tag)
    }

    /// The text of a child, if it has any.
    pub fn text_of(&self, tag: &str) -> Option<&str> {
        let text = self.child(tag)?.text.as_str();
        Some(text).filter(|text| !text.is_empty())
    }

    pub fn place(&self) -> Box<Place> {
        let name = self.get("name");
        let name = name.map_or_else(String::new, |name| format!(" name=\"{name}\""));
        Box::new(Place {
            file: self.file.name.clone(),
            line: self.line,
            entry: format!("<{}{name}>", self.tag),
        })
    }

    /// Its name, or its line where it has none.
    pub fn label(&self) -> String {
        match self.get("name") {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("line {}", self.line),
        }
    }

    pub fn incomplete(&self, needed: impl Into<String>) -> RobotError {
        RobotError::Incomplete {
            place: self.place(),
            needed: needed.into(),
        }
    }

    pub fn bad(&self, attribute: &str, expected: impl Into<String>) -> RobotError {
        RobotError::BadValue {
            place: self.place(),
            attribute: attribute.into(),
            value: self.get(attribute).unwrap_or_default().into(),
            expected: expected.into(),
        }
    }

    pub fn unknown(&self, attribute: &str, kind: &'static str) -> RobotError {
        RobotError::Unknown {
            place: self.place(),
            attribute: attribute.into(),
            kind,
            name: self.get(attribute).unwrap_or_default().into(),
        }
    }

    /// An attribute that must be there.
    pub fn need(&self, attribute: &str) -> Result<&str, RobotError> {
        self.get(attribute)
            .ok_or_else(|| self.incomplete(format!("the attribute `{attribute}`")))
    }

    /// Between `least` and `most` finite numbers.
    pub fn numbers(
        &self,
        attribute: &str,
        least: usize,
        most: usize,
    ) -> Result<Option<Vec<f64>>, RobotError> {
        let Some(text) = self.get(attribute) else {
            return Ok(None);
        };
        let values: Option<Vec<f64>> = text
            .split_ascii_whitespace()
            .map(|word| word.parse().ok().filter(|v: &f64| v.is_finite()))
            .collect();
        match values {
            Some(values) if (least..=most).contains(&values.len()) => Ok(Some(values)),
            _ => Err(self.bad(
                attribute,
                match (least, most) {
                    (1, 1) => "a number".into(),
                    (a, b) if a == b => format!("{a} numbers"),
                    (a, b) if b == usize::MAX => format!("{a} or more numbers"),
                    (a, b) => format!("{a} to {b} numbers"),
                },
            )),
        }
    }

    pub fn number(&self, attribute: &str) -> Result<Option<f64>, RobotError> {
        Ok(self.numbers(attribute, 1, 1)?.map(|v| v[0]))
    }

    pub fn number_or(&self, attribute: &str, default: f64) -> Result<f64, RobotError> {
        Ok(self.number(attribute)?.unwrap_or(default))
    }

    /// A number that is not negative.
    pub fn magnitude(&self, attribute: &str, default: f64) -> Result<f64, RobotError> {
        match self.number(attribute)? {
            None => Ok(default),
            Some(value) if value >= 0.0 => Ok(value),
            Some(_) => Err(self.bad(attribute, "a number that is not negative")),
        }
    }

    pub fn vector(&self, attribute: &str) -> Result<Option<DVec3>, RobotError> {
        let values = self.numbers(attribute, 3, 3)?;
        Ok(values.map(|v| DVec3::new(v[0], v[1], v[2])))
    }

    pub fn vector_or(&self, attribute: &str, default: DVec3) -> Result<DVec3, RobotError> {
        Ok(self.vector(attribute)?.unwrap_or(default))
    }

    /// Two numbers, the lower first.
    pub fn range(&self, attribute: &str) -> Result<Option<[f64; 2]>, RobotError> {
        match self.numbers(attribute, 2, 2)?.as_deref() {
            None => Ok(None),
            Some([low, high]) if low <= high => Ok(Some([*low, *high])),
            Some(_) => Err(self.bad(attribute, "two numbers, the lower first")),
        }
    }

    /// One of some words.
    pub fn word<T: Copy>(
        &self,
        attribute: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, RobotError> {
        let Some(text) = self.get(attribute) else {
            return Ok(None);
        };
        match words.iter().find(|(word, _)| *word == text.trim()) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(self.bad(attribute, format!("one of {}", known.join(", "))))
            }
        }
    }

    /// A pose from a position and a quaternion (w, x, y, z) of this element.
    pub fn pose(&self, p: DVec3, wxyz: &[f64], attribute: &str) -> Result<Pose, RobotError> {
        let quaternion = [wxyz[0], wxyz[1], wxyz[2], wxyz[3]];
        Pose::from_wxyz(p.to_array(), quaternion)
            .ok_or_else(|| self.bad(attribute, "a quaternion that is not zero"))
    }
}
