"""Writes small files in the published layouts of datasets, with numpy, h5py and PyYAML.

The tests read them; run this again only when a layout is to be added:

    python make.py

Three grasps, with numbers that tests know. Frames and units are in docs/grasp-files.md.
"""

from pathlib import Path

import h5py
import numpy as np
import yaml

HERE = Path(__file__).parent


def turn(axis: int, angle: float) -> np.ndarray:
    """The rotation about x, y or z."""
    a, b = [i for i in range(3) if i != axis]
    if axis == 1:
        a, b = b, a
    matrix = np.eye(3)
    matrix[a, a] = matrix[b, b] = np.cos(angle)
    matrix[b, a], matrix[a, b] = np.sin(angle), -np.sin(angle)
    return matrix


def pose(k: int) -> np.ndarray:
    """The pose of grasp k: R = Rz(0.1 k) Ry(0.2 k) Rx(0.3 k)."""
    matrix = np.eye(4)
    matrix[:3, :3] = turn(2, 0.1 * k) @ turn(1, 0.2 * k) @ turn(0, 0.3 * k)
    matrix[:3, 3] = [0.01 * k, -0.02 * k, 0.1]
    return matrix


def quaternion(matrix: np.ndarray) -> list[float]:
    """(w, x, y, z), for small turns."""
    w = 0.5 * np.sqrt(1.0 + np.trace(matrix[:3, :3]))
    skew = matrix[:3, :3] - matrix[:3, :3].T
    return [float(w), *(float(s) for s in np.array([skew[2, 1], skew[0, 2], skew[1, 0]]) / (4 * w))]


def acronym() -> None:
    """As the files of ACRONYM: chunks, gzip, strings of variable length."""
    transforms = np.array([pose(k) for k in range(3)])
    # The second one is no rotation.
    transforms[1, :3, :3] *= 2.0
    with h5py.File(HERE / "acronym.h5", "w") as file:
        file.create_dataset(
            "grasps/transforms", data=transforms, chunks=(2, 2, 2), compression="gzip"
        )
        flex = file.create_group("grasps/qualities/flex")
        flex.create_dataset("object_in_gripper", data=np.array([1, 0, 0]), compression="gzip")
        flex.create_dataset("object_motion_during_closing_linear", data=np.array([0.1, 0.2, 0.3]))
        file["object/file"] = "meshes/Mug/a.obj"
        file["object/scale"] = 0.002
        file["object/mass"] = 0.25
        file["object/friction"] = 1.0
        file["object/com"] = np.zeros(3)
        file["gripper/type"] = "panda"
        file["gripper/configuration"] = np.array([0.04])


def graspgen() -> None:
    """As the dataset of GraspGen."""
    import json

    tree = {
        "object": {"file": "mug.obj", "scale": 0.5},
        "grasps": {
            "transforms": [pose(k).tolist() for k in range(3)],
            "object_in_gripper": [True, False, True],
        },
    }
    (HERE / "graspgen.json").write_text(json.dumps(tree))


def isaac() -> None:
    """As Isaac's grasp editor and GraspGen's demos write them."""
    grasps = {}
    for k in range(3):
        w, *xyz = quaternion(pose(k))
        grasps[f"grasp_{k}"] = {
            "confidence": 0.5 + 0.1 * k,
            "position": pose(k)[:3, 3].tolist(),
            "orientation": {"w": w, "xyz": xyz},
            "cspace_position": {"finger_joint": 0.4 + k, "other": 1},
            "pregrasp_cspace_position": {"finger_joint": 0.0, "other": 0.5},
        }
    del grasps["grasp_1"]["orientation"]
    tree = {
        "format": "isaac_grasp",
        "format_version": 1.0,
        "object_frame_link": "/World/mug",
        "gripper_frame_link": "/World/gripper",
        "grasps": grasps,
    }
    with open(HERE / "isaac.yaml", "w") as file:
        yaml.dump(tree, file, default_flow_style=False, sort_keys=False)


def dexgraspnet() -> None:
    """As DexGraspNet's results: an array of dicts."""
    rows = []
    for k in range(3):
        qpos = {"robot0:FFJ3": 0.1 * k, "robot0:THJ0": -0.2}
        qpos |= {f"WRJR{axis}": angle * k for axis, angle in zip("xyz", (0.3, 0.2, 0.1))}
        qpos |= {f"WRJT{axis}": value for axis, value in zip("xyz", pose(k)[:3, 3].tolist())}
        rows.append({"scale": 0.06 + 0.01 * k, "qpos": qpos, "E_fc": 0.1})
    del rows[1]["qpos"]["WRJTy"]
    np.save(HERE / "dexgraspnet.npy", rows, allow_pickle=True)


def world(k: int) -> np.ndarray:
    """Grasp k in the world, where the object is turned by pose(1)."""
    return pose(1) @ pose(k)


def hand(matrix: np.ndarray, joints: list[float]) -> list[float]:
    """Seven numbers of a pose, and joints."""
    return [*matrix[:3, 3].tolist(), *quaternion(matrix), *joints]


def dexgraspbench() -> None:
    """As one file of DexGraspBench: single precision, one grasp."""
    np.save(
        HERE / "dexgraspbench.npy",
        {
            "obj_pose": np.array(hand(pose(1), [])),
            "obj_scale": np.float64(0.06),
            "obj_path": "assets/bottle",
            "pregrasp_qpos": np.array(hand(world(1), [0.1, 0.2]), dtype=np.float32),
            "grasp_qpos": np.array(hand(world(2), [0.3, 0.4]), dtype=np.float32),
            "squeeze_qpos": np.array(hand(world(2), [0.5, 0.6]), dtype=np.float32),
        },
    )


def bodex() -> None:
    """As BODex writes: scenes x grasps x three hands."""
    hands = [
        [hand(world(1), [0.1, k]), hand(world(2), [0.3, k]), hand(world(2), [0.5, k])]
        for k in range(3)
    ]
    hands[1][1][0] = np.nan
    mesh = {
        "scale": np.array([0.08, 0.08, 0.08]),
        "pose": np.array(hand(pose(1), [])),
        "file_path": "bottle/mesh.obj",
    }
    np.save(
        HERE / "bodex.npy",
        {
            "robot_pose": np.array([hands], dtype=np.float32),
            "joint_names": ["FFJ3", "THJ1"],
            "world_cfg": [{"mesh": {"s_bottle": mesh}}],
            "manip_name": ["s_bottle"],
            "grasp_error": np.zeros((1, 3), dtype=np.float32),
        },
    )


if __name__ == "__main__":
    for make in (acronym, graspgen, isaac, dexgraspnet, dexgraspbench, bodex):
        make()
