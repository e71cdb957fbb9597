//! The command line.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::guard::detached;

/// Runs the command `volar` with arguments, the first of which is its name;
/// gives the exit status.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    detached(py, || Ok(volar_cli::main_from(arguments)))
}
