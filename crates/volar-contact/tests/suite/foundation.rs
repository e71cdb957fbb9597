//! The elastic wrench of the foundation law: the same whichever body is called
//! A, the same wherever the pair is, `g V n̂` in a flat body's field, and made
//! of layers in series.

use crate::common::{
    Bodies, Motion, block, error_of, in_world, pair_materials, pose, random_pose, split, stiff,
};
use glam::{DMat3, DVec3};
use volar_contact::track::Tracked;
use volar_contact::{Material, PairMaterial};
use volar_geom::mesh::shapes::icosphere;
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_math::{Twist, Wrench};
use volar_testkit::corpus::bunny;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{closed, l_block};

/// Sums over some hundred cells with terms up to 100 times the result.
const ROUNDING: f64 = 1e-11;

/// Pairs of shapes, with a place of A at which they press.
fn pairs() -> Vec<(&'static str, ClosedMesh, ClosedMesh, Pose)> {
    let cube = || block(0.04, 0.04, 0.04);
    let tilt = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let low = bunny()
        .vertices
        .iter()
        .map(|p| p.z)
        .fold(f64::INFINITY, f64::min);
    vec![
        (
            "face on face",
            block(0.02, 0.02, 0.02),
            cube(),
            pose(tilt(0.01, 0.02, 0.4), DVec3::new(0.004, 0.002, 0.0297)),
        ),
        (
            "over an edge",
            block(0.02, 0.02, 0.02),
            cube(),
            pose(tilt(0.05, 0.1, 0.3), DVec3::new(0.019, 0.003, 0.029)),
        ),
        (
            "corner in face",
            block(0.02, 0.02, 0.02),
            cube(),
            pose(tilt(0.6, 0.7, 0.1), DVec3::new(0.002, 0.001, 0.035)),
        ),
        (
            "ball on edge",
            closed(icosphere(0.015, 3)),
            cube(),
            pose(tilt(0.1, 0.2, 0.3), DVec3::new(0.03, 0.001, 0.029)),
        ),
        (
            "block in a corner",
            block(0.02, 0.018, 0.016),
            closed(l_block(0.04, 0.01, 0.03)),
            pose(tilt(0.03, 0.02, 0.05), DVec3::new(-0.0003, -0.0012, 0.001)),
        ),
        (
            "bunny on plate",
            closed(bunny()),
            block(0.2, 0.2, 0.04),
            pose(tilt(0.0, 0.0, 0.5), DVec3::new(0.0, 0.0, 0.019 - low)),
        ),
    ]
}

/// How A of each pair moves.
fn motion_of(X_WA: Pose, rng: &mut Rng) -> Motion {
    Motion {
        X_WA,
        X_WB: Pose::IDENTITY,
        at: X_WA.p,
        twist: Twist {
            angular: rng.in_cube(0.3),
            linear: rng.in_cube(0.01),
        },
    }
}

/// Deflects the patches of a pair by something in their planes.
fn deflect(tracked: &mut [Tracked], rng: &mut Rng) {
    for t in tracked {
        let z = rng.in_cube(1e-5).reject_from_normalized(t.patch.normal);
        z.write_to_slice(&mut t.state[..3]);
        t.state[3] = rng.uniform(-1e-3, 1e-3);
    }
}

