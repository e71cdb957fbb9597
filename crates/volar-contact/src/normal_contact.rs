//! What presses: the normal part of a contact, piece by piece.
//!
//! Either law fills a [`NormalContact`]; friction and the tracking of patches read
//! it. Everything is in A's frame, wrenches act on A about one point.

use glam::{DMat3, DVec3};

use crate::memory::StateRates;
use crate::patch::{Patch, nearest, same_direction};
use volar_math::{Matrix6, Wrench, cross_matrix, outer};

/// Mean distance from the middle over the radius of gyration: 2√2/3 for a disc, √3/2 for a
/// line.
pub(crate) const TORSION_OF_DISC: f64 = 0.942_809_041_582_063_4;
const TORSION_OF_LINE: f64 = 0.866_025_403_784_438_6;

/// How much less the ratio is where the pressure falls off, see [`Piece::friction_radius`].
const TAPER: f64 = 0.06;

/// The normal part of the contact of one pair.
#[derive(Clone, Debug)]
pub struct NormalContact {
    /// Elastic wrench that follows A's depth field, turning with A; then the
    /// one that follows B's.
    pub elastic: [Wrench; 2],
    /// Damping wrench.
    pub damping: Wrench,
    /// Change of the elastic wrench per displacement of A relative to B, each
    /// part seen from the body whose field it follows.
    pub by_displacement: Matrix6,
    /// Change of the wrench per twist of A relative to B.
    pub by_twist: Matrix6,
    /// The pieces: one for every patch, then one for every group of cells
    /// that belongs to no patch yet.
    pub pieces: Vec<Piece>,
    /// The same split by component of the overlap.
    pub fragments: Vec<Fragment>,
    /// Rates of the normal law's states, one for every patch.
    pub states: Vec<StateRates>,
    /// How each component of the overlap pushes A as a whole: the size of all its load, and
    /// its sum as a vector, both to one arbitrary scale.
    wholes: Vec<(f64, DVec3)>,
    /// The component of the overlap that each patch belongs to, and how far its
    /// nearest part is; empty when there is but one.
    owners: Vec<(Option<u32>, f64)>,
}

/// Where a part of the contact is, in A's frame, and which way it acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Component of the overlap.
    pub component: u32,
    /// Its centre, and how far it reaches from there.
    pub centre: DVec3,
    pub reach: f64,
    /// The separation direction of A.
    pub way: DVec3,
    /// The direction in which A is pushed.
    pub push: DVec3,
}

impl Default for NormalContact {
    fn default() -> NormalContact {
        NormalContact {
            elastic: [Wrench::default(); 2],
            damping: Wrench::default(),
            by_displacement: Matrix6::ZERO,
            by_twist: Matrix6::ZERO,
            pieces: Vec::new(),
            fragments: Vec::new(),
            states: Vec::new(),
            wholes: Vec::new(),
            owners: Vec::new(),
        }
    }
}

/// The share of one component of the overlap in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Fragment {
    /// Which piece it belongs to.
    pub piece: usize,
    /// Which component of the overlap it comes from.
    pub component: u32,
    /// Its sums.
    pub sums: Piece,
}

/// Sums over a part of the contact.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Total load `∫ p dA`, N.
    pub load: f64,
    /// Force on A, N.
    pub force: DVec3,
    /// The elastic part of the force, N: it gives the patch its normal.
    pub push: DVec3,
    /// `∫ p d dA` with the direction d by which each part was grouped, N.
    pub direction: DVec3,
    /// `∫ p (x − point) dA`, N m.
    pub first: DVec3,
    /// `∫ p (x − point)(x − point)ᵀ dA`, N m².
    pub second: DMat3,
    /// `∫ n dA` with n towards A, m².
    pub area_vector: DVec3,
    /// `∫ |n·e| dA` (m²) and with it the first and second moments of that
    /// area about the point of reference, m³ and m⁴.
    pub facing: (f64, DVec3, DMat3),
    /// Greatest depth of a cell's centre, m.
    pub depth: f64,
    /// Box around the cells, relative to the point of reference.
    pub bounds: [DVec3; 2],
    /// Change of the force per rotation and per translation of A relative to B.
    pub force_by_displacement: [DMat3; 2],
    /// Change of the force per angular and per linear velocity of A relative to B.
    pub force_by_twist: [DMat3; 2],
    /// Change of the torque per rotation and per translation of A relative to B, as seen
    /// from A.
    pub torque_by_displacement: [DMat3; 2],
    /// Change of the torque per angular and per linear velocity of A relative to B.
    pub torque_by_twist: [DMat3; 2],
    /// The part of the load that follows B's depth field, N: its normal stays
    /// with B while A moves, and it acts on A's surface.
    pub load_in_b: f64,
    /// Stiffness against approach along the separation direction, `∫ g |n·e| dA`, N/m.
    pub approach_stiffness: f64,
    /// `∫ g (x × e, e)(x × e, e)ᵀ |n·e| dA`: times a damping time it is the
    /// damping of the piece.
    pub damper: Matrix6,
}

