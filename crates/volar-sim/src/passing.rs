//! How long a step may be without bodies passing through each other.
//!
//! Stages look at a few instants of a step. What two bodies can approach in it must
//! be less than their distance and a part of their thickness, so that no contact
//! begins and ends unseen.

use volar_contact::{ContactLaw, NormalLaw, PairMaterial};
use volar_geom::broadphase::BroadPhase;
use volar_geom::bvh::Aabb;

use crate::controls::Controls;
use crate::evaluate::Evaluation;
use crate::model::Model;

/// A body may move this much of a thickness in one step towards another.
const THICKNESS_SHARE: f64 = 0.25;

/// Buffers of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passing {
    /// What each body can reach.
    boxes: Vec<Aabb>,
    /// How fast its fastest point can be, m/s.
    speeds: Vec<f64>,
    broadphase: BroadPhase,
}

impl Passing {
    /// The longest step up to `h`, s, after which no two bodies can have passed
    /// through each other, with the velocities of the evaluation.
    pub fn limit(
        &mut self,
        model: &Model,
        controls: &Controls,
        evaluation: &Evaluation,
        h: f64,
    ) -> f64 {
        let (X_WB, V_WB) = (&evaluation.kinematics.X_WB, &evaluation.kinematics.V_WB);
        self.boxes.clear();
        self.speeds.clear();
        for (body, surface) in model.surfaces.iter().enumerate() {
            let radius = surface.as_ref().map_or(0.0, |surface| surface.radius);
            let speed = V_WB[body].linear.length() + V_WB[body].angular.length() * radius;
            self.speeds.push(speed);
            self.boxes.push(match surface {
                Some(_) => evaluation.boxes()[body].grown(h * speed),
                None => Aabb::EMPTY,
            });
        }
        // Others are too far apart to meet within h.
        let near = self.broadphase.pairs(&self.boxes, &model.filter);
        let mut limit = h;
        for &(a, b) in near {
            let (a, b) = (a as usize, b as usize);
            let (Some(surface_a), Some(surface_b)) = (&model.surfaces[a], &model.surfaces[b])
            else {
                continue;
            };
            // How fast points of one approach the other: seen from either, which is
            // little for bodies that travel together, or from the world.
            let r = X_WB[b].p - X_WB[a].p;
            let angular_velocity = (V_WB[a].angular - V_WB[b].angular).length();
            let at_a = (V_WB[a] - V_WB[b].at(-r)).linear.length();
            let at_b = (V_WB[b] - V_WB[a].at(r)).linear.length();
            let speed = (at_a + angular_velocity * surface_a.radius)
                .min(at_b + angular_velocity * surface_b.radius)
                .min(self.speeds[a] + self.speeds[b]);
            if speed <= 0.0 {
                continue;
            }
            let gap = evaluation.boxes()[a].gap(&evaluation.boxes()[b]);
            let thickness = thickness(
                model.law(),
                &controls.pair_material_at(a, b),
                [surface_a.thickness, surface_b.thickness],
            );
            limit = limit.min((gap + THICKNESS_SHARE * thickness) / speed);
        }
        limit
    }
}

/// How thick what two bodies may come into is, m: the thinner of those whose depth counts.
/// A wall whose material counts as rigid may be thinner: it is pushed out of the other
/// body, on the side on which it came, and seen for as long as it is in there.
fn thickness(law: &ContactLaw, pair_material: &PairMaterial, of: [f64; 2]) -> f64 {
    let counts = |side: usize| match law.normal {
        NormalLaw::Foundation => pair_material.shares[side] > 0.0,
        NormalLaw::Paper(_) => true,
    };
    let sides = (0..2).filter(|&side| counts(side));
    sides.map(|side| of[side]).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use volar_contact::Material;

    #[test]
    fn a_thin_wall_that_counts_as_rigid_does_not_shorten_steps() {
        let [steel, rubber] = ["steel", "rubber"].map(|name| Material::named(name).unwrap());
        let of = [1.0e-4, 0.02];
        let ask = |law: ContactLaw, a, b| thickness(&law, &PairMaterial::of(a, b), of);
        let foundation = ContactLaw::default();
        assert!((ask(foundation, &steel, &rubber) - 0.02).abs() < 1e-15);
        assert!((ask(foundation, &rubber, &steel) - 1.0e-4).abs() < 1e-15);
        assert!((ask(foundation, &steel, &steel) - 1.0e-4).abs() < 1e-15);
        assert!((ask(ContactLaw::paper(), &steel, &rubber) - 1.0e-4).abs() < 1e-15);
    }
}
