"""Drafting boards."""

from dataclasses import dataclass
from pathlib import Path

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.errors import SourceError
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import free_folder, make_board
from mapkit.document.workspace import open_workspace
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.filters import parse_bbox
from mapkit.geography.region import NamedRegion, name_region
from mapkit.kinds.rail.drafting.asked import DraftAsked
from mapkit.kinds.rail.drafting.draft import plan_board
from mapkit.kinds.rail.drafting.figures import Figures, figures_of
from mapkit.kinds.rail.drafting.finishing import finished
from mapkit.kinds.rail.drafting.given import GivenLines, read_given


@dataclass(frozen=True)
class Drafted:
    """A draft: its source package, its files, what was assumed, and what the board is like in figures."""

    folder: Path
    files: tuple[Path, ...]
    assumed: tuple[str, ...]
    figures: Figures


def draft(name: str, asked: DraftAsked, *, workspace: str | Path | None = None, progress: Progress = quiet) -> Drafted:
    """Draft a board of a region of the earth: a source package in `sources/NAME` that builds as it is.

    Cities, track, railroads, regions, charts and prices are made up from the gazetteer and the base map. The same
    arguments give the same files.

    Args:
        name: The board's id: letters, digits, hyphens.
        asked: The region, how many cities and railroads, and the seed.
        workspace: The folder that holds `sources/`; the current folder by default.
        progress: Called with what is being done.

    Raises:
        WorkspaceError: The name cannot be used, or is taken.
        UnknownNameError: Nobody knows the region.
        ChoiceError: The region cannot give what is asked; likewise SourceError for a box or a file.
        BoardError: No board without errors was found.
        OutputError: The files cannot be written; nothing is left of them.
    """
    space = open_workspace(workspace)
    folder = free_folder(space, name)
    asked.refuse_numbers()
    given = read_given(space.root / asked.lines, asked.lines) if asked.lines else None
    region = region_of(asked, space.root, given)
    command = " ".join(("mapkit draft", name, *asked.words()))
    title = name.replace("-", " ").capitalize()
    plan = plan_board(asked, region, title=title, command=command, given=given, progress=progress)
    files, board = finished(plan, name, progress)
    progress("writing")
    make_board(folder, name, files)
    written = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    return Drafted(folder, written, plan.assumed, figures_of(board))


def region_of(asked: DraftAsked, root: Path, given: GivenLines | None = None) -> NamedRegion:
    """Return the region of a draft.

    Args:
        asked: What is asked.
        root: Where the file of polygons is looked for.
        given: Lines, the surroundings of which are the region if nothing else is named.
    """
    bounds = parse_bbox(asked.bbox) if asked.bbox else None
    area = _area(root / asked.polygon, asked.polygon) if asked.polygon else None
    if given is not None and not asked.region and bounds is None and area is None:
        area = given.area
    return name_region(asked.region, bounds=bounds, area=area)


def _area(path: Path, name: str) -> BaseGeometry:
    """Return the polygons of a file as one area, degrees."""
    layer = read_any(path, name=name, options=ImportOptions(rings=True, plain=True))
    if layer.crs is None:
        raise SourceError(f"{name}: a drawing has no degrees; give polygons as GeoJSON, GeoPackage, Shapefile or KML")
    rings = [line for line in layer.lines if line.is_ring]
    area = shapely.union_all([shapely.make_valid(shapely.Polygon(ring.coords)) for ring in rings])
    if area.is_empty:
        raise SourceError(f"{name}: no polygons; draw the region as an area")
    return area
