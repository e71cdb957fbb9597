//! Answers to requests.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// For so long what is left of a refused request is read and thrown away.
const LEFTOVERS: Duration = Duration::from_secs(1);

/// An answer to a request.
///
/// ```
/// let mut sent = Vec::new();
/// volar_http::Answer::text(404, "There is nothing here.").write(&mut sent).unwrap();
/// assert!(sent.starts_with(b"HTTP/1.1 404 Not Found\r\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Status.
    pub status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    /// Plain text.
    pub fn text(status: u16, text: &str) -> Answer {
        Answer::of(
            status,
            "text/plain; charset=utf-8",
            text.as_bytes().to_vec(),
        )
    }

    /// JSON that is written already.
    pub fn json(status: u16, text: impl Into<String>) -> Answer {
        Answer::of(status, "application/json", text.into().into_bytes())
    }

    /// Anything that is there.
    pub fn of(status: u16, kind: &'static str, body: Vec<u8>) -> Answer {
        Answer { status, kind, body }
    }

    /// What it says.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Writes it. Nothing may be kept, framed, guessed or fetched from elsewhere.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            409 => "Conflict",
            411 => "Length Required",
            413 => "Content Too Large",
            417 => "Expectation Failed",
            431 => "Request Header Fields Too Large",
            500 => "Internal Server Error",
            _ => "Service Unavailable",
        };
        let mut message = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
             Connection: close\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\n\
             Content-Security-Policy: default-src 'none'; script-src 'self'; \
             style-src 'self' 'unsafe-inline'; connect-src 'self' ws://127.0.0.1:* \
             ws://localhost:*; img-src data: blob:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        )
        .into_bytes();
        // In one piece: a second small packet would wait for the first one's receipt.
        message.extend_from_slice(&self.body);
        stream.write_all(&message)?;
        stream.flush()
    }
    /// Writes it to a client whose request was not read to its end. What is left of that is
    /// thrown away: to close a connection with something unread breaks it off, and the
    /// answer may be lost on its way.
    ///
    /// # Errors
    /// When the connection breaks.
    pub fn refuse(&self, stream: &mut TcpStream) -> io::Result<()> {
        self.write(stream)?;
        stream.shutdown(Shutdown::Write)?;
        let late = Instant::now() + LEFTOVERS;
        let mut chunk = [0; 4096];
        while Instant::now() < late && matches!(stream.read(&mut chunk), Ok(1..)) {}
        Ok(())
    }
}
