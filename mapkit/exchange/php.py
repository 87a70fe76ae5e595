"""Plain data as PHP source: short arrays, strings in single quotes with only two escapes."""

from collections.abc import Iterable
from typing import Any, Final

from mapkit.core.errors import ExportError

_MAX_DEPTH: Final = 50
_BROKEN_LEVELS: Final = 2
"""Levels of arrays that stand on lines of their own."""
_FILE_HEAD: Final = """<?php
/**
 * Static data of the board, written by mapkit export; write it again instead of editing it.
 * The frame includes this file in the constructor of the game.
 */
"""
_TRAIT_HEAD: Final = """<?php
/**
 * The properties that material.inc.php fills. The class of the game takes them by `use MapMaterial;`: since PHP 8.2,
 * properties that a class does not declare are deprecated.
 */
trait MapMaterial
{
"""


def php_string(text: str) -> str:
    r"""Return a PHP string literal: in single quotes only `'` and `\` mean something, so `$` and `?>` do not."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def php_value(value: object, depth: int = 0) -> str:
    """Return plain data as a PHP expression; a mapping becomes an array with keys, a list one without.

    Raises:
        ExportError: It is nested too deeply, or a number is not finite.
    """
    if depth > _MAX_DEPTH:
        raise ExportError(f"PHP: data nested more than {_MAX_DEPTH} levels deep")
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if value - value != 0:
            raise ExportError(f"PHP: {value} is not a number that a chart can have")
        return repr(value)
    if isinstance(value, str):
        return php_string(value)
    if isinstance(value, dict):
        item_texts = [f"{php_string(str(key))} => {php_value(item, depth + 1)}" for key, item in value.items()]
    elif isinstance(value, list | tuple):
        item_texts = [php_value(item, depth + 1) for item in value]
    else:
        raise TypeError(f"{type(value).__name__} has no PHP form")
    if depth < _BROKEN_LEVELS and any(isinstance(item, dict) for item in _child_values(value)):
        indent = "    " * (depth + 1)
        return "[\n" + "".join(f"{indent}{item},\n" for item in item_texts) + "    " * depth + "]"
    return "[" + ", ".join(item_texts) + "]"


def php_file(data: dict[str, Any]) -> str:
    """Return `material.inc.php`: one property of the game for each part of the data, with the prefix `mk_`."""
    return _FILE_HEAD + "".join(f"\n$this->mk_{name} = {php_value(value)};\n" for name, value in data.items())


def trait_file(names: Iterable[str]) -> str:
    """Return `MapMaterial.php`: a trait that declares the properties of `php_file`."""
    return _TRAIT_HEAD + "".join(f"    public array $mk_{name} = [];\n" for name in names) + "}\n"


def _child_values(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
