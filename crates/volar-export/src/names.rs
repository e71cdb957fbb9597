//! Names of files and in files.

use std::collections::BTreeSet;

use volar_scene::Setup;
use volar_sim::BodyId;

/// The number of the robot that a body is a link of, and of the link.
pub(crate) fn part_of(setup: &Setup, body: BodyId) -> (Option<usize>, usize) {
    let robots = setup.robots.iter().enumerate();
    let mut found = robots.filter_map(|(r, robot)| Some((Some(r), robot.link(body)?)));
    found.next().unwrap_or((None, 0))
}

/// Names that files can have on any system, all different.
pub(crate) fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let plain = names.map(|name| {
        let plain = |c: char| match c {
            c if c.is_ascii_alphanumeric() || "_.".contains(c) => c,
            _ => '-',
        };
        let name: String = name.chars().map(plain).collect();
        let name = name.trim_matches(['.', '-']);
        match name {
            "" => "unnamed".to_owned(),
            name => name.to_owned(),
        }
    });
    unique_but_for_case(plain)
}

/// The names, with numbers where one has been there before.
pub(crate) fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    numbered(names, str::to_owned)
}

fn unique_but_for_case(names: impl Iterator<Item = String>) -> Vec<String> {
    numbered(names, str::to_ascii_lowercase)
}

fn numbered(names: impl Iterator<Item = String>, key: impl Fn(&str) -> String) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let new = names.map(|name| {
        let mut own = name.clone();
        let mut number = 2;
        while !taken.insert(key(&own)) {
            own = format!("{name}_{number}");
            number += 1;
        }
        own
    });
    new.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_different() {
        let names = [
            "hand/first finger",
            "hand-first/finger",
            "A",
            "a",
            "../x",
            "",
        ];
        let files = file_names(names.into_iter());
        let expected = [
            "hand-first-finger",
            "hand-first-finger_2",
            "A",
            "a_2",
            "x",
            "unnamed",
        ];
        assert_eq!(files, expected);
    }
}
