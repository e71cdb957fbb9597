//! One evaluation of the contact of one pair.
//!
//! 1. `overlap`: what the two meshes share (volar-geom)
//! 2. `press`: the normal part, by the law (`foundation` or `paper`)
//! 3. `friction`: friction of every patch
//! 4. the sum, with its tangents and its powers

use glam::DVec3;
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};

use crate::friction::{PatchFriction, Sliding};
use crate::law::{ContactLaw, Pressing};
use crate::material::PairMaterial;
use crate::memory::PatchState;
use crate::normal_contact::NormalContact;
use crate::patch::Patch;
use volar_math::{Matrix6, Twist, Wrench};

/// The bodies of a pair and how they are made.
#[derive(Clone, Copy)]
pub struct PairInput<'a> {
    /// Surfaces of A and B.
    pub meshes: [&'a ClosedMesh; 2],
    /// What the two materials make together.
    pub pair_material: &'a PairMaterial,
    /// Masses, for the paper's law.
    pub masses: [Option<f64>; 2],
}

/// Where the bodies of a pair are, how they move and what their contact
/// remembers.
#[derive(Clone, Copy)]
pub struct PairState<'a> {
    /// Time, s.
    pub time: f64,
    /// Pose of B in A.
    pub X_AB: Pose,
    /// Twist of A relative to B at the contact's point, in A.
    pub twist: Twist,
    /// Its patches.
    pub patches: &'a [Patch],
    /// Their states.
    pub states: &'a [PatchState],
}

/// The contact of one pair, with the buffers to evaluate it.
#[derive(Clone, Debug)]
pub struct PairContact {
    kernel: OverlapKernel,
    /// Point of reference of all wrenches, in A.
    pub point: DVec3,
    /// Overlap volume, m³; zero when the bodies are apart.
    pub volume: f64,
    /// The normal part.
    pub normal_contact: NormalContact,
    /// Friction of each piece of [`NormalContact::pieces`].
    pub frictions: Vec<PatchFriction>,
    /// Total wrench on A.
    pub wrench: Wrench,
    /// Change of the wrench on A per displacement of A relative to B, as seen
    /// from B.
    pub by_displacement: Matrix6,
    /// Change of the wrench on A per twist of A relative to B.
    pub by_twist: Matrix6,
    /// Power of the elastic part on the two bodies, W.
    pub elastic_power: f64,
    /// Power lost in damping, W; not negative.
    pub damping_lost: f64,
    /// Power lost in the release of a start in overlap, W; not negative.
    pub release_lost: f64,
}

impl Default for PairContact {
    fn default() -> PairContact {
        PairContact {
            kernel: OverlapKernel::new(),
            point: DVec3::ZERO,
            volume: 0.0,
            normal_contact: NormalContact::default(),
            frictions: Vec::new(),
            wrench: Wrench::default(),
            by_displacement: Matrix6::ZERO,
            by_twist: Matrix6::ZERO,
            elastic_power: 0.0,
            damping_lost: 0.0,
            release_lost: 0.0,
        }
    }
}

impl PairContact {
    /// Stage 1: intersects the meshes. True when they overlap.
    pub fn overlap(&mut self, law: &ContactLaw, pair: &PairInput, X_AB: &Pose) -> bool {
        let [a, b] = pair.meshes;
        let overlap = match law.normal.model().fields(pair.pair_material) {
            Some(fields) => self.kernel.overlap_with_cells(a, b, X_AB, fields),
            None => self.kernel.overlap(a, b, X_AB),
        };
        self.volume = overlap.total.volume;
        self.point = overlap.total.centroid.unwrap_or(DVec3::ZERO);
        self.volume > 0.0
    }

    /// How deep the components of the overlap are that are none of the patches
    /// yet, m: new contacts, also of bodies that touch elsewhere.
    pub fn new_depth(&self, patches: &[Patch]) -> f64 {
        let overlap = self.kernel.last();
        let mut deepest = 0.0_f64;
        for (component, measure) in (0_u32..).zip(&overlap.components) {
            let Some(centre) = measure.centroid else {
                continue;
            };
            let size = measure.surfaces[0].area.sqrt();
            let near = |patch: &Patch| (patch.centre - centre).length() <= patch.reach + size;
            if patches.iter().any(near) {
                continue;
            }
            let cells = overlap.cells.iter().flatten();
            let own = cells.filter(|cell| cell.component == component);
            let depth = own.map(|cell| cell.depth).fold(0.0, f64::max);
            let area = measure.surfaces[0].area_vector.length();
            deepest = deepest.max(if depth > 0.0 || area <= 0.0 {
                depth
            } else {
                // Without cells: the mean depth.
                measure.volume / area
            });
        }
        deepest
    }

    /// Stages 2 to 4: forces for a relative motion and the patches' states. The
    /// overlap is that of the last [`overlap`](Self::overlap), at the same pose.
    pub fn forces(&mut self, law: &ContactLaw, pair: &PairInput, state: &PairState) {
        let pressing = Pressing {
            pair,
            state,
            point: self.point,
            own: law.normal_states(),
        };
        law.normal
            .model()
            .press(&pressing, &mut self.kernel, &mut self.normal_contact);
        self.friction(law, pair, state);
        self.sum(&state.twist);
    }

    /// Friction of every piece; those that belong to no patch have no memory.
    fn friction(&mut self, law: &ContactLaw, pair: &PairInput, state: &PairState) {
        let own = law.friction_states();
        let model = law.friction.model();
        self.frictions.clear();
        for (i, piece) in self.normal_contact.pieces.iter().enumerate() {
            let patch = state.patches.get(i);
            self.frictions.push(model.resist(&Sliding {
                piece,
                pair_material: pair.pair_material,
                twist: &state.twist,
                memory: patch.map(|patch| (patch, &state.states[i][own.clone()])),
            }));
        }
    }

    fn sum(&mut self, twist: &Twist) {
        let normal_contact = &self.normal_contact;
        // Seen from B, what follows A's field or sticks to A turns along.
        let mut with_a =
            normal_contact.elastic[0] + normal_contact.damping + normal_contact.release;
        self.wrench = normal_contact.wrench();
        self.by_displacement = normal_contact.by_displacement;
        self.by_twist = normal_contact.by_twist;
        for friction in &self.frictions {
            with_a += friction.wrench;
            self.wrench += friction.wrench;
            self.by_displacement += friction.by_displacement;
            self.by_twist += friction.by_twist;
        }
        self.by_displacement += Matrix6::carrying(with_a);
        self.elastic_power =
            normal_contact.elastic[0].dot(*twist) + normal_contact.elastic[1].dot(*twist);
        self.damping_lost = -normal_contact.damping.dot(*twist);
        self.release_lost = -normal_contact.release.dot(*twist);
    }
}
