//! Reading 13: the printed direction of the force jumps.
//!
//! `s_d` sums over the triangles of the overlap's surface with weights that
//! grow with the distance from its centroid. On a flat patch the narrow strips
//! along the sides then weigh as much as the face, at any depth, and how each
//! face happens to be cut into triangles weighs too. By how many degrees it is
//! off therefore depends on the meshes; that it is, and that it jumps, does not.

use std::f64::consts::FRAC_PI_2;

use crate::common::{self, block, pose};
use glam::DVec3;
use volar_contact::paper::{Direction, printed_direction};
use volar_contact::{ContactLaw, NormalLaw, Paper};
use volar_geom::mesh::shapes::icosphere;
use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_math::Twist;
use volar_testkit::corpus::bunny;
use volar_testkit::solids::closed;

/// Degrees between the two readings of the direction and the true normal, A
/// pushed along +z: printed, area vector.
fn degrees_off(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose, normal: DVec3) -> [f64; 2] {
    let mut kernel = OverlapKernel::new();
    let mesh = kernel.overlap_mesh(a, b, X_AB);
    let total = kernel.last().total;
    let printed = printed_direction(total.centroid.expect("they overlap"), &mesh);
    let area = -total.surfaces[0].area_vector;
    [printed, area].map(|s| s.angle_between(normal).to_degrees())
}

/// A pad of 20 × 60 mm on top of a cube, sunk by a depth, moved along its
/// length from the middle, tilted.
fn pad_on_cube(edge: f64, along: f64, depth: f64, tilt: DVec3) -> [f64; 2] {
    let (pad, cube) = (block(0.02, 0.06, 0.02), block(edge, edge, edge));
    let height = 0.01 + 0.5 * edge - depth;
    let X_AB = pose(tilt, DVec3::new(0.0, along, height)).inverse();
    degrees_off(&pad, &cube, &X_AB, X_AB.R * DVec3::Z)
}

/// The pad as long as the face: 10 µm decide which body the strip at its end
/// belongs to. The area vector counts that strip as well, but by its area: it
/// turns by no more than depth over length.
#[test]
fn ten_microns_of_overhang_throw_the_direction_about() {
    println!("overhang  depth    printed  area vector");
    for depth in [1e-5, 1e-4] {
        let found = [-1e-5, 0.0, 1e-5].map(|overhang| {
            // Shorter by that much at one end, or longer.
            let [printed, area] = pad_on_cube(0.06, overhang, depth, DVec3::ZERO);
            let (o, d) = (1e6 * overhang, 1e6 * depth);
            println!("{o:>5} µm  {d:>4} µm  {printed:>6.2}°  {area:.4}°");
            assert!(area.to_radians() < 1.01 * depth / 0.06, "{area}");
            printed
        });
        let jump = (found[1] - found[0]).abs().max((found[2] - found[1]).abs());
        assert!(jump > 20.0, "it jumps: {found:?}");
        assert!(
            found.iter().all(|angle| *angle > 45.0),
            "it is far off: {found:?}"
        );
    }
}

/// The pad across a smaller cube, in the very middle: by symmetry the printed
/// sum is exact. A tilt of 0.2° or a shift of 10 mm, and it is not.
#[test]
fn a_tilt_of_a_fifth_of_a_degree_throws_the_direction_off() {
    let depth = 1e-4;
    let [printed, area] = pad_on_cube(0.04, 0.0, depth, DVec3::ZERO);
    println!("straight, centred    {printed:>6.2}°  {area:.4}°");
    assert!(printed < 1e-3 && area < 1e-3, "{printed} {area}");
    let tilt = 0.2_f64.to_radians();
    for (name, turn) in [("along", tilt * DVec3::X), ("across", tilt * DVec3::Y)] {
        let [printed, area] = pad_on_cube(0.04, 0.0, depth, turn);
        println!("tilted 0.2° {name:<8} {printed:>6.2}°  {area:.4}°");
        assert!(printed > 40.0, "{printed}");
        assert!(area < 0.3, "{area}");
    }
}

#[test]
fn the_bunny_is_off_and_the_ball_is_not() {
    let plate = block(0.2, 0.2, 0.04);
    println!("shape  depth     printed  area vector");
    let rabbit = closed(bunny());
    let low = rabbit.bounds().min.z;
    let ball = closed(icosphere(0.03, 3));
    for (name, mesh, bottom) in [("ball", &ball, -0.03), ("bunny", &rabbit, low)] {
        for depth in [1e-4, 3e-4, 1e-3] {
            let X_BA = pose(DVec3::ZERO, DVec3::new(0.0, 0.0, 0.02 - bottom - depth));
            let [printed, area] = degrees_off(mesh, &plate, &X_BA.inverse(), DVec3::Z);
            println!(
                "{name:<5}  {:>5} µm  {printed:>6.2}°  {area:.1e}°",
                1e6 * depth
            );
            assert!(area < 1e-6, "{name}: {area}");
            match name {
                "ball" => assert!(printed < 0.01, "the ball is right: {printed}"),
                _ => assert!(printed > 5.0, "the bunny is not: {printed}"),
            }
        }
    }
    for turn in [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y] {
        let R = pose(FRAC_PI_2 * turn, DVec3::ZERO).R;
        let bottom = rabbit
            .vertices()
            .iter()
            .map(|p| (R * *p).z)
            .fold(f64::INFINITY, f64::min);
        let X_BA = Pose {
            R,
            p: DVec3::new(0.0, 0.0, 0.02 - bottom - 5e-4),
        };
        let X_AB = X_BA.inverse();
        let [printed, area] = degrees_off(&rabbit, &plate, &X_AB, X_AB.R * DVec3::Z);
        println!("bunny on its side: {printed:>6.2}°  {area:.1e}°");
        assert!(area < 1e-6 && printed > 5.0, "{area} {printed}");
    }
}

/// The switch is what the law follows.
#[test]
fn the_switch_turns_the_force() {
    let (pad, cube) = (block(0.02, 0.06, 0.02), block(0.06, 0.06, 0.06));
    let X_BA = pose(DVec3::ZERO, DVec3::new(0.0, 1e-5, 0.04 - 1e-4));
    let materials = [common::stiff(1e9); 2];
    let bodies = common::Bodies::new(pad, cube, materials);
    let motion = common::Motion::still(X_BA, Pose::IDENTITY);
    assert_eq!(motion.twist, Twist::default());
    let mut angles = Vec::new();
    for direction in [Direction::AreaVector, Direction::Printed] {
        let paper = Paper {
            direction,
            impact_gain: 0.0,
            ..Paper::default()
        };
        let law = ContactLaw {
            normal: NormalLaw::Paper(paper),
            ..ContactLaw::paper()
        };
        let contact = common::Bodies {
            law,
            ..bodies.clone()
        }
        .fresh(&motion);
        let force = contact.normal_contact.wrench().force;
        // The size is the same; only the direction is another.
        let wanted = paper.stiffness * contact.volume;
        assert!((force.length() / wanted - 1.0).abs() < 1e-12);
        angles.push(force.angle_between(DVec3::Z).to_degrees());
    }
    println!("area vector {:.4}°, printed {:.2}°", angles[0], angles[1]);
    let wanted = pad_on_cube(0.06, 1e-5, 1e-4, DVec3::ZERO);
    assert!((angles[0] - wanted[1]).abs() < 1e-6 && (angles[1] - wanted[0]).abs() < 1e-6);
}
