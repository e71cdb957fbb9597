//! Sums over a part of a contact, and what follows from them: its centre, normal, area and
//! radii, and how they change as the bodies move.

use glam::{DMat3, DVec2, DVec3};
use volar_math::{Matrix6, cross_matrix, outer};

/// Mean distance from the middle over the radius of gyration: 2√2/3 for a disc, √3/2 for a
/// line.
pub(crate) const TORSION_OF_DISC: f64 = 0.942_809_041_582_063_4;
const TORSION_OF_LINE: f64 = 0.866_025_403_784_438_6;

/// How much less the ratio is where the pressure falls off, see [`Piece::friction_radius`].
const TAPER: f64 = 0.06;

/// Sums over a part of the contact.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Total load `∫ p dA`, N.
    pub load: f64,
    /// Force on A, N.
    pub force: DVec3,
    /// What the release of a start in overlap adds to the force on A, N.
    pub release: DVec3,
    /// The elastic part of the force, N: it gives the patch its normal.
    pub push: DVec3,
    /// `∫ p d dA` with the direction d by which each part was grouped, N.
    pub direction: DVec3,
    /// `∫ p (x − point) dA`, N m.
    pub first: DVec3,
    /// `∫ p (x − point)(x − point)ᵀ dA`, N m².
    pub second: DMat3,
    /// `∫ n dA` with n towards A, m².
    pub area_vector: DVec3,
    /// `∫ |n·e| dA` (m²) and with it the first and second moments of that
    /// area about the point of reference, m³ and m⁴.
    pub facing: (f64, DVec3, DMat3),
    /// Greatest depth of a cell's centre, m: a scale, which depends on the triangles.
    pub depth: f64,
    /// Greatest depth, m.
    pub deepest: f64,
    /// Box around the cells, relative to the point of reference.
    pub bounds: [DVec3; 2],
    /// Change of the force per rotation and per translation of A relative to B.
    pub force_by_displacement: [DMat3; 2],
    /// Change of the force per angular and per linear velocity of A relative to B.
    pub force_by_twist: [DMat3; 2],
    /// Change of the torque per rotation and per translation of A relative to B, as seen
    /// from A.
    pub torque_by_displacement: [DMat3; 2],
    /// Change of the torque per angular and per linear velocity of A relative to B.
    pub torque_by_twist: [DMat3; 2],
    /// The part of the load that follows B's depth field, N: its normal stays
    /// with B while A moves, and it acts on A's surface.
    pub load_in_b: f64,
    /// Stiffness against approach along the separation direction, `∫ g |n·e| dA`, N/m.
    pub approach_stiffness: f64,
    /// `∫ g φ² |n·e| dA` with the depth φ, N m.
    pub approach_square: f64,
    /// `∫ g (x × e, e)(x × e, e)ᵀ |n·e| dA`: times a damping time it is the
    /// damping of the piece.
    pub damper: Matrix6,
}

impl Piece {
    /// Nothing.
    pub const NONE: Piece = Piece {
        load: 0.0,
        force: DVec3::ZERO,
        release: DVec3::ZERO,
        push: DVec3::ZERO,
        direction: DVec3::ZERO,
        first: DVec3::ZERO,
        second: DMat3::ZERO,
        area_vector: DVec3::ZERO,
        facing: (0.0, DVec3::ZERO, DMat3::ZERO),
        depth: 0.0,
        deepest: 0.0,
        bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
        force_by_displacement: [DMat3::ZERO; 2],
        force_by_twist: [DMat3::ZERO; 2],
        torque_by_displacement: [DMat3::ZERO; 2],
        torque_by_twist: [DMat3::ZERO; 2],
        load_in_b: 0.0,
        approach_stiffness: 0.0,
        approach_square: 0.0,
        damper: Matrix6::ZERO,
    };

