"""Stills of recordings: the bodies at the end of a run, seen from the side and a little above."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory
from PIL import Image, ImageDraw

TILT = np.radians(20.0)
"""How far the camera looks down."""
TURN = np.radians(25.0)
"""From where it looks: x to the right, turned about the vertical by this."""
FINER = 2
"""Drawn so many times larger, for smooth edges."""
COLOURS = {"object": (230, 120, 30), "table": (205, 190, 165), "hand": (120, 135, 155)}
LIGHT = np.array([0.3, -0.6, 0.75])


@dataclass
class Body:
    """A body of a recording: its mesh, and where it is at the start and at the end."""

    name: str
    vertices: np.ndarray
    triangles: np.ndarray
    start: tuple[np.ndarray, np.ndarray]
    """Rotation and position."""
    end: tuple[np.ndarray, np.ndarray]

    def at_end(self) -> np.ndarray:
        """Its vertices in the world, m."""
        R, p = self.end
        return self.vertices @ R.T + p


def bodies(recording: Path) -> list[Body]:
    """All bodies that have a mesh."""
    poses: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    with recording.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        meshes = {}
        for *_, scene in reader.iter_decoded_messages(topics="/scene"):
            for entity in scene.entities:
                for mesh in entity.triangles:
                    points = np.array([[p.x, p.y, p.z] for p in mesh.points])
                    meshes[entity.frame_id] = points, np.reshape(mesh.indices, (-1, 3))
        for *_, transforms in reader.iter_decoded_messages(topics="/tf"):
            for one in transforms.transforms:
                known = poses.setdefault(one.child_frame_id, [])
                # The first and the last are wanted.
                del known[1:]
                known.append((_rotation(one.rotation), _vector(one.translation)))
    return [
        Body(name, vertices, triangles, poses[name][0], poses[name][-1])
        for name, (vertices, triangles) in meshes.items()
        if name in poses
    ]


def draw(shown: list[Body], object_name: str, size: tuple[int, int], metres: float) -> Image.Image:
    """Draw the bodies at the end; the picture is so many metres wide, the table near its foot."""
    width, height = FINER * size[0], FINER * size[1]
    scale = width / metres
    right = np.array([np.cos(TURN), np.sin(TURN), 0.0])
    ahead = np.array([-np.sin(TURN) * np.cos(TILT), np.cos(TURN) * np.cos(TILT), -np.sin(TILT)])
    up = np.cross(right, ahead)
    picture = Image.new("RGB", (width, height), (250, 250, 250))
    pen = ImageDraw.Draw(picture)
    faces = []
    for body in shown:
        kind = "object" if body.name == object_name else body.name
        colour = np.array(COLOURS.get(kind, COLOURS["hand"]))
        corners = body.at_end()[body.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        seen = (normals @ ahead < 0) & (lengths > 0)
        corners, normals = corners[seen], normals[seen] / lengths[seen, None]
        shade = 0.55 + 0.45 * np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, 1.0)
        depth = corners.mean(axis=1) @ ahead
        # What lies on the table is before it, whatever the middles of its triangles say.
        depth += 10.0 * (body.name == "table")
        across = width / 2 + scale * (corners @ right)
        down = 0.86 * height - scale * (corners @ up)
        outlines = np.stack([across, down], axis=-1)
        fills = (shade[:, None] * colour).astype(int)
        faces += list(zip(depth, outlines, fills, strict=True))
    for _, outline, fill in sorted(faces, key=lambda face: -face[0]):
        pen.polygon([tuple(corner) for corner in outline.tolist()], fill=tuple(fill.tolist()))
    return picture.resize(size, Image.Resampling.LANCZOS)


def _vector(v: object) -> np.ndarray:
    return np.array([v.x, v.y, v.z])


def _rotation(q: object) -> np.ndarray:
    """The matrix of a unit quaternion."""
    w, x, y, z = q.w, q.x, q.y, q.z
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
