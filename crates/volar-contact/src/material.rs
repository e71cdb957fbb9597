//! What bodies are made of, and what two of them make together.
//!
//! The physical picture: under the surface of a body lies an elastic layer of
//! thickness h and Young's modulus E. Pressed in by a depth φ it answers with
//! a pressure `E φ / h`, so the stiffness is `g = E / h` (N/m³; the paper's
//! g₁). A real rubber pad is such a layer. For a hard solid h is the depth to
//! which a patch of finger size strains it, about a centimetre.
//!
//! Two layers pressed together are springs in series:
//!
//! ```text
//! 1/g = 1/g_A + 1/g_B      same for the shear stiffness
//! share of A's layer in the depth: (1/g_A) / (1/g_A + 1/g_B)
//! damping time: by the same shares
//! μ = √(μ_A μ_B),  β = β_A + β_B
//! ```

/// What a body is made of.
///
/// ```
/// use volar_contact::Material;
///
/// let rubber = Material::named("rubber").unwrap().with_friction(0.9);
/// assert_eq!(rubber.stiffness, 7.5e8); // N/m³: 3 MPa over a layer of 4 mm
///
/// // A layer of one's own: 0.5 MPa, 6 mm, Poisson's ratio 0.45.
/// let gel = Material { damping_time: 5.0e-3, ..Material::layer(0.5e6, 6.0e-3, 0.45) }; // s
/// assert!(gel.is_valid());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Pressure per depth, N/m³: modulus over thickness of the elastic layer
    /// (the paper's g₁).
    pub stiffness: f64,
    /// Shear traction per tangential deflection, N/m³.
    pub shear_stiffness: f64,
    /// Damping over stiffness, s: the time in which the layer relaxes (the
    /// paper's g₂ is stiffness times this).
    pub damping_time: f64,
    /// Coulomb friction coefficient μ.
    pub friction: f64,
    /// Viscous friction of a contact β, N s/m.
    pub viscous_friction: f64,
}

/// Layer modulus (Pa), thickness (m), Poisson's ratio, damping time (s), μ.
const TABLE: [(&str, f64, f64, f64, f64, f64); 7] = [
    ("rubber", 3.0e6, 4.0e-3, 0.5, 1.0e-3, 0.8),
    ("silicone", 1.0e6, 4.0e-3, 0.5, 1.0e-3, 1.0),
    ("foam", 1.0e5, 1.0e-2, 0.3, 4.0e-3, 0.8),
    ("wood", 1.0e9, 1.0e-2, 0.3, 2.0e-4, 0.5),
    ("plastic", 2.5e9, 1.0e-2, 0.4, 1.0e-4, 0.4),
    // Modulus and Poisson's ratio of common alloys. Damping time and friction are those
    // of steel: both are metals with an oxide layer, dry and not freshly cleaned.
    ("aluminium", 7.0e10, 1.0e-2, 0.33, 2.0e-5, 0.3),
    ("steel", 2.0e11, 1.0e-2, 0.3, 2.0e-5, 0.3),
];

impl Material {
    /// The names that [`Material::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|row| row.0)
    }

    /// A material of the table.
    pub fn named(name: &str) -> Option<Material> {
        let row = TABLE.iter().find(|row| row.0 == name)?;
        let &(_, modulus, thickness, poisson, damping_time, friction) = row;
        Some(Material {
            damping_time,
            friction,
            ..Material::layer(modulus, thickness, poisson)
        })
    }

    /// An elastic layer of Young's modulus (Pa) and thickness (m); damping
    /// time 1 ms and μ = 0.5 until set otherwise.
    pub fn layer(modulus: f64, thickness: f64, poisson: f64) -> Material {
        let stiffness = modulus / thickness;
        Material {
            stiffness,
            shear_stiffness: stiffness / (2.0 * (1.0 + poisson)),
            damping_time: 1.0e-3,
            friction: 0.5,
            viscous_friction: 0.0,
        }
    }

    /// The same with another friction coefficient.
    pub fn with_friction(self, friction: f64) -> Material {
        Material { friction, ..self }
    }

    /// True when every value is finite and none is negative, and the
    /// stiffness is positive.
    pub fn is_valid(&self) -> bool {
        let positive = [self.stiffness, self.shear_stiffness];
        let others = [self.damping_time, self.friction, self.viscous_friction];
        positive.iter().all(|v| v.is_finite() && *v > 0.0)
            && others.iter().all(|v| v.is_finite() && *v >= 0.0)
    }
}

/// What two materials make together: a foundation of springs, dampers and bristles.
///
/// ```
/// use volar_contact::{Material, PairMaterial};
///
/// let rubber = Material::named("rubber").unwrap();
/// let pair = PairMaterial::of(&rubber, &rubber);
/// assert_eq!(pair.stiffness, 0.5 * rubber.stiffness); // N/m³: two layers in series
/// assert_eq!(pair.shares, [0.5, 0.5]);
///
/// let steel = Material::named("steel").unwrap();
/// assert_eq!(PairMaterial::of(&rubber, &steel).shares, [1.0, 0.0]); // steel is taken as rigid
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMaterial {
    /// Pressure per depth g, N/m³.
    pub stiffness: f64,
    /// How much of it follows the depth in A, and in B; they add up to 1.
    pub shares: [f64; 2],
    /// Shear traction per deflection g_t, N/m³.
    pub shear_stiffness: f64,
    /// Damping over stiffness, s.
    pub damping_time: f64,
    /// Coulomb friction coefficient μ.
    pub friction: f64,
    /// Viscous friction β, N s/m.
    pub viscous_friction: f64,
    /// While a start in overlap is released: damping of the release over
    /// stiffness, s; zero otherwise.
    pub release_time: f64,
}

/// A layer that takes less than this share of the depth, because it is more than
/// four times as stiff as the other, is taken as rigid: its depth field, which is
/// most of the work on a fine or rugged body, then need not be found.
///
/// Both fields press with the overlap volume times the stiffness, each along its
/// own directions, so what this changes is the share times the difference of
/// the mean directions: under 1 % of the force where faces are flat, up to 13 %
/// where a corner is pressed into a face (`suite/foundation.rs`), that is, 4 %
/// of its depth. The stiffness of a hard layer is not known nearly as well.
const RIGID_SHARE: f64 = 0.2;

impl PairMaterial {
    /// The pair material of a pair.
    pub fn of(a: &Material, b: &Material) -> PairMaterial {
        let series = |x: f64, y: f64| x * y / (x + y);
        let share = b.stiffness / (a.stiffness + b.stiffness);
        let share = if share < RIGID_SHARE {
            0.0
        } else if share > 1.0 - RIGID_SHARE {
            1.0
        } else {
            share
        };
        PairMaterial {
            stiffness: series(a.stiffness, b.stiffness),
            shares: [share, 1.0 - share],
            shear_stiffness: series(a.shear_stiffness, b.shear_stiffness),
            damping_time: share * a.damping_time + (1.0 - share) * b.damping_time,
            friction: (a.friction * b.friction).sqrt(),
            viscous_friction: a.viscous_friction + b.viscous_friction,
            release_time: 0.0,
        }
    }
}