impl Piece {
    /// Nothing.
    pub const NONE: Piece = Piece {
        load: 0.0,
        force: DVec3::ZERO,
        push: DVec3::ZERO,
        direction: DVec3::ZERO,
        first: DVec3::ZERO,
        second: DMat3::ZERO,
        area_vector: DVec3::ZERO,
        facing: (0.0, DVec3::ZERO, DMat3::ZERO),
        depth: 0.0,
        bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
        force_by_displacement: [DMat3::ZERO; 2],
        force_by_twist: [DMat3::ZERO; 2],
        torque_by_displacement: [DMat3::ZERO; 2],
        torque_by_twist: [DMat3::ZERO; 2],
        load_in_b: 0.0,
        approach_stiffness: 0.0,
        damper: Matrix6::ZERO,
    };

    pub(crate) fn add(&mut self, other: &Piece) {
        self.load += other.load;
        self.force += other.force;
        self.push += other.push;
        self.direction += other.direction;
        self.first += other.first;
        self.second += other.second;
        self.area_vector += other.area_vector;
        self.facing.0 += other.facing.0;
        self.facing.1 += other.facing.1;
        self.facing.2 += other.facing.2;
        self.depth = self.depth.max(other.depth);
        self.bounds = [
            self.bounds[0].min(other.bounds[0]),
            self.bounds[1].max(other.bounds[1]),
        ];
        for k in 0..2 {
            self.force_by_displacement[k] += other.force_by_displacement[k];
            self.force_by_twist[k] += other.force_by_twist[k];
            self.torque_by_displacement[k] += other.torque_by_displacement[k];
            self.torque_by_twist[k] += other.torque_by_twist[k];
        }
        self.load_in_b += other.load_in_b;
        self.approach_stiffness += other.approach_stiffness;
        self.damper += other.damper;
    }

    /// Centre of pressure relative to the point of reference; the middle of
    /// the piece when nothing presses.
    pub fn centre(&self) -> DVec3 {
        if self.load > 0.0 {
            self.first / self.load
        } else {
            (self.bounds[0] + self.bounds[1]) / 2.0
        }
    }

    /// Change of the centre of pressure per rotation and per translation of A relative to
    /// B, as seen from A: a face that tilts by θ moves it by `θ ∫ x² dA / V`,
    /// far more than it moves itself. Across its plane it stays with the surface
    /// it lies on.
    pub fn centre_by_displacement(&self) -> [DMat3; 2] {
        let [turn, shift] =
            self.centre_by(&self.force_by_displacement, &self.torque_by_displacement);
        let (n, r) = (self.normal(), self.centre());
        let on_b = 1.0 - self.share_in_b();
        [
            turn - on_b * outer(n, r.cross(n)),
            shift - on_b * outer(n, n),
        ]
    }

    /// The part of the load that follows B's depth field.
    pub fn share_in_b(&self) -> f64 {
        if self.load > 0.0 {
            (self.load_in_b / self.load).min(1.0)
        } else {
            0.0
        }
    }

    /// Change of the centre of pressure per angular and per linear velocity.
    pub fn centre_by_twist(&self) -> [DMat3; 2] {
        self.centre_by(&self.force_by_twist, &self.torque_by_twist)
    }

    /// From `T = r × N n`: `N dr = n × dT − r dN`, in the plane of the piece.
    fn centre_by(&self, force: &[DMat3; 2], torque: &[DMat3; 2]) -> [DMat3; 2] {
        let n = self.normal();
        let load = self.force.dot(n);
        if load <= 0.0 {
            return [DMat3::ZERO; 2];
        }
        let r = self.centre().reject_from_normalized(n);
        let moved = |k: usize| {
            let by_load = outer(r, force[k].transpose() * n);
            (1.0 / load) * (cross_matrix(n) * torque[k] - by_load)
        };
        [moved(0), moved(1)]
    }

    /// The direction in which A is pushed.
    pub fn normal(&self) -> DVec3 {
        self.push
            .try_normalize()
            .or_else(|| self.area_vector.try_normalize())
            .unwrap_or(DVec3::Z)
    }

    /// Distance from the centre within which the whole piece lies, m.
    pub fn reach(&self) -> f64 {
        let far = (self.bounds[1] - self.bounds[0]).length();
        if far.is_finite() { far } else { 0.0 }
    }

