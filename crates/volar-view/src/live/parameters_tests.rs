use volar_scene::Scene;

use super::*;

fn parameters() -> (Parameters, Simulation) {
    let setup = Arc::new(Scene::builtin("g2p-cube").unwrap().compile().unwrap());
    let simulation = setup.simulation().unwrap();
    (Parameters::new(setup), simulation)
}

fn value(parameters: &Parameters, simulation: &Simulation, name: &str) -> f64 {
    let all = parameters.list(simulation);
    all.iter().find(|p| p.name == name).unwrap().value
}

#[test]
fn factors_of_one_material_and_of_all_multiply() {
    let (mut parameters, mut simulation) = parameters();
    let names = parameters.names();
    let of_one = names.iter().find(|name| name.starts_with("friction/"));
    let of_one = of_one.unwrap().clone();
    let material = of_one.trim_start_matches("friction/").to_owned();
    let (_, bodies) = parameters
        .materials
        .iter()
        .find(|m| m.0 == material)
        .unwrap();
    let body = bodies[0];
    let before = simulation.controls().material(body).friction;
    parameters.set(&mut simulation, &of_one, 0.5).unwrap();
    parameters.set(&mut simulation, "friction", 0.5).unwrap();
    let after = simulation.controls().material(body).friction;
    assert!((after / before - 0.25).abs() < 1e-12);
    assert!((value(&parameters, &simulation, &of_one) - 0.5).abs() < 1e-12);
    let others = parameters.materials.iter().filter(|m| m.0 != material);
    let other = others.flat_map(|m| &m.1).next().copied().unwrap();
    let own = parameters.setup.model.controls().material(other).friction;
    let now = simulation.controls().material(other).friction;
    assert!((now / own - 0.5).abs() < 1e-12, "that of all alone");
}

#[test]
fn a_mass_that_is_set_is_in_the_model_until_it_is_reset() {
    let (mut parameters, mut simulation) = parameters();
    let object = parameters.setup.grasp.as_ref().unwrap().object;
    let mass = |setup: &Setup| setup.model.mass(object).mass;
    let own = mass(&parameters.setup);
    parameters.set(&mut simulation, MASS, 2.0 * own).unwrap();
    assert!((mass(&parameters.setup().unwrap()) / own - 2.0).abs() < 1e-12);
    parameters.reset();
    assert!((mass(&parameters.setup().unwrap()) / own - 1.0).abs() < 1e-12);
}

#[test]
fn what_is_refused_changes_nothing() {
    let (mut parameters, mut simulation) = parameters();
    for (name, wrong) in [
        ("gravity", f64::NAN),
        (MASS, -1.0),
        ("friction", 1e9),
        ("x", 1.0),
    ] {
        assert!(
            parameters.set(&mut simulation, name, wrong).is_err(),
            "{name}"
        );
    }
    assert!(parameters.changed.is_empty());
    let own = parameters.setup.model.controls();
    assert_eq!(simulation.controls().gravity.vector, own.gravity.vector);
}
