"""Carnival once more, written straight from the specification on position documents: strings, lists, copies.

It shares no code with the engine and takes no care of speed; the tests play both side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import combinations
from typing import Any

Document = dict[str, Any]
Midway = dict[str, list[str]]

ATTRACTIONS = ["bumper_cars", "carousel", "ferris_wheel", "roller_coaster", "swings"]
PARTS = ["banners", "lights", "materials", "seats"]
SLOTS = [*PARTS, "wild"]
CARDS = [f"{attraction}:{part}" for attraction in ATTRACTIONS for part in PARTS] + ["wild"]
ACTION_OF_FACE = {
    1: "deck_draw",
    2: "discard_draw",
    3: "hand_draw",
    4: "hand_trade",
    5: "midway_trade",
    6: "midway_steal",
}
PHASES = [
    *("discard", "main", "swap", "assign", "action", "take", "block"),
    *("place", "hand_give", "steal_discard", "midway_give", "build", "over"),
]


class GoalReachedError(Exception):
    """Somebody has won; nothing further is resolved."""


# Midways -----------------------------------------------------------------------------------------------------------


def is_complete(stack: list[str]) -> bool:
    return len(stack) == 4 and any(slot != "wild" for slot in stack)


def is_natural(stack: list[str]) -> bool:
    return set(PARTS) <= set(stack)


def is_eligible(stack: list[str]) -> bool:
    return any(slot != "wild" for slot in stack) and not is_complete(stack)


def homes(midway: Midway) -> list[str]:
    return [attraction for attraction in ATTRACTIONS if is_eligible(midway[attraction])]


def completed(midway: Midway) -> int:
    return sum(is_complete(stack) for stack in midway.values())


def add(midway: Midway, attraction: str, slot: str) -> None:
    midway[attraction] = sorted([*midway[attraction], slot], key=SLOTS.index)


def takeable_in_steal(taker: Midway, target: Midway) -> Iterator[tuple[str, str]]:
    """C-27."""
    for attraction in ATTRACTIONS:
        for slot in SLOTS:
            if slot not in target[attraction]:
                continue
            locked = is_natural(target[attraction])
            fits = slot not in taker[attraction] and not is_complete(taker[attraction])
            if slot == "wild" or (fits and not locked):
                yield attraction, slot


def return_cards(
    giver: Midway, receiver: Midway, taken: tuple[str, str], placed: str | None
) -> Iterator[tuple[str, str]]:
    """C-28."""
    for attraction in ATTRACTIONS:
        for slot in SLOTS:
            if slot not in giver[attraction]:
                continue
            if slot == "wild":
                if taken[1] != "wild" or placed != attraction or giver[attraction].count("wild") >= 2:
                    yield attraction, slot
                continue
            locked = is_natural(giver[attraction])
            fits = slot not in receiver[attraction] and not is_complete(receiver[attraction])
            if fits and not locked and (attraction, slot) != taken:
                yield attraction, slot


def takeable_in_trade(taker: Midway, target: Midway, goal: int) -> Iterator[tuple[str, str]]:
    """C-29: the card is moved on paper."""
    for attraction, slot in takeable_in_steal(taker, target):
        own, theirs = deepcopy(taker), deepcopy(target)
        theirs[attraction].remove(slot)
        if slot == "wild":
            wins = completed(own) == goal - 1 and any(len(own[home]) == 3 for home in homes(own))
        else:
            add(own, attraction, slot)
            wins = completed(own) >= goal
        if wins or any(True for _ in return_cards(own, theirs, (attraction, slot), None)):
            yield attraction, slot


class Reference:
    """A game in play: its document, and the source of its draws."""

    def __init__(self, options: Document, below: Callable[[int], int]) -> None:
        self.options = options
        self.below = below
        self.n: int = options["num_players"]
        self.goal: int = options["attractions_to_win"]
        self.set_up()

    # Set-up, piles -------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """C-60."""
        n = self.n
        copies = 4 if n == 4 else 3
        first = self.options["first_player"]
        self.document: Document = {
            "game": "carnival",
            "version": 1,
            "options": dict(self.options),
            "phase": "main",
            "active": self.below(n) if first == "random" else first,
            "actor": 0,
            "truncated": False,
            "end_reason": None,
            "turn": 0,
            "deck": [card for card in CARDS for _ in range(6 - n if card == "wild" else copies)],
            "discard": [],
            "hands": [["wild"] for _ in range(n)],
            "midways": [{attraction: [] for attraction in ATTRACTIONS} for _ in range(n)],
            "tickets": [3] * n,
            "ticket_used": [False] * n,
        }
        d = self.document
        self.shuffle(d["deck"])
        for _ in range(5):
            for seat in range(n):
                self.to_hand((d["active"] + seat) % n, d["deck"].pop())
        for _ in range(n):
            d["discard"].append(d["deck"].pop())
        self.start_turn()

    def shuffle(self, cards: list[str]) -> None:
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def draw(self) -> list[str]:
        """C-61: a card, or none."""
        d = self.document
        if not d["deck"] and d["discard"]:
            d["deck"], d["discard"] = d["discard"], []
            self.shuffle(d["deck"])
        return [d["deck"].pop()] if d["deck"] else []

    def to_hand(self, seat: int, *cards: str) -> None:
        self.document["hands"][seat] = sorted([*self.document["hands"][seat], *cards], key=CARDS.index)

    def from_hand(self, card: str) -> str:
        self.document["hands"][self.document["active"]].remove(card)
        return card

    # Legal actions -------------------------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """Section 6."""
        d = self.document
        phase, hand = d["phase"], d["hands"][d["active"]]
        own: Midway = d["midways"][d["active"]]
        if phase == "over":
            return []
        if phase in ("discard", "steal_discard"):
            return [f"discard:{card}" for card in set(hand)]
        if phase == "swap":
            return [f"discard:{card}" for card in set(hand)] + ["swap_done"]
        if phase == "main":
            wilds = [attraction for attraction in ATTRACTIONS if "wild" in own[attraction]]
            return ["roll", *["swap:hand"] * ("wild" in hand), *(f"swap:{attraction}" for attraction in wilds)]
        if phase == "assign":
            return list({f"assign:{min(pair)}+{max(pair)}" for pair in combinations(d["dice"], 2)})
        if phase == "action":
            return (self.declarations() or ["forfeit"]) + self.reassignments()
        if phase == "take":
            return [f"take:{a}:{slot}" for a, slot in self.takeable(d["action"]["kind"], d["action"]["target"])]
        if phase == "block":
            return ["allow", "block"]
        if phase == "place":
            return [f"place:{attraction}" for attraction in homes(d["midways"][d["place"]["seat"]])]
        if phase == "hand_give":
            return [f"give:{card}" for card in set(hand)]
        if phase == "midway_give":
            return [f"hand_over:{attraction}:{slot}" for attraction, slot in self.returnable()]
        return [*self.builds(), *self.reassignments(), "end_build"]

    def declarations(self) -> list[str]:
        """C-20."""
        d = self.document
        found = []
        for kind in {ACTION_OF_FACE[face] for face in d["remaining"]}:
            if kind == "deck_draw":
                found += ["do:deck_draw"] * bool(d["deck"] or d["discard"])
            elif kind == "discard_draw":
                found += ["do:discard_draw"] * bool(d["discard"])
            else:
                found += [f"do:{kind}:+{k}" for k in range(1, self.n) if self.can_target(kind, self.seat(k))]
        return found

    def seat(self, offset: int) -> int:
        return int(self.document["active"] + offset) % self.n

    def can_target(self, kind: str, seat: int) -> bool:
        if kind.startswith("hand"):
            return bool(self.document["hands"][seat])
        return bool(self.takeable(kind, seat))

    def takeable(self, kind: str, seat: int) -> list[tuple[str, str]]:
        midways = self.document["midways"]
        own, target = midways[self.document["active"]], midways[seat]
        if kind == "midway_steal":
            return list(takeable_in_steal(own, target))
        return list(takeable_in_trade(own, target, self.goal))

    def returnable(self) -> list[tuple[str, str]]:
        d = self.document
        action = d["action"]
        taken = (action["attraction"], action["slot"])
        return list(return_cards(d["midways"][d["active"]], d["midways"][action["target"]], taken, action["placed"]))

    def reassignments(self) -> list[str]:
        """C-43."""
        own = self.document["midways"][self.document["active"]]
        if self.document["reassigns"] == 6:
            return []
        return [
            f"reassign:{origin}:{home}"
            for origin in ATTRACTIONS
            for home in homes(own)
            if "wild" in own[origin] and origin != home
        ]

    def builds(self) -> Iterator[str]:
        """C-41, C-42."""
        hand = self.document["hands"][self.document["active"]]
        own = self.document["midways"][self.document["active"]]
        for attraction in ATTRACTIONS:
            parts = [part for part in PARTS if f"{attraction}:{part}" in hand]
            if not own[attraction]:
                yield from (f"start:{attraction}:{p}+{q}" for p, q in combinations(parts, 2))
                yield from (f"start:{attraction}:{part}+wild" for part in parts if "wild" in hand)
            elif is_eligible(own[attraction]):
                yield from (f"play:{attraction}:{part}" for part in parts if part not in own[attraction])
                yield from [f"wild:{attraction}"] * ("wild" in hand)

    # Effects -------------------------------------------------------------------------------------------------------

    def apply(self, action: str) -> None:
        """Apply a legal action."""
        verb, _, rest = action.partition(":")
        try:
            getattr(self, f"do_{verb}")(*rest.split(":") if rest else ())
        except GoalReachedError:
            self.document.update(phase="over", actor=-1, end_reason="goal")

    def start_turn(self) -> None:
        """C-10, C-11."""
        self.clear_turn()
        d = self.document
        if not d["discard"]:
            d["discard"] += self.draw()
        d["actor"] = d["active"]
        d["phase"] = "discard" if len(d["hands"][d["active"]]) > 6 else "main"

    def clear_turn(self) -> None:
        self.document.update(
            ticket_used=[False] * self.n,
            dice=[],
            remaining=[],
            reassigns=0,
            swap_count=0,
            action=None,
            place=None,
            block_queue=[],
        )

    def do_discard(self, *card: str) -> None:
        d = self.document
        d["discard"].append(self.from_hand(":".join(card)))
        if d["phase"] == "swap":
            d["swap_count"] += 1
        elif d["phase"] == "steal_discard":
            self.finish()
        elif len(d["hands"][d["active"]]) <= 6:
            d["phase"] = "main"

    def do_swap(self, place: str) -> None:
        d = self.document
        if place == "hand":
            self.from_hand("wild")
        else:
            d["midways"][d["active"]][place].remove("wild")
        d["discard"].append("wild")
        d.update(swap_count=1, phase="swap")

    def do_swap_done(self) -> None:
        d = self.document
        for _ in range(d["swap_count"]):
            self.to_hand(d["active"], *self.draw())
        d.update(swap_count=0, phase="build")

    def do_roll(self) -> None:
        d = self.document
        d["dice"] = [self.below(6) + 1 for _ in range(3)]
        if len(set(d["dice"])) == 1:
            d["remaining"] = list(d["dice"])
            self.enter_action()
        else:
            d["phase"] = "assign"

    def do_assign(self, pair: str) -> None:
        self.document["remaining"] = [int(face) for face in pair.split("+")]
        self.enter_action()

    def enter_action(self) -> None:
        """Section 6.1."""
        self.document["phase"] = "action"
        if not self.document["remaining"] or not (self.declarations() or self.reassignments()):
            self.do_forfeit()

    def do_forfeit(self) -> None:
        self.document.update(remaining=[], phase="build")

    def do_do(self, kind: str, offset: str | None = None) -> None:
        d = self.document
        face = next(face for face, name in ACTION_OF_FACE.items() if name == kind)
        d["remaining"].remove(face)
        target = None if offset is None else (d["active"] + int(offset)) % self.n
        d["action"] = {"kind": kind, "target": target, "attraction": None, "slot": None, "placed": None}
        if kind.startswith("midway"):
            d["phase"] = "take"
        else:
            self.open_window()

    def do_take(self, attraction: str, slot: str) -> None:
        self.document["action"].update(attraction=attraction, slot=slot)
        self.open_window()

    def open_window(self) -> None:
        """C-21."""
        d = self.document
        seats = [(d["active"] + k) % self.n for k in range(1, self.n)]
        d["block_queue"] = [seat for seat in seats if d["tickets"][seat] and not d["ticket_used"][seat]]
        self.ask()

    def ask(self) -> None:
        d = self.document
        if d["block_queue"]:
            d.update(phase="block", actor=d["block_queue"][0])
        else:
            d["actor"] = d["active"]
            self.perform()

    def do_allow(self) -> None:
        self.document["block_queue"].pop(0)
        self.ask()

    def do_block(self) -> None:
        d = self.document
        d["tickets"][d["actor"]] -= 1
        d["ticket_used"][d["actor"]] = True
        self.finish()

    def finish(self) -> None:
        d = self.document
        d.update(action=None, place=None, block_queue=[], actor=d["active"])
        self.enter_action()

    def perform(self) -> None:
        """C-23 to C-31."""
        d = self.document
        kind, target = d["action"]["kind"], d["action"]["target"]
        if kind.startswith("midway"):
            self.take_midway_card(target)
            return
        if kind == "deck_draw":
            self.to_hand(d["active"], *self.draw())
        elif kind == "discard_draw":
            self.to_hand(d["active"], d["discard"].pop())
        else:
            self.to_hand(d["active"], d["hands"][target].pop(self.below(len(d["hands"][target]))))
        if kind == "hand_trade":
            d["phase"] = "hand_give"
        else:
            self.finish()

    def do_give(self, *card: str) -> None:
        self.to_hand(self.document["action"]["target"], self.from_hand(":".join(card)))
        self.finish()

    def take_midway_card(self, target: int) -> None:
        d = self.document
        attraction, slot = d["action"]["attraction"], d["action"]["slot"]
        d["midways"][target][attraction].remove(slot)
        if slot == "wild":
            self.lift("taken", d["active"], 1)
        else:
            self.put(d["active"], attraction, slot)
            self.lift_lone("lone_target", target, attraction)

    def do_hand_over(self, attraction: str, slot: str) -> None:
        d = self.document
        d["midways"][d["active"]][attraction].remove(slot)
        if slot == "wild":
            self.lift("received", d["action"]["target"], 1)
        else:
            self.put(d["action"]["target"], attraction, slot)
            self.lift_lone("lone_self", d["active"], attraction)

    def put(self, seat: int, attraction: str, slot: str) -> None:
        """C-2, C-7."""
        d = self.document
        midway = d["midways"][seat]
        add(midway, attraction, slot)
        if slot != "wild" and is_natural(midway[attraction]) and self.options["natural_ticket"]:
            d["tickets"][seat] = min(3, d["tickets"][seat] + 1)
        if completed(midway) >= self.goal:
            raise GoalReachedError

    def lift_lone(self, reason: str, seat: int, attraction: str) -> None:
        stack = self.document["midways"][seat][attraction]
        alone = len(stack) if set(stack) == {"wild"} else 0
        if alone:
            stack.clear()
        self.lift(reason, seat, alone)

    def lift(self, reason: str, seat: int, count: int) -> None:
        self.document["place"] = {"reason": reason, "seat": seat, "count": count}
        self.settle()

    def settle(self) -> None:
        """C-33."""
        d = self.document
        place = d["place"]
        while place["count"]:
            found = homes(d["midways"][place["seat"]])
            if len(found) > 1:
                d.update(phase="place", actor=place["seat"])
                return
            if found:
                self.put_lifted(found[0])
            else:
                d["discard"] += ["wild"] * place["count"]
                place["count"] = 0
        d.update(place=None, actor=d["active"])
        if place["reason"] in ("received", "lone_self"):
            self.finish()
        elif d["action"]["kind"] == "midway_trade" and self.returnable():
            d["phase"] = "midway_give"
        elif d["action"]["kind"] == "midway_steal" and d["hands"][d["active"]]:
            d["phase"] = "steal_discard"
        else:
            self.finish()

    def put_lifted(self, attraction: str) -> None:
        place = self.document["place"]
        place["count"] -= 1
        if place["reason"] == "taken":
            self.document["action"]["placed"] = attraction
        self.put(place["seat"], attraction, "wild")

    def do_place(self, attraction: str) -> None:
        self.put_lifted(attraction)
        self.settle()

    def do_start(self, attraction: str, pair: str) -> None:
        for slot in pair.split("+"):
            self.build(attraction, slot)

    def do_play(self, attraction: str, part: str) -> None:
        self.build(attraction, part)

    def do_wild(self, attraction: str) -> None:
        self.build(attraction, "wild")

    def build(self, attraction: str, slot: str) -> None:
        self.from_hand("wild" if slot == "wild" else f"{attraction}:{slot}")
        self.put(self.document["active"], attraction, slot)

    def do_reassign(self, origin: str, home: str) -> None:
        d = self.document
        d["midways"][d["active"]][origin].remove("wild")
        d["reassigns"] += 1
        self.put(d["active"], home, "wild")
        if d["phase"] == "action":
            self.enter_action()

    def do_end_build(self) -> None:
        """C-50, C-51."""
        d = self.document
        while len(d["hands"][d["active"]]) < 3 and (d["deck"] or d["discard"]):
            self.to_hand(d["active"], *self.draw())
        d["turn"] += 1
        d["active"] = (d["active"] + 1) % self.n
        if d["turn"] < self.options["max_turns"]:
            self.start_turn()
        else:
            self.clear_turn()
            d.update(phase="over", actor=-1, truncated=True, end_reason="max_turns")

    # What a player sees (section 10) -------------------------------------------------------------------------------

    def observation(self, player: int) -> dict[str, Any]:
        """The raw blocks as nested lists."""
        d, n = self.document, self.n
        seats = [(player + k) % n for k in range(n)]
        midways = [d["midways"][seat] for seat in seats]
        action = d["action"] or {"kind": None, "target": None, "attraction": None, "slot": None, "placed": None}
        place = d["place"] or {"reason": None, "count": 0}
        kinds = list(ACTION_OF_FACE.values())
        reasons = ["taken", "lone_target", "received", "lone_self"]
        return {
            "hand": counts(d["hands"][player], CARDS),
            "hand_sizes": [len(d["hands"][seat]) for seat in seats],
            "midway_parts": [[[int(p in m[a]) for p in PARTS] for a in ATTRACTIONS] for m in midways],
            "midway_wilds": [[m[a].count("wild") for a in ATTRACTIONS] for m in midways],
            "complete": [[int(is_complete(m[a])) for a in ATTRACTIONS] for m in midways],
            "natural": [[int(is_natural(m[a])) for a in ATTRACTIONS] for m in midways],
            "tickets": [d["tickets"][seat] for seat in seats],
            "ticket_used": [int(d["ticket_used"][seat]) for seat in seats],
            "block_queue": [int(seat in d["block_queue"]) for seat in seats],
            "active": [int(seat == d["active"]) for seat in seats],
            "actor": [int(seat == d["actor"]) for seat in seats],
            "deck_size": [len(d["deck"])],
            "discard_size": [len(d["discard"])],
            "discard_top": one_hot(d["discard"][-1] if d["discard"] else None, CARDS),
            "dice": counts(d["dice"], list(ACTION_OF_FACE)),
            "remaining": counts(d["remaining"], list(ACTION_OF_FACE)),
            "phase": one_hot(d["phase"], PHASES)[:-1],
            "action_kind": one_hot(action["kind"], kinds),
            "action_target": one_hot(action["target"], seats),
            "action_attraction": one_hot(action["attraction"], ATTRACTIONS),
            "action_slot": one_hot(action["slot"], SLOTS),
            "action_placed": one_hot(action["placed"], ATTRACTIONS),
            "place_reason": one_hot(place["reason"], reasons),
            "place_count": [place["count"]],
            "reassigns": [d["reassigns"]],
            "swap_count": [d["swap_count"]],
            "turn": [min(d["turn"], 200)],
        }


def counts(items: list[Any], table: list[Any]) -> list[int]:
    """How often each entry of a table occurs."""
    number = Counter(items)
    return [number[entry] for entry in table]


def one_hot(item: Any, table: list[Any]) -> list[int]:
    """A one-hot over a table and, last, none of it."""
    return [int(entry == item) for entry in table] + [int(item not in table)]
