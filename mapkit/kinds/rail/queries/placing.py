"""Placement of a background picture by its control points, and the names of its dots and squares."""

import re
from typing import Any, Final, Literal

import numpy as np
from pydantic import Field

from mapkit.core.base import Frozen, Point
from mapkit.core.errors import MapkitError
from mapkit.core.plurals import count_noun
from mapkit.document.document import sort_rows
from mapkit.geography.gazetteer import load_gazetteer
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.compiler.frame import Frame as PageFrame
from mapkit.kinds.rail.editing.place_names import finder_of
from mapkit.kinds.rail.model.source import LAST_PIXEL, ControlPoint
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.scanning.naming import find_placed_names, make_numbered_names
from mapkit.kinds.rail.scanning.symbols import Symbol
from mapkit.kinds.rail.tables import ControlPoint as Row
from mapkit.kinds.rail.tables import RailDocument
from mapkit.kinds.rail.trace.georeferencing.georeference import georeference
from mapkit.kinds.rail.trace.georeferencing.plane_maps import (
    NEEDS,
    Array,
    DegenerateError,
    Homography,
    MapFit,
    Model,
    Scaling,
    Spline,
    fit_map,
)

MAX_POINTS = 1000
MOST_DOTS = 20_000
_PAIR = 2

Triple = tuple[float, float, float]
Used = Model | Literal["page", "shift", "similar"]
_FEW: Final[tuple[Used, ...]] = ("page", "shift", "similar")
_ROW = re.compile(r"^control_points\.csv:\d+: ")


class DraftPoint(Frozen):
    """A control point as it would be: a pixel, and millimetres on the page."""

    key: str = Field(description="The point that it replaces; any other key adds one")
    x: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    y: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    at: Point


class ProposedPoint(Frozen):
    """A control point that is proposed: a pixel, and degrees (EPSG:4326)."""

    key: str
    name: str = ""
    x: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    y: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    lon: float = Field(ge=-180, le=180)
    lat: float = Field(ge=-90, le=90)


class PlacePicture(Frozen):
    """A picture in pixels, the kind of map, points as they would be while one is dragged, and those proposed.

    With `alone` the proposed points stand in place of the board's own.
    """

    model: Model = "affine"
    width: float = Field(gt=0)
    height: float = Field(gt=0)
    drafts: tuple[DraftPoint, ...] = Field(default=(), max_length=MAX_POINTS)
    proposed: tuple[ProposedPoint, ...] = Field(default=(), max_length=MAX_POINTS)
    alone: bool = False


class PlacedPoint(Frozen):
    """A control point: its pixel, where on the page it should be, and how far from there it comes to lie.

    `off` is how far the map misses it, `left_out` how far one of the other points alone would; millimetres.
    """

    key: str
    name: str
    x: float
    y: float
    page: Point
    off: float | None
    left_out: float | None


class MatrixMap(Frozen):
    """A map of pixels to millimetres, 3 x 3."""

    matrix: tuple[Triple, Triple, Triple]


class SplineMap(Frozen):
    """A spline that maps pixels to millimetres, in frames `[middle x, middle y, spread]`."""

    pixels: Triple
    page: Triple
    centres: tuple[Point, ...]
    affine: tuple[Point, Point, Point]
    bends: tuple[Point, ...]


class PicturePlaced(QueryResult):
    """How pixels become page millimetres, and the control points in order.

    `used` is the kind of map that so few points allow: `page` fills the page, `shift`, `similar`, or one of the
    models. `rms` is what all points are off, millimetres; `worst` is the key of the point that fits the others least.
    """

    used: Used
    problem: str
    map: MatrixMap | SplineMap
    rms: float | None
    worst: str | None
    warnings: tuple[str, ...]
    points: tuple[PlacedPoint, ...]


