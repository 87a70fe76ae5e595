"""Which ground belongs to which region of the destination chart (RB-C07).

The ground is divided by the Voronoi cells of all mileposts, where they are drawn; a milepost's region is that of
`rail.network.region_of`. The borders between regions are then drawn taut, but never over a milepost, so every
milepost keeps to the ground of its region, and two neighbours share one line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.arrays import distinct
from mapkit.core.base import Point
from mapkit.geography.backdrop import Backdrop
from mapkit.geography.basemap import LEVELS, level_for
from mapkit.geography.whose_land import LandOf, land_of
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.region_of import regions_of
from mapkit.kinds.rail.render.ground.taut_lines import shorten_lines
from mapkit.kinds.rail.render.lines.polyline import Array, as_points

_NEAR_STATE_MM: Final = 3.0
_IN_STATES: Final = 0.9
_REACH: Final = 0.06
_MOSTLY: Final = 0.5
_SEAM_MM: Final = 0.3
_LEAST_EDGE_MM: Final = 2.0
"""What is shorter is left of a coast that a region's area follows closely."""
_ROUND_MM: Final = 1.2
"""What ground is drawn around a milepost that the base map has in the sea."""
_ABROAD_MM: Final = 7.0
"""What is tinted around the way to a milepost in a country that is not tinted otherwise."""
_AT_SEA_MM: Final = 15.0
"""How far from a coarse coast a milepost gets ground; likewise a city from any coast."""
_OFF_SHORE_MM: Final = 3.0
"""The same for other mileposts at a coast that is fine: farther out they are of ships."""
_TRIES: Final = (40, 15, 5, 0)
_STRAIGHT_MM: Final = 1e-2
_FAR: Final = 20


@dataclass(frozen=True)
class Ground:
    """A base map with room for every milepost, and the regions on it, in page millimetres."""

    backdrop: Backdrop
    tints: Mapping[str, BaseGeometry]
    """Region -> its ground; empty for a region without mileposts."""
    edges: BaseGeometry
    """The borders between regions, on land."""


def region_tints(board: Board, backdrop: Backdrop, spots: Mapping[str, Point] | None = None) -> dict[str, BaseGeometry]:
    """Return region id -> its ground in page millimetres, as `lay_ground`."""
    return dict(lay_ground(board, backdrop, spots).tints)


def lay_ground(board: Board, backdrop: Backdrop, spots: Mapping[str, Point] | None = None) -> Ground:
    """Divide the ground between the regions.

    Args:
        board: Whose regions.
        backdrop: The base map.
        spots: Milepost (id) -> where it is drawn; where it is projected to, by default.
    """
    at = {m.id: (spots or {}).get(m.id, (m.x, m.y)) for m in board.mileposts}
    regions = regions_of(board)
    tints: dict[str, BaseGeometry] = {region.id: shapely.Polygon() for region in board.regions}
    towns = {city.milepost for city in board.cities}
    fine = level_for(board.projection.scale_mm_per_m) == LEVELS[-1]
    reaches = {i: _OFF_SHORE_MM if fine and i not in towns else _AT_SEA_MM for i in regions}
    sites = sorted({(*at[ident], region, reaches[ident]) for ident, region in regions.items()})
    if not sites:
        return Ground(backdrop, tints, shapely.MultiLineString())
    xy = np.round(np.array([(x, y) for x, y, _, _ in sites]), 3)
    names = [region for _, _, region, _ in sites]
    reach = np.array([far for _, _, _, far in sites])
    tinted = _ground(board, backdrop, xy, [(at[m.id], (m.x, m.y)) for m in board.mileposts if m.id in towns])
    if backdrop.regions:
        return _given(backdrop, tints, tinted, xy, names, reach)
    backdrop, tinted = _ashore(backdrop, tinted, xy, reach)
    areas = _areas(xy, names, backdrop)
    for region, area in areas.items():
        if region in tints:
            tints[region] = _faces(shapely.intersection(area, tinted))
    edges = [shapely.intersection(one.boundary, other.boundary) for one, other in _couples(list(areas.values()))]
    lines = [part for edge in edges for part in shapely.get_parts(edge) if part.geom_type == "LineString"]
    border = shapely.line_merge(shapely.MultiLineString(lines))
    return Ground(backdrop, tints, shapely.intersection(border, tinted))


