//! After the first step a stepper allocates nothing.
#![allow(unsafe_code)] // a counting allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::convert::Infallible;

use volar_ode::{Controller, Method, Stepper, System};

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

/// x_i' = -(i + 1) x_i, of a length that can change.
struct Decays {
    dim: usize,
    c: f64,
}

impl System for Decays {
    type Error = Infallible;
    fn dim(&self) -> usize {
        self.dim
    }
    fn rate(&mut self, _: f64, x: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        for i in 0..self.dim {
            rate[i] = -(i as f64 + 1.0) * x[i];
        }
        Ok(())
    }
    fn linearise(&mut self, _: f64, _: &[f64]) -> Result<(), Infallible> {
        Ok(())
    }
    fn factor(&mut self, c: f64) -> Result<(), Infallible> {
        self.c = c;
        Ok(())
    }
    fn solve(&mut self, b: &mut [f64]) {
        for i in 0..self.dim {
            b[i] /= 1.0 + self.c * (i as f64 + 1.0);
        }
    }
    fn error_norm(&self, _: &[f64], _: &[f64], error: &[f64]) -> f64 {
        error
            .iter()
            .fold(0.0, |norm: f64, value| norm.max(value.abs() / 1e-6))
    }
}

#[test]
fn no_allocation_after_the_first_step() {
    for method in [Method::Rk45, Method::Implicit] {
        let mut stepper = Stepper::new(method);
        let mut controller = Controller::new(method);
        let mut run = |dim: usize, x: &mut [f64], rate: &mut [f64]| {
            let mut system = Decays { dim, c: 0.0 };
            let (mut t, mut h) = (0.0, f64::NAN);
            for step in 0..100 {
                let Ok(()) = system.rate(t, x, rate);
                if step == 0 {
                    let Ok(first) = stepper.initial_step(&mut system, t, x, rate, 1.0);
                    h = first;
                }
                let Ok(error) = stepper.try_step(&mut system, t, x, rate, h, true);
                if error <= 1.0 {
                    t += h;
                    x.copy_from_slice(stepper.x1());
                    h = controller.accepted(h, error);
                } else {
                    h = controller.rejected(h, error);
                }
            }
        };
        let (mut x, mut rate) = (vec![1.0; 20], vec![0.0; 20]);
        let before = REQUESTS.get();
        run(20, &mut x, &mut rate);
        assert!(REQUESTS.get() > before, "the counter does not count");
        // A shorter system reuses the buffers of the longer one, and back.
        let before = REQUESTS.get();
        run(20, &mut x, &mut rate);
        run(7, &mut x[..7], &mut rate[..7]);
        run(20, &mut x, &mut rate);
        assert_eq!(REQUESTS.get() - before, 0, "allocations after the warm-up");
    }
}
