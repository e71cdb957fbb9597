//! Grasps built by hand: two pads on a cube, three fingers on the bunny.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use volar_contact::Material;
use volar_dynamics::{Actuator, DofParams, Joint, Signal};
use volar_geom::mesh::shapes::cuboid;
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_record::{
    BodyFrame, BodyHeader, ContactFrame, EnergyFrame, Frame, Header, JointFrame, JointHeader, Role,
};
use volar_sim::{BodySpec, Model, ModelBuilder, Parent, Settings, Simulation, State};
use volar_view::{Live, Parameter};

/// A simulated grasp.
pub struct Grasp {
    header: Header,
    simulation: Simulation,
    start: State,
    /// Dofs with a joint of one coordinate.
    dofs: Vec<usize>,
    materials: Vec<Material>,
    stiffness: f64,
    damping: f64,
    friction: f64,
}

struct Link {
    finger: &'static str,
    parent: Option<usize>,
    pose: Pose,
    joint: Joint,
    size: DVec3,
    centre: DVec3,
    start: f64,
    effort: f64,
    damping: f64,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

fn named(material: &str) -> Outcome<Material> {
    Ok(Material::named(material)
        .ok_or("no such material")?
        .with_friction(0.8))
}

fn block(size: DVec3, centre: DVec3) -> Outcome<Arc<ClosedMesh>> {
    let mesh = cuboid(size).transformed(1.0, &Pose::from_translation(centre));
    Ok(Arc::new(ClosedMesh::new(mesh)?))
}

/// The bunny, 80 mm high.
pub fn bunny() -> Outcome<TriMesh> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../volar-scene/assets/bunny.obj");
    let mut mesh = volar_meshes::read(&path, &volar_meshes::ReadOptions::default())?;
    for vertex in &mut mesh.vertices {
        *vertex = DVec3::new(vertex.z, vertex.x, vertex.y); // the file has y up
    }
    Ok(mesh)
}

impl Grasp {
    /// Two pads close on a cube with 10 N.
    pub fn squeeze() -> Outcome<Grasp> {
        let links = [("left", -1.0), ("right", 1.0)].map(|(finger, side)| Link {
            finger,
            parent: None,
            pose: Pose::from_translation(DVec3::new(0.05 * side, 0.0, -0.1)),
            joint: Joint::Prismatic {
                axis: DVec3::new(-side, 0.0, 0.0),
            },
            size: DVec3::new(0.02, 0.02, 0.06),
            centre: DVec3::ZERO,
            start: 0.0,
            effort: 10.0,
            damping: 20.0,
        });
        let cube = Arc::new(ClosedMesh::new(cuboid(DVec3::splat(0.06)))?);
        Grasp::new(
            "squeeze of a cube",
            DVec3::new(0.14, 0.06, 0.03),
            &links,
            cube,
            DVec3::ZERO,
        )
    }

    /// Three fingers of two links each close on the bunny.
    pub fn three_fingers() -> Outcome<Grasp> {
        let mut links = Vec::new();
        for (k, finger) in ["thumb", "index", "middle"].into_iter().enumerate() {
            let turn = DMat3::from_rotation_z((120.0 * k as f64).to_radians());
            let hinge = |parent, pose, height: f64, start, effort, damping| Link {
                finger,
                parent,
                pose,
                joint: Joint::Revolute { axis: DVec3::Y },
                size: DVec3::new(0.016, 0.016, height),
                centre: DVec3::new(0.0, 0.0, -0.5 * height),
                start,
                effort,
                damping,
            };
            let root = Pose {
                R: turn,
                p: turn * DVec3::new(0.02, 0.0, -0.023),
            };
            let knuckle = Pose::from_translation(DVec3::new(0.0, 0.0, -0.045));
            links.push(hinge(None, root, 0.045, -0.72, 0.83, 0.12));
            let proximal = Some(links.len() - 1);
            links.push(hinge(proximal, knuckle, 0.06, 0.67, 0.48, 0.04));
        }
        let bunny = Arc::new(ClosedMesh::new(bunny()?)?);
        let place = DVec3::new(0.004, 0.003, 0.0);
        Grasp::new(
            "three fingers on the bunny",
            DVec3::new(0.12, 0.12, 0.03),
            &links,
            bunny,
            place,
        )
    }