def _given(
    backdrop: Backdrop,
    tints: dict[str, BaseGeometry],
    ground: BaseGeometry,
    xy: Array,
    names: Sequence[str],
    reach: Array,
) -> Ground:
    """Return the regions as their author draws them; the ground of others follows from their mileposts."""
    drawn = {ident: shapely.intersection(shape, backdrop.land) for ident, shape in backdrop.regions.items()}
    whole = shapely.union_all(list(drawn.values()))
    tinted = whole if tints.keys() <= drawn.keys() else shapely.union(whole, ground)
    backdrop, tinted = _ashore(backdrop, tinted, xy, reach)
    rest = shapely.difference(tinted, shapely.union_all(list(backdrop.regions.values())))
    areas = _areas(xy, names, backdrop)
    for ident in tints:
        own = shapely.intersection(backdrop.regions[ident], tinted) if ident in drawn else shapely.Polygon()
        more = shapely.intersection(areas[ident], rest) if ident in areas else shapely.Polygon()
        tints[ident] = _faces(shapely.union(own, more))
    outer = shapely.buffer(shapely.buffer(tinted, _SEAM_MM), -_SEAM_MM).boundary
    sides = shapely.union_all([tint.boundary for tint in tints.values()])
    edges = shapely.difference(sides, shapely.buffer(outer, _SEAM_MM))
    whole_lines = shapely.get_parts(shapely.line_merge(edges))
    parts = [part for part in whole_lines if part.geom_type == "LineString" and part.length >= _LEAST_EDGE_MM]
    return Ground(backdrop, tints, shapely.MultiLineString(parts))


def _couples(areas: Sequence[BaseGeometry]) -> list[tuple[BaseGeometry, BaseGeometry]]:
    return [(one, other) for i, one in enumerate(areas) for other in areas[i + 1 :] if one.intersects(other)]


def _faces(shape: BaseGeometry) -> BaseGeometry:
    """Return the areas of a shape alone."""
    parts = [p for p in shapely.get_parts(shapely.get_parts(shape)) if p.geom_type == "Polygon"]
    return shapely.MultiPolygon(parts)


def _areas(xy: Array, names: Sequence[str], backdrop: Backdrop) -> dict[str, BaseGeometry]:
    """Return region -> its part of the whole map, by cells with their common borders drawn taut."""
    left, top, right, bottom = backdrop.area
    box = shapely.box(left, top, right, bottom)
    if len(set(names)) == 1:
        return {names[0]: box}
    points = as_points(xy)
    cells = _cells(xy, box)
    cell, site = shapely.STRtree(points).query(cells, predicate="intersects")
    own: dict[str, list[BaseGeometry]] = {}
    for c, s in sorted(zip(cell.tolist(), site.tolist(), strict=True), key=lambda pair: pair[1]):
        own.setdefault(names[s], []).append(cells[c])
    rough = {
        name: shapely.intersection(shapely.set_precision(shapely.union_all(parts), 1e-3), box)
        for name, parts in sorted(own.items())
    }
    shared = [shapely.intersection(a.boundary, b.boundary) for a, b in _couples(list(rough.values()))]
    lines = [p for s in shared for p in shapely.get_parts(s) if p.geom_type == "LineString"]
    network = shapely.get_parts(shapely.line_merge(shapely.node(shapely.MultiLineString(lines))))
    arcs = sorted((shapely.normalize(arc) for arc in network), key=lambda arc: arc.coords[:])
    for rounds in _TRIES:
        areas = _filled(shorten_lines(arcs, points, rounds), box, rough, points, names)
        if areas is not None:
            return areas
    return rough


def _cells(xy: Array, box: BaseGeometry) -> NDArray[np.object_]:
    """Return the cells of places; those on one straight line have none, so four far away are added to them."""
    if np.linalg.matrix_rank(xy - xy[0], tol=_STRAIGHT_MM) < xy.shape[1]:
        left, top, right, bottom = box.bounds
        far = _FAR * np.array([right - left, bottom - top])
        middle = np.array([left + right, top + bottom]) / 2
        xy = np.vstack((xy, middle + far * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])))
    cells = shapely.voronoi_polygons(shapely.multipoints(as_points(xy)), extend_to=box, ordered=False)
    return shapely.get_parts(cells)


