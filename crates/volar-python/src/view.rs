//! The viewer, served from a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use pyo3::prelude::*;
use volar_view::{ServeError, ServeOptions, Server};

use crate::errors::Fault;
use crate::outcome::Outcome;
use crate::scene::Setup;

/// A server on this machine that shows a run in the browser, until it is closed.
#[pyclass(frozen, module = "volar._volar")]
pub struct Viewer {
    /// What to open in a browser.
    #[pyo3(get)]
    address: String,
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<Result<(), ServeError>>>>,
}

impl Viewer {
    fn start(
        options: ServeOptions,
        serve: impl FnOnce(&Server, &AtomicBool) -> Result<(), ServeError> + Send + 'static,
    ) -> Result<Viewer, Fault> {
        let server = Server::bind(&options)?;
        let address = server.address();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let thread = std::thread::Builder::new()
            .name("volar-view".into())
            .spawn(move || serve(&server, &flag))?;
        let thread = Mutex::new(Some(thread));
        Ok(Viewer {
            address,
            stop,
            thread,
        })
    }
}

#[pymethods]
impl Viewer {
    /// Stops the server; raises what it failed with.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.stop.store(true, Ordering::Relaxed);
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let ended = py.detach(|| thread.map(JoinHandle::join));
        match ended {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(error))) => Err(Fault::from(error).into()),
            Some(Err(_)) => Err(Fault::panic("the viewer's thread ended").into()),
        }
    }

    /// Whether it is still there.
    fn is_open(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Simulates a scene in the browser.
#[pyfunction]
pub fn view(setup: &Setup, port: u16, open: bool) -> PyResult<Viewer> {
    let setup = setup.inner.clone();
    let options = ServeOptions { port, open };
    let viewer = Viewer::start(options, move |server, stop| server.serve_live(&setup, stop));
    Ok(viewer?)
}

/// Shows a run that is over in the browser.
#[pyfunction]
pub fn replay(outcome: Py<Outcome>, port: u16, open: bool) -> PyResult<Viewer> {
    let recorded = outcome.get().recorded.clone();
    let info = outcome.get().info("")?;
    let options = ServeOptions { port, open };
    let viewer = Viewer::start(options, move |server, stop| {
        server.serve_recording(&recorded.header, &recorded.frames, Some(&info), stop)
    });
    Ok(viewer?)
}
