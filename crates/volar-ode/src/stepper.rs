//! One step of either method.
//!
//! Symbols: x₀ and x₁ the states at the ends of a step of length h; the
//! stages, the coefficients and their sources are in `dormand_prince.rs` and
//! `rosenbrock.rs`.
//!
//! A step that leaves the finite numbers is no error here: its norm is
//! infinite, and whoever chooses the steps takes a shorter one. A system is
//! never asked for a rate at a state that is not finite.

use volar_math::real;

use crate::{Method, System, dormand_prince, rosenbrock};

/// One step of either method and its buffers.
#[derive(Clone, Debug)]
pub struct Stepper {
    method: Method,
    /// The rates k_i of the explicit method, the unknowns u_i of the implicit one.
    stages: Vec<Vec<f64>>,
    /// Where a stage asks for the rate.
    argument: Vec<f64>,
    x1: Vec<f64>,
    error: Vec<f64>,
    /// ∂f/∂t at the start of the step, if there is any.
    time_rate: Vec<f64>,
    moves: bool,
    /// Whether the last step tried reached its end in finite numbers.
    complete: bool,
    evaluations: u32,
}

impl Stepper {
    /// A stepper of `method`; buffers are made when the first step says how long.
    pub fn new(method: Method) -> Stepper {
        Stepper {
            method,
            stages: vec![Vec::new(); method.stages()],
            argument: Vec::new(),
            x1: Vec::new(),
            error: Vec::new(),
            time_rate: Vec::new(),
            moves: false,
            complete: false,
            evaluations: 0,
        }
    }

    /// Tries one step of length `h` from (t, x0), where `rate0` = f(t, x0).
    ///
    /// Fills [`Stepper::x1`] and returns the error norm: at most 1 if the step
    /// is good enough, infinite if a number on the way was not finite.
    ///
    /// `fresh` says that (t, x0) is a new point, so that the implicit method
    /// linearises there; false on a retry with another `h`. A negative `h`
    /// goes back in time.
    ///
    /// # Panics
    ///
    /// If `x0` or `rate0` is not as long as the system's dimension.
    pub fn try_step<S: System>(
        &mut self,
        system: &mut S,
        t: f64,
        x0: &[f64],
        rate0: &[f64],
        h: f64,
        fresh: bool,
    ) -> Result<f64, S::Error> {
        self.prepare(system.dim(), x0, rate0);
        let complete = match self.method {
            Method::Rk45 => self.explicit_step(system, t, x0, rate0, h)?,
            Method::Implicit => self.implicit_step(system, t, x0, rate0, h, fresh)?,
        };
        self.complete = complete && is_finite(&self.x1) && is_finite(&self.error);
        if !self.complete {
            return Ok(f64::INFINITY);
        }
        let norm = system.error_norm(x0, &self.x1, &self.error);
        Ok(if norm.is_finite() {
            norm
        } else {
            f64::INFINITY
        })
    }

    /// The state at the end of the last step tried; of no use if its norm was
    /// infinite.
    pub fn x1(&self) -> &[f64] {
        &self.x1
    }

    /// The same, for systems that live on a manifold to be put back on it.
    pub fn x1_mut(&mut self) -> &mut [f64] {
        &mut self.x1
    }

    /// The estimate of the error of [`Stepper::x1`], component by component.
    pub fn error(&self) -> &[f64] {
        &self.error
    }

    /// The rate at the end of the step, if the method evaluated it there:
    /// Dormand and Prince's last stage is the first of the next step.
    pub fn rate1(&self) -> Option<&[f64]> {
        match self.method {
            Method::Rk45 if self.complete => self.stages.last().map(Vec::as_slice),
            _ => None,
        }
    }

    /// How many rates the last [`Stepper::try_step`] or
    /// [`Stepper::initial_step`] asked for: [`Method::evaluations`] for a
    /// whole step, fewer if it was given up on the way.
    pub fn evaluations(&self) -> u32 {
        self.evaluations
    }

