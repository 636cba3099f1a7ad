"""Carnival: two to four showmen race to open four of the five attractions on their own Midways.

Dice decide whether a player draws, trades or steals parts; Tickets block other players' dice actions, Wilds stand for
missing parts and may be taken away again.
"""

from __future__ import annotations

from pathlib import Path

from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.interface import Kernels
from carnival_envs.games.carnival.actions import ACTIONS, HIDDEN_FORMS, public_action
from carnival_envs.games.carnival.draw import draw
from carnival_envs.games.carnival.greedy import greedy
from carnival_envs.games.carnival.hidden import conceal, resample
from carnival_envs.games.carnival.invariants import INVARIANTS, broken_invariant
from carnival_envs.games.carnival.observation import blocks, observe
from carnival_envs.games.carnival.options import OPTIONS
from carnival_envs.games.carnival.position import from_position, to_position
from carnival_envs.games.carnival.rules import apply_action, legal_actions, new_game
from carnival_envs.games.carnival.scoring import rank_key, score
from carnival_envs.games.carnival.state import END_REASONS, PHASES, STATE, build_rules
from carnival_envs.games.carnival.text import action_words, render

GAME = GameDefinition(
    name="carnival",
    title="Carnival",
    summary="Collect parts, trade and steal, and open four of five attractions on your Midway.",
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
    score_scale="meta.score_scale",
    variants=(
        {"num_players": 2, "attractions_to_win": 3, "natural_ticket": False, "first_player": "random"},
        {"num_players": 3, "max_turns": 12, "first_player": 2},
        {"num_players": 4, "attractions_to_win": 3, "first_player": "random"},
    ),
)
