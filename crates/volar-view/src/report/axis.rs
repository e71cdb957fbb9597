//! Axes: ranges, ticks and their labels.

/// The range of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// True when the axis is logarithmic.
    pub log: bool,
}

impl Axis {
    /// An axis that shows all finite values; on a logarithmic one, all
    /// positive ones.
    pub fn of(values: impl Iterator<Item = f64>, log: bool) -> Axis {
        let shown = values.filter(|v| v.is_finite() && (!log || *v > 0.0));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        if low > high {
            let low = if log { 0.1 } else { 0.0 };
            return Axis {
                low,
                high: 1.0,
                log,
            };
        }
        if log {
            // At most twelve decades, whole ones.
            let high = 10_f64.powf(high.log10().ceil());
            let low = 10_f64.powf(low.log10().floor()).max(high * 1e-12);
            let high = if high > low { high } else { 10.0 * low };
            return Axis { low, high, log };
        }
        // What varies by less than a hundredth of its size is shown flat.
        let room = (0.06 * (high - low)).max(5e-3 * high.abs().max(low.abs()));
        let room = if room > 0.0 { room } else { 1.0 };
        let low = if low >= 0.0 && low - room < 0.25 * high {
            0.0
        } else {
            low - room
        };
        Axis {
            low,
            high: high + room,
            log,
        }
    }

    /// An axis from one value to another.
    pub fn between(low: f64, high: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        Axis {
            low,
            high,
            log: false,
        }
    }

    /// Where a value is, 0 at the low end and 1 at the high end; none when it
    /// cannot be shown.
    pub fn place(&self, value: f64) -> Option<f64> {
        if !value.is_finite() {
            return None;
        }
        let place = if self.log {
            (value.max(self.low) / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        Some(place)
    }

    /// Ticks and what is written beside them.
    pub fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        if self.log {
            let decades = (self.low.log10().round() as i32)..=(self.high.log10().round() as i32);
            let every = (decades.clone().count() / wanted.max(1)).max(1);
            let ticks = decades.step_by(every);
            return ticks.map(|d| (10_f64.powi(d), power_of_ten(d))).collect();
        }
        let step = nice_step((self.high - self.low) / wanted.max(1) as f64);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        let ticks = (first..=last).map(|k| k as f64 * step);
        ticks.map(|value| (value, label(value, step))).collect()
    }
}

/// The next larger of 1, 2 and 5 times a power of ten.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let nice = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|m| m * power >= least * (1.0 - 1e-9));
    nice.unwrap_or(10.0) * power
}

fn label(value: f64, step: f64) -> String {
    let digits = -step.log10().floor() as i32;
    if value.abs() >= 1e5 || digits > 4 {
        if value.abs() < 0.5 * step {
            return "0".into();
        }
        let digits = (value.abs().log10().floor() - step.log10().floor()).max(0.0) as usize;
        return minus(&format!("{value:.digits$e}"));
    }
    minus(&format!("{value:.*}", digits.max(0) as usize))
}

fn power_of_ten(exponent: i32) -> String {
    match exponent {
        -2..=3 => minus(&format!("{}", 10_f64.powi(exponent))),
        _ => minus(&format!("1e{exponent}")),
    }
}

/// Written with a true minus sign; zero has none.
fn minus(number: &str) -> String {
    let unsigned = number.trim_start_matches('-');
    if unsigned.chars().all(|c| matches!(c, '0' | '.')) {
        return unsigned.into();
    }
    number.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let axis = Axis::of([0.0, 10.03].into_iter(), false);
        let labels: Vec<String> = axis.ticks(5).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["0", "5", "10"]);
        let axis = Axis::of([-0.002, 0.003].into_iter(), false);
        for (value, _) in axis.ticks(5) {
            assert!((axis.low..=axis.high).contains(&value));
        }
        assert!(axis.ticks(5).iter().any(|t| t.1 == "−0.002"));
    }

    #[test]
    fn flat_and_empty_data_have_an_axis() {
        let flat = Axis::of([10.0, 10.0 + 1e-12].into_iter(), false);
        assert!(flat.high - flat.low > 0.09, "{flat:?}");
        let empty = Axis::of([f64::NAN].into_iter(), true);
        assert!(empty.low > 0.0 && empty.high > empty.low);
    }

    #[test]
    fn a_logarithmic_axis_has_whole_decades() {
        let axis = Axis::of([3e-9, 0.2, 0.0].into_iter(), true);
        let labels: Vec<String> = axis.ticks(20).into_iter().map(|t| t.1).collect();
        assert_eq!(labels.first().map(String::as_str), Some("1e−9"));
        assert_eq!(labels.last().map(String::as_str), Some("1"));
        assert_eq!(axis.place(0.0), Some(0.0));
        assert_eq!(axis.place(f64::NAN), None);
    }
}
