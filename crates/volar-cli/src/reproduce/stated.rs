//! What the paper states and no experiment here measures, and why.

use super::report::{Claim, Verdict};

const STATED: [(&str, &str); 8] = [
    (
        "there is no direct way to compute the time derivative of the overlap volume",
        "not so: it is the relative velocity of the surfaces, integrated over the face of the \
         overlap that belongs to one body; Volar's law takes its damping from that (contact.md)",
    ),
    (
        "differences of successive volumes are numerically unstable",
        "nothing here takes such differences; the filter in their place has a bound of its own, \
         see the terms of the law",
    ),
    (
        "the efforts are comparable to a Kelvin-Voigt model",
        "by construction: spring and damper on the volume; tests hold the force of a first touch to \
         g₁ v and the rate to the filter (paper-law.md)",
    ),
    (
        "γ → ∞ recovers Coulomb's friction",
        "by construction; tests hold the creep to atanh(F/μN)/γ (paper-law.md)",
    ),
    (
        "parameters follow from models of compliant contact (Diolaiti, Erickson)",
        "their values are printed without ζ, ωₙ, gₜ and with units that do not fit; we took them \
         as N/cm³ and N s/cm³",
    ),
    (
        "other remedies (repulsion by speed, impulses, earlier penalty methods) resonate, are \
         costly, inaccurate, or need parameters chosen by experts",
        "quoted from the literature; none of them is run here",
    ),
    (
        "fast bodies pass into each other when the time step of a constraint-based engine is not \
         adjusted",
        "quoted from the literature; the grasps here are slow, and step lengths are varied for the \
         ball in the revolute gripper only",
    ),
    (
        "integration within the NeuroRobotics Platform is being worked on",
        "Volar has an engine for it (nrp.md); no claim to measure",
    ),
];

/// Rows of the table of claims.
pub fn claims() -> Vec<Claim> {
    let claim = |(says, why): (&'static str, &str)| Claim {
        says,
        measured: why.to_owned(),
        verdict: Verdict::NotMeasured,
    };
    STATED.into_iter().map(claim).collect()
}
