//! Between a live run and its viewers: requests one way, states and frames the
//! other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use volar_scene::Setup;

use super::commands::{Commands, Message};
use super::parameters::Parameters;
use crate::channels::Channels;
use crate::encode;

/// Frames on their way to a viewer that it has not shown yet.
const AHEAD: u32 = 3;

/// What waits for one viewer: only the newest of each kind.
#[derive(Debug, Default)]
pub struct Mailbox {
    letters: Mutex<Letters>,
}

#[derive(Debug, Default)]
struct Letters {
    frame: Option<Arc<Vec<u8>>>,
    state: Option<Arc<String>>,
    wants_patches: bool,
    ahead: u32,
}

impl Mailbox {
    /// The newest frame, if the viewer keeps up.
    pub fn frame(&self) -> Option<Arc<Vec<u8>>> {
        let mut letters = self.lock();
        if letters.ahead >= AHEAD {
            return None;
        }
        let frame = letters.frame.take();
        letters.ahead += u32::from(frame.is_some());
        frame
    }

    /// The newest state.
    pub fn state(&self) -> Option<Arc<String>> {
        self.lock().state.take()
    }

    /// The viewer has shown a frame.
    pub fn shown(&self) {
        let mut letters = self.lock();
        letters.ahead = letters.ahead.saturating_sub(1);
    }

    /// Whether the viewer wants patches.
    pub fn want_patches(&self, wanted: bool) {
        self.lock().wants_patches = wanted;
    }

    fn lock(&self) -> MutexGuard<'_, Letters> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A live run as viewers know it.
pub struct Broadcast {
    /// What they ask.
    pub commands: Commands,
    /// Names of the parameters.
    pub names: Vec<String>,
    /// What does not change, as JSON.
    pub meta: String,
    viewers: Mutex<Vec<Arc<Mailbox>>>,
}

impl Broadcast {
    /// The broadcast of a run of a scene.
    pub fn new(setup: &Arc<Setup>) -> Broadcast {
        let header = volar_run::header(setup);
        let channels = Channels::new(&header, false);
        let meta = encode::meta("live", &header, &channels, Value::Null);
        Broadcast {
            commands: Commands::default(),
            names: Parameters::new(setup.clone()).names(),
            meta: meta.to_string(),
            viewers: Mutex::default(),
        }
    }

    /// A new viewer; it gets the present state and frame at once.
    pub fn join(&self) -> Arc<Mailbox> {
        let mailbox = Arc::new(Mailbox::default());
        self.viewers().push(mailbox.clone());
        self.commands.ask(Message::Patches { value: false }, &[]);
        mailbox
    }

    /// A viewer has gone.
    pub fn leave(&self, mailbox: &Arc<Mailbox>) {
        self.viewers().retain(|other| !Arc::ptr_eq(other, mailbox));
    }

    fn viewers(&self) -> MutexGuard<'_, Vec<Arc<Mailbox>>> {
        self.viewers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        !self.viewers().is_empty()
    }

    /// Hands the state of the run to all viewers.
    pub fn send_state(&self, state: &Value) {
        let state = Arc::new(state.to_string());
        for viewer in self.viewers().iter() {
            viewer.lock().state = Some(state.clone());
        }
    }

    /// Hands a frame to all viewers. `add_patches` is called at most once, for
    /// those who want them.
    pub fn send_frame(&self, frame: Vec<u8>, mut add_patches: impl FnMut(&mut Vec<u8>)) {
        let plain = Arc::new(frame);
        let mut with_patches: Option<Arc<Vec<u8>>> = None;
        for viewer in self.viewers().clone() {
            let wanted = viewer.lock().wants_patches;
            let frame = match wanted {
                true => with_patches.get_or_insert_with(|| {
                    let mut both = plain.to_vec();
                    add_patches(&mut both);
                    Arc::new(both)
                }),
                false => &plain,
            };
            viewer.lock().frame = Some(frame.clone());
        }
    }
}
