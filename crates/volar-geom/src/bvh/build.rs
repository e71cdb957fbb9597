//! Building the tree: top down, cut where the surface area heuristic with
//! binned centres [Wald 2007] expects the least work.

use glam::DVec3;

use super::{Aabb, Bvh, Node};

/// Bins along the axis that is cut.
const BINS: usize = 16;

/// Up to so many triangles every possible cut is tried.
const SWEEP: usize = 4;

impl Bvh {
    /// Builds the tree over one box per triangle.
    pub fn build(boxes: &[Aabb]) -> Bvh {
        let mut bvh = Bvh {
            nodes: Vec::with_capacity(2 * boxes.len()),
        };
        if boxes.is_empty() {
            return bvh;
        }
        let mut items: Vec<Item> = (0_u32..)
            .zip(boxes)
            .map(|(triangle, &bounds)| Item {
                bounds,
                centre: bounds.centre(),
                triangle,
            })
            .collect();
        bvh.nodes.push(UNSET);
        // Nodes whose box and children are still to be found, with their
        // range of `items`; a loop, because a bad mesh can make a deep tree.
        let mut open = vec![(0_usize, 0..items.len())];
        while let Some((node, range)) = open.pop() {
            let items = &mut items[range.clone()];
            let bounds = items
                .iter()
                .fold(Aabb::EMPTY, |b, item| b.union(&item.bounds));
            let (centre, half) = (bounds.centre(), 0.5 * bounds.size());
            if let [item] = items {
                bvh.nodes[node] = Node {
                    centre,
                    half,
                    index: item.triangle,
                    leaf: true,
                };
                continue;
            }
            let first = bvh.nodes.len();
            bvh.nodes[node] = Node {
                centre,
                half,
                index: first as u32,
                leaf: false,
            };
            bvh.nodes.extend([UNSET; 2]);
            let middle = range.start + split(items);
            open.push((first + 1, middle..range.end));
            open.push((first, range.start..middle));
        }
        bvh
    }
}

const UNSET: Node = Node {
    centre: DVec3::ZERO,
    half: DVec3::ZERO,
    index: 0,
    leaf: true,
};

struct Item {
    bounds: Aabb,
    centre: DVec3,
    triangle: u32,
}

/// Orders two or more items into two non-empty parts; returns the size of the
/// first.
fn split(items: &mut [Item]) -> usize {
    if items.len() <= SWEEP {
        split_by_sweep(items)
    } else {
        split_by_bins(items)
    }
}

/// Tries every cut along every axis.
fn split_by_sweep(items: &mut [Item]) -> usize {
    let mut best = (f64::INFINITY, 0, items.len() / 2);
    let mut above = [0.0; SWEEP];
    for axis in 0..3 {
        sort_along(items, axis);
        let mut bounds = Aabb::EMPTY;
        for cut in (1..items.len()).rev() {
            bounds = bounds.union(&items[cut].bounds);
            above[cut] = area(&bounds) * (items.len() - cut) as f64;
        }
        let mut bounds = Aabb::EMPTY;
        for cut in 1..items.len() {
            bounds = bounds.union(&items[cut - 1].bounds);
            let cost = area(&bounds) * cut as f64 + above[cut];
            if cost < best.0 {
                best = (cost, axis, cut);
            }
        }
    }
    sort_along(items, best.1);
    best.2
}

fn sort_along(items: &mut [Item], axis: usize) {
    items.sort_unstable_by(|x, y| {
        x.centre[axis]
            .total_cmp(&y.centre[axis])
            .then(x.triangle.cmp(&y.triangle))
    });
}

/// Tries the borders of equal bins along the longest axis.
fn split_by_bins(items: &mut [Item]) -> usize {
    let centres = Aabb::around(items.iter().map(|item| item.centre));
    let extent = centres.size();
    let axis = extent.max_position();
    if !(extent[axis] > 0.0) {
        // All centres coincide: any split is as good as any other.
        return items.len() / 2;
    }
    let low = centres.min[axis];
    let scale = BINS as f64 / extent[axis];
    let bin_of = |item: &Item| (((item.centre[axis] - low) * scale) as usize).min(BINS - 1);

    let mut bins = [(Aabb::EMPTY, 0); BINS];
    for item in items.iter() {
        let (bounds, count) = &mut bins[bin_of(item)];
        *bounds = bounds.union(&item.bounds);
        *count += 1;
    }
    let mut above = [0.0; BINS];
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    for cut in (1..BINS).rev() {
        bounds = bounds.union(&bins[cut].0);
        count += bins[cut].1;
        above[cut] = area(&bounds) * f64::from(count);
    }
    // The outermost bins are never empty, so every cut leaves two parts.
    let mut best = (f64::INFINITY, BINS / 2);
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    for cut in 1..BINS {
        bounds = bounds.union(&bins[cut - 1].0);
        count += bins[cut - 1].1;
        let cost = area(&bounds) * f64::from(count) + above[cut];
        if cost < best.0 {
            best = (cost, cut);
        }
    }
    partition(items, |item| bin_of(item) < best.1)
}

/// Moves the items that satisfy `first` to the front; returns how many.
fn partition(items: &mut [Item], first: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if first(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}

fn area(bounds: &Aabb) -> f64 {
    let d = bounds.size();
    d.x * d.y + d.y * d.z + d.z * d.x
}
