"""A study as one table: a row for each figure."""

from collections.abc import Iterator
from math import nan
from typing import NamedTuple

from mapkit.formats.parquet import Column
from mapkit.kinds.rail.model.study import PlayerFigures, Study
from mapkit.playing.figures import Mean, Share


class FigureRow(NamedTuple):
    """A figure of a study; NaN where there is no interval, and `trials` is 0 where they were not counted apart."""

    part: str
    """What it is of: match, player, seat, railroad, access, monopoly, segment, city."""
    id: str
    """Which one: a number from 1, an id, or a class of percents, `40-45`."""
    figure: str
    value: float
    low: float
    high: float
    trials: int


def figure_rows(study: Study) -> Iterator[FigureRow]:
    """Yield all figures of a study."""
    yield _row("match", "", "rounds", study.rounds)
    yield _row("match", "", "sold out", study.sold_out)
    for number, player in enumerate(study.players, start=1):
        for name in PlayerFigures.model_fields:
            if name != "policy":
                yield _row("player", str(number), name.replace("_", " "), getattr(player, name))
    for number, seat in enumerate(study.seats, start=1):
        yield _row("seat", str(number), "wins", seat)
    for railroad in study.railroads:
        ident = railroad.railroad
        yield _plain("railroad", ident, "price", railroad.price)
        yield _row("railroad", ident, "wins of the first buyer", railroad.first)
        yield _row("railroad", ident, "wins of the owner at sell-out", railroad.sell_out)
        yield _row("railroad", ident, "wins of the owner at the end", railroad.end)
        yield _row("railroad", ident, "fees", railroad.income)
        yield _plain("railroad", ident, "mileposts ridden", railroad.steps)
    for held in study.holdings:
        yield _row("access", f"{held.low}-{held.high}", "wins", held.access)
        yield _row("monopoly", f"{held.low}-{held.high}", "wins", held.monopoly)
    for part, uses in (("segment", study.segments), ("city", study.cities)):
        for use in uses:
            yield _plain(part, use.id, "times a match", use.times)


def figure_columns(study: Study) -> dict[str, Column]:
    """Return the same as columns."""
    rows = list(figure_rows(study))
    texts = {name: [str(getattr(row, name)) for row in rows] for name in ("part", "id", "figure")}
    numbers = {name: [float(getattr(row, name)) for row in rows] for name in ("value", "low", "high")}
    return {**texts, **numbers, "trials": [row.trials for row in rows]}


def _row(part: str, ident: str, figure: str, found: Mean | Share) -> FigureRow:
    value = found.mean if isinstance(found, Mean) else found.share
    return FigureRow(part, ident, figure, value, found.low, found.high, found.of)


def _plain(part: str, ident: str, figure: str, value: float) -> FigureRow:
    return FigureRow(part, ident, figure, float(value), nan, nan, 0)
