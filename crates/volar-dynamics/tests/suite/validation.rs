//! Bad bodies are refused by name.

use crate::common::random_body;
use glam::{DMat3, DVec3};
use volar_dynamics::{Body, Joint, TreeBuilder, TreeError};
use volar_testkit::rng::Rng;

const JOINT: Joint = Joint::Revolute { axis: DVec3::X };

fn body(name: &str) -> Body {
    random_body(name, None, JOINT, &mut Rng::for_case("validation", 0))
}

fn build(bodies: &[Body]) -> Result<volar_dynamics::Tree, TreeError> {
    let mut builder = TreeBuilder::new();
    for body in bodies {
        builder.add(body.clone());
    }
    builder.build()
}

/// The error of a single body that was spoilt.
fn spoilt(spoil: impl Fn(&mut Body)) -> TreeError {
    let mut bad = body("bad");
    spoil(&mut bad);
    let error = build(&[body("good"), bad]).unwrap_err();
    assert!(error.to_string().contains("`bad`"), "{error}");
    error
}

#[test]
fn bad_values_are_refused_with_the_body_s_name() {
    use TreeError as E;
    let mass = |mass: f64| spoilt(|b| b.mass = mass);
    assert!(matches!(mass(-1.0), E::NegativeMass { .. }));
    assert!(matches!(mass(f64::NAN), E::NotFinite { what: "mass", .. }));
    let inertia = |I: DMat3| spoilt(|b| b.inertia = I);
    let diagonal = |x, y, z| DMat3::from_diagonal(DVec3::new(x, y, z));
    assert!(matches!(
        inertia(diagonal(1.0, 1.0, -0.1)),
        E::IndefiniteInertia { .. }
    ));
    assert!(matches!(
        inertia(DMat3::from_cols(
            DVec3::X,
            DVec3::new(0.5, 1.0, 0.0),
            DVec3::Z
        )),
        E::IndefiniteInertia { .. }
    ));
    assert!(matches!(
        inertia(diagonal(1.0, 1.0, 2.1)),
        E::ImpossibleInertia { .. }
    ));
    let axis = |axis| spoilt(|b| b.joint = Joint::Prismatic { axis });
    assert!(matches!(axis(DVec3::ZERO), E::ZeroAxis { .. }));
    assert!(matches!(axis(DVec3::NAN), E::NotFinite { .. }));
    let parent = spoilt(|b| b.parent = Some(1));
    assert!(matches!(parent, E::UnknownParent { parent: 1, .. }));
    let both = spoilt(|b| (b.parent, b.base_motion) = (Some(0), Some(0)));
    assert!(matches!(both, E::BaseMotionBelowRoot { .. }));
    let mirrored = spoilt(|b| b.X_PJ.R = diagonal(1.0, 1.0, -1.0));
    assert!(matches!(mirrored, E::BadRotation { .. }));
    let name = build(&[body("bad"), body("bad")]).unwrap_err();
    assert!(matches!(name, E::DuplicateName { .. }));
}

#[test]
fn moments_of_plates_and_rods_pass() {
    // The triangle inequality holds with equality for a plate, and a rod has
    // a zero moment; printed digits may cross the line a little.
    for moments in [
        DVec3::new(1.0, 2.0, 3.0 + 1e-7),
        DVec3::new(0.0, 1.0, 1.0),
        DVec3::ZERO,
    ] {
        let mut plate = body("plate");
        plate.inertia = DMat3::from_diagonal(moments);
        build(&[plate]).unwrap();
    }
}

#[test]
fn a_massless_link_needs_something_to_carry() {
    let massless = |name: &str, axis| Body {
        mass: 0.0,
        inertia: DMat3::ZERO,
        joint: Joint::Revolute { axis },
        ..body(name)
    };
    // Nothing hangs on it.
    let error = build(&[body("arm"), massless("ghost", DVec3::X)]).unwrap_err();
    let ghost = TreeError::NoInertia {
        body: "ghost".into(),
    };
    assert_eq!(error, ghost);
    // A universal joint: a massless cross between two axes.
    let mut link = body("link");
    link.parent = Some(0);
    link.joint = Joint::Revolute { axis: DVec3::Y };
    build(&[massless("cross", DVec3::X), link.clone()]).unwrap();
    // Two joints about one axis: only their sum meets inertia.
    link.joint = Joint::Revolute { axis: DVec3::X };
    link.X_PJ = volar_math::Pose::IDENTITY;
    let error = build(&[massless("ghost", DVec3::X), link.clone()]).unwrap_err();
    assert_eq!(error, ghost);
    // A rotor's inertia will do.
    let mut builder = TreeBuilder::new();
    builder.add(massless("ghost", DVec3::X));
    builder.add(link);
    builder.build_with_armature(&[0.01, 0.0]).unwrap();
    // What does not move needs no mass.
    let mut frame = massless("frame", DVec3::X);
    frame.joint = Joint::Fixed;
    build(&[frame]).unwrap();
}

#[test]
fn axes_need_not_be_unit_vectors() {
    let mut long = body("long");
    long.joint = Joint::Revolute {
        axis: DVec3::new(0.0, 3.0, 4.0),
    };
    let tree = build(&[long]).unwrap();
    let Joint::Revolute { axis } = tree.bodies()[0].joint else {
        panic!("another joint");
    };
    assert!((axis - DVec3::new(0.0, 0.6, 0.8)).length() < 1e-15);
}

#[test]
fn coordinates_are_checked() {
    let mut rng = Rng::for_case("coordinates", 0);
    let tree = build(&[random_body("stone", None, Joint::Free, &mut rng)]).unwrap();
    let mut q = tree.neutral_q();
    tree.check_q(&q).unwrap();
    q[3] = 0.0;
    assert!(matches!(
        tree.check_q(&q),
        Err(TreeError::BadQuaternion { .. })
    ));
    q[3] = 2.0;
    tree.check_q(&q).unwrap();
    q[0] = f64::INFINITY;
    assert!(matches!(tree.check_q(&q), Err(TreeError::NotFinite { .. })));
}

#[test]
fn a_tree_knows_its_ways() {
    let mut child = body("child");
    child.parent = Some(0);
    child.joint = Joint::Ball;
    let mut other = body("other");
    other.joint = Joint::Planar;
    let tree = build(&[body("root"), child, other]).unwrap();
    assert_eq!((tree.nq(), tree.nv()), (8, 7));
    assert_eq!(tree.ancestor_dofs(1), [0, 1, 2, 3]);
    assert_eq!(tree.ancestor_dofs(2), [4, 5, 6]);
    assert_eq!(tree.dof_body(3), 1);
    assert_eq!(tree.q_range(2), 5..8);
    assert_eq!(tree.coordinate(0), Some(0));
    assert_eq!(tree.coordinate(2), None);
    assert_eq!(tree.coordinate(6), Some(7));
    assert_eq!(tree.find("other"), Some(2));
    assert_eq!(tree.find("none"), None);
}
