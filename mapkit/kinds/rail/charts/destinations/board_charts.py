"""Solution of all charts of a board for their targets."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from mapkit.kinds.rail.charts.destinations.chart_targets import Wish, WishError
from mapkit.kinds.rail.charts.destinations.solver import SECONDS, SolvedChart, solve_chart
from mapkit.kinds.rail.charts.destinations.stop_requests import StopRequest
from mapkit.kinds.rail.model.board import REGIONS, DestinationChart
from mapkit.kinds.rail.model.source import WantedRow
from mapkit.kinds.rail.network.destination_chances import WHOLE
from mapkit.kinds.rail.sources.odds_targets import ALONE

SECONDS_FOR_GOOD: Final = 60.0
"""Time limit of a build for one chart, in seconds; its charts must be proven, to be the same everywhere."""


def select_wishes(rows: Sequence[WantedRow], chart: str) -> tuple[Wish, ...]:
    """Return the wishes for one chart, in the order of the rows."""
    return tuple(
        Wish(
            item=row.item,
            weight=Fraction(row.weight or "0"),
            least=_least_share(row),
            most=row.most if row.most is not None else WHOLE,
            avoid=frozenset(row.avoid),
            fixed=frozenset(row.cells),
            name=row.name,
        )
        for row in rows
        if row.chart == chart
    )


def _least_share(row: WantedRow) -> int:
    """Return the least share: by default 1, so that no item is left out, or 0 if that is the maximum."""
    if row.least is not None:
        return row.least
    return min(1, row.most) if row.most is not None else 1


def solve_charts(
    rows: Sequence[WantedRow], *, seconds: float = SECONDS, stop: StopRequest | None = None
) -> dict[str, SolvedChart]:
    """Solve every chart in the rows, each within the time limit.

    A stop request ends the current chart with the best solution so far; later charts are left out.

    Raises:
        WishError: A chart is impossible; the message gives the reason, and its name unless it is the only one of a
            file.
    """
    solved_charts: dict[str, SolvedChart] = {}
    chart_names = {row.chart: row.chart_name or row.chart for row in rows}
    for chart, chart_name in chart_names.items():
        if stop is not None and stop.asked:
            break
        try:
            solved_charts[chart] = solve_chart(select_wishes(rows, chart), seconds=seconds, stop=stop)
        except WishError as error:
            raise WishError(str(error) if chart == ALONE else f"chart {chart_name}: {error}", chart=chart) from error
    return solved_charts


def solve_with_proof(rows: Sequence[WantedRow], regions: Sequence[str]) -> dict[str, DestinationChart]:
    """Return the region chart and one chart per region, all proven and thus equal on every machine.

    Raises:
        WishError: A chart is impossible, a region has no city, or the proof took too long.
    """
    chart_ids = {row.chart for row in rows}
    for region in regions:
        if region not in chart_ids:
            raise WishError(
                f"the region {region} has no city, so its chart cannot be solved; give it one", chart=region
            )
    chart_names = {row.chart: row.chart_name or row.chart for row in rows}
    solved_charts = solve_charts(rows, seconds=SECONDS_FOR_GOOD)
    for chart, solved_chart in solved_charts.items():
        if not solved_chart.proven:
            raise WishError(
                f"chart {chart_names[chart]}: not proven to be the best within {SECONDS_FOR_GOOD:g} s; write the "
                "best so far with mapkit destinations solve --write",
                chart=chart,
            )
    return {chart: solved_charts[chart].chart for chart in (REGIONS, *regions)}
