//! One viewer of a live run, over a websocket.

use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tungstenite::error::CapacityError;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};
use volar_http::{Request, waits};

use crate::live::{Broadcast, Mailbox, ViewerMessage};

/// Messages from a page are no longer than this, bytes.
const MAX_MESSAGE: usize = 4096;

/// How long to listen before looking for something to send.
const TURN: Duration = Duration::from_millis(4);

/// A viewer that takes nothing for this long is dropped.
const PATIENCE: Duration = Duration::from_secs(10);

/// The answer that turns a connection into a websocket; none when the request
/// does not ask for that.
pub fn upgrade(request: &Request) -> Option<String> {
    let asks = request.header("upgrade")?.eq_ignore_ascii_case("websocket");
    let version = request.header("sec-websocket-version")? == "13";
    let key = request.header("sec-websocket-key")?;
    let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
    (asks && version).then(|| {
        format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {accept}\r\n\r\n"
        )
    })
}

/// Serves a viewer until it goes or everything stops.
pub fn serve(stream: TcpStream, broadcast: &Broadcast, stop: &AtomicBool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TURN))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let mailbox = broadcast.join();
    let ended = converse(&mut socket, broadcast, &mailbox, stop);
    broadcast.leave(&mailbox);
    let code = match ended {
        Ok(()) => CloseCode::Away,
        Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => CloseCode::Size,
        Err(_) => CloseCode::Protocol,
    };
    // Whether the farewell arrives does not matter any more.
    let _ = socket.close(Some(CloseFrame {
        code,
        reason: "".into(),
    }));
    let _ = socket.flush();
    Ok(())
}

fn converse(
    socket: &mut WebSocket<TcpStream>,
    broadcast: &Broadcast,
    mailbox: &Mailbox,
    stop: &AtomicBool,
) -> Result<(), Error> {
    while !stop.load(Ordering::Relaxed) {
        if let Some(state) = mailbox.state() {
            socket.send(Message::text(state.as_str()))?;
        }
        if let Some(frames) = broadcast.message(mailbox) {
            socket.send(Message::binary(frames))?;
        }
        match socket.read() {
            Ok(Message::Text(text)) => hear(text.as_str(), broadcast, mailbox),
            Ok(Message::Close(_)) => return Ok(()),
            Ok(_) => {}
            Err(Error::Io(error)) if waits(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Does what a message says; one that is not understood is passed over.
fn hear(text: &str, broadcast: &Broadcast, mailbox: &Mailbox) {
    let Ok(message) = serde_json::from_str::<ViewerMessage>(text) else {
        return;
    };
    match message {
        ViewerMessage::Shown => return mailbox.shown(),
        ViewerMessage::History => return mailbox.again(),
        ViewerMessage::Patches { value } => mailbox.want_patches(value),
        _ => {}
    }
    broadcast.commands.ask(message, &broadcast.names);
}
