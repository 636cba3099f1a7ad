"""Histories: the last decisions in observations, as each player may know them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from carnival_envs import load_game, make_batch
from carnival_envs.core.game import Game
from carnival_envs.core.state import State
from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.registry import GAMES, definition
from carnival_envs.replay import load_replay
from tests.variants import all_games, random_game

LONG, SHORT = 5, 2
EVERY_GAME = pytest.mark.parametrize("name", GAMES)


@dataclass(frozen=True)
class Played:
    """A decision of the reference: who took an action, its string, and what others read of it."""

    player: int
    action: str
    public: str


def recorded(game: Game, seed: int) -> Iterator[tuple[State, list[Played]]]:
    """The states of a random game, each with the decisions before it."""
    events: list[Played] = []
    before: State | None = None
    rng = np.random.default_rng(seed)
    state = game.new_initial_state(seed)
    while True:
        yield state, events
        if state.is_terminal():
            return
        action = int(rng.choice(state.legal_actions()))
        before = copy.copy(state)
        state.apply_action(action)
        public = before.public_action_to_string(action)
        events.append(Played(before.current_player(), game.action_to_string(action), public))


def expected(game: Game, events: list[Played], observer: int, length: int) -> npt.NDArray[np.float32]:
    """What an observer remembers of the last decisions, the newest first."""
    seats = game.num_players
    forms = [*game.definition.actions, *game.definition.hidden_forms]
    rows = np.zeros((length, seats + len(forms)), dtype=np.float32)
    for row, event in zip(rows, reversed(events), strict=False):
        row[(event.player - observer) % seats] = 1
        row[seats + forms.index(event.action if event.player == observer else event.public)] = 1
    return rows.ravel()


@pytest.mark.parametrize(("name", "options"), all_games())
def test_observations_end_with_the_last_decisions(name: str, options: dict[str, Any]) -> None:
    """Whatever the length: the game's own blocks are left alone, and a shorter history is the start of a longer one."""
    plain, short, long = (load_game(name, **{**options, "history": length}) for length in (0, SHORT, LONG))
    size = plain.observation_size
    games = zip(recorded(long, 3), recorded(short, 3), recorded(plain, 3), strict=True)
    for (state, events), (brief, _), (bare, _) in games:
        for player in range(plain.num_players):
            seen = state.observation_tensor(player)
            assert np.array_equal(seen[:size], bare.observation_tensor(player))
            assert np.array_equal(seen[size:], expected(plain, events, player, LONG))
            assert np.array_equal(brief.observation_tensor(player), seen[: short.observation_size])


def test_blocks_name_the_decisions() -> None:
    """The second player sees his own card, the first player's not."""
    game = load_game("carnavalo", num_players=2, history=3)
    state = game.new_initial_state(seed=1)
    state.apply_action("setup:3")
    state.apply_action("setup:5")
    seen = state.observation(1)
    assert [game.public_forms[seen[f"event_{age}_action"].argmax()] for age in (1, 2)] == ["setup:5", "setup:?"]
    assert [seen[f"event_{age}_player"].tolist() for age in (1, 2, 3)] == [[1, 0], [0, 1], [0, 0]]
    assert not seen["event_3_action"].any()
    names = [block.name for block in game.observation_blocks[-6:]]
    assert names == [f"event_{age}_{what}" for age in (1, 2, 3) for what in ("player", "action")]


@EVERY_GAME
def test_only_the_actor_knows_a_hidden_action(name: str) -> None:
    """Two games that differ in a hidden action look alike to everybody else, in the state and in any sampled one.

    All hidden forms of the game come up.
    """
    game = load_game(name, history=LONG)
    missing = {form.split(":")[0] for form in game.definition.hidden_forms}
    seed = 0
    while missing:
        for state in random_game(game, seed, greedy_share=0.3):
            for twins in twins_of(state):
                check_twins(state, *twins)
                missing.discard(state.public_action_to_string(twins[0]).split(":")[0])
        seed += 1
        assert seed < 200, f"{missing} never came up"


def twins_of(state: State) -> Iterator[tuple[int, int]]:
    """Pairs of legal actions that others can't tell apart."""
    first: dict[str, int] = {}
    for action in state.legal_actions():
        public = state.public_action_to_string(action)
        if public in first:
            yield first[public], action
        first.setdefault(public, action)


