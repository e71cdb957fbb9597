//! `volar serve`: Volar as a part of other platforms.

use std::sync::Arc;

use anyhow::Context;
use volar_nrp::{Defaults, Engine, SCHEMA, Server, register};

use crate::{Status, terminal};

/// Serve a scene to another platform.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    platform: Platform,
}

#[derive(clap::Subcommand)]
enum Platform {
    Nrp(NrpArgs),
}

/// An engine of the NeuroRobotics Platform, over its REST verbs.
///
/// nrp-core starts it with EngineProcCmd "volar" and EngineProcStartParams ["serve", "nrp"], and
/// adds --engine, --serverurl and --regservurl itself. It listens on this machine only.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
struct NrpArgs {
    /// Scene file or built-in scene, where the experiment does not name one in
    /// EngineExtraConfigs.Scene.
    #[arg(long, value_name = "SCENE")]
    scene: Option<String>,

    /// Set an entry of the scene, as in body.0.mass=0.5; may be repeated.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    set: Vec<String>,

    /// Threads that evaluate contacts.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    threads: usize,

    /// Port of this machine; any free one if 0.
    #[arg(
        long,
        default_value_t = 9002,
        value_name = "PORT",
        conflicts_with = "serverurl"
    )]
    port: u16,

    /// Name of the engine in the experiment.
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,

    /// Address to listen at; another port is taken where this one is not free.
    #[arg(long, value_name = "HOST:PORT")]
    serverurl: Option<String>,

    /// Registration server of nrp-core, which is told where the engine listens.
    #[arg(long, value_name = "HOST:PORT", requires = "engine")]
    regservurl: Option<String>,

    /// Given by nrp-core to servers in Python; not used here.
    #[arg(long, hide = true)]
    options: Option<String>,

    /// Listen where other machines can reach it. Whoever can may run scenes here.
    #[arg(long)]
    expose: bool,

    /// Print the JSON Schema of the engine's configuration and end.
    #[arg(long)]
    schema: bool,
}

const EXAMPLES: &str = "\
Examples:
  volar serve nrp --scene shadow-bunny --port 9002
  curl -d '{\"EngineName\": \"hand\"}' localhost:9002/initialize
  curl -d '{\"time_step\": 10000000}' localhost:9002/run_loop

Ctrl-C or the verb `shutdown` ends it. docs/nrp.md lists verbs and data packs.";

pub fn run(args: &Args) -> Status {
    let Platform::Nrp(nrp) = &args.platform;
    match try_serve(nrp) {
        Ok(()) => crate::SUCCESS,
        Err(error) => {
            terminal::failed(&error);
            2
        }
    }
}

fn try_serve(args: &NrpArgs) -> anyhow::Result<()> {
    if args.schema {
        return terminal::print_json(SCHEMA);
    }
    let wanted = match &args.serverurl {
        Some(address) => address.clone(),
        None => format!("localhost:{}", args.port),
    };
    let server = match (Server::bind(&wanted, args.expose), &args.regservurl) {
        // The coordinator will be told of another port.
        (Err(volar_nrp::ServeError::Listen { .. }), Some(_)) => {
            let host = wanted
                .rsplit_once(':')
                .map_or("localhost", |(host, _)| host);
            Server::bind(&format!("{host}:0"), args.expose)?
        }
        (bound, _) => bound?,
    };
    let server = Arc::new(server);
    let stopped = server.clone();
    ctrlc::set_handler(move || stopped.stop()).context("cannot watch for Ctrl-C")?;
    terminal::print(&format!("http://{}\n", server.address()))?;
    let engine = Engine::new(Defaults {
        name: args.engine.clone(),
        scene: args.scene.clone(),
        set: args.set.clone(),
        threads: args.threads,
    });
    std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.serve(engine));
        let registered = match (&args.regservurl, &args.engine) {
            (Some(at), Some(name)) if !at.is_empty() => register(at, name, &server.address())
                .with_context(|| format!("cannot register engine `{name}` at {at}")),
            _ => Ok(()),
        };
        if registered.is_err() {
            server.stop();
        }
        drop(serving);
        registered
    })
}
