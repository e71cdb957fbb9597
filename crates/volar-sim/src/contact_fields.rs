//! The field table of a contact: what recordings, tables and viewers need to know of
//! each figure, so that none of them lists the figures itself.

use glam::DVec3;

use crate::contacts::Contact;

/// A figure of a contact.
///
/// A table of contacts needs no list of figures of its own:
///
/// ```
/// use volar_sim::{Contact, Shape};
///
/// let columns: Vec<String> = Contact::FIELDS.iter().flat_map(|field| field.columns()).collect();
/// assert_eq!(columns[..3], ["point_x", "point_y", "point_z"]);
///
/// let contact = Contact { depth: 2.0e-4, ..Contact::default() };
/// let depth = Contact::FIELDS.iter().find(|field| field.name == "depth").unwrap();
/// assert_eq!((depth.shape, depth.unit), (Shape::Number, "m"));
/// assert_eq!((depth.values)(&contact), [2.0e-4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ContactField {
    /// Name, the same in Rust, in recordings and in the page.
    pub name: &'static str,
    /// SI unit; `1` for a figure without.
    pub unit: &'static str,
    /// A number, or a vector in world axes.
    pub shape: Shape,
    /// How it goes from one frame to the next.
    pub interpolation: Interpolation,
    /// One value, or three of a vector.
    pub values: fn(&Contact) -> &[f64],
    /// The same, to change.
    pub values_mut: fn(&mut Contact) -> &mut [f64],
    pub(crate) doc: &'static str,
}

/// How many numbers a figure has.
///
/// See the example of [`ContactField`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// x, y and z in world axes.
    Vector,
}

/// How a figure goes from one frame to the next.
///
/// ```
/// use volar_sim::Contact;
///
/// let before = Contact { normal_force: 1.0, created_at: 0.1, ..Contact::default() };
/// let after = Contact { normal_force: 3.0, created_at: 0.2, ..Contact::default() };
/// let between = before.interpolated(&after, 0.25);
/// assert_eq!(between.normal_force, 1.5); // N: linear
/// assert_eq!(between.created_at, 0.1); // s: nearest
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Along a straight line.
    Linear,
    /// Along a straight line, scaled to length 1.
    Direction,
    /// As it is in the nearer frame.
    Nearest,
}

impl ContactField {
    /// What the figure is: a sentence.
    pub fn about(&self) -> &'static str {
        self.doc.trim()
    }

    /// Names of its numbers where each has a column of its own: `depth`, or
    /// `point_x`, `point_y`, `point_z`.
    pub fn columns(&self) -> Vec<String> {
        match self.shape {
            Shape::Number => vec![self.name.to_owned()],
            Shape::Vector => ["x", "y", "z"]
                .map(|axis| format!("{}_{axis}", self.name))
                .to_vec(),
        }
    }
}

impl Contact {
    /// This contact on its way to a later state of the same contact; `u` is 0 here and
    /// 1 there.
    pub fn interpolated(&self, later: &Contact, u: f64) -> Contact {
        let mut between = *self;
        for field in Contact::FIELDS {
            let (start, end) = ((field.values)(self), (field.values)(later));
            let values = (field.values_mut)(&mut between);
            for (value, (x, y)) in values.iter_mut().zip(start.iter().zip(end)) {
                *value = match field.interpolation {
                    Interpolation::Nearest if u < 0.5 => *x,
                    Interpolation::Nearest => *y,
                    _ => x + u * (y - x),
                };
            }
            if field.interpolation == Interpolation::Direction {
                let length = values.iter().map(|v| v * v).sum::<f64>().sqrt();
                let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
                values.iter_mut().for_each(|v| *v *= scale);
            }
        }
        between
    }
}

/// What a figure of a contact can be.
pub(crate) trait Figure {
    const SHAPE: Shape;
    fn values(&self) -> &[f64];
    fn values_mut(&mut self) -> &mut [f64];
}

impl Figure for f64 {
    const SHAPE: Shape = Shape::Number;
    fn values(&self) -> &[f64] {
        std::slice::from_ref(self)
    }
    fn values_mut(&mut self) -> &mut [f64] {
        std::slice::from_mut(self)
    }
}

impl Figure for DVec3 {
    const SHAPE: Shape = Shape::Vector;
    fn values(&self) -> &[f64] {
        self.as_ref()
    }
    fn values_mut(&mut self) -> &mut [f64] {
        self.as_mut()
    }
}

/// Makes the struct [`Contact`] and its table [`Contact::FIELDS`] from one list of
/// `name: type, unit, interpolation;`.
macro_rules! contact_record {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $type:ty, $unit:literal, $interpolation:ident;
    )*) => {
        /// One patch of contact between two bodies. World axes, SI units; forces act on
        /// body `a`, and the opposite ones on `b`.
        ///
        /// A cube of 0.1 kg at rest on the floor:
        ///
        /// ```
        /// use volar_sim::{Body, ModelBuilder, Simulation};
        /// # use std::sync::Arc;
        /// # use glam::DVec3;
        /// # use volar_contact::Material;
        /// # use volar_geom::{ClosedMesh, mesh::shapes::cuboid};
        /// # let mesh = Arc::new(ClosedMesh::checked(cuboid(DVec3::splat(0.04)))?);
        /// # let rubber = Material::named("rubber").unwrap();
        /// # let mut builder = ModelBuilder::new();
        /// # let floor = builder.add(Body::ground("floor", DVec3::ZERO, DVec3::Z, rubber).unwrap());
        /// # let cube = builder.add(Body::free("cube", mesh, 0.1, rubber).at([0.0, 0.0, 0.02]));
        /// # let model = builder.build()?;
        /// # let mut sim = Simulation::start(model)?;
        /// sim.advance_to(1.0)?;
        /// let contacts = sim.contacts_of(cube);
        /// let support: DVec3 = contacts.iter().map(|contact| contact.normal_force_on(cube)).sum();
        /// assert!((support - DVec3::new(0.0, 0.0, 0.981)).length() < 1.0e-3); // N, world axes
        /// assert_eq!(contacts[0].other(cube), Some(floor));
        /// assert!(contacts[0].friction_margin > 0.9); // far from slipping
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize,
        )]
        pub struct Contact {
            /// The body that the forces act on.
            pub a: BodyId,
            /// The body that the opposite forces act on.
            pub b: BodyId,
            $(
                $(#[doc = $doc])+
                #[doc = concat!("\n\nUnit: ", $unit, ".")]
                pub $name: $type,
            )*
        }

        impl Contact {
            /// All figures, in the order of their numbers in recordings: new ones go to
            /// the end.
            pub const FIELDS: &'static [ContactField] = &[$(
                ContactField {
                    name: stringify!($name),
                    unit: $unit,
                    shape: <$type as Figure>::SHAPE,
                    interpolation: Interpolation::$interpolation,
                    values: |contact| contact.$name.values(),
                    values_mut: |contact| contact.$name.values_mut(),
                    doc: concat!($($doc),+),
                },
            )*];
        }
    };
}
pub(crate) use contact_record;
