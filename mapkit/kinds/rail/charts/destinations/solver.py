"""Destination charts from weights: the 22 cells whose odds come nearest, with proof (OR-tools CP-SAT).

Four goals in order: the least largest deviation from what is wanted; then the least sum of deviations; then the
fewest runs of equal cells; then the chart that comes first in chart order. The last makes the answer unique, so it
is the same on every machine as long as all four were proven.

The first two are decided on numbers of cells by weight, which leaves no symmetry to search through; runs are chosen
whole, each cell being covered by one (docs/explanation/charts.md).
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Final, Literal

from mapkit.core import heavy
from mapkit.core.base import Frozen
from mapkit.kinds.rail.charts.destinations.stopping import StopRequest
from mapkit.kinds.rail.charts.destinations.wish_refusals import explain, notes_on, refuse_plainly
from mapkit.kinds.rail.charts.destinations.wishes import (
    CELL_WEIGHT,
    CELLS,
    Cell,
    Wish,
    WishError,
    allowed_items,
    targets,
)
from mapkit.kinds.rail.model.board import DestinationChart

SECONDS: Final = 5.0
_FINEST: Final = 10**12
_CHUNK: Final = 8
_FIRST: Final = 30.0
"""How long the first chart at all may take, in seconds: without it there is no best so far."""
_WHY: Final = 1.0
"""How long to look, for each bound, whether it is to blame."""
_WORKERS: Final = 1  # one worker takes a tenth of a second, and the same way every time

Goal = Literal["largest deviation", "sum of deviations", "runs", "order"]


class GoalStage(Frozen):
    """How far one goal got: `value` was reached, nothing below `bound` can be; deviations in 72nds."""

    goal: Goal
    value: float
    bound: float
    proven: bool

    @property
    def gap(self) -> float:
        """How much better an answer might still be."""
        return round(self.value - self.bound, 9)


class SolvedItem(Frozen):
    """A region or city of a solved chart: 72nds wanted and got, and its cells as text."""

    item: str
    name: str
    wanted: float
    wanted_exact: str
    got: int
    deviation: float
    cells: tuple[tuple[str, int], ...]
    runs: int


class SolvedChart(Frozen):
    """A solved chart, how near it comes, and what is proven of it.

    `largest` and `total` are the deviations in 72nds; `notes` say what could not be had, and why.
    """

    chart: DestinationChart
    items: tuple[SolvedItem, ...]
    largest: float
    largest_exact: str
    total: float
    total_exact: str
    runs: int
    stages: tuple[GoalStage, ...]
    proven: bool
    notes: tuple[str, ...]


@dataclass
class _Clock:
    """Wall-clock time that is left, and a wish to stop earlier."""

    seconds: float
    stop: StopRequest
    start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        return max(0.0, self.seconds - (time.monotonic() - self.start))

    def solve(
        self, solver: "heavy.cp_model.CpSolver", model: "heavy.cp_model.CpModel"
    ) -> "heavy.cp_model.CpSolverStatus":
        return self.stop.solve(solver, model)


@dataclass(frozen=True)
class _Class:
    """Cells of one weight that the same items may have: they are interchangeable in the first two goals."""

    weight: int
    items: tuple[int, ...]
    cells: tuple[Cell, ...]


Domains = Sequence[Mapping[int, Fraction]]
"""For each item the 72nds that it may get, each with its deviation."""


def solve_chart(wishes: Sequence[Wish], *, seconds: float = SECONDS, stop: StopRequest | None = None) -> SolvedChart:
    """Return the chart whose odds come nearest to what is wanted (RB-C14, RB-D03).

    Args:
        wishes: One for each region or city, in the order that decides ties.
        seconds: Wall-clock limit; when it runs out the best chart so far is returned with its gap.
        stop: Ends the search earlier, likewise.

    Raises:
        WishError: No chart fulfils the bounds; the text says why.
    """
    refuse_plainly(wishes)
    clock = _Clock(seconds, stop or StopRequest())
    goals = targets(wishes)
    every: list[dict[int, Fraction]] = [
        {got: abs(got - goal) for got in range(wish.least, wish.most + 1)}
        for wish, goal in zip(wishes, goals, strict=True)
    ]
    classes = _classes(wishes)
    stages: list[GoalStage] = []
    counts, largest = _least_largest(classes, every, wishes, clock, stages)
    owner = _any_chart(classes, counts)
    if stages[-1].proven:
        near = [{got: off for got, off in domain.items() if off <= largest} for domain in every]
        counts, total = _least_total(classes, near, counts, clock, stages)
        owner = _any_chart(classes, counts)
        if stages[-1].proven:
            owner = _Looks(wishes, _budget(near, total)).solve(owner, clock, stages)
    return _solved(wishes, goals, owner, stages)


def _classes(wishes: Sequence[Wish]) -> tuple[_Class, ...]:
    groups: dict[tuple[int, tuple[int, ...]], list[Cell]] = defaultdict(list)
    for cell, items in allowed_items(wishes).items():
        groups[CELL_WEIGHT[cell], items].append(cell)
    return tuple(_Class(weight, items, tuple(cells)) for (weight, items), cells in sorted(groups.items()))


Counts = dict[tuple[int, int], int]
"""How many cells of a class (first) an item (second) gets."""


@dataclass
class _CountModel:
    """Numbers of cells by class and item."""

    model: "heavy.cp_model.CpModel"
    counts: "dict[tuple[int, int], heavy.cp_model.IntVar]"
    got: "dict[int, heavy.cp_model.LinearExprT]"

    def read(self, solver: "heavy.cp_model.CpSolver") -> Counts:
        return {key: solver.value(variable) for key, variable in self.counts.items()}


def _count_model(classes: Sequence[_Class], domains: Domains) -> _CountModel:
    model = heavy.cp_model.CpModel()
    counts = {
        (c, item): model.new_int_var(0, len(group.cells), f"n{c}_{item}")
        for c, group in enumerate(classes)
        for item in group.items
    }
    for c, group in enumerate(classes):
        model.add(sum(counts[c, item] for item in group.items) == len(group.cells))
    got: dict[int, heavy.cp_model.LinearExprT] = {}
    for item, domain in enumerate(domains):
        terms = [group.weight * counts[c, item] for c, group in enumerate(classes) if (c, item) in counts]
        got[item] = heavy.cp_model.LinearExpr.sum(terms)
        model.add_linear_expression_in_domain(got[item], heavy.cp_model.Domain.from_values(sorted(domain)))
    return _CountModel(model, counts, got)


def _feasible(classes: Sequence[_Class], domains: Domains, clock: _Clock) -> Counts | Literal["unknown"] | None:
    if any(not domain for domain in domains):
        return None
    built = _count_model(classes, domains)
    solver = _solver(clock.left)
    status = clock.solve(solver, built.model)
    if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
        return built.read(solver)
    return None if status == heavy.cp_model.INFEASIBLE else "unknown"


def _least_largest(
    classes: Sequence[_Class], every: Domains, wishes: Sequence[Wish], clock: _Clock, stages: list[GoalStage]
) -> tuple[Counts, Fraction]:
    """Find the least largest deviation by bisection over the deviations that there can be: exact, no rounding."""
    first = _feasible(classes, every, _Clock(max(clock.left, _FIRST), StopRequest()))
    if first == "unknown":
        raise WishError(
            f"no chart that holds the bounds was found in {_FIRST:g} s, nor that there is none; loosen some"
        )
    if first is None:
        explain(
            wishes, lambda tried: _feasible(_classes(tried), _open_domains(tried), _Clock(_WHY, StopRequest())) is None
        )
    counts = first
    candidates = sorted({off for domain in every for off in domain.values()})
    floor = max(min(domain.values()) for domain in every)
    low = candidates.index(floor)  # the least that is not ruled out
    high = candidates.index(_largest(classes, every, counts))
    step = 1
    while low < high:
        middle = min(low + step - 1, (low + high) // 2)
        limit = candidates[middle]
        tried = _feasible(classes, [{g: off for g, off in d.items() if off <= limit} for d in every], clock)
        if tried == "unknown":
            break
        if tried is None:
            low, step = middle + 1, step * 2
        else:
            counts, high = tried, min(middle, candidates.index(_largest(classes, every, tried)))
    stages.append(
        GoalStage(
            goal="largest deviation",
            value=_rounded(candidates[high]),
            bound=_rounded(candidates[low]),
            proven=low >= high,
        )
    )
    return counts, candidates[high]


def _open_domains(wishes: Sequence[Wish]) -> list[dict[int, Fraction]]:
    return [dict.fromkeys(range(wish.least, wish.most + 1), Fraction(0)) for wish in wishes]


def _got(classes: Sequence[_Class], counts: Counts, items: int) -> list[int]:
    got = [0] * items
    for (c, item), number in counts.items():
        got[item] += classes[c].weight * number
    return got


def _largest(classes: Sequence[_Class], every: Domains, counts: Counts) -> Fraction:
    return max(every[item][got] for item, got in enumerate(_got(classes, counts, len(every))))


def _scale(domains: Domains) -> int:
    """Return by what to multiply deviations to make them whole; finer than 1e-12 of a 72nd is rounded."""
    scale = 1
    for domain in domains:
        for off in domain.values():
            scale = lcm(scale, off.denominator)
            if scale > _FINEST:
                return _FINEST
    return scale


def _least_total(
    classes: Sequence[_Class], near: Domains, counts: Counts, clock: _Clock, stages: list[GoalStage]
) -> tuple[Counts, Fraction]:
    """Find the least sum of deviations among charts of the least largest one."""
    scale = _scale(near)
    built = _count_model(classes, near)
    costs = [cost for item in range(len(near)) for cost in _costs(built, near, item, scale)]
    built.model.minimize(sum(costs))
    for key, variable in built.counts.items():
        built.model.add_hint(variable, counts[key])
    solver = _solver(clock.left)
    status = clock.solve(solver, built.model)
    if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
        counts = built.read(solver)
    total = sum((near[item][got] for item, got in enumerate(_got(classes, counts, len(near)))), Fraction(0))
    proven = status == heavy.cp_model.OPTIMAL
    bound = total if proven else Fraction(max(0, int(solver.best_objective_bound))) / scale
    stages.append(GoalStage(goal="sum of deviations", value=_rounded(total), bound=_rounded(bound), proven=proven))
    return counts, total


def _costs(built: _CountModel, domains: Domains, item: int, scale: int) -> "list[heavy.cp_model.LinearExprT]":
    """Return the terms of an item's deviation, scaled to whole numbers."""
    domain = domains[item]
    chosen = {got: built.model.new_bool_var(f"g{item}_{got}") for got in sorted(domain)}
    built.model.add_exactly_one(chosen.values())
    built.model.add(sum(got * flag for got, flag in chosen.items()) == built.got[item])
    return [round(domain[got] * scale) * flag for got, flag in chosen.items()]


