"""Reporting on a board, and finding routes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mapkit.core.errors import ChoiceError
from mapkit.core.plurals import join_some
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.drawing.theme.files import OWN
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.odds import BoardHolding, board_holding
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network import report as network_report
from mapkit.kinds.rail.network import routes
from mapkit.kinds.rail.network.report import Report
from mapkit.kinds.rail.network.routes import Route
from mapkit.operations.options import Argument, BoardName, Flag, Language, Output, Variants, Workspace
from mapkit.operations.signatures import load_attribute

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.report_pages import ReportPage


@dataclass(frozen=True)
class BoardReport:
    """A board by its name, and the report on it."""

    board: Board
    report: Report

    def as_json(self) -> Report:
        """Return the result as `--json` prints it."""
        return self.report


@dataclass(frozen=True)
class BoardRoute:
    """A board by its name, and a route on it."""

    board: Board
    route: Route

    def as_json(self) -> Route:
        """Return the result as `--json` prints it."""
        return self.route


def report(board: Board) -> Report:
    """Return the report on railroads, their combinations and cities."""
    return network_report.report(board)


def report_board(
    board: BoardName,
    *,
    railroads: Annotated[Sequence[str] | None, Flag("-r", "PA,NYC,...", reading="commas")] = None,
    html: Annotated[str | Path | None, Output("--html", "FILE.html")] = None,
    language: Language = OWN,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> "BoardReport | BoardHolding | ReportPage":
    """Report on railroads, cities and sets of railroads.

    One row per railroad: price, cities served, service %, monopoly %, railroads it connects with, service per thousand.
    One row per city: its chance as a destination and the railroads that serve it. With --railroads: access, monopoly,
    foreign travel, fees collected, average haul, and the city pairs that they shorten. With --html: one file with the
    board to pan and search, routes and payoffs of any two cities, odds, and the findings of mapkit check.

    Args:
        board: As for `load`.
        railroads: Report on owning these railroads together.
        html: Write it as a shareable page: map, tables, pictures.

    Raises:
        ChoiceError: Options exclude each other.
        MapkitError: As for `load`, `board_holding` and `report_page`.
    """
    if html is not None and railroads is not None:
        raise ChoiceError("--html: the page shows the whole board; leave out --railroads")
    if html is None and language != OWN:
        raise ChoiceError("--language sets the language of the page; give --html FILE too")
    given: dict[str, Any] = {"variants": variants, "workspace": workspace, "progress": progress}
    if html is not None:
        # drawing, which the page needs, is slow to import
        write_page = load_attribute("mapkit.kinds.rail.api.report_pages:report_page")
        page: ReportPage = write_page(board, out=html, language=language, **given)
        return page
    if railroads is not None:
        return board_holding(board, railroads, **given)
    loaded = load(board, **given)
    progress("reporting")
    return BoardReport(loaded, report(loaded))


def find_route(
    start: Annotated[str, Argument("", "FROM")],
    end: Annotated[str, Argument("", "TO")],
    *,
    board: Annotated[
        str | Path | None,
        Flag("-b", "BOARD", "The board, as for mapkit build; the only one of the workspace.", reading="name"),
    ] = None,
    railroads: Annotated[Sequence[str] | None, Flag("-r", "PA,NYC,...", reading="commas")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> BoardRoute:
    """Find the route of fewest mileposts between places.

    Among routes of equally many mileposts it takes the one with the fewest changes of railroad, then the shortest in
    miles. Prints every step, and mileposts, miles, payoff and railroads used.

    Args:
        start: A city or milepost, by name or id.
        end: A city or milepost, by name or id.
        railroads: Ride these railroads only.

    Raises:
        ChoiceError: No board is named, and the workspace has none of its own or several.
        MapkitError: As for `load` and `route`.
    """
    space = open_workspace(workspace)
    chosen = board or space.only_board()
    if chosen is None:
        known = space.boards("rail")
        raise ChoiceError(f"say which board is meant, such as --board {known[0]}; there are {join_some(known)}")
    loaded = load(chosen, variants=variants, workspace=workspace, progress=progress)
    return BoardRoute(loaded, route(loaded, start, end, railroads=railroads))


board_report = report_board
"""Former name of `report_board`; deprecated."""


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


board_route = find_route
"""Former name of `find_route`; deprecated."""
