"""Laws of the pictures, for every game and option set, and the shapes that they are made of."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np
import pytest

from carnival_envs.core import drawing
from carnival_envs.core.drawing import THEMES, Circle, Drawing, Path, Rectangle, Shape, Text
from carnival_envs.core.state import State
from carnival_envs.registry import GAMES, definition, load_game
from tests.variants import all_games, load, random_game

ALL_GAMES = pytest.mark.parametrize(("name", "options"), all_games())
EVERY = 17
"""Of a game's states every so many are drawn."""

LIGHT = THEMES["light"]
RED, BLUE = "#ff0000", "#0000ff"
SVG = "{http://www.w3.org/2000/svg}"


def some_states(name: str, options: dict[str, Any], seed: int) -> list[State]:
    """States from all parts of a random game, each a copy of its own; the final one is among them."""
    states = []
    for number, state in enumerate(random_game(load(name, options), seed, greedy_share=0.5)):
        if number % EVERY == 0 or state.is_terminal():
            states.append(state.__copy__())
    return states


# Laws of every game ------------------------------------------------------------------------------------------------


@ALL_GAMES
def test_a_picture_shows_what_its_viewer_knows(name: str, options: dict[str, Any]) -> None:
    """Whatever is hidden from a player may be redrawn at random: his picture stays the same, to the last letter."""
    for number, state in enumerate(some_states(name, options, seed=11)):
        for player in range(state.game.num_players):
            picture = state.draw(player)
            assert state.resample(player, seed=number).draw(player) == picture
            assert state.view(player).draw() == picture


@ALL_GAMES
def test_pictures_of_a_game_have_one_size(name: str, options: dict[str, Any]) -> None:
    """Frames of a video must be equally large, with an even number of rows and columns; nothing lies outside."""
    sizes = set()
    for state in some_states(name, options, seed=12):
        for player in (None, state.game.num_players - 1):
            picture = state._drawing(player, "dark")
            sizes.add((picture.width, picture.height))
            outside = [shape for shape in picture.shapes if not is_inside(shape, picture)]
            assert not outside
    assert len(sizes) == 1
    assert all(length % 2 == 0 for length in sizes.pop())


