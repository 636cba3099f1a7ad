"""Replays as moving pictures: GIF with Pillow, MP4 with imageio and the ffmpeg that it brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from carnival_envs.core.files import replacing
from carnival_envs.core.options import refuse
from carnival_envs.play.watching import Watching

Frame = npt.NDArray[np.uint8]

DEFAULT_FPS: Final = 2.0
FASTEST: Final = 50.0
"""Frames a second; GIF counts hundredths of a second, and most programs show none of one hundredth."""

LAST_FRAME: Final = 4
"""How many times as long the last picture stays."""

COLOURS: Final = 64
"""Of a picture in a GIF: the drawings have few."""


def export(
    watching: Watching,
    path: str | Path,
    *,
    fps: float = DEFAULT_FPS,
    theme: str = "light",
    on_progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a replay as a GIF or an MP4, whole or not at all. Returns the path.

    Args:
        watching: the replay, and who looks.
        path: the file; its ending says which.
        fps: moves a second.
        theme: ``"light"`` or ``"dark"``.
        on_progress: is told how many pictures are done, and how many there are.

    Raises:
        ImportError: the extra ``render`` (GIF) or ``video`` (MP4) is not installed.
        ValueError: another ending, a speed or a theme that is not allowed.
    """
    path = Path(path)
    if path.suffix not in WRITERS:
        refuse("out", str(path), f"a file that ends in {' or '.join(WRITERS)}")
    if not 0 < fps <= FASTEST:
        refuse("fps", fps, f"a number above 0, at most {FASTEST}")
    with replacing(path) as temporary:
        WRITERS[path.suffix](frames(watching, theme, on_progress), temporary, fps)
    return path


def frames(watching: Watching, theme: str, on_progress: Callable[[int, int], None] | None = None) -> Iterator[Frame]:
    """The pictures of a replay, one for each moment; the last one some times more."""
    total = watching.num_moves + 1
    frame = np.empty(0, dtype=np.uint8)
    for moment in range(total):
        frame = watching.pixels(moment, theme)
        if on_progress is not None:
            on_progress(moment + 1, total)
        yield frame
    yield from [frame] * (LAST_FRAME - 1)


def write_gif(pictures: Iterator[Frame], path: Path, fps: float) -> None:
    """A GIF that repeats for ever.

    Raises:
        ImportError: the extra ``render`` is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError('a GIF needs the extra "render": pip install "carnival-envs[render]"') from error

    images = (Image.fromarray(picture).quantize(COLOURS) for picture in pictures)
    first = next(images)
    milliseconds = round(1000 / fps)
    first.save(path, "GIF", save_all=True, append_images=images, duration=milliseconds, loop=0, optimize=False)


def write_mp4(pictures: Iterator[Frame], path: Path, fps: float) -> None:
    """An MP4 that every browser plays.

    Raises:
        ImportError: the extra ``video`` is not installed.
    """
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise ImportError('an MP4 needs the extra "video": pip install "carnival-envs[video]"') from error

    first = next(pictures)
    height, width, _ = first.shape
    writer = imageio_ffmpeg.write_frames(  # type: ignore[attr-defined, no-untyped-call]
        str(path), (width, height), fps=fps, macro_block_size=2, output_params=["-f", "mp4", "-movflags", "+faststart"]
    )
    writer.send(None)
    try:
        writer.send(first)
        for picture in pictures:
            writer.send(picture)
    finally:
        writer.close()


WRITERS: Final[dict[str, Callable[[Iterator[Frame], Path, float], Any]]] = {".gif": write_gif, ".mp4": write_mp4}
"""Ending of a file to what writes it."""
