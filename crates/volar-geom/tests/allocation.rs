//! After a warm-up the kernel allocates nothing.
#![allow(non_snake_case)] // frame notation: X_AB
#![allow(unsafe_code)] // a counting allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use volar_geom::Pose;
use volar_geom::overlap::{Fields, OverlapKernel};
use volar_testkit::corpus::solid;
use volar_testkit::rng::Rng;
use volar_testkit::sweep::random_approach;

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
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this `layout`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: as for `dealloc`, and the caller vouches for `size`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn requests() -> usize {
    REQUESTS.get()
}

#[test]
fn no_allocation_after_warm_up() {
    let pairs = [
        ("bunny", "bunny"),
        ("cube", "finger"),
        ("u_channel", "torus"),
        ("hollow", "star"),
    ]
    .map(|(a, b)| (solid(a), solid(b)));
    let poses: Vec<(usize, Pose)> = (0..200)
        .map(|index| {
            let (a, b) = &pairs[index % pairs.len()];
            let mut rng = Rng::for_case("allocation", index);
            (index % pairs.len(), random_approach(a, b, &mut rng).X_AB)
        })
        .collect();
    let mut kernel = OverlapKernel::new();
    let mut ask_all = || {
        for (pair, X_AB) in &poses {
            let (a, b) = &pairs[*pair];
            kernel.overlap(a, b, X_AB);
            kernel.overlap_with_facets(a, b, X_AB);
            kernel.overlap_with_depths(a, b, X_AB);
            kernel.overlap_with_cells(a, b, X_AB, Fields::BOTH);
        }
    };
    let before = requests();
    ask_all();
    assert!(requests() > before, "the counter does not count");
    let before = requests();
    ask_all();
    assert_eq!(requests() - before, 0, "allocations after the warm-up");
}
