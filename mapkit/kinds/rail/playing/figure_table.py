"""Study as one table: a row for each figure."""

from collections.abc import Iterator
from math import nan
from typing import NamedTuple

from mapkit.formats.parquet import Column
from mapkit.kinds.rail.model.study import PlayerFigures, Study
from mapkit.playing.figures import Mean, Share


class FigureRow(NamedTuple):
    """Figure of a study; NaN where there is no interval, and `trials` is 0 where they were not counted apart."""

    part: str
    """What it is of: match, player, seat, railroad, home, first purchase, access, monopoly, segment, city."""
    id: str
    """Which one: a number from 1, an id, or a class of percents, `40-45`."""
    figure: str
    value: float
    low: float
    high: float
    trials: int


def figure_rows(study: Study) -> Iterator[FigureRow]:
    """Yield all figures of a study."""
    yield _interval_row("match", "", "rounds", study.rounds)
    yield _interval_row("match", "", "sold out", study.sold_out)
    yield from _course_rows(study)
    for seat_number, player in enumerate(study.players, start=1):
        for name in PlayerFigures.model_fields:
            if name != "policy":
                yield _interval_row("player", str(seat_number), name.replace("_", " "), getattr(player, name))
    for seat_number, seat in enumerate(study.seats, start=1):
        yield _interval_row("seat", str(seat_number), "wins", seat)
    for railroad in study.railroads:
        railroad_id = railroad.railroad
        yield _plain_row("railroad", railroad_id, "price", railroad.price)
        yield _interval_row("railroad", railroad_id, "wins of the first buyer", railroad.first)
        yield _interval_row("railroad", railroad_id, "wins of the owner at sell-out", railroad.sell_out)
        yield _interval_row("railroad", railroad_id, "wins of the owner at the end", railroad.end)
        yield _interval_row("railroad", railroad_id, "fees", railroad.income)
        yield _plain_row("railroad", railroad_id, "mileposts ridden", railroad.steps)
    for holding_class in study.holdings:
        yield _interval_row("access", f"{holding_class.low}-{holding_class.high}", "wins", holding_class.access)
        yield _interval_row("monopoly", f"{holding_class.low}-{holding_class.high}", "wins", holding_class.monopoly)
    for part, uses in (("segment", study.segments), ("city", study.cities)):
        for use in uses:
            yield _plain_row(part, use.id, "times a match", use.times)


def _course_rows(study: Study) -> Iterator[FigureRow]:
    """Yield the figures of leads, of wealth over time, and of starts."""
    for name in ("lead_changes", "last_doubt", "hopeless"):
        yield _interval_row("match", "", name.replace("_", " "), getattr(study, name))
    for moment in study.wealth:
        for name in ("cash", "net_worth", "others_cash", "others_net_worth"):
            yield _plain_row("round", str(moment.round), name.replace("_", " "), getattr(moment, name))
    for start in study.starts:
        yield _interval_row(start.start, start.id, "wins", start.wins)


def figure_columns(study: Study) -> dict[str, Column]:
    """Return all figures of a study as columns."""
    rows = list(figure_rows(study))
    text_columns = {name: [str(getattr(row, name)) for row in rows] for name in ("part", "id", "figure")}
    number_columns = {name: [float(getattr(row, name)) for row in rows] for name in ("value", "low", "high")}
    return {**text_columns, **number_columns, "trials": [row.trials for row in rows]}


def _interval_row(part: str, ident: str, figure: str, found: Mean | Share) -> FigureRow:
    central_value = found.mean if isinstance(found, Mean) else found.share
    return FigureRow(part, ident, figure, central_value, found.low, found.high, found.of)


def _plain_row(part: str, ident: str, figure: str, value: float) -> FigureRow:
    return FigureRow(part, ident, figure, float(value), nan, nan, 0)
