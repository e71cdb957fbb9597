//! The smallest singular value of the grasp map [Li & Sastry 1988]: how far the
//! grasp is from a configuration in which some wrench cannot be made at all.

use crate::vector6::Vector6;

/// From the singular values, greatest first.
pub(crate) fn min_singular_value(values: &Vector6) -> f64 {
    values[5]
}
