//! Patches from one step to the next: creation, growth, split, merge, death.
//!
//! When a step ends, every component of the overlap and every direction of push
//! in it becomes a patch. Its bristles take over the force of the patches its
//! parts belonged to, so the total force is continuous, but for what turns into
//! another plane where a patch comes apart into planes. Torque about the new
//! centres is not taken over. Since the stiffness of the
//! parts adds up to no more than that of the whole, energy is never made.

use glam::DVec3;

use crate::friction::{acting_stiffness, bristle_stiffness, in_plane};
use crate::material::PairMaterial;
use crate::normal_contact::Piece;
use crate::pair::PairContact;
use crate::patch::{PATCH_STATE, Patch, PatchState, nearly_same_direction, same_direction};
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

/// The patches of a pair after a step: from the forces evaluated at its end
/// with the patches, states and slips it had.
pub fn renew(
    contact: &PairContact,
    pair_material: &PairMaterial,
    time: f64,
    twist: &Twist,
    old: &[Tracked],
    new: &mut Vec<Tracked>,
) {
    new.clear();
    let normal_contact = &contact.normal_contact;
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
        let inherited = Inherited::of(fragment.piece, &fragment.sums, contact, pair_material, old);
        match found {
            Some(group) => group.add(&fragment.sums, inherited),
            None => {
                let mut group = Group {
                    component: fragment.component,
                    owner,
                    sums: Piece::NONE,
                    inherited: Inherited::NONE,
                };
                group.add(&fragment.sums, inherited);
                groups.push(group);
            }
        }
    }
    for group in &groups {
        new.push(group.tracked(contact.point, pair_material, time, twist));
    }
}

/// A patch to be.
struct Group {
    component: u32,
    /// The patch its first part belonged to.
    owner: Option<usize>,
    sums: Piece,
    inherited: Inherited,
}

/// What a patch takes over from those its parts belonged to.
#[derive(Clone, Copy)]
struct Inherited {
    /// Bristle force, N, and torque, N m.
    force: DVec3,
    torque: f64,
    /// Stiffness behind them.
    stiffness: f64,
    torsional_stiffness: f64,
    /// The paper's filter, by share.
    filter: [f64; 2],
    slip: f64,
    created_at: Option<(f64, f64)>,
}

impl Inherited {
    const NONE: Inherited = Inherited {
        force: DVec3::ZERO,
        torque: 0.0,
        stiffness: 0.0,
        torsional_stiffness: 0.0,
        filter: [0.0; 2],
        slip: 0.0,
        created_at: None,
    };

    /// The share of a fragment in the patch it belonged to.
    fn of(
        piece: usize,
        part: &Piece,
        contact: &PairContact,
        pair_material: &PairMaterial,
        old: &[Tracked],
    ) -> Inherited {
        let Some(owner) = old.get(piece) else {
            return Inherited::NONE;
        };
        let normal_contact = &contact.normal_contact;
        let whole = &normal_contact.pieces[piece];
        // The shares add up to 1 even where the parts lie in different planes,
        // whose areas add up to more than that of the whole.
        let parts = normal_contact.fragments.iter().filter(|f| f.piece == piece);
        let area: f64 = parts.map(|f| f.sums.area()).sum();
        let share = if area > 0.0 { part.area() / area } else { 0.0 };
        let [stiffness, torsional] = acting_stiffness(&owner.patch, whole, pair_material);
        let [x, y, z, theta, ..] = owner.state;
        let z = in_plane(DVec3::new(x, y, z), whole.normal());
        Inherited {
            force: share * stiffness * z,
            torque: share * torsional * theta,
            stiffness: share * stiffness,
            torsional_stiffness: share * torsional,
            filter: [share * owner.state[4], share * owner.state[5]],
            slip: owner.slip,
            created_at: Some((owner.patch.created_at, owner.patch.first_speed)),
        }
    }
}

impl Group {
    fn add(&mut self, part: &Piece, inherited: Inherited) {
        self.sums.add(part);
        let mine = &mut self.inherited;
        mine.force += inherited.force;
        mine.torque += inherited.torque;
        mine.stiffness += inherited.stiffness;
        mine.torsional_stiffness += inherited.torsional_stiffness;
        mine.filter[0] += inherited.filter[0];
        mine.filter[1] += inherited.filter[1];
        // The older of two that merge gives its age, and its slip.
        let older = match (mine.created_at, inherited.created_at) {
            (Some(a), Some(b)) => b.0 < a.0,
            (mine, _) => mine.is_none(),
        };
        if older {
            mine.created_at = inherited.created_at;
            mine.slip = inherited.slip;
        }
    }

    fn tracked(
        &self,
        point: DVec3,
        pair_material: &PairMaterial,
        time: f64,
        twist: &Twist,
    ) -> Tracked {
        let sums = &self.sums;
        let [stiffness, torsional_stiffness] = bristle_stiffness(sums, pair_material);
        let normal = sums.normal();
        let speed = twist.at(sums.centre()).linear.dot(normal).abs();
        let (created_at, first_speed) = self.inherited.created_at.unwrap_or((time, speed));
        let mut state = [0.0; PATCH_STATE];
        // A stiffer patch keeps the force, a softer one the deflection.
        let under = |now: f64, before: f64| now.max(before).max(f64::MIN_POSITIVE);
        let z = self.inherited.force / under(stiffness, self.inherited.stiffness);
        in_plane(z, normal).write_to_slice(&mut state[..3]);
        state[3] =
            self.inherited.torque / under(torsional_stiffness, self.inherited.torsional_stiffness);
        if self.inherited.created_at.is_some() {
            state[4] = self.inherited.filter[0];
            state[5] = self.inherited.filter[1];
        } else {
            state[4] = sums.depth * sums.area();
        }
        Tracked {
            patch: Patch {
                centre: point + sums.centre(),
                normal,
                reach: sums.reach(),
                stiffness,
                torsional_stiffness,
                created_at,
                first_speed,
            },
            state,
            slip: self.inherited.slip,
        }
    }
}
