"""Everything that a command does, as one call each."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mapkit.bundle import PICTURE, payoffs_table, plan_bundle
from mapkit.charts.payoff_diff import FixedGeometry, Geometry, PayoffDiff, diff_charts, named_apart
from mapkit.charts.payoff_readings import board_read
from mapkit.checks import run_checks
from mapkit.checks.rules import CHECKS as RULE_CHECKS
from mapkit.compile import compile_board
from mapkit.errors import BoardError, MapkitError, OutputError, SourceError, UnknownNameError
from mapkit.exchange.form import ExportOptions
from mapkit.exchange.plan import plan_export
from mapkit.exchange.registry import named_formats, reader_for
from mapkit.model.board import Board
from mapkit.model.findings import CheckReport, Finding
from mapkit.model.georeference import GeoreferenceReport, PictureModel
from mapkit.model.import_report import BoardImportReport, ImportReport, KeyFrom
from mapkit.model.payoff_chart import PayoffsRead
from mapkit.model.payoff_diagnosis import PayoffDiagnosis, PayoffRepairs
from mapkit.model.payoff_model import ComputedPayoffs, ModelName, PayoffModel
from mapkit.model.rules import PRESETS, Rules
from mapkit.model.rules import preset as rules_preset
from mapkit.model.rules_changes import apply_rule_changes
from mapkit.model.rules_diff import RulesDiff, diff_rules
from mapkit.model.rules_report import RulesReport, rules_report
from mapkit.model.stage import Stage, TraceReport
from mapkit.network import report as network_report
from mapkit.network import routes
from mapkit.network.report import Report
from mapkit.network.routes import Route
from mapkit.output import write_files
from mapkit.sources.board_cities import board_cities
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import parse_config
from mapkit.sources.files import read_text
from mapkit.sources.package import load_source
from mapkit.sources.payoff_files import ReadOptions, read_payoff_file
from mapkit.sources.rules_file import read_rules
from mapkit.sources.workspace import open_workspace
from mapkit.variants.apply import Placed, apply_variants
from mapkit.variants.imports import with_charts
from mapkit.variants.shelf import Shelf

Progress = Callable[[str], None]
LARGEST_STEP = 10
"""Grids of payoff charts are finer, thousands."""


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
    progress: Progress = _quiet,
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
    progress: Progress = _quiet,
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


def build(  # noqa: PLR0913 - from what, where to, whatever the checks say
    name: str | Path,
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    out: str | Path | None = None,
    allow_errors: bool = False,
    progress: Progress = _quiet,
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
    workspace: str | Path | None = None,
    progress: Progress = _quiet,
) -> ExportedFiles:
    """Write a board in formats of other programs; all files or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        to: Names of formats (`mapkit formats` lists them), in one text with commas or several; `"all"` for all.
        out: The folder for the files. Of several formats each gets a folder of its name in it, beside
            `manifest.json`.
        variants: Variants to apply first, as for `load`.
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
    else:
        loaded = apply(board, variants, workspace=workspace) if variants else board
    progress("exporting")
    plan = plan_export(loaded, formats, ExportOptions())
    progress("writing")
    folder = Path(out)
    write_files(folder, plan.files)
    return ExportedFiles(loaded, folder, tuple(folder / name for name in sorted(plan.files)), plan.losses)


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


def diff_payoffs(  # noqa: PLR0913 - the charts, their board, and what speaks for a reading
    charts: Sequence[str | Path],
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
    geometry: Geometry | str | Path | None = None,
    sd: float | None = None,
    step: float = 0.5,
) -> PayoffDiff:
    """Return where payoff charts disagree, how they vote, which have a common source, and what geometry supports.

    Args:
        charts: Files or boards, as for `read_payoffs`, two or more.
        board: As for `read_payoffs`.
        workspace: As for `load`.
        options: What the user says of all files.
        geometry: A model of what pairs of cities should pay: `"board"` for the model that judges a chart by the
            board's track and the amounts on which most charts agree (`board` must be given), the file of a chart,
            such as a computed one, or a function.
        sd: Where `geometry` is a chart: how far off it is as a rule, thousands; told from the amounts by default.
        step: The grid of the amounts, thousands.

    Raises:
        MapkitError: There are fewer than two charts, or they have no cities in common.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
    """
    read = [read_payoffs(chart, board=board, workspace=workspace, options=options).chart for chart in charts]
    if geometry == "board":
        geometry = _board_geometry(board, workspace, step)
    elif isinstance(geometry, str | Path):
        geometry = FixedGeometry(read_payoffs(geometry, board=board, workspace=workspace, options=options).chart, sd)
    return diff_charts(named_apart(read), geometry=geometry)


