//! The law of contact and materials.

use volar_contact::paper::{Direction, FilterFrequency as Frequency, Gain, Pulse};
use volar_contact::{ContactLaw, Friction, Material, NormalLaw, Paper, Tanh};

use super::names::listed;
use crate::error::{Fault, not_negative, positive};
use crate::similar::did_you_mean;
use crate::spec::{
    ContactSection, FilterFrequency, FrictionName, LawName, MaterialEntry, PaperSection, SceneSpec,
};

pub(super) fn law(section: &ContactSection) -> Result<ContactLaw, Fault> {
    let mut law = match section.law {
        LawName::Foundation => ContactLaw::default(),
        LawName::Paper => ContactLaw {
            normal: NormalLaw::Paper(paper(section.paper.as_ref())?),
            ..ContactLaw::paper()
        },
    };
    let tanh = match section.slope {
        Some(slope) => Tanh {
            slope: positive("slope", slope).map_err(|f| f.within(&["contact"]))?,
        },
        None => Tanh::default(),
    };
    match (section.friction, &mut law.friction) {
        (Some(FrictionName::Bristle), friction) => *friction = Friction::Bristle,
        (Some(FrictionName::Tanh), friction) => *friction = Friction::Tanh(tanh),
        (None, Friction::Tanh(own)) => *own = tanh,
        (None, Friction::Bristle) => {}
    }
    Ok(law)
}

fn paper(section: Option<&PaperSection>) -> Result<Paper, Fault> {
    let given = section.cloned().unwrap_or_default();
    let own = Paper::default();
    let frequency = match given.filter_frequency {
        Some(FilterFrequency::OverBound(value) | FilterFrequency::Fixed(value)) => Some(value),
        None => None,
    };
    for (key, value) in [
        ("stiffness", given.stiffness),
        ("damping", given.damping),
        ("impact_gain", given.impact_gain),
        ("target_depth", given.target_depth),
        ("impact_delay", given.impact_delay),
        ("filter_damping", given.filter_damping),
        ("filter_frequency", frequency),
    ] {
        let sound = value.map_or(Ok(0.0), |value| not_negative(key, value));
        sound.map_err(|f| f.within(&["contact", "paper"]))?;
    }
    Ok(Paper {
        stiffness: given.stiffness.unwrap_or(own.stiffness),
        damping: given.damping.unwrap_or(own.damping),
        impact_gain: given.impact_gain.unwrap_or(own.impact_gain),
        target_depth: given.target_depth.unwrap_or(own.target_depth),
        impact_delay: given.impact_delay.unwrap_or(own.impact_delay),
        filter_damping: given.filter_damping.unwrap_or(own.filter_damping),
        filter_frequency: match given.filter_frequency {
            Some(FilterFrequency::OverBound(factor)) => Frequency::OverBound(factor),
            Some(FilterFrequency::Fixed(omega)) => Frequency::Fixed(omega),
            None => own.filter_frequency,
        },
        gain: match given.printed_gain {
            true => Gain::Printed,
            false => Gain::OnePlus,
        },
        pulse: match given.printed_pulse {
            true => Pulse::Printed,
            false => Pulse::AfterContact,
        },
        direction: match given.printed_direction {
            true => Direction::Printed,
            false => Direction::AreaVector,
        },
        adhesion: given.adhesion,
        per_pair: given.per_pair,
        latched_speed: given.latched_speed,
    })
}

/// Materials of the scene are checked before anything is made of them, so that
/// a fault has the line of the material.
pub(super) fn check_materials(scene: &SceneSpec) -> Result<(), Fault> {
    for (name, entry) in &scene.materials {
        own(entry).map_err(|fault| fault.within(&["materials", name]))?;
    }
    Ok(())
}

/// A material by name: one of the scene's, or one every scene knows.
pub(super) fn material(scene: &SceneSpec, name: &str) -> Result<Material, Fault> {
    if let Some(entry) = scene.materials.get(name) {
        return own(entry);
    }
    Material::named(name).ok_or_else(|| {
        let known = Material::names().map(str::to_owned);
        let all: Vec<String> = scene.materials.keys().cloned().chain(known).collect();
        let hint = did_you_mean(name, all.iter().map(String::as_str));
        let message = format!("no material `{name}`{hint}; there are {}", listed(&all));
        Fault::new(&[], message)
    })
}

fn own(entry: &MaterialEntry) -> Result<Material, Fault> {
    let fault = |key: &str, message: String| Fault::new(&[key], message);
    let layer = match (entry.modulus, entry.thickness) {
        (Some(modulus), Some(thickness)) => {
            let poisson = entry.poisson.unwrap_or(0.4);
            Some(Material::layer(modulus, thickness, poisson))
        }
        (None, None) => None,
        _ => {
            let message = "`modulus` and `thickness` belong together: give both or neither";
            return Err(fault("modulus", message.into()));
        }
    };
    let base = match (&entry.like, layer) {
        (Some(_), Some(_)) => {
            let message = "give `like` or a layer's `modulus` and `thickness`, not both";
            return Err(fault("like", message.into()));
        }
        (None, Some(layer)) => layer,
        (like, None) => {
            let like = like.as_deref().unwrap_or("plastic");
            Material::named(like).ok_or_else(|| {
                let known: Vec<String> = Material::names().map(str::to_owned).collect();
                fault(
                    "like",
                    format!(
                        "no material `{like}`{}; there are {}",
                        did_you_mean(like, Material::names()),
                        listed(&known)
                    ),
                )
            })?
        }
    };
    let shear_share = base.shear_stiffness / base.stiffness;
    let stiffness = entry.stiffness.unwrap_or(base.stiffness);
    let material = Material {
        stiffness,
        shear_stiffness: entry.shear_stiffness.unwrap_or(shear_share * stiffness),
        damping_time: entry.damping_time.unwrap_or(base.damping_time),
        friction: entry.friction.unwrap_or(base.friction),
        viscous_friction: entry.viscous_friction.unwrap_or(base.viscous_friction),
    };
    match material.is_valid() {
        true => Ok(material),
        false => Err(Fault::new(
            &[],
            "a value of the material is negative, zero or not finite",
        )),
    }
}
