//! The schedule and forces as events.

use glam::DVec3;
use volar_dynamics::{Lines, Signal};
use volar_math::Wrench;
use volar_sim::{ActuatorId, Body, Load};

use super::drives::{Commanded, Drive, bearable, find_drive};
use super::names::Names;
use crate::error::{Fault, direction, positive, vector};
use crate::schedule::{Change, Event, Passage};
use crate::spec::{ForceEntry, SceneSpec, ScheduleEntry};

pub(super) fn events(
    scene: &SceneSpec,
    names: &Names,
    drives: &[Drive],
    bodies: &[Body],
) -> Result<Vec<Event>, Fault> {
    let mut events = Vec::new();
    for (i, entry) in scene.schedule.iter().enumerate() {
        let changes =
            changes(entry, drives).map_err(|f| f.within(&["schedule", &i.to_string()]))?;
        events.push(Event {
            at: entry.at,
            return_to: returned(entry, scene)
                .map_err(|f| f.within(&["schedule", &i.to_string()]))?,
            changes,
        });
    }
    for (i, entry) in scene.forces.iter().enumerate() {
        let here = i.to_string();
        let load = load(entry, names, bodies).map_err(|f| f.within(&["force", &here]))?;
        events.push(Event {
            at: entry.start,
            return_to: None,
            changes: vec![Change::Push(load.clone())],
        });
        if let Some(end) = entry.end {
            events.push(Event {
                at: end,
                return_to: None,
                changes: vec![Change::Release(load)],
            });
        }
    }
    // Stable: what is at the same time stays in the order of the file, but nothing changes before
    // the state returns.
    events.sort_by(|a, b| {
        let order = a.at.total_cmp(&b.at);
        order.then(b.return_to.is_some().cmp(&a.return_to.is_some()))
    });
    Ok(events)
}

/// The earlier time that the state returns to.
fn returned(entry: &ScheduleEntry, scene: &SceneSpec) -> Result<Option<f64>, Fault> {
    let Some(earlier) = entry.return_to else {
        return Ok(None);
    };
    if !(earlier >= 0.0 && earlier < entry.at) {
        let message = "the state returns to an earlier time than `at`, at least 0 s";
        return Err(Fault::new(&["return_to"], message));
    }
    let robots = scene.robots.iter().map(|robot| &robot.motion);
    let bodies = scene.bodies.iter().map(|body| &body.motion);
    if robots.chain(bodies).any(Option::is_some) {
        let message = "bodies with a `motion` go on with it and cannot return; leave out \
                       `return_to`, or the motion";
        return Err(Fault::new(&["return_to"], message));
    }
    let twice = |other: &&ScheduleEntry| {
        other.return_to.is_some() && other.at.to_bits() == entry.at.to_bits()
    };
    if scene.schedule.iter().filter(twice).count() > 1 {
        let message = "another entry returns at the same time";
        return Err(Fault::new(&["return_to"], message));
    }
    Ok(Some(earlier))
}

fn changes(entry: &ScheduleEntry, drives: &[Drive]) -> Result<Vec<Change>, Fault> {
    if !(entry.at >= 0.0 && entry.at.is_finite()) {
        return Err(Fault::new(&["at"], "a time is not negative, and finite"));
    }
    if !(entry.over >= 0.0 && entry.over.is_finite()) {
        return Err(Fault::new(
            &["over"],
            "a duration is not negative, and finite",
        ));
    }
    let transition = Passage {
        over: entry.over,
        shape: entry.shape,
    };
    let mut changes = Vec::new();
    if let Some(gravity) = entry.gravity {
        if entry.over > 0.0 {
            let message = "gravity changes at once; `turn_gravity` takes its time";
            return Err(Fault::new(&["over"], message));
        }
        changes.push(Change::Gravity(vector("gravity", gravity)?));
    }
    if let Some(turn) = &entry.turn_gravity {
        let at = |fault: Fault| fault.within(&["turn_gravity"]);
        if !turn.angle_deg.is_finite() {
            return Err(at(Fault::new(&["angle_deg"], "the number must be finite")));
        }
        changes.push(Change::TurnGravity {
            axis: direction("axis", turn.axis).map_err(at)?,
            angle: turn.angle_deg.to_radians(),
            transition,
        });
    }
    let mut command = |actuator: usize, value: f64, path: [&str; 2]| {
        if !value.is_finite() {
            return Err(Fault::new(&path, "the number must be finite"));
        }
        changes.push(Change::Command {
            actuator: ActuatorId::new(actuator),
            value,
            transition,
        });
        Ok(())
    };
    for (kind, table, commanded) in [
        ("efforts", &entry.efforts, Commanded::Effort),
        ("targets", &entry.targets, Commanded::Target),
        ("speeds", &entry.speeds, Commanded::Speed),
    ] {
        for (joint, value) in table {
            let at = |fault: Fault| fault.within(&[kind, joint]);
            let number = find_drive(drives, joint, |d| d.joint.clone(), "driven joint");
            let number = number.map_err(at)?;
            if drives[number].commands != commanded {
                let message = "the joint is driven in another way; see its entry under `joints`";
                return Err(Fault::new(&[kind, joint], message));
            }
            if commanded == Commanded::Effort {
                bearable(*value, drives[number].range).map_err(at)?;
            }
            command(number, *value, [kind, joint])?;
        }
    }
    for (name, value) in &entry.controls {
        let at = |fault: Fault| fault.within(&["controls", name]);
        let number = find_drive(drives, name, |d| d.actuator.clone(), "actuator").map_err(at)?;
        if let Some(map) = drives[number].control {
            command(number, map.command(*value), ["controls", name])?;
        }
    }
    Ok(changes)
}

fn load(entry: &ForceEntry, names: &Names, bodies: &[Body]) -> Result<Load, Fault> {
    let body = names.find(&entry.body).map_err(|f| f.within(&["body"]))?;
    let force = vector("force", entry.force)?;
    let torque = vector("torque", entry.torque)?;
    if force == DVec3::ZERO && torque == DVec3::ZERO {
        return Err(Fault::new(&[], "give a `force` or a `torque`"));
    }
    if !(entry.start >= 0.0 && entry.start.is_finite()) {
        return Err(Fault::new(&["start"], "a time is not negative, and finite"));
    }
    if entry
        .end
        .is_some_and(|end| end.is_nan() || end <= entry.start)
    {
        return Err(Fault::new(&["end"], "it ends before it begins"));
    }
    let start = entry.start;
    let scale = match (entry.ramp, entry.frequency) {
        (Some(_), Some(_)) => {
            return Err(Fault::new(
                &["ramp"],
                "give `ramp` or `frequency`, not both",
            ));
        }
        (Some(ramp), None) => {
            let ramp = positive("ramp", ramp)?;
            let lines = Lines::new(vec![(start, 0.0), (start + ramp, 1.0)]);
            lines.map_or(Signal::Constant(1.0), Signal::Lines)
        }
        (None, Some(frequency)) => Signal::Sine {
            start,
            offset: 0.0,
            amplitude: 1.0,
            frequency: positive("frequency", frequency)?,
        },
        (None, None) => Signal::Constant(1.0),
    };
    Ok(Load {
        body,
        wrench: Wrench::new(torque, force),
        point: bodies[body.index()].mass.centre_of_mass,
        scale,
    })
}
