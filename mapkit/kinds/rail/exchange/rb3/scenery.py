"""Background of an RB3 file: outline of the land, separators of the regions, and region names.

It is the ground of the board's own drawing in map units, before the drawing distorts it, so that it fits the dots.
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
from mapkit.kinds.rail.exchange.rb3.model import EDITOR, RATIO, RawSection
from mapkit.kinds.rail.exchange.rb3.route_lines import Place
from mapkit.kinds.rail.exchange.rb3.text import name_field, number_text
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.ground.region_ground import RegionGround, lay_ground

_OUTLINE_COLOUR, _SEPARATOR_COLOUR = 7, 8
"""Light and dark grey of the text palette."""
_MARGIN_UNITS: Final = 24.0
"""Margin around the outermost dots, map units across."""
_TOLERANCE_UNITS: Final = 1.0
"""Tolerance of simplified lines, units across."""
_MIN_LAND_AREA: Final = 25.0
"""The smallest island or lake, square units."""
_DOT_CLEARANCE: Final = 5.0
_EDGE_INSET: Final = 0.01


def scenery_sections(board: Board, frame: RB3Frame, places: Mapping[str, Place]) -> tuple[RawSection, ...]:
    """Return the sections `label`, `map` and `sep` that are not empty.

    Args:
        board: The board, with mileposts at their exported positions.
        frame: The frame of the map.
        places: Milepost (id) -> map units.
    """
    square_positions = {milepost_id: (x, y * RATIO) for milepost_id, (x, y) in places.items()}
    ground = _lay_ground_around_dots(board, frame, square_positions)
    if ground is None:
        return ()
    window = shapely.box(*ground.backdrop.area).buffer(-_EDGE_INSET, join_style="mitre")
    board_backdrop = ground.backdrop
    land_parts = [land_part for land_part in _split_polygons([board_backdrop.land]) if land_part.area >= _MIN_LAND_AREA]
    lakes = [lake for lake in _split_polygons(board_backdrop.lakes) if lake.area >= _MIN_LAND_AREA]
    outline = [*(land_part.boundary for land_part in (*land_parts, *lakes)), board_backdrop.country_borders]
    sections = (
        RawSection("label", tuple(_label_regions(board, ground, square_positions))),
        _line_section("map", [shapely.intersection(line, window) for line in outline], _OUTLINE_COLOUR),
        _line_section("sep", [shapely.intersection(ground.edges, window)], _SEPARATOR_COLOUR),
    )
    return tuple(section for section in sections if section.lines)


def _lay_ground_around_dots(board: Board, frame: RB3Frame, spots: Mapping[str, Point]) -> RegionGround | None:
    """Return land and regions around the dots, in map units across; None on a board without mileposts."""
    dot_positions = np.array([spots[m.id] for m in board.mileposts])
    if not len(dot_positions):
        return None
    lower_corner, upper_corner = (
        np.floor(dot_positions.min(axis=0) - _MARGIN_UNITS),
        np.ceil(dot_positions.max(axis=0) + _MARGIN_UNITS),
    )
    ground_area: Area = (float(lower_corner[0]), float(lower_corner[1]), float(upper_corner[0]), float(upper_corner[1]))
    placed_mileposts = [m.model_copy(update={"x": spots[m.id][0], "y": spots[m.id][1]}) for m in board.mileposts]
    unit_projection = frame.plane()
    unit_board = board.model_copy(update={"mileposts": tuple(placed_mileposts), "projection": unit_projection})
    return lay_ground(unit_board, load_backdrop(unit_projection, ground_area, own=board.layers))


def _split_polygons(shapes: Iterable[BaseGeometry]) -> list[BaseGeometry]:
    return [part for shape in shapes for part in _keep_polygons(shape).geoms]


def _keep_polygons(shape: BaseGeometry) -> shapely.MultiPolygon:
    """Return only the polygons of a shape."""
    return shapely.MultiPolygon([part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"])


def _line_section(name: str, shapes: Iterable[BaseGeometry], colour: int) -> RawSection:
    """Return lines as a section, one row per straight stretch."""
    merged_lines = shapely.line_merge(shapely.MultiLineString(list(_iterate_lines(shapes))))
    simplified_lines = shapely.get_parts(shapely.simplify(merged_lines, _TOLERANCE_UNITS))
    oriented_chains = sorted(
        _orient_chain([_round_to_units(point) for point in line.coords[:]]) for line in simplified_lines
    )
    segment_rows = dict.fromkeys((*a, *b) for chain in oriented_chains for a, b in pairwise(chain) if a != b)
    line_texts = tuple(",".join(("l", *map(number_text, segment_row), str(colour))) for segment_row in segment_rows)
    return RawSection(name, (f"8/#{len(line_texts)}/{EDITOR}/E", *line_texts) if line_texts else ())


def _iterate_lines(shapes: Iterable[BaseGeometry]) -> Iterator[shapely.LineString]:
    """Yield the lines in shapes, also in nested collections."""
    for shape in shapes:
        if shape.geom_type in ("LineString", "LinearRing"):
            if not shape.is_empty:
                yield shapely.LineString(shape.coords)
        elif shape.geom_type in ("MultiLineString", "GeometryCollection"):
            yield from _iterate_lines(shapely.get_parts(shape))


def _round_to_units(point: Point) -> Place:
    return float(round(point[0])), float(round(point[1] / RATIO))


def _orient_chain(chain: list[Place]) -> list[Place]:
    """Return a line in the direction that sorts first."""
    return min(chain, chain[::-1])


def _label_regions(board: Board, ground: RegionGround, spots: Mapping[str, Point]) -> Iterator[str]:
    """Yield the label position of each region: the centre of its largest free circle, or one of its cities."""
    lake_area = shapely.union_all(list(ground.backdrop.lakes))
    dot_area = shapely.buffer(shapely.MultiPoint(sorted(spots.values())), _DOT_CLEARANCE, quad_segs=2)
    for region in board.regions:
        region_shape = ground.tints[region.id]
        free_area = _keep_polygons(shapely.difference(shapely.difference(region_shape, lake_area), dot_area))
        city_positions = sorted(spots[city.milepost] for city in board.cities if city.region == region.id)
        if not free_area.is_empty:
            x, y = shapely.maximum_inscribed_circle(free_area, tolerance=1.0).coords[0]
        elif city_positions:
            x, y = city_positions[0]
        else:
            continue
        yield ",".join((name_field(region.short), *map(number_text, _round_to_units((x, y)))))
