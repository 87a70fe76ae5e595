"""Destination charts of a draft, solved again from chances or weights (RB-D01)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from mapkit.kinds.rail.charts.destinations.fewest import fewest_changes
from mapkit.kinds.rail.charts.destinations.solved import SECONDS_FOR_GOOD
from mapkit.kinds.rail.charts.destinations.solver import SolvedChart, solve_chart
from mapkit.kinds.rail.charts.destinations.wishes import Wish, WishError
from mapkit.kinds.rail.commands.command import CommandError, Draft
from mapkit.kinds.rail.commands.fields import city, gone, region
from mapkit.kinds.rail.model.board import REGIONS, DestinationChart
from mapkit.kinds.rail.network.chances import WHOLE, chart_weights, weight
from mapkit.kinds.rail.tables import Cell, City, Declared

Shares = Mapping[str, Fraction]
PARITIES = ("odd", "even")


def cells(draft: Draft) -> Mapping[str, Cell]:
    """Return the cells of all charts."""
    return draft.rows("destinations", Cell)


def need_chart(draft: Draft, chart: str) -> None:
    """Refuse a chart that is not there.

    Raises:
        CommandError: It is not; the nearest is offered.
    """
    if not any(f"{chart}/{parity}/{total}" in cells(draft) for parity in PARITIES for total in range(2, 13)):
        gone("destination chart", chart, dict.fromkeys(key.split("/")[0] for key in cells(draft)))


def chances(draft: Draft) -> dict[str, Fraction]:
    """Return the chance of each city as a destination; 0 where no cell leads to it."""
    found: dict[str, dict[str, dict[str, str | None]]] = {}
    for key, cell in cells(draft).items():
        chart, parity, total = key.split("/")
        found.setdefault(chart, {"odd": {}, "even": {}})[parity][total] = cell.item
    charts = {
        name: chart_weights(DestinationChart(odd=chart["odd"], even=chart["even"])) for name, chart in found.items()
    }
    regions = charts.get(REGIONS, {})
    return {
        key: Fraction(regions.get(row.region, 0) * charts.get(row.region, {}).get(key, 0), WHOLE * WHOLE)
        for key, row in draft.rows("cities", City).items()
    }


def weights(draft: Draft, chart: str) -> dict[str, int]:
    """Return the 72nds of each item in a chart; what has no cell is left out."""
    out: dict[str, int] = {}
    for key, cell in cells(draft).items():
        name, _, total = key.split("/")
        if name == chart and cell.item is not None:
            out[cell.item] = out.get(cell.item, 0) + weight(total)
    return out


def weighed(draft: Draft, weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return a share for each city: the weight given, or 1.

    Raises:
        CommandError: A weight is of no city or region; the nearest is offered.
    """
    for ident in weights:
        if ident not in draft.table("regions"):
            city(draft, ident)
    return {ident: Fraction(str(weights.get(ident, 1))) for ident in draft.table("cities")}


