//! Where the entries of a sparse square matrix are, in blocks.
//!
//! Indices that always couple form a group, such as the degrees of freedom of one
//! robot; links say which groups couple for now, such as two bodies that touch. What
//! hangs together over links is an island: islands share no entry. A small island is
//! stored as one dense block, the groups of a large one as blocks of their own:
//!
//! ```text
//! groups  a a b c c d        links  a–b, c–d     (both islands small)
//! blocks  [a a b] [c c d]
//! ```
//!
//! Entries are in one slice: the diagonal blocks in front, so that a matrix without
//! entries off them is a shorter slice, then those off the diagonal, each row-major.

use std::ops::Range;

/// Islands of up to this many indices are one dense block: factoring it costs less than
/// what blocks would save, and rows are pivoted without regard to groups.
const SMALL_ISLAND: usize = 96;

/// Blocks of a matrix whose entries are symmetric in place, not in value.
#[derive(Clone, Debug, Default)]
pub struct BlockPattern {
    /// Of each index: its block, and its place in it.
    block: Vec<u32>,
    place: Vec<u32>,
    /// Indices by block, ascending, and where each block's begin.
    members: Vec<usize>,
    start: Vec<usize>,
    /// Where each diagonal block begins among the entries, and where the last ends.
    diagonal: Vec<usize>,
    /// Row by row the blocks beside the diagonal one, ascending: the column and where
    /// the entries begin.
    beside: Vec<(u32, usize)>,
    beside_start: Vec<usize>,
    len: usize,
    /// Scratch: the island of each group by its first index, and sizes of islands.
    island: Vec<usize>,
    size: Vec<usize>,
}

impl BlockPattern {
    /// One block of n × n: an entry (i, j) is at i n + j.
    pub fn dense(n: usize) -> BlockPattern {
        BlockPattern::of_groups(&vec![0; n])
    }

    /// One block for each group, without links; `groups` as for
    /// [`rebuild`](Self::rebuild).
    pub fn of_groups(groups: &[usize]) -> BlockPattern {
        let mut pattern = BlockPattern::default();
        pattern.rebuild(groups, &[]);
        pattern
    }

    /// Finds the blocks anew. `groups` has for each index the first index of its group,
    /// `links` pairs of such first indices; those between groups are sorted and unique,
    /// the lower one first.
    pub fn rebuild(&mut self, groups: &[usize], links: &[(usize, usize)]) {
        self.find_islands(groups, links);
        let n = groups.len();
        for list in [&mut self.block, &mut self.place] {
            list.clear();
            list.resize(n, 0);
        }
        let mut counts: Vec<usize> = Vec::new();
        let mut by_first = vec![None; n];
        for i in 0..n {
            let island = self.island[groups[i]];
            let whole = self.size[island] <= SMALL_ISLAND;
            let first = if whole { island } else { groups[i] };
            let block = *by_first[first].get_or_insert_with(|| {
                counts.push(0);
                counts.len() - 1
            });
            self.block[i] = block as u32;
            self.place[i] = counts[block] as u32;
            counts[block] += 1;
        }
        self.len = 0;
        self.start.clear();
        self.start.push(0);
        self.diagonal.clear();
        self.diagonal.push(0);
        for (block, count) in counts.into_iter().enumerate() {
            self.len += count * count;
            self.start.push(self.start[block] + count);
            self.diagonal.push(self.len);
        }
        self.members.clear();
        self.members.resize(n, 0);
        for i in 0..n {
            let at = self.start[self.block[i] as usize] + self.place[i] as usize;
            self.members[at] = i;
        }
        self.place_links(links);
    }

    /// Groups that hang together; an island is known by its lowest first index.
    fn find_islands(&mut self, groups: &[usize], links: &[(usize, usize)]) {
        self.island.clear();
        self.island.extend(0..groups.len());
        for &(a, b) in links {
            let (a, b) = (root(&mut self.island, a), root(&mut self.island, b));
            self.island[a.max(b)] = a.min(b);
        }
        self.size.clear();
        self.size.resize(groups.len(), 0);
        for &group in groups {
            let island = root(&mut self.island, group);
            self.island[group] = island;
            self.size[island] += 1;
        }
    }

    /// Blocks off the diagonal, both ways.
    fn place_links(&mut self, links: &[(usize, usize)]) {
        let mut pairs: Vec<(u32, u32)> = links
            .iter()
            .map(|&(a, b)| (self.block[a], self.block[b]))
            .filter(|(a, b)| a != b)
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.beside.clear();
        self.beside_start.clear();
        let mut pairs = pairs.into_iter().peekable();
        for row in 0..self.blocks() {
            self.beside_start.push(self.beside.len());
            while let Some((_, column)) = pairs.next_if(|pair| pair.0 as usize == row) {
                self.beside.push((column, self.len));
                self.len += self.size_of(row) * self.size_of(column as usize);
            }
        }
        self.beside_start.push(self.beside.len());
    }

