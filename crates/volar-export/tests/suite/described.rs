//! What the described files say, read by themselves.

use std::path::Path;

use volar_export::{Export, Format};
use volar_meshes::MeshLibrary;
use volar_robots::{LoadOptions, Robot, load_from};
use volar_scene::{Scene, Setup, builtin};

fn read(export: &Export, file: &str) -> Robot {
    let library = MeshLibrary::new(&export.files);
    load_from(&library, Path::new(file), &LoadOptions::default())
        .unwrap()
        .0
}

/// Mass, centre of mass, inertia and place at the start of all bodies of a scene, in the
/// links that are called as they are.
fn compare(setup: &Setup, robot: &Robot, q: &[f64], name: impl Fn(&str) -> String) -> usize {
    let simulation = setup.simulation().unwrap();
    let poses = robot.link_poses(q);
    let mut found = 0;
    for id in setup.model.bodies() {
        let full = setup.model.name(id);
        let Some(link) = robot.link(&name(full)) else {
            continue;
        };
        found += 1;
        let (own, mass) = (&robot.links[link], setup.model.mass(id));
        let inertial = own.inertial;
        assert_eq!(
            inertial.map_or(0.0, |m| m.mass).to_bits(),
            mass.mass.to_bits(),
            "{full}"
        );
        if let Some(read) = inertial {
            // An inertia of shapes is symmetric to rounding; six numbers are exactly so.
            let off = (read.inertia - mass.inertia).abs().to_cols_array();
            let size = mass
                .inertia
                .abs()
                .to_cols_array()
                .into_iter()
                .fold(0.0, f64::max);
            assert!(off.into_iter().all(|x| x <= 1.0e-15 * size), "{full}");
            assert_eq!(read.centre_of_mass, mass.centre_of_mass, "{full}");
        }
        let off = poses[link].p - simulation.pose(id).p;
        let turned = poses[link].R - simulation.pose(id).R;
        let turned = turned.abs().to_cols_array().into_iter().fold(0.0, f64::max);
        assert!(
            off.length() < 1.0e-14 && turned < 1.0e-14,
            "{full}: {off} {turned}"
        );
    }
    found
}

#[test]
fn scene_xml_has_every_body_where_it_starts() {
    for builtin in builtin::all() {
        let setup = Scene::builtin(&builtin.name).unwrap().compile().unwrap();
        let export = Export::new(&setup, Format::Mjcf).unwrap();
        let robot = read(&export, "scene.xml");
        let start = &robot.keyframes[0];
        // A ground is a plane, which is no solid of a robot.
        let found = compare(&setup, &robot, &start.q, str::to_owned);
        let between = setup.robots.iter().flat_map(|robot| &robot.robot.links);
        let between = between.filter(|link| link.intermediate).count();
        assert_eq!(
            found + between,
            setup.model.bodies().len(),
            "{}",
            builtin.name
        );
        assert_eq!(robot.actuators.len(), setup.drives.len());
    }
}

#[test]
fn urdf_files_have_every_body() {
    for builtin in builtin::all() {
        let setup = Scene::builtin(&builtin.name).unwrap().compile().unwrap();
        let export = Export::new(&setup, Format::Urdf).unwrap();
        let files = export
            .files
            .files()
            .map(|(path, _)| path.display().to_string());
        let files: Vec<String> = files.filter(|file| file.ends_with(".urdf")).collect();
        assert_eq!(
            files.len(),
            setup.robots.len() + setup.scene.spec.bodies.len()
        );
        let links: usize = files
            .iter()
            .map(|file| read(&export, file).links.len())
            .sum();
        // Bodies on rails hang on a link of their own.
        let bodies = &setup.scene.spec.bodies;
        let rails = bodies
            .iter()
            .filter(|body| body.slides_along.is_some())
            .count();
        assert_eq!(
            links,
            setup.model.bodies().len() + rails,
            "{}",
            builtin.name
        );
    }
}

#[test]
fn meshes_read_back_to_the_bit() {
    let setup = Scene::builtin("g3r-bunny").unwrap().compile().unwrap();
    let export = Export::new(&setup, Format::Mjcf).unwrap();
    let library = MeshLibrary::new(&export.files);
    let bunny = setup.model.body("bunny").unwrap();
    let own = setup.model.surface(bunny).unwrap().mesh.to_tri_mesh();
    let read = library.mesh(Path::new("meshes/bunny.obj")).unwrap();
    assert_eq!(read.vertices, own.vertices);
    assert_eq!(read.triangles, own.triangles);
}

#[test]
fn scene_sdf_is_one_model_for_each_robot_and_body() {
    for builtin in builtin::all() {
        let setup = Scene::builtin(&builtin.name).unwrap().compile().unwrap();
        let export = Export::new(&setup, Format::Sdf).unwrap();
        let mut files = export.files.files();
        let (_, bytes) = files.find(|(path, _)| path.ends_with("scene.sdf")).unwrap();
        let text = std::str::from_utf8(bytes).unwrap();
        let document = roxmltree::Document::parse(text).unwrap();
        let count = |tag: &str| {
            document
                .descendants()
                .filter(|n| n.has_tag_name(tag))
                .count()
        };
        let parts = setup.robots.len() + setup.scene.spec.bodies.len();
        assert_eq!(count("model"), parts, "{}", builtin.name);
        assert_eq!(count("link"), setup.model.bodies().len());
        let free = setup.scene.spec.bodies.iter();
        let free = free
            .filter(|b| !b.fixed && b.slides_along.is_none())
            .count();
        assert_eq!(count("joint"), setup.model.bodies().len() - free);
    }
}
