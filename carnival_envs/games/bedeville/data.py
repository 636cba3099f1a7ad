"""From the component data and the options to the ``rules`` record that the kernels read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from carnival_envs.core.data import load_data
from carnival_envs.core.interface import Record
from carnival_envs.core.options import refuse
from carnival_envs.core.position import differences
from carnival_envs.games.bedeville import components
from carnival_envs.games.bedeville.components import (
    ATTRACTIONS,
    CASTLE_OF_HORROR,
    CHARACTERS,
    COLOURS,
    MAX_GAIN,
    MAX_JOY,
    MAX_NOISE,
    MAX_PLAYERS,
    MAX_SKULLS,
    NUM_COLOURS,
    NUM_PRIZES,
    NUM_SPACES,
    PRIZES,
    TICKET_BOOTH,
    TOKENS,
)
from carnival_envs.games.bedeville.state import DEALT, DRAFTED, GIVEN, LIMITS, NONE, RULES

Data = Mapping[str, Any]

RANDOM_TOKENS = 3
MIN_SPACES = 8  # so that there are unoccupied ones in both directions
MAX_VP = 1000

STRUCTURE = {
    "attractions": len(ATTRACTIONS),
    "prizes": NUM_PRIZES,
    "trickster_tokens": len(TOKENS),
    "characters": len(CHARACTERS),
    "tokens_in_bag_at_setup": components.TOKENS_IN_BAG,
    "random_tokens_in_bag": RANDOM_TOKENS,
    "prizes_per_stall": 2,
    "joy_at_setup_per_player": 1,
    "min_players": components.MIN_PLAYERS,
    "max_players": MAX_PLAYERS,
}
"""Counts that actions, observations and invariants are built on, so that they can't change."""


FIXED = ("action", "action_space")
"""Tables that say what the actions are; they are the game's interface and can't change."""

DATA_FILE = Path(__file__).with_name("data.toml")


def build_rules(data: Data, options: Mapping[str, Any]) -> Record:
    """The ``rules`` record, an array of shape ``(1,)``.

    Raises:
        ValueError: an entry of the data that can't be played with, named with what is allowed.
    """
    rules = np.zeros(1, dtype=RULES)
    r = rules[0]
    _check_structure(data)
    _fill_options(r, options)
    _fill_numbers(r, data)
    _fill_board(r, data["board"], options["num_players"])
    _fill_attractions(r, data["attraction"], options["variant"])
    _fill_prizes(r, data["prize"])
    _fill_tokens(r, data["token"], options["variant"])
    _fill_characters(r, data["character"])
    return rules


def _check_structure(data: Data) -> None:
    for name, value in STRUCTURE.items():
        _allow(f"counts.{name}", data["counts"][name], value, value)
    total = NUM_COLOURS * data["counts"]["joy_per_colour"]
    _allow("counts.joy_total", data["counts"]["joy_total"], total, total)
    if tuple(data["colours"]) != COLOURS:
        _refuse("colours", data["colours"], f"{list(COLOURS)}")
    for table, keys in (("attraction", ATTRACTIONS), ("prize", PRIZES), ("token", TOKENS), ("character", CHARACTERS)):
        if tuple(entry["key"] for entry in data[table]) != keys:
            _refuse(table, [entry["key"] for entry in data[table]], "the keys of the game's own file")
    for table in FIXED:
        for path, own, default in differences(data[table], _default_data()[table], table):
            _refuse(path, own, f"{default!r}, which is fixed")


@cache
def _default_data() -> Data:
    return load_data(DATA_FILE, None)


def _fill_options(r: Record, options: Mapping[str, Any]) -> None:
    given = options["characters"]
    r["num_players"] = options["num_players"]
    r["beginner"] = options["variant"] == "beginner"
    r["characters"] = {"draft": DRAFTED, "random": DEALT}.get(given, GIVEN) if isinstance(given, str) else GIVEN
    r["given_characters"] = NONE
    for seat, key in enumerate([] if isinstance(given, str) else given):
        r["given_characters"][seat] = CHARACTERS.index(key)
    r["first_player"] = NONE if options["first_player"] == "random" else options["first_player"]
    r["max_rounds"] = options["max_rounds"]


