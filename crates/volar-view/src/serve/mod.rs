//! A small server on this machine that shows a run to browsers here.

mod content;
mod guard;
mod open;
mod socket;
#[cfg(test)]
mod tests;
mod waiting;

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use volar_http::{Answer, Request};
use volar_record::{Frame, Header};
use volar_run::Run;
use volar_scene::Setup;
use volar_sim::SimError;

use crate::live::{Broadcast, LiveView};
use crate::page::{Page, REMEDY};
use crate::report::{ReportError, RunInfo};
use content::{Content, Recording};
use guard::Guard;
use waiting::{Place, Waiting};

/// Connections with a valid token at one time.
const MAX_ADMITTED: usize = 64;

/// How to serve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServeOptions {
    /// Port on this machine; 0 for any that is free.
    pub port: u16,
    /// Whether to open a browser.
    pub open: bool,
}

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The page was not built along.
    #[error("this build of volar has no viewer: {REMEDY}")]
    NoPage,
    /// Somebody else listens there.
    #[error("port {port} is taken: choose another with --port, or leave it out for a free one")]
    PortTaken {
        /// The port.
        port: u16,
    },
    /// The port cannot be used.
    #[error("cannot listen on port {port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// No random numbers for the token.
    #[error("the system gives no random numbers for a token")]
    NoRandomness,
    /// The scene cannot be run.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The recording makes no sense.
    #[error("the recording cannot be shown: {0}")]
    Recording(#[from] ReportError),
    /// The recording could not be packed.
    #[error("the recording cannot be prepared: {0}")]
    Prepare(io::Error),
}

/// A server that listens, and knows its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    page: Page,
    open: bool,
}

impl Server {
    /// Takes a port of this machine. Nothing is answered yet.
    pub fn bind(options: &ServeOptions) -> Result<Server, ServeError> {
        Server::bind_with(Page::built().ok_or(ServeError::NoPage)?, options)
    }

    fn bind_with(page: Page, options: &ServeOptions) -> Result<Server, ServeError> {
        let port = options.port;
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortTaken { port },
            _ => ServeError::Listen { port, source },
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Server {
            listener,
            guard: Guard::new(port).ok_or(ServeError::NoRandomness)?,
            page,
            open: options.open,
        })
    }

    /// The address to open, with its token.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Shows a recording until `stop` is set. With `run`, its summary and
    /// origin are shown too.
    pub fn serve_recording(
        &self,
        header: &Header,
        frames: &[Frame],
        run: Option<&RunInfo>,
        stop: &AtomicBool,
    ) -> Result<(), ServeError> {
        let content = Content::Recording(Box::new(Recording::new(header, frames, run)?));
        self.listen(&content, stop);
        Ok(())
    }

    /// Runs a scene and shows it until `stop` is set.
    pub fn serve_live(&self, setup: &Arc<Setup>, stop: &AtomicBool) -> Result<(), ServeError> {
        let run = Run::new(setup.clone(), 1)?;
        let broadcast = Arc::new(Broadcast::new(setup));
        let content = Content::Live(broadcast.clone());
        let mut shown = Ok(());
        thread::scope(|scope| {
            scope.spawn(|| shown = LiveView::new(setup, &broadcast, stop).show(run));
            self.listen(&content, stop);
        });
        Ok(shown?)
    }

    /// Answers, a thread per connection.
    fn listen(&self, content: &Content, stop: &AtomicBool) {
        if self.open {
            open::browser(&self.address());
        }
        let (admitted, waiting) = (AtomicUsize::new(0), Waiting::default());
        let (admitted, waiting) = (&admitted, &waiting);
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                let Ok((stream, _)) = self.listener.accept() else {
                    // Nobody there, or a connection that broke at once.
                    thread::sleep(Duration::from_millis(15));
                    continue;
                };
                let Ok(place) = waiting.enter(&stream) else {
                    continue;
                };
                let attend = move || {
                    // A connection that breaks concerns nobody else.
                    let _ = self.attend(stream, place, admitted, content, stop);
                };
                // Without a thread, as when the system has no more, it is dropped.
                let _ = thread::Builder::new().spawn_scoped(scope, attend);
            }
        });
    }

    /// Listens to a request, and answers it if it is admitted.
    fn attend(
        &self,
        mut stream: TcpStream,
        place: Place<'_>,
        admitted: &AtomicUsize,
        content: &Content,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_millis(200)))?;
        stream.set_write_timeout(Some(Duration::from_secs(10)))?;
        let request = Request::read(&mut stream, 0, stop);
        let request = match request {
            Ok(request) => request,
            Err(answer) => return answer.refuse(&mut stream),
        };
        let path = match self.guard.admit(&request) {
            Ok(path) => path,
            Err(refusal) => return refusal.write(&mut stream),
        };
        drop(place);
        let full = admitted.fetch_add(1, Ordering::Relaxed) >= MAX_ADMITTED;
        let answered = match full {
            true => Answer::text(503, "Too many pages are open.").write(&mut stream),
            false => self.answer(stream, &request, path, content, stop),
        };
        admitted.fetch_sub(1, Ordering::Relaxed);
        answered
    }

    fn answer(
        &self,
        mut stream: TcpStream,
        request: &Request,
        path: &str,
        content: &Content,
        stop: &AtomicBool,
    ) -> io::Result<()> {
        if let (Content::Live(broadcast), "socket") = (content, path) {
            let Some(answer) = socket::upgrade(request) else {
                return Answer::text(400, "This is for live connections.").write(&mut stream);
            };
            stream.write_all(answer.as_bytes())?;
            return socket::serve(stream, broadcast, stop);
        }
        content.answer(self.page, path).write(&mut stream)
    }
}
