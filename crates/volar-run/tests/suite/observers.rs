//! The run loop and its observers.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::{scene, trial};
use volar_record::{Frame, Recording};
use volar_run::{
    Context, Ended, Observed, Observer, Options, Recorder, Run, RunError, Stop, ThinnedFrames,
    execute,
};
use volar_scene::Setup;
use volar_sim::Checkpoint;

/// Writes down what it is told.
#[derive(Default)]
struct Log {
    told: Vec<&'static str>,
    times: Vec<f64>,
    /// Times it asks for, s.
    wanted: Vec<f64>,
}

impl Observer for Log {
    fn start(&mut self, context: &mut Context<'_>) -> Observed {
        assert_eq!(context.step.to_bits(), 0);
        self.told.push("start");
        self.times.push(context.time());
        Ok(ControlFlow::Continue(()))
    }

    fn step(&mut self, context: &mut Context<'_>) -> Observed {
        let before = self.times.last().unwrap();
        let step = context.time() - before;
        assert_eq!(context.step.to_bits(), step.to_bits());
        let time = context.time();
        assert_eq!(context.frame().time.to_bits(), time.to_bits());
        self.told.push("step");
        self.times.push(context.time());
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: &mut Context<'_>, _: &Ended) -> Result<(), RunError> {
        self.told.push("finish");
        Ok(())
    }

    fn next_time(&self) -> Option<f64> {
        let now = *self.times.last()?;
        self.wanted.iter().copied().find(|t| *t > now)
    }
}

fn short() -> Arc<Setup> {
    scene("g2p-cube", &["duration=0.3".into()])
}

fn last_state(setup: &Arc<Setup>, observers: &mut [&mut dyn Observer]) -> Checkpoint {
    let outcome = execute(setup, &Options::default(), observers).unwrap();
    assert!(matches!(outcome.ended, Ended::Complete));
    outcome.run.simulation().checkpoint()
}

#[test]
fn observers_are_told_of_start_steps_and_end_and_change_no_bit() {
    let setup = short();
    let alone = last_state(&setup, &mut []);
    let folder = tempfile::tempdir().unwrap();
    let (mut log, mut kept) = (Log::default(), ThinnedFrames::new(50));
    let mut recorder = Recorder::new(folder.path());
    let observed = last_state(&setup, &mut [&mut log, &mut recorder, &mut kept]);
    assert_eq!(alone, observed);
    let steps = log.told.iter().filter(|what| **what == "step").count();
    assert_eq!(log.told.first(), Some(&"start"));
    assert_eq!(log.told.last(), Some(&"finish"));
    assert_eq!(log.told.len(), steps + 2);
    assert!(steps > 10, "{steps}");
    let recording = Recording::open(folder.path()).unwrap();
    let samples = (0..=30).map(|k| f64::from(k) * 0.01);
    for time in samples {
        let near = |frame: &Frame| (frame.time - time).abs() < 1.0e-9;
        assert!(recording.frames.iter().any(near), "100 Hz: {time} s");
    }
    assert!(recording.frames.len() > 31, "and the impact");
    assert!((25..=50).contains(&kept.frames().len()));
    assert!(kept.frames().is_sorted_by(|a, b| a.time < b.time));
}

#[test]
fn times_that_an_observer_asks_for_are_hit() {
    let mut log = Log {
        wanted: vec![0.0512, 0.1234, 0.2001],
        ..Log::default()
    };
    last_state(&short(), &mut [&mut log]);
    for time in &log.wanted {
        assert!(log.times.contains(time), "{time}");
    }
}

#[test]
fn a_limit_stops_a_run_and_it_resumes_to_the_bit() {
    let setup = short();
    let whole = last_state(&setup, &mut []);
    let mut limit = |context: &mut Context<'_>| -> Observed {
        Ok(match context.simulation.statistics().steps >= 20 {
            true => ControlFlow::Break(Stop::Limit("20 steps".into())),
            false => ControlFlow::Continue(()),
        })
    };
    let mut after = Log::default();
    let stopped = execute(&setup, &Options::default(), &mut [&mut limit, &mut after]).unwrap();
    assert!(matches!(stopped.ended, Ended::Stopped(Stop::Limit(_))));
    let failure = stopped.summary.failure.unwrap();
    assert_eq!(failure.what, "stopped at the limit of 20 steps");
    assert_eq!(stopped.summary.steps, 20);
    assert_eq!(after.times.len(), 21, "others see the last step too");
    let options = Options {
        resume: Some(stopped.saved),
        ..Options::default()
    };
    let resumed = execute(&setup, &options, &mut []).unwrap();
    assert_eq!(resumed.run.simulation().checkpoint(), whole);
    assert_eq!(resumed.summary.failure, None);
}

#[test]
fn a_checkpoint_of_another_scene_is_refused() {
    let saved = trial(&short(), |_| {}).saved;
    let options = Options {
        resume: Some(saved),
        ..Options::default()
    };
    let refused = execute(&scene("g2p-sphere", &[]), &options, &mut []).unwrap_err();
    assert!(matches!(refused, RunError::OtherScene { .. }), "{refused}");
}

#[test]
fn an_observer_that_fails_ends_the_run_and_recordings_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::new(folder.path());
    let mut log = Log::default();
    let mut fails = |context: &mut Context<'_>| -> Observed {
        match context.time() > 0.1 {
            true => Err(RunError::Observer("the disk is full".into())),
            false => Ok(ControlFlow::Continue(())),
        }
    };
    let mut run = Run::new(short(), 1).unwrap();
    let ended = run.advance_with(0.3, &mut [&mut recorder, &mut log, &mut fails]);
    let Ended::Failed(RunError::Observer(error)) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(error.to_string(), "the disk is full");
    assert_eq!(log.told.last(), Some(&"finish"));
    let recording = Recording::open(folder.path()).unwrap();
    assert!(recording.frames.last().unwrap().time >= 0.1);
}

#[test]
fn one_setup_runs_on_several_threads_at_once() {
    let setup = short();
    let alone = last_state(&setup, &mut []);
    std::thread::scope(|scope| {
        let start = || scope.spawn(|| last_state(&setup, &mut []));
        let runs: Vec<_> = (0..3).map(|_| start()).collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), alone);
        }
    });
}
