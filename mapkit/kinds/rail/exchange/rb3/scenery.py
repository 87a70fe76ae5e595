"""What an RB3 file draws below the track: the outline of the land, separators of the regions, and their names.

It is the ground of the board's own drawing, in map units and before the drawing moves it, so that it fits the dots.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Area, Point
from mapkit.geography.backdrop import load_backdrop
from mapkit.kinds.rail.exchange.rb3.frame import RB3Frame
from mapkit.kinds.rail.exchange.rb3.lines import Place
from mapkit.kinds.rail.exchange.rb3.model import EDITOR, RATIO, Raw
from mapkit.kinds.rail.exchange.rb3.text import name_field, number_text
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.ground.tints import Ground, lay_ground

_OUTLINE, _SEPARATOR = 7, 8
"""Light and dark grey of the text palette."""
_AROUND: Final = 24.0
"""What is drawn around the outermost dots, map units across."""
_STRAIGHT: Final = 1.0
"""By how much a line may be off, units across."""
_LEAST_LAND: Final = 25.0
"""The smallest island or lake, square units."""
_OFF_DOTS: Final = 5.0
_EDGE: Final = 0.01


def scenery(board: Board, frame: RB3Frame, places: Mapping[str, Place]) -> tuple[Raw, ...]:
    """Return the sections `label`, `map` and `sep`; one that would be empty is left out.

    Args:
        board: Its mileposts where they are written.
        frame: Where the map lies.
        places: Milepost (id) -> map units.
    """
    spots = {ident: (x, y * RATIO) for ident, (x, y) in places.items()}
    ground = _ground(board, frame, spots)
    if ground is None:
        return ()
    window = shapely.box(*ground.backdrop.area).buffer(-_EDGE, join_style="mitre")
    below = ground.backdrop
    shores = [part for part in _parts([below.land]) if part.area >= _LEAST_LAND]
    lakes = [lake for lake in _parts(below.lakes) if lake.area >= _LEAST_LAND]
    outline = [*(part.boundary for part in (*shores, *lakes)), below.country_borders]
    sections = (
        Raw("label", tuple(_labels(board, ground, spots))),
        _lines("map", [shapely.intersection(line, window) for line in outline], _OUTLINE),
        _lines("sep", [shapely.intersection(ground.edges, window)], _SEPARATOR),
    )
    return tuple(section for section in sections if section.lines)


def _ground(board: Board, frame: RB3Frame, spots: Mapping[str, Point]) -> Ground | None:
    """Return land and regions around the dots, in map units across; None on a board without mileposts."""
    at = np.array([spots[m.id] for m in board.mileposts])
    if not len(at):
        return None
    low, high = np.floor(at.min(axis=0) - _AROUND), np.ceil(at.max(axis=0) + _AROUND)
    area: Area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    placed = [m.model_copy(update={"x": spots[m.id][0], "y": spots[m.id][1]}) for m in board.mileposts]
    plane = frame.plane()
    here = board.model_copy(update={"mileposts": tuple(placed), "projection": plane})
    return lay_ground(here, load_backdrop(plane, area, own=board.layers))


def _parts(shapes: Iterable[BaseGeometry]) -> list[BaseGeometry]:
    return [part for shape in shapes for part in _polygons(shape).geoms]


def _polygons(shape: BaseGeometry) -> shapely.MultiPolygon:
    """Return the areas of a shape alone."""
    return shapely.MultiPolygon([part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"])


def _lines(name: str, shapes: Iterable[BaseGeometry], colour: int) -> Raw:
    """Return lines as a section, a row for each straight stretch."""
    whole = shapely.line_merge(shapely.MultiLineString(list(_strings(shapes))))
    slim = shapely.get_parts(shapely.simplify(whole, _STRAIGHT))
    chains = sorted(_forward([_units(point) for point in line.coords[:]]) for line in slim)
    rows = dict.fromkeys((*a, *b) for chain in chains for a, b in pairwise(chain) if a != b)
    lines = tuple(",".join(("l", *map(number_text, row), str(colour))) for row in rows)
    return Raw(name, (f"8/#{len(lines)}/{EDITOR}/E", *lines) if lines else ())


def _strings(shapes: Iterable[BaseGeometry]) -> Iterator[shapely.LineString]:
    """Yield the lines in shapes, however deep."""
    for shape in shapes:
        if shape.geom_type in ("LineString", "LinearRing"):
            if not shape.is_empty:
                yield shapely.LineString(shape.coords)
        elif shape.geom_type in ("MultiLineString", "GeometryCollection"):
            yield from _strings(shapely.get_parts(shape))


def _units(point: Point) -> Place:
    return float(round(point[0])), float(round(point[1] / RATIO))


def _forward(chain: list[Place]) -> list[Place]:
    """Return a line in the one of its two directions that sorts first."""
    return min(chain, chain[::-1])


def _labels(board: Board, ground: Ground, spots: Mapping[str, Point]) -> Iterator[str]:
    """Yield where the name of each region goes: the middle of its roomiest ground without dots, or a city of it."""
    water = shapely.union_all(list(ground.backdrop.lakes))
    dots = shapely.buffer(shapely.MultiPoint(sorted(spots.values())), _OFF_DOTS, quad_segs=2)
    for region in board.regions:
        tint = ground.tints[region.id]
        room = _polygons(shapely.difference(shapely.difference(tint, water), dots))
        cities = sorted(spots[city.milepost] for city in board.cities if city.region == region.id)
        if not room.is_empty:
            x, y = shapely.maximum_inscribed_circle(room, tolerance=1.0).coords[0]
        elif cities:
            x, y = cities[0]
        else:
            continue
        yield ",".join((name_field(region.short), *map(number_text, _units((x, y)))))
