"""Fingerprints of seeded games, to compare runs under different settings: ``python -m tests.lockstep GAME N``.

Each option set is played for N random decisions from the start.
"""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np

from carnival_envs.core.state import State
from carnival_envs.registry import load_game
from tests.variants import greedy_action, label, option_sets

SEED = 8


def fingerprints(name: str, decisions: int) -> list[str]:
    """One line per option set."""
    lines = []
    for options in option_sets(name):
        state = load_game(name, **options).new_initial_state(seed=SEED)
        lines.append(f"{label(options)} {fingerprint(state, decisions)}")
    return lines


def fingerprint(state: State, decisions: int) -> str:
    """A hash over positions, observations, masks, views, samples and bot choices of some decisions."""
    digest = hashlib.sha256()
    rng = np.random.default_rng(SEED)
    for number in range(decisions):
        if state.is_terminal():
            digest.update(json.dumps(state.returns("score")).encode())
            break
        player = state.current_player()
        digest.update(json.dumps(state.to_position()).encode())
        digest.update(state.observation_tensor(player).tobytes())
        digest.update(state.legal_actions_mask().tobytes())
        digest.update(json.dumps(state.resample(player, seed=number).to_position()).encode())
        digest.update(state.text(player).encode())
        digest.update(bytes([greedy_action(state, number)]))
        state.apply_action(int(rng.choice(state.legal_actions())))
    return digest.hexdigest()


if __name__ == "__main__":
    print("\n".join(fingerprints(sys.argv[1], int(sys.argv[2]))))
