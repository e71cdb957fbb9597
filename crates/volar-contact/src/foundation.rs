//! The foundation law: an elastic bed under every part of the skin.
//!
//! With `φ_B(x)` the depth of x in B, B's layer presses on A's skin inside B
//! with `p = g φ_B` along the skin's own normal, and likewise with the roles
//! swapped; each field has its share of the pair's stiffness (method §3):
//!
//! ```text
//! wrench on A  W = −g ∫_ΓA φ_B (x × n, n) dA = g ∫_Ω (x × e, e) dV     e = −∇φ_B, the way out
//! tangent     dW = g ∫_ΓA (x × e, e)(x × n, n)ᵀ dA · δ                 (transport theorem)
//! damping     −d ∫ (x × e, e)(x × e, e)ᵀ |n·e| dA · twist,  d = g τ φ/(φ + φ_r)
//! ```
//!
//! On a [`Cell`] the depth is linear, so all of these are closed forms of its
//! area, centroid and second moments.
//!
//! Damping answers the rate of the depth and acts along the way out e, not
//! along the skin's normal: on a flat body it is `g τ V̇` either way, and
//! positive semidefinite either way, but a ball that slides over a flat pad
//! then meets Coulomb's friction and nothing else. (With n it ploughs: with
//! the defaults 0.6 N s/m, which would hide the slip limit.)
//!
//! A damping force that started with g τ A v at the first touch of flat faces
//! would jump; it is ramped with the depth instead (as Hunt & Crossley do) and
//! has its full size where the pressure is well above [`RAMP_PRESSURE`]. To
//! keep a cell from pulling, its damping is scaled down to what keeps its load
//! positive and its centre of pressure inside.

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Cell, Overlap};

use crate::material::Bed;
use crate::patch::Patch;
use crate::pressing::{Piece, Place, Pressing};
use crate::spatial::{Matrix6, Twist, Wrench, cross_matrix, outer};

/// Pressure at which damping has half its size, Pa: a fifth of what 10 N make
/// on a pad of 4 cm², so that a held object is damped in full.
pub const RAMP_PRESSURE: f64 = 5.0e3;

/// Presses the pair: fills `pressing` from the cells of the overlap. `twist`
/// is that of A relative to B at `point`; all in A's frame.
pub fn press(
    overlap: &Overlap,
    bed: &Bed,
    point: DVec3,
    twist: &Twist,
    patches: &[Patch],
    pressing: &mut Pressing,
) {
    pressing.clear(patches.len());
    // A's skin lies in B's field, and B's in A's.
    for (side, field) in [(0, 1), (1, 0)] {
        let g = bed.stiffness * bed.shares[field];
        if g <= 0.0 {
            continue;
        }
        for cell in &overlap.cells[side] {
            press_cell(
                cell,
                Owner { side, field },
                g,
                bed,
                point,
                twist,
                patches,
                pressing,
            );
        }
    }
    pressing.finish(patches);
}

/// Whose skin a cell belongs to, and in whose depth field it lies.
#[derive(Clone, Copy)]
struct Owner {
    side: usize,
    field: usize,
}

#[expect(clippy::too_many_arguments, reason = "one row of a loop, not an interface")]
fn press_cell(
    cell: &Cell,
    owner: Owner,
    g: f64,
    bed: &Bed,
    point: DVec3,
    twist: &Twist,
    patches: &[Patch],
    pressing: &mut Pressing,
) {
    let (n, e, area) = (cell.normal, cell.way_out, cell.area);
    let depth = cell.depth.max(0.0);
    // Pressure pushes the owner against its normal; A is pushed along −n by
    // what acts on its own skin and along +n by what it presses on B's.
    let sign = if owner.side == 0 { -1.0 } else { 1.0 };
    let r = cell.centroid - point;
    let spread = symmetric(&cell.second_moment);

    // Elastic: load, and its first moment about the cell's centroid.
    let load = g * area * depth;
    let first = -g * (spread * e);

    // A leaves B along B's way out, and against its own.
    let way = if owner.side == 0 { e } else { -e };
    let push = sign * n;

    // Damping: the depth grows with u + slope·(x − c).
    let facing = push.dot(way).max(0.0);
    let approach = -way.dot(twist.at(r));
    let slope = -way.cross(twist.spin);
    let d = facing * g * bed.damping_time * depth / (depth + RAMP_PRESSURE / bed.stiffness);
    let (damping_load, damping_first) = (d * area * approach, d * (spread * slope));
    let within = 1.5 * (trace(&spread) / area.max(f64::MIN_POSITIVE)).sqrt();
    let scale = passive_scale(
        facing * load,
        facing * first,
        damping_load,
        damping_first,
        within,
    );
    let (damping_load, damping_first) = (scale * damping_load, scale * damping_first);

    pressing.elastic[owner.field] += Wrench {
        torque: (load * r + first).cross(push),
        force: load * push,
    };
    pressing.damping += Wrench {
        torque: (damping_load * r + damping_first).cross(way),
        force: damping_load * way,
    };

    // Tangents. x × n = −[n]x, so ∫ (x × e)(x × n)ᵀ dA = [e] X [n]ᵀ.
    let about_point = spread + area * outer(r, r);
    let bed_of = |n: DVec3| Matrix6 {
        torque_by_turn: cross_matrix(e) * about_point * cross_matrix(n).transpose(),
        torque_by_shift: outer(area * r.cross(e), n),
        force_by_turn: outer(e, area * r.cross(n)),
        force_by_shift: area * outer(e, n),
    };
    let elastic = g * bed_of(n);
    let damping = (-d * scale) * bed_of(e);
    pressing.by_displacement += elastic;
    pressing.by_twist += damping;

    let total = load + damping_load;
    let mean = total / area.max(f64::MIN_POSITIVE);
    let half = DVec3::splat(within);
    let part = Piece {
        load: total,
        force: load * push + damping_load * way,
        way: load * way,
        first: total * r + first + damping_first,
        second: mean * about_point,
        area_vector: (bed.shares[owner.field] * sign * area) * n,
        depth: cell.depth,
        bounds: [r - half, r + half],
        force_by_displacement: [elastic.force_by_turn, elastic.force_by_shift],
        force_by_twist: [damping.force_by_turn, damping.force_by_shift],
    };
    let place = Place {
        component: cell.component,
        centre: cell.centroid,
        reach: within,
        way,
        push,
    };
    pressing.add(patches, place, part);
}

/// The largest s in 0..1 for which `load + s·damping` is not negative and acts
/// within a distance of the cell's centroid.
fn passive_scale(
    load: f64,
    first: DVec3,
    damping_load: f64,
    damping_first: DVec3,
    within: f64,
) -> f64 {
    let mut s = 1.0_f64;
    if load + damping_load < 0.0 {
        s = load / -damping_load;
    }
    // |first + s damping_first|² ≤ within² (load + s damping_load)²
    let w2 = within * within;
    let a = damping_first.length_squared() - w2 * damping_load * damping_load;
    let b = 2.0 * (first.dot(damping_first) - w2 * load * damping_load);
    let c = first.length_squared() - w2 * load * load;
    if (a * s + b) * s + c <= 0.0 {
        return s;
    }
    if c >= 0.0 {
        return 0.0;
    }
    // The first root above zero, where c < 0 turns positive.
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let first_root = -2.0 * c / (b + root);
    if first_root >= 0.0 { s.min(first_root) } else { 0.0 }
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
