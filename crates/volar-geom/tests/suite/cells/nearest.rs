//! The depth of the cells against the distance from every triangle.

use glam::DVec3;
use volar_geom::overlap::{Cell, Facet, Fields, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};
use volar_testkit::brute::nearest;
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::sweep::random_approach;

/// The depth that the cells of a facet give to a point of it. In a convex
/// body each cell's plane bounds the depth from above, everywhere.
fn least(cells: &[Cell], p: DVec3) -> f64 {
    let depth = |cell: &Cell| cell.depth - cell.separation_direction.dot(p - cell.centroid);
    cells.iter().map(depth).fold(f64::INFINITY, f64::min)
}

/// Random points of a facet's triangle that are inside the other body and not
/// cut off: of a facet that is a whole triangle.
fn points(mesh: &ClosedMesh, X: &Pose, facet: &Facet, rng: &mut Rng) -> Vec<DVec3> {
    let [a, b, c] = mesh.corners(facet.triangle).map(|p| X.point(p));
    let whole = 0.5 * (b - a).cross(c - a).length();
    if facet.area < whole * (1.0 - 1e-9) {
        return vec![facet.centroid];
    }
    (0..10)
        .map(|_| {
            let (u, v) = (rng.unit(), rng.unit());
            let (u, v) = if u + v > 1.0 {
                (1.0 - u, 1.0 - v)
            } else {
                (u, v)
            };
            a + u * (b - a) + v * (c - a)
        })
        .collect()
}

fn cells_of<'a>(cells: &'a [Cell], facet: &Facet) -> &'a [Cell] {
    let mine = |cell: &Cell| cell.triangle == facet.triangle && cell.component == facet.component;
    let start = cells.iter().position(mine).expect("a facet has cells");
    let end = start + cells[start..].iter().take_while(|&c| mine(c)).count();
    &cells[start..end]
}

#[test]
fn convex_bodies_have_the_true_depth() {
    let names = [
        "cube",
        "finger",
        "plate",
        "sphere_80",
        "sphere_320",
        "sphere_1280",
        "ball_1280",
    ];
    let solids: Vec<_> = names.iter().map(|name| solid(name)).collect();
    let mut kernel = OverlapKernel::new();
    let (mut asked, mut split) = (0, 0);
    for case in 0..400 {
        let mut rng = Rng::for_case("cells/nearest", case);
        let a = &solids[rng.below(solids.len())];
        let b = &solids[rng.below(solids.len())];
        let X_AB = random_approach(a, b, &mut rng).X_AB;
        let overlap = kernel.overlap_with_cells(a, b, &X_AB, Fields::BOTH);
        let placed = [(a, Pose::IDENTITY), (b, X_AB)];
        for body in 0..2 {
            let ((mesh, X), (field, X_field)) = (&placed[body], &placed[1 - body]);
            for facet in &overlap.facets[body] {
                let cells = cells_of(&overlap.cells[body], facet);
                split += usize::from(cells.len() > 1);
                // A triangle may have several pieces; their cells follow.
                for p in points(mesh, X, facet, &mut rng) {
                    let (distance, _) = nearest(field, X_field, p, 0.0);
                    let error = (least(cells, p) - distance).abs();
                    assert!(error < 1e-12, "case {case}: {facet:?}: off by {error:e}");
                    asked += 1;
                }
            }
        }
    }
    assert!(
        asked > 10_000 && split > 500,
        "{asked} points, {split} split facets"
    );
}

#[test]
fn cells_add_up_to_their_facets() {
    let pairs = [
        ("cube", "finger"),
        ("sphere_320", "cube"),
        ("bunny", "finger"),
        ("bunny", "bunny"),
        ("u_channel", "finger"),
        ("l_block", "star"),
        ("hollow", "torus"),
        ("pipe", "peg"),
        ("palm", "distal"),
    ];
    let mut kernel = OverlapKernel::new();
    for (a, b) in pairs {
        let (a, b) = (solid(a), solid(b));
        for case in 0..60 {
            let mut rng = Rng::for_case("cells/sums", case);
            let X_AB = random_approach(&a, &b, &mut rng).X_AB;
            let overlap = kernel.overlap_with_cells(&a, &b, &X_AB, Fields::BOTH);
            for body in 0..2 {
                let mut cells = overlap.cells[body].iter().peekable();
                for facet in &overlap.facets[body] {
                    let (mut area, mut first) = (0.0, DVec3::ZERO);
                    let mut trace = 0.0;
                    while let Some(cell) = cells.next_if(|cell| {
                        // The next facet may be of the same triangle.
                        cell.triangle == facet.triangle && area < facet.area * (1.0 - 1e-10)
                    }) {
                        let d = cell.centroid - facet.centroid;
                        area += cell.area;
                        first += cell.area * d;
                        trace += cell.second_moment[..3].iter().sum::<f64>()
                            + cell.area * d.length_squared();
                        assert_eq!(cell.normal, facet.normal);
                        assert!(cell.depth >= 0.0);
                        assert!((cell.separation_direction.length() - 1.0).abs() < 1e-12);
                    }
                    let error = (area - facet.area).abs();
                    assert!(error <= 1e-11 * facet.area, "{error:e} of {facet:?}");
                    let exact: f64 = facet.second_moment[..3].iter().sum();
                    // Slivers do not know their width.
                    let radius = (exact / facet.area).sqrt() + 1e-15;
                    assert!(
                        first.length() <= 1e-10 * facet.area * radius + 1e-16 * facet.area,
                        "{:e}",
                        first.length()
                    );
                    assert!((trace - exact).abs() <= 1e-10 * exact + 1e-30);
                }
                assert!(cells.next().is_none());
            }
        }
    }
}
