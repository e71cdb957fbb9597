//! The same work on every core, in an order that does not matter.

use std::thread;

/// `f(0), f(1), … f(n − 1)`, evaluated on all cores. Every thread gets its own
/// scratch from `scratch`; results come back in order.
pub fn map_with<S, T: Send>(
    n: usize,
    scratch: impl Fn() -> S + Sync,
    f: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, |k| k.get());
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let (scratch, f) = (&scratch, &f);
                scope.spawn(move || {
                    let mut scratch = scratch();
                    (first..n)
                        .step_by(threads)
                        .map(|k| (k, f(&mut scratch, k)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| match worker.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    });
    results.sort_unstable_by_key(|&(k, _)| k);
    results.into_iter().map(|(_, value)| value).collect()
}
