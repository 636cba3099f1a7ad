"""The 129 actions (section 9 of the specification).

Import the module and write ``actions.BUY + space``: phases, steps and actions share many names.
"""

from __future__ import annotations

from carnival_envs.core.interface import Mask
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville.components import CHARACTERS, COLOUR_PAIRS, COLOURS, FIGURES, NUM_SPACES, TOKENS

SPACES = tuple(str(space) for space in range(NUM_SPACES))

LAYOUT: dict[str, tuple[str, ...]] = {
    "gain": COLOURS,
    "pay": COLOURS,
    "discard": COLOURS,
    "lay": COLOURS,
    "exchange": COLOUR_PAIRS,
    "whim": COLOUR_PAIRS,
    "account": (*COLOURS, "none"),
    "buy": SPACES,
    "move": SPACES,
    "sprint": SPACES,
    "carry": SPACES,
    "pass_prize": SPACES,
    "pinkaholic": SPACES,
    "pick": SPACES,
    "token": TOKENS,
    "figure": FIGURES,
    "character": CHARACTERS,
    "count": ("1", "2"),
    "skip": (),
    "draw": (),
    "keep": (),
    "boredom": (),
    "eureka": (),
    "adrenaline": (),
    "tough": (),
}
"""Verb to its objects, in order of index; a verb without objects is one action."""

ACTIONS = tuple(
    text for verb, objects in LAYOUT.items() for text in ([f"{verb}:{what}" for what in objects] if objects else [verb])
)
"""The canonical string of every action, by index."""

HIDDEN_FORMS = ("gain:?", "pick:?")
"""What others see of secret choices."""

HIDDEN_GAIN, HIDDEN_PICK = range(len(ACTIONS), len(ACTIONS) + len(HIDDEN_FORMS))


def _first(verb: str) -> int:
    """The index of the first action of a verb."""
    return ACTIONS.index(":".join((verb, *LAYOUT[verb][:1])))


GAIN, PAY, DISCARD, LAY = _first("gain"), _first("pay"), _first("discard"), _first("lay")
EXCHANGE, WHIM = _first("exchange"), _first("whim")
ACCOUNT, ACCOUNT_NONE = _first("account"), ACTIONS.index("account:none")
BUY, MOVE, SPRINT, CARRY, PASS_PRIZE = (_first(verb) for verb in ("buy", "move", "sprint", "carry", "pass_prize"))
PINKAHOLIC, PICK, TOKEN, FIGURE = _first("pinkaholic"), _first("pick"), _first("token"), _first("figure")
CHARACTER, COUNT = _first("character"), _first("count")
SKIP, DRAW, KEEP, BOREDOM = _first("skip"), _first("draw"), _first("keep"), _first("boredom")
EUREKA, ADRENALINE, TOUGH = _first("eureka"), _first("adrenaline"), _first("tough")


@kernel
def offer(mask: Mask, first: int, members: int) -> None:
    """Make an action legal for each member of a set: ``offer(mask, actions.PICK, spaces)``."""
    action = first
    while members:
        if members & 1:
            mask[action] = 1
        members >>= 1
        action += 1
