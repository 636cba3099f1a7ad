"""The documentation is true: its Python blocks run, its tables come from the code, every game has a page.

Blocks marked ``python`` run, in the order of their page, in one session a page; blocks with a title are written to that
file first. Blocks marked ``py`` are not run: they train, or need a file that is not there.
"""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from carnival_envs.registry import ENTRY_POINTS, GAMES, definition, register_game
from docs import game_pages
from tests import test_laws

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
PIG = "secret_pig"
ADD_A_GAME = DOCS / "guides" / "add-a-game.md"

FILE = re.compile(r'```\w+ title="([^"]+)"\n(.*?)```', flags=re.DOTALL)
BLOCK = re.compile(r"```python\n(.*?)```", flags=re.DOTALL)
LINK = re.compile(r"\]\((?!http)([^)#]+)")


def names(paths: list[Path]) -> list[str]:
    """The paths of pages, as ids of tests."""
    return [str(path.relative_to(DOCS)) for path in paths]


def with_blocks() -> list[Path]:
    """The pages that have something to run."""
    return [path for path in PAGES if BLOCK.search(path.read_text(encoding="utf-8"))]


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows."""
    for title, content in FILE.findall(page.read_text(encoding="utf-8")):
        path = folder / title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, from which modules can be imported, with a table of games that is put back afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("carnival_envs.registry.GAMES", dict(GAMES))
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == PIG]:
        del sys.modules[name]


@pytest.fixture
def pig(scratch: Path) -> str:
    """The game of the guide, registered."""
    write_files(ADD_A_GAME, scratch)
    importlib.invalidate_caches()
    register_game(PIG, PIG)
    return PIG


# Guides -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", with_blocks(), ids=names(with_blocks()))
def test_python_blocks_run(page: Path, scratch: Path) -> None:
    write_files(page, scratch)
    importlib.invalidate_caches()
    session: dict[str, Any] = {}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, page.name, "exec"), session)


def test_the_game_of_the_guide_keeps_every_law(pig: str) -> None:
    for options in definition(pig).option_sets():
        test_laws.test_every_move_keeps_the_laws(pig, options, law_games=2)
        test_laws.test_copies_are_independent_and_exact(pig, options)
    options = {"num_players": 3}
    test_laws.test_a_batch_plays_its_single_games(pig, options)
    test_laws.test_junk_in_a_position_is_a_value_error(pig, options, moves=30)


def test_the_package_of_the_guide_brings_its_game(pig: str, scratch: Path) -> None:
    project = tomllib.loads((scratch / "pyproject.toml").read_text())["project"]
    assert project["entry-points"] == {ENTRY_POINTS: {pig: pig}}


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_linked_pages_exist(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target


def test_every_page_is_in_the_menu() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = set(re.findall(r"[\w/-]+\.md", str(menu)))
    written = {path for path in names(PAGES) if not path.startswith("games/")}
    assert listed == written


# Pages of games ---------------------------------------------------------------------------------------------------


def test_every_game_has_a_page_and_every_page_a_game() -> None:
    assert {path.stem for path in game_pages.GAMES_FOLDER.glob("*.md")} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_pages_have_the_same_sections_and_every_table(game: str) -> None:
    page = game_pages.page(game)
    assert tuple(re.findall(r"^## (.+)$", page, flags=re.MULTILINE)) == game_pages.SECTIONS
    assert set(game_pages.MARKER.findall(page)) == set(game_pages.GENERATORS)
    assert page.startswith(f"# {definition(game).title}\n")


@pytest.mark.parametrize("game", GAMES)
def test_tables_tell_everything(game: str) -> None:
    text = game_pages.render(game_pages.page(game), game)
    assert "{{" not in text
    tell_everything(text, game)


def tell_everything(text: str, game: str) -> None:
    """Every option, every block and every action is in the tables of a page."""
    known = definition(game)
    for option in known.options:
        assert re.search(rf"^\| `{option.name}` \|", text, flags=re.MULTILINE), option.name
    for block in known.blocks({option.name: option.default for option in known.options}):
        assert re.search(rf"^\| `{block.name}` \| \(", text, flags=re.MULTILINE), block.name
    covered: list[int] = []
    for first, last in re.findall(r"^\| (\d+)(?:-(\d+))? \| \d+ \| `", text, flags=re.MULTILINE):
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(len(known.actions)))


def test_a_game_without_a_page_gets_one(pig: str) -> None:
    text = game_pages.render(game_pages.page(pig), pig)
    tell_everything(text, pig)
    assert "# Secret Pig" in text
    assert "| `max_turns` | `200` | an integer in 1..1000 | The game is cut off after so many turns. |" in text
    assert "| `bank` | (n) | 0 | 119 | banked points, relative seats |" in text
    assert "bonus ?" in text, "the table is drawn as a player sees it"


def test_an_unknown_marker_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'\{\{ boards \}\}' is not allowed; allowed: facts_table, board,"):
        game_pages.render("{{ boards }}", "carnavalesco")


def test_what_depends_on_the_number_of_players_is_told_in_terms_of_it() -> None:
    counts = [2, 3, 4]
    assert game_pages.in_terms_of_n(counts, [7, 7, 7]) == "7"
    assert game_pages.in_terms_of_n(counts, [2, 3, 4]) == "n"
    assert game_pages.in_terms_of_n(counts, [10, 15, 20]) == "5n"
    assert game_pages.in_terms_of_n(counts, [3, 4, 5]) == "n + 1"
    assert game_pages.in_terms_of_n(counts, [9, 18, 18]) == "9 / 18 / 18"


def test_action_strings_are_summed_up_by_their_form() -> None:
    runs = {"play:1:up play:1:down play:2:up play:2:down": "play:{1,2}:{up,down}", "end": "end"}
    runs["go:0 go:1 go:2"] = "go:{0..2}"
    runs["swap:a:b swap:a:c swap:b:a swap:b:c swap:c:a swap:c:b"] = "swap:{a,b,c}:{a,b,c}"
    for strings, pattern in runs.items():
        assert game_pages.pattern(strings.split()) == pattern
