"""The house rules that a reader relies on: imports point down, chance has one source, public names are documented."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carnival_envs.registry import GAMES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "carnival_envs"

MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "policies": {"core", "policies"},
    "envs": {"core", "policies", "envs"},
    "evaluation": {"core", "policies", "evaluation"},
    "play": {"core", "policies", "play"},
    "interop": {"core", "policies", "envs", "evaluation", "interop"},
}
"""Folder of the package to the folders that it may import from; the registry is open to all but the core's rules."""

HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "gymnasium", "pettingzoo", "typer", "rich", "yaml", "matplotlib"}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a tree imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_imports_point_down(folder: str) -> None:
    for path in modules(PACKAGE / folder):
        for name in imports(ast.parse(path.read_text())):
            parts = name.split(".")
            if parts[0] == "carnival_envs" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
                assert parts[1] in MAY_IMPORT[folder], f"{path.relative_to(ROOT)} imports {name}"


def test_games_know_numpy_and_the_engine_only() -> None:
    for path in modules(PACKAGE / "games"):
        for name in imports(ast.parse(path.read_text())):
            assert name.split(".")[0] not in HEAVY, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("game", GAMES)
def test_games_do_not_know_each_other(game: str) -> None:
    for path in modules(PACKAGE / "games" / game):
        for name in imports(ast.parse(path.read_text())):
            if name.startswith("carnival_envs.games."):
                assert name.split(".")[2] == game, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("folder", ["training", "benchmarks"])
def test_scripts_use_public_names(folder: str) -> None:
    for path in modules(ROOT / folder):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("carnival_envs"):
                hidden = [alias.name for alias in node.names if alias.name.startswith("_")]
                assert not hidden, f"{path.relative_to(ROOT)} imports {hidden}"


def test_chance_has_one_source() -> None:
    """No module-level random state: every draw comes from a stream or a generator that somebody gave."""
    for path in modules(PACKAGE) + modules(ROOT / "training"):
        text = path.read_text()
        assert "random" not in set(imports(ast.parse(text))), path
        for word in ("np.random.seed", "np.random.rand", "np.random.choice", "np.random.shuffle"):
            assert word not in text, f"{path.relative_to(ROOT)}: {word}"


def test_public_names_are_documented() -> None:
    for path in modules(PACKAGE):
        tree = ast.parse(path.read_text())
        assert ast.get_docstring(tree) or not tree.body, f"{path.relative_to(ROOT)} says nothing of itself"
        for node in definitions(tree):
            if not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path.relative_to(ROOT)}: {node.name} says nothing of itself"


def definitions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes of a module, and the methods of its classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node
        if isinstance(node, ast.ClassDef):
            yield from (method for method in node.body if isinstance(method, ast.FunctionDef))


def test_import_is_light() -> None:
    """``import carnival_envs`` brings neither the compiler nor a training library."""
    code = "import sys, carnival_envs; print([m for m in ('numba', 'torch', 'typer', 'rich') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_nothing_is_left_behind() -> None:
    for path in modules(PACKAGE) + modules(ROOT / "training") + modules(ROOT / "benchmarks"):
        for word in ("TODO", "FIXME", "XXX", "breakpoint()"):
            assert word not in path.read_text(), f"{path.relative_to(ROOT)}: {word}"


def test_compiled_code_knows_its_sources() -> None:
    """A change in any module with kernels or loops gives a new cache folder."""
    from carnival_envs.core.engine import COMPILED_MODULES

    with_kernels = {path.stem for path in modules(PACKAGE / "core") if "import kernel" in path.read_text()}
    with_loops = {"loops", "draws", "search_loops"}
    assert with_kernels | with_loops | {"jit"} <= set(COMPILED_MODULES)
