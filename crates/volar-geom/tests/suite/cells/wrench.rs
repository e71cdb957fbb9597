//! What the tests integrate over cells.

use glam::{DMat3, DVec3};
use volar_geom::overlap::{Cell, Fields, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};

pub fn second_moment(cell: &Cell) -> DMat3 {
    let [xx, yy, zz, xy, xz, yz] = cell.second_moment;
    DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
}

/// `∫ φ dA`.
pub fn pressure(cells: &[Cell]) -> f64 {
    cells.iter().map(|cell| cell.depth * cell.area).sum()
}

/// `−∫ φ n dA` and `−∫ φ x × n dA`: the wrench on the owner of the cells.
pub fn wrench(cells: &[Cell]) -> [DVec3; 2] {
    let mut sum = [DVec3::ZERO; 2];
    for cell in cells {
        let first = cell.depth * cell.area * cell.centroid
            - second_moment(cell) * cell.separation_direction;
        sum[0] -= cell.depth * cell.area * cell.normal;
        sum[1] -= first.cross(cell.normal);
    }
    sum
}

/// How the wrench changes as the owner of the cells moves with the twist
/// (ω, v) about the origin: `∫ (e, x × e) (n, x × n)ᵀ dA` times (v, ω).
pub fn tangent(cells: &[Cell], [angular_velocity, velocity]: [DVec3; 2]) -> [DVec3; 2] {
    let mut sum = [DVec3::ZERO; 2];
    for cell in cells {
        let (n, e, c) = (cell.normal, cell.separation_direction, cell.centroid);
        let M = second_moment(cell);
        // u·n = rate + gradient · (x − c), linear over the cell.
        let rate = (velocity + angular_velocity.cross(c)).dot(n);
        let gradient = n.cross(angular_velocity);
        sum[0] += cell.area * rate * e;
        sum[1] += cell.area * rate * c.cross(e) + (M * gradient).cross(e);
    }
    sum
}

/// B's surface in A's field, in A's frame.
pub fn cells_of_b(
    kernel: &mut OverlapKernel,
    a: &ClosedMesh,
    b: &ClosedMesh,
    X_AB: &Pose,
) -> Vec<Cell> {
    let fields = Fields {
        of_a: true,
        of_b: false,
    };
    let overlap = kernel.overlap_with_cells(a, b, X_AB, fields);
    assert!(overlap.cells[0].is_empty());
    overlap.cells[1].clone()
}

pub fn assert_close(got: DVec3, expected: DVec3, tolerance: f64, what: &str) {
    let error = (got - expected).length();
    assert!(
        error <= tolerance,
        "{what}: {got:?}, not {expected:?}: off by {error:e}, allowed {tolerance:e}"
    );
}