def _fill_numbers(r: Record, data: Data) -> None:
    for (section, name), (low, high) in LIMITS.items():
        r[name] = _allow(f"{section}.{name}", data[section][name], low, high)


def _fill_board(r: Record, board: Data, num_players: int) -> None:
    """The ring in play (section 2.2 of the specification), whatever its layout, as long as it is one ring."""
    path = f"board.players_{num_players}"
    ring = board[f"players_{num_players}"]
    spaces = ring["spaces"]
    removed = board[f"removed_{num_players}p"]
    if spaces != [space for space in range(NUM_SPACES) if space not in removed]:
        _refuse(f"{path}.spaces", spaces, f"all of 0..{NUM_SPACES - 1} but board.removed_{num_players}p, ascending")
    if len(spaces) < MIN_SPACES:
        _refuse(f"{path}.spaces", spaces, f"at least {MIN_SPACES} spaces")
    _check_ring(path, ring, spaces)
    booth = board["ticket_booth_space"]
    starts = [space for space in board["start_spaces"] if space in spaces]
    if booth not in spaces:
        _refuse("board.ticket_booth_space", booth, f"a space in play: {spaces}")
    if booth in starts or len(set(starts)) < num_players:
        _refuse("board.start_spaces", board["start_spaces"], f"{num_players} spaces in play, without the Ticket Booth")
    _allow("board.spaces", board["spaces"], NUM_SPACES, NUM_SPACES)
    r["num_spaces"], r["spaces"], r["start_spaces"], r["booth_space"] = len(spaces), _set(spaces), _set(starts), booth
    r["clockwise"], r["counterclockwise"], r["opposite"] = ring["cw"], ring["ccw"], ring["opposite"]
    for name in ("furball_dir", "charles_start_dir"):
        if board[name] not in (1, -1):
            _refuse(f"board.{name}", board[name], "1 or -1")
        r[name] = board[name]


def _check_ring(path: str, ring: Data, spaces: Sequence[int]) -> None:
    """Clockwise steps go once round all spaces, counter-clockwise ones go back, opposites face each other."""
    for name in ("cw", "ccw", "opposite"):
        entries = ring[name]
        absent_are_none = len(entries) == NUM_SPACES and all(
            entry == NONE if space not in spaces else entry in spaces or (entry == NONE and name == "opposite")
            for space, entry in enumerate(entries)
        )
        if not absent_are_none:
            _refuse(f"{path}.{name}", entries, f"{NUM_SPACES} entries: spaces in play, and -1 for those that are not")
    cw, ccw, opposite = ring["cw"], ring["ccw"], ring["opposite"]
    walk = [spaces[0]]
    while cw[walk[-1]] not in walk:
        walk.append(cw[walk[-1]])
    if len(walk) != len(spaces) or cw[walk[-1]] != walk[0]:
        _refuse(f"{path}.cw", cw, "one ring through all spaces in play")
    if any(ccw[cw[space]] != space for space in spaces):
        _refuse(f"{path}.ccw", ccw, f"the reverse of {path}.cw")
    facing = [space for space in spaces if opposite[space] != NONE]
    if any(opposite[space] == space or opposite[opposite[space]] != space for space in facing):
        _refuse(f"{path}.opposite", opposite, "pairs of different spaces")


