//! One term of the sum over columns: a triangle of the lower solid above a
//! triangle of the upper one.

use dashu_int::{IBig, ops::DivRem};
use glam::DVec3;

use super::{ExactOverlap, lattice::Face};

/// Fractional bits of rounded coordinates, in lattice units.
const FRACTION_BITS: usize = 128;

/// A point of the plane, `(x/w, y/w)` with `w > 0`.
#[derive(Clone, Debug)]
struct Point {
    x: IBig,
    y: IBig,
    w: IBig,
}

/// The half-plane `a x + b y + c ≥ 0`.
#[derive(Clone, Debug)]
struct Line {
    a: IBig,
    b: IBig,
    c: IBig,
}

impl Line {
    fn at(&self, p: &Point) -> IBig {
        &self.a * &p.x + &self.b * &p.y + &self.c * &p.w
    }

    fn meet(&self, other: &Line) -> Point {
        let w = &self.a * &other.b - &self.b * &other.a;
        let x = &self.b * &other.c - &self.c * &other.b;
        let y = &self.c * &other.a - &self.a * &other.c;
        if w < IBig::ZERO {
            Point {
                x: -x,
                y: -y,
                w: -w,
            }
        } else {
            Point { x, y, w }
        }
    }
}

/// A convex polygon, counter-clockwise: each corner with the line of the side
/// that leaves it. Corners made by clipping are where two *input* lines meet,
/// so their size in bits does not grow from one clip to the next.
type Polygon = Vec<(Point, Line)>;

/// The part of a polygon in a half-plane.
fn clip(polygon: &Polygon, line: &Line) -> Polygon {
    let sides: Vec<IBig> = polygon.iter().map(|(p, _)| line.at(p)).collect();
    let mut kept = Polygon::with_capacity(polygon.len() + 1);
    for k in 0..polygon.len() {
        let next = (k + 1) % polygon.len();
        let (point, side) = &polygon[k];
        if sides[k] >= IBig::ZERO {
            if sides[next] < IBig::ZERO && sides[k] == IBig::ZERO {
                kept.push((point.clone(), line.clone()));
            } else {
                kept.push((point.clone(), side.clone()));
            }
            if sides[next] < IBig::ZERO && sides[k] > IBig::ZERO {
                kept.push((side.meet(line), line.clone()));
            }
        } else if sides[next] > IBig::ZERO {
            kept.push((side.meet(line), side.clone()));
        }
    }
    kept
}

/// A triangle's shadow and its plane, both with the normal upwards.
struct Shadow {
    corners: [[i64; 3]; 3],
    /// Normal, twice the triangle's area long, z component positive.
    normal: [i128; 3],
    /// +1 for a top face of its solid, −1 for a bottom face.
    sign: i8,
}

impl Shadow {
    /// None for a vertical triangle, which casts none.
    fn new(face: &Face) -> Option<Shadow> {
        let mut corners = face.corners;
        let mut normal = normal(&corners);
        let sign = match normal[2] {
            0 => return None,
            1.. => 1,
            _ => {
                corners.swap(1, 2);
                normal = normal.map(|n| -n);
                -1
            }
        };
        Some(Shadow {
            corners,
            normal,
            sign,
        })
    }

    fn polygon(&self) -> Polygon {
        let point = |k: usize| Point {
            x: self.corners[k][0].into(),
            y: self.corners[k][1].into(),
            w: IBig::ONE,
        };
        (0..3).map(|k| (point(k), self.side(k))).collect()
    }

    fn side(&self, k: usize) -> Line {
        let (p, q) = (self.corners[k], self.corners[(k + 1) % 3]);
        let [a, b] = [i128::from(p[1] - q[1]), i128::from(q[0] - p[0])];
        Line {
            a: a.into(),
            b: b.into(),
            c: (-(a * i128::from(p[0]) + b * i128::from(p[1]))).into(),
        }
    }

    /// `n_z z(x, y)` as a linear function.
    fn height(&self) -> Line {
        let [n, p] = [self.normal.map(IBig::from), self.corners[0].map(IBig::from)];
        let c = &n[0] * &p[0] + &n[1] * &p[1] + &n[2] * &p[2];
        let [a, b, _] = n;
        Line { a: -a, b: -b, c }
    }
}

