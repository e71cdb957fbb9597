//! Motion without contact against closed forms, with both integrators: an
//! asymmetric top, pendulums, a damped spring, a pendulum on a shaken base, and
//! how errors follow the tolerance.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::scenes::*;
use glam::{DMat3, DVec3};
use volar_contact::Material;
use volar_dynamics::{Actuator, DofParams, FrameMotion, Joint, Spring};
use volar_geom::Pose;
use volar_geom::mesh::mass::MassProperties;
use volar_math::Twist;
use volar_sim::{Body, BodyId, Integrator, Model, ModelBuilder, Motion, Parent, Simulation, State};

const G: f64 = 9.81;

/// A body that touches nothing.
fn bare(name: &str, parent: Parent, joint: Joint, mass: f64, centre: DVec3) -> Body {
    let inertia = DMat3::from_diagonal(DVec3::new(3.0e-3, 2.0e-3, 1.0e-3)) * mass;
    Body {
        name: name.into(),
        parent,
        placement: Pose::IDENTITY,
        joint,
        mass: MassProperties {
            mass,
            centre_of_mass: centre,
            inertia,
        },
        shapes: Vec::new(),
        material: Material::named("steel").unwrap(),
        joint_params: DofParams::default(),
    }
}

fn built(builder: ModelBuilder) -> (Arc<Model>, State) {
    let model = Arc::new(builder.build().unwrap());
    let state = State::neutral(&model);
    (model, state)
}

/// A torque-free top near its middle axis, which tumbles: energy and angular
/// momentum stay. Errors shrink with the tolerance, about in proportion.
#[test]
fn asymmetric_top_keeps_energy_and_momentum() {
    println!("integrator  tolerance  energy     momentum   steps");
    for integrator in BOTH {
        let mut last = [f64::INFINITY; 2];
        for tolerance in [1.0e-3, 1.0e-5, 1.0e-7] {
            let mut builder = ModelBuilder::new();
            builder.gravity = DVec3::ZERO;
            builder.add(bare(
                "top",
                Parent::World,
                Joint::Free,
                1.0,
                DVec3::new(0.01, 0.0, 0.0),
            ));
            let (model, mut state) = built(builder);
            throw(
                &model,
                &mut state,
                BodyId::new(0),
                DVec3::ZERO,
                DVec3::new(0.1, 6.0, 0.1),
            );
            let mut sim = Simulation::new(model, state, settings(integrator, tolerance)).unwrap();
            let kinetic = sim.energies().kinetic;
            let momentum = sim.angular_momentum();
            sim.advance_to(10.0).unwrap();
            let now = sim.angular_momentum();
            let errors = [
                (sim.energies().kinetic / kinetic - 1.0).abs(),
                (now - momentum).length() / momentum.length(),
            ];
            let steps = sim.statistics().steps;
            println!(
                "{integrator:10?}  {tolerance:.0e}  {:9.2e}  {:9.2e}  {steps}",
                errors[0], errors[1]
            );
            for k in 0..2 {
                assert!(
                    errors[k] < 0.3 * last[k],
                    "a smaller tolerance is no better"
                );
                assert!(errors[k] < tolerance, "error {:e}", errors[k]);
            }
            last = errors;
        }
    }
}

/// A double pendulum let go from 120° keeps its energy: to a share of its swing,
/// over some ten swings that add up.
#[test]
fn double_pendulum_keeps_its_energy() {
    println!("integrator  tolerance  energy error / swing   steps");
    for integrator in BOTH {
        let mut last = f64::INFINITY;
        for tolerance in [1.0e-3, 1.0e-5, 1.0e-7] {
            let mut builder = ModelBuilder::new();
            let hinge = Joint::Revolute { axis: DVec3::Y };
            let down = DVec3::new(0.0, 0.0, -0.1);
            let upper = builder.add(bare("upper", Parent::World, hinge, 0.5, down));
            let mut lower = bare("lower", Parent::Body(upper), hinge, 0.3, down);
            lower.placement = Pose::from_translation(2.0 * down);
            builder.add(lower);
            let (model, mut state) = built(builder);
            state.q.copy_from_slice(&[2.1, 0.5]);
            let mut sim = Simulation::new(model, state, settings(integrator, tolerance)).unwrap();
            let start = sim.energies();
            let mut worst = 0.0_f64;
            for k in 1..=50 {
                sim.advance_to(0.1 * f64::from(k)).unwrap();
                let now = sim.energies();
                worst = worst.max((now.kinetic + now.potential - start.potential).abs());
            }
            let swing = 0.5 * G * 0.2 + 0.3 * G * 0.6;
            let error = worst / swing;
            println!(
                "{integrator:10?}  {tolerance:.0e}  {error:9.2e}  {}",
                sim.statistics().steps
            );
            assert!(error < 0.3 * last, "a smaller tolerance is no better");
            assert!(error < tolerance, "energy error {error:e}");
            last = error;
        }
    }
}

