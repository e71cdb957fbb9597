//! The law of contact and materials.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, Serialize};

/// The law of contact.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ContactSection {
    /// `foundation`, or the paper's law `paper`.
    #[serde(default)]
    pub law: LawName,
    /// `bristle` sticks, `tanh` is the paper's, which always creeps; the one
    /// that belongs to the law if not given.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "law_of_friction"
    )]
    pub friction: Option<FrictionName>,
    /// γ of the paper's friction, s/m; 1000 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slope: Option<f64>,
    /// Parameters of the paper's law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<PaperSection>,
    /// Pairs of bodies or links that never touch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<[String; 2]>,
}

/// The laws.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LawName {
    /// Elastic foundations on the depth fields of both bodies.
    #[default]
    Foundation,
    /// The paper's impedance on the overlap's volume.
    Paper,
}

impl LawName {
    /// As it stands in a scene file.
    pub fn name(self) -> &'static str {
        match self {
            LawName::Foundation => "foundation",
            LawName::Paper => "paper",
        }
    }
}

/// The laws of friction.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FrictionName {
    /// Patches that stick until they slip.
    Bristle,
    /// `μ f tanh(γ v)`.
    Tanh,
}

/// The law of friction; a number here is a coefficient in the wrong place.
fn law_of_friction<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FrictionName>, D::Error> {
    struct Name;
    impl Visitor<'_> for Name {
        type Value = FrictionName;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(
                f,
                "the law of friction, `bristle` or `tanh` (a coefficient belongs to a material, as \
                 in `materials.NAME.friction`)"
            )
        }

        fn visit_str<E: de::Error>(self, name: &str) -> Result<FrictionName, E> {
            FrictionName::deserialize(name.into_deserializer())
        }
    }
    from.deserialize_any(Name).map(Some)
}

/// Parameters of the paper's law; see docs/paper-law.md. What is not given has
/// the paper's value and our reading.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PaperSection {
    /// Force per volume of overlap g₁, N/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Force per rate of the volume g₂, N s/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Gain of the impact g_i, 1/N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact_gain: Option<f64>,
    /// Depth aimed at after an impact d_t, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_depth: Option<f64>,
    /// Delay of the impact pulse g_t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact_delay: Option<f64>,
    /// ζ of the rate filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter_damping: Option<f64>,
    /// ω_n of the rate filter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter_frequency: Option<FilterFrequency>,
    /// Gain δ_i alone, as printed.
    #[serde(default)]
    pub printed_gain: bool,
    /// The pulse's time as printed.
    #[serde(default)]
    pub printed_pulse: bool,
    /// The direction of the force as printed.
    #[serde(default)]
    pub printed_direction: bool,
    /// Lets the force pull, as printed.
    #[serde(default)]
    pub adhesion: bool,
    /// One contact per pair, as printed.
    #[serde(default)]
    pub per_pair: bool,
    /// Speed of approach as it was at first contact.
    #[serde(default)]
    pub latched_speed: bool,
}

/// ω_n of the paper's rate filter.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum FilterFrequency {
    /// A multiple of the stability bound of each contact.
    OverBound(f64),
    /// A fixed value, rad/s.
    Fixed(f64),
}

/// A material: one that every scene knows, or a layer, with some values
/// replaced.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MaterialEntry {
    /// Name of the material it starts from; plastic if neither this nor a
    /// modulus is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Young's modulus of the elastic layer, Pa; with `thickness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulus: Option<f64>,
    /// Thickness of the elastic layer, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
    /// Poisson's ratio of the layer; 0.4 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<f64>,
    /// Pressure per depth, N/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Shear traction per deflection, N/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear_stiffness: Option<f64>,
    /// Damping over stiffness, s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_time: Option<f64>,
    /// Coulomb coefficient μ; a pair has √(μ_A μ_B).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Viscous friction β, N s/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viscous_friction: Option<f64>,
}
