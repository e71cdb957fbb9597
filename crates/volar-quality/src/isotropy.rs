//! Isotropy of the grasp map [Roa & Suárez 2015]: the smallest over the greatest singular value, 1 where
//! forces of the same size make wrenches of the same size in all directions.

use crate::vector6::Vector6;

/// From the singular values, greatest first; 0 without a contact.
pub(crate) fn isotropy(values: &Vector6) -> f64 {
    if values[0] > 0.0 {
        values[5] / values[0]
    } else {
        0.0
    }
}