    /// Normal force N, newtons.
    pub fn normal_force(&self) -> f64 {
        self.force.dot(self.normal()).max(0.0)
    }

    /// Area of the patch seen along its normal |S|, m².
    pub fn area(&self) -> f64 {
        self.area_vector.length()
    }

    /// The radius r of the patch that torsional friction acts at, `∫ p |x| dA / ∫ p dA` in
    /// its plane about the centre of pressure, as far as second moments tell.
    ///
    /// Under uniform pressure its ratio to the radius of gyration is that of a disc or a
    /// line, and in between, with the ratio t of the radii along and across, close to that of
    /// a rectangle (within 0.7 %). Where the pressure falls off towards the rim the ratio is less by
    /// [`TAPER`] of what the radius of gyration, squared, lacks against that of the area:
    /// 2 % for a ball's cap.
    pub fn friction_radius(&self) -> f64 {
        let [along, across] = self.principal_spreads();
        let gyration = along + across;
        let area = self.area_radius();
        if gyration <= 0.0 || area <= 0.0 {
            return 0.0;
        }
        let t2 = across / along;
        let round = 5.0 * t2 / (1.0 + 4.0 * t2);
        let ratio = TORSION_OF_LINE + (TORSION_OF_DISC - TORSION_OF_LINE) * round;
        let filled = (gyration / (area * area)).min(1.0);
        ratio * (1.0 - TAPER * (1.0 - filled)) * gyration.sqrt()
    }

    /// Squares of the pressure-weighted radii of gyration along the two principal axes of
    /// the piece in its plane, the larger first, m².
    fn principal_spreads(&self) -> [f64; 2] {
        if self.load <= 0.0 {
            return [0.0; 2];
        }
        let about = spread_of(self.load, self.first, &self.second);
        let (u, v) = self.normal().any_orthonormal_pair();
        let [uu, vv, uv] = [u.dot(about * u), v.dot(about * v), u.dot(about * v)];
        let half = 0.5 * (uu - vv);
        let apart = (half * half + uv * uv).sqrt();
        let mean = 0.5 * (uu + vv).max(0.0);
        [mean + apart, (mean - apart).max(0.0)]
    }

    /// Pressure-weighted radius of gyration about the normal, m.
    pub fn gyration_radius(&self) -> f64 {
        self.radius_of(self.load, self.first, &self.second)
    }

    /// Radius of gyration of the area about the normal, m.
    pub fn area_radius(&self) -> f64 {
        let (area, first, second) = &self.facing;
        self.radius_of(*area, *first, second)
    }

    fn radius_of(&self, weight: f64, first: DVec3, second: &DMat3) -> f64 {
        if weight <= 0.0 {
            return 0.0;
        }
        let about = spread_of(weight, first, second);
        let n = self.normal();
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        (trace - n.dot(about * n)).max(0.0).sqrt()
    }
}

/// Second moments about the centre, per weight.
fn spread_of(weight: f64, first: DVec3, second: &DMat3) -> DMat3 {
    let centre = first / weight;
    (1.0 / weight) * *second - outer(centre, centre)
}

impl NormalContact {
    /// Empties it for a pair with `patches`.
    pub(crate) fn clear(&mut self, patches: usize) {
        self.elastic = [Wrench::default(); 2];
        self.damping = Wrench::default();
        self.by_displacement = Matrix6::ZERO;
        self.by_twist = Matrix6::ZERO;
        self.fragments.clear();
        self.pieces.clear();
        self.pieces.resize(patches, Piece::NONE);
        self.states.clear();
        self.states.resize(patches, StateRates::NONE);
        self.owners.clear();
        self.wholes.clear();
    }

    /// Adds a part to the sum of its component.
    pub(crate) fn push_whole(&mut self, load: f64, place: &Place) {
        let index = place.component as usize;
        if self.wholes.len() <= index {
            self.wholes.resize(index + 1, (0.0, DVec3::ZERO));
        }
        let whole = &mut self.wholes[index];
        whole.0 += load;
        whole.1 += load * place.push;
    }

    /// Gives every patch to the component whose nearest part acts in its
    /// direction. Without it cells of two components that lie side by side would
    /// go to each other's patches, and every renewal would mix their memories.
    pub(crate) fn claim(&mut self, patches: &[Patch], places: impl Iterator<Item = Place>) {
        self.owners.resize(patches.len(), (None, f64::INFINITY));
        for place in places {
            for (patch, (owner, least)) in patches.iter().zip(&mut self.owners) {
                let distance = (patch.centre - place.centre).length();
                let alike = [place.push, place.way].map(|d| same_direction(patch.normal, d));
                if alike.contains(&true) && distance < *least {
                    *least = distance;
                    *owner = Some(place.component);
                }
            }
        }
    }

