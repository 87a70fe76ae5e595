"""Checks on the destination charts (RB-C14, RB-D01, RB-D03)."""

from collections.abc import Iterator
from fractions import Fraction

from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import count_noun
from mapkit.kinds.rail.charts.destinations.declared_odds import find_mismatches, mismatch_data, mismatch_text
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.model.board import REGIONS, SUMS, DestinationChart
from mapkit.kinds.rail.network.destination_chances import WHOLE, dice_sum_weight
from mapkit.kinds.rail.sources.table_files import DESTINATIONS

_SHOWN_CITIES = 12


def _iterate_cells(chart: DestinationChart) -> Iterator[tuple[str, str, str | None]]:
    for parity, cells in (("odd", chart.odd), ("even", chart.even)):
        for dice_sum, cell_id in cells.items():
            yield parity, dice_sum, cell_id


def _iterate_charts(c: CheckedRails) -> Iterator[tuple[str, str, DestinationChart]]:
    """Yield `(id, title, chart)` of every chart that the board should have and has."""
    chart_titles = {REGIONS: "the region chart"} | {r.id: f"the chart of {r.name}" for r in c.board.regions}
    for chart_id, chart_title in chart_titles.items():
        if chart_id in c.board.destinations:
            yield chart_id, chart_title, c.board.destinations[chart_id]


def _cell_place(c: CheckedRails, chart: str, total: str) -> Place:
    return c.place("destinations", f"{chart}:{total}", at="")


def _find_empty_cell(c: CheckedRails) -> Iterator[Found]:
    """A cell of a destination chart without a region or city: a roll that gives nothing."""
    for chart_id, title, chart in _iterate_charts(c):
        chart_cells = [*_iterate_cells(chart)]
        if all(cell_id is None for _, _, cell_id in chart_cells):
            yield Found(
                f"{title} is empty; fill it in, or let mapkit solve it: mapkit destinations solve {c.board.id} "
                "--weights population --write",
                (chart_id,),
                Place(file=DESTINATIONS),
            )
            continue
        for parity, dice_sum, cell_id in chart_cells:
            if cell_id is None:
                yield Found(
                    f"{title}: {parity} {dice_sum} is empty; fill it in",
                    (chart_id, f"{parity}-{dice_sum}"),
                    _cell_place(c, chart_id, dice_sum),
                )


def _find_unreachable_region(c: CheckedRails) -> Iterator[Found]:
    """A region that is not in the region chart, so that no roll leads to it."""
    rolled_regions = {cell_id for _, _, cell_id in _iterate_cells(c.board.destinations[REGIONS])}
    for region in c.board.regions:
        if region.id not in rolled_regions:
            yield Found(
                f"no roll leads to the region {region.name}; add it to the region chart",
                (region.id,),
                c.place("regions", region.id, at=""),
            )


def _find_unreachable_city(c: CheckedRails) -> Iterator[Found]:
    """A city that is in no chart, so that no player is ever sent there."""
    chart_entries = {
        (chart_id, cell_id)
        for chart_id, _, chart in _iterate_charts(c)
        if chart_id != REGIONS
        for _, _, cell_id in _iterate_cells(chart)
    }
    charted_cities = {cell_id for _, cell_id in chart_entries}
    for city in c.board.cities:
        if city.id not in charted_cities:
            yield Found(
                f"no roll leads to {city.name}; add it to the chart of its region",
                (city.id,),
                c.place("cities", city.id, at=city.milepost),
            )


def _find_city_in_wrong_region(c: CheckedRails) -> Iterator[Found]:
    """A city in the chart of another region.

    A player who rolled that region would be sent out of it. Correct the cell, or the city's region in
    `cities.csv`.
    """
    city_by_id = {city.id: city for city in c.board.cities}
    region_names = {region.id: region.name for region in c.board.regions}
    for chart_id, chart_title, chart in _iterate_charts(c):
        for parity, dice_sum, cell_id in _iterate_cells(chart):
            city = city_by_id.get(cell_id or "")
            if chart_id != REGIONS and city is not None and city.region != chart_id:
                yield Found(
                    f"{chart_title}: {parity} {dice_sum} is {city.name}, which is in "
                    f"{region_names.get(city.region, city.region)}; write a city of this region there",
                    (chart_id, f"{parity}-{dice_sum}", city.id),
                    _cell_place(c, chart_id, dice_sum),
                )


