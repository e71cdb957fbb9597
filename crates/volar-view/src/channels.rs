//! What is plotted: numbers over time, and which of them share a plot.
//!
//! The page and the still plots draw the same channels. Figures are those of
//! [`volar_record::figures`]; here they only get the units of their plots.

use serde::Serialize;
use volar_record::figures::{self, DriftMeter, Groups, SlipMeter, Touch};
use volar_record::{Frame, GraspHeader, Header};

use crate::plot::{Kind, Plot, Series};

/// Channels of a joint.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JointChannels {
    /// Coordinate, rad or mm.
    pub position: usize,
    /// Effort, N m or N.
    pub effort: usize,
}

/// The channels of a scene.
#[derive(Clone, Debug)]
pub struct Channels {
    /// Fingers, and other bodies that touch the object: forces are summed by these.
    pub groups: Groups,
    /// The diagrams.
    pub plots: Vec<Plot>,
    /// Channels of the joints.
    pub joints: Vec<JointChannels>,
    /// How many channels there are.
    pub count: usize,
    compares_energy: bool,
    slip_from: f64,
    slides: Vec<bool>,
}

/// What the channels of later frames are compared with.
#[derive(Clone, Debug)]
pub struct Baseline {
    drift: DriftMeter,
    slip: SlipMeter,
    /// Potential energy of the first frame, J.
    potential: Option<f64>,
    /// Largest kinetic energy that was expected of the object so far, J.
    expected: f64,
}

impl Baseline {
    /// For frames from the first one on.
    pub fn new(header: &Header) -> Baseline {
        let from = header.grasp.map_or(0.0, |grasp| grasp.drift_from);
        Baseline {
            drift: DriftMeter::new(header),
            slip: SlipMeter::new(from),
            potential: None,
            expected: 0.0,
        }
    }

    /// For frames that are all known.
    pub fn of(header: &Header, frames: &[&Frame]) -> Baseline {
        let grasps = frames.iter().filter_map(|frame| frame.grasp.as_ref());
        let expected = grasps.map(|grasp| grasp.expected_kinetic_energy);
        Baseline {
            expected: expected.fold(0.0, f64::max),
            ..Baseline::new(header)
        }
    }
}

/// A figure of a group: name, title and unit of its plot, how it is drawn, and its value.
type ByGroup = (
    &'static str,
    &'static str,
    &'static str,
    Kind,
    fn(&Touch) -> f64,
);

/// Figures by group, in the order of the channels.
#[rustfmt::skip] // A table.
const BY_GROUP: [ByGroup; 6] = [
    ("normal-force", "Contact normal force", "N", Kind::Split, |t| t.normal_force),
    ("friction-force", "Contact friction force", "N", Kind::Split, |t| t.friction_force()),
    ("friction-margin", "Friction margin", "", Kind::Linear, |t| t.friction_margin.unwrap_or(f64::NAN)),
    ("pressure", "Mean contact pressure", "kPa", Kind::Linear, |t| 1e-3 * t.pressure()),
    ("overlap-volume", "Overlap volume", "mm³", Kind::Linear, |t| 1e9 * t.volume),
    ("overlap-depth", "Overlap depth", "mm", Kind::Linear, |t| 1e3 * t.depth),
];

/// Where less than this part of the largest kinetic energy is expected, a ratio to it says
/// nothing.
const LEAST_EXPECTED: f64 = 0.01;

/// Channels of the whole scene that follow those by group.
const ENERGIES: [&str; 6] = [
    "kinetic",
    "potential",
    "contact",
    "joints",
    "put in",
    "lost",
];

impl Channels {
    /// The channels of a scene.
    pub fn new(header: &Header) -> Channels {
        let mut channels = Channels {
            groups: Groups::new(header),
            plots: Vec::new(),
            joints: Vec::new(),
            count: 0,
            compares_energy: header
                .grasp
                .is_some_and(|grasp| grasp.energy_from.is_some()),
            slip_from: header.grasp.map_or(0.0, |grasp| grasp.drift_from),
            slides: header.joints.iter().map(|joint| joint.slides).collect(),
        };
        channels.plan(header);
        channels
    }

