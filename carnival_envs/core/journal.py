"""What was played in games whose compiled policies don't tell: their moves follow from the game's seed.

``play_seats`` lets compiled policies move without a word to Python. A ``Journal`` notes the other moves; ``retrace``
plays the game again, with the policies' own stream of chance, and finds the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import policy_seed, seeded_words
from carnival_envs.core.engine import chance_loops
from carnival_envs.core.game import Game
from carnival_envs.core.loops import GREEDY, NEW_GAME, RANDOM
from carnival_envs.core.views import Views

Integers = npt.NDArray[np.int64]


class Journal:
    """The moves that are given to ``play_seats``, game by game.

    Attributes:
        moves: for each game the actions since it began, of all seats that no compiled policy plays.
    """

    def __init__(self, num_games: int) -> None:
        """A journal of some games that have not begun."""
        self.moves: list[list[int]] = [[] for _ in range(num_games)]

    def note(self, rows: Integers, waiting: Integers, actions: Integers) -> None:
        """Note the moves that are about to be made.

        Args:
            rows: the games that go on.
            waiting: who is waited for in each of all games; ``NEW_GAME`` where one is about to begin.
            actions: the move in each of all games.
        """
        for row in rows.tolist():
            if waiting[row] == NEW_GAME:
                self.moves[row] = []
            else:
                self.moves[row].append(int(actions[row]))


def retrace(
    game: Game, seed: int, pilots: Sequence[int], moves: Sequence[int], *, seat_was_drawn: bool = False
) -> list[int]:
    """All actions of a game that ``play_seats`` has played.

    Args:
        game: the game.
        seed: of this game.
        pilots: who plays each seat, as the compiled loops know him.
        moves: the actions of the seats that no compiled policy plays, in order; where they end, so does the game.
        seat_was_drawn: whether the learner's seat was drawn, the first draw of the policies' stream.
    """
    state = game.new_initial_state(seed)
    words = seeded_words(int(policy_seed(seed)))
    if seat_was_drawn:
        chance_loops()["draw"](words, game.num_players)
    actions: list[int] = []
    asked = iter(moves)
    while not state.is_terminal():
        pilot = pilots[state.current_player()]
        action = (
            _compiled_move(pilot, Views.of_states([state]), words) if pilot in (GREEDY, RANDOM) else next(asked, None)
        )
        if action is None:
            break
        actions.append(action)
        state.apply_action(action)
    return actions


def _compiled_move(pilot: int, views: Views, words: npt.NDArray[np.uint64]) -> int:
    """The move of a compiled policy, drawn from the policies' stream."""
    chosen = np.empty(1, dtype=np.int64)
    if pilot == GREEDY:
        views.game.engine.greedy_actions(views.game.rules, views.records, views.players, views.masks, words, chosen)
    else:
        chance_loops()["random_actions"](views.masks, words, chosen)
    return int(chosen[0])
