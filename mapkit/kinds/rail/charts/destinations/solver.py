"""Destination charts from weights: optimal assignment of the 22 cells, with proof (OR-tools CP-SAT).

Four goals in order: the least largest deviation from the targets; the least sum of deviations; the fewest runs of equal
cells; the first chart in chart order. The last goal makes the solution unique, and thus the same on every machine if
all four goals were proven.

The first two are optimized over numbers of cells by weight, which have no symmetries; runs are chosen as a whole, so
that one run covers each cell (docs/explanation/charts.md).
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
from mapkit.kinds.rail.charts.destinations.chart_targets import (
    CELL_WEIGHT,
    CELLS,
    Cell,
    Wish,
    WishError,
    allowed_items,
    compute_targets,
)
from mapkit.kinds.rail.charts.destinations.infeasible_targets import (
    explain_unmet_wishes,
    refuse_impossible_sums,
    refuse_with_reason,
)
from mapkit.kinds.rail.charts.destinations.stop_requests import StopRequest
from mapkit.kinds.rail.model.board import DestinationChart

SECONDS: Final = 5.0
_FINEST: Final = 10**12
_CHUNK_CELLS: Final = 8
_FIRST_SECONDS: Final = 30.0
"""Time limit for the first feasible chart, in seconds."""
_EXPLAIN_SECONDS: Final = 1.0
"""Time limit, in seconds, of the test whether a bound causes a contradiction."""
_WORKERS: Final = 1  # one worker takes a tenth of a second, and is reproducible

Goal = Literal["largest deviation", "sum of deviations", "runs", "order"]


class GoalStage(Frozen):
    """Result of one goal: `value` was reached, `bound` is its lower bound; deviations in 72nds."""

    goal: Goal
    value: float
    bound: float
    proven: bool

    @property
    def gap(self) -> float:
        """Upper bound of a possible improvement."""
        return round(self.value - self.bound, 9)


class SolvedItem(Frozen):
    """Region or city of a solved chart: target and actual 72nds, and its cells as text."""

    item: str
    name: str
    wanted: float
    wanted_exact: str
    got: int
    deviation: float
    cells: tuple[tuple[str, int], ...]
    runs: int


class SolvedChart(Frozen):
    """Solved chart, its deviations, and its proofs.

    `largest` and `total` are the deviations in 72nds; `notes` explain unmet wishes.
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
    """Remaining wall-clock time, with a stop request."""

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
class _CellClass:
    """Cells of one weight with the same allowed items, interchangeable in the first two goals."""

    weight: int
    items: tuple[int, ...]
    cells: tuple[Cell, ...]


Domains = Sequence[Mapping[int, Fraction]]
"""For each item the possible 72nds, each with its deviation."""


def solve_chart(wishes: Sequence[Wish], *, seconds: float = SECONDS, stop: StopRequest | None = None) -> SolvedChart:
    """Return the chart with odds nearest to the targets (RB-C14, RB-D03).

    Args:
        wishes: One for each region or city, in the order that resolves ties.
        seconds: Wall-clock limit; when it runs out the best chart so far is returned with its gap.
        stop: Request that ends the search earlier in the same way.

    Raises:
        WishError: No chart satisfies the bounds; the message gives the reason.
    """
    refuse_impossible_sums(wishes)
    clock = _Clock(seconds, stop or StopRequest())
    target_72nds = compute_targets(wishes)
    all_domains: list[dict[int, Fraction]] = [
        {weight: abs(weight - goal) for weight in range(wish.least, wish.most + 1)}
        for wish, goal in zip(wishes, target_72nds, strict=True)
    ]
    cell_classes = _group_cells(wishes)
    stages: list[GoalStage] = []
    cell_counts, least_largest = _minimize_largest(cell_classes, all_domains, wishes, clock, stages)
    owner = _fill_chart(cell_classes, cell_counts)
    if stages[-1].proven:
        near_domains = [
            {weight: deviation for weight, deviation in domain.items() if deviation <= least_largest}
            for domain in all_domains
        ]
        cell_counts, least_total = _minimize_total(cell_classes, near_domains, cell_counts, clock, stages)
        owner = _fill_chart(cell_classes, cell_counts)
        if stages[-1].proven:
            integer_scale = _integer_scale(near_domains)
            costs_by_item = tuple(
                {weight: round(deviation * integer_scale) for weight, deviation in domain.items()}
                for domain in near_domains
            )
            owner = _RunModel(
                wishes,
                _Budget(
                    costs_by_item,
                    round(least_total * integer_scale) + (len(near_domains) if integer_scale == _FINEST else 0),
                ),
            ).solve(owner, clock, stages)
    return _make_solved_chart(wishes, target_72nds, owner, stages)


