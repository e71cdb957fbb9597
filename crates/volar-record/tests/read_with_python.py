"""Reads a recording with the ordinary libraries and compares every number.

python read_with_python.py FOLDER

FOLDER holds `recording.mcap`, `series.parquet`, and in `expected.json` what was
written to them. `python.rs` makes them.
"""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas
import polars
import pyarrow.parquet
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory as Protobuf
from mcap_ros2.decoder import DecoderFactory as Ros2

ENERGIES = ["kinetic", "potential", "contact", "joints", "put_in", "lost"]


def same(read: object, expected: object, what: str) -> None:
    """Compares numbers to the last bit, and lists of them."""
    if isinstance(expected, list):
        assert len(read) == len(expected), f"{what}: {read} instead of {expected}"
        for i, (one, other) in enumerate(zip(read, expected, strict=True)):
            same(one, other, f"{what}[{i}]")
    elif isinstance(expected, float):
        signs = math.copysign(1, read) == math.copysign(1, expected)
        assert read == expected and signs, f"{what}: {read} instead of {expected}"
    else:
        assert read == expected, f"{what}: {read} instead of {expected}"


def xyz(v: object) -> list[float]:
    """The components of a vector."""
    return [v.x, v.y, v.z]


def wxyz(q: object) -> list[float]:
    """The components of a quaternion."""
    return [q.w, q.x, q.y, q.z]


def check_mcap(path: Path, expected: dict) -> None:
    """Compares all topics."""
    topics = {}
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[Protobuf(), Ros2()])
        for _, channel, record in reader.iter_messages(topics="/contacts"):
            messages = topics.setdefault(channel.topic, [])
            messages.append((record, json.loads(record.data)))
        standard = ["/tf", "/scene", "/forces", "/joint_states", "/frames"]
        for _, channel, record, message in reader.iter_decoded_messages(topics=standard):
            topics.setdefault(channel.topic, []).append((record, message))
        header = json.loads(next(reader.iter_attachments()).data)
    check_header(header, expected)
    check_scene(topics.pop("/scene"), expected)
    names = [body["name"] for body in expected["bodies"]]
    for topic, messages in topics.items():
        same(len(messages), len(expected["frames"]), topic)
    for number, frame in enumerate(expected["frames"]):
        messages = {topic: messages[number] for topic, messages in topics.items()}
        for topic, (record, _) in messages.items():
            what = f"time of {topic} {number}"
            same(record.log_time, round(frame["time"] * 1e9), what)
            same(record.sequence, number, what)
        messages = {topic: message for topic, (_, message) in messages.items()}
        check_frame(messages["/frames"], frame)
        check_transforms(messages["/tf"], frame, names)
        check_joints(messages["/joint_states"], frame, expected["joints"])
        check_contacts(messages["/contacts"], frame, names)
        check_forces(messages["/forces"], frame, expected["bodies"])


def check_header(header: dict, expected: dict) -> None:
    """Compares the header, which is in both files."""
    same(header["scene"], expected["scene"], "scene")
    same(header["sensors"], expected["sensors"], "sensors")
    joints = [joint["name"] for joint in header["joints"]]
    same(joints, expected["joints"], "joints")
    for read, body in zip(header["bodies"], expected["bodies"], strict=True):
        for key in ["name", "role", "finger"]:
            same(read[key], body[key], f"{key} of {body['name']}")


def check_scene(messages: list, expected: dict) -> None:
    """Compares the meshes."""
    same(len(messages), 1, "number of scenes")
    entities = {entity.id: entity for entity in messages[0][1].entities}
    for body in expected["bodies"]:
        entity = entities.pop(body["name"], None)
        if body["vertices"] is None:
            assert entity is None
            continue
        same(entity.frame_id, body["name"], "frame of a mesh")
        assert entity.frame_locked
        [mesh] = entity.triangles
        same([xyz(p) for p in mesh.points], body["vertices"], "vertices")
        indices = [corner for triangle in body["triangles"] for corner in triangle]
        same(list(mesh.indices), indices, "triangles")
    assert not entities


def check_frame(message: object, frame: dict) -> None:
    """Compares a `volar.Frame`."""
    same(message.time, frame["time"], "time")
    same(message.step, frame["step"], "step")
    same(list(message.sensors), frame["sensors"], "sensors")
    for name in ENERGIES:
        same(getattr(message.energies, name), frame["energies"][name], name)
    for read, body in zip(message.bodies, frame["bodies"], strict=True):
        for name in ["position", "velocity", "angular_velocity"]:
            same(xyz(getattr(read, name)), body[name], name)
        same(wxyz(read.orientation), body["orientation"], "orientation")
    for read, joint in zip(message.joints, frame["joints"], strict=True):
        same([read.position, read.velocity, read.effort], joint, "joint")
    for read, contact in zip(message.contacts, frame["contacts"], strict=True):
        for name, value in contact.items():
            found = getattr(read, name)
            same(xyz(found) if isinstance(value, list) else found, value, name)
    grasp = frame["grasp"]
    same(xyz(message.grasp.position), grasp["position"], "position of the object")
    same(wxyz(message.grasp.orientation), grasp["orientation"], "its orientation")
    for name in ["kinetic_energy", "expected_kinetic_energy"]:
        same(getattr(message.grasp, name), grasp[name], name)


