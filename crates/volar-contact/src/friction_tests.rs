//! Friction of one patch on its own, over random patches, loads and motions:
//! sticking is exact, the limit is the limit, power is never made, and every
//! block of the tangents is the derivative it says it is.
//!
//! The tangents hold what the piece does not tell them: its centre, normal,
//! radius and stiffness. Here these are held in the differences as well, so
//! that what remains is exact.

use glam::{DMat3, DVec3};
use volar_testkit::rng::Rng;

use super::*;

/// Sums of a few dozen products: what rounding can do to a relative error.
const ROUNDING: f64 = 1e-12;
/// The same after cancellation of what a lever of 2 cm adds to a patch of 1 mm
/// radius, squared.
const CANCELLED: f64 = 400.0 * ROUNDING;
/// Central differences with a step of 1e-5 to 1e-4 of what changes the load by
/// its own size: 1e-8 from the third derivative, 1e-11 from rounding, both
/// times the lever over the radius, up to 20.
const DIFFERENCES: f64 = 2e-6;

/// One patch at one moment.
#[derive(Clone, Copy)]
struct Case {
    piece: Piece,
    bed: Bed,
    patch: Patch,
    twist: Twist,
    state: PatchState,
}

impl Case {
    /// A patch of some millimetres under some newtons. `slip` is how far its
    /// load would be beyond the limit if it stuck.
    fn random(rng: &mut Rng, slip: f64) -> Case {
        let n = rng.direction();
        let load = rng.log_uniform(1e-2, 1e3);
        let r = rng.in_cube(0.02);
        let gyration = rng.log_uniform(1e-3, 2e-2);
        let area = rng.log_uniform(1e-6, 1e-3);
        let plane = DMat3::IDENTITY - outer(n, n);
        let small = |rng: &mut Rng, size: f64| {
            DMat3::from_cols(rng.in_cube(size), rng.in_cube(size), rng.in_cube(size))
        };
        let (turn, shift) = (small(rng, 1e2), small(rng, 1e4));
        let (spin, velocity) = (small(rng, 1e-2), small(rng, 1.0));
        let piece = Piece {
            load,
            // What acts on inclined skin leaves a part across the normal.
            force: load * n + 0.1 * load * rng.in_cube(1.0),
            way: load * n,
            first: load * r,
            second: load * (0.5 * gyration * gyration * plane + outer(r, r)),
            area_vector: area * n,
            depth: 1e-4,
            bounds: [r - DVec3::splat(gyration), r + DVec3::splat(gyration)],
            force_by_displacement: [turn, shift],
            force_by_twist: [spin, velocity],
            // The load stays where it acts.
            torque_by_displacement: [turn, shift].map(|by| outer(r.cross(n), by.transpose() * n)),
            torque_by_twist: [spin, velocity].map(|by| outer(r.cross(n), by.transpose() * n)),
            ..Piece::NONE
        };
        let bed = Bed {
            stiffness: 1e9,
            shares: [0.5, 0.5],
            shear_stiffness: rng.log_uniform(1e7, 1e10),
            damping_time: rng.log_uniform(1e-5, 1e-2),
            friction: rng.uniform(0.1, 1.5),
            viscous_friction: rng.uniform(0.0, 2.0),
        };
        let [stiffness, torsional] = bristle_stiffness(&piece, &bed);
        // Held as it was: the patch has grown since by up to a half.
        let patch = Patch {
            centre: r,
            normal: n,
            reach: gyration,
            stiffness: rng.uniform(0.5, 0.9) * stiffness,
            torsional_stiffness: rng.uniform(0.5, 0.9) * torsional,
            born: 0.0,
            first_speed: 0.0,
        };
        // Deflection and slip that together are `slip` times the limit.
        let limit = bed.friction * piece.normal_force();
        let (across, along) = (plane * rng.direction(), plane * rng.direction());
        let part = rng.uniform(0.2, 0.8);
        let reach = slip * limit / patch.stiffness;
        let spin_about = rng.uniform(-1.0, 1.0);
        let z = part * reach * across.normalize_or_zero();
        let u = (1.0 - part) * reach / bed.damping_time * along.normalize_or_zero();
        let spin = spin_about * reach / (bed.damping_time * gyration) * n + rng.in_cube(0.5);
        let velocity = u - spin.cross(r) + rng.uniform(-0.1, 0.1) * n;
        Case {
            piece,
            bed,
            patch,
            twist: Twist { spin, velocity },
            state: [
                z.x,
                z.y,
                z.z,
                rng.uniform(-1.0, 1.0) * reach / gyration,
                0.0,
                0.0,
            ],
        }
    }

