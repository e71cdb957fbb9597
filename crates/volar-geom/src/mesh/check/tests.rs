use glam::DVec3;

use super::*;
use crate::Pose;
use crate::mesh::shapes::{cuboid, icosphere, subdivide};

fn cube() -> TriMesh {
    cuboid(DVec3::ONE)
}

fn moved(mesh: TriMesh, x: f64, y: f64, z: f64) -> TriMesh {
    mesh.transformed(1.0, &Pose::from_translation(DVec3::new(x, y, z)))
}

fn flipped(mut mesh: TriMesh) -> TriMesh {
    mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    mesh
}

fn joined(parts: impl IntoIterator<Item = TriMesh>) -> TriMesh {
    let mut all = TriMesh::default();
    for part in parts {
        let offset = all.vertices.len() as u32;
        all.vertices.extend(part.vertices);
        all.triangles
            .extend(part.triangles.iter().map(|t| t.map(|v| v + offset)));
    }
    all
}

/// The names of the complaints, fatal or not.
fn names(mesh: &TriMesh) -> Vec<&'static str> {
    let report = check(mesh);
    report.complaints.iter().map(|c| c.defect.name()).collect()
}

#[test]
fn sound_solids_pass_with_their_measures() {
    let report = check(&cube());
    assert_eq!(report.complaints, []);
    assert!((report.area - 6.0).abs() < 1e-15);
    assert_eq!(report.shells.len(), 1);
    let moments = report.moments.unwrap();
    assert!((moments.volume - 1.0).abs() < 1e-15);
    assert_eq!(names(&icosphere(0.05, 4)), [""; 0]);
    assert!(ClosedMesh::checked(cube()).is_ok());
}

#[test]
fn a_missing_face_leaves_open_edges_with_their_place() {
    let mut mesh = cube();
    mesh.triangles.pop();
    let report = check(&mesh);
    let complaint = report.complaint("open_edges").unwrap();
    assert_eq!(complaint.count, 3);
    assert!(matches!(complaint.places[0], Place::Edge { .. }));
    assert_eq!(report.moments, None);
    assert!(complaint.to_string().contains("3 open edges"));
    let error = ClosedMesh::checked(mesh).unwrap_err();
    assert!(error.to_string().contains("first edge"), "{error}");
}

#[test]
fn a_turned_face_is_told_from_a_hole() {
    let mut mesh = cube();
    mesh.triangles[4].swap(0, 1);
    let report = check(&mesh);
    assert_eq!(report.complaint("flipped_neighbours").unwrap().count, 3);
    assert_eq!(report.complaint("open_edges"), None);
}

#[test]
fn an_inside_out_solid_is_told() {
    assert_eq!(names(&flipped(cube())), ["inside_out_shells"]);
}

#[test]
fn duplicate_and_degenerate_faces_are_told() {
    let mut mesh = cube();
    let [a, b, c] = mesh.triangles[7];
    mesh.triangles.push([b, c, a]);
    assert!(names(&mesh).contains(&"duplicate_faces"));

    let mut mesh = cube();
    mesh.triangles.push([0, 0, 1]);
    assert_eq!(names(&mesh), ["degenerate_faces"]);

    // A corner in the middle of the line between the other two: no area,
    // although every edge is shared by two triangles.
    let mut mesh = cube();
    let [a, b, c] = mesh.triangles[0];
    mesh.vertices
        .push(0.5 * (mesh.vertices[a as usize] + mesh.vertices[b as usize]));
    let middle = mesh.vertices.len() as u32 - 1;
    mesh.triangles[0] = [a, middle, c];
    mesh.triangles.push([middle, b, c]);
    mesh.triangles.push([a, b, middle]);
    assert_eq!(check(&mesh).complaint("degenerate_faces").unwrap().count, 1);
}

