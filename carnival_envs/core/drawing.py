"""Pictures of a table: a list of shapes that a game describes its table with, written as SVG or painted in pixels.

A game draws with the methods of ``Drawing``; ``Drawing.svg()`` and ``Drawing.pixels()`` show the same shapes. The unit
is one pixel of a picture that is shown unscaled. Nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from carnival_envs.core.options import refuse

if TYPE_CHECKING:
    from carnival_envs.core.game import Game
    from carnival_envs.core.interface import Record

Point: TypeAlias = tuple[float, float]
Anchor: TypeAlias = Literal["start", "middle", "end"]

FONT: Final = "Aileron, 'Helvetica Neue', Helvetica, Arial, sans-serif"
FIXED_WIDTH_FONT: Final = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
FIXED_ADVANCE: Final = 0.6
"""The width of a character of the fixed-width font, in font sizes."""

BASELINE: Final = 0.35
"""How far below the middle of a line its baseline lies, in font sizes."""

# Colours ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Theme:
    """The colours of everything that is not a playing piece.

    Attributes:
        table: behind everything.
        panel: an area of the table, such as a player's.
        card: something that lies on it.
        line: outlines and empty places.
        ink: text.
        faint: text and marks of less weight.
        accent: whose turn it is, and what else catches the eye.
        back: the back of a card.
    """

    table: str
    panel: str
    card: str
    line: str
    ink: str
    faint: str
    accent: str
    back: str


THEMES: Final = {
    "light": Theme("#f4efe6", "#e9e1d2", "#fffdf8", "#b8ab94", "#2b2620", "#6f6556", "#c2410c", "#8d7f69"),
    "dark": Theme("#1d1b22", "#2a2731", "#3a3643", "#5f586c", "#f3eee4", "#b3aabd", "#ffa94d", "#6a6178"),
}

SEAT_COLOURS: Final = ("#d6336c", "#1971c2", "#2b8a3e", "#b86e00", "#6741d9", "#0b7285")
"""The colours of the players, for white text on them, in both themes."""

WHITE: Final = "#ffffff"
BLACK: Final = "#1b1a1f"


def theme_of(name: object) -> Theme:
    """The theme of a name.

    Raises:
        ValueError: no such theme.
    """
    if not isinstance(name, str) or name not in THEMES:
        refuse("theme", name, " or ".join(map(repr, THEMES)))
    return THEMES[name]


# Shapes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rectangle:
    """A rectangle from its upper left corner, with rounded corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    fill: str | None
    stroke: str | None
    thickness: float

    def svg(self) -> str:
        """The element."""
        place = _attributes(x=self.x, y=self.y, width=self.width, height=self.height, rx=self.radius)
        return f"<rect{place}{_paint(self.fill, self.stroke, self.thickness)}/>"


@dataclass(frozen=True)
class Circle:
    """A circle around its centre."""

    x: float
    y: float
    radius: float
    fill: str | None
    stroke: str | None
    thickness: float

    def svg(self) -> str:
        """The element."""
        place = _attributes(cx=self.x, cy=self.y, r=self.radius)
        return f"<circle{place}{_paint(self.fill, self.stroke, self.thickness)}/>"


@dataclass(frozen=True)
class Path:
    """Straight lines from point to point; an area if it is closed."""

    points: tuple[Point, ...]
    closed: bool
    fill: str | None
    stroke: str | None
    thickness: float

    def svg(self) -> str:
        """The element."""
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in self.points)
        element = "polygon" if self.closed else "polyline"
        return f'<{element} points="{points}"{_paint(self.fill, self.stroke, self.thickness)}/>'


@dataclass(frozen=True)
class Text:
    """A line of text; ``y`` is its middle."""

    x: float
    y: float
    string: str
    size: float
    fill: str
    anchor: Anchor
    bold: bool
    fixed_width: bool

    @property
    def baseline(self) -> float:
        """Where the letters stand."""
        return self.y + BASELINE * self.size

    def svg(self) -> str:
        """The element."""
        place = _attributes(x=self.x, y=self.baseline, font_size=self.size)
        anchor = "" if self.anchor == "start" else f' text-anchor="{self.anchor}"'
        weight = ' font-weight="bold"' if self.bold else ""
        font = f' font-family="{FIXED_WIDTH_FONT}" xml:space="preserve"' if self.fixed_width else ""
        return f'<text{place} fill="{self.fill}"{anchor}{weight}{font}>{escape(self.string)}</text>'


