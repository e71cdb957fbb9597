//! COLLADA 1.4 and 1.5: the meshes of the scene, each placed by its nodes.
//!
//! Lengths become metres by the file's `<unit>`. The up axis is not rotated:
//! coordinates stay in the file's axes, as for every other format, and the
//! transform of [`ReadOptions`](crate::ReadOptions) is there for those who
//! want others. Surfaces and morphs (controllers) are passed over. The XML is
//! read by `roxmltree`; a crate that reads COLLADA as a whole and reports bad
//! indices instead of panicking was not found.

use glam::{DMat4, DVec3};
use roxmltree::{Document, Node};
use volar_geom::TriMesh;
use volar_math::rotation;

use crate::error::{Flaw, Problem};
use crate::obj::push_polygon;
use crate::placed;

/// `<instance_node>` can make a small file draw the same thing very often;
/// beyond this the file is taken for broken.
const MAX_NODES: usize = 100_000;

pub(crate) fn parse(bytes: &[u8]) -> Result<TriMesh, Flaw> {
    let text = String::from_utf8_lossy(bytes);
    let xml = Document::parse(&text).map_err(|e| {
        Problem::Syntax(format!("not well-formed: {e}")).on_line(e.pos().row as usize)
    })?;
    let root = xml.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(Problem::unexpected("<COLLADA>", root.tag_name().name()).into());
    }
    let unit = DMat4::from_scale(DVec3::splat(metres_per_unit(&root)?));
    let mut mesh = TriMesh::default();
    let Some(scene) = scene(&root) else {
        // Without a scene the meshes stand where they were drawn.
        for geometry in descendants(&root, "geometry") {
            placed::append(&mut mesh, read_geometry(&geometry)?, &unit)
                .map_err(|p| at(&geometry, p))?;
        }
        return Ok(mesh);
    };
    let mut pending: Vec<(Node, DMat4)> = children(&scene, "node").map(|n| (n, unit)).collect();
    let mut visited = 0;
    while let Some((node, parent)) = pending.pop() {
        visited += 1;
        if visited > MAX_NODES {
            return Err(at(&node, Problem::unexpected("a tree of nodes", "a cycle")));
        }
        let placed = parent * transform(&node)?;
        for instance in children(&node, "instance_geometry") {
            let geometry = target(&root, &instance, "geometry")?;
            placed::append(&mut mesh, read_geometry(&geometry)?, &placed)
                .map_err(|p| at(&instance, p))?;
        }
        pending.extend(children(&node, "node").map(|child| (child, placed)));
        for instance in children(&node, "instance_node") {
            pending.push((target(&root, &instance, "node")?, placed));
        }
    }
    Ok(mesh)
}

fn metres_per_unit(root: &Node) -> Result<f64, Flaw> {
    let unit = child(root, "asset").and_then(|asset| child(&asset, "unit"));
    let Some((unit, metres)) = unit.and_then(|u| Some((u, u.attribute("meter")?))) else {
        return Ok(1.0);
    };
    match metres.trim().parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err(at(&unit, Problem::not_a_number(metres))),
    }
}

fn scene<'a, 'i>(root: &Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    let instance = child(&child(root, "scene")?, "instance_visual_scene")?;
    target(root, &instance, "visual_scene").ok()
}

/// The product of a node's transforms, in the order they are written.
fn transform(node: &Node) -> Result<DMat4, Flaw> {
    let mut product = DMat4::IDENTITY;
    for element in node.children().filter(Node::is_element) {
        let needed = match element.tag_name().name() {
            "matrix" => 16,
            "translate" | "scale" => 3,
            "rotate" => 4,
            "lookat" | "skew" => {
                let feature = format!("a <{}> transform", element.tag_name().name());
                return Err(at(&element, Problem::Unsupported { feature }));
            }
            _ => continue,
        };
        let v = numbers(&element)?;
        if v.len() != needed {
            let found = v.len();
            let what = "a transform";
            return Err(at(
                &element,
                Problem::TooFew {
                    what,
                    needed,
                    found,
                },
            ));
        }
        product *= match element.tag_name().name() {
            "translate" => DMat4::from_translation(DVec3::new(v[0], v[1], v[2])),
            "scale" => DMat4::from_scale(DVec3::new(v[0], v[1], v[2])),
            "rotate" => match DVec3::new(v[0], v[1], v[2]).try_normalize() {
                Some(axis) => DMat4::from_mat3(rotation::about(axis, v[3].to_radians())),
                None => DMat4::IDENTITY,
            },
            // Written row by row.
            _ => DMat4::from_cols_slice(&v).transpose(),
        };
    }
    Ok(product)
}

fn read_geometry(geometry: &Node) -> Result<TriMesh, Flaw> {
    let mut part = TriMesh::default();
    // Splines and convex hulls of other meshes are not surfaces to read.
    let Some(mesh) = child(geometry, "mesh") else {
        return Ok(part);
    };
    let vertices = child(&mesh, "vertices")
        .ok_or_else(|| at(&mesh, Problem::unexpected("<vertices>", "a mesh without")))?;
    part.vertices = read_positions(&mesh, &vertices)?;
    for primitive in mesh.children().filter(Node::is_element) {
        match primitive.tag_name().name() {
            "triangles" | "polylist" | "polygons" => read_primitive(&mut part, &primitive)?,
            name @ ("tristrips" | "trifans") => {
                let feature = format!("<{name}>");
                return Err(at(&primitive, Problem::Unsupported { feature }));
            }
            _ => {}
        }
    }
    Ok(part)
}

