//! A contact belongs to the solids, not to their triangles: a pad pressed on a body and pushed
//! sideways sinks in, is held and costs the same when the body's faces are cut into finer
//! triangles, rounded to single precision, turned and rounded, or shaken by 1e-9 of its size.
//!
//! `VOLAR_TESSELLATIONS=500 cargo test --release -p volar-sim --test suite tessellation:: --
//! --nocapture` tries as many random cases and prints the worst of each kind; without the
//! variable there are 24. What is known to fail among 300 is listed in `docs/meshes.md`.
//! `VOLAR_OBJECTS=FOLDER` adds the OBJ files of a folder to the bodies.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DVec2, DVec3};
use volar_contact::Material;
use volar_dynamics::{Actuator, Signal};
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_meshes::ReadOptions;
use volar_sim::{Body, BodyId, ModelBuilder, Parent, Settings, Simulation};
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::solids::{
    closed, cuboid, icosphere, l_block, lathe, pipe, prism, star, subdivide, torus, u_channel,
};
use volar_testkit::sweep::approach;
use volar_testkit::{clock, parallel};

/// Without the variable.
const CASES: usize = 24;
/// What presses the pad on, and what pushes it sideways, N.
const PRESS: f64 = 10.0;
const PUSH: f64 = 2.0;
/// How long they take to grow, and to come to rest after that, s.
const GROWING: f64 = 0.5;
const DURATION: f64 = 1.0;
/// Of both slides, N s/m.
const DAMPING: f64 = 200.0;
/// What is slower is at rest, m/s.
const RESTS: f64 = 1.0e-7;
/// Where the layer is: in the pad, in the body, in both.
const MATERIALS: [[&str; 2]; 4] = [
    ["rubber", "steel"],
    ["steel", "rubber"],
    ["plastic", "plastic"],
    ["steel", "plastic"],
];
/// Bodies of more triangles are cut once, all others twice.
const MANY: usize = 1_000;
/// How far figures of a contact may differ. What rounding does to the depth comes on top.
const FORCE: f64 = 1.0e-3;
const DEPTH: f64 = 1.0e-2;
/// How much more an evaluation may cost, and how many more triangles there may be to compute
/// with: some corners of the needles that a union leaves cannot go.
const COST: f64 = 3.0;
const TRIANGLES: f64 = 1.5;
/// How often it is measured again when it is more: other work on the machine disturbs a clock.
const AGAIN: usize = 3;
/// A run is repeated until it has taken so long: the clock of a thread goes on by milliseconds, s.
const CLOCKED: f64 = 0.02;
/// Of the integrator: what it leaves over is less than what is compared.
const TOLERANCE: f64 = 1.0e-5;

/// A solid as one file may have it.
struct Form {
    what: &'static str,
    mesh: ClosedMesh,
    /// How the solid lies in the file.
    X_FA: Pose,
}

fn forms(plain: &TriMesh, rng: &mut Rng) -> Vec<Form> {
    let size = closed(plain.clone()).bounds().size().length();
    let X = Pose {
        R: rng.rotation(),
        p: rng.in_cube(0.5 * size),
    };
    let twice = plain.triangles.len() <= MANY;
    let finer = |mesh: &TriMesh| match twice {
        true => subdivide(&subdivide(mesh)),
        false => subdivide(mesh),
    };
    let fine = finer(plain);
    let uneven = match twice {
        true => cut(&cut(plain, rng), rng),
        false => cut(plain, rng),
    };
    let mut form = |what, mesh: &TriMesh, X_FA: Pose, single: bool, noise: f64| {
        let mut mesh = mesh.clone().transformed(1.0, &X_FA);
        for p in &mut mesh.vertices {
            *p += rng.in_cube(noise);
            if single {
                *p = p.as_vec3().as_dvec3();
            }
        }
        let mesh = closed(mesh);
        Form { what, mesh, X_FA }
    };
    let still = Pose::IDENTITY;
    let noise = 0.5e-9 * size;
    vec![
        form("as it is", plain, still, false, 0.0),
        form("cut", &fine, still, false, 0.0),
        form("cut unevenly", &uneven, still, false, 0.0),
        form("single", plain, still, true, 0.0),
        form("turned, single", plain, X, true, 0.0),
        form("shaken", plain, still, false, noise),
        form("cut, turned, single", &fine, X, true, 0.0),
        form("cut unevenly, turned, single", &uneven, X, true, 0.0),
        form("cut, shaken", &fine, still, false, noise),
    ]
}

