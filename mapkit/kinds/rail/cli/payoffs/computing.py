"""Computed payoff charts, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.kinds.rail.cli import late

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.model.payoffs.model import Calibration, ComputedPayoffs, PayoffModel


def show_computed(found: "ComputedPayoffs", board: str, into: str | None, out: "Path | None", *, as_json: bool) -> None:
    """Print how a chart was computed, and where it was written."""
    if not as_json:
        print_result(computed_text(found, board))
    if out is not None:
        print_message(f"The chart is {out}")
    if into is not None:
        saved = ", ".join(found.written)
        print_message(
            f"written: {saved}"
            if saved
            else f"no file was written: the board has this chart already, or earlier steps of it are not saved yet; "
            f"see mapkit journal {board}"
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
