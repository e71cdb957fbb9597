//! Actuators as plain data: forces affine in control, coordinate and rate.

/// What drives a joint or a tendon:
/// `force = gain · control + bias₀ + bias₁ · gear s + bias₂ · gear ṡ`, kept in
/// `force_range`; the effort is `gear · force`.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name; made up from the joint's where the file gives none.
    pub name: String,
    /// What it acts on.
    pub drives: Drives,
    /// Ratio from joint to actuator.
    pub gear: f64,
    /// How control becomes force.
    pub law: ActuatorLaw,
    /// Least and greatest control.
    pub control_range: Option<[f64; 2]>,
    /// Least and greatest force, before the gear.
    pub force_range: Option<[f64; 2]>,
}

/// What an actuator acts on; its s is the coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drives {
    /// The joint of a link.
    Joint(usize),
    /// The sum of a coupling, by its number.
    Coupling(usize),
}

/// An affine law; see [`Actuator`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActuatorLaw {
    /// Force per control.
    pub gain: f64,
    /// Constant force, force per length, force per speed.
    pub bias: [f64; 3],
}

/// What an [`ActuatorLaw`] amounts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActuatorKind {
    /// The control is the effort, but for a gain.
    Motor,
    /// The control is a position target: `kp (control − s) − kd ṡ`.
    Position {
        /// Gain on the position.
        kp: f64,
        /// Gain on the velocity.
        kd: f64,
    },
    /// The control is a velocity target: `kd (control − ṡ)`.
    Velocity {
        /// Effort per difference of velocity.
        kd: f64,
    },
    /// Anything else that is affine.
    Affine,
}

/// An actuator with its control held, as seen at its joint: the effort is
/// `constant − kp s − kd ṡ`, kept in `limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldControl {
    /// Effort at rest at s = 0, N m or N.
    pub constant: f64,
    /// Effort per coordinate.
    pub kp: f64,
    /// Effort per rate.
    pub kd: f64,
    /// Least and greatest effort.
    pub limit: Option<[f64; 2]>,
}

impl ActuatorLaw {
    /// What the law amounts to.
    pub fn kind(&self) -> ActuatorKind {
        let ActuatorLaw {
            gain,
            bias: [constant, length, speed],
        } = *self;
        let is_zero = |x: f64| x.abs() <= 0.0;
        if !is_zero(constant) {
            ActuatorKind::Affine
        } else if is_zero(length) && is_zero(speed) {
            ActuatorKind::Motor
        } else if is_zero(length + gain) && gain > 0.0 && speed <= 0.0 {
            ActuatorKind::Position {
                kp: gain,
                kd: 0.0 - speed,
            }
        } else if is_zero(length) && is_zero(speed + gain) && gain > 0.0 {
            ActuatorKind::Velocity { kd: gain }
        } else {
            ActuatorKind::Affine
        }
    }
}

impl Actuator {
    /// What the actuator is at a control, gear and control range worked in.
    pub fn at_control(&self, control: f64) -> HeldControl {
        let gear = self.gear;
        let control = match self.control_range {
            Some([low, high]) => control.max(low).min(high),
            None => control,
        };
        let [constant, length, speed] = self.law.bias;
        HeldControl {
            constant: gear * (self.law.gain * control + constant),
            kp: 0.0 - gear * gear * length,
            kd: 0.0 - gear * gear * speed,
            limit: self.force_range.map(|[low, high]| match gear >= 0.0 {
                true => [gear * low, gear * high],
                false => [gear * high, gear * low],
            }),
        }
    }

    /// Effort on the joint or along the tendon at a control, a coordinate s
    /// and its rate.
    pub fn effort(&self, control: f64, s: f64, s_rate: f64) -> f64 {
        let held = self.at_control(control);
        let effort = held.constant - held.kp * s - held.kd * s_rate;
        match held.limit {
            Some([low, high]) => effort.max(low).min(high),
            None => effort,
        }
    }
}