/// A pendulum of mass m, inertia I about its hinge and lever l, at an angle.
struct Pendulum {
    mass: f64,
    inertia: f64,
    lever: f64,
}

const PENDULUM: Pendulum = Pendulum {
    mass: 0.4,
    // The bare body's own about y, and Steiner's part.
    inertia: 0.4 * 2.0e-3 + 0.4 * 0.15 * 0.15,
    lever: 0.15,
};

fn pendulum(parent: Parent) -> Body {
    let down = DVec3::new(0.0, 0.0, -PENDULUM.lever);
    bare(
        "pendulum",
        parent,
        Joint::Revolute { axis: DVec3::Y },
        PENDULUM.mass,
        down,
    )
}

/// 2π √(I/mgl) / agm(1, cos(θ/2)), the complete elliptic integral.
fn period(angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    2.0 * PI * (PENDULUM.inertia / (PENDULUM.mass * G * PENDULUM.lever)).sqrt() / a
}

/// The period of a pendulum with an amplitude of 120°: after ten of them it is
/// back where it was let go, and what is left of its speed says how late it is.
/// Errors follow the steps taken with the order of the method: 3, and 5.
#[test]
fn pendulum_swings_with_its_period_and_the_order_shows() {
    let angle = 2.0 * PI / 3.0;
    let ten = 10.0 * period(angle);
    let restoring = PENDULUM.mass * G * PENDULUM.lever * angle.sin() / PENDULUM.inertia;
    println!("integrator  tolerance  period error  angle error  steps  rejected  order");
    for (integrator, order) in [(Integrator::Implicit, 2.7), (Integrator::Rk45, 4.5)] {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for exponent in [3, 4, 5, 6, 7, 8] {
            let tolerance = 10.0_f64.powi(-exponent);
            let mut builder = ModelBuilder::new();
            builder.add(pendulum(Parent::World));
            let (model, mut state) = built(builder);
            state.q[0] = angle;
            let mut sim = Simulation::new(model, state, settings(integrator, tolerance)).unwrap();
            sim.advance_to(ten).unwrap();
            let late = (sim.state().v[0] / restoring).abs() / ten;
            let off = (sim.state().q[0] - angle).abs();
            let s = sim.statistics();
            points.push(((s.steps as f64).ln(), late.ln()));
            let seen = points.len().checked_sub(2).map_or(f64::NAN, |k| {
                let ((x0, y0), (x1, y1)) = (points[k], points[k + 1]);
                (y0 - y1) / (x1 - x0)
            });
            println!(
                "{integrator:10?}  {tolerance:.0e}  {late:12.2e}  {off:11.2e}  {:5}  {:8}  {seen:5.2}",
                s.steps, s.rejected
            );
            assert!(late < tolerance, "period off by {late:e}");
        }
        let n = points.len();
        let ((x0, y0), (x1, y1)) = (points[1], points[n - 1]);
        let seen = (y0 - y1) / (x1 - x0);
        println!("{integrator:?}: order {seen:.2} from 1e-4 to 1e-8");
        assert!(seen > order, "order {seen}");
    }
}

/// x = x₀ e^(−ct/2m) (cos ωt + c/(2mω) sin ωt) about the rest position.
#[test]
fn damped_spring_follows_its_closed_form() {
    let (mass, stiffness, damping, rest, start) = (0.5, 200.0, 1.5, 0.02, 0.05);
    let decay: f64 = 0.5 * damping / mass;
    let omega = (stiffness / mass - decay * decay).sqrt();
    println!("integrator  tolerance  largest error m");
    for integrator in BOTH {
        let mut last = f64::INFINITY;
        for tolerance in [1.0e-3, 1.0e-5, 1.0e-7] {
            let mut builder = ModelBuilder::new();
            let mut body = bare(
                "mass",
                Parent::World,
                Joint::Prismatic { axis: DVec3::X },
                mass,
                DVec3::ZERO,
            );
            body.joint_params.damping = damping;
            body.joint_params.spring = Some(Spring { stiffness, rest });
            builder.add(body);
            let (model, mut state) = built(builder);
            state.q[0] = rest + start;
            let mut sim = Simulation::new(model, state, settings(integrator, tolerance)).unwrap();
            let mut worst = 0.0_f64;
            let initial = sim.energies().balance();
            for k in 1..=20 {
                let t = 0.1 * f64::from(k);
                sim.advance_to(t).unwrap();
                let (s, c) = (omega * t).sin_cos();
                let exact = rest + start * (-decay * t).exp() * (c + decay / omega * s);
                worst = worst.max((sim.state().q[0] - exact).abs());
            }
            let balance = (sim.energies().balance() - initial).abs() / initial;
            println!("{integrator:10?}  {tolerance:.0e}  {worst:9.2e}  balance {balance:9.2e}");
            // A step may err by a millimetre times the tolerance; errors of ten
            // steps add up before damping takes them.
            assert!(worst < 1.0e-2 * tolerance, "error {worst:e}");
            assert!(balance < tolerance, "balance off by {balance:e}");
            assert!(worst < 0.3 * last, "a smaller tolerance is no better");
            last = worst;
        }
    }
}

