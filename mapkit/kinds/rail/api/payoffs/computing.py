"""Computing payoff charts from distances."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from mapkit.core.errors import MapkitError, SourceError
from mapkit.core.output import write_files
from mapkit.document.session import Session
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.payoffs.reading import read_several
from mapkit.kinds.rail.bundle import payoffs_table
from mapkit.kinds.rail.charts.payoffs import compute as payoff_compute
from mapkit.kinds.rail.charts.payoffs.board_readings import is_computed, merged_amounts
from mapkit.kinds.rail.charts.payoffs.diagnosis import merge_readings
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances
from mapkit.kinds.rail.commands import read_command
from mapkit.kinds.rail.model.board import Board, Payoffs
from mapkit.kinds.rail.model.payoffs.model import CLASSIC, Calibration, ComputedPayoffs, ModelName, PayoffModel
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.trips import calculate_mean_payoff
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.operations.options import Argument, Flag, Output, Workspace

Into = Literal["chart", "table"]
"""Where a computed chart goes: its amounts to `charts/payoffs.csv`, or its model to `[payoffs]` of `board.toml`."""

FINE = 0.01
"""A grid so fine that rounding to it does not change what trips pay on average; the least that a model may have."""


@dataclass(frozen=True)
class PayoffWishes:
    """How to compute a chart.

    Attributes:
        model: Fit rail, ground, moves, rail-ground or rail-ground-moves.
        like: Fit the model to another board, its chart and its distances, or to a chart of this board's cities.
        calibrate: Fit a model although board.toml has one ([payoffs]).
        step: The grid, thousands; the model's, or 0.5, by default.
        mean: Scale the model so that trips pay this on average, thousands.
        missing: Keep the board's own amounts; compute those that it lacks.
    """

    model: Annotated[ModelName | None, Flag("-m", "NAME")] = None
    like: Annotated[str | Path | None, Flag("", "BOARD|CHART", reading="name")] = None
    calibrate: bool = False
    step: Annotated[float | None, Flag("", "THOUSANDS", "", 0.01, 10)] = None
    mean: Annotated[float | None, Flag("", "THOUSANDS", "", 0.1, 1000)] = None
    missing: bool = False


def compute_payoffs(
    board: Annotated[str | Path, Argument("", "BOARD", "The board, as for mapkit build.", reading="name")],
    wanted: PayoffWishes | None = None,
    *,
    into: Annotated[Into | None, Flag("", "chart|table")] = None,
    out: Annotated[str | Path | None, Output("-o", "CSV")] = None,
    workspace: Workspace = None,
) -> ComputedPayoffs:
    """Compute a payoff chart from distances.

    By the model in board.toml; without one, by a model fitted to the board's own chart or to --like; without a chart
    too, by the rates of the classic United States chart.

    Fitting is robust regression; it prints how well the model fits, its parameters with 95 % intervals, and the
    amounts it explains least.

    Args:
        wanted: How to compute it.
        into: Write it into the board: the amounts to charts/payoffs.csv, or the model to [payoffs] of board.toml.
        out: Write the chart there, in the form of charts/payoffs.csv.

    Raises:
        MapkitError: The chart is too small to fit a model to, or what is wanted does not go together.
        SourceError: As for `load`; likewise UnknownNameError, WorkspaceError and OutputError.
    """
    wanted = wanted or PayoffWishes()
    if wanted.missing and into == "table":
        raise MapkitError("a model gives the whole chart; give --missing with --into chart, or without --into")
    folder = open_workspace(workspace).own_board_folder(str(board)) if into is not None else None
    loaded = load(board, workspace=workspace)
    distances = board_distances(loaded, _cities(loaded))
    chosen, fit = _model(board, loaded, distances, wanted, workspace)
    if wanted.step is not None:
        chosen = chosen.model_copy(update={"step": wanted.step})
    if wanted.mean is not None:
        chosen = _to_mean(chosen, wanted.mean, loaded, distances)
    found = payoff_compute.compute_chart(chosen, distances, fit)
    if wanted.missing:
        found = _filled(found, loaded.payoffs)
    found = found.model_copy(update={"mean": _mean(loaded, found)})
    if out is not None:
        board_names = {city.id: city.name for city in loaded.cities}
        text = payoffs_table(found.cities, found.thousands, board_names)
        write_files(Path(out).parent, {Path(out).name: text})
    if folder is not None:
        kept = loaded.payoffs if wanted.missing else Payoffs(cities=(), thousands=())
        found = found.model_copy(update={"written": _write(folder, _commands(found, into or "chart", kept))})
    return found


def _cities(board: Board) -> tuple[str, ...]:
    """Return the cities of the board in the order of its chart, those that the chart lacks last."""
    known = {city.id for city in board.cities}
    chart = tuple(city for city in board.payoffs.cities if city in known)
    return (*chart, *sorted(known - {*chart}))


def _own(payoffs: Payoffs, cities: tuple[str, ...]) -> Payoffs:
    """Return a chart with rows and columns for these cities, empty where it has none."""
    cell = {
        (one, other): value
        for one, row in zip(payoffs.cities, payoffs.thousands, strict=True)
        for other, value in zip(payoffs.cities, row, strict=True)
    }
    rows = tuple(tuple(cell.get((one, other), 0.0 if one == other else None) for other in cities) for one in cities)
    return Payoffs(cities=cities, thousands=rows)


def _model(
    board: str | Path, loaded: Board, distances: CityDistances, wanted: PayoffWishes, workspace: str | Path | None
) -> tuple[PayoffModel, Calibration | None]:
    """Return the model, and how it fits where it was fitted."""
    own = _payoff_model(board, workspace)
    kind: ModelName = wanted.model or (own.model if own else "rail")
    step = wanted.step or (own.step if own else 0.5)
    fit = wanted.calibrate or wanted.model is not None
    if wanted.like is not None:
        like, by = _chart_like(wanted.like, board, distances, workspace)
    elif loaded.payoffs.cities and not is_computed(loaded):
        if own is not None and not fit:
            return own, None
        like, by = merged_amounts(_own(loaded.payoffs, distances.cities)), distances
    elif not fit:
        return own or CLASSIC, None
    else:
        raise MapkitError(
            f"the chart of {board} is computed, by [payoffs] or by default; fitting a model to it would give that "
            "again: give a chart or a board to fit it to, --like CHART"
        )
    if wanted.missing and not fit and wanted.like is None:
        return payoff_compute.choose_model(own, like, by), None
    fitted = payoff_compute.calibrate(like, by, model=kind, step=step)
    return fitted.model, fitted


def _chart_like(
    like: str | Path, board: str | Path, distances: CityDistances, workspace: str | Path | None
) -> tuple[payoff_compute.Matrix, CityDistances]:
    """Return the chart to fit a model to, and the distances of its cities: those of its own board."""
    space = open_workspace(workspace)
    if not Path(like).is_file() and (str(like) in space.boards() or Path(like).is_dir()):
        other = load(like, workspace=workspace)
        return merged_amounts(other.payoffs), board_distances(other, other.payoffs.cities)
    try:
        (typed,) = read_several([like], board=board, workspace=workspace)
    except SourceError as error:
        hint = (
            f"{like}: its cities must be those of {board}; for the chart of another board name the board: --like BOARD"
        )
        raise SourceError([hint, *error.problems]) from error
    return merge_readings(typed.chart.aligned(distances.cities)), distances


def _to_mean(model: PayoffModel, mean: float, board: Board, distances: CityDistances) -> PayoffModel:
    """Return the model scaled so that trips pay so much on average, before they are rounded to the grid."""
    fine = model.model_copy(update={"step": FINE})
    now = _mean(board, payoff_compute.compute_chart(fine, distances))
    if now is None:
        raise MapkitError(
            "the destination charts give no odds, so there is no average; fill them in first, or leave out --mean"
        )
    return payoff_compute.scale_model(model, mean / now)


def _mean(board: Board, found: ComputedPayoffs) -> float | None:
    mean = calculate_mean_payoff(calculate_city_chances(board), found.cities, found.thousands)
    return None if mean is None else round(mean, 3)


def _filled(found: ComputedPayoffs, own: Payoffs) -> ComputedPayoffs:
    """Return the board's own chart with its empty cells computed."""
    filled = 0
    rows = []
    for typed, computed in zip(_own(own, found.cities).thousands, found.thousands, strict=True):
        filled += sum(value is None and other is not None for value, other in zip(typed, computed, strict=True))
        rows.append(tuple(o if value is None else value for value, o in zip(typed, computed, strict=True)))
    return found.model_copy(update={"thousands": tuple(rows), "filled": filled})


