//! One evaluation of the contact of one pair.
//!
//! 1. `overlap`: what the two meshes share (volar-geom)
//! 2. `press`: the normal part, by the law (`foundation` or `paper`)
//! 3. `friction`: friction of every patch
//! 4. the sum, with its tangents and its powers

use glam::DVec3;
use volar_geom::overlap::{Fields, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};

use crate::friction::{self, Friction, PatchFriction};
use crate::material::PairMaterial;
use crate::normal_contact::NormalContact;
use crate::paper::{self, Direction, Paper};
use crate::patch::{Patch, PatchState};
use volar_math::{Matrix6, Twist, Wrench};

/// The law of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// What pushes bodies apart.
    pub normal: NormalLaw,
    /// What resists sliding.
    pub friction: Friction,
}

/// What pushes bodies apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalLaw {
    /// An elastic foundation on the depth fields of both bodies.
    Foundation,
    /// The paper's impedance on the overlap's volume.
    Paper(Paper),
}

impl Default for ContactLaw {
    fn default() -> ContactLaw {
        ContactLaw {
            normal: NormalLaw::Foundation,
            friction: Friction::Bristle,
        }
    }
}

impl ContactLaw {
    /// The paper's law with its friction (γ = 100 s/m).
    pub fn paper() -> ContactLaw {
        ContactLaw {
            normal: NormalLaw::Paper(Paper::default()),
            friction: Friction::Tanh { slope: 100.0 },
        }
    }
}

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
        }
    }
}

impl PairContact {
    /// Stage 1: intersects the meshes. True when they overlap.
    pub fn overlap(&mut self, law: &ContactLaw, pair: &PairInput, X_AB: &Pose) -> bool {
        let [a, b] = pair.meshes;
        let overlap = match law.normal {
            NormalLaw::Foundation => {
                let fields = Fields {
                    of_a: pair.pair_material.shares[0] > 0.0,
                    of_b: pair.pair_material.shares[1] > 0.0,
                };
                self.kernel.overlap_with_cells(a, b, X_AB, fields)
            }
            NormalLaw::Paper(_) => self.kernel.overlap(a, b, X_AB),
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

    /// Stages 2 to 4: forces for a relative motion and the patches' states.
    /// `twist` is that of A relative to B at [`point`](Self::point), in A.
    #[expect(clippy::too_many_arguments, reason = "the inputs of one evaluation")]
    pub fn forces(
        &mut self,
        law: &ContactLaw,
        pair: &PairInput,
        X_AB: &Pose,
        time: f64,
        twist: &Twist,
        patches: &[Patch],
        states: &[PatchState],
    ) {
        self.frictions.clear();
        self.frictions.resize(patches.len(), PatchFriction::NONE);
        match &law.normal {
            NormalLaw::Foundation => crate::foundation::press(
                self.kernel.last(),
                pair.pair_material,
                self.point,
                twist,
                patches,
                &mut self.normal_contact,
            ),
            NormalLaw::Paper(paper) => {
                // The printed direction sums over the triangles of the overlap.
                let mesh = (paper.direction == Direction::Printed).then(|| {
                    let [a, b] = pair.meshes;
                    self.kernel.overlap_mesh(a, b, X_AB)
                });
                let body = paper::Pair {
                    masses: pair.masses,
                    time,
                };
                paper::press(
                    paper,
                    &body,
                    self.kernel.last(),
                    mesh.as_ref(),
                    self.point,
                    twist,
                    patches,
                    states,
                    &mut self.normal_contact,
                    &mut self.frictions,
                );
            }
        }
        self.friction(law, pair, twist, patches, states);
        self.sum(twist);
    }

    /// Friction: bristles need a patch to remember their deflection, the
    /// paper's friction does not.
    fn friction(
        &mut self,
        law: &ContactLaw,
        pair: &PairInput,
        twist: &Twist,
        patches: &[Patch],
        states: &[PatchState],
    ) {
        self.frictions
            .resize(self.normal_contact.pieces.len(), PatchFriction::NONE);
        for (i, piece) in self.normal_contact.pieces.iter().enumerate() {
            let friction = match law.friction {
                Friction::Tanh { slope } => friction::tanh(piece, pair.pair_material, slope, twist),
                Friction::Bristle if i < patches.len() => {
                    friction::bristle(piece, pair.pair_material, twist, &patches[i], &states[i])
                }
                Friction::Bristle => PatchFriction::NONE,
            };
            self.frictions[i].join(friction);
        }
    }

    fn sum(&mut self, twist: &Twist) {
        let normal_contact = &self.normal_contact;
        // Seen from B, what follows A's field or sticks to A turns along.
        let mut with_a = normal_contact.elastic[0] + normal_contact.damping;
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
    }
}