    /// The patch that a part of the contact belongs to by one of its directions:
    /// one of its component; a component that has just come off another, and
    /// has none yet, finds those of all.
    pub(crate) fn find(&self, patches: &[Patch], place: &Place, way: DVec3) -> Option<usize> {
        let own = Some(place.component);
        let all = !self.owners.iter().any(|owner| owner.0 == own);
        let may = |index: usize| all || self.owners[index].0 == own;
        nearest(patches, may, place.centre, place.reach, way)
    }

    /// The directions by which a part of the contact may find its patch, in this order: the
    /// one of its push, and its separation direction.
    ///
    /// The two differ where a body's nearest face changes under a surface that
    /// does not: along the rim of a pad on a face, or at a finger's edge on a
    /// face. There the surface decides. Where the surface is the one that bends, at
    /// an edge or a tip pressed into a face, the separation direction does. Either way it
    /// is the one closer to the push of the whole component; where that cancels out, as
    /// around a peg in a tight hole, any patch with either direction will do.
    fn directions(&self, place: &Place) -> [DVec3; 2] {
        let Place { push, way, .. } = *place;
        match self.wholes.get(place.component as usize) {
            Some((load, whole)) if whole.length() > ONE_SIDED * load => {
                let closer = if push.dot(*whole) >= way.dot(*whole) {
                    push
                } else {
                    way
                };
                [closer; 2]
            }
            _ => [push, way],
        }
    }

    /// Gives a part of the contact to the patch it belongs to: one that it could reach
    /// and whose normal is about its direction.
    pub(crate) fn add(&mut self, patches: &[Patch], place: &Place, part: &Piece) {
        let [first, second] = self.directions(place);
        let piece = self
            .find(patches, place, first)
            .or_else(|| self.find(patches, place, second))
            .or_else(|| self.unassigned(patches.len(), place.component, second))
            .unwrap_or_else(|| {
                self.pieces.push(Piece::NONE);
                self.pieces.len() - 1
            });
        let same = |f: &Fragment| f.piece == piece && f.component == place.component;
        let fragment = self.fragments.iter().position(same).unwrap_or_else(|| {
            self.fragments.push(Fragment {
                piece,
                component: place.component,
                sums: Piece::NONE,
            });
            self.fragments.len() - 1
        });
        let sums = &mut self.fragments[fragment].sums;
        sums.add(part);
        sums.direction += part.load * second;
    }

    /// A piece that belongs to no patch, of the same component and separation direction.
    fn unassigned(&self, patches: usize, component: u32, way: DVec3) -> Option<usize> {
        let found = self.fragments.iter().find(|f| {
            let own = f.piece >= patches && f.component == component;
            own && same_direction(f.sums.direction.normalize_or_zero(), way)
        });
        found.map(|fragment| fragment.piece)
    }

    /// Adds up the fragments of each piece.
    pub(crate) fn finish(&mut self, patches: usize) {
        self.join(patches);
        for fragment in &self.fragments {
            self.pieces[fragment.piece].add(&fragment.sums);
        }
    }

    /// Joins what was told apart by its separation direction but pushes the same way, and
    /// what carries next to nothing, with the fragment of the same component
    /// that carries most.
    fn join(&mut self, patches: usize) {
        for i in 0..self.fragments.len() {
            let fragment = self.fragments[i];
            if fragment.piece < patches {
                continue;
            }
            let load = fragment.sums.load;
            let mut best = None;
            let mut most = load;
            for (index, other) in self.fragments.iter().enumerate() {
                let small = load < NEXT_TO_NOTHING * other.sums.load;
                let alike = small || same_direction(other.sums.normal(), fragment.sums.normal());
                let more = other.sums.load > most || (other.sums.load >= most && index < i);
                if index != i && other.component == fragment.component && alike && more {
                    most = other.sums.load;
                    best = Some(index);
                }
            }
            if let Some(target) = best {
                self.fragments[target].sums.add(&fragment.sums);
                self.fragments[i].sums = Piece::NONE;
            }
        }
        self.fragments.retain(|f| f.sums.area_vector != DVec3::ZERO);
    }

    /// The whole normal wrench on A.
    pub fn wrench(&self) -> Wrench {
        self.elastic[0] + self.elastic[1] + self.damping
    }
}

/// A component pushes to one side when its loads add up to at least this share of what
/// they would if they were parallel.
const ONE_SIDED: f64 = 0.1;

/// A part with less than this share of another's load does not make a patch.
const NEXT_TO_NOTHING: f64 = 1.0e-3;
