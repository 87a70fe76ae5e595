"""Destination charts of a board in work, solved anew from chances or weights (RB-D01)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from mapkit.charts.wishes import Wish, WishError
from mapkit.model.board import REGIONS, City, DestinationChart
from mapkit.network.chances import WHOLE, chart_weights
from mapkit.variants.work import OperationError, Work

if TYPE_CHECKING:
    from mapkit.charts.destination_solver import SolvedChart

Shares = Mapping[str, Fraction]


def chances(work: Work) -> dict[str, Fraction]:
    """Return the chance of each city as a destination; 0 where no cell leads to it."""
    charts = {
        name: chart_weights(DestinationChart(odd=chart["odd"], even=chart["even"]))
        for name, chart in work.destinations.items()
    }
    regions = charts.get(REGIONS, {})
    return {
        city.id: Fraction(regions.get(city.region, 0) * charts.get(city.region, {}).get(city.id, 0), WHOLE * WHOLE)
        for city in work.cities.values()
    }


def weighed(work: Work, weights: Mapping[str, float]) -> dict[str, Fraction]:
    """Return a share for each city: the weight given, or 1.

    Raises:
        OperationError: A weight is of no city or region; the nearest is offered.
    """
    for ident in weights:
        if ident not in work.regions:
            work.city(ident)
    return {city: Fraction(str(weights.get(city, 1))) for city in work.cities}


def solve(work: Work, charts: Sequence[str], shares: Shares, regions: Mapping[str, Fraction] | None = None) -> None:
    """Fill charts so that cities come as near to their shares as the cells allow, and note where they came from.

    Args:
        work: The board in work.
        charts: `regions` and ids of regions.
        shares: A share for each city, in any unit.
        regions: Shares of regions, where they are not the sums of their cities.

    Raises:
        OperationError: A chart cannot be had, or cannot be proven the best.
    """
    for chart in dict.fromkeys(charts):
        if chart == REGIONS:
            sums = {r: sum((shares.get(c.id, Fraction(0)) for c in _in(work, r)), Fraction(0)) for r in work.regions}
            wanted = sums | dict(regions or {})
        else:
            work.region(chart)
            wanted = {c.id: shares.get(c.id, Fraction(0)) for c in _in(work, chart)}
            if wanted and not any(wanted.values()):
                wanted = dict.fromkeys(wanted, Fraction(1))
        try:
            found = _solved(tuple(Wish(item=item, weight=weight) for item, weight in wanted.items()))
        except WishError as error:
            raise OperationError(f"chart {chart}: {error}") from error
        if not found.proven:
            raise OperationError(f"chart {chart}: not proven to be the best in time; set its cells")
        work.destinations[chart] = {"odd": dict(found.chart.odd), "even": dict(found.chart.even)}
        work.declared.pop(chart, None)
        for total in range(2, 13):
            work.stamp("destinations", f"{chart}:{total}")


@lru_cache(maxsize=256)
def _solved(wishes: tuple[Wish, ...]) -> "SolvedChart":
    """Solve a chart; the answer follows from the wishes alone, so variants tried in turn ask once."""
    from mapkit.charts.destination_solver import solve_chart  # noqa: PLC0415 - OR-tools, and for this alone
    from mapkit.charts.solved import SECONDS_FOR_GOOD  # noqa: PLC0415

    return solve_chart(wishes, seconds=SECONDS_FOR_GOOD)


def _in(work: Work, region: str) -> list[City]:
    return sorted((c for c in work.cities.values() if c.region == region), key=lambda c: c.id)