    pub(crate) fn add(&mut self, other: &Piece) {
        self.load += other.load;
        self.force += other.force;
        self.release += other.release;
        self.push += other.push;
        self.direction += other.direction;
        self.first += other.first;
        self.second += other.second;
        self.area_vector += other.area_vector;
        self.facing.0 += other.facing.0;
        self.facing.1 += other.facing.1;
        self.facing.2 += other.facing.2;
        self.depth = self.depth.max(other.depth);
        self.deepest = self.deepest.max(other.deepest);
        self.bounds = [
            self.bounds[0].min(other.bounds[0]),
            self.bounds[1].max(other.bounds[1]),
        ];
        for k in 0..2 {
            self.force_by_displacement[k] += other.force_by_displacement[k];
            self.force_by_twist[k] += other.force_by_twist[k];
            self.torque_by_displacement[k] += other.torque_by_displacement[k];
            self.torque_by_twist[k] += other.torque_by_twist[k];
        }
        self.load_in_b += other.load_in_b;
        self.approach_stiffness += other.approach_stiffness;
        self.approach_square += other.approach_square;
        self.damper += other.damper;
    }

    /// Centre of pressure relative to the point of reference; the middle of
    /// the piece when nothing presses.
    pub fn centre(&self) -> DVec3 {
        if self.load > 0.0 {
            self.first / self.load
        } else {
            (self.bounds[0] + self.bounds[1]) / 2.0
        }
    }

    /// Change of the centre of pressure per rotation and per translation of A relative to
    /// B, as seen from A: a face that tilts by θ moves it by `θ ∫ x² dA / V`,
    /// far more than it moves itself. Across its plane it stays with the surface
    /// it lies on.
    pub fn centre_by_displacement(&self) -> [DMat3; 2] {
        let [turn, shift] =
            self.centre_by(&self.force_by_displacement, &self.torque_by_displacement);
        let (n, r) = (self.normal(), self.centre());
        let on_b = 1.0 - self.share_in_b();
        [
            turn - on_b * outer(n, r.cross(n)),
            shift - on_b * outer(n, n),
        ]
    }

    /// The part of the load that follows B's depth field.
    pub fn share_in_b(&self) -> f64 {
        if self.load > 0.0 {
            (self.load_in_b / self.load).min(1.0)
        } else {
            0.0
        }
    }

    /// Change of the centre of pressure per angular and per linear velocity.
    pub fn centre_by_twist(&self) -> [DMat3; 2] {
        self.centre_by(&self.force_by_twist, &self.torque_by_twist)
    }

    /// Relative change of the stiffness against approach per rotation and per translation
    /// of A relative to B.
    ///
    /// A shape whose section at the height s from its tip goes as sᵐ (m = 0 for a face, 1 for an edge
    /// or a ball, 2 for a corner) has at the depth d
    ///
    /// ```text
    /// k = c dᵐ,   F = ∫ k dd = k d/(m + 1),   Q = ∫ 2 F dd = 2 k d²/((m + 1)(m + 2))
    /// d ln k = m/(m + 1) · d ln F,            m/(m + 1) = 2 (1 − F²/(k Q))
    /// ```
    ///
    /// with F the load along the normal and Q the [`approach_square`](Self::approach_square).
    pub(crate) fn stiffening(&self) -> [DVec3; 2] {
        let n = self.normal();
        let load = self.push.dot(n);
        if load <= 0.0 || self.approach_stiffness <= 0.0 || self.approach_square <= 0.0 {
            return [DVec3::ZERO; 2];
        }
        let even = load * load / (self.approach_stiffness * self.approach_square);
        let growth = (2.0 * (1.0 - even)).clamp(0.0, 1.0);
        self.force_by_displacement
            .map(|by| (growth / load) * (by.transpose() * n))
    }

    /// From `T = r × N n`: `N dr = n × dT − r dN`, in the plane of the piece.
    fn centre_by(&self, force: &[DMat3; 2], torque: &[DMat3; 2]) -> [DMat3; 2] {
        let n = self.normal();
        let load = self.force.dot(n);
        if load <= 0.0 {
            return [DMat3::ZERO; 2];
        }
        let r = self.centre().reject_from_normalized(n);
        let moved = |k: usize| {
            let by_load = outer(r, force[k].transpose() * n);
            (1.0 / load) * (cross_matrix(n) * torque[k] - by_load)
        };
        [moved(0), moved(1)]
    }

    /// The direction in which A is pushed.
    pub fn normal(&self) -> DVec3 {
        self.push
            .try_normalize()
            .or_else(|| self.area_vector.try_normalize())
            .unwrap_or(DVec3::Z)
    }

    /// Distance from the centre within which the whole piece lies, m.
    pub fn reach(&self) -> f64 {
        let far = (self.bounds[1] - self.bounds[0]).length();
        if far.is_finite() { far } else { 0.0 }
    }

