//! Where the surfaces of a hand go while it closes, and where a ball fits in.
//!
//! Surfaces are sampled by points a few millimetres apart. A place for a ball is
//! good where the open hand does not touch it, the fingers reach it while they
//! close, about at the same time, and their pushes can cancel out.

use glam::{DMat3, DVec3};
use volar_geom::Pose;
use volar_meshes::MeshLibrary;
use volar_robots::meshes::link_solids;
use volar_robots::{ImportReport, Robot, RobotError};

use super::Closing;
use super::closing::{Follower, Joints, Open, followers, span};
use super::cloud::Cloud;
use super::fingers::Anatomy;
use super::grasp::SAMPLES_APART;
use super::linkage::Linkage;
use super::touching::{closed_by, seen_from};

/// Radii of the balls that a hand is tried on, m: the first that it closes on.
const BALLS: [f64; 4] = [0.03, 0.02, 0.01, 0.005];
/// Poses looked at from open to closed.
pub(super) const SWEEP: usize = 24;
/// Places looked at along each edge of the region of the fingers, when joints are tried ...
const FEW_PLACES: usize = 8;
/// ... and in the end.
const PLACES: usize = 13;
/// How often the distance of places is halved about the best one.
const HALVINGS: u32 = 3;
/// So far beside its place a ball should be held as well, m.
const BESIDE: f64 = 0.01;
/// Pushes that leave more than this of their size are no grasp: two that are 30° off a line, as
/// friction of 0.58 just holds.
pub(super) const MOST_LEFT: f64 = 0.5;

/// Sample points of every link, in its frame, and joints that follow others.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub clouds: Vec<Cloud>,
    pub followers: Vec<Follower>,
    pub linkage: Linkage,
}

/// A hand as it was guessed.
pub(crate) struct Guess {
    /// The tool frame in the palm's.
    pub X_PT: Pose,
    /// Radius of the ball that it closes on there, m.
    pub ball: f64,
    pub closes: Vec<(usize, Closing)>,
    pub held: Vec<(usize, f64)>,
}

/// What becomes of a ball at a place.
enum Rating {
    Held(Place),
    /// The open hand is in the way.
    Blocked,
    Lost,
}

/// A place for a ball.
#[derive(Clone, Debug)]
struct Place {
    score: f64,
    middle: DVec3,
    /// Where each finger touches, seen from the middle.
    touches: Vec<DVec3>,
}

impl Reach {
    /// Samples the shapes of a robot that can touch.
    pub fn of(
        robot: &Robot,
        library: &MeshLibrary,
        report: &mut ImportReport,
    ) -> Result<Reach, RobotError> {
        let mut clouds = Vec::with_capacity(robot.links.len());
        for link in 0..robot.links.len() {
            let solids = link_solids(robot, link, library, report)?;
            clouds.push(Cloud::of(&solids));
        }
        let followers = followers(robot);
        Ok(Reach {
            clouds,
            linkage: Linkage::of(robot, &followers),
            followers,
        })
    }

    /// Coordinates of joints with one degree of freedom by link, as the file starts.
    pub fn start(&self, robot: &Robot) -> Vec<f64> {
        let links = robot.links.iter().enumerate();
        links
            .map(|(i, link)| match link.joint.initial[..] {
                [value] => {
                    let [low, high] = span(robot, i);
                    value.clamp(low, high)
                }
                _ => 0.0,
            })
            .collect()
    }

    /// Poses of all links with these coordinates, all others where these put them.
    pub fn poses(&self, robot: &Robot, values: &[f64]) -> Vec<Pose> {
        self.poses_as_given(robot, &self.completed(robot, values))
    }

    fn poses_as_given(&self, robot: &Robot, values: &[f64]) -> Vec<Pose> {
        let mut q = Vec::with_capacity(robot.nq());
        for (link, value) in robot.links.iter().zip(values) {
            match link.joint.kind.nq() {
                1 => q.push(*value),
                _ => q.extend_from_slice(&link.joint.initial),
            }
        }
        robot.link_poses(&q)
    }

    /// Coordinates with followers where their leaders put them, and closed chains closed.
    pub fn completed(&self, robot: &Robot, values: &[f64]) -> Vec<f64> {
        let mut values = self.followed(values);
        self.linkage.close(&mut values, |v| {
            self.poses_as_given(robot, &self.followed(v))
        });
        self.followed(&values)
    }

    fn followed(&self, values: &[f64]) -> Vec<f64> {
        let mut values = values.to_vec();
        // Followers of followers: as often as there are any.
        for _ in 0..self.followers.len().min(8) {
            for f in &self.followers {
                values[f.link] = f.factor * values[f.leader] + f.plus;
            }
        }
        values
    }

