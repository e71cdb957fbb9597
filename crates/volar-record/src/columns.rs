//! The columns of a run as a table, one row for each frame: those of
//! `series.parquet` without the list of contacts, and those of data frames in memory.

use volar_sim::Contact;

use crate::figures::{self, DriftMeter, Groups, Touch};
use crate::frame::{Frame, Header};

/// Names of the columns, and what fills them.
///
/// ```
/// use volar_record::{Columns, Frame, Header, Row};
///
/// let mut columns = Columns::new(&Header::default());
/// let mut row = Row::default();
/// columns.fill(&Frame { time: 0.5, ..Frame::default() }, &mut row);
/// assert_eq!((&*columns.numbers[0], row.numbers[0]), ("time", 0.5)); // s
/// assert_eq!(columns.numbers.len(), row.numbers.len());
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// Names of the columns of numbers, SI units.
    pub numbers: Vec<String>,
    /// Names of the columns of counts, which come after them.
    pub counts: Vec<String>,
    groups: Groups,
    drift: DriftMeter,
}

/// A row of the table.
///
/// See the example of [`Columns`].
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// In the order of [`Columns::numbers`].
    pub numbers: Vec<f64>,
    /// In the order of [`Columns::counts`].
    pub counts: Vec<u32>,
}

impl Columns {
    /// The columns of a run.
    pub fn new(header: &Header) -> Columns {
        let groups = Groups::new(header);
        let mut names = vec!["time".to_owned(), "step".to_owned()];
        for body in &header.bodies {
            let quantities = [
                ("position", &["x", "y", "z"][..]),
                ("orientation", &["w", "x", "y", "z"]),
                ("velocity", &["x", "y", "z"]),
                ("angular_velocity", &["x", "y", "z"]),
            ];
            for (quantity, axes) in quantities {
                names.extend(
                    axes.iter()
                        .map(|axis| format!("{quantity}_{axis}/{}", body.name)),
                );
            }
        }
        for joint in &header.joints {
            let quantities = ["joint_position", "joint_velocity", "joint_effort"];
            names.extend(quantities.map(|quantity| format!("{quantity}/{}", joint.name)));
        }
        let energies = [
            "kinetic",
            "potential",
            "contact",
            "joints",
            "put_in",
            "lost",
        ];
        names.extend(energies.map(|energy| format!("energy/{energy}")));
        let sensors = header.sensors.iter();
        names.extend(sensors.map(|sensor| format!("sensor/{sensor}")));
        for (finger, _) in fingers(&groups, &groups.names) {
            names.push(format!("normal_force/{finger}"));
            names.push(format!("friction_force/{finger}"));
        }
        names.extend(["largest/normal_force", "largest/depth"].map(str::to_owned));
        names.push("object/normal_force".to_owned());
        if header.grasp.is_some() {
            names.extend(OBJECT.map(|name| format!("object/{name}")));
        }
        let counts = fingers(&groups, &groups.names);
        Columns {
            counts: counts.map(|(name, _)| format!("contacts/{name}")).collect(),
            numbers: names,
            groups,
            drift: DriftMeter::new(header),
        }
    }

    /// The row of the next frame; drift is counted from earlier ones.
    pub fn fill(&mut self, frame: &Frame, row: &mut Row) {
        let touches = self.groups.touches(&frame.contacts);
        numbers(frame, &mut row.numbers);
        forces(&self.groups, &touches, &frame.contacts, &mut row.numbers);
        object(frame, &mut self.drift, &mut row.numbers);
        row.counts.clear();
        let counts = fingers(&self.groups, &touches);
        row.counts.extend(counts.map(|(_, touch)| touch.contacts));
    }
}

/// Names and values by finger, of something that there is one of for each group.
fn fingers<'a, T>(groups: &'a Groups, all: &'a [T]) -> impl Iterator<Item = (&'a str, &'a T)> {
    let named = groups.names.iter().zip(&groups.is_finger).zip(all);
    named
        .filter(|((_, is_finger), _)| **is_finger)
        .map(|((name, _), value)| (name.as_str(), value))
}

/// Bodies, joints, energies and sensors.
fn numbers(frame: &Frame, row: &mut Vec<f64>) {
    row.clear();
    row.extend([frame.time, frame.step]);
    for body in &frame.bodies {
        row.extend(body.position.to_array());
        row.extend(body.orientation);
        row.extend(body.velocity.to_array());
        row.extend(body.angular_velocity.to_array());
    }
    for joint in &frame.joints {
        row.extend([joint.position, joint.velocity, joint.effort]);
    }
    let energies = &frame.energies;
    row.extend([energies.kinetic, energies.potential, energies.contact]);
    row.extend([energies.joints, energies.put_in, energies.lost]);
    row.extend(&frame.sensors);
}

/// Forces of the fingers on the object, and of everything that touches it.
fn forces(groups: &Groups, touches: &[Touch], contacts: &[Contact], row: &mut Vec<f64>) {
    for (_, touch) in fingers(groups, touches) {
        row.extend([touch.normal_force, touch.friction_force()]);
    }
    row.extend([
        figures::largest_force(contacts),
        figures::bearing_depth(contacts, groups.object),
    ]);
    row.push(groups.object.map_or(0.0, |object| {
        let own = contacts.iter().filter(|c| c.other(object).is_some());
        Touch::of(object, own).normal_force
    }));
}

/// Columns `object/...` of a scene with a grasp, in the order of [`object`].
const OBJECT: [&str; 4] = [
    "drift",
    "rotation",
    "kinetic_energy",
    "expected_kinetic_energy",
];

/// The object of the grasp. Not a number where drift is not counted yet.
fn object(frame: &Frame, drift: &mut DriftMeter, row: &mut Vec<f64>) {
    let Some(grasp) = &frame.grasp else { return };
    let drift = drift
        .at(frame)
        .map_or([f64::NAN; 2], |d| [d.distance, d.rotation]);
    row.extend(drift);
    row.extend([grasp.kinetic_energy, grasp.expected_kinetic_energy]);
}
