//! What viewers ask of a live run, until it gets round to it.
//!
//! Requests are merged, so that a viewer cannot pile them up: of many values
//! for one parameter only the last counts.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::push::Grip;

/// A message from a page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Message {
    /// Go on.
    Play,
    /// Stop where it is.
    Pause,
    /// One picture on.
    Step,
    /// Back to the start.
    Restart,
    /// Simulated over real time.
    Speed {
        /// From 0.001 to 100.
        value: f64,
    },
    /// Change a parameter.
    Set {
        /// Its name.
        name: String,
        /// Its new value.
        value: f64,
    },
    /// Whether this viewer wants patches.
    Patches {
        /// True when it does.
        value: bool,
    },
    /// All parameters as the scene has them.
    Reset,
    /// Pull at a body.
    Pull {
        /// Where, and to where.
        grip: Grip,
    },
    /// Let go of it.
    Release,
    /// This viewer wants all frames again.
    History,
    /// This viewer has shown a message with frames.
    Shown,
}

/// What is asked for and not yet done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Play or pause.
    pub playing: Option<bool>,
    /// Simulated over real time.
    pub speed: Option<f64>,
    /// Single pictures.
    pub steps: u32,
    /// Back to the start.
    pub restart: bool,
    /// New values of parameters.
    pub set: BTreeMap<String, f64>,
    /// All parameters as the scene has them; before what is set.
    pub reset: bool,
    /// What to pull at from now on, or to let go.
    pub grip: Option<Option<Grip>>,
    /// Somebody needs the present state and patches.
    pub frame: bool,
}

/// The place where requests wait.
#[derive(Debug, Default)]
pub struct Commands {
    asked: Mutex<Asked>,
    bell: Condvar,
}

/// Single steps that may wait.
const MAX_STEPS: u32 = 10;

impl Commands {
    /// Adds a request. `names` are the parameters there are.
    pub fn ask(&self, message: Message, names: &[String]) {
        let mut asked = self.lock();
        match message {
            Message::Play => asked.playing = Some(true),
            Message::Pause => asked.playing = Some(false),
            Message::Step => asked.steps = (asked.steps + 1).min(MAX_STEPS),
            Message::Restart => asked.restart = true,
            Message::Speed { value } if value.is_finite() => {
                asked.speed = Some(value.clamp(1e-3, 100.0));
            }
            Message::Set { name, value } if names.contains(&name) && value.is_finite() => {
                asked.set.insert(name, value);
            }
            Message::Reset => {
                asked.set.clear();
                asked.reset = true;
            }
            Message::Pull { grip } => asked.grip = Some(Some(grip)),
            Message::Release => asked.grip = Some(None),
            Message::Patches { .. } => asked.frame = true,
            Message::Speed { .. } | Message::Set { .. } | Message::Shown | Message::History => {}
        }
        drop(asked);
        self.bell.notify_all();
    }

    /// Takes all requests; waits for one no longer than `wait`.
    pub fn take(&self, wait: Duration) -> Asked {
        let asked = self.lock();
        let idle = |asked: &mut Asked| *asked == Asked::default();
        let waited = self.bell.wait_timeout_while(asked, wait, idle);
        let (mut asked, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut asked)
    }

    fn lock(&self) -> MutexGuard<'_, Asked> {
        // Requests are whole at all times, whatever became of another thread.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_merged_and_bounded() {
        let commands = Commands::default();
        let names = vec!["friction".to_string()];
        for k in 0..1000 {
            let value = f64::from(k);
            commands.ask(
                Message::Set {
                    name: "friction".into(),
                    value,
                },
                &names,
            );
            commands.ask(
                Message::Set {
                    name: format!("x{k}"),
                    value,
                },
                &names,
            );
            commands.ask(Message::Step, &names);
        }
        commands.ask(Message::Speed { value: f64::NAN }, &names);
        let asked = commands.take(Duration::ZERO);
        assert_eq!(
            asked.set.into_iter().collect::<Vec<_>>(),
            [("friction".into(), 999.0)]
        );
        assert_eq!(asked.steps, MAX_STEPS);
        assert_eq!(asked.speed, None);
        assert_eq!(commands.take(Duration::ZERO), Asked::default());
    }

    #[test]
    fn messages_are_read_strictly() {
        let read = |text: &str| serde_json::from_str::<Message>(text);
        assert_eq!(read(r#"{"do":"play"}"#).unwrap(), Message::Play);
        assert_eq!(
            read(r#"{"do":"set","name":"gravity","value":1.5}"#).unwrap(),
            Message::Set {
                name: "gravity".into(),
                value: 1.5
            }
        );
        assert!(read(r#"{"do":"rm -rf"}"#).is_err());
        assert!(read(r#"{"do":"speed","value":"fast"}"#).is_err());
    }
}
