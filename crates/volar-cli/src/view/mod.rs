//! `volar view`: a recording, or a scene while it runs, in the browser.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use volar_assets::{AssetSource, Disk};
use volar_record::{MCAP_FILE, Recording};
use volar_view::{ORIGIN_FILE, RunInfo, ServeOptions, Server};

use crate::scene::{Changes, load};
use crate::{Status, stop, terminal};

/// Watch a run in the browser: a recording, or a scene while it runs.
///
/// A folder that `volar run --out` wrote is replayed; a scene file or the name
/// of a built-in scene is simulated live, with everything to be changed on the
/// way. The server listens on this machine only.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Recorded run, scene file or folder, or the name of a built-in scene (`volar scenes`
    /// lists them).
    scene: PathBuf,

    #[command(flatten)]
    changes: Changes,

    /// Port of this machine; any free one if not given.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,

    /// Do not open a browser, only print the address.
    #[arg(long)]
    no_open: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar run g2r-bunny --out bunny && volar view bunny
  volar view g3r-bunny
  volar view my-scene.toml --set body.0.mass=0.5 --no-open --port 8080

Ctrl-C ends the server.";

pub fn run(args: &Args) -> Status {
    match try_view(args) {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

fn try_view(args: &Args) -> anyhow::Result<()> {
    let options = ServeOptions {
        port: args.port,
        open: !args.no_open,
    };
    let folder = args.scene.as_path();
    let recorded = folder.join(MCAP_FILE).is_file();
    if recorded || (folder.is_dir() && !folder.join("scene.toml").is_file()) {
        return replay(folder, &options);
    }
    let setup = Arc::new(load(folder, &args.changes)?);
    let server = Server::bind(&options)?;
    let stop = announce(&server)?;
    server.serve_live(&setup, &stop)?;
    Ok(())
}

fn replay(folder: &Path, options: &ServeOptions) -> anyhow::Result<()> {
    let (recording, broken) = Recording::recover(folder)?;
    if let Some(why) = broken {
        terminal::warning(format!("{why}; what could be read is shown"));
    }
    let server = Server::bind(options)?;
    let stop = announce(&server)?;
    let info = run_info(folder);
    server.serve_recording(&recording.header, &recording.frames, info.as_ref(), &stop)?;
    Ok(())
}

/// Prints the address; Ctrl-C sets the flag.
fn announce(server: &Server) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = stop::flag()?;
    terminal::print(&format!("{}\n", server.address()))?;
    Ok(stop)
}

/// Summary and scene beside a recording, where they are there.
fn run_info(folder: &Path) -> Option<RunInfo> {
    let disk = Disk::new(folder);
    let read = |name: &str| disk.read(Path::new(name)).ok().map(Cow::into_owned);
    let origin = read(ORIGIN_FILE).and_then(|text| serde_json::from_slice(&text).ok());
    Some(RunInfo {
        summary: serde_json::from_slice(&read("summary.json")?).ok()?,
        scene_toml: String::from_utf8(read("scene.toml").unwrap_or_default()).unwrap_or_default(),
        origin: origin.unwrap_or_default(),
    })
}
