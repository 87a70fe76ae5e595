"""A destination chart changed in as few cells as can be, where a city moved, came or went (RB-C14, RB-D03)."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import lcm
from typing import Final

from mapkit.core import heavy
from mapkit.kinds.rail.charts.destinations.wishes import CELL_WEIGHT, CELLS, Cell, WishError
from mapkit.kinds.rail.network.chances import WHOLE

_FINEST: Final = 10**9
"""Shares are compared to a billionth of a 72nd at the finest, so that sums stay small integers."""


def fewest_changes(
    cells: Mapping[Cell, str | None],
    shares: Mapping[str, Fraction],
    *,
    newcomer: str | None = None,
    givers: Collection[str] | None = None,
) -> dict[Cell, str]:
    """Return a chart with as few cells changed as can be.

    First the newcomer gets cells that come as near to its share as they can; then as few cells change as possible; then
    the largest deviation from the shares is made least, then their sum; of what is left, the first in chart order is
    taken. Cells that are empty, or whose item has no share, must change. Everybody with a share keeps a cell.

    Args:
        cells: What each cell has.
        shares: What each region or city should get, in any unit, in the order that decides ties; 0 for one that is to
            have no cell.
        newcomer: Who is to come near to its share, whatever cells that takes.
        givers: Whose cells may change; all by default.

    Raises:
        WishError: Nobody has a share, or there are more with one than cells.
    """
    total = sum(shares.values(), Fraction(0))
    if total <= 0:
        raise WishError("no weight is above 0; give the weights that the odds should follow")
    items = [item for item, share in shares.items() if share > 0]
    if len(items) > len(CELLS):
        raise WishError(f"{len(items)} are too many for the {len(CELLS)} cells of a chart; move or remove some")
    model = heavy.cp_model.CpModel()
    free = {cell: _may_have(cells.get(cell), items, newcomer, givers) for cell in CELLS}
    has = {(cell, item): model.new_bool_var("") for cell in CELLS for item in free[cell]}
    for cell in CELLS:
        model.add_exactly_one([has[cell, item] for item in free[cell]])
    scale = min(lcm(*(share.denominator for share in shares.values())) * total.numerator, _FINEST)
    off: dict[str, heavy.cp_model.IntVar] = {}
    for item in items:
        own = [(cell, has[cell, item]) for cell in CELLS if (cell, item) in has]
        model.add_at_least_one([choice for _, choice in own])
        got = sum(CELL_WEIGHT[cell] * choice for cell, choice in own)
        goal = round(shares[item] * WHOLE * scale / total)
        off[item] = model.new_int_var(0, WHOLE * scale, "")
        model.add_abs_equality(off[item], got * scale - goal)
    largest = model.new_int_var(0, WHOLE * scale, "")
    model.add_max_equality(largest, list(off.values()))
    kept = [has[cell, item] for cell in CELLS for item in free[cell] if item == cells.get(cell)]
    changes = len(kept) - heavy.cp_model.LinearExpr.sum(kept)
    for aim in (off.get(newcomer or ""), changes, largest, sum(off.values())):
        if aim is not None:
            _least(model, aim)
    return _first(model, cells, free, has)


def _may_have(
    now: str | None, items: list[str], newcomer: str | None, givers: Collection[str] | None
) -> tuple[str, ...]:
    """Return whose a cell may be; where only some may give, they give to the newcomer."""
    if now not in items:
        return tuple(items)
    if givers is not None:
        return (now, newcomer) if now in givers and newcomer in items and newcomer != now else (now,)
    return tuple(items)


def _solver() -> "heavy.cp_model.CpSolver":
    solver = heavy.cp_model.CpSolver()
    solver.parameters.num_workers = 1  # the same way every time
    solver.parameters.random_seed = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C is the solver's from then on
    return solver


def _least(model: "heavy.cp_model.CpModel", aim: "heavy.cp_model.LinearExprT") -> None:
    """Make a goal least, and hold it there."""
    solver = _solver()
    model.minimize(aim)
    if solver.solve(model) != heavy.cp_model.OPTIMAL:
        raise WishError("the cells cannot be shared out so that everybody keeps one; move or remove some")
    model.add(aim == round(solver.objective_value))


def _first(
    model: "heavy.cp_model.CpModel",
    cells: Mapping[Cell, str | None],
    free: Mapping[Cell, tuple[str, ...]],
    has: "Mapping[tuple[Cell, str], heavy.cp_model.IntVar]",
) -> dict[Cell, str]:
    """Return the first answer in chart order: a cell stays as it is if it can, else the first item that fits has it."""
    model.clear_objective()  # type: ignore[no-untyped-call]
    out: dict[Cell, str] = {}
    for cell in CELLS:
        now = cells.get(cell)
        order = [item for item in free[cell] if item == now] + [item for item in free[cell] if item != now]
        for item in order:
            trial = model.clone()
            trial.add(has[cell, item] == 1)
            if item == order[-1] or _solver().solve(trial) in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
                model.add(has[cell, item] == 1)
                out[cell] = item
                break
    return out
