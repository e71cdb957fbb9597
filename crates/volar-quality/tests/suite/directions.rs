//! Epsilon against its definition as the least of the support function over directions.
//!
//! No direction may give less; and the best of many directions, refined, must come
//! close. `VOLAR_QUALITY_GRASPS=1000` for the whole number of grasps, 40 otherwise.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
use volar_quality::{ContactModel, edge_wrenches, quality};
use volar_testkit::rng::Rng;

use crate::common::{options, random};

const DIRECTIONS: usize = 10_000;
/// Directions that are refined, the best first: at least so many, and at most, as long as the
/// bound is above epsilon.
const REFINED: usize = 12;
const REFINED_AT_MOST: usize = 200;
/// Greatest cosine between two of them (26°).
const APART: f64 = 0.9;

type Vector6 = [f64; 6];

fn dot(a: &Vector6, b: &Vector6) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn unit(v: Vector6) -> Vector6 {
    let length = dot(&v, &v).sqrt();
    v.map(|x| x / length)
}

fn direction(rng: &mut Rng) -> Vector6 {
    loop {
        let v: Vector6 = std::array::from_fn(|_| rng.uniform(-1.0, 1.0));
        if dot(&v, &v) <= 1.0 {
            return unit(v);
        }
    }
}

fn greatest(points: &[Vector6], u: &Vector6) -> f64 {
    points
        .iter()
        .map(|p| dot(p, u))
        .fold(f64::NEG_INFINITY, f64::max)
}

fn l1(contacts: &[Vec<Vector6>], u: &Vector6) -> f64 {
    let of = |points: &Vec<Vector6>| greatest(points, u);
    contacts.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}

fn linf(contacts: &[Vec<Vector6>], u: &Vector6) -> f64 {
    contacts
        .iter()
        .map(|points| greatest(points, u).max(0.0))
        .sum()
}

/// What the two limits have in common: `h(u)`, its value along a unit vector, and the set of y
/// with `h(y) ≤ 1`, whose point farthest from the origin is at 1 over the least of h.
#[derive(Clone, Copy)]
enum Limit {
    L1,
    LInf,
}

impl Limit {
    fn support(self, contacts: &[Vec<Vector6>], u: &Vector6) -> f64 {
        match self {
            Limit::L1 => l1(contacts, u),
            Limit::LInf => linf(contacts, u),
        }
    }

    /// The y with `h(y) ≤ 1` that goes farthest along a direction, by a linear program: over y
    /// for L1, and for L∞ over y and what each contact contributes to the sum, at least 0 and at
    /// least `w · y` for its wrenches.
    fn polar_step(self, contacts: &[Vec<Vector6>], along: &Vector6) -> Vector6 {
        let contributions = match self {
            Limit::L1 => 0,
            Limit::LInf => contacts.len(),
        };
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut bounds = Vec::new();
        let mut entry = |row: usize, column: usize, value: f64| {
            rows.push(row);
            columns.push(column);
            values.push(value);
        };
        for (contact, points) in contacts.iter().enumerate() {
            for point in points {
                let row = bounds.len();
                for (k, value) in point.iter().enumerate() {
                    entry(row, k, *value);
                }
                match self {
                    Limit::L1 => bounds.push(1.0),
                    Limit::LInf => {
                        entry(row, 6 + contact, -1.0);
                        bounds.push(0.0);
                    }
                }
            }
        }
        for contact in 0..contributions {
            entry(bounds.len(), 6 + contact, -1.0);
            bounds.push(0.0);
        }
        if contributions > 0 {
            for contact in 0..contributions {
                entry(bounds.len(), 6 + contact, 1.0);
            }
            bounds.push(1.0);
        }
        let n = 6 + contributions;
        let a = CscMatrix::new_from_triplets(bounds.len(), n, rows, columns, values);
        let settings = DefaultSettings {
            verbose: false,
            ..DefaultSettings::default()
        };
        let mut cost = vec![0.0; n];
        for (k, value) in along.iter().enumerate() {
            cost[k] = -value;
        }
        let kinds = [SupportedConeT::NonnegativeConeT(bounds.len())];
        let flat = CscMatrix::zeros((n, n));
        let mut solver = DefaultSolver::new(&flat, &cost, &a, &bounds, &kinds, settings).unwrap();
        solver.solve();
        std::array::from_fn(|i| solver.solution.x[i])
    }

