"""Carnavalesco once more, from its specification, in plain Python: slow, and sharing nothing with the engine.

Ladders are written over sorted lists and brute force (every assignment of Storyline dice to elements is tried), where
the engine uses sets, histograms and a counting theorem.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

COLORS = "RYGBPW"
ELEMENTS = ["vanguard", "flag_bearer", "storyline", "floats", "costumes", "progression", "harmony", "drums", "samba"]
DIVISIONS = "DCBAS"
DRAWN = {1: 8, 2: 12, 3: 10, 4: 12}
TURNS = {1: 1, 2: 4, 3: 3, 4: 4}
DICE = {1: 4, 2: 2, 3: 2, 4: 2}
ROUNDS = {1: 9, 2: 9, 3: 18, 4: 18}

Board = dict[str, list[str]]


def base_score(division: str, total: int) -> int:
    """2.4: the formula of the reconstructed tables."""
    return 2 + (total - 4 - DIVISIONS.index(division)) // 3


def color(die: str) -> str:
    return die[0]


def value(die: str) -> int:
    return int(die[1])


def pattern(things: list[Any]) -> list[int]:
    """How often the different things occur, most frequent first."""
    return sorted(Counter(things).values(), reverse=True)


def step(board: Board, element: str, school_colors: list[str] | None) -> int:
    """10 for the main condition, else the bonus (E-23 to E-31)."""
    dice = board[element]
    others = {name: held for name, held in board.items() if name != element}
    values = [value(die) for die in dice]
    colors = [color(die) for die in dice]
    if element == "vanguard":
        inside = 10 <= sum(values) <= 15
        top = pattern(colors)[0]
        return {(4, True): 10, (3, True): 3, (4, False): 2, (3, False): 1}.get((top, inside), 0)
    if element == "flag_bearer":
        return flag_bearer(dice, school_colors)
    if element == "storyline":
        return {(4, 4): 10, (3, 4): 3, (4, 3): 2, (3, 3): 1}.get((len(set(dice)), told(dice, others)), 0)
    if element == "floats":
        return {(4, 4): 10, (4, 3): 3, (3, 4): 2, (3, 3): 1}.get((len(set(colors)), len(set(values))), 0)
    if element == "costumes":
        return [0, 1, 2, 3, 10][(Counter(dice) & Counter(board["floats"])).total()]
    if element == "progression":
        return progression(set(values))
    if element == "harmony":
        return alike(pattern(dice))
    if element == "drums":
        clash = set(values) & {value(die) for die in board["harmony"]}
        return 0 if clash else alike(pattern(values))
    rest = [die for held in others.values() for die in held]
    lone = [
        color(die) not in {color(other) for other in rest} or value(die) not in {value(other) for other in rest}
        for die in dice
    ]
    return [0, 1, 2, 3, 10][sum(lone)]


def alike(counts: list[int]) -> int:
    return {(4,): 10, (3, 1): 3, (2, 2): 2, (2, 1, 1): 1}.get(tuple(counts), 0)


def flag_bearer(dice: list[str], school_colors: list[str] | None) -> int:
    """E-24, E-51."""
    if pattern([color(die) for die in dice]) != [2, 2]:
        return 0
    first, second = sorted({color(die) for die in dice})
    if school_colors is not None and {first, second} != set(school_colors):
        return 0
    pairs = [[value(die) for die in dice if color(die) == letter] for letter in (first, second)]
    best = 1
    for own, other in (pairs, pairs[::-1]):
        if own[0] != own[1]:
            continue
        opposite = all(number % 2 != own[0] % 2 for number in other)
        best = max(best, 2, 3 if opposite else 0, 10 if opposite and other[0] == other[1] else 0)
    return best


def told(dice: list[str], others: Board) -> int:
    """E-25: the most different elements in any assignment of the dice to elements in which they are present."""
    where = [[name for name, held in others.items() if die in held] for die in dice]
    return max((len(set(choice)) for choice in product(*where)), default=0)


def progression(values: set[int]) -> int:
    """E-28: runs round a ring of values; those across the end count less."""
    runs = {length: [{(start + i) % 6 + 1 for i in range(length)} for start in range(6)] for length in (3, 4)}
    straight = {length: [run for run in runs[length] if max(run) - min(run) == length - 1] for length in (3, 4)}
    wrapped = {length: [run for run in runs[length] if run not in straight[length]] for length in (3, 4)}
    if values in straight[4]:
        return 10
    if values in wrapped[4]:
        return 3
    if any(run <= values for run in straight[3]):
        return 2
    return 1 if any(run <= values for run in wrapped[3]) else 0


def tokens(board: Board, school_colors: list[str] | None) -> list[str]:
    """E-40 to E-42, from the board alone."""
    full = [element for element in ELEMENTS if len(board[element]) == 4]
    waiting = set()
    if "harmony" not in full:
        waiting.add("drums")
    if len(full) < 9:
        waiting.add("samba")
    return [element for element in full if element not in waiting and step(board, element, school_colors) == 10]


def result(board: Board, division: str, counters: int, school_colors: list[str] | None) -> dict[str, Any]:
    """The tally (E-45, E-46, E-53)."""
    steps = [step(board, element, school_colors) for element in ELEMENTS]
    bases = [base_score(division, sum(value(die) for die in board[element])) for element in ELEMENTS]
    bonuses = [0 if bonus == 10 else bonus for bonus in steps]
    scores = [10 if s == 10 else min(10, b + s) for s, b in zip(steps, bases, strict=True)]
    final = sum(scores) - counters
    letters = {color(die) for die in board["flag_bearer"]}
    shown = sum(color(die) in letters for held in board.values() for die in held)
    return {
        "bases": bases,
        "bonuses": bonuses,
        "scores": scores,
        "total": sum(scores),
        "final": final,
        "rank_key": [final, len(tokens(board, school_colors)), scores[1], shown],
    }


class ReferenceGame:
    """A game as a position document that is edited in place."""

    def __init__(self, options: dict[str, Any], below: Any) -> None:
        self.below = below
        self.n = options["num_players"]
        given = options["divisions"]
        letters = [None] * self.n if given == "choose" else list(given) if isinstance(given, list) else [given] * self.n
        self.doc: dict[str, Any] = {
            "game": "carnavalesco",
            "version": 1,
            "options": options,
            "phase": "choose_division",
            "active": 0,
            "actor": 0,
            "truncated": False,
            "end_reason": None,
            "parade": 1,
            "round": 1,
            "turn": 0,
            "turn_dice": 0,
            "first_player": -1,
            "bag": dict.fromkeys(COLORS, 25),
            "pool": [],
            "hand": None,
            "round_picks": [],
            "players": [self.new_player(letter, options["school_colors"]) for letter in letters],
            "history": [],
        }
        if given != "choose":
            self.set_first_player()

    @staticmethod
    def new_player(division: str | None, colors: list[str] | None) -> dict[str, Any]:
        return {
            "division": division,
            "colors": sorted(colors or [], key=COLORS.index),
            "board": {element: [] for element in ELEMENTS},
            "tokens": [],
            "counters": 0,
            "result": None,
        }

    def set_first_player(self) -> None:
        option = self.doc["options"]["first_player"]
        self.doc["first_player"] = option if option is not None else self.below(self.n) if self.n > 1 else 0
        if self.n == 1 and self.doc["options"]["school_colors"] is None:
            self.doc.update(phase="choose_colors", active=0, actor=0)
        else:
            self.start_round()

    def start_round(self) -> None:
        doc = self.doc
        drawn = []
        for _ in range(DRAWN[self.n]):
            left = [letter for letter in COLORS for _ in range(doc["bag"][letter])]
            drawn.append(left[self.below(len(left))])
            doc["bag"][drawn[-1]] -= 1
        doc["pool"] = self.sort([f"{letter}{self.below(6) + 1}" for letter in drawn])
        first = doc["first_player"]
        doc.update(phase="take", turn=0, turn_dice=0, round_picks=[], active=first, actor=first)

    @staticmethod
    def sort(dice: list[str]) -> list[str]:
        return sorted(dice, key=lambda die: (COLORS.index(die[0]), die[1]))

    def legal(self) -> set[str]:
        doc = self.doc
        me = doc["players"][doc["active"]]
        if doc["phase"] == "take":
            return {f"take:{die}" for die in doc["pool"]}
        if doc["phase"] == "place":
            return {f"place:{element}" for element in ELEMENTS if len(me["board"][element]) < 4}
        if doc["phase"] == "choose_colors":
            return {f"color:{letter}" for letter in COLORS if letter not in me["colors"]}
        return {f"division:{letter}" for letter in DIVISIONS} if doc["phase"] == "choose_division" else set()

    def apply(self, action: str) -> None:
        doc = self.doc
        kind, what = action.split(":")
        me = doc["players"][doc["actor"]]
        if kind == "division":
            me["division"] = what
            if doc["actor"] + 1 < self.n:
                doc.update(active=doc["actor"] + 1, actor=doc["actor"] + 1)
            else:
                self.set_first_player()
        elif kind == "color":
            me["colors"] = sorted([*me["colors"], what], key=COLORS.index)
            if len(me["colors"]) == 2:
                self.start_round()
        elif kind == "take":
            doc["pool"].remove(what)
            doc.update(hand=what, phase="place")
        else:
            self.place(me, what)

    def place(self, me: dict[str, Any], element: str) -> None:
        doc = self.doc
        die = doc["hand"]
        me["board"][element] = self.sort([*me["board"][element], die])
        if self.n == 1:
            before = doc["round_picks"]
            now = [*before, [die, element]]
            me["counters"] += self.broken(now) - self.broken(before)
            doc["round_picks"] = now
        me["tokens"] = tokens(me["board"], me["colors"] if self.n == 1 else None)
        doc.update(hand=None, phase="take", turn_dice=doc["turn_dice"] + 1)
        if doc["turn_dice"] == DICE[self.n]:
            self.end_turn()

    @staticmethod
    def broken(picks: list[list[str]]) -> int:
        """E-52: how many of the three restrictions these dice of one round break."""
        features = ([die[1] for die, _ in picks], [die[0] for die, _ in picks], [element for _, element in picks])
        return sum(any(count > 2 for count in Counter(feature).values()) for feature in features)

    def end_turn(self) -> None:
        doc = self.doc
        doc.update(turn_dice=0, turn=doc["turn"] + 1)
        if doc["turn"] < TURNS[self.n]:
            seat = (doc["first_player"] + doc["turn"]) % self.n
            doc.update(active=seat, actor=seat)
            return
        for die in doc["pool"]:
            doc["bag"][die[0]] += 1
        doc.update(pool=[], turn=0, round_picks=[])
        if doc["round"] == ROUNDS[self.n]:
            self.end_parade()
        else:
            doc.update(round=doc["round"] + 1, first_player=(doc["first_player"] - 1) % self.n)
            self.start_round()

    def end_parade(self) -> None:
        doc = self.doc
        results = [
            result(me["board"], me["division"], me["counters"], me["colors"] if self.n == 1 else None)
            for me in doc["players"]
        ]
        reason, truncated = "boards_full", False
        if self.n == 1:
            entry = self.judge(results[0]["final"])
            doc["history"].append(entry)
            if doc["options"]["campaign"]:
                if entry["place"] == "first" and entry["division"] == "S":
                    reason = "championship"
                elif doc["parade"] == doc["options"]["max_parades"]:
                    reason, truncated = "max_parades", True
                else:
                    self.next_parade(entry["next_division"])
                    return
        for me, own in zip(doc["players"], results, strict=True):
            me["result"] = own
        last = (doc["first_player"] - 1) % self.n
        doc.update(phase="over", active=last, actor=-1, end_reason=reason, truncated=truncated)

    def judge(self, final: int) -> dict[str, Any]:
        """E-54, E-55."""
        division = self.doc["players"][0]["division"]
        place = "first" if final >= 89 else "second" if final == 88 else "mid" if final >= 80 else "relegated"
        move = {"first": 1, "second": 1, "mid": 0, "relegated": -1}[place]
        following = DIVISIONS[min(4, max(0, DIVISIONS.index(division) + move))]
        return {"division": division, "final": final, "place": place, "next_division": following}

    def next_parade(self, division: str) -> None:
        doc = self.doc
        doc["players"][0] = self.new_player(division, doc["players"][0]["colors"])
        doc.update(parade=doc["parade"] + 1, round=1, bag=dict.fromkeys(COLORS, 25))
        self.start_round()