#[test]
fn a_fin_makes_a_crowded_edge() {
    let mut mesh = cube();
    mesh.vertices.push(DVec3::new(2.0, 2.0, 2.0));
    mesh.triangles.push([0, 1, 8]);
    let report = check(&mesh);
    assert_eq!(report.complaint("crowded_edges").unwrap().count, 1);
    assert_eq!(report.complaint("open_edges").unwrap().count, 2);
}

#[test]
fn separate_solids_and_cavities_are_fine() {
    assert_eq!(
        names(&joined([cube(), moved(cube(), 3.0, 0.0, 0.0)])),
        [""; 0]
    );

    let hollow = joined([cube(), flipped(cuboid(DVec3::splat(0.5)))]);
    let report = check(&hollow);
    assert_eq!(report.complaints, []);
    assert!((report.moments.unwrap().volume - 0.875).abs() < 1e-15);

    // A solid in the cavity of another is a solid again.
    let rattle = joined([hollow, cuboid(DVec3::splat(0.25))]);
    assert_eq!(names(&rattle), [""; 0]);
    assert_eq!(check(&rattle).shells[2].outer_winding, Some(0));
}

#[test]
fn a_solid_in_a_solid_is_redundant() {
    let nested = joined([cuboid(DVec3::splat(0.5)), cube()]);
    let report = check(&nested);
    let complaint = report.complaint("redundant_shells").unwrap();
    assert_eq!(complaint.count, 1);
    assert!(matches!(complaint.places[0], Place::Face { face: 0, .. }));
}

#[test]
fn nesting_is_exact_on_shared_lines_of_sight() {
    // Every vertex of the inner box lies below vertices, edges and faces of
    // the outer one, the worst case for a ray along an axis.
    for n in 1..4_u32 {
        let size = 1.0 / f64::from(1_u32 << n);
        let nested = joined([cube(), cuboid(DVec3::new(size, size, 0.5))]);
        assert_eq!(names(&nested), ["redundant_shells"]);
        let beside = joined([cube(), moved(cuboid(DVec3::splat(size)), 0.0, 0.0, -3.0)]);
        assert_eq!(names(&beside), [""; 0]);
    }
}

#[test]
fn nesting_is_exact_next_to_another_surface() {
    // A tilted solid and its copy one digit away from it, then the same
    // solid just inside a larger one that it touches in a corner.
    let tilt = Pose::from_wxyz([0.0; 3], [1.0, 0.2, 0.3, 0.4]).unwrap();
    let tilted = cube().transformed(1.0, &tilt);
    let beside = moved(tilted.clone(), 1.0 + f64::EPSILON, 0.0, 0.0);
    assert!(
        check(&joined([tilted.clone(), beside])).shells[1]
            .outer_winding
            .is_some()
    );
    let corner = tilted.vertices[0];
    let mut larger = tilted.clone();
    larger
        .vertices
        .iter_mut()
        .for_each(|v| *v = corner + 2.0 * (*v - corner));
    let smaller = icosphere(0.1, 1);
    let shift = 0.5 * (larger.vertices[7] + corner);
    let inside = moved(smaller, shift.x, shift.y, shift.z);
    assert_eq!(names(&joined([larger, inside])), ["redundant_shells"]);
}

#[test]
fn crossing_and_touching_shells_are_told() {
    let crossing = joined([cube(), moved(cube(), 0.5, 0.25, 0.125)]);
    assert!(names(&crossing).contains(&"crossing_shells"));
    // Flush: the faces overlap in their common plane.
    let flush = joined([cube(), moved(cube(), 1.0, 0.25, 0.125)]);
    assert_eq!(names(&flush), ["crossing_shells"]);
    // Apart by one unit in the last place.
    let apart = joined([cube(), moved(cube(), 1.0 + f64::EPSILON, 0.25, 0.125)]);
    assert_eq!(names(&apart), [""; 0]);
    // One and the same solid twice, each with its own vertices.
    assert!(names(&joined([cube(), cube()])).contains(&"crossing_shells"));
    // A bar through a box, its faces subdivided so that it passes the box's
    // faces exactly along edges and vertices they have in common.
    let bar = subdivide(&cuboid(DVec3::new(1.0, 1.0, 2.0)));
    let through = joined([
        subdivide(&cuboid(DVec3::new(2.0, 2.0, 0.5))),
        moved(bar, 0.0, 0.0, 0.5),
    ]);
    assert!(names(&through).contains(&"crossing_shells"));
}

