"""The table in plain text: the ring with Stalls and figures, the players, the supplies, the turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from carnival_envs.core.definition import ActionWords
from carnival_envs.core.interface import OVER, Record
from carnival_envs.games.bedeville import phases
from carnival_envs.games.bedeville.components import (
    ATTRACTIONS,
    CHARACTERS,
    COLOURS,
    FIGURES,
    MONDAY,
    NUM_SPACES,
    PRIZES,
    TOKENS,
    TOKENS_IN_BAG,
)
from carnival_envs.games.bedeville.sets import members_of
from carnival_envs.games.bedeville.state import ADRENALINE, HIDDEN, NONE, TURN

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

PICK_NAMES: dict[int, Sequence[str]] = {
    phases.TEMPT_SPACE: COLOURS,
    phases.FIGURE_DEST: FIGURES,
    phases.BOREDOM: TOKENS,
}
"""What partial choices are in the phases in which they are not numbers."""

TASKS = {
    phases.DRAFT: "chooses a Character",
    phases.FIRST_JOY: "takes a first Joy",
    phases.START_SPACE: "chooses where to start",
    phases.TURN: "buys, exchanges or moves",
    phases.ACCOUNT: "may save a coloured Joy",
    phases.PAY: "pays with Joy",
    phases.WHIM: "may change a Joy of the visit",
    phases.GAIN: "takes a Joy",
    phases.WINDOW: "may use #Boredom",
    phases.BOREDOM: "puts tokens back into the Bag",
    phases.LOVE: "secretly takes a Joy",
    phases.TWO_SPACES: "chooses what changes places",
    phases.BLIND: "secretly places a Noise",
    phases.GLUTTON: "moves a Prize",
    phases.BOOTH: "puts a token back into the Bag",
    phases.NOISE_SOURCE: "chooses which Noise to take",
    phases.NOISE_COUNT: "chooses how much Noise to take",
    phases.NOISE_DEST: "chooses where the Noise goes",
    phases.DRAGON: "may exchange Joy",
    phases.FIGURE: "chooses whom to move",
    phases.FIGURE_DEST: "chooses where the figure goes",
    phases.FREAKS: "chooses where Furball goes",
    phases.PRIZE_DISCARD: "discards a Prize",
    phases.CAUGHT: "is caught and loses a Joy",
    phases.PRE_DRAW: "draws a token, or uses a talent first",
    phases.CHOOSE_TOKEN: "chooses between two tokens",
    phases.NOWAY: "may change the drawn token",
    phases.TEMPT_COLOUR: "chooses a Joy to lay out",
    phases.TEMPT_SPACE: "chooses where the Joy goes",
    phases.QUIET: "takes a Noise away",
    phases.CRACK: "adds a Noise",
    phases.END_WINDOW: "may use #Boredom",
}
"""What is to be decided, by phase."""

ENDS = ("one Stall at most has Prizes left", "the Joy has run out", "cut off by the bound on rounds")
"""Why the game is over, by reason."""


def render(game: Game, s: Record, viewer: int | None) -> str:
    """The table as ``viewer`` sees it, from his view; as a referee sees it for ``None``."""
    sees_all = viewer is None or s.actor == OVER
    seats = range(game.num_players)
    lines = [headline(game, s), "", *board(game, s, sees_all), ""]
    lines += [player(game, s, seat, sees_all or seat == viewer) for seat in seats]
    lines += ["", *supplies(game, s, sees_all, viewer), *this_turn(game, s)]
    return "\n".join(line.rstrip() for line in lines)


def headline(game: Game, s: Record) -> str:
    """Round, and who decides what."""
    title = f"Bedeville Carnival, round {s.round_number} of {game.options['max_rounds']}"
    if s.final_round:
        title += ", final round"
    if s.actor == OVER:
        return f"{title}, over: {ENDS[s.end_reason]}"
    return f"{title}, turn of player {s.active}: player {s.actor} {TASKS[s.phase]}"


# The ring -----------------------------------------------------------------------------------------------------------


def board(game: Game, s: Record, sees_all: bool) -> list[str]:
    """A line for each space in play, clockwise."""
    lines = [f"{'':4}{'Attraction':<21}{'gives':<12}{'Noise':<7}{'Joy':<9}{'figures':<26}Stall, top first"]
    for space in range(NUM_SPACES):
        here = s.ring[space]
        if here.card == NONE:
            continue
        card = game.rules[0].attractions[here.card]
        gives = f"{joy(card.joy)}{'*' * card.skulls} +{card.noise}"
        lines.append(
            f"{space:>2}  {_words(ATTRACTIONS[here.card]):<21}{gives:<12}{here.noise or '':<7}{joy(here.joy):<9}"
            f"{', '.join(figures_on(game, s, space)):<26}{stall(game, s, space, sees_all)}"
        )
    return lines


def figures_on(game: Game, s: Record, space: int) -> list[str]:
    """Who stands on a space; the arrow shows whether Mr. Charles faces down the list, clockwise, or up."""
    seats = [seat for seat in range(game.num_players) if s.players[seat].space == space]
    names = [CHARACTERS[s.players[seat].character] for seat in seats]
    if s.charles.space == space:
        names.append("Mr. Charles" + (" v" if s.charles.dir > 0 else " ^"))
    if s.furball == space:
        names.append("Furball")
    return names


def stall(game: Game, s: Record, space: int, sees_all: bool) -> str:
    """The visible Prize with cost and VP, and what is known of those below."""
    pile = s.stalls[space]
    if pile.height == 0:
        return "-"
    below = [_words(PRIZES[prize]) for prize in pile["items"][: pile.height - 1][::-1]] if sees_all else []
    covered = f", {', '.join(below)}" if below else f" (+{pile.height - 1})" if pile.height > 1 else ""
    return priced(game, int(pile["items"][pile.height - 1])) + covered


def priced(game: Game, prize: int) -> str:
    """A Prize with its cost and its VP."""
    card = game.rules[0].prizes[prize]
    return f"{_words(PRIZES[prize])} [{joy(card.cost)}{'*' * card.skulls} = {card.vp} VP]"


def joy(tokens: Iterable[int]) -> str:
    """Joy tokens by their initials: ``PPB`` is two pink and one blue; ``*`` stands for any colour."""
    return "".join(colour[0].upper() * int(number) for colour, number in zip(COLOURS, tokens, strict=True))


# Players and supplies -----------------------------------------------------------------------------------------------


def player(game: Game, s: Record, seat: int, is_open: bool) -> str:
    """A player, with what is behind the Screen where that is known."""
    me = s.players[seat]
    name = CHARACTERS[me.character] if me.character != NONE else "no Character yet"
    where = f"on {me.space}" if me.space != NONE else "behind the Screen"
    marks = "*" if seat == s.active else " "
    ticket = ", has the Ticket" if seat == s.first_player else ""
    line = f"{marks}player {seat}: {name}, {where}{ticket}"
    if not is_open:
        return f"{line}, Joy ?, Prizes ?"
    prizes = ", ".join(priced(game, prize) for prize in members_of(me.prizes)) or "none"
    return f"{line}, Joy {joy(me.joy) or 'none'}, Prizes {prizes}"


def supplies(game: Game, s: Record, sees_all: bool, viewer: int | None) -> list[str]:
    """What lies beside the ring; of face-down piles only the sizes."""
    knows_bag = sees_all or (viewer is not None and s.players[viewer].character == MONDAY)
    outside = len(members_of(s.token_board)) + len(members_of(s.ctx.drawn)) + (s.ctx.token != NONE)
    stock = " ".join(f"{number} {colour}" for number, colour in zip(s.joy_supply, COLOURS, strict=True))
    lines = [
        f"Supply: {stock}, {s.noise_supply} Noise",
        f"Attractions: {s.attraction_deck.height} in the deck, discarded: {_list(s.attraction_discard, ATTRACTIONS)}",
        f"Prizes: {s.prize_supply.height} in the supply, discarded: {_list(s.prize_discard, PRIZES)}",
        f"Tokens on the board: {_list(s.token_board, TOKENS)}",
    ]
    if knows_bag:
        lines.append(f"Bag: {_list(s.bag, TOKENS)}; left over: {_list(s.token_unused, TOKENS)}")
    else:
        lines.append(f"Bag: {TOKENS_IN_BAG - outside} tokens")
    if sees_all:
        lines.append(f"Deck, top first: {_pile(s.attraction_deck, ATTRACTIONS)}")
        lines.append(f"Prize supply, top first: {_pile(s.prize_supply, PRIZES)}")
    return lines


# The turn -----------------------------------------------------------------------------------------------------------


def this_turn(game: Game, s: Record) -> list[str]:
    """What has been done and chosen in this turn."""
    ctx = s.ctx
    notes = [_words(name) for name in TURN.names or () if s.turn[name]]
    if s.adrenaline:
        notes.append(f"adrenaline: {ADRENALINE[s.adrenaline]}")
    if ctx.used_card != NONE:
        notes.append(f"action: {_words(ATTRACTIONS[ctx.used_card])}")
    if ctx.token != NONE:
        notes.append(f"token: {TOKENS[ctx.token]}")
    if ctx.drawn:
        notes.append(f"drawn: {_list(ctx.drawn, TOKENS)}")
    if ctx.num_picked:
        notes.append(f"chosen: {' '.join(_picks(s))}")
    if ctx.gain_left:
        notes.append(f"Joy to take: {ctx.gain_left}")
    if ctx.buy_space != NONE:
        notes.append(f"buying at {ctx.buy_space}" + (f", {ctx.pay_left} to pay" if ctx.pay_left else ""))
    secret = [_secret(s, seat) for seat in range(game.num_players) if ctx.pending[seat] != NONE]
    if secret:
        notes.append(f"secret choices: {', '.join(secret)}")
    return [f"This turn: {'; '.join(notes)}"] if notes else []


def _picks(s: Record) -> list[str]:
    """The partial choices in words."""
    names = PICK_NAMES.get(int(s.phase))
    return [names[choice] if names else str(choice) for choice in s.ctx.picked[: s.ctx.num_picked]]


def _secret(s: Record, seat: int) -> str:
    """The secret choice of a player, where it is known."""
    choice = int(s.ctx.pending[seat])
    if choice == HIDDEN:
        return f"player {seat}: ?"
    return f"player {seat}: {COLOURS[choice] if s.phase == phases.LOVE else choice}"


def _words(key: str) -> str:
    return key.replace("_", " ")


def _list(members: int, names: Sequence[str]) -> str:
    return ", ".join(_words(names[member]) for member in members_of(members)) or "none"


def _pile(pile: Record, names: Sequence[str]) -> str:
    return ", ".join(_words(names[item]) for item in pile["items"][: pile.height][::-1]) or "none"


# Actions in words -----------------------------------------------------------------------------------------------------

HEADINGS = {
    "gain": "Take a Joy token",
    "pay": "Pay with a Joy token",
    "discard": "Lose a Joy token",
    "lay": "Choose a Joy token to lay out",
    "exchange": "Exchange a Joy token",
    "whim": "Whim: exchange the Joy token",
    "account": "Account: pay one less of a colour",
    "buy": "Buy a Prize",
    "move": "Move",
    "sprint": "Sprint",
    "carry": "It's Mine: move and carry the Prize",
    "pass_prize": "Pass the Prize",
    "pinkaholic": "Pinkaholic: go to",
    "token": "Choose a token",
    "figure": "Choose a figure",
    "character": "Choose a Character",
    "count": "How many",
    "skip": "No more",
    "draw": "Draw a token",
    "keep": "Keep the token",
    "boredom": "#Boredom",
    "eureka": "Eureka!",
    "adrenaline": "Adrenaline",
    "tough": "Tough Girl",
}
"""What is done, by the first word of an action's string."""

