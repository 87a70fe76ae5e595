"""Options that commands on rules share."""

from collections.abc import Sequence
from typing import Annotated

import typer

from mapkit.core.errors import RulesError

TargetArg = Annotated[
    str,
    typer.Argument(metavar="[BOARD|PRESET|FILE.toml]", help="A preset (ah, ici, ah-faq), a board, or a rules file."),
]
OptionOpt = Annotated[
    list[str] | None,
    typer.Option("--option", "-O", metavar="NAME[=AMOUNT]", help="Switch this option on. Repeatable."),
]
SetOpt = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="PATH=VALUE", help="Set a single setting, as fees.own=0. Repeatable."),
]


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
