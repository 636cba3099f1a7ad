"""Shapes painted in pixels, with Pillow and the font that it brings: no display, no library or font of the system."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from carnival_envs.core.drawing import FIXED_ADVANCE, Circle, Path, Rectangle, Shape, Text

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise ImportError('pixels need the extra "render": pip install "carnival-envs[render]"') from error

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw as Canvas
    from PIL.ImageFont import FreeTypeFont
    from PIL.ImageFont import ImageFont as BitmapFont

FINENESS: Final = 2
"""Everything is painted so many times as large and then reduced, which smoothes the edges."""

BOLD: Final = 0.02
"""How much thicker bold letters are, in font sizes."""

ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}


def paint(width: int, height: int, shapes: Iterable[Shape]) -> npt.NDArray[np.uint8]:
    """The shapes in red, green and blue, later ones above earlier ones: uint8, ``(height, width, 3)``."""
    image = Image.new("RGB", (FINENESS * width, FINENESS * height))
    canvas = ImageDraw.Draw(image)
    for shape in shapes:
        paint_shape(canvas, shape)
    return np.asarray(image.reduce(FINENESS), dtype=np.uint8).copy()


def paint_shape(canvas: Canvas, shape: Shape) -> None:
    """One shape."""
    match shape:
        case Rectangle(x, y, width, height, radius):
            box = enlarged(x, y, x + width, y + height)
            thickness = stroke_width(shape.thickness, shape.stroke)
            canvas.rounded_rectangle(box, FINENESS * radius, shape.fill, shape.stroke, thickness)
        case Circle(x, y, radius):
            box = enlarged(x - radius, y - radius, x + radius, y + radius)
            canvas.ellipse(box, shape.fill, shape.stroke, stroke_width(shape.thickness, shape.stroke))
        case Path():
            paint_path(canvas, shape)
        case Text():
            paint_text(canvas, shape)


def paint_path(canvas: Canvas, path: Path) -> None:
    """An area, then its outline; or a line."""
    points = [(FINENESS * x, FINENESS * y) for x, y in path.points]
    if path.fill:
        canvas.polygon(points, path.fill)
    if path.stroke:
        outline = points + points[:2] if path.closed else points
        canvas.line(outline, path.stroke, stroke_width(path.thickness, path.stroke), joint="curve")


def paint_text(canvas: Canvas, text: Text) -> None:
    """A line of text; with a fixed width, character by character, as the font has none."""
    size = FINENESS * text.size
    x, y = FINENESS * text.x, FINENESS * text.baseline
    anchor = ANCHORS[text.anchor]
    if not text.fixed_width:
        thickness = round(BOLD * size) if text.bold else 0
        canvas.text((x, y), text.string, text.fill, font(size), anchor, stroke_width=thickness)
        return
    for place, character in enumerate(text.string):
        middle = x + (place + 0.5) * FIXED_ADVANCE * size
        canvas.text((middle, y), character, text.fill, font(size), ANCHORS["middle"])


@cache
def font(size: float) -> FreeTypeFont | BitmapFont:
    """Pillow's own font in a size."""
    return ImageFont.load_default(size)


def enlarged(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    """A box on the larger canvas, whose far edges Pillow counts in."""
    return FINENESS * left, FINENESS * top, FINENESS * right - 1, FINENESS * bottom - 1


def stroke_width(thickness: float, stroke: str | None) -> int:
    """The width of an outline on the larger canvas."""
    return max(1, round(FINENESS * thickness)) if stroke else 0
