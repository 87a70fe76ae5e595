"""Study as one table: a row for each figure."""

from collections.abc import Iterator

from mapkit.kinds.rail.model.study import PlayerFigures, Study
from mapkit.playing.figure_table import FigureRow, interval_row, plain_row


def figure_rows(study: Study) -> Iterator[FigureRow]:
    """Yield all figures of a study."""
    yield interval_row("match", "", "rounds", study.rounds)
    yield interval_row("match", "", "sold out", study.sold_out)
    yield from _course_rows(study)
    for seat_number, player in enumerate(study.players, start=1):
        for name in PlayerFigures.model_fields:
            if name != "policy":
                yield interval_row("player", str(seat_number), name.replace("_", " "), getattr(player, name))
    for seat_number, seat in enumerate(study.seats, start=1):
        yield interval_row("seat", str(seat_number), "wins", seat)
    for railroad in study.railroads:
        railroad_id = railroad.railroad
        yield plain_row("railroad", railroad_id, "price", railroad.price)
        yield interval_row("railroad", railroad_id, "wins of the first buyer", railroad.first)
        yield interval_row("railroad", railroad_id, "wins of the owner at sell-out", railroad.sell_out)
        yield interval_row("railroad", railroad_id, "wins of the owner at the end", railroad.end)
        yield interval_row("railroad", railroad_id, "fees", railroad.income)
        yield plain_row("railroad", railroad_id, "mileposts ridden", railroad.steps)
    for holding_class in study.holdings:
        yield interval_row("access", f"{holding_class.low}-{holding_class.high}", "wins", holding_class.access)
        yield interval_row("monopoly", f"{holding_class.low}-{holding_class.high}", "wins", holding_class.monopoly)
    for part, uses in (("segment", study.segments), ("city", study.cities)):
        for use in uses:
            yield plain_row(part, use.id, "times a match", use.times)


def _course_rows(study: Study) -> Iterator[FigureRow]:
    """Yield the figures of leads, of wealth over time, and of starts."""
    for name in ("lead_changes", "last_doubt", "hopeless"):
        yield interval_row("match", "", name.replace("_", " "), getattr(study, name))
    for moment in study.wealth:
        for name in ("cash", "net_worth", "others_cash", "others_net_worth"):
            yield plain_row("round", str(moment.round), name.replace("_", " "), getattr(moment, name))
    for start in study.starts:
        yield interval_row(start.start, start.id, "wins", start.wins)
