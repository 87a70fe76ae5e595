"""Options that commands on destination charts share."""

from pathlib import Path
from typing import Annotated

import typer

from mapkit.console.options import written_option

OutOpt = Annotated[Path | None, written_option("--out", "-o", metavar="FILE", help="Write the charts there, as CSV.")]
SecondsOpt = Annotated[
    float,
    typer.Option(
        "--seconds", metavar="SECONDS", min=0.05, max=3600, help="Longest time for one chart; then the best so far."
    ),
]
WeightsOpt = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="cities|population",
        help="Weights of cities that have none; as in board.toml by default.",
    ),
]
DampingOpt = Annotated[
    float | None,
    typer.Option(
        "--damping",
        metavar="SHARE",
        min=0,
        max=1,
        help="How much weights from population are damped: 0 counts people, 0.5 takes square roots, 1 makes all cities "
        "equal; as board.toml says by default.",
    ),
]


def refuse_other_weights(value: str | None) -> None:
    """Refuse a value that `--weights` cannot have.

    Raises:
        typer.BadParameter: It is such a value.
    """
    if value not in (None, "cities", "population"):
        raise typer.BadParameter(f"{value!r} is neither cities nor population", param_hint="--weights")