#[test]
fn the_wrench_is_the_same_whichever_body_is_called_a() {
    println!("{:<18} {:<10} patches  error", "pair", "field");
    let mut with_friction = 0;
    for (index, (name, a, b, X_WA)) in pairs().into_iter().enumerate() {
        for (pair_material, materials) in pair_materials() {
            let mut rng = Rng::for_case("swap", index);
            let motion = motion_of(X_WA, &mut rng);
            let straight = Bodies::new(a.clone(), b.clone(), materials);
            let swapped = Bodies::new(b.clone(), a.clone(), [materials[1], materials[0]]);
            let back = Motion {
                X_WA: motion.X_WB,
                X_WB: motion.X_WA,
                at: motion.at,
                twist: Twist {
                    angular: -motion.twist.angular,
                    linear: -motion.twist.linear,
                },
            };
            let mut tracked = straight.patches(&motion);
            deflect(&mut tracked, &mut rng);
            let others = swapped.patches(&back);
            let twins = twins(
                &tracked,
                &others,
                &Pose::relative(&motion.X_WB, &motion.X_WA),
            );
            let frictions = twins.is_some();
            let (mirrored, tracked) = twins.map_or((vec![], vec![]), |twins| (twins, tracked));
            let (patches, states) = split(&tracked);
            let one = straight.contact(&motion, &patches, &states);
            let (patches, states) = split(&mirrored);
            let other = swapped.contact(&back, &patches, &states);
            let on_a = in_world(&one.wrench, &motion, &one, motion.at);
            let on_b = in_world(&other.wrench, &back, &other, motion.at);
            let error = error_of(&-on_b, &on_a, 0.01);
            println!(
                "{name:<18} {pair_material:<10} {:>7}  {error:.1e}",
                tracked.len()
            );
            assert!(on_a.force.length() > 1e-2, "{name} must press");
            // Patches are damped as wholes: where they differ, so does that.
            let tolerance = if frictions { 1e-10 } else { 1e-4 };
            assert!(error < tolerance, "{name}, {pair_material}: {error:e}");
            with_friction += usize::from(frictions);
            let powers = [one.damping_lost, other.damping_lost];
            assert!(
                (powers[0] - powers[1]).abs() <= tolerance * powers[0].abs(),
                "{name}: {powers:?}"
            );
        }
    }
    assert!(
        with_friction >= 14,
        "friction compared in {with_friction} of 18"
    );
}

/// The patches seen from B with the deflections of those seen from A: each has
/// the opposite normal at the same place. None when the rims of a contact over
/// an edge were put together otherwise: which ways out make a patch is first
/// come, first served, and A's surface comes first.
fn twins(tracked: &[Tracked], others: &[Tracked], X_BA: &Pose) -> Option<Vec<Tracked>> {
    let mut mirrored = others.to_vec();
    for t in tracked {
        let (centre, normal) = (X_BA.point(t.patch.centre), X_BA.R * t.patch.normal);
        let twin = mirrored.iter_mut().find(|o| {
            let near = (o.patch.centre - centre).length() < 1e-9;
            near && o.patch.normal.dot(normal) < -1.0 + 1e-9
        })?;
        let z = -(X_BA.R * DVec3::from_slice(&t.state[..3]));
        z.write_to_slice(&mut twin.state[..3]);
        twin.state[3] = t.state[3];
    }
    (tracked.len() == others.len()).then_some(mirrored)
}

/// A common motion of both bodies carries the wrench along. At 10 m a position
/// is rounded to 2e-15 m, of depths of some 0.1 mm: 1e-11, times the number of
/// roundings.
#[test]
fn the_wrench_is_the_same_wherever_the_pair_is() {
    println!("{:<18} offset   error", "pair");
    for (index, (name, a, b, X_WA)) in pairs().into_iter().enumerate() {
        let bodies = Bodies::new(a, b, pair_materials()[0].1);
        let mut rng = Rng::for_case("carried", index);
        let motion = motion_of(X_WA, &mut rng);
        let mut tracked = bodies.patches(&motion);
        deflect(&mut tracked, &mut rng);
        let (patches, states) = split(&tracked);
        let here = bodies.contact(&motion, &patches, &states);
        let wanted = in_world(&here.wrench, &motion, &here, motion.at);
        for (offset, tolerance) in [(0.0, 1e-10), (0.5, 1e-10), (10.0, 2e-9)] {
            let X = Pose {
                p: offset * rng.direction(),
                ..random_pose(&mut rng, 1.0)
            };
            let there = motion.carried(&X);
            let contact = bodies.contact(&there, &patches, &states);
            let got = in_world(&contact.wrench, &there, &contact, there.at);
            let got = got.rotated(&X.R.transpose());
            let error = error_of(&got, &wanted, 0.01);
            println!("{name:<18} {offset:>4} m  {error:.1e}");
            assert!(error < tolerance, "{name} at {offset} m: {error:e}");
        }
    }
}

