//! Grasp force optimisation [Han et al. 2000]: forces of the contacts within their cones of friction that
//! balance a load, such that the greatest normal force is as small as possible.
//!
//! The cones are exact.

use crate::QualityError;
use crate::cones::Cone;
use crate::conic::Program;
use crate::vector6::{Vector6, scaled};

/// In newtons; none if no forces within the cones balance the load. The load is a force (N) with a
/// torque over the length (N).
pub(crate) fn grasp_force(
    cones: &[Cone],
    contacts: usize,
    load: &Vector6,
) -> Result<Option<f64>, QualityError> {
    let size = crate::vector6::norm(load);
    if size <= 0.0 {
        return Ok(Some(0.0));
    }
    let mut program = Program::new(cones, 1);
    let greatest = program.own(0);
    // Loads of size 1: the solver's tolerances are meant for such.
    program.sum_to(&scaled(load, -1.0 / size));
    program.within_cones(None);
    for contact in 0..contacts {
        let normals = program.normal_forces().into_iter();
        let own = normals.filter(|(_, cone)| cone.contact == contact);
        let mut row: Vec<(usize, f64)> = own.map(|(normal, _)| (normal, 1.0)).collect();
        row.push((greatest, -1.0));
        program.at_most(&row, 0.0);
    }
    program.minimise(greatest, 1.0);
    Ok(program.solve()?.map(|force| size * force))
}
