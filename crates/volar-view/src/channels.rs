//! What is plotted: numbers over time, and which of them share a plot.
//!
//! The page and the still plots draw the same channels; they are worked out
//! here once, in double precision.
#![allow(non_snake_case)] // frame notation: X_WB

use glam::DVec3;
use serde::Serialize;
use volar_math::{Pose, rotation};
use volar_record::{BodyFrame, ContactFrame, Frame, Header, Role};

/// Some channels in one diagram.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    /// Name of the file and of the place in the page.
    pub id: String,
    /// What is shown.
    pub title: String,
    /// Unit of all channels.
    pub unit: String,
    /// True for a logarithmic axis.
    pub log: bool,
    /// True when the transient has a diagram of its own.
    pub split: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// One line of a plot.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Number of the channel.
    pub channel: usize,
}

/// Where a joint is among the channels.
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
    /// Fingers, and other things that touch: forces are summed by these.
    pub groups: Vec<String>,
    /// The diagrams.
    pub plots: Vec<Plot>,
    /// Where the joints are.
    pub joints: Vec<JointChannels>,
    /// How many channels there are.
    pub count: usize,
    /// Group of each body; none for objects.
    group_of: Vec<Option<usize>>,
    objects: Vec<usize>,
    palm: Option<usize>,
    object_energy: bool,
    slides: Vec<bool>,
}

/// How a diagram is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Linear,
    Log,
    /// With a diagram of its own for the transient.
    Split,
}

