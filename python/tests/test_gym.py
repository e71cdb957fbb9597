"""The environments of Gymnasium."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import volar
import volar.gym


def test_gymnasium_finds_nothing_wrong() -> None:
    env = gymnasium.make("volar/Grasp-v0", scene="g2p-cube", duration=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # No rendering, and spaces without bounds: both are meant.
        warnings.filterwarnings("ignore", message=".*render.*")
        warnings.filterwarnings("ignore", message=".*infinity.*")
        check_env(env.unwrapped, skip_render_check=True)


def test_observation_is_what_is_asked_for() -> None:
    whole = volar.gym.GraspEnv("g2r-bunny")
    assert whole.observation_space.shape == (2 + 2 + 7 + 6 + 2 + 1,)
    part = volar.gym.GraspEnv("g2r-bunny", observation=("finger_forces", "object_pose"))
    observation, _ = part.reset(seed=1)
    assert observation.shape == (9,)
    assert observation[:7] == pytest.approx(np.r_[part.object_pose().position, observation[3:7]])
    with pytest.raises(ValueError, match="observation"):
        volar.gym.GraspEnv("g2r-bunny", observation=("colour",))


def test_holding_is_rewarded_and_dropping_ends() -> None:
    options = {"duration": 1.0, "period": 0.1, "ranges": {"slide_1": (0, 20), "slide_2": (0, 20)}}
    env = volar.gym.GraspEnv("g2p-cube", **options)
    env.reset(seed=0)
    for _ in range(10):
        _, reward, terminated, truncated, info = env.step(np.zeros(2, dtype=np.float32))
        assert reward > 0.5 and not terminated and info["held"]
    assert truncated and env.finger_forces() == pytest.approx([10.0, 10.0], rel=0.05)
    assert 0.0 < env.friction_margin() < 1.0
    env.reset()
    ended = [env.step(-np.ones(2, dtype=np.float32))[2] for _ in range(10)]
    assert any(ended)


def test_reward_and_randomness_of_ones_own() -> None:
    env = volar.gym.GraspEnv(
        "g2p-cube",
        reward=lambda env: -env.distance(),
        randomize=lambda rng, sim: setattr(sim.body("cube"), "friction", rng.uniform(0.3, 0.9)),
    )
    frictions = []
    for seed in (1, 2, 1):
        env.reset(seed=seed)
        frictions.append(env.simulation.body("cube").friction)
    assert frictions[0] == frictions[2] != frictions[1]
    assert env.step(np.zeros(2, dtype=np.float32))[1] <= 0.0


def test_vector_is_the_same_as_single() -> None:
    envs = gymnasium.make_vec("volar/Grasp-v0", num_envs=3, scene="g2p-cube", duration=0.06)
    assert isinstance(envs.unwrapped, volar.gym.GraspVectorEnv)
    observations, _ = envs.reset(seed=5)
    assert observations.shape == envs.observation_space.shape
    single = volar.gym.GraspEnv("g2p-cube", duration=0.06)
    single.reset(seed=5)
    actions = np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]], dtype=np.float32)
    for step in range(3):
        observations, rewards, terminated, truncated, info = envs.step(actions)
        expected = single.step(actions[1])
        assert np.array_equal(observations[1], expected[0]) and rewards[1] == expected[1]
        assert truncated.all() == (step == 2) and not terminated.any()
        assert info["distance"].shape == (3,)
    observations, rewards, _, truncated, _ = envs.step(actions)
    assert not truncated.any() and not rewards.any(), "the next episode has begun"
    envs.close()


def test_wrong_use() -> None:
    scene = volar.Scene("no grasp")
    scene.add_body({"box": [0.1, 0.1, 0.1]})
    with pytest.raises(volar.SceneError, match="grasp"):
        volar.gym.GraspEnv(scene)
    with pytest.raises(KeyError, match="slide_1"):
        volar.gym.GraspEnv("g2p-cube", ranges={"thumb": (0, 1)})
    env = volar.gym.GraspEnv("g2p-cube")
    env.reset()
    for action in (np.zeros(3), np.array([np.nan, 0.0]), "x"):
        with pytest.raises(ValueError):
            env.step(action)
