"""Routes for drafting the open board: `mapkit draft --again` on a copy, then one step with the result."""

import asyncio
import shutil
from pathlib import Path
from typing import Final

import numpy as np
import shapely
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mapkit.console.jobs import Jobs, option_words
from mapkit.core.base import Frozen
from mapkit.geography.basemap import Geometries, Level, load_layer
from mapkit.kinds.queries import OpenBoard, QueryError
from mapkit.kinds.rail.drafting.corners import is_corner_list
from mapkit.kinds.rail.drafting.options import MOST_CITIES, MOST_RAILROADS, DraftAsked
from mapkit.kinds.rail.drafting.redraft import is_empty, read_earlier_options
from mapkit.kinds.rail.queries.versions import workspace_of
from mapkit.kinds.rail.serving.copies import CopyJobs, StepTaken
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.responses import model_response
from mapkit.kinds.uploads import read_body

# Small map of the world for choosing the region of a draft, as fine as it is shown.

_SEEN: Final = 1000
"""Points across the map that can be told apart."""
_LEVELS: Final[tuple[tuple[float, Level], ...]] = ((150.0, "110m"), (40.0, "50m"), (0.0, "10m"))
"""Degrees across from which a level is fine enough."""
_AROUND: Final = 0.5
"""Of the width, more on each side, so that the map can be moved before the rest of it is there."""
_SPECK: Final = 6.0
"""Square points of land that are left out."""


class SmallMap(Frozen):
    """A part of the world as paths of an SVG: degrees, y downward."""

    land: str
    lakes: str
    borders: str


def small_map(west: float, north: float, width: float, height: float) -> SmallMap:
    """Return the map of a part of the world, and of some land around it.

    Args:
        west: Its left side, degrees.
        north: Its upper side, degrees.
        width: How much it shows, degrees of longitude.
        height: The same, degrees of latitude.
    """
    level = next(level for least, level in _LEVELS if width >= least)
    window = (
        west - _AROUND * width,
        north - height * (1 + _AROUND),
        west + width * (1 + _AROUND),
        north + _AROUND * height,
    )
    point = width / _SEEN
    borders = load_layer("countries", level)
    return SmallMap(
        land=_areas(load_layer("land", level).near(window), window, point),
        lakes=_areas(load_layer("lakes", level).near(window), window, point),
        borders=_path(_clipped(borders.near(window)[~borders.over_water], window), point, end=""),
    )


def asked_map(asked: dict[str, str]) -> SmallMap:
    """Return the map that a page asks for.

    Args:
        asked: The parameters of its address: those of `small_map`.

    Raises:
        QueryError: They are no part of the world.
    """
    try:
        west, north, width, height = (float(asked[name][:30]) for name in ("west", "north", "width", "height"))
    except (KeyError, ValueError) as error:
        raise QueryError("a map takes west, north, width and height in degrees") from error
    if not (0 < width <= 360 and 0 < height <= 180 and abs(west) <= 180 and abs(north) <= 90):  # noqa: PLR2004 - the earth
        raise QueryError("a map takes west, north, width and height in degrees, of a part of the world")
    return small_map(west, north, width, height)


def _areas(shapes: Geometries, window: tuple[float, float, float, float], point: float) -> str:
    parts = shapely.get_parts(_clipped(shapes, window))
    parts = parts[shapely.area(parts) >= _SPECK * point**2]
    rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    return _path(np.array(rings, dtype=object), point, end="Z")


def _clipped(shapes: Geometries, window: tuple[float, float, float, float]) -> Geometries:
    clipped: Geometries = shapely.clip_by_rect(shapes, *window)
    return clipped


def _path(lines: Geometries, point: float, *, end: str) -> str:
    """Return lines as a path, to a point of the map."""
    places = max(0, int(np.ceil(-np.log10(point))))
    drawn = []
    for line in shapely.get_parts(shapely.simplify(lines, point)):
        if line.is_empty:
            continue
        points = np.round(shapely.get_coordinates(line) * (1, -1), places)
        drawn.append("M" + "L".join(f"{x:g},{y:g}" for x, y in points.tolist()) + end)
    return "".join(drawn)


