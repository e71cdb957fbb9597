//! The paper's law: a virtual impedance on the overlap's volume.
//!
//! [Zechmair & Morel], with the readings of `docs/paper-law.md`. Each contact
//! (connected component of the overlap) pushes at its volume centroid c along
//! `s_n` with
//!
//! ```text
//! f   = (1 + δ_i) (g₁ V + g₂ v̇_f)                             [Eq. 6]
//! v̈_f = −2 ζ ω_n v̇_f + ω_n² (V − v_f)                         [Eq. 4]
//! δ_i = i_v / (√π d_v) exp(−(t − t_v)²/d_v²)                   [Eq. 5]
//! i_v = g_i (m_A + m_B) Δv_c,  d_v = d_t/Δv_c,  t_v = t_c + g_t d_v
//! ```
//!
//! Every reading that can be switched back to the print has its switch.

mod filter;

use glam::DVec3;
use volar_geom::overlap::{Fields, Measure, OverlapKernel, OverlapMesh};

use crate::law::{NormalModel, Pressing};
use crate::material::PairMaterial;
use crate::memory::StateRates;
use crate::normal_contact::{NormalContact, Place};
use crate::pair::PairInput;
use crate::piece::Piece;
use filter::{Filter, RATE, VOLUME};
use volar_math::{Matrix6, Wrench, outer, real};

/// Parameters of the paper's law, with the paper's symbols.
///
/// ```
/// use volar_contact::{ContactLaw, NormalLaw, Paper};
///
/// // Half as stiff as printed, without the gain on first contact.
/// let paper = Paper { stiffness: 3.7e8, impact_gain: 0.0, ..Paper::default() }; // N/m³, 1/N
/// let law = ContactLaw { normal: NormalLaw::Paper(paper), ..ContactLaw::paper() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paper {
    /// g₁, N/m³. Printed as 740 N/cm; read as N/cm³.
    pub stiffness: f64,
    /// g₂, N s/m³. Printed as 50 N/(cm s); read as N s/cm³.
    pub damping: f64,
    /// g_i, 1/N: size of the gain on first contact.
    pub impact_gain: f64,
    /// d_t, m: target depth of an impact.
    pub target_depth: f64,
    /// g_t: when the gain peaks, in durations of the impact. Not printed.
    pub impact_delay: f64,
    /// ζ of the rate filter. Not printed.
    pub filter_damping: f64,
    /// ω_n of the rate filter. Not printed.
    pub filter_frequency: FilterFrequency,
    /// Reading 1: the gain that multiplies the impedance.
    pub gain: Gain,
    /// Reading 2: when the gain peaks.
    pub pulse: Pulse,
    /// Reading 7: lets the force pull (the print) instead of stopping at zero.
    pub adhesion: bool,
    /// Reading 9: one contact per pair (the print) instead of one per
    /// connected component.
    pub per_pair: bool,
    /// Reading 12: speed of approach as it was at first contact.
    pub latched_speed: bool,
    /// Reading 13: the direction of the force.
    pub direction: Direction,
}

/// ω_n of the filter that estimates the volume's rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FilterFrequency {
    /// A multiple of the stability bound of each contact (reading 4).
    OverBound(f64),
    /// A fixed value, rad/s.
    Fixed(f64),
}

/// The factor in front of the impedance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    /// 1 + δ_i: our reading.
    OnePlus,
    /// δ_i alone, as printed: nothing is left to hold a load.
    Printed,
}

/// When the gain peaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pulse {
    /// At t_c + g_t d_v: our reading.
    AfterContact,
    /// At g_t d_v − t_c, as printed.
    Printed,
}

/// The direction of the force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Against the area vector of A's surface: our reading.
    AreaVector,
    /// The printed sum over the triangles of the overlap.
    Printed,
}

