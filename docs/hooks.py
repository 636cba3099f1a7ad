"""Hooks of mkdocs: the pages of the games get their tables, and every registered game a page and its place in the menu.

The rules run as plain Python here: a build draws a few tables, which is no work for a compiler.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

import game_pages

from carnival_envs.registry import GAMES, definition

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

MENU = "Games"
"""The entry of the menu in ``mkdocs.yml`` that the games fill."""


def path_of(name: str) -> str:
    """Where the page of a game is."""
    return f"games/{name}.md"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the games in the menu."""
    for entry in config.nav or ():
        if MENU in entry:
            entry[MENU] = [{definition(name).title: path_of(name)} for name in GAMES]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Give a page to every game that has none."""
    from mkdocs.structure.files import File

    for name in GAMES:
        if files.get_file_from_path(path_of(name)) is None:
            files.append(File.generated(config, path_of(name), content=game_pages.default_page(name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in the markers of the pages of games."""
    names = [name for name in GAMES if path_of(name) == page.file.src_uri]
    return game_pages.render(markdown, names[0]) if names else markdown
