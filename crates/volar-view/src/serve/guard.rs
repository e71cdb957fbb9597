//! Who may ask what.
//!
//! The server listens on this machine only, but every page that is open in a
//! browser here can send requests to it. So: what is asked must begin with a
//! token that only the printed address holds; `Host` must be this machine, or
//! another name was made to point here; `Origin` must be our own page.

use volar_http::{Answer, Request};

/// Bytes of a token.
const TOKEN_BYTES: usize = 16;

/// Judges requests.
#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    hosts: [String; 3],
}

impl Guard {
    /// For a port, with a token of its own. None when the system has no
    /// random numbers.
    pub fn new(port: u16) -> Option<Guard> {
        let mut random = [0; TOKEN_BYTES];
        getrandom::fill(&mut random).ok()?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        Some(Guard { token, hosts })
    }

    /// The address that people open.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// What is asked for behind the token; otherwise the refusal.
    pub fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Answer> {
        let refuse = |why: &str| Err(Answer::text(403, why));
        let known = |host: &str| self.hosts.iter().any(|own| own == host);
        if !request.header("host").is_some_and(known) {
            return refuse("Refused: the request names another host than this machine.");
        }
        let origin = request.header("origin");
        let own = |origin: &str| origin.strip_prefix("http://").is_some_and(known);
        let foreign = origin.is_some_and(|origin| !own(origin));
        let site = request.header("sec-fetch-site").unwrap_or("none");
        if foreign || !matches!(site, "none" | "same-origin") {
            return refuse("Refused: the request comes from another page.");
        }
        if request.method != "GET" {
            return Err(Answer::text(405, "Only GET is answered here."));
        }
        let mut parts = request.path.splitn(3, '/');
        let (root, token, rest) = (parts.next(), parts.next(), parts.next());
        if root != Some("") || !same(token.unwrap_or_default(), &self.token) {
            return refuse(
                "Refused: this address has no valid token. Open the address that `volar view` \
                 has printed; it changes with every start.",
            );
        }
        let Some(rest) = rest else {
            return Err(Answer::text(
                404,
                "There is nothing here: the address ends with `/`.",
            ));
        };
        if rest == "socket" && origin.is_none() {
            return refuse("Refused: a live connection must say which page it comes from.");
        }
        Ok(rest)
    }
}

/// Compares in a time that does not tell how much was right.
fn same(given: &str, token: &str) -> bool {
    let differing = given
        .bytes()
        .zip(token.bytes())
        .fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == token.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(8080).unwrap()
    }

    #[test]
    fn the_printed_address_is_admitted() {
        let guard = guard();
        let path = format!("/{}/meta", guard.token);
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            let request = Request::of("GET", &path, &[("host", host)]);
            assert_eq!(guard.admit(&request), Ok("meta"));
        }
        assert_eq!(guard.token.len(), 32);
        assert_ne!(guard.token, Guard::new(8080).unwrap().token);
        assert!(guard.address().starts_with("http://127.0.0.1:8080/"));
    }

    #[test]
    fn other_hosts_are_refused() {
        let guard = guard();
        let path = format!("/{}/", guard.token);
        for host in [
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:81",
            "localhost.evil:8080",
            "",
        ] {
            let request = Request::of("GET", &path, &[("host", host)]);
            assert_eq!(guard.admit(&request).unwrap_err().status, 403, "{host}");
        }
        let twice = [("host", "127.0.0.1:8080"), ("host", "evil.example")];
        assert!(guard.admit(&Request::of("GET", &path, &twice)).is_err());
        assert!(guard.admit(&Request::of("GET", &path, &[])).is_err());
    }

    #[test]
    fn other_origins_are_refused() {
        let guard = guard();
        let path = format!("/{}/socket", guard.token);
        let with = |name, value| {
            let headers = [("host", "127.0.0.1:8080"), (name, value)];
            guard
                .admit(&Request::of("GET", &path, &headers))
                .map(String::from)
        };
        assert_eq!(with("origin", "http://127.0.0.1:8080"), Ok("socket".into()));
        for origin in [
            "https://evil.example",
            "null",
            "http://127.0.0.1:81",
            "https://127.0.0.1:8080",
        ] {
            assert_eq!(with("origin", origin).unwrap_err().status, 403, "{origin}");
        }
        // A socket without any origin is no browser's page.
        assert!(with("accept", "*/*").is_err());
        assert!(with("sec-fetch-site", "cross-site").is_err());
    }

    #[test]
    fn wrong_tokens_and_methods_are_refused() {
        let guard = guard();
        let ask = |method: &str, path: &str| {
            guard
                .admit(&Request::of(method, path, &[("host", "127.0.0.1:8080")]))
                .map(String::from)
        };
        let mut wrong = guard.token.clone();
        wrong.replace_range(31..32, if wrong.ends_with('0') { "1" } else { "0" });
        for path in [
            "/",
            "",
            "//meta",
            "/meta",
            &format!("/{wrong}/meta"),
            &format!("/{}", &guard.token[..31]),
        ] {
            assert_eq!(ask("GET", path).unwrap_err().status, 403, "{path}");
        }
        assert_eq!(
            ask("GET", &format!("/{}", guard.token)).unwrap_err().status,
            404
        );
        assert_eq!(
            ask("POST", &format!("/{}/meta", guard.token))
                .unwrap_err()
                .status,
            405
        );
    }
}
