"""The grasp that `volar grasp` plans, in MuJoCo, with the hand's file as MuJoCo reads it."""

import re
import time
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import tomllib

from volar import one_line

TIMESTEP = 0.002
FRICTION = 0.566
"""Rubber on plastic, as in the scene."""
WITHIN, ANGLE = 0.025, np.radians(45.0)
"""Held: as `volar run` counts."""
LIMIT = 20.0
"""Processor time after which a run ends, s."""
BALL = "volar ball"
DIVERGED = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQACC)


def grasp(path: Path, scene_file: Path) -> str:
    """Whether MuJoCo loads the file, what it holds in the four phases, and how fast it is."""
    # Or it writes a file beside the page.
    mujoco.set_mju_user_warning(lambda _: None)
    scene = tomllib.loads(scene_file.read_text(encoding="utf-8"))
    try:
        model = _model(path, scene)
        return _run(model, scene)
    except (ValueError, TypeError, mujoco.FatalError) as error:
        # Without the folders of this machine.
        said = re.sub(r"(?<=')/[^']*/", "", str(error).splitlines()[0])
        return "does not load: " + one_line(said, {})[:60]
    except KeyError as error:
        # Names that MuJoCo makes up or drops.
        return "loads, without " + one_line(str(error).split(".")[0].strip("\"'"), {})[:60]


