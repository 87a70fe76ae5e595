"""Checks on the destination charts (RB-C14, RB-D01, RB-D03)."""

from collections.abc import Iterator
from fractions import Fraction

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import counted
from mapkit.kinds.rail.charts.destinations.declared import mismatch_data, mismatch_text, mismatches
from mapkit.kinds.rail.checks.check import Checked, listed
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart
from mapkit.kinds.rail.network.chances import WHOLE, weight
from mapkit.kinds.rail.sources.table_files import DESTINATIONS

_SHOWN = 12


def _cells(chart: DestinationChart) -> Iterator[tuple[str, str, str | None]]:
    for parity, cells in (("odd", chart.odd), ("even", chart.even)):
        for total, content in cells.items():
            yield parity, total, content


def _charts(c: Checked) -> Iterator[tuple[str, str, DestinationChart]]:
    """Yield `(id, title, chart)` of every chart that the board should have and has."""
    titles = {REGIONS: "the region chart"} | {r.id: f"the chart of {r.name}" for r in c.board.regions}
    for ident, title in titles.items():
        if ident in c.board.destinations:
            yield ident, title, c.board.destinations[ident]


def _at(c: Checked, chart: str, total: str) -> Place:
    return c.place("destinations", f"{chart}:{total}", at="")


def _empty_cell(c: Checked) -> Iterator[Found]:
    """A cell of a destination chart without a region or city: a roll that gives nothing."""
    for ident, title, chart in _charts(c):
        cells = [*_cells(chart)]
        if all(content is None for _, _, content in cells):
            yield Found(
                f"{title} is empty; fill it in, or let mapkit solve it: mapkit destinations solve {c.board.id} --write",
                (ident,),
                Place(file=DESTINATIONS),
            )
            continue
        for parity, total, content in cells:
            if content is None:
                yield Found(
                    f"{title}: {parity} {total} is empty; fill it in",
                    (ident, f"{parity}-{total}"),
                    _at(c, ident, total),
                )


def _region_unreachable(c: Checked) -> Iterator[Found]:
    """A region that is not in the region chart, so that no roll leads to it."""
    named = {content for _, _, content in _cells(c.board.destinations[REGIONS])}
    for region in c.board.regions:
        if region.id not in named:
            yield Found(
                f"no roll leads to the region {region.name}; add it to the region chart",
                (region.id,),
                c.place("regions", region.id, at=""),
            )


def _city_unreachable(c: Checked) -> Iterator[Found]:
    """A city that is in no chart, so that no player is ever sent there."""
    named = {(ident, content) for ident, _, chart in _charts(c) if ident != REGIONS for _, _, content in _cells(chart)}
    anywhere = {content for _, content in named}
    for city in c.board.cities:
        if city.id not in anywhere:
            yield Found(
                f"no roll leads to {city.name}; add it to the chart of its region",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
            )


def _wrong_region(c: Checked) -> Iterator[Found]:
    """A city in the chart of another region.

    A player who rolled that region would be sent out of it. Correct the cell, or the city's region in
    `cities.csv`.
    """
    cities = {city.id: city for city in c.board.cities}
    names = {region.id: region.name for region in c.board.regions}
    for ident, title, chart in _charts(c):
        for parity, total, content in _cells(chart):
            city = cities.get(content or "")
            if ident != REGIONS and city is not None and city.region != ident:
                yield Found(
                    f"{title}: {parity} {total} is {city.name}, which is in {names.get(city.region, city.region)}; "
                    "write a city of this region there",
                    (ident, f"{parity}-{total}", city.id),
                    _at(c, ident, total),
                )


def _unknown(c: Checked) -> Iterator[Found]:
    """A cell that names something which is not on the board, or a chart of such a region.

    The loader refuses such source packages, so this comes from a board file made or edited by another program.
    """
    regions = {region.id for region in c.board.regions}
    cities = {city.id for city in c.board.cities}
    for ident, title, chart in _charts(c):
        known = regions if ident == REGIONS else cities
        for parity, total, content in _cells(chart):
            if content is not None and content not in known:
                yield Found(
                    f"{title}: {parity} {total} is {content!r}, which is not on the board; correct it",
                    (ident, f"{parity}-{total}"),
                    _at(c, ident, total),
                )
    for ident in sorted(set(c.board.destinations) - regions - {REGIONS}):
        yield Found(f"there is a chart {ident!r}, but no region of that name; remove the chart", (ident,))


def _weights(c: Checked) -> Iterator[Found]:
    """A chart whose cells do not cover every roll exactly once.

    A cell of sum s has weight 6 - |s - 7|; over the sums 2 to 12, odd and even, that adds up to 72 (RB-D03).
    """
    for ident in (REGIONS, *(region.id for region in c.board.regions)):
        chart = c.board.destinations.get(ident)
        if chart is None:
            yield Found(_missing_chart(c, ident), (ident,))
            continue
        total = sum(weight(s) for _, s, _ in _cells(chart))
        if total != WHOLE or set(chart.odd) != set(SUMS) or set(chart.even) != set(SUMS):
            yield Found(
                f"the weights of the chart {ident!r} add up to {total}, not {WHOLE}; it needs one cell for each sum "
                "from 2 to 12, odd and even",
                (ident,),
            )


def _missing_chart(c: Checked, ident: str) -> str:
    if ident == REGIONS:
        return "the region chart is missing, so no region can be rolled; add it"
    names = [city.name for city in c.board.cities if city.region == ident]
    region = next(region.name for region in c.board.regions if region.id == ident)
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    cities = f"; no roll leads to {counted(len(names), 'city', 'cities')}: {shown}" if names else ""
    return f"the chart of {region} is missing{cities}; add it"


def _declared(c: Checked) -> Iterator[Found]:
    """Odds declared in `charts/declared.csv` that differ from what the cells add up to.

    The message names a cell that would fix it: one whose weight is the difference, preferably of an item that has just
    that much too much. Correct the cell, or the declared odds.
    """
    names = {r.id: r.name for r in c.board.regions} | {city.id: city.name for city in c.board.cities}
    for ident, title, chart in _charts(c):
        declared = {item: Fraction(odds) for item, odds in c.board.declared.get(ident, {}).items()}
        for wrong in mismatches(chart, declared):
            yield Found(
                f"{title}: {mismatch_text(wrong, names)}",
                (ident, wrong.item),
                c.place("declared", f"{ident}:{wrong.item}", at=""),
                mismatch_data(wrong),
            )


CHECKS = (
    listed("D01", _empty_cell),
    listed("D02", _region_unreachable),
    listed("D03", _city_unreachable),
    listed("D04", _wrong_region),
    listed("D05", _unknown),
    listed("D06", _declared),
    listed("D00", _weights),
)
