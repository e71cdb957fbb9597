//! Computing without the interpreter: others may run meanwhile, Ctrl-C is
//! noticed, and a panic is an exception.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use volar::run::{Context, Observed, Observer, Stop};

use crate::errors::Fault;

/// How often signals are looked for: half of the 100 ms within which Ctrl-C is
/// to stop a run, as the interpreter may have to be waited for.
pub const LOOK: Duration = Duration::from_millis(50);

/// Does some work while other threads may use the interpreter.
pub fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    let done = py.detach(|| {
        let done = catch_unwind(AssertUnwindSafe(work));
        done.unwrap_or_else(|panic| Err(Fault::panic(&said(&*panic))))
    });
    Ok(done?)
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

/// An observer that stops a run when a signal handler raises, and tells a
/// callback how far the run has come.
pub struct Watch {
    last: Instant,
    /// Called with the simulated time, s.
    progress: Option<Py<PyAny>>,
    /// What was raised.
    pub raised: Option<PyErr>,
}

impl Watch {
    pub fn new(progress: Option<Py<PyAny>>) -> Watch {
        Watch {
            last: Instant::now(),
            progress,
            raised: None,
        }
    }

    fn look(&self, time: f64) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (time,))?;
            }
            Ok(())
        })
    }
}

impl Observer for Watch {
    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if self.last.elapsed() < LOOK {
            return Ok(ControlFlow::Continue(()));
        }
        let looked = self.look(context.time());
        self.last = Instant::now();
        Ok(match looked {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.raised = Some(error);
                ControlFlow::Break(Stop::Interrupted)
            }
        })
    }
}
