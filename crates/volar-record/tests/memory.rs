//! Writing takes as much memory in a long run as in a short one.
#![allow(
    clippy::unwrap_used,
    reason = "a failure here is a failure of the test"
)]
#![allow(unsafe_code, reason = "an allocator that counts")]

#[path = "suite/common/mod.rs"]
#[allow(dead_code, reason = "this program uses its part")]
mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use common::{Noise, folder, frame};
use volar_record::{BodyHeader, Header, JointHeader, RecordingWriter, Role};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: passes everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A hand with 24 joints.
fn hand() -> Header {
    let body = |number: usize| BodyHeader {
        name: format!("body {number}"),
        role: if number == 0 {
            Role::Object
        } else {
            Role::Finger
        },
        finger: if number == 0 {
            String::new()
        } else {
            format!("finger {}", number % 5)
        },
        mesh: None,
    };
    let joint = |number| JointHeader {
        name: format!("joint {number}"),
        slides: false,
        limits: None,
    };
    Header {
        bodies: (0..27).map(body).collect(),
        joints: (0..24).map(joint).collect(),
        ..Header::default()
    }
}

/// The most memory that a run of so many frames takes, bytes.
fn peak(count: usize) -> usize {
    let (folder, header) = (folder("memory"), hand());
    let mut noise = Noise(6);
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let mut writer = RecordingWriter::create(&folder, &header).unwrap();
    for number in 0..count {
        let frame = frame(&header, number, 10, &mut noise);
        writer.push(&frame).unwrap();
    }
    writer.finish().unwrap();
    let sizes = ["recording.mcap", "series.parquet"].map(|name| {
        let length = folder.join(name).metadata().unwrap().len();
        length as f64 / count as f64 / 1e3
    });
    let peak = PEAK.load(Relaxed) - before;
    println!(
        "{count} frames: at most {:.1} MB in memory; {:.2} and {:.2} kB per frame in the files",
        peak as f64 / 1e6,
        sizes[0],
        sizes[1],
    );
    std::fs::remove_dir_all(folder).unwrap();
    peak
}

#[test]
fn a_long_run_takes_no_more_memory_than_a_short_one() {
    // Long enough that every buffer of a group of rows has its full size, which it
    // reaches by doubling: 29.6 MB after 20,000 frames, 38.3 MB from 25,000 on.
    let short = peak(25_000);
    let long = peak(37_500);
    // Some more groups of rows at 0.4 MB each, and the index of the MCAP file.
    assert!(long < short + 3_000_000, "{short} and {long} bytes");
    assert!(long < 50_000_000, "{long} bytes");
}
