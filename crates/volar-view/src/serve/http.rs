//! As much of HTTP as a page on this machine needs: requests without a body,
//! answers that end the connection.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The head of a request is no longer than this, bytes.
const MAX_HEAD: usize = 8192;

/// A request must be complete within this time: a page on this machine sends it at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// The head of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`.
    pub method: String,
    /// What is asked for, without a query.
    pub path: String,
    headers: Vec<(String, String)>,
}

impl Request {
    /// A header by its name in small letters; none when it is missing or
    /// given twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next()?.1.as_str();
        found.next().is_none().then_some(value)
    }

    /// Reads a request; the error is an answer. Gives up when `stop` is set.
    pub fn read(stream: &mut impl Read, stop: &AtomicBool) -> Result<Request, Answer> {
        let late = Instant::now() + PATIENCE;
        let mut head = Vec::new();
        let mut chunk = [0; 1024];
        loop {
            let count = match stream.read(&mut chunk) {
                Ok(0) => return Err(Answer::text(400, "The request is not complete.")),
                Ok(count) => count,
                Err(error) if waits(&error) && Instant::now() < late => {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Answer::text(503, "The server stops."));
                    }
                    continue;
                }
                Err(_) => return Err(Answer::text(408, "The request took too long.")),
            };
            head.extend_from_slice(&chunk[..count]);
            if let Some(request) = Request::parse(&head)? {
                return Ok(request);
            }
            if head.len() > MAX_HEAD || Instant::now() > late {
                return Err(Answer::text(431, "The request is too long."));
            }
        }
    }

    /// A request from its first bytes; none when more are needed.
    fn parse(head: &[u8]) -> Result<Option<Request>, Answer> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        let wrong = || Answer::text(400, "The request is not HTTP as this server knows it.");
        match parsed.parse(head) {
            Ok(httparse::Status::Partial) => return Ok(None),
            Ok(httparse::Status::Complete(_)) => {}
            Err(_) => return Err(wrong()),
        }
        let target = parsed.path.ok_or_else(wrong)?;
        let headers = parsed.headers.iter().map(|header| {
            let value = String::from_utf8_lossy(header.value).trim().to_string();
            (header.name.to_ascii_lowercase(), value)
        });
        Ok(Some(Request {
            method: parsed.method.unwrap_or_default().into(),
            path: target.split('?').next().unwrap_or_default().into(),
            headers: headers.collect(),
        }))
    }
}

/// True when a read only has to be tried again.
pub fn waits(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}

/// An answer to a request.
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

    /// Anything that is there.
    pub fn of(status: u16, kind: &'static str, body: Vec<u8>) -> Answer {
        Answer { status, kind, body }
    }

    /// Writes it. Nothing may be kept, framed, guessed or fetched from elsewhere.
    pub fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            431 => "Request Header Fields Too Large",
            _ => "Service Unavailable",
        };
        let head = format!(
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
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.body)?;
        stream.flush()
    }
}

#[cfg(test)]
impl Request {
    /// A request for the tests.
    pub fn of(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let headers = headers.iter().map(|(n, v)| (n.to_string(), v.to_string()));
        Request {
            method: method.into(),
            path: path.into(),
            headers: headers.collect(),
        }
    }
}
