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
from mapkit.document.boards import make_board, new_board_folder, prepare_board
from mapkit.document.changes import difference
from mapkit.document.disk import align_ranks
from mapkit.document.frame_commands import rows_command
from mapkit.document.session import Session
from mapkit.document.workspace import Workspace, open_workspace
from mapkit.formats.lines.any_file import read_any
from mapkit.formats.lines.features import ImportOptions
from mapkit.formats.lines.filters import parse_bbox
from mapkit.geography.region import NamedRegion, parse_region
from mapkit.kinds.rail.drafting.corners import is_corner_list, parse_polygon
from mapkit.kinds.rail.drafting.draft import plan_board
from mapkit.kinds.rail.drafting.figures import Figures, measure_board
from mapkit.kinds.rail.drafting.finishing import finish_draft
from mapkit.kinds.rail.drafting.options import DraftAsked
from mapkit.kinds.rail.drafting.plan import Plan
from mapkit.kinds.rail.drafting.redraft import (
    AuthorChanges,
    describe_kept_changes,
    find_author_changes,
    is_empty,
    merge_author_changes,
    read_earlier_options,
)
from mapkit.kinds.rail.drafting.user_lines import UserLines, read_user_lines
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.package import PACKAGE
from mapkit.kinds.rail.reading.package import document_of

_REGION_OPTIONS: Final = frozenset({"region", "bbox", "polygon"})
"""Options that name a region together: one of them replaces all."""
_HALF_TURN: Final = 180.0
_FEWEST_RING_POINTS: Final = 4
"""Points of a ring at the least."""


@dataclass(frozen=True)
class Drafted:
    """Draft with its source package, its files, its assumptions and its figures."""

    folder: Path
    files: tuple[Path, ...]
    assumed: tuple[str, ...]
    figures: Figures

    def as_json(self) -> dict[str, object]:
        """Return the result as `--json` prints it."""
        files = [path.relative_to(self.folder).as_posix() for path in self.files]
        summary = {"board": self.folder.name, "folder": str(self.folder), "files": files, "assumed": self.assumed}
        return {**summary, "figures": self.figures.model_dump()}


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
        ChoiceError: The region cannot give what is asked, or a box or a corner is wrong.
        SourceError: A file is wrong.
        BoardError: No board without errors was found.
        OutputError: The files cannot be written; nothing is left of them.
    """
    opened_workspace = open_workspace(workspace)
    folder = new_board_folder(opened_workspace, name)
    files, board, plan = _make_files(name, asked, opened_workspace.root, progress)
    progress("writing")
    make_board(folder, name, files)
    written_paths = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    return Drafted(folder, written_paths, plan.assumed, measure_board(board))


def draft_again(
    name: str,
    changes: Mapping[str, object],
    *,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Drafted:
    """Draft a board of the workspace again as one undoable step; keep all that its author has changed.

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
    session = Session.open(prepare_board(space, name).folder, PACKAGE)
    folder = session.folder
    assert folder is not None  # noqa: S101 - it was opened from one
    was_saved = not session.unsaved
    document = session.document
    earlier_options = read_earlier_options(document)
    if earlier_options is None and not is_empty(document):
        raise ChoiceError(
            f"{name} was not drafted, or its board.toml has lost [extensions.draft], so a new draft could overwrite "
            "the author's work; draft a board of another name"
        )
    kept_options = earlier_options.model_dump() if earlier_options else {}
    if changes.keys() & _REGION_OPTIONS:
        kept_options = {key: value for key, value in kept_options.items() if key not in _REGION_OPTIONS}
    asked = DraftAsked.model_validate(kept_options | dict(changes))
    author_changes = AuthorChanges()
    if earlier_options is not None:
        progress("finding what you have changed")
        old_files, _, _ = _make_files(name, earlier_options, space.root, quiet)
        author_changes = find_author_changes(document_of(_decode_files(old_files)), document)
        asked = asked.model_copy(
            update={
                "include": tuple(dict.fromkeys((*asked.include, *author_changes.include))),
                "leave_out": tuple(dict.fromkeys((*asked.leave_out, *author_changes.leave_out))),
            }
        )
    files, board, plan = _make_files(name, asked, space.root, progress)
    merged_document = (
        merge_author_changes(document_of(_decode_files(files)), document, author_changes)
        if earlier_options is not None
        else document_of(_decode_files(files))
    )
    aligned_document = align_ranks(document, merged_document)
    progress("writing")
    patch = difference(document, aligned_document)
    if patch:
        session.do(rows_command(patch, f"Draft a board of {region_of(asked, space.root).name}"), client="mapkit draft")
        if was_saved:
            session.save()
    written_paths = tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
    unsaved_notes = (
        [f"not saved yet, for earlier steps are not: mapkit journal {name} --save"] if patch and not was_saved else []
    )
    return Drafted(
        folder,
        written_paths,
        (*plan.assumed, *describe_kept_changes(author_changes, document), *unsaved_notes),
        measure_board(board),
    )


