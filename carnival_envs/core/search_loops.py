"""Information-set Monte-Carlo tree search, compiled for each game (Cowling, Powley and Whitehouse 2012).

One tree over what the searching player can tell apart: its nodes are sequences of actions, and each simulation walks
it in a fresh *determinisation*, a state that ``resample`` draws from the player's view. A child that is not legal in a
determinisation is passed over, and counted only when it was available. Chance inside a simulation is drawn as it
comes, so a node stands for the average over its draws. With more than two players everybody maximises his own return
(max-n, Luckhardt and Irani 1986).
"""

from __future__ import annotations

from math import log, sqrt, tanh
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words, below, restart
from carnival_envs.core.draws import random_action
from carnival_envs.core.interface import Mask, Record, apply_action, resample
from carnival_envs.core.jit import int8, int32, record
from carnival_envs.core.loops import GREEDY, RANDOM, SCORE, Integers, States, compiled_move, fill_mask, fill_returns

__all__ = ["search", "value_actions"]

NODE = record(
    ("action", int32),
    ("mover", int8),  # who took the action
    ("first_child", int32),
    ("next_sibling", int32),
    ("visits", int32),
    ("available", int32),  # simulations in which the parent was visited and the action was legal
    ("value", np.float64),  # sum of the mover's returns
)

NOTHING = 0
"""No node: the root, which is nobody's child or sibling."""

NO_ACTION = -1
"""What ``random_action`` gives where there is none."""

WIDENING = 2.0
"""With greedy rollouts a node has at most so many children times the square root of its visits."""

UNLIMITED = 1 << 30
"""The depth of a rollout that ends with the game."""

LUCK_SEEDS = 1 << 31
"""How many streams the luck of a rollout is one of."""

Nodes = npt.NDArray[Any]


def search(
    rules: Record,
    view: States,
    player: int,
    chance: Words,
    simulations: int,
    nodes: Nodes,
    count: int,
    path: npt.NDArray[np.int32],
    work: States,
    mask: Mask,
    returns: npt.NDArray[np.float64],
    exploration: float,
    greedy_rollouts: bool,
    depth: int,
    reward: int,
    score_scale: float,
) -> int:
    """Run some more simulations on a tree; returns how many nodes it has now.

    Args:
        rules: the game's rules.
        view: the view of ``player``, shape ``(1,)``.
        player: who searches; he is to decide.
        chance: the stream of determinisations, draws and rollouts.
        simulations: how many.
        nodes: the tree, root first; room for one node a simulation.
        count: how many nodes it has.
        path: scratch space, as long as ``nodes``.
        work: scratch space for two states: the simulated one, and a view for rollouts.
        mask: scratch space for a mask.
        returns: scratch space, ``(num_players,)``.
        exploration: the constant of the upper confidence bound.
        greedy_rollouts: whether rollouts are played by the baseline bot in place of random play.
        depth: the most decisions of a rollout; a game that is not over then counts by its squashed score.
        reward: the kind of returns at the end of a game.
        score_scale: the game's score scale.
    """
    for _ in range(simulations):
        work[0] = view[0]
        resample(rules[0], work[0], player, chance)
        steps, count = descend(rules, work, chance, nodes, count, path, mask, exploration, greedy_rollouts)
        roll_out(rules, work, chance, mask, greedy_rollouts, depth)
        evaluate(rules[0], work[0], returns, reward, score_scale)
        nodes[NOTHING].visits += 1
        for step in range(steps):
            node = nodes[path[step]]
            node.visits += 1
            node.value += returns[node.mover]
    return count


def value_actions(
    rules: Record,
    views: States,
    players: Integers,
    seeds: Integers,
    rollouts: int,
    chance: Words,
    luck: Words,
    work: States,
    masks: Mask,
    returns: npt.NDArray[np.float64],
    reward: int,
    score_scale: float,
    out: npt.NDArray[np.float64],
) -> None:
    """What players earn on average after each of their legal actions, if the baseline bot plays on in all seats.

    Every action of a view is tried in the same determinisations and with the same luck: what they differ by then
    varies less than what they earn (common random numbers).

    Args:
        rules: the game's rules.
        views: the views of ``players``, who are to decide.
        players: int64, the observer of each.
        seeds: int64, of the stream that each draws from.
        rollouts: games played on after each action.
        chance: scratch space for the stream of determinisations.
        luck: scratch space for the stream of what happens in them.
        work: scratch space for three states: the simulated one, a view for the bot, and the determinisation.
        masks: scratch space for two masks: of the decision, and of those that follow.
        returns: scratch space, ``(num_players,)``.
        reward: the kind of returns.
        score_scale: the game's score scale.
        out: float64, ``(len(views), num_actions)``: filled in; 0 where an action is not legal.
    """
    out[:] = 0.0
    for row in range(len(views)):
        restart(chance, seeds[row])
        for _ in range(rollouts):
            work[2] = views[row]
            resample(rules[0], work[2], players[row], chance)
            seed = below(chance, LUCK_SEEDS)
            fill_mask(rules[0], work[2], masks[0])
            for action in range(out.shape[1]):
                if masks[0, action] != 0:
                    work[0] = work[2]
                    restart(luck, seed)
                    apply_action(rules[0], work[0], luck, action)
                    roll_out(rules, work[:2], luck, masks[1], True, UNLIMITED)
                    fill_returns(rules[0], work[0], reward, score_scale, returns)
                    out[row, action] += returns[players[row]] / rollouts


