//! A [`Scene`](crate::Scene) into what a simulation needs.
//!
//! ```text
//! materials ─┐
//! robots ────┼─▶ ModelBuilder ──▶ Model      schedule, forces ──▶ events
//! bodies ────┘                    State      sensors, grasp ────▶ numbers of bodies
//! ```

mod bodies;
mod chains;
mod contact;
mod detail;
mod drives;
mod events;
mod measure;
mod names;
mod plausible;
mod quality;
mod robots;
mod self_contact;
mod workshop;

use std::path::PathBuf;
use std::sync::Arc;

use volar_dynamics::Joint;
use volar_robots::{ImportReport, Robot};
use volar_sim::{
    BodyId, JointId, Model, ModelBuilder, Settings, SimError, Simulation, Start, State,
};

use crate::error::{Fault, SceneError, positive};
use crate::scene::Scene;
use crate::schedule::Event;
use crate::spec::{MethodName, PullSection, SceneSpec, SelfContact, StartName};
use names::Names;
use workshop::Shared;

pub use drives::{Commanded, ControlMap, Drive};
pub use measure::{Finger, Grasp, Sensor};
pub use quality::QualityPlan;
pub(crate) use workshop::SceneFiles;
pub use workshop::Workshop;

/// A scene ready to run.
///
/// ```
/// use volar_scene::Scene;
///
/// let setup = Scene::open("g2p-cube")?.with(&["duration=0.5"])?.compile()?;
/// let cube = setup.model.body("cube").unwrap();
/// assert_eq!(setup.model.mass(cube).mass, 0.2); // kg
/// let mut sim = setup.simulation()?; // at the start of the scene
/// sim.advance_to(0.01)?; // s; events and observers are the business of `volar_run`
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Setup {
    /// The scene and its text.
    pub scene: Scene,
    /// Bodies, joints, law.
    pub model: Arc<Model>,
    /// State at the start.
    pub start: State,
    /// Integrator and tolerances.
    pub settings: Settings,
    /// Names of the joints with one degree of freedom.
    pub joints: Vec<JointName>,
    /// What drives joints, by number of the actuator.
    pub drives: Vec<Drive>,
    /// What happens when, in order of time.
    pub events: Vec<Event>,
    /// What is recorded beside states and contacts.
    pub sensors: Vec<Sensor>,
    /// What is grasped by what.
    pub grasp: Option<Grasp>,
    /// Pulls in six directions.
    pub pull: Option<PullSection>,
    /// The robots of the scene, whose links are bodies.
    pub robots: Vec<SceneRobot>,
    /// What the robots' files say that was changed or left out, by robot.
    pub reports: Vec<(String, ImportReport)>,
    /// What else a person should know.
    pub notes: Vec<String>,
    /// Files that the scene was made of, in its source.
    pub(crate) files: Vec<PathBuf>,
}

/// A joint with one coordinate.
///
/// ```
/// use volar_scene::Scene;
///
/// let setup = Scene::builtin("g2p-cube")?.compile()?;
/// let sim = setup.simulation()?;
/// for joint in &setup.joints {
///     let unit = if joint.slides { "m" } else { "rad" };
///     println!("{}: {:?} {unit}", joint.name, sim.joint_position(joint.joint));
/// }
/// assert_eq!(setup.joints[0].name, "gripper/slide_1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointName {
    /// `robot/joint`, or the name of a body on a rail.
    pub name: String,
    /// Its id in the model.
    pub joint: JointId,
    /// Whether its coordinate is a distance, m, rather than an angle, rad.
    pub slides: bool,
}

/// A robot whose links are bodies of the model.
///
/// ```
/// use volar_scene::Scene;
///
/// let setup = Scene::builtin("g2p-cube")?.compile()?;
/// let gripper = &setup.robots[0];
/// let palm = gripper.body(0);
/// assert_eq!((&*gripper.robot.links[0].name, setup.model.name(palm)), ("palm", "gripper/palm"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SceneRobot {
    /// As the scene calls it.
    pub name: String,
    /// As its file has it, without shapes that the scene leaves out.
    pub robot: Arc<Robot>,
    first: usize,
}

impl SceneRobot {
    /// The body of a link.
    pub fn body(&self, link: usize) -> BodyId {
        BodyId::new(self.first + link)
    }

    /// The link that is a body; none if the body is none of the robot's.
    pub fn link(&self, body: BodyId) -> Option<usize> {
        let link = body.index().checked_sub(self.first);
        link.filter(|link| *link < self.robot.links.len())
    }
}

impl Scene {
    /// Reads all the files the scene names, and makes of it what a simulation
    /// needs. Many variants of a scene are compiled faster by a [`Workshop`].
    pub fn compile(&self) -> Result<Setup, SceneError> {
        Workshop::of(self).compile(self)
    }
}

