//! Factors of a sparse matrix in blocks.
//!
//! Blocks are eliminated one after the other, always the one that is linked to the
//! fewest indices [George & Liu 1989]. Eliminating block k links all its neighbours:
//!
//! ```text
//! W_kj  = A_kk⁻¹ A_kj
//! A_ij -= A_ik W_kj          for all neighbours i, j that are still there
//! ```
//!
//! Rows are pivoted within A_kk only. Where the symmetric part of A is positive
//! definite, as that of a mass matrix with springs and dampers, so is that of every
//! A_kk, and no more is needed. Otherwise the factors may be those of a matrix a
//! little off A.

use std::collections::BTreeSet;

use crate::block_pattern::BlockPattern;
use crate::lu;

/// Factors of a matrix in blocks, and their buffers.
#[derive(Clone, Debug, Default)]
pub struct BlockLu {
    /// Blocks in order of elimination.
    order: Vec<Eliminated>,
    /// Of each block: its place in the order.
    rank: Vec<usize>,
    /// Of each index by block: row it is swapped with.
    pivots: Vec<usize>,
    entries: Vec<f64>,
    right: Vec<f64>,
}

/// A block with its neighbours that come later.
#[derive(Clone, Debug, Default)]
struct Eliminated {
    block: usize,
    size: usize,
    /// Neighbours by rank, and where each begins in the strips.
    later: Vec<Later>,
    /// Number of indices of all neighbours: the width of the strips.
    width: usize,
    /// Where A_kk (size × size), the strip of A_ik (width × size) and that of W_kj
    /// (size × width) begin among the entries.
    pivot: usize,
    column: usize,
    row: usize,
}

#[derive(Clone, Copy, Debug)]
struct Later {
    rank: usize,
    begin: usize,
    size: usize,
}

impl BlockLu {
    /// Chooses the order of elimination and makes room for what it fills in; again
    /// whenever the pattern has changed.
    pub fn analyse(&mut self, pattern: &BlockPattern) {
        let blocks = pattern.blocks();
        let mut neighbours: Vec<Vec<u32>> = (0..blocks)
            .map(|row| pattern.beside(row).iter().map(|block| block.0).collect())
            .collect();
        let weight = |list: &[u32]| -> usize {
            let sizes = list.iter().map(|&block| pattern.size_of(block as usize));
            sizes.sum()
        };
        let mut queue: BTreeSet<(usize, u32)> = (0..blocks)
            .map(|block| (weight(&neighbours[block]), block as u32))
            .collect();
        self.order.clear();
        self.rank.clear();
        self.rank.resize(blocks, 0);
        let mut lists = Vec::with_capacity(blocks);
        while let Some((width, block)) = queue.pop_first() {
            let list = std::mem::take(&mut neighbours[block as usize]);
            for &other in &list {
                let old = &neighbours[other as usize];
                queue.remove(&(weight(old), other));
                let merged = merged(old, &list, [block, other]);
                queue.insert((weight(&merged), other));
                neighbours[other as usize] = merged;
            }
            self.rank[block as usize] = self.order.len();
            self.order.push(Eliminated {
                block: block as usize,
                size: pattern.size_of(block as usize),
                width,
                ..Eliminated::default()
            });
            lists.push(list);
        }
        let mut at = 0;
        for (step, list) in self.order.iter_mut().zip(lists) {
            let mut ranks: Vec<usize> = list.iter().map(|b| self.rank[*b as usize]).collect();
            ranks.sort_unstable();
            step.later.extend(ranks.into_iter().map(|rank| Later {
                rank,
                begin: 0,
                size: 0,
            }));
            step.pivot = at;
            step.column = at + step.size * step.size;
            step.row = step.column + step.size * step.width;
            at = step.row + step.size * step.width;
        }
        for number in 0..self.order.len() {
            let mut later = std::mem::take(&mut self.order[number].later);
            let mut begin = 0;
            for entry in &mut later {
                entry.begin = begin;
                entry.size = self.order[entry.rank].size;
                begin += entry.size;
            }
            self.order[number].later = later;
        }
        self.entries.clear();
        self.entries.resize(at, 0.0);
        self.pivots.clear();
        self.pivots.resize(pattern.indices(), 0);
    }

    /// Factors a matrix of the pattern that was analysed last; false when it is
    /// singular or not finite.
    pub fn factor(&mut self, pattern: &BlockPattern, a: &[f64]) -> bool {
        self.take(pattern, a);
        let mut pivots = Vec::new();
        for number in 0..self.order.len() {
            let step = &self.order[number];
            let (size, width) = (step.size, step.width);
            let (before, strips) = self.entries.split_at_mut(step.column);
            let matrix = &mut before[step.pivot..];
            if !lu::factor(matrix, size, &mut pivots) {
                return false;
            }
            self.pivots[pattern.span(step.block)].copy_from_slice(&pivots);
            let row = &mut strips[size * width..2 * size * width];
            lu::solve_many(matrix, size, &pivots, row, width);
            self.pass_on(number);
        }
        true
    }

