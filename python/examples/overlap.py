"""What two meshes share: volume, centroid, area vectors, pieces, and its surface."""

import numpy as np

import volar


def main() -> volar.Overlap:
    """A bar through a ring: two pieces of overlap."""
    ring = torus(0.05, 0.012)
    bar = volar.Mesh.box((0.2, 0.015, 0.015))
    shared = volar.overlap(ring, bar)
    print(f"{1e6 * shared.volume:.4f} cm³ in {len(shared.pieces)} pieces")
    for piece in shared.pieces:
        print(f"  {1e6 * piece.volume:.4f} cm³ at {np.round(1e3 * piece.centroid, 2)} mm")
    _, triangles, origins = shared.mesh()
    print(f"its surface: {len(triangles)} triangles, {np.sum(origins == 0)} of them of the ring")

    # Moved apart, the overlap ends where the surfaces part.
    for height in (0.0, 0.01, 0.019, 0.02):
        moved = volar.overlap(ring, bar, volar.Pose((0, 0, height)))
        print(f"{1e3 * height:5.1f} mm higher: {1e6 * moved.volume:.4f} cm³")
    return shared


def torus(radius: float, thickness: float, around: int = 64, across: int = 24) -> volar.Mesh:
    """A ring about z, m."""
    u = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)[:, None]
    v = np.linspace(0.0, 2.0 * np.pi, across, endpoint=False)[None, :]
    distance = radius + thickness * np.cos(v)
    height = np.broadcast_to(thickness * np.sin(v), (around, across))
    points = np.stack([distance * np.cos(u), distance * np.sin(u), height], axis=-1)
    i, j = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    at = i * across + j
    right = ((i + 1) % around) * across + j
    up = i * across + (j + 1) % across
    both = ((i + 1) % around) * across + (j + 1) % across
    faces = np.concatenate(
        [
            np.stack([at, right, both], axis=-1).reshape(-1, 3),
            np.stack([at, both, up], axis=-1).reshape(-1, 3),
        ]
    )
    return volar.Mesh(points.reshape(-1, 3), faces)


if __name__ == "__main__":
    main()
