"""Bedeville Carnival once more, written straight from the specification on position documents: strings and lists.

It shares no code with the engine and takes no care of speed; the tests play both side by side. The tables below were
typed from the specification, not read from the game's data file.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

Document = dict[str, Any]

COLOURS = ["pink", "yellow", "blue"]
# key: pink, yellow, blue, any, Noise
ATTRACTIONS = {
    "ticket_booth": (0, 0, 0, 1, 1),
    "eternal_love": (2, 0, 0, 0, 2),
    "memory_carousel": (1, 1, 0, 0, 2),
    "blind_shot": (0, 1, 1, 0, 2),
    "glutton": (1, 0, 1, 0, 2),
    "mill_of_bedeville": (0, 2, 0, 0, 2),
    "deep_sea_ride": (0, 0, 2, 0, 2),
    "dragon_loop": (0, 1, 0, 1, 2),
    "joy_wheel": (0, 0, 0, 1, 1),
    "castle_of_horror": (0, 0, 0, 2, 3),
    "one_way": (0, 1, 1, 0, 2),
    "fortune_teller": (1, 0, 0, 1, 3),
    "flow_of_the_undead": (1, 0, 1, 0, 1),
    "lucky_trap": (1, 1, 0, 0, 1),
    "slimy_bowling_alley": (0, 0, 1, 1, 1),
    "devils_rodeo": (1, 1, 1, 0, 3),
    "kraken_tentacles": (1, 0, 1, 1, 3),
    "freaks": (1, 1, 0, 0, 2),
    "soul_reflection": (0, 1, 1, 0, 2),
}
FURBALL_CARDS = ["joy_wheel", "devils_rodeo", "freaks", "soul_reflection"]
# key: pink, yellow, blue, any, VP
PRIZES = {
    "plush_toys": (1, 1, 1, 1, 5),
    "ghost_balloon": (1, 0, 0, 1, 2),
    "bone_popcorn": (0, 1, 0, 1, 2),
    "grave_lollipop": (0, 0, 1, 1, 2),
    "cotton_cobweb": (2, 0, 0, 1, 3),
    "rubber_bat": (0, 2, 0, 1, 3),
    "jar_of_eyes": (0, 0, 2, 1, 3),
    "paper_fangs": (2, 1, 0, 0, 4),
    "tin_trumpet": (0, 2, 1, 0, 4),
    "glass_spider": (1, 0, 2, 0, 4),
    "storm_lantern": (0, 1, 2, 1, 5),
    "velvet_mask": (2, 0, 1, 1, 5),
    "brass_medal": (1, 2, 0, 1, 5),
    "puppet": (2, 2, 0, 0, 6),
    "music_box": (0, 2, 2, 0, 6),
    "crystal_skull": (2, 0, 2, 0, 6),
    "rocking_horse": (3, 1, 0, 1, 7),
    "golden_goose": (0, 3, 1, 1, 7),
    "deep_sea_pearl": (1, 0, 3, 1, 7),
    "giant_bear": (1, 1, 1, 3, 8),
    "grand_prize": (2, 2, 2, 0, 10),
}
TOKENS = ["charles", "prank", "pirouette", "joy", "temptation", "quiet", "crack", "furball"]
CHARACTERS = ["johnny", "albert", "cindy", "monday", "clay", "heidi"]
ABILITY_COLOUR = {"johnny": 2, "albert": 1, "cindy": 0, "monday": 0, "clay": 2, "heidi": 1}
FIGURES = [*CHARACTERS, "charles", "furball"]
RINGS = {4: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3: [0, 1, 2, 3, 4, 6, 7, 8, 9], 2: [0, 1, 2, 4, 5, 6, 8, 9]}
START_SPACES = [2, 4, 6, 8]
PHASES = [
    *("draft", "first_joy", "start_space", "turn", "account", "pay", "whim", "gain", "window", "boredom", "love"),
    *("two_spaces", "blind", "glutton", "booth", "noise_source", "noise_count", "noise_dest", "dragon", "figure"),
    *("figure_dest", "freaks", "prize_discard", "caught", "pre_draw", "choose_token", "noway", "tempt_colour"),
    *("tempt_space", "quiet", "crack", "end_window", "over"),
]
CARDS = list(ATTRACTIONS)
STOCK = list(PRIZES)


def fresh_turn() -> Document:
    return {"exchanged": False, "bought": False, "pass_used": False, "tough_used": False}


def fresh_context(n: int) -> Document:
    return {
        "used_card": None,
        "token": None,
        "token_source": None,
        "drawn": [],
        "draws_left": 0,
        "picked": [],
        "gain_left": 0,
        "gain_source": None,
        "buy_space": None,
        "pay_left": 0,
        "pending": [None] * n,
        "return_phase": None,
    }


class GameOverError(Exception):
    """The game has ended; nothing further happens."""


class Reference:
    """One game. ``below`` gives the draws."""

    def __init__(self, options: Document, below: Callable[[int], int]) -> None:
        self.n: int = options["num_players"]
        self.ring = RINGS[self.n]
        self.beginner = options["variant"] == "beginner"
        self.fixed = ["charles", "prank"] if self.beginner else ["charles", "furball"]
        self.cards = [card for card in CARDS if not (self.beginner and card in FURBALL_CARDS)]
        self.tokens = [token for token in TOKENS if not (self.beginner and token == "furball")]
        self.below = below
        self.d = self.set_up(options)

    # Section 5 -----------------------------------------------------------------------------------------------------

    def shuffle(self, items: list[str]) -> list[str]:
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.draw_below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def draw_below(self, k: int) -> int:
        return 0 if k == 1 else self.below(k)

    def set_up(self, options: Document) -> Document:
        n = self.n
        first = options["first_player"]
        if first == "random":
            first = self.draw_below(n)
        cards = self.shuffle([card for card in self.cards if card not in ("ticket_booth", "castle_of_horror")])
        ring: list[Any] = [None] * 10
        for space in self.ring:
            ring[space] = {"card": "ticket_booth" if space == 0 else cards.pop(), "noise": 0, "joy": [0, 0, 0]}
        deck = self.shuffle(sorted([*cards, "castle_of_horror"], key=CARDS.index))
        prizes = self.shuffle(STOCK)
        stalls: list[list[str]] = [[] for _ in range(10)]
        for space in self.ring:
            a, b = prizes.pop(), prizes.pop()
            stalls[space] = [b, a] if sum(PRIZES[a][:4]) < sum(PRIZES[b][:4]) else [a, b]
        rest = self.shuffle([token for token in self.tokens if token not in self.fixed])
        bag = [*self.fixed, rest.pop(), rest.pop(), rest.pop()]
        characters: list[Any] = [None] * n
        if isinstance(options["characters"], list):
            characters = list(options["characters"])
        elif options["characters"] == "random":
            dealt = self.shuffle(CHARACTERS)
            for k in range(n):
                characters[(first + k) % n] = dealt.pop()
        return {
            "game": "bedeville",
            "version": 1,
            "options": options,
            "phase": "draft" if options["characters"] == "draft" else "first_joy",
            "active": first,
            "actor": first,
            "truncated": False,
            "end_reason": None,
            "first_player": first,
            "round": 1,
            "final_round": False,
            "players": [{"character": key, "space": -1, "joy": [0, 0, 0], "prizes": []} for key in characters],
            "ring": ring,
            "stalls": stalls,
            "attraction_deck": deck,
            "attraction_discard": [],
            "prize_supply": prizes,
            "prize_discard": [],
            "joy_supply": [20, 20, 20],
            "noise_supply": 50,
            "charles": {"space": 0, "dir": -1},
            "furball": -1 if self.beginner else 0,
            "bag": sorted(bag, key=TOKENS.index),
            "token_board": [],
            "token_unused": sorted(rest, key=TOKENS.index),
            "adrenaline": "none",
            "turn": fresh_turn(),
            "ctx": fresh_context(n),
        }

    # Looking around ------------------------------------------------------------------------------------------------

    @property
    def ctx(self) -> Document:
        found: Document = self.d["ctx"]
        return found

    @property
    def me(self) -> Document:
        found: Document = self.d["players"][self.d["active"]]
        return found

    def step(self, space: int, k: int) -> int:
        return self.ring[(self.ring.index(space) + k) % len(self.ring)]

    def is_free(self, space: int) -> bool:
        standing = [player["space"] for player in self.d["players"]]
        return space != self.d["charles"]["space"] and space not in standing

    def free(self) -> list[int]:
        return [space for space in self.ring if self.is_free(space)]

    def first_free(self, space: int, way: int, also_free: int = -1) -> int:
        target = self.step(space, way)
        while not (self.is_free(target) or target == also_free):
            target = self.step(target, way)
        return target

    def targets(self, space: int, also_free: int = -1) -> set[int]:
        found = {self.first_free(space, 1, also_free), self.first_free(space, -1, also_free)}
        opposite = (space + 5) % 10
        if opposite in self.ring and (self.is_free(opposite) or opposite == also_free):
            found.add(opposite)
        return found - {space}

    def stocked(self) -> list[int]:
        return [space for space in self.ring if self.d["stalls"][space]]

    def noisy(self) -> list[int]:
        return [space for space in self.ring if self.d["ring"][space]["noise"]]

    def in_supply(self) -> list[int]:
        return [c for c in range(3) if self.d["joy_supply"][c]]

    def exchanges(self, joy: list[int]) -> list[tuple[int, int]]:
        return [(f, t) for f in range(3) for t in range(3) if f != t and joy[f] and self.d["joy_supply"][t]]

    def others_on_board(self) -> list[str]:
        players = self.d["players"]
        return [p["character"] for i, p in enumerate(players) if i != self.d["active"] and p["space"] >= 0]

    def where(self, card: str) -> int:
        return next(space for space in self.ring if self.d["ring"][space]["card"] == card)

    def can_pay_ability(self, character: str) -> bool:
        return self.me["character"] == character and self.me["joy"][ABILITY_COLOUR[character]] > 0

    def can_boredom(self) -> bool:
        return self.can_pay_ability("monday") and bool(self.d["token_board"])

    def shortage(self, prize: str) -> int:
        return sum(max(0, PRIZES[prize][c] - self.me["joy"][c]) for c in range(3))

    def affordable(self, space: int) -> bool:
        prize = self.d["stalls"][space][-1]
        extra = 0 if space == self.me["space"] else 1
        lack = 1 if self.me["character"] == "albert" else 0
        return self.shortage(prize) <= lack and sum(self.me["joy"]) >= sum(PRIZES[prize][:4]) + extra

    def whims(self) -> list[tuple[int, int]]:
        here = self.d["ring"][self.me["space"]]
        printed = ATTRACTIONS[here["card"]]
        return [
            (f, t)
            for f in range(3)
            for t in range(3)
            if f != t and (printed[f] or here["joy"][f]) and self.d["joy_supply"][t] >= printed[t] + 1
        ]

    # Section 6.1: legal actions ------------------------------------------------------------------------------------

    def legal(self) -> list[str]:
        if self.d["phase"] == "over":
            return []
        found: list[str] = getattr(self, "legal_" + self.d["phase"])()
        return found

    def picks(self, spaces: list[int]) -> list[str]:
        return [f"pick:{space}" for space in spaces]

    def legal_draft(self) -> list[str]:
        taken = [player["character"] for player in self.d["players"]]
        return [f"character:{key}" for key in CHARACTERS if key not in taken]

    def legal_first_joy(self) -> list[str]:
        return [f"gain:{COLOURS[c]}" for c in self.in_supply()]

    legal_gain = legal_love = legal_first_joy

    def legal_start_space(self) -> list[str]:
        standing = [player["space"] for player in self.d["players"]]
        return self.picks([s for s in START_SPACES if s in self.ring and s not in standing])

    def legal_turn(self) -> list[str]:
        turn, me, here = self.d["turn"], self.me, self.me["space"]
        legal = ["boredom"] if self.can_boredom() else []
        if not (turn["exchanged"] or turn["bought"] or turn["tough_used"]):
            legal += [f"exchange:{COLOURS[f]}:{COLOURS[t]}" for f, t in self.exchanges(me["joy"])]
        if here < 0:
            return legal + [f"move:{s}" for s in self.free()]
        beside = {self.step(here, 1), self.step(here, -1)}
        if not (turn["exchanged"] or turn["tough_used"]):
            legal += [f"buy:{s}" for s in beside | {here} if self.d["stalls"][s] and self.affordable(s)]
        targets = self.targets(here)
        legal += [f"move:{s}" for s in targets]
        stall = self.d["stalls"][here]
        if me["character"] == "johnny" and stall and not turn["pass_used"]:
            legal += [f"pass_prize:{s}" for s in beside]
        if self.can_pay_ability("johnny"):
            ends = {end for middle in targets for end in self.targets(middle, also_free=here)}
            legal += [f"sprint:{s}" for s in ends - {here}]
        if me["character"] == "clay" and stall:
            legal += [f"carry:{s}" for s in targets]
        if self.can_pay_ability("heidi") and not turn["tough_used"] and self.d["noise_supply"]:
            legal.append("tough")
        return legal

    def legal_account(self) -> list[str]:
        prize = self.d["stalls"][self.ctx["buy_space"]][-1]
        legal = ["account:none"] if self.shortage(prize) == 0 else []
        for c in range(3):
            reduced = [PRIZES[prize][k] - (k == c) for k in range(3)]
            if PRIZES[prize][c] and all(self.me["joy"][k] >= reduced[k] for k in range(3)):
                legal.append(f"account:{COLOURS[c]}")
        return legal

    def legal_pay(self) -> list[str]:
        return [f"pay:{COLOURS[c]}" for c in range(3) if self.me["joy"][c]]

    def legal_whim(self) -> list[str]:
        return [f"whim:{COLOURS[f]}:{COLOURS[t]}" for f, t in self.whims()] + ["skip"]

    def legal_window(self) -> list[str]:
        return ["boredom", "skip"]

    legal_end_window = legal_window

    def legal_boredom(self) -> list[str]:
        return [f"token:{t}" for t in self.d["token_board"]] + (["skip"] if self.ctx["picked"] else [])

    def legal_two_spaces(self) -> list[str]:
        return self.picks([s for s in self.ring if s not in self.ctx["picked"]])

    def legal_blind(self) -> list[str]:
        return self.picks([s for s in self.ring if s != self.where("blind_shot")])

    def legal_glutton(self) -> list[str]:
        picked = self.ctx["picked"]
        return self.picks([s for s in self.ring if s != picked[0]] if picked else self.stocked())

    def legal_booth(self) -> list[str]:
        return [f"token:{t}" for t in self.d["token_board"]]

    def legal_noise_source(self) -> list[str]:
        return [*self.picks(self.noisy()), "skip"]

    def legal_noise_count(self) -> list[str]:
        noise = self.d["ring"][self.ctx["picked"][0]]["noise"]
        return ["count:1", "count:2"][: min(2, noise)]

    def legal_noise_dest(self) -> list[str]:
        return self.picks([s for s in self.ring if s != self.ctx["picked"][0]])

    def legal_dragon(self) -> list[str]:
        return [f"exchange:{COLOURS[f]}:{COLOURS[t]}" for f, t in self.exchanges(self.me["joy"])] + ["skip"]

    def legal_figure(self) -> list[str]:
        figures = self.others_on_board()
        if self.ctx["used_card"] == "devils_rodeo":
            figures += ["charles"] + ([] if self.beginner else ["furball"])
        return [f"figure:{figure}" for figure in figures]

    def legal_figure_dest(self) -> list[str]:
        figure = FIGURES[self.ctx["picked"][0]]
        if self.ctx["used_card"] == "one_way":
            return self.picks(self.nearest(figure))
        return self.picks([s for s in self.free() if s != self.figure_space(figure)])

    def legal_freaks(self) -> list[str]:
        return self.picks([s for s in self.ring if s != self.d["furball"]])

    def legal_prize_discard(self) -> list[str]:
        return self.picks(self.stocked())

    def legal_caught(self) -> list[str]:
        joy = self.d["players"][self.d["actor"]]["joy"]
        return [f"discard:{COLOURS[c]}" for c in range(3) if joy[c]]

    def legal_pre_draw(self) -> list[str]:
        return ["draw", *self.before_draw()]

    def before_draw(self) -> list[str]:
        legal = ["boredom"] if self.can_boredom() else []
        if self.can_pay_ability("albert") and len(self.d["bag"]) >= 2:
            legal.append("eureka")
        here = self.me["space"]
        if self.can_pay_ability("cindy") and here >= 0:
            legal += [f"pinkaholic:{s}" for s in {self.first_free(here, 1), self.first_free(here, -1)}]
        if self.can_pay_ability("clay") and self.d["adrenaline"] == "none":
            legal.append("adrenaline")
        return legal

    def legal_choose_token(self) -> list[str]:
        return [f"token:{t}" for t in self.ctx["drawn"]]

    def legal_noway(self) -> list[str]:
        return ["keep"] + [f"token:{t}" for t in self.d["token_unused"]]

    def legal_tempt_colour(self) -> list[str]:
        return [f"lay:{COLOURS[c]}" for c in self.in_supply()]

    def legal_tempt_space(self) -> list[str]:
        return self.picks(self.ring)

    legal_crack = legal_tempt_space

    def legal_quiet(self) -> list[str]:
        return self.picks(self.noisy())

    # Moving components ---------------------------------------------------------------------------------------------

    def take_joy(self, seat: int, c: int) -> None:
        self.d["joy_supply"][c] -= 1
        self.d["players"][seat]["joy"][c] += 1

    def return_joy(self, seat: int, c: int) -> None:
        self.d["players"][seat]["joy"][c] -= 1
        self.d["joy_supply"][c] += 1

    def pay_ability(self) -> None:
        self.return_joy(self.d["active"], ABILITY_COLOUR[self.me["character"]])

    def add_noise(self, space: int, markers: int) -> None:
        markers = min(markers, self.d["noise_supply"])
        self.d["noise_supply"] -= markers
        self.d["ring"][space]["noise"] += markers

    def remove_noise(self, space: int, markers: int) -> None:
        markers = min(markers, self.d["ring"][space]["noise"])
        self.d["ring"][space]["noise"] -= markers
        self.d["noise_supply"] += markers

    def put(self, pile: str, item: str, order: list[str]) -> None:
        self.d[pile] = sorted([*self.d[pile], item], key=order.index)

    def discard_prize(self, space: int) -> None:
        if self.d["stalls"][space]:
            self.put("prize_discard", self.d["stalls"][space].pop(), STOCK)
        self.check_end()

    def move_prize(self, start: int, end: int) -> None:
        self.d["stalls"][end].append(self.d["stalls"][start].pop())
        self.check_end()

    def check_end(self) -> None:
        if len(self.stocked()) <= 1:
            self.d["final_round"] = True

    def draw_token(self) -> str:
        token: str = self.d["bag"].pop(self.draw_below(len(self.d["bag"])))
        return token

    def figure_space(self, figure: str) -> int:
        if figure == "charles":
            return int(self.d["charles"]["space"])
        if figure == "furball":
            return int(self.d["furball"])
        return next(int(player["space"]) for player in self.d["players"] if player["character"] == figure)

    def nearest(self, figure: str) -> list[int]:
        here = self.figure_space(figure)
        for k in range(1, len(self.ring)):
            found = [s for s in sorted({self.step(here, k), self.step(here, -k)}) if self.is_free(s)]
            if found:
                return found
        raise AssertionError("no unoccupied Attraction")

    # Section 6.3 ---------------------------------------------------------------------------------------------------

    def go(self, phase: str, actor: int | None = None) -> None:
        self.d["phase"] = phase
        self.d["actor"] = self.d["active"] if actor is None else actor

    def begin_turn(self) -> None:
        self.d["turn"], self.d["ctx"] = fresh_turn(), fresh_context(self.n)
        if self.me["character"] == "clay" and self.d["adrenaline"] == "active":
            self.d["adrenaline"] = "debt"
        self.go("turn")

    def visit(self, space: int) -> None:
        self.me["space"] = space
        if self.me["character"] == "cindy" and self.whims():
            self.go("whim")
        else:
            self.visit_gain(None)

    def visit_gain(self, whim: tuple[int, int] | None) -> None:
        seat, here = self.d["active"], self.d["ring"][self.me["space"]]
        printed = list(ATTRACTIONS[here["card"]])
        if whim is not None:
            f, t = whim
            printed[t] += 1
            if printed[f]:
                printed[f] -= 1
            else:
                here["joy"][f] -= 1
                self.d["joy_supply"][f] += 1
        for c in range(3):
            self.me["joy"][c] += here["joy"][c]
            here["joy"][c] = 0
        short = False
        for c in range(3):
            for _ in range(printed[c]):
                if self.d["joy_supply"][c]:
                    self.take_joy(seat, c)
                else:
                    short = True
        if short:
            self.game_over("joy_exhausted")
        self.ctx["gain_left"], self.ctx["gain_source"] = printed[3], "visit"
        self.gain_next()

    def gain_next(self) -> None:
        if self.ctx["gain_left"]:
            if not self.in_supply():
                self.game_over("joy_exhausted")
            self.go("gain")
            return
        source = self.ctx["gain_source"]
        self.ctx["gain_source"] = None
        if source == "visit":
            self.window()
        elif source == "joy_wheel":
            self.finish_action()
        else:
            self.finish_token()

    def window(self) -> None:
        if self.can_boredom():
            self.go("window")
        else:
            self.action()

    def action(self) -> None:
        here = self.me["space"]
        self.ctx["used_card"] = self.d["ring"][here]["card"]
        if self.d["furball"] == here:
            self.chase()
            self.finish_action()
        else:
            getattr(self, "do_" + self.ctx["used_card"])()

    def finish_action(self) -> None:
        self.ctx["picked"], self.ctx["pending"] = [], [None] * self.n
        card = self.ctx["used_card"]
        if card is not None:
            noise = ATTRACTIONS[card][4]
            if self.me["character"] == "heidi":
                noise = max(1, noise - 1)
            self.add_noise(self.where(card), noise)
            self.ctx["used_card"] = None
        self.ctx["draws_left"] = {"active": 0, "debt": 2, "none": 1}[self.d["adrenaline"]]
        if self.ctx["draws_left"]:
            self.pre_draw()
        else:
            self.after_step6()

    def pre_draw(self) -> None:
        if self.before_draw():
            self.go("pre_draw")
        else:
            self.draw()

    def draw(self) -> None:
        token = self.draw_token()
        if self.me["character"] == "monday" and token != "charles":
            self.ctx["drawn"] = [token]
            self.go("noway")
        else:
            self.resolve(token, "draw")

    def resolve(self, token: str, source: str) -> None:
        self.ctx["token"], self.ctx["token_source"] = token, source
        getattr(self, "resolve_" + token)()

    def finish_token(self) -> None:
        token, source = self.ctx["token"], self.ctx["token_source"]
        self.ctx["token"] = self.ctx["token_source"] = None
        self.ctx["picked"] = []
        if source == "fortune":
            self.put("bag", token, TOKENS)
            self.finish_action()
            return
        if token == "charles":
            for back in [token, *self.d["token_board"]]:
                self.put("bag", back, TOKENS)
            self.d["token_board"] = []
        else:
            self.put("token_board", token, TOKENS)
        self.ctx["draws_left"] -= 1
        if self.ctx["draws_left"]:
            self.draw()
        else:
            self.after_step6()

    def after_step6(self) -> None:
        if self.can_boredom():
            self.go("end_window")
        else:
            self.end_turn()

    def end_turn(self) -> None:
        if self.me["character"] == "clay" and self.d["adrenaline"] == "debt":
            self.d["adrenaline"] = "none"
        following = (self.d["active"] + 1) % self.n
        if following == self.d["first_player"]:
            if self.d["final_round"]:
                self.game_over("last_stack")
            if self.d["round"] >= self.d["options"]["max_rounds"]:
                self.game_over("max_rounds")
            self.d["round"] += 1
        self.d["active"] = following
        self.begin_turn()

    def move_charles(self, space: int) -> None:
        self.d["charles"]["space"] = space
        if self.d["furball"] == space:
            self.chase()
        for seat, player in enumerate(self.d["players"]):
            if player["space"] == space:
                player["space"] = -1
                if sum(player["joy"]):
                    self.go("caught", seat)
                    return
        self.charles_rest()

    def charles_rest(self) -> None:
        charles = self.d["charles"]
        space = charles["space"]
        here = self.d["ring"][space]
        self.put("attraction_discard", here["card"], CARDS)
        if here["card"] == self.ctx["used_card"]:
            self.ctx["used_card"] = None
        self.d["noise_supply"] += here["noise"]
        for c in range(3):
            self.d["joy_supply"][c] += here["joy"][c]
        if not self.d["attraction_deck"]:
            self.d["attraction_deck"] = self.shuffle(self.d["attraction_discard"])
            self.d["attraction_discard"] = []
        self.d["ring"][space] = {"card": self.d["attraction_deck"].pop(), "noise": 0, "joy": [0, 0, 0]}
        charles["dir"] *= -1
        if self.beginner:
            self.discard_prize(space)
        if self.ctx["token"] is not None:
            self.finish_token()
        else:
            self.finish_action()

    def chase(self) -> None:
        here = self.d["furball"]
        self.land(self.step(here, self.d["ring"][here]["noise"] + 2))

    def land(self, space: int) -> None:
        self.d["furball"] = space
        self.remove_noise(space, 1)
        self.discard_prize(space)

    def arrive(self, figure: str, space: int) -> None:
        next(player for player in self.d["players"] if player["character"] == figure)["space"] = space
        if self.d["furball"] == space:
            self.chase()

    def game_over(self, reason: str) -> None:
        back = [*self.ctx["drawn"], *([self.ctx["token"]] if self.ctx["token"] else [])]
        for token in back:
            self.put("bag", token, TOKENS)
        self.d["turn"], self.d["ctx"] = fresh_turn(), fresh_context(self.n)
        self.d["end_reason"], self.d["truncated"] = reason, reason == "max_rounds"
        self.d["phase"], self.d["actor"] = "over", -1
        raise GameOverError

    # Section 7.7 ---------------------------------------------------------------------------------------------------

    def ask_if(self, possible: Any, phase: str) -> None:
        if possible:
            self.go(phase)
        else:
            self.finish_action()

    def do_ticket_booth(self) -> None:
        self.ask_if(self.d["token_board"], "booth")

    def do_memory_carousel(self) -> None:
        self.go("two_spaces")

    do_mill_of_bedeville = do_memory_carousel

    def do_blind_shot(self) -> None:
        if self.d["noise_supply"]:
            self.go("blind", (self.d["active"] + 1) % self.n)
        else:
            self.finish_action()

    def do_eternal_love(self) -> None:
        if not self.in_supply():
            self.game_over("joy_exhausted")
        self.go("love")

    def do_glutton(self) -> None:
        self.ask_if(self.stocked(), "glutton")

    def do_lucky_trap(self) -> None:
        self.ask_if(self.stocked(), "prize_discard")

    def do_deep_sea_ride(self) -> None:
        self.ask_if(self.noisy(), "noise_source")

    do_flow_of_the_undead = do_deep_sea_ride

    def do_dragon_loop(self) -> None:
        self.ask_if(self.exchanges(self.me["joy"]), "dragon")

    def do_joy_wheel(self) -> None:
        token = self.d["bag"][self.draw_below(len(self.d["bag"]))]
        self.ctx["gain_left"] = {"charles": 2, "furball": 1}.get(token, 0)
        self.ctx["gain_source"] = "joy_wheel"
        self.gain_next()

    def do_castle_of_horror(self) -> None:
        charles = self.d["charles"]
        k = self.d["ring"][self.me["space"]]["noise"] + 2
        self.move_charles(self.step(charles["space"], charles["dir"] * k))

    def do_one_way(self) -> None:
        self.ask_if(self.others_on_board(), "figure")

    do_kraken_tentacles = do_one_way

    def do_devils_rodeo(self) -> None:
        self.go("figure")

    def do_fortune_teller(self) -> None:
        self.resolve(self.draw_token(), "fortune")

    def do_slimy_bowling_alley(self) -> None:
        for way in (1, -1):
            self.add_noise(self.step(self.me["space"], way), 2)
        self.finish_action()

    def do_soul_reflection(self) -> None:
        space = self.step(self.d["furball"], 1)
        while space not in [player["space"] for player in self.d["players"]]:
            space = self.step(space, 1)
        self.land(space)
        self.finish_action()

    def do_freaks(self) -> None:
        self.go("freaks")

    # Section 7.9 ---------------------------------------------------------------------------------------------------

    def ask_token(self, possible: Any, phase: str) -> None:
        if possible:
            self.go(phase)
        else:
            self.finish_token()

    def resolve_charles(self) -> None:
        charles = self.d["charles"]
        way = [self.step(charles["space"], charles["dir"] * k) for k in range(1, len(self.ring))]
        highest = max(self.d["ring"][space]["noise"] for space in way)
        self.move_charles(next(space for space in way if self.d["ring"][space]["noise"] == highest))

    def resolve_prank(self) -> None:
        self.ask_token(self.stocked(), "prize_discard")

    def resolve_pirouette(self) -> None:
        self.d["charles"]["dir"] *= -1
        self.finish_token()

    def resolve_joy(self) -> None:
        self.ctx["gain_left"], self.ctx["gain_source"] = 1, "token"
        self.gain_next()

    def resolve_temptation(self) -> None:
        self.ask_token(self.in_supply(), "tempt_colour")

    def resolve_quiet(self) -> None:
        self.ask_token(self.noisy(), "quiet")

    def resolve_crack(self) -> None:
        self.ask_token(self.d["noise_supply"], "crack")

    def resolve_furball(self) -> None:
        self.chase()
        self.finish_token()

    # Effects of the choices ----------------------------------------------------------------------------------------

    def apply(self, action: str) -> None:
        self.verb, *objects = action.split(":")
        numbers = [
            int(word) if word.isdigit() else COLOURS.index(word) if word in COLOURS else word for word in objects
        ]
        try:
            getattr(self, "on_" + self.d["phase"])(*numbers)
        except GameOverError:
            return

    def next_seat(self, following: Callable[[], None]) -> None:
        self.d["actor"] = (self.d["actor"] + 1) % self.n
        if self.d["actor"] == self.d["first_player"]:
            following()

    def on_draft(self, character: str) -> None:
        self.d["players"][self.d["actor"]]["character"] = character
        self.next_seat(lambda: self.go("first_joy"))

    def on_first_joy(self, c: int) -> None:
        self.take_joy(self.d["actor"], c)
        self.next_seat(lambda: self.go("start_space"))

    def on_start_space(self, space: int) -> None:
        self.d["players"][self.d["actor"]]["space"] = space
        self.next_seat(self.start_play)

    def start_play(self) -> None:
        for space in self.free():
            self.add_noise(space, ATTRACTIONS[self.d["ring"][space]["card"]][4])
        self.begin_turn()

    def on_turn(self, *what: int) -> None:
        seat, here, turn = self.d["active"], self.me["space"], self.d["turn"]
        if self.verb == "exchange":
            self.return_joy(seat, what[0])
            self.take_joy(seat, what[1])
            turn["exchanged"] = True
        elif self.verb == "buy":
            self.ctx["buy_space"] = what[0]
            prize = self.d["stalls"][what[0]][-1]
            if self.me["character"] == "albert" and sum(PRIZES[prize][:3]):
                self.go("account")
            else:
                self.pay_coloured(None)
        elif self.verb == "pass_prize":
            self.move_prize(here, what[0])
            turn["pass_used"] = True
        elif self.verb == "boredom":
            self.start_boredom()
        elif self.verb == "tough":
            self.pay_ability()
            self.add_noise(here, 2)
            turn["tough_used"] = True
        else:
            if self.verb == "sprint":
                self.pay_ability()
            if self.verb == "carry":
                self.move_prize(here, what[0])
            self.visit(what[0])

    def pay_coloured(self, freed: int | None) -> None:
        space = self.ctx["buy_space"]
        prize = PRIZES[self.d["stalls"][space][-1]]
        for c in range(3):
            for _ in range(prize[c] - (c == freed)):
                self.return_joy(self.d["active"], c)
        self.ctx["pay_left"] = prize[3] + (space != self.me["space"]) + (freed is not None)
        self.pay_on()

    def pay_on(self) -> None:
        if self.ctx["pay_left"]:
            self.go("pay")
            return
        self.me["prizes"] = sorted([*self.me["prizes"], self.d["stalls"][self.ctx["buy_space"]].pop()], key=STOCK.index)
        self.d["turn"]["bought"] = True
        self.ctx["buy_space"] = None
        self.check_end()
        self.go("turn")

    def on_account(self, choice: int | str) -> None:
        self.pay_coloured(None if choice == "none" else int(choice))

    def on_pay(self, c: int) -> None:
        self.return_joy(self.d["active"], c)
        self.ctx["pay_left"] -= 1
        self.pay_on()

    def on_whim(self, *pair: int) -> None:
        self.visit_gain((pair[0], pair[1]) if pair else None)

    def on_gain(self, c: int) -> None:
        self.take_joy(self.d["active"], c)
        self.ctx["gain_left"] -= 1
        self.gain_next()

    def start_boredom(self) -> None:
        self.pay_ability()
        self.ctx["return_phase"] = self.d["phase"]
        self.go("boredom")

    def on_window(self) -> None:
        if self.verb == "boredom":
            self.start_boredom()
        else:
            self.action()

    def on_end_window(self) -> None:
        if self.verb == "boredom":
            self.start_boredom()
        else:
            self.end_turn()

    def on_boredom(self, token: str = "") -> None:
        if self.verb == "token":
            self.d["token_board"].remove(token)
            self.put("bag", token, TOKENS)
            self.ctx["picked"].append(TOKENS.index(token))
            if self.d["token_board"]:
                return
        back = self.ctx["return_phase"]
        self.ctx["picked"], self.ctx["return_phase"] = [], None
        {
            "turn": lambda: self.go("turn"),
            "window": self.window,
            "pre_draw": self.pre_draw,
            "end_window": self.after_step6,
        }[back]()

    def on_love(self, c: int) -> None:
        order = [(self.d["active"] + k) % self.n for k in range(self.n)]
        self.ctx["pending"][self.d["actor"]] = c
        if self.d["actor"] != order[-1]:
            self.d["actor"] = (self.d["actor"] + 1) % self.n
            return
        for seat in order:
            left = self.in_supply()
            if not left:
                self.game_over("joy_exhausted")
            wish = self.ctx["pending"][seat]
            self.take_joy(seat, wish if wish in left else left[0])
        self.finish_action()

    def on_two_spaces(self, b: int) -> None:
        if not self.ctx["picked"]:
            self.ctx["picked"] = [b]
            return
        a = self.ctx["picked"][0]
        ring = self.d["ring"]
        if self.ctx["used_card"] == "mill_of_bedeville":
            ring[a]["noise"], ring[b]["noise"] = ring[b]["noise"], ring[a]["noise"]
        else:
            ring[a], ring[b] = ring[b], ring[a]
            trade = {a: b, b: a}
            for player in [*self.d["players"], self.d["charles"]]:
                player["space"] = trade.get(player["space"], player["space"])
            self.d["furball"] = trade.get(self.d["furball"], self.d["furball"])
        self.finish_action()

    def on_blind(self, space: int) -> None:
        self.ctx["pending"][self.d["actor"]] = space
        aimed = [choice for choice in self.ctx["pending"] if choice is not None]
        if len(aimed) < min(self.n - 1, self.d["noise_supply"]):
            self.d["actor"] = (self.d["actor"] + 1) % self.n
            return
        for choice in aimed:
            self.add_noise(choice, 1)
        self.finish_action()

    def on_glutton(self, space: int) -> None:
        if not self.ctx["picked"]:
            self.ctx["picked"] = [space]
            return
        self.move_prize(self.ctx["picked"][0], space)
        self.finish_action()

    def on_booth(self, token: str) -> None:
        self.d["token_board"].remove(token)
        self.put("bag", token, TOKENS)
        self.finish_action()

    def on_noise_source(self, *spaces: int) -> None:
        if self.verb == "skip":
            self.finish_action()
        else:
            self.ctx["picked"] = [*spaces]
            self.go("noise_count")

    def on_noise_count(self, k: int) -> None:
        if self.ctx["used_card"] == "deep_sea_ride":
            self.ctx["picked"].append(k)
            self.go("noise_dest")
        else:
            self.remove_noise(self.ctx["picked"][0], k)
            self.finish_action()

    def on_noise_dest(self, space: int) -> None:
        start, k = self.ctx["picked"]
        self.d["ring"][start]["noise"] -= k
        self.d["ring"][space]["noise"] += k
        self.finish_action()

    def on_dragon(self, *pair: int) -> None:
        if self.verb == "skip":
            self.finish_action()
            return
        self.return_joy(self.d["active"], pair[0])
        self.take_joy(self.d["active"], pair[1])
        self.ctx["picked"].append(1)
        if len(self.ctx["picked"]) == 2 or not self.exchanges(self.me["joy"]):
            self.finish_action()

    def on_figure(self, figure: str) -> None:
        if self.ctx["used_card"] == "kraken_tentacles":
            player = next(player for player in self.d["players"] if player["character"] == figure)
            charles = self.d["charles"]
            player["space"], charles["space"] = charles["space"], player["space"]
            if self.d["furball"] in (player["space"], charles["space"]):
                self.chase()
            self.charles_rest()
            return
        self.ctx["picked"] = [FIGURES.index(figure)]
        if self.ctx["used_card"] == "one_way" and len(self.nearest(figure)) == 1:
            self.on_figure_dest(self.nearest(figure)[0])
        else:
            self.go("figure_dest")

    def on_figure_dest(self, space: int) -> None:
        figure = FIGURES[self.ctx["picked"][0]]
        if figure == "charles":
            self.move_charles(space)
            return
        if figure == "furball":
            self.land(space)
        else:
            self.arrive(figure, space)
        self.finish_action()

    def on_freaks(self, space: int) -> None:
        self.land(space)
        self.finish_action()

    def on_prize_discard(self, space: int) -> None:
        if self.ctx["token"] is not None:
            self.discard_prize(space)
            self.finish_token()
            return
        self.put("prize_discard", self.d["stalls"][space].pop(), STOCK)
        if not self.d["prize_supply"]:
            self.d["prize_supply"] = self.shuffle(self.d["prize_discard"])
            self.d["prize_discard"] = []
        self.d["stalls"][space].append(self.d["prize_supply"].pop())
        self.finish_action()

    def on_caught(self, c: int) -> None:
        self.return_joy(self.d["actor"], c)
        self.charles_rest()

    def on_pre_draw(self, *spaces: int) -> None:
        if self.verb == "draw":
            self.draw()
        elif self.verb == "boredom":
            self.start_boredom()
        elif self.verb == "eureka":
            self.pay_ability()
            self.ctx["drawn"] = sorted([self.draw_token(), self.draw_token()], key=TOKENS.index)
            self.go("choose_token")
        elif self.verb == "pinkaholic":
            self.pay_ability()
            self.arrive("cindy", spaces[0])
            self.draw()
        else:
            self.pay_ability()
            self.d["adrenaline"] = "active"
            self.ctx["draws_left"] = 0
            self.after_step6()

    def on_choose_token(self, token: str) -> None:
        for other in self.ctx["drawn"]:
            if other != token:
                self.put("bag", other, TOKENS)
        self.ctx["drawn"] = []
        self.resolve(token, "draw")

    def on_noway(self, token: str = "") -> None:
        (drawn,) = self.ctx["drawn"]
        self.ctx["drawn"] = []
        if self.verb == "token":
            self.d["token_unused"].remove(token)
            self.put("token_unused", drawn, TOKENS)
        self.resolve(token or drawn, "draw")

    def on_tempt_colour(self, c: int) -> None:
        self.ctx["picked"] = [c]
        self.go("tempt_space")

    def on_tempt_space(self, space: int) -> None:
        c = self.ctx["picked"][0]
        self.d["joy_supply"][c] -= 1
        self.d["ring"][space]["joy"][c] += 1
        self.finish_token()

    def on_quiet(self, space: int) -> None:
        self.remove_noise(space, 1)
        self.finish_token()

    def on_crack(self, space: int) -> None:
        self.add_noise(space, 1)
        self.finish_token()

    # Section 12 ----------------------------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        players = self.d["players"]
        totals = []
        for player in players:
            vp = sum(PRIZES[prize][4] for prize in player["prizes"]) + sum(player["joy"]) // 3 * 2
            for c in range(3):
                held = [other["joy"][c] for other in players]
                vp += player["joy"][c] == max(held) and held.count(max(held)) == 1
            totals.append(vp)
        return totals

    def ranks(self) -> list[int]:
        players = self.d["players"]
        keys = [
            (vp, sum(player["joy"]), len(player["prizes"])) for vp, player in zip(self.scores(), players, strict=True)
        ]
        return [1 + sum(other > key for other in keys) for key in keys]

    # Section 10 ----------------------------------------------------------------------------------------------------

    def observation(self, p: int) -> dict[str, Any]:
        """What seat p sees: block name to (nested) lists."""
        return {**self.see_seats(p), **self.see_table(), **self.see_resolution()}

    def see_seats(self, p: int) -> dict[str, Any]:
        d, ctx, options = self.d, self.ctx, self.d["options"]
        order = [(p + k) % self.n for k in range(self.n)]
        rows = [d["players"][seat] for seat in order]
        me = rows[0]
        pad = 4 - self.n
        pending = ctx["pending"][p]
        return {
            "phase": one_hot(d["phase"], PHASES),
            "actor": [int(seat == d["actor"]) for seat in order] + [0] * pad,
            "active": [int(seat == d["active"]) for seat in order] + [0] * pad,
            "first_player": [int(seat == d["first_player"]) for seat in order] + [0] * pad,
            "num_players": one_hot(self.n, [2, 3, 4]),
            "beginner": [int(self.beginner)],
            "round": [min(50, d["round"])],
            "max_rounds": [min(50, options["max_rounds"])],
            "final_round": [int(d["final_round"])],
            "own_joy": me["joy"],
            "own_prizes": multi_hot(me["prizes"], STOCK),
            "own_pool": multi_hot(d["token_unused"] if me["character"] == "monday" else [], TOKENS),
            "own_pending": [-1 if pending is None else pending],
            "present": [1] * self.n + [0] * pad,
            "character": [one_hot(row["character"], CHARACTERS) for row in rows] + [[0] * 6] * pad,
            "screened": [int(row["space"] == -1) for row in rows] + [0] * pad,
            "space": [one_hot(row["space"], range(10)) for row in rows] + [[0] * 10] * pad,
            "chosen": [int(ctx["pending"][seat] is not None) for seat in order] + [0] * pad,
        }

    def see_table(self) -> dict[str, Any]:
        d = self.d
        ring = [here or {"card": None, "noise": 0, "joy": [0, 0, 0]} for here in d["ring"]]
        tops = [stall[-1] if stall else None for stall in d["stalls"]]
        return {
            "in_play": multi_hot(self.ring, range(10)),
            "attraction": [one_hot(here["card"], CARDS) for here in ring],
            "noise": [here["noise"] for here in ring],
            "lying_joy": [here["joy"] for here in ring],
            "stall_top": [one_hot(top, STOCK) for top in tops],
            "stall_size": [len(stall) for stall in d["stalls"]],
            "charles_space": one_hot(d["charles"]["space"], range(10)),
            "charles_clockwise": [int(d["charles"]["dir"] == 1)],
            "furball_space": one_hot(d["furball"], range(10)),
            "joy_supply": d["joy_supply"],
            "noise_supply": [d["noise_supply"]],
            "attraction_deck_size": [len(d["attraction_deck"])],
            "attraction_discard": multi_hot(d["attraction_discard"], CARDS),
            "prize_supply_size": [len(d["prize_supply"])],
            "prize_discard": multi_hot(d["prize_discard"], STOCK),
            "token_board": multi_hot(d["token_board"], TOKENS),
            "bag_size": [len(d["bag"])],
        }

    def see_resolution(self) -> dict[str, Any]:
        ctx, turn = self.ctx, self.d["turn"]
        return {
            "token": one_hot(ctx["token"], TOKENS),
            "fortune": [int(ctx["token_source"] == "fortune")],
            "drawn": multi_hot(ctx["drawn"], TOKENS),
            "adrenaline": one_hot(self.d["adrenaline"], ["none", "active", "debt"]),
            "turn": [int(turn[name]) for name in ("exchanged", "bought", "pass_used", "tough_used")],
            "used_card": one_hot(ctx["used_card"], CARDS),
            "picked": [*ctx["picked"][:2], -1, -1][:2],
            "gain_left": [ctx["gain_left"]],
            "gain_source": one_hot(ctx["gain_source"], ["visit", "joy_wheel", "token"]),
            "buy_space": one_hot(ctx["buy_space"], range(10)),
            "pay_left": [ctx["pay_left"]],
            "draws_left": [ctx["draws_left"]],
            "return_phase": one_hot(ctx["return_phase"], ["turn", "window", "pre_draw", "end_window"]),
        }

    # Section 11 ----------------------------------------------------------------------------------------------------

    def resampled(self, p: int, below: Callable[[int], int]) -> Document:
        """The position with all that is hidden from seat p drawn anew; the game itself is left alone."""
        game = copy(self)
        game.d, game.below = deepcopy(self.d), below
        if game.d["phase"] != "over":
            game.resample_joy(p)
            game.resample_prizes(p)
            if game.d["players"][p]["character"] != "monday":
                game.resample_tokens()
            game.d["attraction_deck"] = game.shuffle(sorted(game.d["attraction_deck"], key=CARDS.index))
            game.resample_choices(p)
        return game.d

    def others(self, p: int) -> list[int]:
        return [(p + k) % self.n for k in range(1, self.n)]

    def resample_joy(self, p: int) -> None:
        d, players, actor = self.d, self.d["players"], self.d["actor"]
        unseen = [0, 0, 0]
        for seat in self.others(p):
            for c in range(3):
                unseen[c] += players[seat]["joy"][c]
        has_first = {seat: sum(players[seat]["joy"]) for seat in self.others(p)}
        for seat in self.others(p):
            players[seat]["joy"] = [0, 0, 0]

        def give(seat: int, c: int) -> None:
            unseen[c] -= 1
            players[seat]["joy"][c] += 1

        def give_random(seat: int, colours: list[int]) -> None:
            tokens = [c for c in colours for _ in range(unseen[c])]
            give(seat, tokens[self.draw_below(len(tokens))])

        if d["phase"] in ("draft", "first_joy", "start_space"):
            for seat in self.others(p):
                if has_first[seat]:
                    give_random(seat, [0, 1, 2])
        elif actor != p and d["phase"] in ("window", "end_window"):
            give(actor, 0)
        elif actor != p and d["phase"] == "pre_draw":
            give(actor, ABILITY_COLOUR[players[actor]["character"]])
        elif actor != p and d["phase"] == "caught":
            give_random(actor, [0, 1, 2])
        elif actor != p and d["phase"] == "dragon":
            give_random(actor, [c for c in range(3) if [t for t in self.in_supply() if t != c]])
        elif actor != p and d["phase"] == "pay":
            for _ in range(self.ctx["pay_left"]):
                give_random(actor, [0, 1, 2])
        elif actor != p and d["phase"] == "account":
            prize = PRIZES[d["stalls"][self.ctx["buy_space"]][-1]]
            parts = [(c, [prize[k] - (k == c) for k in range(3)]) for c in range(3) if prize[c]] + [
                (3, list(prize[:3]))
            ]
            open_parts = [(c, part) for c, part in parts if all(part[k] <= unseen[k] for k in range(3))]
            freed, part = open_parts[self.draw_below(len(open_parts))]
            for c in range(3):
                for _ in range(part[c]):
                    give(actor, c)
            for _ in range(prize[3] + (self.ctx["buy_space"] != players[actor]["space"]) + (freed != 3)):
                give_random(actor, [0, 1, 2])
        for c in range(3):
            while unseen[c]:
                give(self.others(p)[self.draw_below(self.n - 1)], c)

    def resample_prizes(self, p: int) -> None:
        d = self.d
        hidden = [prize for stall in d["stalls"] for prize in stall[:-1]] + d["prize_supply"]
        for seat in self.others(p):
            hidden += d["players"][seat]["prizes"]
            d["players"][seat]["prizes"] = []
        hidden = self.shuffle(sorted(hidden, key=STOCK.index))
        for stall in d["stalls"]:
            for place in range(len(stall) - 1):
                stall[place] = hidden.pop()
        d["prize_supply"] = [hidden.pop() for _ in d["prize_supply"]]
        while hidden:
            prize = hidden.pop()
            owner = d["players"][self.others(p)[self.draw_below(self.n - 1)]]
            owner["prizes"] = sorted([*owner["prizes"], prize], key=STOCK.index)

    def resample_tokens(self) -> None:
        d = self.d
        unknown = sorted(d["bag"] + d["token_unused"], key=TOKENS.index)
        monday_plays = any(player["character"] == "monday" for player in d["players"])
        certain = ["charles"] if monday_plays else self.fixed
        if d["phase"] == "boredom":
            certain = certain + [TOKENS[token] for token in self.ctx["picked"]]
        bag = [token for token in unknown if token in certain]
        rest = self.shuffle([token for token in unknown if token not in certain])
        while len(bag) < len(d["bag"]):
            bag.append(rest.pop())
        d["bag"], d["token_unused"] = sorted(bag, key=TOKENS.index), sorted(rest, key=TOKENS.index)

    def resample_choices(self, p: int) -> None:
        for seat in self.others(p):
            if self.ctx["pending"][seat] is not None:
                is_love = self.d["phase"] == "love"
                choices = self.in_supply() if is_love else [s for s in self.ring if s != self.where("blind_shot")]
                self.ctx["pending"][seat] = choices[self.draw_below(len(choices))]


def one_hot(value: Any, names: Any) -> list[int]:
    return [int(value is not None and value == name) for name in names]


def multi_hot(values: list[Any], names: Any) -> list[int]:
    return [int(name in values) for name in names]
