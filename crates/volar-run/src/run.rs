//! A scene on its way through time, with its events.

use volar_scene::Setup;
use volar_sim::{Checkpoint, Controls, SimError, Simulation};

/// A simulation with the schedule of its scene.
#[derive(Clone, Debug)]
pub struct Run {
    simulation: Simulation,
    setup: std::sync::Arc<Setup>,
    /// Events up to here have been applied.
    done: usize,
    /// Times that are hit exactly, because something is measured there.
    stops: Vec<f64>,
}

impl Run {
    /// A run from the start of the scene.
    pub fn new(setup: std::sync::Arc<Setup>, threads: usize) -> Result<Run, SimError> {
        let mut simulation = setup.simulation();
        simulation.set_threads(threads)?;
        let mut run = Run {
            simulation,
            stops: stops(&setup),
            setup,
            done: 0,
        };
        run.apply_events();
        Ok(run)
    }

    /// Goes on from a checkpoint of the same scene.
    pub fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), SimError> {
        // Events change the controls, which a checkpoint does not hold.
        let due = self.due(checkpoint.time());
        for event in &self.setup.events[self.done..due] {
            event.apply(self.simulation.controls_mut());
        }
        self.done = due;
        self.simulation.restore(checkpoint)
    }

    /// Takes one step towards a time, no farther than the next event.
    pub fn step(&mut self, end: f64) -> Result<(), SimError> {
        let now = self.simulation.time();
        let next_event = self.setup.events.get(self.done).map(|event| event.at);
        let stops = self.stops.iter().copied().chain(next_event);
        let stop = stops.filter(|t| *t > now).fold(end, f64::min);
        self.simulation.step_towards(stop)?;
        self.apply_events();
        Ok(())
    }

    /// Goes on to a time.
    pub fn advance(&mut self, end: f64) -> Result<(), SimError> {
        while self.simulation.time() < end {
            self.step(end)?;
        }
        Ok(())
    }

    /// The simulation.
    pub fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// What acts at present.
    pub fn controls(&self) -> &Controls {
        self.simulation.controls()
    }

    /// The scene.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Present time, s.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    fn due(&self, time: f64) -> usize {
        self.setup.events.partition_point(|event| event.at <= time)
    }

    fn apply_events(&mut self) {
        let due = self.due(self.simulation.time());
        if due > self.done {
            let controls = self.simulation.controls_mut();
            for event in &self.setup.events[self.done..due] {
                event.apply(controls);
            }
            self.done = due;
        }
    }
}

/// Times at which the measures of a grasp begin and end.
fn stops(setup: &Setup) -> Vec<f64> {
    let Some(grasp) = &setup.grasp else {
        return Vec::new();
    };
    let section = &grasp.section;
    let until = section.until.unwrap_or(setup.scene.spec.duration);
    let mut stops = vec![1.0, section.from, section.held_since, until - 1.0, until];
    stops.extend(section.kinetic_energy_from);
    stops
}