def solve(draft: Draft, charts: Sequence[str], shares: Shares, regions: Mapping[str, Fraction] | None = None) -> None:
    """Fill charts so that cities come as near to their shares as the cells allow.

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
            own = {r: cities_in(draft, r) for r in region_ids(draft)}
            sums = {r: sum((shares.get(c, Fraction(0)) for c in found), Fraction(0)) for r, found in own.items()}
            wanted = sums | dict(regions or {})
        else:
            region(draft, chart)
            wanted = {c: shares.get(c, Fraction(0)) for c in cities_in(draft, chart)}
            if wanted and not any(wanted.values()):
                wanted = dict.fromkeys(wanted, Fraction(1))
        try:
            solved = _solved(tuple(Wish(item=item, weight=weight) for item, weight in wanted.items()))
        except WishError as error:
            raise CommandError(f"chart {chart}: {error}") from error
        if not solved.proven:
            raise CommandError(f"chart {chart}: not proven to be the best in time; set its cells")
        for parity, column in (("odd", solved.chart.odd), ("even", solved.chart.even)):
            for total, item in column.items():
                draft.put("destinations", f"{chart}/{parity}/{total}", Cell(item=item))
        _drop_declared(draft, chart)


def change_fewest(
    draft: Draft,
    chart: str,
    shares: Mapping[str, Fraction],
    *,
    newcomer: str | None = None,
    givers: Sequence[str] | None = None,
) -> None:
    """Fill a chart by changing as few of its cells as can be.

    Args:
        draft: The draft.
        chart: `regions` or the id of a region.
        shares: A share for each city of the region, or for each region, in any unit.
        newcomer: Who comes into the chart, or gets more of it.
        givers: Whose cells may change; all by default.

    Raises:
        CommandError: The chart cannot be had.
    """
    now = {
        (parity, total): cell.item
        for parity in PARITIES
        for total in range(2, 13)
        if (cell := cells(draft).get(f"{chart}/{parity}/{total}")) is not None
    }
    if shares and not any(shares.values()):
        shares = dict.fromkeys(shares, Fraction(1))
    try:
        found = _fewest(tuple(now.items()), tuple(shares.items()), newcomer, None if givers is None else tuple(givers))
    except WishError as error:
        raise CommandError(f"chart {chart}: {error}") from error
    for (parity, total), item in found.items():
        if now.get((parity, total)) != item:
            draft.put("destinations", f"{chart}/{parity}/{total}", Cell(item=item))
    if any(now.get(cell) != item for cell, item in found.items()):
        _drop_declared(draft, chart)


@lru_cache(maxsize=256)
def _fewest(
    now: tuple[tuple[tuple[str, int], str | None], ...],
    shares: tuple[tuple[str, Fraction], ...],
    newcomer: str | None,
    givers: tuple[str, ...] | None,
) -> Mapping[tuple[str, int], str]:
    """Change a chart; the answer follows from what is given alone, so variants tried in turn ask once."""
    return fewest_changes(dict(now), dict(shares), newcomer=newcomer, givers=givers)


def _drop_declared(draft: Draft, chart: str) -> None:
    """Drop the odds that were declared of a chart: they are those of the chart before."""
    with draft.unstamped():
        for key in [k for k, row in draft.rows("declared", Declared).items() if row.chart == chart]:
            draft.drop("declared", key)


@lru_cache(maxsize=256)
def _solved(wishes: tuple[Wish, ...]) -> SolvedChart:
    """Solve a chart; the answer follows from the wishes alone, so variants tried in turn ask once."""
    return solve_chart(wishes, seconds=SECONDS_FOR_GOOD)


def region_ids(draft: Draft) -> list[str]:
    """Return the regions in the order of the board."""
    table = draft.table("regions")
    return sorted(table, key=lambda key: (table[key].rank, key))


def cities_in(draft: Draft, wanted: str) -> list[str]:
    """Return the cities of a region, sorted."""
    return sorted(key for key, row in draft.rows("cities", City).items() if row.region == wanted)


def empty_cells(draft: Draft, chart: str, item: str) -> int:
    """Empty the cells of a chart that hold a city or region; return how many."""
    keys = [k for k, cell in cells(draft).items() if cell.item == item and k.startswith(f"{chart}/")]
    with draft.unstamped():
        for key in keys:
            draft.put("destinations", key, Cell(item=None))
    return len(keys)


def move_cells(draft: Draft, ident: str, old: str, new: str, before: Mapping[str, Fraction], *, regions: bool) -> None:
    """Change the charts of a city that is in its new region already.

    Args:
        draft: The draft.
        ident: The city.
        old: Its old region.
        new: Its new region.
        before: The chance of each city before.
        regions: Move cells of the region chart too; else only where one region could not be rolled, or holds no city.
    """
    left = cities_in(draft, old)
    rolled = weights(draft, REGIONS)
    if regions or not rolled.get(new) or not left:
        _move_region_cells(draft, old, new, before[ident] if left else Fraction(rolled.get(old, 0), WHOLE))
    if left:
        change_fewest(draft, old, shares_of(draft, old, left, before))
    else:
        empty_cells(draft, old, ident)
    others = [c for c in cities_in(draft, new) if c != ident]
    shares = shares_of(draft, new, others, before)
    rest = Fraction(weights(draft, REGIONS).get(new, 0), WHOLE) - before[ident]
    if others and before[ident] and rest > 0:  # what the region has beside the newcomer is for the others
        all_of_them = sum(shares.values())
        shares = {c: share * rest / all_of_them for c, share in shares.items()}
    rarest = min((share for share in shares.values() if share), default=Fraction(1))
    change_fewest(draft, new, {**shares, ident: before[ident] or rarest}, newcomer=ident)


def _move_region_cells(draft: Draft, old: str, new: str, chance: Fraction) -> None:
    """Move the fewest cells of the region chart from one region to another that come nearest to a chance."""
    rolled = weights(draft, REGIONS)
    shares = {r: Fraction(rolled.get(r, 0), WHOLE) for r in region_ids(draft)}
    chance = min(chance, shares[old])
    shares[old] -= chance
    shares[new] += chance or Fraction(1, WHOLE)
    cell_count = sum(cell.item == old for key, cell in cells(draft).items() if key.startswith(f"{REGIONS}/"))
    change_fewest(draft, REGIONS, shares, newcomer=new, givers=(old,) if cell_count > 1 or not shares[old] else None)


def shares_of(draft: Draft, chart: str, cities: Sequence[str], before: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the chances of cities; their cells of the chart where the region could not be rolled."""
    if any(before[c] for c in cities):
        return {c: before[c] for c in cities}
    rolled = weights(draft, chart)
    return {c: Fraction(rolled.get(c, 0), WHOLE) for c in cities}
