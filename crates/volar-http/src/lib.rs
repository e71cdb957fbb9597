//! As much of HTTP as servers on this machine need: requests of bounded size that must be
//! there in time, answers that end the connection, and one request of our own.

mod answer;
mod post;
mod request;

pub use answer::Answer;
pub use post::post;
pub use request::{Request, waits};