impl Default for Paper {
    /// The paper's values with our readings.
    fn default() -> Paper {
        Paper {
            stiffness: 7.4e8,
            damping: 5.0e7,
            impact_gain: 250.0,
            target_depth: 2.0e-3,
            impact_delay: 1.0,
            filter_damping: 1.0,
            filter_frequency: FilterFrequency::OverBound(2.0),
            gain: Gain::OnePlus,
            pulse: Pulse::AfterContact,
            adhesion: false,
            per_pair: false,
            latched_speed: false,
            direction: Direction::AreaVector,
        }
    }
}

impl Paper {
    /// The lowest ω_n at which the filtered damping of a flat contact is
    /// stable: Routh's criterion on the loop of mass, spring and filter,
    /// `ω_n > (k_d + √(k_d² + 16 ζ² m k)) / (4 ζ m)`, with the gain applied to
    /// stiffness k and damping k_d.
    pub fn stability_bound(&self, area: f64, mass: f64, gain: f64) -> f64 {
        let (k, kd) = (gain * self.stiffness * area, gain * self.damping * area);
        let zeta = self.filter_damping;
        (kd + (kd * kd + 16.0 * zeta * zeta * mass * k).sqrt()) / (4.0 * zeta * mass)
    }
}

impl NormalModel for Paper {
    fn fields(&self, _pair_material: &PairMaterial) -> Option<Fields> {
        None
    }

    fn press(
        &self,
        pressing: &Pressing,
        kernel: &mut OverlapKernel,
        normal_contact: &mut NormalContact,
    ) {
        // The printed direction sums over the triangles of the overlap.
        let mesh = (self.direction == Direction::Printed).then(|| {
            let [a, b] = pressing.pair.meshes;
            kernel.overlap_mesh(a, b, &pressing.state.X_AB)
        });
        let patches = pressing.state.patches;
        normal_contact.clear(patches.len());
        let overlap = kernel.last();
        let whole = std::slice::from_ref(&overlap.total);
        let measures = if self.per_pair {
            whole
        } else {
            &overlap.components[..]
        };
        let place_of = |(component, measure): (u32, &Measure)| {
            let normal = direction(self, measure, mesh.as_ref())?;
            Some(Place {
                component,
                centre: measure.centroid?,
                reach: measure.surfaces[0].area.sqrt(),
                way: normal,
                push: normal,
            })
        };
        if measures.len() > 1 {
            let places = (0_u32..).zip(measures).filter_map(place_of);
            normal_contact.claim(patches, places);
        }
        let owner_of = |normal_contact: &NormalContact, place: &Place| match self.per_pair {
            true => (!patches.is_empty()).then_some(0),
            false => normal_contact.find(patches, place, place.push),
        };
        // Components that have just come apart still have one filter, of which each has a
        // share.
        let mut volumes = vec![0.0; patches.len()];
        for (component, measure) in (0_u32..).zip(measures) {
            let place = place_of((component, measure));
            if let Some(i) = place.and_then(|place| owner_of(normal_contact, &place)) {
                volumes[i] += measure.volume;
            }
        }
        for (component, measure) in (0_u32..).zip(measures) {
            let Some(place) = place_of((component, measure)) else {
                continue;
            };
            let owner = owner_of(normal_contact, &place).map(|i| Owner {
                patch: i,
                share: match volumes[i] > 0.0 {
                    true => measure.volume / volumes[i],
                    false => 1.0,
                },
            });
            let push = push(self, pressing, measure, &place, owner);
            if let Some(owner) = owner {
                push.write_filter(owner.share, &mut normal_contact.states[owner.patch]);
            }
            normal_contact.elastic[1] += push.wrench;
            normal_contact.by_displacement += push.by_displacement;
            normal_contact.add(patches, &place, &push.piece);
        }
        normal_contact.finish(patches.len());
    }

    fn warning(&self, pair: &PairInput, pieces: &[Piece]) -> Option<String> {
        let FilterFrequency::Fixed(frequency) = self.filter_frequency else {
            return None;
        };
        let area = pieces.iter().map(Piece::area).fold(0.0, f64::max);
        let bound = self.stability_bound(area, effective_mass(pair), 1.0);
        (frequency < bound).then(|| {
            format!(
                "the volume-rate filter ({frequency:.0} rad/s) is below its stability bound of \
                 {bound:.0} rad/s: expect growing oscillations"
            )
        })
    }
}

