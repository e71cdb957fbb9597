//! Prescribed motions of robots and bodies.

use std::f64::consts::TAU;
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use volar_dynamics::{FrameMotion, smooth_step};
use volar_math::{Pose, Twist, real, rotation};
use volar_sim::Motion;

use crate::error::{Fault, positive, quaternion, vector};
use crate::spec::{MotionEntry, Waypoint};
use crate::spline::Spline;

/// The motion of an entry; `folder` is where its files are.
pub(crate) fn motion(entry: &MotionEntry, folder: &Path) -> Result<Arc<dyn Motion>, Fault> {
    match entry {
        MotionEntry::Sine {
            amplitude,
            frequency,
            phase_deg,
            start,
            ramp,
        } => {
            let sine = || {
                if !start.is_finite() {
                    return Err(Fault::new(&["start"], "the number must be finite"));
                }
                Ok(Shake {
                    amplitude: vector("amplitude", *amplitude)?,
                    omega: TAU * positive("frequency", *frequency)?,
                    phase: vector("phase_deg", *phase_deg)?.map(f64::to_radians),
                    start: *start,
                    ramp: positive("ramp", *ramp)?,
                })
            };
            Ok(Arc::new(sine().map_err(|f: Fault| f.within(&["sine"]))?))
        }
        MotionEntry::Waypoints(points) => {
            let path = Path3::new(points).map_err(|f| f.within(&["waypoints"]))?;
            Ok(Arc::new(path))
        }
        MotionEntry::Csv { file } => Ok(Arc::new(Track::read(&folder.join(file), file)?)),
    }
}

/// A motion about the place where a robot or body stands.
#[derive(Clone, Debug)]
pub(crate) struct Mounted {
    pub inner: Arc<dyn Motion>,
    pub origin: DVec3,
}

impl Motion for Mounted {
    fn at(&self, t: f64) -> FrameMotion {
        let mut motion = self.inner.at(t);
        motion.X_WF.p += self.origin;
        motion
    }

    fn moves_after(&self, t: f64) -> bool {
        self.inner.moves_after(t)
    }

    fn breaks(&self) -> Vec<f64> {
        self.inner.breaks()
    }
}

/// A sine along each axis, faded in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shake {
    /// Along x, y, z, m.
    pub amplitude: DVec3,
    /// rad/s.
    pub omega: f64,
    /// rad.
    pub phase: DVec3,
    /// When it begins, s.
    pub start: f64,
    /// How long it takes to reach its full size, s.
    pub ramp: f64,
}

impl Motion for Shake {
    fn at(&self, t: f64) -> FrameMotion {
        let [s, s1, s2] = smooth_step((t - self.start) / self.ramp);
        let (s1, s2) = (s1 / self.ramp, s2 / (self.ramp * self.ramp));
        let angle = self.omega * (t - self.start) + self.phase;
        let (sin, cos) = (angle.map(real::sin), angle.map(real::cos));
        let w = self.omega;
        let (x, v, a) = (sin, w * cos, -w * w * sin);
        FrameMotion {
            X_WF: Pose::from_translation(self.amplitude * (s * x)),
            V_WF: Twist::new(DVec3::ZERO, self.amplitude * (s1 * x + s * v)),
            A_WF: Twist::new(
                DVec3::ZERO,
                self.amplitude * (s2 * x + 2.0 * s1 * v + s * a),
            ),
        }
    }

    fn moves_after(&self, t: f64) -> bool {
        t >= self.start
    }

    fn breaks(&self) -> Vec<f64> {
        vec![self.start, self.start + self.ramp]
    }
}

/// From point to point, at rest in each.
#[derive(Clone, Debug)]
struct Path3 {
    times: Vec<f64>,
    poses: Vec<(DVec3, DQuat)>,
}

