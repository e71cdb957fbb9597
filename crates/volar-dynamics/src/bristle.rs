//! Dry friction in a joint, without creep.
//!
//! A bristle (spring s₀, damper s₁ beside it) in series with a slider that
//! gives way at the effort F. With deflection z and joint velocity v:
//!
//! ```text
//! y = s₀ z + s₁ v        what the bristle would carry if the slider held
//! f = clamp(y, −F, F)    what it carries; the joint feels −f
//! ż = (f − s₀ z) / s₁
//! ```
//!
//! While the slider holds, ż = v exactly: a held joint is a stiff spring and
//! does not creep, as it would with friction that is a function of velocity
//! alone. Once it slips, f is F exactly and z goes to ±F/s₀ within the time
//! s₁/s₀. In f v = s₀ z ż + P the first part is stored, and
//!
//! ```text
//! P = f (v − ż) + s₁ ż² ≥ 0
//! ```
//!
//! lost: when the slider slips v − ż has the sign of f.

/// Deflection at which a joint's friction breaks away unless told otherwise,
/// rad or m: small against motions that matter, large against rounding.
pub const BREAKAWAY: f64 = 1e-4;

/// s₁/s₀: the time in which the bristle's own motion dies out, s.
pub const RELAXATION: f64 = 1e-3;

/// Dry friction of one dof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle {
    /// Largest effort F, N m or N.
    pub limit: f64,
    /// s₀, N m/rad or N/m.
    pub stiffness: f64,
    /// s₁, N m s/rad or N s/m.
    pub damping: f64,
}

/// What a bristle does at (z, v), and how that changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BristleEffort {
    /// f; the effort on the joint is −f. N m or N.
    pub f: f64,
    /// ż, rad/s or m/s.
    pub zdot: f64,
    /// ∂f/∂z.
    pub df_dz: f64,
    /// ∂f/∂v.
    pub df_dv: f64,
    /// ∂ż/∂z.
    pub dzdot_dz: f64,
    /// ∂ż/∂v.
    pub dzdot_dv: f64,
    /// Power lost to heat, W; never negative.
    pub dissipated: f64,
    /// Energy stored in the bristle, J.
    pub stored: f64,
    /// Rate of that energy, W.
    pub stored_rate: f64,
}

impl Bristle {
    /// Friction with the limit `limit` that breaks away at the deflection
    /// `breakaway` (rad or m), both positive.
    pub fn new(limit: f64, breakaway: f64) -> Bristle {
        let stiffness = limit / breakaway;
        Bristle {
            limit,
            stiffness,
            damping: stiffness * RELAXATION,
        }
    }

    /// Effort, rate of deflection, derivatives and power.
    pub fn calc(&self, z: f64, v: f64) -> BristleEffort {
        let Bristle {
            limit,
            stiffness,
            damping,
        } = *self;
        let spring = stiffness * z;
        let y = spring + damping * v;
        let f = y.clamp(-limit, limit);
        let holds = y.abs() <= limit;
        // Not by the quotient while it holds: v exactly.
        let zdot = if holds { v } else { (f - spring) / damping };
        BristleEffort {
            f,
            zdot,
            df_dz: if holds { stiffness } else { 0.0 },
            df_dv: if holds { damping } else { 0.0 },
            dzdot_dz: if holds { 0.0 } else { -stiffness / damping },
            dzdot_dv: if holds { 1.0 } else { 0.0 },
            dissipated: f * (v - zdot) + damping * zdot * zdot,
            stored: 0.5 * spring * z,
            stored_rate: spring * zdot,
        }
    }
}