/// The force of a flat body's field is the paper's `g₁ V n̂`, against any shape.
#[test]
fn a_flat_field_pushes_with_g_times_the_volume() {
    let mut kernel = OverlapKernel::new();
    let plate = block(0.2, 0.2, 0.04);
    let ball = closed(icosphere(0.03, 4));
    let rabbit = closed(bunny());
    let bounds = rabbit.bounds();
    println!("shape    force / g V − 1   sideways");
    for (name, mesh, height) in [("ball", ball, 0.03), ("bunny", rabbit, -bounds.min.z)] {
        for depth in [1e-5, 1e-4, 1e-3] {
            let bodies = Bodies::new(mesh.clone(), plate.clone(), [stiff(1e13), stiff(1e9)]);
            let X_WA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.02 + height - depth));
            let motion = Motion::still(X_WA, Pose::IDENTITY);
            let contact = bodies.fresh(&motion);
            let X_AB = Pose::relative(&X_WA, &Pose::IDENTITY);
            let volume = kernel.overlap(&mesh, &plate, &X_AB).total.volume;
            let force = contact.wrench.force;
            let wanted = bodies.pair_material.stiffness * volume;
            let (along, across) = (force.z / wanted - 1.0, force.truncate().length() / wanted);
            println!("{name:<8} {along:>13.1e}   {across:.1e}");
            assert!(along.abs() < 1e-10, "{name}: {along:e}");
            assert!(across < 1e-10, "{name}: {across:e}");
            // And it acts at the centroid of the volume, the point of reference.
            let lever = contact.wrench.torque.length() / wanted;
            assert!(lever < 1e-10 * 0.03, "{name}: acts {lever:e} m off");
        }
    }
}

/// The force is minus the gradient of a potential, so its change per translation is
/// symmetric where the depth is continuous. In the bunny's pits it is cut up
/// into pieces that do not quite join: 2e-4 here.
#[test]
fn the_force_tangent_is_symmetric() {
    for (name, a, b, X_WA) in pairs() {
        let bodies = Bodies::new(a, b, pair_materials()[0].1);
        let contact = bodies.fresh(&Motion::still(X_WA, Pose::IDENTITY));
        let m: DMat3 = contact.normal_contact.by_displacement.force_by_translation;
        let off = m - m.transpose();
        let size = m.x_axis.length() + m.y_axis.length() + m.z_axis.length();
        let skew = off.x_axis.length() + off.y_axis.length() + off.z_axis.length();
        println!("{name:<18} skew part {:.1e}", skew / size);
        let tolerance = if name.starts_with("bunny") {
            1e-3
        } else {
            ROUNDING
        };
        assert!(skew < tolerance * size, "{name}: {:e}", skew / size);
    }
}

/// Exactly nothing, so that its field is not even looked for.
fn is_rigid(share: f64) -> bool {
    share.to_bits() == 0
}

#[test]
fn layers_are_springs_in_series() {
    let (rubber, plastic) = (
        Material::named("rubber").unwrap(),
        Material::named("plastic").unwrap(),
    );
    let (a, b) = (rubber, stiff(3.0 * rubber.stiffness));
    let pair_material = PairMaterial::of(&a, &b);
    assert!(
        (1.0 / pair_material.stiffness - 1.0 / a.stiffness - 1.0 / b.stiffness).abs()
            < 1e-15 / a.stiffness
    );
    let shear = 1.0 / a.shear_stiffness + 1.0 / b.shear_stiffness;
    assert!((pair_material.shear_stiffness * shear - 1.0).abs() < 1e-15);
    // The softer layer takes the depth: ¾ of it in A.
    assert!(
        (pair_material.shares[0] - 0.75).abs() < 1e-15
            && (pair_material.shares[0] + pair_material.shares[1] - 1.0).abs() < 1e-15
    );
    assert!(
        (pair_material.damping_time - (0.75 * a.damping_time + 0.25 * b.damping_time)).abs()
            < 1e-18
    );
    assert!((pair_material.friction - (a.friction * b.friction).sqrt()).abs() < 1e-15);
    assert_eq!(
        PairMaterial::of(&b, &a),
        PairMaterial {
            shares: [pair_material.shares[1], pair_material.shares[0]],
            ..pair_material
        }
    );
    // A share below a fifth is that of a rigid body.
    assert!(is_rigid(PairMaterial::of(&rubber, &plastic).shares[1]));
    assert!(is_rigid(PairMaterial::of(&plastic, &rubber).shares[0]));
    assert!(is_rigid(
        PairMaterial::of(&stiff(1.0), &stiff(4.01)).shares[1]
    ));
    assert!(PairMaterial::of(&stiff(1.0), &stiff(3.99)).shares[1] > 0.2);
}

