"""Carnavalo once more, written straight from the specification on position documents: lists, strings, copies.

It shares no code with the engine and takes no care of speed; the tests play both side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from itertools import product
from typing import Any

Document = dict[str, Any]
Draw = Callable[[int], int]

PHASES = ["setup_card", "before_action", "after_action", "return_tokens", "over"]
CITIZENS = ["prince", "miss", "barricadol"]
TENT_CODES = [1, 2, 3, 4, 20, 30]
PARADE_CODES = [3, 4, 5]
FULL_HAND = [1, 2, 3, 4, 5]
SPACES = 18
WON = -1


def one_hot(index: int, size: int) -> list[int]:
    return [int(place == index) for place in range(size)]


def shuffled(items: list[Any], below: Draw) -> list[Any]:
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = below(i + 1)
        result[i], result[j] = result[j], result[i]
    return result


class Reference:
    """A game: its position document, and what the rules say about it."""

    def __init__(self, options: Document, below: Draw) -> None:
        self.below = below
        self.n = options["num_players"]
        everyone = range(self.n)
        self.document: Document = {
            "game": "carnavalo",
            "version": 1,
            "options": options,
            "phase": "setup_card",
            "active": 0,
            "actor": 0,
            "truncated": False,
            "end_reason": None,
            "day": 1,
            "turns": 0,
            "ring": 1,
            "citizens": {"prince": 17, "miss": 5, "barricadol": 11},
            "setup_cards": [0] * self.n,
            "hands": [list(FULL_HAND) for _ in everyone],
            "tents": [[] for _ in range(6)],
            "middle": None,
            "parade": [],
            "discs": [[0] * 6 for _ in everyone],
            "movement_tokens": [[] for _ in everyone],
            "movement_stack": [],
            "tent_tokens": [[] for _ in range(6)],
            "tent_box": [],
            "parade_tokens": [],
            "parade_box": [],
            "won_tent_tokens": [[] for _ in everyone],
            "won_parade_tokens": [[] for _ in everyone],
            "floats_left": 4,
            "float_owned": [False] * self.n,
            "return_reason": "none",
        }

    # Questions -----------------------------------------------------------------------------------------------------

    def blocked(self, tent: int) -> bool:
        return bool(self.document["citizens"]["barricadol"] == 3 * tent)

    def legal(self) -> list[str]:
        d = self.document
        if d["phase"] == "over":
            return []
        me = d["actor"]
        if d["phase"] == "setup_card":
            return [f"setup:{value}" for value in d["hands"][me]]
        if d["phase"] == "return_tokens":
            return [f"return:{token}" for token in d["movement_tokens"][me]]
        distances = range(1, d["ring"] + 1)
        tokens = [
            f"token:{token}:{citizen}:{how}"
            for token in d["movement_tokens"][me]
            for citizen in CITIZENS
            for how in [*distances, "direct"]
        ]
        if d["phase"] == "after_action":
            return ["end", *tokens]
        actions = [f"move:{citizen}:{distance}" for citizen in CITIZENS for distance in distances]
        for value, tent in product(d["hands"][me], range(6)):
            pile = d["tents"][tent]
            if self.blocked(tent) or (pile and pile[-1][0] == me):
                continue
            actions.append(f"play:{value}:{tent}:up")
            if pile:
                actions.append(f"play:{value}:{tent}:down")
        return [*(actions or ["pass"]), *tokens]

    def scores(self) -> list[int]:
        d = self.document
        totals = []
        for player in range(self.n):
            total = sum(5 if disc == WON else disc for disc in d["discs"][player])
            won = d["won_tent_tokens"][player]
            for code in won:
                total += {20: 0, 30: 0}.get(code, code)
                total += code if code == 2 and 20 in won else 0
                total += 2 * code if code == 1 and 30 in won else 0
            totals.append(total + sum(d["won_parade_tokens"][player]) - 5 * d["float_owned"][player])
        return totals

    # Moves ---------------------------------------------------------------------------------------------------------

    def apply(self, action: str) -> None:
        assert action in self.legal()
        d = self.document
        kind, *arguments = action.split(":")
        me = d["actor"]
        if kind == "setup":
            self.choose(me, int(arguments[0]))
        elif kind == "move":
            self.walk(arguments[0], int(arguments[1]))
            self.proceed("after_action")
        elif kind == "play":
            self.play(me, int(arguments[0]), int(arguments[1]), arguments[2])
            self.proceed("after_action")
        elif kind == "token":
            if arguments[2] == "direct":
                self.arrive(arguments[1], 3 * int(arguments[0]))
                d["ring"] = 0
            else:
                self.walk(arguments[1], int(arguments[2]))
            self.put_under(me, int(arguments[0]))
            self.proceed(d["phase"])
        elif kind == "return":
            self.put_under(me, int(arguments[0]))
            self.give_back(d["return_reason"])
        elif kind == "end":
            d["ring"] = 0
            self.give_back("turn_end")
        else:
            self.proceed("after_action")

    def choose(self, me: int, value: int) -> None:
        d = self.document
        d["hands"][me].remove(value)
        d["setup_cards"][me] = value
        if me + 1 < self.n:
            d["actor"] += 1
        else:
            self.deal()

    def deal(self) -> None:
        d, n, below = self.document, self.n, self.below
        for player, tent in enumerate(shuffled(list(range(6)), below)[:n]):
            d["tents"][tent] = [[player, d["setup_cards"][player], 1]]
        d["setup_cards"] = [0] * n
        tokens = shuffled(list(range(6)), below)
        for player in range(n):
            d["movement_tokens"][player] = [tokens[player]]
            d["discs"][player][tokens[player]] = 1
        d["movement_stack"] = tokens[n:]
        advanced = d["options"]["advanced"]
        tent_tokens = shuffled([*[1] * 6, *[2] * 6, *[3] * 6, *[4] * 6, *([20, 30] if advanced else [])], below)
        d["tent_tokens"] = [tent_tokens[4 * tent : 4 * tent + 4] for tent in range(6)]
        d["tent_box"] = sorted(tent_tokens[24:]) if advanced else [20, 30]
        parade_tokens = shuffled([3, 3, 4, 4, 5, 5], below)
        d["parade_tokens"], d["parade_box"] = parade_tokens[:4], sorted(parade_tokens[4:])
        reached = [(d["citizens"]["prince"] + step) % SPACES for step in range(1, SPACES + 1)]
        first = next(space // 3 for space in reached if space % 3 == 0 and d["tents"][space // 3])
        d["active"] = d["actor"] = d["tents"][first][0][0]
        d["phase"] = "before_action"

    def walk(self, citizen: str, distance: int) -> None:
        self.arrive(citizen, (self.document["citizens"][citizen] + distance) % SPACES)
        self.document["ring"] = distance

    def arrive(self, citizen: str, space: int) -> None:
        d = self.document
        d["citizens"][citizen] = space
        if space % 3 or citizen == "barricadol" or self.blocked(space // 3):
            return
        pile = d["tents"][space // 3]
        if citizen == "prince" and pile:
            owner, value, _ = pile.pop()
            d["parade"].append([owner, value])
            self.advance(owner, space // 3)
            if pile:
                pile[-1][2] = 1
        if citizen == "miss":
            if d["middle"]:
                pile.append([*d["middle"], 1])
                d["middle"] = None
            if pile:
                d["middle"] = pile.pop(0)[:2]

    def advance(self, player: int, tent: int) -> None:
        discs = self.document["discs"][player]
        if discs[tent] in (0, 1, 2, 3):
            discs[tent] += 1

    def play(self, me: int, value: int, tent: int, side: str) -> None:
        d = self.document
        pile = d["tents"][tent]
        d["hands"][me].remove(value)
        if side == "down":
            pile.insert(0, [me, value, 0])
            if d["movement_stack"]:
                holder = d["movement_tokens"][pile[-1][0]]
                holder.append(d["movement_stack"].pop())
                holder.sort()
        else:
            if pile:
                self.advance(pile[-1][0], tent)
            pile.append([me, value, 1])
        d["ring"] = pile[-1][1]

    def put_under(self, me: int, token: int) -> None:
        self.document["movement_tokens"][me].remove(token)
        self.document["movement_stack"].insert(0, token)

    # The course of the game ----------------------------------------------------------------------------------------

    def proceed(self, phase: str) -> None:
        d = self.document
        empty = sum(not hand for hand in d["hands"])
        if len(d["parade"]) == 5 or empty == (1 if self.n == 2 else 2):
            self.give_back("day_end")
        elif phase == "after_action" and not d["movement_tokens"][d["active"]]:
            self.next_turn()
        else:
            d["phase"] = phase

    def give_back(self, reason: str) -> None:
        d = self.document
        me = d["active"]
        held = d["movement_tokens"][me]
        if len(held) >= 2:
            d["phase"], d["return_reason"] = "return_tokens", reason
            return
        if held:
            self.put_under(me, held[0])
        d["return_reason"] = "none"
        if reason == "turn_end":
            self.next_turn()
        else:
            self.count()

    def next_turn(self) -> None:
        d = self.document
        d["turns"] += 1
        d["active"] = d["actor"] = (d["active"] + 1) % self.n
        d["phase"] = "before_action"
        if d["turns"] == d["options"]["max_turns"]:
            d["truncated"] = True
            self.finish("max_turns")

    def finish(self, reason: str) -> None:
        self.document.update(phase="over", actor=-1, end_reason=reason)

    def count(self) -> None:
        d = self.document
        for tent in range(6):
            for shown in d["tents"][tent]:
                shown[2] = 1
            totals = [
                max(d["discs"][player][tent], 0) + sum(v for owner, v, _ in d["tents"][tent] if owner == player)
                for player in range(self.n)
            ]
            first, second = ranked(totals)
            if first is not None and d["discs"][first][tent] != WON:
                d["discs"][first][tent] = WON
                self.award("tent", second, d["tent_tokens"][tent])
            else:
                self.award("tent", first, d["tent_tokens"][tent])
        totals = [sum(v for owner, v in d["parade"] if owner == player) for player in range(self.n)]
        first, second = ranked(totals)
        if first is not None and not d["float_owned"][first]:
            d["float_owned"][first] = True
            self.award("parade", second, d["parade_tokens"])
        else:
            self.award("parade", first, d["parade_tokens"])
        d["floats_left"] -= 1
        if any(discs.count(WON) >= 5 for discs in d["discs"]):
            d["turns"] += 1
            self.finish("discs")
        elif d["day"] == 4:
            d["turns"] += 1
            self.finish("days")
        else:
            self.new_day()

    def award(self, kind: str, player: int | None, stack: list[int]) -> None:
        if player is not None:
            won = self.document[f"won_{kind}_tokens"][player]
            won.append(stack.pop())
            won.sort()

    def new_day(self) -> None:
        d = self.document
        d["hands"] = [list(FULL_HAND) for _ in range(self.n)]
        if d["middle"]:
            owner, value = d["middle"]
            d["hands"][owner].remove(value)
        d["tents"], d["parade"] = [[] for _ in range(6)], []
        d["day"] += 1
        self.next_turn()

    # What a player sees --------------------------------------------------------------------------------------------

    def observation(self, me: int) -> dict[str, Any]:
        d, n = self.document, self.n
        order = [(me + k) % n for k in range(n)]
        setup = d["phase"] == "setup_card"
        seen = self.cards_in_sight()
        slots = [self.slots(tent, order) for tent in range(6)]
        discs = [[disc if disc != WON else 5 for disc in d["discs"][player]] for player in order]
        return {
            "phase": one_hot(PHASES.index(d["phase"]), 5),
            "actor": one_hot(order.index(d["actor"]) if d["actor"] >= 0 else -1, n),
            "active": one_hot(-1 if setup else order.index(d["active"]), n),
            "day": one_hot(d["day"] - 1, 4),
            "ring": one_hot(d["ring"], 6),
            "turns": [min(d["turns"], 400)],
            "advanced": [int(d["options"]["advanced"])],
            "citizens": [one_hot(d["citizens"][name], SPACES) for name in CITIZENS],
            "hand": [int(value in d["hands"][me]) for value in FULL_HAND],
            "hand_sizes": [len(d["hands"][player]) for player in order],
            "setup_chosen": [int(d["setup_cards"][player] > 0) for player in order],
            "setup_own": one_hot(d["setup_cards"][me] - 1, 5),
            "tent_owner": [[owner for owner, _, _ in row] for row in slots],
            "tent_value": [[value for _, value, _ in row] for row in slots],
            "tent_up": [[up for _, _, up in row] for row in slots],
            "middle_owner": one_hot(order.index(d["middle"][0]) if d["middle"] else -1, n),
            "middle_value": one_hot(d["middle"][1] - 1 if d["middle"] else -1, 5),
            "parade": [[int([player, value] in d["parade"]) for value in FULL_HAND] for player in order],
            "discs": [[one_hot(disc, 6) for disc in row] for row in discs],
            "tokens_own": [int(token in d["movement_tokens"][me]) for token in range(6)],
            "token_counts": [len(d["movement_tokens"][player]) for player in order],
            "token_stack_size": [len(d["movement_stack"])],
            "tent_open": [self.open_token(stack, TENT_CODES) for stack in d["tent_tokens"]],
            "tent_left": [len(stack) for stack in d["tent_tokens"]],
            "parade_open": self.open_token(d["parade_tokens"], PARADE_CODES),
            "parade_left": [len(d["parade_tokens"])],
            "won_tent": [[d["won_tent_tokens"][player].count(code) for code in TENT_CODES] for player in order],
            "won_parade": [[d["won_parade_tokens"][player].count(code) for code in PARADE_CODES] for player in order],
            "floats_left": [d["floats_left"]],
            "float_owned": [int(d["float_owned"][player]) for player in order],
            "unseen": [[int([player, value] not in seen) for value in FULL_HAND] for player in order],
            "tent_visible_total": [[self.visible_total(t, player, me) for player in order] for t in range(6)],
            "tent_facedown": [
                [sum(owner == player and not up for owner, _, up in d["tents"][t]) for player in order]
                for t in range(6)
            ],
        }

    def cards_in_sight(self) -> list[list[int]]:
        d = self.document
        shown = [[owner, value] for pile in d["tents"] for owner, value, up in pile if up]
        return [*shown, *d["parade"], *([d["middle"]] if d["middle"] else [])]

    def slots(self, tent: int, order: list[int]) -> list[tuple[int, int, int]]:
        pile = self.document["tents"][tent]
        cards = [(order.index(o) + 1, value if up or o == order[0] else 0, up) for o, value, up in reversed(pile)]
        return cards + [(0, 0, 0)] * (5 * self.n - len(cards))

    def visible_total(self, tent: int, player: int, me: int) -> int:
        d = self.document
        values = [value for owner, value, up in d["tents"][tent] if owner == player and (up or player == me)]
        return int(sum(values) + max(d["discs"][player][tent], 0))

    @staticmethod
    def open_token(stack: list[int], codes: list[int]) -> list[int]:
        return one_hot(codes.index(stack[-1]) if stack else -1, len(codes))

    # What he does not see ------------------------------------------------------------------------------------------

    def resampled(self, me: int, below: Draw) -> Document:
        d = deepcopy(self.document)
        others = [(me + k) % self.n for k in range(1, self.n)]
        seen = self.cards_in_sight()
        for player in others:
            cards = shuffled([value for value in FULL_HAND if [player, value] not in seen], below)
            if d["setup_cards"][player]:
                d["setup_cards"][player] = cards.pop(0)
            for pile in d["tents"]:
                for shown in pile:
                    if shown[0] == player and not shown[2]:
                        shown[1] = cards.pop(0)
            d["hands"][player] = sorted(cards)
        if d["phase"] == "setup_card":
            return d
        tokens = shuffled([token for token in range(6) if token not in d["movement_tokens"][me]], below)
        for player in others:
            count = len(d["movement_tokens"][player])
            d["movement_tokens"][player], tokens = sorted(tokens[:count]), tokens[count:]
        d["movement_stack"] = tokens
        advanced = d["options"]["advanced"]
        unopened = sorted(code for stack in d["tent_tokens"] for code in stack[:-1])
        left = shuffled(sorted([*unopened, *(d["tent_box"] if advanced else [])]), below)
        for stack in d["tent_tokens"]:
            left = refill(stack, left)
        d["tent_box"] = sorted(left) if advanced else d["tent_box"]
        left = shuffled(sorted([*d["parade_tokens"][:-1], *d["parade_box"]]), below)
        d["parade_box"] = sorted(refill(d["parade_tokens"], left))
        return d


def ranked(totals: list[int]) -> tuple[int | None, int | None]:
    """The single highest player and the single second-highest, where there are such."""
    counts = Counter(total for total in totals if total > 0)
    order = sorted(counts, reverse=True)
    singles = [totals.index(total) if counts[total] == 1 else None for total in order[:2]]
    singles += [None] * (2 - len(singles))
    return (singles[0], singles[1]) if singles[0] is not None else (None, None)


def refill(stack: list[int], left: list[int]) -> list[int]:
    """Fill a stack below its top from the front of a list; returns what is left of it."""
    hidden = max(len(stack) - 1, 0)
    stack[:hidden] = left[:hidden]
    return left[hidden:]
