//! What a run leaves behind, read as others read it.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]

mod one_truth;
mod page;