/// `m_A + m_B`, without bodies that have no finite mass (reading 11).
fn total_mass(pair: &PairInput) -> f64 {
    pair.masses.iter().flatten().sum()
}

/// Mass that moves when the two approach each other, kg.
fn effective_mass(pair: &PairInput) -> f64 {
    match pair.masses {
        [Some(a), Some(b)] => a * b / (a + b),
        [Some(m), None] | [None, Some(m)] => m,
        [None, None] => 1.0,
    }
}

/// The patch a contact belongs to, and its share in it.
#[derive(Clone, Copy)]
struct Owner {
    patch: usize,
    share: f64,
}

/// The force of one contact.
struct Push {
    wrench: Wrench,
    by_displacement: Matrix6,
    piece: Piece,
    /// Rates of the filter's two states and what they depend on.
    filter_rate: Filter,
    frequency: f64,
    damping_ratio: f64,
    volume_by: [DVec3; 2],
    by_filtered_rate: Wrench,
}

fn push(
    paper: &Paper,
    pressing: &Pressing,
    measure: &Measure,
    place: &Place,
    owner: Option<Owner>,
) -> Push {
    let Pressing {
        pair, state, point, ..
    } = *pressing;
    let surface = &measure.surfaces[0];
    let (r, normal) = (place.centre - point, place.push);
    let volume = measure.volume;
    let filter = owner.map_or(Filter { volume, rate: 0.0 }, |owner| {
        let whole = Filter::read(pressing.memory(owner.patch));
        Filter {
            volume: owner.share * whole.volume,
            rate: owner.share * whole.rate,
        }
    });
    let speed = state.twist.at(r).linear.dot(normal).abs();
    let (created_at, speed) = match owner.map(|owner| &state.patches[owner.patch]) {
        Some(patch) if paper.latched_speed => (patch.created_at, patch.first_speed),
        Some(patch) => (patch.created_at, speed),
        None => (state.time, speed),
    };
    let age = Age {
        time: state.time,
        created_at,
    };
    let gain = match paper.gain {
        Gain::OnePlus => 1.0 + impact(paper, pair, age, speed),
        Gain::Printed => impact(paper, pair, age, speed),
    };
    let area = surface.area_vector.length();
    let omega = match paper.filter_frequency {
        FilterFrequency::Fixed(omega) => omega,
        FilterFrequency::OverBound(margin) => {
            margin * paper.stability_bound(area, effective_mass(pair), gain)
        }
    };
    let zeta = paper.filter_damping;
    let mut force = gain * (paper.stiffness * volume + paper.damping * filter.rate);
    let clamped = force < 0.0 && !paper.adhesion;
    if clamped {
        force = 0.0;
    }
    // V̇ = ∫ u·n dA: the volume changes with A's displacement by S and ∫ x × n.
    let turn = surface.moment_vector - point.cross(surface.area_vector);
    let volume_by = [turn, surface.area_vector];
    let rise = if clamped { 0.0 } else { gain * paper.stiffness };
    let unit = Wrench::from_force_at(r, normal);
    let scaled = |w: DVec3, by: DVec3| outer(rise * w, by);
    let by_displacement = Matrix6 {
        torque_by_rotation: scaled(unit.torque, turn),
        torque_by_translation: scaled(unit.torque, surface.area_vector),
        force_by_rotation: scaled(unit.force, turn),
        force_by_translation: scaled(unit.force, surface.area_vector),
    };
    let pull = if clamped { 0.0 } else { gain * paper.damping };
    let wrench = Wrench::from_force_at(r, force * normal);
    Push {
        wrench,
        by_displacement,
        piece: Piece {
            load: force.abs(),
            force: wrench.force,
            push: volume * normal,
            first: force.abs() * r,
            second: outer(force.abs() * r, r),
            area_vector: area * normal,
            depth: volume / area.max(f64::MIN_POSITIVE),
            deepest: volume / area.max(f64::MIN_POSITIVE),
            bounds: [r - DVec3::splat(area.sqrt()), r + DVec3::splat(area.sqrt())],
            force_by_displacement: [
                by_displacement.force_by_rotation,
                by_displacement.force_by_translation,
            ],
            torque_by_displacement: [
                by_displacement.torque_by_rotation,
                by_displacement.torque_by_translation,
            ],
            ..Piece::NONE
        },
        filter_rate: Filter {
            volume: filter.rate,
            rate: -2.0 * zeta * omega * filter.rate + omega * omega * (volume - filter.volume),
        },
        frequency: omega,
        damping_ratio: zeta,
        volume_by,
        by_filtered_rate: Wrench::from_force_at(r, pull * normal),
    }
}

