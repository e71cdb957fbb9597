//! The kernel against exact arithmetic on random poses, 1 µm deep and more.
//!
//! Oracle: `volar_testkit::columns`, which sums over vertical columns in
//! integers; its header says where it is not to be trusted. What is drawn is
//! decided by the name of a pair and the number of the pose, so a complaint
//! about "bunny/plate pose 17" can be replayed with `accuracy::compare`.

use volar_testkit::accuracy::{self, POSES_PER_PAIR, PairAccuracy};
use volar_testkit::corpus;

#[test]
fn volume_and_centroid_are_exact() {
    let pairs = corpus::pairs();
    assert!(pairs.len() >= 20 && pairs.len() * POSES_PER_PAIR >= 10_000);
    println!("{}", PairAccuracy::HEAD);
    let mut complaints = Vec::new();
    for pair in &pairs {
        match accuracy::measure(pair, POSES_PER_PAIR) {
            Ok(accuracy) => {
                println!("{}", accuracy.row());
                complaints.extend(accuracy.shortfall());
            }
            Err(complaint) => complaints.push(complaint),
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
