//! The tangents of the whole system against central differences, at rest in a
//! grasp: what the implicit method solves with is the derivative of what it
//! integrates.
//!
//! Numbers are compared in N/m and N s/m, angles counted by the distance they
//! move. The stiffness of the contacts is 10⁵ N/m and more, but an object held
//! between two pads sways on what is left when that cancels: its weight and the
//! squeeze over its size, some 10² N/m. So errors are bounded by a part of that,
//! not of the largest entry. What is approximate, and why, is said in
//! `volar-contact/tests/suite/tangents.rs`.

use std::sync::Arc;

use crate::evaluate::{Evaluation, Patches};
use crate::layout::Layout;
use crate::scenes::{self, Squeeze, block, box_mass, place};
use crate::start::Release;
use crate::tangent::Tangent;
use crate::{Body, BodyId, Controls, Model, ModelBuilder, Parent, Settings, Simulation, State};
use glam::DVec3;
use volar_contact::{Material, Patch};
use volar_dynamics::{Actuator, Crba, DofParams, Joint, Signal};
use volar_geom::Pose;
use volar_math::BlockPattern;
use volar_testkit::rng::Rng;

/// Positions are moved by this, m: a thousandth of the depth of the contacts.
const STEP: f64 = 1.0e-8;

/// Bristles act with the stiffness a patch had when the step began or with that
/// of its area now, whichever is less: at the start of a step that is a corner,
/// and the tangents hold the stiffness. With bristles softer by a half, and as
/// much farther deflected, the force is the same and the corner is elsewhere.
const HELD: f64 = 0.5;

fn softer(patch: Patch, part: f64) -> Patch {
    Patch {
        stiffness: part * patch.stiffness,
        torsional_stiffness: part * patch.torsional_stiffness,
        ..patch
    }
}

/// A settled scene, to be evaluated anywhere around its state.
struct Probe {
    model: Arc<Model>,
    controls: Controls,
    q0: Vec<f64>,
    patches: Patches,
    layout: Layout,
    x0: Vec<f64>,
    evaluation: Evaluation,
    q: Vec<f64>,
}

impl Probe {
    fn new(simulation: &Simulation, part: f64) -> Probe {
        let (model, state) = (simulation.model().clone(), simulation.state());
        let mut patches = Patches::default();
        for pair in &state.patches {
            patches.pairs.push((pair.bodies, patches.patches.len()));
            patches
                .patches
                .extend(pair.tracked.iter().map(|t| softer(t.patch, part)));
        }
        let layout = Layout {
            nv: model.tree().nv(),
            joints: state.joint_friction.len(),
            patches: patches.patches.len(),
            patch_size: model.law.states(),
        };
        // The velocities are zero but for what is left of settling.
        let mut x0 = vec![0.0; layout.dim()];
        x0[layout.joint_friction()].copy_from_slice(&state.joint_friction);
        let tracked = state.patches.iter().flat_map(|pair| &pair.tracked);
        for (i, t) in tracked.enumerate() {
            let state = t.state.map(|z| z / part);
            x0[layout.patch(i)].copy_from_slice(&state[..layout.patch_size]);
        }
        Probe {
            controls: simulation.controls().clone(),
            q0: state.q.clone(),
            q: state.q.clone(),
            model,
            patches,
            layout,
            x0,
            evaluation: Evaluation::default(),
        }
    }

    fn rate(&mut self, x: &[f64]) -> Vec<f64> {
        let layout = self.layout;
        self.model
            .tree
            .plus(&self.q0, &x[layout.chart()], &mut self.q);
        let v = &x[layout.velocity()];
        self.evaluation
            .geometry(&self.model, &self.controls, &self.patches, 0.0, &self.q, v);
        let mut rate = vec![0.0; layout.dim()];
        self.evaluation
            .rates(
                &self.model,
                &self.controls,
                &self.patches,
                &layout,
                0.0,
                &self.q,
                x,
                &mut rate,
            )
            .expect("the scene can be evaluated");
        rate
    }

    fn tangent(&mut self) -> Tangent {
        let x = self.x0.clone();
        self.rate(&x);
        let mut tangent = Tangent::default();
        tangent.linearise(
            &self.model,
            &self.controls,
            &self.evaluation,
            &self.patches,
            &self.layout,
            0.0,
            &self.q0,
            &x,
        );
        tangent
    }

    fn mass(&mut self) -> Vec<f64> {
        let nv = self.layout.nv;
        let mut M = vec![0.0; nv * nv];
        let armature = self.controls.joints.armature();
        Crba::default().calc(
            &self.model.tree,
            &self.evaluation.kinematics,
            armature,
            &BlockPattern::dense(nv),
            &mut M,
        );
        M
    }