def _group_cells(wishes: Sequence[Wish]) -> tuple[_CellClass, ...]:
    cells_by_class: dict[tuple[int, tuple[int, ...]], list[Cell]] = defaultdict(list)
    for cell, items in allowed_items(wishes).items():
        cells_by_class[CELL_WEIGHT[cell], items].append(cell)
    return tuple(_CellClass(weight, items, tuple(cells)) for (weight, items), cells in sorted(cells_by_class.items()))


Counts = dict[tuple[int, int], int]
"""Number of cells of a class (first) that an item (second) gets."""


@dataclass
class _CountModel:
    """Model of the numbers of cells by class and item."""

    model: "heavy.cp_model.CpModel"
    counts: "dict[tuple[int, int], heavy.cp_model.IntVar]"
    got: "dict[int, heavy.cp_model.LinearExprT]"

    def read(self, solver: "heavy.cp_model.CpSolver") -> Counts:
        return {key: solver.value(variable) for key, variable in self.counts.items()}


def _build_count_model(classes: Sequence[_CellClass], domains: Domains) -> _CountModel:
    model = heavy.cp_model.CpModel()
    count_variables = {
        (c, item): model.new_int_var(0, len(group.cells), f"n{c}_{item}")
        for c, group in enumerate(classes)
        for item in group.items
    }
    for c, group in enumerate(classes):
        model.add(sum(count_variables[c, item] for item in group.items) == len(group.cells))
    weight_by_item: dict[int, heavy.cp_model.LinearExprT] = {}
    for item, domain in enumerate(domains):
        weight_terms = [
            group.weight * count_variables[c, item] for c, group in enumerate(classes) if (c, item) in count_variables
        ]
        weight_by_item[item] = heavy.cp_model.LinearExpr.sum(weight_terms)
        model.add_linear_expression_in_domain(weight_by_item[item], heavy.cp_model.Domain.from_values(sorted(domain)))
    return _CountModel(model, count_variables, weight_by_item)


def _find_feasible(
    classes: Sequence[_CellClass], domains: Domains, clock: _Clock
) -> Counts | Literal["unknown"] | None:
    if any(not domain for domain in domains):
        return None
    count_model = _build_count_model(classes, domains)
    solver = _make_solver(clock.left)
    status = clock.solve(solver, count_model.model)
    if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
        return count_model.read(solver)
    return None if status == heavy.cp_model.INFEASIBLE else "unknown"


