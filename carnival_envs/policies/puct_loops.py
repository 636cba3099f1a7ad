"""Information-set tree search with a policy and a value network, compiled for each game.

The tree and its determinisations are those of ``core/search_loops.py``; in place of rollouts a leaf is worth what the
value network foretells, and the policy network says where to look (AlphaZero, Silver et al. 2018). All that a network
is asked is asked from the observation of the player who is to decide there, as he would see it.

Leaves are evaluated in batches. While one waits, every action on the way to it counts as lost (virtual loss), so that
the next simulations look elsewhere.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record, resample
from carnival_envs.core.jit import int8, int32, record
from carnival_envs.core.loops import States, fill_mask, fill_observation, fill_returns, greedy_move, take_action
from carnival_envs.core.observation import Floats
from carnival_envs.policies.inference import forward, forward_legal

__all__ = ["search"]

NODE = record(
    ("action", int32),
    ("mover", int8),  # who took the action
    ("parent", int32),
    ("first_child", int32),
    ("next_sibling", int32),
    ("visits", int32),
    ("available", int32),  # simulations in which the parent was passed and the action was legal
    ("prior", np.float64),  # the probability that the policy gave the action when the node was added
    ("outlook", np.float64),  # what the mover was foretold to earn before he took it
    ("value", np.float64),  # sum of the mover's returns
)

ROOT = 0
NOTHING = 0
"""No node: the root, which is nobody's child or sibling."""

VIRTUAL_LOSS = 1.0
"""What an action is taken to lose, in units of returns, by each simulation that waits for its leaf's evaluation."""

Nodes = npt.NDArray[Any]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Net(NamedTuple):
    """A network, as ``inference.forward`` takes it."""

    parameters: Floats
    sizes: Integers
    activation: int


class Oracle(NamedTuple):
    """Who is asked about leaves."""

    policy: Net
    value: Net
    advice: float  # weight of the baseline bot's choice; 0 where the networks don't see it
    reward: int  # the kind of returns that the value network foretells
    bound: float  # no return of that kind is larger


class Setting(NamedTuple):
    """Where simulations start, and by what they go."""

    rules: Record
    start: States  # the view of the player who searches
    player: int
    chance: Words
    work: States  # space for two states: the simulated one, and a view for the baseline bot
    observation: Floats  # space for one
    exploration: float
    score_scale: float


class Leaves(NamedTuple):
    """Leaves that wait for their evaluation, one a row."""

    nodes: Integers
    actors: Integers  # who is to decide
    masks: Mask  # his legal actions
    seen: Floats  # what the networks see
    choices: Integers  # what the baseline bot would do


class Scratch(NamedTuple):
    """Space for one evaluation at a time."""

    layers: Floats
    rows: Integers
    legal: Integers  # the legal actions, then for each
    logits: Floats
    priors: Doubles
    returns: Doubles


def search(
    rules: Record,
    view: States,
    player: int,
    chance: Words,
    simulations: int,
    nodes: Nodes,
    count: int,
    batch: int,
    oracle: Oracle,
    exploration: float,
    score_scale: float,
    observation_size: int,
) -> int:
    """Run some more simulations on a tree; returns how many nodes it has now.

    The first call adds the actions of the root before that, so that every simulation tries one of them.

    Args:
        rules: the game's rules.
        view: the view of ``player``, shape ``(1,)``.
        player: who searches; he is to decide.
        chance: the stream of determinisations, draws and the baseline bot.
        simulations: how many.
        nodes: the tree, root first.
        count: how many nodes it has; when there is no room for more, leaves are valued and not expanded.
        batch: how many leaves are evaluated at a time.
        oracle: the networks.
        exploration: the constant of ``best_child``.
        score_scale: the game's score scale.
        observation_size: the length of the game's observation; the networks see what it begins with.
    """
    work, observation = np.empty(2, view.dtype), np.empty(observation_size, np.float32)
    setting = Setting(rules, view, player, chance, work, observation, exploration, score_scale)
    leaves, scratch = room_for_leaves(batch, oracle.policy.sizes), room_for_evaluation(oracle, rules[0].num_players)
    if nodes[ROOT].first_child == NOTHING:
        waiting = gather(setting, nodes, 1, oracle, leaves, scratch)
        count = evaluate(nodes, count, waiting, oracle, leaves, scratch)
    for done in range(0, simulations, batch):
        waiting = gather(setting, nodes, min(batch, simulations - done), oracle, leaves, scratch)
        count = evaluate(nodes, count, waiting, oracle, leaves, scratch)
    return count


