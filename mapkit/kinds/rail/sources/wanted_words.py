"""Wishes given with the command: bounds and cells of single regions and cities, on top of a table's."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.source import WantedRow
from mapkit.kinds.rail.sources.wanted import bound, cells_of

_ENDS: Final = tuple((parity, total) for parity in ("odd", "even") for total in (2, 12))


@dataclass(frozen=True)
class Bounds:
    """What is wanted beside weights; a name is a region's or city's, `CHART:NAME` where both have it.

    Args:
        at_least: `NAME=3/72`, also `NAME=3` or `NAME=4%`.
        at_most: The same.
        exactly: The same, in whole 72nds.
        not_2_12: Names that must have neither a 2 nor a 12.
        fixed: `even 7=NAME`; several cells with blanks between them.
    """

    at_least: Sequence[str] = ()
    at_most: Sequence[str] = ()
    exactly: Sequence[str] = ()
    not_2_12: Sequence[str] = ()
    fixed: Sequence[str] = ()


@dataclass(frozen=True)
class _Option:
    """An option as it was given."""

    text: str

    def at(self, message: str) -> str:
        return f"{self.text}: {message}"


def with_bounds(rows: Sequence[WantedRow], bounds: Bounds) -> tuple[WantedRow, ...]:
    """Return the wishes with bounds and cells added; a bound replaces the one that a row has.

    Raises:
        SourceError: A name is unknown or of two charts, or a bound or cell is wrong; every problem is listed.
    """
    out = list(rows)
    problems = Problems()

    def change(option: _Option, typed: str, make: Callable[[WantedRow], dict[str, object]]) -> None:
        try:
            at = _find(out, typed, option)
            out[at] = out[at].model_copy(update=make(out[at]))
        except SourceError as error:
            problems.extend(error)

    for flag, given, rounding, fields in (
        ("--at-least", bounds.at_least, math.ceil, ("least",)),
        ("--at-most", bounds.at_most, math.floor, ("most",)),
        ("--exactly", bounds.exactly, None, ("least", "most")),
    ):
        for text in given:
            option = _Option(f"{flag} {text}")
            name, sign, amount = text.rpartition("=")
            if not sign or not name.strip() or not amount.strip():
                problems.add(option.at("no NAME=3/72"))
                continue
            try:
                value = bound(option, "the bound", amount.strip(), rounding)
            except SourceError as error:
                problems.extend(error)
                continue
            update: dict[str, object] = dict.fromkeys(fields, value)
            change(option, name, lambda _, update=update: update)  # type: ignore[misc]
    for text in bounds.not_2_12:
        change(_Option(f"--not-2-12 {text}"), text, lambda row: {"avoid": tuple(dict.fromkeys((*row.avoid, *_ENDS)))})
    for text in bounds.fixed:
        _fix(_Option(f"--fix {text}"), text, change, problems)
    problems.raise_if_any()
    return tuple(out)


def _fix(
    option: _Option,
    text: str,
    change: Callable[[_Option, str, Callable[[WantedRow], dict[str, object]]], None],
    problems: Problems,
) -> None:
    where, sign, name = text.partition("=")
    if not sign or not where.strip() or not name.strip():
        problems.add(option.at("not CELL=NAME, such as 'even 7=Boston'"))
        return
    joined = where.replace("odd ", "odd-").replace("even ", "even-")
    try:
        cells = cells_of(option, "cell", joined)
    except SourceError as error:
        problems.extend(error)
        return
    change(option, name, lambda row: {"cells": tuple(dict.fromkeys((*row.cells, *cells)))})


def _find(rows: Sequence[WantedRow], typed: str, option: _Option) -> int:
    chart, sign, name = typed.partition(":")
    wanted = fold(name if sign else typed)
    found = [
        index
        for index, row in enumerate(rows)
        if wanted in (fold(row.item), fold(row.name))
        and (not sign or fold(chart) in (fold(row.chart), fold(row.chart_name)))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        charts = " or ".join(f"{rows[i].chart_name or rows[i].chart}:{rows[i].name or rows[i].item}" for i in found)
        raise SourceError(option.at(f"{typed.strip()!r} is in several charts; write {charts}"))
    hint = did_you_mean(typed.strip(), [row.name or row.item for row in rows])
    raise SourceError(option.at(f"{typed.strip()!r} is not a region or city to solve for{hint}; correct it"))