SORT: Final = "draft"
_SEEDS: Final = 2**53
"""A page cannot tell larger numbers apart."""


class BoardDraft(Frozen):
    """Region and options of a draft.

    A box is `WEST,SOUTH,EAST,NORTH` in degrees, a polygon its corners, `lon,lat lon,lat lon,lat`, or the file that the
    board was drafted with.
    """

    region: str = Field(default="", max_length=500)
    bbox: str = Field(default="", max_length=100)
    polygon: str = Field(default="", max_length=8000)
    cities: int = Field(default=36, ge=3, le=MOST_CITIES)
    railroads: int | None = Field(default=None, ge=1, le=MOST_RAILROADS)
    seed: int = Field(default=1, ge=0, lt=_SEEDS)

    def command(self, board: str, folder: Path) -> list[str]:
        """Return the arguments of `mapkit`."""
        return ["draft", board, "--again", *option_words(workspace=folder, json=True, **self.model_dump())]


class DraftReady(Frozen):
    """Data for the page before it requests a draft.

    `before` is how the board was drafted last, if it was; `empty` says that nothing is on it. A board that is neither
    is not drafted over.
    """

    before: BoardDraft | None
    empty: bool


def draft_routes(board: OpenBoard, jobs: Jobs) -> list[Route]:
    """Return the routes of drafting the open board.

    Args:
        board: The open board.
        jobs: Its jobs; who makes them closes them.
    """
    drafts = CopyJobs(board, jobs, SORT)

    async def ready(_: Request) -> Response:
        return model_response(await asyncio.to_thread(_ready, board.asked().document))

    async def start(request: Request) -> Response:
        wanted = await read_body(request, BoardDraft)
        if drafts.is_busy:
            raise QueryError("a draft is being made; stop it first, or wait until it is done")
        asked, name = board.asked(), board.session.board
        before = read_earlier_options(asked.document)
        _refuse_other_files(wanted, before)

        def prepare(folder: Path) -> None:
            named = (before.lines, before.polygon) if before else ()
            for file in [file for file in named if file and not is_corner_list(file)]:
                there = workspace_of(asked.folder).root / file
                if there.is_file() and not Path(file).is_absolute() and ".." not in Path(file).parts:
                    (folder / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(there, folder / file)

        job = drafts.start(lambda folder: wanted.command(name, folder), printed="draft.json", prepare=prepare)
        return model_response(job.progress(), 201)

    async def take(request: Request) -> Response:
        label = await asyncio.to_thread(drafts.take, request.path_params["id"], "Draft the board")
        return model_response(StepTaken(label=label))

    return [
        Route("/api/drafts", ready, methods=["GET"]),
        Route("/api/drafts/map", _map, methods=["GET"]),
        Route("/api/drafts", start, methods=["POST"]),
        Route("/api/drafts/{id}/take", take, methods=["POST"]),
    ]


async def _map(request: Request) -> Response:
    return model_response(await asyncio.to_thread(asked_map, dict(request.query_params)))


def _refuse_other_files(wanted: BoardDraft, last: DraftAsked | None) -> None:
    """Refuse a file of polygons that the board was not drafted with: a page names none."""
    if wanted.polygon and not is_corner_list(wanted.polygon) and (last is None or last.polygon != wanted.polygon):
        raise QueryError("polygon: write corners, lon,lat lon,lat lon,lat; of a file: mapkit draft --polygon FILE")


def _ready(document: RailDocument) -> DraftReady:
    before = read_earlier_options(document)
    said = before and BoardDraft(
        region=before.region,
        bbox=before.bbox,
        polygon=before.polygon,
        cities=before.cities,
        railroads=before.railroads,
        seed=min(before.seed, _SEEDS - 1),
    )
    return DraftReady(before=said, empty=is_empty(document))
