//! The solids of a hand, and whether they are clear of the object.

use volar_geom::overlap::OverlapKernel;
use volar_geom::{ClosedMesh, Pose};
use volar_scene::{Hand, SceneError};

/// The solids of a hand, with the number of the link that each is on.
#[derive(Debug)]
pub struct HandSolids {
    pub solids: Vec<(usize, ClosedMesh)>,
}

impl HandSolids {
    pub fn new(hand: &Hand) -> Result<HandSolids, SceneError> {
        let mut solids = Vec::new();
        for (link, meshes) in hand.solids()?.into_iter().enumerate() {
            solids.extend(meshes.into_iter().map(|mesh| (link, mesh)));
        }
        Ok(HandSolids { solids })
    }

    /// Whether no solid of the hand shares a point with the inside of the object: not by a
    /// tolerance, but as the overlap kernel decides. `X_HL` are the poses of the links.
    pub fn is_clear(
        &self,
        kernel: &mut OverlapKernel,
        object: &ClosedMesh,
        X_OH: &Pose,
        X_HL: &[Pose],
    ) -> bool {
        let bounds = object.bounds();
        self.solids.iter().all(|(link, solid)| {
            let X_OL = X_OH.compose(&X_HL[*link]);
            if !solid.bounds().transformed(&X_OL).overlaps(&bounds) {
                return true;
            }
            let overlap = kernel.overlap(object, solid, &X_OL);
            let touches = |counts: [usize; 2]| counts.iter().any(|count| *count > 0);
            !touches(overlap.crossing_triangles) && !touches(overlap.inside_triangles)
        })
    }
}