def check_transforms(message: object, frame: dict, names: list[str]) -> None:
    """Compares a `foxglove.FrameTransforms`."""
    rows = zip(message.transforms, frame["bodies"], names, strict=True)
    for transform, body, name in rows:
        # A body is called world, so the world's frame is not.
        same(transform.parent_frame_id, "world_", "parent of a transform")
        same(transform.child_frame_id, name, "child of a transform")
        same(xyz(transform.translation), body["position"], name)
        same(wxyz(transform.rotation), body["orientation"], name)
        check_stamp(transform.timestamp, frame)


def check_stamp(stamp: object, frame: dict) -> None:
    """Compares a time stamp."""
    nanoseconds = stamp.seconds * 1_000_000_000 + stamp.nanos
    same(nanoseconds, round(frame["time"] * 1e9), "time stamp")


def check_joints(message: object, frame: dict, names: list[str]) -> None:
    """Compares a ROS 2 `JointState`."""
    same(list(message.name), names, "names of joints")
    columns = [message.position, message.velocity, message.effort]
    rows = [list(row) for row in zip(*columns, strict=True)]
    same(rows, frame["joints"], "joints")
    stamp = message.header.stamp
    nanoseconds = stamp.sec * 1_000_000_000 + stamp.nanosec
    same(nanoseconds, round(frame["time"] * 1e9), "time stamp of joints")


def check_contacts(message: dict, frame: dict, names: list[str]) -> None:
    """Compares the JSON of contacts."""
    same(message["time"], frame["time"], "time of contacts")
    for read, contact in zip(message["contacts"], frame["contacts"], strict=True):
        same([read["a"], read["b"]], [names[contact[k]] for k in "ab"], "names")
        for name, value in contact.items():
            if isinstance(value, list):
                same([read[name][axis] for axis in "xyz"], value, name)
            elif name not in "ab":
                same(read[name], value, name)


def check_forces(message: object, frame: dict, bodies: list[dict]) -> None:
    """Compares the arrows of a `foxglove.SceneUpdate`."""
    [entity] = message.entities
    same(entity.frame_id, "world_", "frame of forces")
    expected = []
    for contact in frame["contacts"]:
        a, b = (bodies[contact[k]]["role"] == "object" for k in "ab")
        sign = -1 if b and not a else 1
        normal_contact = [n * contact["normal_force"] * sign for n in contact["normal"]]
        friction = [f * sign for f in contact["friction_force"]]
        for force in [normal_contact, friction]:
            length = math.hypot(*force)
            if length > 0 and math.isfinite(length):
                expected.append((contact["point"], force, length))
    # Where a square overflows or vanishes, there is no direction and no arrow.
    expected = [row for row in expected if 1e-100 < row[2] < 1e100]
    for arrow, row in zip(entity.arrows, expected, strict=True):
        point, force, length = row
        drawn = arrow.shaft_length + arrow.head_length
        assert math.isclose(drawn, 0.02 * math.sqrt(length), rel_tol=1e-12)
        start = xyz(arrow.pose.position)
        for at, tip, component in zip(start, point, force, strict=True):
            end = at + drawn * component / length
            assert abs(end - tip) < 1e-9 * (1 + abs(tip) + drawn), "an arrow ends at its contact"
        q = arrow.pose.orientation
        x_axis = [
            1 - 2 * (q.y**2 + q.z**2),
            2 * (q.x * q.y + q.w * q.z),
            2 * (q.x * q.z - q.w * q.y),
        ]
        for axis, component in zip(x_axis, force, strict=True):
            assert abs(axis - component / length) < 1e-12


def check_series(path: Path, expected: dict) -> None:
    """Compares all columns, as pandas and as polars read them."""
    columns = expected_columns(expected)
    metadata = pyarrow.parquet.read_metadata(path).metadata
    check_header(json.loads(metadata[b"volar"]), expected)
    table = polars.read_parquet(path)
    frame = pandas.read_parquet(path)
    same(list(table.columns), list(columns), "columns")
    same(list(frame.columns), list(columns), "columns")
    for name, values in columns.items():
        if name == "contacts":
            same([list(row) for row in frame[name]], values, name)
        else:
            same(frame[name].tolist(), values, name)
        same(table[name].to_list(), values, name)