def _decode_files(files: Mapping[str, bytes]) -> dict[str, str | bytes]:
    return {path: data.decode() for path, data in files.items()}


def _make_files(name: str, asked: DraftAsked, root: Path, progress: Progress) -> tuple[dict[str, bytes], Board, Plan]:
    """Return the files of a draft, its board and its plan."""
    asked.refuse_numbers()
    given = read_user_lines(Workspace(root).path(asked.lines), asked.lines) if asked.lines else None
    region = region_of(asked, root, given)
    command = " ".join(("mapkit draft", name, *asked.words()))
    title = name.replace("-", " ").title()
    plan = plan_board(asked, region, title=title, command=command, given=given, progress=progress)
    files, board = finish_draft(plan, name, progress)
    return files, board, plan


def region_of(asked: DraftAsked, root: Path, given: UserLines | None = None) -> NamedRegion:
    """Return the region of a draft.

    Args:
        asked: What is asked.
        root: Where the file of polygons is looked for.
        given: Lines, the surroundings of which are the region if nothing else is named.
    """
    bounds = _parse_box(asked.bbox) if asked.bbox else None
    area, area_name = None, ""
    if asked.polygon:
        lists_corners = is_corner_list(asked.polygon)
        area = (
            parse_polygon(asked.polygon)
            if lists_corners
            else _read_polygons(Workspace(root).path(asked.polygon), asked.polygon)
        )
        area_name = "the polygon" if lists_corners else f"the polygons of {asked.polygon}"
    if given is not None and not asked.region and bounds is None and area is None:
        area, area_name = given.area, f"the surroundings of {asked.lines}"
    return parse_region(asked.region, bounds=bounds, area=area, called=area_name)


def _parse_box(text: str) -> Area:
    """Return the box of a text; refuse one that spans most of the earth because its sides are swapped."""
    west, south, east, north = parse_bbox(text)
    if west > east and east - west + 2 * _HALF_TURN > _HALF_TURN:
        raise ChoiceError(
            f"--bbox {text!r}: from {west:g} eastward to {east:g} is {east - west + 2 * _HALF_TURN:g} degrees, across "
            f"longitude 180; write west before east: {east:g},{south:g},{west:g},{north:g}"
        )
    return west, south, east, north


def _read_polygons(path: Path, name: str) -> BaseGeometry:
    """Return the polygons of a file as one area, degrees."""
    layer = read_any(path, name=name, options=ImportOptions(rings=True, plain=True))
    if layer.crs is None:
        raise SourceError(
            f"{name}: its coordinates are not in degrees, as it is a drawing; give polygons as GeoJSON, "
            "GeoPackage, Shapefile or KML"
        )
    rings = [
        line for line in layer.lines if line.is_closed and len(line.coords) >= _FEWEST_RING_POINTS
    ]  # a ring may cross itself
    area = shapely.union_all([shapely.make_valid(shapely.Polygon(ring.coords)) for ring in rings])
    if area.is_empty:
        raise SourceError(f"{name}: no polygons; draw the region as an area")
    return area