    /// How the hand closes, and where a ball goes. None if it fits nowhere.
    pub fn guess(&self, robot: &Robot, anatomy: &Anatomy) -> Option<Guess> {
        // Samples of surfaces do not tell inside from outside: a small ball would be found within
        // a jaw that moves through what it is on, as a shaft in its bearing.
        let one_jaw = anatomy
            .fingers
            .iter()
            .any(|f| f.links.contains(&anatomy.palm));
        let mut balls = BALLS[..if one_jaw { 1 } else { BALLS.len() }].iter();
        balls.find_map(|ball| self.guess_for(robot, anatomy, *ball))
    }

    fn guess_for(&self, robot: &Robot, anatomy: &Anatomy, ball: f64) -> Option<Guess> {
        let ways = [Open::Straight, Open::Wide];
        let ways = ways.map(|open| self.guess_from(robot, anatomy, open, ball));
        let better = |a: &(f64, Guess), b: &(f64, Guess)| a.0.total_cmp(&b.0);
        let best = ways.into_iter().flatten().max_by(better);
        best.map(|(_, guess)| guess)
    }

    /// The same with fingers that are open in one way, and how good it is.
    fn guess_from(
        &self,
        robot: &Robot,
        anatomy: &Anatomy,
        open: Open,
        ball: f64,
    ) -> Option<(f64, Guess)> {
        let joints = Joints::of(robot, anatomy, self, open);
        let mut values = self.start(robot);
        for (link, closing) in &joints.closing {
            values[*link] = closing.rest;
        }
        let try_with = |values: &[f64], places: usize| {
            self.best_place(robot, (anatomy, ball), &joints.closing, values, places)
        };
        let mut best = try_with(&values, FEW_PLACES);
        // Thumbs that must be opposed first, fingers that spread: one joint after the other.
        for link in &joints.held {
            let [low, high] = span(robot, *link);
            for share in [0.0, 0.5, 1.0] {
                let mut other = values.clone();
                other[*link] = low + share * (high - low);
                let place = try_with(&other, FEW_PLACES);
                let better = place.as_ref().map_or(f64::NEG_INFINITY, |p| p.score);
                let least = best.as_ref().map_or(f64::NEG_INFINITY, |p| p.score);
                // A little better is not worth an odd pose.
                if better > least + 0.1 {
                    (best, values) = (place, other);
                }
            }
        }
        let place = try_with(&values, PLACES)?;
        let X_WP = self.poses(robot, &values)[anatomy.palm];
        let X_WT = self.tool_frame(robot, anatomy, &values, &place);
        let held = joints.held.iter().map(|link| (*link, values[*link]));
        let guess = Guess {
            X_PT: X_WP.inverse().compose(&X_WT),
            ball,
            closes: joints.closing,
            held: held.collect(),
        };
        Some((place.score, guess))
    }

    /// x from finger to finger, z away from the palm.
    fn tool_frame(&self, robot: &Robot, anatomy: &Anatomy, values: &[f64], place: &Place) -> Pose {
        let poses = self.poses(robot, values);
        let palm = &self.clouds[anatomy.palm];
        let of_palm = match palm.is_empty() {
            true => poses[anatomy.palm].p,
            false => poses[anatomy.palm].point(palm.middle()),
        };
        let mut x = DVec3::X;
        let mut most = f64::INFINITY;
        for (i, a) in place.touches.iter().enumerate() {
            for b in &place.touches[i + 1..] {
                if a.dot(*b) < most {
                    most = a.dot(*b);
                    x = (*b - *a).normalize_or(DVec3::X);
                }
            }
        }
        let away = (place.middle - of_palm).reject_from_normalized(x);
        let z = away
            .try_normalize()
            .unwrap_or_else(|| x.any_orthonormal_vector());
        Pose {
            R: DMat3::from_cols(x, z.cross(x), z),
            p: place.middle,
        }
    }

