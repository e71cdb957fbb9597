"""From the brain to the hand: how far each finger is to be bent."""

from nrp_core import DataPackIdentifier, EngineDataPack, TransceiverFunction
from nrp_core.data.nrp_json import JsonDataPack

#: Knuckle and middle joint of each finger.
JOINTS = {
    "first": ("hand/FFJ2", "hand/FFJ1"),
    "middle": ("hand/MFJ2", "hand/MFJ1"),
    "ring": ("hand/RFJ2", "hand/RFJ1"),
    "little": ("hand/LFJ2", "hand/LFJ1"),
}


@EngineDataPack(keyword="bend", id=DataPackIdentifier("bend", "brain"))
@TransceiverFunction("hand")
def transceiver_function(bend: JsonDataPack) -> list:
    """Make targets of it, rad."""
    targets = JsonDataPack("targets", "hand")
    for finger, (knuckle, middle) in JOINTS.items():
        targets.data[knuckle] = bend.data[finger]
        targets.data[middle] = 0.84 * bend.data[finger]
    return [targets]