/// A rigid body's field is not even asked for, and the other's counts in full.
#[test]
fn a_rigid_share_drops_its_field() {
    let (name, a, b, X_WA) = pairs().swap_remove(1);
    let motion = Motion::still(X_WA, Pose::IDENTITY);
    let with = |materials| Bodies::new(a.clone(), b.clone(), materials).fresh(&motion);
    let contact = with([stiff(2e10), stiff(1e9)]);
    assert_eq!(
        contact.normal_contact.elastic[0],
        Wrench::default(),
        "{name}: A is rigid"
    );
    assert!(contact.normal_contact.elastic[1].force.length() > 0.0);
    let contact = with([stiff(1e9), stiff(2e10)]);
    assert_eq!(
        contact.normal_contact.elastic[1],
        Wrench::default(),
        "{name}: B is rigid"
    );
    let contact = with([stiff(1e9), stiff(3e9)]);
    assert!(
        contact
            .normal_contact
            .elastic
            .iter()
            .all(|w| w.force.length() > 0.0)
    );
    // Where both fields are the same function the shares do not matter: two
    // equal faces pressed flat.
    let cube = block(0.02, 0.02, 0.02);
    let flat = Motion::still(
        pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.0198)),
        Pose::IDENTITY,
    );
    let force = |materials: [Material; 2]| {
        let bodies = Bodies::new(cube.clone(), cube.clone(), materials);
        bodies.fresh(&flat).wrench.force.z / bodies.pair_material.stiffness
    };
    let (one, both) = (
        force([stiff(1e11), stiff(1e9)]),
        force([stiff(1e9), stiff(1e9)]),
    );
    assert!((one / both - 1.0).abs() < ROUNDING, "{one} {both}");
}

/// A layer four times as stiff as the other is taken as rigid. What that changes,
/// from just below to just above: little where the surfaces are flat, and the
/// stated limit where a corner or the feet of the bunny are pressed in deeply.
#[test]
fn a_stiff_layer_may_be_taken_as_rigid() {
    let soft = stiff(1.5e9);
    for (name, a, b, X_WA) in pairs() {
        let motion = Motion {
            X_WA,
            X_WB: Pose::IDENTITY,
            at: X_WA.p,
            twist: Twist::default(),
        };
        for swapped in [false, true] {
            let force = |ratio: f64| {
                let mut materials = [soft, stiff(ratio * soft.stiffness)];
                if swapped {
                    materials.reverse();
                }
                let pair_material = PairMaterial::of(&materials[0], &materials[1]);
                let bodies = Bodies::new(a.clone(), b.clone(), materials);
                let contact = bodies.contact(&motion, &[], &[]);
                let fields = pair_material.shares.iter().filter(|s| **s > 0.0).count();
                (fields, contact.wrench.force / pair_material.stiffness)
            };
            let ((two, both), (one, rigid)) = (force(3.99), force(4.01));
            assert_eq!([two, one], [2, 1]);
            let change = (rigid - both).length() / both.length();
            println!("{name:<18} {swapped:<5} {:.2} %", 100.0 * change);
            let limit = match name {
                "face on face" | "over an edge" => 0.01,
                _ => 0.15,
            };
            assert!(change < limit, "{name}: {change}");
        }
    }
}
