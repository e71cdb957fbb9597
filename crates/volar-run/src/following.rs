//! Which ends of steps a recording needs between its samples.

use serde::{Deserialize, Serialize};
use volar_record::{Curves, Frame, Header, Point, Scales};

/// At the end of every step, no curve is farther from the straight line between recorded
/// frames than this part of the largest value of its unit up to the next sample.
const ERROR: f64 = 0.01;

/// Ends of steps wait for the next sample, but no more than so many: during an impact
/// there can be thousands.
const MOST_WAITING: usize = 64;

/// Holds the ends of steps since the last recorded frame and passes on those without
/// which a curve of [`Curves`] would be off by more than [`ERROR`], those with a new
/// greatest value, and those at which something begins or ends to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Follower {
    /// Those of the header; not in checkpoints.
    #[serde(skip)]
    curves: Curves,
    scales: Scales,
    /// Greatest values recorded so far.
    greatest: Vec<f64>,
    /// The last recorded frame.
    anchor: Option<Point>,
    waiting: Vec<(Frame, Point)>,
}

impl Follower {
    pub fn new(header: &Header) -> Follower {
        let curves = Curves::new(header);
        Follower {
            scales: curves.scales(),
            curves,
            greatest: Vec::new(),
            anchor: None,
            waiting: Vec::new(),
        }
    }

    /// Goes on after it was read from a checkpoint of a run with this header.
    pub fn follow(&mut self, header: &Header) {
        self.curves = Curves::new(header);
    }

    /// Time of the last recorded frame, s.
    pub fn recorded(&self) -> Option<f64> {
        self.anchor.as_ref().map(|anchor| anchor.time)
    }

    /// Takes the end of a step.
    pub fn hold<E>(
        &mut self,
        frame: Frame,
        mut take: impl FnMut(&Frame) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.recorded().is_some_and(|time| frame.time <= time) {
            return Ok(());
        }
        let point = self.point(&frame);
        let full = self.waiting.len() == MOST_WAITING;
        if full || self.anchor.is_none() || self.curves.is_marked(frame.time) {
            return self.record(&frame, point, &mut take);
        }
        self.waiting.push((frame, point));
        Ok(())
    }

    /// Records a sample, and before it what is needed of the ends of steps that waited.
    pub fn sample<E>(
        &mut self,
        sample: &Frame,
        mut take: impl FnMut(&Frame) -> Result<(), E>,
    ) -> Result<(), E> {
        let point = self.point(sample);
        self.record(sample, point, &mut take)
    }

    /// Records the last end of a step, at the end of a run.
    pub fn finish<E>(&mut self, mut take: impl FnMut(&Frame) -> Result<(), E>) -> Result<(), E> {
        match self.waiting.pop() {
            Some((frame, point)) => self.record(&frame, point, &mut take),
            None => Ok(()),
        }
    }

    fn point(&mut self, frame: &Frame) -> Point {
        let values = self.curves.values(frame);
        self.scales.widen(&values);
        self.greatest.resize(values.len(), 0.0);
        let time = frame.time;
        Point { time, values }
    }

    fn record<E>(
        &mut self,
        frame: &Frame,
        point: Point,
        take: &mut impl FnMut(&Frame) -> Result<(), E>,
    ) -> Result<(), E> {
        let needed = self.needed(&point);
        for ((waiting, own), needed) in self.waiting.iter().zip(needed) {
            if needed {
                raise(&mut self.greatest, &own.values);
                take(waiting)?;
            }
        }
        self.waiting.clear();
        raise(&mut self.greatest, &point.values);
        self.anchor = Some(point);
        take(frame)
    }

    /// Which of those that wait are needed when `end` comes after them.
    fn needed(&self, end: &Point) -> Vec<bool> {
        let mut needed = vec![false; self.waiting.len()];
        let Some(anchor) = &self.anchor else {
            return needed;
        };
        for (curve, recorded) in self.greatest.iter().enumerate() {
            let size = |point: &Point| point.values[curve].abs();
            let waiting = self.waiting.iter().map(|(_, point)| size(point));
            let peak = waiting.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((at, peak)) = peak
                && peak > recorded.max(size(end))
            {
                needed[at] = true;
            }
        }
        // The line from each needed frame to the next, divided until all between is near it
        // [Douglas & Peucker 1973].
        let mut stretches = Vec::new();
        let mut start = 0;
        for at in 0..needed.len() {
            if needed[at] {
                stretches.push((start, at));
                start = at + 1;
            }
        }
        stretches.push((start, needed.len()));
        while let Some((from, to)) = stretches.pop() {
            let point = |at: usize| &self.waiting[at].1;
            let before = if from == 0 { anchor } else { point(from - 1) };
            let after = if to == needed.len() { end } else { point(to) };
            let departure = |at: usize| self.scales.departure(point(at), before, after);
            let all = (from..to).map(|at| (departure(at), at));
            let worst = all.max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((departure, at)) = worst
                && departure > ERROR
            {
                needed[at] = true;
                stretches.extend([(from, at), (at + 1, to)]);
            }
        }
        needed
    }
}

fn raise(greatest: &mut [f64], values: &[f64]) {
    for (greatest, value) in greatest.iter_mut().zip(values) {
        *greatest = greatest.max(value.abs());
    }
}
