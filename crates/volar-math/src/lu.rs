//! Small dense linear systems by LU factors.

/// Factors a row-major n × n matrix in place, `P A = L U` with partial
/// pivoting; false when it is singular or not finite.
pub fn factor(a: &mut [f64], n: usize, pivots: &mut Vec<usize>) -> bool {
    pivots.clear();
    for k in 0..n {
        let mut best = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[best * n + k].abs() {
                best = i;
            }
        }
        let pivot = a[best * n + k];
        if !(pivot.abs() > 0.0 && pivot.is_finite()) {
            return false;
        }
        pivots.push(best);
        if best != k {
            for j in 0..n {
                a.swap(best * n + j, k * n + j);
            }
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let row = &above[k * n..];
        for other in below.chunks_exact_mut(n) {
            let factor = other[k] / pivot;
            if factor != 0.0 {
                for j in k + 1..n {
                    other[j] -= factor * row[j];
                }
            }
            other[k] = factor;
        }
    }
    true
}

/// Solves with a factored matrix, in place.
pub fn solve(a: &[f64], n: usize, pivots: &[usize], b: &mut [f64]) {
    for (k, &pivot) in pivots.iter().enumerate() {
        b.swap(k, pivot);
    }
    for i in 1..n {
        let row = &a[i * n..i * n + i];
        let sum: f64 = row.iter().zip(&*b).map(|(l, x)| l * x).sum();
        b[i] -= sum;
    }
    for i in (0..n).rev() {
        let row = &a[i * n + i + 1..(i + 1) * n];
        let sum: f64 = row.iter().zip(&b[i + 1..]).map(|(u, x)| u * x).sum();
        b[i] = (b[i] - sum) / a[i * n + i];
    }
}

/// Solves for many right-hand sides: the columns of a row-major n × `width` matrix.
pub fn solve_many(a: &[f64], n: usize, pivots: &[usize], b: &mut [f64], width: usize) {
    if width == 0 {
        return;
    }
    for (k, &pivot) in pivots.iter().enumerate() {
        if pivot != k {
            let (above, below) = b.split_at_mut(pivot * width);
            above[k * width..(k + 1) * width].swap_with_slice(&mut below[..width]);
        }
    }
    for i in 1..n {
        let (above, own) = b.split_at_mut(i * width);
        subtract_lines(&a[i * n..i * n + i], above, &mut own[..width]);
    }
    for i in (0..n).rev() {
        let (above, below) = b.split_at_mut((i + 1) * width);
        let own = &mut above[i * width..];
        subtract_lines(&a[i * n + i + 1..(i + 1) * n], below, own);
        let pivot = a[i * n + i];
        own.iter_mut().for_each(|x| *x /= pivot);
    }
}

/// Subtracts lines, each times its factor, from one of the same width.
fn subtract_lines(factors: &[f64], lines: &[f64], own: &mut [f64]) {
    for (factor, line) in factors.iter().zip(lines.chunks_exact(own.len())) {
        for (x, y) in own.iter_mut().zip(line) {
            *x -= factor * y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_system_that_needs_pivoting() {
        let a = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, -1.0, 4.0];
        let x = [1.5, -2.0, 0.25];
        let mut b: Vec<f64> = (0..3)
            .map(|i| (0..3).map(|j| a[3 * i + j] * x[j]).sum())
            .collect();
        let mut lu = a;
        let mut pivots = Vec::new();
        assert!(factor(&mut lu, 3, &mut pivots));
        solve(&lu, 3, &pivots, &mut b);
        for i in 0..3 {
            assert!((b[i] - x[i]).abs() < 1e-14);
        }
        assert!(!factor(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut pivots));
    }
}
