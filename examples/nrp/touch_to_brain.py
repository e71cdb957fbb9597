"""From the hand to the brain: the normal force of each finger on the bunny."""

from nrp_core import DataPackIdentifier, EngineDataPack, TransceiverFunction
from nrp_core.data.nrp_json import JsonDataPack

FINGERS = {
    "first": "first finger",
    "middle": "middle finger",
    "ring": "ring finger",
    "little": "little finger",
}


@EngineDataPack(keyword="contacts", id=DataPackIdentifier("contacts/bunny", "hand"))
@TransceiverFunction("brain")
def transceiver_function(contacts: JsonDataPack) -> list:
    """Sum up the contacts by finger, N."""
    forces = dict.fromkeys(FINGERS, 0.0)
    for contact in contacts.data:
        for finger, links in FINGERS.items():
            if any(body.startswith(f"hand/{links}") for body in contact["bodies"]):
                forces[finger] += contact["normal_force"]
    touch = JsonDataPack("touch", "brain")
    touch.data.update(forces)
    return [touch]