@dataclass(frozen=True)
class _Budget:
    """The charts of least deviations: for each item what it may get and the cost of that, and the most to spend."""

    costs: tuple[dict[int, int], ...]
    limit: int


def _budget(near: Domains, total: Fraction) -> _Budget:
    scale = _scale(near)
    costs = tuple({got: round(off * scale) for got, off in domain.items()} for domain in near)
    return _Budget(costs, round(total * scale) + _slack(near, scale))


def _slack(domains: Domains, scale: int) -> int:
    """Return by how much rounded deviations may add up wrongly: a unit an item, where they are rounded."""
    return len(domains) if scale == _FINEST else 0


Owner = dict[Cell, int]
"""Which item has a cell."""


def _any_chart(classes: Sequence[_Class], counts: Counts) -> Owner:
    owner: Owner = {}
    for c, group in enumerate(classes):
        row = [item for item in group.items for _ in range(counts[c, item])]
        owner |= dict(zip(group.cells, row, strict=True))
    return owner


class _Looks:
    """Runs and order: each cell is covered by one run of one item."""

    def __init__(self, wishes: Sequence[Wish], budget: _Budget) -> None:
        self.model = model = heavy.cp_model.CpModel()
        allowed = allowed_items(wishes)
        self.runs: dict[tuple[str, int, int, int], heavy.cp_model.IntVar] = {}
        self.covers: dict[Cell, list[tuple[int, heavy.cp_model.IntVar]]] = {cell: [] for cell in CELLS}
        weights: dict[int, list[heavy.cp_model.LinearExprT]] = {item: [] for item in range(len(wishes))}
        for item, domain in enumerate(budget.costs):
            most = max(domain)
            for parity in ("odd", "even"):
                for first in range(2, 13):
                    of_run = 0
                    for last in range(first, 13):
                        of_run += CELL_WEIGHT[parity, last]
                        if of_run > most or item not in allowed[parity, last]:
                            break
                        run = model.new_bool_var(f"r{parity}{first}_{last}_{item}")
                        self.runs[parity, first, last, item] = run
                        weights[item].append(of_run * run)
                        for sum_ in range(first, last + 1):
                            self.covers[parity, sum_].append((item, run))
        for covering in self.covers.values():
            model.add_exactly_one(run for _, run in covering)
        costs: list[heavy.cp_model.LinearExprT] = []
        for item, domain in enumerate(budget.costs):
            chosen = {got: model.new_bool_var(f"g{item}_{got}") for got in sorted(domain)}
            model.add_exactly_one(chosen.values())
            model.add(sum(weights[item]) == sum(got * flag for got, flag in chosen.items()))
            costs += [domain[got] * flag for got, flag in chosen.items()]
        model.add(sum(costs) <= budget.limit)

    def solve(self, owner: Owner, clock: _Clock, stages: list[GoalStage]) -> Owner:
        """Return the chart of fewest runs that comes first in order; `owner` is one to start from."""
        self._hint(owner)
        self.model.minimize(sum(self.runs.values()))
        solver = _solver(clock.left)
        status = clock.solve(solver, self.model)
        if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
            owner = self._read(solver)
        runs = _run_count(owner)
        proven = status == heavy.cp_model.OPTIMAL
        bound = runs if proven else max(len(set(owner.values())), int(solver.best_objective_bound))
        stages.append(GoalStage(goal="runs", value=runs, bound=bound, proven=proven))
        if proven:
            self.model.add(sum(self.runs.values()) <= runs)
            owner = self._first(owner, clock, stages)
        return owner

    def _first(self, owner: Owner, clock: _Clock, stages: list[GoalStage]) -> Owner:
        """Settle the cells a few at a time, each time on the items that come first."""
        base = 1 + max(item for _, _, _, item in self.runs)
        settled = 0
        for start in range(0, len(CELLS), _CHUNK):
            chunk = CELLS[start : start + _CHUNK]
            self._hint(owner)
            self.model.minimize(
                sum(
                    base ** (len(chunk) - 1 - position) * item * run
                    for position, cell in enumerate(chunk)
                    for item, run in self.covers[cell]
                )
            )
            solver = _solver(clock.left)
            status = clock.solve(solver, self.model)
            if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
                owner = self._read(solver)
            if status != heavy.cp_model.OPTIMAL:
                break
            for cell in chunk:
                self.model.add_exactly_one(run for item, run in self.covers[cell] if item == owner[cell])
            settled += len(chunk)
        left = len(CELLS) - settled
        stages.append(GoalStage(goal="order", value=left, bound=0, proven=left == 0))
        return owner

    def _hint(self, owner: Owner) -> None:
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        whole = set(_runs_of(owner))
        for key, run in self.runs.items():
            self.model.add_hint(run, key in whole)

    def _read(self, solver: "heavy.cp_model.CpSolver") -> Owner:
        return {
            (parity, total): item
            for (parity, first, last, item), run in self.runs.items()
            if solver.value(run)
            for total in range(first, last + 1)
        }


