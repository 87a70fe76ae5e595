"""Solution of a draft's destination charts from chances or weights (RB-D01)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from mapkit.kinds.rail.charts import late
from mapkit.kinds.rail.charts.destinations.chart_targets import Wish, WishError
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import need_city, need_region, refuse_unknown_id
from mapkit.kinds.rail.model.board import REGIONS, DestinationChart
from mapkit.kinds.rail.network.destination_chances import WHOLE, count_chart_weights, dice_sum_weight
from mapkit.kinds.rail.tables import Cell, City, Declared

Shares = Mapping[str, Fraction]
PARITIES = ("odd", "even")


def cells(draft: Draft) -> Mapping[str, Cell]:
    """Return the cells of all charts."""
    return draft.rows("destinations", Cell)


def need_chart(draft: Draft, chart: str) -> None:
    """Refuse a chart that does not exist.

    Raises:
        CommandError: It is not; the nearest is offered.
    """
    if not any(f"{chart}/{parity}/{total}" in cells(draft) for parity in PARITIES for total in range(2, 13)):
        refuse_unknown_id("destination chart", chart, dict.fromkeys(key.split("/")[0] for key in cells(draft)))


def city_chances_of(draft: Draft) -> dict[str, Fraction]:
    """Return the chance of each city as a destination; 0 without a cell."""
    items_by_cell: dict[str, dict[str, dict[str, str | None]]] = {}
    for key, cell in cells(draft).items():
        chart, parity, total = key.split("/")
        items_by_cell.setdefault(chart, {"odd": {}, "even": {}})[parity][total] = cell.item
    weights_by_chart = {
        name: count_chart_weights(DestinationChart(odd=chart["odd"], even=chart["even"]))
        for name, chart in items_by_cell.items()
    }
    region_weights = weights_by_chart.get(REGIONS, {})
    return {
        key: Fraction(
            region_weights.get(row.region, 0) * weights_by_chart.get(row.region, {}).get(key, 0), WHOLE * WHOLE
        )
        for key, row in draft.rows("cities", City).items()
    }


def count_cells_by_item(draft: Draft, chart: str) -> dict[str, int]:
    """Return the 72nds of each item in a chart; items without cells are left out."""
    weight_of_item: dict[str, int] = {}
    for key, cell in cells(draft).items():
        cell_chart, _, total = key.split("/")
        if cell_chart == chart and cell.item is not None:
            weight_of_item[cell.item] = weight_of_item.get(cell.item, 0) + dice_sum_weight(total)
    return weight_of_item


def shares_from_weights(draft: Draft, weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return a share for each city: the weight given, or 1.

    Raises:
        CommandError: A weight is of no city or region; the nearest is offered.
    """
    for ident in weights:
        if ident not in draft.table("regions"):
            need_city(draft, ident)
    return {ident: Fraction(str(weights.get(ident, 1))) for ident in draft.table("cities")}


def solve_charts(
    draft: Draft, charts: Sequence[str], shares: Shares, regions: Mapping[str, Fraction] | None = None
) -> None:
    """Fill charts with the closest chances to the shares of cities that the cells allow.

    Args:
        draft: The draft.
        charts: `regions` and ids of regions.
        shares: A share for each city, in any unit.
        regions: Shares of regions, where they are not the sums of their cities.

    Raises:
        CommandError: A chart cannot be had, or cannot be proven the best.
    """
    for chart in dict.fromkeys(charts):
        if chart == REGIONS:
            cities_of_region = {r: cities_in(draft, r) for r in region_ids(draft)}
            sum_by_region = {
                r: sum((shares.get(c, Fraction(0)) for c in region_cities), Fraction(0))
                for r, region_cities in cities_of_region.items()
            }
            wanted_shares = sum_by_region | dict(regions or {})
        else:
            need_region(draft, chart)
            wanted_shares = {c: shares.get(c, Fraction(0)) for c in cities_in(draft, chart)}
            if wanted_shares and not any(wanted_shares.values()):
                wanted_shares = dict.fromkeys(wanted_shares, Fraction(1))
        try:
            solved_chart = _solve_chart(tuple(Wish(item=item, weight=weight) for item, weight in wanted_shares.items()))
        except WishError as error:
            raise CommandError(f"chart {chart}: {error}") from error
        if not solved_chart.proven:
            raise CommandError(f"chart {chart}: not proven to be the best in time; set its cells")
        for parity, column in (("odd", solved_chart.chart.odd), ("even", solved_chart.chart.even)):
            for total, item in column.items():
                draft.put("destinations", f"{chart}/{parity}/{total}", Cell(item=item))
        _drop_declared(draft, chart)


