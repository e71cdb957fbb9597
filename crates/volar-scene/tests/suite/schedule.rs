//! What happens when.

use crate::common::{at, body, close, joint, run, setup};
use glam::DVec3;
use volar_run::Run;
use volar_sim::ActuatorId;

fn drop(rest: &str) -> Run {
    run(&format!(
        "name = \"d\"\ngravity = [0.0, 0.0, 0.0]\nduration = 2.0\n[integrator]\ntolerance = 1e-8\n\
         [[body]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.1 }} }}\n{rest}"
    ))
}

#[test]
fn gravity_is_switched_on_at_its_time() {
    let mut run = drop("[[schedule]]\nat = 0.3\ngravity = [0.0, 0.0, -9.81]\n");
    close(at(&mut run, 0.3).bodies[0].position.z, 0.0, 1.0e-12);
    close(
        at(&mut run, 1.0).bodies[0].position.z,
        -0.5 * 9.81 * 0.49,
        1.0e-8,
    );
}

#[test]
fn events_of_one_time_come_in_the_order_of_the_file() {
    let mut run = drop(
        "[[schedule]]\nat = 0.5\ngravity = [0.0, 0.0, -5.0]\n\
         [[schedule]]\nat = 0.5\ngravity = [1.0, 0.0, 0.0]\n\
         [[schedule]]\nat = 0.0\ngravity = [0.0, 0.0, -2.0]\n",
    );
    let v = at(&mut run, 1.0).bodies[0].velocity;
    assert!((v - DVec3::new(0.5, 0.0, -1.0)).length() < 1.0e-8, "{v}");
}

/// A ball falls for half a second each time, from where it was at 0.2 s and with its speed then:
/// down, then along x, whatever is first in the file.
#[test]
fn the_state_returns_and_time_goes_on() {
    let mut run = drop(
        "[[schedule]]\nat = 0.0\ngravity = [0.0, 0.0, -10.0]\n\
         [[schedule]]\nat = 0.7\ngravity = [10.0, 0.0, 0.0]\n\
         [[schedule]]\nat = 0.7\nreturn_to = 0.2\n\
         [[schedule]]\nat = 1.5\nreturn_to = 0.0\n",
    );
    let before = at(&mut run, 0.7).bodies[0];
    // The same run to the bit in two pieces.
    let checkpoint = run.simulation().checkpoint();
    let mut resumed = run.clone();
    assert!(resumed.resume(&checkpoint, &[]).is_err());
    resumed.resume(&checkpoint, run.kept()).unwrap();
    let after = at(&mut run, 1.2).bodies[0];
    assert_eq!(at(&mut resumed, 1.2).bodies[0], after);
    // 0.7 s was told with the state after the return: z = −5·0.2², v = −10·0.2.
    close(before.position.z, -0.2, 1.0e-7);
    close(after.position.x, 1.25, 1.0e-7);
    close(after.position.z, -0.2 - 2.0 * 0.5, 1.0e-7);
    close(at(&mut run, 1.5).bodies[0].position.length(), 0.0, 1.0e-7);
}

#[test]
fn gravity_turns_about_its_axis() {
    for shape in ["linear", "smooth"] {
        let mut run = drop(&format!(
            "[[schedule]]\nat = 0.0\ngravity = [0.0, 0.0, -2.0]\n[[schedule]]\nat = 0.5\nover = 1.0\n\
             shape = \"{shape}\"\nturn_gravity = {{ axis = [0.0, 3.0, 0.0], angle_deg = 90.0 }}\n"
        ));
        run.advance_to(1.0).unwrap();
        let half = run.simulation().controls().gravity.at(1.0);
        // Both shapes are half way there; rotated about y, −z goes to −x.
        let wanted = DVec3::new(-1.0, 0.0, -1.0) * 2.0_f64.sqrt();
        assert!((half - wanted).length() < 1.0e-9, "{shape}: {half}");
        let quarter = run.simulation().controls().gravity.at(0.75);
        let share: f64 = if shape == "linear" {
            0.25
        } else {
            0.103_515_625
        };
        close(quarter.x, -2.0 * (90.0 * share).to_radians().sin(), 1.0e-9);
        run.advance_to(2.0).unwrap();
        let after = run.simulation().controls().gravity.at(2.0);
        assert!(
            (after - DVec3::new(-2.0, 0.0, 0.0)).length() < 1.0e-9,
            "{after}"
        );
    }
}

