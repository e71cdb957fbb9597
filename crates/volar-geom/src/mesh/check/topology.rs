//! How triangles hang together by their edges.

/// One side of a triangle, seen as a use of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The edge's vertices, lower index first.
    pub edge: [u32; 2],
    /// True when the triangle runs from the higher vertex to the lower.
    pub against: bool,
    /// The triangle.
    pub triangle: u32,
}

/// All sides, sorted so that those of one edge stand together. Triangles that
/// name a vertex twice have no inside and are left out.
pub fn sorted_sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in (0_u32..).zip(triangles) {
        if a == b || b == c || c == a {
            continue;
        }
        sides.extend([(a, b), (b, c), (c, a)].map(|(from, to)| Side {
            edge: [from.min(to), from.max(to)],
            against: from > to,
            triangle,
        }));
    }
    sides.sort_unstable();
    sides
}

/// The sides of each edge.
pub fn edges(sides: &[Side]) -> impl Iterator<Item = &[Side]> {
    sides.chunk_by(|x, y| x.edge == y.edge)
}

/// Groups of triangles that hang together by edges.
#[derive(Clone, Debug)]
pub struct Shells {
    /// The shell of each triangle.
    pub of_triangle: Vec<u32>,
    /// The triangles of each shell, in order.
    pub triangles: Vec<Vec<u32>>,
}

/// Finds the connected groups of triangles, numbered by their first one.
pub fn find_shells(triangle_count: usize, sides: &[Side]) -> Shells {
    let mut groups = Groups::new(triangle_count);
    for edge in edges(sides) {
        for side in edge {
            groups.join(edge[0].triangle, side.triangle);
        }
    }
    let mut shells = Shells {
        of_triangle: vec![u32::MAX; triangle_count],
        triangles: Vec::new(),
    };
    for triangle in 0..triangle_count as u32 {
        // Roots are the lowest of their group, so they come first.
        let root = groups.root(triangle);
        if root == triangle {
            shells.of_triangle[triangle as usize] = shells.triangles.len() as u32;
            shells.triangles.push(Vec::new());
        }
        let shell = shells.of_triangle[root as usize];
        shells.of_triangle[triangle as usize] = shell;
        shells.triangles[shell as usize].push(triangle);
    }
    shells
}

/// Vertices at which several fans of triangles meet that are joined by no
/// edge there.
pub fn touching_vertices(vertex_count: usize, triangles: &[[u32; 3]], sides: &[Side]) -> Vec<u32> {
    // A fan is a group of corners; corner k of triangle t is number 3t + k.
    let mut fans = Groups::new(3 * triangles.len());
    let corner = |triangle: u32, vertex: u32| {
        let k = triangles[triangle as usize]
            .iter()
            .position(|&v| v == vertex);
        3 * triangle + k.unwrap_or(0) as u32
    };
    for edge in edges(sides) {
        for side in edge {
            for vertex in side.edge {
                fans.join(
                    corner(edge[0].triangle, vertex),
                    corner(side.triangle, vertex),
                );
            }
        }
    }
    let mut fan_of_vertex = vec![u32::MAX; vertex_count];
    let mut touching = Vec::new();
    for side in sides {
        for vertex in side.edge {
            let fan = fans.root(corner(side.triangle, vertex));
            let known = &mut fan_of_vertex[vertex as usize];
            if *known == u32::MAX {
                *known = fan;
            } else if *known != fan {
                touching.push(vertex);
            }
        }
    }
    touching.sort_unstable();
    touching.dedup();
    touching
}

/// Disjoint groups of numbers; the lowest number of a group is its root.
struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups {
            parent: (0..count as u32).collect(),
        }
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            // Every look halves the way of the next.
            let above = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = above;
            i = above;
        }
        i
    }

    fn join(&mut self, i: u32, j: u32) {
        let (i, j) = (self.root(i), self.root(j));
        self.parent[i.max(j) as usize] = i.min(j);
    }
}