    fn bristle(&self) -> Grip {
        bristle(
            &self.piece,
            &self.bed,
            &self.twist,
            &self.patch,
            &self.state,
        )
    }

    fn displaced(mut self, k: usize, by: f64) -> Case {
        let column = self.piece.force_by_displacement[k / 3].col(k % 3);
        self.piece.force += by * column;
        self
    }

    fn twisted(mut self, k: usize, by: f64) -> Case {
        let column = self.piece.force_by_twist[k / 3].col(k % 3);
        self.piece.force += by * column;
        if k < 3 {
            self.twist.spin[k] += by;
        } else {
            self.twist.velocity[k - 3] += by;
        }
        self
    }

    fn deflected(mut self, k: usize, by: f64) -> Case {
        self.state[k] += by;
        self
    }

    /// Everything turned by R.
    fn turned(mut self, R: &DMat3) -> Case {
        let map = |m: DMat3| *R * m * R.transpose();
        let p = &mut self.piece;
        for v in [&mut p.force, &mut p.way, &mut p.first, &mut p.area_vector] {
            *v = *R * *v;
        }
        p.second = map(p.second);
        p.force_by_displacement = p.force_by_displacement.map(map);
        p.force_by_twist = p.force_by_twist.map(map);
        self.twist.spin = *R * self.twist.spin;
        self.twist.velocity = *R * self.twist.velocity;
        let z = *R * DVec3::from_slice(&self.state[..3]);
        z.write_to_slice(&mut self.state[..3]);
        self
    }
}

fn cases(name: &'static str, low: f64, high: f64) -> impl Iterator<Item = (usize, Case)> {
    (0..400).map(move |index| {
        let mut rng = Rng::for_case(name, index);
        let slip = rng.log_uniform(low, high);
        (index, Case::random(&mut rng, slip))
    })
}

fn close(got: f64, wanted: f64, scale: f64, tolerance: f64, what: &str) {
    assert!(
        (got - wanted).abs() <= tolerance * scale,
        "{what}: {got:e} instead of {wanted:e}, {:e} of {scale:e}",
        (got - wanted).abs() / scale
    );
}

/// What rounding in the power of a wrench is measured against: the terms may
/// cancel.
fn power_scale(grip: &Grip, twist: &Twist) -> f64 {
    let (w, t) = (&grip.wrench, twist);
    w.torque.length() * t.spin.length() + w.force.length() * t.velocity.length()
}

#[test]
fn inside_the_limit_bristles_follow_the_slip_exactly() {
    let mut stuck = 0;
    for (index, case) in cases("stick", 1e-9, 0.3) {
        let grip = case.bristle();
        if grip.used >= grip.limit {
            continue;
        }
        stuck += 1;
        let n = case.piece.normal();
        let u = case.twist.at(case.piece.centre()).reject_from_normalized(n);
        let zeta = DVec3::from_slice(&case.state[..3]);
        let wanted = u - 0.5 * case.twist.spin.cross(zeta);
        // Bit for bit: what creeps by one part in 10¹⁶ creeps.
        assert_eq!(grip.rate[..3], wanted.to_array(), "case {index}");
        assert_eq!(
            grip.rate[3].to_bits(),
            n.dot(case.twist.spin).to_bits(),
            "case {index}"
        );
        assert_eq!(grip.slip_rate.to_bits(), 0, "case {index}");
    }
    assert!(stuck > 300, "only {stuck} cases stuck");
}

#[test]
fn at_the_limit_the_load_is_on_the_ellipsoid() {
    let mut worst = 0.0_f64;
    let mut torsional = 0.0_f64;
    for (index, mut case) in cases("limit", 3.0, 1e4) {
        case.bed.viscous_friction = 0.0;
        let grip = case.bristle();
        let wanted = case.bed.friction * case.piece.normal_force();
        close(grip.limit, wanted, wanted, ROUNDING, "μN");
        assert!(grip.slip_rate > 0.0, "case {index} does not slip");
        let force = grip.wrench.force;
        let n = case.piece.normal();
        let about_centre = grip.wrench.about(case.piece.centre()).torque;
        let torque = about_centre.dot(n) / case.piece.friction_radius();
        let size = (force.length_squared() + torque * torque).sqrt();
        worst = worst.max((size / grip.limit - 1.0).abs());
        torsional = torsional.max(torque.abs() / grip.limit);
        close(size, grip.limit, grip.limit, ROUNDING, "load at the limit");
        close(
            force.dot(n),
            0.0,
            grip.limit,
            ROUNDING,
            "force along the normal",
        );
        close(grip.used, grip.limit, grip.limit, ROUNDING, "used");
    }
    println!("load against the ellipsoid: {worst:.1e}; torsional part up to {torsional:.2}");
    assert!(torsional > 0.9, "torsion hardly took part");
}

