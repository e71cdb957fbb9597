//! Sweeps: planned and kept here, run here or elsewhere.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use volar_sweep::{
    AxisEntry, Done, Folder, Journal, Record, RunLimits, SweepError, SweepSpec, Tally, Work,
    axis_entry, builtin, report, run_missing, write_tables,
};

use crate::errors::Fault;
use crate::guard::detached;

/// How often signals are looked for, and progress is told.
const LOOK: Duration = Duration::from_millis(50);

/// An axis as it is typed on the command line, as an entry of a sweep file in JSON.
#[pyfunction]
pub fn axis(text: &str) -> PyResult<String> {
    let entry: AxisEntry = axis_entry(text).map_err(Fault::from)?;
    Ok(serde_json::to_string(&entry).map_err(Fault::from)?)
}

/// The text of a built-in sweep.
#[pyfunction]
pub fn builtin_sweep(name: &str) -> Option<&'static str> {
    builtin(name)
}

/// A sweep with its scenes and files.
#[pyclass(frozen, module = "volar._volar")]
pub struct Sweep {
    pub(crate) inner: Arc<volar_sweep::Sweep>,
}

#[pymethods]
impl Sweep {
    /// Of the text of a sweep file; scenes are relative to the folder. The entries of
    /// `changes`, an object in JSON, replace those of the text.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        file: &str,
        text: &str,
        changes: &str,
        folder: PathBuf,
    ) -> PyResult<Sweep> {
        detached(py, || {
            let spec = SweepSpec::changed(file, text, changes)?;
            let inner = Arc::new(volar_sweep::Sweep::new(spec, &folder)?);
            Ok(Sweep { inner })
        })
    }

    /// From what `pack` gave.
    #[staticmethod]
    fn unpack(py: Python<'_>, bytes: &[u8]) -> PyResult<Sweep> {
        detached(py, || {
            let inner = Arc::new(volar_sweep::Sweep::unpack(bytes)?);
            Ok(Sweep { inner })
        })
    }

    /// All of it as bytes, for other machines.
    fn pack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.inner.pack().map_err(Fault::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.inner.spec.name
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.inner.plan.rows()
    }

    #[getter]
    fn hash(&self) -> String {
        self.inner.identity().hash()
    }

    /// Runs rows on this thread; each is a line of text.
    fn run(
        &self,
        py: Python<'_>,
        start: u64,
        end: u64,
        limit_wall: Option<f64>,
    ) -> PyResult<Vec<String>> {
        let limits = limits(limit_wall)?;
        detached(py, || {
            let records = (start..end).filter_map(|row| self.inner.run(row, &limits));
            let lines = records.map(|record| record.to_line());
            Ok(lines.collect::<Result<_, SweepError>>()?)
        })
    }
}

fn limits(wall: Option<f64>) -> PyResult<RunLimits> {
    let wall = wall.map(Duration::try_from_secs_f64).transpose();
    let wall = wall.map_err(|_| PyValueError::new_err("limit_wall must not be negative, s"))?;
    Ok(RunLimits {
        wall,
        ..RunLimits::default()
    })
}

/// The folder of a sweep.
#[pyclass(frozen, module = "volar._volar")]
pub struct SweepFolder {
    sweep: Arc<volar_sweep::Sweep>,
    folder: Folder,
    journal: Mutex<Option<Journal>>,
}

#[pymethods]
impl SweepFolder {
    /// A new folder, or one with results of the same sweep.
    #[staticmethod]
    fn create(py: Python<'_>, path: PathBuf, sweep: &Sweep) -> PyResult<SweepFolder> {
        let sweep = sweep.inner.clone();
        detached(py, || {
            let folder = Folder::create(&path, &sweep)?;
            Ok(SweepFolder {
                sweep,
                folder,
                journal: Mutex::default(),
            })
        })
    }

    /// Ranges of rows that are not finished, of at most so many rows each.
    fn missing(&self, py: Python<'_>, most: u64) -> PyResult<Vec<(u64, u64)>> {
        detached(py, || {
            let rows = self.sweep.plan.rows();
            let done = Done::read(&self.folder, 0..rows)?;
            let mut ranges = Vec::new();
            let mut from = 0;
            while let Some(start) = done.next_missing(from) {
                let longest = start.saturating_add(most.max(1)).min(rows);
                let end = (start + 1..longest).find(|row| done.has(*row));
                from = end.unwrap_or(longest);
                ranges.push((start, from));
            }
            Ok(ranges)
        })
    }

    /// Writes down runs that were finished elsewhere.
    fn append(&self, py: Python<'_>, lines: Vec<String>) -> PyResult<()> {
        detached(py, || {
            let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
            if journal.is_none() {
                *journal = Some(Journal::open(&self.folder, &self.sweep.plan, "all")?);
            }
            if let Some(journal) = &mut *journal {
                for line in lines {
                    journal.append(Record::from_line(&line)?)?;
                }
            }
            Ok(())
        })
    }

    /// Runs what is missing on this machine; `progress` is called with `tally` now and then.
    fn run(
        &self,
        py: Python<'_>,
        threads: usize,
        limit_wall: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let limits = limits(limit_wall)?;
        let stop = limits.stop.clone();
        let work = Work {
            threads,
            limits,
            shard: None,
        };
        detached(py, || {
            std::thread::scope(|scope| {
                let (tell, told) = mpsc::channel();
                let work = &work;
                let running = scope.spawn(move || {
                    let tell = Mutex::new(tell);
                    run_missing(&self.sweep, &self.folder, work, &|tally| {
                        // Who listens no longer has raised.
                        let tell = tell.lock().unwrap_or_else(PoisonError::into_inner);
                        let _ = tell.send(tally.clone());
                    })
                });
                let mut raised = None;
                while !running.is_finished() {
                    std::thread::sleep(LOOK);
                    let last = told.try_iter().last();
                    if raised.is_none()
                        && let Err(error) = look(progress.as_ref(), last.as_ref())
                    {
                        raised = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                let done = running
                    .join()
                    .map_err(|_| Fault::panic("a thread of the sweep"))?;
                match raised {
                    Some(error) => Err(Fault::Python(error)),
                    None => {
                        done?;
                        Ok(())
                    }
                }
            })
        })
    }

    /// How far it has come, as JSON.
    fn tally(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || {
            let rows = 0..self.sweep.plan.rows();
            Ok(as_json(&Done::read(&self.folder, rows)?.tally))
        })
    }

    /// Makes a part of the rest, and the tables and the report where all is there.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || {
            let journal = self
                .journal
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some(mut journal) = journal {
                journal.seal()?;
            }
            write_tables(&self.folder, &self.sweep.plan)?;
            Ok(report::write(&self.folder, 0)?)
        })
    }
}

fn look(progress: Option<&Py<PyAny>>, tally: Option<&Tally>) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        if let (Some(progress), Some(tally)) = (progress, tally) {
            progress.call1(py, (as_json(tally),))?;
        }
        Ok(())
    })
}

fn as_json(tally: &Tally) -> String {
    let value = serde_json::json!({
        "total": tally.total,
        "done": tally.done,
        "judged": tally.judged,
        "held": tally.held,
        "failures": tally.failures,
    });
    value.to_string()
}
