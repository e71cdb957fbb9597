//! A simulation with the schedule of its scene.
//!
//! Coordinates and velocities are in arrays that numpy owns. Users get read-only
//! views of them, which follow the simulation and outlive it.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use volar::run::{
    Applied, Context, Ended, Execution, MemoryRecorder, Observed, Observer, Options, Run, Stop,
};
use volar::sim::SimError;
use volar_view::PatchFinder;

use crate::arrays::{numbers, pose_numbers, table};
use crate::contacts::{Patches, contact_numbers, contact_table, patch};
use crate::errors::{Class, Fault};
use crate::guard::{Watch, detached};
use crate::outcome::Outcome;
use crate::scene::Setup;

/// A simulation.
#[pyclass(frozen, subclass, module = "volar._volar")]
pub struct Simulation {
    inner: Mutex<Inner>,
    q: Live,
    v: Live,
}

/// What a lock gives access to.
pub struct Inner {
    pub execution: Execution,
    /// Where frames are kept; nothing is measured without.
    recorder: Option<MemoryRecorder>,
    /// What users have put on top of the scene's drives and loads.
    pub applied: Applied,
    patches: Option<PatchFinder>,
}

impl Inner {
    pub fn run(&self) -> &Run {
        self.execution.run()
    }

    pub fn run_mut(&mut self) -> &mut Run {
        self.execution.run_mut()
    }

    /// The parts that say where the simulation is.
    fn copy(&self) -> Inner {
        Inner {
            execution: self.execution.clone(),
            recorder: self.recorder.clone(),
            applied: self.applied.clone(),
            patches: None,
        }
    }
}

/// Numbers that follow the simulation.
struct Live {
    store: Py<PyArray1<f64>>,
    /// What users get.
    view: Py<PyAny>,
}

impl Live {
    fn new(py: Python<'_>, numbers: &[f64]) -> PyResult<Live> {
        let store = PyArray1::from_slice(py, numbers);
        let view = store.call_method0(intern!(py, "view"))?;
        let flags = view.getattr(intern!(py, "flags"))?;
        flags.setattr(intern!(py, "writeable"), false)?;
        Ok(Live {
            store: store.unbind(),
            view: view.unbind(),
        })
    }

    fn follow(&self, py: Python<'_>, numbers: &[f64]) -> PyResult<()> {
        let mut store = self.store.bind(py).try_readwrite()?;
        store.as_slice_mut()?.copy_from_slice(numbers);
        Ok(())
    }
}

impl Simulation {
    /// A simulation that goes on from where an execution is.
    pub fn of(py: Python<'_>, execution: Execution, record: bool) -> PyResult<Simulation> {
        Simulation::with_inner(
            py,
            Inner {
                execution,
                recorder: record.then(MemoryRecorder::default),
                applied: Applied::default(),
                patches: None,
            },
        )
    }

    fn with_inner(py: Python<'_>, inner: Inner) -> PyResult<Simulation> {
        let state = inner.run().simulation().state();
        Ok(Simulation {
            q: Live::new(py, &state.q)?,
            v: Live::new(py, &state.v)?,
            inner: Mutex::new(inner),
        })
    }

