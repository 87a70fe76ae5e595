"""Reporting on a board, and finding routes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network import report as network_report
from mapkit.kinds.rail.network import routes
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.network.routes import Route


@dataclass(frozen=True)
class BoardReport:
    """A board by its name, and the report on it."""

    board: Board
    report: Report


@dataclass(frozen=True)
class BoardRoute:
    """A board by its name, and a route on it."""

    board: Board
    route: Route


def report(board: Board) -> Report:
    """Return the report on railroads, their combinations and cities."""
    return network_report.report(board)


def board_report(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> BoardReport:
    """Load a board and report on it.

    Args:
        name: As for `load`.
        variants: As for `load`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: As for `load`.
    """
    board = load(name, variants=variants, workspace=workspace, progress=progress)
    progress("reporting")
    return BoardReport(board, report(board))


def board_route(
    name: str | Path,
    start: str,
    end: str,
    *,
    railroads: Iterable[str] | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> BoardRoute:
    """Load a board and find the route of fewest mileposts between two places.

    Args:
        name: As for `load`.
        start: As for `route`.
        end: As for `route`.
        railroads: As for `route`.
        variants: As for `load`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: As for `load` and `route`.
    """
    board = load(name, variants=variants, workspace=workspace, progress=progress)
    return BoardRoute(board, route(board, start, end, railroads=railroads))


def route(board: Board, start: str, end: str, *, railroads: Iterable[str] | None = None) -> Route:
    """Return the route of fewest mileposts between two cities or mileposts.

    Args:
        board: The board.
        start: Name or id of a city or milepost.
        end: The same.
        railroads: The railroads that may be ridden (ids, reporting marks or names); all by default.

    Raises:
        UnknownNameError: A name is unknown; the nearest is offered.
        MapkitError: The railroads do not join the two.
    """
    return routes.route(board, start, end, railroads=railroads)
