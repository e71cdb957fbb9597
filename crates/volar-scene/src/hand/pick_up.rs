//! The scene of a pick-up: an object lies on a table, a hand comes from above, closes and lifts
//! it.
//!
//! W is the world, its z = 0 the top of the table and its origin under the object's centre of
//! mass; H the frame in which the hand is mounted, T its tool frame, O the object's.

use glam::{DMat3, DVec3};
use volar_geom::Pose;

use super::fingers::branch;
use super::grasp::{CLEARANCE, FARTHEST, GraspOptions, GraspPlan, SAMPLES_APART, parse};
use super::object::{Object, body_entry, object_cloud};
use super::reach::SWEEP;
use super::resting::Resting;
use super::touching::{Surfaces, closed_by};
use super::trials::placed;
use super::{Closing, Hand};
use crate::error::SceneError;
use crate::spec::{BodyEntry, MotionEntry, PhaseEntry, SceneSpec, Waypoint};

/// Fingers stay so far above the table while they close, m.
const ABOVE_TABLE: f64 = 2.0e-3;
/// So much of the object, to both sides of its centre of mass, says where its middle is, m.
const SLICE: f64 = 0.01;
/// The hand goes up within this time, s, ...
const LIFTING: f64 = 1.5;
/// ... and what it holds may swing for so long, s.
const SETTLING: f64 = 1.0;
const TABLE: [f64; 3] = [0.6, 0.6, 0.02];