def change_fewest_cells(
    draft: Draft,
    chart: str,
    shares: Mapping[str, Fraction],
    *,
    newcomer: str | None = None,
    givers: Sequence[str] | None = None,
) -> None:
    """Fill a chart by changing the fewest of its cells.

    Args:
        draft: The draft.
        chart: `regions` or the id of a region.
        shares: A share for each city of the region, or for each region, in any unit.
        newcomer: Who comes into the chart, or gets more of it.
        givers: Whose cells may change; all by default.

    Raises:
        CommandError: The chart cannot be had.
    """
    current_items = {
        (parity, total): cell.item
        for parity in PARITIES
        for total in range(2, 13)
        if (cell := cells(draft).get(f"{chart}/{parity}/{total}")) is not None
    }
    if shares and not any(shares.values()):
        shares = dict.fromkeys(shares, Fraction(1))
    try:
        changed_items = _find_fewest_changes(
            tuple(current_items.items()), tuple(shares.items()), newcomer, None if givers is None else tuple(givers)
        )
    except WishError as error:
        raise CommandError(f"chart {chart}: {error}") from error
    for (parity, total), item in changed_items.items():
        if current_items.get((parity, total)) != item:
            draft.put("destinations", f"{chart}/{parity}/{total}", Cell(item=item))
    if any(current_items.get(cell) != item for cell, item in changed_items.items()):
        _drop_declared(draft, chart)


@lru_cache(maxsize=256)
def _find_fewest_changes(
    now: tuple[tuple[tuple[str, int], str | None], ...],
    shares: tuple[tuple[str, Fraction], ...],
    newcomer: str | None,
    givers: tuple[str, ...] | None,
) -> Mapping[tuple[str, int], str]:
    """Change the fewest cells of a chart; cached, since variants are tried in turn."""
    return late.fewest_changes(dict(now), dict(shares), newcomer=newcomer, givers=givers)


def _drop_declared(draft: Draft, chart: str) -> None:
    """Drop the declared odds of a chart that changed."""
    with draft.unstamped():
        for key in [k for k, row in draft.rows("declared", Declared).items() if row.chart == chart]:
            draft.drop("declared", key)


@lru_cache(maxsize=256)
def _solve_chart(wishes: tuple[Wish, ...]) -> "late.SolvedChart":
    """Solve a chart; cached, since variants are tried in turn."""
    return late.solve_chart(wishes, seconds=late.SECONDS_FOR_GOOD)


def region_ids(draft: Draft) -> list[str]:
    """Return the regions in the order of the board."""
    region_rows = draft.table("regions")
    return sorted(region_rows, key=lambda key: (region_rows[key].rank, key))


def cities_in(draft: Draft, wanted: str) -> list[str]:
    """Return the cities of a region, sorted."""
    return sorted(key for key, row in draft.rows("cities", City).items() if row.region == wanted)


def empty_cells(draft: Draft, chart: str, item: str) -> int:
    """Empty the cells of a chart that hold a city or region; return their number."""
    cell_keys = [k for k, cell in cells(draft).items() if cell.item == item and k.startswith(f"{chart}/")]
    with draft.unstamped():
        for key in cell_keys:
            draft.put("destinations", key, Cell(item=None))
    return len(cell_keys)


def move_cells(draft: Draft, ident: str, old: str, new: str, chances: Mapping[str, Fraction], *, regions: bool) -> None:
    """Change the charts for a city that is already in its new region.

    Args:
        draft: The draft.
        ident: The city.
        old: Its old region.
        new: Its new region.
        chances: The chance of each city before.
        regions: Move cells of the region chart too; else only where one region could not be rolled, or holds no city.
    """
    old_cities = cities_in(draft, old)
    region_weights = count_cells_by_item(draft, REGIONS)
    if regions or not region_weights.get(new) or not old_cities:
        _move_region_cells(
            draft, old, new, chances[ident] if old_cities else Fraction(region_weights.get(old, 0), WHOLE)
        )
    if old_cities:
        change_fewest_cells(draft, old, shares_of(draft, old, old_cities, chances))
    else:
        empty_cells(draft, old, ident)
    other_cities = [c for c in cities_in(draft, new) if c != ident]
    shares = shares_of(draft, new, other_cities, chances)
    remaining_chance = Fraction(count_cells_by_item(draft, REGIONS).get(new, 0), WHOLE) - chances[ident]
    if other_cities and chances[ident] and remaining_chance > 0:  # the region's other chances are for its other cities
        share_sum = sum(shares.values())
        shares = {c: share * remaining_chance / share_sum for c, share in shares.items()}
    smallest_share = min((share for share in shares.values() if share), default=Fraction(1))
    change_fewest_cells(draft, new, {**shares, ident: chances[ident] or smallest_share}, newcomer=ident)


def _move_region_cells(draft: Draft, old: str, new: str, chance: Fraction) -> None:
    """Move the fewest cells of the region chart from one region to another that come nearest to a chance."""
    region_weights = count_cells_by_item(draft, REGIONS)
    shares = {r: Fraction(region_weights.get(r, 0), WHOLE) for r in region_ids(draft)}
    chance = min(chance, shares[old])
    shares[old] -= chance
    shares[new] += chance or Fraction(1, WHOLE)
    cell_count = sum(cell.item == old for key, cell in cells(draft).items() if key.startswith(f"{REGIONS}/"))
    change_fewest_cells(
        draft, REGIONS, shares, newcomer=new, givers=(old,) if cell_count > 1 or not shares[old] else None
    )


def shares_of(draft: Draft, chart: str, cities: Sequence[str], chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the chances of cities, or their cells of the chart if the region could not be rolled."""
    if any(chances[c] for c in cities):
        return {c: chances[c] for c in cities}
    weight_of_city = count_cells_by_item(draft, chart)
    return {c: Fraction(weight_of_city.get(c, 0), WHOLE) for c in cities}