    fn new(
        scene: &str,
        palm_size: DVec3,
        links: &[Link],
        object: Arc<ClosedMesh>,
        place: DVec3,
    ) -> Outcome<Grasp> {
        let rubber = named("rubber")?;
        let mut builder = ModelBuilder::new();
        let mesh = block(palm_size, DVec3::new(0.0, 0.0, 0.015))?;
        let above = Pose::from_translation(DVec3::new(0.0, 0.0, 0.1));
        let palm = builder.add(BodySpec::fixed("palm", mesh, above, rubber));
        let mut bodies = vec![palm];
        let mut roles = vec![(Role::Palm, String::new())];
        for (number, link) in links.iter().enumerate() {
            let mesh = block(link.size, link.centre)?;
            let name = format!(
                "{} {}",
                link.finger,
                if link.parent.is_some() { "tip" } else { "base" }
            );
            let body = builder.add(BodySpec {
                name,
                parent: Parent::Body(link.parent.map_or(palm, |parent| bodies[parent + 1])),
                X_PJ: link.pose,
                joint: link.joint,
                dof: DofParams {
                    damping: link.damping,
                    ..DofParams::default()
                },
                ..BodySpec::free("", mesh, 0.1, rubber)
            });
            builder.actuate(body, 0, Actuator::Effort(Signal::Constant(link.effort)));
            debug_assert_eq!(body, number + 1);
            bodies.push(body);
            roles.push((Role::Finger, link.finger.into()));
        }
        builder.exclude_among(&bodies);
        let object = builder.add(BodySpec::free("object", object, 0.2, named("plastic")?));
        roles.push((Role::Object, String::new()));
        let model = Arc::new(builder.build()?);
        let mut start = State::neutral(&model);
        for (body, link) in bodies[1..].iter().zip(links) {
            start.q[model.tree.q_range(*body).start] = link.start;
        }
        let q = model.tree.q_range(object).start;
        start.q[q..q + 3].copy_from_slice(&place.to_array());
        let header = header(scene, &model, roles);
        let dofs = bodies[1..]
            .iter()
            .map(|body| model.tree.v_range(*body).start)
            .collect();
        Ok(Grasp {
            header,
            materials: model.controls.materials.clone(),
            simulation: Simulation::new(model, start.clone(), Settings::default()),
            start,
            dofs,
            stiffness: 1.0,
            damping: 1.0,
            friction: 0.8,
        })
    }

    fn apply_materials(&mut self) {
        let (stiffness, damping, friction) = (self.stiffness, self.damping, self.friction);
        let changed = self.materials.iter().map(|material| Material {
            stiffness: stiffness * material.stiffness,
            shear_stiffness: stiffness * material.shear_stiffness,
            damping_time: damping * material.damping_time,
            friction,
            ..*material
        });
        self.simulation.controls_mut().materials = changed.collect();
    }
}

fn header(scene: &str, model: &Model, roles: Vec<(Role, String)>) -> Header {
    let bodies = roles
        .into_iter()
        .enumerate()
        .map(|(body, (role, finger))| BodyHeader {
            name: model.name(body).into(),
            role,
            finger,
            mesh: model.surfaces[body]
                .as_ref()
                .map(|surface| surface.mesh.to_tri_mesh()),
        });
    let bodies: Vec<BodyHeader> = bodies.collect();
    let joints = bodies
        .iter()
        .enumerate()
        .filter(|(_, body)| body.role == Role::Finger);
    Header {
        scene: scene.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        joints: joints
            .map(|(number, body)| JointHeader {
                name: body.name.clone(),
                slides: matches!(model.tree.bodies()[number].joint, Joint::Prismatic { .. }),
            })
            .collect(),
        bodies,
        sensors: Vec::new(),
    }
}

impl Live for Grasp {
    fn header(&self) -> &Header {
        &self.header
    }