    /// `∂τ/∂q` or `∂τ/∂v` by differences: `M ∂v̇`, as v̇ = 0 here. Row-major.
    fn differences(&mut self, first: usize, step: f64) -> Vec<f64> {
        let nv = self.layout.nv;
        let x0 = self.x0.clone();
        self.rate(&x0);
        let M = self.mass();
        let mut out = vec![0.0; nv * nv];
        for j in 0..nv {
            let h = step / self.model.lever[j];
            let ends = [-h, h].map(|by| {
                let mut x = x0.clone();
                x[first + j] += by;
                self.rate(&x)[self.layout.velocity()].to_vec()
            });
            for i in 0..nv {
                let force = |end: &[f64]| (0..nv).map(|k| M[i * nv + k] * end[k]).sum::<f64>();
                out[i * nv + j] = (force(&ends[1]) - force(&ends[0])) / (2.0 * h);
            }
        }
        out
    }

    /// The entries of a matrix over the levers of their dofs.
    fn levelled(&self, m: &[f64]) -> Vec<f64> {
        let lever = &self.model.lever;
        let nv = self.layout.nv;
        (0..nv * nv)
            .map(|k| m[k] / (lever[k / nv] * lever[k % nv]))
            .collect()
    }
}

fn largest(m: impl IntoIterator<Item = f64>) -> f64 {
    m.into_iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Compares K and D; returns (largest entry, largest error) of each.
fn compare(name: &str, probe: &mut Probe) -> [(f64, f64); 2] {
    let tangent = probe.tangent();
    let (pattern, K, D) = tangent.matrices();
    let nv = probe.layout.nv;
    let dense = |entries: &[f64]| -> Vec<f64> {
        let mut all = vec![0.0; nv * nv];
        for block in 0..pattern.blocks() {
            for &i in pattern.members(block) {
                for &j in pattern.members(block) {
                    all[i * nv + j] = entries[pattern.index(i, j)];
                }
            }
        }
        all
    };
    let wanted = [probe.differences(0, STEP), probe.differences(nv, 1e-6)];
    let mut out = [(0.0, 0.0); 2];
    for (k, (got, wanted)) in [K, D].into_iter().zip(&wanted).enumerate() {
        let (got, wanted) = (probe.levelled(&dense(got)), probe.levelled(wanted));
        let off = got.iter().zip(&wanted).map(|(a, b)| a - b);
        out[k] = (largest(wanted.iter().copied()), largest(off));
        let what = ["∂τ/∂q, N/m", "∂τ/∂v, N s/m"][k];
        println!(
            "{name:<18} {what:<13} {:>9.2e}  {:>8.1e}",
            out[k].0, out[k].1
        );
    }
    out
}

/// A scene that has come to rest.
fn settled(model: Arc<Model>, state: State, time: f64) -> Simulation {
    let mut simulation = Simulation::new(model, state, Settings::default()).unwrap();
    simulation.advance_to(time).expect("it comes to rest");
    let speed = largest(simulation.state().v.iter().copied());
    assert!(speed < 1e-9, "still moving with {speed:e}");
    simulation
}

/// A block between two pads, askew by a little so that nothing cancels by
/// symmetry.
fn squeezed() -> Simulation {
    let squeeze = Squeeze::of(block(DVec3::new(0.08, 0.05, 0.05)));
    let model = squeeze.model();
    let mut state = State::neutral(&model);
    place(
        &model,
        &mut state,
        BodyId::new(2),
        DVec3::new(0.0, 0.003, 0.004),
        [1.0, 0.002, 0.003, 0.01],
    );
    settled(model, state, 3.0)
}

/// A slide, two fingers that turn about y below it, and a box between them.
fn pinched() -> Simulation {
    let rubber = Material::named("rubber").expect("in the table");
    let mut builder = ModelBuilder::new();
    let slide = builder.add(Body {
        name: "slide".into(),
        parent: Parent::World,
        placement: Pose::from_translation(DVec3::new(0.0, 0.0, 0.1)),
        joint: Joint::Prismatic { axis: DVec3::Z },
        mass: box_mass(0.3, DVec3::splat(0.05)),
        shapes: vec![],
        material: rubber,
        joint_params: DofParams {
            damping: 50.0,
            ..DofParams::default()
        },
    });
    let servo = Actuator::Position {
        target: Signal::Constant(0.0),
        kp: 2e3,
        kd: 20.0,
        effort_limit: None,
    };
    builder.drive(slide.joint(), servo);
    let size = DVec3::new(0.01, 0.02, 0.08);
    let mut links = vec![slide];
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let mut mass = box_mass(0.05, size);
        mass.centre_of_mass = DVec3::new(0.0, 0.0, -0.04);
        let mesh = volar_geom::mesh::shapes::cuboid(size)
            .transformed(1.0, &Pose::from_translation(DVec3::new(0.0, 0.0, -0.04)));
        let finger = builder.add(Body {
            name: name.into(),
            parent: Parent::Body(slide),
            placement: Pose::from_translation(DVec3::new(0.03 * side, 0.0, 0.0)),
            joint: Joint::Revolute {
                axis: side * DVec3::Y,
            },
            mass,
            shapes: vec![scenes::closed(mesh)],
            material: rubber,
            joint_params: DofParams {
                damping: 0.02,
                armature: 1e-5,
                ..DofParams::default()
            },
        });
        builder.drive(finger.joint(), Actuator::effort(0.4));
        links.push(finger);
    }
    builder.exclude_among(&links);
    let plastic = Material::named("plastic")
        .expect("in the table")
        .with_friction(0.8);
    let object = builder.add(Body::free(
        "box",
        block(DVec3::new(0.04, 0.03, 0.03)),
        0.1,
        plastic,
    ));
    let model = Arc::new(builder.build().expect("a sound model"));
    let mut state = State::neutral(&model);
    // Held up by the fingers, which start where they touch it.
    place(
        &model,
        &mut state,
        object,
        DVec3::new(0.0, 0.002, 0.035),
        [1.0, 0.01, 0.0, 0.01],
    );
    for finger in &links[1..] {
        state.q[model.tree().q_range(finger.index()).start] = 0.07;
    }
    settled(model, state, 3.0)
}