/// The source that `<vertices>` names as POSITION.
fn read_positions(mesh: &Node, vertices: &Node) -> Result<Vec<DVec3>, Flaw> {
    let input = children(vertices, "input")
        .find(|input| input.attribute("semantic") == Some("POSITION"))
        .ok_or_else(|| at(vertices, Problem::unexpected("an input POSITION", "none")))?;
    let source = target(mesh, &input, "source")?;
    let array = child(&source, "float_array")
        .ok_or_else(|| at(&source, Problem::unexpected("<float_array>", "none")))?;
    let stride = descendants(&source, "accessor")
        .next()
        .and_then(|accessor| accessor.attribute("stride"))
        .map_or(Ok(3), |s| {
            s.trim()
                .parse::<usize>()
                .map_err(|_| at(&source, Problem::not_a_number(s)))
        })?;
    if stride < 3 {
        return Err(at(
            &source,
            Problem::unexpected("a stride of 3", &stride.to_string()),
        ));
    }
    Ok(numbers(&array)?
        .chunks_exact(stride)
        .map(|p| DVec3::new(p[0], p[1], p[2]))
        .collect())
}

/// `<triangles>` and `<polylist>` have one list of indices, `<polygons>` one
/// per polygon.
fn read_primitive(part: &mut TriMesh, primitive: &Node) -> Result<(), Flaw> {
    if let Some(holes) = child(primitive, "ph") {
        let feature = "a polygon with holes".into();
        return Err(at(&holes, Problem::Unsupported { feature }));
    }
    // Each corner has one index per input; VERTEX says which counts.
    let mut offset = 0;
    let mut stride = 1;
    for input in children(primitive, "input") {
        let value = input.attribute("offset").unwrap_or("0");
        let value: usize = value
            .trim()
            .parse()
            .ok()
            .filter(|&v| v < 1024)
            .ok_or_else(|| at(&input, Problem::not_a_number(value)))?;
        stride = stride.max(value + 1);
        if input.attribute("semantic") == Some("VERTEX") {
            offset = value;
        }
    }
    let mut sizes = match child(primitive, "vcount") {
        Some(vcount) => Some(indices(&vcount)?.into_iter()),
        None => None,
    };
    for list in children(primitive, "p") {
        let corners = indices(&list)?
            .chunks(stride)
            .map(|corner| {
                let index = corner.get(offset).copied().unwrap_or(u64::MAX);
                let count = part.vertices.len();
                u32::try_from(index)
                    .ok()
                    .filter(|&v| (v as usize) < count)
                    .ok_or_else(|| {
                        let index = i64::try_from(index).unwrap_or(i64::MAX);
                        at(&list, Problem::NoSuchVertex { index, count })
                    })
            })
            .collect::<Result<Vec<u32>, Flaw>>()?;
        let mut rest = corners.as_slice();
        while !rest.is_empty() {
            let size = match (primitive.tag_name().name(), &mut sizes) {
                ("triangles", _) => 3,
                (_, Some(sizes)) => sizes.next().unwrap_or(rest.len() as u64),
                (_, None) => rest.len() as u64,
            };
            let size = usize::try_from(size).unwrap_or(usize::MAX).max(1);
            let Some((polygon, after)) = rest.split_at_checked(size) else {
                let expected = format!("a polygon of {size} corners has only {}", rest.len());
                return Err(at(&list, Problem::Truncated { expected }));
            };
            push_polygon(part, polygon).map_err(|p| at(&list, p))?;
            rest = after;
        }
    }
    Ok(())
}

/// The element of a kind that `url` or `source` names, looked for below `root`.
fn target<'a, 'i>(
    root: &Node<'a, 'i>,
    from: &Node,
    kind: &'static str,
) -> Result<Node<'a, 'i>, Flaw> {
    let url = from
        .attribute("url")
        .or(from.attribute("source"))
        .unwrap_or_default();
    let id = url.strip_prefix('#').unwrap_or(url);
    descendants(root, kind)
        .find(|node| node.attribute("id") == Some(id))
        .ok_or_else(|| {
            at(
                from,
                Problem::unexpected("the id of an element in this file", url),
            )
        })
}

fn numbers(node: &Node) -> Result<Vec<f64>, Flaw> {
    let words = node.text().unwrap_or_default().split_whitespace();
    words
        .map(|word| match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(value) => Err(at(node, Problem::NotFinite { value })),
            Err(_) => Err(at(node, Problem::not_a_number(word))),
        })
        .collect()
}

fn indices(node: &Node) -> Result<Vec<u64>, Flaw> {
    let words = node.text().unwrap_or_default().split_whitespace();
    words
        .map(|word| {
            word.parse()
                .map_err(|_| at(node, Problem::not_a_number(word)))
        })
        .collect()
}

fn child<'a, 'i>(node: &Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

fn children<'a, 'i>(
    node: &Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i> {
    node.children().filter(move |n| n.tag_name().name() == name)
}

fn descendants<'a, 'i>(
    node: &Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i> {
    node.descendants()
        .filter(move |n| n.tag_name().name() == name)
}

fn at(node: &Node, problem: Problem) -> Flaw {
    let line = node.document().text_pos_at(node.range().start).row;
    problem.on_line(line as usize)
}
