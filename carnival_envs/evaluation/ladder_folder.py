"""The folder of a ladder: its settings, and every game that has been played, so that an interrupted run goes on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.files import remove_leftovers, replacing
from carnival_envs.core.position import differences
from carnival_envs.evaluation.matches import Results

SETTINGS_FILE = "settings.json"
MATCH_UPS = "match-ups"

Blocks = dict[int, Results]
"""The results of a match-up, by number of its block of seeds."""


class LadderFolder:
    """What a ladder keeps. Files are replaced by whole ones, so that none is ever half-written; what a killed process
    left is cleared away. Nobody else may be working in the folder.

    A match-up is known by its two policies, down to the weights of a network: when a policy changes, its match-ups are
    played anew, and those of the others stay.
    """

    def __init__(self, path: str | Path, settings: Mapping[str, Any]) -> None:
        """
        Args:
            path: the folder; made if it is not there.
            settings: JSON-ready: all that the games depend on beside the policies.

        Raises:
            ValueError: the folder holds games of other settings, or of unknown ones; names the first that differs.
        """
        self.path = Path(path)
        file = self.path / SETTINGS_FILE
        if not file.exists():
            if any((self.path / MATCH_UPS).glob("*.json")):
                raise ValueError(f"{file}: missing; nothing tells how its games were played; use another folder")
            with replacing(file) as temporary:
                temporary.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        found = _read(file)
        if not isinstance(found, dict):
            raise ValueError(f"{file}: damaged ({found!r} in place of an object); use another folder")
        for name, kept, given in differences(found, dict(settings)):
            raise ValueError(f"{file}: its games were played with {name}={kept!r}, not {given!r}; use another folder")
        remove_leftovers(self.path)

    def load(self, policies: tuple[str, str], shape: tuple[int, int]) -> Blocks:
        """The blocks of a match-up that have been played.

        Args:
            policies: who meets.
            shape: games and seats of a block.

        Raises:
            ValueError: the file can't be read, or holds blocks of another shape; names it.
        """
        file = self._file(policies)
        if not file.exists():
            return {}
        try:
            return {int(number): decoded(block, shape) for number, block in _read(file)["blocks"].items()}
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file}: damaged ({error}); without it, its match-up is played anew") from error

    def save(self, policies: tuple[str, str], blocks: Blocks) -> None:
        """Keep the blocks of a match-up."""
        encoded_blocks = {str(number): encoded(blocks[number]) for number in sorted(blocks)}
        with replacing(self._file(policies)) as temporary:
            document = {"policy": policies[0], "opponent": policies[1], "blocks": encoded_blocks}
            temporary.write_text(json.dumps(document), encoding="utf-8")

    def _file(self, policies: tuple[str, str]) -> Path:
        digest = hashlib.sha256("\n".join(policies).encode()).hexdigest()[:16]
        words = re.sub(r"\W+", "-", "-".join(policy[:24] for policy in policies)).strip("-")
        return self.path / MATCH_UPS / f"{words}-{digest}.json"


def encoded(results: Results) -> dict[str, Any]:
    """Results as JSON."""
    return {name: getattr(results, name).tolist() for name in ("scores", "ranks", "truncated")}


def decoded(document: Mapping[str, Any], shape: tuple[int, int]) -> Results:
    """Results from JSON, of so many games and seats.

    Raises:
        KeyError, ValueError: something is missing, or no table of numbers.
    """
    ranks = np.array(document["ranks"], dtype=np.int64)
    scores = np.array(document["scores"], dtype=np.int64)
    truncated = np.array(document["truncated"], dtype=np.bool_)
    if ranks.shape != shape or scores.shape != shape or truncated.shape != shape[:1]:
        raise ValueError(f"ranks {ranks.shape}, scores {scores.shape}, truncated {truncated.shape}, not {shape}")
    first = ranks == 1
    if not first.any(axis=1).all():
        raise ValueError("a game without anybody of rank 1")
    return Results(first / first.sum(axis=1, keepdims=True), scores, ranks, truncated)


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: not JSON ({error})") from error
