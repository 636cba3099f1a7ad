"""Carnavalesco: directors of samba schools draft dice and place them on the nine elements of a parade board.

1 to 4 players. Nothing is hidden; chance draws and rolls the dice of every round. Each element is a ladder of
conditions that is judged when all boards are full.
"""

from pathlib import Path

from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.interface import Kernels
from carnival_envs.games.carnavalesco.actions import ACTIONS
from carnival_envs.games.carnavalesco.draw import draw
from carnival_envs.games.carnavalesco.greedy import greedy
from carnival_envs.games.carnavalesco.hidden import conceal, resample
from carnival_envs.games.carnavalesco.invariants import INVARIANTS, broken_invariant, derive
from carnival_envs.games.carnavalesco.observation import blocks, observe
from carnival_envs.games.carnavalesco.options import OPTIONS
from carnival_envs.games.carnavalesco.position import end_info, from_position, to_position
from carnival_envs.games.carnavalesco.rules import apply_action, legal_actions, new_game
from carnival_envs.games.carnavalesco.scoring import rank_key, score, single_player_return, single_player_won
from carnival_envs.games.carnavalesco.state import END_REASONS, PHASES, STATE, build_rules
from carnival_envs.games.carnavalesco.symmetry import rename_colors
from carnival_envs.games.carnavalesco.text import action_words, render

GAME = GameDefinition(
    name="carnavalesco",
    title="Carnavalesco",
    summary="dice drafting onto a nine-element parade board",
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
        derive=derive,
        broken_invariant=broken_invariant,
        single_player_return=single_player_return,
        single_player_won=single_player_won,
    ),
    to_position=to_position,
    from_position=from_position,
    invariants=INVARIANTS,
    text=render,
    action_words=action_words,
    draw=draw,
    scores_before_end=False,
    perfect_information=True,
    rename=rename_colors,
    variants=(
        {"num_players": 1, "school_colors": ["G", "W"], "divisions": "B"},
        {"num_players": 1, "campaign": True, "max_parades": 3, "school_names": ["Mangueira"]},
        {"num_players": 2, "divisions": ["A", "S"], "first_player": 1},
        {"num_players": 3, "divisions": "choose"},
        {"num_players": 4, "divisions": "choose", "first_player": 2, "school_names": ["a", "b", "c", "d"]},
    ),
    end_info=end_info,
)
