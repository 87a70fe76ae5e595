"""Which ground belongs to which region of the destination chart (RB-C07).

Where the board's cities lie in known states, a state whose cities are all of one region is tinted whole; one
with cities of several regions is divided by the Voronoi cells of its cities; one with none goes to the region
of the nearest city. Elsewhere the land of the countries that the railroads run in is divided by the Voronoi cells of
all cities.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.model.base import Point
from mapkit.model.board import Board
from mapkit.render.backdrop import Backdrop, State
from mapkit.render.polyline import as_points

_NEAR_STATE_MM: Final = 3.0
_IN_STATES: Final = 0.9
_REACH: Final = 0.06
_MOSTLY: Final = 0.5
_SEAM_MM: Final = 0.3


def region_tints(board: Board, backdrop: Backdrop, spots: Mapping[str, Point] | None = None) -> dict[str, BaseGeometry]:
    """Return region id -> its ground in page millimetres; empty for a region without cities.

    Args:
        board: Its cities and regions.
        backdrop: The ground to divide.
        spots: Milepost (id) -> where it is drawn, by the warp that the backdrop was moved by.
    """
    spots = spots or {m.id: (m.x, m.y) for m in board.mileposts}
    sites = sorted({(*spots[c.milepost], c.region) for c in board.cities if c.milepost in spots})
    tints: dict[str, BaseGeometry] = {region.id: shapely.Polygon() for region in board.regions}
    if not sites:
        return tints
    xy = np.array([(x, y) for x, y, _ in sites])
    regions = [region for _, _, region in sites]
    home = _states_of(as_points(xy), backdrop.states)
    if np.count_nonzero(home >= 0) >= _IN_STATES * len(sites):
        parts = _by_states(xy, regions, home, backdrop.states)
    else:
        parts = _cells(xy, regions, _ground(board, backdrop, spots))
    for region in tints:
        own = [shape for name, shape in parts if name == region]
        if own:
            # a hair of growth closes the seams that rounding left between neighbours
            tints[region] = shapely.simplify(shapely.union_all(shapely.buffer(own, 0.03, quad_segs=2)), 0.05)
    return tints


def _ground(board: Board, backdrop: Backdrop, spots: Mapping[str, Point]) -> BaseGeometry:
    """Return the land of the countries that the railroads run in, as far as they reach and some way around."""
    places = [spots[m.id] for m in board.mileposts]
    points = as_points(np.array(places))
    left, top, right, bottom = backdrop.area
    hull: BaseGeometry = shapely.MultiPoint(places).convex_hull
    near = hull.buffer(_REACH * (right - left + bottom - top))
    if backdrop.country_borders.is_empty:
        return backdrop.land.intersection(near)
    borders = shapely.union_all([backdrop.country_borders, backdrop.borders_over_water])
    # Borders do not meet the coast exactly, so they are given a breadth, which the countries get back afterwards.
    inner = shapely.get_parts(shapely.difference(backdrop.land, shapely.buffer(borders, _SEAM_MM)))
    # Borders are generalised: a border town may lie on the wrong side of one.
    inland = points[shapely.distance(points, borders) > _NEAR_STATE_MM]
    abroad = shapely.distance(inner, borders) < 2 * _SEAM_MM
    abroad[np.unique(shapely.STRtree(inner).query(inland, predicate="intersects")[1])] = False
    home = shapely.intersection(shapely.buffer(inner[~abroad], _SEAM_MM), backdrop.land)
    parts = shapely.intersection(home, near)
    whole = shapely.area(parts) >= _MOSTLY * shapely.area(home)
    return _union(np.where(whole, home, parts))


def _union(shapes: NDArray[np.object_]) -> BaseGeometry:
    joined: BaseGeometry = shapely.union_all(list(shapes))
    return joined


def _states_of(cities: NDArray[np.object_], states: Sequence[State]) -> NDArray[np.int64]:
    """Return each city's state as an index, or -1 where no state is near."""
    home = np.full(len(cities), -1, dtype=np.int64)
    if states:
        tree = shapely.STRtree([s.shape for s in states])
        city, state = tree.query_nearest(cities, max_distance=_NEAR_STATE_MM, all_matches=False)
        home[city] = state
    return home


def _by_states(
    xy: NDArray[np.float64], regions: Sequence[str], home: NDArray[np.int64], states: Sequence[State]
) -> list[tuple[str, BaseGeometry]]:
    parts: list[tuple[str, BaseGeometry]] = []
    every_city = shapely.STRtree(as_points(xy))
    for index, state in enumerate(states):
        inside = [int(i) for i in np.flatnonzero(home == index)]
        names = {regions[i] for i in inside}
        if not names:
            nearest = int(every_city.nearest(shapely.centroid(state.shape)))
            parts.append((regions[nearest], state.shape))
        elif len(names) == 1:
            parts.append((names.pop(), state.shape))
        else:
            parts.extend(_cells(xy[inside], [regions[i] for i in inside], state.shape))
    return parts


def _cells(xy: NDArray[np.float64], regions: Iterable[str], ground: BaseGeometry) -> list[tuple[str, BaseGeometry]]:
    """Divide the ground by the nearest city."""
    points = as_points(xy)
    names = list(regions)
    if len(names) == 1:
        return [(names[0], ground)]
    diagram = shapely.get_parts(shapely.voronoi_polygons(shapely.multipoints(points), extend_to=ground))
    cell, city = shapely.STRtree(points).query(diagram, predicate="intersects")
    order = np.argsort(city, kind="stable")
    shapes = shapely.intersection(diagram[cell[order]], ground)
    return [(names[int(c)], shape) for c, shape in zip(city[order], shapes, strict=True)]
