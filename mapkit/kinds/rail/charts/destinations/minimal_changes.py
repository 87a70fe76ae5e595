"""Minimal change of a destination chart after a city moved, appeared or disappeared (RB-C14, RB-D03)."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import lcm
from typing import Final

from mapkit.core import heavy
from mapkit.kinds.rail.charts.destinations.chart_targets import CELL_WEIGHT, CELLS, Cell, WishError
from mapkit.kinds.rail.network.destination_chances import WHOLE

_FINEST: Final = 10**9
"""Finest resolution of shares, a billionth of a 72nd, so that sums remain small integers."""


def fewest_changes(
    cells: Mapping[Cell, str | None],
    shares: Mapping[str, Fraction],
    *,
    newcomer: str | None = None,
    givers: Collection[str] | None = None,
) -> dict[Cell, str]:
    """Return a chart with the fewest changed cells.

    Goals in order: the newcomer's deviation from its share, the number of changed cells, the largest deviation from the
    shares, and the sum of deviations; ties are resolved in chart order. Cells that are empty, or with an item without a
    share, must change. Each item with a share keeps a cell.

    Args:
        cells: The present item of each cell.
        shares: The target of each region or city, in any unit, in the order that resolves ties; 0 for an item without
            cells.
        newcomer: Item that gets as close as possible to its share, at the expense of any cells.
        givers: Items with cells that may change; all by default.

    Raises:
        WishError: No item has a share, or more items than cells have one.
    """
    total_share = sum(shares.values(), Fraction(0))
    if total_share <= 0:
        raise WishError("no weight is above 0; give the weights that the odds should follow")
    shared_items = [item for item, share in shares.items() if share > 0]
    if len(shared_items) > len(CELLS):
        raise WishError(f"{len(shared_items)} are too many for the {len(CELLS)} cells of a chart; move or remove some")
    model = heavy.cp_model.CpModel()
    items_by_cell = {cell: _possible_items(cells.get(cell), shared_items, newcomer, givers) for cell in CELLS}
    is_assigned = {(cell, item): model.new_bool_var("") for cell in CELLS for item in items_by_cell[cell]}
    for cell in CELLS:
        model.add_exactly_one([is_assigned[cell, item] for item in items_by_cell[cell]])
    scale = min(lcm(*(share.denominator for share in shares.values())) * total_share.numerator, _FINEST)
    deviations: dict[str, heavy.cp_model.IntVar] = {}
    for item in shared_items:
        item_choices = [(cell, is_assigned[cell, item]) for cell in CELLS if (cell, item) in is_assigned]
        model.add_at_least_one([choice for _, choice in item_choices])
        assigned_weight = sum(CELL_WEIGHT[cell] * choice for cell, choice in item_choices)
        target_weight = round(shares[item] * WHOLE * scale / total_share)
        deviations[item] = model.new_int_var(0, WHOLE * scale, "")
        model.add_abs_equality(deviations[item], assigned_weight * scale - target_weight)
    largest_deviation = model.new_int_var(0, WHOLE * scale, "")
    model.add_max_equality(largest_deviation, list(deviations.values()))
    kept_choices = [
        is_assigned[cell, item] for cell in CELLS for item in items_by_cell[cell] if item == cells.get(cell)
    ]
    change_count = len(kept_choices) - heavy.cp_model.LinearExpr.sum(kept_choices)
    for objective in (deviations.get(newcomer or ""), change_count, largest_deviation, sum(deviations.values())):
        if objective is not None:
            _minimize_and_fix(model, objective)
    return _first_in_chart_order(model, cells, items_by_cell, is_assigned)


def _possible_items(
    now: str | None, items: list[str], newcomer: str | None, givers: Collection[str] | None
) -> tuple[str, ...]:
    """Return the possible items of a cell; restricted givers give only to the newcomer."""
    if now not in items:
        return tuple(items)
    if givers is not None:
        return (now, newcomer) if now in givers and newcomer in items and newcomer != now else (now,)
    return tuple(items)


def _make_solver() -> "heavy.cp_model.CpSolver":
    solver = heavy.cp_model.CpSolver()
    solver.parameters.num_workers = 1  # for reproducible results
    solver.parameters.random_seed = 1
    solver.parameters.catch_sigint_signal = False  # otherwise the solver keeps Ctrl-C
    return solver


def _minimize_and_fix(model: "heavy.cp_model.CpModel", aim: "heavy.cp_model.LinearExprT") -> None:
    """Minimize a goal, and fix it at its minimum."""
    solver = _make_solver()
    model.minimize(aim)
    if solver.solve(model) != heavy.cp_model.OPTIMAL:
        raise WishError("there are not enough cells to leave one for each name; move or remove some names")
    model.add(aim == round(solver.objective_value))


def _first_in_chart_order(
    model: "heavy.cp_model.CpModel",
    cells: Mapping[Cell, str | None],
    free: Mapping[Cell, tuple[str, ...]],
    has: "Mapping[tuple[Cell, str], heavy.cp_model.IntVar]",
) -> dict[Cell, str]:
    """Return the first solution in chart order: a cell keeps its item if possible, else gets the first that fits."""
    model.clear_objective()  # type: ignore[no-untyped-call]
    item_by_cell: dict[Cell, str] = {}
    for cell in CELLS:
        current_item = cells.get(cell)
        item_order = [item for item in free[cell] if item == current_item] + [
            item for item in free[cell] if item != current_item
        ]
        for item in item_order:
            trial_model = model.clone()
            trial_model.add(has[cell, item] == 1)
            if item == item_order[-1] or _make_solver().solve(trial_model) in (
                heavy.cp_model.OPTIMAL,
                heavy.cp_model.FEASIBLE,
            ):
                model.add(has[cell, item] == 1)
                item_by_cell[cell] = item
                break
    return item_by_cell
