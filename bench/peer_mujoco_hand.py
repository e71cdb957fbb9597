"""The Shadow Hand in MuJoCo: the project's own, and the one of gymnasium-robotics."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import mujoco

import scenes

Fingers = dict[str, list[str]]
"""The links of each finger."""

METACARPAL = "metacarpal"
"""A part of the palm, though it goes with the little finger."""
START = {"THJ4": 0.82}
TARGETS = {
    **dict.fromkeys(("FFJ2", "MFJ2", "RFJ2", "LFJ2"), 1.55),
    **dict.fromkeys(("FFJ1", "MFJ1", "RFJ1", "LFJ1"), 1.30),
    **{"THJ4": 0.82, "THJ3": 0.88, "THJ2": 0.17, "THJ1": 0.16, "THJ0": -0.96},
}
"""Of the position actuators, rad; the others stay at 0."""


@dataclass(frozen=True)
class Hand:
    """Where a hand is, and how its parts are called."""

    package: str | None
    """A Python package; None: this project."""
    file: str
    joints: str
    actuators: str
    shapes: str
    """How the names of joints, actuators and shapes that touch begin."""
    palm: str
    fingers: dict[str, str]
    """How the names of a finger's links begin."""

    def load(self) -> tuple[mujoco.MjSpec, Fingers]:
        """The hand in the air."""
        spec = mujoco.MjSpec.from_file(str(self._folder() / self.file))
        for geom in spec.geoms:
            geom.friction[0] = scenes.FRICTION
            if not geom.name.startswith(self.shapes):
                geom.contype = geom.conaffinity = 0
        links = [body.name for body in spec.bodies]
        return spec, {
            finger: [link for link in links if link.startswith(begin) and METACARPAL not in link]
            for finger, begin in self.fingers.items()
        }

    def start(self, data: mujoco.MjData) -> None:
        """Set the joints and what the actuators aim at."""
        for name, q in START.items():
            data.joint(self.joints + name).qpos = q
        for name, target in TARGETS.items():
            data.actuator(self.actuators + name).ctrl = target

    def _folder(self) -> Path:
        if not self.package:
            return scenes.ROOT
        spec = find_spec(self.package)
        if not spec or not spec.submodule_search_locations:
            raise FileNotFoundError(f"{self.package} is missing; `cargo xtask grasps` installs it")
        return Path(spec.submodule_search_locations[0])


OWN_HAND = Hand(
    package=None,
    file="crates/volar-scene/assets/shadow/hand.xml",
    joints="",
    actuators="",
    shapes="",
    palm="palm",
    fingers={name: name for name in ("first", "middle", "ring", "little", "thumb")},
)
PACKAGE_HAND = Hand(
    package="gymnasium_robotics",
    file="envs/assets/hand/reach.xml",
    joints="robot0:",
    actuators="robot0:A_",
    # Without the floor, and without two boxes in the thumb that are only there to be seen.
    shapes="robot0:C_",
    palm="robot0:palm",
    fingers={
        **{"first": "robot0:ff", "middle": "robot0:mf", "ring": "robot0:rf"},
        **{"little": "robot0:lf", "thumb": "robot0:th"},
    },
)
