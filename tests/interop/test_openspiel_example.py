"""The examples of OpenSpiel run, where it is installed."""

from __future__ import annotations

import pytest


@pytest.mark.filterwarnings("ignore")
def test_openspiel_rates_its_searches(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    from training.examples import openspiel_ismcts

    monkeypatch.setattr(openspiel_ismcts, "SIMULATIONS", (0, 3))
    assert openspiel_ismcts.main(["--pairings", "1"]) == 0
    result, *ratings = capsys.readouterr().out.splitlines()
    assert result.startswith("random against IS-MCTS 3: ")
    assert [line.split(" Elo ")[0].strip() for line in ratings] == ["random", "IS-MCTS 3"]
    assert ratings[0].endswith(" Elo +0")


@pytest.mark.filterwarnings("ignore")
def test_openspiel_learns_a_best_response() -> None:
    """Random play against itself gives 0; equal seeds give equal numbers."""
    pytest.importorskip("pyspiel")
    pytest.importorskip("torch")
    from training.examples.openspiel_best_response import main

    before, after = main(["--games", "1500"])
    assert after > before + 0.2
    assert after > 0.3
    assert main(["--games", "200"]) == main(["--games", "200"])