const ARM: &str = "name = \"a\"\ngravity = [0.0, 0.0, 0.0]\nduration = 4.0\n[[robot]]\nname = \"arm\"\n\
    file = \"arm.urdf\"\n[robot.joints]\nhinge = { effort = 1.0 }\n\
    slide = { target = 0.0, kp = 1000.0, kd = 50.0 }\n";

fn command(run: &mut Run, drive: usize, time: f64) -> f64 {
    run.advance_to(time).unwrap();
    let actuator = run.simulation().controls().actuator(ActuatorId::new(drive));
    actuator.unwrap().command().value(time)
}

#[test]
fn efforts_go_over_along_a_line_or_gently() {
    let mut run = run(&format!(
        "{ARM}[[schedule]]\nat = 0.1\nefforts = {{ hinge = 0.5 }}\n\
         [[schedule]]\nat = 0.2\nover = 0.2\nefforts = {{ \"arm/hinge\" = -0.5 }}\n\
         [[schedule]]\nat = 0.5\nover = 0.2\nshape = \"smooth\"\nefforts = {{ hinge = 0.5 }}\n"
    ));
    for (time, effort) in [
        (0.05, 1.0),
        (0.15, 0.5),
        (0.25, 0.25),
        (0.3, 0.0),
        (0.45, -0.5),
        (0.55, -0.5 + 0.103_515_625),
        (0.6, 0.0),
        (0.8, 0.5),
    ] {
        close(command(&mut run, 0, time), effort, 1.0e-9);
    }
}

#[test]
fn a_new_target_is_reached() {
    let mut run = run(&format!(
        "{ARM}[[schedule]]\nat = 0.0\nefforts = {{ hinge = 0.0 }}\n\
         [[schedule]]\nat = 0.5\nover = 0.5\ntargets = {{ slide = 0.05 }}\n"
    ));
    close(command(&mut run, 1, 0.75), 0.025, 1.0e-9);
    let frame = at(&mut run, 4.0);
    close(
        frame.joints[joint(run.setup(), "arm/slide")].position,
        0.05,
        1.0e-4,
    );
}

#[test]
fn controls_of_a_file_go_through_its_map() {
    let mut run = run(
        "name = \"h\"\ngravity = [0.0, 0.0, 0.0]\nduration = 3.0\n[[robot]]\nname = \"hand\"\n\
         file = \"hand.xml\"\n[robot.controls]\nservo = [[0.0, 0.0], [1.0, 0.5]]\n\
         [[schedule]]\nat = 2.0\ncontrols = { servo = 9.0, motor = 0.1 }\n",
    );
    close(command(&mut run, 0, 0.5), 0.25, 1.0e-9);
    // Kept in the range of the control; gear 2 on the motor.
    close(command(&mut run, 0, 2.5), 1.0, 1.0e-9);
    close(command(&mut run, 1, 2.5), 0.2, 1.0e-9);
}

#[test]
fn a_rail_can_be_driven_by_the_schedule() {
    let mut run = run(
        "name = \"r\"\nduration = 2.0\n[[body]]\nname = \"cart\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
         mass = 1.0\nslides_along = [1.0, 0.0, 0.0]\neffort = 0.0\n\
         [[schedule]]\nat = 1.0\nefforts = { cart = 2.0 }\n",
    );
    let frame = at(&mut run, 2.0);
    close(
        frame.bodies[body(run.setup(), "cart")].position.x,
        1.0,
        1.0e-9,
    );
}

#[test]
fn events_are_in_order_of_time() {
    let setup = setup(
        "name = \"o\"\n[[body]]\nname = \"b\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
         [[force]]\nbody = \"b\"\nforce = [1.0, 0.0, 0.0]\nstart = 0.4\nend = 0.6\n\
         [[schedule]]\nat = 0.5\ngravity = [0.0, 0.0, 0.0]\n",
    );
    let times: Vec<f64> = setup.events.iter().map(|event| event.at).collect();
    assert_eq!(times, [0.4, 0.5, 0.6]);
}
