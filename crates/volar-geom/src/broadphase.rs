//! Which of many bodies could touch: pairs whose boxes overlap.
//!
//! Boxes are swept along one axis in order of where they begin; only boxes
//! that are open at the same time are compared.

use crate::bvh::Aabb;

/// Pairs of bodies that never touch, such as neighbouring links of a finger, and
/// groups of bodies of which none touches another, such as all that are fixed.
#[derive(Clone, Debug, Default)]
pub struct PairFilter {
    /// Lower body first, sorted.
    excluded: Vec<(u32, u32)>,
    /// Of each body; empty: none has one.
    groups: Vec<u32>,
}

impl PairFilter {
    /// Excludes the given pairs, in whichever order the bodies are named.
    pub fn excluding(pairs: impl IntoIterator<Item = (u32, u32)>) -> PairFilter {
        let mut excluded: Vec<_> = pairs
            .into_iter()
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        excluded.sort_unstable();
        excluded.dedup();
        PairFilter {
            excluded,
            groups: Vec::new(),
        }
    }

    /// Excludes also all pairs of bodies with the same group, one for each body.
    pub fn with_groups(mut self, groups: Vec<u32>) -> PairFilter {
        self.groups = groups;
        self
    }

    /// True unless the pair was excluded or is of one group.
    pub fn allows(&self, a: u32, b: u32) -> bool {
        let group = |body: u32| self.groups.get(body as usize);
        let together = group(a).is_some() && group(a) == group(b);
        !together && self.excluded.binary_search(&(a.min(b), a.max(b))).is_err()
    }
}

/// The broad phase and its buffers; nothing is allocated once they have grown.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    /// Bodies in the order in which their boxes begin.
    order: Vec<u32>,
    /// Bodies whose boxes have begun and not yet ended, with these boxes.
    open: Vec<(u32, Aabb)>,
    pairs: Vec<(u32, u32)>,
}

impl BroadPhase {
    /// The pairs `(a, b)`, a < b, whose boxes overlap and which the filter
    /// allows, sorted. All boxes in one frame; touching counts, and a box that
    /// is empty or not finite touches nothing.
    pub fn pairs(&mut self, boxes: &[Aabb], filter: &PairFilter) -> &[(u32, u32)] {
        self.pairs.clear();
        self.open.clear();
        let axis = widest_axis(boxes);
        let bounds = |body: u32| &boxes[body as usize];
        let begin = |body: u32| bounds(body).min[axis];
        self.order.clear();
        self.order
            .extend((0..boxes.len() as u32).filter(|&body| bounds(body).size().is_finite()));
        self.order
            .sort_unstable_by(|&a, &b| begin(a).total_cmp(&begin(b)).then(a.cmp(&b)));
        for &body in &self.order {
            let own = *bounds(body);
            self.open
                .retain(|(_, other)| other.max[axis] >= own.min[axis]);
            for (other, bounds) in &self.open {
                if own.overlaps(bounds) && filter.allows(body, *other) {
                    self.pairs.push((body.min(*other), body.max(*other)));
                }
            }
            self.open.push((body, own));
        }
        self.pairs.sort_unstable();
        &self.pairs
    }
}

/// The axis along which the boxes are spread most.
fn widest_axis(boxes: &[Aabb]) -> usize {
    let finite = boxes.iter().filter(|b| b.size().is_finite());
    Aabb::around(finite.map(Aabb::centre)).size().max_position()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// Boxes of 0 to 0.3 m in a cube of 1 m, on a grid so that some touch.
    fn boxes(count: u32) -> Vec<Aabb> {
        let mut state = 7_u64;
        let mut next = |steps: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % steps) as f64 / 20.0
        };
        let mut point = |steps| DVec3::new(next(steps), next(steps), next(steps));
        (0..count)
            .map(|_| {
                let min = point(20);
                Aabb {
                    min,
                    max: min + point(7),
                }
            })
            .collect()
    }

    #[test]
    fn finds_the_pairs_of_an_all_pairs_search() {
        let boxes = boxes(200);
        let filter = PairFilter::excluding([(5, 3), (7, 9), (0, 1)]);
        let mut expected = Vec::new();
        for a in 0..200_u32 {
            for b in a + 1..200 {
                let excluded = [(3, 5), (7, 9), (0, 1)].contains(&(a, b));
                if !excluded && boxes[a as usize].overlaps(&boxes[b as usize]) {
                    expected.push((a, b));
                }
            }
        }
        assert!(expected.len() > 100, "the boxes should overlap often");
        assert_eq!(BroadPhase::default().pairs(&boxes, &filter), expected);
    }

    #[test]
    fn leaves_out_excluded_pairs_and_boxes_of_nothing() {
        let mut boxes = vec![
            Aabb {
                min: DVec3::ZERO,
                max: DVec3::ONE
            };
            3
        ];
        let filter = PairFilter::excluding([(2, 0)]);
        let mut phase = BroadPhase::default();
        assert_eq!(phase.pairs(&boxes, &filter), [(0, 1), (1, 2)]);
        boxes[1] = Aabb::EMPTY;
        boxes[2].max.x = f64::NAN;
        assert!(phase.pairs(&boxes, &PairFilter::default()).is_empty());
    }

    #[test]
    fn leaves_out_pairs_of_one_group() {
        let (min, max) = (DVec3::ZERO, DVec3::ONE);
        let filter = PairFilter::excluding([(0, 2)]).with_groups(vec![7, 8, 9, 7]);
        let mut phase = BroadPhase::default();
        let pairs = phase.pairs(&[Aabb { min, max }; 4], &filter);
        assert_eq!(pairs, [(0, 1), (1, 2), (1, 3), (2, 3)]);
    }
}
