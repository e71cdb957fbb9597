//! Which name was meant by one that does not exist.

/// The most like of several names, for error messages: nothing where all are
/// different, or ` (did you mean ...?)`.
pub(crate) fn did_you_mean<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let wanted: Vec<char> = folded(wanted);
    let distance = |name: &str| distance(&wanted, &folded(name));
    let near = names.into_iter().map(|name| (distance(name), name));
    // A third of the letters wrong is another word.
    let near = near.filter(|(distance, name)| 3 * distance <= name.chars().count().max(3));
    let nearest = near.min_by_key(|(distance, _)| *distance);
    nearest.map_or_else(String::new, |(_, name)| {
        format!(" (did you mean `{name}`?)")
    })
}

/// Without what people do not see: capitals, dashes for underscores.
fn folded(name: &str) -> Vec<char> {
    // Names as long as this are no names, and would take long to compare.
    const LONGEST: usize = 100;
    let letters = name.chars().take(LONGEST).flat_map(char::to_lowercase);
    letters.map(|c| if c == '_' { '-' } else { c }).collect()
}

/// Letters to add, leave out, change or swap with the next one to make `b` of `a`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = change.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_recognised() {
        let names = ["g2r-bunny", "g2r-cube", "g3r-bunny", "row-1"];
        for (wanted, meant) in [
            ("g2r-buny", "g2r-bunny"),
            ("G2R_Bunny", "g2r-bunny"),
            ("g3r-bnuny", "g3r-bunny"),
        ] {
            let said = did_you_mean(wanted, names);
            assert_eq!(said, format!(" (did you mean `{meant}`?)"), "{wanted}");
        }
        for other in ["", "kitchen", "x", &"long".repeat(10_000)] {
            assert_eq!(did_you_mean(other, names), "", "{other}");
        }
    }
}
