//! Scenes that several tests share.

use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};
use volar_contact::Material;
use volar_dynamics::{Actuator, DofParams, Joint};
use volar_geom::mesh::mass::MassProperties;
use volar_geom::mesh::shapes::{cuboid, icosphere};
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_sim::{
    Body, BodyId, Integrator, Model, ModelBuilder, Parent, Settings, Simulation, State,
};

/// A closed mesh, or a mistake in the test.
pub fn closed(mesh: TriMesh) -> Arc<ClosedMesh> {
    Arc::new(ClosedMesh::new(mesh).unwrap())
}

/// A box of a size, centred.
pub fn block(size: DVec3) -> Arc<ClosedMesh> {
    closed(cuboid(size))
}

/// The bunny, 80 mm high, at its centre of mass.
pub fn bunny() -> Arc<ClosedMesh> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../volar-scene/assets/bunny.obj");
    let mesh = volar_meshes::read(&path, &volar_meshes::ReadOptions::default()).unwrap();
    closed(mesh)
}

/// The sphere of 30 mm radius with 1280 triangles.
pub fn ball() -> Arc<ClosedMesh> {
    closed(icosphere(0.03, 3))
}

/// Where a free body starts.
pub fn place(model: &Model, state: &mut State, body: BodyId, position: DVec3, wxyz: [f64; 4]) {
    let q = model.tree().q_range(body.index());
    state.q[q.start..q.start + 3].copy_from_slice(&position.to_array());
    state.q[q.start + 3..q.end].copy_from_slice(&wxyz);
}

/// What a pad weighs.
pub fn box_mass(mass: f64, size: DVec3) -> MassProperties {
    let s = size * size;
    MassProperties {
        mass,
        centre_of_mass: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0)),
    }
}

/// An object between two pads.
pub struct Squeeze {
    pub object: Arc<ClosedMesh>,
    pub mass: f64,
    pub effort: f64,
    pub pad: Material,
    pub surface: Material,
    /// Size of the pads, m.
    pub size: DVec3,
    /// Distance of the pads' faces from the middle, m.
    pub gap: f64,
    pub pad_mass: f64,
    pub damping: f64,
}

impl Squeeze {
    /// The pads of gripper g2p: 10 N each, friction 0.8.
    pub fn of(object: Arc<ClosedMesh>) -> Squeeze {
        Squeeze {
            object,
            mass: 0.2,
            effort: 10.0,
            pad: Material::named("rubber").unwrap().with_friction(0.8),
            surface: Material::named("plastic").unwrap().with_friction(0.8),
            size: DVec3::new(0.02, 0.02, 0.06),
            gap: 0.04,
            pad_mass: 0.1,
            damping: 20.0,
        }
    }

    /// Bodies 0 and 1 are the pads at −x and +x, body 2 the object.
    pub fn builder(&self) -> ModelBuilder {
        let mut builder = ModelBuilder::new();
        self.pads(&mut builder, Parent::World);
        builder.exclude(BodyId::new(0), BodyId::new(1));
        builder.add(Body::free(
            "object",
            self.object.clone(),
            self.mass,
            self.surface,
        ));
        builder
    }

    pub fn model(&self) -> Arc<Model> {
        Arc::new(self.builder().build().unwrap())
    }
}

/// A material of the table with another friction and damping time.
pub fn material(name: &str, friction: f64, damping_time: f64) -> Material {
    Material {
        friction,
        damping_time,
        ..Material::named(name).unwrap()
    }
}

/// The default settings with an integrator and a tolerance.
pub fn settings(integrator: Integrator, tolerance: f64) -> Settings {
    Settings {
        integrator,
        tolerance,
        ..Settings::default()
    }
}

/// Both integrators, for tests that say the same of each.
pub const BOTH: [Integrator; 2] = [Integrator::Implicit, Integrator::Rk45];

/// A quaternion (w, x, y, z).
pub fn wxyz(axis: DVec3, angle: f64) -> [f64; 4] {
    let q = DQuat::from_axis_angle(axis, angle);
    [q.w, q.x, q.y, q.z]
}

/// Position of a free body.
pub fn position(sim: &Simulation, body: BodyId) -> DVec3 {
    DVec3::from_slice(&sim.state().q[sim.model().tree().q_range(body.index()).start..])
}

/// Velocity and angular velocity of a free body.
pub fn velocity(sim: &Simulation, body: BodyId) -> [DVec3; 2] {
    let v = &sim.state().v[sim.model().tree().v_range(body.index())];
    [DVec3::from_slice(v), DVec3::from_slice(&v[3..])]
}

/// Gives a free body a velocity and an angular velocity.
pub fn throw(
    model: &Model,
    state: &mut State,
    body: BodyId,
    velocity: DVec3,
    angular_velocity: DVec3,
) {
    assert!(state.set_velocity(model, body, velocity, angular_velocity));
}

impl Squeeze {
    /// The pads at −x and +x, on a parent of their own.
    pub fn pads(&self, builder: &mut ModelBuilder, parent: Parent) -> [BodyId; 2] {
        [("pad-left", -1.0), ("pad-right", 1.0)].map(|(name, side)| {
            let centre = side * (self.gap + 0.5 * self.size.x);
            let pad = builder.add(Body {
                name: name.into(),
                parent,
                placement: Pose::from_translation(DVec3::new(centre, 0.0, 0.0)),
                joint: Joint::Prismatic {
                    axis: DVec3::new(-side, 0.0, 0.0),
                },
                mass: box_mass(self.pad_mass, self.size),
                shapes: vec![block(self.size)],
                material: self.pad,
                joint_params: DofParams {
                    damping: self.damping,
                    ..DofParams::default()
                },
            });
            builder.drive(pad.joint(), Actuator::effort(self.effort));
            pad
        })
    }
}

/// The squeeze of a cube, a sphere or the bunny, and where it starts.
pub fn squeezed(name: &str) -> (Arc<Model>, State) {
    let object = match name {
        "cube" => block(DVec3::splat(0.06)),
        "sphere" => ball(),
        _ => bunny(),
    };
    let model = Squeeze::of(object).model();
    let mut state = State::neutral(&model);
    if name == "bunny" {
        // On its back, so that it hangs below the line between the pads.
        let wxyz = [0.492_423_56, 0.870_355_696, 0.0, 0.0];
        place(
            &model,
            &mut state,
            BodyId::new(2),
            DVec3::new(0.001, 0.0, 0.0),
            wxyz,
        );
    }
    (model, state)
}
