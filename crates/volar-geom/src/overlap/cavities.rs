//! Cavities of the overlap.
//!
//! The surface round a cavity (a hollow body pressed into a solid one, say) is a
//! closed surface of its own with a negative volume. It belongs to the
//! component in which the cavity is.

use std::f64::consts::PI;

use glam::DVec3;
use volar_math::real;

use super::classify::Insides;
use super::components::Components;
use super::crossings::Crossings;
use super::frame::Frame;
use super::measure::Sums;
use super::pieces::Pieces;
use crate::ClosedMesh;

/// Joins every cavity to the component around it. True if there was one; the
/// sums are then out of date.
pub(super) fn attach(
    bodies: [&ClosedMesh; 2],
    frame: &Frame,
    sums: &[Sums],
    crossings: &mut Crossings,
    insides: &Insides,
    pieces: &Pieces,
    components: &mut Components,
) -> bool {
    let is_cavity = |sums: &Sums| sums.volume < 0.0 && !sums.is_rounding(frame);
    if !sums.iter().any(is_cavity) {
        return false;
    }
    let triangles = surface_triangles(bodies, frame, crossings, insides, pieces);
    let numbers = components.component_of.clone();
    let solids: Vec<u32> = (0_u32..)
        .zip(sums)
        .filter(|(_, s)| s.volume > 0.0)
        .map(|(i, _)| i)
        .collect();
    for (cavity, _) in (0_u32..).zip(sums).filter(|(_, s)| is_cavity(s)) {
        // The solid round whose surface the cavity lies, the smallest if nested.
        // Where the two surfaces touch nothing can be told, so one point of the
        // cavity's surface that lies inside is enough: there the solid's surface
        // fills 4π, on it at most 2π if it is flat, outside 0.
        let around = solids.iter().copied().filter(|&solid| {
            let of = |component: u32, element: u32| numbers[element as usize] == component;
            triangles
                .iter()
                .filter(|t| of(cavity, t.0))
                .any(|&(_, [a, b, c])| {
                    let p = (a + b + c) / 3.0;
                    let surface = triangles.iter().filter(|t| of(solid, t.0));
                    surface.map(|t| solid_angle(t.1, p)).sum::<f64>() > 3.0 * PI
                })
        });
        let volume = |solid: u32| sums[solid as usize].volume;
        if let Some(solid) = around.min_by(|&x, &y| volume(x).total_cmp(&volume(y))) {
            let element_in = |component: u32| numbers.iter().position(|&c| c == component);
            if let (Some(x), Some(y)) = (element_in(cavity), element_in(solid)) {
                components.join(x as u32, y as u32);
            }
        }
    }
    components.number();
    true
}

/// Signed triangles that cover the surface, each with its element.
fn surface_triangles(
    bodies: [&ClosedMesh; 2],
    frame: &Frame,
    crossings: &mut Crossings,
    insides: &Insides,
    pieces: &Pieces,
) -> Vec<(u32, [DVec3; 3])> {
    let mut triangles = Vec::new();
    for outline in &pieces.loops.loops {
        let piece = &pieces.pieces[outline.piece as usize];
        let points = &pieces.loops.points[outline.start as usize..outline.end as usize];
        for i in 0..points.len() {
            let [p, q] = [points[i], points[(i + 1) % points.len()]].map(|point| point.position);
            triangles.push((piece.element, [piece.reference, p, q]));
        }
    }
    for body in 0..2 {
        for inside in &insides.triangles[body] {
            let corners = crossings.corners(bodies[body], body, frame, inside.triangle);
            triangles.push((pieces.element_of_patch(inside.patch), corners));
        }
    }
    triangles
}

/// The solid angle of a triangle seen from a point [Van Oosterom & Strackee
/// 1983], positive if the point is on its inner side.
fn solid_angle(triangle: [DVec3; 3], p: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|corner| corner - p);
    let [la, lb, lc] = [a, b, c].map(DVec3::length);
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * real::atan2(a.dot(b.cross(c)), denominator)
}