def room_for_leaves(batch: int, sizes: Integers) -> Leaves:
    """Space for a batch of leaves, for a policy network of these widths."""
    return Leaves(
        np.empty(batch, np.int64),
        np.empty(batch, np.int64),
        np.empty((batch, sizes[-1]), np.int8),
        np.empty((batch, sizes[0]), np.float32),
        np.empty(batch, np.int64),
    )


def room_for_evaluation(oracle: Oracle, num_players: int) -> Scratch:
    """Space for the evaluation of one leaf."""
    widest = max(oracle.policy.sizes.max(), oracle.value.sizes.max())
    return Scratch(
        np.empty((2, widest), np.float32),
        np.empty(widest, np.int64),
        np.empty(widest, np.int64),
        np.empty(widest, np.float32),
        np.empty(widest, np.float64),
        np.empty(num_players, np.float64),
    )


def gather(setting: Setting, nodes: Nodes, size: int, oracle: Oracle, leaves: Leaves, scratch: Scratch) -> int:
    """Walk down the tree some times; returns how many leaves wait for their evaluation. Ends of games don't wait."""
    rules, chance, work = setting.rules, setting.chance, setting.work
    waiting = 0
    for _ in range(size):
        work[0] = setting.start[0]
        resample(rules[0], work[0], setting.player, chance)
        node = descend(rules[0], work[0], chance, nodes, leaves.masks[waiting], setting.exploration)
        if work[0].actor < 0:
            fill_returns(rules[0], work[0], oracle.reward, setting.score_scale, scratch.returns)
            back_up(nodes, node, scratch.returns)
        else:
            leaves.nodes[waiting] = node
            leaves.actors[waiting] = work[0].actor
            look(setting, oracle.advice, leaves, waiting)
            waiting += 1
    return waiting


def descend(rules: Record, s: Record, chance: Words, nodes: Nodes, mask: Mask, exploration: float) -> int:
    """Walk down the tree to the end of the game, or to the first node where a legal action has no child yet.

    Leaves in ``mask`` what is legal there.
    """
    node = ROOT
    while s.actor >= 0:
        fill_mask(rules, s, mask)
        child = best_child(nodes, node, s.actor, mask, exploration)
        if child == NOTHING:
            break
        nodes[child].visits += 1
        nodes[child].value -= VIRTUAL_LOSS
        take_action(rules, s, chance, nodes[child].action)
        node = child
    return node