def _board_geometry(board: str | Path | None, workspace: str | Path | None, step: float) -> Geometry:
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415 - scipy, and for this alone
    from mapkit.charts.payoff_geometry import DiagnosedGeometry  # noqa: PLC0415

    if board is None:
        raise MapkitError("the geometry of a board takes a board; say which: --board usa")
    loaded = load(board, workspace=workspace)
    return DiagnosedGeometry(board_distances(loaded, [city.id for city in loaded.cities]), step=step)


def has_track(board: str | Path, *, workspace: str | Path | None = None) -> bool:
    """Return whether a board, given as for `load`, has lines that distances can be measured along."""
    space = open_workspace(workspace)
    if str(board).endswith(".json"):
        return bool(load(board, workspace=workspace).segments)
    return any((space.board_folder(str(board)) / "lines").glob("*"))


def check_payoffs(  # noqa: PLR0913 - what it is judged by, and where the page goes
    chart: str | Path,
    *,
    board: str | Path | None = None,
    coordinates: str | Path | None = None,
    step: float = 0.5,
    html: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffDiagnosis:
    """Return which amounts of a payoff chart are likely wrong, how, and what should stand there.

    Every amount is judged by all others: with a board by its rail miles too, with coordinates by great-circle miles,
    with neither by the chart alone.

    Args:
        chart: A file or a board, as for `read_payoffs`.
        board: The board that the chart is of, as for `load`.
        coordinates: A CSV file with the columns city, lon, lat instead of a board.
        step: The grid of the amounts, thousands.
        html: A file in which to write a page: the matrix as a heat map of residuals, every cell with its route.
        workspace: As for `load`.
        options: What the user says of the file.

    Raises:
        MapkitError: Both a board and coordinates are given, or the chart is too small to judge.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
        OutputError: The page could not be written.
    """
    from mapkit.charts.payoff_distances import CityDistances, board_distances, great_circle  # noqa: PLC0415 - scipy
    from mapkit.checks.payoff_check import check_chart  # noqa: PLC0415

    if not 0 < step <= LARGEST_STEP:
        raise MapkitError(f"a grid of {step:g} thousand is none; give a step above 0, up to {LARGEST_STEP}")
    loaded: Board | None = None
    if coordinates is not None:
        from mapkit.sources.city_coordinates import read_city_coordinates  # noqa: PLC0415

        if board is not None:
            raise MapkitError("a board has coordinates of its own; give --board or --coordinates, not both")
        places = {p.city.id: p for p in read_city_coordinates(Path(coordinates), file=str(coordinates))}
        known = [place.city for place in places.values()]
        read = read_payoff_file(
            Path(chart), file=str(chart), board=str(coordinates), cities=known, options=options
        ).chart
        ground = great_circle([places[c].lon for c in read.cities], [places[c].lat for c in read.cities])
        distances: CityDistances | None = CityDistances(read.cities, ground)
        names = {place.city.id: place.city.name for place in places.values()}
    else:
        found = read_payoffs(chart, board=board, workspace=workspace, options=options)
        read, distances = found.chart, None
        names = {match.city: match.typed for match in reversed(found.names)}
        if board is not None:
            loaded = load(board, workspace=workspace)
            distances = board_distances(loaded, read.cities)
            names = {city.id: city.name for city in loaded.cities}
    judged = check_chart(read, distances=distances, names=names, step=step, board=None if loaded is None else loaded.id)
    if html is not None:
        from mapkit.render.payoff_page import render_payoff_page  # noqa: PLC0415

        page = Path(html)
        write_files(page.parent, {page.name: render_payoff_page(judged, board=loaded)})
    return judged


def repair_payoffs(  # noqa: PLR0913 - the chart, what is accepted, and where it goes
    chart: str | Path,
    *,
    board: str | Path,
    accept: Collection[str] = (),
    least: float | None = None,
    out: str | Path | None = None,
    step: float = 0.5,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
) -> PayoffRepairs:
    """Return accepted corrections of a payoff chart as a variant, each with its reason.

    Args:
        chart: A file or a board, as for `read_payoffs`.
        board: The board that the chart is of, as for `load`.
        accept: Ids of findings of `check_payoffs`, such as `P08:atlanta:casper`.
        least: Accept every finding with this score or more.
        out: The variant file to write; nowhere by default.
        step: The grid of the amounts, thousands.
        workspace: As for `load`.
        options: What the user says of the file.

    Raises:
        MapkitError: Nothing was accepted, or a finding named is none of the chart's.
        SourceError: As for `check_payoffs`; likewise UnknownNameError, WorkspaceError and OutputError.
    """
    from mapkit.checks.payoff_repairs import accepted_repairs  # noqa: PLC0415

    found = check_payoffs(chart, board=board, step=step, workspace=workspace, options=options)
    name = f"{found.board}-payoffs" if out is None else Path(out).stem
    repairs = accepted_repairs(found, board=str(board), name=name, accept=accept, least=least)
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: repairs.variant})
    return repairs


