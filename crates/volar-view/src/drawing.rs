//! What other reports draw with: ranges and ticks, colours, pictures, pages.

pub use crate::page::{escaped, html};
pub use crate::report::{Axis, COLOURS, PaintError, Painter};
