"""What `mapkit payoffs compute` does."""

from pathlib import Path
from typing import cast

import typer

from mapkit import api_payoffs
from mapkit.charts.payoff_compute import TERMS
from mapkit.cli.printing import result, table, talk
from mapkit.jsontext import json_text
from mapkit.model.payoff_model import Calibration, ComputedPayoffs, ModelName


def compute(
    board: str,
    *,
    model: str | None,
    like: str | None,
    calibrate: bool,
    step: float | None,
    out: Path | None,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Run `mapkit payoffs compute`: by the board's model, or by one calibrated on a chart."""
    if model is not None and model not in TERMS:
        raise typer.BadParameter(f"{model!r} is none of {', '.join(TERMS)}", param_hint="--model")
    found = api_payoffs.compute_payoffs(
        board,
        model=cast("ModelName | None", model),
        like=like,
        calibrate=calibrate,
        step=step,
        out=out,
        workspace=workspace,
    )
    result(json_text(found) if as_json else computed_text(found))
    if out is not None:
        talk(f"The chart is {out}")


def computed_text(found: ComputedPayoffs) -> str:
    """Lay out how a chart was computed."""
    fit = found.calibration
    toml = "\n".join(
        (
            "[payoffs]",
            f'model = "{found.model.model}"',
            f"base = {found.model.base:g}",
            *(f"{term} = {getattr(found.model, term):g}" for term in TERMS[found.model.model]),
            f"step = {found.model.step:g}",
        )
    )
    if fit is None:
        return f"By the model of board.toml (rates per 100 miles, or per move; --calibrate fits it anew):\n{toml}"
    return f"{_fit_text(fit)}\n\nFor board.toml (rates per 100 miles, or per move):\n{toml}"


def _fit_text(fit: Calibration) -> str:
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
    return (
        f"{fit.cells} amounts, R2 {fit.r2:.4f}, rmse {fit.rmse:.3f} thousand\n\n{rates}\n\n"
        f"The largest residuals:\n{worst}"
    )
