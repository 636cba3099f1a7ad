"""``gymnasium.wrappers.RecordVideo`` on every game; it writes with moviepy, of the extra ``video``."""

from __future__ import annotations

from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("moviepy", reason="the extra video is not installed")
pytest.importorskip("imageio_ffmpeg", reason="the extra video is not installed")

import imageio_ffmpeg as ffmpeg
from gymnasium.wrappers import RecordVideo

from carnival_envs.envs.registration import env_id
from carnival_envs.registry import GAMES

STEPS = 6


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # ffmpeg's reader leaves pipes open
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", GAMES)
def test_record_video(name: str, tmp_path: Path) -> None:
    """A picture before the first decision and after each, in the size of the game's table."""
    env = RecordVideo(
        gym.make(env_id(name), opponents="greedy", seat=0, render_mode="rgb_array"),
        str(tmp_path / "videos"),
        disable_logger=True,
    )
    _, info = env.reset(seed=2)
    pictures = [env.render()]
    for _ in range(STEPS):
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        assert not terminated
        assert not truncated
        pictures.append(env.render())
    env.close()
    (path,) = (tmp_path / "videos").glob("*.mp4")
    video = ffmpeg.read_frames(str(path))
    told = next(video)
    height, width, _ = pictures[0].shape
    assert tuple(told["size"]) == (width, height)
    read = [np.frombuffer(picture, dtype=np.uint8).reshape(height, width, 3) for picture in video]
    assert len(read) == STEPS + 1
    for drawn, seen in zip(pictures, read, strict=True):
        assert np.abs(seen.astype(int) - drawn.astype(int)).mean() < 8
