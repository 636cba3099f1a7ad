"""The components of Bedeville Carnival by name: an id is the place of a name in its table."""

from __future__ import annotations

COLOURS = ("pink", "yellow", "blue")
COLOUR_PAIRS = tuple(f"{give}:{take}" for give in COLOURS for take in COLOURS if give != take)
NUM_COLOURS = len(COLOURS)

NUM_SPACES = 10
MIN_PLAYERS, MAX_PLAYERS = 2, 4

MAX_JOY = 20  # of a colour
MAX_NOISE = 50
MAX_GAIN = 2  # Joy of any colour at once
MAX_PAY = 5  # Joy of any colour for a Prize: three skulls, a neighbouring Stall, an accounted token
MAX_SKULLS = MAX_PAY - 2
MAX_DRAWS = 2  # of step 6

ATTRACTIONS = (
    "ticket_booth",
    "eternal_love",
    "memory_carousel",
    "blind_shot",
    "glutton",
    "mill_of_bedeville",
    "deep_sea_ride",
    "dragon_loop",
    "joy_wheel",
    "castle_of_horror",
    "one_way",
    "fortune_teller",
    "flow_of_the_undead",
    "lucky_trap",
    "slimy_bowling_alley",
    "devils_rodeo",
    "kraken_tentacles",
    "freaks",
    "soul_reflection",
)
(
    TICKET_BOOTH,
    ETERNAL_LOVE,
    MEMORY_CAROUSEL,
    BLIND_SHOT,
    GLUTTON,
    MILL_OF_BEDEVILLE,
    DEEP_SEA_RIDE,
    DRAGON_LOOP,
    JOY_WHEEL,
    CASTLE_OF_HORROR,
    ONE_WAY,
    FORTUNE_TELLER,
    FLOW_OF_THE_UNDEAD,
    LUCKY_TRAP,
    SLIMY_BOWLING_ALLEY,
    DEVILS_RODEO,
    KRAKEN_TENTACLES,
    FREAKS,
    SOUL_REFLECTION,
) = range(19)

PRIZES = (
    "plush_toys",
    "ghost_balloon",
    "bone_popcorn",
    "grave_lollipop",
    "cotton_cobweb",
    "rubber_bat",
    "jar_of_eyes",
    "paper_fangs",
    "tin_trumpet",
    "glass_spider",
    "storm_lantern",
    "velvet_mask",
    "brass_medal",
    "puppet",
    "music_box",
    "crystal_skull",
    "rocking_horse",
    "golden_goose",
    "deep_sea_pearl",
    "giant_bear",
    "grand_prize",
)
NUM_PRIZES = len(PRIZES)

TOKENS = ("charles", "prank", "pirouette", "joy", "temptation", "quiet", "crack", "furball")
CHARLES, PRANK, PIROUETTE, JOY, TEMPTATION, QUIET, CRACK, FURBALL = range(8)
TOKENS_IN_BAG = 5
"""Bag, board and the tokens being drawn or resolved hold so many together, always."""

CHARACTERS = ("johnny", "albert", "cindy", "monday", "clay", "heidi")
JOHNNY, ALBERT, CINDY, MONDAY, CLAY, HEIDI = range(6)

FIGURES = (*CHARACTERS, "charles", "furball")
FIGURE_OF_CHARLES, FIGURE_OF_FURBALL = 6, 7
