//! Single bodies.

use std::sync::Arc;

use glam::{DMat3, DVec3};
use volar_dynamics::{Actuator, Body, DofParams, FrameMotion, Joint, TreeBuilder};
use volar_geom::mesh::check::check;
use volar_geom::mesh::mass::{MassProperties, SolidMoments};
use volar_geom::{ClosedMesh, Pose, TriMesh};
use volar_sim::{BodyId, MotionId, Parent};
use volar_solids::{MeshFile, Shape};

use super::Stage;
use super::contact::material;
use super::detail::with_detail;
use super::drives::{Drive, PlannedDrive};
use super::workshop::Solid;
use crate::error::{Fault, direction, not_negative, pose, positive, vector};
use crate::motions::{Mounted, motion};
use crate::similar::did_you_mean;
use crate::spec::{BodyEntry, SceneSpec, is_origin};

/// Mass of bodies that say nothing about it, kg/m³.
const WATER: f64 = 1000.0;

impl Stage {
    pub(super) fn add_body(&mut self, scene: &SceneSpec, entry: &BodyEntry) -> Result<(), Fault> {
        check_hold(entry)?;
        let solid = self.solid(entry)?;
        let mass = mass_of(entry, &solid.moments)?;
        let X_WB = pose(entry.position, entry.orientation)?;
        let ground = matches!(entry.shape, Shape::Ground {});
        let body = self.bodies.len();
        let mut spec = volar_sim::Body {
            name: entry.name.clone(),
            parent: Parent::World,
            placement: X_WB,
            joint: Joint::Fixed,
            mass,
            shapes: vec![solid.mesh.clone()],
            material: material(scene, &entry.material).map_err(|f| f.within(&["material"]))?,
            joint_params: DofParams::default(),
        };
        if let Some(along) = entry.slides_along {
            let axis = X_WB.R.transpose() * direction("slides_along", along)?;
            spec.joint = Joint::Prismatic { axis };
            spec.joint_params.damping = not_negative("damping", entry.damping.unwrap_or(0.0))?;
            self.joint_bodies.push((entry.name.clone(), body));
            if let Some(effort) = entry.effort {
                if !effort.is_finite() {
                    return Err(Fault::new(&["effort"], "the number must be finite"));
                }
                self.drives.push(PlannedDrive {
                    terms: vec![(BodyId::new(body).joint().into(), 1.0)],
                    actuator: Actuator::effort(effort),
                    drive: Drive::effort(&entry.name),
                });
            }
        } else if let Some(moving) = &entry.motion {
            let inner = motion(moving, &self.files).map_err(|fault| fault.within(&["motion"]))?;
            let origin = X_WB.p;
            spec.parent = Parent::BaseMotion(MotionId::new(self.motions.len()));
            spec.placement.p = DVec3::ZERO;
            self.motions.push(Arc::new(Mounted { inner, origin }));
        } else if !(entry.fixed || ground) {
            spec.joint = Joint::Free;
            spec.placement = Pose::IDENTITY;
            let with = entry.travels_with.as_deref();
            let base_motion = with.map(|robot| self.base_motion(robot)).transpose()?;
            spec.parent = base_motion.map_or(Parent::World, Parent::BaseMotion);
            let frame =
                base_motion.map_or_else(FrameMotion::default, |c| self.motions[c.index()].at(0.0));
            let (q, v) = free_start(entry, &X_WB, &frame)?;
            self.starts.push((body, q, v));
        }
        self.bodies.push(spec);
        Ok(())
    }

    /// The motion of the robot that a body travels with.
    fn base_motion(&self, robot: &str) -> Result<MotionId, Fault> {
        let placed = self.robots.iter().find(|placed| placed.name == robot);
        match placed.map(|placed| self.bodies[placed.first].parent) {
            Some(Parent::BaseMotion(base_motion)) => Ok(base_motion),
            Some(_) => Err(Fault::new(
                &["travels_with"],
                format!("robot `{robot}` has no prescribed motion"),
            )),
            None => Err(Fault::new(&["travels_with"], {
                let names = self.robots.iter().map(|placed| placed.name.as_str());
                format!("there is no robot `{robot}`{}", did_you_mean(robot, names))
            })),
        }
    }

