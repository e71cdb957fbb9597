//! An observer that records a run to files.

use std::ops::ControlFlow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use volar_record::RecordingWriter;

use crate::frames::header;
use crate::observer::{Context, Ended, Observed, Observer, RunError};
use crate::sampler::Sampler;
use crate::saved::Saved;

/// Writes a recording into a folder, at the rate of the scene. The files are
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
    open: Option<(RecordingWriter, Sampler)>,
    recorded: Recorded,
}

/// How far a recording has come, for checkpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// Frames written.
    frames: u64,
    /// Number of the next sample, counted from time zero.
    next: u64,
}

impl Recorder {
    /// Records into a folder; files are made when the run starts, and those of
    /// an earlier run are replaced.
    pub fn new(folder: impl Into<PathBuf>) -> Recorder {
        Recorder {
            folder: folder.into(),
            resume: None,
            open: None,
            recorded: Recorded::default(),
        }
    }

    /// Goes on with the recording in a folder from where a checkpoint was made. Without
    /// one that the checkpoint knows of, a new recording begins there.
    pub fn resume(folder: impl Into<PathBuf>, saved: &Saved) -> Recorder {
        Recorder {
            resume: saved.recorded,
            ..Recorder::new(folder)
        }
    }
}

impl Observer for Recorder {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        let header = header(context.setup);
        let period = 1.0 / context.setup.scene.spec.record.rate;
        let Some(recorded) = self.resume else {
            let writer = RecordingWriter::create(&self.folder, &header)?;
            self.open = Some((writer, Sampler::new(period, context.time())));
            return self.step(context);
        };
        let writer = RecordingWriter::resume(&self.folder, &header, recorded.frames)?;
        let sampler = Sampler::resumed(period, recorded.next, context.frame().clone());
        self.open = Some((writer, sampler));
        self.recorded = recorded;
        Ok(ControlFlow::Continue(()))
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if let Some((writer, sampler)) = &mut self.open {
            let frame = context.frame().clone();
            sampler.push(frame, |sample| {
                self.recorded.frames += 1;
                writer.push(sample)
            })?;
            self.recorded.next = sampler.next();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        if let Some((writer, _)) = self.open.take() {
            writer.finish()?;
        }
        Ok(())
    }

    fn save(&mut self, saved: &mut Saved) -> Result<(), RunError> {
        if let Some((writer, _)) = &mut self.open {
            writer.sync()?;
        }
        saved.recorded = Some(self.recorded);
        Ok(())
    }
}
