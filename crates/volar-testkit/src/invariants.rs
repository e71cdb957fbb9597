//! What holds for every overlap, whatever the meshes and the pose: checked
//! without an oracle, by the property tests, the fuzz target and the tables.

use glam::DVec3;
use volar_geom::bvh::Aabb;
use volar_geom::overlap::{Facet, Measure, Overlap, Surface};
use volar_geom::{ClosedMesh, Pose};

use crate::tolerance;

/// The first thing that is wrong with an overlap, if anything is.
pub fn violation(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose, overlap: &Overlap) -> Option<String> {
    let scene = Scene::new(a, b, X_AB, overlap);
    scene.check(a, b, overlap).err()
}

struct Scene {
    /// Largest coordinate of anything, metres.
    extent: f64,
    /// Where an overlap can be.
    common: Aabb,
    /// Area that the rounding of the pose can add to or take from a surface, by
    /// moving its rim: what two honest ways to measure it may differ by.
    blur: f64,
    /// About the length of the longest rim of a facet.
    longest: f64,
}

const TOTAL: &str = "total";

type Check = Result<(), String>;

fn ensure(holds: bool, complaint: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(complaint()) }
}

impl Scene {
    fn new(a: &ClosedMesh, b: &ClosedMesh, X_AB: &Pose, overlap: &Overlap) -> Scene {
        let box_a = a.bounds();
        let box_b = Aabb::around(b.vertices().iter().map(|&p| X_AB.point(p)));
        let all = box_a.union(&box_b);
        let extent = all.min.abs().max(all.max.abs()).max_element();
        let rims = || overlap.facets.iter().flatten().map(rim);
        Scene {
            extent,
            blur: tolerance::pose_rounding(extent) * rims().sum::<f64>(),
            longest: rims().fold(0.0, f64::max),
            common: Aabb {
                min: box_a.min.max(box_b.min),
                max: box_a.max.min(box_b.max),
            },
        }
    }

    fn check(&self, a: &ClosedMesh, b: &ClosedMesh, overlap: &Overlap) -> Check {
        let bodies = [a, b];
        self.check_measure(TOTAL, bodies, &overlap.total)?;
        for (k, component) in overlap.components.iter().enumerate() {
            self.check_measure(&format!("component {k}"), bodies, component)?;
            ensure(component.volume > 0.0, || format!("component {k} is empty"))?;
        }
        self.check_component_sums(overlap)?;
        for (k, body) in bodies.into_iter().enumerate() {
            let count = body.triangles().len();
            ensure(
                overlap.crossing_triangles[k] + overlap.inside_triangles[k] <= count,
                || format!("body {k} has more crossing and inside triangles than triangles"),
            )?;
            for facet in &overlap.facets[k] {
                self.check_facet(facet, body, overlap.components.len())?;
            }
            self.check_surface_sum(
                &format!("body {k}"),
                &overlap.total.surfaces[k],
                |_| true,
                overlap,
                k,
            )?;
            for (c, component) in overlap.components.iter().enumerate() {
                let name = format!("component {c} of body {k}");
                let own = |facet: &Facet| facet.component as usize == c;
                self.check_surface_sum(&name, &component.surfaces[k], own, overlap, k)?;
            }
        }
        self.check_volume_from_facets(overlap)
    }

    fn check_measure(&self, name: &str, bodies: [&ClosedMesh; 2], m: &Measure) -> Check {
        let numbers = [m.volume]
            .into_iter()
            .chain(m.first_moment.to_array())
            .chain(m.centroid.unwrap_or_default().to_array())
            .chain(m.surfaces.iter().flat_map(surface_numbers));
        for number in numbers {
            ensure(number.is_finite(), || format!("{name}: not finite: {m:?}"))?;
        }
        let smaller = bodies[0].volume().min(bodies[1].volume());
        ensure(m.volume >= 0.0 && m.volume <= smaller, || {
            format!("{name}: volume {:e} outside [0, {smaller:e}]", m.volume)
        })?;
        for surface in &m.surfaces {
            ensure(surface.area >= 0.0, || {
                format!("{name}: area {:e}", surface.area)
            })?;
        }
        ensure(m.centroid.is_some() == (m.volume > 0.0), || {
            format!(
                "{name}: volume {:e} with centroid {:?}",
                m.volume, m.centroid
            )
        })?;
        if let Some(c) = m.centroid {
            let slack = DVec3::splat(tolerance::pose_rounding(self.extent));
            let inside =
                c.cmpge(self.common.min - slack).all() && c.cmple(self.common.max + slack).all();
            ensure(inside, || {
                format!("{name}: centroid {c} outside {:?}", self.common)
            })?;
        }
        let area = m.surfaces[0].area + m.surfaces[1].area;
        let gap = (m.surfaces[0].area_vector + m.surfaces[1].area_vector).length();
        // The bar is on the whole overlap. A component may be a speck of a
        // micrometre, and its rim is only as good as the pose. And an area
        // vector is a sum of cross products of sides: for a needle, a hundred
        // million times as long as wide, their rounding is what counts.
        let blur = if name == TOTAL { 0.0 } else { self.blur };
        let needle = f64::EPSILON * self.longest * self.longest;
        ensure(gap <= tolerance::CLOSURE * area + needle + blur, || {
            format!("{name}: open by {gap:e}, area {area:e}")
        })?;
        let twist = (m.surfaces[0].moment_vector + m.surfaces[1].moment_vector).length();
        ensure(
            twist <= (tolerance::CLOSURE * area + self.blur) * self.extent,
            || format!("{name}: ∫ x × n dA = {twist:e} over the whole surface, area {area:e}"),
        )
    }