def _fill_attractions(r: Record, cards: Sequence[Data], variant: str) -> None:
    in_game, opening = [], []
    for card, entry in enumerate(cards):
        path = f"attraction[{entry['key']}]"
        r["attractions"]["joy"][card] = _joy(f"{path}.joy", entry["joy"])
        r["attractions"]["skulls"][card] = _allow(f"{path}.any", entry["any"], 0, MAX_GAIN)
        r["attractions"]["noise"][card] = _allow(f"{path}.noise", entry["noise"], 0, MAX_NOISE)
        if variant == "beginner" and entry["furball_symbol"]:
            continue
        in_game.append(card)
        if entry["setup_allowed"] and card != TICKET_BOOTH:
            opening.append(card)
    if TICKET_BOOTH not in in_game:
        _refuse("attraction[ticket_booth].furball_symbol", True, "False: it has a space of its own")
    if cards[CASTLE_OF_HORROR]["setup_allowed"]:
        _refuse("attraction[castle_of_horror].setup_allowed", True, "False: it joins after the opening layout")
    if len(opening) < r["num_spaces"] - 1:
        _refuse("attraction.setup_allowed", opening, f"at least {r['num_spaces'] - 1} cards for the opening layout")
    r["cards"], r["opening_cards"] = _set(in_game), _set(opening)


def _fill_prizes(r: Record, prizes: Sequence[Data]) -> None:
    for prize, entry in enumerate(prizes):
        path = f"prize[{entry['key']}]"
        r["prizes"]["cost"][prize] = _joy(f"{path}.cost", entry["cost"])
        r["prizes"]["skulls"][prize] = _allow(f"{path}.any", entry["any"], 0, MAX_SKULLS)
        total = sum(entry["cost"]) + entry["any"]
        r["prizes"]["total"][prize] = _allow(f"{path}.total", entry["total"], total, total)
        r["prizes"]["vp"][prize] = _allow(f"{path}.vp", entry["vp"], 0, MAX_VP)


def _fill_tokens(r: Record, tokens: Sequence[Data], variant: str) -> None:
    by_use: dict[str, list[int]] = {"always": [], "random": [], "removed": []}
    for token, entry in enumerate(tokens):
        if entry[variant] not in by_use:
            _refuse(f"token[{entry['key']}].{variant}", entry[variant], " or ".join(map(repr, by_use)))
        by_use[entry[variant]].append(token)
    if components.CHARLES not in by_use["always"]:
        _refuse(f"token[charles].{variant}", tokens[components.CHARLES][variant], "'always'")
    if variant == "beginner" and components.FURBALL not in by_use["removed"]:
        _refuse("token[furball].beginner", tokens[components.FURBALL][variant], "'removed', as the figure is")
    if len(by_use["always"]) != components.TOKENS_IN_BAG - RANDOM_TOKENS:
        _refuse(f"token.{variant}", by_use["always"], f"{components.TOKENS_IN_BAG - RANDOM_TOKENS} tokens 'always'")
    if len(by_use["random"]) <= RANDOM_TOKENS:
        _refuse(f"token.{variant}", by_use["random"], f"more than {RANDOM_TOKENS} tokens 'random'")
    r["fixed_tokens"] = _set(by_use["always"])
    r["tokens"] = _set(by_use["always"] + by_use["random"])


def _fill_characters(r: Record, characters: Sequence[Data]) -> None:
    for character, entry in enumerate(characters):
        costs = entry["ability_costs"]
        if len(costs) != 2 or costs[0] or costs[1] not in COLOURS:
            _refuse(f"character[{entry['key']}].ability_costs", costs, f"['', one of {', '.join(COLOURS)}]")
        r["ability_cost"][character] = COLOURS.index(costs[1])


def _joy(path: str, joy: Sequence[int]) -> Sequence[int]:
    if len(joy) != NUM_COLOURS:
        _refuse(path, joy, f"{NUM_COLOURS} numbers: {', '.join(COLOURS)}")
    return [_allow(f"{path}.{colour}", joy[colour], 0, MAX_JOY) for colour in range(NUM_COLOURS)]


def _allow(path: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not low <= value <= high:
        _refuse(path, value, f"an integer in {low}..{high}" if low != high else f"{low}")
    return value


def _refuse(path: str, value: object, allowed: str) -> NoReturn:
    refuse(f"data {path}", value, allowed)


def _set(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)
