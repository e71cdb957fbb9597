//! ROS 2 `sensor_msgs/msg/JointState` in CDR: little endian, numbers aligned to
//! their size, counted from the end of the four bytes in front.

use super::foxglove::Timestamp;
use crate::frame::{Frame, Header, JointFrame};

/// The definition, with those it needs.
pub const SCHEMA: &str = "\
std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
";

/// Says that what follows is plain CDR, little endian.
const ENCAPSULATION: [u8; 4] = [0, 1, 0, 0];

/// The states of all joints.
pub fn joint_state(header: &Header, frame: &Frame, time: Timestamp) -> Vec<u8> {
    let mut cdr = Cdr(Vec::new());
    cdr.u32(u32::try_from(time.seconds).unwrap_or(u32::MAX));
    cdr.u32(u32::try_from(time.nanos).unwrap_or(0));
    cdr.string("");
    cdr.length(header.joints.len());
    for joint in &header.joints {
        cdr.string(&joint.name);
    }
    let columns: [fn(&JointFrame) -> f64; 3] = [|j| j.position, |j| j.velocity, |j| j.effort];
    for column in columns {
        cdr.length(frame.joints.len());
        for joint in &frame.joints {
            cdr.f64(column(joint));
        }
    }
    [&ENCAPSULATION[..], &cdr.0].concat()
}

struct Cdr(Vec<u8>);

impl Cdr {
    fn align(&mut self, size: usize) {
        self.0.resize(self.0.len().next_multiple_of(size), 0);
    }

    fn u32(&mut self, value: u32) {
        self.align(4);
        self.0.extend(value.to_le_bytes());
    }

    fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).unwrap_or(u32::MAX));
    }

    fn f64(&mut self, value: f64) {
        self.align(8);
        self.0.extend(value.to_le_bytes());
    }

    /// With the zero at its end, which the length counts.
    fn string(&mut self, value: &str) {
        self.length(value.len() + 1);
        self.0.extend(value.as_bytes());
        self.0.push(0);
    }
}
