//! A robot as plain data: what a description file says, in one convention.
//!
//! Symbols: L is a link's frame, P its parent's, J the joint frame, G the frame
//! of a shape, B the frame the file calls the body's own. SI units; angles in
//! rad; quaternions (w, x, y, z).

use glam::DVec3;
use volar_geom::Pose;
use volar_geom::mesh::mass::MassProperties;
use volar_solids::Shape;

use crate::actuator::Actuator;
use crate::closure::Closure;

/// Links joined into trees, and what drives and couples their joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Robot {
    /// Name, as the file gives it or else the file's own.
    pub name: String,
    /// Parents before children.
    pub links: Vec<Link>,
    /// The link that is the world itself: MJCF's `worldbody`, link 0. None for
    /// URDF, whose root may be mounted anywhere.
    pub world: Option<usize>,
    /// What drives the joints.
    pub actuators: Vec<Actuator>,
    /// Sums of joint coordinates with a range, a spring or an actuator.
    pub couplings: Vec<Coupling>,
    /// Closed chains, and joints that follow others.
    pub closures: Vec<Closure>,
    /// Pairs of links that never touch, lower number first.
    pub excludes: Vec<(usize, usize)>,
    /// Pairs of shapes that touch whatever other rules say.
    pub pairs: Vec<ContactPair>,
    /// States that the file gives a name or number.
    pub keyframes: Vec<Keyframe>,
}

/// One rigid body and the joint that holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Name, unique in the robot.
    pub name: String,
    /// The link this one hangs on; None for a root.
    pub parent: Option<usize>,
    /// The joint frame in the parent's frame. For a root: in the frame the
    /// robot is mounted in.
    pub X_PJ: Pose,
    /// How L moves in J.
    pub joint: Joint,
    /// The frame the file gives this body, in L. The identity but where a
    /// joint is not at the body's origin (MJCF) or a plane lies askew (URDF).
    pub X_LB: Pose,
    /// Mass in kg, centre of mass in L, inertia about it in L's axes. None
    /// when the file gives none and no shape has mass.
    pub inertial: Option<MassProperties>,
    /// Shapes that can touch.
    pub collisions: Vec<Geometry>,
    /// Shapes to look at.
    pub visuals: Vec<Geometry>,
    /// A link that is not in the file: it stands between the joints of a body
    /// that has several, without mass or shape.
    pub intermediate: bool,
}

/// A joint with its properties, one value for all its degrees of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name; made up from the link's where the file gives none.
    pub name: String,
    /// What it lets move.
    pub kind: JointKind,
    /// Unit vector in J for the kinds with an axis; x otherwise.
    pub axis: DVec3,
    /// Least and greatest coordinate, rad or m. For a ball joint the greatest
    /// angle from its rest: `[0, angle]`.
    pub limits: Option<[f64; 2]>,
    /// Least and greatest effort of actuators in sum, N m or N.
    pub effort_limit: Option<[f64; 2]>,
    /// Greatest speed, rad/s or m/s.
    pub velocity_limit: Option<f64>,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Coulomb friction, N m or N.
    pub friction: f64,
    /// Rotor inertia seen at the joint, kg m² or kg.
    pub armature: f64,
    /// Spring, N m/rad or N/m.
    pub stiffness: f64,
    /// Coordinate at which the spring rests.
    pub spring_rest: f64,
    /// Coordinates at the start, [`JointKind::nq`] of them.
    pub initial: Vec<f64>,
}

/// What a joint lets move, with its coordinates q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Holds the link to its parent.
    Fixed,
    /// Turns about the axis.
    Revolute,
    /// Turns about the axis without end.
    Continuous,
    /// Slides along the axis.
    Prismatic,
    /// Turns about the origin of J; q is a quaternion.
    Ball,
    /// Slides along x and y of J and turns about its z; q in this order.
    Planar,
    /// Moves freely: q is the position of L in J, then a quaternion.
    Free,
}

/// A shape on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Name; empty where the file gives none.
    pub name: String,
    /// The frame of the shape in the link's.
    pub X_LG: Pose,
    /// In the frame G.
    pub shape: Shape,
    /// Coefficient of sliding friction.
    pub friction: Option<f64>,
    /// Its mass as the file gives it, kg.
    pub mass: Option<f64>,
    /// Its density as the file gives it, kg/m³.
    pub density: Option<f64>,
    /// Bits this shape shows; see [`Robot::may_touch`].
    pub contype: u32,
    /// Bits this shape answers to.
    pub conaffinity: u32,
}

/// A sum of joint coordinates, `s = Σ coefficient · q`: MJCF's `<tendon><fixed>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// As the file has it.
    pub name: String,
    /// Pairs of link, whose joint has one degree of freedom, and coefficient.
    pub terms: Vec<(usize, f64)>,
    /// Least and greatest s. None for a tendon without limits, which is there for
    /// its actuator or an equality.
    pub range: Option<[f64; 2]>,
    /// Spring within the range, resting at `spring_rest`.
    pub stiffness: f64,
    /// Where the spring rests.
    pub spring_rest: f64,
    /// Damper within the range.
    pub damping: f64,
}

/// Two shapes that touch whatever other rules say, each as link and number of
/// the shape among the link's collisions.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair {
    /// The shape on one side.
    pub a: (usize, usize),
    /// The shape on the other side.
    pub b: (usize, usize),
    /// Coefficient of sliding friction between them.
    pub friction: Option<f64>,
}

/// A named state.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Name; empty where the file gives none.
    pub name: String,
    /// Coordinates of all joints, links in order.
    pub q: Vec<f64>,
    /// Velocities of all joints; angular ones of balls and free joints in J.
    pub v: Vec<f64>,
    /// Controls of all actuators.
    pub control: Vec<f64>,
}

impl JointKind {
    /// Number of coordinates.
    pub fn nq(self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => 1,
            JointKind::Planar => 3,
            JointKind::Ball => 4,
            JointKind::Free => 7,
        }
    }

    /// Number of degrees of freedom.
    pub fn nv(self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => 1,
            JointKind::Planar | JointKind::Ball => 3,
            JointKind::Free => 6,
        }
    }

    /// The coordinates at which L coincides with J.
    pub fn neutral(self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq()];
        match self {
            JointKind::Ball => q[0] = 1.0,
            JointKind::Free => q[3] = 1.0,
            _ => {}
        }
        q
    }
}

impl Joint {
    /// A joint of a kind, without any property.
    pub fn new(name: impl Into<String>, kind: JointKind, axis: DVec3) -> Joint {
        Joint {
            name: name.into(),
            kind,
            axis,
            limits: None,
            effort_limit: None,
            velocity_limit: None,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            stiffness: 0.0,
            spring_rest: 0.0,
            initial: kind.neutral(),
        }
    }
}
