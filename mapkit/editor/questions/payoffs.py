"""What the geometry says of the payoff chart, and charts computed from distances."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.charts.payoff_compute import calibrate, compute_payoffs
from mapkit.charts.payoff_diagnosis import one_reading
from mapkit.charts.payoff_distances import board_distances
from mapkit.charts.payoff_readings import chart_of_board
from mapkit.checks.payoff_check import check_chart
from mapkit.editor.questions.question import Asked, QuestionError, question
from mapkit.model.base import Frozen
from mapkit.model.board import Board, Payoffs
from mapkit.model.payoff_diagnosis import PayoffDiagnosis
from mapkit.model.payoff_model import ModelName, PayoffModel

Step = Field(default=0.5, gt=0, le=10, description="The grid of the amounts, thousands")


class Residuals(Frozen):
    """The grid of the amounts."""

    step: float = Step


@question("payoff-residuals", Residuals)
def residuals(ask: Residuals, asked: Asked) -> dict[str, Any]:
    """Return every amount with what all others expect of it, and the findings of `mapkit payoffs check`."""
    judged = diagnosis(asked.live.board, ask.step)
    findings = [{**found.model_dump(mode="json"), "id": found.id} for found in judged.findings]
    return {**judged.model_dump(mode="json"), "findings": findings}


_LAST: list[tuple[tuple[object, ...], PayoffDiagnosis]] = []


def diagnosis(board: Board, step: float) -> PayoffDiagnosis:
    """Return the diagnosis of a board's own chart; that of the last board is kept.

    Raises:
        QuestionError: The board has no payoff chart, or cities of it are gone.
        MapkitError: The chart is too small to judge, or its cities cannot reach each other.
    """
    _refuse_gone(board)
    key = (board.payoffs, board.mileposts, board.segments, board.cities)
    for known, found in _LAST:
        if known[0] == (step, board.id) and all(a is b for a, b in zip(known[1:], key, strict=True)):
            return found
    chart = chart_of_board(board, name=board.id)
    found = check_chart(
        chart,
        distances=board_distances(board, chart.cities),
        names={city.id: city.name for city in board.cities},
        step=step,
        board=board.id,
    )
    _LAST[:] = [(((step, board.id), *key), found)]
    return found


def _refuse_gone(board: Board) -> None:
    cities = {city.id for city in board.cities}
    gone = [city for city in board.payoffs.cities if city not in cities]
    if gone or not board.payoffs.cities:
        raise QuestionError(
            f"the payoff chart has {gone[0]!r}, which is no city of the board; take it out"
            if gone
            else "the board has no payoff chart yet; start one"
        )


class Suggestions(Frozen):
    """How amounts are suggested: by a given formula, the model of `board.toml`, or one fitted to the chart as it is."""

    formula: PayoffModel | None = None
    model: ModelName | None = None
    step: float | None = Field(default=None, gt=0, le=10)
    only_missing: bool = False


@question("payoff-suggestions", Suggestions)
def suggestions(ask: Suggestions, asked: Asked) -> dict[str, Any]:
    """Return `cells`, `{a, b, value, suggested}` for amounts that a model computes otherwise, and the `model`."""
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
            if value != computed and (value is None or not ask.only_missing):
                cells.append({"a": a, "b": cities[j], "value": value, "suggested": computed})
    return {"model": chosen.model_dump(mode="json"), "cells": cells}


def fitted(board: Board, model: ModelName, step: float) -> PayoffModel:
    """Return a model fitted to a board's own chart.

    Raises:
        MapkitError: The chart has too few amounts, or the board lacks distances.
    """
    return calibrate(amounts(board.payoffs), board_distances(board, board.payoffs.cities), model=model, step=step).model


def amounts(payoffs: Payoffs) -> NDArray[np.float64]:
    """Return the one reading of each pair, n x n thousands, NaN where there is none or two that differ."""
    given = [[np.nan if value is None else value for value in row] for row in payoffs.thousands]
    return one_reading(np.array(given, dtype=np.float64))
