"""Everything that a command does, as one call each."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from mapkit.bundle import PICTURE, plan_bundle
from mapkit.charts.payoff_diff import Geometry, PayoffDiff, diff_charts, named_apart
from mapkit.charts.payoff_readings import board_read
from mapkit.checks import run_checks
from mapkit.compile import compile_board
from mapkit.errors import BoardError, UnknownNameError, WorkspaceError
from mapkit.model.board import Board
from mapkit.model.findings import CheckReport, Finding
from mapkit.model.payoff_chart import PayoffsRead
from mapkit.network import report as network_report
from mapkit.network import routes
from mapkit.network.report import Report
from mapkit.network.routes import Route
from mapkit.output import write_files
from mapkit.sources.board_cities import board_cities
from mapkit.sources.files import read_text
from mapkit.sources.package import load_source
from mapkit.sources.payoff_files import ReadOptions, read_payoff_file
from mapkit.sources.workspace import open_workspace

Progress = Callable[[str], None]


def _quiet(_stage: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class Built:
    """What `build` made: the board, what the checks and the report say, and where the files are."""

    board: Board
    checks: CheckReport
    report: Report
    folder: Path
    files: tuple[Path, ...]

    @property
    def picture(self) -> Path:
        """The drawn board."""
        return self.folder / PICTURE


def load(name: str | Path, *, workspace: str | Path | None = None, progress: Progress = _quiet) -> Board:
    """Return a board, compiled from its source package or read from a board file.

    Args:
        name: A board of the workspace or a shipped one (`"usa"`), the folder of a source package, or the
            path of a `board.json`.
        workspace: The folder that holds `sources/`; the current folder by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        SourceError: Something in the source package is wrong.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing, or the board file is no board.
    """
    space = open_workspace(workspace)
    if str(name).endswith(".json"):
        return _read_board(space.root / name)
    progress("reading the sources")
    source = load_source(space.board_folder(str(name)))
    progress("tracing the lines")
    return compile_board(source)


def _read_board(path: Path) -> Board:
    text = read_text(path, name=str(path))
    try:
        return Board.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise WorkspaceError(
            f"{path}: no board file: {where}: {first['msg']} ({error.error_count()} problems); build it again"
        ) from error


def check(board: Board) -> CheckReport:
    """Return all findings on a board, most serious first, and how every check ended."""
    return run_checks(board)


def report(board: Board) -> Report:
    """Return the report on railroads, their combinations and cities."""
    return network_report.report(board)


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


def build(
    name: str | Path,
    *,
    workspace: str | Path | None = None,
    out: str | Path | None = None,
    allow_errors: bool = False,
    progress: Progress = _quiet,
) -> Built:
    """Compile, check and draw a board and write its bundle; all files or none.

    Args:
        name: As for `load`.
        workspace: As for `load`; the bundle goes to `build/<board>/` in it.
        out: Another folder for the bundle.
        allow_errors: Write the bundle even if the checks find errors.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: The checks found errors; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        SourceError: As for `load`; likewise UnknownNameError and WorkspaceError.
    """
    board = load(name, workspace=workspace, progress=progress)
    progress("checking")
    checks = check(board)
    if not checks.ok and not allow_errors:
        raise BoardError(_refusal(board, checks))
    progress("reporting")
    summary = report(board)
    progress("drawing")
    files = plan_bundle(board, checks, summary)
    folder = Path(out) if out is not None else open_workspace(workspace).bundle_folder(board.id)
    progress("writing")
    write_files(folder, files)
    return Built(board, checks, summary, folder, tuple(folder / name for name in sorted(files)))


def read_payoffs(
    chart: str | Path,
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffsRead:
    """Return what a payoff chart's file holds, with its cities matched to a board's.

    Args:
        chart: A file (CSV, TSV, XLSX, JSON, Markdown, copied text), or a board, as for `load`: its own chart.
        board: The board whose cities the chart is for, as for `load`; without one the chart's own names are ids.
        workspace: As for `load`.
        options: What the user says about the file.

    Raises:
        SourceError: The file is no payoff chart, or names cities that the board has not.
        UnknownNameError: There is no such board, or neither such a file nor such a board.
        WorkspaceError: A file may not be read.
    """
    path = Path(chart)
    if not path.is_file():
        space = open_workspace(workspace)
        if str(chart) in space.boards() or path.is_dir():
            return board_read(load(chart, workspace=workspace), name=str(chart))
        raise UnknownNameError(f"{chart}: neither a file nor a board; boards are {', '.join(space.boards())}")
    if board is None:
        return read_payoff_file(path, file=str(chart), options=options)
    known = board_cities(open_workspace(workspace), str(board))
    return read_payoff_file(
        path, file=str(chart), board=known.title, cities=known.cities, payoff_unit=known.payoff_unit, options=options
    )


def diff_payoffs(
    charts: Sequence[str | Path],
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
    geometry: Geometry | None = None,
) -> PayoffDiff:
    """Return where payoff charts disagree, how they vote, which have a common source, and what geometry supports.

    Args:
        charts: Files or boards, as for `read_payoffs`, two or more.
        board: As for `read_payoffs`.
        workspace: As for `load`.
        options: What the user says of all files.
        geometry: A model of what pairs of cities should pay.

    Raises:
        MapkitError: There are fewer than two charts, or they have no cities in common.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
    """
    read = [read_payoffs(chart, board=board, workspace=workspace, options=options).chart for chart in charts]
    return diff_charts(named_apart(read), geometry=geometry)


def _refusal(board: Board, checks: CheckReport) -> str:
    lines = [f"{board.id} was not built, the checks found errors:", *(finding_line(f) for f in checks.errors)]
    bad = [f"{code} {status}" for code, status in checks.checks.items() if status in ("crashed", "skipped")]
    return "\n".join([*lines, *bad])


def finding_line(finding: Finding) -> str:
    """Return `file:row: code severity: message` for people and editors."""
    place = finding.place
    where = ":".join(str(part) for part in (place.file, place.row) if part is not None)
    accepted = f" (accepted: {finding.accepted})" if finding.accepted is not None else ""
    return f"{where + ': ' if where else ''}{finding.code} {finding.severity}: {finding.message}{accepted}"
