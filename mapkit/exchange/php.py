"""Plain data as PHP source: arrays in short form, strings in single quotes, in which nothing is read but two marks."""

from typing import Final

from mapkit.core.errors import ExportError

_DEPTH: Final = 50
_LINES: Final = 2
"""Levels of arrays that stand on lines of their own."""


def php_string(text: str) -> str:
    r"""Return a PHP string literal: in single quotes only `'` and `\` mean something, so `$` and `?>` do not."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def php_value(value: object, depth: int = 0) -> str:
    """Return plain data as a PHP expression; a mapping becomes an array with keys, a list one without.

    Raises:
        ExportError: It is nested too deeply, or a number is not finite.
    """
    if depth > _DEPTH:
        raise ExportError(f"PHP: data nested more than {_DEPTH} levels deep")
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
        items = [f"{php_string(str(key))} => {php_value(item, depth + 1)}" for key, item in value.items()]
    elif isinstance(value, list | tuple):
        items = [php_value(item, depth + 1) for item in value]
    else:
        raise TypeError(f"{type(value).__name__} has no PHP form")
    if depth < _LINES and any(isinstance(item, dict) for item in _inside(value)):
        pad = "    " * (depth + 1)
        return "[\n" + "".join(f"{pad}{item},\n" for item in items) + "    " * depth + "]"
    return "[" + ", ".join(items) + "]"


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
