"""Compares the MJCF reader with MuJoCo itself, from PyPI.

    cargo build --release -p volar-cli
    python compare_mujoco.py VOLAR FILE...

VOLAR is the built command. For each file: the largest differences of body
poses at the start and at other coordinates, masses, centres of mass, inertias,
joint properties and actuators, and the pairs of bodies that may touch.
"""

import json
import subprocess
import sys

import mujoco
import numpy as np


def quat_to_mat(quat):
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, quat)
    return mat.reshape(3, 3)


def mat(values):
    """Column by column."""
    return np.array(values).reshape(3, 3).T


def to_qpos(ours, q):
    """Our coordinates as MuJoCo's: free joints have poses in the world."""
    qpos, at = [], 0
    for link in ours["links"]:
        n = {"Fixed": 0, "Ball": 4, "Planar": 3, "Free": 7}.get(link["kind"], 1)
        part = list(q[at : at + n])
        at += n
        if link["kind"] == "Free":
            rotation, position = mat(link["rotation"]), np.array(link["position"])
            quat = np.array(part[3:]) / np.linalg.norm(part[3:])
            rotated = np.zeros(4)
            mujoco.mju_mat2Quat(rotated, (rotation @ quat_to_mat(quat)).reshape(-1))
            part = list(position + rotation @ np.array(part[:3])) + list(rotated)
        qpos += part
    return np.array(qpos)


def compare(volar, path):
    shown = subprocess.run([volar, "inspect", "--json", path], capture_output=True, text=True)
    ours = json.loads(shown.stdout)["files"][0]
    if ours["error"]:
        raise ValueError(f"refused: {ours['error']}")
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    bodies = [i for i, link in enumerate(ours["links"]) if not link["intermediate"]]
    result = {"bodies": (len(bodies), model.nbody), "nv": (None, model.nv)}
    joints = [link for link in ours["links"] if link["kind"] != "Fixed"]
    result["joints"] = (len(joints), model.njnt)
    result["actuators"] = (len(ours["actuators"]), model.nu)
    result["couplings"] = (len(ours["couplings"]), int(model.ntendon), int(model.neq))
    assert len(bodies) == model.nbody, result

    for label, state in zip(("start", "moved"), ours["poses"]):
        data.qpos[:] = to_qpos(ours, state["coordinates"])
        mujoco.mj_kinematics(model, data)
        poses = [state["bodies"][i] for i in bodies]
        position = max(np.abs(np.array(p) - data.xpos[b]).max() for b, (_, p) in enumerate(poses))
        turn = max(np.abs(mat(R) - data.xmat[b].reshape(3, 3)).max() for b, (R, _) in enumerate(poses))
        result["poses " + label] = (position, turn)

    mass, com, inertia = 0.0, 0.0, 0.0
    for b, i in enumerate(bodies):
        link = ours["links"][i]
        if b == 0:
            continue
        mass = max(mass, abs(link["mass"] - model.body_mass[b]))
        if link["mass"] == 0.0:
            continue
        centre = np.array(link["centre_of_mass"]) - np.array(link["body_offset"])
        com = max(com, np.abs(centre - model.body_ipos[b]).max())
        axes = quat_to_mat(model.body_iquat[b])
        theirs = axes @ np.diag(model.body_inertia[b]) @ axes.T
        inertia = max(inertia, np.abs(mat(link["inertia"]) - theirs).max() / np.abs(theirs).max())
    result["mass, com, relative inertia"] = (mass, com, inertia)

    worst = 0.0
    for link, j in zip(joints, range(model.njnt)):
        dof = model.jnt_dofadr[j]
        limited = bool(model.jnt_limited[j])
        assert limited == (link["limits"] is not None), link["joint"]
        if limited:
            worst = max(worst, np.abs(np.array(link["limits"]) - model.jnt_range[j]).max())
        damping = np.atleast_1d(model.dof_damping[dof])[0]
        stiffness = np.atleast_1d(model.jnt_stiffness[j])[0]
        theirs = (damping, model.dof_armature[dof], model.dof_frictionloss[dof], stiffness)
        mine = (link["damping"], link["armature"], link["friction"], link["stiffness"])
        worst = max(worst, np.abs(np.array(mine) - np.array(theirs)).max())
    result["joint properties"] = worst

    worst = 0.0
    for a, actuator in enumerate(ours["actuators"]):
        theirs = [model.actuator_gainprm[a][0], *model.actuator_biasprm[a][:3], model.actuator_gear[a][0]]
        mine = [actuator["gain"], *actuator["bias"], actuator["gear"]]
        worst = max(worst, np.abs(np.array(mine) - np.array(theirs)).max())
        for name, limited, limits in (
            ("force", model.actuator_forcelimited, model.actuator_forcerange),
            ("control", model.actuator_ctrllimited, model.actuator_ctrlrange),
        ):
            assert bool(limited[a]) == (actuator[name] is not None), actuator
            if limited[a]:
                worst = max(worst, np.abs(np.array(actuator[name]) - limits[a]).max())
    result["actuator properties"] = worst

    number = {i: b for b, i in enumerate(bodies)}
    mine = {tuple(sorted((number[a], number[b]))) for a, b in ours["contact_pairs"]}
    result["pairs"] = (len(mine), len(theirs_pairs(model) ^ mine))
    return result


def theirs_pairs(model):
    """The pairs of bodies that MuJoCo's documented rules let touch."""
    pairs = set()
    excluded = {tuple(sorted((s >> 16, s & 0xFFFF))) for s in model.exclude_signature}
    for g in range(model.ngeom):
        for h in range(g):
            a, b = int(model.geom_bodyid[g]), int(model.geom_bodyid[h])
            x, y = model.body_weldid[a], model.body_weldid[b]
            up_x, up_y = (model.body_weldid[model.body_parentid[w]] for w in (x, y))
            if x == y or tuple(sorted((a, b))) in excluded:
                continue
            if x != 0 and y != 0 and (x == up_y or y == up_x):
                continue
            bits = (model.geom_contype[g] & model.geom_conaffinity[h]) | (
                model.geom_contype[h] & model.geom_conaffinity[g]
            )
            if bits:
                pairs.add(tuple(sorted((a, b))))
    for p in range(model.npair):
        a, b = (int(model.geom_bodyid[g[p]]) for g in (model.pair_geom1, model.pair_geom2))
        pairs.add(tuple(sorted((a, b))))
    return pairs


if __name__ == "__main__":
    for name in sys.argv[2:]:
        try:
            print(name)
            for key, value in compare(sys.argv[1], name).items():
                print(f"  {key}: {value}")
        except Exception as error:
            print(f"  {type(error).__name__}: {error}")