/// A model with what it was built from.
#[derive(Debug)]
struct Built {
    /// Of scenes that it serves, see `model_key`.
    key: String,
    stage: Stage,
    model: Arc<Model>,
    start: State,
    notes: Vec<String>,
}

impl Built {
    fn new(scene: &Scene, key: String, shared: Arc<Shared>) -> Result<Built, SceneError> {
        let mut stage = Stage::new(SceneFiles {
            shared,
            folder: scene.folder().to_owned(),
        });
        stage.collect(&scene.spec).map_err(|f| scene.invalid(&f))?;
        stage
            .check_plausible(&scene.spec)
            .map_err(|fault| scene.invalid(&fault))?;
        let mut notes = std::mem::take(&mut stage.notes);
        let (mut model, mut start) = stage.build(scene, &[])?;
        let crossed = stage.crossed_links(&model, &start, scene)?;
        if !crossed.is_empty() {
            for pair in &crossed {
                let when = pair.when;
                let [a, b] = [pair.links.0, pair.links.1].map(|body| model.name(BodyId::new(body)));
                notes.push(format!(
                    "`{a}` and `{b}` overlap {when}; their contact is left out"
                ));
            }
            let pairs: Vec<(usize, usize)> = crossed.iter().map(|c| c.links).collect();
            (model, start) = stage.build(scene, &pairs)?;
        }
        Ok(Built {
            key,
            stage,
            model,
            start,
            notes,
        })
    }

    /// The rest of a scene that has this model.
    fn finish(&self, scene: &Scene) -> Result<Setup, Fault> {
        check_lengths(&scene.spec)?;
        names::check_unique(&scene.spec)?;
        let (model, start) = (self.model.clone(), self.start.clone());
        self.stage.finish(scene, model, start, self.notes.clone())
    }
}

impl Setup {
    /// A simulation at the start of the scene, with what is scheduled for its
    /// beginning.
    pub fn simulation(&self) -> Result<Simulation, SimError> {
        let mut controls = self.model.controls().clone();
        for event in self
            .events
            .iter()
            .filter(|event| event.at <= self.start.time)
        {
            event.apply(&mut controls);
        }
        let (model, state) = (self.model.clone(), self.start.clone());
        let mut simulation = Simulation::with_controls(model, state, controls, self.settings)?;
        simulation.begin(match self.scene.spec.start {
            StartName::AsIs => Start::AsIs,
            StartName::Relaxed => Start::Relaxed,
            StartName::Gentle => Start::Gentle,
        })?;
        Ok(simulation)
    }
}

/// A scene on its way to a [`Setup`].
#[derive(Debug)]
struct Stage {
    files: SceneFiles,
    bodies: Vec<volar_sim::Body>,
    motions: Vec<Arc<dyn volar_sim::Motion>>,
    /// Coordinates and velocities at the start by body, where not neutral.
    starts: Vec<(usize, Vec<f64>, Vec<f64>)>,
    robots: Vec<PlacedRobot>,
    drives: Vec<drives::PlannedDrive>,
    /// Bodies' joints by the names of the file.
    joint_bodies: Vec<(String, usize)>,
    couplings: Vec<volar_sim::Coupling>,
    closures: Vec<(String, volar_sim::Closure)>,
    /// Coordinates in the poses of robots' files by body.
    references: Vec<(usize, Vec<f64>)>,
    excluded: Vec<(usize, usize)>,
    reports: Vec<(String, ImportReport)>,
    notes: Vec<String>,
}

/// A robot whose link i is body `first + i`.
#[derive(Debug)]
struct PlacedRobot {
    name: String,
    first: usize,
    robot: Arc<Robot>,
    fingers: Vec<(String, Vec<usize>)>,
    self_contact: SelfContact,
}