impl Push {
    /// Adds the share of this contact in the rates of its patch's filter.
    fn write_filter(&self, share: f64, states: &mut StateRates) {
        let omega2 = self.frequency * self.frequency;
        states.rate[VOLUME] += self.filter_rate.volume;
        states.rate[RATE] += self.filter_rate.rate;
        states.rate_by_state[VOLUME][RATE] += share;
        states.rate_by_state[RATE][VOLUME] -= share * omega2;
        states.rate_by_state[RATE][RATE] -= share * 2.0 * self.damping_ratio * self.frequency;
        for i in 0..3 {
            states.rate_by_displacement[RATE][i] += omega2 * self.volume_by[0][i];
            states.rate_by_displacement[RATE][i + 3] += omega2 * self.volume_by[1][i];
        }
        let Wrench { torque, force } = self.by_filtered_rate;
        for i in 0..3 {
            states.wrench_by_state[i][RATE] += share * torque[i];
            states.wrench_by_state[i + 3][RATE] += share * force[i];
        }
    }
}

/// When it is, and when the contact began, s.
#[derive(Clone, Copy)]
struct Age {
    time: f64,
    created_at: f64,
}

/// δ_i at this time.
fn impact(paper: &Paper, pair: &PairInput, age: Age, speed: f64) -> f64 {
    if speed <= 0.0 {
        return 0.0;
    }
    let size = paper.impact_gain * total_mass(pair) * speed;
    let duration = paper.target_depth / speed;
    let peak = match paper.pulse {
        Pulse::AfterContact => age.created_at + paper.impact_delay * duration,
        Pulse::Printed => paper.impact_delay * duration - age.created_at,
    };
    let late = (age.time - peak) / duration;
    size / (std::f64::consts::PI.sqrt() * duration) * real::exp(-late * late)
}

/// The direction in which A is pushed; none when the overlap has none.
fn direction(paper: &Paper, measure: &Measure, mesh: Option<&OverlapMesh>) -> Option<DVec3> {
    match (paper.direction, mesh) {
        (Direction::Printed, Some(mesh)) => {
            printed_direction(measure.centroid?, mesh).try_normalize()
        }
        _ => (-measure.surfaces[0].area_vector).try_normalize(),
    }
}

/// `s_d = Σ_A w_i (c − m_i) − Σ_B w_i (c − m_i)`, `w_i = ⅓ area_i ‖m_i − c‖`
/// over the triangles of the overlap's surface [Eq. 3].
pub fn printed_direction(c: DVec3, mesh: &OverlapMesh) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (triangle, origin) in mesh.triangles.iter().zip(&mesh.origins) {
        let [p, q, r] = triangle.map(|v| mesh.vertices[v as usize]);
        let to_centre = c - (p + q + r) / 3.0;
        let area = (q - p).cross(r - p).length() / 2.0;
        let weight = area * to_centre.length() / 3.0;
        sum += if origin.0 == 0 { weight } else { -weight } * to_centre;
    }
    sum
}
