"""Sweeps: the same table on every backend, also when machines are lost on the way."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import volar

AXES = {"body.cube.mass": "0.05..0.5:log:12", "materials.pad.friction": [0.3, 0.6, 0.9]}
SET = {"duration": 0.3, "grasp.from": 0.1}


def run(out: Path, **options: object) -> bytes:
    done = volar.sweep("g2p-cube", AXES, set=SET, out=out, **options)
    return done.table.read_bytes()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return run(tmp_path_factory.mktemp("sweep") / "local")


def test_local_is_the_command(local: bytes, tmp_path: Path) -> None:
    told: list[dict[str, object]] = []
    assert run(tmp_path / "one", threads=1, progress=told.append) == local
    assert told[-1]["done"] == told[-1]["total"] == 36
    with pytest.raises(volar.Error, match=r"axis `body\.cube\.mass`"):
        volar.sweep("g2p-cube", {"body.cube.mass": [0.1]}, out=tmp_path / "one")
    with pytest.raises(ValueError, match="backend"):
        run(tmp_path / "other", backend="cloud")


def test_scenes_in_code_and_random_axes(tmp_path: Path) -> None:
    scene = volar.Scene("drop", duration=0.05)
    scene.add_body({"sphere": {"radius": 0.03}}, name="ball", mass=0.1)
    axes = ["body.ball.mass=normal:0.1:0.01", "gravity=[0,0,-9.81],[0,0,0]"]
    done = volar.sweep(scene, axes, repeats=3, seed=4, out=tmp_path / "drop")
    frame = done.to_pandas()
    assert len(frame) == 6 and frame["body.ball.mass"].nunique() == 6


def test_ray_with_a_node_that_is_killed(local: bytes, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        killed: list[float] = []

        def kill(tally: dict[str, int]) -> None:
            if not killed and tally["done"] >= 8:
                killed.append(time.monotonic())
                cluster.remove_node(nodes[0], allow_graceful=False)

        table = run(tmp_path / "ray", backend="ray", rows_per_task=2, progress=kill)
        assert killed and table == local
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_dask_with_a_worker_that_is_killed(local: bytes, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        killed: list[int] = []

        def kill(tally: dict[str, int]) -> None:
            if not killed and tally["done"] >= 8:
                worker = next(iter(cluster.workers.values()))
                killed.append(worker.pid)
                worker.process.process.kill()

        table = run(
            tmp_path / "dask", backend="dask", address=client, rows_per_task=2, progress=kill
        )
        assert killed and table == local
