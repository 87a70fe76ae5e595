"""Tracing drawings, and placing pictures by control points."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.errors import OutputError, SpacingError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.toml_file import CONFIG_FILE
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.scan import read_scan
from mapkit.formats.toml_rows import row_of
from mapkit.kinds.rail.importing.older import load_drawn
from mapkit.kinds.rail.importing.pixel_drawings import drawn_files, pixel_drawings
from mapkit.kinds.rail.model.georeference import GeoreferenceReport, PictureModel
from mapkit.kinds.rail.model.stage import Stage, TraceReport
from mapkit.kinds.rail.render.georeference_svg import render_georeference
from mapkit.kinds.rail.sources.control_points import load_control_points
from mapkit.kinds.rail.sources.stage_file import read_stage, stage_bytes
from mapkit.kinds.rail.trace.georeferencing.coverage import coverage_warnings
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference as place
from mapkit.kinds.rail.trace.georeferencing.picture_plane import DEFAULT_PROJECTION
from mapkit.kinds.rail.trace.stages import run_stages


def trace(
    name: str | Path,
    *,
    until: Stage = "segment",
    start: str | Path | None = None,
    out: str | Path | None = None,
    many: bool = False,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> TraceReport:
    """Trace the drawings of a board up to a stage, and say what each stage changes; nothing is placed.

    Args:
        name: As for `load`, but no board file.
        until: `import`, `georeference`, `node`, `space` or `segment`.
        start: A file that an earlier stage wrote, to go on from instead of the drawings.
        out: Where to write what the last stage made, a GeoPackage (`.gpkg`); nowhere by default.
        many: Place more mileposts by rule than boards have (1,000).
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        SourceError: Something in the source package or the stage's file is wrong.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing.
        OutputError: `out` cannot be written.
    """
    if out is not None and Path(out).suffix.lower() != ".gpkg":
        raise OutputError(f"{out}: stages are written as GeoPackage; give a name that ends in .gpkg")
    space = open_workspace(workspace)
    progress("reading the sources")
    folder = space.board_folder(str(name))
    source = load_drawn(folder)
    begun = read_stage(Path(start), board=source.id, railroads=source.railroads) if start is not None else None
    try:
        traced = run_stages(source, until=until, start=begun, many=many, progress=progress)
    except SpacingError as error:
        row = row_of(read_text(folder / CONFIG_FILE, name=CONFIG_FILE), ["spacing", "gap_mi"])
        raise SpacingError(f"{CONFIG_FILE}:{row}: {error}") from error
    if out is not None:
        path = Path(out)
        write_files(path.parent, {path.name: stage_bytes(traced.data)})
    return traced.report


def georeference(
    target: str | Path,
    *,
    workspace: str | Path | None = None,
    model: PictureModel | None = None,
    projection: str | None = None,
    over: Sequence[str | Path] = (),
    svg: str | Path | None = None,
    scan: str | Path | None = None,
) -> GeoreferenceReport:
    """Return how well control points place a picture that lines were traced over.

    Args:
        target: A board whose source package holds `control_points.csv`, as for `load`, or such a file alone
            (its name ends in `.csv`).
        workspace: The folder that holds `sources/`; the current folder by default.
        model: `"affine"`, `"projective"` or `"tps"` (a thin-plate spline); by default the board's, or `"affine"`
            if the file belongs to no board.
        projection: The picture's projection by name, as PROJ string or `EPSG:n`; by default the board's, or an
            equal-area one centred on the points if the file belongs to no board.
        over: Drawings that the points place, whose size and extent are compared with them; by default those that the
            board has already.
        svg: A file in which to draw points, residual arrows and the warped grid.
        scan: The picture (PNG, JPEG, WebP) in whose pixels the points are; it is shown underneath.

    Returns:
        Residuals and leave-one-out errors in pixels and statute miles, the worst point, the drawings' sizes and
        extents, and warnings.

    Raises:
        SourceError: The control points are wrong or do not fix the model, model or projection are unknown, or a
            drawing or the scan cannot be read.
        UnknownNameError: There is no such board.
        WorkspaceError: A folder or file is missing.
        OutputError: The drawing could not be written.
    """
    space = open_workspace(workspace)
    path = Path(target) if str(target).lower().endswith(".csv") else space.board_folder(str(target))
    read = load_control_points(path)
    own = read.config
    placed = place(
        read.points,
        model=model or (own.tracing.georeference if own else "affine"),
        projection=projection or (own.projection if own else DEFAULT_PROJECTION),
    )
    drawings = pixel_drawings([Path(file) for file in over] if over else drawn_files(path))
    found = placed.report()
    found = found.model_copy(
        update={
            "drawings": tuple(drawing.extent for drawing in drawings),
            "warnings": (*found.warnings, *coverage_warnings(read.points, drawings)),
        }
    )
    if svg is not None:
        under = read_scan(Path(scan)) if scan is not None else None
        write_files(Path(svg).parent, {Path(svg).name: render_georeference(placed, under)})
    return found
