"""Wishes on the command line: bounds and cells of single regions and cities, added to those of a table."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.names import fold
from mapkit.formats.tables import Problems
from mapkit.kinds.rail.model.source import WantedRow
from mapkit.kinds.rail.sources.odds_targets import parse_bound, parse_cells
from mapkit.operations.options import Flag

_END_CELLS: Final = tuple((parity, total) for parity in ("odd", "even") for total in (2, 12))


@dataclass(frozen=True)
class Bounds:
    """Bounds beside weights; a name is a region's or city's, `CHART:NAME` where both have it.

    Attributes:
        at_least: A floor; also CITY=4%. Repeatable.
        at_most: A ceiling. Repeatable.
        exactly: Neither more nor less, in whole 72nds. Repeatable.
        not_2_12: No cell of 2 or 12. Repeatable.
        fixed: The region or city of a cell; several cells are separated by blanks. Repeatable.
    """

    at_least: Annotated[Sequence[str], Flag("", "CITY=3/72")] = ()
    at_most: Annotated[Sequence[str], Flag("", "CITY=9/72")] = ()
    exactly: Annotated[Sequence[str], Flag("", "CITY=5/72")] = ()
    not_2_12: Annotated[Sequence[str], Flag("", "CITY")] = ()
    fixed: Annotated[Sequence[str], Flag("--fix", "'even 7=NAME'")] = ()


@dataclass(frozen=True)
class _Option:
    """Command-line option, for messages."""

    text: str

    def at(self, message: str) -> str:
        return f"{self.text}: {message}"


def add_bounds(rows: Sequence[WantedRow], bounds: Bounds) -> tuple[WantedRow, ...]:
    """Return the wishes with bounds and cells added; a bound replaces the existing one.

    Raises:
        SourceError: A name is unknown or ambiguous, or a bound or cell is wrong; the error lists every problem.
    """
    changed_rows = list(rows)
    problems = Problems()

    def change(option: _Option, typed: str, make: Callable[[WantedRow], dict[str, object]]) -> None:
        try:
            row_index = _find_row(changed_rows, typed, option)
            changed_rows[row_index] = changed_rows[row_index].model_copy(update=make(changed_rows[row_index]))
        except SourceError as error:
            problems.extend(error)

    for flag, given_texts, rounding, field_names in (
        ("--at-least", bounds.at_least, math.ceil, ("least",)),
        ("--at-most", bounds.at_most, math.floor, ("most",)),
        ("--exactly", bounds.exactly, None, ("least", "most")),
    ):
        for text in given_texts:
            bound_option = _Option(f"{flag} {text}")
            item_name, equals_sign, amount_text = text.rpartition("=")
            if not equals_sign or not item_name.strip() or not amount_text.strip():
                problems.add(bound_option.at("no NAME=3/72"))
                continue
            try:
                bound_value = parse_bound(bound_option, "the bound", amount_text.strip(), rounding)
            except SourceError as error:
                problems.extend(error)
                continue
            field_update: dict[str, object] = dict.fromkeys(field_names, bound_value)
            change(bound_option, item_name, lambda _, update=field_update: update)  # type: ignore[misc]
    for text in bounds.not_2_12:
        change(
            _Option(f"--not-2-12 {text}"), text, lambda row: {"avoid": tuple(dict.fromkeys((*row.avoid, *_END_CELLS)))}
        )
    for text in bounds.fixed:
        _fix_cells(_Option(f"--fix {text}"), text, change, problems)
    problems.raise_if_any()
    return tuple(changed_rows)


def _fix_cells(
    option: _Option,
    text: str,
    change: Callable[[_Option, str, Callable[[WantedRow], dict[str, object]]], None],
    problems: Problems,
) -> None:
    cell_text, equals_sign, item_name = text.partition("=")
    if not equals_sign or not cell_text.strip() or not item_name.strip():
        problems.add(option.at("not CELL=NAME, such as 'even 7=Boston'"))
        return
    joined_text = cell_text.replace("odd ", "odd-").replace("even ", "even-")
    try:
        cells = parse_cells(option, "cell", joined_text)
    except SourceError as error:
        problems.extend(error)
        return
    change(option, item_name, lambda row: {"cells": tuple(dict.fromkeys((*row.cells, *cells)))})


def _find_row(rows: Sequence[WantedRow], typed: str, option: _Option) -> int:
    chart_name, colon, item_name = typed.partition(":")
    wanted_fold = fold(item_name if colon else typed)
    row_indices = [
        index
        for index, row in enumerate(rows)
        if wanted_fold in (fold(row.item), fold(row.name))
        and (not colon or fold(chart_name) in (fold(row.chart), fold(row.chart_name)))
    ]
    if len(row_indices) == 1:
        return row_indices[0]
    if row_indices:
        qualified_names = " or ".join(
            f"{rows[i].chart_name or rows[i].chart}:{rows[i].name or rows[i].item}" for i in row_indices
        )
        raise SourceError(option.at(f"{typed.strip()!r} is in several charts; write {qualified_names}"))
    hint = did_you_mean(typed.strip(), [row.name or row.item for row in rows])
    raise SourceError(option.at(f"{typed.strip()!r} is not a region or city to solve for{hint}; correct it"))
