//! The field table of a contact: what recordings, tables and viewers need to know of
//! each figure, so that none of them lists the figures itself.

use glam::DVec3;

use crate::contacts::Contact;

/// A figure of a contact.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One.
    Number,
    /// x, y and z in world axes.
    Vector,
}

/// How a figure goes from one frame to the next.
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
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
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
