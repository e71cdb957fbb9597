//! The foundation law: an elastic foundation under every part of the surface.
//!
//! With `φ_B(x)` the depth of x in B, B's layer presses on A's surface inside B
//! with `p = g φ_B` along the surface's own normal, and likewise with the roles
//! swapped; each field has its share of the pair's stiffness (method §3):
//!
//! ```text
//! wrench on A  W = −g ∫_ΓA φ_B (x × n, n) dA = g ∫_Ω (x × e, e) dV     e = −∇φ_B, the separation direction
//! tangent     dW = g ∫_ΓA (x × e, e)(x × n, n)ᵀ dA · δ                 (transport theorem)
//! damping     −d ∫ (x × e, e)(x × e, e)ᵀ |n·e| dA · twist,  d = g τ φ/(φ + φ_r)
//! ```
//!
//! On a [`Cell`] the depth is linear, so all of these are closed forms of its
//! area, centroid and second moments.
//!
//! A start in overlap may be released gently, see [`PairMaterial::release_time`].
//!
//! Damping answers the rate of the depth and acts along the separation direction e, not
//! along the surface's normal: on a flat body it is `g τ V̇` either way, and
//! positive semidefinite either way, but a ball that slides over a flat pad
//! then meets Coulomb's friction and nothing else. (With n it ploughs: with
//! the defaults 0.6 N s/m, which would hide the slip limit.)
//!
//! A damping force that started with g τ A v at the first touch of flat faces
//! would jump; it is ramped with the mean depth φ of the patch instead (as Hunt
//! & Crossley do) and has its full size where the pressure is well above
//! [`RAMP_PRESSURE`]. To keep a patch from pulling, its damping is scaled down
//! to what keeps its load positive and its centre of pressure inside. Both are
//! decided for a patch as a whole, so they do not depend on its triangles.

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Cell, Fields, OverlapKernel};

use crate::law::{NormalModel, Pressing};
use crate::material::PairMaterial;
use crate::memory::Memory;
use crate::normal_contact::{NormalContact, Place};
use crate::piece::Piece;
use volar_math::{Matrix6, Twist, Wrench, cross_matrix, outer};

/// Pressure at which damping has half its size, Pa: a fifth of what 10 N make
/// on a pad of 4 cm², so that a held object is damped in full.
pub const RAMP_PRESSURE: f64 = 5.0e3;

/// The default law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foundation;

/// It remembers nothing: what presses depends on the pose and the twist alone.
impl Memory for Foundation {}

impl NormalModel for Foundation {
    fn fields(&self, pair_material: &PairMaterial) -> Option<Fields> {
        Some(Fields {
            of_a: pair_material.shares[0] > 0.0,
            of_b: pair_material.shares[1] > 0.0,
        })
    }

    fn press(
        &self,
        pressing: &Pressing,
        kernel: &mut OverlapKernel,
        normal_contact: &mut NormalContact,
    ) {
        let pair_material = pressing.pair.pair_material;
        let patches = pressing.state.patches;
        normal_contact.clear(patches.len());
        let overlap = kernel.last();
        if overlap.components.len() > 1 && !patches.is_empty() {
            let sides = [(0, 1), (1, 0)].into_iter();
            let in_use = sides.filter(|(_, field)| pair_material.shares[*field] > 0.0);
            let places = in_use.flat_map(|(side, _)| {
                let cells = overlap.cells[side].iter();
                cells.map(move |cell| place_of(cell, side))
            });
            normal_contact.claim(patches, places);
        }
        for (side, field) in [(0, 1), (1, 0)] {
            for cell in &overlap.cells[side] {
                let load = pair_material.shares[field] * cell.area * cell.depth.max(0.0);
                normal_contact.push_whole(load, &place_of(cell, side));
            }
        }
        // A's surface lies in B's field, and B's in A's.
        for (side, field) in [(0, 1), (1, 0)] {
            if pair_material.shares[field] <= 0.0 {
                continue;
            }
            for cell in &overlap.cells[side] {
                add_cell(cell, Owner { side, field }, pressing, normal_contact);
            }
        }
        normal_contact.finish(patches.len());
        damp(pair_material, &pressing.state.twist, normal_contact);
        if pair_material.release_time > 0.0 {
            release(pair_material, &pressing.state.twist, normal_contact);
        }
    }
}

/// Whose surface a cell belongs to, and in whose depth field it lies.
#[derive(Clone, Copy)]
struct Owner {
    side: usize,
    field: usize,
}

/// Where a cell is, and which way A goes there.
fn place_of(cell: &Cell, side: usize) -> Place {
    // Pressure pushes the owner of the surface against its normal; A is pushed
    // along −n by what acts on its own surface and along +n by what it presses
    // on B's. A leaves B along B's separation direction, and against its own.
    let (sign, e) = if side == 0 { (-1.0, 1.0) } else { (1.0, -1.0) };
    let spread = trace(&symmetric(&cell.second_moment));
    Place {
        component: cell.component,
        centre: cell.centroid,
        reach: 1.5 * (spread / cell.area.max(f64::MIN_POSITIVE)).sqrt(),
        way: e * cell.separation_direction,
        push: sign * cell.normal,
    }
}