impl Stage {
    fn new(files: SceneFiles) -> Stage {
        Stage {
            files,
            bodies: Vec::new(),
            motions: Vec::new(),
            starts: Vec::new(),
            robots: Vec::new(),
            drives: Vec::new(),
            joint_bodies: Vec::new(),
            couplings: Vec::new(),
            closures: Vec::new(),
            references: Vec::new(),
            excluded: Vec::new(),
            reports: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Robots, then bodies.
    fn collect(&mut self, scene: &SceneSpec) -> Result<(), Fault> {
        check_lengths(scene)?;
        names::check_unique(scene)?;
        contact::check_materials(scene)?;
        for (i, entry) in scene.robots.iter().enumerate() {
            let here = i.to_string();
            self.add_robot(scene, entry)
                .map_err(|f| f.within(&["robot", &here]))?;
        }
        for (i, entry) in scene.bodies.iter().enumerate() {
            let here = i.to_string();
            self.add_body(scene, entry)
                .map_err(|f| f.within(&["body", &here]))?;
        }
        let names = self.names();
        for (i, [a, b]) in scene.contact.exclude.iter().enumerate() {
            let at = |fault: Fault| fault.within(&["contact", "exclude", &i.to_string()]);
            let (a, b) = (names.find(a).map_err(at)?, names.find(b).map_err(at)?);
            self.excluded.push((a.index(), b.index()));
        }
        if self.bodies.is_empty() {
            return Err(Fault::new(&[], "the scene has neither a robot nor a body"));
        }
        Ok(())
    }

    fn names(&self) -> Names {
        Names::new(self.bodies.iter().map(|body| body.name.clone()).collect())
    }

    fn build(
        &self,
        scene: &Scene,
        crossed: &[(usize, usize)],
    ) -> Result<(Arc<Model>, State), SceneError> {
        let invalid = |fault: Fault| scene.invalid(&fault);
        let mut builder = ModelBuilder::sharing(self.files.shared.surfaces.clone());
        builder.gravity = crate::error::vector("gravity", scene.spec.gravity).map_err(invalid)?;
        builder.law = contact::law(&scene.spec.contact).map_err(invalid)?;
        for motion in &self.motions {
            builder.add_motion(motion.clone());
        }
        for body in &self.bodies {
            builder.add(body.clone());
        }
        for drive in &self.drives {
            builder.drive_sum(drive.terms.clone(), drive.actuator.clone());
        }
        for coupling in &self.couplings {
            builder.couple(coupling.clone());
        }
        for (name, closure) in &self.closures {
            builder.close_named(name, closure.clone());
        }
        for &(a, b) in self.excluded.iter().chain(crossed) {
            builder.exclude(BodyId::new(a), BodyId::new(b));
        }
        let model = builder.build().map_err(|source| SceneError::Model {
            file: scene.name.clone(),
            source,
        })?;
        let mut state = State::neutral(&model);
        for (body, q, v) in &self.starts {
            let (at_q, at_v) = (model.tree().q_range(*body), model.tree().v_range(*body));
            state.q[at_q].copy_from_slice(q);
            state.v[at_v].copy_from_slice(v);
        }
        Ok((Arc::new(model), state))
    }

    fn finish(
        &self,
        scene: &Scene,
        model: Arc<Model>,
        start: State,
        mut notes: Vec<String>,
    ) -> Result<Setup, Fault> {
        let names = self.names();
        let grasp = measure::grasp(&scene.spec, &names, &self.robots, &self.bodies)?;
        notes.extend(grasp.iter().filter_map(|grasp| self.note_reach(grasp)));
        let drives: Vec<Drive> = self
            .drives
            .iter()
            .map(|drive| drive.drive.clone())
            .collect();
        let joints = self
            .joint_bodies
            .iter()
            .filter(|(_, body)| self.bodies[*body].joint.nv() == 1)
            .map(|(name, body)| JointName {
                name: name.clone(),
                joint: BodyId::new(*body).joint(),
                slides: matches!(self.bodies[*body].joint, Joint::Prismatic { .. }),
            })
            .collect();
        let mut settings = match scene.spec.integrator.method {
            MethodName::Implicit => Settings::default(),
            MethodName::Rk45 => Settings::rk45(),
        };
        let at = |fault: Fault| fault.within(&["integrator"]);
        if let Some(tolerance) = scene.spec.integrator.tolerance {
            settings.tolerance = positive("tolerance", tolerance).map_err(at)?;
        }
        if let Some(longest) = scene.spec.integrator.longest_step {
            settings.longest_step = positive("longest_step", longest).map_err(at)?;
        }
        Ok(Setup {
            events: events::events(&scene.spec, &names, &drives, &self.bodies)?,
            sensors: measure::sensors(&scene.spec, &names)?,
            grasp,
            pull: measure::pull(&scene.spec)?,
            scene: scene.clone(),
            model,
            start,
            settings,
            joints,
            drives,
            robots: self.robots.iter().map(PlacedRobot::in_scene).collect(),
            reports: self.reports.clone(),
            notes,
            files: self.files.shared.files(),
        })
    }
}

/// How long it runs, and how often it is recorded.
fn check_lengths(scene: &SceneSpec) -> Result<(), Fault> {
    positive("duration", scene.duration)?;
    let rate = scene.record.rate;
    positive("rate", rate).map_err(|f| f.within(&["record"]))?;
    Ok(())
}

impl PlacedRobot {
    fn in_scene(&self) -> SceneRobot {
        SceneRobot {
            name: self.name.clone(),
            robot: self.robot.clone(),
            first: self.first,
        }
    }

    fn bodies(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.robot.links.len()
    }
}
