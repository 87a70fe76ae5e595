"""All the charts of a board solved from what is wanted of them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from mapkit.kinds.rail.charts.destinations.solver import SECONDS, SolvedChart, solve_chart
from mapkit.kinds.rail.charts.destinations.stopping import StopRequest
from mapkit.kinds.rail.charts.destinations.wishes import Wish, WishError
from mapkit.kinds.rail.model.board import REGIONS, DestinationChart
from mapkit.kinds.rail.model.source import WantedRow
from mapkit.kinds.rail.network.chances import WHOLE
from mapkit.kinds.rail.sources.wanted import ALONE

SECONDS_FOR_GOOD: Final = 60.0
"""How long a build may take for a chart: what it writes must be the same everywhere, so it must be proven."""


def wishes_of(rows: Sequence[WantedRow], chart: str) -> tuple[Wish, ...]:
    """Return the wishes for one chart, in the order of the rows."""
    return tuple(
        Wish(
            item=row.item,
            weight=Fraction(row.weight or "0"),
            least=_least(row),
            most=row.most if row.most is not None else WHOLE,
            avoid=frozenset(row.avoid),
            fixed=frozenset(row.cells),
            name=row.name,
        )
        for row in rows
        if row.chart == chart
    )


def _least(row: WantedRow) -> int:
    """Return the least share: 1, so that nobody is left out, unless another is given or 0 is the most."""
    if row.least is not None:
        return row.least
    return min(1, row.most) if row.most is not None else 1


def solve_charts(
    rows: Sequence[WantedRow], *, seconds: float = SECONDS, stop: StopRequest | None = None
) -> dict[str, SolvedChart]:
    """Solve every chart that the rows name; each may take as long as said.

    A stop ends the chart that is being solved with its best so far; charts not begun by then are left out.

    Raises:
        WishError: A chart cannot be had; the text names it, if it is not the only one of a file, and says why.
    """
    out: dict[str, SolvedChart] = {}
    called = {row.chart: row.chart_name or row.chart for row in rows}
    for chart, name in called.items():
        if stop is not None and stop.asked:
            break
        try:
            out[chart] = solve_chart(wishes_of(rows, chart), seconds=seconds, stop=stop)
        except WishError as error:
            raise WishError(str(error) if chart == ALONE else f"chart {name}: {error}", chart=chart) from error
    return out


def solve_for_good(rows: Sequence[WantedRow], regions: Sequence[str]) -> dict[str, DestinationChart]:
    """Return the region chart and one chart a region, all proven, so that they are the same on every machine.

    Raises:
        WishError: A chart cannot be had, a region has no city, or the proof took too long.
    """
    named = {row.chart for row in rows}
    for region in regions:
        if region not in named:
            raise WishError(
                f"the region {region} has no city, so its chart cannot be solved; give it one", chart=region
            )
    called = {row.chart: row.chart_name or row.chart for row in rows}
    solved = solve_charts(rows, seconds=SECONDS_FOR_GOOD)
    for chart, found in solved.items():
        if not found.proven:
            raise WishError(
                f"chart {called[chart]}: not proven to be the best within {SECONDS_FOR_GOOD:g} s; write the "
                "best so far with mapkit destinations solve --write",
                chart=chart,
            )
    return {chart: solved[chart].chart for chart in (REGIONS, *regions)}