    /// Number of indices.
    pub fn indices(&self) -> usize {
        self.block.len()
    }

    /// Number of blocks on the diagonal.
    pub fn blocks(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the matrix has no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of entries in diagonal blocks, which are the first.
    pub fn diagonal_len(&self) -> usize {
        self.diagonal.last().copied().unwrap_or(0)
    }

    /// The indices of a block, ascending.
    pub fn members(&self, block: usize) -> &[usize] {
        &self.members[self.start[block]..self.start[block + 1]]
    }

    /// Number of indices of a block.
    #[inline]
    pub fn size_of(&self, block: usize) -> usize {
        self.start[block + 1] - self.start[block]
    }

    /// Where the indices of a block are when all are ordered by block.
    pub(crate) fn span(&self, block: usize) -> Range<usize> {
        self.start[block]..self.start[block + 1]
    }

    /// Where the entries of a diagonal block are.
    pub fn diagonal(&self, block: usize) -> Range<usize> {
        self.diagonal[block]..self.diagonal[block + 1]
    }

    /// The blocks beside the diagonal one of a row: column, and where entries begin.
    pub(crate) fn beside(&self, row: usize) -> &[(u32, usize)] {
        &self.beside[self.beside_start[row]..self.beside_start[row + 1]]
    }

    /// Where the entry (i, j) is.
    ///
    /// # Panics
    ///
    /// If the groups of i and j are not linked.
    #[inline]
    pub fn index(&self, i: usize, j: usize) -> usize {
        let (row, column) = (self.block[i] as usize, self.block[j]);
        let begin = if row == column as usize {
            self.diagonal[row]
        } else {
            let beside = self.beside(row);
            let found = beside.binary_search_by_key(&column, |block| block.0);
            beside[found.expect("the groups of both indices are linked")].1
        };
        begin + self.place[i] as usize * self.size_of(column as usize) + self.place[j] as usize
    }

    /// `y = A x`, the entries of A as a slice of this pattern, or of its diagonal
    /// blocks alone.
    pub fn multiply(&self, entries: &[f64], x: &[f64], y: &mut Vec<f64>) {
        y.clear();
        y.resize(self.indices(), 0.0);
        let off_diagonal = entries.len() > self.diagonal_len();
        for row in 0..self.blocks() {
            let own = (row as u32, self.diagonal[row]);
            let beside = if off_diagonal { self.beside(row) } else { &[] };
            for (place, &i) in self.members(row).iter().enumerate() {
                let product = |&(column, begin): &(u32, usize)| -> f64 {
                    let members = self.members(column as usize);
                    let begin = begin + place * members.len();
                    let entries = &entries[begin..begin + members.len()];
                    entries.iter().zip(members).map(|(a, &j)| a * x[j]).sum()
                };
                y[i] = product(&own);
                for block in beside {
                    y[i] += product(block);
                }
            }
        }
    }
}

/// The lowest index that an entry leads to; paths are halved on the way.
fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dense_pattern_is_row_major() {
        let pattern = BlockPattern::dense(5);
        assert_eq!(pattern.len(), 25);
        assert_eq!(pattern.index(3, 4), 19);
    }

    #[test]
    fn small_islands_are_one_block() {
        // Groups 0, 2, 4 of two indices, in turn; 0 and 4 are linked.
        let pattern = {
            let mut pattern = BlockPattern::default();
            pattern.rebuild(&[0, 0, 2, 2, 4, 4], &[(0, 4)]);
            pattern
        };
        assert_eq!(pattern.blocks(), 2);
        assert_eq!(pattern.members(0), [0, 1, 4, 5]);
        assert_eq!(pattern.members(1), [2, 3]);
        assert_eq!(pattern.len(), 16 + 4);
        assert_eq!(pattern.index(5, 1), 13);
    }

    #[test]
    fn large_islands_keep_their_groups() {
        let groups: Vec<usize> = (0..110).map(|i| i / 10 * 10).collect();
        let links: Vec<_> = (0..10).map(|i| (10 * i, 10 * i + 10)).collect();
        let mut pattern = BlockPattern::default();
        pattern.rebuild(&groups, &links);
        assert_eq!(pattern.blocks(), 11);
        assert_eq!(pattern.len(), 11 * 100 + 2 * 10 * 100);
        let entries: Vec<f64> = (0..pattern.len()).map(|i| i as f64).collect();
        let x: Vec<f64> = (0..110).map(f64::from).collect();
        let mut y = Vec::new();
        pattern.multiply(&entries, &x, &mut y);
        let row: f64 = (0..20).map(|j| entries[pattern.index(3, j)] * x[j]).sum();
        assert!((y[3] - row).abs() <= 1e-12 * row);
    }
}