/// Splits every triangle into four at random points of its sides.
fn cut(mesh: &TriMesh, rng: &mut Rng) -> TriMesh {
    let mut points = BTreeMap::new();
    let mut vertices = mesh.vertices.clone();
    let mut triangles = Vec::new();
    for &[a, b, c] in &mesh.triangles {
        let mut on = |a: u32, b: u32| {
            *points.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let [p, q] = [a.min(b), a.max(b)].map(|v| mesh.vertices[v as usize]);
                vertices.push(p.lerp(q, rng.uniform(0.1, 0.9)));
                vertices.len() as u32 - 1
            })
        };
        let (ab, bc, ca) = (on(a, b), on(b, c), on(c, a));
        triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    TriMesh {
        vertices,
        triangles,
    }
}

const KINDS: [&str; 10] = [
    "hull", "outline", "star", "union", "lathe", "channel", "ring", "ball", "bunny", "link",
];

/// A random solid of a kind.
fn random(kind: &str, rng: &mut Rng) -> TriMesh {
    let mut length = |low, high| rng.uniform(low, high);
    match kind {
        "hull" => {
            let points: Vec<DVec3> = (0..6 + rng.below(40)).map(|_| rng.in_cube(0.03)).collect();
            volar_solids::convex_hull(&points).unwrap()
        }
        "outline" => {
            let corners = 5 + rng.below(9);
            let radius = |k| {
                let angle = TAU * k as f64 / corners as f64;
                rng.uniform(0.012, 0.03) * DVec2::from_angle(angle)
            };
            let outline: Vec<DVec2> = (0..corners).map(radius).collect();
            prism(&outline, rng.uniform(0.02, 0.06))
        }
        "star" => {
            let (inner, height) = (length(0.01, 0.026), length(0.01, 0.05));
            star(3 + rng.below(10) as u32, inner, 0.03, height)
        }
        "union" => {
            let mut parts = Vec::new();
            for k in 0..2 + rng.below(3) {
                let shape = match k {
                    0 => cuboid(DVec3::splat(0.03)),
                    _ if rng.unit() < 0.3 => icosphere(rng.uniform(0.01, 0.02), 2),
                    _ => cuboid(DVec3::from_array([0; 3].map(|_| rng.uniform(0.01, 0.04)))),
                };
                let X = Pose {
                    R: rng.rotation(),
                    p: rng.in_cube(0.015),
                };
                parts.push(shape.transformed(1.0, &X));
            }
            volar_solids::unite(&parts).unwrap()
        }
        "lathe" => {
            let rings: Vec<DVec2> = (0..4)
                .map(|k| DVec2::new(length(0.01, 0.03), 0.01 * f64::from(k) - 0.015))
                .collect();
            lathe(&rings, [-0.018, 0.018], 8 + rng.below(24) as u32)
        }
        "channel" => match rng.below(2) {
            0 => l_block(0.05, rng.uniform(0.008, 0.03), rng.uniform(0.01, 0.05)),
            _ => u_channel(0.05, rng.uniform(0.005, 0.015), rng.uniform(0.01, 0.05)),
        },
        "ring" => match rng.below(2) {
            0 => torus(0.022, rng.uniform(0.004, 0.01), 24, 12),
            _ => pipe(rng.uniform(0.008, 0.02), 0.025, rng.uniform(0.01, 0.06), 24),
        },
        "ball" => icosphere(rng.uniform(0.01, 0.04), 1 + rng.below(3) as u32),
        named => {
            let link = ["proximal", "distal", "palm"][rng.below(3)];
            solid(if named == "bunny" { named } else { link }).to_tri_mesh()
        }
    }
}

/// What a pad does to a body in the end, in the frame of the solid.
struct Pressed {
    /// Force on the pad, and its moment about the pad's centre in N m.
    force: DVec3,
    moment: DVec3,
    /// How far the pad went on, m.
    travel: f64,
    /// Means over the patches, by their forces: depth in m, friction margin.
    depth: f64,
    margin: f64,
    speed: f64,
    /// Triangles of the body that the model computes with.
    triangles: usize,
    /// Processor time of an evaluation, s, where the system tells it.
    cost: Option<f64>,
}