    /// Copies the entries to where they are factored.
    fn take(&mut self, pattern: &BlockPattern, a: &[f64]) {
        let fills = self.order.iter().any(|step| step.width > 0);
        if fills {
            self.entries.fill(0.0);
        }
        for step in &self.order {
            let own = &a[pattern.diagonal(step.block)];
            self.entries[step.pivot..step.column].copy_from_slice(own);
        }
        for row in 0..pattern.blocks() {
            for &(column, begin) in pattern.beside(row) {
                let (i, j) = (self.rank[row], self.rank[column as usize]);
                let [rows, columns] = [row, column as usize].map(|b| pattern.size_of(b));
                let block = &a[begin..begin + rows * columns];
                let step = &self.order[i.min(j)];
                let at = step.find(i.max(j));
                if i < j {
                    for (r, line) in block.chunks_exact(columns).enumerate() {
                        let to = step.row + r * step.width + at;
                        self.entries[to..to + columns].copy_from_slice(line);
                    }
                } else {
                    let to = step.column + at * step.size;
                    self.entries[to..to + block.len()].copy_from_slice(block);
                }
            }
        }
    }

    /// `A_ij -= A_ik W_kj` for all neighbours of the block that is eliminated.
    fn pass_on(&mut self, number: usize) {
        let step = &self.order[number];
        let (done, rest) = self.entries.split_at_mut(step.row + step.size * step.width);
        let offset = done.len();
        let column = &done[step.column..step.row];
        let row = &done[step.row..];
        let of_column = |entry: &Later| {
            let begin = entry.begin * step.size;
            &column[begin..begin + entry.size * step.size]
        };
        for (nth, i) in step.later.iter().enumerate() {
            let target = &self.order[i.rank];
            let pivot = &mut rest[target.pivot - offset..];
            let (size, width) = (step.size, step.width);
            subtract(
                pivot,
                i.size,
                of_column(i),
                &row[i.begin..],
                i.size,
                size,
                width,
            );
            // What is later than i here is among what is later than i there.
            let mut places = target.later.iter();
            for j in &step.later[nth + 1..] {
                let Some(place) = places.find(|place| place.rank == j.rank) else {
                    continue;
                };
                let at = target.row + place.begin - offset;
                let right = &mut rest[at..];
                subtract(
                    right,
                    target.width,
                    of_column(i),
                    &row[j.begin..],
                    j.size,
                    size,
                    width,
                );
                let at = target.column + place.begin * target.size - offset;
                let below = &mut rest[at..];
                subtract(
                    below,
                    i.size,
                    of_column(j),
                    &row[i.begin..],
                    i.size,
                    size,
                    width,
                );
            }
        }
    }

    /// Solves with the factored matrix, in place.
    pub fn solve(&mut self, pattern: &BlockPattern, b: &mut [f64]) {
        // By block, so that those of a block stand together.
        self.right.clear();
        self.right.resize(b.len(), 0.0);
        for block in 0..pattern.blocks() {
            let own = &mut self.right[pattern.span(block)];
            for (slot, &i) in own.iter_mut().zip(pattern.members(block)) {
                *slot = b[i];
            }
        }
        let (order, entries) = (&self.order, &self.entries);
        for step in order {
            let own = pattern.span(step.block);
            let matrix = &entries[step.pivot..step.column];
            let pivots = &self.pivots[own.clone()];
            lu::solve(matrix, step.size, pivots, &mut self.right[own.clone()]);
            for later in &step.later {
                let other = pattern.span(order[later.rank].block);
                for (r, at) in other.enumerate() {
                    let begin = step.column + (later.begin + r) * step.size;
                    let line = &entries[begin..begin + step.size];
                    self.right[at] -= dot(line, &self.right[own.clone()]);
                }
            }
        }
        for step in order.iter().rev() {
            let own = pattern.span(step.block);
            for later in &step.later {
                let other = pattern.span(order[later.rank].block);
                for (r, at) in own.clone().enumerate() {
                    let begin = step.row + r * step.width + later.begin;
                    let line = &entries[begin..begin + later.size];
                    self.right[at] -= dot(line, &self.right[other.clone()]);
                }
            }
        }
        for block in 0..pattern.blocks() {
            let own = &self.right[pattern.span(block)];
            for (value, &i) in own.iter().zip(pattern.members(block)) {
                b[i] = *value;
            }
        }
    }
}

