//! Axes on the command line.

use toml::Value;

use crate::error::SweepError;
use crate::spec::{Alternative, AxisEntry, Normal, Range, Steps};

/// What can be written, for errors.
const FORMS: &str = "expected PATH=V1,V2,..., PATH=A..B:N, PATH=A..B:log:N, \
                     PATH=uniform:A..B[:log], PATH=normal:MEAN:DEVIATION or PATH=sobol:A..B[:log]";

/// An axis as it is typed: `body.cube.mass=0.1..1:log:20`. Several paths, joined by
/// commas, are tied; the path `scene` takes whole scenes.
///
/// ```
/// use volar_sweep::axis_entry;
///
/// let axis = axis_entry("body.cube.mass=0.1..1:log:20")?;
/// assert_eq!(axis.log.unwrap().count, 20);
/// # Ok::<(), volar_sweep::SweepError>(())
/// ```
pub fn axis_entry(text: &str) -> Result<AxisEntry, SweepError> {
    let refuse = || SweepError::axis(text, FORMS);
    let (paths, values) = text.split_once('=').ok_or_else(refuse)?;
    let paths: Vec<String> = paths.split(',').map(|p| p.trim().to_owned()).collect();
    if paths.iter().any(String::is_empty) || values.trim().is_empty() {
        return Err(refuse());
    }
    if paths == ["scene"] {
        let scene = |name: &str| Alternative {
            name: name.to_owned(),
            scene: Some(name.to_owned()),
            ..Alternative::default()
        };
        return Ok(AxisEntry {
            name: Some("scene".into()),
            alternatives: Some(values.split(',').map(str::trim).map(scene).collect()),
            ..AxisEntry::default()
        });
    }
    let mut entry = AxisEntry {
        paths,
        ..AxisEntry::default()
    };
    let parts: Vec<&str> = values.split(':').map(str::trim).collect();
    match &parts[..] {
        ["normal", mean, deviation] => {
            entry.normal = Some(Normal {
                mean: number(mean).ok_or_else(refuse)?,
                deviation: number(deviation).ok_or_else(refuse)?,
            });
        }
        [kind @ ("uniform" | "sobol"), ends, rest @ ..] => {
            let (from, to) = range(ends).ok_or_else(refuse)?;
            let log = match rest {
                [] => false,
                ["log"] => true,
                _ => return Err(refuse()),
            };
            let range = Some(Range { from, to, log });
            match *kind {
                "sobol" => entry.sobol = range,
                _ => entry.uniform = range,
            }
        }
        [ends, scale @ .., count] if range(ends).is_some() => {
            let (from, to) = range(ends).ok_or_else(refuse)?;
            let count = count.parse().map_err(|_| refuse())?;
            let steps = Some(Steps { from, to, count });
            match scale {
                [] | ["linear"] => entry.linear = steps,
                ["log"] => entry.log = steps,
                _ => return Err(refuse()),
            }
        }
        [ends] if range(ends).is_some() => return Err(refuse()),
        _ => entry.values = Some(list(values)),
    }
    Ok(entry)
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn range(text: &str) -> Option<(f64, f64)> {
    let (from, to) = text.split_once("..")?;
    Some((number(from.trim())?, number(to.trim())?))
}

/// Values as in a TOML list; what is none is taken for strings.
fn list(text: &str) -> Vec<Value> {
    let parse = |text: &str| {
        let table: Option<toml::Table> = toml::from_str(&format!("value = {text}")).ok();
        table.and_then(|mut table| table.remove("value"))
    };
    if let Some(Value::Array(values)) = parse(&format!("[{text}]")) {
        return values;
    }
    let entries = text.split(',').map(str::trim);
    entries
        .map(|entry| parse(entry).unwrap_or_else(|| Value::String(entry.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let read = |text: &str| axis_entry(text).unwrap();
        let steps = |from, to, count| Some(Steps { from, to, count });
        assert_eq!(read("a.b=0.1..1:log:20").log, steps(0.1, 1.0, 20));
        assert_eq!(read("a.b=-1..1:3").linear, steps(-1.0, 1.0, 3));
        assert_eq!(read("a=1..2:linear:3").linear, steps(1.0, 2.0, 3));
        assert_eq!(read("a,b = 1, 2").paths, ["a", "b"]);
        assert_eq!(read("a=0.2,0.4").values.unwrap().len(), 2);
        assert_eq!(read("a=[1,2],[3,4]").values.unwrap().len(), 2);
        assert_eq!(
            read("a=cube,ball").values.unwrap()[1].as_str(),
            Some("ball")
        );
        let normal = Normal {
            mean: 0.2,
            deviation: 0.05,
        };
        assert_eq!(read("a=normal:0.2:0.05").normal, Some(normal));
        assert!(read("a=sobol:1..10:log").sobol.unwrap().log);
        assert!(!read("a=uniform:1..10").uniform.unwrap().log);
        let scenes = read("scene=g2r-cube,g2r-bunny").alternatives.unwrap();
        assert_eq!(scenes[1].scene.as_deref(), Some("g2r-bunny"));
    }

    #[test]
    fn what_is_no_axis_is_refused() {
        for text in ["mass", "=1", "a=", "a=1..2", "a=1..2:cubic:3", "a=1..2:x"] {
            let error = axis_entry(text).unwrap_err().to_string();
            assert!(error.contains("expected PATH="), "{text}: {error}");
        }
        assert!(axis_entry("a=normal:x:1").is_err());
    }
}