/// Adds the elastic load of one cell.
fn add_cell(cell: &Cell, owner: Owner, pressing: &Pressing, normal_contact: &mut NormalContact) {
    let pair_material = pressing.pair.pair_material;
    let g = pair_material.stiffness * pair_material.shares[owner.field];
    let (n, e, area) = (cell.normal, cell.separation_direction, cell.area);
    let depth = cell.depth.max(0.0);
    let r = cell.centroid - pressing.point;
    let spread = symmetric(&cell.second_moment);

    // Elastic: load, and its first moment about the cell's centroid.
    let load = g * area * depth;
    let first = -g * (spread * e);

    let place = place_of(cell, owner.side);
    let (way, push, reach) = (place.way, place.push, place.reach);
    let facing = push.dot(way).max(0.0);
    let wrench = Wrench {
        torque: (load * r + first).cross(push),
        force: load * push,
    };
    normal_contact.elastic[owner.field] += wrench;

    // Tangents. x × n = −[n]x, so ∫ (x × e)(x × n)ᵀ dA = [e] X [n]ᵀ.
    let about_point = spread + area * outer(r, r);
    let pair_material_of = |n: DVec3| Matrix6 {
        torque_by_rotation: cross_matrix(e) * about_point * cross_matrix(n).transpose(),
        torque_by_translation: outer(area * r.cross(e), n),
        force_by_rotation: outer(e, area * r.cross(n)),
        force_by_translation: area * outer(e, n),
    };
    let elastic = g * pair_material_of(n);
    normal_contact.by_displacement += elastic;
    // Seen from A, what stays with B goes back.
    let mut from_a = elastic;
    if owner.side == 0 {
        from_a += -1.0 * Matrix6::carrying(wrench);
    }

    let part = Piece {
        load,
        force: load * push,
        push: load * push,
        first: load * r + first,
        second: g * depth * about_point,
        area_vector: (pair_material.shares[owner.field] * area) * push,
        facing: (facing * area, (facing * area) * r, facing * about_point),
        depth: cell.depth,
        deepest: cell.deepest,
        bounds: [r - DVec3::splat(reach), r + DVec3::splat(reach)],
        force_by_displacement: [elastic.force_by_rotation, elastic.force_by_translation],
        torque_by_displacement: [from_a.torque_by_rotation, from_a.torque_by_translation],
        load_in_b: if owner.field == 1 { load } else { 0.0 },
        approach_stiffness: g * facing * area,
        approach_square: g * facing * (area * depth * depth + e.dot(spread * e)),
        damper: (g * facing) * pair_material_of(e),
        ..Piece::NONE
    };
    normal_contact.add(pressing.state.patches, &place, &part);
}

/// Adds the damping of every piece.
fn damp(pair_material: &PairMaterial, twist: &Twist, normal_contact: &mut NormalContact) {
    for piece in &mut normal_contact.pieces {
        let normal = piece.normal();
        let load = piece.force.dot(normal);
        if load <= 0.0 || piece.approach_stiffness <= 0.0 {
            continue;
        }
        let depth = load / piece.approach_stiffness;
        let ramp = depth / (depth + RAMP_PRESSURE / pair_material.stiffness);
        let full = (-pair_material.damping_time * ramp) * piece.damper;
        let wrench = &full * *twist;

        // The largest share that keeps the load positive and its centre
        // within the radius of gyration from where the elastic load acts.
        let centre = piece.centre();
        let damping = wrench.force.dot(normal);
        let moment = normal.cross(wrench.about(centre).torque);
        let radius = piece.area_radius();
        let excess = moment.length() - radius * damping;
        let mut share = 1.0_f64;
        if load + damping < 0.0 {
            share = load / -damping;
        }
        if share * excess > radius * load {
            share = radius * load / excess;
        }

        let by_twist = share * full;
        normal_contact.damping += Wrench {
            torque: share * wrench.torque,
            force: share * wrench.force,
        };
        normal_contact.by_twist += by_twist;
        piece.force_by_twist = [by_twist.force_by_rotation, by_twist.force_by_translation];
        piece.torque_by_twist = [by_twist.torque_by_rotation, by_twist.torque_by_translation];
        piece.force += share * wrench.force;
        let grown = 1.0 + share * damping / load;
        piece.first = grown * piece.first + share * moment;
        piece.second *= grown;
        piece.load *= grown;
        piece.load_in_b *= grown;
    }
}

/// Adds the damping of the release of a start in overlap: that of the layer
/// without ramp, and not scaled down where it pulls. With `g (V + t V̇)` the
/// overlap volume falls off as exp(−s/t) whatever its shape; to bring a body
/// that was pushed out to rest again the damper must be able to hold it back.
///
/// Friction does not see it: what the layer presses with is known well, the
/// small difference to what the damper holds back is not.
fn release(pair_material: &PairMaterial, twist: &Twist, normal_contact: &mut NormalContact) {
    for piece in &mut normal_contact.pieces {
        let by_twist = -pair_material.release_time * piece.damper;
        let wrench = &by_twist * *twist;
        normal_contact.release += wrench;
        normal_contact.by_twist += by_twist;
        // The damper goes with the area. Bodies move as fast as it lets them, and would err in
        // speed in the first order of the step without this.
        let [turn, shift] = piece.stiffening();
        normal_contact.by_displacement += Matrix6 {
            torque_by_rotation: outer(wrench.torque, turn),
            torque_by_translation: outer(wrench.torque, shift),
            force_by_rotation: outer(wrench.force, turn),
            force_by_translation: outer(wrench.force, shift),
        };
        piece.release = wrench.force;
    }
}

fn symmetric(m: &[f64; 6]) -> DMat3 {
    let [xx, yy, zz, xy, xz, yz] = *m;
    DMat3::from_cols(
        DVec3::new(xx, xy, xz),
        DVec3::new(xy, yy, yz),
        DVec3::new(xz, yz, zz),
    )
}

fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}
