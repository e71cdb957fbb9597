//! Three fingers hold an object while the palm goes round in a circle. A perfect
//! grasp gives the object the kinetic energy of the palm's motion.

use crate::common::{OBJECTS, page, scene, trial};
use glam::DVec3;
use volar_run::Run;
use volar_sim::BodyId;

/// MuJoCo 4.0.0 with rigid contacts, for cube, sphere and bunny.
const REFERENCE: [f64; 3] = [1.0000, 1.0011, 1.0011];
/// Pads from rubber to the ones of the scenes, N/m³.
const PADS: [f64; 4] = [7.5e8, 1.0e10, 2.5e10, 5.0e10];

#[test]
fn shaken_objects_are_held_and_hard_pads_keep_them_in_step() {
    let mut table = format!(
        "| pad (N/m³) | {} |\n|--:|--:|--:|--:|\n",
        OBJECTS.join(" | ")
    );
    for pad in PADS {
        let ratios = OBJECTS.map(|object| {
            let setup = scene(
                &format!("shake-{object}"),
                &[format!("materials.pad.stiffness={pad:?}")],
            );
            let done = trial(&setup, |_| {});
            let s = done.summary;
            println!(
                "shake-{object}, pad {pad:.1e}: kinetic energy {:.5}, slip {:.1e} um, {} steps, {:.2} s",
                s.kinetic_energy_ratio.unwrap(),
                s.slip_um.unwrap(),
                s.steps,
                s.wall_s
            );
            assert!(s.held == Some(true) && s.failure.is_none(), "{object}");
            // On rubber the bunny swings so far that an ear rubs.
            assert!(pad < 5.0e10 || s.slip_um.unwrap() < 1.0e-3, "{object} slips");
            s.kinetic_energy_ratio.unwrap()
        });
        let shown = ratios.map(|ratio| format!("{ratio:.4}"));
        table += &format!("| {pad:.1e} | {} |\n", shown.join(" | "));
        if pad >= 5.0e10 {
            for (ratio, reference) in ratios.iter().zip(REFERENCE) {
                assert!((ratio - reference).abs() < 0.002, "{ratio} {reference}");
            }
        }
    }
    println!("{table}");
    page::check("grasps.md", "shakes", &table);
}

#[test]
fn the_pads_of_the_table_are_those_of_the_scenes() {
    let setup = scene("shake-cube", &[]);
    let simulation = setup.simulation().unwrap();
    let stiffness = simulation.controls().material(BodyId::new(1)).stiffness;
    assert!((stiffness / PADS[3] - 1.0).abs() < 1.0e-12, "{stiffness}");
}

/// d(t) = 20 mm s(t) (sin w (t - 1), 0, cos w (t - 1)), w = 4 pi / s, s = 1 from
/// 2 s on.
#[test]
fn the_palm_moves_as_prescribed() {
    let setup = scene("shake-sphere", &[]);
    let palm = setup.grasp.as_ref().unwrap().palm;
    let mut run = Run::new(setup, 1).unwrap();
    let mut at = |t: f64| {
        run.advance_to(t).unwrap();
        let simulation = run.simulation();
        let d = simulation.pose(palm).p - DVec3::new(0.0, 0.0, 0.1);
        (1.0e3 * d, 1.0e3 * simulation.velocity(palm).linear)
    };
    for t in [0.5, 1.0] {
        assert_eq!(at(t), (DVec3::ZERO, DVec3::ZERO));
    }
    // Half way through the ramp s = 1/2, s' = 15/8 per second; the phase is 2 pi.
    let (d, v) = at(1.5);
    assert!((d - DVec3::new(0.0, 0.0, 10.0)).length() < 1.0e-9, "{d}");
    let turning = 20.0 * 0.5 * 4.0 * std::f64::consts::PI;
    assert!(
        (v - DVec3::new(turning, 0.0, 37.5)).length() < 1.0e-6,
        "{v}"
    );
    let (d, v) = at(3.3);
    let (d_33, v_33) = (
        DVec3::new(-11.755_705, 0.0, -16.180_340),
        DVec3::new(-203.328_1, 0.0, 147.726_5),
    );
    assert!((d - d_33).length() < 1.0e-6, "{d}");
    assert!((v - v_33).length() < 1.0e-4, "{v}");
    assert!((v.length() - 251.327_4).abs() < 1.0e-4, "{v}");
}
