"""Trials of an evaluation in MuJoCo: one export for all of them, `mujoco.rollout` for the batch.

What differs between trials (`table.parquet` of the evaluation) is put into the compiled model and
its start: where hand and object are, joints, servos and what they aim at. What a body does that
moves as prescribed is fed forward, as a force on a joint so heavy that nothing disturbs it.
"""

import copy
import itertools
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import tomllib
from mujoco import rollout

import machine

sys.path.append(str(machine.ROOT / "crates/volar-cli"))
from engines import mujoco as engine
from engines.schedule import Export, NotPossible, Pose, rotation

STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS
CONTROL = (
    mujoco.mjtState.mjSTATE_CTRL
    | mujoco.mjtState.mjSTATE_QFRC_APPLIED
    | mujoco.mjtState.mjSTATE_XFRC_APPLIED
)
BATCH_BYTES = 2.0e8
"""States and controls of one call of `rollout` take about so much."""
AT_REST, AT_REST_TURNING = 1.0e-3, 1.0e-3 / 0.03
"""As in `crates/volar-run/src/verdict.rs`, m/s and rad/s in the last second."""


@dataclass(frozen=True)
class Settings:
    """Beside elliptic cones and impratio 10."""

    step: float = 0.002
    tolerance: float = 1e-8
    noslip: int = 10
    concavity: float = 0.05
    """That CoACD leaves."""
    hardness: float | None = None
    """Time constant of contacts (solref), s; MuJoCo's own 0.02 if not given."""


COARSE = Settings()
FINE = Settings(step=0.0005, tolerance=1e-12, noslip=50, hardness=0.002)
"""Contacts are harder because that alone lessened how far an object slid while the hand turned: a
shorter step, more noslip iterations and a smaller tolerance did not (docs/eval.md)."""
FINE_PIECES = replace(FINE, concavity=0.03)


@dataclass(frozen=True)
class Stretch:
    """A part of the run in which the object must be held."""

    begin: float
    until: float
    within: float
    angle: float
    fingers: int
    may_move: bool


