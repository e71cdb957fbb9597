//! Bristles, the default: a spring and a damper in parallel, in series with a
//! slider (Kelvin–Voigt with Coulomb): with deflection z, slip velocity u and
//! limit L = μN,
//!
//! ```text
//! y = σ (z + τ u)          what the bristles would do if they stuck
//! f = y min(1, L/|y|)      projection on the limit: maximum dissipation
//! ż = (f/σ − z) / τ        so ż = u, exactly, while they stick
//! ```
//!
//! Inside the limit it is elastic and damped: nothing creeps. Beyond it
//! `|f| = L` exactly. With s = min(1, L/|y|) the power lost,
//! `f·u − σ z·ż = s σ τ u² + (1 − s) σ z²/τ`, is never negative.
//! Torsion is a fourth component, joined by an ellipsoidal limit surface: with
//! the radius r of the patch, `(y, y_θ / r)` is projected as one vector.
//!
//! z is kept in A's frame and turns with the mean angular velocity of both bodies. σ is
//! the smaller of what the patch had when the step began and what its area
//! gives now: a patch that grows keeps its force, one that shrinks keeps its
//! deflection, and neither makes energy.

use glam::{DMat3, DVec3};

use super::transfer::{Spring, keep_wrench};
use super::{
    FrictionModel, PatchFriction, Sliding, add_viscous, from_block, move_patch, set_column,
    slide_wrench,
};
use crate::material::PairMaterial;
use crate::memory::{Ancestor, MAX_STATES, Memory, PatchNow};
use crate::patch::Patch;
use crate::piece::{Piece, TORSION_OF_DISC};

/// Elastic bristles that slip at the Coulomb limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bristle;

/// What the bristles of a patch remember.
struct Deflection {
    /// In A's frame, m; the part across the patch is not used.
    shift: DVec3,
    /// About the normal, rad.
    twist: f64,
}

/// Where the twist stands among the states; the shift is before it.
const TWIST: usize = 3;

impl Deflection {
    const STATES: usize = 4;

    fn read(state: &[f64]) -> Deflection {
        Deflection {
            shift: DVec3::new(state[0], state[1], state[2]),
            twist: state[TWIST],
        }
    }

    fn write(&self, state: &mut [f64]) {
        self.shift.write_to_slice(&mut state[..TWIST]);
        state[TWIST] = self.twist;
    }
}

/// A deflection may err by this share of the one at which bristles slip.
const DEFLECTION_SHARE: f64 = 0.01;

/// Bristles cannot be stiffer in time than this, s.
const SHORTEST_TIME: f64 = 1.0e-6;

/// Tangential and torsional stiffness of the bristles of a piece now.
pub(crate) fn bristle_stiffness(piece: &Piece, pair_material: &PairMaterial) -> [f64; 2] {
    // By area, not by pressure: bristles do not change while a load shifts
    // about on the same patch. Under uniform pressure both are the same.
    let radius = TORSION_OF_DISC * piece.area_radius();
    let tangential = pair_material.shear_stiffness * piece.area();
    [tangential, tangential * radius * radius]
}

/// Stiffness the bristles of a patch act with during this step.
pub(crate) fn acting_stiffness(
    patch: &Patch,
    piece: &Piece,
    pair_material: &PairMaterial,
) -> [f64; 2] {
    let [now, torsional_now] = bristle_stiffness(piece, pair_material);
    [
        now.min(patch.stiffness),
        torsional_now.min(patch.torsional_stiffness),
    ]
}

/// The deflection in the plane of the patch, with its length kept: projection
/// alone would bleed load when the patch turns.
pub(crate) fn in_plane(z: DVec3, normal: DVec3) -> DVec3 {
    let flat = z.reject_from_normalized(normal);
    flat.try_normalize()
        .map_or(DVec3::ZERO, |direction| z.length() * direction)
}

/// Bristles take over the force and the torque of the patches that theirs
/// comes from.
impl Memory for Bristle {
    fn states(&self) -> usize {
        Deflection::STATES
    }

    fn inherit(
        &self,
        ancestors: &[Ancestor],
        piece: &Piece,
        pair_material: &PairMaterial,
        state: &mut [f64],
    ) {
        let (mut force, mut torque) = (DVec3::ZERO, 0.0);
        let mut behind = [0.0; 2];
        for ancestor in ancestors {
            let acting = acting_stiffness(ancestor.patch, ancestor.piece, pair_material);
            let [stiffness, torsional] = acting.map(|value| ancestor.share * value);
            let old = Deflection::read(ancestor.state);
            force += stiffness * in_plane(old.shift, ancestor.piece.normal());
            torque += torsional * old.twist;
            behind[0] += stiffness;
            behind[1] += torsional;
        }
        let [stiffness, torsional] = bristle_stiffness(piece, pair_material);
        // A stiffer patch keeps the force, a softer one the deflection.
        let under = |now: f64, before: f64| now.max(before).max(f64::MIN_POSITIVE);
        let new = Deflection {
            shift: in_plane(force / under(stiffness, behind[0]), piece.normal()),
            twist: torque / under(torsional, behind[1]),
        };
        new.write(state);
    }