def check_twins(state: State, one: int, other: int) -> None:
    actor = state.current_player()
    left, right = copy.copy(state), copy.copy(state)
    left.apply_action(one)
    right.apply_action(other)
    for player in range(state.game.num_players):
        same = np.array_equal(events_of(left, player), events_of(right, player))
        assert same == (player != actor)
    watcher = (actor + 1) % state.game.num_players
    seen = [after.resample(watcher, seed=1).observation(actor)["event_1_action"] for after in (left, right)]
    assert seen[0].argmax() == seen[1].argmax() >= state.game.num_actions


def events_of(state: State, player: int) -> npt.NDArray[np.float32]:
    """The part of an observation that is history."""
    game = state.game
    return state.observation_tensor(player)[-game.history * (game.num_players + len(game.public_forms)) :]


def after(game: Game, decisions: int) -> State:
    """The state of a random game after some decisions."""
    return next(islice(random_game(game, 2), decisions, None))


@EVERY_GAME
def test_copies_keep_the_history(name: str) -> None:
    game = load_game(name, history=LONG)
    state = after(game, LONG + 1)
    for other in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.clone(seed=1)):
        assert events_of(other, 0).any()
        assert np.array_equal(events_of(other, 0), events_of(state, 0))


@EVERY_GAME
def test_a_position_has_no_history(name: str) -> None:
    """It is the document of the game without one, and begins to remember when it is loaded."""
    game = load_game(name, history=LONG)
    document = after(game, LONG + 1).to_position()
    assert document == load_game(name).state_from_position(document).to_position()
    loaded = game.state_from_position(document, seed=1)
    assert not any(events_of(loaded, player).any() for player in range(game.num_players))
    actor, action = loaded.current_player(), loaded.legal_actions()[0]
    loaded.apply_action(action)
    played = Played(actor, game.action_to_string(action), "")
    assert np.array_equal(events_of(loaded, actor), expected(game, [played], actor, LONG))


def test_a_new_game_of_a_batch_has_forgotten_the_last_one() -> None:
    batch = make_batch("carnavalo", 2, seed=1, history=LONG)
    assert batch.game.history == LONG
    batch.reset()
    while not batch.terminated[0] and not batch.truncated[0]:
        batch.step(batch.action_masks.argmax(axis=1))
    assert not events_of(batch.state(0), 0).any()
    batch.reset()
    assert not events_of(batch.state(1), 0).any()


def test_a_history_is_part_of_a_game() -> None:
    plain, game = load_game("carnavalo"), load_game("carnavalo", history=4)
    assert (plain.history, game.history) == (0, 4)
    assert game == load_game("carnavalo", history=4) == pickle.loads(pickle.dumps(game))
    assert len({plain, game, load_game("carnavalo", history=4)}) == 2
    assert game.options == plain.options
    assert repr(game) == repr(plain)[:-1] + ", history=4)"
    event = game.num_players + game.num_actions + len(game.definition.hidden_forms)
    assert game.observation_size == plain.observation_size + 4 * event


@pytest.mark.parametrize("history", [-1, 17, True, 1.0, "4", None])
def test_a_length_that_is_not_allowed(history: Any) -> None:
    with pytest.raises(ValueError, match=r"history: .* is not allowed; allowed: an integer in 0\.\.16"):
        load_game("carnavalo", history=history)


def test_the_longest_history_is_allowed() -> None:
    game = load_game("carnavalesco", history=16)
    *_, (state, events) = recorded(game, 1)
    assert len(events) > 16
    assert np.array_equal(events_of(state, 1), expected(game, events, 1, 16))


def test_a_replay_keeps_the_history(tmp_path: Path) -> None:
    env = AECGameEnv("carnavalo", history=3, record=tmp_path)
    env.reset(seed=2)
    seen = []
    while not env.is_over:
        seen.append(env.observe(env.agent_selection)["observation"])
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    replay = load_replay(next(tmp_path.iterdir()))
    assert replay.game == load_game("carnavalo", history=3)
    *states, _ = replay.states()
    assert all(np.array_equal(s.observation_tensor(s.current_player()), o) for s, o in zip(states, seen, strict=True))


@EVERY_GAME
def test_hidden_forms_are_no_actions(name: str) -> None:
    own = definition(name)
    assert len(set(own.public_forms)) == len(own.actions) + len(own.hidden_forms)
    assert bool(own.hidden_forms) != own.perfect_information
