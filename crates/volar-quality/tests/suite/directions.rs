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
/// Directions that are refined, the best first.
const REFINED: usize = 12;

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

/// The y with `y · w ≤ 1` for all wrenches that goes farthest along a direction: its length is
/// the inverse of the support function along it, and grows from step to step.
fn polar_step(points: &[Vector6], along: &Vector6) -> Vector6 {
    let rows: Vec<usize> = (0..points.len()).flat_map(|i| [i; 6]).collect();
    let columns: Vec<usize> = points.iter().flat_map(|_| 0..6).collect();
    let values: Vec<f64> = points.iter().flatten().copied().collect();
    let a = CscMatrix::new_from_triplets(points.len(), 6, rows, columns, values);
    let settings = DefaultSettings {
        verbose: false,
        ..DefaultSettings::default()
    };
    let cost = along.map(|x| -x);
    let bounds = vec![1.0; points.len()];
    let kinds = [SupportedConeT::NonnegativeConeT(points.len())];
    let flat = CscMatrix::zeros((6, 6));
    let mut solver = DefaultSolver::new(&flat, &cost, &a, &bounds, &kinds, settings).unwrap();
    solver.solve();
    std::array::from_fn(|i| solver.solution.x[i])
}

/// Goes downhill with shorter and shorter random steps.
fn wander(contacts: &[Vec<Vector6>], start: Vector6, rng: &mut Rng) -> f64 {
    let (mut u, mut least, mut step) = (start, linf(contacts, &start), 0.3);
    while step > 1.0e-4 {
        let mut better = false;
        for _ in 0..60 {
            let way = direction(rng);
            let next = unit(std::array::from_fn(|i| u[i] + step * way[i]));
            let value = linf(contacts, &next);
            if value < least {
                (u, least, better) = (next, value, true);
            }
        }
        if !better {
            step *= 0.6;
        }
    }
    least
}

#[test]
fn no_direction_gives_less_and_refined_ones_no_more() {
    let wanted = std::env::var("VOLAR_QUALITY_GRASPS");
    let wanted: usize = wanted.map_or(40, |text| text.parse().unwrap());
    let mut rng = Rng::for_case("directions", 0);
    let directions: Vec<Vector6> = (0..DIRECTIONS).map(|_| direction(&mut rng)).collect();
    let (mut seen, mut case) = (0, 0);
    let (mut worst, mut worst_linf, mut above) = (0.0_f64, 0.0_f64, 0.0_f64);
    while seen < wanted {
        let mut rng = Rng::for_case("grasp for directions", case);
        case += 1;
        let grasp = random(&mut rng);
        let options = options(ContactModel::SoftFinger, 8);
        let found = quality(&grasp, &options).unwrap();
        let contacts = edge_wrenches(&grasp, &options).unwrap();
        let mut by_l1: Vec<(f64, usize)> = (0..DIRECTIONS)
            .map(|i| (l1(&contacts, &directions[i]), i))
            .collect();
        by_l1.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut by_linf: Vec<(f64, usize)> = (0..DIRECTIONS)
            .map(|i| (linf(&contacts, &directions[i]), i))
            .collect();
        by_linf.sort_by(|a, b| a.0.total_cmp(&b.0));
        if found.epsilon_l1.unwrap() <= 0.0 {
            continue;
        }
        seen += 1;
        above = above.max(found.epsilon_l1.unwrap() / by_l1[0].0);
        above = above.max(found.epsilon_linf.unwrap() / by_linf[0].0);
        let points = contacts.concat();
        let mut refined = f64::INFINITY;
        for (_, start) in &by_l1[..REFINED] {
            let mut u = directions[*start];
            for _ in 0..20 {
                let next = unit(polar_step(&points, &u));
                let moved = 1.0 - dot(&next, &u);
                u = next;
                if moved < 1.0e-12 {
                    break;
                }
            }
            refined = refined.min(l1(&contacts, &u));
        }
        worst = worst.max(refined / found.epsilon_l1.unwrap() - 1.0);
        let mut refined_linf = f64::INFINITY;
        for (_, start) in &by_linf[..REFINED] {
            refined_linf = refined_linf.min(wander(&contacts, directions[*start], &mut rng));
        }
        worst_linf = worst_linf.max(refined_linf / found.epsilon_linf.unwrap() - 1.0);
        let least =
            (refined / found.epsilon_l1.unwrap()).min(refined_linf / found.epsilon_linf.unwrap());
        assert!(least > 1.0 - 1.0e-7, "case {case}: {least}");
    }
    println!(
        "{seen} grasps: epsilon over the bound of {DIRECTIONS} directions at most {above:.4};"
    );
    println!("refined bound above epsilon by at most {worst:.2e} (L1), {worst_linf:.2e} (L∞)");
    assert!(above <= 1.0 + 1.0e-9, "{above}");
    assert!(worst < 0.02, "{worst}");
}