#[test]
fn touching_in_points_is_fine() {
    // A corner on the inside of a face.
    let ball = icosphere(1.0, 0);
    let lowest = ball
        .vertices
        .iter()
        .fold(DVec3::Z, |l, &v| if v.z < l.z { v } else { l });
    let shift = DVec3::new(0.125, 0.25, 0.5) - lowest;
    let standing = joined([cube(), moved(ball, shift.x, shift.y, shift.z)]);
    let touch = standing.vertices[8..].iter().filter(|v| v.z <= 0.5).count();
    // The icosahedron's lowest edge is level: both ends touch, and so does
    // the edge between them, which is more than a point.
    assert_eq!(touch, 2);
    assert!(names(&standing).contains(&"crossing_shells"));
    let point = TriMesh {
        vertices: vec![
            DVec3::new(0.125, 0.25, 0.5),
            DVec3::new(0.0, 0.0, 1.0),
            DVec3::new(0.5, 0.0, 1.0),
            DVec3::new(0.0, 0.5, 1.0),
        ],
        triangles: vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
    };
    assert_eq!(names(&joined([cube(), point.clone()])), [""; 0]);
    // Pushed in by the last digit it is a crossing.
    let mut deeper = point;
    deeper.vertices[0].z -= f64::EPSILON;
    assert_eq!(names(&joined([cube(), deeper])), ["crossing_shells"]);
}

#[test]
fn skins_bent_along_a_common_edge_may_touch_but_not_pass() {
    // Wedges about the z axis, each with its own copy of the edge.
    let wedge = |from: f64, to: f64| {
        let at = |turn: f64, z: f64| {
            let turn = turn * std::f64::consts::TAU;
            DVec3::new(turn.cos(), turn.sin(), z)
        };
        TriMesh {
            vertices: vec![
                DVec3::ZERO,
                at(from, 0.0),
                at(to, 0.0),
                DVec3::Z,
                at(from, 1.0),
                at(to, 1.0),
            ],
            triangles: vec![
                [0, 2, 1],
                [3, 4, 5],
                [0, 1, 4],
                [0, 4, 3],
                [1, 2, 5],
                [1, 5, 4],
                [2, 0, 3],
                [2, 3, 5],
            ],
        }
    };
    assert_eq!(names(&wedge(0.0, 0.25)), [""; 0]);
    let apart = joined([wedge(0.0, 0.125), wedge(0.25, 0.375), wedge(0.5, 0.75)]);
    assert_eq!(names(&apart), [""; 0]);
    assert!(!check(&joined([wedge(0.0, 0.25), wedge(0.125, 0.375)])).is_usable());
}

#[test]
fn counting_common_points_agrees_with_the_definition() {
    // On a small grid, where every coincidence occurs, against clipping.
    let lattice = crate::predicates::Lattice::covering(8.0);
    let contact = contact::Contact(&lattice);
    let mut state = 1_u64;
    let mut random = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % bound
    };
    let mut counts = [0; 2];
    for _ in 0..20_000 {
        let mut corner = || DVec3::new(random(3) as f64, random(3) as f64, random(3) as f64);
        let t = [corner(), corner(), corner()];
        let u = [corner(), corner(), corner()];
        let flat = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).length_squared() < 0.5;
        let sharing = t.iter().any(|p| u.contains(p));
        if flat(t) || flat(u) || sharing {
            continue;
        }
        let found = contact.apart(t, u);
        assert_eq!(found, contact.apart(u, t), "{t:?} {u:?}");
        assert_eq!(found, common_length(t, u) > 1e-9, "{t:?} {u:?}");
        counts[usize::from(found)] += 1;
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}

