"""Drafting boards."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area
from mapkit.core.errors import ChoiceError, SourceError
from mapkit.core.progress import Progress, quiet
from mapkit.document.boards import board_to_edit, free_folder, make_board
from mapkit.document.changes import difference
from mapkit.document.disk import aligned
from mapkit.document.frame_commands import rows_command
from mapkit.document.session import Session
from mapkit.document.workspace import open_workspace
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.filters import parse_bbox
from mapkit.geography.region import NamedRegion, name_region
from mapkit.kinds.rail.drafting.corners import are_corners, area_of
from mapkit.kinds.rail.drafting.draft import plan_board
from mapkit.kinds.rail.drafting.figures import Figures, figures_of
from mapkit.kinds.rail.drafting.finishing import finished
from mapkit.kinds.rail.drafting.options import DraftAsked
from mapkit.kinds.rail.drafting.plan import Plan
from mapkit.kinds.rail.drafting.redraft import Touched, asked_before, is_empty, kept_sentences, merged, touched
from mapkit.kinds.rail.drafting.user_lines import GivenLines, read_given
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.reading.package import document_of

_OF_REGION: Final = frozenset({"region", "bbox", "polygon"})
"""Options that name a region together: one of them replaces all."""
_HALF_TURN: Final = 180.0
_RING: Final = 4
"""Points of a ring at the least."""


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
    files, board, plan = _made(name, asked, space.root, progress)
    progress("writing")
    make_board(folder, name, files)
    written = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    return Drafted(folder, written, plan.assumed, figures_of(board))


def draft_again(
    name: str,
    changes: Mapping[str, object],
    *,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Drafted:
    """Draft a board of the workspace again, as one step that can be undone; what its author has touched stays.

    Args:
        name: The board, which was drafted, or has nothing on it yet.
        changes: What is to be asked for now, by the names of `DraftAsked`; the rest is as it was.
        workspace: As for `draft`.
        progress: Called with what is being done.

    Raises:
        ChoiceError: The board was not drafted; or as for `draft`.
        MapkitError: As for `draft`; or the board cannot be opened or saved.
    """
    space = open_workspace(workspace)
    session = Session.open(board_to_edit(space, name).folder, PACKAGE)
    folder = session.folder
    assert folder is not None  # noqa: S101 - it was opened from one
    clean = not session.unsaved
    document = session.document
    before = asked_before(document)
    if before is None and not is_empty(document):
        raise ChoiceError(
            f"{name} was not drafted, or [extensions.draft] is gone from its board.toml, so nobody knows what its "
            "author has made; draft a board of another name"
        )
    kept = before.model_dump() if before else {}
    if changes.keys() & _OF_REGION:
        kept = {key: value for key, value in kept.items() if key not in _OF_REGION}
    asked = DraftAsked.model_validate(kept | dict(changes))
    own = Touched()
    if before is not None:
        progress("finding what you have changed")
        old, _, _ = _made(name, before, space.root, quiet)
        own = touched(document_of(_texts(old)), document)
        asked = asked.model_copy(
            update={
                "include": tuple(dict.fromkeys((*asked.include, *own.include))),
                "leave_out": tuple(dict.fromkeys((*asked.leave_out, *own.leave_out))),
            }
        )
    files, board, plan = _made(name, asked, space.root, progress)
    after = merged(document_of(_texts(files)), document, own) if before is not None else document_of(_texts(files))
    now = aligned(document, after)
    progress("writing")
    patch = difference(document, now)
    if patch:
        session.do(rows_command(patch, f"Draft a board of {region_of(asked, space.root).name}"), client="mapkit draft")
        if clean:
            session.save()
    written = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    waits = [f"not saved yet, for earlier steps are not: mapkit journal {name} --save"] if patch and not clean else []
    return Drafted(folder, written, (*plan.assumed, *kept_sentences(own, document), *waits), figures_of(board))


def _texts(files: Mapping[str, bytes]) -> dict[str, str | bytes]:
    return {path: data.decode() for path, data in files.items()}


def _made(name: str, asked: DraftAsked, root: Path, progress: Progress) -> tuple[dict[str, bytes], Board, Plan]:
    """Return the files of a draft, its board and its plan."""
    asked.refuse_numbers()
    given = read_given(root / asked.lines, asked.lines) if asked.lines else None
    region = region_of(asked, root, given)
    command = " ".join(("mapkit draft", name, *asked.words()))
    title = name.replace("-", " ").capitalize()
    plan = plan_board(asked, region, title=title, command=command, given=given, progress=progress)
    files, board = finished(plan, name, progress)
    return files, board, plan


def region_of(asked: DraftAsked, root: Path, given: GivenLines | None = None) -> NamedRegion:
    """Return the region of a draft.

    Args:
        asked: What is asked.
        root: Where the file of polygons is looked for.
        given: Lines, the surroundings of which are the region if nothing else is named.
    """
    bounds = _box(asked.bbox) if asked.bbox else None
    area, called = None, ""
    if asked.polygon:
        written = are_corners(asked.polygon)
        area = area_of(asked.polygon) if written else _area(root / asked.polygon, asked.polygon)
        called = "the polygon" if written else f"the polygons of {asked.polygon}"
    if given is not None and not asked.region and bounds is None and area is None:
        area, called = given.area, f"the surroundings of {asked.lines}"
    return name_region(asked.region, bounds=bounds, area=area, called=called)


def _box(text: str) -> Area:
    """Return the box of a text; one that would go most of the way around the earth was meant the other way around."""
    west, south, east, north = parse_bbox(text)
    if west > east and east - west + 2 * _HALF_TURN > _HALF_TURN:
        raise SourceError(
            f"--bbox {text!r}: from {west:g} eastward to {east:g} is {east - west + 2 * _HALF_TURN:g} degrees, across "
            f"longitude 180; write west before east: {east:g},{south:g},{west:g},{north:g}"
        )
    return west, south, east, north


def _area(path: Path, name: str) -> BaseGeometry:
    """Return the polygons of a file as one area, degrees."""
    layer = read_any(path, name=name, options=ImportOptions(rings=True, plain=True))
    if layer.crs is None:
        raise SourceError(f"{name}: a drawing has no degrees; give polygons as GeoJSON, GeoPackage, Shapefile or KML")
    rings = [line for line in layer.lines if line.is_closed and len(line.coords) >= _RING]  # a ring may cross itself
    area = shapely.union_all([shapely.make_valid(shapely.Polygon(ring.coords)) for ring in rings])
    if area.is_empty:
        raise SourceError(f"{name}: no polygons; draw the region as an area")
    return area
