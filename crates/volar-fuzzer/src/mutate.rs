//! Mutations of bytes and of text.

/// Random numbers (splitmix64) that are the same for the same start.
pub struct Random(u64);

impl Random {
    pub fn new(start: u64) -> Random {
        Random(start.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Numbers at which readers and arithmetic break.
const NUMBERS: [&str; 22] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "45",
    "1e-300",
    "1e-12",
    "1e9",
    "1e30",
    "1e155",
    "1e308",
    "-1e308",
    "1e400",
    "nan",
    "inf",
    "-inf",
    "255",
    "65536",
    "4294967295",
    "2147483648",
    "18446744073709551615",
];

/// A file with one to eight mutations; `others` are of the same kind.
pub fn mutated(start: &[u8], others: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let mut bytes = start.to_vec();
    for _ in 0..1 + random.below(8) {
        mutate(&mut bytes, others, random);
    }
    bytes.truncate(1 << 20);
    bytes
}

fn mutate(bytes: &mut Vec<u8>, others: &[&[u8]], random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.next() as u8);
        return;
    }
    let at = random.below(bytes.len());
    let is_text = bytes
        .iter()
        .take(64)
        .all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace());
    match random.below(if is_text { 12 } else { 8 }) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = *random.pick(&[0, 1, 0x7f, 0x80, 0xff, b'\n', b'"', b'<', b'[', b'-']),
        2 => bytes.truncate(at),
        3 => {
            let range = range(bytes, at, random);
            bytes.drain(range);
        }
        4 => {
            let again = bytes[range(bytes, at, random)].to_vec();
            let times = 1 << random.below(6);
            let to = random.below(bytes.len());
            bytes.splice(to..to, again.repeat(times));
        }
        5 => {
            let other = random.pick(others);
            if !other.is_empty() {
                let from = random.below(other.len());
                let piece = other[range(other, from, random)].to_vec();
                let over = range(bytes, at, random);
                bytes.splice(over, piece);
            }
        }
        6 => {
            // Little-endian counts and offsets.
            let count = *random.pick(&[0_u32, 1, 0xff, 0xffff, 0x7fff_ffff, u32::MAX]);
            for (byte, new) in bytes[at..].iter_mut().zip(count.to_le_bytes()) {
                *byte = new;
            }
        }
        7 => bytes.insert(at, random.next() as u8),
        8 | 9 => {
            let number = *random.pick(&NUMBERS);
            replace_number(bytes, at, number);
        }
        10 => swap_lines(bytes, random),
        _ => {
            let word = *random.pick(&NUMBERS);
            bytes.splice(at..at, format!(" {word} ").into_bytes());
        }
    }
}

/// A stretch from a place on, mostly short.
fn range(bytes: &[u8], at: usize, random: &mut Random) -> std::ops::Range<usize> {
    let longest = 1 << (1 + random.below(9));
    let end = at + 1 + random.below(longest);
    at..end.min(bytes.len())
}

/// Puts another number in the place of the first one after a place.
fn replace_number(bytes: &mut Vec<u8>, at: usize, number: &str) {
    let part_of = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
    let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let mut from = at + from;
    while from > 0 && part_of(&bytes[from - 1]) {
        from -= 1;
    }
    let length = bytes[from..].iter().take_while(|b| part_of(b)).count();
    bytes.splice(from..from + length, number.bytes());
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(a, b);
    *bytes = lines.concat();
}
