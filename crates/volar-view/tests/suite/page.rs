//! Reads the data out of a report as the page does.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

/// Plots of a report.
pub struct Shown {
    meta: Value,
    /// Times, s, and values of the channels.
    frames: Vec<(f64, Vec<f32>)>,
}

impl Shown {
    pub fn new(html: &str) -> Shown {
        let meta: Value = serde_json::from_str(part(html, "volar-meta")).unwrap();
        let packed = STANDARD.decode(part(html, "volar-frames")).unwrap();
        let mut bytes = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
        let channels = usize::try_from(meta["channels"].as_u64().unwrap()).unwrap();
        let mut frames = Vec::new();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let length = u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
            let time = f64::from_le_bytes(rest[8..16].try_into().unwrap());
            let values = rest[16..16 + 4 * channels].chunks_exact(4);
            let values = values.map(|v| f32::from_le_bytes(v.try_into().unwrap()));
            frames.push((time, values.collect()));
            rest = &rest[length..];
        }
        Shown { meta, frames }
    }

    /// The curves of a plot: their names, and their values over time.
    pub fn curves(&self, plot: &str) -> Vec<(String, Vec<(f64, f32)>)> {
        let plots = self.meta["plots"].as_array().unwrap();
        let plot = plots.iter().find(|p| p["id"] == plot).unwrap();
        let series = plot["series"].as_array().unwrap().iter();
        let curve = |series: &Value| {
            let channel = usize::try_from(series["channel"].as_u64().unwrap()).unwrap();
            let points = self.frames.iter().map(|(t, values)| (*t, values[channel]));
            (
                series["label"].as_str().unwrap().to_owned(),
                points.collect(),
            )
        };
        series.map(curve).collect()
    }

    /// What a plot with one curve ends with, at a time, s.
    pub fn at(&self, plot: &str, time: f64) -> f32 {
        let curves = self.curves(plot);
        let mut points = curves[0].1.iter();
        points.rfind(|(t, _)| *t <= time).unwrap().1
    }
}

fn part<'a>(html: &'a str, id: &str) -> &'a str {
    let start = format!("id=\"{id}\">");
    let from = html.find(&start).unwrap() + start.len();
    let length = html[from..].find("</script>").unwrap();
    &html[from..from + length]
}

/// Greatest value of a curve.
pub fn greatest(curve: &[(f64, f32)]) -> f32 {
    let values = curve.iter().map(|(_, value)| *value);
    values.filter(|v| v.is_finite()).fold(0.0, f32::max)
}
