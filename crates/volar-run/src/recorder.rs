//! An observer that records a run to files.

use std::ops::ControlFlow;
use std::path::PathBuf;

use volar_record::RecordingWriter;

use crate::frames::header;
use crate::observer::{Context, Ended, Observed, Observer, RunError};
use crate::sampler::Sampler;

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
    open: Option<(RecordingWriter, Sampler)>,
}

impl Recorder {
    /// Records into a folder; files are made when the run starts, and those of
    /// an earlier run are replaced.
    pub fn new(folder: impl Into<PathBuf>) -> Recorder {
        Recorder {
            folder: folder.into(),
            open: None,
        }
    }
}

impl Observer for Recorder {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        let header = header(context.setup);
        let writer = RecordingWriter::create(&self.folder, &header)?;
        let period = 1.0 / context.setup.scene.spec.record.rate;
        self.open = Some((writer, Sampler::new(&header, period, context.time())));
        self.step(context)
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if let Some((writer, sampler)) = &mut self.open {
            let frame = context.frame().clone();
            sampler.push(frame, |sample| writer.push(sample))?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        if let Some((mut writer, mut sampler)) = self.open.take() {
            sampler.finish(|frame| writer.push(frame))?;
            writer.finish()?;
        }
        Ok(())
    }
}
