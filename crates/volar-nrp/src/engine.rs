//! The six verbs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use volar_run::{Applied, Run};
use volar_scene::{Scene, Setup};

use crate::config::EngineConfig;
use crate::packs::{Change, read, write};

/// A loop step is no longer than this, ns: a minute. Longer ones are mistakes, and would
/// leave the coordinator waiting.
const LONGEST_STEP: i64 = 60_000_000_000;

/// Nanoseconds in a second.
const SECOND: f64 = 1.0e9;

/// What was asked for cannot be done; the engine is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// As HTTP has it.
    pub status: u16,
    /// Why, and what to do about it.
    pub what: String,
}

impl Refusal {
    /// A request that makes no sense.
    pub(crate) fn request(what: impl Into<String>) -> Refusal {
        Refusal {
            status: 400,
            what: what.into(),
        }
    }

    /// Not now.
    fn state(what: &str) -> Refusal {
        Refusal {
            status: 409,
            what: what.into(),
        }
    }

    /// The simulation cannot.
    pub(crate) fn failed(what: impl Into<String>) -> Refusal {
        Refusal {
            status: 500,
            what: what.into(),
        }
    }
}

/// What holds where the configuration of the experiment says nothing.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// Name of the engine; the experiment must not say another.
    pub name: Option<String>,
    /// A scene file, or the name of a built-in scene.
    pub scene: Option<String>,
    /// Entries of the scene to change, as `path=value`.
    pub set: Vec<String>,
    /// Threads that evaluate contacts.
    pub threads: usize,
}

/// An engine: what the verbs act on.
///
/// ```
/// use serde_json::json;
/// use volar_nrp::{Defaults, Engine};
///
/// let mut engine = Engine::new(Defaults { scene: Some("g2p-cube".into()), ..Defaults::default() });
/// engine.ask("initialize", br#"{"EngineName": "hand"}"#)?;
/// let time = engine.ask("run_loop", br#"{"time_step": 10000000}"#)?; // ns
/// assert_eq!(time, json!({"time": 10000000}));
/// let wanted = br#"{"body/cube": {"engine_name": "hand", "type": "json"}}"#;
/// let packs = engine.ask("get_datapacks", wanted)?;
/// assert!(packs["body/cube"]["data"]["position"].is_array()); // m
/// assert!(engine.ask("run_loop", br#"{"time_step": 0}"#).is_err());
/// # Ok::<(), volar_nrp::Refusal>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    defaults: Defaults,
    session: Option<Session>,
    over: bool,
}

/// From `initialize` to `shutdown`.
#[derive(Debug)]
pub(crate) struct Session {
    pub name: String,
    pub run: Run,
    pub applied: Applied,
    pub time_ns: i64,
    threads: usize,
}

impl Engine {
    /// An engine that is not initialised yet.
    pub fn new(defaults: Defaults) -> Engine {
        Engine {
            defaults,
            session: None,
            over: false,
        }
    }

    /// Whether it was shut down.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Does what a verb says with the JSON that was sent along.
    ///
    /// # Errors
    /// When it cannot be done; the engine is then as it was, and can be asked again.
    pub fn ask(&mut self, verb: &str, body: &[u8]) -> Result<Value, Refusal> {
        let given = match body {
            b"" => Value::Null,
            body => serde_json::from_slice(body)
                .map_err(|error| Refusal::request(format!("the request is not JSON: {error}")))?,
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.act(verb, given)));
        done.unwrap_or_else(|_| {
            let what = "internal error; please report it with the scene and the request";
            Err(Refusal::failed(what))
        })
    }

    fn act(&mut self, verb: &str, given: Value) -> Result<Value, Refusal> {
        match verb {
            "initialize" => self.initialize(given),
            "run_loop" => self.session()?.run_loop(&given),
            "get_datapacks" => self.session()?.get(&given),
            "set_datapacks" => self.session()?.set(&given),
            "reset" => self.session()?.reset(),
            "shutdown" => {
                self.session = None;
                self.over = true;
                Ok(json!({}))
            }
            _ => Err(Refusal {
                status: 404,
                what: format!(
                    "no verb `{verb}`; there are initialize, run_loop, set_datapacks, \
                     get_datapacks, reset and shutdown"
                ),
            }),
        }
    }

    fn session(&mut self) -> Result<&mut Session, Refusal> {
        let missing = Refusal::state("the engine is not initialised; send initialize first");
        self.session.as_mut().ok_or(missing)
    }

    fn initialize(&mut self, given: Value) -> Result<Value, Refusal> {
        if let Some(session) = &self.session {
            return Err(Refusal::state(&format!(
                "engine `{}` is initialised already; reset it, or shut it down",
                session.name
            )));
        }
        let config = EngineConfig::read(given).map_err(Refusal::request)?;
        let name = match (&self.defaults.name, config.name) {
            (Some(own), Some(other)) if *own != other => {
                let what = format!("this engine is `{own}`, not `{other}`");
                return Err(Refusal::request(what));
            }
            (own, given) => given.or_else(|| own.clone()),
        };
        let missing = || Refusal::request("EngineName is missing; give the engine a name");
        let name = name.ok_or_else(missing)?;
        let scene = config.extra.scene.clone();
        let scene = scene
            .or_else(|| self.defaults.scene.clone())
            .ok_or_else(|| {
                Refusal::request("no scene; name one in EngineExtraConfigs.Scene, or with --scene")
            })?;
        let mut set = self.defaults.set.clone();
        set.extend(config.extra.assignments().map_err(Refusal::request)?);
        let setup = compile(&scene, &set).map_err(Refusal::request)?;
        let threads = config.extra.threads.unwrap_or(self.defaults.threads);
        self.session = Some(Session::new(name, setup, threads)?);
        Ok(json!({}))
    }
}

