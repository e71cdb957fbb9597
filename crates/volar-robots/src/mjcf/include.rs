//! `<include>`: other files in the place of an element.
//!
//! An included file has a root of any name, mostly `<mujoco>` or
//! `<mujocoinclude>`; its children stand where the include stood. Names are
//! relative to the main file, as MuJoCo has it, or else to the file that
//! includes.

use std::path::{Path, PathBuf};

use crate::error::RobotError;
use crate::files::first_file;
use crate::xml::{Element, MAX_ELEMENTS, read_file, too_large};

/// Includes of a robot; the largest known has some thirty. Files that include
/// others twice each grow without a cycle.
const MAX_INCLUDES: usize = 10_000;

/// Replaces all includes below a root; gives the files that were read.
pub fn expand(root: &mut Element, folder: Option<&Path>) -> Result<Vec<PathBuf>, RobotError> {
    let mut work = Expansion {
        folder,
        files: vec![root.file.as_ref().clone()],
        open: vec![identity(&root.file)],
        elements: root.count(),
        includes: 0,
    };
    work.expand(root)?;
    Ok(work.files)
}

struct Expansion<'a> {
    folder: Option<&'a Path>,
    files: Vec<PathBuf>,
    /// The files being read, outermost first.
    open: Vec<PathBuf>,
    elements: usize,
    includes: usize,
}

impl Expansion<'_> {
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
        let beside = include.file.parent().map(Path::to_owned);
        let folders = self.folder.map(Path::to_owned).into_iter().chain(beside);
        let mut candidates: Vec<PathBuf> = folders.map(|folder| folder.join(&name)).collect();
        candidates.dedup();
        let path = first_file(candidates).map_err(|tried| RobotError::Missing {
            place: include.place(),
            what: "the included file",
            name: name.clone(),
            tried,
        })?;
        let identity = identity(&path);
        if self.open.contains(&identity) {
            return Err(RobotError::CyclicInclude {
                place: include.place(),
                target: path,
            });
        }
        let mut root = read_file(&path)?;
        self.elements += root.count();
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            return Err(too_large(&self.files[0], "includes", MAX_INCLUDES));
        }
        if self.elements > MAX_ELEMENTS {
            return Err(too_large(&self.files[0], "elements", MAX_ELEMENTS));
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

/// The same for all names of a file.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