PICK_HEADINGS = {
    phases.START_SPACE: "Start on",
    phases.TWO_SPACES: "Swap",
    phases.BLIND: "Secretly put Noise on",
    phases.GLUTTON: "Move a Prize",
    phases.NOISE_SOURCE: "Take Noise from",
    phases.NOISE_DEST: "Put the Noise on",
    phases.FIGURE_DEST: "Send the figure to",
    phases.FREAKS: "Send Furball to",
    phases.PRIZE_DISCARD: "Discard the Prize of",
    phases.TEMPT_SPACE: "Lay the Joy token on",
    phases.QUIET: "Take a Noise from",
    phases.CRACK: "Put a Noise on",
}
"""What a space is picked for, by phase."""

SPACE_VERBS = ("buy", "move", "sprint", "carry", "pass_prize", "pinkaholic", "pick")
UNKNOWN = "?"
"""Stands in a public form for a secret choice."""


def action_words(game: Game, s: Record, string: str) -> ActionWords:
    """An action in words: spaces with their Attraction or the Prize there."""
    verb, *objects = string.split(":")
    heading = PICK_HEADINGS[int(s.phase)] if verb == "pick" else HEADINGS[verb]
    if objects == [UNKNOWN]:
        return ActionWords(heading, "a secret choice")
    if verb in SPACE_VERBS:
        return ActionWords(heading, space_words(game, s, int(objects[0]), shows_prize=verb == "buy"))
    return ActionWords(heading, " for ".join(printed_name(game, verb, name) for name in objects))


def space_words(game: Game, s: Record, space: int, *, shows_prize: bool) -> str:
    """A space with the Attraction on it, or with the visible Prize of its Stall."""
    pile = s.stalls[space]
    if shows_prize and pile.height:
        prize = game.data["prize"][int(pile["items"][pile.height - 1])]
        return f"{prize['name']} for {joy(prize['cost'])}{'*' * prize['any']}, {prize['vp']} VP"
    return str(game.data["attraction"][int(s.ring[space].card)]["name"])


def printed_name(game: Game, verb: str, key: str) -> str:
    """What is printed on a token, or who a figure is; colours and numbers stay as they are."""
    tables = {"token": ("token",), "figure": ("character", "token"), "character": ("character",)}
    names = {entry["key"]: entry["name"] for table in tables.get(verb, ()) for entry in game.data[table]}
    return str(names.get(key, key))
