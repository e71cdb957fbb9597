//! What regrouping must not change: when patches split, merge, turn or appear, the pair's
//! total friction wrench stays as it was, as far as the new patches can carry it and
//! without any gain of stored energy.
//!
//! Between two rigid bodies only the total wrench matters. The difference to it is made
//! up by one rigid displacement ξ of all bristles of the pair (method §3.1): a bristle at
//! r is deflected by the part of `ξ_v + ξ_ω × r` in its plane, so with the stiffness
//! `K = Σ Jᵀ k J` of all patches together `ξ = K⁺ Δw`.

use glam::{DMat3, DVec3};
use volar_math::{Matrix6, Twist, Wrench, lu, outer};

use super::{set_column, slide_wrench};

/// The bristles of one patch at one moment, about the pair's point of reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spring {
    /// Centre of pressure and normal.
    pub centre: DVec3,
    pub normal: DVec3,
    /// Tangential stiffness, N/m, and torsional, N m/rad.
    pub stiffness: [f64; 2],
    /// Deflection in the plane, m, and about the normal, rad.
    pub shift: DVec3,
    pub twist: f64,
}

impl Spring {
    /// Elastic wrench on A.
    fn wrench(&self) -> Wrench {
        let [tangential, torsional] = self.stiffness;
        slide_wrench(
            self.centre,
            self.normal,
            tangential * self.shift,
            torsional * self.twist,
        )
    }

    /// Twice the bilinear form of the stored energy, J.
    fn work(&self, shift: DVec3, twist: f64) -> f64 {
        let [tangential, torsional] = self.stiffness;
        tangential * self.shift.dot(shift) + torsional * self.twist * twist
    }

    /// How a rigid displacement of A deflects it.
    fn deflected(&self, by: &Twist) -> (DVec3, f64) {
        let shift = by.at(self.centre).linear;
        let in_plane = shift.reject_from_normalized(self.normal);
        (in_plane, self.normal.dot(by.angular))
    }

    fn map(&self) -> Matrix6 {
        let [tangential, torsional] = self.stiffness;
        let across = outer(self.normal, self.normal);
        let mut map = Matrix6::at(self.centre, tangential * (DMat3::IDENTITY - across));
        map.torque_by_rotation += torsional * across;
        map
    }
}

/// Displacements that strain the springs less than this, relative to the stiffest, are
/// not used: a flat patch cannot carry what pushes or tilts it.
const SOFTEST: f64 = 1.0e-6;

/// Deflects `after` so that together they carry what `before` do.
pub(super) fn keep_wrench(before: &[Spring], after: &mut [Spring]) {
    let total = |springs: &[Spring]| {
        let add = |sum: Wrench, spring: &Spring| sum + spring.wrench();
        springs.iter().fold(Wrench::default(), add)
    };
    let energy = |springs: &[Spring]| springs.iter().map(|s| s.work(s.shift, s.twist)).sum();
    let missing = total(before) - total(after);
    let Some(by) = displacement(after, missing) else {
        return;
    };
    // Energy along the way α ξ: E(0) + 2 α cross + α² own.
    let allowed: f64 = energy(before);
    let now: f64 = energy(after);
    let (mut cross, mut own) = (0.0, 0.0);
    for spring in after.iter() {
        let (shift, twist) = spring.deflected(&by);
        cross += spring.work(shift, twist);
        own += Spring {
            shift,
            twist,
            ..*spring
        }
        .work(shift, twist);
    }
    let share = largest_share(allowed - now, cross, own);
    for spring in after {
        let (shift, twist) = spring.deflected(&by);
        spring.shift += share * shift;
        spring.twist += share * twist;
    }
}

/// The largest α in [0, 1] with `2 α cross + α² own ≤ room`.
fn largest_share(room: f64, cross: f64, own: f64) -> f64 {
    if 2.0 * cross + own <= room {
        return 1.0;
    }
    if own <= 0.0 {
        return 0.0;
    }
    // The larger root of own α² + 2 cross α − room.
    let root = cross * cross + own * room;
    if root < 0.0 {
        return 0.0;
    }
    ((root.sqrt() - cross) / own).clamp(0.0, 1.0)
}

