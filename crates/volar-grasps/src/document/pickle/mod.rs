//! The part of pickle that numpy writes for numbers, text, lists, dicts and arrays.
//!
//! A pickle is a program for a machine with a stack. This one knows the six names that
//! numpy's own pickles call (`machine.rs`) and makes values of them; it imports and calls nothing.
//! What else a file asks for is an error. Memory and time are bounded by the length of the file.

mod machine;
mod resolve;
mod write;

pub use write::write;

use super::value::Value;

/// The value, or where a file is wrong (a byte) and how.
pub fn read(bytes: &[u8]) -> Result<Value, (usize, String)> {
    let (objects, root) = machine::run(bytes)?;
    resolve::tree(&objects, root, bytes.len()).map_err(|message| (bytes.len(), message))
}
