//! The three grippers of the paper's grasps, all links boxes: two fingers on
//! slides (g2p), two on hinges (g2r), three of two links each (g3r).

use std::sync::Arc;

use glam::{DMat3, DVec3};
use volar_dynamics::{Actuator, DofParams, Joint};
use volar_geom::mesh::mass::MassProperties;
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_sim::{BodySpec, Model, ModelBuilder, Parent, State};

use crate::scenes::{block, box_mass, closed, place};

/// One moving link of a finger.
struct Phalanx {
    /// Of the joint in the parent, before the finger's turn about z.
    offset: DVec3,
    slides: bool,
    size: DVec3,
    centre: DVec3,
    start: f64,
    effort: f64,
    damping: f64,
}

fn phalanges(gripper: &str) -> (Vec<f64>, Vec<Phalanx>) {
    let hinge = |offset: [f64; 3], size: [f64; 3], start, effort, damping| Phalanx {
        offset: DVec3::from_array(offset),
        slides: false,
        size: DVec3::from_array(size),
        centre: DVec3::new(0.0, 0.0, -0.5 * size[2]),
        start,
        effort,
        damping,
    };
    match gripper {
        "g2p" => {
            let pad = Phalanx {
                offset: DVec3::new(0.05, 0.0, -0.1),
                slides: true,
                size: DVec3::new(0.02, 0.02, 0.06),
                centre: DVec3::ZERO,
                start: 0.0,
                effort: 10.0,
                damping: 20.0,
            };
            (vec![180.0, 0.0], vec![pad])
        }
        "g2r" => {
            let finger = hinge([0.045, 0.0, -0.03], [0.02, 0.02, 0.08], -0.05, 0.75, 0.1);
            (vec![180.0, 0.0], vec![finger])
        }
        _ => {
            let proximal = hinge(
                [0.02, 0.0, -0.023],
                [0.016, 0.016, 0.045],
                -0.72,
                0.83,
                0.12,
            );
            let distal = hinge([0.0, 0.0, -0.045], [0.016, 0.016, 0.06], 0.67, 0.48, 0.04);
            (vec![0.0, 120.0, 240.0], vec![proximal, distal])
        }
    }
}

fn shifted(mesh: &ClosedMesh, by: DVec3) -> Arc<ClosedMesh> {
    let TriMesh {
        vertices,
        triangles,
    } = mesh.to_tri_mesh();
    let vertices = vertices.into_iter().map(|v| v + by).collect();
    closed(TriMesh {
        vertices,
        triangles,
    })
}

/// A gripper over an object (the last body), and its state at the start.
pub fn grasp(
    gripper: &str,
    object: BodySpec,
    position: DVec3,
    wxyz: [f64; 4],
    pad: volar_contact::Material,
) -> (Arc<Model>, State) {
    let mut builder = ModelBuilder::new();
    let palm_size = if gripper == "g3r" {
        DVec3::new(0.12, 0.12, 0.03)
    } else {
        DVec3::new(0.14, 0.06, 0.03)
    };
    let palm_mesh = shifted(&block(palm_size), DVec3::new(0.0, 0.0, 0.015));
    let palm = builder.add(BodySpec::fixed(
        "palm",
        palm_mesh,
        Pose::from_translation(DVec3::new(0.0, 0.0, 0.1)),
        pad,
    ));
    let (azimuths, links) = phalanges(gripper);
    let mut bodies = vec![palm];
    let mut starts = Vec::new();
    for (finger, azimuth) in azimuths.iter().enumerate() {
        let turn = DMat3::from_rotation_z(azimuth.to_radians());
        let mut parent = palm;
        for (i, link) in links.iter().enumerate() {
            let turned = if i == 0 { turn } else { DMat3::IDENTITY };
            let axis = if link.slides { DVec3::NEG_X } else { DVec3::Y };
            parent = builder.add(BodySpec {
                name: format!("finger {finger} link {i}"),
                parent: Parent::Body(parent),
                X_PJ: Pose {
                    R: turned,
                    p: turned * link.offset,
                },
                joint: if link.slides {
                    Joint::Prismatic { axis }
                } else {
                    Joint::Revolute { axis }
                },
                mass: MassProperties {
                    centre_of_mass: link.centre,
                    ..box_mass(0.1, link.size)
                },
                shapes: vec![shifted(&block(link.size), link.centre)],
                material: pad,
                dof: DofParams {
                    damping: link.damping,
                    ..DofParams::default()
                },
            });
            builder.actuate(parent, 0, Actuator::effort(link.effort));
            bodies.push(parent);
            starts.push((parent, link.start));
        }
    }
    builder.exclude_among(&bodies);
    let object = builder.add(object);
    let model = Arc::new(builder.build().unwrap());
    let mut state = State::neutral(&model);
    for (body, start) in starts {
        state.q[model.tree.q_range(body).start] = start;
    }
    place(&model, &mut state, object, position, wxyz);
    (model, state)
}
