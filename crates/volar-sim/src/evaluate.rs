//! One evaluation of the equations of motion. **Read this first.**
//!
//! | stage | in | out | where |
//! |---|---|---|---|
//! | 1 kinematics | q, v | poses, velocities | volar-dynamics/kinematics |
//! | 2 broadphase | poses | pairs whose boxes overlap | volar-geom/broadphase |
//! | 3 overlap | a pair | what its meshes share | volar-geom/overlap |
//! | 4 contact | overlap, relative motion, patches | wrench, rates of patches | volar-contact |
//! | 5 joints | q, v, actuators | efforts | volar-dynamics/joint_forces |
//! | 6 gather | wrenches | one per body | here |
//! | 7 dynamics | wrenches, efforts | v̇ | volar-dynamics/aba |
//! | 8 pack | all of these | ẋ | here |
//!
//! Stages 1 to 3 depend on the coordinates alone, so that they need not be
//! repeated when only the patches change.

use std::sync::Arc;

use rayon::prelude::*;
use volar_contact::memory::MAX_STATES;
use volar_contact::{PairContact, PairInput, PairMaterial, PairState, Patch, PatchState};
use volar_dynamics::{
    Aba, ClosureSolver, FrameMotion, JointEfforts, Kinematics, Loads, Rnea, Switches,
};
use volar_geom::Pose;
use volar_geom::broadphase::BroadPhase;
use volar_geom::bvh::Aabb;
use volar_math::{Twist, Wrench};

use crate::controls::Controls;
use crate::energy_balance;
use crate::error::SimError;
use crate::layout::Layout;
use crate::model::Model;
use crate::stage::{Clock, Stage};
use crate::start::Release;

/// The patches of all pairs, fixed during a step.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// Pairs that have patches, sorted, with the number of their first one.
    pub pairs: Vec<((u32, u32), usize)>,
    /// The patches, pair by pair.
    pub patches: Vec<Patch>,
    /// Pairs whose start in overlap is being released.
    pub releases: Vec<Release>,
}

impl Patches {
    /// Numbers of the patches of a pair.
    pub fn of(&self, pair: (u32, u32)) -> std::ops::Range<usize> {
        match self.pairs.binary_search_by_key(&pair, |entry| entry.0) {
            Ok(i) => {
                let end = self
                    .pairs
                    .get(i + 1)
                    .map_or(self.patches.len(), |next| next.1);
                self.pairs[i].1..end
            }
            Err(_) => 0..0,
        }
    }

    /// What the materials of two bodies make together at a time.
    pub(crate) fn pair_material(
        &self,
        controls: &Controls,
        a: usize,
        b: usize,
        t: f64,
    ) -> PairMaterial {
        let mut pair_material = controls.pair_material_at(a, b);
        if let Some(release) = self.release((a as u32, b as u32)) {
            release.apply(t, &mut pair_material);
        }
        pair_material
    }

    /// The release of a pair that started in overlap.
    pub(crate) fn release(&self, bodies: (u32, u32)) -> Option<&Release> {
        self.releases.iter().find(|r| r.bodies == bodies)
    }
}

/// The contact of one pair in this evaluation.
#[derive(Clone, Debug)]
pub struct ActivePair {
    /// Its bodies A < B.
    pub bodies: (u32, u32),
    /// Pose of B in A.
    pub X_AB: Pose,
    /// Twist of A relative to B at the contact's point, in A.
    pub twist: Twist,
    /// Forces.
    pub contact: PairContact,
}

impl Default for ActivePair {
    fn default() -> ActivePair {
        ActivePair {
            bodies: (0, 0),
            X_AB: Pose::IDENTITY,
            twist: Twist::default(),
            contact: PairContact::default(),
        }
    }
}