/// The extent of what two triangles have in common, by clipping one with the
/// plane and the sides of the other. On small integers all signs are right.
fn common_length(t: [DVec3; 3], [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = (b - a).cross(c - a);
    let mut polygon = t.to_vec();
    let clip = |polygon: &[DVec3], inward: DVec3, origin: DVec3| {
        let height = |p: DVec3| (p - origin).dot(inward);
        let mut kept = Vec::new();
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (x, y) = (height(p), height(q));
            if x >= -1e-9 {
                kept.push(p);
            }
            if (x > 1e-9 && y < -1e-9) || (x < -1e-9 && y > 1e-9) {
                kept.push(p + (q - p) * (x / (x - y)));
            }
        }
        kept
    };
    for (inward, origin) in [
        (normal, a),
        (-normal, a),
        (normal.cross(b - a), a),
        (normal.cross(c - b), b),
        (normal.cross(a - c), c),
    ] {
        polygon = clip(&polygon, inward, origin);
    }
    let distances = polygon
        .iter()
        .flat_map(|p| polygon.iter().map(move |q| p.distance(*q)));
    distances.fold(0.0, f64::max)
}

#[test]
fn solids_that_share_a_corner_only_touch() {
    let mut mesh = joined([cube(), moved(cube(), 1.0, 1.0, 1.0)]);
    let report = check(&mesh);
    assert!(report.is_usable(), "{:?}", report.complaints);
    // The same with the corner shared as a vertex.
    mesh.triangles
        .iter_mut()
        .flatten()
        .filter(|v| **v == 8)
        .for_each(|v| *v = 7);
    let report = check(&mesh);
    assert!(report.is_usable(), "{:?}", report.complaints);
    assert_eq!(report.complaint("touching_vertices").unwrap().count, 1);
    assert_eq!(report.complaint("unused_vertices").unwrap().count, 1);
}

#[test]
fn a_corner_pushed_through_the_far_side_intersects_its_own_shell() {
    let mut mesh = icosphere(1.0, 2);
    mesh.vertices[0] *= -1.5;
    let report = check(&mesh);
    assert!(report.complaint("self_intersections").unwrap().count > 0);
    assert!(!report.is_usable());
}

#[test]
fn faces_folded_onto_each_other_intersect() {
    // A tetrahedron pressed flat: all edges sound, its faces on one another.
    let flat = TriMesh {
        vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.25, 0.25, 0.0)],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    };
    assert!(names(&flat).contains(&"self_intersections"));
    // Unfolded neighbours in one plane are what every box has.
    assert_eq!(names(&subdivide(&cube())), [""; 0]);
}

#[test]
fn data_that_is_no_geometry_is_told() {
    assert_eq!(names(&TriMesh::default()), ["empty"]);
    let mut mesh = cube();
    mesh.triangles[3][1] = 8;
    assert_eq!(names(&mesh), ["missing_vertices"]);
    let mut mesh = cube();
    mesh.vertices[2].y = f64::NAN;
    let report = check(&mesh);
    assert_eq!(report.complaint("not_finite").unwrap().count, 1);
    assert_eq!(names(&cuboid(DVec3::splat(1e-7))), ["extent_out_of_range"]);
    assert_eq!(names(&cuboid(DVec3::splat(2e6))), ["extent_out_of_range"]);
}

#[test]
fn a_check_does_not_depend_on_where_the_mesh_is() {
    for offset in [0.0, 1e3, 1e6] {
        let hollow = joined([icosphere(1.0, 2), flipped(icosphere(0.5, 2))]);
        assert_eq!(names(&moved(hollow, offset, -offset, offset)), [""; 0]);
    }
}
