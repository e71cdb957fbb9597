//! Neighbours of the built-in grasps: other masses, poses, frictions, pads,
//! meshes and objects, all from a number, so that a case can be run again.

use std::path::Path;
use std::sync::Arc;

use glam::{DQuat, DVec2, DVec3};
use volar_scene::Setup;
use volar_testkit::rng::Rng;
use volar_testkit::solids;

use crate::common::{GRIPPERS, scene_in};

/// What is grasped. The first nine need no file.
pub const KINDS: [&str; 12] = [
    "cube",
    "sphere",
    "bunny",
    "brick",
    "cylinder",
    "lying cylinder",
    "capsule",
    "ellipsoid",
    "ball",
    "hexagon",
    "cone",
    "star",
];

/// Half of the largest step aside and the largest turn of an object.
const ASIDE: f64 = 3.0e-3;
const TURN: f64 = 5.0;
/// Poses tried until one is free of the fingers.
const TRIES: usize = 50;

/// A case: a built-in scene and what is changed in it.
pub struct Case {
    /// Number it was drawn from.
    pub number: usize,
    /// Gripper.
    pub gripper: &'static str,
    /// What is grasped.
    pub kind: &'static str,
    /// Mass, kg.
    pub mass: f64,
    /// Friction coefficient of both materials.
    pub friction: f64,
    /// Stiffness of the pads, N/m³.
    pub pad: f64,
    /// Scene and overrides.
    pub base: String,
    pub overrides: Vec<String>,
    pub setup: Arc<Setup>,
}

impl Case {
    /// What is grasped in the case of a number.
    pub fn kind(number: usize) -> &'static str {
        KINDS[(number / GRIPPERS.len()) % KINDS.len()]
    }

    /// The case of a number, in a folder of its own. None when no pose tried is
    /// free of the fingers.
    pub fn draw(number: usize, folder: &Path) -> Option<Case> {
        let mut rng = Rng::for_case("neighbours of the nine grasps", number);
        let gripper = GRIPPERS[number % GRIPPERS.len()];
        let kind = Case::kind(number);
        let object = match kind {
            "sphere" | "bunny" => kind,
            _ => "cube",
        };
        let base = format!("{gripper}-{object}");
        let mass = rng.log_uniform(0.02, 1.0);
        let friction = rng.uniform(0.5, 1.2);
        let pad = rng.log_uniform(7.5e8, 2.5e11);
        let mut fixed = vec![
            format!("body.{object}.mass={mass:?}"),
            format!("materials.pad.friction={friction:?}"),
            format!("materials.hard.friction={friction:?}"),
            format!("materials.pad.stiffness={pad:?}"),
        ];
        let builtin = volar_scene::builtin::find(&base).unwrap();
        builtin.write(folder).unwrap();
        fixed.extend(shape(kind, mass, object, &mut rng, folder));
        let (place, turn) = start(gripper, kind);
        for _ in 0..TRIES {
            let p = place + rng.in_cube(ASIDE);
            let aside = DQuat::from_axis_angle(rng.direction(), rng.unit() * TURN.to_radians());
            let q = aside * turn;
            let mut overrides = fixed.clone();
            overrides.push(format!("body.{object}.position={:?}", p.to_array()));
            let wxyz = [q.w, q.x, q.y, q.z];
            overrides.push(format!("body.{object}.orientation={wxyz:?}"));
            let setup = scene_in(folder, &base, &overrides);
            if setup.simulation().unwrap().contacts().is_empty() {
                return Some(Case {
                    number,
                    gripper,
                    kind,
                    mass,
                    friction,
                    pad,
                    base,
                    overrides,
                    setup,
                });
            }
        }
        None
    }

    /// The command that runs it; a mesh of the test must be written first.
    pub fn command(&self) -> String {
        let sets = self.overrides.iter().map(|o| format!(" --set '{o}'"));
        format!("volar run {}{}", self.base, sets.collect::<String>())
    }
}

/// Where the built-in scenes put an object, and how it lies there.
fn start(gripper: &str, kind: &str) -> (DVec3, DQuat) {
    let upright = DQuat::IDENTITY;
    match (gripper, kind) {
        ("g3r", "cube" | "brick") => (DVec3::new(-0.006, 0.0, 0.0), upright),
        ("g3r", "bunny") => (DVec3::new(0.004, 0.003, 0.0), upright),
        (_, "bunny") => {
            let back = DQuat::from_xyzw(0.870_355_696, 0.0, 0.0, 0.492_423_56);
            (DVec3::new(0.001, 0.0, 0.0), back)
        }
        (_, "lying cylinder") => {
            let along_y = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
            (DVec3::ZERO, along_y)
        }
        _ => (DVec3::ZERO, upright),
    }
}

/// The overrides that make the object what it is.
fn shape(kind: &str, mass: f64, object: &str, rng: &mut Rng, folder: &Path) -> Vec<String> {
    let radius = rng.uniform(0.026, 0.031);
    let own = |text: String| vec![format!("body.{object}.shape={text}")];
    let mesh = |mesh: volar_geom::TriMesh| {
        volar_meshes::write_obj(&folder.join("object.obj"), &mesh).unwrap();
        own("{ mesh = { file = \"object.obj\", centre = true } }".into())
    };
    match kind {
        "sphere" => {
            let moment = 0.4 * mass * radius * radius;
            let mut all = own(format!(
                "{{ sphere = {{ radius = {radius:?}, subdivisions = {} }} }}",
                2 + rng.below(4)
            ));
            all.push(format!(
                "body.{object}.inertia=[{moment:?}, {moment:?}, {moment:?}, 0.0, 0.0, 0.0]"
            ));
            all
        }
        "brick" => {
            let edges = [0; 3].map(|_| rng.uniform(0.045, 0.062));
            own(format!("{{ box = {edges:?} }}"))
        }
        "cylinder" | "lying cylinder" => own(format!(
            "{{ cylinder = {{ radius = {radius:?}, length = 0.06 }} }}"
        )),
        "capsule" => own(format!(
            "{{ capsule = {{ radius = {radius:?}, length = 0.03 }} }}"
        )),
        "ellipsoid" => {
            let (a, b) = (rng.uniform(0.024, 0.03), rng.uniform(0.028, 0.036));
            own(format!("{{ ellipsoid = [{radius:?}, {a:?}, {b:?}] }}"))
        }
        // The sphere of few or many triangles without the inertia of a ball.
        "ball" => own(format!(
            "{{ sphere = {{ radius = {radius:?}, subdivisions = {} }} }}",
            1 + rng.below(4)
        )),
        "hexagon" => mesh(solids::prism(&polygon(6, radius), 0.06)),
        "cone" => {
            let narrower = rng.uniform(0.6, 0.95) * radius;
            let rings = [(radius, -0.03), (narrower, 0.03)].map(|(r, z)| DVec2::new(r, z));
            mesh(solids::lathe(&rings, [-0.03, 0.03], 48))
        }
        "star" => mesh(solids::star(5, 0.6 * radius, radius, 0.06)),
        _ => Vec::new(),
    }
}

/// A regular polygon.
fn polygon(corners: u32, radius: f64) -> Vec<DVec2> {
    let corner = |k| DVec2::from_angle(std::f64::consts::TAU * f64::from(k) / f64::from(corners));
    (0..corners).map(|k| radius * corner(k)).collect()
}
