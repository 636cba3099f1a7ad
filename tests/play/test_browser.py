"""The page in a real browser, with nothing but the mouse: every game from the start to the end, and its replay.

Needs Chromium on this machine and the extra ``browser``; ``--browser-log FILE`` writes down what was done.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("playwright.sync_api", reason="the extra browser is not installed")

from playwright.sync_api import sync_playwright

from carnival_envs.registry import GAMES
from carnival_envs.replay import load_replay

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed on this machine")

WAIT = 300_000
"""Milliseconds that a page may take; a limit, never a pause. A server may have to compile its game first."""

Note = Callable[[str], None]

VIEWPORT = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Note:
    """Writes a line of the log that is asked for."""
    path = request.config.getoption("--browser-log")

    def write(line: str) -> None:
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{request.node.callspec.params['name']}: {line}\n")

    return write


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """A server as a user starts it; gives the address that it tells."""
    command = [sys.executable, "-m", "carnival_envs.cli", *arguments, "--web"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"})
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        address = re.match(r"http://127\.0\.0\.1:\d+/[\w-]{20,}/", line)
        assert address, line
        yield address[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def tab(browser: Any, address: str) -> Iterator[Any]:
    """A page that must neither fail nor ask anybody else for anything."""
    page = browser.new_page(viewport=VIEWPORT)
    page.set_default_timeout(WAIT)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda line: failures.append(line.text) if line.type == "error" else None)
    page.on(
        "request", lambda request: None if request.url.startswith((address, "data:")) else failures.append(request.url)
    )
    page.goto(address)
    settle(page)
    yield page
    page.close()
    assert [failure for failure in failures if "409" not in failure] == []  # Chromium reports the refused stale move


def settle(page: Any) -> None:
    """Wait until the page shows what the server has said, picture included."""
    page.wait_for_function(
        "() => document.body.getAttribute('aria-busy') === 'false' && state !== null"
        " && document.getElementById('picture').complete && document.getElementById('picture').naturalWidth > 0"
    )


def click(page: Any, selector: str) -> None:
    page.locator(selector).first.click()
    settle(page)


def moment(page: Any) -> tuple[int, int]:
    shown, of = page.locator("#moment").inner_text().split(" of ")
    return int(shown), int(of)


def play_moves(page: Any, rng: np.random.Generator, most: int) -> int:
    """Click moves until the game is over, or some have been made; returns how many."""
    made = 0
    while made < most and not page.locator("#result").is_visible():
        buttons = page.locator("#moves button")
        before = moment(page)
        buttons.nth(int(rng.integers(buttons.count()))).click()
        settle(page)
        assert moment(page) > before
        made += 1
    return made


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_nothing_but_the_mouse(name: str, browser: Any, tmp_path: Path, note: Note) -> None:
    path = tmp_path / "game.json"
    rng = np.random.default_rng(1)
    left_at = begin(name, browser, path, rng, note)
    finish(browser, path, rng, left_at, note)
    check_watching(browser, path, note)


def begin(name: str, browser: Any, path: Path, rng: np.random.Generator, note: Note) -> tuple[int, int]:
    """The first moves, with a hint, a reload and a second tab; returns where the game was left."""
    options = ("--opponents", "greedy", "--seed", "3", "--save", str(path), "--hints", "greedy")
    with server("play", name, *options) as address, tab(browser, address) as page:
        note(f"start: {page.locator('#status').inner_text()}")
        assert page.locator("#status").inner_text().startswith("Your turn")
        click(page, "#ask")
        assert page.locator("#hints li").count() == 1
        note(f"hint: {page.locator('#hints li').inner_text()}")
        made = play_moves(page, rng, 8)
        stands = moment(page)
        page.reload()
        settle(page)
        assert moment(page) == stands
        note(f"{made} moves; reloaded at {stands}: nothing lost")
        check_two_tabs(browser, page, address, note)
        page.screenshot(path=path.with_name("light.png"))
        click(page, "#theme")
        page.screenshot(path=path.with_name("dark.png"))
        return moment(page)


def finish(browser: Any, path: Path, rng: np.random.Generator, left_at: tuple[int, int], note: Note) -> None:
    """With a new server for the same file: the rest of the game, its result, and the slider over all of it."""
    with server("play", "--resume", str(path), "--hints", "greedy") as address, tab(browser, address) as page:
        assert moment(page) == left_at
        note(f"server killed and started again at {left_at}: nothing lost")
        made = play_moves(page, rng, 1000)
        result = page.locator("#result").inner_text()
        note(f"{made} more moves; {result!r}")
        last = load_replay(path).final_state()
        assert last.is_terminal()
        for seat, (score, rank) in enumerate(zip(last.scores(), last.ranks(), strict=True)):
            assert re.search(rf"player_{seat}\s.*\s{score}\s+{rank}\b", result)
        check_slider(page)
        note(f"replay slider: every way from 0 to {moment(page)[1]}")


def check_two_tabs(browser: Any, page: Any, address: str, note: Note) -> None:
    """The tab that is behind is told so, and shows the game as it is; its move is not made."""
    with tab(browser, address) as other:
        click(other, "#moves button")
        ahead = moment(other)
        page.locator("#moves button").last.click()
        settle(page)
        assert moment(page) == ahead
        assert "gone on" in page.locator("#message").inner_text()
        note(f"second tab played; the first one's move was refused: {page.locator('#message').inner_text()}")


def check_slider(page: Any) -> None:
    """Back to the start with the slider, one move forward, and to the end, with the mouse."""
    last = moment(page)[1]
    page.locator("#slider").click(position={"x": 1, "y": 5})
    settle(page)
    assert moment(page)[0] <= last * 0.02
    start = page.locator("#picture").get_attribute("src")
    shown = moment(page)[0]
    click(page, "#forward")
    assert moment(page)[0] == shown + 1
    assert page.locator("#picture").get_attribute("src") != start
    click(page, "#back")
    assert moment(page)[0] == shown
    click(page, "#now")
    assert moment(page) == (last, last)


def check_watching(browser: Any, path: Path, note: Note) -> None:
    """The finished game as a replay that offers no moves."""
    with server("watch", str(path)) as address, tab(browser, address) as page:
        assert moment(page) == (0, len(load_replay(path).actions))
        assert not page.locator("#moves button").count()
        check_slider(page)
        note("watched from the file")