    pub fn lock(&self) -> Result<MutexGuard<'_, Inner>, Fault> {
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            // What a panic left behind is still a state of the simulation.
            Err(TryLockError::Poisoned(inner)) => Ok(inner.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Fault::new(
                Class::Simulation,
                "the simulation is in use by another thread; give each thread its own, with clone()",
            )),
        }
    }

    /// Changes the simulation, without the interpreter, and what users see of it.
    pub fn with<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Inner) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        let mut guard = self.lock()?;
        let inner = &mut *guard;
        let done = detached(py, || change(&mut *inner));
        // Also after an error: the state is that of the last good step.
        let state = guard.run().simulation().state();
        self.q.follow(py, &state.q)?;
        self.v.follow(py, &state.v)?;
        done
    }

    /// The same for changes that leave coordinates and velocities as they are.
    pub fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Inner) -> Result<(), Fault> + Send,
    ) -> PyResult<()> {
        let mut guard = self.lock()?;
        let inner = &mut *guard;
        detached(py, || change(inner))
    }

    fn go(
        &self,
        py: Python<'_>,
        end: impl FnOnce(f64) -> f64,
        mut also: Option<&mut (dyn Observer + Send)>,
    ) -> PyResult<()> {
        let now = self.lock()?.run().time();
        let end = end(now);
        if end.is_nan() || end < now {
            let error = SimError::BackInTime { from: now, to: end };
            return Err(Fault::from(error).into());
        }
        let mut watch = Watch::new(None);
        self.with(py, |inner| {
            let mut observers: Vec<&mut dyn Observer> = vec![&mut watch];
            if let Some(also) = &mut also {
                observers.push(&mut **also);
            }
            let ended = match &mut inner.recorder {
                Some(recorder) => {
                    observers.push(recorder);
                    inner.execution.advance_with(end, &mut observers)
                }
                None => inner.execution.run_mut().advance_with(end, &mut observers),
            };
            match ended {
                Ended::Failed(error) => Err(error.into()),
                Ended::Complete | Ended::Stopped(_) => Ok(()),
            }
        })?;
        watch.raised.map_or(Ok(()), Err)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (setup, threads=1, record=false))]
    fn new(py: Python<'_>, setup: &Setup, threads: usize, record: bool) -> PyResult<Simulation> {
        let options = Options {
            threads,
            resume: None,
        };
        let setup = &setup.inner;
        let execution = detached(py, || Ok(Execution::new(setup, &options)?))?;
        Simulation::of(py, execution, record)
    }

    /// Goes on by a duration, s; its end is hit exactly.
    fn advance(&self, py: Python<'_>, duration: f64) -> PyResult<()> {
        if !duration.is_finite() {
            return Err(PyValueError::new_err("the duration must be finite, s"));
        }
        self.go(py, |now| now + duration, None)
    }

    /// Goes on to a time, s, which is hit exactly.
    fn advance_to(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        if !time.is_finite() {
            return Err(PyValueError::new_err("the time must be finite, s"));
        }
        self.go(py, |_| time, None)
    }

    /// Takes one step of the integrator; its length, s.
    fn step(&self, py: Python<'_>) -> PyResult<f64> {
        struct Once {
            began: bool,
            step: f64,
        }
        impl Observer for Once {
            fn step(&mut self, context: &mut Context<'_>) -> Observed {
                use std::ops::ControlFlow::{Break, Continue};
                self.step = context.step;
                let began = std::mem::replace(&mut self.began, true);
                Ok(if began {
                    Break(Stop::Done)
                } else {
                    Continue(())
                })
            }
        }
        let mut once = Once {
            began: false,
            step: 0.0,
        };
        self.go(py, |_| f64::INFINITY, Some(&mut once))?;
        Ok(once.step)
    }

    /// Back to the start of the scene, drives and loads too.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |inner| {
            let options = Options {
                threads: inner.run().simulation().threads(),
                resume: None,
            };
            inner.execution = Execution::new(inner.run().setup(), &options)?;
            inner.recorder = inner.recorder.take().map(|_| MemoryRecorder::default());
            inner.applied = Applied::default();
            Ok(())
        })
    }

    /// Another one in the same state, with drives and loads as they are.
    fn fork(&self, py: Python<'_>) -> PyResult<Simulation> {
        let copy = self.lock()?.copy();
        Simulation::with_inner(py, copy)
    }

    fn checkpoint(&self) -> PyResult<Checkpoint> {
        let inner = Mutex::new(self.lock()?.copy());
        Ok(Checkpoint { inner })
    }

    /// Goes back to a checkpoint of a simulation of the same scene.
    fn restore(&self, py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<()> {
        let saved = checkpoint.copy();
        self.with(py, |inner| {
            let names = |run: &Run| {
                let model = &run.setup().model;
                let names = model.bodies().map(|body| model.name(body).to_owned());
                names.collect::<Vec<_>>()
            };
            if names(saved.run()) != names(inner.run()) {
                let what = "it has other bodies".into();
                return Err(SimError::Checkpoint { what }.into());
            }
            *inner = saved;
            Ok(())
        })
    }

    /// Simulated time, s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.lock()?.run().time())
    }

    /// Coordinates: a read-only view that follows the simulation.
    #[getter]
    fn q(&self, py: Python<'_>) -> Py<PyAny> {
        self.q.view.clone_ref(py)
    }

    /// Velocities: a read-only view that follows the simulation.
    #[getter]
    fn v(&self, py: Python<'_>) -> Py<PyAny> {
        self.v.view.clone_ref(py)
    }

    /// Sets coordinates and velocities; contacts begin anew when coordinates do.
    #[pyo3(signature = (q=None, v=None))]
    fn set_state(
        &self,
        py: Python<'_>,
        q: Option<PyReadonlyArray1<'_, f64>>,
        v: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let (q, v) = (q.as_ref().map(numbers), v.as_ref().map(numbers));
        self.with(py, |inner| {
            let mut state = inner.run().simulation().state().clone();
            if let Some(q) = q {
                state.q = q;
                state.patches.clear();
            }
            if let Some(v) = v {
                state.v = v;
            }
            Ok(inner.run_mut().simulation_mut().set_state(state)?)
        })
    }

    /// Poses of all bodies in the world: position, then quaternion wxyz.
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock()?;
        let simulation = inner.run().simulation();
        let bodies = simulation.model().bodies();
        let poses = bodies.flat_map(|body| pose_numbers(&simulation.pose(body)));
        table(py, poses.collect(), 7)
    }

    /// Velocities of all bodies: of the origin, then angular; world axes.
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock()?;
        let simulation = inner.run().simulation();
        let bodies = simulation.model().bodies();
        let velocities = bodies.flat_map(|body| {
            let velocity = simulation.velocity(body);
            let (linear, angular) = (velocity.linear, velocity.angular);
            linear.to_array().into_iter().chain(angular.to_array())
        });
        table(py, velocities.collect(), 6)
    }

    /// Wrenches of contacts and loads on all bodies about their origins: force,
    /// then torque; world axes.
    fn wrenches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock()?;
        let simulation = inner.run().simulation();
        let bodies = simulation.model().bodies();
        let wrenches = bodies.flat_map(|body| {
            let wrench = simulation.wrench_on(body);
            let (force, torque) = (wrench.force, wrench.torque);
            force.to_array().into_iter().chain(torque.to_array())
        });
        table(py, wrenches.collect(), 6)
    }

    /// Efforts of the joints with one degree of freedom.
    fn joint_efforts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let inner = self.lock()?;
        let simulation = inner.run().simulation();
        let joints = inner.run().setup().joints.iter();
        let efforts = joints.map(|joint| simulation.joint_effort(joint.joint).unwrap_or(0.0));
        Ok(PyArray1::from_vec(py, efforts.collect()))
    }

    /// The contacts, a row each; see `contact_fields`.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let contacts = self.lock()?.run().simulation().contacts();
        let mut numbers = Vec::new();
        contact_numbers(&contacts, &mut numbers);
        contact_table(py, numbers)
    }

    /// Where two bodies overlap, in the frame of the first: corners of triangles
    /// (n, 9) and pressure (n,), for the surface of the first and of the second.
    fn patch<'py>(&self, py: Python<'py>, a: usize, b: usize) -> PyResult<Option<Patches<'py>>> {
        let patch = self.with(py, |inner| {
            Ok(patch(inner.execution.run(), &mut inner.patches, a, b))
        })?;
        let Some(surfaces) = patch else {
            return Ok(None);
        };
        let arrays = surfaces.map(|(corners, pressure)| -> PyResult<_> {
            Ok((table(py, corners, 9)?, PyArray1::from_vec(py, pressure)))
        });
        let [a, b] = arrays;
        Ok(Some([a?, b?]))
    }

    /// Energies, J, by name.
    fn energies(&self) -> PyResult<Vec<(&'static str, f64)>> {
        let energies = self.lock()?.run().simulation().energies();
        let balance = energies.balance;
        Ok(vec![
            ("kinetic", energies.kinetic),
            ("potential", energies.potential),
            ("contact", balance.contact + energies.bristles),
            ("joints", energies.joints),
            ("put_in", balance.put_in()),
            ("lost", energies.lost()),
        ])
    }

    /// What was noticed so far, as sentences.
    fn warnings(&self) -> PyResult<Vec<String>> {
        let inner = self.lock()?;
        let warnings = inner.run().simulation().warnings().iter();
        Ok(warnings.map(ToString::to_string).collect())
    }

    /// What there is to say of the run so far, as `execute` does at its end.
    fn outcome(&self, py: Python<'_>) -> PyResult<Outcome> {
        let copy = self.lock()?.copy();
        let Some(recorder) = copy.recorder else {
            let what = "nothing was recorded; simulate with record=True to have a result";
            return Err(Fault::new(Class::Simulation, what).into());
        };
        detached(py, || {
            let setup = copy.execution.run().setup().clone();
            let over = copy.execution.run().time() >= setup.scene.spec.duration;
            let ended = match over {
                true => Ended::Complete,
                false => Ended::Stopped(Stop::Done),
            };
            let done = copy.execution.finish(ended)?;
            let outcome = Outcome::new(setup, done, recorder);
            Ok(match over {
                true => outcome,
                false => outcome.named("unfinished"),
            })
        })
    }

    /// Steps, rejected steps and evaluations so far.
    fn statistics(&self) -> PyResult<(u64, u64, u64)> {
        let statistics = self.lock()?.run().simulation().statistics();
        let (steps, rejected) = (statistics.steps, statistics.rejected);
        Ok((steps, rejected, statistics.evaluations))
    }
}

/// A simulation as it was at one time.
#[pyclass(frozen, module = "volar._volar")]
pub struct Checkpoint {
    /// Only ever copied; the lock lets threads share it.
    inner: Mutex<Inner>,
}

impl Checkpoint {
    fn copy(&self) -> Inner {
        let inner = self.inner.lock();
        inner.unwrap_or_else(PoisonError::into_inner).copy()
    }
}

#[pymethods]
impl Checkpoint {
    /// Simulated time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.copy().run().time()
    }
}
