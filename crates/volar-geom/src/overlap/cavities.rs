//! Cavities.

use super::components::Components;
use super::frame::Frame;
use super::measure::Sums;
use super::pieces::Pieces;

pub(super) fn attach(
    sums: &mut Vec<Sums>,
    pieces: &Pieces,
    components: &mut Components,
    frame: &Frame,
) {
    let _ = (sums, pieces, components, frame);
}