    /// Goes from a direction to that of the farthest y along it, and on: `h` falls with every
    /// step, since y gets longer, until y is a corner with none farther along itself.
    fn descend(self, contacts: &[Vec<Vector6>], start: &Vector6) -> f64 {
        let mut u = *start;
        for _ in 0..20 {
            let next = unit(self.polar_step(contacts, &u));
            let moved = 1.0 - dot(&next, &u);
            u = next;
            if moved < 1.0e-12 {
                break;
            }
        }
        self.support(contacts, &u)
    }

    /// The least of the directions, and the least after descents from the best of them. Starts
    /// are apart from each other, for near ones end in the same corner. Once the bound is
    /// epsilon itself no further start can help.
    fn bounds(self, contacts: &[Vec<Vector6>], directions: &[Vector6], epsilon: f64) -> Bounds {
        let value = |u| (self.support(contacts, u), u);
        let mut by_value: Vec<(f64, &Vector6)> = directions.iter().map(value).collect();
        by_value.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut refined, mut starts) = (f64::INFINITY, Vec::<&Vector6>::new());
        for (_, u) in &by_value {
            let done = starts.len() >= REFINED && refined <= epsilon * (1.0 + 1.0e-6);
            if done || starts.len() == REFINED_AT_MOST {
                break;
            }
            if starts.iter().all(|start| dot(start, u) < APART) {
                starts.push(u);
                refined = refined.min(self.descend(contacts, u));
            }
        }
        Bounds {
            sampled: by_value[0].0,
            refined,
            starts: starts.len(),
        }
    }
}

struct Bounds {
    sampled: f64,
    refined: f64,
    starts: usize,
}

#[test]
fn no_direction_gives_less_and_refined_ones_no_more() {
    let wanted = std::env::var("VOLAR_QUALITY_GRASPS");
    let wanted: usize = wanted.map_or(40, |text| text.parse().unwrap());
    let mut rng = Rng::for_case("directions", 0);
    let directions: Vec<Vector6> = (0..DIRECTIONS).map(|_| direction(&mut rng)).collect();
    let (mut seen, mut case) = (0, 0);
    let (mut worst, mut above, mut starts) = ([0.0_f64; 2], 0.0_f64, [0, 0]);
    while seen < wanted {
        let mut rng = Rng::for_case("grasp for directions", case);
        case += 1;
        let grasp = random(&mut rng);
        let options = options(ContactModel::SoftFinger, 8);
        let found = quality(&grasp, &options).unwrap();
        if found.epsilon_l1.unwrap() <= 0.0 {
            continue;
        }
        seen += 1;
        let contacts = edge_wrenches(&grasp, &options).unwrap();
        let limits = [
            (Limit::L1, found.epsilon_l1.unwrap()),
            (Limit::LInf, found.epsilon_linf.unwrap()),
        ];
        for (i, (limit, epsilon)) in limits.into_iter().enumerate() {
            let bounds = limit.bounds(&contacts, &directions, epsilon);
            above = above.max(epsilon / bounds.sampled);
            let excess = bounds.refined / epsilon - 1.0;
            assert!(excess > -1.0e-7, "case {case}: {excess}");
            worst[i] = worst[i].max(excess);
            starts[i] = starts[i].max(bounds.starts);
        }
    }
    println!(
        "{seen} grasps: epsilon over the bound of {DIRECTIONS} directions at most {above:.4};"
    );
    let [l1, linf] = worst;
    println!("refined bound above epsilon by at most {l1:.2e} (L1), {linf:.2e} (L∞)");
    println!("from at most {} (L1), {} (L∞) starts", starts[0], starts[1]);
    assert!(above <= 1.0 + 1.0e-9, "{above}");
    assert!(l1 < 0.02 && linf < 0.02, "{l1}, {linf}");
}
