//! Q1 as DexGraspBench computes it (`fc_metric/q1.py` of its repository): Ferrari and Canny's L1 measure with
//! torques about the mean of the contact points, over their mean distance from it, so
//! that neither mass nor size of the object matters.
//!
//! DexGraspBench prints 2 − Q1, less being better; here more is better. Its tangents are those
//! of its own frames, so with pyramids the two differ by the turn of the edges.

use glam::DVec3;

use crate::cones::{cones, edges_by_contact};
use crate::contact::{ContactModel, Grasp};
use crate::{QualityError, epsilon};

/// Q1; 0 if all contacts are at one point.
pub(crate) fn q1(
    grasp: &Grasp,
    model: ContactModel,
    edges: usize,
) -> Result<Option<f64>, QualityError> {
    let count = grasp.contacts.len() as f64;
    let centre = grasp.contacts.iter().map(|c| c.point).sum::<DVec3>() / count;
    let distances = grasp.contacts.iter().map(|c| c.point.distance(centre));
    let length = distances.sum::<f64>() / count;
    if length <= 0.0 {
        return Ok(Some(0.0));
    }
    let moved = Grasp {
        centre,
        length,
        contacts: grasp.contacts.clone(),
    };
    let cones = cones(&moved, model);
    epsilon::l1(&edges_by_contact(&cones, moved.contacts.len(), edges))
}