    /// Normal force N that friction goes by, newtons.
    pub fn normal_force(&self) -> f64 {
        self.force.dot(self.normal()).max(0.0)
    }

    /// Normal force on the bodies, newtons: that, but for a start in overlap that is
    /// being released.
    pub fn net_normal_force(&self) -> f64 {
        (self.force + self.release).dot(self.normal()).max(0.0)
    }

    /// Area of the patch seen along its normal |S|, m².
    pub fn area(&self) -> f64 {
        self.area_vector.length()
    }

    /// The radius r of the patch that torsional friction acts at, `∫ p |x| dA / ∫ p dA` in
    /// its plane about the centre of pressure, as far as second moments tell.
    ///
    /// Under uniform pressure its ratio to the radius of gyration is that of a disc or a
    /// line, and in between, with the ratio t of the radii along and across, close to that of
    /// a rectangle (within 0.7 %). Where the pressure falls off towards the rim the ratio is less by
    /// `TAPER` of what the radius of gyration, squared, lacks against that of the area:
    /// 2 % for a ball's cap.
    pub fn friction_radius(&self) -> f64 {
        let [along, across] = self.principal_spreads();
        let gyration = along + across;
        let area = self.area_radius();
        if gyration <= 0.0 || area <= 0.0 {
            return 0.0;
        }
        let t2 = across / along;
        let round = 5.0 * t2 / (1.0 + 4.0 * t2);
        let ratio = TORSION_OF_LINE + (TORSION_OF_DISC - TORSION_OF_LINE) * round;
        let filled = (gyration / (area * area)).min(1.0);
        ratio * (1.0 - TAPER * (1.0 - filled)) * gyration.sqrt()
    }

    /// Squares of the pressure-weighted radii of gyration along the two principal axes of
    /// the piece in its plane, the larger first, m².
    fn principal_spreads(&self) -> [f64; 2] {
        self.spreads_and_turn().0
    }

    /// The pressure-weighted radii of gyration along the two principal axes of the piece in
    /// its plane, as vectors along these, the longer first, m.
    pub fn gyration_axes(&self) -> [DVec3; 2] {
        let (squares, turn) = self.spreads_and_turn();
        let (u, v) = self.normal().any_orthonormal_pair();
        // Half the angle of `turn`: its bisector with the first axis.
        let bisector = DVec2::new(turn.length() + turn.x, turn.y);
        let axis = bisector.try_normalize().unwrap_or(match turn.x < 0.0 {
            true => DVec2::Y,
            false => DVec2::X,
        });
        let along = axis.x * u + axis.y * v;
        let across = axis.x * v - axis.y * u;
        [squares[0].sqrt() * along, squares[1].sqrt() * across]
    }

    /// The squares, and the direction of twice the angle from the first axis in the plane to
    /// the first principal one.
    fn spreads_and_turn(&self) -> ([f64; 2], DVec2) {
        if self.load <= 0.0 {
            return ([0.0; 2], DVec2::ZERO);
        }
        let about = spread_of(self.load, self.first, &self.second);
        let (u, v) = self.normal().any_orthonormal_pair();
        let [uu, vv, uv] = [u.dot(about * u), v.dot(about * v), u.dot(about * v)];
        let half = 0.5 * (uu - vv);
        let turn = DVec2::new(half, uv);
        let apart = turn.length();
        let mean = 0.5 * (uu + vv).max(0.0);
        ([mean + apart, (mean - apart).max(0.0)], turn)
    }

    /// Pressure-weighted radius of gyration about the normal, m.
    pub fn gyration_radius(&self) -> f64 {
        self.radius_of(self.load, self.first, &self.second)
    }

    /// Radius of gyration of the area about the normal, m.
    pub fn area_radius(&self) -> f64 {
        let (area, first, second) = &self.facing;
        self.radius_of(*area, *first, second)
    }

    fn radius_of(&self, weight: f64, first: DVec3, second: &DMat3) -> f64 {
        if weight <= 0.0 {
            return 0.0;
        }
        let about = spread_of(weight, first, second);
        let n = self.normal();
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        (trace - n.dot(about * n)).max(0.0).sqrt()
    }
}

/// Second moments about the centre, per weight.
fn spread_of(weight: f64, first: DVec3, second: &DMat3) -> DMat3 {
    let centre = first / weight;
    (1.0 / weight) * *second - outer(centre, centre)
}
