//! Who touches whom, and what is held.

use volar_scene::Setup;
use volar_sim::{BodyId, PairId};

use super::{Contact, Finger, Grasp, Phase};

pub(super) fn contact(setup: &Setup) -> Contact {
    let model = &setup.model;
    let tree = model.tree();
    let solid: Vec<BodyId> = model
        .bodies()
        .filter(|id| model.surface(*id).is_some())
        .collect();
    let name = |id: BodyId| model.name(id).to_owned();
    let mut excluded = Vec::new();
    let mut friction = Vec::new();
    for (i, &a) in solid.iter().enumerate() {
        for &b in &solid[i + 1..] {
            let pair = PairId::new(a, b);
            let last = |id: BodyId| tree.ancestor_dofs(id.index()).last();
            if last(a) == last(b) {
                continue; // one rigid body
            }
            if !model.may_touch(pair) {
                excluded.push([name(a), name(b)]);
                continue;
            }
            let controls = model.controls();
            let own = controls
                .material(a)
                .friction
                .max(controls.material(b).friction);
            let mu = controls.pair_material(pair).friction;
            // The root of a square may be off by its last bit.
            if (mu - own).abs() > 4.0 * f64::EPSILON * own {
                friction.push((name(a), name(b), mu));
            }
        }
    }
    Contact {
        friction_rule: "geometric mean",
        law: setup.scene.spec.contact.law.name(),
        excluded,
        friction,
    }
}

pub(super) fn grasp(setup: &Setup) -> Option<Grasp> {
    let grasp = setup.grasp.as_ref()?;
    let section = &grasp.section;
    let name = |id: BodyId| setup.model.name(id).to_owned();
    let phases = section.phases.iter().map(|phase| Phase {
        name: phase.name.clone(),
        from: phase.from,
        until: phase.until,
        held_within: phase.held_within.unwrap_or(section.held_within),
        held_angle_deg: phase.held_angle_deg.unwrap_or(section.held_angle_deg),
        held_by: phase.held_by.unwrap_or(section.held_by),
        may_move: phase.may_move,
    });
    Some(Grasp {
        object: name(grasp.object),
        palm: name(grasp.palm),
        fingers: grasp
            .fingers
            .iter()
            .map(|finger| Finger {
                name: finger.name.clone(),
                bodies: finger.links.iter().map(|link| name(*link)).collect(),
            })
            .collect(),
        from: section.from,
        until: section.until,
        held_within: section.held_within,
        held_since: section.held_since,
        held_angle_deg: section.held_angle_deg,
        held_by: section.held_by,
        failure_force: section.failure_force,
        failure_time: section.failure_time,
        phases: phases.collect(),
        kinetic_energy_from: section.kinetic_energy_from,
    })
}
