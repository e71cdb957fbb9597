//! Requests, read within a time and up to a size.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Answer;

/// The head of a request is no longer than this, bytes.
const MAX_HEAD: usize = 8192;

/// A request must be complete within this time.
const PATIENCE: Duration = Duration::from_secs(5);

/// A request.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use volar_http::Request;
///
/// let mut sent = &b"POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"[..];
/// let request = Request::read(&mut sent, 1000, &AtomicBool::new(false)).unwrap();
/// assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/reset"));
/// assert_eq!(request.body, b"{}");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: String,
    /// What is asked for, without a query.
    pub path: String,
    headers: Vec<(String, String)>,
    /// What comes behind the head.
    pub body: Vec<u8>,
}

impl Request {
    /// A request that was not read from anywhere.
    pub fn of(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let headers = headers.iter().map(|(n, v)| (n.to_string(), v.to_string()));
        Request {
            method: method.into(),
            path: path.into(),
            headers: headers.collect(),
            body: Vec::new(),
        }
    }

    /// A header by its name in small letters; none when it is missing or
    /// given twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next()?.1.as_str();
        found.next().is_none().then_some(value)
    }

    /// Whether a header is given at all.
    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// Reads a request with a body of so many bytes at most; the error is an
    /// answer. Gives up when `stop` is set.
    ///
    /// # Errors
    /// When the request is not HTTP, too long, or not there in time.
    pub fn read(
        stream: &mut impl Read,
        longest_body: usize,
        stop: &AtomicBool,
    ) -> Result<Request, Answer> {
        let late = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        let (mut request, head) = loop {
            more(stream, &mut bytes, late, stop)?;
            if let Some(parsed) = Request::parse(&bytes)? {
                break parsed;
            }
            if bytes.len() > MAX_HEAD {
                return Err(Answer::text(431, "The request is too long."));
            }
        };
        let length = request.body_length()?;
        if length > longest_body {
            let what = format!("The body has {length} bytes; at most {longest_body} are read.");
            return Err(Answer::text(413, &what));
        }
        if request.header("expect").is_some() {
            return Err(Answer::text(417, "Send the body without waiting."));
        }
        while bytes.len() < head + length {
            more(stream, &mut bytes, late, stop)?;
        }
        request.body = bytes[head..head + length].to_vec();
        Ok(request)
    }

    fn body_length(&self) -> Result<usize, Answer> {
        if self.has("transfer-encoding") {
            return Err(Answer::text(411, "The length of the body must be given."));
        }
        if !self.has("content-length") {
            return Ok(0);
        }
        let length = self.header("content-length").map(str::parse);
        match length {
            Some(Ok(length)) => Ok(length),
            _ => Err(Answer::text(400, "The length of the body is no number.")),
        }
    }

    /// A request from its first bytes, and the length of its head; none when
    /// more are needed.
    fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, Answer> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        let wrong = || Answer::text(400, "The request is not HTTP as this server knows it.");
        let head = match parsed.parse(bytes) {
            Ok(httparse::Status::Partial) => return Ok(None),
            Ok(httparse::Status::Complete(head)) => head,
            Err(_) => return Err(wrong()),
        };
        let target = parsed.path.ok_or_else(wrong)?;
        let headers = parsed.headers.iter().map(|header| {
            let value = String::from_utf8_lossy(header.value).trim().to_string();
            (header.name.to_ascii_lowercase(), value)
        });
        let request = Request {
            method: parsed.method.unwrap_or_default().into(),
            path: target.split('?').next().unwrap_or_default().into(),
            headers: headers.collect(),
            body: Vec::new(),
        };
        Ok(Some((request, head)))
    }
}

/// Reads some more, until it is too late.
fn more(
    stream: &mut impl Read,
    bytes: &mut Vec<u8>,
    late: Instant,
    stop: &AtomicBool,
) -> Result<(), Answer> {
    let mut chunk = [0; 4096];
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(Answer::text(503, "The server stops."));
        }
        if Instant::now() > late {
            return Err(Answer::text(408, "The request took too long."));
        }
        match stream.read(&mut chunk) {
            Ok(0) => return Err(Answer::text(400, "The request is not complete.")),
            Ok(count) => {
                bytes.extend_from_slice(&chunk[..count]);
                return Ok(());
            }
            Err(error) if waits(&error) => {}
            Err(_) => return Err(Answer::text(408, "The request took too long.")),
        }
    }
}

/// True when a read only has to be tried again.
pub fn waits(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sent: &str, longest: usize) -> Result<Request, u16> {
        let request = Request::read(&mut sent.as_bytes(), longest, &AtomicBool::new(false));
        request.map_err(|answer| answer.status)
    }

    #[test]
    fn bodies_are_bounded_and_whole() {
        let post = |rest: &str| read(&format!("POST / HTTP/1.1\r\n{rest}"), 4);
        assert_eq!(post("content-length: 4\r\n\r\nabcd").unwrap().body, b"abcd");
        assert_eq!(post("\r\nabcd").unwrap().body, b"");
        assert_eq!(post("content-length: 5\r\n\r\nabcde"), Err(413));
        assert_eq!(post("content-length: 4\r\n\r\nabc"), Err(400));
        assert_eq!(post("content-length: -1\r\n\r\n"), Err(400));
        assert_eq!(
            post("content-length: 1\r\ncontent-length: 2\r\n\r\nab"),
            Err(400)
        );
        assert_eq!(
            post("transfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
            Err(411)
        );
        assert_eq!(
            post("expect: 100-continue\r\ncontent-length: 1\r\n\r\na"),
            Err(417)
        );
    }

    #[test]
    fn heads_are_bounded() {
        let long = format!("GET / HTTP/1.1\r\nx: {}", "a".repeat(2 * MAX_HEAD));
        assert_eq!(read(&long, 0), Err(431));
        assert_eq!(read("nonsense\r\n\r\n", 0), Err(400));
        assert_eq!(read("GET / HTTP/1.1\r\n", 0), Err(400));
    }
}
