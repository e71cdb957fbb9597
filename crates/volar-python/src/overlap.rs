//! What two meshes share.

use std::cell::RefCell;

use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use volar::overlap::{Measure, OverlapKernel};

use crate::arrays::{points, pose};
use crate::guard::detached;
use crate::mesh::{Mesh, triangle_array};

thread_local! {
    /// Its buffers are worth keeping.
    static KERNEL: RefCell<OverlapKernel> = RefCell::new(OverlapKernel::new());
}

/// Volume, centroid, then for A's and B's part of the surface: area, area vector.
type Row = (f64, Option<[f64; 3]>, [(f64, [f64; 3]); 2]);

fn row(measure: &Measure) -> Row {
    let surfaces = measure.surfaces;
    let centroid = measure.centroid.map(|centroid| centroid.to_array());
    let parts = surfaces.map(|part| (part.area, part.area_vector.to_array()));
    (measure.volume, centroid, parts)
}

/// The overlap of two meshes and of each of its pieces, in the frame of `a`.
#[pyfunction]
pub fn overlap(
    py: Python<'_>,
    a: &Mesh,
    b: &Mesh,
    X_AB: PyReadonlyArray2<'_, f64>,
) -> PyResult<(Row, Vec<Row>)> {
    let X_AB = pose(&X_AB)?;
    let (a, b) = (&a.inner, &b.inner);
    detached(py, || {
        KERNEL.with_borrow_mut(|kernel| {
            let overlap = kernel.overlap(a, b, &X_AB);
            let pieces = overlap.components.iter().map(row).collect();
            Ok((row(&overlap.total), pieces))
        })
    })
}

/// Vertices, triangles, and the body each triangle comes from (0 or 1).
type MeshArrays<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray1<u8>>,
);

/// The surface of the overlap, in the frame of `a`.
#[pyfunction]
pub fn overlap_mesh<'py>(
    py: Python<'py>,
    a: &Mesh,
    b: &Mesh,
    X_AB: PyReadonlyArray2<'py, f64>,
) -> PyResult<MeshArrays<'py>> {
    let X_AB = pose(&X_AB)?;
    let (a, b) = (&a.inner, &b.inner);
    let mesh = detached(py, || {
        Ok(KERNEL.with_borrow_mut(|kernel| kernel.overlap_mesh(a, b, &X_AB)))
    })?;
    let origins = mesh.origins.iter().map(|(body, _)| *body).collect();
    Ok((
        points(py, mesh.vertices.iter().copied())?,
        triangle_array(py, &mesh.triangles)?,
        PyArray1::from_vec(py, origins),
    ))
}
