//! An observer that records a run in memory.

use std::convert::Infallible;
use std::ops::ControlFlow;

use volar_record::Frame;

use crate::frames::header;
use crate::observer::{Context, Ended, Observed, Observer, RunError};
use crate::sampler::Sampler;

/// Keeps the frames that a [`Recorder`](crate::Recorder) would write. A run of an hour has at least 360 000 of them at the usual rate.
///
/// ```
/// use volar_run::{MemoryRecorder, Options, execute};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut recorder = MemoryRecorder::default();
/// execute(&setup, &Options::default(), &mut [&mut recorder])?;
/// let frames = recorder.into_frames();
/// assert_eq!(frames.len(), 51); // 0.5 s at 100 Hz
/// assert!(frames[50].bodies[0].position.z < frames[0].bodies[0].position.z); // it fell
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryRecorder {
    sampler: Option<Sampler>,
    frames: Vec<Frame>,
}

impl MemoryRecorder {
    /// The frames so far.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The frames, without copying them.
    pub fn into_frames(self) -> Vec<Frame> {
        self.frames
    }
}

impl Observer for MemoryRecorder {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        // A run that goes on keeps its times.
        if self.sampler.is_none() {
            let period = 1.0 / context.setup.scene.spec.record.rate;
            let header = header(context.setup);
            self.sampler = Some(Sampler::new(&header, period, context.time()));
        }
        self.step(context)
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if let Some(sampler) = &mut self.sampler {
            let Ok(()) = sampler.push(context.frame().clone(), |sample| {
                self.frames.push(sample.clone());
                Ok::<(), Infallible>(())
            });
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        if let Some(sampler) = &mut self.sampler {
            let Ok(()) = sampler.finish(|frame| {
                self.frames.push(frame.clone());
                Ok::<(), Infallible>(())
            });
        }
        Ok(())
    }
}
