"""Diagnosis of the payoff chart, and charts computed from distances."""

from typing import Annotated

import numpy as np
from pydantic import Field, JsonValue, computed_field

from mapkit.core.base import Frozen, of_kind
from mapkit.core.findings import Finding
from mapkit.core.plurals import count_noun
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.charts.payoffs.board_readings import merged_amounts
from mapkit.kinds.rail.charts.payoffs.compute import calibrate, compute_payoffs
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.checks.payoff_chart.check import judge_board
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.diagnosis import TOO_FEW, PayoffDiagnosis
from mapkit.kinds.rail.model.payoffs.model import ModelName, PayoffModel
from mapkit.kinds.rail.queries.question import Asked, question

AmountStep = Field(default=None, gt=0, le=10, description="The grid of the amounts, thousands; None to infer it")


class Residuals(Frozen):
    """The grid of the amounts."""

    step: float | None = AmountStep


class JudgedFinding(Finding):
    """A finding with its id."""

    data: Annotated[dict[str, JsonValue], of_kind("JudgedData")] = Field(default_factory=dict)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def id(self) -> str:
        """Return the id."""
        return super().id


class ResidualsFound(PayoffDiagnosis, QueryResult):
    """Every amount with its expected value, and the findings of `mapkit payoffs check`."""

    findings: tuple[JudgedFinding, ...]
    sd: float = Field(description="Median standard deviation of what is expected, thousands", gt=0)


@question("payoff-residuals", Residuals, ResidualsFound)
def residuals(ask: Residuals, asked: Asked) -> ResidualsFound:
    """Return the residuals of all amounts."""
    judged = diagnosis(asked.live.board, ask.step)
    findings = tuple(JudgedFinding.model_construct(**dict(found)) for found in judged.findings)
    return ResidualsFound.model_construct(**{**dict(judged), "findings": findings})


def diagnosis(board: Board, step: float | None) -> PayoffDiagnosis:
    """Return the diagnosis of a board's own chart.

    Raises:
        QueryError: The board has no payoff chart, or cities of it are gone.
        MapkitError: The chart is too small to judge, or its cities cannot reach each other.
    """
    _refuse_gone(board)
    judged = judge_board(board, step)
    if judged.sd is None:
        raise QueryError(f"the chart has {count_noun(len(judged.cities), 'city', 'cities')}, {TOO_FEW}")
    return judged


def _refuse_gone(board: Board) -> None:
    cities = {city.id for city in board.cities}
    gone = [city for city in board.payoffs.cities if city not in cities]
    if gone or not board.payoffs.cities:
        raise QueryError(
            f"the payoff chart has {gone[0]!r}, which is not a city of the board; remove it"
            if gone
            else "the board has no payoff chart yet; start one"
        )


class Suggestions(Frozen):
    """How amounts are suggested: by a given formula, the model of `board.toml`, or one fitted to the chart as it is."""

    formula: PayoffModel | None = None
    model: ModelName | None = None
    step: float | None = Field(default=None, gt=0, le=10)
    only_missing: bool = False


class SuggestedCell(Frozen):
    """An amount that a model computes otherwise; thousands."""

    a: str
    b: str
    value: float | None
    suggested: float


class SuggestionsFound(QueryResult):
    """The model, and the amounts that it computes otherwise."""

    model: PayoffModel
    cells: tuple[SuggestedCell, ...]


@question("payoff-suggestions", Suggestions, SuggestionsFound)
def suggestions(ask: Suggestions, asked: Asked) -> SuggestionsFound:
    """Return the amounts of a model."""
    board = asked.live.board
    _refuse_gone(board)
    cities = board.payoffs.cities
    distances = board_distances(board, cities)
    own = asked.live.settings.config.payoffs
    chosen = ask.formula or (own if ask.model is None else None) or fitted(board, ask.model or "rail", ask.step or 0.5)
    if ask.step is not None:
        chosen = chosen.model_copy(update={"step": ask.step})
    chart = compute_payoffs(chosen, distances)
    cells = []
    for i, a in enumerate(cities):
        for j in range(i + 1, len(cities)):
            value, computed = board.payoffs.thousands[i][j], float(chart[i, j])
            if np.isfinite(chart[i, j]) and value != computed and (value is None or not ask.only_missing):
                cells.append(SuggestedCell(a=a, b=cities[j], value=value, suggested=computed))
    return SuggestionsFound(model=chosen, cells=tuple(cells))


def fitted(board: Board, model: ModelName, step: float) -> PayoffModel:
    """Return a model fitted to a board's own chart.

    Raises:
        MapkitError: The chart has too few amounts, or the board lacks distances.
    """
    return calibrate(
        merged_amounts(board.payoffs), board_distances(board, board.payoffs.cities), model=model, step=step
    ).model
