"""Values given as text on the command line: settings as `PATH=VALUE`, and percentages."""

from collections.abc import Sequence

import typer

from mapkit.core.errors import RulesError

_PERCENT = 100


def parsed(settings: Sequence[str]) -> dict[str, object]:
    """Return `PATH=VALUE` pairs: whole numbers, true, false, none, or a word.

    Raises:
        RulesError: A pair has no value, or a path is given twice.
    """
    out: dict[str, object] = {}
    for pair in settings:
        path, _, value = pair.partition("=")
        if not path or not value:
            raise RulesError(f"--set {pair!r}: write PATH=VALUE, as fees.own=0")
        if path in out:
            raise RulesError(f"--set {path}: given twice; leave one out")
        out[path] = _value(value)
    return out


def _value(text: str) -> object:
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    plain = text.replace("_", "").removeprefix("-")
    if plain.isascii() and plain.isdecimal() and len(plain) <= 12:  # noqa: PLR2004 - more than any amount
        return int(text)
    return words.get(text.lower(), text)


def precision(text: str | None, option: str) -> float | None:
    """Return a percentage, `0.5%`, as a share of 1; None stays None.

    Raises:
        BadParameter: It is not a number.
    """
    if text is None:
        return None
    try:
        return float(text.strip().removesuffix("%")) / _PERCENT
    except ValueError as error:
        raise typer.BadParameter(f"{text!r} is not a percentage; write it as 0.5%", param_hint=option) from error
