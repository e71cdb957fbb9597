//! Live runs: what can be watched, and the loop that takes it through time.

mod broadcast;
mod commands;

use serde::Serialize;
use volar_record::{Frame, Header};

pub(crate) use broadcast::{Broadcast, Mailbox};
pub(crate) use commands::Message as ViewerMessage;

/// A simulation that can be watched and acted upon while it runs.
pub trait Live: Send {
    /// What does not change.
    fn header(&self) -> &Header;

    /// Everything at the present time.
    fn frame(&mut self) -> Result<Frame, String>;

    /// Goes on to a time, s.
    fn advance(&mut self, to_time: f64) -> Result<(), String>;

    /// Present time, s.
    fn time(&self) -> f64;

    /// Goes back to the start; parameters stay as they are.
    fn restart(&mut self) -> Result<(), String>;

    /// What can be changed, with present values.
    fn parameters(&self) -> Vec<Parameter>;

    /// Changes one of them; acts at once.
    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), String>;
}

/// Something that can be changed during a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Name, unique among the parameters.
    pub name: String,
    /// What people read.
    pub label: String,
    /// Unit.
    pub unit: String,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Present value.
    pub value: f64,
    /// True when the slider is logarithmic; both ends must be positive then.
    pub logarithmic: bool,
}