    /// The best place for a ball in the region of the fingers.
    fn best_place(
        &self,
        robot: &Robot,
        (anatomy, ball): (&Anatomy, f64),
        closing: &[(usize, Closing)],
        rest: &[f64],
        places: usize,
    ) -> Option<Place> {
        let sweep: Vec<Vec<Pose>> = (0..=SWEEP)
            .map(|step| {
                let share = step as f64 / SWEEP as f64;
                self.poses(robot, &closed_by(closing, rest, share))
            })
            .collect();
        let open = self.poses(robot, rest);
        let [low, high] = self.region(anatomy, &sweep)?;
        let step = (high - low) / (places - 1) as f64;
        let at = |[i, j, k]: [usize; 3]| low + step * DVec3::new(i as f64, j as f64, k as f64);
        let rate = |middle: DVec3| self.rate((anatomy, ball), &open, &sweep, middle);
        let mut found: Vec<Place> = cells(places)
            .filter_map(|cell| match rate(at(cell)) {
                Rating::Held(place) => Some(place),
                Rating::Blocked | Rating::Lost => None,
            })
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(places * places / 2);
        // Somewhat beside the place should do as well; where the hand is in the way, the ball
        // leans on it.
        let steady = |place: Place| {
            let mut sum = 0.0;
            for axis in DVec3::AXES {
                for side in [-BESIDE, BESIDE] {
                    sum += match rate(place.middle + side * axis) {
                        Rating::Held(other) => other.score,
                        Rating::Blocked => place.score,
                        Rating::Lost => -1.0,
                    };
                }
            }
            let score = 0.5 * place.score + 0.5 * sum / 6.0;
            Place { score, ..place }
        };
        let better = |best: &Place, other: &Place| other.score > best.score;
        let mut best = (found.into_iter().map(steady))
            .reduce(|best, place| if better(&best, &place) { place } else { best })?;
        // Between the places, to where the fingers meet the ball at the same time.
        for halving in 1..=HALVINGS {
            let step = step / f64::from(1 << halving);
            for axis in DVec3::AXES {
                for side in [-1.0, 1.0] {
                    if let Rating::Held(place) = rate(best.middle + side * step * axis) {
                        let place = steady(place);
                        if better(&best, &place) {
                            best = place;
                        }
                    }
                }
            }
        }
        Some(best)
    }

    /// Where the fingers get to while the hand closes.
    fn region(&self, anatomy: &Anatomy, sweep: &[Vec<Pose>]) -> Option<[DVec3; 2]> {
        let mut region: Option<[DVec3; 2]> = None;
        for poses in sweep {
            for link in anatomy.fingers.iter().flat_map(|finger| &finger.links) {
                for point in &self.clouds[*link].points {
                    let p = poses[*link].point(*point);
                    let [low, high] = region.unwrap_or([p, p]);
                    region = Some([low.min(p), high.max(p)]);
                }
            }
        }
        region
    }

    /// How good a ball is held with its middle at a place.
    fn rate(
        &self,
        (anatomy, ball): (&Anatomy, f64),
        open: &[Pose],
        sweep: &[Vec<Pose>],
        middle: DVec3,
    ) -> Rating {
        let mut links = self.clouds.iter().zip(open);
        if links.any(|(cloud, pose)| cloud.is_near(seen_from(pose, middle), ball + SAMPLES_APART)) {
            return Rating::Blocked;
        }
        let mut touches = Vec::new();
        let mut shares = Vec::new();
        for finger in &anatomy.fingers {
            // A jaw that does not move has the ball pushed against it.
            let moves = !finger.links.contains(&anatomy.palm);
            let within = if moves {
                ball
            } else {
                ball + SAMPLES_APART + BESIDE
            };
            for (step, poses) in sweep.iter().enumerate() {
                let nearest = finger.links.iter().filter_map(|link| {
                    let place = seen_from(&poses[*link], middle);
                    let point = self.clouds[*link].nearest(place, within)?;
                    Some(poses[*link].R * (point - place))
                });
                let nearest =
                    nearest.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
                if let Some(nearest) = nearest {
                    touches.push(nearest.normalize_or_zero());
                    if moves {
                        shares.push(step as f64 / SWEEP as f64);
                    }
                    break;
                }
            }
        }
        let left = least_sum(&touches);
        if touches.len() < 2 || left > MOST_LEFT {
            return Rating::Lost;
        }
        let first = shares.iter().copied().fold(1.0, f64::min);
        let last = shares.iter().copied().fold(0.0, f64::max);
        let all = touches.len() as f64 / anatomy.fingers.len() as f64;
        Rating::Held(Place {
            score: 1.0 - 2.0 * left - 0.5 * (last - first) + 0.5 * all,
            middle,
            touches,
        })
    }
}

fn cells(places: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..places.pow(3)).map(move |n| [n / places / places, n / places % places, n % places])
}

/// The least length of a weighted mean of directions (Frank and Wolfe's steps).
pub(super) fn least_sum(directions: &[DVec3]) -> f64 {
    let mut sum = directions.iter().sum::<DVec3>() / directions.len().max(1) as f64;
    for _ in 0..60 {
        let towards = directions
            .iter()
            .min_by(|a, b| a.dot(sum).total_cmp(&b.dot(sum)));
        let Some(towards) = towards else { break };
        let way = *towards - sum;
        let share = (-sum.dot(way) / way.length_squared().max(1.0e-12)).clamp(0.0, 1.0);
        sum += share * way;
    }
    sum.length()
}
