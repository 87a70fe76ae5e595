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
from mapkit.kinds.rail.network.region_of import regions_of
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.raster import MM_PER_INCH

Pixel = tuple[int, int]

_SIMPLE_MM: Final = 0.1
_AROUND_MM: Final = 0.8
"""What a region has around a milepost that lies on its very border."""


@dataclass(frozen=True)
class PicturePlaces:
    """Where things are on the picture of a board."""

    points: Mapping[str, Pixel]
    """Milepost (id) -> its point."""
    names: Mapping[str, str]
    """Milepost (id) -> what the point is called; no two the same."""
    zones: Mapping[str, tuple[Pixel, ...]]
    """Region (id) -> the outline of its ground; holes and islands are joined to it by cuts without breadth."""


def places_of(layout: Layout, dpi: float) -> PicturePlaces:
    """Return the points and zones of a drawn board."""
    board = layout.board
    spots = {m.id: layout.spots[m.id] for m in board.mileposts}
    zones = {ident: _outline(ground, dpi) for ident, ground in _grounds(layout).items()}
    return PicturePlaces(
        _points(spots, dpi), point_names(board), {ident: path for ident, path in zones.items() if path}
    )


def _grounds(layout: Layout) -> dict[str, BaseGeometry]:
    """Return region (id) -> its ground, to which what is around a milepost on its border belongs or not."""
    own: dict[str, list[Point]] = {}
    for ident, region in sorted(regions_of(layout.board).items()):
        own.setdefault(region, []).append(layout.spots[ident])
    around = {ident: shapely.multipoints(spots).buffer(_AROUND_MM) for ident, spots in own.items()}
    grounds = {}
    for name in (region.id for region in layout.board.regions):
        others = shapely.union_all([shape for ident, shape in around.items() if ident != name])
        wide = layout.ground.tints[name].union(around.get(name, shapely.Polygon()))
        grounds[name] = wide.difference(others)
    return grounds


def pixel(at: Point, dpi: float) -> Pixel:
    """Return the pixel of a place on the page in millimetres."""
    return round(at[0] * dpi / MM_PER_INCH), round(at[1] * dpi / MM_PER_INCH)


def _points(spots: Mapping[str, Point], dpi: float) -> dict[str, Pixel]:
    """Return the points; of two on one pixel the engine would forget one, so the second moves to the next free."""
    taken: set[Pixel] = set()
    points = {}
    for ident, at in sorted(spots.items()):
        x, y = pixel(at, dpi)
        points[ident] = next(p for p in _around(x, y) if p not in taken)
        taken.add(points[ident])
    return points


def _around(x: int, y: int) -> Iterable[Pixel]:
    for far in count():
        ring = [(i, j) for i in range(-far, far + 1) for j in range(-far, far + 1) if max(abs(i), abs(j)) == far]
        for i, j in sorted(ring, key=lambda p: (p[0] ** 2 + p[1] ** 2, p)):
            yield x + i, y + j


def point_names(board: Board) -> dict[str, str]:
    """Return milepost id -> its name on the grid: its cities' names (twins both), else the id; no two the same."""
    cities: dict[str, list[str]] = {}
    for city in board.cities:
        cities.setdefault(city.milepost, []).append(city.name)
    names = {m.id: words_of(board)("payoffs.and").join(cities.get(m.id, [m.id])) for m in board.mileposts}
    often = Counter(names.values())
    ids = set(names)
    return {
        ident: name if often[name] == 1 and (name == ident or name not in ids) else f"{name} ({ident})"
        for ident, name in names.items()
    }


def _outline(ground: BaseGeometry, dpi: float) -> tuple[Pixel, ...]:
    """Return one closed outline of a shape by the even-odd rule, without the first point again."""
    rings: list[list[Pixel]] = []
    for part in shapely.get_parts(shapely.simplify(ground, _SIMPLE_MM)):
        if part.geom_type != "Polygon":
            continue
        for ring in (part.exterior, *part.interiors):
            corners = [pixel(at, dpi) for at in ring.coords[:-1]]
            thin = [p for k, p in enumerate(corners) if p != corners[k - 1]]
            if len(thin) > 2:  # noqa: PLR2004 - fewer have no ground
                rings.append(thin)
    if not rings:
        return ()
    first, *others = rings
    path = list(first)
    for ring in others:
        path += [first[0], *ring, ring[0]]
    return (*path, first[0]) if others else tuple(path)


def grid_node(places: PicturePlaces) -> Component:
    """Return the grid of all points."""
    return Component(
        "module.map.boardPicker.board.RegionGrid",
        {"fontsize": 9, "snapto": True, "visible": False},
        [
            Component(
                "module.map.boardPicker.board.Region",
                {"name": places.names[ident], "originx": x, "originy": y},
            )
            for ident, (x, y) in sorted(places.points.items())
        ],
    )


def zone_node(name: str, path: Iterable[Pixel], *, said: str, parent: bool) -> Component:
    """Return a zone.

    Args:
        name: What it is called.
        path: Its outline.
        said: How a place in it is called.
        parent: Whether the points of the board hold in it.
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