#[test]
fn power_is_lost_never_made_and_the_account_closes() {
    let mut worst = 0.0_f64;
    for name in ["lost", "lost at rest"] {
        for (index, mut case) in cases(name, 1e-6, 1e3) {
            if name == "lost at rest" {
                // As slow as a settled scene gets: here a difference of powers
                // would come out negative.
                case.twist.spin *= 1e-16;
                case.twist.velocity *= 1e-16;
            }
            let grip = case.bristle();
            assert!(grip.lost >= 0.0, "{name} {index}: {:e} W", grip.lost);
            assert!(grip.stored >= 0.0, "{name} {index}");
            let put_in = -grip.wrench.power(&case.twist);
            let scale = power_scale(&grip, &case.twist) + grip.lost;
            let error = (put_in - grip.storing - grip.lost).abs() / scale;
            worst = worst.max(error);
            assert!(
                error < CANCELLED,
                "{name} {index}: {error:e} of the power is unaccounted for"
            );
        }
    }
    println!("power unaccounted for: {worst:.1e}");
}

#[test]
fn the_energy_of_the_bristles_follows_their_state() {
    for (index, case) in cases("storing", 1e-2, 1e2) {
        let grip = case.bristle();
        let mut ends = [-1.0, 1.0].map(|way| {
            let mut moved = case;
            for k in 0..4 {
                moved.state[k] += way * 1e-4 * case.bed.damping_time * grip.rate[k];
            }
            moved.bristle().stored
        });
        ends[1] -= ends[0];
        let storing = ends[1] / (2e-4 * case.bed.damping_time);
        let scale = storing.abs() + grip.lost + grip.stored / case.bed.damping_time;
        close(grip.storing, storing, scale, 1e-7, &format!("case {index}"));
    }
}

#[test]
fn a_patch_that_grows_keeps_its_force_and_one_that_shrinks_its_deflection() {
    for (index, mut case) in cases("stiffness", 1e-3, 0.2) {
        case.twist = Twist::default();
        case.bed.viscous_friction = 0.0;
        let [now, torsional_now] = bristle_stiffness(&case.piece, &case.bed);
        let z = DVec3::from_slice(&case.state[..3]);
        // Grown since: the force is that of the old stiffness.
        let grown = case.bristle();
        let wanted = case.patch.stiffness * z.length();
        close(
            grown.wrench.force.length(),
            wanted,
            wanted,
            ROUNDING,
            &format!("grown {index}"),
        );
        // Shrunk since: the deflection is what it was, the force less.
        case.patch.stiffness = 2.0 * now;
        case.patch.torsional_stiffness = 2.0 * torsional_now;
        let shrunk = case.bristle();
        let wanted = now * z.length();
        if shrunk.used < shrunk.limit {
            close(
                shrunk.wrench.force.length(),
                wanted,
                wanted,
                ROUNDING,
                &format!("shrunk {index}"),
            );
        }
        let before =
            0.5 * (2.0 * now * z.length_squared() + 2.0 * torsional_now * case.state[3].powi(2));
        close(
            shrunk.stored,
            0.5 * before,
            before,
            ROUNDING,
            "energy of a shrunk patch",
        );
    }
}

#[test]
fn friction_turns_with_its_frame() {
    let mut worst = 0.0_f64;
    for (index, case) in cases("turned", 1e-2, 1e2) {
        let R = Rng::for_case("turned by", index).rotation();
        let (plain, turned) = (case.bristle(), case.turned(&R).bristle());
        let wanted = plain.wrench.turned(&R);
        let error = (turned.wrench.force - wanted.force).length() / plain.limit;
        worst = worst.max(error);
        assert!(error < CANCELLED, "case {index}: {error:e}");
        let rate = R * DVec3::from_slice(&plain.rate[..3]);
        let got = DVec3::from_slice(&turned.rate[..3]);
        assert!(
            (got - rate).length() <= 1e-9 * rate.length(),
            "case {index}"
        );
    }
    println!("force in a turned frame: {worst:.1e} of the limit");
}

#[test]
fn nothing_that_does_not_press_rubs_and_bristles_relax() {
    let (_, mut case) = cases("free", 0.1, 0.2).next().unwrap();
    case.piece.force = DVec3::ZERO;
    case.bed.viscous_friction = 0.0;
    let grip = case.bristle();
    assert_eq!(grip.wrench, Wrench::default());
    for k in 0..4 {
        let wanted = -case.state[k] / case.bed.damping_time;
        close(grip.rate[k], wanted, wanted.abs(), ROUNDING, "relaxation");
    }
}

