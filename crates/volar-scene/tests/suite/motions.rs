//! Prescribed motions: velocities and accelerations are those of the positions.

use crate::common::{self, at, close, compile_in, folder, run};
use glam::{DMat3, DVec3};
use volar_scene::Setup;
use volar_sim::{BodyId, MotionId};

const TILTED: &str = "t,x,y,z,qw,qx,qy,qz
0.0, 0, 0, 0, 1, 0, 0, 0
0.5, 0.1, 0, 0.05, 0.9238795325, 0.3826834324, 0, 0
1.0, 0.1, 0.2, 0, 0.7071067812, 0.5, 0.5, 0
1.6, 0, 0.1, 0, -0.9238795325, 0, 0, -0.3826834324
";

fn moving(motion: &str) -> Setup {
    let text = format!(
        "name = \"m\"\nduration = 3.0\n[[body]]\nname = \"box\"\nshape = {{ box = [0.1, 0.1, 0.1] }}\n\
         position = [1.0, 2.0, 3.0]\norientation = [0.8, 0.0, 0.6, 0.0]\nfixed = true\n{motion}"
    );
    let folder = folder(&[("track.csv", TILTED)]);
    compile_in(folder.path(), &text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn motions() -> Vec<(&'static str, Setup)> {
    vec![
        (
            "sine",
            moving(
                "[body.motion.sine]\namplitude = [0.02, 0.03, 0.01]\nfrequency = 1.5\n\
                 phase_deg = [0.0, 90.0, 30.0]\nstart = 0.4\nramp = 0.7\n",
            ),
        ),
        (
            "waypoints",
            moving(
                "[body.motion]\nwaypoints = [\n{ time = 0.2, position = [0.0, 0.0, 0.0] },\n\
                 { time = 1.0, position = [0.1, 0.0, 0.2], orientation = [0.8, 0.6, 0.0, 0.0] },\n\
                 { time = 1.5, position = [0.1, 0.0, 0.2], orientation = [0.6, 0.0, 0.0, 0.8] },\n\
                 { time = 2.5, position = [0.0, 0.0, 0.0], orientation = [-1.0, 0.0, 0.0, 0.0] }]\n",
            ),
        ),
        ("csv", moving("[body.motion.csv]\nfile = \"track.csv\"\n")),
    ]
}

/// ω of a rotation from R and its change.
fn angular_velocity(R: &DMat3, dR: &DMat3) -> DVec3 {
    let S = *dR * R.transpose();
    0.5 * DVec3::new(
        S.y_axis.z - S.z_axis.y,
        S.z_axis.x - S.x_axis.z,
        S.x_axis.y - S.y_axis.x,
    )
}

#[test]
fn velocity_and_acceleration_are_derivatives_of_the_pose() {
    for (name, setup) in motions() {
        let motion = setup.model.motion(MotionId::new(0)).unwrap();
        let h = 1.0e-5;
        let breaks = motion.breaks();
        let mut moved = 0;
        for k in 0..300 {
            let t = 0.0034 + 0.01 * f64::from(k);
            if breaks.iter().any(|b| (b - t).abs() < 2.0 * h) {
                continue;
            }
            let [before, here, after] = [t - h, t, t + h].map(|t| motion.at(t));
            let v = (after.X_WF.p - before.X_WF.p) / (2.0 * h);
            let a = (after.V_WF.linear - before.V_WF.linear) / (2.0 * h);
            let dR = (after.X_WF.R - before.X_WF.R) * (0.5 / h);
            let w = angular_velocity(&here.X_WF.R, &dR);
            let alpha = (after.V_WF.angular - before.V_WF.angular) / (2.0 * h);
            for (what, found, wanted) in [
                ("velocity", here.V_WF.linear, v),
                ("acceleration", here.A_WF.linear, a),
                ("angular velocity", here.V_WF.angular, w),
                ("angular acceleration", here.A_WF.angular, alpha),
            ] {
                // Differences of second order with h = 1e-5: third derivatives
                // of these motions stay below 1e3.
                assert!(
                    (found - wanted).length() < 1.0e-6 * (1.0 + wanted.length()),
                    "{name} at {t}: {what} {found}, by differences {wanted}"
                );
            }
            if v.length() + w.length() > 0.0 {
                moved += 1;
                assert!(motion.moves_after(t), "{name} at {t} says it rests");
            }
        }
        assert!(moved > 100, "{name} hardly moves");
    }
}

#[test]
fn poses_and_velocities_do_not_jump() {
    for (name, setup) in motions() {
        let motion = setup.model.motion(MotionId::new(0)).unwrap();
        for t in motion.breaks() {
            let (a, b) = (motion.at(t - 1.0e-9), motion.at(t + 1.0e-9));
            assert!((a.X_WF.p - b.X_WF.p).length() < 1.0e-8, "{name} at {t}");
            assert!(
                (a.V_WF.linear - b.V_WF.linear).length() < 1.0e-6,
                "{name} at {t}"
            );
            assert!(
                (a.V_WF.angular - b.V_WF.angular).length() < 1.0e-6,
                "{name} at {t}"
            );
        }
    }
}

#[test]
fn motions_start_from_the_place_of_the_body_and_hit_their_points() {
    let place = DVec3::new(1.0, 2.0, 3.0);
    for (name, setup) in motions() {
        let simulation = setup.simulation().unwrap();
        let X = simulation.pose(BodyId::new(0));
        assert!((X.p - place).length() < 1.0e-12, "{name}: {}", X.p);
        // Its own orientation stays: 0.8 + 0.6 j.
        close(X.R.x_axis.z, -0.96, 1.0e-12);
    }
    let (_, waypoints) = &motions()[1];
    let there = waypoints
        .model
        .motion(MotionId::new(0))
        .unwrap()
        .at(1.0)
        .X_WF;
    assert!((there.p - place - DVec3::new(0.1, 0.0, 0.2)).length() < 1.0e-12);
    close(there.R.y_axis.z, 0.96, 1.0e-12);
    let (_, track) = &motions()[2];
    let there = track.model.motion(MotionId::new(0)).unwrap().at(0.5).X_WF;
    assert!((there.p - place - DVec3::new(0.1, 0.0, 0.05)).length() < 1.0e-12);
    close(there.R.y_axis.y, std::f64::consts::FRAC_1_SQRT_2, 1.0e-9);
}

#[test]
fn the_same_orientation_with_another_sign_is_no_turn() {
    let setup = moving(
        "[body.motion]\nwaypoints = [{ time = 0.0, position = [0.0, 0.0, 0.0] },\n\
         { time = 1.0, position = [0.1, 0.0, 0.0], orientation = [-1.0, 0.0, 0.0, 0.0] }]\n",
    );
    let motion = setup.model.motion(MotionId::new(0)).unwrap().at(0.5);
    assert!(
        motion.V_WF.angular.length() < 1.0e-12,
        "{}",
        motion.V_WF.angular
    );
}

#[test]
fn a_spreadsheets_csv_is_read() {
    let csv = "\u{feff}t,x,y,z\r\n0,0,0,0\r\n1,0.5,0,0\r\n\r\n";
    let folder = folder(&[("track.csv", csv)]);
    let text = "name = \"m\"\n[[body]]\nname = \"box\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
                motion = { csv = { file = \"track.csv\" } }\n";
    let setup = compile_in(folder.path(), text, &[]).unwrap();
    close(
        setup
            .model
            .motion(MotionId::new(0))
            .unwrap()
            .at(2.0)
            .X_WF
            .p
            .x,
        0.5,
        1.0e-12,
    );
}

#[test]
fn a_robot_is_carried_by_its_motion() {
    let mut run = run(
        "name = \"m\"\ngravity = [0.0, 0.0, 0.0]\nduration = 2.0\n[[robot]]\nname = \"arm\"\n\
         file = \"arm.urdf\"\nposition = [0.0, 0.0, 1.0]\norientation = [0.0, 0.0, 0.0, 1.0]\n\
         [robot.motion]\nwaypoints = [{ time = 0.0, position = [0.0, 0.0, 0.0] }, \
         { time = 1.0, position = [0.0, 0.5, 0.0] }]\n[robot.joints]\n\
         hinge = { target = 0.0, kp = 1000.0, kd = 10.0 }\nslide = { target = 0.0, kp = 1e4, kd = 100.0 }\n",
    );
    let frame = at(&mut run, 2.0);
    let tip = common::body(run.setup(), "arm/tip");
    let p = frame.bodies[tip].position;
    // Turned by half a turn about z, carried by 0.5 m along the world's y.
    assert!((p - DVec3::new(-0.25, 0.5, 1.0)).length() < 1.0e-3, "{p}");
}
