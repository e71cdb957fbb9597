#![allow(missing_docs)]
#[path = "../tests/scenes/mod.rs"]
#[allow(dead_code)]
mod scenes;
use glam::DVec3;
use scenes::*;
use volar_sim::*;
fn main() {
    let arg = std::env::args().nth(1).unwrap_or("cube".into());
    let tol: f64 = std::env::args().nth(2).map_or(1e-3, |s| s.parse().unwrap());
    let object = match arg.as_str() {
        "sphere" => ball(),
        "bunny" => bunny(),
        _ => block(DVec3::splat(0.06)),
    };
    let squeeze = Squeeze::of(object);
    let model = squeeze.model();
    let mut state = State::neutral(&model);
    if arg == "bunny" {
        place(&model, &mut state, 2, DVec3::new(0.001, 0.0, 0.0), [0.49242356, 0.870355696, 0.0, 0.0]);
    }
    let mut sim = Simulation::new(model.clone(), state, Settings { tolerance: tol, ..Settings::default() });
    let start = std::time::Instant::now();
    let verbose = std::env::var("V").is_ok();
    if verbose {
        sim.clock().switch_on();
    }
    let mut last = None;
    for k in 1..=100 {
        let t = k as f64 * 0.1;
        if let Err(e) = sim.advance(t) {
            println!("{e}");
            break;
        }
        let q = model.tree.q_range(2);
        let p = DVec3::from_slice(&sim.state().q[q.start..]);
        if k % 10 == 0 || (verbose && k<10) {
            let v = model.tree.v_range(2);
            let speed = DVec3::from_slice(&sim.state().v[v.start..]).length();
            let e = sim.energies().unwrap();
            let drift = last.map_or(0.0, |l: DVec3| (p - l).length());
            let f: Vec<String> = sim.contacts().unwrap().iter().map(|c| format!("{:.7}N slip {:.1e} d {:.4}mm", c.normal_force, c.slip, c.depth*1e3)).collect();
            println!("t {t:.1} z {:.4} mm speed {speed:.2e} drift {drift:.2e} stats {:?} bal {:.3e} f {f:?}", p.z * 1e3, sim.statistics(), e.balance());
            last = Some(p);
        }
    }
    println!("wall {:?} ", start.elapsed());
    if verbose {
        for s in stage::Stage::ALL {
            println!("{s:?} {:?}", sim.clock().spent(s));
        }
    }
}
