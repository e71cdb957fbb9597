"""Learns how hard to close on a slippery cube: the cross-entropy method on one action.

Pressing harder holds better and costs more. The reward is that of `volar/Grasp-v0`; the
friction of the cube is another one in every episode. Takes about a minute on two cores.
"""

import gymnasium
import numpy as np
from numpy.typing import NDArray

import volar
import volar.gym  # makes volar/Grasp-v0 known

COPIES = 16
DRIVES = 2
ROUNDS = 8
ELITE = 4


def slippery(rng: np.random.Generator, sim: volar.Simulation) -> None:
    """Change the friction of the cube."""
    sim.body("cube").friction = rng.uniform(0.15, 0.3)


def score(envs: gymnasium.vector.VectorEnv, actions: NDArray[np.float32], seed: int) -> np.ndarray:
    """Mean reward of an episode with each action, one for all drives."""
    envs.reset(seed=seed)
    total, running = np.zeros(COPIES), np.ones(COPIES, dtype=bool)
    while running.any():
        every = np.repeat(actions[:, None], DRIVES, axis=1)
        _, rewards, terminated, truncated, _ = envs.step(every.astype(np.float32))
        total += np.where(running, rewards, 0.0)
        running &= ~(terminated | truncated)
    return total


def main(rounds: int = ROUNDS, duration: float = 0.6) -> tuple[float, list[float]]:
    """Learn; the action found, and the mean score of each round."""
    envs = gymnasium.make_vec(
        "volar/Grasp-v0",
        num_envs=COPIES,
        scene="g2p-cube",
        duration=duration,
        period=0.05,
        held_within=0.004,
        effort_cost=0.5,
        ranges={"slide_1": (0.0, 30.0), "slide_2": (0.0, 30.0)},
        randomize=slippery,
    )
    rng = np.random.default_rng(1)
    mean, deviation = -0.9, 0.4
    history = []
    for number in range(rounds):
        actions = np.clip(rng.normal(mean, deviation, COPIES), -1.0, 1.0)
        scores = score(envs, actions.astype(np.float32), seed=number)
        best = actions[np.argsort(scores)[-ELITE:]]
        mean, deviation = float(best.mean()), float(best.std()) + 0.02
        history.append(float(scores.mean()))
        force = 15.0 * (mean + 1.0)
        print(f"round {number}: mean score {history[-1]:6.2f}, closing force {force:5.2f} N")
    envs.close()
    return mean, history


if __name__ == "__main__":
    main()
