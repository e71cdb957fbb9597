//! `<compiler>`: what numbers in the file mean.

use glam::{DMat3, DVec3};
use std::path::{Path, PathBuf};
use volar_geom::Pose;
use volar_math::rotation;

use crate::error::RobotError;
use crate::report::{ImportReport, NoteKind};
use crate::xml::Element;

#[derive(Clone, Debug)]
pub struct Compiler {
    /// Radians per unit of angle.
    pub angle: f64,
    /// Lower case letters turn about the axes as they have been rotated.
    pub euler: [u8; 3],
    /// A range makes a joint limited without saying so.
    pub autolimits: bool,
    pub meshdir: PathBuf,
    pub strippath: bool,
    /// Mass from shapes: never, always, or (None) where no mass is given.
    pub from_geoms: Option<bool>,
    pub geom_groups: [i64; 2],
    pub total_mass: Option<f64>,
    pub bound_mass: f64,
    pub bound_inertia: f64,
}

impl Default for Compiler {
    fn default() -> Compiler {
        Compiler {
            angle: 1.0_f64.to_radians(),
            euler: *b"xyz",
            autolimits: true,
            meshdir: PathBuf::new(),
            strippath: false,
            from_geoms: None,
            geom_groups: [i64::MIN, i64::MAX],
            total_mass: None,
            bound_mass: 0.0,
            bound_inertia: 0.0,
        }
    }
}

const BOOL: &[(&str, bool)] = &[("true", true), ("false", false)];

impl Compiler {
    /// Takes over the settings of one more `<compiler>`.
    pub fn read(&mut self, element: &Element, report: &mut ImportReport) -> Result<(), RobotError> {
        let words = [("radian", 1.0), ("degree", 1.0_f64.to_radians())];
        if let Some(angle) = element.word("angle", &words)? {
            self.angle = angle;
        }
        if let Some(sequence) = element.get("eulerseq") {
            let bytes: Option<[u8; 3]> = sequence.trim().as_bytes().try_into().ok();
            let is_axis = |b: &u8| b"xyzXYZ".contains(b);
            self.euler = bytes
                .filter(|b| b.iter().all(is_axis))
                .ok_or_else(|| element.bad("eulerseq", "three letters of xyzXYZ"))?;
        }
        if element.get("coordinate") == Some("global") {
            return Err(RobotError::Unsupported {
                place: element.place(),
                what: "coordinate=\"global\"".into(),
                remedy: "MuJoCo gave it up in version 2.3.4; save the model with an older one",
            });
        }
        let flag = |name: &str| element.word(name, BOOL);
        self.autolimits = flag("autolimits")?.unwrap_or(self.autolimits);
        self.strippath = flag("strippath")?.unwrap_or(self.strippath);
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = element.get(name) {
                self.meshdir = PathBuf::from(folder.replace('\\', "/"));
            }
        }
        let words = [("auto", None), ("true", Some(true)), ("false", Some(false))];
        if let Some(choice) = element.word("inertiafromgeom", &words)? {
            self.from_geoms = choice;
        }
        if let Some([low, high]) = element.range("inertiagrouprange")? {
            self.geom_groups = [low as i64, high as i64];
        }
        if let Some(mass) = element.number("settotalmass")? {
            self.total_mass = (mass > 0.0).then_some(mass);
        }
        self.bound_mass = element.magnitude("boundmass", self.bound_mass)?;
        self.bound_inertia = element.magnitude("boundinertia", self.bound_inertia)?;
        self.note_rest(element, report);
        Ok(())
    }

    fn note_rest(&self, element: &Element, report: &mut ImportReport) {
        for (name, value) in &element.attributes {
            let (kind, detail) = match name.as_str() {
                "angle" | "eulerseq" | "coordinate" | "autolimits" | "strippath"
                | "balanceinertia" | "assetdir" | "meshdir" | "inertiafromgeom"
                | "inertiagrouprange" | "settotalmass" | "boundmass" | "boundinertia" => continue,
                "texturedir" => (NoteKind::Ignored, "textures are for looks"),
                "usethread" | "saveinertial" | "fitaabb" | "fusestatic" | "discardvisual"
                | "convexhull" | "alignfree" => (NoteKind::Ignored, "how MuJoCo prepares a model"),
                _ => (NoteKind::Unsupported, "not a setting that is known here"),
            };
            let what = format!("{name} of <compiler>");
            report.add(kind, what, detail, format!("{name}=\"{value}\""));
        }
    }

    /// A file of an asset.
    pub fn asset_path(&self, file: &str, folder: &Path) -> PathBuf {
        let file = file.replace('\\', "/");
        let file = Path::new(&file);
        let file = match self.strippath {
            true => Path::new(file.file_name().unwrap_or(file.as_os_str())),
            false => file,
        };
        folder.join(&self.meshdir).join(file)
    }

    /// `pos` with any of the ways to give an orientation.
    pub fn pose(&self, element: &Element) -> Result<Pose, RobotError> {
        let p = element.vector_or("pos", DVec3::ZERO)?;
        Ok(Pose {
            R: self.rotation(element)?,
            p,
        })
    }

    pub fn rotation(&self, element: &Element) -> Result<DMat3, RobotError> {
        let not_zero = |attribute| element.bad(attribute, "vectors that are not zero");
        if let Some(q) = element.numbers("quat", 4, 4)? {
            return Ok(element.pose(DVec3::ZERO, &q, "quat")?.R);
        }
        if let Some(v) = element.numbers("axisangle", 4, 4)? {
            let axis = DVec3::new(v[0], v[1], v[2])
                .try_normalize()
                .ok_or_else(|| not_zero("axisangle"))?;
            return Ok(rotation::about(axis, v[3] * self.angle));
        }
        if let Some(angles) = element.vector("euler")? {
            return Ok(self.euler(angles));
        }
        if let Some(v) = element.numbers("xyaxes", 6, 6)? {
            let x = DVec3::new(v[0], v[1], v[2]);
            let x = x.try_normalize().ok_or_else(|| not_zero("xyaxes"))?;
            let y = DVec3::new(v[3], v[4], v[5]);
            let y = (y - x * x.dot(y)).try_normalize();
            let y = y.ok_or_else(|| element.bad("xyaxes", "two vectors that are not parallel"))?;
            return Ok(DMat3::from_cols(x, y, x.cross(y)));
        }
        if let Some(z) = element.vector("zaxis")? {
            let z = z.try_normalize().ok_or_else(|| not_zero("zaxis"))?;
            return Ok(from_z(z));
        }
        Ok(DMat3::IDENTITY)
    }

    fn euler(&self, angles: DVec3) -> DMat3 {
        let mut product = DMat3::IDENTITY;
        for (letter, angle) in self.euler.iter().zip(angles.to_array()) {
            let angle = angle * self.angle;
            let turn = match letter.to_ascii_lowercase() {
                b'x' => rotation::about_x(angle),
                b'y' => rotation::about_y(angle),
                _ => rotation::about_z(angle),
            };
            product = match letter.is_ascii_lowercase() {
                true => product * turn,
                false => turn * product,
            };
        }
        product
    }
}

/// The least turn that takes z to a unit vector.
pub fn from_z(z: DVec3) -> DMat3 {
    rotation::arc(DVec3::Z, z)
}
