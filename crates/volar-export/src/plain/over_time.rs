//! What changes with time, as rows of a table with straight lines between: the signals
//! of the scene with its events worked in.

use glam::DVec3;
use volar_dynamics::Signal;
use volar_scene::{Change, Setup};
use volar_sim::{Controls, Model};

use super::{Load, array};

/// Rows for a curve from one corner to the next: a smooth step is then within 1e-6 of
/// its height of the straight lines, a turn of gravity by 180° within 1e-5 of its size.
const ROWS_OF_A_PASSAGE: usize = 1000;
/// Rows for one cycle of a sine, within 1e-5 of its amplitude.
const ROWS_OF_A_CYCLE: f64 = 800.0;

/// The controls from one event to the next.
pub(super) struct Timeline {
    /// When they begin, s; the first at zero.
    spans: Vec<(f64, Controls)>,
    /// Loads with when they begin and end.
    loads: Vec<(f64, f64, volar_sim::Load)>,
    duration: f64,
}

/// A function of time from a time on, until the next piece.
struct Piece<'a> {
    from: f64,
    signal: &'a Signal,
}

impl Timeline {
    pub fn new(setup: &Setup) -> Timeline {
        let mut controls = setup.model.controls().clone();
        let mut loads: Vec<(f64, f64, volar_sim::Load)> = Vec::new();
        let mut spans = vec![(0.0, controls.clone())];
        for event in &setup.events {
            event.apply(&mut controls);
            let at = event.at.max(0.0);
            match spans.last_mut() {
                Some((last, old)) if *last >= at => *old = controls.clone(),
                _ => spans.push((at, controls.clone())),
            }
            for change in &event.changes {
                match change {
                    Change::Push(load) => loads.push((at, f64::INFINITY, load.clone())),
                    Change::Release(load) => {
                        let open = |(_, end, own): &&mut (f64, f64, volar_sim::Load)| {
                            end.is_infinite() && own == load
                        };
                        if let Some((_, end, _)) = loads.iter_mut().find(open) {
                            *end = at;
                        }
                    }
                    Change::Gravity(_) | Change::TurnGravity { .. } | Change::Command { .. } => {}
                }
            }
        }
        Timeline {
            spans,
            loads,
            duration: setup.scene.spec.duration,
        }
    }

    /// Rows of the command of an actuator.
    pub fn command(&self, actuator: usize) -> Vec<[f64; 2]> {
        let id = volar_sim::ActuatorId::new(actuator);
        let pieces = self.spans.iter().filter_map(|(from, controls)| {
            let signal = controls.actuator(id)?.command();
            Some(Piece {
                from: *from,
                signal,
            })
        });
        let pieces: Vec<Piece> = pieces.collect();
        rows(&pieces, self.duration, |piece, t| [piece.signal.value(t)])
            .into_iter()
            .map(|(t, [value])| [t, value])
            .collect()
    }

    /// Rows of gravity.
    pub fn gravity(&self) -> Vec<[f64; 4]> {
        let pieces = self.spans.iter().map(|(from, controls)| Piece {
            from: *from,
            signal: &controls.gravity.angle,
        });
        let pieces: Vec<Piece> = pieces.collect();
        let value = |piece: &Piece, t: f64| {
            let span = self
                .spans
                .iter()
                .rev()
                .find(|(from, _)| *from <= piece.from);
            span.map_or(DVec3::ZERO, |(_, controls)| controls.gravity.at(t))
                .to_array()
        };
        rows(&pieces, self.duration, value)
            .into_iter()
            .map(|(t, [x, y, z])| [t, x, y, z])
            .collect()
    }

    /// All loads.
    pub fn loads(&self, model: &Model) -> Vec<Load> {
        let none = Signal::Constant(0.0);
        let loads = self.loads.iter().map(|(begin, end, load)| {
            let mut pieces = vec![Piece {
                from: *begin,
                signal: &load.scale,
            }];
            if *begin > 0.0 {
                pieces.insert(
                    0,
                    Piece {
                        from: 0.0,
                        signal: &none,
                    },
                );
            }
            if end.is_finite() {
                pieces.push(Piece {
                    from: *end,
                    signal: &none,
                });
            }
            let scale = rows(&pieces, self.duration, |piece, t| [piece.signal.value(t)]);
            Load {
                body: model.name(load.body).to_owned(),
                force: array(load.wrench.force),
                torque: array(load.wrench.torque),
                point: array(load.point),
                scale: scale.into_iter().map(|(t, [x])| [t, x]).collect(),
            }
        });
        loads.collect()
    }
}

/// Rows for all pieces, without those that a straight line through their neighbours has.
fn rows<const N: usize>(
    pieces: &[Piece],
    duration: f64,
    value: impl Fn(&Piece, f64) -> [f64; N],
) -> Vec<(f64, [f64; N])> {
    let mut rows: Vec<(f64, [f64; N])> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        let end = pieces.get(i + 1).map_or(duration, |next| next.from);
        if piece.from > duration {
            break;
        }
        for t in times(piece.signal, piece.from, end.min(duration)) {
            rows.push((t, value(piece, t)));
        }
    }
    let bits = |x: &[f64; N]| x.map(f64::to_bits);
    // Equal rows in a row: the first and the last are enough.
    let mut kept: Vec<(f64, [f64; N])> = Vec::new();
    for row in rows {
        if let [.., before, last] = &kept[..]
            && bits(&before.1) == bits(&last.1)
            && bits(&last.1) == bits(&row.1)
        {
            kept.pop();
        }
        kept.push(row);
    }
    if let [first, last] = &kept[..]
        && bits(&first.1) == bits(&last.1)
    {
        kept.pop();
    }
    kept
}

/// Times from one to another at which a signal needs a row.
fn times(signal: &Signal, from: f64, to: f64) -> Vec<f64> {
    let mut ends: Vec<f64> = signal.corners();
    ends.retain(|t| *t > from && *t < to);
    ends.insert(0, from);
    ends.push(to);
    let mut times = vec![from];
    for pair in ends.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let pieces = match signal {
            _ if !signal.varies_after(a) => 1,
            Signal::Constant(_) | Signal::Lines(_) => 1,
            Signal::Smooth { .. } => ROWS_OF_A_PASSAGE,
            Signal::Sine { frequency, .. } => {
                let cycles = (b - a) * frequency.abs();
                (cycles * ROWS_OF_A_CYCLE).ceil().clamp(1.0, 1.0e6) as usize
            }
        };
        times.extend((1..pieces).map(|i| a + (b - a) * i as f64 / pieces as f64));
        if b > a {
            times.push(b);
        }
    }
    times
}