def _model(path: Path, scene: dict[str, Any]) -> mujoco.MjModel:
    """The file with the ball, and servos on the joints that the file has none for."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.option.timestep = TIMESTEP
    # Servos with much damping diverge without it.
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.compiler.fusestatic = False
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    spec.option.noslip_iterations = 10
    for joint in list(spec.joints):
        # The base is held, as in the scene.
        if joint.type == mujoco.mjtJoint.mjJNT_FREE:
            spec.delete(joint)
    # A body and its parent do not touch, in MuJoCo too, unless the parent does not move: as if
    # the hand were on its arm.
    for body in spec.bodies:
        parent = body.parent
        if parent is not None and parent.name not in ("", "world") and body.name:
            spec.add_exclude(bodyname1=parent.name, bodyname2=body.name)
    for key in list(spec.keys):
        # Their states are those of another model.
        spec.delete(key)
    driven = {actuator.target for actuator in spec.actuators}
    joints = scene["robot"][0].get("joints", {})
    for actuator in list(spec.actuators):
        # Servos of the scene stand in for those of the file.
        if "kp" in joints.get(actuator.target, {}):
            spec.delete(actuator)
    for name, joint in joints.items():
        if "kp" in joint:
            spec.add_actuator(
                name=f"volar {name}",
                target=name,
                trntype=mujoco.mjtTrn.mjTRN_JOINT,
                gaintype=mujoco.mjtGain.mjGAIN_FIXED,
                gainprm=[joint["kp"]] + [0.0] * 9,
                biastype=mujoco.mjtBias.mjBIAS_AFFINE,
                biasprm=[0.0, -joint["kp"], -joint["kd"]] + [0.0] * 7,
                forcelimited=True,
                forcerange=[-joint["effort_limit"], joint["effort_limit"]],
            )
        elif "target" in joint and name not in driven:
            raise ValueError(f"no servo on joint {name}")
    ball = scene["body"][0]
    body = spec.worldbody.add_body(name=BALL, pos=ball["position"], quat=ball["orientation"])
    body.add_freejoint()
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[ball["shape"]["sphere"]["radius"], 0, 0],
        density=1000.0,
        friction=[FRICTION, 0.005, 0.0001],
        priority=1,
        contype=0xFFFF,
        conaffinity=0xFFFF,
        condim=4,
    )
    model = spec.compile()
    data = mujoco.MjData(model)
    _to_start(data, joints)
    mujoco.mj_forward(model, data)
    # Links that overlap at the start do not touch, as in the scene.
    for pair in {tuple(sorted(model.geom_bodyid[geoms])) for geoms in data.contact.geom}:
        names = [model.body(number).name for number in pair]
        if BALL not in names and 0 not in pair:
            spec.add_exclude(bodyname1=names[0], bodyname2=names[1])
    return spec.compile()


def _to_start(data: mujoco.MjData, joints: dict[str, Any]) -> None:
    for name, joint in joints.items():
        data.joint(name).qpos = joint["start"]


def _run(model: mujoco.MjModel, scene: dict[str, Any]) -> str:
    data = mujoco.MjData(model)
    robot = scene["robot"][0]
    controls = {}
    _to_start(data, robot.get("joints", {}))
    for name, joint in robot.get("joints", {}).items():
        own = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_ACTUATOR, f"volar {name}")
        if "target" in joint:
            actuator = own if own >= 0 else _servo(model, name)
            controls[actuator] = joint["target"]
    for name, control in robot.get("controls", {}).items():
        controls[model.actuator(name).id] = control
    phases = scene["grasp"]["phase"]
    palm = data.body(scene["grasp"]["palm"].removeprefix("hand/")).id
    held, start, now = "", None, 0
    begin = time.thread_time()
    for step in range(round(scene["duration"] / TIMESTEP)):
        t = step * TIMESTEP
        if now < len(phases) and t >= phases[now]["from"] and start is None:
            start = _seen_from(data, palm)
        for actuator, way in controls.items():
            data.ctrl[actuator] = _at(way, t)
        model.opt.gravity[:] = _gravity(scene["schedule"], t)
        mujoco.mj_step(model, data)
        spent = time.thread_time() - begin
        if any(data.warning[kind].number for kind in DIVERGED):
            return f"{held}, diverges at {t:.2f} s"
        if spent > LIMIT:
            return f"{held}, {t / spent:.3g} x"
        if now < len(phases) and t + 1.5 * TIMESTEP >= phases[now]["until"]:
            held += "+" if _near(start, _seen_from(data, palm)) else "-"
            start, now = None, now + 1
    spent = time.thread_time() - begin
    verdict = "held" if held and "-" not in held else held
    return f"{verdict}, {scene['duration'] / spent:.3g} x"


def _servo(model: mujoco.MjModel, joint: str) -> int:
    """The actuator of the file on a joint."""
    number = model.joint(joint).id
    on_joint = (model.actuator_trntype == mujoco.mjtTrn.mjTRN_JOINT) & (
        model.actuator_trnid[:, 0] == number
    )
    return int(np.flatnonzero(on_joint)[0])


def _seen_from(data: mujoco.MjData, palm: int) -> tuple[np.ndarray, np.ndarray]:
    """Position and rotation of the ball in the frame of the palm."""
    R = data.xmat[palm].reshape(3, 3)
    ball = data.body(BALL)
    return R.T @ (ball.xpos - data.xpos[palm]), R.T @ ball.xmat.reshape(3, 3)


def _near(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> bool:
    turn = np.arccos(np.clip((np.trace(a[1].T @ b[1]) - 1.0) / 2.0, -1.0, 1.0))
    return bool(np.linalg.norm(a[0] - b[0]) <= WITHIN and turn <= ANGLE)


def _at(command: float | list[list[float]], t: float) -> float:
    if isinstance(command, list):
        return float(np.interp(t, [at for at, _ in command], [value for _, value in command]))
    return command


def _gravity(schedule: list[dict[str, Any]], t: float) -> np.ndarray:
    """As the scene has it: set once, then turned by quarters."""
    g = np.zeros(3)
    for entry in schedule:
        if t < entry["at"]:
            break
        if "gravity" in entry:
            g = np.array(entry["gravity"])
        elif turn := entry.get("turn_gravity"):
            share = min(1.0, (t - entry["at"]) / entry["over"])
            share = share * share * (3.0 - 2.0 * share)
            axis, angle = np.array(turn["axis"]), np.radians(turn["angle_deg"]) * share
            axis = axis / np.linalg.norm(axis)
            cos, sin = np.cos(angle), np.sin(angle)
            g = cos * g + sin * np.cross(axis, g) + (1 - cos) * axis * (axis @ g)
    return g
