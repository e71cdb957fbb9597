//! The server over real connections.

use std::io::Read;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};
use volar_scene::Scene;

use super::*;
use crate::sample;

const PAGE: Page = Page {
    script: "let page;",
    style: "body {}",
};

/// A box that falls, and a second one that is driven along a rail.
const FALL: &str = r#"
name = "fall"
duration = 1.0

[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }

[[body]]
name = "rail"
shape = { box = [0.1, 0.1, 0.1] }
position = [2.0, 0.0, 0.0]
slides_along = [1.0, 0.0, 0.0]
effort = 1.0
"#;

/// After a while the box is spun up faster than any step can follow.
const FAILS: &str = "\n[[force]]\nbody = \"box\"\nstart = 0.05\ntorque = [1e17, 1e17, 0.0]\n";

/// Serves a recording during a test.
fn while_serving(test: impl FnOnce(&Server)) {
    let frames = sample::frames(20);
    serve_during(test, |server, stop| {
        server.serve_recording(&sample::header(), &frames, None, stop)
    });
}

/// Serves a live run of a scene during a test.
fn while_running(scene: &str, test: impl FnOnce(&Server)) {
    let scene = Scene::parse("test.toml", scene).unwrap();
    let setup = Arc::new(scene.compile().unwrap());
    serve_during(test, |server, stop| server.serve_live(&setup, stop));
}

/// Everything has ended when it returns.
fn serve_during(
    test: impl FnOnce(&Server),
    serve: impl FnOnce(&Server, &AtomicBool) -> Result<(), ServeError> + Send,
) {
    let server = Server::bind_with(PAGE, &ServeOptions::default()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| serve(&server, &stop).unwrap());
        // Also when the test fails, or it would wait for ever.
        struct Stop<'a>(&'a AtomicBool);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _stop = Stop(&stop);
        test(&server);
    });
}

/// The value of a parameter in a state.
fn value(state: &Value, name: &str) -> Option<f64> {
    let all = state["parameters"].as_array()?;
    all.iter().find(|p| p["name"] == name)?["value"].as_f64()
}

fn port(server: &Server) -> u16 {
    server.listener.local_addr().unwrap().port()
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port(server))).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
}

/// Sends bytes as they are; status and body of the answer.
fn send(server: &Server, bytes: &[u8]) -> (u16, Vec<u8>) {
    let mut stream = connect(server);
    // The server may have hung up before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let head = answer
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .map_or(0, |at| at + 4);
    let status = String::from_utf8_lossy(&answer[..head]);
    let status = status
        .split(' ')
        .nth(1)
        .and_then(|s| s.parse().ok())
        .unwrap_or(0);
    (status, answer[head..].to_vec())
}

fn get(server: &Server, path: &str) -> (u16, Vec<u8>) {
    let host = format!("127.0.0.1:{}", port(server));
    send(
        server,
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes(),
    )
}

fn token_path(server: &Server) -> String {
    let address = server.address();
    address[address.len() - 34..].to_string()
}

fn watch(server: &Server, origin: &str) -> Result<WebSocket<TcpStream>, Option<u16>> {
    let address = format!(
        "ws://127.0.0.1:{}{}socket",
        port(server),
        token_path(server)
    );
    let mut request = address.into_client_request().unwrap();
    request
        .headers_mut()
        .insert("origin", origin.parse().unwrap());
    match tungstenite::client(request, connect(server)) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
            Err(Some(answer.status().as_u16()))
        }
        Err(_) => Err(None),
    }
}

fn own_origin(server: &Server) -> String {
    format!("http://127.0.0.1:{}", port(server))
}

/// Reads until a state fulfils a condition.
fn state(socket: &mut WebSocket<TcpStream>, wanted: impl Fn(&Value) -> bool) -> Value {
    let late = Instant::now() + Duration::from_secs(20);
    while Instant::now() < late {
        if let Message::Text(text) = socket.read().unwrap() {
            let state: Value = serde_json::from_str(text.as_str()).unwrap();
            if wanted(&state) {
                return state;
            }
        }
    }
    panic!("no such state came");
}

fn say(socket: &mut WebSocket<TcpStream>, message: Value) {
    socket.send(Message::text(message.to_string())).unwrap();
}

