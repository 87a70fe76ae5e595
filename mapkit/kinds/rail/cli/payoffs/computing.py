"""`mapkit payoffs compute`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

import mapkit
from mapkit.console import texts
from mapkit.console.options import JsonOpt, WorkspaceOpt, written_option
from mapkit.console.printing import print_message, print_result, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.payoffs.computing import Into
    from mapkit.kinds.rail.model.payoffs.model import Calibration, ComputedPayoffs, ModelName, PayoffModel


def compute(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="The board, as for mapkit build.")],
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="NAME", help="Fit rail, ground, moves, rail-ground or rail-ground-moves."
        ),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            "--like",
            metavar="BOARD|CHART",
            help="Fit the model to another board, its chart and its distances, or to a chart of this board's cities.",
        ),
    ] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Fit a model although board.toml has one ([payoffs]).")
    ] = False,
    step: Annotated[
        float | None,
        typer.Option(
            "--step",
            metavar="THOUSANDS",
            min=0.01,
            max=10,
            help="The grid, thousands; the model's, or 0.5, by default.",
        ),
    ] = None,
    mean: Annotated[
        float | None,
        typer.Option(
            "--mean",
            metavar="THOUSANDS",
            min=0.1,
            max=1000,
            help="Scale the model so that trips pay this on average, thousands.",
        ),
    ] = None,
    missing: Annotated[
        bool, typer.Option("--missing", help="Keep the board's own amounts; compute those that it lacks.")
    ] = False,
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="chart|table",
            help="Write it into the board: the amounts to charts/payoffs.csv, or the model to [payoffs] of board.toml.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        written_option("--out", "-o", metavar="CSV", help="Write the chart there, in the form of charts/payoffs.csv."),
    ] = None,
    workspace: WorkspaceOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Compute a payoff chart from distances.

    By the model in board.toml; without one, by a model fitted to the board's own chart or to --like; without a chart
    too, by the rates of the classic United States chart.

    Fitting is robust regression; it prints how well the model fits, its parameters with 95 % intervals, and the
    amounts it explains least.
    """
    if model is not None and model not in late.TERMS:
        raise typer.BadParameter(f"{model!r} is not one of {', '.join(late.TERMS)}", param_hint="--model")
    if into not in (None, "chart", "table"):
        raise typer.BadParameter(f"{into!r} is not chart or table", param_hint="--into")
    wanted = mapkit.PayoffWishes(cast("ModelName | None", model), like, calibrate, step, mean, missing)
    found = mapkit.compute_payoffs(board, wanted, into=cast("Into | None", into), out=out, workspace=workspace)
    print_result(texts.json_text(found) if as_json else computed_text(found, board))
    if out is not None:
        print_message(f"The chart is {out}")
    if into is not None:
        print_message(
            f"written: {', '.join(found.written)}" if found.written else "done, and not saved: other steps wait to be"
        )


def computed_text(found: "ComputedPayoffs", board: str) -> str:
    """Lay out how a chart was computed."""
    fit = found.calibration
    said = [_fit_text(fit)] if fit is not None else []
    classic = ", the rates of the classic United States chart" if found.model == late.CLASSIC and fit is None else ""
    said.append(f"The model, per 100 miles or per move{classic}:\n{_toml(found.model)}")
    if found.filled is not None:
        said.append(f"{found.filled} empty cells were computed; all others are the board's own.")
    if found.mean is not None:
        said.append(f"By the odds of the board a trip pays {found.mean:.2f} thousand on average.")
    holes = sum(value is None for row in found.thousands for value in row)
    if holes:
        said.append(
            f"{holes} cells stay empty: no railroad joins the two cities; mapkit check {board} names the cities."
        )
    return "\n\n".join(said)


def _toml(model: "PayoffModel") -> str:
    return "\n".join(
        (
            "[payoffs]",
            f'model = "{model.model}"',
            f"base = {model.base:g}",
            *(f"{term} = {getattr(model, term):g}" for term in late.TERMS[model.model]),
            f"step = {model.step:g}",
        )
    )


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
