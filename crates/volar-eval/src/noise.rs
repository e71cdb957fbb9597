//! Noise: the same grasp a little off.

use glam::{DMat3, DVec3};
use volar_math::{Pose, real, rotation};
use volar_scene::Offset;
use volar_sweep::normal_draw;

use crate::error::EvalError;

/// Standard deviations of what a trial is off by.
///
/// ```
/// let noise = volar_eval::Noise::parse("position=0.005, angle=5, mass=0.1")?;
/// assert_eq!(noise.position, 0.005); // m
/// # Ok::<(), volar_eval::EvalError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Of the hand's place along each of its axes, m.
    pub position: f64,
    /// Of its rotation about each of its axes, degrees.
    pub angle: f64,
    /// Of the logarithm of the friction: 0.1 is about 10 %.
    pub friction: f64,
    /// Of the logarithm of the object's mass.
    pub mass: f64,
    /// Of the logarithm of the force of the fingers.
    pub force: f64,
}

impl Noise {
    /// Reads `position=0.005,angle=5,friction=0.1,mass=0.1,force=0.1`; what is left out is 0.
    pub fn parse(text: &str) -> Result<Noise, EvalError> {
        let refuse = |part: &str| {
            EvalError::Invalid(format!(
                "noise `{part}`: expected position=M, angle=DEGREES, friction=, mass= or force=SHARE, \
                 none below zero, joined by commas"
            ))
        };
        let mut noise = Noise::default();
        for part in text.split(',').map(str::trim) {
            let (name, value) = part.split_once('=').ok_or_else(|| refuse(part))?;
            let value: f64 = value.trim().parse().map_err(|_| refuse(part))?;
            if !(value >= 0.0 && value.is_finite()) {
                return Err(refuse(part));
            }
            let slot = match name.trim() {
                "position" => &mut noise.position,
                "angle" => &mut noise.angle,
                "friction" => &mut noise.friction,
                "mass" => &mut noise.mass,
                "force" => &mut noise.force,
                _ => return Err(refuse(part)),
            };
            *slot = value;
        }
        Ok(noise)
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Noise::default()
    }

    /// What a trial is off by; it depends on the seed and its number alone.
    pub fn draw(&self, seed: u64, trial: u64) -> Offset {
        let vector = |names: [&str; 3], deviation: f64| {
            DVec3::from_array(names.map(|name| deviation * normal_draw(seed, name, trial)))
        };
        let factor =
            |name: &str, deviation: f64| real::exp(deviation * normal_draw(seed, name, trial));
        let turn = vector(["angle x", "angle y", "angle z"], self.angle.to_radians());
        Offset {
            X_HH: Pose {
                R: DMat3::from_quat(rotation::exp(turn)),
                p: vector(["position x", "position y", "position z"], self.position),
            },
            force: factor("force", self.force),
            friction: factor("friction", self.friction),
            mass: factor("mass", self.mass),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_noise_is_no_offset() {
        assert_eq!(Noise::default().draw(3, 7), Offset::NONE);
    }

    #[test]
    fn draws_have_their_deviations() {
        let noise = Noise::parse("position=0.01,angle=10,mass=0.2").unwrap();
        let n = 4000;
        let draws: Vec<Offset> = (0..n).map(|trial| noise.draw(1, trial)).collect();
        let mean = |value: &dyn Fn(&Offset) -> f64| draws.iter().map(value).sum::<f64>() / n as f64;
        // Standard error of a variance: √(2/n), 2.2 %; four of them.
        let variance = mean(&|offset| offset.X_HH.p.y * offset.X_HH.p.y);
        assert!((variance / 1.0e-4 - 1.0).abs() < 0.09, "{variance}");
        let logarithm = mean(&|offset| offset.mass.ln() * offset.mass.ln());
        assert!((logarithm / 0.04 - 1.0).abs() < 0.09, "{logarithm}");
        assert!(
            draws
                .iter()
                .all(|offset| offset.friction.to_bits() == 1.0_f64.to_bits())
        );
    }

    #[test]
    fn what_is_no_noise_is_refused() {
        for text in ["position", "position=x", "weight=1", "mass=-1", "mass=inf"] {
            assert!(Noise::parse(text).is_err(), "{text}");
        }
    }
}
