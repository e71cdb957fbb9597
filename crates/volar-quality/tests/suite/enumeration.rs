//! Epsilon and volume against the hull by its definition: every six wrenches whose plane has all
//! others on one side.

use volar_quality::{ContactModel, edge_wrenches, quality};
use volar_testkit::rng::Rng;

use crate::common::{faces_of_cube, options, random, three_on_disc};

type Vector6 = [f64; 6];

fn dot(a: &Vector6, b: &Vector6) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A unit vector across five others, by Gram and Schmidt; none if they are dependent.
fn across(rows: &[Vector6; 5]) -> Option<Vector6> {
    let mut basis: Vec<Vector6> = Vec::new();
    let units = (0..6).map(|k| std::array::from_fn(|i| f64::from(u8::from(i == k))));
    for (index, row) in rows.iter().copied().chain(units).enumerate() {
        let mut rest: Vector6 = row;
        for _ in 0..2 {
            for b in &basis {
                let share = dot(&rest, b);
                rest = std::array::from_fn(|i| rest[i] - share * b[i]);
            }
        }
        let length = dot(&rest, &rest).sqrt();
        let least = if index < 5 { 1.0e-7 } else { 0.3 };
        if length < least {
            if index < 5 {
                return None;
            }
            continue;
        }
        basis.push(rest.map(|x| x / length));
        if basis.len() == 6 {
            return basis.pop();
        }
    }
    None
}

/// The least distance of a facet of the hull from the origin; 0 if that is outside.
fn by_enumeration(points: &[Vector6]) -> f64 {
    let count = points.len();
    let mut least = f64::INFINITY;
    let mut chosen = [0, 1, 2, 3, 4, 5];
    loop {
        let rows = std::array::from_fn(|i| {
            std::array::from_fn(|j| points[chosen[i + 1]][j] - points[chosen[0]][j])
        });
        if let Some(normal) = across(&rows) {
            let offset = dot(&normal, &points[chosen[0]]);
            let heights = || points.iter().map(|p| dot(&normal, p) - offset);
            if heights().all(|h| h < 1.0e-10) {
                least = least.min(offset);
            }
            if heights().all(|h| h > -1.0e-10) {
                least = least.min(-offset);
            }
        }
        let Some(place) = (0..6).rev().find(|i| chosen[*i] < count - 6 + i) else {
            return least.max(0.0);
        };
        chosen[place] += 1;
        for i in place + 1..6 {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
}

#[test]
fn epsilon_of_three_on_a_disc_and_of_a_cube() {
    for friction in [0.1, 0.5, 1.2] {
        for (grasp, edges) in [
            (three_on_disc(0.05, friction), 4),
            (three_on_disc(0.05, friction), 6),
            (faces_of_cube(0.05, friction), 3),
        ] {
            let options = options(ContactModel::Point, edges);
            let points = edge_wrenches(&grasp, &options).unwrap().concat();
            let expected = by_enumeration(&points);
            let found = quality(&grasp, &options).unwrap().epsilon_l1.unwrap();
            assert!((found - expected).abs() < 1.0e-9, "{found} {expected}");
            assert!(expected > 0.0 || edges == 3);
        }
    }
}

#[test]
fn epsilon_of_random_grasps() {
    let mut inside = 0;
    for case in 0..40 {
        let mut rng = Rng::for_case("enumeration", case);
        let mut grasp = random(&mut rng);
        grasp.contacts.truncate(4);
        let options = options(ContactModel::SoftFinger, 3);
        let points = edge_wrenches(&grasp, &options).unwrap().concat();
        let expected = by_enumeration(&points);
        let expected = if expected.is_finite() { expected } else { 0.0 };
        let found = quality(&grasp, &options).unwrap().epsilon_l1.unwrap();
        assert!(
            (found - expected).abs() < 1.0e-9,
            "case {case}: {found} {expected}"
        );
        inside += usize::from(found > 0.0);
    }
    assert!(inside >= 5, "{inside}");
}
