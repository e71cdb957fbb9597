//! Opens the user's browser.

use std::process::{Command, Stdio};
use std::thread;

/// Opens an address. Without a browser nothing happens: the address is printed
/// as well.
pub fn browser(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(address);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Waited for, so that no dead process is left behind.
        thread::spawn(move || child.wait());
    }
}