#[test]
fn a_recording_is_served_and_nothing_else() {
    while_serving(|server| {
        let root = token_path(server);
        let (status, page) = get(server, &root);
        assert_eq!(status, 200);
        assert!(String::from_utf8(page).unwrap().contains("viewer.js"));
        assert_eq!(get(server, &format!("{root}viewer.js")).1, b"let page;");
        let (_, meta) = get(server, &format!("{root}meta"));
        let meta: Value = serde_json::from_slice(&meta).unwrap();
        assert_eq!(meta["mode"], "recording");
        assert_eq!(
            get(server, &format!("{root}frames")).1[..2],
            [0x1f, 0x8b],
            "gzip"
        );
        assert!(get(server, &format!("{root}patches/19")).1.len() > 100);
        for nothing in [
            "patches/20",
            "patches/-1",
            "patches/x",
            "socket",
            "Cargo.toml",
            "../Cargo.toml",
            "../../../../etc/passwd",
            "..%2f..%2fetc%2fpasswd",
            "/etc/passwd",
            "patches/../../meta",
            "viewer.js/",
            "C:\\boot.ini",
        ] {
            let (status, body) = get(server, &format!("{root}{nothing}"));
            assert!(
                status == 404 || status == 403 || status == 400,
                "{nothing}: {status}"
            );
            assert!(!String::from_utf8_lossy(&body).contains("root:"));
        }
        assert_eq!(get(server, "/").0, 403);
    });
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    while_serving(|server| {
        let address = ("127.0.0.1", port(server));
        let mut silent = Vec::new();
        for k in 0..200 {
            let mut stream = TcpStream::connect(address).unwrap();
            // Some send the head letter by letter.
            if k % 2 == 0 {
                stream.write_all(b"GET / HT").unwrap();
            }
            silent.push(stream);
        }
        let begun = Instant::now();
        let path = format!("{}meta", token_path(server));
        for _ in 0..5 {
            assert_eq!(get(server, &path).0, 200);
        }
        // If each answer waited for a silent connection to time out it would take longer than
        // this; on a quiet machine it takes milliseconds.
        assert!(begun.elapsed() < Duration::from_secs(4));
        // They do not stay for ever either.
        silent[199]
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut answer = Vec::new();
        silent[199].read_to_end(&mut answer).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(15));
    });
}

#[test]
fn long_broken_and_slow_requests_end() {
    while_serving(|server| {
        let long = format!("GET /{} HTTP/1.1\r\n", "x".repeat(100_000));
        assert!(
            matches!(send(server, long.as_bytes()).0, 431 | 0),
            "too long"
        );
        let many = "A: b\r\n".repeat(200);
        assert_eq!(
            send(server, format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()).0,
            400
        );
        assert_eq!(send(server, b"\x16\x03\x01\x02\x00\x01\x00").0, 400, "TLS");
        let clock = Instant::now();
        assert_eq!(send(server, b"GET / HT").0, 408, "never finished");
        assert!(clock.elapsed() < Duration::from_secs(15));
    });
}

#[test]
fn foreign_pages_cannot_watch() {
    while_running(FALL, |server| {
        assert!(watch(server, &own_origin(server)).is_ok());
        for origin in ["https://evil.example", "null", "http://localhost:1"] {
            assert_eq!(watch(server, origin).unwrap_err(), Some(403), "{origin}");
        }
        let host = format!("127.0.0.1:{}", port(server));
        let path = format!("{}meta", token_path(server));
        let foreign =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://evil.example\r\n\r\n");
        assert_eq!(send(server, foreign.as_bytes()).0, 403);
        let rebound = format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        assert_eq!(send(server, rebound.as_bytes()).0, 403);
    });
}

#[test]
fn viewers_act_and_all_of_them_see_it() {
    while_running(FALL, |server| {
        let mut one = watch(server, &own_origin(server)).unwrap();
        let mut two = watch(server, &own_origin(server)).unwrap();
        let set = |name: &str, value: f64| json!({ "do": "set", "name": name, "value": value });
        say(&mut one, set("friction", 0.25));
        for socket in [&mut one, &mut two] {
            state(socket, |s| value(s, "friction") == Some(0.25));
        }
        say(&mut two, set("friction", 70.0));
        let refused = state(&mut one, |s| !s["error"].is_null());
        let why = refused["error"].as_str().unwrap();
        assert_eq!(
            why,
            "Friction of all materials must be from 0.1 to 10 ×, not 70"
        );
        assert_eq!(value(&refused, "friction"), Some(0.25));
        // A restart keeps what was changed.
        say(&mut two, set("rail", 2.0));
        say(&mut one, json!({ "do": "restart" }));
        let restarted = state(&mut two, |s| value(s, "rail") == Some(2.0));
        assert_eq!(value(&restarted, "friction"), Some(0.25));
        // Nonsense is passed over.
        for nonsense in [json!([]), json!({ "do": "format" }), json!({ "do": "set" })] {
            say(&mut two, nonsense);
        }
        say(&mut two, json!({ "do": "speed", "value": 0.5 }));
        state(&mut one, |s| s["speed"] == 0.5);
    });
}

