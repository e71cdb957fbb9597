//! Friction of a patch.
//!
//! **Bristles** (default). A spring and a damper in parallel, in series with a
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
//!
//! **tanh** (the paper's): `f = μN tanh(γ|u|) + β|u|` against u; it creeps.

use glam::{DMat3, DVec3};

use crate::material::PairMaterial;
use crate::normal_contact::Piece;
use crate::patch::{PATCH_STATE, Patch, PatchState};
use volar_math::{Matrix6, Twist, Wrench, cross_matrix, outer, real};

/// How bodies in contact resist sliding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Elastic bristles that slip at the Coulomb limit.
    Bristle,
    /// The paper's regularised Coulomb law.
    Tanh {
        /// γ, s/m: how steeply friction rises with the slip speed.
        slope: f64,
    },
}

/// Radius at which torsional friction acts, over the radius of gyration:
/// 2√2/3, exact for a disc under uniform pressure, whose limit is ⅔ μ N R.
pub(crate) const TORSION_RADIUS: f64 = 0.942_809_041_582_063_4;

/// Bristles cannot be stiffer in time than this, s.
const SHORTEST_TIME: f64 = 1.0e-6;

/// A 6 × 6 block; rows and columns as the name of the field says, angular
/// parts first.
pub type Block = [[f64; PATCH_STATE]; PATCH_STATE];

/// What friction does in one patch. Wrenches act on A, about the point of
/// reference, in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PatchFriction {
    /// Friction wrench.
    pub wrench: Wrench,
    /// Rate of the patch's state.
    pub rate: PatchState,
    /// Speed of plastic slip, m/s; torsional slip counts at the radius.
    pub slip_rate: f64,
    /// Friction limit μN, N.
    pub limit: f64,
    /// Size of the friction load against that limit, N.
    pub used: f64,
    /// Energy stored in the bristles, J.
    pub stored: f64,
    /// Rate of that energy, W.
    pub storing: f64,
    /// Power lost, W; not negative.
    pub lost: f64,
    /// Change of the wrench per displacement, and per twist.
    pub by_displacement: Matrix6,
    /// See [`by_displacement`](Self::by_displacement).
    pub by_twist: Matrix6,
    /// Change of the wrench (rows) per state (columns).
    pub wrench_by_state: Block,
    /// Change of the state's rate per state.
    pub rate_by_state: Block,
    /// Change of the state's rate per twist.
    pub rate_by_twist: Block,
    /// Change of the state's rate per displacement.
    pub rate_by_displacement: Block,
}

impl PatchFriction {
    /// No friction.
    pub const NONE: PatchFriction = PatchFriction {
        wrench: Wrench {
            torque: DVec3::ZERO,
            force: DVec3::ZERO,
        },
        rate: [0.0; PATCH_STATE],
        slip_rate: 0.0,
        limit: 0.0,
        used: 0.0,
        stored: 0.0,
        storing: 0.0,
        lost: 0.0,
        by_displacement: Matrix6::ZERO,
        by_twist: Matrix6::ZERO,
        wrench_by_state: [[0.0; PATCH_STATE]; PATCH_STATE],
        rate_by_state: [[0.0; PATCH_STATE]; PATCH_STATE],
        rate_by_twist: [[0.0; PATCH_STATE]; PATCH_STATE],
        rate_by_displacement: [[0.0; PATCH_STATE]; PATCH_STATE],
    };
}

impl PatchFriction {
    /// Adds friction to what the patch's filter has already written.
    pub(crate) fn join(&mut self, friction: PatchFriction) {
        let filter = *self;
        *self = friction;
        for i in 4..PATCH_STATE {
            self.rate[i] = filter.rate[i];
            self.rate_by_state[i] = filter.rate_by_state[i];
            self.rate_by_displacement[i] = filter.rate_by_displacement[i];
        }
        for row in 0..PATCH_STATE {
            for column in 4..PATCH_STATE {
                self.wrench_by_state[row][column] = filter.wrench_by_state[row][column];
            }
        }
    }
}

