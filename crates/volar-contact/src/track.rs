//! Patches from one step to the next: creation, growth, split, merge, death.
//!
//! When a step ends, every component of the overlap and every direction of push
//! in it becomes a patch. What it takes over from the patches its parts belonged
//! to is up to the laws. Bristles take over the force, so the total force is
//! continuous, but for what turns into another plane where a patch comes apart
//! into planes. Torque about the new centres is not taken over. Since the
//! stiffness of the parts adds up to no more than that of the whole, energy is
//! never made.

use crate::friction::bristle_stiffness;
use crate::law::ContactLaw;
use crate::material::PairMaterial;
use crate::memory::{Ancestor, MAX_STATES, PatchState};
use crate::normal_contact::NormalContact;
use crate::pair::PairContact;
use crate::patch::{Patch, nearly_same_direction, same_direction};
use crate::piece::Piece;
use volar_math::Twist;

/// A patch as it goes on, with its state and the slip it has gathered.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tracked {
    /// The patch.
    pub patch: Patch,
    /// Its state.
    pub state: PatchState,
    /// Plastic slip since its creation, m: that of the oldest of its parts.
    pub slip: f64,
}

/// The end of a step: where the patches of a pair are renewed.
#[derive(Clone, Copy)]
pub struct Renewal<'a> {
    /// Forces at the end of the step, with the patches and states it had.
    pub contact: &'a PairContact,
    /// Their law.
    pub law: &'a ContactLaw,
    /// What the two materials make together.
    pub pair_material: &'a PairMaterial,
    /// Time, s.
    pub time: f64,
    /// Twist of A relative to B at the contact's point, in A.
    pub twist: Twist,
}

impl Renewal<'_> {
    /// The patches after the step, from those before.
    pub fn renew(&self, old: &[Tracked], new: &mut Vec<Tracked>) {
        new.clear();
        let normal_contact = &self.contact.normal_contact;
        let mut groups: Vec<Group> = Vec::new();
        for fragment in &normal_contact.fragments {
            let normal = fragment.sums.normal();
            let owner = Some(fragment.piece).filter(|piece| *piece < old.len());
            let found = groups.iter_mut().find(|g| {
                let apart = g.owner.is_some() && owner.is_some() && g.owner != owner;
                let alike = match apart {
                    true => nearly_same_direction(g.sums.normal(), normal),
                    false => same_direction(g.sums.normal(), normal),
                };
                g.component == fragment.component && alike
            });
            let share = owner.map(|piece| share_of(normal_contact, piece, &fragment.sums));
            let part = owner.zip(share);
            match found {
                Some(group) => {
                    group.sums.add(&fragment.sums);
                    group.ancestors.extend(part);
                }
                None => groups.push(Group {
                    component: fragment.component,
                    owner,
                    sums: fragment.sums,
                    ancestors: part.into_iter().collect(),
                }),
            }
        }
        for group in &groups {
            new.push(self.tracked(group, old));
        }
        self.reconcile(old, &groups, new);
    }

    /// What the new patches together take over from the old ones together.
    fn reconcile(&self, old: &[Tracked], groups: &[Group], new: &mut [Tracked]) {
        let pieces: Vec<&Piece> = groups.iter().map(|group| &group.sums).collect();
        // Without damping, as the groups: it moves the centre of pressure to and fro.
        let mut undamped = vec![Piece::NONE; self.contact.normal_contact.pieces.len()];
        for fragment in &self.contact.normal_contact.fragments {
            undamped[fragment.piece].add(&fragment.sums);
        }
        for (memory, own) in self.law.memories() {
            if own.is_empty() || old.is_empty() {
                continue;
            }
            let before = old.iter().zip(&undamped).map(|(tracked, piece)| Ancestor {
                patch: &tracked.patch,
                piece,
                state: &tracked.state[own.clone()],
                share: 1.0,
            });
            let before: Vec<Ancestor> = before.collect();
            let states = new
                .iter_mut()
                .map(|tracked| &mut tracked.state[own.clone()]);
            let mut states: Vec<&mut [f64]> = states.collect();
            memory.reconcile(&before, &pieces, self.pair_material, &mut states);
        }
    }

    fn tracked(&self, group: &Group, old: &[Tracked]) -> Tracked {
        let sums = &group.sums;
        let normal = sums.normal();
        let [stiffness, torsional_stiffness] = bristle_stiffness(sums, self.pair_material);
        let speed = self.twist.at(sums.centre()).linear.dot(normal).abs();
        // The older of two that merge gives its age, and its slip.
        let mut oldest: Option<&Tracked> = None;
        for &(ancestor, _) in &group.ancestors {
            let candidate = &old[ancestor];
            if oldest.is_none_or(|o| candidate.patch.created_at < o.patch.created_at) {
                oldest = Some(candidate);
            }
        }
        let (created_at, first_speed) = oldest.map_or((self.time, speed), |tracked| {
            (tracked.patch.created_at, tracked.patch.first_speed)
        });
        Tracked {
            patch: Patch {
                centre: self.contact.point + sums.centre(),
                normal,
                reach: sums.reach(),
                stiffness,
                torsional_stiffness,
                created_at,
                first_speed,
            },
            state: self.inherited(group, old),
            slip: oldest.map_or(0.0, |tracked| tracked.slip),
        }
    }

    /// The states of a new patch, by both laws.
    fn inherited(&self, group: &Group, old: &[Tracked]) -> PatchState {
        let mut state = [0.0; MAX_STATES];
        for (memory, own) in self.law.memories() {
            if own.is_empty() {
                continue;
            }
            let ancestor = |&(index, share): &(usize, f64)| Ancestor {
                patch: &old[index].patch,
                piece: &self.contact.normal_contact.pieces[index],
                state: &old[index].state[own.clone()],
                share,
            };
            let ancestors: Vec<Ancestor> = group.ancestors.iter().map(ancestor).collect();
            memory.inherit(
                &ancestors,
                &group.sums,
                self.pair_material,
                &mut state[own.clone()],
            );
        }
        state
    }
}

/// A patch to be.
struct Group {
    component: u32,
    /// The patch its first part belonged to.
    owner: Option<usize>,
    sums: Piece,
    /// The old patches that its parts belonged to, and which share of each.
    ancestors: Vec<(usize, f64)>,
}

/// The share of a part in the patch it belonged to. The shares add up to 1 even
/// where the parts lie in different planes, whose areas add up to more than that
/// of the whole.
fn share_of(normal_contact: &NormalContact, piece: usize, part: &Piece) -> f64 {
    let parts = normal_contact.fragments.iter().filter(|f| f.piece == piece);
    let area: f64 = parts.map(|f| f.sums.area()).sum();
    if area > 0.0 { part.area() / area } else { 0.0 }
}
