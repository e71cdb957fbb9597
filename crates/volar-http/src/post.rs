//! One request of our own.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// Whoever is asked must take the request, and answer, within this time.
const PATIENCE: Duration = Duration::from_secs(5);

/// No more of an answer is looked at, bytes.
const LONGEST: u64 = 65536;

/// Posts JSON to `host:port`; the status of the answer and its body.
///
/// # Errors
/// When nobody answers there, or not in HTTP.
pub fn post(address: &str, path: &str, json: &str) -> io::Result<(u16, String)> {
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for socket in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&socket, PATIENCE) {
            Ok(stream) => return ask(stream, address, path, json),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn ask(mut stream: TcpStream, address: &str, path: &str, json: &str) -> io::Result<(u16, String)> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{json}",
        json.len()
    );
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    let mut taken = stream.take(LONGEST);
    let mut chunk = [0; 4096];
    loop {
        if let Some(answer) = parse(&bytes)? {
            return Ok(answer);
        }
        match taken.read(&mut chunk)? {
            0 => return cut_off(&bytes),
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

/// Status and body, once all of the length that is given is there.
fn parse(bytes: &[u8]) -> io::Result<Option<(u16, String)>> {
    let Some((status, head, length)) = head(bytes)? else {
        return Ok(None);
    };
    let whole = length.is_some_and(|length| bytes.len() - head >= length);
    Ok(whole.then(|| (status, String::from_utf8_lossy(&bytes[head..]).into_owned())))
}

/// An answer that ends with its connection.
fn cut_off(bytes: &[u8]) -> io::Result<(u16, String)> {
    let (status, head, _) = head(bytes)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok((status, String::from_utf8_lossy(&bytes[head..]).into_owned()))
}

/// Status, length of the head, and that of the body where it is given.
fn head(bytes: &[u8]) -> io::Result<Option<(u16, usize, Option<usize>)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Response::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Partial) => return Ok(None),
        Ok(httparse::Status::Complete(head)) => head,
        Err(_) => return Err(io::ErrorKind::InvalidData.into()),
    };
    let named = |header: &&httparse::Header<'_>| header.name.eq_ignore_ascii_case("content-length");
    let length = parsed.headers.iter().find(named);
    let length =
        length.and_then(|header| std::str::from_utf8(header.value).ok()?.trim().parse().ok());
    Ok(Some((parsed.code.unwrap_or_default(), head, length)))
}
