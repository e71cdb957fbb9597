//! Numbers to and from numpy.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use volar::glam::{DMat3, DQuat, DVec3};
use volar::math::Pose;

/// Rows of a table as a 2-D array.
pub fn table<'py>(
    py: Python<'py>,
    numbers: Vec<f64>,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = numbers.len() / columns.max(1);
    PyArray1::from_vec(py, numbers).reshape([rows, columns])
}

/// Three coordinates by row.
pub fn points<'py>(
    py: Python<'py>,
    points: impl IntoIterator<Item = DVec3>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers: Vec<f64> = points.into_iter().flat_map(|p| p.to_array()).collect();
    table(py, numbers, 3)
}

/// The numbers of an array.
pub fn numbers(array: &PyReadonlyArray1<'_, f64>) -> Vec<f64> {
    array.as_array().iter().copied().collect()
}

/// Vertices and triangles of arrays with three columns each.
pub fn rows<T: Copy + numpy::Element, const N: usize>(
    array: &PyReadonlyArray2<'_, T>,
) -> PyResult<Vec<[T; N]>> {
    let view = array.as_array();
    if view.ncols() != N {
        let message = format!("an array of {N} columns is needed, not of {}", view.ncols());
        return Err(PyValueError::new_err(message));
    }
    let row = |row: numpy::ndarray::ArrayView1<'_, T>| std::array::from_fn(|i| row[i]);
    Ok(view.rows().into_iter().map(row).collect())
}

/// Position, then quaternion with its real part first.
pub fn pose_numbers(pose: &Pose) -> [f64; 7] {
    let q = DQuat::from_mat3(&pose.R);
    let p = pose.p;
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
}

/// A pose of a 4 × 4 matrix, which the Python side has checked to be one.
pub fn pose(matrix: &PyReadonlyArray2<'_, f64>) -> PyResult<Pose> {
    let rows = rows::<f64, 4>(matrix)?;
    let [x, y, z, _] = rows[..] else {
        return Err(PyValueError::new_err("a pose is a 4 × 4 matrix"));
    };
    let column = |i: usize| DVec3::new(x[i], y[i], z[i]);
    Ok(Pose {
        R: DMat3::from_cols(column(0), column(1), column(2)),
        p: column(3),
    })
}
