//! Dropping triangles that bound nothing.

use volar_geom::TriMesh;
use volar_geom::mesh::check::Defect;
use volar_geom::mesh::check::crossing::Surface;
use volar_geom::mesh::check::topology::{edges, sorted_sides};

use super::{RepairStep, Work, compacted};

/// Needles can hide behind each other; more rounds than this mean that
/// flipping leads nowhere.
const MAX_ROUNDS: usize = 8;

impl Work {
    /// Drops repeated triangles and those without area.
    pub(super) fn drop_faces(&mut self) {
        if !self.has(|d| matches!(d, Defect::DegenerateFaces | Defect::DuplicateFaces)) {
            return;
        }
        let mut mesh = self.mesh.clone();
        let duplicate = drop_duplicates(&mut mesh);
        let degenerate = drop_repeated_corners(&mut mesh) + remove_needles(&mut mesh);
        let step = RepairStep::DroppedFaces {
            degenerate,
            duplicate,
        };
        self.change(compacted(mesh), step);
    }

    /// Swaps away triangles without area.
    pub(super) fn flip_needles(&mut self) {
        if !self.has(|d| matches!(d, Defect::DegenerateFaces)) {
            return;
        }
        let mut mesh = self.mesh.clone();
        let triangles = remove_needles(&mut mesh);
        if triangles > 0 {
            self.change(compacted(mesh), RepairStep::FlippedNeedles { triangles });
        }
    }
}

/// Keeps one of each set of triangles with the same corners.
///
/// Two that face opposite ways are a flap without thickness, and both go,
/// unless the whole mesh is drawn with two sides.
fn drop_duplicates(mesh: &mut TriMesh) -> usize {
    // Sorted corners, whether sorting them took an odd permutation, index.
    let mut keyed: Vec<([u32; 3], bool, usize)> = mesh
        .triangles
        .iter()
        .enumerate()
        .map(|(index, &corners)| {
            let mut key = corners;
            key.sort_unstable();
            let [a, b, c] = corners;
            let even = key == [a, b, c] || key == [b, c, a] || key == [c, a, b];
            (key, !even, index)
        })
        .collect();
    keyed.sort_unstable();
    let groups: Vec<_> = keyed.chunk_by(|x, y| x.0 == y.0).collect();
    let is_flap = |group: &[([u32; 3], bool, usize)]| {
        let odd = group.iter().filter(|x| x.1).count();
        2 * odd == group.len()
    };
    let flaps = groups.iter().filter(|g| is_flap(g)).count();
    let two_sided = 2 * flaps > groups.len();
    let mut keep = vec![true; mesh.triangles.len()];
    for group in groups {
        let odd = group.iter().filter(|x| x.1).count();
        let majority_is_odd = 2 * odd > group.len();
        let mut kept = is_flap(group) && !two_sided;
        for &(_, is_odd, index) in group {
            keep[index] = !kept && is_odd == majority_is_odd;
            kept |= keep[index];
        }
    }
    retain(mesh, |index| keep[index])
}

fn drop_repeated_corners(mesh: &mut TriMesh) -> usize {
    let before = mesh.triangles.len();
    mesh.triangles
        .retain(|&[a, b, c]| a != b && b != c && c != a);
    before - mesh.triangles.len()
}

fn remove_needles(mesh: &mut TriMesh) -> usize {
    let mut total = 0;
    for _ in 0..MAX_ROUNDS {
        let gone = close_points(mesh) + flip_needles(mesh) + drop_repeated_corners(mesh);
        if gone == 0 {
            break;
        }
        total += gone;
    }
    total
}

fn degenerate_faces(mesh: &TriMesh) -> Vec<bool> {
    let surface = Surface::new(mesh);
    (0..mesh.triangles.len() as u32)
        .map(|t| surface.is_degenerate(t))
        .collect()
}

/// Drops triangles with two corners in one place by making them one vertex,
/// which closes the gap.
fn close_points(mesh: &mut TriMesh) -> usize {
    let mut target: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    for &[a, b, c] in &mesh.triangles {
        for (v, w) in [(a, b), (b, c), (c, a)] {
            let [p, q] = [v, w].map(|v| mesh.vertices[v as usize]);
            if v != w && p == q {
                let (low, high) = (v.min(w), v.max(w));
                target[high as usize] = target[high as usize].min(low);
            }
        }
    }
    for vertex in mesh.triangles.iter_mut().flatten() {
        // Targets lead down, so this ends.
        while target[*vertex as usize] != *vertex {
            *vertex = target[*vertex as usize];
        }
    }
    drop_repeated_corners(mesh)
}

/// Removes triangles whose three different corners are on a line.
///
/// Dropping such a needle would open a slit, so it is swapped with the
/// neighbour across its longest side for two triangles that share its middle
/// corner; the surface stays where it is.
fn flip_needles(mesh: &mut TriMesh) -> usize {
    let is_needle = degenerate_faces(mesh);
    let sides = sorted_sides(&mesh.triangles);
    let mut neighbour_of = vec![[u32::MAX; 3]; mesh.triangles.len()];
    for edge in edges(&sides) {
        if let [x, y] = edge {
            for (own, other) in [(x, y), (y, x)] {
                let corners = mesh.triangles[own.triangle as usize];
                let apex = corners.iter().position(|v| !own.edge.contains(v));
                if let Some(k) = apex {
                    neighbour_of[own.triangle as usize][k] = other.triangle;
                }
            }
        }
    }
    let mut touched = vec![false; mesh.triangles.len()];
    let mut flipped = 0;
    for needle in (0..mesh.triangles.len() as u32).filter(|&t| is_needle[t as usize]) {
        let corners = mesh.corners(needle as usize);
        let opposite = |k: usize| corners[(k + 1) % 3].distance_squared(corners[(k + 2) % 3]);
        let middle = (1..3).fold(0, |m, k| if opposite(k) > opposite(m) { k } else { m });
        let neighbour = neighbour_of[needle as usize][middle];
        // Of two needles side by side the one behind has to go first.
        if neighbour == u32::MAX
            || is_needle[neighbour as usize]
            || touched[needle as usize]
            || touched[neighbour as usize]
        {
            continue;
        }
        let [b, c, a] = [0, 1, 2].map(|i| mesh.triangles[needle as usize][(middle + i) % 3]);
        let other = mesh.triangles[neighbour as usize];
        let Some(&d) = other.iter().find(|&&v| v != a && v != c) else {
            continue;
        };
        mesh.triangles[needle as usize] = [a, b, d];
        mesh.triangles[neighbour as usize] = [b, c, d];
        touched[needle as usize] = true;
        touched[neighbour as usize] = true;
        flipped += 1;
    }
    flipped
}

fn retain(mesh: &mut TriMesh, keep: impl Fn(usize) -> bool) -> usize {
    let before = mesh.triangles.len();
    let mut index = 0;
    mesh.triangles.retain(|_| {
        index += 1;
        keep(index - 1)
    });
    before - mesh.triangles.len()
}
