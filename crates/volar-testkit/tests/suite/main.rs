//! The oracles themselves.
#![allow(non_snake_case, reason = "frame notation: X_AB")]

mod oracle;