    fn reconcile(
        &self,
        old: &[Ancestor],
        pieces: &[&Piece],
        pair_material: &PairMaterial,
        states: &mut [&mut [f64]],
    ) {
        let spring = |piece: &Piece, stiffness, state: &[f64]| {
            let Deflection { shift, twist } = Deflection::read(state);
            let (centre, normal) = (piece.centre(), piece.normal());
            let shift = in_plane(shift, normal);
            Spring {
                centre,
                normal,
                stiffness,
                shift,
                twist,
            }
        };
        // A patch that has come off carries nothing, and is nowhere.
        let touching = old.iter().filter(|one| one.piece.load > 0.0);
        let before = touching.map(|one| {
            let stiffness = acting_stiffness(one.patch, one.piece, pair_material);
            spring(one.piece, stiffness, one.state)
        });
        let before: Vec<Spring> = before.collect();
        let after = pieces.iter().zip(states.iter());
        let after = after
            .map(|(piece, state)| spring(piece, bristle_stiffness(piece, pair_material), state));
        let mut after: Vec<Spring> = after.collect();
        keep_wrench(&before, &mut after);
        for (Spring { shift, twist, .. }, state) in after.into_iter().zip(states) {
            Deflection { shift, twist }.write(state);
        }
    }

    fn error_scales(&self, now: &PatchNow, scales: &mut [f64]) {
        let slips_at = DEFLECTION_SHARE * now.limit / now.patch.stiffness.max(f64::MIN_POSITIVE);
        let shift = slips_at + now.position;
        let radius = now.piece.friction_radius().max(1.0e-4);
        let allowed = Deflection {
            shift: DVec3::splat(shift),
            twist: shift / radius,
        };
        allowed.write(scales);
    }
}

impl FrictionModel for Bristle {
    fn resist(&self, sliding: &Sliding) -> PatchFriction {
        let Sliding {
            piece,
            pair_material,
            twist,
            memory: Some((patch, state)),
        } = *sliding
        else {
            return PatchFriction::NONE;
        };
        let n = piece.normal();
        let r = piece.centre();
        let radius = piece.friction_radius();
        let tau = pair_material.damping_time.max(SHORTEST_TIME);
        let Deflection {
            shift: zeta,
            twist: theta,
        } = Deflection::read(state);
        let z = in_plane(zeta, n);
        let u = twist.at(r).linear.reject_from_normalized(n);
        let angular_velocity = n.dot(twist.angular);
        let [sigma, kappa] = acting_stiffness(patch, piece, pair_material);
        let limit = pair_material.friction * piece.normal_force();

        let mut friction = PatchFriction::NONE;
        friction.limit = limit;
        if sigma <= 0.0 || limit <= 0.0 {
            // Nothing presses: the bristles relax.
            for (i, value) in [z.x, z.y, z.z, theta].into_iter().enumerate() {
                friction.states.rate[i] = -value / tau;
                friction.states.rate_by_state[i][i] = -1.0 / tau;
            }
            return friction;
        }

        // The load if they stuck, and its projection on the limit surface.
        let y = sigma * (z + tau * u);
        let psi = if radius > 0.0 {
            kappa / radius * (theta + tau * angular_velocity)
        } else {
            0.0
        };
        let size = (y.length_squared() + psi * psi).sqrt();
        let s = if size <= limit { 1.0 } else { limit / size };
        let (f, torque) = (s * y, s * psi * radius);
        friction.used = s * size;
        friction.wrench = slide_wrench(r, n, f, torque);

        // ż = u inside the limit, exactly; plus the turning of z's frame.
        let z_rate = s * u - (1.0 - s) / tau * z;
        let theta_rate = s * angular_velocity - (1.0 - s) / tau * theta;
        let turning = -0.5 * twist.angular.cross(zeta);
        let rate = Deflection {
            shift: z_rate + turning,
            twist: theta_rate,
        };
        rate.write(&mut friction.states.rate);
        let torsional_slip = radius * (angular_velocity - theta_rate);
        if s < 1.0 {
            friction.slip_rate =
                ((u - z_rate).length_squared() + torsional_slip * torsional_slip).sqrt();
        }

        friction.stored = 0.5 * (sigma * z.length_squared() + kappa * theta * theta);
        friction.storing = sigma * z.dot(z_rate) + kappa * theta * theta_rate;
        // f·u − storing, written as the sum of squares that it is: as a difference
        // it would come out negative by rounding when the slip is slow.
        let damped = sigma * u.length_squared() + kappa * angular_velocity * angular_velocity;
        let relaxed = sigma * z.length_squared() + kappa * theta * theta;
        friction.lost = s * tau * damped + (1.0 - s) / tau * relaxed;

        bristle_tangents(
            &mut friction,
            &Bristles {
                piece,
                n,
                r,
                zeta,
                angular_velocity: twist.angular,
                radius,
                tau,
                sigma,
                kappa,
                y: y / size.max(f64::MIN_POSITIVE),
                psi: psi / size.max(f64::MIN_POSITIVE),
                s,
                friction: pair_material.friction,
            },
        );
        add_viscous(&mut friction, pair_material.viscous_friction, n, r, u);
        move_patch(&mut friction, piece);
        friction
    }
}

