//! An observer that records a run to files.

use std::ops::ControlFlow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use volar_record::{RecordError, RecordingWriter};

use crate::frames::header;
use crate::observer::{Context, Ended, Observed, Observer, RunError};
use crate::sampler::Sampler;
use crate::saved::Saved;

/// Writes a recording into a folder: the frames of a [`Sampler`](crate::Sampler) at the
/// rate of the scene. The files are
/// complete when the run has ended, also when it failed.
///
/// ```
/// use volar_run::{Options, Recorder, execute};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let mut recorder = Recorder::new(folder);
/// execute(&setup, &Options::default(), &mut [&mut recorder])?;
/// assert!(std::fs::read_dir(folder)?.count() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recorder {
    folder: PathBuf,
    resume: Option<Recorded>,
    open: Option<RecordingWriter>,
    recorded: Option<Recorded>,
    /// Since when nothing is recorded, s, and why.
    lost: Option<(f64, RecordError)>,
    tell: Option<Tell>,
}

type Tell = Box<dyn FnMut(&RecordError)>;

/// How far a recording has come, for checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// Frames written.
    frames: u64,
    /// Knows which are next.
    sampler: Sampler,
}

impl Recorder {
    /// Records into a folder; files are made when the run starts, and those of
    /// an earlier run are replaced.
    pub fn new(folder: impl Into<PathBuf>) -> Recorder {
        Recorder {
            folder: folder.into(),
            resume: None,
            open: None,
            recorded: None,
            lost: None,
            tell: None,
        }
    }

    /// Tells somebody at once when nothing more can be recorded. The run goes on without,
    /// and ends with [`RunError::Unrecorded`].
    pub fn telling(mut self, tell: impl FnMut(&RecordError) + 'static) -> Recorder {
        self.tell = Some(Box::new(tell));
        self
    }

    /// Ends the recording where it is: a full disk should not cost the run.
    fn lose(&mut self, time: f64, error: RecordError) {
        if let Some(tell) = &mut self.tell {
            tell(&error);
        }
        self.open = None;
        self.lost = Some((time, error));
    }

    /// Goes on with the recording in a folder from where a checkpoint was made. Without
    /// one that the checkpoint knows of, a new recording begins there.
    pub fn resume(folder: impl Into<PathBuf>, saved: &Saved) -> Recorder {
        Recorder {
            resume: saved.recorded.clone(),
            ..Recorder::new(folder)
        }
    }
}

impl Observer for Recorder {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        let header = header(context.setup);
        if let Some(mut recorded) = self.resume.take() {
            // The state that it was saved in has been seen.
            let writer = RecordingWriter::resume(&self.folder, &header, recorded.frames)?;
            recorded.sampler.follow(&header);
            self.open = Some(writer);
            self.recorded = Some(recorded);
            return Ok(ControlFlow::Continue(()));
        }
        let period = 1.0 / context.setup.scene.spec.record.rate;
        self.open = Some(RecordingWriter::create(&self.folder, &header)?);
        self.recorded = Some(Recorded {
            frames: 0,
            sampler: Sampler::new(&header, period, context.time()),
        });
        self.step(context)
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if let (Some(writer), Some(recorded)) = (&mut self.open, &mut self.recorded) {
            let frame = context.frame().clone();
            let pushed = recorded.sampler.push(frame, |sample| {
                recorded.frames += 1;
                writer.push(sample)
            });
            if let Err(error) = pushed {
                self.lose(context.time(), error);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, context: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        if let (Some(mut writer), Some(recorded)) = (self.open.take(), &self.recorded) {
            // A run that is resumed goes on as if this had not been its end.
            let mut sampler = recorded.sampler.clone();
            let last = sampler.finish(|frame| writer.push(frame));
            if let Err(error) = last.and_then(|()| writer.finish()) {
                self.lose(context.time(), error);
            }
        }
        match self.lost.take() {
            Some((since, source)) => Err(RunError::Unrecorded { since, source }),
            None => Ok(()),
        }
    }

    fn save(&mut self, saved: &mut Saved) -> Result<(), RunError> {
        if let Some(Err(error)) = self.open.as_mut().map(RecordingWriter::sync) {
            self.lose(saved.time(), error);
        }
        saved.recorded.clone_from(&self.recorded);
        Ok(())
    }
}
