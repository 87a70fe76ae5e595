"""Everything that a command does, as one call each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from mapkit.bundle import PICTURE, plan_bundle
from mapkit.checks import run_checks
from mapkit.compile import compile_board
from mapkit.errors import BoardError, WorkspaceError
from mapkit.model.board import Board
from mapkit.model.findings import CheckReport, Finding
from mapkit.model.georeference import GeoreferenceReport, PictureModel
from mapkit.network import report as network_report
from mapkit.network import routes
from mapkit.network.report import Report
from mapkit.network.routes import Route
from mapkit.output import write_files
from mapkit.sources.files import read_text
from mapkit.sources.package import load_source
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


def georeference(
    target: str | Path,
    *,
    workspace: str | Path | None = None,
    model: PictureModel | None = None,
    projection: str | None = None,
    svg: str | Path | None = None,
) -> GeoreferenceReport:
    """Return how well control points place a picture that lines were traced over.

    Args:
        target: A board whose source package holds `control_points.csv`, as for `load`, or such a file by itself
            (its name ends in `.csv`).
        workspace: The folder that holds `sources/`; the current folder by default.
        model: `"affine"`, `"projective"` or `"tps"` (a thin-plate spline); by default the board's, or `"affine"`
            if the file belongs to no board.
        projection: The picture's projection by name, as PROJ string or `EPSG:n`; by default the board's, or an
            equal-area one centred on the points if the file belongs to no board.
        svg: A file in which to draw points, residual arrows and the warped grid.

    Returns:
        Residuals and leave-one-out errors in pixels and statute miles, the worst point, and warnings.

    Raises:
        SourceError: The control points are wrong or do not fix the model, or model or projection are unknown.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing.
        OutputError: The drawing could not be written.
    """
    # A build needs none of these.
    from mapkit.render.georeference_svg import render_georeference  # noqa: PLC0415
    from mapkit.sources.control_points import load_control_points  # noqa: PLC0415
    from mapkit.trace.georeference import georeference as place  # noqa: PLC0415
    from mapkit.trace.picture_plane import DEFAULT_PROJECTION  # noqa: PLC0415

    space = open_workspace(workspace)
    path = space.root / target if str(target).lower().endswith(".csv") else space.board_folder(str(target))
    read = load_control_points(path)
    own = read.config
    placed = place(
        read.points,
        model=model or (own.tracing.georeference if own else "affine"),
        projection=projection or (own.projection if own else DEFAULT_PROJECTION),
    )
    found = placed.report()
    if svg is not None:
        write_files(Path(svg).parent, {Path(svg).name: render_georeference(placed)})
    return found


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