/// Buffers and results of one evaluation.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Poses and velocities (stage 1).
    pub kinematics: Kinematics,
    base_motions: Vec<FrameMotion>,
    boxes: Vec<Aabb>,
    broadphase: BroadPhase,
    pairs: Vec<(u32, u32)>,
    /// Contacts (stages 3 and 4); the first `active` are in use.
    pool: Vec<ActivePair>,
    active: usize,
    states: Vec<PatchState>,
    /// Which stops and limits of servos act, held during a step.
    pub switches: Switches,
    /// Efforts of the joints (stage 5).
    pub efforts: JointEfforts,
    /// Wrench on each body (stage 6).
    pub wrenches: Vec<Wrench>,
    /// Forces of closed chains, and the wrenches with them (stage 7).
    pub closing: ClosureSolver,
    pub(crate) all_wrenches: Vec<Wrench>,
    aba: Aba,
    rnea: Rnea,
    unused_tau: Vec<f64>,
    /// Accelerations (stage 7).
    pub vdot: Vec<f64>,
    /// Threads for the overlaps; none: the calling one.
    pub(crate) workers: Option<Arc<rayon::ThreadPool>>,
    /// Time spent per stage, when asked for.
    pub clock: Clock,
}

impl Evaluation {
    /// Stages 1 to 3: everything that depends on time and coordinates (and
    /// velocities, for the kinematics).
    pub fn geometry(
        &mut self,
        model: &Model,
        controls: &Controls,
        patches: &Patches,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) {
        self.clock.start();
        self.kinematics_at(model, t, q, v);
        self.boxes.clear();
        self.boxes
            .extend(
                model
                    .surfaces
                    .iter()
                    .zip(&self.kinematics.X_WB)
                    .map(|(surface, X_WB)| {
                        surface.as_ref().map_or(Aabb::EMPTY, |surface| {
                            surface.mesh.bounds().transformed(X_WB)
                        })
                    }),
            );
        self.pairs.clear();
        self.pairs
            .extend_from_slice(self.broadphase.pairs(&self.boxes, &model.filter));
        // Patches of bodies that have just parted must still relax.
        self.pairs.extend(patches.pairs.iter().map(|entry| entry.0));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.clock.lap(Stage::Broadphase);

        self.active = self.pairs.len();
        if self.pool.len() < self.active {
            self.pool.resize_with(self.active, ActivePair::default);
        }
        self.overlaps(model, controls, |_, _| true);
    }

    /// Stages 1 to 3 a moment after the last [`geometry`](Self::geometry), at the same
    /// coordinates: only what different motions carry has moved against each other, and
    /// no new pair is looked for.
    pub(crate) fn geometry_later(
        &mut self,
        model: &Model,
        controls: &Controls,
        t: f64,
        q: &[f64],
        v: &[f64],
    ) {
        self.clock.start();
        self.kinematics_at(model, t, q, v);
        let tree = &model.tree;
        self.overlaps(model, controls, |a, b| {
            tree.carried_by(a) != tree.carried_by(b)
        });
    }

    /// Stage 1.
    fn kinematics_at(&mut self, model: &Model, t: f64, q: &[f64], v: &[f64]) {
        self.base_motions.clear();
        self.base_motions
            .extend(model.motions.iter().map(|motion| motion.at(t)));
        self.kinematics.calc(&model.tree, q, v, &self.base_motions);
        self.clock.lap(Stage::Kinematics);
    }

    /// Stage 3 for the pairs that `moved`.
    fn overlaps(
        &mut self,
        model: &Model,
        controls: &Controls,
        moved: impl Fn(usize, usize) -> bool + Sync,
    ) {
        let X_WB = &self.kinematics.X_WB;
        let overlap = |(active, &bodies): (&mut ActivePair, &(u32, u32))| {
            let (a, b) = (bodies.0 as usize, bodies.1 as usize);
            if !moved(a, b) {
                return;
            }
            active.bodies = bodies;
            active.X_AB = Pose::relative(&X_WB[a], &X_WB[b]);
            let pair_material = controls.pair_material_at(a, b);
            if let Some(pair) = pair_input(model, &pair_material, a, b) {
                active.contact.overlap(&model.law, &pair, &active.X_AB);
            }
        };
        // The same function for every pair, whoever runs it; nothing is summed
        // here, so the bits do not depend on the number of threads.
        let work = &mut self.pool[..self.active];
        match &self.workers {
            Some(workers) if work.len() > 1 => {
                let pairs = &self.pairs;
                workers.install(|| work.par_iter_mut().zip(pairs).for_each(overlap));
            }
            _ => work.iter_mut().zip(&self.pairs).for_each(overlap),
        }
        self.clock.lap(Stage::Overlap);
    }

