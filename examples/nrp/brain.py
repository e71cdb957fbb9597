"""Four fingers, two spiking neurons each: one bends the finger, one straightens it.

Leaky integrate-and-fire neurons. The current of a neuron grows with how much the force on
its finger is too low, or too high; every spike moves the finger by a little. Currents below
the threshold make no spikes, so the fingers come to rest when all press about as hard as
wanted.
"""

from nrp_core.engines.python_json import EngineScript

FINGERS = ("first", "middle", "ring", "little")
WANTED = 2.5  # N, of each finger
GAIN = 8.0  # 1/N, membrane potential per force; the threshold is 1
TIME_CONSTANT = 0.02  # s
BEND = 0.006  # rad per spike
RANGE = (0.0, 1.57)  # rad


class Neuron:
    """Leaky integrate-and-fire; potentials in units of the threshold."""

    def __init__(self) -> None:
        self.potential = 0.0

    def spikes(self, current: float, seconds: float) -> bool:
        """Whether it fires within a short time at a current."""
        self.potential += (current - self.potential) * min(seconds / TIME_CONSTANT, 1.0)
        if self.potential < 1.0:
            return False
        self.potential = 0.0
        return True


class Script(EngineScript):
    """Takes the forces of the fingers, gives how far they are to be bent."""

    def initialize(self) -> None:
        """Begin with an open hand."""
        self._registerDataPack("touch")
        self._registerDataPack("bend")
        self.begin()

    def begin(self) -> None:
        """Forget everything."""
        self.bend = dict.fromkeys(FINGERS, 0.6)
        self.bending = {finger: Neuron() for finger in FINGERS}
        self.straightening = {finger: Neuron() for finger in FINGERS}
        self._setDataPack("touch", dict.fromkeys(FINGERS, 0.0))
        self._setDataPack("bend", dict(self.bend))

    def runLoop(self, timestep_ns: int) -> None:  # noqa: N802
        """Let the neurons fire, a millisecond at a time."""
        touch = self._getDataPack("touch") or {}
        for finger in FINGERS:
            error = WANTED - touch.get(finger, 0.0)
            for _ in range(max(1, round(1e-6 * timestep_ns))):
                if self.bending[finger].spikes(GAIN * error, 1e-3):
                    self.bend[finger] += BEND
                if self.straightening[finger].spikes(-GAIN * error, 1e-3):
                    self.bend[finger] -= BEND
            self.bend[finger] = min(max(self.bend[finger], RANGE[0]), RANGE[1])
        self._setDataPack("bend", dict(self.bend))

    def reset(self) -> None:
        """Begin again."""
        self.begin()

    def shutdown(self) -> None:
        """There is nothing to let go of."""
