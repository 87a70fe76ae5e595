"""Everything that a command does with boards, as one call each; charts and rules have modules of their own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.bundle import PICTURE, plan_bundle
from mapkit.checks import CHECKS, run_checks
from mapkit.compile import compile_board
from mapkit.errors import BoardError, OutputError, SourceError
from mapkit.exchange.form import ExportOptions
from mapkit.exchange.plan import plan_export
from mapkit.exchange.registry import named_formats, reader_for
from mapkit.model.board import Board
from mapkit.model.findings import CheckReport, Finding
from mapkit.model.georeference import GeoreferenceReport, PictureModel
from mapkit.model.import_report import BoardImportReport, ImportReport, KeyFrom
from mapkit.model.stage import Stage, TraceReport
from mapkit.network import report as network_report
from mapkit.network import routes
from mapkit.network.report import Report
from mapkit.network.routes import Route
from mapkit.output import write_files
from mapkit.sources.gazetteer import forget_gazetteer
from mapkit.sources.package import load_source
from mapkit.sources.workspace import open_workspace
from mapkit.variants.apply import Placed, apply_variants
from mapkit.variants.imports import with_charts
from mapkit.variants.shelf import Shelf

Progress = Callable[[str], None]


def quiet(_stage: str) -> None:
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


@dataclass(frozen=True)
class ReportPage:
    """What `report_page` wrote: the board, what the checks and the report say, and where the file is."""

    board: Board
    checks: CheckReport
    report: Report
    path: Path


@dataclass(frozen=True)
class ExportedFiles:
    """What `export` wrote: the files, and for each format what of the board it does not hold."""

    board: Board
    folder: Path
    files: tuple[Path, ...]
    losses: Mapping[str, tuple[str, ...]]


def load(
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Board:
    """Return a board, compiled from its source package or read from a board file, with variants applied.

    Args:
        name: A board of the workspace or a shipped one (`"usa"`), the folder of a source package, or the
            path of a `board.json` or of a board in another format that mapkit reads (`mapkit formats`).
        variants: Variants of the workspace or shipped ones, or paths of their files; their bases come with them.
        workspace: The folder that holds `sources/`; the current folder by default.
        progress: Called with the name of each stage as it begins.

    Raises:
        SourceError: Something in the source package is wrong.
        UnknownNameError: There is no such board or variant.
        VariantError: A variant is wrong, does not fit the board, or contradicts another.
        WorkspaceError: A folder or file is missing, or the board file is no board.
    """
    space = open_workspace(workspace)
    found = Shelf(space).order(variants) if variants else ()
    given = space.root / name
    if given.suffix and not given.is_dir() and (reader := reader_for(given.name)) is not None:
        progress("reading the board")
        board = reader.read(given)
    else:
        progress("reading the sources")
        source = load_source(space.board_folder(str(name)))
        progress("tracing the lines")
        board = compile_board(source)
    if not found:
        return board
    progress("applying variants")
    return _applied(board, found)


def apply(board: Board, variants: Sequence[str], *, workspace: str | Path | None = None) -> Board:
    """Return a board with variants applied; the board given stays as it is.

    Args:
        board: The base.
        variants: As for `load`.
        workspace: As for `load`.

    Raises:
        VariantError: As for `load`; likewise UnknownNameError, SourceError and WorkspaceError.
    """
    return _applied(board, Shelf(open_workspace(workspace)).order(variants))


def _applied(board: Board, found: Sequence[Placed]) -> Board:
    return apply_variants(board, [with_charts(placed, board) for placed in found])


def trace(  # noqa: PLR0913 - where from, how far, where to
    name: str | Path,
    *,
    until: Stage = "segment",
    start: str | Path | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> TraceReport:
    """Run the tracing of a board up to a stage, and say what each stage changed.

    Args:
        name: As for `load`, but no board file.
        until: `import`, `georeference`, `node`, `space` or `segment`.
        start: A file that an earlier stage wrote, to go on from instead of the files in `lines/`.
        out: Where to write what the last stage made, a GeoPackage (`.gpkg`); nowhere by default.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        SourceError: Something in the source package or the stage's file is wrong.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing.
        OutputError: `out` cannot be written.
    """
    from mapkit.sources.stage_file import read_stage, stage_bytes  # noqa: PLC0415 - heavy, and for this alone
    from mapkit.trace.stages import run_stages  # noqa: PLC0415

    if out is not None and Path(out).suffix.lower() != ".gpkg":
        raise OutputError(f"{out}: stages are written as GeoPackage; give a name that ends in .gpkg")
    space = open_workspace(workspace)
    progress("reading the sources")
    source = load_source(space.board_folder(str(name)))
    known = {railroad.id for railroad in source.railroads}
    begun = read_stage(space.root / start, board=source.id, railroads=known) if start is not None else None
    traced = run_stages(source, until=until, start=begun, progress=progress)
    if out is not None:
        path = space.root / out
        write_files(path.parent, {path.name: stage_bytes(traced.data)})
    return traced.report


def import_lines(  # noqa: PLR0913 - each is something a file may not say of itself
    *files: str | Path,
    into: str | Path | None = None,
    column: str | None = None,
    name_column: str | None = None,
    crs: str | None = None,
    layers: Iterable[str] = (),
    encoding: str | None = None,
    key_from: KeyFrom = "auto",
    rings: bool = False,
    railroads: Mapping[str, str] | None = None,
    new_railroads: bool = False,
    overwrite: bool = False,
    workspace: str | Path | None = None,
) -> ImportReport:
    """Read files of traced lines, and write them into a source package if one is named.

    Args:
        files: GeoJSON, GeoPackage, Shapefile, KML, KMZ, GML, FlatGeobuf, SVG, or graphs as JSON.
        into: A board of the workspace or the folder of a source package; None only looks.
        column: The attribute that tells the railroad of a line; `railroad` by default, else the layer does.
        name_column: The attribute with the names of mileposts.
        crs: The CRS of files that state none.
        layers: The layers to read; all by default.
        encoding: Of a Shapefile's attributes.
        key_from: What tells the railroad of a line in an SVG.
        rings: Take the rings of polygons as lines.
        railroads: Railroads by key; empty to leave its lines out.
        new_railroads: Add a railroad to `railroads.csv` for every key that is none.
        overwrite: Write over files of an earlier import.
        workspace: As for `load`.

    Raises:
        SourceError: A file cannot be used, or a key is no railroad.
        UnknownNameError: There is no such board; likewise WorkspaceError and OutputError.
    """
    from mapkit.sources.import_features import ImportOptions  # noqa: PLC0415 - heavy, and for this alone
    from mapkit.sources.import_into import ImportPlan, import_files  # noqa: PLC0415

    space = open_workspace(workspace)
    options = ImportOptions(
        column=column,
        name_column=name_column,
        crs=crs,
        layers=tuple(layers),
        encoding=encoding,
        key_from=key_from,
        rings=rings,
    )
    plan = ImportPlan(options=options, railroads=railroads, new_railroads=new_railroads, replace=overwrite)
    folder = space.own_board_folder(str(into)) if into is not None else None
    return import_files([space.root / file for file in files], into=folder, plan=plan)


def import_board(
    file: str | Path,
    *,
    into: str | Path | None = None,
    countries: Iterable[str] = (),
    overwrite: bool = False,
    workspace: str | Path | None = None,
) -> BoardImportReport:
    """Read a whole board, an RB3 map or what was exported, and make a source package of it if one is named.

    The package builds to the same board; what it does not hold, or makes up, is told.

    Args:
        file: The file, in a format that is read (`mapkit formats`).
        into: The board to make in the workspace, or the folder of its source package; None only looks.
        countries: Where its cities are (ISO 3166 alpha-2); told from their names by default. `none` for a map of no
            country. For RB3 alone.
        overwrite: Write over the files of an earlier import.
        workspace: As for `load`.

    Raises:
        SourceError: The file is wrong, its cities are not found, or the package is there already.
        WorkspaceError: The file is missing, or the name is none for a board; likewise OutputError.
    """
    from mapkit.exchange.board_import import board_reader, import_whole_board  # noqa: PLC0415 - for this alone
    from mapkit.exchange.rb3_import import import_rb3  # noqa: PLC0415

    space = open_workspace(workspace)
    folder = None if into is None else space.root / (Path(into) if len(Path(into).parts) > 1 else Path("sources", into))
    path = space.root / file
    reader = board_reader(path)
    if reader is None:
        return import_rb3(path, into=folder, countries=tuple(countries), replace=overwrite)
    if tuple(countries):
        raise SourceError(f"{path.name}: its places have coordinates; leave the countries out")
    return import_whole_board(path, reader, into=folder, replace=overwrite)


def check(board: Board, *, drawing: bool = True) -> CheckReport:
    """Return all findings on a board, most serious first, and how every check ended.

    Args:
        board: The board.
        drawing: Whether to lay the board out and check its drawing too (R), which takes longest.
    """
    if not drawing:
        return run_checks(board)
    from mapkit.render.checks import CHECKS as DRAWING  # noqa: PLC0415 - for this alone

    return run_checks(board, checks=(*CHECKS, *DRAWING))


def report(board: Board) -> Report:
    """Return the report on railroads, their combinations and cities."""
    return network_report.report(board)


def report_page(
    board: Board | str | Path,
    *,
    out: str | Path,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> ReportPage:
    """Write the report on a board as one HTML page, with the drawn board, its charts and its findings.

    Args:
        board: A board, or the name or file of one, as for `load`.
        out: The file; its name ends in `.html` or `.htm`.
        variants: As for `load`.
        workspace: As for `load`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Raises:
        OutputError: The name is none for a page, or the file cannot be written; what was there is unchanged.
        SourceError: As for `load`; likewise VariantError, UnknownNameError and WorkspaceError.
    """
    from mapkit.render.report_page import render_report_page  # noqa: PLC0415 - for this alone

    path = Path(out)
    if path.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{path}: the page is HTML; give a name that ends in .html")
    if isinstance(board, Board):
        loaded = apply(board, variants, workspace=workspace) if variants else board
    else:
        loaded = load(board, variants=variants, workspace=workspace, progress=progress)
    progress("checking")
    checks = check(loaded)
    progress("reporting")
    summary = report(loaded)
    progress("drawing")
    page = render_report_page(loaded, summary, checks)
    progress("writing")
    write_files(path.parent, {path.name: page})
    return ReportPage(loaded, checks, summary, path)


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


def build(  # noqa: PLR0913 - from what, where to, whatever the checks say
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    out: str | Path | None = None,
    allow_errors: bool = False,
    progress: Progress = quiet,
) -> Built:
    """Compile, check and draw a board and write its bundle; all files or none.

    Args:
        name: As for `load`.
        variants: As for `load`.
        workspace: As for `load`; the bundle goes to `build/<board>/` in it, or `build/<board>+<variant>.../`.
        out: Another folder for the bundle.
        allow_errors: Write the bundle even if the checks find errors.
        progress: Called with the name of each stage as it begins.

    Raises:
        BoardError: The checks found errors; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        SourceError: As for `load`; likewise VariantError, UnknownNameError and WorkspaceError.
    """
    board = load(name, variants=variants, workspace=workspace, progress=progress)
    progress("checking")
    checks = check(board)
    if not checks.ok and not allow_errors:
        raise BoardError(_refusal(board, checks))
    progress("reporting")
    summary = report(board)
    progress("drawing")
    files = plan_bundle(board, checks, summary)
    folder = Path(out) if out is not None else _bundle_folder(board, variants, workspace)
    progress("writing")
    write_files(folder, files)
    return Built(board, checks, summary, folder, tuple(folder / name for name in sorted(files)))


def _bundle_folder(board: Board, variants: Sequence[str], workspace: str | Path | None) -> Path:
    """Return `build/<board>+<variant>.../`, the variants as they were asked for."""
    names = [Path(name).stem if name.endswith(".toml") else name for name in variants]
    return open_workspace(workspace).bundle_folder("+".join((board.id, *names)))


def export(  # noqa: PLR0913 - what, changed how, in which formats, where to
    board: Board | str | Path,
    *,
    to: str | Iterable[str],
    out: str | Path,
    variants: Sequence[str] = (),
    base_url: str | None = None,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> ExportedFiles:
    """Write a board in formats of other programs; all files or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        to: Names of formats (`mapkit formats` lists them), in one text with commas or several; `"all"` for all.
        out: The folder for the files. Of several formats each gets a folder of its name in it, beside
            `manifest.json`.
        variants: Variants to apply first, as for `load`.
        base_url: The address on the web where you put the pictures that `tts` writes; without it they are found on
            this machine only.
        workspace: As for `load`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Returns:
        The files, and what each format does not hold.

    Raises:
        UnknownNameError: There is no such format or board.
        ExportError: A format cannot hold the board; nothing was written.
        OutputError: The folder could not be written; what was there is unchanged.
        SourceError: As for `load`; likewise VariantError.
    """
    formats = named_formats(to if isinstance(to, str) else ",".join(to))
    if not isinstance(board, Board):
        loaded = load(board, variants=variants, workspace=workspace, progress=progress)
        forget_gazetteer()  # pictures need the memory more
    else:
        loaded = apply(board, variants, workspace=workspace) if variants else board
    progress("exporting")
    folder = Path(out)
    plan = plan_export(loaded, formats, ExportOptions(base_url=base_url, folder=folder.absolute()))
    progress("writing")
    write_files(folder, plan.files)
    return ExportedFiles(loaded, folder, tuple(folder / name for name in sorted(plan.files)), plan.losses)


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
