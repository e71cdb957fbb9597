//! The machine: operations change a stack of objects, which refer to each other by number.

/// An object while a pickle is read.
#[derive(Clone, Debug)]
pub enum Object {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<usize>),
    Dict(Vec<(usize, usize)>),
    Name(Name),
    /// A type of elements: code (`f8`) and order of bytes.
    Kind(String, char),
    /// An array; its state comes later: shape, kind, elements.
    Array(Option<[usize; 3]>),
    /// One number: kind and bytes.
    Scalar(usize, usize),
}

/// What pickles of numpy call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Reconstruct,
    Ndarray,
    Dtype,
    Scalar,
    Encode,
    /// An `OrderedDict` without entries.
    OrderedDict,
}

/// Objects are kept to this number at most, whatever the file says.
const MOST_OBJECTS: usize = 1 << 28;

type Fault = (usize, String);

struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    objects: Vec<Object>,
    stack: Vec<usize>,
    /// Lengths of the stack at its marks.
    marks: Vec<usize>,
    memo: Vec<Option<usize>>,
}

/// All objects, and the number of the one that the pickle is.
pub fn run(bytes: &[u8]) -> Result<(Vec<Object>, usize), Fault> {
    let mut machine = Machine {
        bytes,
        at: 0,
        objects: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: Vec::new(),
    };
    loop {
        let at = machine.at;
        let ended = machine.step().map_err(|message| (at, message))?;
        if let Some(root) = ended {
            return Ok((machine.objects, root));
        }
    }
}

