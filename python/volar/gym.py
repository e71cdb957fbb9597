"""Grasps as environments of Gymnasium; needs `pip install volar[gym]`.

    import gymnasium
    import volar.gym  # makes volar/Grasp-v0 known

    env = gymnasium.make("volar/Grasp-v0", scene="g2p-cube")
    envs = gymnasium.make_vec("volar/Grasp-v0", num_envs=8, scene="g2p-cube")

An episode begins at the start of the scene. Every step sets the commands of the scene's
drives and goes on by a period.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _volar
from ._arrays import Array, number
from ._errors import SceneError, SimulationError
from ._pose import Pose
from ._scene import Scene
from ._simulation import Simulation

Action: TypeAlias = NDArray[np.float32]

#: What observations can have in them, in this order.
OBSERVATIONS = (
    "joint_positions",
    "joint_velocities",
    "object_pose",
    "object_velocity",
    "finger_forces",
    "friction_margin",
)


class GraspEnv(gymnasium.Env[Array, Action]):
    """One grasp.

    **Action**, shape (n,), from -1 to 1: the command of each drive of the scene in the order
    of `command_names`, an effort (N m, N), a target (rad, m) or a speed, mapped onto its
    range in `ranges`.

    **Observation**, float64, those asked for one after the other:

    - `joint_positions`: of all joints with one degree of freedom, rad or m;
    - `joint_velocities`: rad/s or m/s;
    - `object_pose`: of the object in the palm's frame, position (m), quaternion wxyz;
    - `object_velocity`: of its origin (m/s) and angular (rad/s), world axes;
    - `finger_forces`: sum of normal forces of each finger on the object, N;
    - `friction_margin`: least of the object's contacts, from 1 down to 0 where it slips; 0
      without a contact.

    **Reward** for each step: `1 - (distance / held_within)² - effort_cost · mean(action²)`,
    where the distance is how far the object has moved against the palm since the start; the
    same with -1 in place of 1 when it is lost. Or a function of the environment.

    **Ends** when the object has moved by more than `held_within`, or the simulation cannot go
    on; is cut off after `duration`.

    Args:
        scene: A scene with a `[grasp]`, its file or its name.
        duration: Of an episode, s.
        period: Of a step, s.
        observation: What observations have in them.
        ranges: Least and greatest command by drive; those of the robot's file if not given,
            or from zero to twice what the scene commands.
        reward: A function of the environment that takes the place of the reward.
        effort_cost: Weight of the actions in the reward.
        held_within: How far the object may move against the palm, m.
        randomize: Called with a random generator and the simulation at the start of every
            episode, to change friction, loads or the state.
        render_mode: None; `volar.view` shows scenes.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 the base class has it so

    def __init__(
        self,
        scene: Scene | str | os.PathLike[str] = "g2p-cube",
        *,
        duration: float = 2.0,
        period: float = 0.02,
        observation: Sequence[str] = OBSERVATIONS,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        reward: Callable[[GraspEnv], float] | None = None,
        effort_cost: float = 0.1,
        held_within: float = 0.025,
        randomize: Callable[[np.random.Generator, Simulation], object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        own = scene if isinstance(scene, Scene) else Scene.load(scene)
        setup = own._compiled()
        grasp = setup.grasp()
        if grasp is None:
            raise SceneError("the scene has no grasp; say what is grasped with scene.grasp(body)")
        if not number(period, "period") > 0.0 or not number(duration, "duration") >= period:
            raise ValueError("period and duration: numbers above 0 s are needed")
        unknown = [name for name in observation if name not in OBSERVATIONS]
        if unknown or not observation:
            raise ValueError(f"observation: {unknown} is not one of {OBSERVATIONS}")
        self.render_mode = render_mode
        #: The simulation of the present episode.
        self.simulation = Simulation(setup, _volar.Simulation(setup, 1))
        #: Names of the object and of the palm.
        self.object, self.palm = grasp
        self.held_within = number(held_within, "held_within")
        self.effort_cost = number(effort_cost, "effort_cost")
        self._setup = setup
        self._period, self._steps = period, round(duration / period)
        self._observed = [name for name in OBSERVATIONS if name in observation]
        self._reward, self._randomize = reward, randomize
        names = self.simulation.body_names
        self._object, self._palm = names.index(self.object), names.index(self.palm)
        self._q = [row[2] for row in setup.joints()]
        self._v = [row[3] for row in setup.joints()]
        self._fingers = [links for _, links in setup.fingers()]
        self._low, self._high = self._command_ranges(dict(ranges or {}))
        self._count = 0
        self._home = np.zeros(3)
        #: The last action.
        self.action: Array = np.zeros(len(self._low))
        self.action_space = spaces.Box(-1.0, 1.0, (len(self._low),), np.float32)
        size = len(self.observe())
        self.observation_space = spaces.Box(-np.inf, np.inf, (size,), np.float64)

    @property
    def command_names(self) -> list[str]:
        """Names of the drives, in the order of actions."""
        return self.simulation.command_names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed)
        self.simulation.reset()
        if self._randomize is not None:
            self._randomize(self.np_random, self.simulation)
        self._count = 0
        self.action = np.zeros(len(self._low))
        self._home = self.object_pose().position
        return self.observe(), {}

    def step(self, action: Action) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Sets the commands and goes on by a period."""
        given = np.asarray(action, dtype=np.float64)
        if given.shape != self._low.shape or not np.isfinite(given).all():
            raise ValueError(f"action: {self._low.shape} finite numbers are needed")
        self.action = np.clip(given, -1.0, 1.0)
        commands = self._low + 0.5 * (self.action + 1.0) * (self._high - self._low)
        info: dict[str, Any] = {}
        failed = False
        try:
            _volar.set_commands(self.simulation._native, list(enumerate(commands.tolist())))
            self.simulation.advance(self._period)
        except SimulationError as error:
            failed = True
            info["failure"] = str(error)
        self._count += 1
        moved = self.distance()
        lost = failed or moved > self.held_within
        info |= {"distance": moved, "held": not lost}
        reward = self._default_reward(moved, lost) if self._reward is None else self._reward(self)
        return self.observe(), float(reward), lost, self._count >= self._steps, info

    def distance(self) -> float:
        """How far the object has moved against the palm since the start, m."""
        return float(np.linalg.norm(self.object_pose().position - self._home))

    def object_pose(self) -> Pose:
        """Where the object is in the palm's frame."""
        poses = self.simulation.poses
        palm, body = (Pose(row[:3], row[3:]) for row in (poses[self._palm], poses[self._object]))
        return palm.inverse() @ body

    def observe(self) -> Array:
        """The observation now."""
        parts: dict[str, Callable[[], Array]] = {
            "joint_positions": lambda: self.simulation.q[self._q],
            "joint_velocities": lambda: self.simulation.v[self._v],
            "object_pose": self._pose_numbers,
            "object_velocity": lambda: self.simulation.velocities[self._object],
            "finger_forces": self.finger_forces,
            "friction_margin": lambda: np.array([self.friction_margin()]),
        }
        return np.concatenate([parts[name]() for name in self._observed])

    def finger_forces(self) -> Array:
        """Sum of normal forces of each finger on the object, N."""
        contacts = self._touching()
        other = np.where(contacts["a"] == self._object, contacts["b"], contacts["a"])
        forces = [contacts["normal_force"][np.isin(other, links)].sum() for links in self._fingers]
        return np.array(forces, dtype=np.float64)

    def friction_margin(self) -> float:
        """Least friction margin of the object's contacts; 0 without a contact."""
        margins = self._touching()["friction_margin"]
        return float(margins.min()) if len(margins) else 0.0

    def _touching(self) -> NDArray[np.void]:
        contacts = self.simulation.contacts.array
        own: NDArray[np.void] = contacts[
            (contacts["a"] == self._object) | (contacts["b"] == self._object)
        ]
        return own

    def _pose_numbers(self) -> Array:
        pose = self.object_pose()
        return np.concatenate([pose.position, pose.orientation])

    def _default_reward(self, moved: float, lost: bool) -> float:
        alive = -1.0 if lost else 1.0
        effort = self.effort_cost * float(np.mean(self.action**2)) if len(self.action) else 0.0
        return alive - (moved / self.held_within) ** 2 - effort

    def _command_ranges(self, given: dict[str, tuple[float, float]]) -> tuple[Array, Array]:
        ranges = []
        for at, name in enumerate(self.simulation.command_names):
            short = name.partition("/")[2]
            own = given.pop(name, None) or given.pop(short, None) or self._setup.drive_range(at)
            if own is None:
                command = _volar.command(self.simulation._native, at)
                own = sorted((0.0, 2.0 * command)) if command else (-1.0, 1.0)
            ranges.append((number(own[0], name), number(own[1], name)))
        if given:
            known = ", ".join(self.simulation.command_names)
            raise KeyError(f"ranges: no drives {', '.join(given)}; there are {known}")
        array = np.array(ranges, dtype=np.float64).reshape(-1, 2)
        return array[:, 0], array[:, 1]


class GraspVectorEnv(VectorEnv[Array, Action, Array]):
    """Copies of a grasp that step on all cores.

    Args:
        num_envs: How many.
        threads: How many step at a time; as many as there are cores if not given.
        options: Those of `GraspEnv`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 the base class has it so
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(self, num_envs: int = 1, *, threads: int | None = None, **options: Any) -> None:
        if num_envs < 1:
            raise ValueError("num_envs: at least one is needed")
        scene = options.pop("scene", "g2p-cube")
        # Compiled once for all.
        own = scene if isinstance(scene, Scene) else Scene.load(scene)
        self.num_envs = num_envs
        self.render_mode = None
        self.envs = [GraspEnv(own, **options) for _ in range(num_envs)]
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
        self._over = np.zeros(num_envs, dtype=bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begins an episode in every copy; a number as seed gives each another one."""
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + at for at in range(self.num_envs)]
        else:
            seeds = list(seed)
        started = self._pool.map(lambda env, seed: env.reset(seed=seed), self.envs, seeds)
        self._over[:] = False
        return np.stack([observation for observation, _ in started]), {}

    def step(self, actions: Action) -> tuple[Array, Array, Any, Any, dict[str, Any]]:
        """Steps every copy; one whose episode is over begins the next instead."""
        given = np.asarray(actions)
        if given.shape != self.action_space.shape:
            raise ValueError(f"actions: shape {self.action_space.shape} is needed")

        def one(at: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
            if self._over[at]:
                observation, info = self.envs[at].reset()
                return observation, 0.0, False, False, info
            return self.envs[at].step(given[at])

        done = list(self._pool.map(one, range(self.num_envs)))
        observations, rewards, terminated, truncated, infos = zip(*done, strict=True)
        over = np.array(terminated), np.array(truncated)
        self._over = over[0] | over[1]
        info: dict[str, Any] = {}
        for at, own in enumerate(infos):
            info = self._add_info(info, own, at)
        return np.stack(observations), np.array(rewards), *over, info

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._pool.shutdown()


gymnasium.register(
    id="volar/Grasp-v0",
    entry_point="volar.gym:GraspEnv",
    vector_entry_point="volar.gym:GraspVectorEnv",
)