def _filled(
    arcs: Sequence[BaseGeometry],
    box: BaseGeometry,
    rough: Mapping[str, BaseGeometry],
    points: NDArray[np.object_],
    names: Sequence[str],
) -> dict[str, BaseGeometry] | None:
    """Return the regions between the borders, or None if a milepost would lie in another's."""
    net = shapely.set_precision(shapely.union_all([box.boundary, *arcs]), 1e-3)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(net)))
    held: list[set[str]] = [set() for _ in faces]
    for face, point in zip(*shapely.STRtree(points).query(faces, predicate="intersects").tolist(), strict=True):
        held[face].add(names[point])
    own: dict[str, list[BaseGeometry]] = {}
    for face, inside in zip(faces, held, strict=True):
        if len(inside) > 1:
            return None
        overlaps = {name: shapely.area(shapely.intersection(face, area)) for name, area in rough.items()}
        name = next(iter(inside)) if inside else max(sorted(overlaps), key=lambda n: overlaps[n])
        own.setdefault(name, []).append(face)
    return {name: shapely.union_all(parts) for name, parts in sorted(own.items())}


def _ground(board: Board, backdrop: Backdrop, xy: Array, towns: Sequence[tuple[Point, Point]]) -> BaseGeometry:
    """Return what is tinted: states with mileposts or between them, or the land of the countries of the cities.

    Args:
        board: The board.
        backdrop: The base map.
        xy: The mileposts.
        towns: Where each city is drawn, and where it is projected to.
    """
    drawn, true = (as_points(np.array(some)) for some in zip(*towns, strict=True))
    if backdrop.states:
        shapes = np.array([s.shape for s in backdrop.states], dtype=object)
        near = shapely.STRtree(shapes).query(true, predicate="dwithin", distance=_NEAR_STATE_MM)[0]
        if len(set(near.tolist())) >= _IN_STATES * len(true):
            hull = shapely.MultiPoint(xy).convex_hull
            around = shapely.area(shapely.intersection(shapes, hull)) >= _MOSTLY * shapely.area(shapes)
            own = around | _hit(shapes, as_points(xy))
            return shapely.union_all(shapely.buffer(shapes[own], 0.03, quad_segs=2))
    whose = land_of(board.projection, backdrop.area)
    return _countries(backdrop, xy, drawn, np.array(whose.shapes(true), dtype=np.str_), whose)


def _countries(
    backdrop: Backdrop, xy: Array, cities: NDArray[np.object_], own: NDArray[np.str_], countries: LandOf
) -> BaseGeometry:
    """Return the land of the countries that the cities are in, as far as the railroads reach and some way around.

    Args:
        backdrop: The base map.
        xy: The mileposts.
        cities: Those that are cities, as points.
        own: The country of each city.
        countries: Those of other land.
    """
    spots = as_points(xy)
    left, top, right, bottom = backdrop.area
    hull: BaseGeometry = shapely.MultiPoint(xy).convex_hull
    near = hull.buffer(_REACH * (right - left + bottom - top))
    borders = shapely.union_all([backdrop.country_borders, backdrop.borders_over_water])
    # Borders do not meet the coast exactly, so they are given a breadth, which the countries get back afterwards.
    inner = shapely.get_parts(shapely.difference(backdrop.land, shapely.buffer(borders, _SEAM_MM)))
    # Borders are generalised: a border town may lie on the wrong side of one.
    within = np.ones(len(cities), np.bool_) if borders.is_empty else shapely.distance(cities, borders) > _NEAR_STATE_MM
    whose = np.array(countries.shapes(inner), dtype=np.str_)
    piece, city = shapely.STRtree(cities).query(inner, predicate="intersects")
    settled = np.zeros(len(inner), np.bool_)
    settled[piece[within[city] & (whose[piece] == own[city])]] = True
    abroad = ~settled & (~np.isin(whose, whose[settled]) | _beyond(inner, cities, backdrop))
    home = shapely.intersection(shapely.buffer(inner[~abroad], _SEAM_MM), backdrop.land)
    parts = shapely.intersection(home, near)
    whole = shapely.area(parts) >= _MOSTLY * shapely.area(home)
    kept = np.where(whole, home, parts)
    return shapely.union_all(list(kept[whole | _hit(home, spots)]))


