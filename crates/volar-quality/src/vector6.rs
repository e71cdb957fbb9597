//! Vectors of six components: wrenches, force first, torque over the characteristic length.

use glam::DVec3;

pub(crate) type Vector6 = [f64; 6];

/// A force with a torque that is divided by the length already.
pub(crate) fn wrench(force: DVec3, torque: DVec3) -> Vector6 {
    [force.x, force.y, force.z, torque.x, torque.y, torque.z]
}

pub(crate) fn dot(a: &Vector6, b: &Vector6) -> f64 {
    let product: Vector6 = std::array::from_fn(|i| a[i] * b[i]);
    ((product[0] + product[1]) + (product[2] + product[3])) + (product[4] + product[5])
}

pub(crate) fn norm(a: &Vector6) -> f64 {
    dot(a, a).sqrt()
}

/// `a + s b`.
pub(crate) fn add_scaled(a: &Vector6, s: f64, b: &Vector6) -> Vector6 {
    std::array::from_fn(|i| a[i] + s * b[i])
}

pub(crate) fn scaled(a: &Vector6, s: f64) -> Vector6 {
    a.map(|x| s * x)
}