def best_child(nodes: Nodes, parent: int, mover: int, mask: Mask, exploration: float) -> int:
    """The legal child with the highest bound; ``NOTHING`` if a legal action has no child yet.

    The bound is that of AlphaZero: the mean of the returns, and the exploration constant times the prior, times the
    root of the number of visits of the parent (here of those in which the action was available), divided by 1 + the
    visits of the child. Priors count in proportion to those of the other legal actions. A child without visits is
    worth what was foretold when it was added.
    """
    untried, total = np.sum(mask), 0.0
    child = nodes[parent].first_child
    while child != NOTHING:
        node = nodes[child]
        if node.mover == mover and mask[node.action]:
            node.available += 1
            untried -= 1
            total += node.prior
        child = node.next_sibling
    if untried > 0:
        return NOTHING
    best, best_bound = NOTHING, -np.inf
    child = nodes[parent].first_child
    while child != NOTHING:
        node = nodes[child]
        if node.mover == mover and mask[node.action]:
            mean = node.value / node.visits if node.visits > 0 else node.outlook
            bound = mean + exploration * (node.prior / total) * sqrt(node.available) / (1 + node.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = node.next_sibling
    return best


def look(setting: Setting, advice: float, leaves: Leaves, row: int) -> None:
    """Note what the networks see of the simulated state, from the eyes of the player who is to decide."""
    rules, work, seen = setting.rules, setting.work, leaves.seen[row]
    size = len(seen) if advice == 0 else len(seen) - leaves.masks.shape[1]
    fill_observation(rules[0], work[0], work[0].actor, setting.observation)
    seen[:size] = setting.observation[:size]
    seen[size:] = 0
    if advice != 0:
        leaves.choices[row] = greedy_move(rules, work[:1], work[1:], leaves.masks[row], setting.chance)
        seen[size + leaves.choices[row]] = 1


def evaluate(nodes: Nodes, count: int, waiting: int, oracle: Oracle, leaves: Leaves, scratch: Scratch) -> int:
    """Ask the networks about the leaves that wait, expand them and back up their values; returns the tree's size."""
    for row in range(waiting):
        value = foretell(oracle.value, oracle.bound, leaves.seen[row], scratch)
        legal = fill_priors(oracle, leaves, row, scratch)
        count = expand(nodes, count, leaves, row, legal, value, scratch)
        share_out(value, leaves.actors[row], scratch.returns)
        back_up(nodes, leaves.nodes[row], scratch.returns)
    return count


def foretell(net: Net, bound: float, seen: Floats, scratch: Scratch) -> float:
    """What the value network says, within what is possible."""
    value = float(forward(net.parameters, net.sizes, net.activation, seen, scratch.layers, scratch.rows)[0])
    return min(max(value, -bound), bound)


def fill_priors(oracle: Oracle, leaves: Leaves, row: int, scratch: Scratch) -> int:
    """Fill ``scratch.legal`` with the legal actions and ``scratch.priors`` with their probabilities by the policy
    network; returns how many there are.
    """
    net, legal, logits, priors = oracle.policy, scratch.legal, scratch.logits, scratch.priors
    count = forward_legal(
        net.parameters,
        net.sizes,
        net.activation,
        leaves.seen[row],
        leaves.masks[row],
        scratch.layers,
        scratch.rows,
        legal,
        logits,
    )
    for k in range(count):
        priors[k] = logits[k]
        if oracle.advice != 0 and legal[k] == leaves.choices[row]:
            priors[k] += oracle.advice
    top = priors[:count].max()
    total = 0.0
    for k in range(count):
        priors[k] = exp(priors[k] - top)
        total += priors[k]
    for k in range(count):
        priors[k] /= total
    return count


def expand(nodes: Nodes, count: int, leaves: Leaves, row: int, num_legal: int, value: float, scratch: Scratch) -> int:
    """Add a child for each legal action of a leaf that has none yet, while there is room; returns the tree's size."""
    parent, mover, untried = leaves.nodes[row], leaves.actors[row], leaves.masks[row]
    child = nodes[parent].first_child
    while child != NOTHING:
        if nodes[child].mover == mover:
            untried[nodes[child].action] = 0
        child = nodes[child].next_sibling
    for k in range(num_legal):
        if untried[scratch.legal[k]] and count < len(nodes):
            add_child(nodes, count, parent, scratch.legal[k], mover, scratch.priors[k], value)
            count += 1
    return count


def add_child(nodes: Nodes, place: int, parent: int, action: int, mover: int, prior: float, outlook: float) -> None:
    """Put a new node under a parent."""
    node = nodes[place]
    node.action = action
    node.mover = mover
    node.parent = parent
    node.first_child = NOTHING
    node.next_sibling = nodes[parent].first_child
    node.visits = 0
    node.available = 0
    node.prior = prior
    node.outlook = outlook
    node.value = 0.0
    nodes[parent].first_child = place


def share_out(value: float, actor: int, returns: Doubles) -> None:
    """What every seat earns if one earns ``value``: returns sum to 0, and the others share alike what is left."""
    others = len(returns) - 1
    for seat in range(len(returns)):
        returns[seat] = value if seat == actor else -value / others


def back_up(nodes: Nodes, node: int, returns: Doubles) -> None:
    """Count what every mover on the way to a node earned, in place of the virtual loss."""
    while node != NOTHING:
        nodes[node].value += VIRTUAL_LOSS + returns[nodes[node].mover]
        node = nodes[node].parent