impl Path3 {
    fn new(points: &[Waypoint]) -> Result<Path3, Fault> {
        if points.is_empty() {
            return Err(Fault::new(&[], "a motion needs at least one waypoint"));
        }
        let mut path = Path3 {
            times: Vec::new(),
            poses: Vec::new(),
        };
        for (i, point) in points.iter().enumerate() {
            let here = i.to_string();
            let later = path.times.last().is_none_or(|last| point.time > *last);
            if !(point.time.is_finite() && later) {
                let message = "the times of waypoints must ascend";
                return Err(Fault::new(&[&here, "time"], message));
            }
            let p = vector("position", point.position).map_err(|f| f.within(&[&here]))?;
            let q = quaternion("orientation", point.orientation).map_err(|f| f.within(&[&here]))?;
            path.times.push(point.time);
            path.poses.push((p, q));
        }
        Ok(path)
    }
}

impl Motion for Path3 {
    fn at(&self, t: f64) -> FrameMotion {
        let after = self.times.partition_point(|time| *time <= t);
        let rest = |(p, q): (DVec3, DQuat)| {
            FrameMotion::at_rest(Pose {
                R: DMat3::from_quat(q),
                p,
            })
        };
        if after == 0 {
            return rest(self.poses[0]);
        }
        if after == self.times.len() {
            return rest(self.poses[after - 1]);
        }
        let (t0, t1) = (self.times[after - 1], self.times[after]);
        let ((p0, q0), (p1, q1)) = (self.poses[after - 1], self.poses[after]);
        let h = t1 - t0;
        let [s, s1, s2] = smooth_step((t - t0) / h);
        let (s1, s2) = (s1 / h, s2 / (h * h));
        let turn = rotation::log(q1 * q0.inverse());
        FrameMotion {
            X_WF: Pose {
                R: DMat3::from_quat(rotation::exp(s * turn) * q0),
                p: p0 + s * (p1 - p0),
            },
            V_WF: Twist::new(s1 * turn, s1 * (p1 - p0)),
            A_WF: Twist::new(s2 * turn, s2 * (p1 - p0)),
        }
    }

    fn moves_after(&self, t: f64) -> bool {
        let after = self.times.partition_point(|time| *time <= t);
        let ends = after.checked_sub(1).map(|i| self.poses[i]);
        after < self.times.len() && ends.is_some_and(|before| before != self.poses[after])
    }

    fn breaks(&self) -> Vec<f64> {
        self.times.clone()
    }
}

/// A smooth curve through the lines of a CSV file. Orientations are rotation
/// vectors from the first one, so they may not be half a turn away from it.
#[derive(Clone, Debug)]
struct Track {
    first: DQuat,
    /// x, y, z, then the rotation vector.
    splines: [Spline; 6],
    times: Vec<f64>,
}

/// Farthest rotation from the first orientation, rad.
const FARTHEST_TURN: f64 = 2.8;

impl Track {
    fn read(path: &Path, file: &str) -> Result<Track, Fault> {
        let fault = |message: String| Fault::new(&["csv", "file"], format!("{file}: {message}"));
        let text = std::fs::read_to_string(path).map_err(|e| fault(e.to_string()))?;
        // Spreadsheets put a mark before the first letter.
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().enumerate();
        let head = lines.next().map_or("", |(_, line)| line);
        let names: Vec<String> = head.split(',').map(|n| n.trim().to_lowercase()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let turns = match names[..] {
            ["t", "x", "y", "z"] => false,
            ["t", "x", "y", "z", "qw", "qx", "qy", "qz"] => true,
            _ => {
                return Err(fault(format!(
                    "line 1: expected the head `t,x,y,z` or `t,x,y,z,qw,qx,qy,qz`, found `{head}`"
                )));
            }
        };
        let mut times = Vec::new();
        let mut columns: [Vec<f64>; 6] = Default::default();
        let mut first = DQuat::IDENTITY;
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let at = |message: String| fault(format!("line {}: {message}", number + 1));
            let numbers = line.split(',').map(|n| n.trim().parse::<f64>());
            let numbers: Vec<f64> = numbers
                .collect::<Result<_, _>>()
                .map_err(|e| at(e.to_string()))?;
            if numbers.len() != names.len() || numbers.iter().any(|n| !n.is_finite()) {
                return Err(at(format!("expected {} finite numbers", names.len())));
            }
            if times.last().is_some_and(|last| numbers[0] <= *last) {
                return Err(at("times must ascend".into()));
            }
            let mut turn = DVec3::ZERO;
            if turns {
                let wxyz = [numbers[4], numbers[5], numbers[6], numbers[7]];
                let q = quaternion("q", wxyz).map_err(|f| at(f.message))?;
                if times.is_empty() {
                    first = q;
                }
                let relative = q * first.inverse();
                turn = rotation::log(relative);
                if turn.length() > FARTHEST_TURN {
                    return Err(at(
                        "more than 160° from the first orientation; use waypoints for that".into(),
                    ));
                }
            }
            times.push(numbers[0]);
            let values = [numbers[1], numbers[2], numbers[3], turn.x, turn.y, turn.z];
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value);
            }
        }
        if times.len() < 2 {
            return Err(fault("a motion needs at least two lines of numbers".into()));
        }
        Ok(Track {
            first,
            splines: columns.map(|column| Spline::through(&times, &column)),
            times,
        })
    }
}

