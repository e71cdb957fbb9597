//! When what is measured of a grasp, in words and numbers.

use serde::Serialize;

use crate::frame::{GraspHeader, LAST_SECOND};

/// A stretch of time in which something is measured.
///
/// ```
/// use volar_record::GraspHeader;
///
/// let grasp = GraspHeader { drift_from: 2.0, until: 10.0, ..GraspHeader::default() };
/// assert_eq!(grasp.since(10.0).text, "since 2 s");
/// assert_eq!(grasp.last_second(10.0).text, "last second");
/// assert_eq!(grasp.last_second(15.0).text, "from 9 to 10 s"); // of a run of 15 s
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Window {
    /// Its start, s.
    pub from: f64,
    /// Its end, s.
    pub to: f64,
    /// As it stands beside a figure.
    pub text: String,
}

impl GraspHeader {
    /// In which drift, rotation and slip are counted, of a run that ends at a time, s.
    pub fn since(&self, end: f64) -> Window {
        let text = format!("since {} s", self.drift_from);
        self.window(self.drift_from, end, text)
    }

    /// In which means, margins and creep are measured: the last second, or as much as
    /// there is of it.
    pub fn last_second(&self, end: f64) -> Window {
        let from = (self.until - LAST_SECOND).max(0.0);
        self.window(from, end, "last second".into())
    }

    /// In which the kinetic energy of the object is compared.
    pub fn energy(&self, end: f64) -> Option<Window> {
        let from = self.energy_from?;
        Some(self.window(from, end, format!("since {from} s")))
    }

    /// `to_the_end` is what it is called where it reaches to the end of the run.
    fn window(&self, from: f64, end: f64, to_the_end: String) -> Window {
        let (to, text) = match self.until < end {
            true => (self.until, format!("from {from} to {} s", self.until)),
            false => (end, to_the_end),
        };
        Window { from, to, text }
    }
}