def _runs_of(owner: Owner) -> list[tuple[str, int, int, int]]:
    out: list[tuple[str, int, int, int]] = []
    for parity, total in CELLS:
        item = owner[parity, total]
        if out and total > 2 and out[-1][3] == item and out[-1][0] == parity:  # noqa: PLR2004 - the first sum
            out[-1] = (parity, out[-1][1], total, item)
        else:
            out.append((parity, total, total, item))
    return out


def _run_count(owner: Owner) -> int:
    return len(_runs_of(owner))


def _solver(seconds: float) -> "heavy.cp_model.CpSolver":
    solver = heavy.cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(seconds, 0.001)
    solver.parameters.num_workers = _WORKERS
    solver.parameters.random_seed = 1
    solver.parameters.linearization_level = 2  # the runs need the whole linear relaxation for their proof
    return solver


def _solved(wishes: Sequence[Wish], goals: Sequence[Fraction], owner: Owner, stages: list[GoalStage]) -> SolvedChart:
    got = [sum(CELL_WEIGHT[cell] for cell in CELLS if owner[cell] == item) for item in range(len(wishes))]
    off = [abs(g - goal) for g, goal in zip(got, goals, strict=True)]
    runs = _runs_of(owner)
    columns: dict[str, dict[str, str | None]] = {
        parity: {str(total): wishes[owner[parity, total]].item for total in range(2, 13)} for parity in ("odd", "even")
    }
    total = sum(off, Fraction(0))
    return SolvedChart(
        chart=DestinationChart(odd=columns["odd"], even=columns["even"]),
        items=tuple(
            SolvedItem(
                item=wish.item,
                name=wish.label,
                wanted=_rounded(goal),
                wanted_exact=_exact(goal),
                got=got[index],
                deviation=_rounded(off[index]),
                cells=tuple(cell for cell in CELLS if owner[cell] == index),
                runs=sum(run[3] == index for run in runs),
            )
            for index, (wish, goal) in enumerate(zip(wishes, goals, strict=True))
        ),
        largest=_rounded(max(off)),
        largest_exact=_exact(max(off)),
        total=_rounded(total),
        total_exact=_exact(total),
        runs=len(runs),
        stages=tuple(stages),
        proven=len(stages) == 4 and all(stage.proven for stage in stages),  # noqa: PLR2004 - the four goals
        notes=notes_on(wishes, goals, got),
    )


def _rounded(value: Fraction) -> float:
    return round(float(value), 6)


def _exact(value: Fraction) -> str:
    """Return a number of 72nds as a fraction of one."""
    share = value / 72
    return f"{share.numerator}/{share.denominator}"