    fn frame(&mut self) -> Result<Frame, String> {
        let failed = |error: volar_sim::SimError| error.to_string();
        let contacts = self.simulation.contacts().map_err(failed)?;
        let energies = self.simulation.energies().map_err(failed)?;
        let state = self.simulation.state().clone();
        let step = self.simulation.next_step();
        let tree = self.simulation.model().tree.clone();
        let evaluation = self.simulation.evaluation().map_err(failed)?;
        let poses = evaluation
            .kinematics
            .X_WB
            .iter()
            .zip(&evaluation.kinematics.V_WB);
        let bodies = poses.map(|(pose, velocity)| {
            let q = DQuat::from_mat3(&pose.R);
            BodyFrame {
                position: pose.p,
                orientation: [q.w, q.x, q.y, q.z],
                velocity: velocity.linear,
                angular_velocity: velocity.angular,
            }
        });
        let joints = self.dofs.iter().map(|&dof| JointFrame {
            position: tree.coordinate(dof).map_or(0.0, |q| state.q[q]),
            velocity: state.v[dof],
            effort: evaluation.efforts.tau[dof],
        });
        Ok(Frame {
            time: state.time,
            bodies: bodies.collect(),
            joints: joints.collect(),
            contacts: contacts
                .iter()
                .map(|c| ContactFrame {
                    a: c.a,
                    b: c.b,
                    point: c.point,
                    normal: c.normal,
                    normal_force: c.normal_force,
                    friction_force: c.friction_force,
                    friction_margin: c.friction_margin,
                    area: c.area,
                    volume: c.volume,
                    depth: c.depth,
                    slip: c.slip,
                })
                .collect(),
            energies: EnergyFrame {
                kinetic: energies.kinetic,
                potential: energies.potential,
                contact: energies.balance.contact + energies.bristles,
                joints: energies.joints,
                put_in: energies.balance.put_in(),
                lost: energies.lost(),
            },
            sensors: Vec::new(),
            step,
        })
    }

    fn advance(&mut self, to_time: f64) -> Result<(), String> {
        self.simulation
            .advance(to_time)
            .map_err(|error| error.to_string())
    }

    fn time(&self) -> f64 {
        self.simulation.time()
    }

    fn restart(&mut self) -> Result<(), String> {
        self.simulation.set_state(self.start.clone());
        Ok(())
    }

    fn parameters(&self) -> Vec<Parameter> {
        let one =
            |name: &str, label: &str, unit: &str, range: [f64; 2], value, logarithmic| Parameter {
                name: name.into(),
                label: label.into(),
                unit: unit.into(),
                min: range[0],
                max: range[1],
                value,
                logarithmic,
            };
        let gravity = self.simulation.controls().gravity.vector.length();
        let mut all = vec![
            one(
                "stiffness",
                "Stiffness",
                "×",
                [0.01, 10.0],
                self.stiffness,
                true,
            ),
            one("damping", "Damping", "×", [0.1, 100.0], self.damping, true),
            one("friction", "Friction", "", [0.0, 1.5], self.friction, false),
            one("gravity", "Gravity", "m/s²", [0.0, 25.0], gravity, false),
        ];
        let actuators = self.simulation.controls().joints.actuators();
        for ((_, actuator), joint) in actuators.iter().zip(&self.header.joints) {
            if let Actuator::Effort(Signal::Constant(effort)) = actuator {
                let (most, unit) = if joint.slides {
                    (40.0, "N")
                } else {
                    (2.0, "N m")
                };
                let (name, range) = (format!("effort {}", joint.name), [-0.2 * most, most]);
                let label = format!("Effort {}", joint.name);
                all.push(one(&name, &label, unit, range, *effort, false));
            }
        }
        all
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), String> {
        match name {
            "stiffness" => self.stiffness = value,
            "damping" => self.damping = value,
            "friction" => self.friction = value,
            "gravity" => {
                self.simulation.controls_mut().gravity = DVec3::new(0.0, 0.0, -value).into();
                return Ok(());
            }
            _ => {
                let joint = name.strip_prefix("effort ");
                let joints = self.header.joints.iter();
                let number = joints
                    .clone()
                    .position(|known| Some(known.name.as_str()) == joint);
                let number = number.ok_or_else(|| format!("there is no parameter `{name}`"))?;
                let joints = &mut self.simulation.controls_mut().joints;
                return joints
                    .set_actuator(number, Actuator::Effort(Signal::Constant(value)))
                    .map_err(|error| error.to_string());
            }
        }
        self.apply_materials();
        Ok(())
    }
}
