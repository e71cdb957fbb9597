//! Reproducible random numbers: a seed means the same poses for ever, so a
//! failure named by its seed can be replayed on any machine.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};

/// SplitMix64 (Steele, Lea & Flood 2014): 64 bits of state, passes BigCrush.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream that belongs to a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The stream of case `index` of the experiment called `name`: independent
    /// of how many cases run and of which thread runs them.
    pub fn for_case(name: &str, index: usize) -> Rng {
        // FNV-1a over the name, then one scrambling step per part.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let scrambled = Rng(hash).bits();
        Rng(scrambled ^ Rng(index as u64).bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2.0_f64.powi(-53)
    }

    /// Uniform in `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the logarithm between two positive bounds.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        low * (self.unit() * (high / low).ln()).exp()
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> DVec3 {
        let z = self.uniform(-1.0, 1.0);
        let (sin, cos) = (TAU * self.unit()).sin_cos();
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z)
    }

    /// Uniform in the cube `[-half, half)³`.
    pub fn in_cube(&mut self, half: f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| self.uniform(-half, half)))
    }

    /// Uniform over all rotations (Shoemake 1992).
    pub fn rotation(&mut self) -> DMat3 {
        let u = self.unit();
        let (s1, c1) = (TAU * self.unit()).sin_cos();
        let (s2, c2) = (TAU * self.unit()).sin_cos();
        let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
        DMat3::from_quat(DQuat::from_xyzw(a * s1, a * c1, b * s2, b * c2))
    }

    /// A rotation by `angle` about a random axis.
    pub fn tilt(&mut self, angle: f64) -> DMat3 {
        DMat3::from_axis_angle(self.direction(), angle)
    }

    /// One of the 24 rotations that map the axes to the axes; its entries are
    /// exactly 0 and ±1.
    pub fn axis_rotation(&mut self) -> DMat3 {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let first = self.below(3);
        let second = (first + 1 + self.below(2)) % 3;
        let sign = |bit: usize| if bit == 0 { 1.0 } else { -1.0 };
        let x = axes[first] * sign(self.below(2));
        let y = axes[second] * sign(self.below(2));
        DMat3::from_cols(x, y, x.cross(y))
    }
}