@question("place-picture", PlacePicture, PicturePlaced)
def place_picture(ask: PlacePicture, asked: Asked) -> PicturePlaced:
    """Return the map from pixels to page millimetres, and the residuals of control points."""
    points = _points(asked.document, asked.live.frame, ask)
    pixels = np.array([(x, y) for _, _, (x, y), _ in points]).reshape(-1, 2)
    page = np.array([at for _, _, _, at in points]).reshape(-1, 2)
    used, problem = _possible(ask.model, len(points)), ""
    fitted: MapFit | None = None
    frames = (Scaling.around(pixels), Scaling.around(page)) if len(points) > 1 else None
    if frames is not None and used in NEEDS:
        try:
            fitted = fit_map(used, frames[0].to_unit(pixels), frames[1].to_unit(page))
        except (DegenerateError, np.linalg.LinAlgError) as error:
            used, problem = "similar", f"the control points do not fix the picture: {error}; move one or add some"
    if frames is None or fitted is None:
        whole = asked.live.frame.page
        matrix = _plain_matrix(pixels, page, (ask.width, ask.height), (whole.width, whole.height))
        off = Homography(matrix).forward(pixels) - page if len(points) else page
        left_out = np.full_like(off, np.nan)
        weighed = np.zeros(len(points))
        fitted_map: MatrixMap | SplineMap = MatrixMap(matrix=matrix.tolist())
    else:
        off = frames[1].from_unit(fitted.map.forward(frames[0].to_unit(pixels))) - page
        left_out = fitted.leave_one_out * frames[1].spread
        weighed = fitted.weighed
        fitted_map = _map(fitted, *frames)
    spare = len(points) > NEEDS["affine" if used == "tps" else used] + 1 if used in NEEDS else False
    worst = int(weighed.argmax()) if spare and weighed.max() > np.finfo(float).eps ** 0.5 else None
    return PicturePlaced(
        used=used,
        problem=problem,
        map=fitted_map,
        rms=_size(off) if len(points) else None,
        worst=None if worst is None else points[worst][0],
        warnings=() if ask.drafts else tuple(_outside(pixels, ask) + _warnings(asked, ask, used)),
        points=tuple(
            PlacedPoint(
                key=key,
                name=name,
                x=x,
                y=y,
                page=(round(at[0], 2), round(at[1], 2)),
                off=_size(off[k : k + 1]),
                left_out=_size(left_out[k : k + 1]),
            )
            for k, (key, name, (x, y), at) in enumerate(points)
        ),
    )


def known_points(document: RailDocument) -> list[ControlPoint]:
    """Return the control points with known places, numbered as the rows of their file."""
    finder = finder_of(document)
    out = []
    for number, (_, row) in enumerate(sort_rows(document.control_points), start=2):
        degrees = _degrees(row, finder.find)
        if degrees is not None:
            lon, lat = degrees
            out.append(ControlPoint(row=number, name=row.city or row.note, x=row.x, y=row.y, lon=lon, lat=lat))
    return out


def _points(document: RailDocument, frame: PageFrame, ask: PlacePicture) -> list[tuple[str, str, Point, Point]]:
    """Return key, name, pixel and place on the page of every control point that can be found."""
    replaced = {draft.key: draft for draft in ask.drafts}
    finder = finder_of(document)
    out: list[tuple[str, str, Point, Point]] = []
    for key, row in sort_rows(document.control_points) if not ask.alone else ():
        draft = replaced.pop(key, None)
        if draft is not None:
            out.append((key, row.city or row.note, (draft.x, draft.y), draft.at))
            continue
        degrees = _degrees(row, finder.find)
        if degrees is not None:
            out.append((key, row.city or row.note, (row.x, row.y), frame.to_page([degrees])[0]))
    out += [(one.key, one.name, (one.x, one.y), frame.to_page([(one.lon, one.lat)])[0]) for one in ask.proposed]
    return [*out, *((draft.key, "", (draft.x, draft.y), draft.at) for draft in replaced.values())]


def _degrees(row: Row, find: Any) -> Point | None:  # noqa: ANN401 - a bound method
    if row.lon is not None and row.lat is not None:
        return row.lon, row.lat
    try:
        _, lon, lat = find(row.city)
    except MapkitError:
        return None
    return lon, lat


def _possible(model: Model, count: int) -> Used:
    """Return the best kind of map that so many points allow."""
    if count >= NEEDS[model]:
        return model
    if count >= NEEDS["affine"]:
        return "affine"
    return _FEW[count]


def _plain_matrix(pixels: Array, page: Array, size: tuple[float, float], whole: tuple[float, float]) -> Array:
    """Return the matrix that shifts, turns and scales by the first and last point, or fills the page."""
    scale = min(whole[0] / size[0], whole[1] / size[1])
    matrix = np.diag([scale, scale, 1.0])
    matrix[:2, 2] = [(whole[k] - scale * size[k]) / 2 for k in (0, 1)]
    if len(pixels) >= _PAIR:
        was, now = (complex(*(at[-1] - at[0])) for at in (pixels, page))
        if abs(was) > 0 and abs(now) > 0:
            turn = now / was
            matrix[:2, :2] = [[turn.real, -turn.imag], [turn.imag, turn.real]]
    if len(pixels):
        matrix[:2, 2] = page[0] - matrix[:2, :2] @ pixels[0]
    return matrix


