//! Numbers over time: efforts, targets, loads.

use std::f64::consts::TAU;
use volar_math::real;

/// A continuous function of time; its value jumps nowhere. Jumps are changes of
/// the controls, between two steps.
///
/// A force that grows smoothly from 0 to 10 N within the first half second:
///
/// ```
/// use volar_dynamics::Signal;
///
/// let force = Signal::Smooth { start: 0.0, duration: 0.5, from: 0.0, to: 10.0 };
/// assert_eq!(force.value(0.25), 5.0); // N
/// assert_eq!(force.value(2.0), 10.0);
/// assert_eq!(force.corners(), [0.0, 0.5]); // s
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// The same at all times.
    Constant(f64),
    /// Straight lines between points.
    Lines(Lines),
    /// From one value to another along `u³ (10 − 15 u + 6 u²)`: speed and
    /// acceleration are zero at both ends.
    Smooth {
        /// When it begins, s.
        start: f64,
        /// How long it takes, s; positive.
        duration: f64,
        /// Value up to the start.
        from: f64,
        /// Value from the end on.
        to: f64,
    },
    /// `offset + amplitude sin(2π frequency (t − start))`; before the start
    /// the offset.
    Sine {
        /// When it begins, s.
        start: f64,
        /// Mean value.
        offset: f64,
        /// Greatest deviation from it.
        amplitude: f64,
        /// Cycles per second, Hz.
        frequency: f64,
    },
}

impl Signal {
    /// Value at a time, s.
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(value) => *value,
            Signal::Lines(lines) => lines.at(t).0,
            Signal::Smooth {
                start,
                duration,
                from,
                to,
            } => from + (to - from) * smooth_step((t - start) / duration)[0],
            Signal::Sine {
                start,
                offset,
                amplitude,
                frequency,
            } => offset + amplitude * real::sin(TAU * frequency * (t - start).max(0.0)),
        }
    }

    /// `factor · signal + plus`.
    pub fn scaled(&self, factor: f64, plus: f64) -> Signal {
        let map = |x: f64| factor * x + plus;
        match self {
            Signal::Constant(value) => Signal::Constant(map(*value)),
            Signal::Lines(lines) => Signal::Lines(Lines {
                points: lines.points.iter().map(|(t, x)| (*t, map(*x))).collect(),
            }),
            Signal::Smooth {
                start,
                duration,
                from,
                to,
            } => Signal::Smooth {
                start: *start,
                duration: *duration,
                from: map(*from),
                to: map(*to),
            },
            Signal::Sine {
                start,
                offset,
                amplitude,
                frequency,
            } => Signal::Sine {
                start: *start,
                offset: map(*offset),
                amplitude: factor * amplitude,
                frequency: *frequency,
            },
        }
    }

    /// Times at which the signal is not smooth: an integrator does well to end
    /// a step there.
    pub fn corners(&self) -> Vec<f64> {
        match self {
            Signal::Constant(_) => Vec::new(),
            Signal::Lines(lines) => lines.points.iter().map(|(t, _)| *t).collect(),
            Signal::Smooth {
                start, duration, ..
            } => vec![*start, start + duration],
            Signal::Sine { start, .. } => vec![*start],
        }
    }

    /// Whether it changes between a time and the next corner.
    pub fn varies_after(&self, t: f64) -> bool {
        match self {
            Signal::Constant(_) => false,
            Signal::Lines(lines) => lines.at(t).1 != 0.0,
            Signal::Smooth {
                start, duration, ..
            } => (*start..start + duration).contains(&t),
            Signal::Sine { start, .. } => t >= *start,
        }
    }

    /// Whether its value is a number at all times.
    pub fn is_valid(&self) -> bool {
        let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        match self {
            Signal::Constant(value) => value.is_finite(),
            Signal::Lines(_) => true,
            Signal::Smooth {
                start,
                duration,
                from,
                to,
            } => finite(&[*start, *duration, *from, *to]) && *duration > 0.0,
            Signal::Sine {
                start,
                offset,
                amplitude,
                frequency,
            } => finite(&[*start, *offset, *amplitude, *frequency]),
        }
    }
}

impl From<f64> for Signal {
    fn from(value: f64) -> Signal {
        Signal::Constant(value)
    }
}

/// `u³ (10 − 15 u + 6 u²)` with its first two derivatives; 0 before u = 0, 1
/// after u = 1.
pub fn smooth_step(u: f64) -> [f64; 3] {
    let u = u.clamp(0.0, 1.0);
    [
        u * u * u * (10.0 + u * (6.0 * u - 15.0)),
        30.0 * u * u * (1.0 - u) * (1.0 - u),
        60.0 * u * (1.0 - u) * (1.0 - 2.0 * u),
    ]
}

/// Straight lines between points, constant before the first and after the
/// last.
///
/// ```
/// use volar_dynamics::{Lines, Signal};
///
/// // Closes to 20 mm within 1 s, holds, and opens again from 3 s to 4 s.
/// let points = vec![(0.0, 0.0), (1.0, 0.02), (3.0, 0.02), (4.0, 0.0)]; // s, m
/// let stroke = Signal::Lines(Lines::new(points).unwrap());
/// assert_eq!(stroke.value(0.5), 0.01);
/// assert_eq!(stroke.value(2.0), 0.02);
/// assert!(Lines::new(vec![(1.0, 0.0), (0.0, 0.02)]).is_none()); // times must ascend
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    points: Vec<(f64, f64)>,
}

impl Lines {
    /// From pairs (time s, value); times strictly ascending, at least one
    /// pair.
    pub fn new(points: Vec<(f64, f64)>) -> Option<Lines> {
        let finite = points.iter().all(|(t, x)| t.is_finite() && x.is_finite());
        let ascending = points.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (finite && ascending && !points.is_empty()).then_some(Lines { points })
    }

    /// Value and slope at a time.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let after = self.points.partition_point(|(time, _)| *time <= t);
        let before = after.checked_sub(1).map(|i| self.points[i]);
        match (before, self.points.get(after).copied()) {
            (Some((t0, x0)), Some((t1, x1))) => {
                let slope = (x1 - x0) / (t1 - t0);
                (x0 + slope * (t - t0), slope)
            }
            (Some((_, x)), None) | (None, Some((_, x))) => (x, 0.0),
            (None, None) => (0.0, 0.0),
        }
    }
}
