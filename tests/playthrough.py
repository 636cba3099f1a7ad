"""Golden playthroughs: a seeded game of every game and option set, written so that a person can read it.

They are for regression only: they say what the engine did, not what is right. A change of rules shows as a readable
difference. ``python -m tests.playthrough`` writes them anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from carnival_envs.core.chance import Chance
from carnival_envs.core.state import State
from carnival_envs.registry import GAMES, definition
from tests.variants import label, load

FOLDER = Path(__file__).parent / "golden"
SEED = 2026
FULL_TEXTS = 4
"""The table is drawn at the first and the last of these many decisions, evenly spaced."""


def playthrough(name: str, options: dict[str, Any]) -> str:
    """The text of one game of uniformly random moves."""
    game = load(name, options)
    chooser = Chance(SEED)
    state = game.new_initial_state(seed=SEED)
    moves: list[tuple[State, int]] = []
    while not state.is_terminal():
        legal = state.legal_actions()
        moves.append((state.clone(seed=0), legal[chooser.below(len(legal))]))
        state.apply_action(moves[-1][1])
    drawn = {len(moves) * part // FULL_TEXTS for part in range(FULL_TEXTS)}
    lines = [f"{name} {json.dumps(game.options)}", f"seed {SEED}, {len(moves)} decisions"]
    for number, (before, action) in enumerate(moves):
        if number in drawn:
            lines += ["", str(before), ""]
        lines.append(decision(before, action))
    lines += ["", str(state), "", f"end {state.end_reason()}", f"scores {state.scores()}", f"ranks {state.ranks()}"]
    lines += [f"{reward} {[round(value, 4) for value in state.returns(reward)]}" for reward in ("win", "rank", "score")]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def decision(state: State, action: int) -> str:
    """One line: who, what, among how many, and a fingerprint of what he saw."""
    player = state.current_player()
    seen = hashlib.sha256(state.observation_tensor(player).tobytes()).hexdigest()[:8]
    public = state.public_action_to_string(action)
    shown = state.game.action_to_string(action)
    others = "" if public == shown else f" (others read {public})"
    return f"{state.phase()}: player {player} of {len(state.legal_actions())}: {shown}{others} [{seen}]"


def path_of(name: str, options: dict[str, Any]) -> Path:
    """Where the playthrough of a game and option set is kept."""
    safe = "".join(letter if letter.isalnum() or letter in "=-_," else "" for letter in label(options))
    return FOLDER / f"{name}-{safe}.txt"


def main() -> None:
    """Write every playthrough, and remove those of games that are no more."""
    kept = set()
    for name in GAMES:
        for options in definition(name).option_sets():
            path = path_of(name, options)
            path.write_text(playthrough(name, options))
            kept.add(path)
    for path in set(FOLDER.glob("*.txt")) - kept:
        path.unlink()


if __name__ == "__main__":
    main()
