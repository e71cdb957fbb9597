//! No more frames than a page can hold, and all peaks among them.

use crate::curves::{Curves, Point, Scales};
use crate::frame::{Frame, Header};

/// What a gap of the mean length costs, in parts of the scale of a curve: frames that
/// differ by less are thinned out evenly in time.
const COST_OF_A_GAP: f64 = 0.01;
/// Added to the cost of a frame that must stay.
const MUST_STAY: f64 = 1.0e9;

/// Keeps a bounded number of items, one for each frame: those without which the
/// [`Curves`] would change most. The first and the last frame stay, the greatest value of
/// every curve, and the frames at which something begins or ends to be measured. The same
/// frames in the same order always leave the same ones.
///
/// ```
/// use volar_record::{Frame, Header, Thinned};
///
/// let mut kept = Thinned::new(&Header::default(), 100);
/// for step in 0..1000 {
///     let frame = Frame { time: 0.001 * f64::from(step), ..Frame::default() };
///     kept.push(step, &frame);
/// }
/// let kept = kept.into_items();
/// assert!(kept.len() > 50 && kept.len() <= 100);
/// assert_eq!((kept[0], kept.last()), (0, Some(&999)));
/// ```
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    max: usize,
    curves: Curves,
    scales: Scales,
    items: Vec<T>,
    points: Vec<Point>,
}

impl<T> Thinned<T> {
    /// Keeps no more than so many items, two at least.
    pub fn new(header: &Header, max: usize) -> Thinned<T> {
        let curves = Curves::new(header);
        Thinned {
            max: max.max(2),
            scales: curves.scales(),
            curves,
            items: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Adds an item for a frame, which takes the place of one at the same time. A frame
    /// that is earlier than the last is left out.
    pub fn push(&mut self, item: T, frame: &Frame) {
        match self.points.last() {
            Some(last) if frame.time < last.time => return,
            Some(last) if frame.time <= last.time => {
                self.points.pop();
                self.items.pop();
            }
            _ => {}
        }
        let point = Point {
            time: frame.time,
            values: self.curves.values(frame),
        };
        self.scales.widen(&point.values);
        self.points.push(point);
        self.items.push(item);
        if self.items.len() > self.max {
            self.thin();
        }
    }

    /// The items kept so far.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items kept.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// Leaves three quarters of what there may be, so that this is not done at every frame.
    fn thin(&mut self) {
        let target = (3 * self.max / 4).max(2);
        while self.items.len() > target {
            let mut cheap: Vec<(f64, usize)> = self.costs().into_iter().zip(1..).collect();
            cheap.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut stays = vec![true; self.items.len()];
            let mut left = self.items.len();
            for (_, at) in cheap {
                // What a frame costs is known as long as both its neighbours stay.
                if left > target && stays[at - 1] && stays[at + 1] {
                    stays[at] = false;
                    left -= 1;
                }
            }
            retain(&mut self.items, &stays);
            retain(&mut self.points, &stays);
        }
    }

    /// What each frame but the first and the last is worth.
    fn costs(&self) -> Vec<f64> {
        let points = &self.points;
        let (first, last) = (&points[0], &points[points.len() - 1]);
        let mean_gap = (last.time - first.time) / points.len() as f64;
        let peaks = self.peaks();
        let cost = |at: usize| {
            let (before, after) = (&points[at - 1], &points[at + 1]);
            let bend = self.scales.departure(&points[at], before, after);
            let gap = COST_OF_A_GAP * (after.time - before.time) / mean_gap;
            let marked = self.curves.is_marked(points[at].time) || peaks[at];
            bend + gap + if marked { MUST_STAY } else { 0.0 }
        };
        (1..points.len() - 1).map(cost).collect()
    }

    /// Which frames have the greatest value of a curve.
    fn peaks(&self) -> Vec<bool> {
        let mut peaks = vec![false; self.points.len()];
        for curve in 0..self.points[0].values.len() {
            let size = |at: &usize| self.points[*at].values[curve].abs();
            // The first of equal ones.
            let greatest = (0..self.points.len()).rev();
            let greatest = greatest.max_by(|a, b| size(a).total_cmp(&size(b)));
            if let Some(at) = greatest {
                peaks[at] = true;
            }
        }
        peaks
    }
}

fn retain<T>(all: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    all.retain(|_| stays.next().is_some_and(|stays| *stays));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::JointFrame;
    use crate::{GraspHeader, JointHeader};

    /// A joint whose effort jumps for one frame in a long rest.
    #[test]
    fn a_peak_and_the_marks_of_a_window_stay() {
        let header = Header {
            joints: vec![JointHeader::default()],
            grasp: Some(GraspHeader {
                drift_from: 7.77,
                until: 60.0,
                ..GraspHeader::default()
            }),
            ..Header::default()
        };
        let mut kept = Thinned::new(&header, 50);
        for step in 0..10_000_u32 {
            let time = 0.01 * f64::from(step);
            let time = if step == 777 { 7.77 } else { time };
            let effort = if step == 4321 { 5.0 } else { 1.0e-9 };
            let joints = vec![JointFrame {
                effort,
                ..JointFrame::default()
            }];
            let frame = Frame {
                time,
                joints,
                ..Frame::default()
            };
            kept.push(step, &frame);
        }
        let kept = kept.into_items();
        assert!(kept.len() <= 50, "{}", kept.len());
        for must in [0, 777, 4321, 6000, 9999] {
            assert!(kept.contains(&must), "{must} of {kept:?}");
        }
        let widest = kept.windows(2).map(|w| w[1] - w[0]).max();
        assert!(widest < Some(1500), "no stretch of time is left empty");
    }
}