Shape: TypeAlias = Rectangle | Circle | Path | Text


def _number(value: float) -> str:
    """A length without needless digits."""
    return f"{round(float(value), 2):g}"


def _attributes(**lengths: float) -> str:
    """The lengths of an element that are not 0."""
    return "".join(f' {name.replace("_", "-")}="{_number(value)}"' for name, value in lengths.items() if value)


def _paint(fill: str | None, stroke: str | None, thickness: float) -> str:
    """How an element is filled and outlined."""
    outline = f' stroke="{stroke}" stroke-width="{_number(thickness)}"' if stroke else ""
    return f' fill="{fill or "none"}"{outline}'


# Text ---------------------------------------------------------------------------------------------------------------

NARROW, USUAL, WIDE = 0.34, 0.6, 0.9
NARROW_CHARACTERS: Final = frozenset("iljtfrI.,:;!'|()[] -")
WIDE_CHARACTERS: Final = frozenset("mwMW@%")
CAPITAL: Final = 0.68
BOLD: Final = 1.12
"""How much wider bold letters are."""

SMALLEST_TYPE: Final = 9.0
ELLIPSIS: Final = "..."


def text_width(string: str, size: float, *, bold: bool = False) -> float:
    """About how wide a line of text is, even in a wide font."""
    return size * sum(map(_advance, string)) * (BOLD if bold else 1)


def _advance(character: str) -> float:
    """About how wide a character is, in font sizes."""
    if character in NARROW_CHARACTERS:
        return NARROW
    if character in WIDE_CHARACTERS:
        return WIDE
    return CAPITAL if character.isupper() else USUAL


def fit(string: str, size: float, width: float, *, bold: bool = False) -> tuple[str, float]:
    """A line of text in as large a type as fits a width; what does not fit in the smallest type is cut off."""
    needed = text_width(string, size, bold=bold)
    if needed <= width:
        return string, size
    if size * width / needed >= SMALLEST_TYPE:
        return string, size * width / needed
    while string and text_width(string + ELLIPSIS, SMALLEST_TYPE, bold=bold) > width:
        string = string[:-1]
    return string + ELLIPSIS, SMALLEST_TYPE


HEADLINE_HEIGHT, HEADLINE_TYPE, HEADLINE_MARGIN = 40, 17, 14
"""The headline of a table takes the first ``HEADLINE_HEIGHT`` of the picture."""

# Drawings -----------------------------------------------------------------------------------------------------------

PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""The pips of a die, in quarters of its size from its middle."""


class Drawing:
    """Shapes on a table of a given size, in the order in which they are laid on it.

    Attributes:
        width, height: the size of the whole picture.
        theme: its colours.
        shapes: what has been drawn.
    """

    def __init__(self, width: int, height: int, theme: Theme) -> None:
        """An empty table."""
        self.width = width
        self.height = height
        self.theme = theme
        self.shapes: list[Shape] = []
        self._x = self._y = 0.0
        self.rectangle(0, 0, width, height, fill=theme.table)

    def at(self, x: float, y: float) -> Drawing:
        """The same drawing with its origin moved: what is drawn with it is drawn from there."""
        moved = copy(self)
        moved._x += x
        moved._y += y
        return moved

    # Shapes

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        stroke: str | None = None,
        radius: float = 0,
        thickness: float = 1,
    ) -> None:
        """A rectangle from its upper left corner."""
        self.shapes.append(Rectangle(self._x + x, self._y + y, width, height, radius, fill, stroke, thickness))

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: str | None = None,
        stroke: str | None = None,
        thickness: float = 1,
    ) -> None:
        """A circle around its centre."""
        self.shapes.append(Circle(self._x + x, self._y + y, radius, fill, stroke, thickness))

    def polygon(
        self, points: Iterable[Point], *, fill: str | None = None, stroke: str | None = None, thickness: float = 1
    ) -> None:
        """An area with straight sides."""
        self.shapes.append(Path(self._placed(points), True, fill, stroke, thickness))

    def line(self, points: Iterable[Point], *, stroke: str, thickness: float = 1) -> None:
        """A line from point to point."""
        self.shapes.append(Path(self._placed(points), False, None, stroke, thickness))

    def text(
        self,
        x: float,
        y: float,
        string: str,
        *,
        size: float = 13,
        fill: str | None = None,
        anchor: Anchor = "start",
        bold: bool = False,
        width: float | None = None,
        fixed_width: bool = False,
    ) -> None:
        """A line of text around the height ``y``; no wider than ``width``, if that is given."""
        if width is not None:
            string, size = fit(string, size, width, bold=bold)
        colour = fill or self.theme.ink
        self.shapes.append(Text(self._x + x, self._y + y, string, size, colour, anchor, bold, fixed_width))

    def _placed(self, points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((self._x + x, self._y + y) for x, y in points)

    # Things that lie on many tables

    def headline(self, words: str) -> None:
        """What is going on, at the top of the picture."""
        width = self.width - 4 * HEADLINE_MARGIN
        self.text(HEADLINE_MARGIN, HEADLINE_HEIGHT / 2, words, size=HEADLINE_TYPE, bold=True, width=width)

    def panel(self, x: float, y: float, width: float, height: float, *, marked: bool = False) -> Drawing:
        """An area of the table, outlined if it is marked; returns the drawing from its upper left corner."""
        theme = self.theme
        stroke = theme.accent if marked else None
        self.rectangle(x, y, width, height, fill=theme.panel, stroke=stroke, radius=8, thickness=2)
        return self.at(x, y)

    def token(
        self,
        x: float,
        y: float,
        radius: float,
        label: str = "",
        *,
        fill: str,
        ink: str = WHITE,
        stroke: str | None = None,
    ) -> None:
        """A round piece with something short printed on it."""
        self.circle(x, y, radius, fill=fill, stroke=stroke or self.theme.table)
        if label:
            self.text(x, y, label, size=1.15 * radius, fill=ink, anchor="middle", bold=True)

    def die(self, x: float, y: float, size: float, value: int, *, fill: str, pips: str) -> None:
        """A die around its middle, seen from above."""
        self.rectangle(x - size / 2, y - size / 2, size, size, fill=fill, stroke=pips, radius=size / 5)
        for right, down in PIPS[value]:
            self.circle(x + right * size / 4, y + down * size / 4, size / 10, fill=pips)

    def star(self, x: float, y: float, radius: float, *, fill: str, points: int = 5, waist: float = 0.45) -> None:
        """A star around its middle."""
        angles = np.pi * np.arange(2 * points) / points
        radii = radius * np.where(np.arange(2 * points) % 2, waist, 1.0)
        corners = zip(x + radii * np.sin(angles), y - radii * np.cos(angles), strict=True)
        self.polygon(((float(right), float(down)) for right, down in corners), fill=fill)

    # Pictures

    def svg(self) -> str:
        """The picture as an SVG document."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
        return "\n".join([head, *(shape.svg() for shape in self.shapes), "</svg>"])

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture in red, green and blue: uint8, ``(height, width, 3)``.

        Raises:
            ImportError: the extra ``render`` is not installed.
        """
        from carnival_envs.core.pixels import paint

        return paint(self.width, self.height, self.shapes)


# A table in plain text ----------------------------------------------------------------------------------------------

PAGE_WIDTH, PAGE_HEIGHT, PAGE_MARGIN = 800, 600, 20
LARGEST_TYPE, LINE_HEIGHT = 14.0, 1.35


def draw_text(game: Game, s: Record, viewer: int | None, theme: Theme) -> Drawing:
    """A game's plain text as a picture: what a game without a drawing of its own shows."""
    return page(game.definition.text(game, s, viewer).split("\n"), theme)


def page(lines: Sequence[str], theme: Theme) -> Drawing:
    """Lines of text on a page, in as large a type as shows them all; all pages are of one size."""
    drawing = Drawing(PAGE_WIDTH, PAGE_HEIGHT, theme)
    columns = max(1, max(map(len, lines), default=1))
    by_width = (PAGE_WIDTH - 2 * PAGE_MARGIN) / (FIXED_ADVANCE * columns)
    by_height = (PAGE_HEIGHT - 2 * PAGE_MARGIN) / (LINE_HEIGHT * max(1, len(lines)))
    size = min(LARGEST_TYPE, by_width, by_height)
    for number, line in enumerate(lines):
        drawing.text(PAGE_MARGIN, PAGE_MARGIN + LINE_HEIGHT * size * (number + 0.5), line, size=size, fixed_width=True)
    return drawing
