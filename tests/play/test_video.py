"""Replays as GIF and MP4, read back with the libraries' own readers."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.play.video import COLOURS, LAST_FRAME, export
from carnival_envs.play.watching import Watching
from carnival_envs.registry import GAMES
from carnival_envs.replay import Replay

MOVES = 3


def start_of(name: str) -> Watching:
    """The first moves of a game."""
    game, actions = load_game(name), []
    state = game.new_initial_state(seed=3)
    for _ in range(MOVES):
        actions.append(state.legal_actions()[0])
        state.apply_action(actions[-1])
    return Watching(Replay(game, tuple(actions), ("random",) * game.num_players, seed=3), 0)


@pytest.mark.parametrize("name", GAMES)
def test_gif(name: str, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="the extra render is not installed")
    watching = start_of(name)
    with image.open(export(watching, tmp_path / "game.gif", fps=4)) as gif:
        durations = []
        for moment in range(gif.n_frames):
            gif.seek(moment)
            durations.append(gif.info["duration"])
            drawn = watching.pixels(min(moment, MOVES)).astype(int)
            difference = np.abs(np.asarray(gif.convert("RGB"), dtype=int) - drawn)
            assert difference.mean() < 4, f"{COLOURS} colours show the picture {moment}"
        assert gif.info["loop"] == 0
        assert sum(durations) == (MOVES + LAST_FRAME) * 250


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # ffmpeg's reader leaves pipes open
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_mp4(tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="the extra video is not installed")
    watching = start_of("carnavalesco")
    pictures = ffmpeg.read_frames(str(export(watching, tmp_path / "game.mp4", fps=4, theme="dark")))
    told = next(pictures)
    height, width, _ = watching.pixels(0).shape
    assert tuple(told["size"]) == (width, height)
    assert told["fps"] == 4
    read = [np.frombuffer(picture, dtype=np.uint8).reshape(height, width, 3) for picture in pictures]
    assert len(read) == MOVES + LAST_FRAME
    for moment, picture in enumerate(read):
        drawn = watching.pixels(min(moment, MOVES), "dark").astype(int)
        assert np.abs(picture.astype(int) - drawn).mean() < 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "game.avi"}, "out: .*game.avi' is not allowed; allowed: a file that ends in .gif or .mp4"),
        ({"path": "game.gif", "fps": 0}, "fps: 0 is not allowed"),
        ({"path": "game.gif", "fps": 1000}, "fps: 1000 is not allowed"),
        ({"path": "game.gif", "theme": "sepia"}, "theme: 'sepia'"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        export(start_of("carnavalo"), tmp_path / str(arguments.pop("path")), **arguments)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("ending", "module", "extra"), [("gif", "PIL", "render"), ("mp4", "imageio_ffmpeg", "video")])
def test_without_the_extra(
    ending: str, module: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"carnival-envs\[{extra}\]"):
        export(start_of("carnavalo"), tmp_path / f"game.{ending}")
    assert not list(tmp_path.iterdir())
