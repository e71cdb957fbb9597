//! Means over time.

use serde::{Deserialize, Serialize};

/// Mean and deviation over time of something that changes along straight lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    last: f64,
    weight: f64,
    sum: f64,
    squares: f64,
    /// Subtracted before squaring, so that small deviations survive.
    shift: Option<f64>,
}

impl Mean {
    /// A value at the end of a step of this length; length zero starts.
    pub fn add(&mut self, value: f64, step: f64) {
        let shift = *self.shift.get_or_insert(value);
        let (x, y) = (self.last - shift, value - shift);
        self.weight += step;
        self.sum += 0.5 * step * (x + y);
        self.squares += step * (x * x + x * y + y * y) / 3.0;
        self.last = value;
    }

    /// The mean; the last value where there was no time.
    pub fn mean(&self) -> f64 {
        match self.weight > 0.0 {
            true => self.shift.unwrap_or(0.0) + self.sum / self.weight,
            false => self.last,
        }
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        if self.weight <= 0.0 {
            return 0.0;
        }
        let mean = self.sum / self.weight;
        (self.squares / self.weight - mean * mean).max(0.0).sqrt()
    }
}
