"""Placing scans of boards by the names in them."""

from pathlib import Path
from typing import Annotated

import numpy as np

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.core.outputs.filenames import is_there
from mapkit.core.plurals import count_noun
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.formats.pixels import read_pixels
from mapkit.formats.recognising.engine import require_recogniser
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.rail.model.scan_placing import ScanPlacing
from mapkit.kinds.rail.model.source import ControlPoint
from mapkit.kinds.rail.package import write_package
from mapkit.kinds.rail.scanning.colours import check_colour, guess_symbol_colours
from mapkit.kinds.rail.scanning.control_point_proposals import (
    FEWEST,
    ControlPointProposal,
    NamedSpot,
    find_places_of,
    propose_control_points,
)
from mapkit.kinds.rail.scanning.dots import find_clearest_symbols
from mapkit.kinds.rail.scanning.lettering import read_names
from mapkit.kinds.rail.sources.cities import load_cities
from mapkit.kinds.rail.sources.config import FILE as CONFIG
from mapkit.kinds.rail.sources.config import parse_config
from mapkit.kinds.rail.sources.table_files import CITIES, CONTROL_POINTS
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference
from mapkit.operations.options import Argument, Flag, Workspace


def place_scan(
    picture: Annotated[str | Path, Argument("", "PICTURE", "A scan of a board: PNG, JPEG, WebP or TIFF.")],
    *,
    board: Annotated[str | Path, Flag("-b", "BOARD", "The board that control_points.csv goes into.", reading="name")],
    symbols: Annotated[
        str | None, Flag("", "#RRGGBB", "What dots and squares are filled with; found by default.")
    ] = None,
    dry_run: Annotated[bool, Flag("", help="Only say what would be written.")] = False,
    overwrite: Annotated[bool, Flag("--replace", help="Write over control_points.csv.")] = False,
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> ScanPlacing:
    """Propose control points for a scan of a board from the names in it.

    Reads the names beside dots and squares, looks them up in cities.csv and the gazetteer, and keeps those that agree
    on where the picture lies. Writes up to 24 of them, spread over the picture, as control_points.csv, and says what
    each is off. Needs the scan reader (mapkit doctor).

    Raises:
        ChoiceError: The extra `scan` is not installed.
        SourceError: The picture cannot be read, or too few of its names agree on where it lies.
        WorkspaceError: A folder or file is missing; likewise UnknownNameError and OutputError.
    """
    require_recogniser(f"{Path(picture).name}: the text of a picture")
    space = open_workspace(workspace)
    folder = space.own_board_folder(str(board))
    path = Path(picture)
    if is_there(folder / CONTROL_POINTS) and not overwrite and not dry_run:
        raise SourceError(
            f"{CONTROL_POINTS} already exists; overwrite it with --replace, or see the proposal with --dry-run"
        )
    filled = (check_colour(symbols),) if symbols is not None else None
    config = parse_config(read_text(folder / CONFIG, name=CONFIG))
    progress("reading the picture")
    pixels = read_pixels(path)
    progress("finding dots and squares")
    found = find_clearest_symbols(pixels, filled or guess_symbol_colours(pixels))[1]
    read = read_names(pixels, found, progress=progress)
    progress("looking names up")
    cities = load_cities(folder, config)[0] if (folder / CITIES).exists() else {}
    own = {fold(name): city for city in cities.values() for name in (city.milepost_name, city.name)}
    gazetteer = load_gazetteer(config.gazetteer.countries)
    named = [
        NamedSpot(found[one.symbol].x, found[one.symbol].y, one.text, find_places_of(one.text, own, gazetteer))
        for one in read
    ]
    known = sum(len(one.places) > 0 for one in named)
    points = propose_control_points(named, float(np.hypot(*pixels.shape[:2])))
    if not points:
        raise SourceError(
            f"{path.name}: {count_noun(len(found), 'dot or square', 'dots and squares')}, "
            f"{count_noun(len(read), 'name')} beside them, {known} in the gazetteer of "
            f"{', '.join(config.gazetteer.countries)}, and fewer than {FEWEST} of these agree on where the picture "
            f"lies. Check [gazetteer] in {CONFIG}, or write {CONTROL_POINTS} by hand"
        )
    placed = georeference(_rows(points), model=config.tracing.georeference, projection=config.projection)
    written = ""
    if not dry_run:
        rows = ((f"{p.x:.1f}", f"{p.y:.1f}", f"{p.lon:.5f}", f"{p.lat:.5f}", p.name) for p in points)
        text = csv_text((("x", "y", "lon", "lat", "note"), *rows))
        write_package(folder, {CONTROL_POINTS: text}, label=f"Place {path.name}")
        written = CONTROL_POINTS
    return ScanPlacing(
        picture=path.name, symbols=len(found), names=len(read), known=known, placed=placed.report(), written=written
    )


def _rows(points: list[ControlPointProposal]) -> tuple[ControlPoint, ...]:
    return tuple(
        ControlPoint(row=row, name=p.name, x=p.x, y=p.y, lon=p.lon, lat=p.lat) for row, p in enumerate(points, 2)
    )
