//! The order of links: parents before children, else as in the file.

use std::collections::BTreeMap;

use crate::error::RobotError;
use crate::xml::Element;

/// A link with its joint and parent, by their numbers in the file.
pub type Entry = (usize, Option<(usize, usize)>);

/// Checks that joints make one tree of the links, and walks it depth first.
pub fn order(
    root: &Element,
    links: &[&Element],
    joints: &[&Element],
) -> Result<Vec<Entry>, RobotError> {
    let file = || root.file.name.clone();
    if links.is_empty() {
        return Err(RobotError::NoLinks { file: file() });
    }
    let number = numbers(links, "link")?;
    numbers(joints, "joint")?;
    let mut above: Vec<Option<(usize, usize)>> = vec![None; links.len()];
    let mut below: Vec<Vec<(usize, usize)>> = vec![Vec::new(); links.len()];
    for (j, joint) in joints.iter().enumerate() {
        let end = |tag: &'static str| {
            let element = joint
                .child(tag)
                .ok_or_else(|| joint.incomplete(format!("a <{tag} link=\"…\">")))?;
            let name = element.need("link")?;
            let found = number.get(name).copied();
            found.ok_or_else(|| RobotError::Unknown {
                place: joint.place(),
                attribute: format!("{tag} link"),
                kind: "link",
                name: name.to_owned(),
            })
        };
        let (parent, child) = (end("parent")?, end("child")?);
        if let Some((other, _)) = above[child] {
            return Err(RobotError::TwoParents {
                place: joint.place(),
                link: links[child].label(),
                other: joints[other].label(),
            });
        }
        above[child] = Some((j, parent));
        below[parent].push((j, child));
    }
    let roots: Vec<usize> = (0..links.len()).filter(|i| above[*i].is_none()).collect();
    if roots.len() > 1 {
        return Err(RobotError::SeveralRoots {
            file: file(),
            roots: roots.iter().map(|i| links[*i].label()).collect(),
        });
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut pending: Vec<Entry> = roots.iter().map(|root| (*root, None)).collect();
    while let Some((link, joint)) = pending.pop() {
        entries.push((link, joint));
        let children = below[link].iter().rev();
        pending.extend(children.map(|(j, child)| (*child, Some((*j, link)))));
    }
    // Links out of reach have a parent each: they hang on each other.
    let mut reached = vec![false; links.len()];
    entries.iter().for_each(|(link, _)| reached[*link] = true);
    match reached.iter().position(|r| !r) {
        Some(lost) => Err(circle(links, &above, lost)),
        None => Ok(entries),
    }
}

fn circle(links: &[&Element], above: &[Option<(usize, usize)>], lost: usize) -> RobotError {
    // After as many steps as there are links one is on the circle.
    let up = |i: usize| above[i].map_or(i, |(_, parent)| parent);
    let start = (0..links.len()).fold(lost, |i, _| up(i));
    let mut names = vec![links[start].label()];
    let mut at = up(start);
    while at != start {
        names.push(links[at].label());
        at = up(at);
    }
    names.push(links[start].label());
    RobotError::LinkCycle {
        place: links[start].place(),
        links: names,
    }
}

/// Elements by their names, which must be there and differ.
fn numbers<'a>(
    elements: &[&'a Element],
    kind: &'static str,
) -> Result<BTreeMap<&'a str, usize>, RobotError> {
    let mut map = BTreeMap::new();
    for (i, element) in elements.iter().enumerate() {
        if map.insert(element.need("name")?, i).is_some() {
            let place = element.place();
            return Err(RobotError::Duplicate { place, kind });
        }
    }
    Ok(map)
}
