"""Differences between two sets of destination charts: cells, and the odds that they change."""

from collections.abc import Mapping
from fractions import Fraction

from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.rail.charts.destinations.wishes import CELLS
from mapkit.kinds.rail.model.board import REGIONS, DestinationChart
from mapkit.kinds.rail.network.chances import WHOLE, chart_weights, fraction_text


class CellDiff(Frozen):
    """A cell that two charts fill differently; None is an empty cell or a chart that is not there."""

    chart: str
    column: str
    sum: int
    a: str | None
    b: str | None


class OddsDiff(Frozen):
    """Odds that differ, as exact fractions; `chart` is `all` for a city among all destinations."""

    chart: str
    item: str
    a: str
    b: str
    percent: float


class DestinationDiff(Frozen):
    """Everything in which two sets of charts differ; `missing` names charts that only one of them has.

    `names` are what people call the ids.
    """

    cells: tuple[CellDiff, ...]
    odds: tuple[OddsDiff, ...]
    missing: tuple[str, ...]
    names: dict[str, str] = Field(default_factory=dict)


Charts = Mapping[str, DestinationChart]


def diff_charts(a: Charts, b: Charts) -> DestinationDiff:
    """Return the cells and odds in which two sets of charts differ, charts in the order of `a`."""
    order = [*a, *(name for name in b if name not in a)]
    cells: list[CellDiff] = []
    odds: list[OddsDiff] = []
    for name in order:
        if name not in a or name not in b:
            continue
        for parity, total in CELLS:
            one, other = (getattr(chart[name], parity).get(str(total)) for chart in (a, b))
            if one != other:
                cells.append(CellDiff(chart=name, column=parity, sum=total, a=one, b=other))
        weights = chart_weights(a[name]), chart_weights(b[name])
        odds += _odds(name, *({item: Fraction(w, WHOLE) for item, w in side.items()} for side in weights))
    if REGIONS in a and REGIONS in b:
        odds += _odds("all", _cities(a), _cities(b))
    return DestinationDiff(
        cells=tuple(cells),
        odds=tuple(odds),
        missing=tuple(name for name in order if (name in a) != (name in b)),
    )


def _cities(charts: Charts) -> dict[str, Fraction]:
    out: dict[str, Fraction] = {}
    for region, share in chart_weights(charts[REGIONS]).items():
        if region in charts:
            for city, weight in chart_weights(charts[region]).items():
                out[city] = out.get(city, Fraction(0)) + Fraction(share * weight, WHOLE * WHOLE)
    return out


def _odds(chart: str, a: Mapping[str, Fraction], b: Mapping[str, Fraction]) -> list[OddsDiff]:
    none = Fraction(0)
    changed = [item for item in {**a, **b} if a.get(item, none) != b.get(item, none)]
    changed.sort(key=lambda item: (-abs(b.get(item, none) - a.get(item, none)), item))
    return [
        OddsDiff(
            chart=chart,
            item=item,
            a=fraction_text(a.get(item, none)),
            b=fraction_text(b.get(item, none)),
            percent=round(float(b.get(item, none) - a.get(item, none)) * 100, 4),
        )
        for item in changed
    ]
