//! Reports of runs, and a viewer in the browser.
//!
//! [`report::write`] makes one file of a run that opens without a network.
//! [`Server`] shows a recording, or a simulation while it runs, to a browser
//! on this machine. Both show the same page (`web` beside this),
//! which is built along where Node.js is installed.
//!
//! Units SI unless a plot says otherwise.
#![allow(clippy::disallowed_methods)] // pictures: the last bits do not matter

mod channels;
pub mod drawing;
mod encode;
mod live;
mod page;
mod patches;
mod plot;
pub mod report;
#[cfg(test)]
mod sample;
mod serve;

pub use page::Page;
pub use patches::{Patch, PatchFinder, Triangle};
pub use report::{MAX_FRAMES, ORIGIN_FILE, Origin, ReportError, RunInfo};
pub use serve::{ServeError, ServeOptions, Server};

/// Whether a text is a message that the server acts upon; for fuzzing.
#[doc(hidden)]
pub fn reads_message(text: &str) -> bool {
    let Ok(message) = serde_json::from_str::<live::ViewerMessage>(text) else {
        return false;
    };
    live::Commands::default().ask(message, &["gravity".into()]);
    true
}
