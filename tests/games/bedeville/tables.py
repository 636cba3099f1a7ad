"""Positions of Bedeville Carnival for the tests: the first turn of four players, but for what a test changes.

The ring, clockwise from 0: Ticket Booth (Mr. Charles and Furball), Eternal Love, Glutton (Johnny), Deep Sea Ride, Mill
of Bedeville (Albert), Dragon Loop, Blind Shot (Cindy), Memory Carousel, One Way (Heidi), Flow of the Undead.
"""

from __future__ import annotations

from typing import Any

from carnival_envs.core.state import State
from carnival_envs.registry import load_game
from tests.games.bedeville.reference import CARDS, FURBALL_CARDS, RINGS, STOCK, TOKENS, fresh_context, fresh_turn

Document = dict[str, Any]

OPTIONS = {"variant": "basic", "characters": "draft", "first_player": "random", "max_rounds": 50}
RING = (
    *("ticket_booth", "eternal_love", "glutton", "deep_sea_ride", "mill_of_bedeville"),
    *("dragon_loop", "blind_shot", "memory_carousel", "one_way", "flow_of_the_undead"),
)
NOISE = (0, 2, 0, 2, 0, 2, 0, 2, 0, 1)
STALLS = (
    *("grand_prize ghost_balloon", "giant_bear bone_popcorn", "rocking_horse plush_toys"),
    *("golden_goose grave_lollipop", "deep_sea_pearl storm_lantern", "velvet_mask cotton_cobweb"),
    *("brass_medal rubber_bat", "puppet jar_of_eyes", "music_box paper_fangs", "crystal_skull tin_trumpet"),
)
JOY = ([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0])
BAGS = {"basic": "charles prank joy quiet furball", "beginner": "charles prank joy quiet crack"}


def table(
    characters: str = "johnny albert cindy heidi",
    *,
    active: int = 0,
    actor: int | None = None,
    phase: str = "turn",
    spaces: tuple[int, ...] = (2, 4, 6, 8),
    joy: dict[int, list[int]] | None = None,
    prizes: dict[int, str] | None = None,
    cards: dict[int, str] | None = None,
    noise: dict[int, int] | None = None,
    lying: dict[int, list[int]] | None = None,
    stalls: dict[int, str] | None = None,
    deck: str | None = None,
    discard: str = "",
    prize_supply: str | None = None,
    prize_discard: str = "",
    charles: tuple[int, int] = (0, -1),
    furball: int = 0,
    bag: str | None = None,
    board: str = "",
    adrenaline: str = "none",
    turn: Document | None = None,
    ctx: Document | None = None,
    options: Document | None = None,
    **fields: Any,
) -> Document:
    """A position document; everything that lies nowhere else is in its supply, piles in ascending order.

    A Prize that a test puts somewhere is missing from its usual Stall.
    """
    cast = characters.split()
    n = len(cast)
    settings = {"num_players": n, **OPTIONS, **(options or {})}
    beginner = settings["variant"] == "beginner"
    context = {**fresh_context(n), **(ctx or {})}
    players = [
        {
            "character": cast[i],
            "space": spaces[i],
            "joy": (joy or {}).get(i, JOY[i]),
            "prizes": words((prizes or {}).get(i)),
        }
        for i in range(n)
    ]
    placed = {prize for stack in (stalls or {}).values() for prize in words(stack)}
    placed |= {prize for player in players for prize in player["prizes"]}
    ring: list[Any] = [None] * 10
    stacks: list[list[str]] = [[] for _ in range(10)]
    for space in RINGS[n]:
        ring[space] = {
            "card": (cards or {}).get(space, RING[space]),
            "noise": (noise or {}).get(space, NOISE[space]),
            "joy": (lying or {}).get(space, [0, 0, 0]),
        }
        usual = " ".join(prize for prize in words(STALLS[space]) if prize not in placed)
        stacks[space] = words((stalls or {}).get(space, usual))
    drawn = [*context["drawn"], *words(context["token"])]
    in_bag = words(bag) if bag is not None else [t for t in words(BAGS[settings["variant"]]) if t not in words(board)]
    in_bag = [token for token in in_bag if token not in drawn]
    game_tokens = [token for token in TOKENS if not (beginner and token == "furball")]
    game_cards = [card for card in CARDS if not (beginner and card in FURBALL_CARDS)]
    laid = [here["card"] for here in ring if here] + words(discard)
    held = [prize for pile in [*stacks, *(player["prizes"] for player in players)] for prize in pile] + words(
        prize_discard
    )
    lying_all = [here["joy"] for here in ring if here] + [player["joy"] for player in players]
    document = {
        "game": "bedeville",
        "version": 1,
        "options": settings,
        "phase": phase,
        "active": active,
        "actor": active if actor is None else actor,
        "truncated": False,
        "end_reason": None,
        "first_player": 0,
        "round": 1,
        "final_round": sum(map(bool, stacks)) <= 1,
        "players": players,
        "ring": ring,
        "stalls": stacks,
        "attraction_deck": words(deck) if deck is not None else [card for card in game_cards if card not in laid],
        "attraction_discard": words(discard),
        "prize_supply": words(prize_supply) if prize_supply is not None else [p for p in STOCK if p not in held],
        "prize_discard": words(prize_discard),
        "joy_supply": [20 - sum(tokens[c] for tokens in lying_all) for c in range(3)],
        "noise_supply": 50 - sum(here["noise"] for here in ring if here),
        "charles": {"space": charles[0], "dir": charles[1]},
        "furball": -1 if beginner else furball,
        "bag": in_bag,
        "token_board": words(board),
        "token_unused": [t for t in game_tokens if t not in [*in_bag, *words(board), *drawn]],
        "adrenaline": adrenaline,
        "turn": {**fresh_turn(), **(turn or {})},
        "ctx": context,
    }
    assert set(fields) <= set(document), fields
    return {**document, **fields}


def words(text: str | None) -> list[str]:
    """The words of a text."""
    return text.split() if text else []


def load(document: Document, chance: list[int] | None = None) -> State:
    """The state of a document."""
    return load_game("bedeville", **document["options"]).state_from_position(document, chance=chance or [])


def play(document: Document, *actions: str, chance: list[int] | None = None) -> State:
    """The state after some actions, which must use up all draws."""
    state = load(document, chance)
    for action in actions:
        state.apply_action(action)
    assert state.chance_left == 0
    return state


def legal(state: State) -> list[str]:
    """The strings of the legal actions."""
    return [state.game.action_to_string(action) for action in state.legal_actions()]


def offered(state: State, verb: str) -> list[str]:
    """What a verb may be said of, in index order."""
    return [action.removeprefix(f"{verb}:") for action in legal(state) if action.split(":")[0] == verb]


def after(document: Document, *actions: str, chance: list[int] | None = None) -> Document:
    """The position after some actions."""
    return play(document, *actions, chance=chance).to_position()
