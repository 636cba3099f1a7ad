"""The laws that can be checked after every move inside compiled code, for thousands of games."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words, below, restart
from carnival_envs.core.draws import random_action
from carnival_envs.core.interface import (
    Mask,
    Record,
    apply_action,
    broken_invariant,
    conceal,
    legal_actions,
    new_game,
    observe,
    resample,
)
from carnival_envs.core.loops import greedy_move, is_legal

__all__ = ["soak"]

GOOD, INVARIANT, DEAD_END, LONE_MASK, VIEW, OBSERVATION, RANGE, GREEDY_CHOICE = range(8)
LAWS = (
    "good",
    "an invariant is broken",
    "nobody can move and the game is not over",
    "the mask of a sample differs for its observer",
    "the view of a sample differs for its observer",
    "the observation of a sample differs for its observer",
    "an observation leaves its range",
    "the bot chose an action that is not legal",
)

# Rows of the scratch space for states.
STATE, SAMPLE, VIEW_OF_STATE, VIEW_OF_SAMPLE = range(4)


def soak(
    rules: Record,
    states: npt.NDArray[Any],
    content: npt.NDArray[np.uint8],
    chance: Words,
    other_chance: Words,
    seed: int,
    greedy_of_ten: int,
    masks: Mask,
    observations: npt.NDArray[np.float32],
    low: npt.NDArray[np.float32],
    high: npt.NDArray[np.float32],
    counts: npt.NDArray[np.int64],
    phases: npt.NDArray[np.int64],
    found: npt.NDArray[np.int64],
) -> int:
    """Play one game and check the laws after every move; returns the number of a broken law, or ``GOOD``.

    ``counts`` and ``phases`` count the actions taken and the phases met; ``found`` gets the decision number and, for
    an invariant, which one.
    """
    s = states[STATE]
    restart(chance, seed)
    restart(other_chance, seed + 1)
    new_game(rules[0], s, chance)
    decisions = 0
    while True:
        found[0] = decisions
        phases[s.phase] += 1
        found[1] = broken_invariant(rules[0], s)
        if found[1] != 0:
            return INVARIANT
        law = look(rules, states, content, other_chance, masks, observations, low, high)
        if law != GOOD or s.actor < 0:
            return law
        action = random_action(masks[0], other_chance)
        if action < 0:
            return DEAD_END
        if below(other_chance, 10) < greedy_of_ten:
            action = greedy_move(rules, states, states[VIEW_OF_STATE:], masks[0], other_chance)
            if not is_legal(masks[0], action):
                return GREEDY_CHOICE
        counts[action] += 1
        apply_action(rules[0], s, chance, action)
        decisions += 1


def look(
    rules: Record,
    states: npt.NDArray[Any],
    content: npt.NDArray[np.uint8],
    chance: Words,
    masks: Mask,
    observations: npt.NDArray[np.float32],
    low: npt.NDArray[np.float32],
    high: npt.NDArray[np.float32],
) -> int:
    """Compare a state with a sample for a random observer, in every channel; fills ``masks[0]``."""
    s = states[STATE]
    observer = below(chance, rules[0].num_players)
    states[SAMPLE] = s
    resample(rules[0], states[SAMPLE], observer, chance)
    if broken_invariant(rules[0], states[SAMPLE]) != 0:
        return INVARIANT
    masks[:, :] = 0
    if s.actor >= 0:
        legal_actions(rules[0], s, masks[0])
        legal_actions(rules[0], states[SAMPLE], masks[1])
        if s.actor == observer and not equal(masks[0], masks[1]):
            return LONE_MASK
    observations[:, :] = 0
    observe(rules[0], s, observer, observations[0])
    observe(rules[0], states[SAMPLE], observer, observations[1])
    for i in range(len(low)):
        if observations[0, i] != observations[1, i]:
            return OBSERVATION
        if observations[0, i] < low[i] or observations[0, i] > high[i]:
            return RANGE
    states[VIEW_OF_STATE] = s
    states[VIEW_OF_SAMPLE] = states[SAMPLE]
    conceal(rules[0], states[VIEW_OF_STATE], observer)
    conceal(rules[0], states[VIEW_OF_SAMPLE], observer)
    return GOOD if equal(content[VIEW_OF_STATE], content[VIEW_OF_SAMPLE]) else VIEW


def equal(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Whether two rows hold the same."""
    for i in range(len(one)):
        if one[i] != other[i]:
            return False
    return True