#[test]
fn tanh_is_the_papers_formula_and_dissipates() {
    for (index, case) in cases("tanh", 1e-4, 1e2) {
        let slope = Rng::for_case("slope", index).log_uniform(1.0, 1e4);
        let grip = tanh(&case.piece, &case.bed, slope, &case.twist);
        let n = case.piece.normal();
        let u = case.twist.at(case.piece.centre()).reject_from_normalized(n);
        let speed = u.length();
        let limit = case.bed.friction * case.piece.normal_force();
        let size = limit * (slope * speed).tanh() + case.bed.viscous_friction * speed;
        let error = (grip.wrench.force + size * u.normalize_or_zero()).length();
        assert!(
            error <= ROUNDING * size,
            "case {index}: {error:e} of {size:e} N"
        );
        assert!(grip.lost >= 0.0);
        close(
            grip.lost,
            -grip.wrench.force.dot(u),
            size * speed,
            ROUNDING,
            "power",
        );
        close(
            grip.lost,
            size * speed,
            size * speed,
            ROUNDING,
            "power lost",
        );
    }
    // Slower than the series needs: still linear, never stuck.
    let (_, mut case) = cases("tanh", 1e-4, 1e2).next().unwrap();
    case.twist = Twist {
        spin: DVec3::ZERO,
        velocity: 1e-14 * case.piece.normal().any_orthonormal_vector(),
    };
    case.bed.viscous_friction = 0.0;
    let grip = tanh(&case.piece, &case.bed, 100.0, &case.twist);
    close(
        grip.wrench.force.length(),
        grip.limit * 1e-12,
        grip.limit * 1e-12,
        1e-9,
        "slow",
    );
}

/// Two pads of 10 N, μ = 0.2, hold 0.2 kg: the method says it creeps with
/// 0.5 m/s when γ = 1 s/m and with 5 mm/s when γ = 100 s/m. Bristles do not.
#[test]
fn what_tanh_holds_creeps() {
    let (_, mut case) = cases("creep", 0.1, 0.2).next().unwrap();
    let n = case.piece.normal();
    case.piece.force = 10.0 * n;
    case.bed.friction = 0.2;
    case.bed.viscous_friction = 0.0;
    let weight = 0.2 * 9.81 / 2.0;
    for (slope, creep) in [(1.0, 0.5367), (100.0, 5.367e-3)] {
        let down = n.any_orthonormal_vector();
        let (mut low, mut high) = (0.0, 10.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let twist = Twist {
                spin: DVec3::ZERO,
                velocity: middle * down,
            };
            let grip = tanh(&case.piece, &case.bed, slope, &twist);
            if grip.wrench.force.length() < weight {
                low = middle
            } else {
                high = middle
            }
        }
        println!("γ = {slope} s/m: creeps with {low:.4e} m/s");
        close(low, creep, creep, 1e-3, "creep");
    }
}

/// A column of central differences: (wrench, rate).
fn difference(at: impl Fn(f64) -> Grip, step: f64) -> ([f64; 6], PatchState) {
    let (low, high) = (at(-step), at(step));
    let numbers = |w: &Wrench| {
        [
            w.torque.x, w.torque.y, w.torque.z, w.force.x, w.force.y, w.force.z,
        ]
    };
    let (a, b) = (numbers(&low.wrench), numbers(&high.wrench));
    let by = |i: usize, a: &[f64; 6], b: &[f64; 6]| (b[i] - a[i]) / (2.0 * step);
    (
        std::array::from_fn(|i| by(i, &a, &b)),
        std::array::from_fn(|i| by(i, &low.rate, &high.rate)),
    )
}

/// The worst error of a block in units of one length (so that turns and shifts
/// compare), against its largest number; `natural` is what that number is when
/// nothing cancels.
fn worst_of(
    block: &Block,
    columns: &[[f64; 6]],
    [row, column]: [[f64; 6]; 2],
    natural: f64,
) -> f64 {
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    for i in 0..6 {
        for (k, wanted) in columns.iter().enumerate() {
            let unit = row[i] * column[k];
            error = error.max((unit * (block[i][k] - wanted[i])).abs());
            largest = largest.max((unit * wanted[i]).abs());
        }
    }
    error / (largest + 1e-9 * natural)
}

fn sum(mut a: Matrix6, b: Matrix6) -> Matrix6 {
    a += b;
    a
}

