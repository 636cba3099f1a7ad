"""Scripted chance: what a script that is too short, or does not fit, tells."""

from __future__ import annotations

from typing import Any

import pytest

from carnival_envs import load_game
from carnival_envs.core.chance import check_script, outcomes_asked, script_left, scripted_words
from carnival_envs.core.engine import chance_loops


def test_a_script_that_ran_out_tells_how_many_outcomes_were_asked_for() -> None:
    draw = chance_loops()["draw"]
    words = scripted_words([3, 1])
    assert [draw(words, 6), draw(words, 1), draw(words, 2)] == [3, 0, 1]
    assert outcomes_asked(words) == 0
    assert script_left(words) == 0
    assert [draw(words, 5), draw(words, 9)] == [0, 0]
    assert outcomes_asked(words) == 5, "the first of the draws that are not there"
    with pytest.raises(ValueError, match="all 2 scripted draws are consumed"):
        check_script(words)


def test_a_draw_that_does_not_fit_asks_for_nothing() -> None:
    draw = chance_loops()["draw"]
    words = scripted_words([6])
    assert draw(words, 6) == 0
    assert outcomes_asked(words) == 0
    with pytest.raises(ValueError, match=r"chance\[0\]: 6 is larger"):
        check_script(words)


@pytest.mark.parametrize("script", [3, [1 << 64], (draw for draw in (0, 0))])
def test_what_is_no_script_is_named(script: Any) -> None:
    with pytest.raises(ValueError, match=r"chance: .* is not allowed; allowed: a sequence of integers"):
        load_game("carnavalesco").new_initial_state(chance=script)