def expected_columns(expected: dict) -> dict[str, list]:
    """All columns by name, in their order."""
    frames, bodies = expected["frames"], expected["bodies"]
    columns = {key: [frame[key] for frame in frames] for key in ["time", "step"]}
    quantities = [
        ("position", "xyz"),
        ("orientation", "wxyz"),
        ("velocity", "xyz"),
        ("angular_velocity", "xyz"),
    ]
    for i, body in enumerate(bodies):
        for quantity, axes in quantities:
            for k, axis in enumerate(axes):
                values = [frame["bodies"][i][quantity][k] for frame in frames]
                columns[f"{quantity}_{axis}/{body['name']}"] = values
    for i, joint in enumerate(expected["joints"]):
        for k, quantity in enumerate(["position", "velocity", "effort"]):
            values = [frame["joints"][i][k] for frame in frames]
            columns[f"joint_{quantity}/{joint}"] = values
    for energy in ENERGIES:
        values = [frame["energies"][energy] for frame in frames]
        columns[f"energy/{energy}"] = values
    for i, sensor in enumerate(expected["sensors"]):
        columns[f"sensor/{sensor}"] = [frame["sensors"][i] for frame in frames]
    add_sums(columns, frames, bodies)
    names = [body["name"] for body in bodies]
    columns["contacts"] = [
        [contact_row(contact, names, expected["contact_fields"]) for contact in frame["contacts"]]
        for frame in frames
    ]
    return columns


def add_sums(columns: dict[str, list], frames: list[dict], bodies: list[dict]) -> None:
    """Adds the columns of fingers and of the object."""
    fingers = list(dict.fromkeys(b["finger"] for b in bodies if b["finger"]))

    def of_finger(frame: dict, finger: str) -> Iterator[dict]:
        for contact in frame["contacts"]:
            a, b = bodies[contact["a"]], bodies[contact["b"]]
            for one, other in [(a, b), (b, a)]:
                if one["role"] == "object" and other["finger"] == finger:
                    yield contact

    def of_object(frame: dict) -> Iterator[dict]:
        for contact in frame["contacts"]:
            pair = [bodies[contact["a"]], bodies[contact["b"]]]
            if any(body["role"] == "object" for body in pair):
                yield contact

    def normal_contact(contacts: Iterator[dict] | list[dict]) -> float:
        return sum((c["normal_force"] for c in contacts), 0.0)

    def friction(contacts: list[dict]) -> float:
        total = [0.0, 0.0, 0.0]
        for c in contacts:
            sign = 1 if bodies[c["a"]]["role"] == "object" else -1
            total = [t + sign * f for t, f in zip(total, c["friction_force"], strict=True)]
        x, y, z = total
        return (x * x + y * y + z * z) ** 0.5

    for finger in fingers:
        touching = [list(of_finger(frame, finger)) for frame in frames]
        columns[f"normal_force/{finger}"] = [normal_contact(c) for c in touching]
        columns[f"friction_force/{finger}"] = [friction(c) for c in touching]

    def by_pair(frame: dict) -> dict:
        sums: dict = {}
        for c in frame["contacts"]:
            pair = tuple(sorted((c["a"], c["b"])))
            sums[pair] = sums.get(pair, 0.0) + c["normal_force"]
        return sums

    def deepest(frame: dict) -> float:
        """Of the contacts with 1 % of the load of the object, or of the less loaded body."""
        loads: dict = {}
        for c in frame["contacts"]:
            for body in (c["a"], c["b"]):
                loads[body] = loads.get(body, 0.0) + c["normal_force"]

        def load(c: dict) -> float:
            own = [k for k in "ab" if bodies[c[k]]["role"] == "object"]
            return loads[c[own[0]]] if own else min(loads[c["a"]], loads[c["b"]])

        bearing = [c for c in frame["contacts"] if c["normal_force"] >= 0.01 * load(c)]
        return max((c["depth"] for c in bearing), default=0.0)

    columns["largest/normal_force"] = [max([0.0, *by_pair(f).values()]) for f in frames]
    columns["largest/depth"] = [max(0.0, deepest(f)) for f in frames]
    columns["object/normal_force"] = [normal_contact(of_object(f)) for f in frames]
    grasps = [frame["grasp"] for frame in frames]
    columns["object/drift"] = [distance(g["position"], grasps[0]["position"]) for g in grasps]
    columns["object/rotation"] = [0.0 for _ in grasps]
    for name in ["kinetic_energy", "expected_kinetic_energy"]:
        columns[f"object/{name}"] = [grasp[name] for grasp in grasps]
    for finger in fingers:
        counts = [len(list(of_finger(frame, finger))) for frame in frames]
        columns[f"contacts/{finger}"] = counts


def distance(a: list[float], b: list[float]) -> float:
    """Distance of two points."""
    x, y, z = (p - q for p, q in zip(a, b, strict=True))
    return (x * x + y * y + z * z) ** 0.5


def contact_row(contact: dict, names: list[str], fields: list[str]) -> dict:
    """A contact as it is in the column `contacts`."""
    row = {"a": names[contact["a"]], "b": names[contact["b"]]}
    for name in fields:
        value = contact[name]
        if isinstance(value, list):
            for axis, component in zip("xyz", value, strict=True):
                row[f"{name}_{axis}"] = component
        else:
            row[name] = value
    return row


def main() -> None:
    """Compares both files."""
    folder = Path(sys.argv[1])
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    check_mcap(folder / "recording.mcap", expected)
    check_series(folder / "series.parquet", expected)


if __name__ == "__main__":
    main()