    fn plan(&mut self, header: &Header) {
        for (id, title, unit, kind, _) in BY_GROUP {
            let groups = self.groups.names.clone();
            self.plot(id, title, unit, kind, &groups);
        }
        let groups = self.groups.names.clone();
        self.plot("slip", "Plastic slip", "µm", Kind::Linear, &groups);
        let title = "Largest normal force between two bodies";
        self.plot("largest-force", title, "N", Kind::Split, &["largest"]);
        let title = "Largest depth of a contact";
        self.plot("largest-depth", title, "mm", Kind::Linear, &["largest"]);
        let title = "Object drift relative to the palm";
        self.plot("drift", title, "mm", Kind::Linear, &["drift"]);
        let title = "Object rotation relative to the palm";
        self.plot("rotation", title, "°", Kind::Linear, &["rotation"]);
        self.plot("energies", "Energies", "J", Kind::Linear, &ENERGIES);
        self.plot(
            "kinetic-energy",
            "Kinetic energy of the scene",
            "J",
            Kind::Log,
            &["kinetic"],
        );
        if self.compares_energy {
            let title = "Kinetic energy of the object";
            let labels = ["object", "expected"];
            self.plot("object-kinetic-energy", title, "J", Kind::Linear, &labels);
            let title = "Kinetic energy of the object over the expected";
            self.plot("kinetic-energy-ratio", title, "", Kind::Linear, &["ratio"]);
        }
        self.plot("step", "Step of the integrator", "s", Kind::Log, &["step"]);
        self.plan_joints(header);
        self.plan_sensors(header);
    }

    fn plan_joints(&mut self, header: &Header) {
        let start = self.count;
        self.count += 2 * header.joints.len();
        self.joints = (0..header.joints.len())
            .map(|joint| JointChannels {
                position: start + 2 * joint,
                effort: start + 2 * joint + 1,
            })
            .collect();
        for (slides, names) in [
            (
                false,
                [
                    ("joint-angles", "Joint angles", "rad"),
                    ("joint-torques", "Joint torques", "N m"),
                ],
            ),
            (
                true,
                [
                    ("joint-slides", "Joint slides", "mm"),
                    ("joint-forces", "Joint forces", "N"),
                ],
            ),
        ] {
            for (which, (id, title, unit)) in names.into_iter().enumerate() {
                let joints = header.joints.iter().zip(&self.joints);
                let series: Vec<Series> = joints
                    .filter(|(joint, _)| joint.slides == slides)
                    .map(|(joint, at)| Series {
                        label: joint.name.clone(),
                        channel: [at.position, at.effort][which],
                    })
                    .collect();
                if !series.is_empty() {
                    self.add(id, title, unit, Kind::Linear, series);
                }
            }
        }
    }

    fn plan_sensors(&mut self, header: &Header) {
        let mut units: Vec<(String, Vec<Series>)> = Vec::new();
        for (sensor, channel) in header.sensors.iter().zip(self.count..) {
            let (label, unit) = figures::sensor_unit(sensor);
            let series = Series {
                label: label.into(),
                channel,
            };
            match units.iter_mut().find(|(known, _)| known == unit) {
                Some((_, known)) => known.push(series),
                None => units.push((unit.into(), vec![series])),
            }
        }
        self.count += header.sensors.len();
        for (number, (unit, series)) in units.into_iter().enumerate() {
            let id = format!("sensors-{}", number + 1);
            self.add(&id, "Sensors", &unit, Kind::Linear, series);
        }
    }

    /// Adds a diagram with new channels.
    fn plot(&mut self, id: &str, title: &str, unit: &str, kind: Kind, labels: &[impl ToString]) {
        if labels.is_empty() {
            return;
        }
        let series = labels
            .iter()
            .zip(self.count..)
            .map(|(label, channel)| Series {
                label: label.to_string(),
                channel,
            });
        let series = series.collect();
        self.count += labels.len();
        self.add(id, title, unit, kind, series);
    }

    fn add(&mut self, id: &str, title: &str, unit: &str, kind: Kind, series: Vec<Series>) {
        self.plots.push(Plot {
            id: id.into(),
            title: title.into(),
            unit: unit.into(),
            log: kind == Kind::Log,
            split: kind == Kind::Split,
            series,
            window: None,
            note: String::new(),
        });
    }