def compute_payoffs(  # noqa: PLR0913 - the model, what it is fitted to, and where the chart goes
    board: str | Path,
    *,
    model: ModelName | None = None,
    like: str | Path | None = None,
    calibrate: bool = False,
    step: float | None = None,
    out: str | Path | None = None,
    workspace: str | Path | None = None,
) -> ComputedPayoffs:
    """Return a payoff chart computed from a board's distances.

    The model is the one in `[payoffs]` of `board.toml`; if there is none, or `model`, `like` or `calibrate` is given,
    it is calibrated on a chart by robust regression.

    Args:
        board: As for `load`.
        model: Which distances a payoff is made of; those of `[payoffs]`, or rail miles, by default.
        like: The chart to calibrate on, a file or a board; the board's own by default.
        calibrate: Calibrate although `board.toml` has a model.
        step: The grid, thousands; that of the model, or half a thousand, by default.
        out: The CSV file to write, as `charts/payoffs.csv` is; nowhere by default.
        workspace: As for `load`.

    Raises:
        MapkitError: The chart is too small to calibrate on, or the board lacks distances that the model needs.
        SourceError: As for `load`; likewise UnknownNameError, WorkspaceError and OutputError.
    """
    from mapkit.charts import payoff_compute  # noqa: PLC0415 - scipy
    from mapkit.charts.payoff_diagnosis import one_reading  # noqa: PLC0415
    from mapkit.charts.payoff_distances import board_distances  # noqa: PLC0415

    own = _payoff_model(board, workspace)
    loaded = load(board, workspace=workspace)
    cities = loaded.payoffs.cities
    distances = board_distances(loaded, cities)
    if own is not None and model is None and like is None and not calibrate:
        chosen = own if step is None else own.model_copy(update={"step": step})
        found = payoff_compute.computed_chart(chosen, distances)
    else:
        typed = (
            board_read(loaded, name=str(board))
            if like is None
            else read_payoffs(like, board=board, workspace=workspace)
        )
        if like is None and own is not None and not (set(loaded.provenance.elements["payoffs"]) - _computed(loaded)):
            raise MapkitError(
                f"the chart of {board} is computed by its own [payoffs]; calibrating on it would give that again: "
                "give a chart to calibrate on, --like CHART"
            )
        fitted = payoff_compute.calibrate(
            one_reading(typed.chart.aligned(cities)),
            distances,
            model=model or (own.model if own else "rail"),
            step=step or (own.step if own else 0.5),
        )
        found = payoff_compute.computed_chart(fitted.model, distances, fitted)
    if out is not None:
        board_names = {city.id: city.name for city in loaded.cities}
        text = payoffs_table(found.cities, found.thousands, board_names)
        write_files(Path(out).parent, {Path(out).name: text})
    return found


def _computed(board: Board) -> set[str]:
    return {city for city, origin in board.provenance.elements["payoffs"].items() if origin.how == "computed"}


