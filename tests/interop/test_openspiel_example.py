"""The example of OpenSpiel runs, where it is installed."""

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
