"""Operations on the payoff chart and the destination charts, applied to a board in work."""

from fractions import Fraction

import numpy as np

from mapkit.errors import MapkitError
from mapkit.model.board import REGIONS
from mapkit.model.variant import (
    ImportPayoffs,
    RecomputePayoffs,
    ScalePayoffs,
    SetDestination,
    SetPayoff,
    SolveDestinations,
    SwapDestinations,
)
from mapkit.variants.solving import chances, solve, weighed
from mapkit.variants.work import OperationError, Work


def set_payoff(work: Work, op: SetPayoff) -> None:
    """Set what a trip pays, both ways."""
    a, b = work.payoff_index(op.a), work.payoff_index(op.b)
    now = work.payoffs[a][b]
    if op.was is not None and now != op.was:
        said = "missing" if now is None else f"{now:g}"
        raise OperationError(f"{op.a} - {op.b} pays {said}, not {op.was:g}; correct `was`")
    work.payoffs[a][b] = work.payoffs[b][a] = op.value
    work.stamp("payoffs", f"{min(op.a, op.b)}:{max(op.a, op.b)}")
    for city in (op.a, op.b):
        work.read("map", "city", city, "exists")
    work.wrote("chart", "payoff", min(op.a, op.b), max(op.a, op.b), value=("pays", op.value))


def scale_payoffs(work: Work, op: ScalePayoffs) -> None:
    """Multiply all amounts; half a step goes up."""
    work.payoffs = [[_scaled(value, op) for value in row] for row in work.payoffs]
    for city in work.payoff_cities:
        work.stamp("payoffs", city)
    work.wrote("chart", "payoff")


def _scaled(value: float | None, op: ScalePayoffs) -> float | None:
    if not value:
        return value
    return float(max(np.floor(value * op.factor / op.step + 0.5 + 1e-9), 1.0) * op.step)


def recompute_payoffs(work: Work, op: RecomputePayoffs) -> None:
    """Compute the chart from distances on the board as it is now."""
    from mapkit.charts.payoff_compute import compute_payoffs  # noqa: PLC0415 - needs SciPy, and for this alone
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415

    if not set(work.payoff_cities) <= set(work.cities):
        raise OperationError("the payoff chart has cities that the board has not; remove them first")
    try:
        chart = compute_payoffs(op.model, board_distances(work.finish(()), work.payoff_cities))
    except MapkitError as error:
        raise OperationError(str(error)) from error
    work.payoffs = [[float(value) for value in row] for row in chart]
    for city in work.payoff_cities:
        work.stamp("payoffs", city)
    work.wrote("chart", "payoff", value=None)
    work.read("map")


def import_payoffs(work: Work, op: ImportPayoffs) -> None:
    """Take amounts from a chart that was read."""
    if not op.cities:
        raise OperationError(f"the file {op.file} was not read; apply the variant by its name or path")
    at = [work.payoff_index(city) for city in op.cities]
    for i, row in zip(at, op.thousands, strict=True):
        for j, value in zip(at, row, strict=True):
            work.payoffs[i][j] = value
    for city in op.cities:
        work.stamp("payoffs", city)
    work.wrote("chart", "payoff", value=(op.cities, op.thousands))


def set_destination(work: Work, op: SetDestination) -> None:
    """Set a cell of a destination chart."""
    column = work.chart(op.chart)[op.parity]
    total = str(op.total)
    now = column.get(total)
    if op.was is not None and now != op.was:
        raise OperationError(f"{op.chart}, {op.parity} {op.total} is {now!r}, not {op.was!r}; correct `was`")
    if op.value is not None:
        if op.chart == REGIONS:
            work.region(op.value)
        else:
            city = work.city(op.value)
            work.read("map", "city", op.value, "region")
            if city.region != op.chart:
                raise OperationError(f"{op.value!r} is a city of {city.region!r}, not of {op.chart!r}")
    column[total] = op.value
    work.stamp("destinations", f"{op.chart}:{op.total}")
    work.wrote("chart", "destination", op.chart, op.parity, total, value=("is", op.value))


def swap_destinations(work: Work, op: SwapDestinations) -> None:
    """Exchange two cells of a destination chart."""
    chart = work.chart(op.chart)
    one, other = op.first, op.second
    if one == other:
        raise OperationError(f"{one.parity} {one.total} is swapped with itself; name two cells")
    first, second = chart[one.parity][str(one.total)], chart[other.parity][str(other.total)]
    chart[one.parity][str(one.total)], chart[other.parity][str(other.total)] = second, first
    for cell in (one, other):
        work.stamp("destinations", f"{op.chart}:{cell.total}")
        work.wrote("chart", "destination", op.chart, cell.parity, str(cell.total))


def solve_destinations(work: Work, op: SolveDestinations) -> None:
    """Solve charts anew."""
    charts = op.charts or (REGIONS, *work.regions)
    for chart in charts:
        work.chart(chart)
        work.wrote("chart", "destination", chart)
    if not op.weights:
        work.read("chart", "destination")
        solve(work, charts, chances(work))
        return
    regions = {r: Fraction(str(w)) for r, w in op.weights.items() if r in work.regions}
    work.read("map", "city")
    solve(work, charts, weighed(work, op.weights), regions)
