//! One grasp, and a row that is none.

use std::fmt;

use glam::DMat3;
use volar_math::Pose;

/// Largest entry of RᵀR − 1 that still is a rotation: datasets round to single precision,
/// and some to few decimals.
const NOT_A_ROTATION: f64 = 1.0e-3;

/// Where a hand is on an object, how its joints are, and how good that is.
///
/// See the example of the crate.
#[derive(Clone, Debug, PartialEq)]
pub struct Grasp {
    /// The root frame of the hand in the frame of the object's mesh, scaled to metres.
    pub X_OH: Pose,
    /// Joints before closing. Without one, the hand is open as its file says.
    pub pregrasp: Option<Posture>,
    /// Joints where the fingers touch.
    pub grasp: Option<Posture>,
    /// Joints that servos aim at to press.
    pub squeeze: Option<Posture>,
    /// Distance of the contacts of a parallel jaw, m.
    pub width: Option<f64>,
    /// What the coordinates of the object's mesh are multiplied by, where rows differ in it.
    pub scale: Option<f64>,
    /// Whether it held.
    pub label: Option<bool>,
    /// How good it is; greater is better.
    pub score: Option<f64>,
}

/// Joints of a hand at one time.
///
/// See the example of the crate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posture {
    /// Coordinates in the order of [`crate::Header::joints`], rad or m.
    pub joints: Vec<f64>,
    /// The root of the hand in the object's frame, where it is another one than at the grasp.
    pub X_OH: Option<Pose>,
}

/// When a posture is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before closing.
    Pregrasp,
    /// Where the fingers touch.
    Grasp,
    /// What servos aim at.
    Squeeze,
}

/// A row that is no grasp, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// Its number, from 0.
    pub row: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}: {}", self.row, self.reason)
    }
}

impl std::error::Error for BadRow {}

impl Stage {
    /// In the order of time.
    pub const ALL: [Stage; 3] = [Stage::Pregrasp, Stage::Grasp, Stage::Squeeze];

    /// As files name it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Pregrasp => "pregrasp",
            Stage::Grasp => "grasp",
            Stage::Squeeze => "squeeze",
        }
    }
}

impl Grasp {
    /// A grasp of which nothing is known but where the hand is.
    pub fn at(X_OH: Pose) -> Grasp {
        Grasp {
            X_OH,
            pregrasp: None,
            grasp: None,
            squeeze: None,
            width: None,
            scale: None,
            label: None,
            score: None,
        }
    }

    /// The joints at a stage.
    pub fn posture(&self, stage: Stage) -> Option<&Posture> {
        match stage {
            Stage::Pregrasp => self.pregrasp.as_ref(),
            Stage::Grasp => self.grasp.as_ref(),
            Stage::Squeeze => self.squeeze.as_ref(),
        }
    }

    /// The slot of a stage.
    pub fn posture_mut(&mut self, stage: Stage) -> &mut Option<Posture> {
        match stage {
            Stage::Pregrasp => &mut self.pregrasp,
            Stage::Grasp => &mut self.grasp,
            Stage::Squeeze => &mut self.squeeze,
        }
    }

    /// The same grasp with another frame of the hand: `X_GH` is the new frame in the old one.
    pub(crate) fn in_frame(mut self, X_GH: &Pose) -> Grasp {
        self.X_OH = self.X_OH.compose(X_GH);
        for stage in Stage::ALL {
            let posture = self.posture_mut(stage).as_mut();
            if let Some(X_OG) = posture.and_then(|posture| posture.X_OH.as_mut()) {
                *X_OG = X_OG.compose(X_GH);
            }
        }
        self
    }
}

/// A pose from position and quaternion (w, x, y, z), or what is wrong with them.
pub(crate) fn pose_of(position: [f64; 3], wxyz: [f64; 4]) -> Result<Pose, String> {
    Pose::from_wxyz(position, wxyz).ok_or_else(|| {
        format!("{position:?}, {wxyz:?} is no pose: a finite position and a quaternion (w, x, y, z) other than 0")
    })
}

/// The quaternion (w, x, y, z) of a pose, with w not below 0.
pub(crate) fn wxyz_of(X: &Pose) -> [f64; 4] {
    let q = glam::DQuat::from_mat3(&X.R);
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    [q.w, q.x, q.y, q.z].map(|entry| sign * entry)
}

/// A pose from a matrix of 4 x 4 by rows; rounding in the rotation is taken out.
pub(crate) fn pose_of_matrix(rows: &[f64; 16]) -> Result<Pose, String> {
    let at = |row: usize, column: usize| rows[4 * row + column];
    if rows.iter().any(|entry| !entry.is_finite()) {
        return Err("the matrix has an entry that is not finite".into());
    }
    let R =
        DMat3::from_cols_array_2d(&[0, 1, 2].map(|column| [0, 1, 2].map(|row| at(row, column))));
    let off = R.transpose() * R - DMat3::IDENTITY;
    let most = off
        .to_cols_array()
        .iter()
        .fold(0.0_f64, |m, e| m.max(e.abs()));
    if most > NOT_A_ROTATION || R.determinant() < 0.0 {
        return Err(format!(
            "the matrix is no rotation: its columns are off unit length and right angles by {most:.1e}"
        ));
    }
    let last = [at(3, 0), at(3, 1), at(3, 2), at(3, 3) - 1.0];
    if last.iter().any(|entry| entry.abs() > NOT_A_ROTATION) {
        return Err("the last row of the matrix is not 0 0 0 1".into());
    }
    let turn = glam::DQuat::from_mat3(&R);
    pose_of(
        [at(0, 3), at(1, 3), at(2, 3)],
        [turn.w, turn.x, turn.y, turn.z],
    )
}

/// The matrix of a pose, by rows.
pub(crate) fn matrix_of(X: &Pose) -> [f64; 16] {
    let row = |r: usize| [X.R.x_axis[r], X.R.y_axis[r], X.R.z_axis[r], X.p[r]];
    let [a, b, c] = [row(0), row(1), row(2)];
    let mut all = [0.0; 16];
    for (slot, value) in all.iter_mut().zip(a.into_iter().chain(b).chain(c)) {
        *slot = value;
    }
    all[15] = 1.0;
    all
}
