"""Named points and zones of a VASSAL board, in pixels of its picture."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Point
from mapkit.exchange.vassal.tree import Component
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.raster import MM_PER_INCH

Pixel = tuple[int, int]

_TOLERANCE_MM: Final = 0.1
_MILEPOST_RADIUS_MM: Final = 0.8
"""Radius of the area around a milepost that belongs to its region even beyond the border."""


@dataclass(frozen=True)
class PicturePlaces:
    """Positions of points and zones on the picture of a board."""

    points: Mapping[str, Pixel]
    """Milepost (id) -> pixel of its point."""
    names: Mapping[str, str]
    """Milepost (id) -> unique name of its point."""
    zones: Mapping[str, tuple[Pixel, ...]]
    """Region (id) -> outline of its ground, connected to holes and islands by lines of zero width."""


def find_places(layout: Layout, dpi: float) -> PicturePlaces:
    """Return the points and zones of a drawn board."""
    board = layout.board
    spot_by_milepost = {milepost.id: layout.spots[milepost.id] for milepost in board.mileposts}
    outline_by_region = {
        region_id: _trace_outline(region_ground, dpi) for region_id, region_ground in _region_grounds(layout).items()
    }
    # Pixels of the points; a point on a taken pixel moves to the nearest free one
    taken_pixels: set[Pixel] = set()
    pixel_by_id = {}
    for milepost_id, page_point in sorted(spot_by_milepost.items()):
        x, y = mm_to_pixel(page_point, dpi)
        pixel_by_id[milepost_id] = next(
            free_pixel for free_pixel in _pixels_around(x, y) if free_pixel not in taken_pixels
        )
        taken_pixels.add(pixel_by_id[milepost_id])
    return PicturePlaces(
        pixel_by_id,
        point_names(board),
        {region_id: outline for region_id, outline in outline_by_region.items() if outline},
    )


def _region_grounds(layout: Layout) -> dict[str, BaseGeometry]:
    """Return the ground of each region (id), with the areas around its own mileposts, without those around others."""
    spots_by_region: dict[str, list[Point]] = {}
    for milepost_id, region in sorted(find_regions(layout.board).items()):
        spots_by_region.setdefault(region, []).append(layout.spots[milepost_id])
    area_around = {
        region_id: shapely.multipoints(region_spots).buffer(_MILEPOST_RADIUS_MM)
        for region_id, region_spots in spots_by_region.items()
    }
    grounds = {}
    for region_name in (region.id for region in layout.board.regions):
        other_areas = shapely.union_all(
            [milepost_area for region_id, milepost_area in area_around.items() if region_id != region_name]
        )
        extended_ground = layout.ground.tints[region_name].union(area_around.get(region_name, shapely.Polygon()))
        grounds[region_name] = extended_ground.difference(other_areas)
    return grounds


def mm_to_pixel(at: Point, dpi: float) -> Pixel:
    """Return the pixel of a point on the page, given in millimetres."""
    return round(at[0] * dpi / MM_PER_INCH), round(at[1] * dpi / MM_PER_INCH)


def _pixels_around(x: int, y: int) -> Iterable[Pixel]:
    for distance in count():
        ring_offsets = [
            (i, j)
            for i in range(-distance, distance + 1)
            for j in range(-distance, distance + 1)
            if max(abs(i), abs(j)) == distance
        ]
        for i, j in sorted(ring_offsets, key=lambda p: (p[0] ** 2 + p[1] ** 2, p)):
            yield x + i, y + j


def point_names(board: Board) -> dict[str, str]:
    """Return a unique grid name for each milepost (id): its cities or its id, and both where names repeat."""
    cities_by_milepost: dict[str, list[str]] = {}
    for city in board.cities:
        cities_by_milepost.setdefault(city.milepost, []).append(city.name)
    name_by_milepost = {
        m.id: words_of(board)("payoffs.and").join(cities_by_milepost.get(m.id, [m.id])) for m in board.mileposts
    }
    name_counts = Counter(name_by_milepost.values())
    milepost_ids = set(name_by_milepost)
    return {
        milepost_id: name
        if name_counts[name] == 1 and (name == milepost_id or name not in milepost_ids)
        else f"{name} ({milepost_id})"
        for milepost_id, name in name_by_milepost.items()
    }


def _trace_outline(ground: BaseGeometry, dpi: float) -> tuple[Pixel, ...]:
    """Return the rings of a shape as one outline for the even-odd rule, joined by lines of zero width."""
    pixel_rings: list[list[Pixel]] = []
    for ground_part in shapely.get_parts(shapely.simplify(ground, _TOLERANCE_MM)):
        if ground_part.geom_type != "Polygon":
            continue
        for pixel_ring in (ground_part.exterior, *ground_part.interiors):
            ring_corners = [mm_to_pixel(page_point, dpi) for page_point in pixel_ring.coords[:-1]]
            distinct_corners = [
                corner for corner_index, corner in enumerate(ring_corners) if corner != ring_corners[corner_index - 1]
            ]
            if len(distinct_corners) > 2:  # noqa: PLR2004 - fewer corners enclose no area
                pixel_rings.append(distinct_corners)
    if not pixel_rings:
        return ()
    first_ring, *other_rings = pixel_rings
    outline_path = list(first_ring)
    for pixel_ring in other_rings:
        outline_path += [first_ring[0], *pixel_ring, pixel_ring[0]]
    return (*outline_path, first_ring[0]) if other_rings else tuple(outline_path)


def grid_node(places: PicturePlaces) -> Component:
    """Return the component for the grid of all points."""
    return Component(
        "module.map.boardPicker.board.RegionGrid",
        {"fontsize": 9, "snapto": True, "visible": False},
        [
            Component(
                "module.map.boardPicker.board.Region",
                {"name": places.names[milepost_id], "originx": x, "originy": y},
            )
            for milepost_id, (x, y) in sorted(places.points.items())
        ],
    )


def zone_node(name: str, path: Iterable[Pixel], *, said: str, parent: bool) -> Component:
    """Return the component for a zone.

    Args:
        name: Its name.
        path: Its outline.
        said: Format of the names of locations in the zone.
        parent: Whether the zone uses the grid of the board.
    """
    return Component(
        "module.map.boardPicker.board.mapgrid.Zone",
        {
            "highlightProperty": "",
            "locationFormat": said,
            "name": name,
            "path": ";".join(f"{x},{y}" for x, y in path),
            "useHighlight": False,
            "useParentGrid": parent,
        },
    )