/// Quantities summed by group, in the order of the channels.
const BY_GROUP: [(&str, &str, &str, bool); 6] = [
    ("normal-force", "Contact normal force", "N", true),
    ("friction-force", "Contact friction force", "N", true),
    ("friction-margin", "Friction margin", "", false),
    ("overlap-volume", "Overlap volume", "mm³", false),
    ("overlap-depth", "Overlap depth", "mm", false),
    ("slip", "Plastic slip", "µm", false),
];

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
    /// The channels of a scene; with `object_energy`, the kinetic energy of
    /// the object and what was expected of it are among them.
    pub fn new(header: &Header, object_energy: bool) -> Channels {
        let mut channels = Channels {
            groups: Vec::new(),
            plots: Vec::new(),
            joints: Vec::new(),
            count: 0,
            group_of: Vec::new(),
            objects: Vec::new(),
            palm: header.bodies.iter().position(|b| b.role == Role::Palm),
            object_energy,
            slides: header.joints.iter().map(|joint| joint.slides).collect(),
        };
        for (number, body) in header.bodies.iter().enumerate() {
            if body.role == Role::Object {
                channels.objects.push(number);
                channels.group_of.push(None);
                continue;
            }
            let name = if body.finger.is_empty() {
                &body.name
            } else {
                &body.finger
            };
            let known = channels.groups.iter().position(|group| group == name);
            channels.group_of.push(Some(known.unwrap_or_else(|| {
                channels.groups.push(name.clone());
                channels.groups.len() - 1
            })));
        }
        if channels.groups.is_empty() {
            channels.groups.push("contact".into());
        }
        channels.plan(header);
        channels
    }

    fn plan(&mut self, header: &Header) {
        for (id, title, unit, split) in BY_GROUP {
            let groups = self.groups.clone();
            let kind = if split { Kind::Split } else { Kind::Linear };
            self.plot(id, title, unit, kind, &groups);
        }
        let against = if self.palm.is_some() { "palm" } else { "world" };
        let title = format!("Object drift against the {against}");
        self.plot("drift", &title, "mm", Kind::Linear, &["drift"]);
        let title = format!("Object rotation against the {against}");
        self.plot("rotation", &title, "°", Kind::Linear, &["rotation"]);
        self.plot("energies", "Energies", "J", Kind::Linear, &ENERGIES);
        self.plot(
            "kinetic-energy",
            "Kinetic energy of the scene",
            "J",
            Kind::Log,
            &["kinetic"],
        );
        if self.object_energy {
            let title = "Kinetic energy of the object";
            let labels = ["found", "expected"];
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
            // `wrist force x (N)`: the unit is in brackets at the end.
            let parts = sensor.strip_suffix(')').and_then(|s| s.rsplit_once(" ("));
            let (label, unit) = parts.unwrap_or((sensor, ""));
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
        });
    }

    /// The group that the force of a contact counts for.
    pub fn group(&self, contact: &ContactFrame) -> usize {
        let of = |body: usize| self.group_of.get(body).copied().flatten();
        of(contact.a).or(of(contact.b)).unwrap_or(0)
    }

    /// The values at one time; drift is counted from the first frame. `energy`
    /// is the kinetic energy of the object, the expected one, and their ratio.
    pub fn values(&self, first: &Frame, frame: &Frame, energy: Option<[f64; 3]>) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.count);
        self.contacts(frame, &mut values);
        let (drift, angle) = self.drift(first, frame);
        values.extend([1e3 * drift, angle.to_degrees()]);
        let energies = &frame.energies;
        values.extend([
            energies.kinetic,
            energies.potential - first.energies.potential,
            energies.contact,
            energies.joints,
            energies.put_in,
            energies.lost,
            energies.kinetic,
        ]);
        if self.object_energy {
            values.extend(energy.unwrap_or([f64::NAN; 3]));
        }
        values.push(frame.step);
        for (joint, slides) in self.slides.iter().enumerate() {
            let at = frame.joints.get(joint).copied().unwrap_or_default();
            let unit = if *slides { 1e3 } else { 1.0 };
            values.extend([unit * at.position, at.effort]);
        }
        values.extend(&frame.sensors);
        values.resize(self.count, f64::NAN);
        values
    }

    fn contacts(&self, frame: &Frame, values: &mut Vec<f64>) {
        let count = self.groups.len();
        let mut sums = vec![[0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0]; count];
        let mut friction = vec![DVec3::ZERO; count];
        let mut counted: Vec<(usize, usize)> = Vec::new();
        let on_object = |contact: &&ContactFrame| {
            let touches = |body| self.objects.contains(&body);
            self.objects.is_empty() || touches(contact.a) || touches(contact.b)
        };
        for contact in frame.contacts.iter().filter(on_object) {
            let group = self.group(contact);
            let sum = &mut sums[group];
            sum[0] += contact.normal_force;
            // On the object: the force on `a` is felt the other way round by `b`.
            let sign = if self.objects.contains(&contact.a) {
                1.0
            } else {
                -1.0
            };
            friction[group] += sign * contact.friction_force;
            sum[2] = sum[2].min(contact.friction_margin);
            let pair = (contact.a, contact.b);
            // Every patch of a pair tells the volume of the whole pair.
            if !counted.contains(&pair) {
                counted.push(pair);
                sum[3] += 1e9 * contact.volume;
            }
            sum[4] = sum[4].max(1e3 * contact.depth);
            sum[5] = sum[5].max(1e6 * contact.slip);
        }
        for (sum, friction) in sums.iter_mut().zip(friction) {
            sum[1] = friction.length();
        }
        for quantity in 0..BY_GROUP.len() {
            values.extend(sums.iter().map(|sum| sum[quantity]));
        }
    }

    /// How far the object that moved most has moved and rotated in the palm
    /// since the first frame, m and rad.
    fn drift(&self, first: &Frame, frame: &Frame) -> (f64, f64) {
        let in_palm = |frame: &Frame, object: usize| {
            let object = pose(frame.bodies.get(object)?)?;
            match self.palm {
                Some(palm) => Some(Pose::relative(&pose(frame.bodies.get(palm)?)?, &object)),
                None => Some(object),
            }
        };
        let moved = self.objects.iter().filter_map(|&object| {
            let (before, now) = (in_palm(first, object)?, in_palm(frame, object)?);
            let rotated = before.R.transpose() * now.R;
            Some(((now.p - before.p).length(), rotation::angle(&rotated)))
        });
        moved
            .reduce(|most, next| (most.0.max(next.0), most.1.max(next.1)))
            .unwrap_or((f64::NAN, f64::NAN))
    }

    /// When forces have become steady, s: from then on the normal force of
    /// every group stays within 5 % of the largest force at the end. None when
    /// that takes more than four fifths of the time, or when nothing is held.
    pub fn transient_end(&self, frames: &[Frame]) -> Option<f64> {
        let (first, last) = (frames.first()?, frames.last()?);
        let forces = |frame: &Frame| {
            let mut values = Vec::new();
            self.contacts(frame, &mut values);
            values.truncate(self.groups.len());
            values
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

/// The pose of a body; none when its numbers make no sense.
pub fn pose(body: &BodyFrame) -> Option<Pose> {
    Pose::from_wxyz(body.position.to_array(), body.orientation)
}

#[cfg(test)]
#[path = "channels_tests.rs"]
mod tests;
