"""YAML as configurations need it: every value knows where it stands, and nothing is misread in silence."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import ConstructorError

KeyPath = tuple[str | int, ...]
"""Keys and indices that lead to a value."""

NUMBER_WITH_EXPONENT = re.compile(r"[-+]?\d[\d_]*(\.[\d_]*)?[eE][-+]?\d+$")


class YamlError(ValueError):
    """Text that can't be read as YAML. The message names the file and the line."""


@dataclass(frozen=True)
class Document:
    """A parsed YAML document.

    Attributes:
        content: its value.
        source: what errors call it.
        places: where each value stands, by its path: ``file:line``.
    """

    content: Any
    source: str
    places: dict[KeyPath, str]

    def place(self, path: KeyPath) -> str:
        """Where a value stands, or what it would be part of."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, self.source) if path else self.source


class _Loader(yaml.SafeLoader):
    """``SafeLoader`` that reads ``3e-4`` as a number, as YAML 1.2 does, and refuses aliases and repeated keys."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise ConstructorError(None, None, "aliases are not supported", self.peek_event().start_mark)  # type: ignore[no-untyped-call]
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag != "tag:yaml.org,2002:str":
                raise ConstructorError(None, None, "a key must be a word", key.start_mark)
            if key.value in seen:
                raise ConstructorError(None, None, f"{key.value!r} is given twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER_WITH_EXPONENT, list("-+0123456789"))


def parse_yaml(text: str, source: str) -> Document:
    """Parse a YAML document.

    Args:
        text: the document.
        source: what errors call it.

    Raises:
        YamlError: it is no YAML, gives a key twice or uses an alias.
    """
    places: dict[KeyPath, str] = {}
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        content = None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = source if mark is None else f"{source}:{mark.line + 1}"
        raise YamlError(f"{place}: not readable as YAML: {getattr(error, 'problem', None) or error}") from None
    if node is not None:
        _note_places(node, (), source, places)
    return Document(content, source, places)


def read_yaml(path: Path) -> Document:
    """Parse a YAML file.

    Raises:
        FileNotFoundError: there is no such file.
        YamlError: see ``parse_yaml``, or it is no text in UTF-8.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    try:
        return parse_yaml(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise YamlError(f"{path}: not UTF-8 text: {error}") from None


def _note_places(node: yaml.Node, path: KeyPath, source: str, places: dict[KeyPath, str]) -> None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            places[*path, key.value] = f"{source}:{key.start_mark.line + 1}"
            _note_places(value, (*path, key.value), source, places)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            places[*path, index] = f"{source}:{value.start_mark.line + 1}"
            _note_places(value, (*path, index), source, places)