def _map(fitted: MapFit, pixels: Scaling, page: Scaling) -> MatrixMap | SplineMap:
    found = fitted.map
    if isinstance(found, Homography):
        to_unit = np.diag([1 / pixels.spread] * 2 + [1.0])
        to_unit[:2, 2] = -pixels.middle / pixels.spread
        from_unit = np.diag([page.spread] * 2 + [1.0])
        from_unit[:2, 2] = page.middle
        whole = from_unit @ found.matrix @ to_unit
        return MatrixMap(matrix=(whole / whole[2, 2]).tolist())
    if not isinstance(found, Spline):
        raise TypeError(f"a map of {type(found).__name__}")
    return SplineMap(
        pixels=(*pixels.middle.tolist(), pixels.spread),
        page=(*page.middle.tolist(), page.spread),
        centres=found.centres.tolist(),
        affine=found.affine.tolist(),
        bends=found.bends.tolist(),
    )


def _size(off: Array) -> float | None:
    known = off[np.isfinite(off).all(axis=1)]
    return round(float(np.sqrt((known**2).sum(axis=1).mean())), 2) + 0.0 if len(known) else None


def _outside(pixels: Array, ask: PlacePicture) -> list[str]:
    """Say how many points lie outside the picture, as those of another one do."""
    count = int(((pixels < 0) | (pixels > (ask.width, ask.height))).any(axis=1).sum())
    if not count:
        return []
    points, lie = count_noun(len(pixels), "control point"), "lies" if count == 1 else "lie"
    size = f"{ask.width:g} x {ask.height:g} pixels"
    return [f"{count} of {points} {lie} outside this picture of {size}: they may be of another one; add that one"]


def _warnings(asked: Asked, ask: PlacePicture, used: str) -> list[str]:
    """Return the warnings of `mapkit scan points`."""
    if used not in NEEDS:
        return []
    points = [] if ask.alone else known_points(asked.document)
    points += [
        ControlPoint(row=number, name=p.name, x=p.x, y=p.y, lon=p.lon, lat=p.lat)
        for number, p in enumerate(ask.proposed, start=len(points) + 2)
    ]
    try:
        placed = georeference(points, model=used, projection=asked.live.frame.projection.crs)
        return [_ROW.sub("", warning.message) for warning in placed.report().warnings]
    except MapkitError as error:
        return [str(error)]


class DotInPicture(Frozen):
    """A dot or a square: its middle and width in pixels of the picture."""

    kind: Literal["dot", "square"]
    x: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    y: float = Field(ge=-LAST_PIXEL, le=LAST_PIXEL)
    width: float = Field(gt=0, le=LAST_PIXEL)


class DotsToName(Frozen):
    """Dots and squares of the picture that the control points are of, and the kind of map."""

    model: Model = "affine"
    dots: tuple[DotInPicture, ...] = Field(max_length=MOST_DOTS)


class DotsNamed(QueryResult):
    """A name for each of the dots and squares in their order, empty where there is none; whether a map places them."""

    placed: bool
    names: tuple[str, ...]


@question("name-dots", DotsToName, DotsNamed)
def name_dots(ask: DotsToName, asked: Asked) -> DotsNamed:
    """Return names of cities for squares, and of places of the gazetteer for dots."""
    points = known_points(asked.document)
    model = ask.model if len(points) >= NEEDS[ask.model] else "affine"
    nameless = DotsNamed(placed=False, names=("",) * len(ask.dots))
    if len(points) < NEEDS[model]:
        return nameless
    try:
        placed = georeference(points, model=model, projection=asked.live.frame.projection.crs)
    except MapkitError:  # the panel of the picture says why
        return nameless
    symbols = [Symbol(dot.kind, dot.x, dot.y, dot.width / 2, 1.0) for dot in ask.dots]
    gazetteer = load_gazetteer(tuple(asked.live.settings.config.gazetteer.countries))
    named = find_placed_names(symbols, placed, [city for _, city in sort_rows(asked.document.cities)], gazetteer)
    numbers = make_numbered_names(symbols)
    names = ("" if name == number else name for name, number in zip(named, numbers, strict=True))
    return DotsNamed(placed=True, names=tuple(names))
