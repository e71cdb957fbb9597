//! Contacts as arrays, and where two bodies overlap.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use volar::record::{BodyFrame, Frame};
use volar::run::Run;
use volar::sim::{BodyId, Contact, Shape};
use volar_view::PatchFinder;

use crate::arrays::{pose_numbers, table};

/// Name, unit, number of values and meaning of every figure of a contact.
#[pyfunction]
pub fn contact_fields() -> Vec<(&'static str, &'static str, usize, &'static str)> {
    let fields = Contact::FIELDS.iter().map(|field| {
        let size = match field.shape {
            Shape::Number => 1,
            Shape::Vector => 3,
        };
        (field.name, field.unit, size, field.about())
    });
    fields.collect()
}

/// Numbers of a contact: the two bodies as integers in the same eight bytes,
/// then its figures in order.
pub fn contact_numbers(contacts: &[Contact], numbers: &mut Vec<f64>) {
    for contact in contacts {
        numbers.extend([contact.a, contact.b].map(|body| f64::from_bits(body.index() as u64)));
        for field in Contact::FIELDS {
            numbers.extend((field.values)(contact));
        }
    }
}

/// As an array, to be viewed as records by numpy.
pub fn contact_table<'py>(
    py: Python<'py>,
    numbers: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let columns: usize = contact_fields().iter().map(|field| field.2).sum();
    table(py, numbers, 2 + columns)
}

/// Corners and pressures on the two surfaces of an overlap.
pub type Patches<'py> = [(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>); 2];

/// Corners and pressures where two bodies overlap, in the frame of the first; the
/// finder is made when it is first needed.
pub fn patch(
    run: &Run,
    finder: &mut Option<PatchFinder>,
    a: usize,
    b: usize,
) -> Option<[(Vec<f64>, Vec<f64>); 2]> {
    let (a, b) = (a.min(b), a.max(b));
    let finder = finder.get_or_insert_with(|| PatchFinder::new(&volar::run::header(run.setup())));
    let simulation = run.simulation();
    let pair = (BodyId::new(a), BodyId::new(b));
    let frame = Frame {
        bodies: run
            .setup()
            .model
            .bodies()
            .map(|body| {
                let [x, y, z, w, i, j, k] = pose_numbers(&simulation.pose(body));
                BodyFrame {
                    position: [x, y, z].into(),
                    orientation: [w, i, j, k],
                    ..BodyFrame::default()
                }
            })
            .collect(),
        contacts: simulation
            .contacts()
            .into_iter()
            .filter(|contact| (contact.a, contact.b) == pair)
            .collect(),
        ..Frame::default()
    };
    let patch = finder.at(&frame).into_iter().next()?;
    Some(patch.surfaces.map(|surface| {
        let corners = surface.iter().flat_map(|triangle| triangle.corners);
        let corners = corners.flat_map(|corner| corner.to_array()).collect();
        let pressure = surface.iter().map(|triangle| triangle.pressure).collect();
        (corners, pressure)
    }))
}