/// How a pad comes to a body.
struct Trial {
    pad: Arc<ClosedMesh>,
    X_AB: Pose,
    /// In A's frame.
    towards_a: DVec3,
    sideways: DVec3,
    materials: [Material; 2],
}

/// Slowly, against damping that lets nothing bounce: where friction holds depends on the way
/// there, and a way with impacts on how they round.
fn growing(effort: f64) -> Actuator {
    Actuator::Effort(Signal::Smooth {
        start: 0.0,
        duration: GROWING,
        from: 0.0,
        to: effort,
    })
}

impl Trial {
    fn press(&self, form: &Form) -> Pressed {
        let [pad_material, material] = self.materials;
        let mut builder = ModelBuilder::new();
        builder.gravity = DVec3::ZERO;
        let mesh = Arc::new(form.mesh.clone());
        let body = builder.add(Body::fixed("body", mesh, form.X_FA.inverse(), material));
        let carriage = Body {
            shapes: Vec::new(),
            ..Body::free("carriage", self.pad.clone(), 0.1, pad_material)
        };
        let carriage = builder.add(carriage.on_slide(self.sideways).with_damping(DAMPING));
        let pad = Body {
            placement: self.X_AB,
            ..Body::free("pad", self.pad.clone(), 0.1, pad_material)
        };
        let axis = self.X_AB.R.transpose() * self.towards_a;
        let pad = pad.on(Parent::Body(carriage)).on_slide(axis);
        let pad = builder.add(pad.with_damping(DAMPING));
        builder.drive(carriage.joint(), growing(PUSH));
        builder.drive(pad.joint(), growing(PRESS));
        let model = Arc::new(builder.build().unwrap());
        let triangles = model.surface(body).unwrap().mesh.triangles().len();
        let state = volar_sim::State::neutral(&model);
        let settings = Settings {
            tolerance: TOLERANCE,
            ..Settings::default()
        };
        let began = clock::processor_time();
        let mut evaluations = 0;
        loop {
            let mut simulation = Simulation::new(model.clone(), state.clone(), settings).unwrap();
            simulation.advance_to(DURATION).unwrap();
            evaluations += simulation.statistics().evaluations;
            let took = began.and_then(|began| Some(clock::processor_time()? - began));
            if took.is_none_or(|took| took > CLOCKED) {
                let cost = took.map(|took| took / evaluations as f64);
                return self.read(&simulation, pad, triangles, cost);
            }
        }
    }

    fn read(
        &self,
        simulation: &Simulation,
        pad: BodyId,
        triangles: usize,
        cost: Option<f64>,
    ) -> Pressed {
        let wrench = simulation.wrench_on(pad);
        let contacts = simulation.contacts();
        let load: f64 = contacts.iter().map(|c| c.normal_force).sum();
        let mean = |figure: fn(&volar_sim::Contact) -> f64| {
            let sum: f64 = contacts.iter().map(|c| c.normal_force * figure(c)).sum();
            sum / load.max(f64::MIN_POSITIVE)
        };
        let place = simulation.pose(pad).p;
        Pressed {
            force: wrench.force,
            moment: wrench.torque,
            travel: (place - self.X_AB.p).dot(self.towards_a),
            depth: mean(|c| c.depth),
            margin: mean(|c| c.friction_margin),
            speed: simulation.velocity(pad).linear.length(),
            triangles,
            cost,
        }
    }
}

/// What two forms of a solid differ in, each over what is allowed.
const FIGURES: [&str; 7] = [
    "force",
    "moment",
    "depth",
    "travel",
    "margin",
    "triangles",
    "cost",
];

impl Pressed {
    /// By the list of figures; more than 1 is too much. A vertex of either form may be off by
    /// its rounding, which moves a pad and tilts its load by as much over the depth.
    fn off(&self, plain: &Pressed, reach: f64, rounding: f64) -> [f64; FIGURES.len()] {
        let share = FORCE + rounding / plain.depth;
        let length = DEPTH * plain.depth + rounding;
        [
            (self.force - plain.force).length() / PRESS / share,
            (self.moment - plain.moment).length() / (PRESS * reach) / share,
            (self.depth - plain.depth).abs() / length,
            (self.travel - plain.travel).abs() / length,
            (self.margin - plain.margin).abs() / share,
            self.triangles as f64 / plain.triangles as f64 / TRIANGLES,
            self.cost_over(plain) / COST,
        ]
    }