#[test]
fn stiffness_and_damping_at_rest() {
    println!("scene              matrix          largest     error");
    let [(_, error), (_, damping)] = compare("squeeze", &mut Probe::new(&squeezed(), HELD));
    assert!(error < 100.0, "{error} N/m");
    assert!(damping < 0.01, "{damping} N s/m");
    let [(_, error), (_, damping)] = compare("revolute fingers", &mut Probe::new(&pinched(), HELD));
    assert!(error < 100.0, "{error} N/m");
    assert!(damping < 0.01, "{damping} N s/m");
}

/// The two dampers of a release are in the tangents as they are in the forces.
#[test]
fn damping_of_a_release() {
    let simulation = squeezed();
    let mut probe = Probe::new(&simulation, HELD);
    let [_, (without, _)] = compare("squeeze", &mut probe);
    let bodies = probe.patches.pairs.iter().map(|(bodies, _)| *bodies);
    probe.patches.releases = bodies
        .map(|bodies| Release {
            bodies,
            since: 0.0,
            time: 5.0e-3,
            share: 1.0,
        })
        .collect();
    let [(_, error), (largest, damping)] = compare("released", &mut probe);
    assert!(
        largest > 2.0 * without,
        "{largest} N s/m, {without} without"
    );
    assert!(error < 100.0, "{error} N/m");
    assert!(damping < 0.01, "{damping} N s/m");
}

/// `(1 − c J) k = b` as the implicit method solves it, with patches eliminated,
/// put back into differences of the rates along k. What is left is solved for
/// once more: how much of k that is, and how large k is against b.
fn change(probe: &mut Probe, c: f64) -> [f64; 2] {
    let layout = probe.layout;
    let lever = probe.model.lever.clone();
    let mut tangent = probe.tangent();
    assert!(tangent.factor(c), "singular");
    let mut rng = Rng::for_case("solve", 0);
    let mut b = vec![0.0; layout.dim()];
    // Velocities of 1 mm/s, and what they move and deflect in c.
    for i in 0..layout.nv {
        b[layout.nv + i] = 1e-3 / lever[i] * rng.uniform(-1.0, 1.0);
        b[i] = c * b[layout.nv + i];
    }
    for i in 0..layout.patches {
        for slot in layout.patch(i).take(3) {
            b[slot] = 1e-3 * c * rng.uniform(-1.0, 1.0);
        }
    }
    let mut k = b.clone();
    tangent.solve(&layout, &mut k);
    // So short a way along k that positions move by STEP.
    let moved = largest((0..layout.nv).map(|i| k[i] * lever[i]));
    let h = STEP / moved;
    let ends = [-h, h].map(|by| {
        let x: Vec<f64> = probe.x0.iter().zip(&k).map(|(x, k)| x + by * k).collect();
        probe.rate(&x)
    });
    let mut left = vec![0.0; layout.dim()];
    for slot in 0..layout.patch_states().end {
        let along = (ends[1][slot] - ends[0][slot]) / (2.0 * h);
        left[slot] = b[slot] + c * along - k[slot];
    }
    tangent.solve(&layout, &mut left);
    let size = |x: &[f64]| largest((0..layout.nv).map(|i| x[layout.nv + i] * lever[i]));
    [size(&left) / size(&k), size(&k) / size(&b)]
}

/// A step with an inexact tangent is stable while solving once more changes the
/// answer by less than itself; here by some percent at the longest step.
#[test]
fn the_solved_system_is_the_systems_own() {
    println!("scene             bristles  c, s    answer / b    change");
    for (name, simulation) in [("squeeze", squeezed()), ("revolute fingers", pinched())] {
        for (bristles, part, tolerances) in [
            ("held", HELD, [1e-5, 1e-2, 0.1]),
            // At the corner, where differences see half of what is held.
            ("as is", 1.0, [1e-3, 0.3, 0.3]),
        ] {
            let mut probe = Probe::new(&simulation, part);
            for (c, tolerance) in [1e-5, 1e-3, 1e-1].into_iter().zip(tolerances) {
                let [change, answer] = change(&mut probe, c);
                println!("{name:<17} {bristles:<8}  {c:<7} {answer:>10.1e}  {change:>8.1e}");
                assert!(change < tolerance, "{name}, c = {c}: {change:e}");
            }
        }
    }
}