/// Tangential and torsional stiffness of the bristles of a piece now.
pub(crate) fn bristle_stiffness(piece: &Piece, pair_material: &PairMaterial) -> [f64; 2] {
    // By area, not by pressure: bristles do not change while a load shifts
    // about on the same patch. Under uniform pressure both are the same.
    let radius = TORSION_RADIUS * piece.area_radius();
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

/// Bristle friction of a patch.
pub fn bristle(
    piece: &Piece,
    pair_material: &PairMaterial,
    twist: &Twist,
    patch: &Patch,
    state: &PatchState,
) -> PatchFriction {
    let n = piece.normal();
    let r = piece.centre();
    let radius = piece.friction_radius();
    let tau = pair_material.damping_time.max(SHORTEST_TIME);
    let zeta = DVec3::new(state[0], state[1], state[2]);
    let (z, theta) = (in_plane(zeta, n), state[3]);
    let u = twist.at(r).linear.reject_from_normalized(n);
    let angular_velocity = n.dot(twist.angular);
    let [sigma, kappa] = acting_stiffness(patch, piece, pair_material);
    let limit = pair_material.friction * piece.normal_force();

    let mut friction = PatchFriction::NONE;
    friction.limit = limit;
    if sigma <= 0.0 || limit <= 0.0 {
        // Nothing presses: the bristles relax.
        for (i, value) in [z.x, z.y, z.z, theta].into_iter().enumerate() {
            friction.rate[i] = -value / tau;
            friction.rate_by_state[i][i] = -1.0 / tau;
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
    friction.rate = [0.0; PATCH_STATE];
    (z_rate + turning).write_to_slice(&mut friction.rate[..3]);
    friction.rate[3] = theta_rate;
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
    let mut displaced = [[0.0; PATCH_STATE]; PATCH_STATE];
    let mut twisted = [[0.0; PATCH_STATE]; PATCH_STATE];
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
            &mut friction.rate_by_twist,
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
                &mut friction.rate_by_displacement,
                k,
                dz_rate,
                torsional_scale * dt,
            );
        }
    }
    for k in 0..4 {
        let (dz, dtheta) = if k < 3 {
            (plane(DVec3::AXES[k]), 0.0)
        } else {
            (DVec3::ZERO, 1.0)
        };
        let (df, dt) = b.respond(b.sigma * dz, torsional * dtheta, 0.0);
        set_column(
            &mut friction.wrench_by_state,
            k,
            slide_wrench(b.r, b.n, df, dt),
        );
        let mut dz_rate = rate_scale * df - dz / b.tau;
        if k < 3 {
            dz_rate -= 0.5 * b.angular_velocity.cross(DVec3::AXES[k]);
        }
        let dtheta_rate = torsional_scale * dt - dtheta / b.tau;
        set_rate(&mut friction.rate_by_state, k, dz_rate, dtheta_rate);
    }
    friction.by_displacement = from_block(&displaced);
    friction.by_twist = from_block(&twisted);
}

/// The paper's friction of a patch.
pub fn tanh(
    piece: &Piece,
    pair_material: &PairMaterial,
    slope: f64,
    twist: &Twist,
) -> PatchFriction {
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

/// The force acts at the centre of pressure, which moves, and in a plane whose
/// normal turns with the bodies by whose fields it is made: what the summed
/// wrench would turn with A has to be turned back for B's share.
fn move_patch(friction: &mut PatchFriction, piece: &Piece) {
    let (n, r) = (piece.normal(), piece.centre());
    let force = friction.wrench.force;
    let lever = cross_matrix(force);
    let back = piece.share_in_b();
    let torsion = back * n.dot(friction.wrench.about(r).torque);
    let rotated = back * outer(n, n.cross(force));
    friction.by_displacement.force_by_rotation += rotated;
    friction.by_displacement.torque_by_rotation +=
        cross_matrix(r) * rotated + torsion * cross_matrix(n);
    for (tangent, centre) in [
        (
            &mut friction.by_displacement,
            piece.centre_by_displacement(),
        ),
        (&mut friction.by_twist, piece.centre_by_twist()),
    ] {
        tangent.torque_by_rotation -= lever * centre[0];
        tangent.torque_by_translation -= lever * centre[1];
    }
}

/// Adds the viscous part −β u.
fn add_viscous(friction: &mut PatchFriction, beta: f64, n: DVec3, r: DVec3, u: DVec3) {
    if beta > 0.0 {
        friction.wrench += slide_wrench(r, n, beta * u, 0.0);
        friction.lost += beta * u.length_squared();
        let plane = DMat3::IDENTITY - outer(n, n);
        friction.by_twist += -beta * Matrix6::at(r, plane);
    }
}

/// The wrench on A of a force f and a torque t that resist sliding.
fn slide_wrench(r: DVec3, n: DVec3, f: DVec3, t: f64) -> Wrench {
    Wrench {
        torque: -(r.cross(f) + t * n),
        force: -f,
    }
}

pub(crate) fn set_column(block: &mut Block, column: usize, wrench: Wrench) {
    for i in 0..3 {
        block[i][column] = wrench.torque[i];
        block[i + 3][column] = wrench.force[i];
    }
}

fn set_rate(block: &mut Block, column: usize, z: DVec3, theta: f64) {
    for i in 0..3 {
        block[i][column] = z[i];
    }
    block[3][column] = theta;
}

fn from_block(block: &Block) -> Matrix6 {
    let part = |row: usize, column: usize| {
        let column_of = |j: usize| {
            DVec3::new(
                block[row][column + j],
                block[row + 1][column + j],
                block[row + 2][column + j],
            )
        };
        DMat3::from_cols(column_of(0), column_of(1), column_of(2))
    };
    Matrix6 {
        torque_by_rotation: part(0, 0),
        torque_by_translation: part(0, 3),
        force_by_rotation: part(3, 0),
        force_by_translation: part(3, 3),
    }
}

#[cfg(test)]
#[path = "friction_tests.rs"]
mod tests;