class Batch:
    """The scene of an evaluation, for any of its trials."""

    def __init__(self, scene: Path, export: Path, settings: Settings = COARSE) -> None:
        """Compile the export of a scene."""
        self.export = Export(export)
        entries = tomllib.loads(scene.read_text(encoding="utf-8"))
        self.hand, self.body = entries["robot"][0], entries["body"][0]
        simulation = engine.Simulation(self.export, True, settings.concavity)
        self.notes = simulation.notes
        self.model, self.start = simulation.model, simulation.data
        option = self.model.opt
        option.timestep, option.tolerance = settings.step, settings.tolerance
        option.noslip_iterations = settings.noslip
        if settings.hardness is not None:
            self.model.geom_solref[:] = settings.hardness, 1.0
            self.model.pair_solref[:] = settings.hardness, 1.0
        self.steps = round(self.export.duration / settings.step)
        self.times = settings.step * np.arange(self.steps)
        self.control = self._control()
        self.stretches = list(_stretches(self.export))
        size = mujoco.mj_stateSize(self.model, STATE) + self.control.shape[1]
        self.most = max(1, int(BATCH_BYTES / (8 * size * self.steps)))
        self.cpu_s = 0.0

    def held(self, trials: Sequence[dict[str, Any]], threads: int) -> list[bool]:
        """Whether trials hold the object; `cpu_s` grows by what the steps took."""
        verdicts: list[bool] = []
        datas = [mujoco.MjData(self.model) for _ in range(threads)]
        for first in range(0, len(trials), self.most):
            own = trials[first : first + self.most]
            made = [self._trial(trial) for trial in own]
            models, starts, controls = zip(*made, strict=True)
            began = time.process_time()
            states = self._states(list(models), datas, np.stack(starts), np.stack(controls))
            self.cpu_s += time.process_time() - began
            verdicts += map(self._verdict, models, states, controls)
        return verdicts

    def _states(
        self,
        models: list[mujoco.MjModel],
        datas: list[mujoco.MjData],
        starts: np.ndarray,
        controls: np.ndarray,
    ) -> np.ndarray:
        """After every step; where the schedule returns, from an earlier one."""
        states = np.empty((len(models), self.steps, starts.shape[1]))
        returns = [(self._row(t), self._row(earlier)) for t, earlier in self.export.returns]
        ends = [*(row + 1 for row, _ in returns), self.steps]
        first = 0
        for (_, earlier), end in zip([(0, None), *returns], ends, strict=True):
            states[:, first:end], _ = rollout.rollout(
                models,
                datas,
                starts if earlier is None else states[:, earlier],
                controls[:, first:end],
                control_spec=int(CONTROL),
                nstep=end - first,
            )
            first = end
        return states

    def _row(self, t: float) -> int:
        """The state at a time."""
        return min(self.steps, max(1, round(t / self.model.opt.timestep))) - 1

    def _trial(self, trial: dict[str, Any]) -> tuple[mujoco.MjModel, np.ndarray, np.ndarray]:
        """Model, start and controls."""
        given = {key: value for key, value in trial.items() if _is_number(value)}
        hand, thing = (_moved(entry, given, key) for entry, key in self._entries())
        model = self.model
        if hand is not None or any(key.endswith((".kp", ".kd")) for key in given):
            model = copy.copy(model)
        data = mujoco.MjData(self.model)
        data.qpos[:], data.qvel[:] = self.start.qpos, self.start.qvel
        if hand is not None:
            if self.export.motions:
                raise NotPossible("a hand that moves, and starts elsewhere in every trial")
            for name, body in self.export.bodies.items():
                if body["robot"] is not None and body["parent"] is None:
                    own = _after(hand, Pose.of(body["pose"]))
                    number = model.body(name).id
                    model.body_pos[number], model.body_quat[number] = own.p, own.q
        if thing is not None:
            own = _after(thing, Pose.of(self.export.bodies[self.export.object]["pose"]))
            data.joint(self.export.object).qpos = np.concatenate([own.p, own.q])
        control = self.control.copy()
        for name, joint in self.hand.get("joints", {}).items():
            path = f"robot.hand.joints.{name}."
            start = given.get(f"{path}start")
            if start is not None:
                data.joint(f"hand/{name}").qpos = start
            self._drive(model, control, f"hand/{name}", joint, given, path)
        for name, command in self.hand.get("controls", {}).items():
            own = {"target": command}
            given_own = {
                key.replace(f"controls.{name}", f"controls.{name}.target"): value
                for key, value in given.items()
                if key.startswith(f"robot.hand.controls.{name}")
            }
            path = f"robot.hand.controls.{name}."
            self._drive(model, control, f"hand/{name}", own, given_own, path)
        state = np.zeros(mujoco.mj_stateSize(self.model, STATE))
        mujoco.mj_getState(self.model, data, state, STATE)
        return model, state, control

    def _entries(self) -> list[tuple[dict[str, Any], str]]:
        return [(self.hand, "robot.hand"), (self.body, "body.object")]

    def _drive(
        self,
        model: mujoco.MjModel,
        control: np.ndarray,
        name: str,
        joint: dict[str, Any],
        given: dict[str, float],
        path: str,
    ) -> None:
        """Gains of a servo, and what it aims at over time."""
        if not any(key.startswith(path) for key in given) or "target" not in joint:
            return
        drives = [drive for drive in self.export.data["drives"] if drive["name"] == name]
        if not drives:
            raise NotPossible(f"no drive {name}")
        actuator = model.actuator(drives[0]["actuator"]).id
        kp, kd = given.get(f"{path}kp"), given.get(f"{path}kd")
        if kp is not None:
            model.actuator_gainprm[actuator, 0] = kp
            model.actuator_biasprm[actuator, 1] = -kp
        if kd is not None:
            model.actuator_biasprm[actuator, 2] = -kd
        limit = given.get(f"{path}effort_limit")
        if limit is not None:
            model.actuator_forcerange[actuator] = -limit, limit
        target = joint["target"]
        if isinstance(target, list):
            values = [given.get(f"{path}target.{i}.1", v) for i, (_, v) in enumerate(target)]
            control[:, actuator] = np.interp(self.times, [t for t, _ in target], values)
        else:
            control[:, actuator] = given.get(f"{path}target", target)

    def _control(self) -> np.ndarray:
        """What is applied over time in the scene as it was exported."""
        model, export, step = self.model, self.export, self.model.opt.timestep
        ctrl = np.zeros((self.steps, model.nu))
        for drive in export.drives:
            number = model.actuator(drive.actuator).id
            ctrl[:, number] = [drive.command.at(t)[0] for t in self.times]
        forces = np.zeros((self.steps, model.nv))
        for motion in export.motions:
            joint = model.joint(f"{motion.body}/prescribed")
            at = [motion.at(t).pose for t in step * np.arange(self.steps + 1)]
            velocity = np.zeros((self.steps + 1, 6))
            for k, (now, then) in enumerate(itertools.pairwise(at)):
                turn = np.zeros(3)
                mujoco.mju_subQuat(turn, then.q, now.q)
                velocity[k + 1] = np.concatenate([then.p - now.p, turn]) / step
            first = int(joint.dofadr[0])
            forces[:, first : first + 6] = engine.HEAVY * np.diff(velocity, axis=0) / step
        if not export.gravity.is_constant:
            raise NotPossible("gravity that changes: `rollout` cannot turn it")
        outside = np.zeros((self.steps, model.nbody, 6))
        for load, scale in zip(export.data["loads"], export.scales, strict=True):
            centre = export.bodies[load["body"]]["centre_of_mass"]
            if not np.allclose(load["point"], centre, atol=1e-9):
                raise NotPossible("a load beside the centre of mass: its torque depends on the way")
            share = np.array([scale.at(t)[0] for t in self.times])
            wrench = np.concatenate([load["force"], load["torque"]])
            outside[:, model.body(load["body"]).id] += share[:, None] * wrench
        return np.hstack([ctrl, forces, outside.reshape(self.steps, -1)])

    def _verdict(self, model: mujoco.MjModel, states: np.ndarray, controls: np.ndarray) -> bool:
        """Held in every stretch of the run, as `volar` defines it."""
        data = mujoco.MjData(model)
        looks: dict[int, tuple[np.ndarray, np.ndarray, int]] = {}

        def look(t: float) -> tuple[np.ndarray, np.ndarray, int]:
            row = self._row(t)
            if row not in looks:
                mujoco.mj_setState(model, data, states[row].copy(), STATE)
                mujoco.mj_setState(model, data, controls[row].copy(), CONTROL)
                mujoco.mj_forward(model, data)
                looks[row] = self._look(model, data)
            return looks[row]

        if not np.isfinite(states).all():
            return False
        for stretch in self.stretches:
            # The state at the time of a return is that before it.
            begin = dict(self.export.returns).get(stretch.begin, stretch.begin)
            first, last = look(begin), look(stretch.until)
            near, turned = _apart(first, last)
            if near > stretch.within or turned > stretch.angle or last[2] < stretch.fingers:
                return False
            if stretch.may_move:
                continue
            second = max(stretch.begin, stretch.until - 1.0)
            moved, turned = (way / (stretch.until - second) for way in _apart(look(second), last))
            if moved > AT_REST or turned > AT_REST_TURNING:
                return False
        return True

    def _look(
        self, model: mujoco.MjModel, data: mujoco.MjData
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Centre of mass and rotation of the object in the palm, and fingers that press on it."""
        palm, thing = model.body(self.export.palm).id, model.body(self.export.object).id
        R = data.xmat[palm].reshape(3, 3)
        force = np.zeros(6)
        pressing = set()
        bodies = model.geom_bodyid[data.contact.geom]
        for i in np.flatnonzero((bodies == thing).any(axis=1)):
            mujoco.mj_contactForce(model, data, i, force)
            other = model.body(int(bodies[i].sum()) - thing).name
            own = [name for name, links in self.export.fingers.items() if other in links]
            if force[0] > 0.0:
                pressing.update(own)
        place = R.T @ (data.xipos[thing] - data.xpos[palm])
        return place, R.T @ data.xmat[thing].reshape(3, 3), len(pressing)


def _stretches(export: Export) -> Iterator[Stretch]:
    whole = export.grasp
    for part in whole["phases"] or [None]:
        own = part or {}

        def of(key: str, own: dict[str, Any] = own) -> float:
            return own[key] if own.get(key) is not None else whole[key]

        until = whole["until"] or export.duration
        yield Stretch(
            begin=whole["held_since"] if part is None else part["from"],
            until=until if part is None else part["until"],
            within=of("held_within"),
            angle=math.radians(of("held_angle_deg")),
            fingers=int(of("held_by")),
            may_move=own.get("may_move", False),
        )


def _apart(
    a: tuple[np.ndarray, np.ndarray, int], b: tuple[np.ndarray, np.ndarray, int]
) -> tuple[float, float]:
    """Distance, m, and angle, rad."""
    cos = (np.trace(a[1].T @ b[1]) - 1.0) / 2.0
    return float(np.linalg.norm(a[0] - b[0])), float(np.arccos(np.clip(cos, -1.0, 1.0)))


def _moved(entry: dict[str, Any], given: dict[str, float], path: str) -> Pose | None:
    """The motion that takes an entry of the scene to where a trial has it; none if it stays."""
    if not any(key.startswith((f"{path}.position", f"{path}.orientation")) for key in given):
        return None
    p, q = np.array(entry["position"]), np.array(entry["orientation"])
    p_new = np.array([given.get(f"{path}.position.{i}", p[i]) for i in range(3)])
    q_new = np.array([given.get(f"{path}.orientation.{i}", q[i]) for i in range(4)])
    turn, back = np.zeros(4), np.zeros(4)
    mujoco.mju_negQuat(back, q / np.linalg.norm(q))
    mujoco.mju_mulQuat(turn, q_new / np.linalg.norm(q_new), back)
    return Pose(p_new - rotation(turn) @ p, turn)


def _after(move: Pose, pose: Pose) -> Pose:
    q = np.zeros(4)
    mujoco.mju_mulQuat(q, move.q, pose.q)
    return Pose(move.p + rotation(move.q) @ pose.p, q)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not math.isnan(value)
