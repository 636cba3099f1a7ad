"""What the pages of the games take from the code: every table, and the picture of the table.

A page holds markers, ``{{ options_table }}`` and the like; ``render`` puts in their place what the game's definition
says. A registered game without a page of its own gets ``default_page``. Nothing here needs mkdocs.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.data import IDENTITIES
from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.drawing import THEMES
from carnival_envs.core.game import Game
from carnival_envs.core.options import Option, check_options
from carnival_envs.core.views import Views
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.registry import definition

GAMES_FOLDER = Path(__file__).parent / "games"
PICTURES = Path(__file__).parent / "pictures"
"""What ``docs/pictures.py`` writes."""

STRENGTH = Path(__file__).parent / "strength.json"
"""What ``docs/strength.py`` writes."""

MARKER = re.compile(r"\{\{ (\w+) \}\}")

SECTIONS = (
    "The game",
    "The table",
    "Rules",
    "Options",
    "Actions",
    "Observation",
    "Rewards and returns",
    "End of the game",
    "Hidden information",
    "Baseline bot",
    "Strength",
    "Sources of the components",
    "Versions",
)
"""The headings of every page, in this order."""

DEFAULT_PAGE = """# {title}

{summary}

## The game

{{{{ facts_table }}}}

## The table

{{{{ picture }}}}

{{{{ board }}}}

## Options

{{{{ options_table }}}}

## Actions

{{{{ actions_table }}}}

## Observation

{{{{ observation_table }}}}

## End of the game

{{{{ end_reasons }}}}

## Sources of the components