fn normal(corners: &[[i64; 3]; 3]) -> [i128; 3] {
    let [u, v] = [1, 2].map(|k| [0, 1, 2].map(|l| i128::from(corners[k][l] - corners[0][l])));
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

/// The integrals so far: 6V and 24 times the first moment along the rotated
/// axes, in lattice units and `FRACTION_BITS` per factor.
#[derive(Debug, Default)]
pub(super) struct Sums {
    volume: IBig,
    moment: [IBig; 3],
}

/// Adds `−σ_i σ_j ∫ (z_i − z_j)⁺` over the common shadow of two faces.
pub(super) fn add_term(sums: &mut Sums, i: &Face, j: &Face) {
    let (Some(i), Some(j)) = (Shadow::new(i), Shadow::new(j)) else {
        return;
    };
    let mut polygon = i.polygon();
    for k in 0..3 {
        polygon = clip(&polygon, &j.side(k));
        if polygon.len() < 3 {
            return;
        }
    }
    let [n_i, n_j] = [IBig::from(i.normal[2]), IBig::from(j.normal[2])];
    let (height_i, height_j) = (i.height(), j.height());
    let gap = Line {
        a: &n_j * &height_i.a - &n_i * &height_j.a,
        b: &n_j * &height_i.b - &n_i * &height_j.b,
        c: &n_j * &height_i.c - &n_i * &height_j.c,
    };
    polygon = clip(&polygon, &gap);
    if polygon.len() < 3 {
        return;
    }
    // Corner values: x, y, the gap h = z_i − z_j, and z_i + z_j.
    let n_ij = &n_i * &n_j;
    let corners: Vec<Corner> = polygon
        .iter()
        .map(|(p, _)| {
            let h = rounded_ratio(gap.at(p), &p.w * &n_ij);
            let z_i = rounded_ratio(height_i.at(p), &p.w * &n_i);
            Corner {
                x: rounded_ratio(p.x.clone(), p.w.clone()),
                y: rounded_ratio(p.y.clone(), p.w.clone()),
                z_sum: z_i * 2 - &h,
                h,
            }
        })
        .collect();
    let sign = -i.sign * j.sign;
    for k in 1..corners.len() - 1 {
        sums.add_triangle(sign, &corners[0], &corners[k], &corners[k + 1]);
    }
}

struct Corner {
    x: IBig,
    y: IBig,
    h: IBig,
    z_sum: IBig,
}

impl Sums {
    /// Adds `∫ h`, `∫ x h`, `∫ y h` and `∫ ½(z_i² − z_j²)` over a triangle, by
    /// `∫ f g = area/12 (Σ f_k g_k + Σ f_k Σ g_k)` for linear f and g.
    fn add_triangle(&mut self, sign: i8, p: &Corner, q: &Corner, r: &Corner) {
        let twice_area = (&q.x - &p.x) * (&r.y - &p.y) - (&q.y - &p.y) * (&r.x - &p.x);
        let h_sum = &p.h + &q.h + &r.h;
        let product = |f: fn(&Corner) -> &IBig| {
            let f_sum = f(p) + f(q) + f(r);
            f(p) * &p.h + f(q) * &q.h + f(r) * &r.h + f_sum * &h_sum
        };
        let moment = [
            product(|c| &c.x),
            product(|c| &c.y),
            product(|c| &c.z_sum) >> 1,
        ];
        let weight = twice_area * sign;
        self.volume += &weight * h_sum;
        for (sum, part) in self.moment.iter_mut().zip(moment) {
            *sum += &weight * part;
        }
    }

    /// Back to metres and to the frame of A.
    pub fn finish(self, unit: f64, axis: usize) -> ExactOverlap {
        let [one, cubic_unit] = [1, 3].map(|n| IBig::ONE << (n * FRACTION_BITS));
        let cubic_unit = cubic_unit * 6;
        // Shadows cover less than 2¹²⁴ square units, each rounded in height by
        // 2⁻¹²⁸: what is left of an empty sum stays below one cubic unit.
        if self.volume < cubic_unit {
            return ExactOverlap {
                volume: 0.0,
                centroid: None,
            };
        }
        let mut c = [0.0; 3];
        for (k, moment) in self.moment.iter().enumerate() {
            c[(axis + 1 + k) % 3] = ratio(moment, &(&self.volume * 4 * &one)) * unit;
        }
        ExactOverlap {
            volume: ratio(&self.volume, &cubic_unit) * unit * unit * unit,
            centroid: Some(DVec3::from_array(c)),
        }
    }
}

/// `n/d` to `FRACTION_BITS` fractional bits.
fn rounded_ratio(n: IBig, d: IBig) -> IBig {
    (n << FRACTION_BITS).div_rem(d).0
}

/// `n/d` as a floating-point number, wrong by less than one unit in the last
/// place.
fn ratio(n: &IBig, d: &IBig) -> f64 {
    use dashu_int::ops::BitTest;
    if *n == IBig::ZERO {
        return 0.0;
    }
    // Scale so that the integer quotient has 64 to 66 bits.
    let shift = 65 + d.bit_len() as i64 - n.bit_len() as i64;
    let quotient = if shift >= 0 {
        (n << shift as usize).div_rem(d.clone()).0
    } else {
        n.div_rem(d << (-shift) as usize).0
    };
    let quotient = i128::try_from(quotient).expect("a quotient of at most 66 bits") as f64;
    quotient * 2.0_f64.powi(-(shift as i32))
}
