use glam::DVec3;

use super::*;
use crate::Pose;
use crate::mesh::shapes::{cuboid, icosphere};

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
fn crossing_and_touching_shells_are_told() {
    let crossing = joined([cube(), moved(cube(), 0.5, 0.25, 0.125)]);
    assert!(names(&crossing).contains(&"crossing_shells"));
    // Flush: the faces overlap in their common plane.
    let flush = joined([cube(), moved(cube(), 1.0, 0.25, 0.125)]);
    assert_eq!(names(&flush), ["crossing_shells"]);
    // Apart by one unit in the last place.
    let apart = joined([cube(), moved(cube(), 1.0 + f64::EPSILON, 0.25, 0.125)]);
    assert_eq!(names(&apart), [""; 0]);
    // A corner on a face.
    let mut spike = cube();
    spike
        .vertices
        .iter_mut()
        .for_each(|v| *v += DVec3::splat(0.5));
    let mut standing = icosphere(1.0, 0);
    let lowest = standing.vertices[0];
    standing
        .vertices
        .iter_mut()
        .for_each(|v| *v += DVec3::new(0.5, 0.25, 1.0) - lowest);
    let both = joined([spike, standing]);
    assert!(names(&both).contains(&"crossing_shells"));
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
    assert_eq!(names(&crate::mesh::shapes::subdivide(&cube())), [""; 0]);
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
