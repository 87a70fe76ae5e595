"""Maximum-weight independent set by OR-Tools' CP-SAT solver.

The model is built with `cp_model_helper`: `cp_model`, the layer above, imports pandas, which takes longer than most of
these models take to solve, and is not needed otherwise.
"""

from collections.abc import Sequence
from typing import Any

from mapkit.core import heavy


def solve_best_choice(
    gains: Sequence[int], cliques: Sequence[Sequence[int]], hint: Sequence[bool], *, work: float, seed: int
) -> list[bool] | None:
    """Return the items to take for the greatest gain (a mask), or None if no solution was found in time.

    Args:
        gains: Gain of each item.
        cliques: Sets of items (their numbers); at most one item of each may be taken.
        hint: A choice to begin with.
        work: How much to try, in OR-Tools' deterministic seconds.
        seed: Of the search; the same seed gives the same choice.
    """
    choice_model = heavy.cp_model_helper.CpModelProto()
    for _ in gains:
        choice_model.variables.add().domain.extend([0, 1])
    for clique in cliques:
        choice_model.constraints.add().at_most_one.literals.extend(list(clique))
    gaining_items = [item_index for item_index, gain in enumerate(gains) if gain]
    choice_model.objective.vars.extend(gaining_items)
    choice_model.objective.coeffs.extend([-gains[item_index] for item_index in gaining_items])
    choice_model.objective.scaling_factor = -1.0
    choice_model.solution_hint.vars.extend(list(range(len(gains))))
    choice_model.solution_hint.values.extend([int(is_taken) for is_taken in hint])
    solver: Any = heavy.cp_model_helper.SolveWrapper()  # its stubs lack `solve`
    parameters = heavy.cp_model_helper.SatParameters()
    parameters.num_workers = 1
    parameters.random_seed = seed
    parameters.max_deterministic_time = work
    parameters.catch_sigint_signal = False  # else the solver keeps handling Ctrl-C
    solver.set_parameters(parameters)
    solver_response = solver.solve(choice_model)
    if solver_response.status not in {heavy.cp_model_helper.OPTIMAL, heavy.cp_model_helper.FEASIBLE}:
        return None
    return [bool(is_chosen) for is_chosen in solver_response.solution]