def _hit(shapes: NDArray[np.object_], points: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Return which shapes have a point on them."""
    found = np.zeros(len(shapes), np.bool_)
    found[distinct(shapely.STRtree(shapes).query(points, predicate="intersects")[1])] = True
    return found


def _beyond(parts: NDArray[np.object_], cities: NDArray[np.object_], backdrop: Backdrop) -> NDArray[np.bool_]:
    """Return which parts of the land are coasts of another country: without a city, and cut off by the page."""
    left, top, right, bottom = backdrop.area
    west, north, east, south = shapely.bounds(parts).reshape(-1, 4).T
    cut = (west <= left + _SEAM_MM) | (north <= top + _SEAM_MM)
    cut |= (east >= right - _SEAM_MM) | (south >= bottom - _SEAM_MM)
    found: NDArray[np.bool_] = cut & ~_hit(parts, cities)
    return found


def _ashore(backdrop: Backdrop, tinted: BaseGeometry, xy: Array, reach: Array) -> tuple[Backdrop, BaseGeometry]:
    """Give ground to mileposts that a coarse coast, shore or border leaves out: a round spit from the nearest.

    Args:
        backdrop: The base map.
        tinted: The ground of all regions.
        xy: The mileposts.
        reach: How far from the coast each gets ground, millimetres.
    """
    points = as_points(xy)
    left_out = ~shapely.contains(tinted, points)
    out, near = points[left_out], reach[left_out]
    if len(out) and not tinted.is_empty:
        ways = shapely.shortest_line(out, tinted)
        abroad = shapely.contains(backdrop.land, out) & (shapely.length(ways) > _NEAR_STATE_MM)
        if abroad.any():
            lobe = shapely.convex_hull(shapely.multilinestrings(list(ways[abroad])))
            around = shapely.intersection(tinted, shapely.buffer(lobe, 4 * _ABROAD_MM))
            wide = shapely.union(shapely.buffer(lobe, _ABROAD_MM), around)
            wide = shapely.buffer(shapely.buffer(wide, _ABROAD_MM), -_ABROAD_MM)
            dry = shapely.difference(shapely.intersection(wide, backdrop.land), shapely.union_all(backdrop.lakes))
            tinted = shapely.union(tinted, dry)
        at_sea = ~abroad & (shapely.length(ways) <= near)
        window = shapely.box(*backdrop.area)
        spits = shapely.union_all(shapely.buffer(ways[at_sea], _ROUND_MM, quad_segs=8))
        tinted = _smoothly(shapely.union(tinted, spits), spits, window)
        land = _smoothly(shapely.union(backdrop.land, spits), spits, window)
        backdrop = replace(backdrop, land=land)
    wet = shapely.STRtree(points).query(np.array(backdrop.lakes, dtype=object), predicate="intersects")
    if wet.shape[1]:
        lakes = list(backdrop.lakes)
        for lake, point in zip(*wet.tolist(), strict=True):
            way = shapely.shortest_line(points[point], lakes[lake].boundary)
            if way.length <= _AT_SEA_MM:
                spit = shapely.buffer(way, _ROUND_MM, quad_segs=8)
                lakes[lake] = _faces(shapely.difference(lakes[lake], spit))
                tinted = shapely.union(tinted, spit)
        backdrop = replace(backdrop, lakes=tuple(lakes))
    return backdrop, tinted


def _smoothly(shape: BaseGeometry, spits: BaseGeometry, window: BaseGeometry) -> BaseGeometry:
    """Round the corners between a coast and its new spits; the rest of the coast stays as it is."""
    around = shapely.buffer(spits, 2 * _ROUND_MM)
    closed = shapely.buffer(
        shapely.buffer(shapely.intersection(shape, around), _ROUND_MM, quad_segs=6), -_ROUND_MM, quad_segs=6
    )
    return shapely.intersection(shapely.union(shape, shapely.intersection(closed, around)), window)