    fn check_component_sums(&self, overlap: &Overlap) -> Check {
        let total = &overlap.total;
        let sum = |f: fn(&Measure) -> f64| overlap.components.iter().map(f).sum::<f64>();
        let area = total.surfaces[0].area + total.surfaces[1].area;
        let (r, r2) = (self.extent, self.extent * self.extent);
        close("sum of volumes", sum(|m| m.volume), total.volume, area * r)?;
        for k in 0..3 {
            let part = overlap
                .components
                .iter()
                .map(|m| m.first_moment[k])
                .sum::<f64>();
            close(
                "sum of first moments",
                part,
                total.first_moment[k],
                area * r2,
            )?;
        }
        for k in 0..2 {
            let parts = overlap.components.iter().map(|m| &m.surfaces[k]);
            let name = format!("sum of the components of body {k}");
            self.close_surfaces(&name, &added(parts), &total.surfaces[k])?;
        }
        Ok(())
    }

    /// The surface is the sum of its facets.
    fn check_surface_sum(
        &self,
        name: &str,
        surface: &Surface,
        own: impl Fn(&Facet) -> bool,
        overlap: &Overlap,
        body: usize,
    ) -> Check {
        let facets = overlap.facets[body].iter().filter(|&facet| own(facet));
        let parts: Vec<Surface> = facets.map(facet_surface).collect();
        self.close_surfaces(name, &added(parts.iter()), surface)
    }

    fn check_facet(&self, facet: &Facet, body: &ClosedMesh, components: usize) -> Check {
        let valid = (facet.triangle as usize) < body.triangles().len()
            && (facet.component as usize) < components
            && facet.area >= 0.0
            && facet.area.is_finite()
            && facet.centroid.is_finite()
            && (facet.normal.length() - 1.0).abs() < tolerance::SUMS
            && facet.second_moment.iter().all(|m| m.is_finite())
            && facet.second_moment[..3].iter().all(|&m| m >= 0.0);
        ensure(valid, || format!("{facet:?} makes no sense"))
    }

    fn close_surfaces(&self, name: &str, got: &Surface, expected: &Surface) -> Check {
        let blurred = got.area.max(expected.area) + self.blur / tolerance::SUMS;
        close_surfaces(name, got, expected, blurred, self.extent)
    }

    /// `V = ⅓ ∫ (x − c)·n dA` over all facets.
    fn check_volume_from_facets(&self, overlap: &Overlap) -> Check {
        let c = overlap.total.centroid.unwrap_or(self.common.centre());
        let all = || overlap.facets.iter().flatten();
        let reach = all().fold(0.0_f64, |r, f| r.max((f.centroid - c).length()));
        let area = all().map(|f| f.area).sum::<f64>();
        let volume = all()
            .map(|f| f.area * f.normal.dot(f.centroid - c) / 3.0)
            .sum::<f64>();
        let blurred = area + self.blur / tolerance::SUMS;
        close(
            "volume from facets",
            volume,
            overlap.total.volume,
            blurred * reach,
        )
    }
}

/// About the length of a facet's rim, from its radius of gyration.
fn rim(facet: &Facet) -> f64 {
    let polar = facet.second_moment[..3].iter().sum::<f64>();
    if facet.area > 0.0 {
        8.0 * (polar / facet.area).max(0.0).sqrt()
    } else {
        0.0
    }
}

fn close(name: &str, got: f64, expected: f64, scale: f64) -> Check {
    ensure((got - expected).abs() <= tolerance::SUMS * scale, || {
        format!("{name}: {got:e} instead of {expected:e}, scale {scale:e}")
    })
}

/// Compares two surfaces of the given area whose coordinates are at most `extent`.
///
/// # Errors
/// A sentence that names the first pair of numbers that differ.
pub fn close_surfaces(
    name: &str,
    got: &Surface,
    expected: &Surface,
    area: f64,
    extent: f64,
) -> Result<(), String> {
    let scales = surface_scales(area, extent);
    for ((got, expected), scale) in surface_numbers(got)
        .zip(surface_numbers(expected))
        .zip(scales)
    {
        close(name, got, expected, scale)?;
    }
    Ok(())
}

/// Every number of a surface: area, area vector, moment vector.
pub fn surface_numbers(surface: &Surface) -> impl Iterator<Item = f64> + use<> {
    let Surface {
        area,
        area_vector,
        moment_vector,
    } = *surface;
    [area]
        .into_iter()
        .chain(area_vector.to_array())
        .chain(moment_vector.to_array())
}

/// The natural size of each of [`surface_numbers`].
fn surface_scales(area: f64, extent: f64) -> impl Iterator<Item = f64> {
    [area; 4].into_iter().chain([area * extent; 3])
}

fn added<'a>(surfaces: impl Iterator<Item = &'a Surface>) -> Surface {
    surfaces.fold(Surface::default(), |mut sum, surface| {
        sum.area += surface.area;
        sum.area_vector += surface.area_vector;
        sum.moment_vector += surface.moment_vector;
        sum
    })
}

/// The integrals over one facet from its area and centroid.
pub fn facet_surface(facet: &Facet) -> Surface {
    let (n, area) = (facet.normal, facet.area);
    Surface {
        area,
        area_vector: area * n,
        moment_vector: area * facet.centroid.cross(n),
    }
}
