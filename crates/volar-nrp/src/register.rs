//! Telling the coordinator where the engine is.

use std::io;
use std::thread;
use std::time::Duration;

use serde_json::json;

/// How often to try; the coordinator waits for 20 s.
const TRIES: usize = 20;

/// Between two tries.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells the registration server of the coordinator at `host:port` that an engine listens at
/// an address; tries again for a while, as either may come up first.
///
/// # Errors
/// When nobody takes the registration.
pub fn register(server: &str, engine: &str, address: &str) -> io::Result<()> {
    let message = json!({"engine_name": engine, "address": address}).to_string();
    let mut failed = io::Error::from(io::ErrorKind::TimedOut);
    for attempt in 0..TRIES {
        if attempt > 0 {
            thread::sleep(PAUSE);
        }
        match volar_http::post(server, "/", &message) {
            Ok((200, _)) => return Ok(()),
            Ok((status, said)) => {
                let said = said.trim();
                failed = io::Error::other(format!("answered with status {status}: {said}"));
            }
            Err(error) => failed = error,
        }
    }
    Err(failed)
}
