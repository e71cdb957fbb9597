//! An observer that keeps as many frames as a report can show.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::path::Path;

use volar_record::{Frame, RecordError, Recording, Thinned};
use volar_scene::Setup;

use crate::frames::header;
use crate::observer::{Context, Ended, Observed, Observer, RunError};
use crate::sampler::Sampler;

/// The frames of the recording, thinned out however long the run is; peaks stay.
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
    /// Frames of the run that is resumed.
    before: Option<Thinned<Frame>>,
    open: Option<(Sampler, Thinned<Frame>)>,
}

impl ThinnedFrames {
    /// Keeps no more than so many frames.
    pub fn new(max: usize) -> ThinnedFrames {
        ThinnedFrames {
            max,
            before: None,
            open: None,
        }
    }

    /// Also shows the recording in a folder, as far as it goes: that of the run which is
    /// resumed.
    pub fn show(&mut self, setup: &Setup, folder: &Path, until: f64) -> Result<(), RecordError> {
        let mut before = Thinned::new(&header(setup), self.max);
        Recording::for_each(folder, &mut |_, frame| {
            if frame.time > until {
                return ControlFlow::Break(());
            }
            before.push(frame.clone(), &frame);
            ControlFlow::Continue(())
        })?;
        self.before = Some(before);
        Ok(())
    }

    /// The frames kept.
    pub fn frames(&self) -> &[Frame] {
        self.open.as_ref().map_or(&[], |(_, kept)| kept.items())
    }
}

impl Observer for ThinnedFrames {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        let header = header(context.setup);
        let period = 1.0 / context.setup.scene.spec.record.rate;
        let sampler = Sampler::new(&header, period, context.time());
        let before = self.before.take();
        let kept = before.unwrap_or_else(|| Thinned::new(&header, self.max));
        self.open = Some((sampler, kept));
        self.step(context)
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        if let Some((sampler, kept)) = &mut self.open {
            let Ok(()) = sampler.push(context.frame().clone(), |frame| {
                kept.push(frame.clone(), frame);
                Ok::<(), Infallible>(())
            });
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        if let Some((sampler, kept)) = &mut self.open {
            let Ok(()) = sampler.finish(|frame| {
                kept.push(frame.clone(), frame);
                Ok::<(), Infallible>(())
            });
        }
        Ok(())
    }
}
