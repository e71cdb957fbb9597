//! `<include>`: other files in the place of an element.
//!
//! An included file has a root of any name, mostly `<mujoco>` or
//! `<mujocoinclude>`; its children stand where the include stood. Names are
//! relative to the main file, as MuJoCo has it, or else to the file that
//! includes.

use std::path::{Path, PathBuf};

use volar_assets::{AssetSource, normalized};

use crate::error::RobotError;
use crate::files::first_file;
use crate::format::Files;
use crate::xml::{Element, MAX_ELEMENTS, read_file, too_large};

/// Includes of a robot; the largest known has some thirty. Files that include
/// others twice each grow without a cycle.
const MAX_INCLUDES: usize = 10_000;

/// Replaces all includes below a root; gives the files that were read.
pub fn expand(root: &mut Element, files: Files) -> Result<Vec<PathBuf>, RobotError> {
    let mut work = Expansion {
        source: files.library.source(),
        folder: files.folder,
        files: vec![root.file.path.clone()],
        open: vec![normalized(&root.file.path)],
        elements: root.count(),
        includes: 0,
    };
    work.expand(root)?;
    Ok(work.files)
}

struct Expansion<'a> {
    source: &'a dyn AssetSource,
    folder: &'a Path,
    files: Vec<PathBuf>,
    /// The files being read, outermost first.
    open: Vec<PathBuf>,
    elements: usize,
    includes: usize,
}

impl Expansion<'_> {
    /// What errors call the main file.
    fn name(&self) -> String {
        self.source.name_of(&self.files[0])
    }

    fn expand(&mut self, element: &mut Element) -> Result<(), RobotError> {
        let children = std::mem::take(&mut element.children);
        for mut child in children {
            if child.tag == "include" {
                element.children.extend(self.included(&child)?);
            } else {
                self.expand(&mut child)?;
                element.children.push(child);
            }
        }
        Ok(())
    }

    fn included(&mut self, include: &Element) -> Result<Vec<Element>, RobotError> {
        let name = include.need("file")?.replace('\\', "/");
        let beside = include.file.path.parent();
        let folders = [self.folder].into_iter().chain(beside);
        let mut candidates: Vec<PathBuf> = folders.map(|folder| folder.join(&name)).collect();
        candidates.dedup();
        let path = first_file(self.source, candidates).map_err(|tried| RobotError::Missing {
            place: include.place(),
            what: "the included file",
            name: name.clone(),
            tried,
        })?;
        let identity = normalized(&path);
        if self.open.contains(&identity) {
            return Err(RobotError::CyclicInclude {
                place: include.place(),
                target: self.source.name_of(&path),
            });
        }
        let mut root = read_file(self.source, &path)?;
        self.elements += root.count();
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            return Err(too_large(&self.name(), "includes", MAX_INCLUDES));
        }
        if self.elements > MAX_ELEMENTS {
            return Err(too_large(&self.name(), "elements", MAX_ELEMENTS));
        }
        if !self.files.contains(&path) {
            self.files.push(path);
        }
        self.open.push(identity);
        self.expand(&mut root)?;
        self.open.pop();
        Ok(root.children)
    }
}
