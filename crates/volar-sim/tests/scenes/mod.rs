//! Scenes that several tests share.

use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DVec3};
use volar_contact::Material;
use volar_dynamics::{Actuator, DofParams, Joint};
use volar_geom::mesh::mass::MassProperties;
use volar_geom::mesh::shapes::{cuboid, icosphere};
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_sim::{BodySpec, Model, ModelBuilder, Parent, State};

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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/bunny.obj");
    let mesh = volar_meshes::read(&path, &volar_meshes::ReadOptions::default()).unwrap();
    closed(mesh)
}

/// The sphere of 30 mm radius with 1280 triangles.
pub fn ball() -> Arc<ClosedMesh> {
    closed(icosphere(0.03, 3))
}

/// Where a free body starts.
pub fn place(model: &Model, state: &mut State, body: usize, position: DVec3, wxyz: [f64; 4]) {
    let q = model.tree.q_range(body);
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
    pub skin: Material,
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
            skin: Material::named("plastic").unwrap().with_friction(0.8),
            size: DVec3::new(0.02, 0.02, 0.06),
            gap: 0.04,
            pad_mass: 0.1,
            damping: 20.0,
        }
    }

    /// Bodies 0 and 1 are the pads at −x and +x, body 2 the object.
    pub fn builder(&self) -> ModelBuilder {
        let mut builder = ModelBuilder::new();
        for (name, side) in [("pad-left", -1.0), ("pad-right", 1.0)] {
            let centre = side * (self.gap + 0.5 * self.size.x);
            let pad = builder.add(BodySpec {
                name: name.into(),
                parent: Parent::World,
                X_PJ: Pose::from_translation(DVec3::new(centre, 0.0, 0.0)),
                joint: Joint::Prismatic {
                    axis: DVec3::new(-side, 0.0, 0.0),
                },
                mass: box_mass(self.pad_mass, self.size),
                shapes: vec![block(self.size)],
                material: self.pad,
                dof: DofParams {
                    damping: self.damping,
                    ..DofParams::default()
                },
            });
            builder.actuate(pad, 0, Actuator::Effort(self.effort));
        }
        builder.exclude(0, 1);
        builder.add(BodySpec::free(
            "object",
            self.object.clone(),
            self.mass,
            self.skin,
        ));
        builder
    }

    pub fn model(&self) -> Arc<Model> {
        Arc::new(self.builder().build().unwrap())
    }
}
