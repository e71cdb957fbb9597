//! A small renderer: shaded triangles, a depth buffer, a PNG file.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use glam::{DMat3, DVec3};

const WIDTH: usize = 1200;
const HEIGHT: usize = 800;

/// Samples per pixel along each side.
const SAMPLES: usize = 2;

/// How a mesh is painted.
#[derive(Clone, Copy)]
pub struct Layer {
    colour: DVec3,
    opacity: f64,
    /// Metres by which it is moved towards the eye, to win over a surface
    /// that lies in the same place.
    forward: f64,
}

impl Layer {
    /// An opaque surface; colours from 0 to 1.
    pub fn solid(colour: [f64; 3]) -> Layer {
        Layer {
            colour: DVec3::from_array(colour),
            opacity: 1.0,
            forward: 0.0,
        }
    }

    /// An opaque surface that shows on top of one it touches.
    pub fn marked(colour: [f64; 3]) -> Layer {
        Layer {
            forward: 2e-4,
            ..Layer::solid(colour)
        }
    }

    /// A surface one can see through; draw it after the opaque ones.
    pub fn glass(colour: [f64; 3]) -> Layer {
        Layer {
            opacity: 0.30,
            ..Layer::solid(colour)
        }
    }
}

/// A picture of the scene from the front, right and above.
pub struct Picture {
    /// Rows: right, up, towards the eye.
    eye_from_world: DMat3,
    centre: DVec3,
    samples_per_metre: f64,
    colours: Vec<DVec3>,
    depths: Vec<f64>,
}

impl Picture {
    /// An empty picture round a point, `height` metres high.
    pub fn new(centre: DVec3, height: f64) -> Picture {
        let towards = DVec3::new(0.72, -0.62, 0.30).normalize_or_zero();
        let right = DVec3::Z.cross(towards).normalize_or_zero();
        let count = WIDTH * HEIGHT * SAMPLES * SAMPLES;
        Picture {
            eye_from_world: DMat3::from_cols(right, towards.cross(right), towards).transpose(),
            centre,
            samples_per_metre: (HEIGHT * SAMPLES) as f64 / height,
            colours: vec![DVec3::ONE; count],
            depths: vec![f64::NEG_INFINITY; count],
        }
    }

    /// Paints the triangles that face the eye.
    pub fn draw(&mut self, vertices: &[DVec3], triangles: &[[u32; 3]], layer: Layer) {
        for corners in triangles.iter().map(|t| t.map(|v| vertices[v as usize])) {
            let [a, b, c] = corners.map(|p| self.eye_from_world * (p - self.centre));
            let normal = (b - a).cross(c - a).normalize_or_zero();
            if normal.z > 0.0 {
                let light = DVec3::new(-0.45, 0.60, 0.66).dot(normal).max(0.0);
                let colour = layer.colour * (0.35 + 0.65 * light);
                self.fill([a, b, c], colour, &layer);
            }
        }
    }

    /// Fills a triangle given in the eye's frame.
    fn fill(&mut self, corners: [DVec3; 3], colour: DVec3, layer: &Layer) {
        let (columns, rows) = (WIDTH * SAMPLES, HEIGHT * SAMPLES);
        let [a, b, c] = corners.map(|p| {
            let x = 0.5 * columns as f64 + p.x * self.samples_per_metre;
            let y = 0.5 * rows as f64 - p.y * self.samples_per_metre;
            DVec3::new(x, y, p.z + layer.forward)
        });
        let edge =
            |p: DVec3, q: DVec3, x: f64, y: f64| (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
        let area = edge(a, b, c.x, c.y);
        let low = a.min(b).min(c).max(DVec3::ZERO);
        let high = a.max(b).max(c);
        for row in low.y as usize..rows.min(high.y.max(0.0) as usize + 1) {
            for column in low.x as usize..columns.min(high.x.max(0.0) as usize + 1) {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let weights =
                    DVec3::new(edge(b, c, x, y), edge(c, a, x, y), edge(a, b, x, y)) / area;
                let depth = weights.dot(DVec3::new(a.z, b.z, c.z));
                let sample = row * columns + column;
                // A triangle without area in the picture gives NaN: no sample.
                if weights.min_element() >= 0.0 && depth > self.depths[sample] {
                    self.colours[sample] = self.colours[sample].lerp(colour, layer.opacity);
                    if layer.opacity >= 1.0 {
                        self.depths[sample] = depth;
                    }
                }
            }
        }
    }

    /// Writes the picture as PNG.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut bytes = Vec::with_capacity(3 * WIDTH * HEIGHT);
        for row in 0..HEIGHT {
            for column in 0..WIDTH {
                let mut sum = DVec3::ZERO;
                for i in 0..SAMPLES * SAMPLES {
                    let (x, y) = (column * SAMPLES + i % SAMPLES, row * SAMPLES + i / SAMPLES);
                    sum += self.colours[y * WIDTH * SAMPLES + x];
                }
                let mean = sum / (SAMPLES * SAMPLES) as f64;
                // Screens expect brightness to the power 1/2.2.
                bytes.extend(
                    mean.to_array()
                        .map(|v| (255.0 * v.clamp(0.0, 1.0).powf(1.0 / 2.2)) as u8),
                );
            }
        }
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, WIDTH as u32, HEIGHT as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&bytes)?;
        Ok(())
    }
}