    /// Stages 4 to 8: forces, accelerations and rates, for the geometry of
    /// the last [`geometry`](Self::geometry).
    #[expect(clippy::too_many_arguments, reason = "the inputs of one evaluation")]
    pub fn rates(
        &mut self,
        model: &Model,
        controls: &Controls,
        patches: &Patches,
        layout: &Layout,
        t: f64,
        q: &[f64],
        x: &[f64],
        rate: &mut [f64],
    ) -> Result<(), SimError> {
        self.clock.start();
        let v = &x[layout.velocity()];
        self.contacts(model, controls, patches, layout, t, x);
        self.clock.lap(Stage::Contact);

        let z = &x[layout.joint_friction()];
        let (held, efforts) = (&self.switches, &mut self.efforts);
        controls.joints.calc(t, q, v, z, held, efforts);
        self.clock.lap(Stage::Joints);

        self.gather(model, controls, t);
        let loads = Loads {
            gravity: controls.gravity.at(t),
            F_Bo_W: &self.wrenches,
            armature: controls.joints.armature(),
        };
        self.vdot.resize(layout.nv, 0.0);
        self.aba
            .calc(
                &model.tree,
                &self.kinematics,
                &loads,
                &self.efforts.tau,
                &mut self.vdot,
            )
            .map_err(|singular| SimError::Singular {
                time: t,
                body: model.name_at(singular.body).into(),
            })?;
        if !model.closures.is_empty() {
            self.close(model, controls, t, q, v)?;
        }
        let base_motion_power = if self.base_motions.is_empty() {
            0.0
        } else {
            let loads = Loads {
                gravity: controls.gravity.at(t),
                F_Bo_W: acting(&self.wrenches, &self.all_wrenches),
                armature: controls.joints.armature(),
            };
            self.unused_tau.resize(layout.nv, 0.0);
            self.rnea.calc(
                &model.tree,
                &self.kinematics,
                &loads,
                &self.vdot,
                &mut self.unused_tau,
            );
            self.base_motion_power(model)
        };
        self.clock.lap(Stage::Dynamics);

        self.pack(model, patches, layout, x, rate);
        let balance = &mut rate[layout.balance()];
        energy_balance::write_powers(self, controls, t, base_motion_power, balance);
        self.clock.lap(Stage::Pack);
        Ok(())
    }

    /// Stage 4: the forces of every pair; alone it is what patches are renewed
    /// from.
    pub(crate) fn contacts(
        &mut self,
        model: &Model,
        controls: &Controls,
        patches: &Patches,
        layout: &Layout,
        t: f64,
        x: &[f64],
    ) {
        self.states.clear();
        for patch in 0..layout.patches {
            let mut state = [0.0; MAX_STATES];
            state[..layout.patch_size].copy_from_slice(&x[layout.patch(patch)]);
            self.states.push(state);
        }
        let kinematics = &self.kinematics;
        for active in &mut self.pool[..self.active] {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let own = patches.of(active.bodies);
            active.twist = relative_twist(kinematics, a, b, &active.contact);
            let pair_material = patches.pair_material(controls, a, b, t);
            if let Some(pair) = pair_input(model, &pair_material, a, b) {
                let state = PairState {
                    time: t,
                    X_AB: active.X_AB,
                    twist: active.twist,
                    patches: &patches.patches[own.clone()],
                    states: &self.states[own],
                };
                active.contact.forces(&model.law, &pair, &state);
                if let Some(release) = patches.release(active.bodies) {
                    release.add_drag(t, model, active);
                }
            }
        }
    }

    /// Stage 6: contact wrenches and external ones on every body, about its
    /// origin, in pair order.
    fn gather(&mut self, model: &Model, controls: &Controls, t: f64) {
        self.wrenches.clear();
        self.wrenches.resize(model.surfaces.len(), Wrench::ZERO);
        let X_WB = &self.kinematics.X_WB;
        for load in &controls.loads {
            let body = load.body.index();
            let arm = load.arm(&X_WB[body]);
            self.wrenches[body] += load.at(t).about(-arm);
        }
        for active in &self.pool[..self.active] {
            let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
            let p_WC = X_WB[a].point(active.contact.point);
            let F_C_W = active.contact.wrench.rotated(&X_WB[a].R);
            self.wrenches[a] += F_C_W.about(X_WB[a].p - p_WC);
            self.wrenches[b] -= F_C_W.about(X_WB[b].p - p_WC);
        }
    }

