//! The paper's friction: `f = μN tanh(γ|u|) + β|u|` against u. It creeps.

use glam::DMat3;

use super::{FrictionModel, PatchFriction, Sliding, add_viscous, move_patch, slide_wrench};
use crate::memory::Memory;
use volar_math::{Matrix6, outer, real};

/// The paper's regularised Coulomb law.
///
/// ```
/// use volar_contact::{ContactLaw, Friction, Tanh};
///
/// // Flatter than the default: more creep, longer steps.
/// let law = ContactLaw { friction: Friction::Tanh(Tanh { slope: 100.0 }), ..ContactLaw::paper() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tanh {
    /// γ, s/m: how steeply friction rises with the slip speed.
    pub slope: f64,
}

impl Default for Tanh {
    /// γ = 1000 s/m: the paper's 1, read as 1 s/mm (`docs/paper-law.md`).
    fn default() -> Tanh {
        Tanh { slope: 1000.0 }
    }
}

/// It remembers nothing.
impl Memory for Tanh {}

impl FrictionModel for Tanh {
    fn resist(&self, sliding: &Sliding) -> PatchFriction {
        let Sliding {
            piece,
            pair_material,
            twist,
            ..
        } = *sliding;
        let slope = self.slope;
        let n = piece.normal();
        let r = piece.centre();
        let u = twist.at(r).linear.reject_from_normalized(n);
        let speed = u.length();
        let limit = pair_material.friction * piece.normal_force();
        let mut friction = PatchFriction::NONE;
        friction.limit = limit;
        if limit <= 0.0 {
            return friction;
        }
        let (force, steepness) = if slope * speed > 1.0e-9 {
            let t = real::tanh(slope * speed);
            (limit * t / speed, limit * slope * (1.0 - t * t))
        } else {
            (limit * slope, limit * slope)
        };
        friction.wrench = slide_wrench(r, n, force * u, 0.0);
        friction.used = force * speed;
        friction.lost = force * speed * speed;
        friction.slip_rate = speed;
        let direction = u.normalize_or_zero();
        let plane = DMat3::IDENTITY - outer(n, n);
        let along = outer(direction, direction);
        friction.by_twist = -1.0 * Matrix6::at(r, force * (plane - along) + steepness * along);
        // The limit follows the normal force.
        let rise = pair_material.friction * force / limit;
        for (by, tangent) in [
            (&piece.force_by_displacement, &mut friction.by_displacement),
            (&piece.force_by_twist, &mut friction.by_twist),
        ] {
            let rows = [by[0].transpose() * n, by[1].transpose() * n];
            let (df, dt) = (-rise * u, -rise * r.cross(u));
            *tangent += Matrix6 {
                torque_by_rotation: outer(dt, rows[0]),
                torque_by_translation: outer(dt, rows[1]),
                force_by_rotation: outer(df, rows[0]),
                force_by_translation: outer(df, rows[1]),
            };
        }
        add_viscous(&mut friction, pair_material.viscous_friction, n, r, u);
        move_patch(&mut friction, piece);
        friction
    }
}