fn compile(scene: &str, set: &[String]) -> Result<Arc<Setup>, String> {
    let scene = Scene::open(scene).and_then(|scene| scene.with(set));
    let setup = scene.and_then(|scene| scene.compile());
    setup.map(Arc::new).map_err(|error| error.to_string())
}

/// A pack of a request: its name, and what is said of it.
type Entry<'a> = (&'a str, &'a Map<String, Value>);

impl Session {
    fn new(name: String, setup: Arc<Setup>, threads: usize) -> Result<Session, Refusal> {
        let run = Run::new(setup, threads).map_err(|error| Refusal::failed(error.to_string()))?;
        Ok(Session {
            name,
            run,
            applied: Applied::default(),
            time_ns: 0,
            threads,
        })
    }

    fn reset(&mut self) -> Result<Value, Refusal> {
        *self = Session::new(self.name.clone(), self.run.setup().clone(), self.threads)?;
        Ok(json!({}))
    }

    fn run_loop(&mut self, given: &Value) -> Result<Value, Refusal> {
        let step = given.get("time_step").and_then(Value::as_i64);
        let step = step.filter(|step| (1..=LONGEST_STEP).contains(step));
        let step = step.ok_or_else(|| {
            let what = format!("time_step must be a whole number of ns from 1 to {LONGEST_STEP}");
            Refusal::request(what)
        })?;
        let end = self.time_ns.checked_add(step);
        let end = end.ok_or_else(|| Refusal::request("time_step is beyond what can be counted"))?;
        let advanced = self.run.advance_to(end as f64 / SECOND);
        advanced.map_err(|error| Refusal::failed(error.to_string()))?;
        self.time_ns = end;
        Ok(json!({"time": end}))
    }

    /// The packs of a request: name, and the rest of the entry.
    fn wanted<'a>(&self, given: &'a Value) -> Result<Vec<Entry<'a>>, Refusal> {
        let Value::Object(packs) = given else {
            return match given {
                Value::Null => Ok(Vec::new()),
                _ => Err(Refusal::request("a JSON object of data packs is needed")),
            };
        };
        let pack = |(name, entry): (&'a String, &'a Value)| {
            let engine = entry.get("engine_name").and_then(Value::as_str);
            let wrong = |what: String| Err(Refusal::request(what));
            match (engine, entry.as_object()) {
                (Some(engine), Some(entry)) if engine == self.name => Ok((name.as_str(), entry)),
                (Some(engine), _) => wrong(format!(
                    "data pack `{name}` is for engine `{engine}`; this is `{}`",
                    self.name
                )),
                _ => wrong(format!("data pack `{name}` does not say its engine_name")),
            }
        };
        packs.iter().map(pack).collect()
    }

    fn get(&self, given: &Value) -> Result<Value, Refusal> {
        let mut packs = Map::new();
        for (name, entry) in self.wanted(given)? {
            // Types are names that only the coordinator knows.
            let kind = entry.get("type").cloned().unwrap_or(Value::Null);
            let data = read(self, name)?;
            let pack = json!({"engine_name": self.name, "type": kind, "data": data});
            packs.insert(name.to_owned(), pack);
        }
        Ok(Value::Object(packs))
    }

    /// All are looked at before any is applied.
    fn set(&mut self, given: &Value) -> Result<Value, Refusal> {
        let mut changes: Vec<Change> = Vec::new();
        for (name, entry) in self.wanted(given)? {
            let data = entry.get("data");
            let data = data
                .ok_or_else(|| Refusal::request(format!("data pack `{name}` has no data in it")))?;
            changes.extend(Change::parse(&self.run, name, data)?);
        }
        write(&mut self.run, &mut self.applied, &changes)?;
        Ok(json!({}))
    }
}