    /// Marks what the summary counts of each plot, in a run that ends at a time, s; a
    /// live run has no end.
    pub fn mark_windows(&mut self, grasp: Option<&GraspHeader>, end: f64) {
        for plot in &mut self.plots {
            plot.mark_window(grasp, end);
        }
    }

    /// The values of the next frame.
    pub fn values(&self, baseline: &mut Baseline, frame: &Frame) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.count);
        let touches = self.groups.touches(&frame.contacts);
        for (.., value) in BY_GROUP {
            values.extend(touches.iter().map(value));
        }
        let object = self.groups.object;
        baseline.slip.look(frame.time, &frame.contacts, object);
        let slips = baseline.slip.by_group(&self.groups);
        let counted = frame.time >= self.slip_from;
        values.extend(slips.iter().map(|slip| match counted {
            true => 1e6 * slip,
            false => f64::NAN,
        }));
        values.push(figures::largest_force(&frame.contacts));
        values.push(1e3 * figures::bearing_depth(&frame.contacts, object));
        let drift = baseline.drift.at(frame);
        values.push(drift.map_or(f64::NAN, |drift| 1e3 * drift.distance));
        values.push(drift.map_or(f64::NAN, |drift| drift.rotation.to_degrees()));
        let energies = &frame.energies;
        let start = *baseline.potential.get_or_insert(energies.potential);
        values.extend([
            energies.kinetic,
            energies.potential - start,
            energies.contact,
            energies.joints,
            energies.put_in,
            energies.lost,
            energies.kinetic,
        ]);
        if self.compares_energy {
            values.extend(object_energy(baseline, frame));
        }
        values.push(frame.step);
        for (joint, slides) in self.slides.iter().enumerate() {
            let at = frame.joints.get(joint).copied().unwrap_or_default();
            values.extend([joint_unit(*slides) * at.position, at.effort]);
        }
        values.extend(&frame.sensors);
        values.resize(self.count, f64::NAN);
        values
    }

    /// When forces have become steady, s: from then on the normal force of
    /// every group stays within 5 % of the largest force at the end. None when
    /// that takes more than four fifths of the time, or when nothing is held.
    pub fn transient_end(&self, frames: &[&Frame]) -> Option<f64> {
        let (first, last) = (frames.first()?, frames.last()?);
        let forces = |frame: &Frame| -> Vec<f64> {
            let touches = self.groups.touches(&frame.contacts);
            touches.iter().map(|touch| touch.normal_force).collect()
        };
        let end = forces(last);
        let allowed = 0.05 * end.iter().copied().fold(0.0, f64::max);
        if allowed <= 0.0 {
            return None;
        }
        let restless = frames.iter().rposition(|frame| {
            let now = forces(frame);
            now.iter()
                .zip(&end)
                .any(|(now, end)| (now - end).abs() > allowed)
        });
        let settled = restless.map_or(first.time, |last| frames[last].time);
        let duration = last.time - first.time;
        // Some of what is steady belongs to the picture of the transient.
        let end = first.time + (1.5 * (settled - first.time)).max(0.02 * duration);
        (end - first.time <= 0.8 * duration).then_some(end)
    }
}

/// Coordinates of joints are plotted in mm or rad; this is that unit over the SI unit.
pub fn joint_unit(slides: bool) -> f64 {
    if slides { 1e3 } else { 1.0 }
}

/// Kinetic energy of the object, the expected one, and their ratio.
fn object_energy(baseline: &mut Baseline, frame: &Frame) -> [f64; 3] {
    let Some(grasp) = &frame.grasp else {
        return [f64::NAN; 3];
    };
    let (found, expected) = (grasp.kinetic_energy, grasp.expected_kinetic_energy);
    baseline.expected = baseline.expected.max(expected);
    let ratio = if expected > LEAST_EXPECTED * baseline.expected {
        found / expected
    } else {
        f64::NAN
    };
    [found, expected, ratio]
}

#[cfg(test)]
#[path = "channels_tests.rs"]
mod tests;
