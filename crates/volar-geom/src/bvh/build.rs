//! Building the tree: top down, cut where the surface area heuristic with
//! binned centres [Wald 2007] expects the least work.

use glam::DVec3;

use super::{Aabb, Bvh, Cuboid, Item, Node};

/// Bins along the axis that is cut.
const BINS: usize = 16;

/// Up to so many triangles every possible cut is tried.
const SWEEP: usize = 4;

/// Triangles in a leaf, at most. Two leaves compare their triangles in two
/// nested loops that prepare each box once, which beats going down further.
const LEAF: usize = 8;

impl Bvh {
    /// Builds the tree over one box per triangle.
    pub fn build(boxes: &[Aabb]) -> Bvh {
        let mut bvh = Bvh {
            nodes: Vec::with_capacity(boxes.len()),
            items: Vec::with_capacity(boxes.len()),
        };
        if boxes.is_empty() {
            return bvh;
        }
        let mut parts: Vec<Part> = (0_u32..)
            .zip(boxes)
            .map(|(triangle, &bounds)| Part {
                bounds,
                centre: bounds.centre(),
                triangle,
            })
            .collect();
        let around = |parts: &[Part]| {
            let bounds = parts
                .iter()
                .fold(Aabb::EMPTY, |b, part| b.union(&part.bounds));
            Node {
                cuboid: Cuboid::around(&bounds),
                first: 0,
                count: 0,
            }
        };
        bvh.nodes.push(around(&parts));
        // Nodes whose contents are still to be found, with their range of
        // `parts`; a loop, because a bad mesh can make a deep tree.
        let mut open = vec![(0_usize, 0..parts.len())];
        while let Some((node, range)) = open.pop() {
            let inside = &mut parts[range.clone()];
            if inside.len() <= LEAF {
                bvh.nodes[node].first = bvh.items.len() as u32;
                bvh.nodes[node].count = inside.len() as u32;
                bvh.items.extend(inside.iter().map(|part| Item {
                    cuboid: Cuboid::around(&part.bounds),
                    triangle: part.triangle,
                }));
                continue;
            }
            let middle = split(inside);
            let (left, right) = inside.split_at(middle);
            let first = bvh.nodes.len();
            bvh.nodes[node].first = first as u32;
            bvh.nodes.extend([around(left), around(right)]);
            let middle = range.start + middle;
            open.push((first + 1, middle..range.end));
            open.push((first, range.start..middle));
        }
        bvh
    }
}

/// A triangle that has yet to find its leaf.
struct Part {
    bounds: Aabb,
    centre: DVec3,
    triangle: u32,
}

/// Orders two or more parts into two non-empty parts; returns the size of the
/// first.
fn split(parts: &mut [Part]) -> usize {
    if parts.len() <= SWEEP {
        split_by_sweep(parts)
    } else {
        split_by_bins(parts)
    }
}

/// Tries every cut along every axis.
fn split_by_sweep(parts: &mut [Part]) -> usize {
    let mut best = (f64::INFINITY, 0, parts.len() / 2);
    let mut above = [0.0; SWEEP];
    for axis in 0..3 {
        sort_along(parts, axis);
        let mut bounds = Aabb::EMPTY;
        for cut in (1..parts.len()).rev() {
            bounds = bounds.union(&parts[cut].bounds);
            above[cut] = area(&bounds) * (parts.len() - cut) as f64;
        }
        let mut bounds = Aabb::EMPTY;
        for cut in 1..parts.len() {
            bounds = bounds.union(&parts[cut - 1].bounds);
            let cost = area(&bounds) * cut as f64 + above[cut];
            if cost < best.0 {
                best = (cost, axis, cut);
            }
        }
    }
    sort_along(parts, best.1);
    best.2
}

fn sort_along(parts: &mut [Part], axis: usize) {
    parts.sort_unstable_by(|x, y| {
        x.centre[axis]
            .total_cmp(&y.centre[axis])
            .then(x.triangle.cmp(&y.triangle))
    });
}

/// Tries the borders of equal bins along the longest axis.
fn split_by_bins(parts: &mut [Part]) -> usize {
    let centres = Aabb::around(parts.iter().map(|part| part.centre));
    let extent = centres.size();
    let axis = extent.max_position();
    if extent[axis] <= 0.0 {
        // All centres coincide: any split is as good as any other.
        return parts.len() / 2;
    }
    let low = centres.min[axis];
    let scale = BINS as f64 / extent[axis];
    let bin_of = |part: &Part| (((part.centre[axis] - low) * scale) as usize).min(BINS - 1);

    let mut bins = [(Aabb::EMPTY, 0); BINS];
    for part in parts.iter() {
        let (bounds, count) = &mut bins[bin_of(part)];
        *bounds = bounds.union(&part.bounds);
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
    match partition(parts, |part| bin_of(part) < best.1) {
        // Coordinates that are not numbers fall into any bin.
        0 => parts.len() / 2,
        count if count == parts.len() => count / 2,
        count => count,
    }
}

/// Moves the parts that satisfy `first` to the front; returns how many.
fn partition(parts: &mut [Part], first: impl Fn(&Part) -> bool) -> usize {
    let mut count = 0;
    for i in 0..parts.len() {
        if first(&parts[i]) {
            parts.swap(i, count);
            count += 1;
        }
    }
    count
}

fn area(bounds: &Aabb) -> f64 {
    let d = bounds.size();
    d.x * d.y + d.y * d.z + d.z * d.x
}
