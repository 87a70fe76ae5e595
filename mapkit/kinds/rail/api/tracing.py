"""Tracing drawings, and placing pictures by control points."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, OutputError, SourceError, SpacingError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.scan import read_scan
from mapkit.formats.toml_rows import find_row
from mapkit.kinds.rail.importing.earlier_packages import load_drawn
from mapkit.kinds.rail.importing.pixel_drawings import drawn_files, pixel_drawings
from mapkit.kinds.rail.model.georeference import GeoreferenceReport, PictureModel
from mapkit.kinds.rail.model.stage import STAGES, TraceReport
from mapkit.kinds.rail.render.georeference_svg import render_georeference
from mapkit.kinds.rail.sources.control_points import load_control_points
from mapkit.kinds.rail.sources.stage_file import read_stage, stage_bytes
from mapkit.kinds.rail.trace.georeferencing.coverage import check_coverage
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference as place
from mapkit.kinds.rail.trace.georeferencing.picture_plane import DEFAULT_PROJECTION
from mapkit.kinds.rail.trace.stages import run_stages
from mapkit.operations.options import Argument, BoardName, Flag, ManyMileposts, Output, Workspace


def trace(
    board: BoardName,
    *,
    until: Annotated[str, Flag("-u", "import|georeference|node|space|segment")] = "segment",
    start: Annotated[str | Path | None, Flag("--from", "FILE")] = None,
    out: Annotated[str | Path | None, Output("-o", "FILE.gpkg")] = None,
    many: ManyMileposts = False,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> TraceReport:
    """Trace a board, and say what each stage changed.

    import reads the files, georeference places pixels, node joins lines, space places mileposts by rule, segment makes
    the network. Prints lines, vertices, miles, mileposts, and how often it made each kind of join and repair.

    Args:
        board: As for `load`, but no board file. Nothing is placed.
        until: The last stage to run.
        start: Continue from this stage's file, perhaps edited in QGIS.
        out: Write what the last stage made, for QGIS and --from.

    Raises:
        SourceError: Something in the source package or the stage's file is wrong.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing.
        OutputError: `out` cannot be written.
    """
    last = next((stage for stage in STAGES if stage == until), None)
    if last is None:
        raise SourceError(f"no stage {until!r}{did_you_mean(until, STAGES)}; stages are {', '.join(STAGES)}")
    if out is not None and Path(out).suffix.lower() != ".gpkg":
        raise OutputError(f"{out}: stages are written as GeoPackage; give a name that ends in .gpkg")
    space = open_workspace(workspace)
    progress("reading the sources")
    folder = space.board_folder(str(board))
    source = load_drawn(folder)
    begun = read_stage(Path(start), board=source.id, railroads=source.railroads) if start is not None else None
    try:
        traced = run_stages(source, until=last, start=begun, many=many, progress=progress)
    except SpacingError as error:
        row = find_row(read_text(folder / CONFIG_FILE, name=CONFIG_FILE), ["spacing", "gap_mi"])
        raise SpacingError(f"{CONFIG_FILE}:{row}: {error}") from error
    if out is not None:
        path = Path(out)
        write_files(path.parent, {path.name: stage_bytes(traced.data)})
    return traced.report


def georeference(
    board: Annotated[
        str | Path,
        Argument("", "BOARD|CSV", "A board with control_points.csv, or such a file alone (.csv).", reading="name"),
    ],
    *,
    model: Annotated[PictureModel | None, Flag("-m", "affine|projective|tps")] = None,
    projection: Annotated[str | None, Flag("-p", "NAME|PROJ|EPSG:n")] = None,
    over: Annotated[Sequence[str | Path], Flag("", "FILE")] = (),
    svg: Annotated[str | Path | None, Output("--svg", "FILE")] = None,
    scan: Annotated[str | Path | None, Flag("", "FILE")] = None,
    workspace: Workspace = None,
) -> GeoreferenceReport:
    """Report how well control points place a traced picture.

    Prints residuals in pixels and miles, the error at each point when it is left out, the worst point, the size and
    extent of each drawing, and warnings, such as a spline that bends to fit one bad point, or a point off the drawing.

    Args:
        model: The board's, or affine, by default.
        projection: The picture's; the board's by default.
        over: A drawing that the points place: its size and extent are compared with them. Repeatable; the board's
            drawings by default.
        svg: Draw the points, residual arrows and the warped grid.
        scan: With --svg: show the scan in whose pixels the points are underneath.

    Raises:
        ChoiceError: A scan is named without a picture to show it in.
        SourceError: The control points are wrong or do not fix the model, model or projection are unknown, or a
            drawing or the scan cannot be read.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing.
        OutputError: The drawing could not be written.
    """
    if scan is not None and svg is None:
        raise ChoiceError("--scan adds the scan to the drawing of --svg; give --svg FILE too")
    space = open_workspace(workspace)
    path = Path(board) if str(board).lower().endswith(".csv") else space.board_folder(str(board))
    read = load_control_points(path)
    own = read.config
    placed = place(
        read.points,
        model=model or (own.tracing.georeference if own else "affine"),
        projection=projection or ((own.tracing.projection or own.projection) if own else DEFAULT_PROJECTION),
    )
    drawings = pixel_drawings([Path(file) for file in over] if over else drawn_files(path))
    found = placed.report()
    found = found.model_copy(
        update={
            "drawings": tuple(drawing.extent for drawing in drawings),
            "warnings": (*found.warnings, *check_coverage(read.points, drawings)),
        }
    )
    if svg is not None:
        under = read_scan(Path(scan)) if scan is not None else None
        write_files(Path(svg).parent, {Path(svg).name: render_georeference(placed, under)})
    return found
