//! Meshes: shapes, files, arrays, check and repair.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use volar::glam::DVec3;
use volar::mesh::{self, ClosedMesh, ReadOptions, RepairOptions, TriMesh};
use volar_geom::mesh::check::{Complaint, Severity};

use crate::arrays::{points, rows};
use crate::errors::Fault;
use crate::guard::detached;

/// Vertices (n, 3) and triangles (m, 3) as arrays.
type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u32>>);

/// A closed mesh.
#[pyclass(frozen, subclass, module = "volar._volar")]
pub struct Mesh {
    pub inner: Arc<ClosedMesh>,
}

#[pymethods]
impl Mesh {
    #[new]
    fn new(
        py: Python<'_>,
        vertices: PyReadonlyArray2<'_, f64>,
        triangles: PyReadonlyArray2<'_, u32>,
    ) -> PyResult<Mesh> {
        let mesh = tri_mesh(&vertices, &triangles)?;
        detached(py, || {
            let inner = Arc::new(ClosedMesh::checked(mesh)?);
            Ok(Mesh { inner })
        })
    }

    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        points(py, self.inner.vertices().iter().copied())
    }

    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        triangle_array(py, self.inner.triangles())
    }

    /// Volume, centroid, inertia about the centroid for a mass of 1 kg.
    fn moments(&self) -> Option<(f64, [f64; 3], [[f64; 3]; 3])> {
        let moments = self.inner.moments()?;
        let unit = moments.with_mass(1.0);
        let inertia = unit.inertia.transpose().to_cols_array_2d();
        Some((moments.volume, unit.centre_of_mass.to_array(), inertia))
    }

    fn is_convex(&self) -> bool {
        self.inner.is_convex()
    }

    /// The mesh as an OBJ file; all digits are kept.
    fn to_obj(&self) -> String {
        volar_meshes::to_obj(&self.inner.to_tri_mesh())
    }
}

/// Triangles as arrays, of a shape by name: `box`, `sphere`, `cylinder` or
/// `capsule`, with its sizes in metres.
#[pyfunction]
pub fn shape<'py>(py: Python<'py>, name: &str, sizes: Vec<f64>) -> PyResult<Arrays<'py>> {
    let made = match (name, &sizes[..]) {
        ("box", &[x, y, z]) => mesh::cuboid([x, y, z]),
        ("sphere", &[radius]) => mesh::sphere(radius),
        ("cylinder", &[radius, length]) => mesh::cylinder(radius, length),
        ("capsule", &[radius, length]) => mesh::capsule(radius, length),
        _ => {
            let message = format!("no shape `{name}` with {} sizes", sizes.len());
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
    };
    let made = made.map_err(Fault::from)?;
    arrays(py, &made.to_tri_mesh())
}

/// The triangles of a file, good or bad, in metres.
#[pyfunction]
pub fn read_mesh(py: Python<'_>, path: PathBuf, scale: f64) -> PyResult<Arrays<'_>> {
    let mesh = detached(py, || {
        let options = ReadOptions {
            scale,
            ..ReadOptions::default()
        };
        Ok(volar_meshes::read(&path, &options)?)
    })?;
    arrays(py, &mesh)
}

/// The triangles with small defects mended, and what was done, as sentences.
#[pyfunction]
pub fn repair<'py>(
    py: Python<'py>,
    vertices: PyReadonlyArray2<'py, f64>,
    triangles: PyReadonlyArray2<'py, u32>,
) -> PyResult<(Arrays<'py>, Vec<String>)> {
    let mesh = tri_mesh(&vertices, &triangles)?;
    let repaired = detached(py, || Ok(mesh::repair(mesh, &RepairOptions::DEFAULT)))?;
    let steps = repaired.steps.iter().map(ToString::to_string).collect();
    Ok((arrays(py, &repaired.mesh)?, steps))
}

/// Defect, whether it makes the mesh unusable, how often, text, remedy.
type ComplaintRow = (&'static str, bool, usize, String, &'static str);

/// Whether usable, area, volume, complaints.
type CheckRow = (bool, f64, Option<f64>, Vec<ComplaintRow>);

/// Whether triangles are the surface of a solid, and what is wrong with them.
#[pyfunction]
pub fn check(
    py: Python<'_>,
    vertices: PyReadonlyArray2<'_, f64>,
    triangles: PyReadonlyArray2<'_, u32>,
) -> PyResult<CheckRow> {
    let mesh = tri_mesh(&vertices, &triangles)?;
    let report = detached(py, || Ok(mesh::check(&mesh)))?;
    let complaint = |complaint: &Complaint| {
        let fatal = complaint.defect.severity() == Severity::Unusable;
        let remedy = complaint.defect.remedy();
        let text = complaint.to_string();
        (
            complaint.defect.name(),
            fatal,
            complaint.count,
            text,
            remedy,
        )
    };
    let complaints = report.complaints.iter().map(complaint).collect();
    let volume = report.moments.map(|moments| moments.volume);
    Ok((report.is_usable(), report.area, volume, complaints))
}

fn tri_mesh(
    vertices: &PyReadonlyArray2<'_, f64>,
    triangles: &PyReadonlyArray2<'_, u32>,
) -> PyResult<TriMesh> {
    let vertices = rows::<f64, 3>(vertices)?;
    Ok(TriMesh {
        vertices: vertices.into_iter().map(DVec3::from_array).collect(),
        triangles: rows::<u32, 3>(triangles)?,
    })
}

fn arrays<'py>(py: Python<'py>, mesh: &TriMesh) -> PyResult<Arrays<'py>> {
    let vertices = points(py, mesh.vertices.iter().copied())?;
    Ok((vertices, triangle_array(py, &mesh.triangles)?))
}

pub fn triangle_array<'py>(
    py: Python<'py>,
    triangles: &[[u32; 3]],
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    use numpy::{PyArray1, PyArrayMethods};
    let numbers: Vec<u32> = triangles.iter().flatten().copied().collect();
    PyArray1::from_vec(py, numbers).reshape([triangles.len(), 3])
}
