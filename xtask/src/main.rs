//! Project tasks; `cargo xtask` lists them.

mod browser;
mod compare;
mod dependencies;
mod package;
mod paper;
mod python;
mod steps;
mod tasks;
mod tidy;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask TASK

  test       everything that must hold before a change lands; installs what it needs
  tidy       only the checks of the repository's text: paths, lengths, machine paths
  accuracy   the overlap against exact arithmetic; writes docs/accuracy.md
  bench      the overlap against manifold3d and libigl, and the stages; writes docs/performance.md
  paper      the nine grasps with the paper's law and integrator; writes into docs/grasps.md
  compare    the built-in scenes in Bullet, MuJoCo and Drake; writes docs/comparison.md. With names
             of scenes only these are run anew, with `--page` none;
             `--volar PROGRAM` before them builds nothing
  reproduce  the paper's experiments, in short; writes docs/reproduction.md
  stages     only time per stage of an evaluation, into the same page
  bodies     only the cost of many bodies, into the same page
  grasps     the built-in grasps against MuJoCo, into the same page
  throughput     grasps per second, against MuJoCo's rollout, into the same page
  eval       grasps judged by the thousand, against MuJoCo's rollout; writes into docs/eval.md;
             --count N, --hand-count N, --seconds S as bench/eval.py has them
  objects    objects of other projects in three grippers, against MuJoCo; writes docs/objects.md
  pickups    objects picked up from a table by three grippers; writes docs/pickups.md
  wheel      the Python package, into dist
  python-bench   what it costs, beside Rust and MuJoCo; writes into docs/python.md
  fuzz       mutated inputs for everything that reads, for a minute; --minutes N, --inputs N,
             --only KIND; `fuzz show KIND NUMBER` writes an input to stdout
  models     robots of other projects, which load and run; writes docs/models.md
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["test"] => tasks::test(),
        ["tidy"] => tidy::check(&root()),
        ["accuracy"] => tasks::accuracy(),
        ["bench"] => tasks::bench(),
        ["paper"] => tasks::paper(),
        ["compare", ref scenes @ ..] => tasks::compare(scenes),
        ["reproduce"] => tasks::reproduce(),
        ["stages"] => tasks::stages(),
        ["bodies"] => tasks::bodies(),
        ["grasps"] => tasks::grasps(),
        ["throughput"] => tasks::throughput(),
        ["eval", ref options @ ..] => tasks::eval(options),
        ["objects"] => tasks::objects(),
        ["pickups"] => tasks::pickups(),
        ["models"] => tasks::models(),
        ["fuzz", ref options @ ..] => tasks::fuzz(options),
        ["wheel"] => tasks::wheel(),
        ["python-bench"] => tasks::python_bench(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The top of the repository.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Where cargo puts what it builds, and the tasks what they download.
fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}
