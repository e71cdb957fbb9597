//! A scene from beginning to end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use volar::record::{Columns, Frame, Header, RecordingWriter, Row};
use volar::run::{
    Ended, Execution, MemoryRecorder, Observer, Options, Run, Saved, Stop, Summary, WallLimit,
    header,
};
use volar_view::{ORIGIN_FILE, Origin, RunInfo};

use crate::arrays::table;
use crate::contacts::{contact_numbers, contact_table};
use crate::errors::{Class, Fault};
use crate::guard::{Watch, detached};
use crate::scene::Setup;
use crate::simulation::Simulation;

/// What a run leaves behind.
#[pyclass(frozen, module = "volar._volar")]
pub struct Outcome {
    setup: Arc<volar::scene::Setup>,
    summary: Summary,
    ended: &'static str,
    saved: Saved,
    run: Run,
    pub recorded: Arc<Recorded>,
}

/// The frames of a run.
pub struct Recorded {
    pub header: Header,
    pub frames: Vec<Frame>,
}

/// Times and rows of numbers.
type TimedRows<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

/// Runs a scene to its end. When a signal handler raises, as on Ctrl-C, that
/// exception is raised with the outcome so far as its attribute `outcome`.
#[pyfunction]
#[pyo3(signature = (setup, threads, record, limit_wall=None, resume=None, progress=None))]
pub fn execute(
    py: Python<'_>,
    setup: &Setup,
    threads: usize,
    record: bool,
    limit_wall: Option<f64>,
    resume: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Outcome> {
    let resume = resume.map(serde_json::from_str::<Saved>).transpose();
    let resume = resume.map_err(|error| {
        let what = format!("not a checkpoint of a run: {error}");
        Fault::new(Class::Simulation, what)
    })?;
    let limit = limit_wall.map(Duration::try_from_secs_f64).transpose();
    let limit = limit.map_err(|_| PyValueError::new_err("limit_wall must not be negative, s"))?;
    let setup = setup.inner.clone();
    let options = Options { threads, resume };
    let mut watch = Watch::new(progress);
    let outcome = detached(py, || {
        let mut recorder = MemoryRecorder::default();
        let mut limit = limit.map(WallLimit::new);
        let mut observers: Vec<&mut dyn Observer> = vec![&mut watch];
        if record {
            observers.push(&mut recorder);
        }
        observers.extend(limit.as_mut().map(|limit| limit as &mut dyn Observer));
        let done = volar::run::execute(&setup, &options, &mut observers)?;
        Ok(Outcome::new(setup, done, recorder))
    })?;
    match watch.raised {
        None => Ok(outcome),
        Some(error) => {
            let outcome = Py::new(py, outcome.named("interrupted"))?;
            error.value(py).setattr("outcome", outcome)?;
            Err(error)
        }
    }
}

#[pymethods]
impl Outcome {
    /// The summary as JSON.
    fn summary(&self) -> PyResult<String> {
        Ok(serde_json::to_string(&self.summary).map_err(Fault::from)?)
    }

    /// `complete`, `unfinished`, `interrupted`, `limit` or `failed`.
    #[getter]
    fn ended(&self) -> &'static str {
        self.ended
    }

    /// Number of frames that were kept.
    #[getter]
    fn frames(&self) -> usize {
        self.recorded.frames.len()
    }

    /// What `execute` resumes from, as JSON.
    fn saved(&self) -> PyResult<String> {
        Ok(serde_json::to_string(&self.saved).map_err(Fault::from)?)
    }

    /// The simulation in its last state.
    fn simulation(&self, py: Python<'_>) -> PyResult<Simulation> {
        Simulation::of(py, Execution::of(self.run.clone()), false)
    }

    /// Names of the columns and their values by row.
    fn series<'py>(&self, py: Python<'py>) -> PyResult<(Vec<String>, Bound<'py, PyArray2<f64>>)> {
        let mut columns = Columns::new(&self.recorded.header);
        let mut numbers = Vec::new();
        let mut row = Row::default();
        for frame in &self.recorded.frames {
            columns.fill(frame, &mut row);
            numbers.extend(&row.numbers);
            numbers.extend(row.counts.iter().map(|count| f64::from(*count)));
        }
        let mut names = columns.numbers;
        names.append(&mut columns.counts);
        let values = table(py, numbers, names.len())?;
        Ok((names, values))
    }

    /// Contacts of all frames: times, one per contact, and figures.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<TimedRows<'py>> {
        let (mut times, mut numbers) = (Vec::new(), Vec::new());
        for frame in &self.recorded.frames {
            times.extend(frame.contacts.iter().map(|_| frame.time));
            contact_numbers(&frame.contacts, &mut numbers);
        }
        Ok((PyArray1::from_vec(py, times), contact_table(py, numbers)?))
    }

    /// The report as one page.
    fn html(&self, py: Python<'_>, command: &str) -> PyResult<String> {
        let info = self.info(command)?;
        let recorded = &self.recorded;
        detached(py, || {
            let page = volar_view::report::html(&info, &recorded.header, &recorded.frames);
            Ok(page?)
        })
    }

    /// Recording, table, summary, scene with its files, report and plots into a folder.
    fn save(&self, py: Python<'_>, folder: PathBuf, command: &str) -> PyResult<()> {
        let info = self.info(command)?;
        let recorded = &self.recorded;
        detached(py, || {
            let mut writer = RecordingWriter::create(&folder, &recorded.header)?;
            for frame in &recorded.frames {
                writer.push(frame)?;
            }
            writer.finish()?;
            self.setup.keep(&folder)?;
            let summary = serde_json::to_string_pretty(&self.summary)?;
            std::fs::write(folder.join("summary.json"), summary + "\n")?;
            let origin = serde_json::to_string_pretty(&info.origin)?;
            std::fs::write(folder.join(ORIGIN_FILE), origin + "\n")?;
            volar_view::report::write(&folder, &info, &recorded.header, &recorded.frames)?;
            Ok(())
        })
    }
}

impl Outcome {
    pub fn new(
        setup: Arc<volar::scene::Setup>,
        done: volar::run::Outcome,
        recorder: MemoryRecorder,
    ) -> Outcome {
        let ended = match &done.ended {
            Ended::Complete | Ended::Stopped(Stop::Done) => "complete",
            Ended::Stopped(Stop::Interrupted) => "interrupted",
            Ended::Stopped(Stop::Limit(_)) => "limit",
            Ended::Failed(_) => "failed",
        };
        let recorded = Recorded {
            header: header(&setup),
            frames: recorder.into_frames(),
        };
        Outcome {
            setup,
            summary: done.summary,
            ended,
            saved: done.saved,
            run: done.run,
            recorded: Arc::new(recorded),
        }
    }

    /// The same with another word for how it ended.
    pub fn named(self, ended: &'static str) -> Outcome {
        Outcome { ended, ..self }
    }

    pub fn info(&self, command: &str) -> PyResult<RunInfo> {
        Ok(RunInfo {
            summary: serde_json::to_value(&self.summary).map_err(Fault::from)?,
            scene_toml: self.setup.scene.text.clone(),
            origin: Origin::here(command.into()),
        })
    }
}
