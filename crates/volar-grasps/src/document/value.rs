//! A tree of values in the order of the file.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    /// Keys in the order of the file.
    Dict(Vec<(String, Value)>),
    Array(Box<Array>),
}

/// An array of numpy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array {
    pub shape: Vec<usize>,
    pub content: Content,
    /// One number, not an array with one.
    pub is_scalar: bool,
}

/// The elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// A type as numpy names it (`<f8`) and the bytes.
    Numbers(String, Vec<u8>),
    Objects(Vec<Value>),
}

impl Array {
    /// Doubles.
    pub fn doubles(shape: Vec<usize>, numbers: &[f64]) -> Array {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        Array {
            shape,
            content: Content::Numbers("<f8".into(), bytes.collect()),
            is_scalar: false,
        }
    }

    /// True and false.
    pub fn flags(flags: &[bool]) -> Array {
        let bytes = flags.iter().map(|flag| u8::from(*flag));
        Array {
            shape: vec![flags.len()],
            content: Content::Numbers("|b1".into(), bytes.collect()),
            is_scalar: false,
        }
    }

    /// A list of objects.
    pub fn objects(items: Vec<Value>) -> Array {
        Array {
            shape: vec![items.len()],
            content: Content::Objects(items),
            is_scalar: false,
        }
    }

    /// Number of elements that the shape says; none where that is no number.
    pub fn len(&self) -> Option<usize> {
        let sizes = self.shape.iter();
        sizes.copied().try_fold(1_usize, usize::checked_mul)
    }

    /// The numbers; none where it has other elements.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let Content::Numbers(kind, bytes) = &self.content else {
            return None;
        };
        macro_rules! each {
            ($number:ty, $read:ident) => {
                bytes
                    .chunks_exact(size_of::<$number>())
                    .map(|b| <$number>::$read(b.try_into().unwrap_or_default()) as f64)
                    .collect()
            };
        }
        Some(match kind.as_str() {
            "<f8" => each!(f64, from_le_bytes),
            ">f8" => each!(f64, from_be_bytes),
            "<f4" => each!(f32, from_le_bytes),
            ">f4" => each!(f32, from_be_bytes),
            "<i8" => each!(i64, from_le_bytes),
            "<i4" => each!(i32, from_le_bytes),
            "<i2" => each!(i16, from_le_bytes),
            "|i1" => each!(i8, from_le_bytes),
            "<u8" => each!(u64, from_le_bytes),
            "<u4" => each!(u32, from_le_bytes),
            "<u2" => each!(u16, from_le_bytes),
            "|u1" | "|b1" => bytes.iter().map(|byte| f64::from(*byte)).collect(),
            _ => return None,
        })
    }
}

impl Value {
    pub fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    pub fn array(array: Array) -> Value {
        Value::Array(Box::new(array))
    }

    /// A dict from pairs.
    pub fn dict<const N: usize>(pairs: [(&str, Value); N]) -> Value {
        Value::Dict(pairs.map(|(key, value)| (key.to_owned(), value)).into())
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        let Value::Dict(pairs) = self else {
            return None;
        };
        let mut pairs = pairs.iter();
        pairs.find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// By several keys, one inside of the other.
    pub fn at(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    /// Puts a value under a key, in place of what is there.
    pub fn set(&mut self, key: &str, value: Value) {
        if let Value::Dict(pairs) = self {
            match pairs.iter_mut().find(|(name, _)| name == key) {
                Some((_, slot)) => *slot = value,
                None => pairs.push((key.to_owned(), value)),
            }
        }
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        let Value::Dict(pairs) = self else {
            return None;
        };
        let mut pairs = pairs.iter_mut();
        pairs.find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The elements of a list, or of an array of objects.
    pub fn items(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            Value::Array(array) => match &array.content {
                Content::Objects(items) => Some(items),
                Content::Numbers(..) => None,
            },
            _ => None,
        }
    }

    pub fn items_mut(&mut self) -> Option<&mut Vec<Value>> {
        match self {
            Value::List(items) => Some(items),
            Value::Array(array) => match &mut array.content {
                Content::Objects(items) => Some(items),
                Content::Numbers(..) => None,
            },
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number, also one of numpy.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            Value::Array(array) => match array.numbers()?[..] {
                [number] => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// True or false, also as a number.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            other => other.as_number().map(|number| number > 0.5),
        }
    }

    /// All numbers; true or false is 1 or 0.
    pub fn as_numbers_or_bools(&self) -> Option<Vec<f64>> {
        match self {
            Value::Bool(flag) => Some(vec![f64::from(u8::from(*flag))]),
            other => other.as_numbers(),
        }
    }

    /// All numbers of an array, or of lists in lists; none where something is no number.
    pub fn as_numbers(&self) -> Option<Vec<f64>> {
        fn collect(value: &Value, numbers: &mut Vec<f64>) -> Option<()> {
            match value {
                Value::Array(array) if !array.is_scalar => numbers.extend(array.numbers()?),
                Value::List(items) => items.iter().try_for_each(|v| collect(v, numbers))?,
                other => numbers.push(other.as_number()?),
            }
            Some(())
        }
        let mut numbers = Vec::new();
        collect(self, &mut numbers)?;
        Some(numbers)
    }
}
