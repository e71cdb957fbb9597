//! Cholesky factors of small dense matrices.

/// Replaces the lower triangle of a symmetric matrix (row-major, n × n in rows
/// of `stride`) by L with `L Lᵀ = A`. The error is the row whose pivot is not
/// greater than `floor(row)`.
pub fn factor(
    a: &mut [f64],
    n: usize,
    stride: usize,
    floor: impl Fn(usize) -> f64,
) -> Result<(), usize> {
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i * stride + j];
            for k in 0..j {
                sum -= a[i * stride + k] * a[j * stride + k];
            }
            if i > j {
                a[i * stride + j] = sum / a[j * stride + j];
            } else if sum > floor(i) && sum.is_finite() {
                a[i * stride + i] = sum.sqrt();
            } else {
                return Err(i);
            }
        }
    }
    Ok(())
}

/// Solves `L Lᵀ x = b` in place, with L as [`factor`] leaves it in rows of n.
pub fn solve(l: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l[i * n + k] * x[k];
        }
        x[i] = sum / l[i * n + i];
    }
    for i in (0..n).rev() {
        let mut sum = x[i];
        for k in i + 1..n {
            sum -= l[k * n + i] * x[k];
        }
        x[i] = sum / l[i * n + i];
    }
}