fn block_of(m: &Matrix6) -> Block {
    let mut block = [[0.0; 6]; 6];
    for k in 0..6 {
        let unit = DVec3::AXES[k % 3];
        let twist = if k < 3 {
            Twist {
                spin: unit,
                velocity: DVec3::ZERO,
            }
        } else {
            Twist {
                spin: DVec3::ZERO,
                velocity: unit,
            }
        };
        set_column(&mut block, k, m.of(&twist));
    }
    block
}

/// Worst errors of the six blocks over many cases, slipping or sticking.
fn check_blocks(name: &'static str, low: f64, high: f64, slips: bool, law: impl Fn(&Case) -> Grip) {
    let names = [
        "W/displ", "W/twist", "W/state", "ż/displ", "ż/twist", "ż/state",
    ];
    let mut worst = [0.0_f64; 6];
    let mut used = 0;
    for (_, case) in cases(name, low, high) {
        let grip = law(&case);
        if (grip.slip_rate > 0.0) != slips {
            continue;
        }
        used += 1;
        // Steps small against what changes the load by its own size.
        let length = grip.limit / case.patch.stiffness;
        let radius = case.piece.friction_radius();
        let scale = |k: usize| if k < 3 { 1.0 / radius } else { 1.0 };
        let turn_first: [f64; 6] = std::array::from_fn(scale);
        let deflection = [1.0, 1.0, 1.0, radius, 1.0, 1.0];
        let per_deflection = deflection.map(|unit| 1.0 / unit);
        let (sigma, tau) = (case.patch.stiffness, case.bed.damping_time);
        let units = [
            // Terms of the load's lever that cancel.
            (
                [turn_first, turn_first],
                sigma + 1e4 * (0.02 / radius).powi(2),
            ),
            ([turn_first, turn_first], sigma * tau),
            ([turn_first, per_deflection], sigma),
            ([deflection, turn_first], 1.0 / tau),
            ([deflection, turn_first], 1.0),
            ([deflection, per_deflection], 1.0 / tau),
        ];
        let z = DVec3::from_slice(&case.state[..3]).length();
        let mut blocks: [Vec<[f64; 6]>; 6] = Default::default();
        for k in 0..6 {
            let h = 1e-5 * scale(k) * length;
            let (wrench, rate) = difference(|by| law(&case.displaced(k, by)), h);
            blocks[0].push(wrench);
            blocks[3].push(rate);
            let h = h / case.bed.damping_time;
            let (wrench, rate) = difference(|by| law(&case.twisted(k, by)), h);
            blocks[1].push(wrench);
            blocks[4].push(rate);
        }
        for k in 0..4 {
            let h = 1e-4 * z * per_deflection[k];
            let (wrench, rate) = difference(|by| law(&case.deflected(k, by)), h);
            blocks[2].push(wrench);
            blocks[5].push(rate);
        }
        // What the moving of the patch itself adds is tested on pairs.
        let mut moved = Grip::NONE;
        moved.wrench = grip.wrench;
        move_patch(&mut moved, &case.piece);
        let given = [
            block_of(&sum(grip.by_displacement, -1.0 * moved.by_displacement)),
            block_of(&grip.by_twist),
            grip.wrench_by_state,
            grip.rate_by_displacement,
            grip.rate_by_twist,
            grip.rate_by_state,
        ];
        for (b, given) in given.iter().enumerate() {
            let (units, natural) = units[b];
            worst[b] = worst[b].max(worst_of(given, &blocks[b], units, natural));
        }
    }
    println!("{name}: {used} cases");
    for (name, error) in names.iter().zip(worst) {
        println!("  {name:<8} {error:.1e}");
    }
    assert!(used > 100, "only {used} cases");
    for (block, error) in names.iter().zip(worst) {
        assert!(error < DIFFERENCES, "{name}, {block}: {error:e}");
    }
}

#[test]
fn tangents_of_sticking_bristles_are_derivatives() {
    check_blocks("sticking", 1e-3, 0.3, false, Case::bristle);
}

#[test]
fn tangents_of_slipping_bristles_are_derivatives() {
    check_blocks("slipping", 1.5, 30.0, true, Case::bristle);
}

#[test]
fn tangents_of_tanh_are_derivatives() {
    // Slip speeds are about 1 limit per stiffness and damping time: γ to suit.
    check_blocks("tanh tangents", 0.1, 3.0, true, |case| {
        let speed =
            case.bed.friction * case.piece.load / case.patch.stiffness / case.bed.damping_time;
        tanh(&case.piece, &case.bed, 1.0 / speed, &case.twist)
    });
}
