"""Meshes, their check, overlaps and poses."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import volar


def test_shapes() -> None:
    box = volar.Mesh.box((0.1, 0.2, 0.3))
    assert box.volume == pytest.approx(0.006) and box.is_convex
    assert box.vertices.shape == (8, 3) and box.triangles.shape == (12, 3)
    assert box.centroid.tolist() == pytest.approx([0, 0, 0])
    assert box.inertia(1.2)[0, 0] == pytest.approx(1.2 / 12 * (0.2**2 + 0.3**2))
    assert volar.Mesh.sphere(1.0).volume == pytest.approx(4.0 / 3.0 * np.pi, rel=0.02)
    assert volar.Mesh.cylinder(0.5, 2.0).volume == pytest.approx(0.5 * np.pi, rel=0.02)
    assert volar.Mesh.capsule(0.5, 2.0).volume > volar.Mesh.cylinder(0.5, 2.0).volume


def test_arrays_files_and_other_libraries(tmp_path: Path) -> None:
    box = volar.Mesh.box((1, 1, 1))
    like_trimesh = SimpleNamespace(vertices=box.vertices, faces=box.triangles.astype(np.int64))
    assert volar.Mesh.of(like_trimesh).volume == pytest.approx(1.0)
    box.save(tmp_path / "box.obj")
    in_millimetres = volar.Mesh.load(tmp_path / "box.obj", scale=1e-3)
    assert in_millimetres.volume == pytest.approx(1e-9)
    assert np.array_equal(volar.Mesh.load(tmp_path / "box.obj").vertices, box.vertices)
    assert in_millimetres.name == "box" and volar.Mesh.of(like_trimesh).name == "body"
    assert pickle.loads(pickle.dumps(box)).volume == pytest.approx(1.0)


def test_open_mesh_is_refused_and_repaired() -> None:
    box = volar.Mesh.box((1, 1, 1))
    faces = box.triangles[:-1]
    report = volar.check((box.vertices, faces))
    assert not report and report.complaints[0].defect == "open_edges" and report.volume is None
    assert report.complaints[0].remedy
    with pytest.raises(volar.MeshError):
        volar.Mesh(box.vertices, faces)
    assert volar.Mesh(box.vertices, faces, repair=True).volume == pytest.approx(1.0)
    assert volar.check(box) and volar.check(box).volume == pytest.approx(1.0)


def test_errors_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(volar.MeshError) as missing:
        volar.Mesh.load(tmp_path / "no.stl")
    assert str(missing.value.place).endswith("no.stl")
    (tmp_path / "bad.obj").write_text("v 0 0\n")
    with pytest.raises(volar.MeshError) as bad:
        volar.Mesh.load(tmp_path / "bad.obj")
    assert "line 1" in str(bad.value.place)


def test_overlap_of_boxes() -> None:
    a, b = volar.Mesh.box((1, 1, 1)), volar.Mesh.box((1, 1, 1))
    shared = volar.overlap(a, b, volar.Pose((0.75, 0.5, 0.0)))
    assert shared.volume == pytest.approx(0.25 * 0.5 * 1.0)
    assert shared.centroid.tolist() == pytest.approx([0.375, 0.25, 0.0])
    assert (shared.area_vector_a + shared.area_vector_b).tolist() == pytest.approx([0, 0, 0])
    assert len(shared.pieces) == 1 and shared.pieces[0].volume == pytest.approx(shared.volume)
    vertices, triangles, origins = shared.mesh()
    assert vertices.shape[1] == triangles.shape[1] == 3 and set(origins) == {0, 1}
    assert volar.Mesh(vertices, triangles, repair=True).volume == pytest.approx(shared.volume)
    apart = volar.overlap(a, b, volar.Pose((3, 0, 0)))
    assert not apart and np.isnan(apart.centroid).all()
    assert volar.overlap(a, b).volume == pytest.approx(1.0)
    with pytest.raises(ValueError, match="piece"):
        shared.pieces[0].mesh()


def test_pose() -> None:
    half = 0.5**0.5
    pose = volar.Pose((1, 2, 3), (half, 0, 0, half))
    matrix = pose.to_matrix()
    assert matrix.shape == (4, 4)
    again = volar.Pose.from_matrix(matrix)
    assert again.orientation.tolist() == pytest.approx(pose.orientation.tolist())
    identity = pose @ pose.inverse()
    assert identity.to_matrix() == pytest.approx(np.eye(4))
    points = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert pose @ points == pytest.approx(np.array([[1, 3, 3], [0, 2, 3]]))
    composed = pose @ volar.Pose((1, 0, 0))
    assert composed.to_matrix() == pytest.approx(matrix @ volar.Pose((1, 0, 0)).to_matrix())
    for axis in np.eye(3):
        turn = volar.Pose((0, 0, 0), (0.0, *axis))
        assert np.allclose(volar.Pose.from_matrix(turn.to_matrix()).to_matrix(), turn.to_matrix())
    with pytest.raises(ValueError, match="length 1"):
        volar.Pose((0, 0, 0), (2, 0, 0, 0))
    with pytest.raises(ValueError, match="rigid"):
        volar.Pose.from_matrix(2.0 * np.eye(4))
