//! Where steps go: what chose their lengths and what rejected them, in grasps and in plain
//! motions (a first touch, rolling, settling, spinning; `g2r-bunny` and `shake-bunny` sway). Counts have the same bits on every
//! machine, so the table of `docs/integrators.md` is held to them.

use std::fmt::Write as _;
use std::sync::Arc;

use volar_run::{Options, execute};
use volar_scene::{Scene, Setup};
use volar_sim::StepCauses;

use crate::common::{page, scene};

const GRASPS: [&str; 7] = [
    "g2r-sphere",
    "g2r-bunny",
    "g3r-cube",
    "g3r-bunny",
    "shake-cube",
    "shake-bunny",
    "shadow-bunny",
];

const GROUND: &str = "[[body]]\nname = \"ground\"\nshape = { ground = {} }\n";

/// Motions of bodies on the ground, with what to call them.
fn motions() -> Vec<(&'static str, Arc<Setup>)> {
    let on_ground = |bodies: &str| {
        let text = format!("name = \"steps\"\nduration = 2.0\n{GROUND}{bodies}");
        Arc::new(Scene::parse("steps", &text).unwrap().compile().unwrap())
    };
    let ball = |i: u32| {
        let (x, y) = (0.05 * f64::from(i % 2), 0.05 * f64::from(i / 2));
        format!(
            "[[body]]\nname = \"ball {i}\"\nshape = {{ sphere = {{ radius = 0.03 }} }}\n\
             position = [{x}, {y}, {}]\n",
            0.03 + 0.04 * f64::from(i)
        )
    };
    let walls = "[[body]]\nname = \"wall x\"\nshape = { box = [0.1, 0.4, 0.4] }\n\
                 position = [0.13, 0.0, 0.2]\nfixed = true\n\
                 [[body]]\nname = \"wall y\"\nshape = { box = [0.4, 0.1, 0.4] }\n\
                 position = [0.0, 0.13, 0.2]\nfixed = true\n";
    vec![
        (
            "a cube falls by 50 mm on its face",
            on_ground(
                "[[body]]\nname = \"cube\"\nshape = { box = [0.06, 0.06, 0.06] }\nposition = [0.0, 0.0, 0.08]\n",
            ),
        ),
        (
            "a cube falls by 50 mm on a corner",
            on_ground(
                "[[body]]\nname = \"cube\"\nshape = { box = [0.06, 0.06, 0.06] }\nposition = [0.0, 0.0, 0.1]\n\
                 orientation = [0.8805, 0.2798, 0.3647, 0.1159]\n",
            ),
        ),
        (
            "a cylinder rolls at 0.3 m/s",
            on_ground(
                "[[body]]\nname = \"cylinder\"\nshape = { cylinder = { radius = 0.03, length = 0.08 } }\n\
                 position = [0.0, 0.0, 0.03]\norientation = [0.7071067811865476, 0.7071067811865476, 0.0, 0.0]\n\
                 velocity = [0.3, 0.0, 0.0]\nangular_velocity = [0.0, 10.0, 0.0]\n",
            ),
        ),
        (
            "four balls settle in a corner",
            on_ground(&format!("{walls}{}", (0..4).map(ball).collect::<String>())),
        ),
        (
            "a ball spins on the spot at 5 rad/s",
            on_ground(
                "[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.03 } }\nposition = [0.0, 0.0, 0.03]\n\
                 mass = 0.2\ninertia = [1e-4, 1e-4, 1e-4, 0.0, 0.0, 0.0]\nangular_velocity = [0.0, 0.0, 5.0]\n",
            ),
        ),
    ]
}

fn row(name: &str, setup: &Arc<Setup>) -> String {
    let outcome = execute(setup, &Options::default(), &mut []).unwrap();
    let simulation = outcome.run.simulation();
    let StepCauses {
        position,
        velocity,
        joint_friction,
        patches,
        first_touch,
        longest,
        passing,
        schedule,
        error,
        touch,
        not_finite,
    } = simulation.step_causes();
    let statistics = simulation.statistics();
    let chosen = [
        position,
        velocity,
        joint_friction,
        patches,
        first_touch,
        longest,
        passing,
        schedule,
    ];
    assert_eq!(chosen.iter().sum::<u64>(), statistics.steps, "{name}");
    let rejected = [error + not_finite, touch];
    assert_eq!(rejected.iter().sum::<u64>(), statistics.rejected, "{name}");
    let cells: Vec<String> = chosen.iter().chain(&rejected).map(u64::to_string).collect();
    format!(
        "| {name} | {} | {} | {} |",
        statistics.evaluations,
        statistics.steps,
        cells.join(" | ")
    )
}

#[test]
fn every_step_has_a_cause() {
    let mut rows: Vec<(&str, Arc<Setup>)> = GRASPS.map(|name| (name, scene(name, &[]))).into();
    rows.extend(motions());
    let work = |(): &mut (), k: usize| row(rows[k].0, &rows[k].1);
    let lines = volar_testkit::parallel::map_with(rows.len(), || (), work);
    let mut table = String::from(
        "| motion | evaluations | steps | position | velocity | joint friction | bristles | cut at a touch | longest | passing | schedule | rejected: error | rejected: touch |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for line in lines {
        writeln!(table, "{line}").unwrap();
    }
    println!("{table}");
    page::check("integrators.md", "steps", &table);
}
