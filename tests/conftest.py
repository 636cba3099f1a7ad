"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--browser-log", help="write what the browser tests do to this file")
    parser.addoption("--law-games", type=int, default=2, help="random games per option set in the laws")


@pytest.fixture
def law_games(request: pytest.FixtureRequest) -> int:
    """How many random games each law is tried on, for each option set."""
    return int(request.config.getoption("--law-games"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rules(*numbers): the rules of a specification that the test shows")
