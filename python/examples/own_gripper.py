"""A gripper and a mug of one's own: both are made here, then grasped.

    python own_gripper.py [FOLDER]

With a folder, the scene is written there and can be run with `volar run`.
"""

import sys
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

import volar

PAD = (0.012, 0.03, 0.05)  # m

LINK = """
  <link name="{name}">
    <inertial><mass value="{mass}"/>
      <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="{size}"/></geometry></collision>
  </link>"""
JOINT = """
  <joint name="{name}" type="prismatic">
    <parent link="palm"/><child link="{name}_pad"/>
    <origin xyz="{x} 0 -0.06"/><axis xyz="{axis} 0 0"/>
    <limit lower="0" upper="0.06" effort="50" velocity="1"/>
  </joint>"""


def gripper(folder: Path) -> Path:
    """Write a URDF of a palm with two pads on slides."""
    pad = " ".join(map(str, PAD))
    parts = [LINK.format(name="palm", mass=0.5, size="0.14 0.05 0.02")]
    for name, side in (("left", -1), ("right", 1)):
        parts.append(LINK.format(name=f"{name}_pad", mass=0.05, size=pad))
        parts.append(JOINT.format(name=name, x=0.06 * side, axis=-side))
    path = folder / "gripper.urdf"
    path.write_text(f'<robot name="gripper">{"".join(parts)}\n</robot>\n')
    return path


def mug(outer: float = 0.035, inner: float = 0.031, height: float = 0.08) -> volar.Mesh:
    """Turn a mug without a handle: a closed mesh from a profile, m."""
    bottom = -0.5 * height
    profile = np.array(
        [(outer, bottom), (outer, -bottom), (inner, -bottom), (inner, bottom + 0.005)]
    )
    count = 48
    angles = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    rings = [
        np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(count, z)])
        for r, z in profile
    ]
    vertices = np.vstack([*rings, [(0, 0, bottom)], [(0, 0, bottom + 0.005)]])
    below, above = len(vertices) - 2, len(vertices) - 1
    triangles = []
    for i in range(count):
        j = (i + 1) % count
        for ring in range(len(profile) - 1):
            a, b = ring * count, (ring + 1) * count
            triangles += [(a + i, a + j, b + j), (a + i, b + j, b + i)]
        last = (len(profile) - 1) * count
        triangles += [(j, i, below), (last + i, last + j, above)]
    return volar.Mesh(vertices, triangles)


def build(folder: Path) -> volar.Scene:
    """Put gripper and mug together."""
    scene = volar.Scene("own gripper", duration=3.0)
    hand = scene.add_robot(gripper(folder), fingers={"left": ["left_pad"], "right": ["right_pad"]})
    for name in ("left", "right"):
        hand.joint(name).start(0.0).drive(target=0.03, kp=2000, kd=40, effort_limit=15)
    cup = scene.add_body(mug(), name="mug", mass=0.2, position=(0, 0, -0.06))
    # The mug floats until the gripper has it.
    scene.add_event(0.0, gravity=[0.0, 0.0, 0.0])
    scene.add_event(0.5, over=0.0, gravity=[0.0, 0.0, -9.81])
    scene.grasp(cup, palm="palm", held_since=0.5)
    scene.set("grasp.from", 1.0)
    return scene


def main() -> volar.Result:
    """Run the scene and say what came of it."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="volar-"))
    folder.mkdir(parents=True, exist_ok=True)
    scene = build(folder)
    print("scene:", scene.save(folder))
    result = scene.run()
    print(result)
    print(f"held: {result.held}, friction margin {result.friction_margin:.2f}")
    for finger, force in result.normal_force_n.items():
        print(f"{finger}: {force:.2f} N")
    return result


if __name__ == "__main__":
    main()
