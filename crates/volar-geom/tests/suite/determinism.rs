//! The same question gets the same bits, on every thread and whatever was
//! asked before.

use std::thread;

use volar_geom::overlap::{Fields, Overlap, OverlapKernel};
use volar_geom::{ClosedMesh, Pose};
use volar_testkit::cases::Case;
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::sweep::random_approach;

struct Question {
    a: ClosedMesh,
    b: ClosedMesh,
    X_AB: Pose,
}

/// Pairs of all sizes and kinds, generic and degenerate, mixed up.
fn questions() -> Vec<Question> {
    let mut questions = Vec::new();
    for (a, b) in [
        ("bunny", "bunny"),
        ("cube", "finger"),
        ("u_channel", "torus"),
        ("hollow", "star"),
    ] {
        let (a, b) = (solid(a), solid(b));
        for index in 0..20 {
            let X_AB = random_approach(&a, &b, &mut Rng::for_case("determinism", index)).X_AB;
            let (a, b) = (a.clone(), b.clone());
            questions.push(Question { a, b, X_AB });
        }
    }
    for seed in 0..100 {
        let Case { a, b, X_AB } = Case::from_seed(seed);
        questions.push(Question { a, b, X_AB });
    }
    let mut rng = Rng::new(5);
    for k in (1..questions.len()).rev() {
        questions.swap(k, rng.below(k + 1));
    }
    questions
}

/// Every bit of an answer: floating-point numbers print in full, and a zero
/// shows its sign.
fn print(overlap: &Overlap) -> String {
    format!("{overlap:?}")
}

fn answer(kernel: &mut OverlapKernel, question: &Question) -> String {
    let Question { a, b, X_AB } = question;
    let cells = print(kernel.overlap_with_cells(a, b, X_AB, Fields::BOTH));
    print(kernel.overlap_with_depths(a, b, X_AB)) + &cells
}

#[test]
fn answers_do_not_depend_on_history() {
    let questions = questions();
    let fresh: Vec<String> = questions
        .iter()
        .map(|q| answer(&mut OverlapKernel::new(), q))
        .collect();
    let mut kernel = OverlapKernel::new();
    let forwards: Vec<String> = questions.iter().map(|q| answer(&mut kernel, q)).collect();
    let mut backwards: Vec<String> = questions
        .iter()
        .rev()
        .map(|q| answer(&mut kernel, q))
        .collect();
    backwards.reverse();
    assert!(fresh == forwards && fresh == backwards);
    // Facets and depths are additions: they change nothing else.
    for (q, answer) in questions.iter().zip(&fresh) {
        let mut with_cells = kernel
            .overlap_with_cells(&q.a, &q.b, &q.X_AB, Fields::BOTH)
            .clone();
        let mut richest = kernel.overlap_with_depths(&q.a, &q.b, &q.X_AB).clone();
        assert_eq!(print(&richest) + &print(&with_cells), *answer);
        with_cells.cells = Default::default();
        with_cells.depths = richest.depths.clone();
        assert_eq!(print(&richest), print(&with_cells));
        richest.depths = Default::default();
        let with_facets = kernel.overlap_with_facets(&q.a, &q.b, &q.X_AB);
        assert_eq!(print(&richest), print(with_facets));
        richest.facets = Default::default();
        let plain = kernel.overlap(&q.a, &q.b, &q.X_AB);
        assert_eq!(print(&richest), print(plain));
    }
}

#[test]
fn answers_do_not_depend_on_the_thread() {
    let questions = questions();
    let all = |questions: &[Question]| {
        let mut kernel = OverlapKernel::new();
        questions
            .iter()
            .map(|q| answer(&mut kernel, q))
            .collect::<Vec<_>>()
    };
    let alone = all(&questions);
    let (first, second) = thread::scope(|scope| {
        let workers = [(); 2].map(|()| scope.spawn(|| all(&questions)));
        let [first, second] = workers.map(|worker| worker.join().expect("no panic"));
        (first, second)
    });
    assert!(alone == first && alone == second);
}

/// A kernel keeps what is near from one pose to the next. Along a path, slow and
/// fast, apart and back again, its answers are those of a kernel that knows
/// nothing.
#[test]
fn answers_along_a_path_are_those_from_nothing() {
    let mut apart = 0;
    for (index, (a, b)) in [
        ("bunny", "finger"),
        ("finger", "bunny"),
        ("cube", "star"),
        ("u_channel", "torus"),
        ("hollow", "sphere_320"),
        ("l_block", "cube"),
    ]
    .into_iter()
    .enumerate()
    {
        let (a, b) = (solid(a), solid(b));
        let mut rng = Rng::for_case("path", index);
        let size = b.bounds().size().length();
        let start = random_approach(&a, &b, &mut rng).X_AB;
        let mut kernel = OverlapKernel::new();
        let mut X_AB = start;
        for leg in 0..30 {
            // One way for a while, every third time back to the start.
            let stride = rng.log_uniform(1e-8, 1e-3);
            let way = size * stride * rng.direction();
            let back = (start.p - X_AB.p) / 10.0;
            let turn = rng.tilt(stride);
            for _ in 0..10 {
                X_AB = Pose {
                    R: turn * X_AB.R,
                    p: X_AB.p + if leg % 3 == 2 { back } else { way },
                };
                let question = Question {
                    a: a.clone(),
                    b: b.clone(),
                    X_AB,
                };
                let kept = answer(&mut kernel, &question);
                assert_eq!(kept, answer(&mut OverlapKernel::new(), &question));
                apart += usize::from(kernel.last().total.volume <= 0.0);
            }
        }
    }
    assert!(apart > 20, "some of the way they must be apart");
}
