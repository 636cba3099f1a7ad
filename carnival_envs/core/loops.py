"""The loops that Python calls, written once for all games.

The names imported from ``interface`` stand for the kernels of a game: ``jit.bind`` compiles a copy of every loop in
which they are those of that game. Python passes arrays of records (``states[i : i + 1]``), which is much cheaper
than passing one record. Loops in ``__all__`` are cached on disk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words, below, next_seed, policy_seed, restart
from carnival_envs.core.draws import random_action
from carnival_envs.core.history import conceal_events, forget_events, note_event, put_events, size_of_events
from carnival_envs.core.interface import (
    Mask,
    Record,
    apply_action,
    broken_invariant,
    conceal,
    derive,
    greedy,
    legal_actions,
    new_game,
    observe,
    public_action,
    rank_key,
    resample,
    score,
    single_player_return,
    single_player_won,
)
from carnival_envs.core.observation import Floats, relative

__all__ = [
    "apply_if_legal",
    "conceal_one",
    "conceal_rows",
    "derive_one",
    "greedy_actions",
    "invariant_one",
    "mask_one",
    "observe_one",
    "observe_rows",
    "play_out",
    "play_seats",
    "public_action_one",
    "reset_batch",
    "resample_one",
    "returns_one",
    "standings_one",
    "start",
    "step_batch",
    "step_one",
]

States = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]

ILLEGAL = -2
"""What a step gives instead of the next actor when the action is not legal."""

WIN, RANK, SCORE = 0, 1, 2
"""The kinds of returns, by index in ``REWARDS``."""

REWARDS = ("win", "rank", "score")

LEARNER, RANDOM, GREEDY, FIRST_PYTHON_POLICY = 0, 1, 2, 3
"""Who plays a seat: Python code that steps, a compiled policy, or a policy that Python asks."""

GAME_OVER, NEW_GAME = -1, -3
"""What a game waits for when it is nobody's decision. ``ILLEGAL`` is one more."""

ANY_SEAT = -1
"""The seat of a learner who is to be seated by lot."""

LEDGER = ("seeds", "seats", "moves", "waiting", "decisions")
"""The rows of the ledger of ``play_seats``: integers of each game, in one array, as it costs time to pass many."""


# One state ---------------------------------------------------------------------------------------------------------


def begin(rules: Record, s: Record, chance: Words) -> None:
    """Set up a new game."""
    new_game(rules, s, chance)
    if rules.history > 0:
        forget_events(s)


