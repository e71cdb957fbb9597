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

use glam::DVec3;
use volar_geom::overlap::{Measure, Overlap, OverlapMesh};

use crate::friction::{PatchFriction, set_column};
use crate::normal_contact::{NormalContact, Piece, Place};
use crate::patch::{Patch, PatchState};
use volar_math::{Matrix6, Twist, Wrench, outer, real};

/// Parameters of the paper's law, with the paper's symbols.
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

/// What a pair is, apart from its overlap.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Masses of A and B, kg; none for a body that is fixed or on a
    /// prescribed motion.
    pub masses: [Option<f64>; 2],
    /// Time, s.
    pub time: f64,
}

impl Pair {
    /// `m_A + m_B`, without bodies that have no finite mass (reading 11).
    fn total_mass(&self) -> f64 {
        self.masses.iter().flatten().sum()
    }

    /// Mass that moves when the two approach each other, kg.
    pub fn effective_mass(&self) -> f64 {
        match self.masses {
            [Some(a), Some(b)] => a * b / (a + b),
            [Some(m), None] | [None, Some(m)] => m,
            [None, None] => 1.0,
        }
    }
}

/// Presses the pair by the paper's law; the filters' part of the tangents
/// goes to `frictions`, one for every patch. `mesh` is the surface of the overlap,
/// needed for the printed direction alone.
#[expect(clippy::too_many_arguments, reason = "the inputs of one evaluation")]
pub fn press(
    paper: &Paper,
    pair: &Pair,
    overlap: &Overlap,
    mesh: Option<&OverlapMesh>,
    point: DVec3,
    twist: &Twist,
    patches: &[Patch],
    states: &[PatchState],
    normal_contact: &mut NormalContact,
    frictions: &mut [PatchFriction],
) {
    normal_contact.clear(patches.len());
    let whole = std::slice::from_ref(&overlap.total);
    let measures = if paper.per_pair {
        whole
    } else {
        &overlap.components[..]
    };
    for (component, measure) in (0_u32..).zip(measures) {
        let Some(centroid) = measure.centroid else {
            continue;
        };
        let Some(normal) = direction(paper, measure, mesh) else {
            continue;
        };
        let reach = measure.surfaces[0].area.sqrt();
        let owner = if paper.per_pair {
            (!patches.is_empty()).then_some(0)
        } else {
            crate::patch::nearest(patches, centroid, reach, normal)
        };
        let memory = owner.map(|i| (&patches[i], &states[i]));
        let push = push(
            paper,
            pair,
            measure,
            centroid - point,
            normal,
            twist,
            memory,
        );
        if let Some(i) = owner {
            push.write_filter(&mut frictions[i]);
        }
        normal_contact.elastic[1] += push.wrench;
        normal_contact.by_displacement += push.by_displacement;
        let place = Place {
            component,
            centre: centroid,
            reach,
            way: normal,
            push: normal,
        };
        normal_contact.add(patches, &place, &push.piece);
    }
    normal_contact.finish(patches.len());
}

/// The force of one contact.
struct Push {
    wrench: Wrench,
    by_displacement: Matrix6,
    piece: Piece,
    /// Rate of the filter's two states and what they depend on.
    filter_rate: [f64; 2],
    frequency: f64,
    damping_ratio: f64,
    volume_by: [DVec3; 2],
    by_filtered_rate: Wrench,
}

fn push(
    paper: &Paper,
    pair: &Pair,
    measure: &Measure,
    r: DVec3,
    normal: DVec3,
    twist: &Twist,
    memory: Option<(&Patch, &PatchState)>,
) -> Push {
    let surface = &measure.surfaces[0];
    let point = measure.centroid.unwrap_or(DVec3::ZERO) - r;
    let volume = measure.volume;
    // A new contact starts with v_f = V and no rate.
    let [filtered, filtered_rate] = memory.map_or([volume, 0.0], |(_, s)| [s[4], s[5]]);
    let speed = twist.at(r).linear.dot(normal).abs();
    let (created_at, speed) = match memory {
        Some((patch, _)) if paper.latched_speed => (patch.created_at, patch.first_speed),
        Some((patch, _)) => (patch.created_at, speed),
        None => (pair.time, speed),
    };
    let gain = match paper.gain {
        Gain::OnePlus => 1.0 + impact(paper, pair, created_at, speed),
        Gain::Printed => impact(paper, pair, created_at, speed),
    };
    let area = surface.area_vector.length();
    let omega = match paper.filter_frequency {
        FilterFrequency::Fixed(omega) => omega,
        FilterFrequency::OverBound(margin) => {
            margin * paper.stability_bound(area, pair.effective_mass(), gain)
        }
    };
    let zeta = paper.filter_damping;
    let mut force = gain * (paper.stiffness * volume + paper.damping * filtered_rate);
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
            way: volume * normal,
            first: force.abs() * r,
            second: outer(force.abs() * r, r),
            area_vector: area * normal,
            depth: volume / area.max(f64::MIN_POSITIVE),
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
        filter_rate: [
            filtered_rate,
            -2.0 * zeta * omega * filtered_rate + omega * omega * (volume - filtered),
        ],
        frequency: omega,
        damping_ratio: zeta,
        volume_by,
        by_filtered_rate: Wrench::from_force_at(r, pull * normal),
    }
}

impl Push {
    fn write_filter(&self, friction: &mut PatchFriction) {
        let omega2 = self.frequency * self.frequency;
        friction.rate[4] += self.filter_rate[0];
        friction.rate[5] += self.filter_rate[1];
        friction.rate_by_state[4][5] = 1.0;
        friction.rate_by_state[5][4] = -omega2;
        friction.rate_by_state[5][5] = -2.0 * self.damping_ratio * self.frequency;
        for i in 0..3 {
            friction.rate_by_displacement[5][i] += omega2 * self.volume_by[0][i];
            friction.rate_by_displacement[5][i + 3] += omega2 * self.volume_by[1][i];
        }
        set_column(&mut friction.wrench_by_state, 5, self.by_filtered_rate);
    }
}

/// δ_i at this time.
fn impact(paper: &Paper, pair: &Pair, created_at: f64, speed: f64) -> f64 {
    if speed <= 0.0 {
        return 0.0;
    }
    let size = paper.impact_gain * pair.total_mass() * speed;
    let duration = paper.target_depth / speed;
    let peak = match paper.pulse {
        Pulse::AfterContact => created_at + paper.impact_delay * duration,
        Pulse::Printed => paper.impact_delay * duration - created_at,
    };
    let late = (pair.time - peak) / duration;
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