/// The rigid displacement of A under which the springs make a wrench on A, as nearly as
/// they can: `ξ = (K² + δ²)⁻¹ K w`, smooth where the rank of K changes.
fn displacement(springs: &[Spring], wrench: Wrench) -> Option<Twist> {
    // About the middle of the patches, and rotations as lengths, so that one number
    // says what is soft.
    let weight: f64 = springs.iter().map(|s| s.stiffness[0]).sum();
    if weight <= 0.0 {
        return None;
    }
    let centres = springs.iter().map(|s| s.stiffness[0] * s.centre);
    let middle = centres.sum::<DVec3>() / weight;
    let mut radius = 0.0;
    let mut stiffness = Matrix6::ZERO;
    for spring in springs {
        let lever = spring.centre - middle;
        radius += spring.stiffness[0] * lever.length_squared() + spring.stiffness[1];
        stiffness += Spring {
            centre: lever,
            ..*spring
        }
        .map();
    }
    let radius = (radius / weight).sqrt();
    if radius <= 0.0 {
        return None;
    }
    let mut k = [[0.0; 6]; 6];
    for column in 0..6 {
        let axis = DVec3::AXES[column % 3];
        let unit = match column < 3 {
            true => Twist::new(axis / radius, DVec3::ZERO),
            false => Twist::new(DVec3::ZERO, axis),
        };
        set_column(&mut k, column, &stiffness * unit);
    }
    for row in &mut k[..3] {
        *row = row.map(|value| value / radius);
    }
    // What springs make acts against the displacement.
    let Wrench { torque, force } = -wrench.about(middle);
    let mut wanted = [0.0; 6];
    (torque / radius).write_to_slice(&mut wanted[..3]);
    force.write_to_slice(&mut wanted[3..]);

    let softest = SOFTEST * weight;
    let mut square = [0.0; 36];
    let mut right = [0.0; 6];
    for i in 0..6 {
        for j in 0..6 {
            square[6 * i + j] = (0..6).map(|m| k[i][m] * k[m][j]).sum();
            right[i] += k[i][j] * wanted[j];
        }
        square[7 * i] += softest * softest;
    }
    let mut pivots = Vec::with_capacity(6);
    if !lu::factor(&mut square, 6, &mut pivots) {
        return None;
    }
    lu::solve(&square, 6, &pivots, &mut right);
    let found = Twist::new(
        DVec3::from_slice(&right[..3]) / radius,
        DVec3::from_slice(&right[3..]),
    );
    Some(found.at(-middle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use volar_testkit::rng::Rng;

    fn spring(rng: &mut Rng, flat: bool) -> Spring {
        let normal = if flat { DVec3::Z } else { rng.direction() };
        Spring {
            centre: rng.in_cube(0.01).reject_from_normalized(normal),
            normal,
            stiffness: [rng.log_uniform(1e5, 1e7), rng.log_uniform(1e-1, 1e2)],
            shift: rng.in_cube(1e-5).reject_from_normalized(normal),
            twist: 1e-3 * (rng.unit() - 0.5),
        }
    }

    fn total(springs: &[Spring]) -> Wrench {
        springs
            .iter()
            .fold(Wrench::default(), |sum, s| sum + s.wrench())
    }

    /// Two patches in one plane can carry whatever two others did, if they are stiffer.
    #[test]
    fn a_flat_contact_keeps_force_and_torque() {
        for case in 0..100 {
            let mut rng = Rng::for_case("flat transfer", case);
            let before = [spring(&mut rng, true), spring(&mut rng, true)];
            let mut after = before.map(|s| Spring {
                centre: s.centre + rng.in_cube(0.005).reject_from_normalized(DVec3::Z),
                stiffness: s.stiffness.map(|k| 1e3 * k),
                shift: DVec3::ZERO,
                twist: 0.0,
                ..s
            });
            keep_wrench(&before, &mut after);
            let (old, new) = (total(&before), total(&after));
            let lost = (new.force - old.force).length() / old.force.length();
            let turned = (new.torque - old.torque).length() / (0.01 * old.force.length());
            assert!(lost < 1e-6 && turned < 1e-6, "case {case}: {lost} {turned}");
        }
    }

    #[test]
    fn no_transfer_makes_energy() {
        let energy =
            |springs: &[Spring]| -> f64 { springs.iter().map(|s| s.work(s.shift, s.twist)).sum() };
        for case in 0..500 {
            let mut rng = Rng::for_case("transfer", case);
            let draw = |rng: &mut Rng| -> Vec<Spring> {
                let count = 1 + rng.below(3);
                (0..count).map(|_| spring(rng, false)).collect()
            };
            let (before, mut after) = (draw(&mut rng), draw(&mut rng));
            for s in &mut after {
                (s.shift, s.twist) = (1e-2 * s.shift, 1e-2 * s.twist);
            }
            let most = energy(&before).max(energy(&after));
            keep_wrench(&before, &mut after);
            assert!(energy(&after) <= most * (1.0 + 1e-9), "case {case}");
        }
    }
}
