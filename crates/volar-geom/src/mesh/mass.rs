//! Mass properties of a solid bounded by triangles.
//!
//! Each triangle spans a tetrahedron with a point r near the mesh. With
//! corners a, b, c relative to r and `d = a·(b × c)`, signed tetrahedra add up to
//!
//! ```text
//! V       = Σ d / 6
//! ∫ x dV  = Σ d (a + b + c) / 24
//! ∫ xxᵀdV = Σ d ((a+b+c)(a+b+c)ᵀ + aaᵀ + bbᵀ + ccᵀ) / 120
//! ```
//!
//! exact for a polyhedron up to rounding [Tonon 2004]. r is the middle of the
//! mesh: about a far origin the tetrahedra would be long, nearly cancel and
//! take the digits with them.

use glam::{DMat3, DVec3};

use super::{ClosedMesh, TriMesh};
use crate::bvh::Aabb;

/// Volume, centroid and second moments of a solid, in the mesh's frame.
///
/// See the example of [`MassProperties`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidMoments {
    /// Volume, m³; positive.
    pub volume: f64,
    /// Centroid, metres.
    pub centroid: DVec3,
    /// `∫ (x − c)(x − c)ᵀ dV` about the centroid c, m⁵.
    pub second_moment: DMat3,
}

/// Mass, centre of mass and inertia of a homogeneous body.
///
/// A wooden cube of 600 kg/m³ with edges of 0.1 m:
///
/// ```
/// use glam::DVec3;
/// use volar_geom::mesh::{mass::SolidMoments, shapes::cuboid};
///
/// let moments = SolidMoments::of(&cuboid(DVec3::splat(0.1))).unwrap();
/// let cube = moments.with_density(600.0);
/// assert!((cube.mass - 0.6).abs() < 1.0e-12); // kg
/// assert!((cube.inertia.z_axis.z - 0.6 * 0.1 * 0.1 / 6.0).abs() < 1.0e-12); // kg m²
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the mesh's frame, metres.
    pub centre_of_mass: DVec3,
    /// Rotational inertia about the centre of mass along the mesh's axes,
    /// kg m².
    pub inertia: DMat3,
}

impl SolidMoments {
    /// The moments of the solid whose surface a mesh is. None when the volume is
    /// not positive; for an open mesh they mean nothing.
    pub fn of(mesh: &TriMesh) -> Option<SolidMoments> {
        moments(&mesh.vertices, &mesh.triangles)
    }

    /// Mass properties at a density in kg/m³.
    pub fn with_density(&self, density: f64) -> MassProperties {
        let trace =
            self.second_moment.x_axis.x + self.second_moment.y_axis.y + self.second_moment.z_axis.z;
        MassProperties {
            mass: density * self.volume,
            centre_of_mass: self.centroid,
            inertia: (DMat3::from_diagonal(DVec3::splat(trace)) - self.second_moment) * density,
        }
    }

    /// Mass properties of a body that weighs `mass` kg.
    pub fn with_mass(&self, mass: f64) -> MassProperties {
        MassProperties {
            mass,
            ..self.with_density(mass / self.volume)
        }
    }
}

impl ClosedMesh {
    /// Volume, centroid and second moments. None when the volume is not
    /// positive.
    pub fn moments(&self) -> Option<SolidMoments> {
        moments(self.vertices(), self.triangles())
    }
}

fn moments(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Option<SolidMoments> {
    let corners = || triangles.iter().map(|t| t.map(|v| vertices[v as usize]));
    let middle = Aabb::around(corners().flatten()).centre();
    let mut volume = 0.0;
    let mut first = DVec3::ZERO;
    let mut second = DMat3::ZERO;
    for triangle in corners() {
        let [a, b, c] = triangle.map(|p| p - middle);
        let d = a.dot(b.cross(c));
        let sum = a + b + c;
        volume += d / 6.0;
        first += sum * (d / 24.0);
        second += (outer(sum) + outer(a) + outer(b) + outer(c)) * (d / 120.0);
    }
    if !(volume > 0.0 && volume.is_finite()) {
        return None;
    }
    let centroid = first / volume;
    Some(SolidMoments {
        volume,
        centroid: middle + centroid,
        second_moment: second - outer(centroid) * volume,
    })
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::mesh::shapes::cuboid;

    fn assert_close(got: DMat3, want: DMat3, tolerance: f64) {
        let error = (got - want)
            .abs()
            .to_cols_array()
            .into_iter()
            .fold(0.0, f64::max);
        assert!(error <= tolerance, "{got} is not {want}");
    }

    #[test]
    fn a_box_has_its_textbook_inertia() {
        let size = DVec3::new(0.2, 0.3, 0.5);
        let got = SolidMoments::of(&cuboid(size)).unwrap().with_mass(6.0);
        assert!(got.centre_of_mass.length() < 1e-17);
        // m/12 (b² + c²) and so on.
        let squares = size * size;
        let want = 0.5 * (squares.element_sum() - squares);
        assert_close(got.inertia, DMat3::from_diagonal(want), 1e-15);
    }

    #[test]
    fn distance_from_the_origin_costs_no_digits() {
        let size = DVec3::new(0.25, 0.5, 0.125);
        let far = DVec3::new(1024.0, -512.0, 2048.0);
        let near = SolidMoments::of(&cuboid(size))
            .unwrap()
            .with_density(1000.0);
        let moved = cuboid(size).transformed(1.0, &Pose::from_translation(far));
        let moved = SolidMoments::of(&moved).unwrap().with_density(1000.0);
        assert!((moved.mass - near.mass).abs() < 1e-12 * near.mass);
        assert!((moved.centre_of_mass - far).length() < 1e-12);
        assert_close(moved.inertia, near.inertia, 1e-14);
    }

    #[test]
    fn a_corner_tetrahedron_has_its_closed_form() {
        // Corner at the origin, legs of length 1: V = 1/6, c = ¼,
        // ∫ x² = 1/60, ∫ xy = 1/120 about the origin.
        let mesh = TriMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        };
        let got = SolidMoments::of(&mesh).unwrap();
        assert!((got.volume - 1.0 / 6.0).abs() < 1e-16);
        assert!((got.centroid - DVec3::splat(0.25)).length() < 1e-15);
        let (square, product) = (1.0 / 60.0 - 1.0 / 96.0, 1.0 / 120.0 - 1.0 / 96.0);
        let want = DMat3::from_cols(
            DVec3::new(square, product, product),
            DVec3::new(product, square, product),
            DVec3::new(product, product, square),
        );
        assert_close(got.second_moment, want, 1e-16);
        let inertia = got.with_density(6.0).inertia;
        assert!((inertia.x_axis.x - 12.0 * square).abs() < 1e-15);
        assert!((inertia.x_axis.y + 6.0 * product).abs() < 1e-15);
    }

    #[test]
    fn an_inside_out_mesh_has_none() {
        let mut mesh = cuboid(DVec3::ONE);
        mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert_eq!(SolidMoments::of(&mesh), None);
        assert_eq!(SolidMoments::of(&TriMesh::default()), None);
    }
}
