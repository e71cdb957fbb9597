//! The verbs over HTTP.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use volar_http::{Answer, Request};

use crate::engine::{Engine, Refusal};

/// A request has no more than this behind its head, bytes.
const LONGEST_BODY: usize = 4 << 20;

/// Connections at one time.
const MAX_CONNECTIONS: usize = 16;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// `host:port` it is not.
    #[error("`{address}` is no address: {source}; write it as localhost:9002")]
    Address {
        /// As given.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// Others could reach it.
    #[error("`{address}` can be reached from other machines; allow it with --expose")]
    Exposed {
        /// As given.
        address: String,
    },
    /// The port cannot be used.
    #[error("cannot listen at {address}: {source}; choose another port")]
    Listen {
        /// Where.
        address: String,
        /// Why.
        source: io::Error,
    },
}

/// A server that listens, and knows its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    host: String,
    address: SocketAddr,
    stop: AtomicBool,
}

impl Server {
    /// Takes a port. Nothing is answered yet.
    ///
    /// # Errors
    /// When `host:port` is none, is not on this machine and not `exposed`, or is taken.
    pub fn bind(address: &str, exposed: bool) -> Result<Server, ServeError> {
        let wrong = |source| ServeError::Address {
            address: address.into(),
            source,
        };
        let found: Vec<SocketAddr> = address.to_socket_addrs().map_err(wrong)?.collect();
        if !exposed && !found.iter().all(|found| found.ip().is_loopback()) {
            return Err(ServeError::Exposed {
                address: address.into(),
            });
        }
        // The coordinator speaks the older Internet protocol.
        let first = found.iter().find(|found| found.is_ipv4());
        let first = first.or(found.first());
        let first = first.ok_or_else(|| wrong(io::ErrorKind::NotFound.into()))?;
        let failed = |source| ServeError::Listen {
            address: address.into(),
            source,
        };
        let listener = TcpListener::bind(first).map_err(failed)?;
        let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
        Ok(Server {
            address: listener.local_addr().map_err(failed)?,
            listener,
            host: host.into(),
            stop: AtomicBool::new(false),
        })
    }

    /// `host:port`, as the coordinator is told.
    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.address.port())
    }

    /// Ends [`Server::serve`].
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // It waits for a connection.
        let ip = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        };
        let _ = TcpStream::connect((ip, self.address.port()));
    }

    /// Answers until the engine is shut down or [`Server::stop`] is called. Requests are
    /// done one after the other, whoever sends them.
    pub fn serve(&self, engine: Engine) {
        let engine = Mutex::new(engine);
        let connections = AtomicUsize::new(0);
        thread::scope(|scope| {
            while !self.stop.load(Ordering::Relaxed) {
                let Ok((stream, _)) = self.listener.accept() else {
                    // A connection that broke at once, or too many open files.
                    thread::sleep(Duration::from_millis(1));
                    continue;
                };
                if connections.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
                    connections.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let (engine, connections) = (&engine, &connections);
                scope.spawn(move || {
                    // A connection that breaks concerns nobody else.
                    let _ = self.attend(stream, engine);
                    connections.fetch_sub(1, Ordering::Relaxed);
                });
            }
        });
    }

    fn attend(&self, mut stream: TcpStream, engine: &Mutex<Engine>) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_millis(200)))?;
        stream.set_write_timeout(Some(Duration::from_secs(10)))?;
        let request = Request::read(&mut stream, LONGEST_BODY, &self.stop);
        let answer = match request {
            Ok(request) => self.answer(&request, engine),
            Err(answer) => return answer.refuse(&mut stream),
        };
        answer.write(&mut stream)?;
        let engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        if engine.is_over() && !self.stop.load(Ordering::Relaxed) {
            self.stop();
        }
        Ok(())
    }

    fn answer(&self, request: &Request, engine: &Mutex<Engine>) -> Answer {
        if let Err(refusal) = self.admit(request) {
            return refused(&refusal);
        }
        let verb = request.path.trim_matches('/');
        let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
        match engine.ask(verb, &request.body) {
            Ok(value) => Answer::json(200, value.to_string()),
            Err(refusal) => refused(&refusal),
        }
    }

    /// Pages that are open in a browser on this machine can send requests too.
    fn admit(&self, request: &Request) -> Result<(), Refusal> {
        let refuse = |status, what: &str| {
            let what = what.into();
            Err(Refusal { status, what })
        };
        if request.has("origin") || request.has("sec-fetch-site") {
            return refuse(403, "requests of pages in a browser are refused");
        }
        let host = request.header("host").unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let own = ["localhost", "127.0.0.1", "[::1]", self.host.as_str()];
        if self.address.ip().is_loopback() && !own.contains(&name) {
            return refuse(403, "the request names another host than this machine");
        }
        match request.method.as_str() {
            "POST" => Ok(()),
            _ => refuse(405, "verbs are sent with POST"),
        }
    }
}

fn refused(refusal: &Refusal) -> Answer {
    let message = Value::from(refusal.what.as_str());
    Answer::json(refusal.status, message.to_string())
}
