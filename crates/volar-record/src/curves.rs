//! Curves that a recording follows between its samples, and when one of them bends.
//!
//! Impacts are over within less than a sample. Whoever leaves out frames therefore looks
//! at these curves and at how far they depart from the straight line between the frames
//! that stay:
//!
//! | curve | unit |
//! |---|---|
//! | largest normal force between two bodies | N |
//! | greatest depth of the contacts that bear | m |
//! | normal and friction force of each finger, and of each other body, on the object | N |
//! | effort in each joint | N m or N |
//! | each channel of the sensors | its own |

use crate::figures::{self, Groups};
use crate::frame::{Frame, GraspHeader, Header};
use serde::{Deserialize, Serialize};

/// Curves of a scene.
///
/// ```
/// use volar_record::{Curves, Frame, Header};
///
/// let curves = Curves::new(&Header::default());
/// assert_eq!(curves.values(&Frame::default()), [0.0, 0.0]); // no force, no depth
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    groups: Groups,
    /// Which curves are measured by the same scale: those of one unit.
    kinds: Vec<usize>,
    /// Times at which something begins or ends to be measured, s.
    marks: Vec<f64>,
}

/// Numbers of the kinds that every scene has.
const FORCE: usize = 0;
const DEPTH: usize = 1;
const TORQUE: usize = 2;
const FIRST_OF_SENSORS: usize = 3;

impl Default for Curves {
    /// Those of a run without bodies.
    fn default() -> Curves {
        Curves::new(&Header::default())
    }
}

impl Curves {
    /// The curves of a scene.
    pub fn new(header: &Header) -> Curves {
        let groups = Groups::new(header);
        let mut kinds = vec![FORCE, DEPTH];
        kinds.extend(groups.names.iter().flat_map(|_| [FORCE, FORCE]));
        let joints = header.joints.iter();
        kinds.extend(joints.map(|joint| if joint.slides { FORCE } else { TORQUE }));
        let mut units: Vec<&str> = Vec::new();
        for sensor in &header.sensors {
            let unit = figures::sensor_unit(sensor).1;
            let known = units.iter().position(|known| *known == unit);
            kinds.push(FIRST_OF_SENSORS + known.unwrap_or(units.len()));
            if known.is_none() {
                units.push(unit);
            }
        }
        Curves {
            groups,
            kinds,
            marks: header.grasp.iter().flat_map(GraspHeader::marks).collect(),
        }
    }

    /// Where the curves are at a frame.
    pub fn values(&self, frame: &Frame) -> Vec<f64> {
        let mut values = vec![
            figures::largest_force(&frame.contacts),
            figures::bearing_depth(&frame.contacts, self.groups.object),
        ];
        for touch in self.groups.touches(&frame.contacts) {
            values.extend([touch.normal_force, touch.friction_force()]);
        }
        values.extend(frame.joints.iter().map(|joint| joint.effort));
        values.extend(&frame.sensors);
        values.resize(self.kinds.len(), 0.0);
        values
    }

    /// Whether something begins or ends to be measured at a time, s.
    pub fn is_marked(&self, time: f64) -> bool {
        self.marks
            .iter()
            .any(|mark| mark.to_bits() == time.to_bits())
    }

    /// Nothing has been seen yet.
    pub fn scales(&self) -> Scales {
        let kinds = self.kinds.iter().max().map_or(0, |most| most + 1);
        Scales {
            kinds: self.kinds.clone(),
            largest: vec![0.0; kinds],
        }
    }
}

/// Below this nothing is worth a frame, in SI units: rounding moves what is zero.
const LEAST_SCALE: f64 = 1.0e-7;

/// The largest value so far by unit: what departures from a line are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scales {
    kinds: Vec<usize>,
    largest: Vec<f64>,
}

impl Scales {
    /// Takes the values of another frame into account.
    pub fn widen(&mut self, values: &[f64]) {
        for (kind, value) in self.kinds.iter().zip(values) {
            self.largest[*kind] = self.largest[*kind].max(value.abs());
        }
    }

    /// How far a point lies from the straight line between two others, in parts of the
    /// scale: the worst of all curves.
    pub fn departure(&self, point: &Point, before: &Point, after: &Point) -> f64 {
        let span = after.time - before.time;
        let u = if span > 0.0 {
            (point.time - before.time) / span
        } else {
            0.0
        };
        let lines = before.values.iter().zip(&after.values);
        let all = self.kinds.iter().zip(&point.values).zip(lines);
        let parts = all.map(|((kind, value), (x, y))| {
            let scale = self.largest[*kind].max(LEAST_SCALE);
            (value - (x + u * (y - x))).abs() / scale
        });
        parts.fold(0.0, f64::max)
    }
}

/// The curves at a time, s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Time, s.
    pub time: f64,
    /// In the order of the curves.
    pub values: Vec<f64>,
}