    /// A length for the first step from (t, x0), where `rate0` = f(t, x0): of
    /// the sign of `span` and no longer.
    ///
    /// One explicit Euler step probes how fast the rate changes [HNW §II.4,
    /// p. 169]. For the implicit method the rate is then asked again at the
    /// start, as [`System::linearise`] is promised to follow it there.
    pub fn initial_step<S: System>(
        &mut self,
        system: &mut S,
        t: f64,
        x0: &[f64],
        rate0: &[f64],
        span: f64,
    ) -> Result<f64, S::Error> {
        self.prepare(system.dim(), x0, rate0);
        self.complete = false;
        let longest = span.abs();
        // A first guess: x changes by a hundredth of itself.
        let size = system.error_norm(x0, x0, x0);
        let speed = system.error_norm(x0, x0, rate0);
        let guess = if size > 1e-5 && speed > 1e-5 {
            (0.01 * size / speed).min(longest)
        } else {
            1e-6 * longest
        };
        let probe = guess.copysign(span);
        for i in 0..x0.len() {
            self.argument[i] = x0[i] + probe * rate0[i];
        }
        if !is_finite(&self.argument) {
            return Ok(probe);
        }
        let [stage, rest, ..] = &mut self.stages[..] else {
            return Ok(probe);
        };
        self.evaluations += 1;
        system.rate(t + probe, &self.argument, stage)?;
        for i in 0..x0.len() {
            self.error[i] = (stage[i] - rate0[i]) / guess;
        }
        if self.method == Method::Implicit {
            self.evaluations += 1;
            system.rate(t, x0, rest)?;
        }
        if !is_finite(&self.error) {
            return Ok(probe);
        }
        // The length at which the error of the method would be a hundredth of
        // the tolerance, were all derivatives like the first two.
        let largest = speed.max(system.error_norm(x0, x0, &self.error));
        let length = if largest <= 1e-15 {
            1e-3 * longest
        } else {
            real::pow(0.01 / largest, 1.0 / f64::from(self.method.error_power()))
        };
        Ok(length.min(100.0 * guess).min(longest).copysign(span))
    }

    /// Makes every buffer as long as the system; allocates only while growing.
    fn prepare(&mut self, dim: usize, x0: &[f64], rate0: &[f64]) {
        assert_eq!(x0.len(), dim, "length of the state");
        assert_eq!(rate0.len(), dim, "length of the rate");
        self.evaluations = 0;
        for buffer in &mut self.stages {
            buffer.resize(dim, 0.0);
        }
        let others = [&mut self.argument, &mut self.x1, &mut self.error];
        for buffer in others.into_iter().chain([&mut self.time_rate]) {
            buffer.resize(dim, 0.0);
        }
    }

    /// Stages, end and error of a step of Dormand and Prince; false if a
    /// stage was not finite and the rest was left out.
    fn explicit_step<S: System>(
        &mut self,
        system: &mut S,
        t: f64,
        x0: &[f64],
        rate0: &[f64],
        h: f64,
    ) -> Result<bool, S::Error> {
        use dormand_prince::{A, C, E, STAGES};
        self.stages[0].copy_from_slice(rate0);
        for i in 1..STAGES {
            for n in 0..x0.len() {
                self.argument[n] = x0[n] + h * weigh(&A[i], &self.stages[..i], n);
            }
            if !is_finite(&self.argument) {
                return Ok(false);
            }
            self.evaluations += 1;
            system.rate(t + C[i] * h, &self.argument, &mut self.stages[i])?;
        }
        // The last stage was asked at the end of the step itself.
        self.x1.copy_from_slice(&self.argument);
        for n in 0..x0.len() {
            self.error[n] = h * weigh(&E, &self.stages, n);
        }
        Ok(true)
    }

    /// Stages, end and error of a step of ROS34PW2; false as above.
    fn implicit_step<S: System>(
        &mut self,
        system: &mut S,
        t: f64,
        x0: &[f64],
        rate0: &[f64],
        h: f64,
        fresh: bool,
    ) -> Result<bool, S::Error> {
        use rosenbrock::{A, E, GAMMA, GAMMA_C, M, ROW_GAMMA, STAGES, TIMES};
        if fresh {
            system.linearise(t, x0)?;
            self.moves = system.time_rate(t, x0, rate0, &mut self.time_rate)?;
        }
        system.factor(GAMMA * h)?;
        for i in 0..STAGES {
            let (before, rest) = self.stages.split_at_mut(i);
            let stage = &mut rest[0];
            if i == 0 {
                stage.copy_from_slice(rate0);
            } else {
                for n in 0..x0.len() {
                    self.argument[n] = x0[n] + weigh(&A[i], before, n);
                }
                if !is_finite(&self.argument) {
                    return Ok(false);
                }
                self.evaluations += 1;
                system.rate(t + TIMES[i] * h, &self.argument, stage)?;
            }
            for n in 0..x0.len() {
                stage[n] = GAMMA * h * stage[n] + weigh(&GAMMA_C[i], before, n);
            }
            if self.moves {
                for n in 0..x0.len() {
                    stage[n] += GAMMA * ROW_GAMMA[i] * h * h * self.time_rate[n];
                }
            }
            system.solve(stage);
        }
        for n in 0..x0.len() {
            self.x1[n] = x0[n] + weigh(&M, &self.stages, n);
            self.error[n] = weigh(&E, &self.stages, n);
        }
        Ok(true)
    }
}

/// The weighted sum of component `n` of the stages.
///
/// Summed before the state is added, so that small increments are not rounded
/// to the state's last digit one by one.
fn weigh(weights: &[f64], stages: &[Vec<f64>], n: usize) -> f64 {
    weights
        .iter()
        .zip(stages)
        .map(|(weight, stage)| weight * stage[n])
        .sum()
}

/// Whether all of them are numbers.
fn is_finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}
