//! The frames of a recording from frames at the ends of steps.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use volar_record::{BodyFrame, Contact, EnergyFrame, Frame, GraspFrame, Header, JointFrame};

use crate::following::Follower;

/// Chooses the frames of a recording: samples at a fixed rate, and between them the ends
/// of steps that are needed so that no impact is missed.
///
/// Samples are interpolated: positions by cubics through positions and velocities,
/// contacts as their field table says, the rest linearly. Which ends of steps are needed
/// is told by the [`Curves`](volar_record::Curves): at the end of every step each curve is
/// within 1 % (of the largest value of its unit up to the next sample) of the straight line
/// between recorded frames, and the greatest value of each is recorded exactly. Steps that end
/// where something begins or ends to be measured are recorded, and so is the last one.
///
/// The height of a falling ball every 0.1 s, however long the steps are:
///
/// ```
/// use volar_run::{Run, Sampler, header};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut sampler = Sampler::new(&header(&setup), 0.1, 0.0); // s
/// let mut run = Run::new(setup, 1)?;
/// let mut heights = Vec::new();
/// for end in [0.0, 0.17, 0.35] {
///     run.advance_to(end)?;
///     let Ok(()) = sampler.push(run.frame(), |frame| {
///         heights.push((frame.time, frame.bodies[0].position.z));
///         Ok::<(), std::convert::Infallible>(())
///     });
/// }
/// assert_eq!(heights.len(), 4); // at 0, 0.1, 0.2 and 0.3 s
/// assert!((heights[3].1 + 0.5 * 9.81 * 0.09).abs() < 1.0e-6); // m
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampler {
    period: f64,
    next: u64,
    last: Option<Frame>,
    follower: Follower,
}

impl Sampler {
    /// For a scene: samples at all multiples of a period, s, from a time on.
    pub fn new(header: &Header, period: f64, from: f64) -> Sampler {
        Sampler {
            period,
            next: (from / period).ceil() as u64,
            last: None,
            follower: Follower::new(header),
        }
    }

    /// Takes the frame at the end of a step and passes all that are to be recorded up to
    /// it to `take`.
    pub fn push<E>(
        &mut self,
        frame: Frame,
        mut take: impl FnMut(&Frame) -> Result<(), E>,
    ) -> Result<(), E> {
        // A multiple of the period may miss a step's end by a rounding.
        let rounding = 1.0e-9 * self.period;
        loop {
            let time = self.next as f64 * self.period;
            if time > frame.time + rounding {
                break;
            }
            match &self.last {
                Some(last) if frame.time > last.time && time < frame.time - rounding => {
                    let u = ((time - last.time) / (frame.time - last.time)).clamp(0.0, 1.0);
                    let sample = between(last, &frame, u, time);
                    self.follower.sample(&sample, &mut take)?;
                }
                _ => self.follower.sample(&frame, &mut take)?,
            }
            self.next += 1;
        }
        self.follower.hold(frame.clone(), &mut take)?;
        self.last = Some(frame);
        Ok(())
    }

    /// Goes on after it was read from a checkpoint of a run with this header.
    pub(crate) fn follow(&mut self, header: &Header) {
        self.follower.follow(header);
    }

    /// Passes the last end of a step to `take`, unless it has been recorded, and what is
    /// needed before it. The run may go on afterwards.
    pub fn finish<E>(&mut self, take: impl FnMut(&Frame) -> Result<(), E>) -> Result<(), E> {
        self.follower.finish(take)
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
        grasp: a.grasp.zip(b.grasp).map(|(a, b)| grasp(&a, &b, u)),
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

fn body(a: &BodyFrame, b: &BodyFrame, u: f64, h: f64) -> BodyFrame {
    let axis = |k: usize| {
        let (x, y) = (a.position[k], b.position[k]);
        cubic(u, h, x, a.velocity[k], y, b.velocity[k])
    };
    BodyFrame {
        position: DVec3::new(axis(0), axis(1), axis(2)),
        orientation: slerp(a.orientation, b.orientation, u),
        velocity: a.velocity.lerp(b.velocity, u),
        angular_velocity: a.angular_velocity.lerp(b.angular_velocity, u),
    }
}

/// Contacts of the same pairs in the same order are interpolated; otherwise those of the
/// nearer frame are taken.
fn contacts(a: &Frame, b: &Frame, u: f64) -> Vec<Contact> {
    let same_pairs = a.contacts.len() == b.contacts.len()
        && a.contacts
            .iter()
            .zip(&b.contacts)
            .all(|(x, y)| (x.a, x.b) == (y.a, y.b));
    if !same_pairs {
        let nearer = if u < 0.5 { a } else { b };
        return nearer.contacts.clone();
    }
    let pairs = a.contacts.iter().zip(&b.contacts);
    pairs.map(|(x, y)| x.interpolated(y, u)).collect()
}

fn grasp(a: &GraspFrame, b: &GraspFrame, u: f64) -> GraspFrame {
    let line = |x: f64, y: f64| x + u * (y - x);
    GraspFrame {
        position: a.position.lerp(b.position, u),
        orientation: slerp(a.orientation, b.orientation, u),
        kinetic_energy: line(a.kinetic_energy, b.kinetic_energy),
        expected_kinetic_energy: line(a.expected_kinetic_energy, b.expected_kinetic_energy),
    }
}

/// Quaternions (w, x, y, z) along the shorter arc.
#[allow(clippy::disallowed_methods)] // what lies between steps does not act on the motion
fn slerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let quaternion = |[w, x, y, z]: [f64; 4]| DQuat::from_xyzw(x, y, z, w);
    let q = quaternion(a).slerp(quaternion(b), u);
    [q.w, q.x, q.y, q.z]
}