def _commands(found: ComputedPayoffs, into: Into, keep: Payoffs) -> list[Mapping[str, Any]]:
    """Return the commands that write a chart, or a model in place of it; amounts that are to be kept stay."""
    if into == "table":
        terms = payoff_compute.TERMS[found.model.model]
        values = found.model.model_dump(mode="json")
        said = {"model", "base", "step", *terms}
        settings = {f"payoffs.{name}": value if name in said else None for name, value in values.items()}
        return [{"kind": "set-settings", "values": settings}, {"kind": "clear-payoffs"}]
    kept = _own(keep, found.cities).thousands
    cells = [
        [one, found.cities[j], value]
        for i, (one, row) in enumerate(zip(found.cities, found.thousands, strict=True))
        for j, value in enumerate(row)
        if i < j and (kept[i][j] is None or kept[j][i] is None)
    ]
    put: list[Mapping[str, Any]] = [{"kind": "set-payoffs", "cells": cells}] if cells else []
    return [{"kind": "start-payoffs"}, *put]


def _write(folder: Path, commands: list[Mapping[str, Any]]) -> tuple[str, ...]:
    """Run commands as one step; save unless other steps wait to be."""
    session = Session.open(folder, PACKAGE)
    clean = not session.unsaved
    session.do(
        read_command({"kind": "batch", "label": "Compute the payoff chart", "commands": commands}),
        client="command line",
    )
    return session.save() if clean else ()


def _payoff_model(board: str | Path, workspace: str | Path | None) -> PayoffModel | None:
    """Return `[payoffs]` of a source package; a board file has none."""
    if str(board).endswith(".json"):
        return None
    folder = open_workspace(workspace).board_folder(str(board))
    return parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE)).payoffs
