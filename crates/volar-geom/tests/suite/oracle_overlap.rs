//! The kernel against exact arithmetic on random poses, 1 µm deep and more.
//!
//! Oracle: `volar_testkit::columns`, which sums over vertical columns in
//! integers; its header says where it is not to be trusted. What is drawn is
//! decided by the name of a pair and the number of the pose, so a complaint
//! about "bunny/plate pose 17" can be replayed with `accuracy::compare`.

use volar_testkit::accuracy::{self, POSES_PER_PAIR, PairAccuracy};
use volar_testkit::corpus::{self, Pair};

/// Prints the table of some pairs and asserts that all are within the bars.
fn assert_exact(pairs: &[Pair], poses: usize) {
    println!("{}", PairAccuracy::HEAD);
    let mut complaints = Vec::new();
    for pair in pairs {
        match accuracy::measure(pair, poses) {
            Ok(accuracy) => {
                println!("{}", accuracy.row());
                complaints.extend(accuracy.shortfall());
            }
            Err(complaint) => complaints.push(complaint),
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn volume_and_centroid_are_exact() {
    let pairs = corpus::pairs();
    assert!(pairs.len() >= 20 && pairs.len() * POSES_PER_PAIR >= 10_000);
    assert_exact(&pairs, POSES_PER_PAIR);
}

/// The same with the links of a real hand, which the project does not carry.
#[test]
fn hand_links_are_exact() {
    match corpus::hand_pairs() {
        Some(pairs) => assert_exact(&pairs, POSES_PER_PAIR),
        None => println!("skipped: {} is not set", corpus::HAND_LINKS),
    }
}
