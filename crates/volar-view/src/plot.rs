//! A plot: which channels it shows, and what the summary counts of it.

use serde::Serialize;
use volar_record::{GraspHeader, Window};

/// Some channels in one diagram.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    /// Name of the file and of the place in the page.
    pub id: String,
    /// Title above the diagram.
    pub title: String,
    /// Unit of all channels.
    pub unit: String,
    /// True for a logarithmic axis.
    pub log: bool,
    /// True when the transient has a diagram of its own.
    pub split: bool,
    /// Its lines, one for each channel.
    pub series: Vec<Series>,
    /// When the summary looks at it: shaded.
    pub window: Option<Window>,
    /// What the summary says of it, below the title; empty where it says nothing.
    pub note: String,
}

/// One line of a plot.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Number of the channel.
    pub channel: usize,
}

/// How a diagram is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Linear,
    Log,
    /// With a diagram of its own for the transient.
    Split,
}

impl Plot {
    /// Title and unit.
    pub fn heading(&self) -> String {
        match self.unit.is_empty() {
            true => self.title.clone(),
            false => format!("{} ({})", self.title, self.unit),
        }
    }

    /// Says and marks what the summary counts of it, in a run that ends at a time, s.
    pub fn mark_window(&mut self, grasp: Option<&GraspHeader>, end: f64) {
        let whole = matches!(self.id.as_str(), "largest-force" | "largest-depth");
        if whole {
            self.note = "Summary: the largest of the whole run.".into();
        }
        let Some(grasp) = grasp else { return };
        let last_second = grasp.last_second(end);
        let (window, figure) = match self.id.as_str() {
            "normal-force" => (last_second, "mean"),
            "friction-margin" => (last_second, "least of all"),
            "drift" | "rotation" => (grasp.since(end), "value at the end of what is counted"),
            "slip" => (grasp.since(end), "largest of all"),
            "kinetic-energy-ratio" => match grasp.energy(end) {
                Some(window) => (window, "ratio of the means"),
                None => return,
            },
            _ => return,
        };
        self.note = format!("Summary: {figure}, {} (shaded).", window.text);
        self.window = Some(window);
    }
}