def is_inside(shape: Shape, picture: Drawing) -> bool:
    left, top, right, bottom = extent(shape)
    return left >= 0 and top >= 0 and right <= picture.width and bottom <= picture.height


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """The box around a shape; of a text about."""
    match shape:
        case Rectangle(x, y, width, height):
            return x, y, x + width, y + height
        case Circle(x, y, radius):
            return x - radius, y - radius, x + radius, y + radius
        case Path(points):
            xs, ys = zip(*points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case Text():
            width = drawing.text_width(shape.string, shape.size, bold=shape.bold)
            before = {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
            return shape.x - before, shape.y - shape.size / 2, shape.x - before + width, shape.y + shape.size / 2


@ALL_GAMES
def test_both_themes_and_both_forms_show_the_same(name: str, options: dict[str, Any]) -> None:
    state = list(islice(random_game(load(name, options), 13), 40))[-1]
    light, dark = (state._drawing(None, theme) for theme in ("light", "dark"))
    assert [extent(shape) for shape in light.shapes] == [extent(shape) for shape in dark.shapes]
    root = ET.fromstring(state.draw())
    assert root.get("viewBox") == f"0 0 {light.width} {light.height}"
    assert len(root) == len(light.shapes)
    texts = [shape.string for shape in light.shapes if isinstance(shape, Text)]
    assert [element.text or "" for element in root.iter(f"{SVG}text")] == texts
    assert state._repr_svg_() == state.draw() != state.draw(theme="dark")


@pytest.mark.parametrize("name", GAMES)
def test_the_referee_sees_what_players_do_not(name: str) -> None:
    """Where anything is hidden, the picture of everything tells states apart that a player takes for one."""
    states = some_states(name, {}, seed=14)
    samples = [state.resample(0, seed=1) for state in states]
    hides = any(one.to_bytes() != other.to_bytes() for one, other in zip(states, samples, strict=True))
    tells = any(one.draw() != other.draw() for one, other in zip(states, samples, strict=True))
    assert hides == tells


@pytest.mark.parametrize("name", GAMES)
def test_pixels_are_a_frame(name: str) -> None:
    state = list(islice(random_game(load(name, {}), 15), 30))[-1]
    for theme, colours in THEMES.items():
        picture, frame = state._drawing(0, theme), state.pixels(0, theme)
        assert frame.shape == (picture.height, picture.width, 3)
        assert frame.dtype == np.uint8
        assert frame[0, 0].tolist() == rgb(colours.table)
        assert np.array_equal(frame, state.view(0).pixels(theme))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_picture_of_its_own_and_the_plain_text(name: str) -> None:
    """What a game without a drawing gets shows every line of its text, whatever game it is."""
    assert definition(name).draw is not drawing.draw_text
    state = load_game(name).new_initial_state(seed=1)
    page = drawing.draw_text(state.game, state._record[0], None, LIGHT)
    assert [shape.string for shape in page.shapes if isinstance(shape, Text)] == str(state).split("\n")
    last = page.shapes[-1]
    assert isinstance(last, Text)
    assert last.y + last.size / 2 <= page.height


def test_what_is_not_allowed() -> None:
    state = load_game("carnival").new_initial_state(seed=1)
    with pytest.raises(ValueError, match=r"theme: 'sepia' is not allowed; allowed: 'light' or 'dark'"):
        state.draw(theme="sepia")
    with pytest.raises(ValueError, match="player: 2 is not allowed"):
        state.draw(2)


def test_pixels_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "carnival_envs.core.pixels", raising=False)
    monkeypatch.setitem(sys.modules, "PIL", None)
    state = load_game("carnival").new_initial_state(seed=1)
    assert state.draw().startswith("<svg")
    with pytest.raises(ImportError, match=r"carnival-envs\[render\]"):
        state.pixels()


def test_names_of_users_are_escaped_and_cut() -> None:
    """A name that a user chose can break neither the document nor its place on the table."""
    names = ['<b> & "c"', "Unidos de Vila Isabel e Amigos do Samba"]
    state = load_game("carnavalesco", school_names=names).new_initial_state(seed=1)
    texts = [element.text or "" for element in ET.fromstring(state.draw()).iter(f"{SVG}text")]
    assert any(text.startswith('<b> & "c", division D') for text in texts)
    assert any(text.startswith("Unidos de Vila Isabel..., division D") for text in texts)


# Shapes ------------------------------------------------------------------------------------------------------------


def rgb(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def test_shapes_are_where_they_are_said_to_be() -> None:
    """Pixels inside and outside of each shape, at places worked out by hand; later shapes lie above earlier ones."""
    table = Drawing(100, 60, LIGHT)
    table.rectangle(10, 10, 20, 20, fill=RED)
    moved = table.at(40, 0).at(0, 10)
    moved.circle(10, 10, 8, fill=BLUE)
    table.polygon([(70, 10), (90, 10), (70, 30)], fill=RED)
    table.line([(0, 50), (100, 50)], stroke=BLUE, thickness=4)
    table.rectangle(15, 15, 5, 5, fill=BLUE)
    frame = table.pixels()
    assert frame.shape == (60, 100, 3)
    for column, row, colour in (
        (11, 11, RED),
        (28, 28, RED),
        (31, 20, LIGHT.table),
        (17, 17, BLUE),
        (50, 20, BLUE),
        (56, 20, BLUE),
        (56, 26, LIGHT.table),
        (72, 12, RED),
        (88, 28, LIGHT.table),
        (50, 50, BLUE),
        (50, 54, LIGHT.table),
    ):
        assert frame[row, column].tolist() == rgb(colour), (column, row)


@pytest.mark.parametrize(("anchor", "columns"), [("start", (50, 100)), ("middle", (25, 75)), ("end", (0, 50))])
def test_text_stands_at_its_anchor(anchor: drawing.Anchor, columns: tuple[int, int]) -> None:
    table = Drawing(100, 40, LIGHT)
    table.text(50, 20, "Tent", size=16, anchor=anchor)
    inked = np.argwhere((table.pixels() != np.array(rgb(LIGHT.table))).any(axis=2))
    (top, left), (bottom, right) = inked.min(axis=0), inked.max(axis=0)
    assert columns[0] - 1 <= left < right <= columns[1] + 1
    assert 10 <= top < 20 < bottom <= 30


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_its_value(value: int) -> None:
    table = Drawing(40, 40, LIGHT)
    table.die(20, 20, 30, value, fill=RED, pips=BLUE)
    pips = [(shape.x, shape.y) for shape in table.shapes if isinstance(shape, Circle)]
    assert len(pips) == value
    assert {(40 - x, 40 - y) for x, y in pips} == set(pips)  # turned by half a circle a die looks the same


def test_long_text_is_made_to_fit() -> None:
    assert drawing.fit("Swings", 12, 100) == ("Swings", 12)
    string, size = drawing.fit("Roller Coaster", 12, 70)
    assert string == "Roller Coaster"
    assert drawing.SMALLEST_TYPE <= size < 12
    string, size = drawing.fit("A name that goes on and on and on", 12, 60)
    assert string.endswith("...")
    assert size == drawing.SMALLEST_TYPE
    assert drawing.text_width(string, size) <= 60


def test_svg_elements() -> None:
    """The document, letter by letter, for one of each shape."""
    table = Drawing(20, 10, LIGHT)
    table.rectangle(1, 2.5, 3, 4, stroke=RED, radius=1)
    table.circle(5, 6, 2, fill=BLUE)
    table.line([(0, 0), (1, 1 / 3)], stroke=RED, thickness=2)
    table.text(3, 4, "a < b", size=10, fill=BLUE, anchor="end", bold=True)
    assert table.svg().split("\n")[2:] == [
        '<rect x="1" y="2.5" width="3" height="4" rx="1" fill="none" stroke="#ff0000" stroke-width="1"/>',
        '<circle cx="5" cy="6" r="2" fill="#0000ff"/>',
        '<polyline points="0,0 1,0.33" fill="none" stroke="#ff0000" stroke-width="2"/>',
        '<text x="3" y="7.5" font-size="10" fill="#0000ff" text-anchor="end" font-weight="bold">a &lt; b</text>',
        "</svg>",
    ]


# Headlines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_headlines_have_words_for_every_phase_and_every_end(name: str) -> None:
    text, known = import_module(f"carnival_envs.games.{name}.text"), definition(name)
    tasks = [text.TASKS[phase] for phase, key in enumerate(known.phases) if key != "over"]
    assert len(tasks) == len(text.TASKS)
    assert not any("_" in task for task in tasks)
    assert len(getattr(text, "ENDS", known.end_reasons)) == len(known.end_reasons)
