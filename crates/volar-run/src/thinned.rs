//! An observer that keeps as many frames as a report can show.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::path::Path;

use volar_record::{Frame, RecordError, Recording};

use crate::observer::{Context, Observed, Observer};
use crate::sampler::Sampler;

/// Frames at the rate of the scene's recording and at the end of every step, so
/// that impacts are not missed, thinned out evenly however long the run is.
///
/// ```
/// use volar_run::{Options, ThinnedFrames, execute};
/// # use std::sync::Arc;
/// # use volar_scene::Scene;
/// # let text = "name = \"drop\"\nduration = 0.5\n\
/// #             [[body]]\nname = \"ball\"\nmass = 0.1\nshape = { sphere = { radius = 0.03 } }\n";
/// # let setup = Arc::new(Scene::parse("drop", text)?.compile()?);
///
/// let mut frames = ThinnedFrames::new(20);
/// execute(&setup, &Options::default(), &mut [&mut frames])?;
/// assert!(frames.frames().len() <= 20);
/// assert_eq!(frames.frames()[0].time, 0.0); // s
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ThinnedFrames {
    max: usize,
    sampler: Option<Sampler>,
    frames: Vec<Frame>,
    seen: usize,
    /// Every so many frames one is kept.
    every: usize,
}

impl ThinnedFrames {
    /// Keeps no more than so many frames.
    pub fn new(max: usize) -> ThinnedFrames {
        ThinnedFrames {
            max,
            sampler: None,
            frames: Vec::new(),
            seen: 0,
            every: 1,
        }
    }

    /// Also shows the recording in a folder, as far as it goes: that of the run which is
    /// resumed.
    pub fn show(&mut self, folder: &Path, until: f64) -> Result<(), RecordError> {
        Recording::for_each(folder, &mut |_, frame| {
            if frame.time > until {
                return ControlFlow::Break(());
            }
            self.push(&frame);
            ControlFlow::Continue(())
        })
    }

    /// The frames kept.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    fn push(&mut self, frame: &Frame) {
        let last = self.frames.last();
        if last.is_some_and(|last| frame.time <= last.time) {
            return;
        }
        if self.seen.is_multiple_of(self.every) {
            self.frames.push(frame.clone());
        }
        self.seen += 1;
        if self.frames.len() > self.max {
            let mut even = false;
            self.frames.retain(|_| {
                even = !even;
                even
            });
            self.every *= 2;
        }
    }
}

impl Observer for ThinnedFrames {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        let period = 1.0 / context.setup.scene.spec.record.rate;
        self.sampler = Some(Sampler::new(period, context.time()));
        self.step(context)
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        let end_of_step = context.frame();
        if let Some(mut sampler) = self.sampler.take() {
            let Ok(()) = sampler.push(end_of_step.clone(), |sample| {
                self.push(sample);
                Ok::<(), Infallible>(())
            });
            self.sampler = Some(sampler);
        }
        self.push(end_of_step);
        Ok(ControlFlow::Continue(()))
    }
}
