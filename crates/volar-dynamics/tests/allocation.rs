//! Once its buffers have their size, an evaluation allocates nothing.
#![allow(clippy::disallowed_methods)] // the bits of tests do not matter
#![allow(non_snake_case)]
#![allow(clippy::unwrap_used)] // clippy takes helpers of tests for library code
#![allow(unsafe_code)] // a counting allocator cannot be written without

#[path = "suite/common/mod.rs"]
#[allow(dead_code, reason = "this program uses its part")]
mod common;

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

use volar_dynamics::{
    Aba, Actuator, Crba, DofParams, GeometricStiffness, JointEfforts, JointForces, Kinematics,
    Loads, Rnea, Switches, energy,
};
use volar_math::{BlockPattern, Twist};
use volar_testkit::rng::Rng;

/// The system's allocator, counting what the current thread asks for.
struct Counting;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counter is
// a constant-initialised thread-local without a destructor, so touching it
// neither allocates nor runs after the thread's end.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { std::alloc::System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from this allocator with this `layout`.
        unsafe { std::alloc::System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: as for `dealloc`, and the caller vouches for `size`.
        unsafe { std::alloc::System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_allocation_after_the_first_evaluation() {
    let mut rng = Rng::for_case("allocation", 0);
    let tree = common::random_tree(&mut rng);
    let state = common::random_state(&tree, &mut rng);
    let nv = tree.nv();
    let params = DofParams {
        friction: 0.1,
        damping: 0.2,
        ..DofParams::default()
    };
    let actuators = vec![(0, Actuator::effort(1.0))];
    let joints = JointForces::new(&tree, vec![params; nv], actuators, vec![]).unwrap();
    let loads = Loads {
        gravity: common::GRAVITY,
        F_Bo_W: &state.wrenches,
        armature: &state.armature,
    };

    let (mut now, mut aba, mut rnea) = (Kinematics::default(), Aba::default(), Rnea::default());
    let (mut crba, mut stiffness) = (Crba::default(), GeometricStiffness::default());
    let (mut efforts, mut sides) = (JointEfforts::default(), Switches::default());
    let z = vec![0.0; nv];
    let (mut vdot, mut tau) = (vec![0.0; nv], vec![0.0; nv]);
    let (mut M, mut K, mut D) = (vec![0.0; nv * nv], vec![0.0; nv * nv], vec![0.0; nv * nv]);
    let (mut q, mut delta) = (vec![0.0; tree.nq()], vec![0.1; nv]);
    let mut columns = vec![Twist::ZERO; nv];
    let pattern = BlockPattern::dense(nv);
    let mut evaluate = || {
        tree.plus(&state.q, &delta, &mut q);
        tree.chart_rate(&delta, &state.v, &mut vdot);
        tree.minus(&q, &state.q, &mut delta);
        now.calc(&tree, &q, &state.v, &state.base_motions);
        joints.switch(0.0, &q, &state.v, &mut sides);
        joints.calc(0.0, &q, &state.v, &z, &sides, &mut efforts);
        joints.add_tangents(0.0, &q, &state.v, &z, &sides, &pattern, &mut K, &mut D);
        aba.calc(&tree, &now, &loads, &efforts.tau, &mut vdot)
            .unwrap();
        rnea.calc(&tree, &now, &loads, &vdot, &mut tau);
        crba.calc(&tree, &now, &state.armature, &pattern, &mut M);
        stiffness.add(&tree, &now, &loads, &pattern, &mut K);
        now.jacobian_at(&tree, 3, now.X_WB[3].p, &mut columns);
        energy::kinetic_energy(&now) + energy::potential_energy(&tree, &now, loads.gravity)
    };
    let before = REQUESTS.get();
    let first = evaluate();
    assert!(REQUESTS.get() > before, "the counter does not count");
    let before = REQUESTS.get();
    let second = evaluate();
    assert_eq!(REQUESTS.get() - before, 0, "allocations after the warm-up");
    assert!((first - second).abs() < 1e-12);
}
