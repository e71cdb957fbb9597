//! Frames at a fixed rate from frames at the ends of steps.

use glam::{DQuat, DVec3};
use volar_record::{BodyFrame, ContactFrame, EnergyFrame, Frame, JointFrame};

/// Interpolates: positions by cubics through positions and velocities, the rest
/// by straight lines.
#[derive(Clone, Debug)]
pub struct Sampler {
    period: f64,
    next: u64,
    last: Option<Frame>,
}

impl Sampler {
    /// Samples at all multiples of a period, s, from a time on.
    pub fn new(period: f64, from: f64) -> Sampler {
        Sampler {
            period,
            next: (from / period).ceil() as u64,
            last: None,
        }
    }

    /// Takes the frame at the end of a step and hands over all samples up to
    /// it.
    pub fn push<E>(
        &mut self,
        frame: Frame,
        mut take: impl FnMut(&Frame) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            let time = self.next as f64 * self.period;
            // A multiple of the period may miss a step's end by a rounding.
            if time > frame.time + 1.0e-9 * self.period {
                break;
            }
            match &self.last {
                Some(last) if frame.time > last.time => {
                    let u = ((time - last.time) / (frame.time - last.time)).clamp(0.0, 1.0);
                    take(&between(last, &frame, u, time))?;
                }
                _ => take(&frame)?,
            }
            self.next += 1;
        }
        self.last = Some(frame);
        Ok(())
    }
}

fn between(a: &Frame, b: &Frame, u: f64, time: f64) -> Frame {
    let h = b.time - a.time;
    let line = |x: f64, y: f64| x + u * (y - x);
    let bodies = a.bodies.iter().zip(&b.bodies);
    let joints = a.joints.iter().zip(&b.joints);
    let sensors = a.sensors.iter().zip(&b.sensors);
    Frame {
        time,
        bodies: bodies.map(|(a, b)| body(a, b, u, h)).collect(),
        joints: joints
            .map(|(a, b)| JointFrame {
                position: cubic(u, h, a.position, a.velocity, b.position, b.velocity),
                velocity: line(a.velocity, b.velocity),
                effort: line(a.effort, b.effort),
            })
            .collect(),
        contacts: contacts(a, b, u),
        energies: EnergyFrame {
            kinetic: line(a.energies.kinetic, b.energies.kinetic),
            potential: line(a.energies.potential, b.energies.potential),
            contact: line(a.energies.contact, b.energies.contact),
            joints: line(a.energies.joints, b.energies.joints),
            put_in: line(a.energies.put_in, b.energies.put_in),
            lost: line(a.energies.lost, b.energies.lost),
        },
        sensors: sensors.map(|(x, y)| line(*x, *y)).collect(),
        step: b.step,
    }
}

/// The cubic through values x, y with slopes over a time h (Hermite).
fn cubic(u: f64, h: f64, x: f64, x_rate: f64, y: f64, y_rate: f64) -> f64 {
    let (m0, m1) = (h * x_rate, h * y_rate);
    let c = 3.0 * (y - x) - 2.0 * m0 - m1;
    let d = 2.0 * (x - y) + m0 + m1;
    x + u * (m0 + u * (c + u * d))
}

#[allow(clippy::disallowed_methods)] // what lies between steps does not act on the motion
fn body(a: &BodyFrame, b: &BodyFrame, u: f64, h: f64) -> BodyFrame {
    let axis = |k: usize| {
        let (x, y) = (a.position[k], b.position[k]);
        cubic(u, h, x, a.velocity[k], y, b.velocity[k])
    };
    let quaternion = |[w, x, y, z]: [f64; 4]| DQuat::from_xyzw(x, y, z, w);
    let q = quaternion(a.orientation).slerp(quaternion(b.orientation), u);
    BodyFrame {
        position: DVec3::new(axis(0), axis(1), axis(2)),
        orientation: [q.w, q.x, q.y, q.z],
        velocity: a.velocity.lerp(b.velocity, u),
        angular_velocity: a.angular_velocity.lerp(b.angular_velocity, u),
    }
}

/// Contacts of the same pair, in their order, go over into each other; others
/// stay until the end of the step, or come with it.
fn contacts(a: &Frame, b: &Frame, u: f64) -> Vec<ContactFrame> {
    let same_pairs = a.contacts.len() == b.contacts.len()
        && a.contacts
            .iter()
            .zip(&b.contacts)
            .all(|(x, y)| (x.a, x.b) == (y.a, y.b));
    if !same_pairs {
        let nearer = if u < 0.5 { a } else { b };
        return nearer.contacts.clone();
    }
    let line = |x: f64, y: f64| x + u * (y - x);
    let pairs = a.contacts.iter().zip(&b.contacts);
    pairs
        .map(|(x, y)| ContactFrame {
            a: x.a,
            b: x.b,
            point: x.point.lerp(y.point, u),
            normal: x.normal.lerp(y.normal, u).normalize_or_zero(),
            normal_force: line(x.normal_force, y.normal_force),
            friction_force: x.friction_force.lerp(y.friction_force, u),
            friction_margin: line(x.friction_margin, y.friction_margin),
            area: line(x.area, y.area),
            volume: line(x.volume, y.volume),
            depth: line(x.depth, y.depth),
            slip: line(x.slip, y.slip),
        })
        .collect()
}
