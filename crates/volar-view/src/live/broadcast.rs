//! Between a live run and its viewers: requests one way, states and frames the
//! other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use volar_record::{Frame, Header, Thinned};
use volar_scene::Setup;

use super::commands::{Commands, Message};
use super::parameters::Parameters;
use crate::channels::Channels;
use crate::encode;

/// Messages with frames on their way to a viewer that it has not shown yet.
const AHEAD: u32 = 3;

/// Frames of a run that are kept for viewers who join later; more are thinned out.
const MAX_HISTORY: usize = 6000;

/// A message with frames is about this long at most, bytes.
const MESSAGE: usize = 1 << 20;

/// What waits for one viewer.
#[derive(Debug, Default)]
pub struct Mailbox {
    letters: Mutex<Letters>,
}

#[derive(Debug, Default)]
struct Letters {
    state: Option<Arc<String>>,
    wants_patches: bool,
    ahead: u32,
    /// Number of the last frame that was sent.
    sent: u64,
}

impl Mailbox {
    /// The newest state.
    pub fn state(&self) -> Option<Arc<String>> {
        self.lock().state.take()
    }

    /// The viewer has shown a message.
    pub fn shown(&self) {
        let mut letters = self.lock();
        letters.ahead = letters.ahead.saturating_sub(1);
    }

    /// Whether the viewer wants patches.
    pub fn want_patches(&self, wanted: bool) {
        self.lock().wants_patches = wanted;
    }

    /// The viewer gets all frames again.
    pub fn again(&self) {
        self.lock().sent = 0;
    }

    fn lock(&self) -> MutexGuard<'_, Letters> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A frame as the page reads it.
#[derive(Clone, Debug)]
struct Record {
    /// Counts all frames of all runs.
    number: u64,
    bytes: Arc<Vec<u8>>,
}

/// The frames of a run so far, and the patches at the last of them.
struct History {
    records: Thinned<Record>,
    number: u64,
    patches: Vec<u8>,
}

/// A live run as viewers know it.
pub struct Broadcast {
    /// What they ask.
    pub commands: Commands,
    /// Names of the parameters.
    pub names: Vec<String>,
    /// What does not change, as JSON.
    pub meta: String,
    header: Header,
    viewers: Mutex<Vec<Arc<Mailbox>>>,
    history: Mutex<History>,
}

impl Broadcast {
    /// The broadcast of a run of a scene.
    pub fn new(setup: &Arc<Setup>) -> Broadcast {
        let header = volar_run::header(setup);
        let mut channels = Channels::new(&header);
        channels.mark_windows(header.grasp.as_ref(), f64::INFINITY);
        let meta = encode::meta("live", &header, &channels, Value::Null);
        Broadcast {
            commands: Commands::default(),
            names: Parameters::new(setup.clone()).names(),
            meta: meta.to_string(),
            viewers: Mutex::default(),
            history: Mutex::new(History {
                records: Thinned::new(&header, MAX_HISTORY),
                number: 0,
                patches: Vec::new(),
            }),
            header,
        }
    }

    /// A new viewer; it gets the present state and all frames so far.
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

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        !self.viewers().is_empty()
    }

    /// Whether anybody wants patches.
    pub fn wants_patches(&self) -> bool {
        self.viewers().iter().any(|v| v.lock().wants_patches)
    }

    /// Hands the state of the run to all viewers.
    pub fn send_state(&self, state: &Value) {
        let state = Arc::new(state.to_string());
        for viewer in self.viewers().iter() {
            viewer.lock().state = Some(state.clone());
        }
    }

    /// A run begins: what was before is forgotten.
    pub fn begin(&self) {
        let mut history = self.history();
        history.records = Thinned::new(&self.header, MAX_HISTORY);
        history.patches.clear();
    }

    /// Adds a frame, which has these bytes.
    pub fn add(&self, frame: &Frame, bytes: Vec<u8>) {
        let mut history = self.history();
        history.number += 1;
        let record = Record {
            number: history.number,
            bytes: Arc::new(bytes),
        };
        history.records.push(record, frame);
        history.patches.clear();
    }

    /// Adds the patches at the last frame.
    pub fn add_patches(&self, bytes: Vec<u8>) {
        self.history().patches = bytes;
    }

    /// The next message with frames for a viewer, if there are any and it keeps up: how
    /// many there are, the frames, and the patches at the last one if it is among them.
    pub fn message(&self, mailbox: &Mailbox) -> Option<Vec<u8>> {
        let mut letters = mailbox.lock();
        if letters.ahead >= AHEAD {
            return None;
        }
        let history = self.history();
        let all = history.records.items();
        let new = &all[all.partition_point(|record| record.number <= letters.sent)..];
        let mut message = vec![0; 4];
        let mut count = 0_u32;
        for record in new {
            message.extend(&*record.bytes);
            letters.sent = record.number;
            count += 1;
            if message.len() > MESSAGE {
                break;
            }
        }
        if count == 0 {
            return None;
        }
        message[..4].copy_from_slice(&count.to_le_bytes());
        if letters.sent == history.number && letters.wants_patches {
            message.extend(&history.patches);
        }
        letters.ahead += 1;
        Some(message)
    }
}
