"""Bedeville Carnival: visitors of a carnival gain Joy at Attractions, buy Prizes with it, and shun Mr. Charles.

2 to 4 players with a Character each. Joy and Prizes are hidden behind Screens; Noise draws Mr. Charles near.
The game ends with the last stack of Prizes.
"""

from pathlib import Path

from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.interface import Kernels
from carnival_envs.games.bedeville.actions import ACTIONS, HIDDEN_FORMS
from carnival_envs.games.bedeville.data import build_rules
from carnival_envs.games.bedeville.draw import draw
from carnival_envs.games.bedeville.greedy import greedy
from carnival_envs.games.bedeville.hidden import conceal, public_action, resample
from carnival_envs.games.bedeville.invariants import INVARIANTS, broken_invariant
from carnival_envs.games.bedeville.observation import blocks, observe
from carnival_envs.games.bedeville.options import OPTIONS, VARIANTS
from carnival_envs.games.bedeville.phases import PHASES
from carnival_envs.games.bedeville.position import from_position, to_position
from carnival_envs.games.bedeville.rules import apply_action, legal_actions
from carnival_envs.games.bedeville.scoring import rank_key, score
from carnival_envs.games.bedeville.setup import new_game
from carnival_envs.games.bedeville.state import END_REASONS, STATE
from carnival_envs.games.bedeville.text import action_words, render

GAME = GameDefinition(
    name="bedeville",
    title="Bedeville Carnival",
    summary="a haunted carnival of nineteen Attractions, where Noise draws Mr. Charles near",
    folder=Path(__file__).parent,
    options=OPTIONS,
    phases=PHASES,
    end_reasons=END_REASONS,
    actions=ACTIONS,
    state=STATE,
    build_rules=build_rules,
    blocks=blocks,
    kernels=Kernels(
        new_game=new_game,
        legal_actions=legal_actions,
        apply_action=apply_action,
        observe=observe,
        score=score,
        rank_key=rank_key,
        conceal=conceal,
        resample=resample,
        greedy=greedy,
        public_action=public_action,
        broken_invariant=broken_invariant,
    ),
    to_position=to_position,
    from_position=from_position,
    invariants=INVARIANTS,
    text=render,
    action_words=action_words,
    draw=draw,
    hidden_forms=HIDDEN_FORMS,
    variants=VARIANTS,
)