impl Eliminated {
    /// Where a later block begins in the strips; it is among them.
    fn find(&self, rank: usize) -> usize {
        let found = self.later.binary_search_by_key(&rank, |later| later.rank);
        found.map_or(0, |at| self.later[at].begin)
    }
}

/// `C -= A B`: A is rows × inner and dense, the lines of C and B begin every
/// `c_stride` and `b_stride` entries and have `columns` of them.
#[inline]
fn subtract(
    c: &mut [f64],
    c_stride: usize,
    a: &[f64],
    b: &[f64],
    columns: usize,
    inner: usize,
    b_stride: usize,
) {
    // Free bodies make up most of a pile.
    if inner == 6 && columns == 6 {
        for (r, a) in a.chunks_exact(6).enumerate() {
            let c = &mut c[r * c_stride..r * c_stride + 6];
            let mut sum = [0.0; 6];
            for (k, factor) in a.iter().enumerate() {
                let b = &b[k * b_stride..k * b_stride + 6];
                for j in 0..6 {
                    sum[j] += factor * b[j];
                }
            }
            for j in 0..6 {
                c[j] -= sum[j];
            }
        }
        return;
    }
    for (r, a) in a.chunks_exact(inner).enumerate() {
        let c = &mut c[r * c_stride..r * c_stride + columns];
        for (k, factor) in a.iter().enumerate() {
            let b = &b[k * b_stride..k * b_stride + columns];
            for (c, b) in c.iter_mut().zip(b) {
                *c -= factor * b;
            }
        }
    }
}

/// What is in either of two sorted lists, without the given two.
fn merged(a: &[u32], b: &[u32], without: [u32; 2]) -> Vec<u32> {
    let mut all: Vec<u32> = a.iter().chain(b).copied().collect();
    all.retain(|entry| !without.contains(entry));
    all.sort_unstable();
    all.dedup();
    all
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies in a row of blocks of 6 and one of 9, each linked to those one and four
    /// places on, some numbers dense in them; the diagonal prevails.
    fn case(blocks: usize) -> (BlockPattern, Vec<f64>) {
        let starts: Vec<usize> = (0..blocks)
            .map(|b| 6 * b + if b > 2 { 3 } else { 0 })
            .collect();
        let size = 6 * blocks + 3;
        let groups: Vec<usize> = (0..size)
            .map(|i| *starts.iter().rfind(|start| **start <= i).unwrap_or(&0))
            .collect();
        let mut links = Vec::new();
        for b in 0..blocks {
            for other in [b + 1, b + 4] {
                links.extend(starts.get(other).map(|&other| (starts[b], other)));
            }
        }
        let mut pattern = BlockPattern::default();
        pattern.rebuild(&groups, &links);
        let mut state = 3_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
        };
        let mut a: Vec<f64> = (0..pattern.len()).map(|_| next()).collect();
        for i in 0..size {
            a[pattern.index(i, i)] += 8.0;
        }
        (pattern, a)
    }

    #[test]
    fn solves_as_a_dense_matrix_does() {
        for blocks in [3, 15, 16, 40] {
            let (pattern, a) = case(blocks);
            assert_eq!(pattern.blocks(), if blocks > 15 { blocks } else { 1 });
            let x: Vec<f64> = (0..pattern.indices()).map(|i| 1.0 + i as f64).collect();
            let mut b = Vec::new();
            pattern.multiply(&a, &x, &mut b);
            let mut lu = BlockLu::default();
            lu.analyse(&pattern);
            // Twice: the second does not see the first.
            for _ in 0..2 {
                assert!(lu.factor(&pattern, &a));
            }
            lu.solve(&pattern, &mut b);
            for (found, x) in b.iter().zip(&x) {
                assert!((found - x).abs() < 1e-11 * x, "{found} instead of {x}");
            }
        }
    }

    #[test]
    fn one_block_has_the_bits_of_dense_factors() {
        let (pattern, a) = case(14);
        let n = pattern.indices();
        let mut right: Vec<f64> = (0..n).map(|i| (i * i % 7) as f64).collect();
        let mut expected = right.clone();
        let (mut dense, mut pivots) = (a.clone(), Vec::new());
        assert!(lu::factor(&mut dense, n, &mut pivots));
        lu::solve(&dense, n, &pivots, &mut expected);
        let mut lu = BlockLu::default();
        lu.analyse(&pattern);
        assert!(lu.factor(&pattern, &a));
        lu.solve(&pattern, &mut right);
        assert_eq!(right, expected);
    }

    #[test]
    fn tells_a_singular_matrix() {
        let (pattern, mut a) = case(20);
        let mut lu = BlockLu::default();
        lu.analyse(&pattern);
        assert!(lu.factor(&pattern, &a));
        a.fill(0.0);
        assert!(!lu.factor(&pattern, &a));
    }
}