def _minimize_largest(
    classes: Sequence[_CellClass], every: Domains, wishes: Sequence[Wish], clock: _Clock, stages: list[GoalStage]
) -> tuple[Counts, Fraction]:
    """Minimize the largest deviation by bisection over all possible deviations: exact, without rounding."""
    first_counts = _find_feasible(classes, every, _Clock(max(clock.left, _FIRST_SECONDS), StopRequest()))
    if first_counts == "unknown":
        raise WishError(
            f"no chart within the bounds was found in {_FIRST_SECONDS:g} s, nor a proof that there is none; "
            "loosen some bounds"
        )
    if first_counts is None:
        refuse_with_reason(
            wishes,
            lambda tried: (
                _find_feasible(_group_cells(tried), _make_open_domains(tried), _Clock(_EXPLAIN_SECONDS, StopRequest()))
                is None
            ),
        )
    best_counts = first_counts
    possible_deviations = sorted({deviation for domain in every for deviation in domain.values()})
    least_possible = max(min(domain.values()) for domain in every)
    low_index = possible_deviations.index(least_possible)  # the least deviation that is not excluded
    high_index = possible_deviations.index(_largest_deviation(classes, every, best_counts))
    step = 1
    while low_index < high_index:
        middle_index = min(low_index + step - 1, (low_index + high_index) // 2)
        max_deviation = possible_deviations[middle_index]
        tried_counts = _find_feasible(
            classes, [{g: deviation for g, deviation in d.items() if deviation <= max_deviation} for d in every], clock
        )
        if tried_counts == "unknown":
            break
        if tried_counts is None:
            low_index, step = middle_index + 1, step * 2
        else:
            best_counts, high_index = (
                tried_counts,
                min(middle_index, possible_deviations.index(_largest_deviation(classes, every, tried_counts))),
            )
    stages.append(
        GoalStage(
            goal="largest deviation",
            value=_round_fraction(possible_deviations[high_index]),
            bound=_round_fraction(possible_deviations[low_index]),
            proven=low_index >= high_index,
        )
    )
    return best_counts, possible_deviations[high_index]


def _make_open_domains(wishes: Sequence[Wish]) -> list[dict[int, Fraction]]:
    return [dict.fromkeys(range(wish.least, wish.most + 1), Fraction(0)) for wish in wishes]


def _sum_weights(classes: Sequence[_CellClass], counts: Counts, items: int) -> list[int]:
    weights = [0] * items
    for (c, item), cell_count in counts.items():
        weights[item] += classes[c].weight * cell_count
    return weights


def _largest_deviation(classes: Sequence[_CellClass], every: Domains, counts: Counts) -> Fraction:
    return max(every[item][weight] for item, weight in enumerate(_sum_weights(classes, counts, len(every))))


def _integer_scale(domains: Domains) -> int:
    """Return the factor that makes deviations whole numbers; parts finer than 1e-12 of a 72nd are rounded."""
    scale = 1
    for domain in domains:
        for deviation in domain.values():
            scale = lcm(scale, deviation.denominator)
            if scale > _FINEST:
                return _FINEST
    return scale


def _minimize_total(
    classes: Sequence[_CellClass], near_domains: Domains, counts: Counts, clock: _Clock, stages: list[GoalStage]
) -> tuple[Counts, Fraction]:
    """Minimize the sum of deviations among charts with the least largest deviation."""
    integer_scale = _integer_scale(near_domains)
    count_model = _build_count_model(classes, near_domains)
    cost_terms = [
        cost
        for item in range(len(near_domains))
        for cost in _cost_terms(count_model, near_domains, item, integer_scale)
    ]
    count_model.model.minimize(sum(cost_terms))
    for key, variable in count_model.counts.items():
        count_model.model.add_hint(variable, counts[key])
    solver = _make_solver(clock.left)
    status = clock.solve(solver, count_model.model)
    if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
        counts = count_model.read(solver)
    deviation_sum = sum(
        (near_domains[item][weight] for item, weight in enumerate(_sum_weights(classes, counts, len(near_domains)))),
        Fraction(0),
    )
    is_proven = status == heavy.cp_model.OPTIMAL
    lower_bound = deviation_sum if is_proven else Fraction(max(0, int(solver.best_objective_bound))) / integer_scale
    stages.append(
        GoalStage(
            goal="sum of deviations",
            value=_round_fraction(deviation_sum),
            bound=_round_fraction(lower_bound),
            proven=is_proven,
        )
    )
    return counts, deviation_sum


def _cost_terms(built: _CountModel, domains: Domains, item: int, scale: int) -> "list[heavy.cp_model.LinearExprT]":
    """Return the terms of an item's deviation, scaled to whole numbers."""
    domain = domains[item]
    weight_flags = {weight: built.model.new_bool_var(f"g{item}_{weight}") for weight in sorted(domain)}
    built.model.add_exactly_one(weight_flags.values())
    built.model.add(sum(weight * flag for weight, flag in weight_flags.items()) == built.got[item])
    return [round(domain[weight] * scale) * flag for weight, flag in weight_flags.items()]


@dataclass(frozen=True)
class _Budget:
    """Charts of least deviations: the possible weights of each item with their costs, and the largest total cost."""

    costs: tuple[dict[int, int], ...]
    limit: int


Owner = dict[Cell, int]
"""Item of each cell."""


def _fill_chart(classes: Sequence[_CellClass], counts: Counts) -> Owner:
    owner: Owner = {}
    for c, group in enumerate(classes):
        class_items = [item for item in group.items for _ in range(counts[c, item])]
        owner |= dict(zip(group.cells, class_items, strict=True))
    return owner


class _RunModel:
    """Model of runs and order: each cell is covered by one run of one item."""

    def __init__(self, wishes: Sequence[Wish], budget: _Budget) -> None:
        self.model = model = heavy.cp_model.CpModel()
        allowed_by_cell = allowed_items(wishes)
        self.runs: dict[tuple[str, int, int, int], heavy.cp_model.IntVar] = {}
        self.covers: dict[Cell, list[tuple[int, heavy.cp_model.IntVar]]] = {cell: [] for cell in CELLS}
        run_weights: dict[int, list[heavy.cp_model.LinearExprT]] = {item: [] for item in range(len(wishes))}
        for item, domain in enumerate(budget.costs):
            max_weight = max(domain)
            for parity in ("odd", "even"):
                for first_sum in range(2, 13):
                    run_weight = 0
                    for last_sum in range(first_sum, 13):
                        run_weight += CELL_WEIGHT[parity, last_sum]
                        if run_weight > max_weight or item not in allowed_by_cell[parity, last_sum]:
                            break
                        run = model.new_bool_var(f"r{parity}{first_sum}_{last_sum}_{item}")
                        self.runs[parity, first_sum, last_sum, item] = run
                        run_weights[item].append(run_weight * run)
                        for sum_ in range(first_sum, last_sum + 1):
                            self.covers[parity, sum_].append((item, run))
        for covering_runs in self.covers.values():
            model.add_exactly_one(run for _, run in covering_runs)
        cost_terms: list[heavy.cp_model.LinearExprT] = []
        for item, domain in enumerate(budget.costs):
            weight_flags = {weight: model.new_bool_var(f"g{item}_{weight}") for weight in sorted(domain)}
            model.add_exactly_one(weight_flags.values())
            model.add(sum(run_weights[item]) == sum(weight * flag for weight, flag in weight_flags.items()))
            cost_terms += [domain[weight] * flag for weight, flag in weight_flags.items()]
        model.add(sum(cost_terms) <= budget.limit)

    def solve(self, owner: Owner, clock: _Clock, stages: list[GoalStage]) -> Owner:
        """Return the chart with the fewest runs that is first in order, starting from `owner`."""
        self._set_hints(owner)
        self.model.minimize(sum(self.runs.values()))
        solver = _make_solver(clock.left)
        status = clock.solve(solver, self.model)
        if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
            owner = self._read_solution(solver)
        run_count = len(_list_runs(owner))
        is_proven = status == heavy.cp_model.OPTIMAL
        lower_bound = run_count if is_proven else max(len(set(owner.values())), int(solver.best_objective_bound))
        stages.append(GoalStage(goal="runs", value=run_count, bound=lower_bound, proven=is_proven))
        if is_proven:
            self.model.add(sum(self.runs.values()) <= run_count)
            owner = self._solve_order(owner, clock, stages)
        return owner

    def _solve_order(self, owner: Owner, clock: _Clock, stages: list[GoalStage]) -> Owner:
        """Fix the cells a few at a time, each time to the first possible items."""
        order_base = 1 + max(item for _, _, _, item in self.runs)
        settled_count = 0
        for chunk_start in range(0, len(CELLS), _CHUNK_CELLS):
            chunk = CELLS[chunk_start : chunk_start + _CHUNK_CELLS]
            self._set_hints(owner)
            self.model.minimize(
                sum(
                    order_base ** (len(chunk) - 1 - position) * item * run
                    for position, cell in enumerate(chunk)
                    for item, run in self.covers[cell]
                )
            )
            solver = _make_solver(clock.left)
            status = clock.solve(solver, self.model)
            if status in (heavy.cp_model.OPTIMAL, heavy.cp_model.FEASIBLE):
                owner = self._read_solution(solver)
            if status != heavy.cp_model.OPTIMAL:
                break
            for cell in chunk:
                self.model.add_exactly_one(run for item, run in self.covers[cell] if item == owner[cell])
            settled_count += len(chunk)
        unsettled_count = len(CELLS) - settled_count
        stages.append(GoalStage(goal="order", value=unsettled_count, bound=0, proven=unsettled_count == 0))
        return owner

    def _set_hints(self, owner: Owner) -> None:
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        current_runs = set(_list_runs(owner))
        for key, run in self.runs.items():
            self.model.add_hint(run, key in current_runs)

    def _read_solution(self, solver: "heavy.cp_model.CpSolver") -> Owner:
        return {
            (parity, dice_sum): item
            for (parity, first_sum, last_sum, item), run in self.runs.items()
            if solver.value(run)
            for dice_sum in range(first_sum, last_sum + 1)
        }


def _list_runs(owner: Owner) -> list[tuple[str, int, int, int]]:
    run_list: list[tuple[str, int, int, int]] = []
    for parity, dice_sum in CELLS:
        item = owner[parity, dice_sum]
        if run_list and dice_sum > 2 and run_list[-1][3] == item and run_list[-1][0] == parity:  # noqa: PLR2004 - the first sum
            run_list[-1] = (parity, run_list[-1][1], dice_sum, item)
        else:
            run_list.append((parity, dice_sum, dice_sum, item))
    return run_list


def _make_solver(seconds: float) -> "heavy.cp_model.CpSolver":
    solver = heavy.cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(seconds, 0.001)
    solver.parameters.num_workers = _WORKERS
    solver.parameters.random_seed = 1
    solver.parameters.linearization_level = 2  # the proof for runs needs the full linear relaxation
    return solver


def _make_solved_chart(
    wishes: Sequence[Wish], goals: Sequence[Fraction], owner: Owner, stages: list[GoalStage]
) -> SolvedChart:
    actual_72nds = [sum(CELL_WEIGHT[cell] for cell in CELLS if owner[cell] == item) for item in range(len(wishes))]
    deviations = [abs(g - goal) for g, goal in zip(actual_72nds, goals, strict=True)]
    chart_runs = _list_runs(owner)
    columns: dict[str, dict[str, str | None]] = {
        parity: {str(dice_sum): wishes[owner[parity, dice_sum]].item for dice_sum in range(2, 13)}
        for parity in ("odd", "even")
    }
    deviation_sum = sum(deviations, Fraction(0))
    return SolvedChart(
        chart=DestinationChart(odd=columns["odd"], even=columns["even"]),
        items=tuple(
            SolvedItem(
                item=wish.item,
                name=wish.label,
                wanted=_round_fraction(goal),
                wanted_exact=_exact_text(goal),
                got=actual_72nds[index],
                deviation=_round_fraction(deviations[index]),
                cells=tuple(cell for cell in CELLS if owner[cell] == index),
                runs=sum(run[3] == index for run in chart_runs),
            )
            for index, (wish, goal) in enumerate(zip(wishes, goals, strict=True))
        ),
        largest=_round_fraction(max(deviations)),
        largest_exact=_exact_text(max(deviations)),
        total=_round_fraction(deviation_sum),
        total_exact=_exact_text(deviation_sum),
        runs=len(chart_runs),
        stages=tuple(stages),
        proven=len(stages) == 4 and all(stage.proven for stage in stages),  # noqa: PLR2004 - the four goals
        notes=explain_unmet_wishes(wishes, goals, actual_72nds),
    )


def _round_fraction(value: Fraction) -> float:
    return round(float(value), 6)


def _exact_text(value: Fraction) -> str:
    """Return a number of 72nds as a fraction of one."""
    share = value / 72
    return f"{share.numerator}/{share.denominator}"