    /// The solid of a body in its frame; equal shapes are shared.
    fn solid(&mut self, entry: &BodyEntry) -> Result<Arc<Solid>, Fault> {
        let files = &self.files;
        let detail = not_negative("detail", entry.detail)?;
        let make = || self.make_solid(&entry.shape, detail);
        let shape = (&entry.shape, detail);
        let solid = files.shared.solid(&files.folder, shape, make)?;
        if let Some(note) = &solid.note
            && !self.notes.contains(note)
        {
            self.notes.push(note.clone());
        }
        Ok(solid)
    }

    fn make_solid(&self, shape: &Shape, detail: f64) -> Result<Solid, Fault> {
        let at = |fault: Fault| fault.within(&["shape"]);
        check_sizes(shape).map_err(at)?;
        let (mesh, mut note) = match shape {
            Shape::Mesh(file) => {
                let (mesh, note) = self.mesh(file).map_err(|f| at(f.within(&["mesh"])))?;
                (Some(mesh), note)
            }
            primitive => (primitive.tessellate(), None),
        };
        let mesh = mesh.ok_or_else(|| Fault::new(&["shape"], "this shape is no solid"))?;
        let moments =
            SolidMoments::of(&mesh).ok_or_else(|| Fault::new(&["shape"], "it has no volume"))?;
        let open = |error| Fault::new(&["shape"], format!("not a closed mesh: {error}"));
        let mut closed = ClosedMesh::new(mesh).map_err(open)?;
        if let Some((lean, said)) = with_detail(&closed, detail).map_err(open)? {
            closed = lean;
            let name = match shape {
                Shape::Mesh(file) => &file.file,
                _ => "a shape",
            };
            let said = format!("{name} is simplified: {said}");
            note = Some(note.map_or(said.clone(), |repaired| format!("{repaired}; {said}")));
        }
        Ok(Solid {
            mesh: Arc::new(closed),
            moments,
            note,
        })
    }

    /// A mesh file in the body's frame, and how it was repaired.
    fn mesh(&self, file: &MeshFile) -> Result<(TriMesh, Option<String>), Fault> {
        let fault = |message: String| Fault::new(&["file"], message);
        let (name, library) = (&file.file, &self.files.shared.library);
        let solid = library
            .solid(&self.files.path(name))
            .map_err(|error| fault(error.to_string()))?;
        if !solid.report.is_usable() || !(solid.steps.is_empty() || file.repair) {
            let raw = library.mesh(&self.files.path(name));
            let raw = raw.map_err(|error| fault(error.to_string()))?;
            let complaints: Vec<String> = check(&raw)
                .complaints
                .iter()
                .filter(|c| c.is_fatal())
                .map(ToString::to_string)
                .collect();
            let hint = match file.repair {
                true => "repair did not make it one",
                false => "`volar check` tells more, `repair = true` tries to repair it",
            };
            let complaints = complaints.join("; ");
            let message = format!("{name} is not a closed solid: {complaints}; {hint}");
            return Err(fault(message));
        }
        let note = (!solid.steps.is_empty()).then(|| {
            let steps: Vec<String> = solid.steps.iter().map(ToString::to_string).collect();
            format!("{name}: repaired: {}", steps.join(", "))
        });
        let mesh = file.placed(&solid.mesh);
        let mesh = match file.centre {
            true => centred(mesh)?,
            false => mesh,
        };
        Ok((mesh, note))
    }
}

/// Lengths above zero, and a place for a mesh.
fn check_sizes(shape: &Shape) -> Result<(), Fault> {
    let lengths = |kind: &str, lengths: &[(&str, f64)]| {
        let checked = lengths.iter().try_for_each(|(key, value)| {
            positive(key, *value)?;
            Ok(())
        });
        checked.map_err(|fault: Fault| fault.within(&[kind]))
    };
    let sizes = |kind: &str, sizes: [f64; 3]| match vector(kind, sizes)?.min_element() > 0.0 {
        true => Ok(()),
        false => Err(Fault::new(&[kind], "sizes must be above zero")),
    };
    match shape {
        Shape::Box(edges) => sizes("box", *edges),
        Shape::Ellipsoid(radii) => sizes("ellipsoid", *radii),
        Shape::Sphere {
            radius,
            subdivisions,
        } => {
            if *subdivisions > 7 {
                let message = "more than 7 subdivisions (327,680 triangles) are not supported";
                return Err(Fault::new(&["sphere", "subdivisions"], message));
            }
            lengths("sphere", &[("radius", *radius)])
        }
        Shape::Cylinder { radius, length } => {
            lengths("cylinder", &[("radius", *radius), ("length", *length)])
        }
        Shape::Capsule { radius, length } => {
            lengths("capsule", &[("radius", *radius), ("length", *length)])
        }
        Shape::Ground {} => Ok(()),
        Shape::Mesh(file) => {
            let at = |fault: Fault| fault.within(&["mesh"]);
            pose(file.position, file.orientation).map_err(at)?;
            let scale = file.scale.axes().to_array().into_iter();
            scale
                .map(|factor| positive("scale", factor))
                .try_for_each(|checked| checked.map(|_| ()))
                .map_err(at)
        }
    }
}

