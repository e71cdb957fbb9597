//! What something cost, where other work on the machine must not count.

/// Time this thread has had a processor, s; Linux only.
pub fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1.0e-9 * nanoseconds)
}
