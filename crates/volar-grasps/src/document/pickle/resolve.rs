//! Objects as a tree. Objects that are shared are copied, so a tree may be larger than its
//! file; but not by much, or it is refused.

use super::super::value::{Array, Content, Value};
use super::machine::Object;

/// Trees that are deeper are of no dataset.
const DEEPEST: usize = 32;
/// Values for each byte of the file, at most: a shared number takes two bytes.
const VALUES_PER_BYTE: usize = 2;
/// Bytes of text and arrays for each byte of the file, at most: a shared name takes two.
const BYTES_PER_BYTE: usize = 64;

struct Resolver<'a> {
    objects: &'a [Object],
    values_left: usize,
    bytes_left: usize,
}

pub fn tree(objects: &[Object], root: usize, length: usize) -> Result<Value, String> {
    let mut resolver = Resolver {
        objects,
        values_left: 64 + VALUES_PER_BYTE * length,
        bytes_left: 4096 + BYTES_PER_BYTE * length,
    };
    resolver.value(root, 0)
}

impl Resolver<'_> {
    fn spend(&mut self, bytes: usize) -> Result<(), String> {
        let values = self.values_left.checked_sub(1);
        let bytes = self.bytes_left.checked_sub(bytes);
        let (Some(values), Some(bytes)) = (values, bytes) else {
            return Err("the pickle is much larger than its file: it refers to itself".into());
        };
        (self.values_left, self.bytes_left) = (values, bytes);
        Ok(())
    }

    fn value(&mut self, id: usize, depth: usize) -> Result<Value, String> {
        if depth == DEEPEST {
            return Err(format!("lists and dicts more than {DEEPEST} deep"));
        }
        self.spend(0)?;
        let objects = self.objects;
        Ok(match &objects[id] {
            Object::None => Value::None,
            Object::Bool(flag) => Value::Bool(*flag),
            Object::Int(number) => Value::Int(*number),
            Object::Float(number) => Value::Float(*number),
            Object::Text(text) => {
                self.spend(text.len())?;
                Value::Text(text.clone())
            }
            Object::Bytes(bytes) => {
                self.spend(bytes.len())?;
                Value::Bytes(bytes.clone())
            }
            Object::List(items) => Value::List(self.values(items, depth)?),
            Object::Dict(pairs) => {
                let mut all = Vec::new();
                for (key, value) in pairs {
                    let Value::Text(key) = self.value(*key, depth + 1)? else {
                        return Err("a dict with a key that is no text".into());
                    };
                    all.push((key, self.value(*value, depth + 1)?));
                }
                Value::Dict(all)
            }
            Object::Array(Some([shape, kind, elements])) => {
                Value::array(self.array(*shape, *kind, *elements, depth)?)
            }
            Object::Scalar(kind, bytes) => {
                let kind = self.kind(*kind)?;
                let Object::Bytes(bytes) = &objects[*bytes] else {
                    return Err("a number without its bytes".into());
                };
                self.spend(bytes.len())?;
                let array = Array {
                    shape: Vec::new(),
                    content: Content::Numbers(kind, bytes.clone()),
                    is_scalar: true,
                };
                sound(array)?
            }
            Object::Array(None) | Object::Name(_) | Object::Kind(..) => {
                return Err("a name where a value belongs".into());
            }
        })
    }

    fn values(&mut self, items: &[usize], depth: usize) -> Result<Vec<Value>, String> {
        // Not collected with a size hint: a file may promise more than it has.
        let mut all = Vec::new();
        for item in items {
            all.push(self.value(*item, depth + 1)?);
        }
        Ok(all)
    }

    fn kind(&mut self, id: usize) -> Result<String, String> {
        match &self.objects[id] {
            Object::Kind(code, order) => {
                self.spend(code.len())?;
                Ok(format!("{order}{code}"))
            }
            _ => Err("an array without a type".into()),
        }
    }

    fn array(
        &mut self,
        shape: usize,
        kind: usize,
        elements: usize,
        depth: usize,
    ) -> Result<Array, String> {
        let kind = self.kind(kind)?;
        let Object::List(sizes) = &self.objects[shape] else {
            return Err("an array without a shape".into());
        };
        let sizes = sizes.iter().map(|size| match self.objects[*size] {
            Object::Int(size) => usize::try_from(size).ok(),
            _ => None,
        });
        let shape: Option<Vec<usize>> = sizes.collect();
        let shape = shape.ok_or("a shape that is none")?;
        let objects = self.objects;
        let content = match &objects[elements] {
            Object::Bytes(bytes) if !kind.ends_with("O8") => {
                self.spend(bytes.len())?;
                Content::Numbers(kind, bytes.clone())
            }
            Object::List(items) if kind.ends_with("O8") => {
                Content::Objects(self.values(items, depth)?)
            }
            _ => return Err("an array without elements".into()),
        };
        let array = Array {
            shape,
            content,
            is_scalar: false,
        };
        match sound(array)? {
            Value::Array(array) => Ok(*array),
            _ => Err("an array without elements".into()),
        }
    }
}

/// An array that has as many elements as its shape says.
fn sound(array: Array) -> Result<Value, String> {
    let count = match &array.content {
        Content::Objects(items) => Some(items.len()),
        Content::Numbers(kind, bytes) => {
            let size = kind.get(2..).and_then(|size| size.parse::<usize>().ok());
            let size = size.filter(|size| *size > 0 && bytes.len().is_multiple_of(*size));
            // Text of numpy has four bytes a letter; it is kept, and never looked at.
            let size = size.map(|size| if kind.contains('U') { 4 * size } else { size });
            size.map(|size| bytes.len() / size)
        }
    };
    match count.is_some() && count == array.len() {
        true => Ok(Value::array(array)),
        false => Err("an array that is not as long as its shape says".into()),
    }
}
