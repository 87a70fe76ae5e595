"""Figures of a study as one table: a row for each figure."""

from collections.abc import Iterable, Iterator
from math import nan
from typing import NamedTuple

from mapkit.core.base import Frozen
from mapkit.formats.parquet import Column
from mapkit.playing.figures import Mean, Share

_PARTS = {"hexes": "hexagon", "cities": "city", "by_turn": "turn", "cases": "case"}
"""Parts by the field of a study that holds them; the others drop their s."""


class FigureRow(NamedTuple):
    """Figure of a study; NaN where there is no interval, and `trials` is 0 where they were not counted apart."""

    part: str
    """What it is of: match, player, seat, or what the board has, as railroad or city."""
    id: str
    """Which one: a number from 1, an id, or a class of percents, `40-45`."""
    figure: str
    value: float
    low: float
    high: float
    trials: int


def study_rows(study: Frozen) -> Iterator[FigureRow]:
    """Yield the figures of a study: its own, and those of the models in its lists, by the first field of each."""
    for name in type(study).model_fields:
        value = getattr(study, name)
        if isinstance(value, Mean | Share):
            yield interval_row("match", "", name.replace("_", " "), value)
        elif isinstance(value, tuple):
            yield from _part_rows(name, [one for one in value if isinstance(one, Frozen)])


def _part_rows(field: str, models: Iterable[Frozen]) -> Iterator[FigureRow]:
    part = _PARTS.get(field, field.removesuffix("s"))
    for number, model in enumerate(models, start=1):
        figures = {name: getattr(model, name) for name in type(model).model_fields}
        names = [str(value) for value in figures.values() if isinstance(value, str)]
        ident = str(number) if part == "player" else "--".join(names) or str(next(iter(figures.values())))
        for name, value in figures.items():
            if isinstance(value, Mean | Share):
                yield interval_row(part, ident, name.replace("_", " "), value)


def figure_columns(rows: Iterable[FigureRow]) -> dict[str, Column]:
    """Return figures as columns."""
    rows = list(rows)
    text_columns = {name: [str(getattr(row, name)) for row in rows] for name in ("part", "id", "figure")}
    number_columns = {name: [float(getattr(row, name)) for row in rows] for name in ("value", "low", "high")}
    return {**text_columns, **number_columns, "trials": [row.trials for row in rows]}


def interval_row(part: str, ident: str, figure: str, found: Mean | Share) -> FigureRow:
    """Return the row of a figure with an interval."""
    central_value = found.mean if isinstance(found, Mean) else found.share
    return FigureRow(part, ident, figure, central_value, found.low, found.high, found.of)


def plain_row(part: str, ident: str, figure: str, value: float) -> FigureRow:
    """Return the row of a figure without an interval."""
    return FigureRow(part, ident, figure, float(value), nan, nan, 0)
