//! The scene of a grasp: a hand closes on an object, and gravity pulls at it from four
//! sides.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};
use volar_assets::Disk;
use volar_geom::Pose;

use super::object::{Object, body_entry, object_cloud};
use super::touching::Surfaces;
use super::{Closing, Hand};
use crate::error::SceneError;
use crate::scene::Scene;
use crate::spec::{GravityTurn, PhaseEntry, SceneSpec, ScheduleEntry, Transition};

/// The open hand stays so far away from the object, m.
pub(super) const CLEARANCE: f64 = 1.0e-3;
/// Samples are millimetres apart: surfaces that cross have samples nearer than this, m.
pub(super) const SAMPLES_APART: f64 = 3.0e-3;
/// An object may be moved so far out of the tool frame to clear the palm, m.
pub(super) const FARTHEST: f64 = 0.15;
/// Standard gravity, m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// How to grasp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraspOptions {
    /// Force of each finger where the file has no servo of its own, N.
    pub force: f64,
    /// Time to close, s.
    pub close: f64,
    /// Time to hold under each direction of gravity, s.
    pub hold: f64,
    /// How far the surfaces of the hand's links may be from those of its file, m.
    pub detail: f64,
    /// Picks the object up from a table and lifts it by so much, m; none: it floats in the open
    /// hand, and gravity pulls from four sides.
    pub lift: Option<f64>,
}

impl Default for GraspOptions {
    fn default() -> GraspOptions {
        GraspOptions {
            force: 10.0,
            close: 1.0,
            hold: 5.0,
            detail: 1.0e-4,
            lift: None,
        }
    }
}

/// The scene of a grasp, and what was assumed for it.
#[derive(Clone, Debug)]
pub struct GraspPlan {
    /// The scene; paths in it are valid from anywhere.
    pub spec: SceneSpec,
    /// Every default and guess, as sentences.
    pub assumed: Vec<String>,
}

impl GraspPlan {
    /// As a scene that can be compiled.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        let files = std::sync::Arc::new(Disk::default());
        Ok(Scene::from_spec(self.spec.clone())?.with_files(files))
    }
}

impl Hand {
    /// Plans a grasp: the object in the tool frame of the open hand, which closes in
    /// weightlessness; then gravity, and three quarter turns of it about the axis from finger
    /// to finger. With [`GraspOptions::lift`] the object lies on a table and is lifted.
    pub fn grasp(&self, object: &Object, options: &GraspOptions) -> Result<GraspPlan, SceneError> {
        match options.lift {
            Some(lift) => self.pick_up(object, options, lift),
            None => self.grasp_afloat(object, options),
        }
    }

    fn grasp_afloat(
        &self,
        object: &Object,
        options: &GraspOptions,
    ) -> Result<GraspPlan, SceneError> {
        let mut assumed = Vec::new();
        let values = self.open_values();
        let (X_WO, out) = self.place(object, &values, &mut assumed)?;
        let X_WT = self.tool_frame(&values)?;
        let closes = &self.file.closes;
        let surfaces = Surfaces::of(self, object)?;
        let touches = self.touches(&surfaces, closes, &values, &X_WO);
        // Before the open fingers is no place between them.
        if out > 0.0 && self.pushes_out(&surfaces, &values, &touches, &X_WO) {
            return Err(self.too_large(object, object_size(object)?));
        }
        let how = (closes, &values[..], &touches[..]);
        let robot = self.robot_entry(options, how, &X_WT, &mut assumed)?;
        let mut spec: SceneSpec = parse("name = \"\"")?;
        spec.name = format!("{} in {}", object.name, self.robot.name);
        spec.description = "closes in weightlessness, then gravity from four sides".into();
        let closed = 0.5 + options.close;
        spec.duration = closed + 4.0 * options.hold;
        spec.gravity = [0.0; 3];
        spec.robots.push(robot);
        spec.bodies.push(body_entry(object, &X_WO)?);
        let axis = X_WT.R.x_axis.to_array();
        let mut phases = Vec::new();
        for (number, name) in ["down", "side", "up", "other side"].into_iter().enumerate() {
            let from = closed + number as f64 * options.hold;
            let mut entry: ScheduleEntry = parse("at = 0.0")?;
            entry.at = from;
            if number == 0 {
                entry.gravity = Some((-GRAVITY * X_WT.R.z_axis).to_array());
            } else {
                entry.over = 0.1 * options.hold;
                entry.shape = Transition::Smooth;
                entry.turn_gravity = Some(GravityTurn {
                    axis,
                    angle_deg: 90.0,
                });
            }
            spec.schedule.push(entry);
            phases.push(PhaseEntry {
                name: format!("gravity {name}"),
                from,
                until: from + options.hold,
                held_within: None,
                held_angle_deg: None,
                held_by: None,
                may_move: false,
            });
        }
        let mut grasp: crate::spec::GraspSection = parse("object = \"\"")?;
        grasp.object.clone_from(&object.name);
        grasp.palm = Some(format!("hand/{}", self.file.palm));
        (grasp.from, grasp.held_since) = (closed, closed);
        grasp.phases = phases;
        spec.grasp = Some(grasp);
        assumed.push(format!(
            "closes from 0.25 s to {:.2} s, then gravity for {} s each from 4 sides: towards the \
             palm, then turned about the axis from finger to finger",
            0.25 + options.close,
            options.hold
        ));
        Ok(GraspPlan { spec, assumed })
    }