/// The mesh with its centre of mass at the origin.
fn centred(mesh: TriMesh) -> Result<TriMesh, Fault> {
    let moments =
        SolidMoments::of(&mesh).ok_or_else(|| Fault::new(&["centre"], "the mesh has no volume"))?;
    let back = Pose::from_translation(-moments.with_density(1.0).centre_of_mass);
    Ok(mesh.transformed(1.0, &back))
}

fn mass_of(entry: &BodyEntry, moments: &SolidMoments) -> Result<MassProperties, Fault> {
    let mut mass = match (entry.mass, entry.density) {
        (Some(_), Some(_)) => {
            return Err(Fault::new(
                &["density"],
                "give `mass` or `density`, not both",
            ));
        }
        (Some(mass), None) => moments.with_mass(positive("mass", mass)?),
        (None, density) => moments.with_density(positive("density", density.unwrap_or(WATER))?),
    };
    if let Some([xx, yy, zz, xy, xz, yz]) = entry.inertia {
        mass.inertia = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        check_inertia(&entry.name, &mass)?;
    }
    Ok(mass)
}

/// Inertias that no solid can have, by the rules of the tree that they go into.
fn check_inertia(name: &str, mass: &MassProperties) -> Result<(), Fault> {
    let mut tree = TreeBuilder::new();
    tree.add(Body {
        name: name.to_owned(),
        parent: None,
        base_motion: None,
        X_PJ: Pose::IDENTITY,
        joint: Joint::Free,
        mass: mass.mass,
        p_BoBcm_B: mass.centre_of_mass,
        inertia: mass.inertia,
    });
    let fault = |error: volar_dynamics::TreeError| Fault::new(&["inertia"], error.to_string());
    tree.build().map(|_| ()).map_err(fault)
}

/// A body is free, fixed, on a rail or moved; what is said of it must belong
/// to that.
fn check_hold(entry: &BodyEntry) -> Result<(), Fault> {
    let refuse = |key: &str, message: &str| Err(Fault::new(&[key], message));
    let rail = entry.slides_along.is_some();
    let held = entry.fixed || matches!(entry.shape, Shape::Ground {}) || entry.motion.is_some();
    if rail && held {
        let message = "a body on a rail cannot be fixed or moved as prescribed too";
        return refuse("slides_along", message);
    }
    for (key, given) in [
        ("effort", entry.effort.is_some()),
        ("damping", entry.damping.is_some()),
    ] {
        if given && !rail {
            return refuse(key, "this belongs to a rail: give `slides_along` too");
        }
    }
    for (key, given) in [
        ("velocity", !is_origin(&entry.velocity)),
        ("angular_velocity", !is_origin(&entry.angular_velocity)),
        ("travels_with", entry.travels_with.is_some()),
    ] {
        if given && (rail || held) {
            return refuse(key, "this belongs to a free body, and this one is held");
        }
    }
    Ok(())
}

/// Coordinates and velocities of a free joint in a moving frame.
fn free_start(
    entry: &BodyEntry,
    X_WB: &Pose,
    frame: &FrameMotion,
) -> Result<(Vec<f64>, Vec<f64>), Fault> {
    let X_FB = Pose::relative(&frame.X_WF, X_WB);
    let turn = glam::DQuat::from_mat3(&X_FB.R);
    let p = X_FB.p;
    let q = vec![p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z];
    let at_body = frame.V_WF.at(X_WB.p - frame.X_WF.p);
    let R_FW = frame.X_WF.R.transpose();
    let v = R_FW * (vector("velocity", entry.velocity)? - at_body.linear);
    let w = R_FW * (vector("angular_velocity", entry.angular_velocity)? - at_body.angular);
    Ok((q, vec![v.x, v.y, v.z, w.x, w.y, w.z]))
}
