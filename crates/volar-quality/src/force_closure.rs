//! Force closure [Nguyen 1988]: whether the contacts can make every wrench.
//!
//! They can if the grasp map has rank six and there are forces strictly within the cones
//! of friction that balance. Found as the forces of sum 1 that keep the
//! greatest distance t from their cones, `|N c| ≤ N − t`: a program over second-order cones,
//! exact cones in place of pyramids. Contacts without friction count as far as they
//! go: seven may do [Roa & Suárez 2015].

use crate::QualityError;
use crate::cones::Cone;
use crate::conic::Program;
use crate::vector6::Vector6;

/// A distance from the cones, and a ratio of singular values, that is more than rounding.
const POSITIVE: f64 = 1.0e-8;

/// From the cones, and the singular values of the grasp map, greatest first.
pub(crate) fn force_closure(cones: &[Cone], values: &Vector6) -> Result<bool, QualityError> {
    if values[5] <= POSITIVE * values[0] {
        return Ok(false);
    }
    let mut program = Program::new(cones, 1);
    let margin = program.own(0);
    let sum = program.normal_forces();
    let sum: Vec<(usize, f64)> = sum.into_iter().map(|(normal, _)| (normal, 1.0)).collect();
    program.equal(&sum, 1.0);
    program.sum_to(&[0.0; 6]);
    program.within_cones(Some(margin));
    program.minimise(margin, -1.0);
    Ok(program.solve()?.is_some_and(|cost| -cost > POSITIVE))
}
