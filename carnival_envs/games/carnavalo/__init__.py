"""Carnavalo: 2 to 6 players fill six party tents with carnival cards, face up or face down, over at most four days.

All move the same three citizens with the same movement ring: the Prince sends cards to the parade, Miss Carnavalo
carries them from tent to tent, Barricadol blocks. Majorities in the tents win discs, a majority in the parade costs.
"""

from __future__ import annotations

from pathlib import Path

from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.interface import Kernels
from carnival_envs.games.carnavalo.actions import ACTIONS, HIDDEN_FORMS, public_action
from carnival_envs.games.carnavalo.draw import draw
from carnival_envs.games.carnavalo.greedy import greedy
from carnival_envs.games.carnavalo.hidden import conceal, resample
from carnival_envs.games.carnavalo.invariants import INVARIANTS, broken_invariant
from carnival_envs.games.carnavalo.observation import blocks, observe
from carnival_envs.games.carnavalo.options import OPTIONS, VARIANTS
from carnival_envs.games.carnavalo.position import from_position, to_position
from carnival_envs.games.carnavalo.rules import apply_action, legal_actions, new_game
from carnival_envs.games.carnavalo.scoring import rank_key, score
from carnival_envs.games.carnavalo.state import END_REASONS, PHASES, STATE, build_rules
from carnival_envs.games.carnavalo.text import action_words, render

GAME = GameDefinition(
    name="carnavalo",
    title="Carnavalo",
    summary="Win the party tents of four carnival days with cards, tokens and three shared citizens.",
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