    /// Power that the prescribed motions put in through the roots' joints.
    fn base_motion_power(&self, model: &Model) -> f64 {
        let bodies = model.tree.bodies().iter().enumerate();
        bodies
            .filter_map(|(b, body)| {
                let frame = &self.base_motions[body.base_motion?];
                let r = self.kinematics.X_WB[b].p - frame.X_WF.p;
                Some(self.rnea.joint_wrenches()[b].dot(frame.V_WF.at(r)))
            })
            .sum()
    }

    /// The wrench that passes through a body's joint, about Bo in world axes.
    pub(crate) fn joint_wrench(
        &self,
        model: &Model,
        controls: &Controls,
        gravity: glam::DVec3,
        body: usize,
    ) -> Wrench {
        let loads = Loads {
            gravity,
            F_Bo_W: self.acting_wrenches(),
            armature: controls.joints.armature(),
        };
        let mut rnea = Rnea::default();
        let mut unused_tau = vec![0.0; self.vdot.len()];
        rnea.calc(
            &model.tree,
            &self.kinematics,
            &loads,
            &self.vdot,
            &mut unused_tau,
        );
        rnea.joint_wrenches()[body]
    }

    /// Stage 8: the rate of everything in x but the balance.
    fn pack(&self, model: &Model, patches: &Patches, layout: &Layout, x: &[f64], rate: &mut [f64]) {
        let v = &x[layout.velocity()];
        model
            .tree
            .chart_rate(&x[layout.chart()], v, &mut rate[layout.chart()]);
        rate[layout.velocity()].copy_from_slice(&self.vdot);
        for (slot, bristle) in layout.joint_friction().zip(&self.efforts.bristles) {
            rate[slot] = bristle.zdot;
        }
        let slips = layout.slips().start;
        let own = [model.law.friction_states(), model.law.normal_states()];
        for active in self.active() {
            let contact = &active.contact;
            let laws = contact.frictions.iter().zip(&contact.normal_contact.states);
            for ((friction, normal), patch) in laws.zip(patches.of(active.bodies)) {
                let start = layout.patch(patch).start;
                for (states, own) in [&friction.states, normal].into_iter().zip(&own) {
                    let at = start + own.start..start + own.end;
                    rate[at].copy_from_slice(&states.rate[..own.len()]);
                }
                rate[slips + patch] = friction.slip_rate;
            }
        }
    }

    /// The wrench on each body: contacts, loads and closed chains.
    pub(crate) fn acting_wrenches(&self) -> &[Wrench] {
        acting(&self.wrenches, &self.all_wrenches)
    }

    /// The pairs of this evaluation.
    pub fn active(&self) -> &[ActivePair] {
        &self.pool[..self.active]
    }

    /// Speed of the bodies of a pair against each other where they touch, m/s.
    pub(crate) fn approach_speed(&self, active: &ActivePair) -> f64 {
        let (a, b) = (active.bodies.0 as usize, active.bodies.1 as usize);
        let twist = relative_twist(&self.kinematics, a, b, &active.contact);
        twist.linear.length()
    }

    /// Boxes around the bodies, world axes.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
}

/// With those of closed chains, where there are any.
fn acting<'a>(wrenches: &'a [Wrench], all: &'a [Wrench]) -> &'a [Wrench] {
    if all.is_empty() { wrenches } else { all }
}

/// What the contact law must know of a pair; none when one has no surface.
pub(crate) fn pair_input<'a>(
    model: &'a Model,
    pair_material: &'a volar_contact::PairMaterial,
    a: usize,
    b: usize,
) -> Option<PairInput<'a>> {
    let (surface_a, surface_b) = (model.surfaces[a].as_ref()?, model.surfaces[b].as_ref()?);
    Some(PairInput {
        meshes: [&surface_a.mesh, &surface_b.mesh],
        pair_material,
        masses: [model.movable_mass(a), model.movable_mass(b)],
    })
}

/// Twist of A relative to B at the contact's point, in A.
pub(crate) fn relative_twist(
    kinematics: &Kinematics,
    a: usize,
    b: usize,
    contact: &PairContact,
) -> Twist {
    let X_WA = &kinematics.X_WB[a];
    let p_WC = X_WA.point(contact.point);
    let at = |body: usize| kinematics.V_WB[body].at(p_WC - kinematics.X_WB[body].p);
    (at(a) - at(b)).rotated(&X_WA.R.transpose())
}