{{{{ sources_table }}}}
"""

BOARD_SEED = 7
BOARD_DECISIONS = 40
"""The table is drawn after so many decisions of the baseline bots, or before the last one of a shorter game."""

SHOWN_VALUES = 4
"""A part of an action string that takes more values is given by its first and its last."""

NAMED_ENTRIES = 3
"""So many entries of a list are named; of more only the number is told."""


def render(markdown: str, name: str) -> str:
    """A page with everything in the place of its markers.

    Args:
        markdown: the page.
        name: the id of the game.

    Raises:
        ValueError: an unknown game or marker.
    """
    game = definition(name)

    def generated(marker: re.Match[str]) -> str:
        if marker[1] not in GENERATORS:
            raise ValueError(f"page of {name}: {marker[0]!r} is not allowed; allowed: {', '.join(GENERATORS)}")
        return GENERATORS[marker[1]](game)

    return MARKER.sub(generated, markdown)


def default_page(name: str) -> str:
    """The page of a game that has none, with its markers."""
    game = definition(name)
    return DEFAULT_PAGE.format(title=game.title, summary=sentence(game.summary))


def page(name: str) -> str:
    """The page of a game as it is written, with its markers."""
    path = GAMES_FOLDER / f"{name}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else default_page(name)


# Tables -----------------------------------------------------------------------------------------------------------


def facts_table(game: GameDefinition) -> str:
    """What the game is called, and how large everything is."""
    by_players = games_by_players(game)
    sizes = {n: one.observation_size for n, one in by_players.items()}
    lengths = [f"{size:,} with {players(n)}" for n, size in sizes.items()]
    if len(set(sizes.values())) == 1:
        lengths = [f"{next(iter(sizes.values())):,}"]
    rows = [
        ("id", code(game.name)),
        ("players", ", ".join(str(n) for n in by_players)),
        ("actions", code(f"Discrete({len(game.actions)})")),
        ("length of the observation", ", ".join(lengths)),
        ("phases", ", ".join(code(phase) for phase in game.phases)),
        ("scores before the end", "yes" if game.scores_before_end else "no"),
        ("`score_scale`", f"{next(iter(by_players.values())).score_scale:g}"),
    ]
    return table(("", ""), rows)


def options_table(game: GameDefinition) -> str:
    """Every option with its default, what is allowed, and what it means."""
    rows = [
        (code(option.name), code(repr(option.default)), allowed(game, option), sentence(option.meaning))
        for option in game.options
    ]
    return table(("option", "default", "allowed", "meaning"), rows)


def actions_table(game: GameDefinition) -> str:
    """The layout of the action space: runs of actions of one form."""
    rows = []
    first = 0
    for _, run in groupby(game.actions, key=form_of):
        strings = list(run)
        last = first + len(strings) - 1
        indices = str(first) if first == last else f"{first}-{last}"
        ends = code(strings[0]) if first == last else f"{code(strings[0])} .. {code(strings[-1])}"
        rows.append((indices, str(len(strings)), code(pattern(strings)), ends))
        first = last + 1
    return table(("index", "actions", "form", "first .. last"), rows)


def observation_table(game: GameDefinition) -> str:
    """The blocks of the observation; what depends on the number of players is given in terms of it."""
    by_players = {n: one.observation_blocks for n, one in games_by_players(game).items()}
    counts = list(by_players)
    rows = []
    for same in zip(*by_players.values(), strict=True):
        dimensions = zip(*(block.shape for block in same), strict=True)
        shape = ", ".join(in_terms_of_n(counts, sizes) for sizes in dimensions)
        low, high = (in_terms_of_n(counts, [getattr(block, end) for block in same]) for end in ("low", "high"))
        rows.append((code(same[0].name), f"({shape})", low, high, same[0].description))
    return table(("block", "shape", "low", "high", "content"), rows)


def end_reasons(game: GameDefinition) -> str:
    """The names of the ends."""
    return f"`end_reason` is one of {', '.join(code(reason) for reason in game.end_reasons)}."


def sources_table(game: GameDefinition) -> str:
    """Where the component data come from: the ``source`` entries of the data file."""
    with (game.folder / game.data_file).open("rb") as file:
        data = tomllib.load(file)
    entries: dict[str, list[str]] = {}
    for (path, source), names in grouped(sources(data)).items():
        of = len(data_list(data, path))
        entries.setdefault(source, []).append(source_label(path, names, of))
    rows = [(source, ", ".join(labels)) for source, labels in entries.items()]
    return table(("source", "entries of the data file"), rows) if rows else "The data file names no sources."


def board(game: GameDefinition) -> str:
    """The table after some moves of the baseline bots, as player 0 sees it."""
    state = Game(game).new_initial_state(seed=BOARD_SEED)
    bot, rng = GreedyPolicy(), np.random.default_rng(BOARD_SEED)
    for _ in range(BOARD_DECISIONS):
        following = copy.copy(state)
        following.apply_action(int(bot.act_on_views(Views.of_states([state]), rng)[0]))
        if following.is_terminal():
            break
        state = following
    return f"```text\n{state.text(0)}\n```"


def picture(game: GameDefinition) -> str:
    """The table in mid-game as a picture, in the theme of the page."""
    pictures = (
        f"![{game.title} in mid-game](../pictures/{game.name}-{theme}.svg#only-{theme})"
        for theme in THEMES
        if (PICTURES / f"{game.name}-{theme}.svg").is_file()
    )
    return "\n".join(pictures)


def strength_table(game: GameDefinition) -> str:
    """How often the policies that come with a game beat each other, as it was measured."""
    measured = json.loads(STRENGTH.read_text(encoding="utf-8")).get(game.name)
    if measured is None:
        return f"Not measured yet: `python docs/strength.py {game.name}`."
    shares = {(one["policy"], one["opponent"], one["players"]): won(one) for one in measured["results"]}
    pairs = list(dict.fromkeys((policy, opponent) for policy, opponent, _ in shares))
    heads = ["players", "even", *(f"`{policy}` against `{opponent}`" for policy, opponent in pairs)]
    counts = list(dict.fromkeys(count for *_, count in shares))
    rows = [[str(n), f"{1 / n:.1%}", *(shares.get((*pair, n), "-") for pair in pairs)] for n in counts]
    played = measured["results"][0]["games"]
    told = (
        f"The share of games won in one seat, with the other policy in all others: {played} games or a few more, each "
        f"deal from every seat; seed {measured['seed']}, version {measured['carnival_envs']}; 95% intervals."
    )
    command = f"To measure it again: `python docs/strength.py {game.name}`."
    return f"{told}\n\n{table(heads, rows)}\n\n{command}"


def won(share: Mapping[str, Any]) -> str:
    """``81.5% (77.4 to 85.0)``."""
    return f"{share['mean']:.1%} ({share['low'] * 100:.1f} to {share['high'] * 100:.1f})"


GENERATORS: dict[str, Callable[[GameDefinition], str]] = {
    "facts_table": facts_table,
    "board": board,
    "picture": picture,
    "options_table": options_table,
    "actions_table": actions_table,
    "observation_table": observation_table,
    "end_reasons": end_reasons,
    "sources_table": sources_table,
    "strength_table": strength_table,
}
"""Marker to what takes its place."""


# Options ----------------------------------------------------------------------------------------------------------


def allowed(game: GameDefinition, option: Option) -> str:
    """What an option may be, in the words of its own error; by the number of players where that matters."""
    if option is game.options[0]:
        return ", ".join(str(n) for n in game.player_counts())
    texts = {n: refusal(game, option, n) for n in game.player_counts()}
    if len(set(texts.values())) > 1:
        texts = {n: in_words_of_n(text, n) for n, text in texts.items()}
    groups: dict[str, list[int]] = {}
    for n, text in texts.items():
        groups.setdefault(text, []).append(n)
    if len(groups) == 1:
        return escaped(next(iter(groups)))
    return "<br>".join(f"{players(*counts)}: {escaped(text)}" for text, counts in groups.items())


def refusal(game: GameDefinition, option: Option, num_players: int) -> str:
    """What an option allows, from the error that it gives to a value that is never allowed."""
    earlier = game.options[: game.options.index(option)]
    try:
        option.check(option.name, object(), check_options(game.name, earlier, {"num_players": num_players}))
    except ValueError as error:
        return str(error).partition("allowed: ")[2].removesuffix(f", with num_players={num_players}")
    raise AssertionError(f"{game.name}: the option {option.name} allows everything")


def in_words_of_n(text: str, n: int) -> str:
    """A text with the number of players, and the last seat, in terms of ``n``."""
    words = {f"..{n - 1}": "..n-1", str(n): "n"}
    return re.sub(rf"\.\.{n - 1}\b|\b{n}\b", lambda number: words[number[0]], text)


def games_by_players(game: GameDefinition) -> dict[int, Game]:
    """The game with its default options at every number of players."""
    return {n: Game(game, {"num_players": n}) for n in game.player_counts()}


# Actions ----------------------------------------------------------------------------------------------------------


def form_of(action: str) -> tuple[Any, ...]:
    """What the actions of a run have in common: the first word, and which of the other parts are numbers."""
    word, *parts = action.split(":")
    return word, *(part.isdigit() for part in parts)


def pattern(strings: Sequence[str]) -> str:
    """The values of every part: ``play:{1..5}:{0..5}:{up,down}``."""
    orders: dict[frozenset[str], list[str]] = {}
    parts = []
    for part in zip(*(string.split(":") for string in strings), strict=True):
        words = list(dict.fromkeys(part))
        parts.append(values(orders.setdefault(frozenset(words), words)))
    return ":".join(parts)


def values(words: Sequence[str]) -> str:
    """The different values of a part of an action string, in order."""
    if len(words) == 1:
        return words[0]
    if len(words) > SHOWN_VALUES or (len(words) > 2 and words[0].isdigit()):
        return f"{{{words[0]}..{words[-1]}}}"
    return f"{{{','.join(words)}}}"


# Observation ------------------------------------------------------------------------------------------------------


def in_terms_of_n(counts: Sequence[int], sizes: Sequence[int]) -> str:
    """A number that may depend on the number of players: as a multiple or a sum of ``n``, or value by value."""
    if len(set(sizes)) == 1:
        return str(sizes[0])
    factors = {size / n for n, size in zip(counts, sizes, strict=True)}
    if len(factors) == 1:
        factor = int(factors.pop())
        return "n" if factor == 1 else f"{factor}n"
    surpluses = {size - n for n, size in zip(counts, sizes, strict=True)}
    if len(surpluses) == 1:
        return f"n + {surpluses.pop()}"
    return " / ".join(str(size) for size in sizes)


# Sources ----------------------------------------------------------------------------------------------------------

SOURCE = "source"
SUFFIX = "_source"


def sources(data: Any, path: tuple[str, ...] = (), name: str = "") -> Iterator[tuple[str, str, str]]:
    """Path, name inside its list, and source of every entry that has one."""
    if isinstance(data, list):
        for index, entry in enumerate(data):
            yield from sources(entry, path, identity(entry, index))
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        if key == SOURCE:
            yield ".".join(path), name, value
        elif key.endswith(SUFFIX):
            yield ".".join((*path, key.removesuffix(SUFFIX))), name, value
        else:
            yield from sources(value, (*path, key), name)


def identity(entry: Any, index: int) -> str:
    """What an entry of a list is called."""
    names = [str(entry[key]) for key in IDENTITIES if key in entry] if isinstance(entry, dict) else []
    return names[0] if names else str(index)


def grouped(found: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], list[str]]:
    """The names of the entries, by path and source."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path, name, source in found:
        groups.setdefault((path, source), []).append(name)
    return groups


def data_list(data: Mapping[str, Any], path: str) -> Sequence[Any]:
    """The list of tables on the way of a path; empty if there is none."""
    value: Any = data
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return value
    return ()


def source_label(path: str, names: Sequence[str], of: int) -> str:
    """How a path is shown: with the entries that it is about, where those are not all."""
    if not path:
        return "everything else"
    if not names[0]:
        return code(path)
    if len(names) == of:
        return f"{code(path)} (all {of})"
    named = len(names) <= NAMED_ENTRIES and not any(name.isdigit() for name in names)
    shown = ", ".join(names) if named else f"{len(names)} of {of}"
    return f"{code(path)} ({shown})"


# Markdown ---------------------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


def escaped(text: str) -> str:
    """Text in a cell, as it stands."""
    return re.sub(r"([|*_<\[])", r"\\\1", text)


def sentence(text: str) -> str:
    """Text that begins with a capital and ends with a full stop."""
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def players(*counts: int) -> str:
    """``2, 3 or 4 players``."""
    *most, last = map(str, counts)
    return f"{', '.join(most)}{' or ' if most else ''}{last} player{'' if counts == (1,) else 's'}"
