"""`mapkit payoffs compute`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt
from mapkit.console.printing import result, table, talk
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.payoffs.model import Calibration, ComputedPayoffs, ModelName


def compute(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="The board, as for mapkit build.")],
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="NAME", help="Calibrate rail, ground, moves, rail-ground or rail-ground-moves."
        ),
    ] = None,
    like: Annotated[
        str | None, typer.Option("--like", metavar="CHART", help="Calibrate on this chart, not on the board's own.")
    ] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Calibrate although board.toml has a model ([payoffs]).")
    ] = False,
    step: Annotated[
        float | None,
        typer.Option("--step", min=0.01, max=10, help="The grid, thousands; the model's, or 0.5, by default."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="CSV", help="Write the chart there, in the form of charts/payoffs.csv."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compute a payoff chart from distances: by the model in board.toml, else by one calibrated on a chart.

    Calibrating is robust regression; it prints how well the model fits, its parameters with 95 % intervals, and the
    amounts it explains least.
    """
    if model is not None and model not in late.TERMS:
        raise typer.BadParameter(f"{model!r} is not one of {', '.join(late.TERMS)}", param_hint="--model")
    found = mapkit.compute_payoffs(
        board,
        model=cast("ModelName | None", model),
        like=like,
        calibrate=calibrate,
        step=step,
        out=out,
        workspace=workspace,
    )
    result(texts.json_text(found) if as_json else computed_text(found))
    if out is not None:
        talk(f"The chart is {out}")


def computed_text(found: "ComputedPayoffs") -> str:
    """Lay out how a chart was computed."""
    fit = found.calibration
    toml = "\n".join(
        (
            "[payoffs]",
            f'model = "{found.model.model}"',
            f"base = {found.model.base:g}",
            *(f"{term} = {getattr(found.model, term):g}" for term in late.TERMS[found.model.model]),
            f"step = {found.model.step:g}",
        )
    )
    if fit is None:
        return f"By the model of board.toml (rates per 100 miles, or per move; --calibrate refits it):\n{toml}"
    return f"{_fit_text(fit)}\n\nFor board.toml (rates per 100 miles, or per move):\n{toml}"


def _fit_text(fit: "Calibration") -> str:
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
