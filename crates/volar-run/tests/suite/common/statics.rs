//! Whether a grasp can be at rest as it is: forces within Coulomb's cones at the
//! contacts, and of stops that joints rest against, that balance the object's weight and the
//! effort of every joint.

use glam::DVec3;
use volar_scene::Setup;
use volar_sim::{BodyId, Simulation};

use super::hinges::{GRAVITY, hinges};

/// Sides of the pyramid that stands for a cone.
const SIDES: usize = 12;
/// Rounds of the search; it ends by itself long before.
const ROUNDS: usize = 400;
/// What counts as a balance: 1 % of the weight and of every effort.
pub const BALANCED: f64 = 0.01;

/// How much of weight and efforts cannot be balanced, whatever the contacts do
/// within Coulomb's law: the smallest length of what is left of
/// (force / weight, moment / (weight · reach), effort left / effort), where reach
/// is the farthest contact from the object's centre. Patches may push and rub
/// anywhere in a box around them, so this errs towards a balance.
pub fn unbalance(setup: &Setup, simulation: &Simulation, friction: f64) -> f64 {
    let grasp = setup.grasp.as_ref().unwrap();
    let joints = hinges(setup, simulation);
    let mass = setup.model.mass(grasp.object).mass;
    let centre = simulation.pose(grasp.object).point(grasp.centre);
    let weight = mass * GRAVITY.length();
    let patches = patches(simulation, grasp.object);
    let far = |patch: &Patch| (patch.points[0] - centre).length();
    let reach = patches.iter().map(far).fold(1.0e-3, f64::max);
    let rows = 6 + joints.len();
    let mut target = vec![0.0; rows];
    target[2] = 1.0;
    for (joint, hinge) in joints.iter().enumerate() {
        target[6 + joint] = -(hinge.effort + hinge.weight) / hinge.effort;
    }
    let mut columns = Vec::new();
    for (joint, hinge) in joints.iter().enumerate().filter(|(_, h)| h.stop != 0.0) {
        let mut column = vec![0.0; rows];
        column[6 + joint] = hinge.stop / hinge.effort.signum();
        columns.push(column);
    }
    for patch in &patches {
        let (u, v) = patch.normal.any_orthonormal_pair();
        for &point in &patch.points {
            for side in 0..SIDES {
                let outside = friction / (std::f64::consts::PI / SIDES as f64).cos();
                let (sin, cos) = (std::f64::consts::TAU * side as f64 / SIDES as f64).sin_cos();
                let force = patch.normal + outside * (cos * u + sin * v);
                let mut column = vec![0.0; rows];
                let moment = (point - centre).cross(force);
                for axis in 0..3 {
                    column[axis] = force[axis] / weight;
                    column[3 + axis] = moment[axis] / (weight * reach);
                }
                for (joint, hinge) in joints.iter().enumerate() {
                    if hinge.links.contains(&patch.link) {
                        column[6 + joint] = hinge.moment(point, -force) / hinge.effort;
                    }
                }
                columns.push(column);
            }
        }
    }
    distance(&columns, &target)
}

/// A patch on the object.
struct Patch {
    /// The link that touches.
    link: usize,
    /// Direction in which the object is pushed.
    normal: DVec3,
    /// Centre of pressure, and corners of a box around it in its plane.
    points: Vec<DVec3>,
}

fn patches(simulation: &Simulation, object: BodyId) -> Vec<Patch> {
    let contacts = simulation.contacts();
    let pushing = contacts
        .iter()
        .zip(simulation.contact_boxes())
        .filter(|(contact, _)| contact.other(object).is_some() && contact.normal_force > 0.0);
    pushing
        .map(|(contact, corners)| {
            let sign = if contact.a == object { 1.0 } else { -1.0 };
            let normal = sign * contact.normal;
            let in_plane = |corner: &DVec3| {
                let aside = *corner - contact.point;
                contact.point + aside - aside.dot(normal) * normal
            };
            Patch {
                link: contact.pair().other(object).unwrap().index(),
                normal,
                points: std::iter::once(contact.point)
                    .chain(corners.iter().map(in_plane))
                    .collect(),
            }
        })
        .collect()
}

/// Distance of a point from the cone of some columns [Lawson & Hanson 1974]: adds
/// the column that helps most, and drops those that would have to pull.
fn distance(columns: &[Vec<f64>], target: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut used: Vec<usize> = Vec::new();
    let mut x: Vec<f64> = Vec::new();
    let mut left = target.to_vec();
    for _ in 0..ROUNDS {
        let gain = |k: usize| dot(&columns[k], &left) / dot(&columns[k], &columns[k]).sqrt();
        let free = (0..columns.len()).filter(|k| !used.contains(k));
        let best = free.max_by(|&a, &b| gain(a).total_cmp(&gain(b)));
        let Some(best) = best.filter(|&k| gain(k) > 1.0e-10) else {
            break;
        };
        used.push(best);
        x.push(0.0);
        loop {
            let wanted = least_squares(columns, &used, target);
            let steps = x.iter().zip(&wanted).map(|(x, w)| match *w > 0.0 {
                true => 1.0,
                false => x / (x - w),
            });
            let step = steps.fold(1.0, f64::min);
            for (x, w) in x.iter_mut().zip(&wanted) {
                *x += step * (w - *x);
            }
            if step >= 1.0 {
                break;
            }
            let kept: Vec<bool> = x.iter().map(|x| *x > 1.0e-14).collect();
            let mut keep = kept.iter();
            used.retain(|_| *keep.next().unwrap());
            let mut keep = kept.iter();
            x.retain(|_| *keep.next().unwrap());
        }
        left = target.to_vec();
        for (&k, x) in used.iter().zip(&x) {
            left.iter_mut()
                .zip(&columns[k])
                .for_each(|(l, c)| *l -= c * x);
        }
    }
    dot(&left, &left).sqrt()
}

/// Coefficients of the columns in use that come closest to a point, by
/// orthogonalisation; a column that depends on those before it gets zero.
fn least_squares(columns: &[Vec<f64>], used: &[usize], target: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let n = used.len();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut upper = vec![vec![0.0; n]; n];
    for (j, &k) in used.iter().enumerate() {
        let mut column = columns[k].clone();
        let size = dot(&column, &column).sqrt();
        // Twice: once is not enough where columns are nearly parallel.
        for _ in 0..2 {
            for (i, q) in basis.iter().enumerate() {
                let part = dot(q, &column);
                upper[i][j] += part;
                column.iter_mut().zip(q).for_each(|(c, q)| *c -= part * q);
            }
        }
        let rest = dot(&column, &column).sqrt();
        if rest > 1.0e-12 * size {
            upper[j][j] = rest;
            column.iter_mut().for_each(|c| *c /= rest);
        } else {
            column.fill(0.0);
        }
        basis.push(column);
    }
    let mut x = vec![0.0; n];
    for j in (0..n).rev() {
        if upper[j][j] > 0.0 {
            let known: f64 = (j + 1..n).map(|k| upper[j][k] * x[k]).sum();
            x[j] = (dot(&basis[j], target) - known) / upper[j][j];
        }
    }
    x
}