impl<'a> Machine<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        self.at = end.unwrap_or(self.at);
        taken.ok_or_else(|| "the pickle is cut".into())
    }

    fn number<const N: usize>(&mut self) -> Result<u64, String> {
        let mut all = [0; 8];
        all[..N].copy_from_slice(self.take(N)?);
        Ok(u64::from_le_bytes(all))
    }

    /// Bytes with their length before them.
    fn counted<const N: usize>(&mut self) -> Result<&'a [u8], String> {
        let count = usize::try_from(self.number::<N>()?);
        self.take(count.map_err(|_| "a length that is none")?)
    }

    fn text<const N: usize>(&mut self) -> Result<String, String> {
        let bytes = self.counted::<N>()?;
        String::from_utf8(bytes.to_vec()).map_err(|_| "text that is not UTF-8".into())
    }

    fn line(&mut self) -> Result<&'a str, String> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n');
        let line = self.take(end.ok_or("the pickle is cut")? + 1)?;
        std::str::from_utf8(&line[..line.len() - 1]).map_err(|_| "a name that is no text".into())
    }

    fn make(&mut self, object: Object) -> Result<usize, String> {
        if self.objects.len() == MOST_OBJECTS {
            return Err("more objects than are read".into());
        }
        self.objects.push(object);
        Ok(self.objects.len() - 1)
    }

    fn push(&mut self, object: Object) -> Result<(), String> {
        let id = self.make(object)?;
        self.stack.push(id);
        Ok(())
    }

    fn pop(&mut self) -> Result<usize, String> {
        let bottom = self.marks.last().copied().unwrap_or(0);
        match self.stack.len() > bottom {
            true => self.stack.pop().ok_or_else(|| "an empty stack".into()),
            false => Err("an operation without its operands".into()),
        }
    }

    fn top(&self) -> Result<usize, String> {
        let top = self.stack.last().copied();
        top.ok_or_else(|| "an operation without its operands".into())
    }

    fn since_mark(&mut self) -> Result<Vec<usize>, String> {
        let mark = self.marks.pop().ok_or("a mark is missing")?;
        Ok(self.stack.split_off(mark))
    }

    fn tuple(&mut self, count: usize) -> Result<(), String> {
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(self.pop()?);
        }
        items.reverse();
        self.push(Object::List(items))
    }

    fn remember(&mut self, slot: usize) -> Result<(), String> {
        // Slots are counted up; one far beyond is of no pickle that was written.
        if slot > self.memo.len() + self.bytes.len() {
            return Err("a memo that is out of order".into());
        }
        if slot >= self.memo.len() {
            self.memo.resize(slot + 1, None);
        }
        self.memo[slot] = Some(self.top()?);
        Ok(())
    }

    fn recall(&mut self, slot: usize) -> Result<(), String> {
        let id = self.memo.get(slot).copied().flatten();
        self.stack.push(id.ok_or("a memo that is not there")?);
        Ok(())
    }

    /// One operation; the root at the last.
    fn step(&mut self) -> Result<Option<usize>, String> {
        let code = self.take(1)?[0];
        match code {
            b'.' => return self.pop().map(Some),
            0x80 => match self.number::<1>()? {
                2..=5 => {}
                other => return Err(format!("a pickle of protocol {other}, which is not read")),
            },
            0x95 => _ = self.number::<8>()?,
            b'(' => self.marks.push(self.stack.len()),
            b'0' => _ = self.pop()?,
            b'N' => self.push(Object::None)?,
            0x88 => self.push(Object::Bool(true))?,
            0x89 => self.push(Object::Bool(false))?,
            b'K' => {
                let number = self.number::<1>()?;
                self.push(Object::Int(number as i64))?;
            }
            b'M' => {
                let number = self.number::<2>()?;
                self.push(Object::Int(number as i64))?;
            }
            b'J' => {
                let number = self.number::<4>()? as u32 as i32;
                self.push(Object::Int(i64::from(number)))?;
            }
            0x8a => {
                let digits = self.counted::<1>()?;
                let number = long(digits).ok_or("a whole number of more than 64 bits")?;
                self.push(Object::Int(number))?;
            }
            b'G' => {
                let mut all = [0; 8];
                all.copy_from_slice(self.take(8)?);
                self.push(Object::Float(f64::from_be_bytes(all)))?;
            }
            b'X' => {
                let text = self.text::<4>()?;
                self.push(Object::Text(text))?;
            }
            0x8c => {
                let text = self.text::<1>()?;
                self.push(Object::Text(text))?;
            }
            0x8d => {
                let text = self.text::<8>()?;
                self.push(Object::Text(text))?;
            }
            b'C' | b'U' => {
                let bytes = self.counted::<1>()?.to_vec();
                self.push(Object::Bytes(bytes))?;
            }
            b'B' | b'T' => {
                let bytes = self.counted::<4>()?.to_vec();
                self.push(Object::Bytes(bytes))?;
            }
            0x8e | 0x96 => {
                let bytes = self.counted::<8>()?.to_vec();
                self.push(Object::Bytes(bytes))?;
            }
            b'q' => {
                let slot = self.number::<1>()? as usize;
                self.remember(slot)?;
            }
            b'r' => {
                let slot = self.number::<4>()? as usize;
                self.remember(slot)?;
            }
            0x94 => self.remember(self.memo.len())?,
            b'h' => {
                let slot = self.number::<1>()? as usize;
                self.recall(slot)?;
            }
            b'j' => {
                let slot = self.number::<4>()? as usize;
                self.recall(slot)?;
            }
            b')' | b']' => self.push(Object::List(Vec::new()))?,
            0x85..=0x87 => self.tuple(usize::from(code - 0x84))?,
            b't' | b'l' => {
                let items = self.since_mark()?;
                self.push(Object::List(items))?;
            }
            b'a' => {
                let item = self.pop()?;
                self.extend(&[item])?;
            }
            b'e' => {
                let items = self.since_mark()?;
                self.extend(&items)?;
            }
            b'}' => self.push(Object::Dict(Vec::new()))?,
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.insert(&[key, value])?;
            }
            b'u' => {
                let items = self.since_mark()?;
                self.insert(&items)?;
            }
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                self.push(Object::Name(known(module, name)?))?;
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let (Object::Text(name), Object::Text(module)) =
                    (&self.objects[name], &self.objects[module])
                else {
                    return Err("a name that is no text".into());
                };
                let name = known(module, name)?;
                self.push(Object::Name(name))?;
            }
            b'R' => self.call()?,
            b'b' => self.build()?,
            other => {
                let message = "an operation that numpy's own pickles do not have";
                return Err(format!("{message} ({other:#04x})"));
            }
        }
        Ok(None)
    }

    fn extend(&mut self, items: &[usize]) -> Result<(), String> {
        let list = self.top()?;
        match &mut self.objects[list] {
            Object::List(all) => all.extend(items),
            _ => return Err("items for what is no list".into()),
        }
        Ok(())
    }

    fn insert(&mut self, items: &[usize]) -> Result<(), String> {
        let dict = self.top()?;
        let Object::Dict(all) = &mut self.objects[dict] else {
            return Err("entries for what is no dict".into());
        };
        let pairs = items.chunks_exact(2);
        if !pairs.remainder().is_empty() {
            return Err("a key without a value".into());
        }
        all.extend(pairs.map(|pair| (pair[0], pair[1])));
        Ok(())
    }

    /// What a call makes, of the few that are known.
    fn call(&mut self) -> Result<(), String> {
        let (arguments, callee) = (self.pop()?, self.pop()?);
        let wrong = || "a call that numpy's own pickles do not have".to_owned();
        let Object::Name(name) = self.objects[callee] else {
            return Err(wrong());
        };
        let Object::List(arguments) = self.objects[arguments].clone() else {
            return Err(wrong());
        };
        let object = match (name, &arguments[..]) {
            (Name::Reconstruct, [_, _, _]) => Object::Array(None),
            (Name::Dtype, [code, ..]) => match &self.objects[*code] {
                Object::Text(code) => Object::Kind(code.clone(), '<'),
                _ => return Err(wrong()),
            },
            (Name::Scalar, [kind, bytes]) => Object::Scalar(*kind, *bytes),
            (Name::Encode, [text, ..]) => match &self.objects[*text] {
                // Each letter is a byte.
                Object::Text(text) => Object::Bytes(
                    text.chars()
                        .map(|letter| u8::try_from(u32::from(letter)).map_err(|_| wrong()))
                        .collect::<Result<_, _>>()?,
                ),
                _ => return Err(wrong()),
            },
            (Name::OrderedDict, []) => Object::Dict(Vec::new()),
            _ => return Err(wrong()),
        };
        self.push(object)
    }

    /// The state of an array or of a type of elements.
    fn build(&mut self) -> Result<(), String> {
        let (state, target) = (self.pop()?, self.top()?);
        let wrong = || "a state that numpy's own pickles do not have".to_owned();
        let Object::List(state) = self.objects[state].clone() else {
            return Err(wrong());
        };
        match (&self.objects[target], &state[..]) {
            (Object::Array(_), [_, shape, kind, order, elements]) => {
                if !matches!(self.objects[*order], Object::Bool(false)) {
                    return Err("an array in Fortran's order, which is not read".into());
                }
                self.objects[target] = Object::Array(Some([*shape, *kind, *elements]));
            }
            (Object::Kind(code, _), [_, order, ..]) => {
                let code = code.clone();
                let order = match &self.objects[*order] {
                    Object::Text(order) => order.chars().next().unwrap_or('<'),
                    _ => return Err(wrong()),
                };
                self.objects[target] = Object::Kind(code, order);
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

fn known(module: &str, name: &str) -> Result<Name, String> {
    match (module, name) {
        ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct") => {
            Ok(Name::Reconstruct)
        }
        ("numpy.core.multiarray" | "numpy._core.multiarray", "scalar") => Ok(Name::Scalar),
        ("numpy", "ndarray") => Ok(Name::Ndarray),
        ("numpy", "dtype") => Ok(Name::Dtype),
        ("_codecs", "encode") => Ok(Name::Encode),
        ("collections", "OrderedDict") => Ok(Name::OrderedDict),
        _ => Err(format!(
            "it needs `{}.{}`, which is not read: save numbers, text, lists, dicts and numpy's \
             arrays only (tensors as `.cpu().numpy()`)",
            shown(module),
            shown(name)
        )),
    }
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// A whole number in two's complement.
fn long(digits: &[u8]) -> Option<i64> {
    let last = digits.last().copied().unwrap_or(0);
    let mut all = [if last & 0x80 == 0 { 0 } else { 0xff }; 8];
    all.get_mut(..digits.len())?.copy_from_slice(digits);
    Some(i64::from_le_bytes(all))
}