    /// Puts the object into the tool frame: its middle at the origin, its shortest edge from
    /// finger to finger, its longest across; moved out until the open hand is clear of it. With
    /// by how much.
    fn place(
        &self,
        object: &Object,
        values: &[f64],
        assumed: &mut Vec<String>,
    ) -> Result<(Pose, f64), SceneError> {
        let X_WT = self.tool_frame(values)?;
        let cloud = object_cloud(object)?;
        let [low, high] = cloud.bounds();
        let size = high - low;
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| size[*a].total_cmp(&size[*b]));
        let unit = |axis: usize| DVec3::AXES[axis];
        let mut R_OT = DMat3::from_cols(unit(axes[0]), unit(axes[2]), unit(axes[1]));
        if R_OT.determinant() < 0.0 {
            R_OT.y_axis = -R_OT.y_axis;
        }
        let R = X_WT.R * R_OT.transpose();
        let middle = 0.5 * (low + high);
        let mut out = 0.0;
        while out <= FARTHEST {
            let centre = X_WT.p + out * X_WT.R.z_axis;
            let pose = Pose {
                R,
                p: centre - R * middle,
            };
            let meets = self
                .reach
                .meets(&self.robot, values, (&cloud, &pose), SAMPLES_APART);
            if !meets {
                assumed.push(format!(
                    "`{}` starts in the tool frame, {:.0} mm out of its origin; its edges of \
                     {:.0}, {:.0} and {:.0} mm lie along x, z and y of it",
                    object.name,
                    1.0e3 * out,
                    1.0e3 * size[axes[0]],
                    1.0e3 * size[axes[1]],
                    1.0e3 * size[axes[2]],
                ));
                return Ok((pose, out));
            }
            out += CLEARANCE;
        }
        Err(self.too_large(object, size))
    }

    fn too_large(&self, object: &Object, size: DVec3) -> SceneError {
        let mut edges = (1.0e3 * size).to_array();
        edges.sort_by(f64::total_cmp);
        let [x, y, z] = edges;
        SceneError::Hand {
            message: format!(
                "`{}` ({x:.0} x {y:.0} x {z:.0} mm) does not fit between the open fingers{}: a \
                 smaller object, or another `tool` or `rest` in hand.toml",
                object.name,
                self.room()
            ),
        }
    }

    /// What the guess of the tool frame says about the room between the fingers.
    pub(super) fn room(&self) -> String {
        self.ball.map_or_else(String::new, |ball| {
            format!(", which close on a ball of {:.0} mm", 2.0e3 * ball)
        })
    }

    /// Joints that close, and the share of their way at which they touch the object.
    pub(super) fn touches(
        &self,
        surfaces: &Surfaces,
        closes: &BTreeMap<String, Closing>,
        values: &[f64],
        X_WO: &Pose,
    ) -> Vec<(usize, Option<f64>)> {
        let closes = closes.iter();
        let closing: Vec<(usize, Closing)> = closes
            .filter_map(|(joint, closing)| Some((self.robot.joint(joint)?, *closing)))
            .collect();
        let shares = self
            .reach
            .touch_shares(&self.robot, &closing, values, (surfaces, X_WO));
        closing.iter().map(|(link, _)| *link).zip(shares).collect()
    }
}

fn object_size(object: &Object) -> Result<DVec3, SceneError> {
    let [low, high] = object_cloud(object)?.bounds();
    Ok(high - low)
}

/// The types of the format with all that is left out as by default.
pub(super) fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, SceneError> {
    toml::from_str(text).map_err(|error| SceneError::Hand {
        message: error.to_string(),
    })
}
