//! Triangles from a flat outline with holes, by cutting off ears.
//!
//! Used for pictures and files only. Every corner of the outline is used and
//! none is added, so pieces that share corners still fit together, whatever
//! rounding has done to nearly straight or nearly equal corners.

/// A corner: its index in the mesh and its place in the plane.
pub(super) type Corner = (u32, [f64; 2]);

/// Cuts the region within `outline` (counter-clockwise) and outside the
/// `holes` (clockwise) into triangles.
pub(super) fn triangulate(
    mut outline: Vec<Corner>,
    mut holes: Vec<Vec<Corner>>,
    mut emit: impl FnMut([u32; 3]),
) {
    // Holes are joined to the outline by a cut, the outermost first so that
    // no cut runs through a hole that is still to be joined.
    let reach = |hole: &[Corner]| {
        hole.iter()
            .map(|c| c.1[0])
            .fold(f64::NEG_INFINITY, f64::max)
    };
    holes.sort_by(|x, y| reach(y).total_cmp(&reach(x)));
    for hole in holes {
        join_hole(&mut outline, &hole);
    }
    while outline.len() > 3 {
        let ear = find_ear(&outline);
        let [a, b, c] = around(&outline, ear);
        emit([a.0, b.0, c.0]);
        outline.remove(ear);
    }
    if let [a, b, c] = outline[..] {
        emit([a.0, b.0, c.0]);
    }
}

/// A corner that can be cut off; the flattest one if rounding leaves none.
fn find_ear(outline: &[Corner]) -> usize {
    let is_ear = |i: usize| {
        let [a, b, c] = around(outline, i);
        turn(a, b, c) > 0.0
            && !outline.iter().any(|p| {
                ![a.0, b.0, c.0].contains(&p.0)
                    && turn(a, b, *p) >= 0.0
                    && turn(b, c, *p) >= 0.0
                    && turn(c, a, *p) >= 0.0
            })
    };
    let bend = |i: usize| {
        let [a, b, c] = around(outline, i);
        turn(a, b, c).abs()
    };
    (0..outline.len()).find(|&i| is_ear(i)).unwrap_or_else(|| {
        (0..outline.len())
            .min_by(|&x, &y| bend(x).total_cmp(&bend(y)))
            .unwrap_or(0)
    })
}

/// Replaces outline and hole by one outline that goes round both, along a cut
/// from the hole's outermost corner to the nearest corner in its sight.
fn join_hole(outline: &mut Vec<Corner>, hole: &[Corner]) {
    let Some(from) = (0..hole.len()).max_by(|&x, &y| hole[x].1[0].total_cmp(&hole[y].1[0])) else {
        return;
    };
    let distance = |corner: &Corner| {
        let [x, y] = [0, 1].map(|i| corner.1[i] - hole[from].1[i]);
        x * x + y * y
    };
    let mut order: Vec<usize> = (0..outline.len()).collect();
    order.sort_by(|&x, &y| distance(&outline[x]).total_cmp(&distance(&outline[y])));
    let in_sight = |&&to: &&usize| {
        sides(outline)
            .chain(sides(hole))
            .all(|(p, q)| !cross(hole[from], outline[to], p, q))
    };
    let Some(&to) = order.iter().find(in_sight).or(order.first()) else {
        return;
    };
    let detour = (0..=hole.len()).map(|i| hole[(from + i) % hole.len()]);
    let back = outline[to];
    outline.splice(to + 1..to + 1, detour.chain([back]));
}

fn sides(outline: &[Corner]) -> impl Iterator<Item = (Corner, Corner)> {
    (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]))
}

/// True when two segments cross between their ends.
fn cross(a: Corner, b: Corner, p: Corner, q: Corner) -> bool {
    turn(a, b, p) * turn(a, b, q) < 0.0 && turn(p, q, a) * turn(p, q, b) < 0.0
}

fn around(outline: &[Corner], i: usize) -> [Corner; 3] {
    let n = outline.len();
    [outline[(i + n - 1) % n], outline[i], outline[(i + 1) % n]]
}

/// Twice the signed area of a triangle.
fn turn(a: Corner, b: Corner, c: Corner) -> f64 {
    let ([ax, ay], [bx, by], [cx, cy]) = (a.1, b.1, c.1);
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_of(outline: &[[f64; 2]], hole: &[[f64; 2]]) -> (f64, usize) {
        let points: Vec<Corner> = (0_u32..).zip(outline.iter().chain(hole).copied()).collect();
        let (outer, inner) = points.split_at(outline.len());
        let holes = if inner.is_empty() {
            vec![]
        } else {
            vec![inner.to_vec()]
        };
        let (mut area, mut count) = (0.0, 0);
        triangulate(outer.to_vec(), holes, |[a, b, c]| {
            let part = turn(points[a as usize], points[b as usize], points[c as usize]);
            assert!(part >= 0.0, "a triangle is upside down");
            area += 0.5 * part;
            count += 1;
        });
        (area, count)
    }

    #[test]
    fn a_hook_and_a_frame_are_covered_once() {
        let hook = [
            [0.0, 0.0],
            [3.0, 0.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [0.0, 1.0],
        ];
        assert_eq!(area_of(&hook, &[]), (5.0, 4));
        let square = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
        let hole = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0]];
        assert_eq!(area_of(&square, &hole), (8.0, 8));
    }

    #[test]
    fn corners_on_a_straight_side_are_kept() {
        let square = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert_eq!(area_of(&square, &[]), (4.0, 3));
    }
}
