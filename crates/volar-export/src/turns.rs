//! Rotations as quaternions and as angles about axes, such that whoever reads them gets the
//! same rotation, to the bit where that is possible.
//!
//! A rotation matrix becomes a few numbers and is made from them again; both round. Of the
//! numbers nearby, in units of their last digits, the first that gives the matrix back is
//! taken. Grasps are sensitive: a last digit of a finger's axis moves a bunny by a micrometre.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};
use volar_math::{Pose, real, rotation};

/// How many numbers nearby are tried, at most.
const TRIES: f64 = 2500.0;

/// The quaternion (w, x, y, z) of a rotation.
pub(crate) fn quaternion(R: &DMat3) -> [f64; 4] {
    let turn = DQuat::from_mat3(R);
    // One of the two quaternions of a rotation, always the same.
    let sign = if turn.w < 0.0 { -1.0 } else { 1.0 };
    let plain = [turn.w, turn.x, turn.y, turn.z].map(|x| sign * x);
    nearby(plain, |q| gives(q, R)).unwrap_or(plain)
}

/// Whether a quaternion gives a rotation to the bit.
fn gives(q: [f64; 4], R: &DMat3) -> bool {
    Pose::from_wxyz([0.0; 3], q).is_some_and(|X| same(&X.R, R))
}

/// An orientation as MJCF has it.
pub(crate) struct MjcfOrientation {
    pub attribute: &'static str,
    pub numbers: Vec<f64>,
    /// Whether it reads back to the same bits.
    pub exact: bool,
}

/// A quaternion, or the angles about x, then y, then z of the outer frame
/// (`eulerseq="XYZ"`) if they are exact and the quaternion is not.
pub(crate) fn mjcf_orientation(R: &DMat3) -> MjcfOrientation {
    let q = quaternion(R);
    let read = |[x, y, z]: [f64; 3]| {
        rotation::about_z(z) * (rotation::about_y(y) * (rotation::about_x(x) * DMat3::IDENTITY))
    };
    let by_quaternion = gives(q, R);
    let angles = roll_pitch_yaw(R);
    match !by_quaternion && same(&read(angles), R) {
        true => MjcfOrientation {
            attribute: "euler",
            numbers: angles.to_vec(),
            exact: true,
        },
        false => MjcfOrientation {
            attribute: "quat",
            numbers: q.to_vec(),
            exact: by_quaternion,
        },
    }
}

/// Angles about x, then y, then z of the outer frame. The angle about z decides the
/// others, so that the product is the rotation to rounding also where y is a right angle.
pub(crate) fn roll_pitch_yaw(R: &DMat3) -> [f64; 3] {
    let (x, y, z) = (R.x_axis, R.y_axis, R.z_axis);
    let yaw = real::atan2(x.y, x.x);
    let (s, c) = (real::sin(yaw), real::cos(yaw));
    let pitch = real::atan2(-x.z, c * x.x + s * x.y);
    let roll = real::atan2(s * z.x - c * z.y, c * y.y - s * y.x);
    // Files have angles beyond half a turn, too, whose sines are others in the last digit.
    let mut turns = [0.0, TAU, -TAU].into_iter();
    turns
        .find_map(|turn| {
            nearby([roll, pitch, yaw + turn], |angles| {
                same(&product(angles), R)
            })
        })
        .unwrap_or([roll, pitch, yaw])
}

/// As URDF says it.
fn product([roll, pitch, yaw]: [f64; 3]) -> DMat3 {
    rotation::about_z(yaw) * rotation::about_y(pitch) * rotation::about_x(roll)
}

fn same(A: &DMat3, B: &DMat3) -> bool {
    let apart = |a: DVec3, b: DVec3| (a - b).abs().max_element() > 0.0;
    !(apart(A.x_axis, B.x_axis) || apart(A.y_axis, B.y_axis) || apart(A.z_axis, B.z_axis))
}

/// The nearest numbers that serve, if any; zeros stay.
fn nearby<const N: usize>(
    numbers: [f64; N],
    serves: impl Fn([f64; N]) -> bool,
) -> Option<[f64; N]> {
    if serves(numbers) {
        return Some(numbers);
    }
    let moved: Vec<usize> = (0..N).filter(|i| numbers[*i].abs() > 0.0).collect();
    let reach = match moved.len() {
        0 => return None,
        n => (real::pow(TRIES, 1.0 / n as f64) as i64 - 1) / 2,
    };
    // Rings around the numbers, the nearest first.
    for ring in 1..=reach {
        let side = 2 * ring + 1;
        let count = (0..moved.len()).fold(1, |count, _| count * side);
        for number in 0..count {
            let mut tried = numbers;
            let (mut rest, mut on_ring) = (number, false);
            for i in &moved {
                let step = rest % side - ring;
                rest /= side;
                on_ring |= step.abs() == ring;
                tried[*i] = stepped(numbers[*i], step);
            }
            if on_ring && serves(tried) {
                return Some(tried);
            }
        }
    }
    None
}

/// So many representable numbers further from zero.
fn stepped(x: f64, steps: i64) -> f64 {
    let bits = x.to_bits().checked_add_signed(steps);
    bits.map_or(x, f64::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_give_the_rotation_back() {
        let right = std::f64::consts::FRAC_PI_2;
        for angles in [
            [0.3, -0.7, 2.9],
            [3.1, right, 0.4],
            [-1.2, -right, -2.0],
            [0.5, right - 1.0e-9, 0.1],
        ] {
            let R = product(angles);
            let again = product(roll_pitch_yaw(&R)) - R;
            let off = again.abs().to_cols_array().into_iter().fold(0.0, f64::max);
            assert!(off < 1.0e-15, "{off:e} at {angles:?}");
        }
    }

    #[test]
    fn turns_about_one_axis_come_back_to_the_bit() {
        for degrees in (1..360).step_by(7) {
            let R = rotation::about_z(f64::from(degrees).to_radians());
            assert!(same(&product(roll_pitch_yaw(&R)), &R), "{degrees}");
            assert!(mjcf_orientation(&R).exact, "{degrees}");
        }
    }
}