    /// Of an evaluation; 0 where the system tells no processor time.
    fn cost_over(&self, plain: &Pressed) -> f64 {
        let costs = self.cost.zip(plain.cost);
        costs.map_or(0.0, |(own, plain)| own / plain)
    }
}

/// Every form of a body against the first, under one pad; nothing where the pad slips off.
fn compared(plain: &TriMesh, rng: &mut Rng) -> Option<Vec<(&'static str, [f64; FIGURES.len()])>> {
    let pad = Arc::new(solid(["finger", "distal"][rng.below(2)]));
    let reach = 0.5 * pad.bounds().size().length();
    let met = approach(&closed(plain.clone()), &pad, 0.0, rng);
    let sideways = met.towards_a.cross(rng.direction()).normalize();
    let named = |name| Material::named(name).unwrap().with_friction(0.8);
    let trial = Trial {
        pad,
        X_AB: met.X_AB,
        towards_a: met.towards_a,
        sideways,
        materials: MATERIALS[rng.below(MATERIALS.len())].map(named),
    };
    let forms = forms(plain, rng);
    let mut first = trial.press(&forms[0]);
    if first.speed > RESTS {
        return None;
    }
    let others = forms.iter().skip(1).map(|form| {
        let rounding = form.mesh.face_tolerance();
        let mut got = trial.press(form);
        for _ in 0..AGAIN {
            if got.cost_over(&first) > COST {
                got.cost = trial.press(form).cost;
                first.cost = trial.press(&forms[0]).cost;
            }
        }
        let off = got.off(&first, reach, rounding);
        (form.what, off)
    });
    Some(others.collect())
}

/// The bodies that were asked for: random ones, then those of a folder.
fn bodies() -> Vec<(String, TriMesh)> {
    let wanted = std::env::var("VOLAR_TESSELLATIONS");
    let cases = wanted.map_or(CASES, |wanted| wanted.parse().unwrap());
    let mut bodies: Vec<(String, TriMesh)> = (0..cases)
        .map(|case| {
            let kind = KINDS[case % KINDS.len()];
            let mut rng = Rng::for_case(kind, case);
            (format!("{kind} {case}"), random(kind, &mut rng))
        })
        .collect();
    if let Some(folder) = std::env::var_os("VOLAR_OBJECTS") {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|e| e == "obj"));
        files.sort();
        let read = |file: &Path| volar_meshes::read(file, &ReadOptions::default()).unwrap();
        bodies.extend(files.iter().map(|f| (f.display().to_string(), read(f))));
    }
    bodies
}

#[test]
fn a_contact_does_not_know_how_a_surface_was_cut() {
    let bodies = bodies();
    let work = |(): &mut (), case: usize| {
        compared(&bodies[case].1, &mut Rng::for_case("tessellation", case))
    };
    let results = parallel::map_with(bodies.len(), || (), work);
    let mut worst: Vec<(&str, [f64; FIGURES.len()])> = Vec::new();
    let mut wrong = Vec::new();
    for ((name, _), forms) in bodies.iter().zip(&results) {
        for (what, off) in forms.iter().flatten() {
            match worst.iter_mut().find(|row| row.0 == *what) {
                Some((_, most)) => (0..off.len()).for_each(|i| most[i] = most[i].max(off[i])),
                None => worst.push((what, *off)),
            }
            for (figure, off) in FIGURES.iter().zip(off) {
                if off.is_nan() || *off > 1.0 {
                    wrong.push(format!("{name}, {what}: {figure} {off:.3} of what may be"));
                }
            }
        }
    }
    let compared = results.iter().flatten().count();
    println!(
        "{compared} of {} bodies; the worst over what is allowed:",
        bodies.len()
    );
    println!("{:28} {}", "", FIGURES.map(|f| format!("{f:>9}")).join(" "));
    for (what, most) in &worst {
        println!("{what:28} {}", most.map(|m| format!("{m:9.4}")).join(" "));
    }
    assert!(2 * compared > bodies.len(), "most pads stay where they are");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