impl Motion for Track {
    fn at(&self, t: f64) -> FrameMotion {
        let [x, y, z, a, b, c] = &self.splines;
        let three = |splines: [&Spline; 3]| {
            let values = splines.map(|spline| spline.at(t));
            [0, 1, 2].map(|k| DVec3::new(values[0][k], values[1][k], values[2][k]))
        };
        let [p, v, acceleration] = three([x, y, z]);
        let [turn, turn1, turn2] = three([a, b, c]);
        let (angular_velocity, angular_acceleration) = angular_velocity_of(turn, turn1, turn2);
        FrameMotion {
            X_WF: Pose {
                R: DMat3::from_quat(rotation::exp(turn) * self.first),
                p,
            },
            V_WF: Twist::new(angular_velocity, v),
            A_WF: Twist::new(angular_acceleration, acceleration),
        }
    }

    fn moves_after(&self, t: f64) -> bool {
        let ends = (self.times.first(), self.times.last());
        ends.0.is_some_and(|first| t >= *first) && ends.1.is_some_and(|last| t < *last)
    }

    fn breaks(&self) -> Vec<f64> {
        let ends = [self.times.first(), self.times.last()];
        ends.into_iter().flatten().copied().collect()
    }
}

/// Angular velocity and acceleration of `exp(φ×)` from φ and its derivatives:
/// `ω = φ̇ + b φ × φ̇ + c φ × (φ × φ̇)` with `b = (1 − cos θ)/θ²`,
/// `c = (θ − sin θ)/θ³`, and the derivative of that.
fn angular_velocity_of(phi: DVec3, phi1: DVec3, phi2: DVec3) -> (DVec3, DVec3) {
    let theta2 = phi.length_squared();
    let theta = theta2.sqrt();
    // b, c and their derivatives by θ², series near zero.
    let (b, c, db, dc) = if theta < 1.0e-2 {
        (
            0.5 - theta2 / 24.0,
            1.0 / 6.0 - theta2 / 120.0,
            -1.0 / 24.0 + theta2 / 360.0,
            -1.0 / 120.0 + theta2 / 2520.0,
        )
    } else {
        let (sin, cos) = real::sin_cos(theta);
        let b = (1.0 - cos) / theta2;
        let c = (theta - sin) / (theta2 * theta);
        (
            b,
            c,
            (sin / theta - 2.0 * b) / (2.0 * theta2),
            ((1.0 - cos) / theta2 - 3.0 * c) / (2.0 * theta2),
        )
    };
    let rate = 2.0 * phi.dot(phi1);
    let once = phi.cross(phi1);
    let twice = phi.cross(once);
    let angular_velocity = phi1 + b * once + c * twice;
    let angular_acceleration = phi2
        + db * rate * once
        + b * phi.cross(phi2)
        + dc * rate * twice
        + c * (phi1.cross(once) + phi.cross(phi.cross(phi2)));
    (angular_velocity, angular_acceleration)
}