def _payoff_model(board: str | Path, workspace: str | Path | None) -> PayoffModel | None:
    """Return `[payoffs]` of a source package; a board file has none."""
    if str(board).endswith(".json"):
        return None
    folder = open_workspace(workspace).board_folder(str(board))
    return parse_config(read_text(folder / CONFIG_FILE, name=CONFIG_FILE)).payoffs


def rules(
    target: str | Path = "ah",
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    workspace: str | Path | None = None,
) -> Rules:
    """Return the rules of a preset, a rules file or a board, with options and single settings on top.

    Args:
        target: A preset (`"ah"`, `"ici"`, `"ah-faq"`), a rules file (`.toml`), or a board, as for `load`.
        options: Options to switch on, such as `"half-time"`, `"extra-cash=10000"`.
        settings: Dotted path -> value, such as `{"fees.own": 0}`.
        workspace: As for `load`.

    Raises:
        RulesError: An option or setting is unknown or wrong, or the combination contradicts itself.
        SourceError: The file or the board's `board.toml` is wrong.
        UnknownNameError: There is no such preset or board; likewise WorkspaceError.
    """
    base = _rules_of(str(target), workspace)
    on = tuple(options)
    return apply_rule_changes(base, settings, options_on=on) if on or settings else base


def _rules_of(target: str, workspace: str | Path | None) -> Rules:
    if target in PRESETS:
        return rules_preset(target)
    space = open_workspace(workspace)
    if target.endswith(".json"):
        return load(target, workspace=workspace).rules
    if target.endswith(".toml"):
        path = space.root / target
        if path.name != CONFIG_FILE:
            return read_rules(path, name=target)
        return parse_config(read_text(path, name=target)).rules
    try:
        folder = space.board_folder(target)
    except UnknownNameError as error:
        names = ", ".join(PRESETS)
        raise UnknownNameError(f"{error}; it is no preset of the rules either ({names})") from error
    return parse_config(read_text(folder / CONFIG_FILE, name=f"{target}/{CONFIG_FILE}")).rules


def compare_rules(a: str | Path, b: str | Path, *, workspace: str | Path | None = None) -> RulesDiff:
    """Return the settings in which two sets of rules differ, in words, by disagreement of the rule books.

    Args:
        a: A preset, rules file or board, as for `rules`.
        b: The other.
        workspace: As for `load`.

    Raises:
        MapkitError: As for `rules`.
    """
    one, other = rules(a, workspace=workspace), rules(b, workspace=workspace)
    return diff_rules(one, other, names=(str(a), str(b)))


def check_rules(target: str | Path, *, workspace: str | Path | None = None, progress: Progress = _quiet) -> RulesReport:
    """Return what is on in rules, what the sources leave open in them, and, of a board, what does not fit it.

    Args:
        target: As for `rules`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: As for `rules`; rules that contradict themselves are refused.
    """
    name = str(target)
    if name in PRESETS or name.endswith(".toml"):
        return rules_report(name, rules(name, workspace=workspace))
    board = load(name, workspace=workspace, progress=progress)
    progress("checking")
    return rules_report(name, board.rules, run_checks(board, checks=RULE_CHECKS).findings)


def rules_sheet(
    target: str | Path = "ah",
    *,
    options: Iterable[str] = (),
    settings: Mapping[str, object] | None = None,
    form: Literal["md", "html"] = "md",
    workspace: str | Path | None = None,
) -> str:
    """Return the rule sheet for the players at the table, for exactly the options chosen.

    Args:
        target: As for `rules`; a board gives its name, its currency and its groups.
        options: As for `rules`.
        settings: As for `rules`.
        form: Markdown, or one printable page of HTML (A4 or Letter).
        workspace: As for `load`.

    Raises:
        MapkitError: As for `rules`.
    """
    from mapkit.render.rule_sheet import rule_sheet  # noqa: PLC0415 - for this alone
    from mapkit.render.rule_sheet_page import sheet_html, sheet_markdown  # noqa: PLC0415

    name = str(target)
    chosen = rules(name, options=options, settings=settings, workspace=workspace)
    board = None if name in PRESETS or name.endswith(".toml") else load(name, workspace=workspace)
    sheet = rule_sheet(chosen, board=board)
    return sheet_html(sheet) if form == "html" else sheet_markdown(sheet)


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