def _find_unknown_destination(c: CheckedRails) -> Iterator[Found]:
    """A cell with an id that is not on the board, or a chart of a region that is not.

    The loader refuses such source packages, so this comes from a board file made or edited by another program.
    """
    region_ids = {region.id for region in c.board.regions}
    city_ids = {city.id for city in c.board.cities}
    for chart_id, chart_title, chart in _iterate_charts(c):
        allowed_ids = region_ids if chart_id == REGIONS else city_ids
        for parity, dice_sum, cell_id in _iterate_cells(chart):
            if cell_id is not None and cell_id not in allowed_ids:
                yield Found(
                    f"{chart_title}: {parity} {dice_sum} is {cell_id!r}, which is not on the board; correct it",
                    (chart_id, f"{parity}-{dice_sum}"),
                    _cell_place(c, chart_id, dice_sum),
                )
    for chart_id in sorted(set(c.board.destinations) - region_ids - {REGIONS}):
        yield Found(f"there is a chart {chart_id!r}, but no region of that name; remove the chart", (chart_id,))


def _find_wrong_cell_weights(c: CheckedRails) -> Iterator[Found]:
    """A chart with cells that do not cover every roll exactly once.

    A cell of sum s has weight 6 - |s - 7|; over the sums 2 to 12, odd and even, that adds up to 72 (RB-D03).
    """
    for chart_id in (REGIONS, *(region.id for region in c.board.regions)):
        chart = c.board.destinations.get(chart_id)
        if chart is None:
            yield Found(_describe_missing_chart(c, chart_id), (chart_id,))
            continue
        total_weight = sum(dice_sum_weight(dice_sum) for _, dice_sum, _ in _iterate_cells(chart))
        if total_weight != WHOLE or set(chart.odd) != set(SUMS) or set(chart.even) != set(SUMS):
            yield Found(
                f"the weights of the chart {chart_id!r} add up to {total_weight}, not {WHOLE}; it needs one cell for "
                "each sum from 2 to 12, odd and even",
                (chart_id,),
            )


def _describe_missing_chart(c: CheckedRails, ident: str) -> str:
    if ident == REGIONS:
        return "the region chart is missing, so no region can be rolled; add it"
    city_names = [city.name for city in c.board.cities if city.region == ident]
    region_name = next(region.name for region in c.board.regions if region.id == ident)
    shown_cities = ", ".join(city_names[:_SHOWN_CITIES]) + (
        f" and {len(city_names) - _SHOWN_CITIES} more" if len(city_names) > _SHOWN_CITIES else ""
    )
    cities = f"; no roll leads to {count_noun(len(city_names), 'city', 'cities')}: {shown_cities}" if city_names else ""
    return f"the chart of {region_name} is missing{cities}; add it"


def _find_odds_differ_from_declared(c: CheckedRails) -> Iterator[Found]:
    """Odds declared in `charts/declared.csv` that differ from the odds of the cells.

    The message names a cell that would fix it: one whose weight is the difference, preferably of an item that has just
    that much too much. Correct the cell, or the declared odds.
    """
    item_names = {r.id: r.name for r in c.board.regions} | {city.id: city.name for city in c.board.cities}
    for chart_id, chart_title, chart in _iterate_charts(c):
        declared_odds = {item: Fraction(odds_text) for item, odds_text in c.board.declared.get(chart_id, {}).items()}
        for mismatch in find_mismatches(chart, declared_odds):
            yield Found(
                f"{chart_title}: {mismatch_text(mismatch, item_names)}",
                (chart_id, mismatch.item),
                c.place("declared", f"{chart_id}:{mismatch.item}", at=""),
                mismatch_data(mismatch),
            )


CHECKS = (
    make_listed_check("D01", _find_empty_cell),
    make_listed_check("D02", _find_unreachable_region),
    make_listed_check("D03", _find_unreachable_city),
    make_listed_check("D04", _find_city_in_wrong_region),
    make_listed_check("D05", _find_unknown_destination),
    make_listed_check("D06", _find_odds_differ_from_declared),
    make_listed_check("D00", _find_wrong_cell_weights),
)