impl Hand {
    pub(super) fn pick_up(
        &self,
        object: &Object,
        options: &GraspOptions,
        lift: f64,
    ) -> Result<GraspPlan, SceneError> {
        let refuse = |message: String| SceneError::Hand { message };
        let surface = object.surface()?;
        let lies = Resting::of(&surface)
            .ok_or_else(|| refuse(format!("`{}` encloses no volume", object.name)))?;
        let X_WO = Pose {
            R: lies.R_LO,
            p: lies.height * DVec3::Z - lies.R_LO * lies.centre,
        };
        let cloud = object_cloud(object)?;
        let values = self.open_values();
        let X_HT = self.tool_frame(&values)?;
        let mut X_WT = Pose {
            R: DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0)),
            p: lies.height * DVec3::Z,
        };
        // Between the fingers is the middle of what is there.
        let points = cloud.points.iter().map(|p| X_WO.point(*p));
        let across: Vec<f64> = points.filter(|p| p.y.abs() < SLICE).map(|p| p.x).collect();
        if !across.is_empty() {
            let low = across.iter().copied().fold(f64::INFINITY, f64::min);
            let high = across.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            X_WT.p.x = 0.5 * (low + high);
        }
        let mount = |X_WT: &Pose| X_WT.compose(&X_HT.inverse());
        let sweep = self.lowest_while_closing(&values)?;
        let closes = &self.file.closes;
        let surfaces = Surfaces::of(self, object)?;
        let mut touches = Vec::new();
        let (mut raised, mut blocked) = (0.0, false);
        let X_WH = loop {
            let X_WH = mount(&X_WT);
            let X_HO = X_WH.inverse().compose(&X_WO);
            let mut meets = self
                .reach
                .meets(&self.robot, &values, (&cloud, &X_HO), SAMPLES_APART);
            if !meets {
                touches = self.touches(&surfaces, closes, &values, &X_HO);
                // Samples of surfaces do not tell that a finger is deep inside.
                let mut shares = touches.iter().filter_map(|(_, share)| *share);
                meets = shares.any(|share| share <= 0.0);
            }
            blocked |= meets;
            let mut short = if meets { CLEARANCE } else { 0.0 };
            if !meets {
                let last = touches.iter().filter_map(|(_, share)| *share);
                let last = last.reduce(f64::max).unwrap_or(1.0);
                // z of T points down.
                let deepest = sweep.iter().filter(|(share, _)| *share <= last);
                let deepest = deepest.map(|(_, z)| *z).fold(f64::NEG_INFINITY, f64::max);
                short = ABOVE_TABLE - (X_WT.p.z - deepest);
            }
            if short <= 0.0 {
                break X_WH;
            }
            X_WT.p.z += short;
            raised += short;
            if raised > FARTHEST {
                return Err(self.does_not_fit(object, &lies));
            }
        };
        if touches.iter().all(|(_, share)| share.is_none()) {
            if blocked {
                return Err(self.does_not_fit(object, &lies));
            }
            return Err(refuse(format!(
                "the fingers pass over `{}`, which lies {:.0} mm high on the table: they stay \
                 {:.0} mm above it",
                object.name,
                1.0e3 * lies.size.z,
                1.0e3 * ABOVE_TABLE
            )));
        }
        let mut assumed = vec![format!(
            "`{}` lies on the table with its centre of mass as low as it can be, {:.0} x {:.0} x \
             {:.0} mm; the hand comes from above, its fingers across the shortest way, its tool \
             frame {:.0} mm above the centre of mass",
            object.name,
            1.0e3 * lies.size.x,
            1.0e3 * lies.size.y,
            1.0e3 * lies.size.z,
            1.0e3 * (X_WT.p.z - lies.height)
        )];
        let how = (closes, &values[..], &touches[..]);
        let mut robot = self.robot_entry(options, how, &X_HT, &mut assumed)?;
        (robot.position, robot.orientation) = placed(&X_WH);
        let closed = 0.5 + options.close;
        let settled = closed + LIFTING + SETTLING;
        let at = |time: f64, height: f64| Waypoint {
            time,
            position: [0.0, 0.0, height],
            orientation: [1.0, 0.0, 0.0, 0.0],
        };
        robot.motion = Some(MotionEntry::Waypoints(vec![
            at(closed, 0.0),
            at(closed + LIFTING, lift),
        ]));
        let mut spec: SceneSpec = parse("name = \"\"")?;
        spec.name = format!("{} from a table by {}", object.name, self.robot.name);
        spec.description = "picked up from a table, lifted and held".into();
        spec.duration = settled + options.hold;
        spec.robots.push(robot);
        spec.bodies.push(body_entry(object, &X_WO)?);
        spec.bodies.push(table()?);
        let mut grasp: crate::spec::GraspSection = parse("object = \"\"")?;
        grasp.object.clone_from(&object.name);
        grasp.palm = Some(format!("hand/{}", self.file.palm));
        (grasp.from, grasp.held_since) = (settled, closed);
        // Lifted is what comes up, however it turns and swings; then it is held still.
        grasp.phases = vec![
            PhaseEntry {
                held_within: Some(0.5 * lift),
                held_angle_deg: Some(180.0),
                may_move: true,
                ..phase("lift", closed, settled)
            },
            phase("hold", settled, spec.duration),
        ];
        spec.grasp = Some(grasp);
        assumed.push(format!(
            "closes from 0.25 s to {:.2} s, goes up by {lift} m within {LIFTING} s, and holds for \
             {} s once it has had {SETTLING} s to settle",
            0.25 + options.close,
            options.hold
        ));
        Ok(GraspPlan { spec, assumed })
    }

    /// How far the palm and what is on it reach along z of the open hand's tool frame, by the
    /// share of the way from open to closed.
    fn lowest_while_closing(&self, values: &[f64]) -> Result<Vec<(f64, f64)>, SceneError> {
        let robot = &self.robot;
        let palm = robot.link(&self.file.palm).unwrap_or(0);
        let solids = self.solids()?;
        let X_HT = self.tool_frame(values)?;
        let closes = self.file.closes.iter();
        let closing: Vec<(usize, Closing)> = closes
            .filter_map(|(joint, closing)| Some((robot.joint(joint)?, *closing)))
            .collect();
        let links = branch(robot, palm);
        let steps = (0..=SWEEP).map(|step| step as f64 / SWEEP as f64);
        let lowest = steps.map(|share| {
            let poses = self.reach.poses(robot, &closed_by(&closing, values, share));
            let mut deepest = f64::NEG_INFINITY;
            for link in &links {
                let X_TL = X_HT.inverse().compose(&poses[*link]);
                let vertices = solids[*link].iter().flat_map(|solid| solid.vertices());
                deepest = vertices.map(|v| X_TL.point(*v).z).fold(deepest, f64::max);
            }
            (share, deepest)
        });
        Ok(lowest.collect())
    }

    fn does_not_fit(&self, object: &Object, lies: &Resting) -> SceneError {
        SceneError::Hand {
            message: format!(
                "`{}` ({:.0} x {:.0} x {:.0} mm as it lies) does not fit between the open \
                 fingers{}: a smaller object, or another `tool` or `rest` in hand.toml",
                object.name,
                1.0e3 * lies.size.x,
                1.0e3 * lies.size.y,
                1.0e3 * lies.size.z,
                self.room()
            ),
        }
    }
}

fn table() -> Result<BodyEntry, SceneError> {
    let mut entry: BodyEntry = parse("name = \"table\"\nshape = { ground = {} }")?;
    entry.shape = crate::spec::Shape::Box(TABLE);
    entry.position = [0.0, 0.0, -0.5 * TABLE[2]];
    entry.material = "wood".into();
    entry.fixed = true;
    Ok(entry)
}

fn phase(name: &str, from: f64, until: f64) -> PhaseEntry {
    PhaseEntry {
        name: name.into(),
        from,
        until,
        held_within: None,
        held_angle_deg: None,
        held_by: None,
        may_move: false,
    }
}