/// A base that is shaken along x: a sin ωt.
#[derive(Debug)]
struct Shaken {
    amplitude: f64,
    omega: f64,
}

impl Shaken {
    fn acceleration(&self, t: f64) -> f64 {
        -self.amplitude * self.omega * self.omega * (self.omega * t).sin()
    }
}

impl Motion for Shaken {
    fn at(&self, t: f64) -> FrameMotion {
        let (s, c) = (self.omega * t).sin_cos();
        let along = |x: f64| Twist::new(DVec3::ZERO, DVec3::new(x, 0.0, 0.0));
        FrameMotion {
            X_WF: Pose::from_translation(DVec3::new(self.amplitude * s, 0.0, 0.0)),
            V_WF: along(self.amplitude * self.omega * c),
            A_WF: along(self.acceleration(t)),
        }
    }
}

/// With θ about +y the centre of mass is at x_b − l sin θ, −l cos θ, so
/// I θ̈ = m l (ẍ_b cos θ − g sin θ). Reference: classical Runge–Kutta with steps
/// of 50 µs, whose error is 1e-12.
#[test]
fn pendulum_on_a_shaken_base() {
    let base = Shaken {
        amplitude: 0.03,
        omega: 11.0,
    };
    let (first, h, count) = (0.4, 5.0e-5, 60_000_u32);
    let drive = PENDULUM.mass * PENDULUM.lever / PENDULUM.inertia;
    let f = |t: f64, [angle, rate]: [f64; 2]| {
        let push = base.acceleration(t) * angle.cos() - G * angle.sin();
        [rate, drive * push]
    };
    let mut x = [first, 0.0];
    for k in 0..count {
        let t = h * f64::from(k);
        let add = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let k1 = f(t, x);
        let k2 = f(t + 0.5 * h, add(k1, 0.5 * h));
        let k3 = f(t + 0.5 * h, add(k2, 0.5 * h));
        let k4 = f(t + h, add(k3, h));
        for i in 0..2 {
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    let end = h * f64::from(count);
    println!("integrator  tolerance  angle error  balance error / work of the base");
    let base = Arc::new(base);
    for integrator in BOTH {
        let mut last = [f64::INFINITY; 2];
        for tolerance in [1.0e-3, 1.0e-5, 1.0e-7] {
            let mut builder = ModelBuilder::new();
            let base_motion = builder.add_motion(base.clone());
            builder.add(pendulum(Parent::BaseMotion(base_motion)));
            let (model, mut state) = built(builder);
            state.q[0] = first;
            let mut sim = Simulation::new(model, state, settings(integrator, tolerance)).unwrap();
            let start = sim.energies().balance();
            sim.advance_to(end).unwrap();
            let now = sim.energies();
            let work = now.balance.base_motions;
            assert!(work.abs() > 1.0e-2, "the base works: {work} J");
            let errors = [
                (sim.state().q[0] - x[0]).abs(),
                ((now.balance() - start) / work).abs(),
            ];
            println!(
                "{integrator:10?}  {tolerance:.0e}  {:9.2e}  {:9.2e} work {work:.4}",
                errors[0], errors[1]
            );
            for k in 0..2 {
                assert!(errors[k] < 10.0 * tolerance, "error {:e}", errors[k]);
                assert!(
                    errors[k] < 0.3 * last[k],
                    "a smaller tolerance is no better"
                );
            }
            last = errors;
        }
    }
}

/// A controller at 1 kHz that swings a mass on a slide: the momentum is the sum of
/// its efforts, and it costs about a step a period, not a restart.
#[test]
fn adjusting_often_costs_a_step_a_period() {
    let mut builder = ModelBuilder::new();
    builder.gravity = DVec3::ZERO;
    let slide = Joint::Prismatic { axis: DVec3::X };
    let mass = builder.add(bare("mass", Parent::World, slide, 0.5, DVec3::ZERO));
    let motor = builder.drive(mass.joint(), Actuator::effort(0.0));
    let mut sim = Simulation::start(builder.build().unwrap()).unwrap();
    let (period, mut momentum) = (1.0e-3, 0.0);
    for k in 1..=1000_u32 {
        let effort = 3.0 * (2.0 * PI * f64::from(k) / 200.0).sin();
        momentum += effort * period;
        sim.adjust(|controls| {
            let new = Actuator::effort(effort);
            controls.set_actuator(motor, new).unwrap();
        })
        .unwrap();
        sim.advance_to(f64::from(k) * period).unwrap();
    }
    let found = 0.5 * sim.joint_velocity(mass.joint()).unwrap();
    assert!((found - momentum).abs() < 1.0e-9, "{found} N s, {momentum}");
    assert!(sim.statistics().steps < 1200, "{:?}", sim.statistics());
    let refused = sim.adjust(|controls| controls.gravity = DVec3::NAN.into());
    assert!(refused.is_err() && sim.controls().gravity.vector == DVec3::ZERO);
}
