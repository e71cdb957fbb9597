//! Connections that have not said yet what they want.
//!
//! A page says so at once. Whoever says nothing, or letter by letter, must not keep
//! others out: only so many may wait, and a new one takes the place of the oldest.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many may wait.
const MAX_WAITING: usize = 32;

/// Those who wait, the oldest first.
#[derive(Debug, Default)]
pub struct Waiting {
    room: Mutex<Room>,
}

#[derive(Debug, Default)]
struct Room {
    next: u64,
    streams: Vec<(u64, TcpStream)>,
}

/// The place of one who waits; given back when dropped.
#[derive(Debug)]
pub struct Place<'a> {
    number: u64,
    waiting: &'a Waiting,
}

impl Waiting {
    /// A place for a connection. When all are taken, the oldest one is shut down.
    pub fn enter(&self, stream: &TcpStream) -> io::Result<Place<'_>> {
        let same_stream = stream.try_clone()?;
        let mut room = self.lock();
        if room.streams.len() >= MAX_WAITING {
            let (_, oldest) = room.streams.remove(0);
            // It may have gone by itself.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = room.next;
        room.next += 1;
        room.streams.push((number, same_stream));
        Ok(Place {
            number,
            waiting: self,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Room> {
        // The list is whole at all times, whatever became of another thread.
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut room = self.waiting.lock();
        room.streams.retain(|(number, _)| *number != self.number);
    }
}