#[test]
fn a_run_that_fails_pauses_and_says_why() {
    while_running(&format!("{FALL}{FAILS}"), |server| {
        let mut socket = watch(server, &own_origin(server)).unwrap();
        let failed = state(&mut socket, |s| s["playing"] == false);
        let why = failed["error"].as_str().unwrap();
        assert!(why.contains("t = 0.05"), "{why}");
        say(&mut socket, json!({ "do": "restart" }));
        say(&mut socket, json!({ "do": "play" }));
        state(&mut socket, |s| {
            s["playing"] == true && s["error"].is_null()
        });
    });
}

#[test]
fn messages_that_are_too_long_end_a_connection_only() {
    while_running(FALL, |server| {
        let mut bad = watch(server, &own_origin(server)).unwrap();
        let mut good = watch(server, &own_origin(server)).unwrap();
        let _ = bad.send(Message::text("x".repeat(1 << 20)));
        let late = Instant::now() + Duration::from_secs(20);
        let code = loop {
            match bad.read() {
                Ok(Message::Close(frame)) => break frame.map(|frame| frame.code),
                Ok(_) if Instant::now() < late => {}
                _ => break None,
            }
        };
        // The farewell may be lost when the connection is cut.
        assert!(matches!(code, None | Some(CloseCode::Size)), "{code:?}");
        say(&mut good, json!({ "do": "pause" }));
        state(&mut good, |s| s["playing"] == false);
    });
}

#[test]
fn a_viewer_that_shows_nothing_gets_no_more() {
    while_running(FALL, |server| {
        let mut socket = watch(server, &own_origin(server)).unwrap();
        // So many frames come, however slow the machine, and then none.
        let frames = |socket: &mut WebSocket<TcpStream>, expected: usize| {
            for (patience, wanted) in [(20_000, expected), (600, usize::MAX)] {
                let late = Instant::now() + Duration::from_millis(patience);
                let turn = Some(Duration::from_millis(100));
                socket.get_ref().set_read_timeout(turn).unwrap();
                let mut count = 0;
                // States come all the time.
                while count < wanted && Instant::now() < late {
                    count += usize::from(socket.read().is_ok_and(|m| m.is_binary()));
                }
                assert_eq!(count, if wanted == expected { expected } else { 0 });
            }
        };
        frames(&mut socket, 3);
        say(&mut socket, json!({ "do": "shown" }));
        frames(&mut socket, 1);
    });
}

#[test]
fn a_taken_port_is_told() {
    let server = Server::bind_with(PAGE, &ServeOptions::default()).unwrap();
    let options = ServeOptions {
        port: port(&server),
        open: false,
    };
    let refused = Server::bind_with(PAGE, &options).unwrap_err();
    assert!(refused.to_string().contains("--port"), "{refused}");
    assert!(server.listener.local_addr().unwrap().ip().is_loopback());
}

#[test]
fn a_recording_without_frames_is_told() {
    let server = Server::bind_with(PAGE, &ServeOptions::default()).unwrap();
    let stop = AtomicBool::new(true);
    let refused = server
        .serve_recording(&Header::default(), &[], None, &stop)
        .unwrap_err();
    assert!(refused.to_string().contains("no frames"), "{refused}");
}

#[test]
fn idle_connections_do_not_hold_up_the_end() {
    let clock = Instant::now();
    let mut idle = Vec::new();
    while_running(FALL, |server| {
        idle.push(connect(server));
        watch(server, &own_origin(server)).unwrap();
        thread::sleep(Duration::from_millis(100));
    });
    assert!(
        clock.elapsed() < Duration::from_secs(3),
        "{:?}",
        clock.elapsed()
    );
}
