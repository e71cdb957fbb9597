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

SCALARS = ["normal_force", "friction_margin", "area", "volume", "depth", "slip"]
ENERGIES = ["kinetic", "potential", "contact", "joints", "put_in", "lost"]
VECTORS = ["point", "normal", "friction_force"]


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
        for name in ["a", "b", *SCALARS]:
            same(getattr(read, name), contact[name], name)
        for name in VECTORS:
            same(xyz(getattr(read, name)), contact[name], name)


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
        for name in SCALARS:
            same(read[name], contact[name], name)
        for name in VECTORS:
            same([read[name][axis] for axis in "xyz"], contact[name], name)


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
        same(xyz(arrow.pose.position), point, "start of an arrow")
        drawn = arrow.shaft_length + arrow.head_length
        assert math.isclose(drawn, 0.01 * length, rel_tol=1e-12)
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
        [contact_row(contact, names) for contact in frame["contacts"]] for frame in frames
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
        lengths = [sum(f * f for f in c["friction_force"]) ** 0.5 for c in contacts]
        return sum(lengths, 0.0)

    for finger in fingers:
        touching = [list(of_finger(frame, finger)) for frame in frames]
        columns[f"normal_force/{finger}"] = [normal_contact(c) for c in touching]
        columns[f"friction_force/{finger}"] = [friction(c) for c in touching]
    columns["object/normal_force"] = [normal_contact(of_object(f)) for f in frames]
    for finger in fingers:
        counts = [len(list(of_finger(frame, finger))) for frame in frames]
        columns[f"contacts/{finger}"] = counts


def contact_row(contact: dict, names: list[str]) -> dict:
    """A contact as it is in the column `contacts`."""
    row = {"a": names[contact["a"]], "b": names[contact["b"]]}
    for name in ["point", "normal", "normal_force", "friction_force"]:
        if name in VECTORS:
            for axis, value in zip("xyz", contact[name], strict=True):
                row[f"{name}_{axis}"] = value
        else:
            row[name] = contact[name]
    for name in SCALARS[1:]:
        row[name] = contact[name]
    return row


def main() -> None:
    """Compares both files."""
    folder = Path(sys.argv[1])
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    check_mcap(folder / "recording.mcap", expected)
    check_series(folder / "series.parquet", expected)


if __name__ == "__main__":
    main()
