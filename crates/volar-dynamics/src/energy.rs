//! Energy and momentum of a tree.

use glam::DVec3;

use crate::kinematics::Kinematics;
use crate::tree::Tree;

/// Kinetic energy of the bodies, J. Rotor inertias add
/// [`armature_energy`] to it.
pub fn kinetic_energy(kinematics: &Kinematics) -> f64 {
    let bodies = kinematics.V_WB.iter().zip(&kinematics.M_BBo_W);
    bodies.map(|(V, M)| 0.5 * (M * *V).dot(*V)).sum()
}

/// Kinetic energy of the rotors, `½ Σ armature v²`, J.
pub fn armature_energy(armature: &[f64], v: &[f64]) -> f64 {
    let dofs = armature.iter().zip(v);
    dofs.map(|(inertia, v)| 0.5 * inertia * v * v).sum()
}

/// Potential energy in uniform gravity (m/s², world axes), zero at the world's
/// origin, J.
pub fn potential_energy(tree: &Tree, kinematics: &Kinematics, gravity: DVec3) -> f64 {
    masses(tree, kinematics)
        .map(|(mass, p_WBcm)| -mass * gravity.dot(p_WBcm))
        .sum()
}

/// Linear momentum, kg m/s, world axes.
pub fn linear_momentum(kinematics: &Kinematics) -> DVec3 {
    let bodies = kinematics.V_WB.iter().zip(&kinematics.M_BBo_W);
    bodies.map(|(V, M)| (M * *V).force).sum()
}

/// Angular momentum about the world's origin, kg m²/s, world axes.
pub fn angular_momentum(kinematics: &Kinematics) -> DVec3 {
    let bodies = kinematics.V_WB.iter().zip(&kinematics.M_BBo_W);
    bodies
        .zip(&kinematics.X_WB)
        .map(|((V, M), X_WB)| (M * *V).about(-X_WB.p).torque)
        .sum()
}

/// Centre of mass of all bodies, m; None when they have no mass.
pub fn centre_of_mass(tree: &Tree, kinematics: &Kinematics) -> Option<DVec3> {
    let total: f64 = tree.bodies().iter().map(|body| body.mass).sum();
    let moment: DVec3 = masses(tree, kinematics).map(|(mass, p)| p * mass).sum();
    (total > 0.0).then(|| moment / total)
}

/// Mass and centre of mass of each body.
fn masses<'a>(
    tree: &'a Tree,
    kinematics: &'a Kinematics,
) -> impl Iterator<Item = (f64, DVec3)> + 'a {
    let centres = kinematics.X_WB.iter().zip(&kinematics.p_BoBcm_W);
    let bodies = tree.bodies().iter().zip(centres);
    bodies.map(|(body, (X_WB, c))| (body.mass, X_WB.p + *c))
}
