//! Bytes to two solids and a pose, and the kernel's answer against every
//! invariant and the exact oracle. The body is `volar_testkit::cases`, which
//! the ordinary tests run over fixed seeds.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use volar_geom::overlap::OverlapKernel;
use volar_testkit::cases::Case;

thread_local! {
    // One kernel for all inputs: leftovers of the last must not show.
    static KERNEL: RefCell<OverlapKernel> = RefCell::default();
}

fuzz_target!(|bytes: &[u8]| {
    let case = Case::from_bytes(bytes);
    let answer = KERNEL.with_borrow_mut(|kernel| case.check(kernel));
    if let Err(complaint) = answer {
        panic!("{complaint}\n{case:?}");
    }
});