def descend(
    rules: Record,
    work: States,
    chance: Words,
    nodes: Nodes,
    count: int,
    path: npt.NDArray[np.int32],
    mask: Mask,
    exploration: float,
    greedy_rollouts: bool,
) -> tuple[int, int]:
    """Walk down the tree by upper confidence bounds and add one node, while there is room for it; returns the path's
    length and the tree's size.
    """
    s = work[0]
    parent, steps = NOTHING, 0
    while s.actor >= 0:
        fill_mask(rules[0], s, mask)
        best, tried = best_child(nodes, parent, s.actor, mask, exploration)
        untried = NO_ACTION
        if count < len(nodes):
            untried = action_to_try(rules, work, chance, mask, tried, nodes[parent].visits, greedy_rollouts)
        if untried != NO_ACTION:
            path[steps] = add_child(nodes, count, parent, untried, s.actor)
            apply_action(rules[0], s, chance, untried)
            return steps + 1, count + 1
        if best == NOTHING:
            break
        path[steps] = best
        apply_action(rules[0], s, chance, nodes[best].action)
        steps += 1
        parent = best
    return steps, count


def action_to_try(
    rules: Record, work: States, chance: Words, untried: Mask, tried: int, visits: int, greedy_rollouts: bool
) -> int:
    """The action for a new child of a node, or ``NO_ACTION``.

    With greedy rollouts their move comes first, and the others one by one as the node is visited more often
    (progressive widening, Coulom 2007): the smallest tree plays as the baseline bot does, and a larger one does not
    spend itself on a look at everything.
    """
    if greedy_rollouts and tried == 0:
        return compiled_move(rules, work[:1], work[1:], untried, chance, GREEDY)
    if greedy_rollouts and tried >= WIDENING * sqrt(visits):
        return NO_ACTION
    return random_action(untried, chance)


def best_child(nodes: Nodes, parent: int, mover: int, mask: Mask, exploration: float) -> tuple[int, int]:
    """The legal child with the highest bound, and how many legal children there are.

    Leaves in ``mask`` the legal actions without a child.
    """
    best, best_bound, tried = NOTHING, -np.inf, 0
    child = nodes[parent].first_child
    while child != NOTHING:
        node = nodes[child]
        if node.mover == mover and mask[node.action]:
            mask[node.action] = 0
            tried += 1
            node.available += 1
            bound = node.value / node.visits + exploration * sqrt(log(node.available) / node.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = node.next_sibling
    return best, tried


def add_child(nodes: Nodes, place: int, parent: int, action: int, mover: int) -> int:
    """Put a new node under a parent; returns its place."""
    node = nodes[place]
    node.action = action
    node.mover = mover
    node.first_child = NOTHING
    node.next_sibling = nodes[parent].first_child
    node.visits = 0
    node.available = 1
    node.value = 0.0
    nodes[parent].first_child = place
    return place


def roll_out(rules: Record, work: States, chance: Words, mask: Mask, greedy_rollouts: bool, depth: int) -> None:
    """Play on to the end, or for some decisions."""
    s = work[0]
    pilot = GREEDY if greedy_rollouts else RANDOM
    decisions = 0
    while s.actor >= 0 and decisions < depth:
        action = compiled_move(rules, work[:1], work[1:], mask, chance, pilot)
        apply_action(rules[0], s, chance, action)
        decisions += 1


def evaluate(rules: Record, s: Record, returns: npt.NDArray[np.float64], reward: int, score_scale: float) -> None:
    """The returns of a finished game; of a running one the squashed lead in points."""
    if s.actor < 0:
        fill_returns(rules, s, reward, score_scale, returns)
        return
    fill_returns(rules, s, SCORE, score_scale, returns)
    for seat in range(rules.num_players):
        returns[seat] = tanh(returns[seat])