def take_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Apply a legal action, and note it if the game has a history."""
    if rules.history > 0:
        note_event(s, action, public_action(rules, s, action))
    apply_action(rules, s, chance, action)


def conceal_all(rules: Record, s: Record, player: int) -> None:
    """Turn a state into the view of a player, its history included."""
    conceal(rules, s, player)
    if rules.history > 0:
        conceal_events(s, player)


def start(rules: Record, states: States, chance: Words) -> int:
    """Set up a new game; returns the first actor."""
    s = states[0]
    begin(rules[0], s, chance)
    return int(s.actor)


def fill_mask(rules: Record, s: Record, mask: Mask) -> None:
    """The legal actions of the actor; all 0 when the game is over."""
    mask[:] = 0
    if s.actor >= 0:
        legal_actions(rules, s, mask)


def fill_observation(rules: Record, s: Record, player: int, out: Floats) -> int:
    """The flat observation of a player; returns the length written."""
    out[:] = 0
    at = observe(rules, s, player, out[: len(out) - size_of_events(rules)])
    return put_events(rules, s, player, out, at)


def is_legal(mask: Mask, action: int) -> bool:
    """Whether a mask allows an action, which may be any integer."""
    return 0 <= action < len(mask) and mask[action] != 0


def apply_if_legal(rules: Record, states: States, chance: Words, mask: Mask, action: int) -> int:
    """Apply an action that is legal by ``mask``, and fill ``mask`` with those that are legal afterwards.

    Returns the next actor, or ``ILLEGAL`` with everything unchanged.
    """
    if not is_legal(mask, action):
        return ILLEGAL
    s = states[0]
    take_action(rules[0], s, chance, action)
    fill_mask(rules[0], s, mask)
    return int(s.actor)


def mask_one(rules: Record, states: States, mask: Mask) -> None:
    """Fill the mask of the actor: int8, shape ``(num_actions,)``."""
    fill_mask(rules[0], states[0], mask)


def observe_one(rules: Record, states: States, player: int, out: Floats) -> int:
    """Fill the observation of a player: float32, shape ``(observation_size,)``; returns the length written."""
    return fill_observation(rules[0], states[0], player, out)


def step_one(rules: Record, states: States, chance: Words, mask: Mask, action: int, out: Floats) -> int:
    """``apply_if_legal``, then fill ``out`` with what the next actor sees; untouched where there is none."""
    actor = apply_if_legal(rules, states, chance, mask, action)
    if actor >= 0:
        fill_observation(rules[0], states[0], actor, out)
    return actor


def conceal_one(rules: Record, states: States, player: int) -> None:
    """Turn a copy of a state into the view of a player."""
    conceal_all(rules[0], states[0], player)


def public_action_one(rules: Record, states: States, action: int) -> int:
    """The public form of an action of the actor."""
    return public_action(rules[0], states[0], action)


def resample_one(rules: Record, states: States, player: int, chance: Words) -> None:
    """Replace what a player does not know."""
    resample(rules[0], states[0], player, chance)


def derive_one(rules: Record, states: States) -> None:
    """Fill what follows from the fields of a loaded position."""
    derive(rules[0], states[0])


def invariant_one(rules: Record, states: States) -> int:
    """0, or the number of the first broken invariant."""
    return broken_invariant(rules[0], states[0])


def standings_one(rules: Record, states: States, scores: Integers, keys: Integers) -> bool:
    """Fill the score and the rank key of every seat; returns whether a player alone has won."""
    s = states[0]
    for player in range(rules[0].num_players):
        scores[player] = score(rules[0], s, player)
        keys[player] = rank_key(rules[0], s, player)
    return bool(rules[0].num_players == 1 and single_player_won(rules[0], s))


def returns_one(rules: Record, states: States, reward: int, score_scale: float, out: npt.NDArray[np.float64]) -> None:
    """Fill the return of every seat as the position stands."""
    fill_returns(rules[0], states[0], reward, score_scale, out)


def fill_returns(rules: Record, s: Record, reward: int, score_scale: float, out: npt.NDArray[Any]) -> None:
    """The returns of the common conventions: ``"win"``, ``"rank"`` or ``"score"``; their sum is 0."""
    n = rules.num_players
    if n == 1:
        out[0] = single_player_return(rules, s)
        return
    standings = np.empty(n, np.int64)
    for player in range(n):
        standings[player] = score(rules, s, player) if reward == SCORE else rank_key(rules, s, player)
    if reward == SCORE:
        fill_score_returns(standings, n, score_scale, out)
    elif reward == RANK:
        fill_rank_returns(standings, n, out)
    else:
        fill_win_returns(standings, n, out)


def fill_win_returns(keys: Integers, n: int, out: npt.NDArray[Any]) -> None:
    """The winners share the win, the others lose ``1 / (n - 1)`` each."""
    best = keys[0]
    for player in range(n):
        best = max(best, keys[player])
    winners = 0
    for player in range(n):
        winners += keys[player] == best
    for player in range(n):
        out[player] = (1 / winners - 1 / n) * n / (n - 1) if keys[player] == best else -1 / (n - 1)


def fill_rank_returns(keys: Integers, n: int, out: npt.NDArray[Any]) -> None:
    """Evenly spaced from 1 for the first to -1 for the last; seats of one rank share their places."""
    for player in range(n):
        above, same = 0, 0
        for other in range(n):
            above += keys[other] > keys[player]
            same += keys[other] == keys[player]
        out[player] = (n - 1 - 2 * above - (same - 1)) / (n - 1)


def fill_score_returns(scores: Integers, n: int, score_scale: float, out: npt.NDArray[Any]) -> None:
    """The lead over the mean of the others, in units of ``score_scale``."""
    total = 0
    for player in range(n):
        total += scores[player]
    for player in range(n):
        out[player] = (scores[player] - (total - scores[player]) / (n - 1)) / score_scale


# Compiled policies -------------------------------------------------------------------------------------------------


def greedy_move(rules: Record, states: States, view: States, mask: Mask, chance: Words) -> int:
    """The choice of the baseline bot for the actor; ``view`` is scratch space for one state."""
    player = int(states[0].actor)
    view[0] = states[0]
    conceal_all(rules[0], view[0], player)
    return greedy(rules[0], view[0], player, mask, chance)


def greedy_actions(
    rules: Record, views: States, players: Integers, masks: Mask, chance: Words, actions: Integers
) -> None:
    """The choices of the baseline bot for a batch of views, one player each."""
    for i in range(len(views)):
        actions[i] = greedy(rules[0], views[i], players[i], masks[i], chance)


def compiled_move(rules: Record, states: States, view: States, mask: Mask, chance: Words, pilot: int) -> int:
    """The choice of a compiled policy for the actor, whose legal actions are put into ``mask``."""
    fill_mask(rules[0], states[0], mask)
    if pilot == GREEDY:
        return greedy_move(rules, states, view, mask, chance)
    return random_action(mask, chance)


def play_out(
    rules: Record, states: States, chance: Words, pilots: npt.NDArray[np.int8], view: States, mask: Mask, limit: int
) -> int:
    """Play with compiled policies until the game is over, or ``limit`` decisions; returns how many were made."""
    s = states[0]
    decisions = 0
    while s.actor >= 0 and decisions < limit:
        action = compiled_move(rules, states, view, mask, chance, pilots[s.actor])
        take_action(rules[0], s, chance, action)
        decisions += 1
    return decisions


# Batches: all seats ------------------------------------------------------------------------------------------------


def look(rules: Record, s: Record, out: Floats, mask: Mask) -> None:
    """The observation and the mask of the actor."""
    fill_mask(rules, s, mask)
    fill_observation(rules, s, s.actor, out)


def observe_rows(rules: Record, states: States, players: Integers, out: Floats) -> None:
    """The observations of one player in each state: float32, shape ``(len(states), observation_size)``."""
    for i in range(len(states)):
        fill_observation(rules[0], states[i], players[i], out[i])


def conceal_rows(rules: Record, states: States, players: Integers, masks: Mask) -> None:
    """Turn copies of states into the views of one player each, who is to decide, and fill his legal actions."""
    for i in range(len(states)):
        fill_mask(rules[0], states[i], masks[i])
        conceal_all(rules[0], states[i], players[i])


def reset_batch(
    rules: Record, states: States, chances: Words, seeds: Integers, players: Integers, observations: Floats, masks: Mask
) -> None:
    """Start game ``i`` from ``seeds[i]``, for every ``i``."""
    for i in range(len(states)):
        restart(chances[i], seeds[i])
        begin(rules[0], states[i], chances[i])
        players[i] = states[i].actor
        look(rules[0], states[i], observations[i], masks[i])


def first_illegal(masks: Mask, actions: Integers) -> int:
    """The first row whose action is not legal, or -1."""
    for i in range(len(actions)):
        if not is_legal(masks[i], actions[i]):
            return i
    return -1


def step_batch(
    rules: Record,
    states: States,
    chances: Words,
    seeds: Integers,
    actions: Integers,
    players: Integers,
    observations: Floats,
    masks: Mask,
    rewards: Floats,
    terminated: npt.NDArray[np.bool_],
    truncated: npt.NDArray[np.bool_],
    reward: int,
    score_scale: float,
) -> int:
    """One decision in every game, with the next game begun where one is over.

    Returns -1, or the first row with an illegal action; then nothing is changed.
    """
    wrong = first_illegal(masks, actions)
    if wrong >= 0:
        return wrong
    for i in range(len(states)):
        s = states[i]
        take_action(rules[0], s, chances[i], actions[i])
        over = s.actor < 0
        rewards[i, :] = 0
        terminated[i] = over and not s.truncated
        truncated[i] = over and s.truncated
        if over:
            fill_returns(rules[0], s, reward, score_scale, rewards[i])
            seeds[i] = next_seed(seeds[i])
            restart(chances[i], seeds[i])
            begin(rules[0], s, chances[i])
        players[i] = s.actor
        look(rules[0], s, observations[i], masks[i])
    return -1


# Batches: one seat against opponents -------------------------------------------------------------------------------


def play_seats(
    rules: Record,
    states: States,
    chances: Words,
    policy_chances: Words,
    ledger: Integers,
    pilots: Integers,
    observations: Floats,
    masks: Mask,
    rows: Integers,
) -> int:
    """Make one move in each of some games, then let the compiled policies play until somebody else has to decide.

    ``rows`` are the games. The rows of the ledger (``LEDGER``) are their seeds, the learner's seats, the moves, who is
    waited for, and how many decisions the learner has made. ``pilots[i, k]`` plays the ``k``-th seat clockwise from the
    learner's; ``pilots[i, 0]`` is ``LEARNER``.

    Before, ``waiting[i]`` is ``NEW_GAME`` where game ``i`` is to begin (from ``seeds[i]``, at a drawn seat where
    ``seats[i]`` is ``ANY_SEAT``); elsewhere ``moves[i]`` is the action of the seat whose turn it is. Afterwards it is
    the pilot who has to decide, and ``observations[i]`` and ``masks[i]`` are his; or ``GAME_OVER``, and the observation
    is the learner's; or ``ILLEGAL``, and the game is unchanged.
    Policies draw from ``policy_chances``, never from the game's chance.

    Returns how many of the games don't wait for the learner.
    """
    seeds, seats, moves, waiting, decisions = ledger[0], ledger[1], ledger[2], ledger[3], ledger[4]
    view, mask = np.empty_like(states[:1]), np.empty_like(masks[0])
    stopped = 0
    for row in range(len(rows)):
        i = rows[row]
        s = states[i]
        decisions[i] += waiting[i] == LEARNER
        if waiting[i] == NEW_GAME:
            restart(chances[i], seeds[i])
            restart(policy_chances[i], policy_seed(seeds[i]))
            decisions[i] = 0
            begin(rules[0], s, chances[i])
            if seats[i] == ANY_SEAT:
                seats[i] = below(policy_chances[i], rules[0].num_players)
        elif is_legal(masks[i], moves[i]):
            take_action(rules[0], s, chances[i], moves[i])
        else:
            waiting[i] = ILLEGAL
            stopped += 1
            continue
        play_on(rules, states[i : i + 1], chances[i], policy_chances[i], seats[i], pilots[i], view, mask)
        if s.actor < 0:
            waiting[i] = GAME_OVER
            fill_observation(rules[0], s, seats[i], observations[i])
        else:
            waiting[i] = pilots[i, relative(s.actor, seats[i], rules[0].num_players)]
            look(rules[0], s, observations[i], masks[i])
        stopped += waiting[i] != LEARNER
    return stopped


def play_on(
    rules: Record,
    states: States,
    chance: Words,
    policy_chance: Words,
    learner: int,
    pilots: Integers,
    view: States,
    mask: Mask,
) -> None:
    """Let the compiled policies play one game until somebody else has to decide, or it is over."""
    s = states[0]
    while s.actor >= 0:
        pilot = pilots[relative(s.actor, learner, rules[0].num_players)]
        if pilot == LEARNER or pilot >= FIRST_PYTHON_POLICY:
            return
        action = compiled_move(rules, states, view, mask, policy_chance, pilot)
        take_action(rules[0], s, chance, action)
