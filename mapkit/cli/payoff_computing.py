"""What `mapkit payoffs compute` does."""

from pathlib import Path
from typing import cast

import numpy as np
import typer

from mapkit import api
from mapkit.charts.payoff_compute import TERMS, calibrate, computed_chart
from mapkit.charts.payoff_diagnosis import one_reading
from mapkit.charts.payoff_distances import board_distances
from mapkit.cli.printing import result, table, talk
from mapkit.errors import MapkitError
from mapkit.jsontext import json_text
from mapkit.model.payoff_model import ComputedPayoffs, ModelName
from mapkit.output import write_files


def compute(
    board: str, *, model: str, like: Path | None, step: float, out: Path | None, workspace: Path | None, as_json: bool
) -> None:
    """Run `mapkit payoffs compute`: calibrate on a chart, or on the board's own, and compute."""
    if model not in TERMS:
        raise typer.BadParameter(f"{model!r} is none of {', '.join(TERMS)}", param_hint="--model")
    loaded = api.load(board, workspace=workspace)
    cities = loaded.payoffs.cities
    distances = board_distances(loaded, cities)
    if like is None:
        given = np.array([[np.nan if v is None else v for v in row] for row in loaded.payoffs.thousands], dtype=float)
    else:
        chart = api.read_payoffs(like, board=board, workspace=workspace).chart
        given = chart.aligned(cities)
    if given.shape != (len(cities), len(cities)):
        raise MapkitError(f"the payoff chart of {board} is not square; see mapkit check {board}")
    fitted = calibrate(one_reading(given), distances, model=cast("ModelName", model), step=step)
    found = computed_chart(fitted.model, distances, fitted)
    result(json_text(found) if as_json else _text(found))
    if out is not None:
        names = {city.id: city.name for city in loaded.cities}
        lines = [",".join(["city", *(names[c] for c in cities)])]
        lines += [
            ",".join([names[c], *(f"{v:g}" for v in row)]) for c, row in zip(cities, found.thousands, strict=True)
        ]
        write_files(out.parent, {out.name: "\n".join(lines) + "\n"})
        talk(f"The chart is {out}")


def _text(found: ComputedPayoffs) -> str:
    fit = found.calibration
    if fit is None:
        return ""
    rates = table(
        ("parameter", "value", "low", "high"),
        [(p.name, f"{p.value:.4f}", f"{p.low:.4f}", f"{p.high:.4f}") for p in fit.parameters],
        right=(1, 2, 3),
    )
    worst = table(
        ("a", "b", "chart", "computed"),
        [(r.a, r.b, f"{r.value:g}", f"{r.computed:g}") for r in fit.largest],
        right=(2, 3),
    )
    toml = "\n".join(
        (
            "[payoffs]",
            f'model = "{found.model.model}"',
            f"base = {found.model.base:g}",
            *(f"{term} = {getattr(found.model, term):g}" for term in TERMS[found.model.model]),
            f"step = {found.model.step:g}",
        )
    )
    return (
        f"{fit.cells} amounts, R2 {fit.r2:.4f}, rmse {fit.rmse:.3f} thousand\n\n{rates}\n\n"
        f"The largest residuals:\n{worst}\n\nFor board.toml (rates per 100 miles, or per move):\n{toml}"
    )