/// What the tangents of the bristles are made from.
struct Bristles<'a> {
    piece: &'a Piece,
    n: DVec3,
    r: DVec3,
    zeta: DVec3,
    /// Angular velocity of A relative to B: half of it turns the deflection.
    angular_velocity: DVec3,
    radius: f64,
    tau: f64,
    sigma: f64,
    kappa: f64,
    /// Direction of the load, torsional part in `psi`.
    y: DVec3,
    psi: f64,
    s: f64,
    friction: f64,
}

impl Bristles<'_> {
    /// Change of force and torque when the sticking load changes by (dy, dψ)
    /// and the limit by dL.
    fn respond(&self, dy: DVec3, dpsi: f64, dlimit: f64) -> (DVec3, f64) {
        if self.s >= 1.0 {
            return (dy, dpsi * self.radius);
        }
        let along = self.y.dot(dy) + self.psi * dpsi;
        let df = self.s * (dy - along * self.y) + dlimit * self.y;
        let dpsi = self.s * (dpsi - along * self.psi) + dlimit * self.psi;
        (df, dpsi * self.radius)
    }
}

fn bristle_tangents(friction: &mut PatchFriction, b: &Bristles) {
    let plane = |v: DVec3| v.reject_from_normalized(b.n);
    let torsional = if b.radius > 0.0 {
        b.kappa / b.radius
    } else {
        0.0
    };
    // The limit follows the normal force: along n, by displacement and twist.
    let of_limit = |by: &[DMat3; 2], k: usize| b.friction * (by[k / 3].transpose() * b.n)[k % 3];
    let mut displaced = [[0.0; 6]; 6];
    let mut twisted = [[0.0; 6]; 6];
    let rate_scale = 1.0 / (b.sigma * b.tau);
    let torsional_scale = if b.kappa > 0.0 {
        1.0 / (b.kappa * b.tau)
    } else {
        0.0
    };
    for k in 0..6 {
        let axis = DVec3::AXES[k % 3];
        // A twist moves the patch's centre and spins it about the normal.
        let (du, d_angular_velocity) = if k < 3 {
            (plane(axis.cross(b.r)), b.n.dot(axis))
        } else {
            (plane(axis), 0.0)
        };
        let dlimit = of_limit(&b.piece.force_by_twist, k);
        let dy = b.sigma * b.tau * du;
        let (df, dt) = b.respond(dy, torsional * b.tau * d_angular_velocity, dlimit);
        set_column(&mut twisted, k, slide_wrench(b.r, b.n, df, dt));
        let mut dz_rate = rate_scale * df;
        if k < 3 {
            dz_rate -= 0.5 * axis.cross(b.zeta);
        }
        set_rate(
            &mut friction.states.rate_by_twist,
            k,
            dz_rate,
            torsional_scale * dt,
        );

        let dlimit = of_limit(&b.piece.force_by_displacement, k);
        if b.s < 1.0 {
            let (df, dt) = b.respond(DVec3::ZERO, 0.0, dlimit);
            set_column(&mut displaced, k, slide_wrench(b.r, b.n, df, dt));
            let dz_rate = rate_scale * df;
            set_rate(
                &mut friction.states.rate_by_displacement,
                k,
                dz_rate,
                torsional_scale * dt,
            );
        }
    }
    for k in 0..Deflection::STATES {
        let (dz, dtheta) = if k < TWIST {
            (plane(DVec3::AXES[k]), 0.0)
        } else {
            (DVec3::ZERO, 1.0)
        };
        let (df, dt) = b.respond(b.sigma * dz, torsional * dtheta, 0.0);
        set_column(
            &mut friction.states.wrench_by_state,
            k,
            slide_wrench(b.r, b.n, df, dt),
        );
        let mut dz_rate = rate_scale * df - dz / b.tau;
        if k < TWIST {
            dz_rate -= 0.5 * b.angular_velocity.cross(DVec3::AXES[k]);
        }
        let dtheta_rate = torsional_scale * dt - dtheta / b.tau;
        set_rate(&mut friction.states.rate_by_state, k, dz_rate, dtheta_rate);
    }
    friction.by_displacement = from_block(&displaced);
    friction.by_twist = from_block(&twisted);
}

fn set_rate<const N: usize>(
    block: &mut [[f64; N]; MAX_STATES],
    column: usize,
    z: DVec3,
    theta: f64,
) {
    for i in 0..TWIST {
        block[i][column] = z[i];
    }
    block[TWIST][column] = theta;
}
