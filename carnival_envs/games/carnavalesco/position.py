"""Position documents of Carnavalesco (section 4 of its specification)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carnival_envs.core.interface import Record
from carnival_envs.core.position import Document, Field
from carnival_envs.games.carnavalesco.state import (
    COLORS,
    DIVISIONS,
    ELEMENTS,
    FINISHED,
    FLAG_BEARER,
    KINDS,
    MAX_PLAYERS,
    MAX_POOL,
    NO_DIE,
    NO_DIVISION,
    NO_SEAT,
    PLACES,
    SOLO_DICE,
    SPACES,
)

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

MAX_COUNTERS = 27
LOWEST_FINAL, HIGHEST_FINAL = -27, 90
PLAYER_FIELDS = ("division", "colors", "board", "tokens", "counters", "result")
HISTORY_FIELDS = ("division", "final", "place", "next_division")


def to_position(game: Game, s: Record) -> Document:
    """The fields after the common header."""
    hand = int(s["hand"])
    picks = range(int(s["picks"]))
    return {
        "parade": int(s["parade"]),
        "round": int(s["round_number"]),
        "turn": int(s["turn"]),
        "turn_dice": int(s["turn_dice"]),
        "first_player": int(s["first_player"]),
        "bag": {color: int(number) for color, number in zip(COLORS, s["bag"], strict=True)},
        "pool": [kind for kind, number in zip(KINDS, s["pool"], strict=True) for _ in range(int(number))],
        "hand": None if hand == NO_DIE else KINDS[hand],
        "round_picks": [[KINDS[s["pick_die"][i]], ELEMENTS[s["pick_element"][i]]] for i in picks],
        "players": [player_document(s, seat) for seat in range(game.num_players)],
        "history": history_document(s),
    }


def player_document(s: Record, seat: int) -> Document:
    """One entry of ``players``."""
    me = s["players"][seat]
    division = int(me["division"])
    return {
        "division": None if division == NO_DIVISION else DIVISIONS[division],
        "colors": [color for color, chosen in zip(COLORS, me["school_colors"], strict=True) if chosen],
        "board": board_document(me),
        "tokens": [element for element, token in zip(ELEMENTS, me["tokens"], strict=True) if token],
        "counters": int(me["counters"]),
        "result": result_document(me) if int(s["phase"]) == FINISHED else None,
    }


def board_document(me: Record) -> dict[str, list[str]]:
    """The dice of each element."""
    rows = zip(ELEMENTS, me["dice"].tolist(), me["count"].tolist(), strict=True)
    return {element: [KINDS[die] for die in dice[:count]] for element, dice, count in rows}


def result_document(me: Record) -> Document:
    """The tally of a finished board, with its tie-breaks (E-45, E-46)."""
    scores = me["scores"].tolist()
    total = sum(scores)
    final = total - int(me["counters"])
    board = board_document(me)
    colors = {die[0] for die in board[ELEMENTS[FLAG_BEARER]]}
    color_dice = sum(die[0] in colors for dice in board.values() for die in dice)
    return {
        "bases": me["bases"].tolist(),
        "bonuses": me["bonuses"].tolist(),
        "scores": scores,
        "total": total,
        "final": final,
        "rank_key": [final, int(me["tokens"].sum()), scores[FLAG_BEARER], color_dice],
    }


def history_document(s: Record) -> list[Document]:
    """The finished parades of a player alone."""
    return [
        {
            "division": DIVISIONS[s["history_division"][i]],
            "final": int(s["history_final"][i]),
            "place": PLACES[s["history_place"][i]],
            "next_division": DIVISIONS[s["history_next"][i]],
        }
        for i in range(int(s["parades_finished"]))
    ]


def end_info(game: Game, s: Record, player: int) -> dict[str, Any]:
    """The tally of a player's board at the end; for a player alone also the history (section 12)."""
    info: dict[str, Any] = {"result": result_document(s["players"][player])}
    if game.num_players == 1:
        info["history"] = history_document(s)
    return info


def from_position(game: Game, document: Field, s: Record) -> None:
    """Fill a state record from a document.

    Raises:
        ValueError: a field that is missing or out of range.
    """
    rules = game.rules[0]
    s["parade"] = document["parade"].integer(1, game.options["max_parades"])
    s["round_number"] = document["round"].integer(1, int(rules["rounds"]))
    s["turn"] = document["turn"].integer(0, int(rules["turns_per_round"]) - 1)
    s["turn_dice"] = document["turn_dice"].integer(0, int(rules["dice_per_turn"]) - 1)
    s["first_player"] = document["first_player"].integer(NO_SEAT, game.num_players - 1)
    bag = document["bag"].only(*COLORS)
    s["bag"] = [bag[color].integer(0, int(rules["per_color"])) for color in COLORS]
    for kind in document["pool"].indices(KINDS, high=MAX_POOL):
        s["pool"][kind] += 1
    s["hand"] = document["hand"].index_or_null(KINDS)
    read_picks(document["round_picks"], s)
    for seat in range(MAX_PLAYERS):
        s["players"][seat]["division"] = rules["division"][seat]
    for seat, player in enumerate(document["players"].items(game.num_players, game.num_players)):
        read_player(player.only(*PLAYER_FIELDS), s["players"][seat])
    read_history(document["history"], game.options["max_parades"], s)


def read_picks(picks: Field, s: Record) -> None:
    """The dice of a solo round."""
    for index, pick in enumerate(picks.items(high=SOLO_DICE - 1)):
        die, element = pick.items(2, 2)
        s["pick_die"][index] = die.index(KINDS)
        s["pick_element"][index] = element.index(ELEMENTS)
        s["picks"] += 1


def read_player(player: Field, me: Record) -> None:
    """One entry of ``players``; ``result`` follows from the board."""
    me["division"] = player["division"].index_or_null(DIVISIONS)
    for color in player["colors"].indices(COLORS, high=2):
        me["school_colors"][color] = 1
    board = player["board"].only(*ELEMENTS)
    for index, element in enumerate(ELEMENTS):
        dice = board[element].indices(KINDS, high=SPACES)
        me["dice"][index][: len(dice)] = dice
        me["count"][index] = len(dice)
    for token in player["tokens"].indices(ELEMENTS, high=len(ELEMENTS)):
        me["tokens"][token] = 1
    me["counters"] = player["counters"].integer(0, MAX_COUNTERS)
    player["result"]


def read_history(history: Field, max_parades: int, s: Record) -> None:
    """The finished parades; place and next division follow from the final score."""
    for index, parade in enumerate(history.items(high=max_parades)):
        parade.only(*HISTORY_FIELDS)
        s["history_division"][index] = parade["division"].index(DIVISIONS)
        s["history_final"][index] = parade["final"].integer(LOWEST_FINAL, HIGHEST_FINAL)
        s["parades_finished"] += 1
