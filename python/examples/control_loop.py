"""A controller in the loop: fingers close until they press with a wanted force.

A force controller at 1 kHz on top of what the scene does: an integrator on the measured
normal force of each finger.
"""

import numpy as np

import volar

WANTED = 6.0  # N
PERIOD = 1e-3  # s
GAIN = 20.0  # 1/s


def main(seconds: float = 1.5) -> np.ndarray:
    """Run the loop; the normal forces at its end, N."""
    scene = volar.Scene.load("g2p-cube")
    sim = scene.simulate()
    gripper = sim.robot("gripper")
    closing, forces = np.full(2, 1.0), np.zeros(2)  # N
    sim.command(dict.fromkeys(sim.command_names, 0.0))
    while sim.time < seconds:
        forces[:] = 0.0
        for contact in sim.contacts.of("cube"):
            finger = contact.other("cube").removeprefix("gripper/")
            forces[int(finger[-1]) - 1] += contact.normal_force
        closing = np.clip(closing + GAIN * PERIOD * (WANTED - forces), 0.0, 20.0)
        gripper.effort = closing
        sim.advance(PERIOD)
    print(f"normal forces after {sim.time:.2f} s: {forces.round(3)} N, wanted {WANTED} N")
    return forces


if __name__ == "__main__":
    main()
