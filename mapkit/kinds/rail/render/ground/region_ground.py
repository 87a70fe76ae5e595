"""Ground of each region of the destination chart, as areas of the page (RB-C07).

A tint ends at a coast, a border of the base map, or a line that is drawn there: tinted are whole countries
(or states of the United States) with cities, and the areas that the author draws. A milepost abroad gets no tint.
A country is divided between the regions of its own mileposts, so no tint reaches over a border.

The ground is divided by the Voronoi cells of all mileposts, where they are drawn; a milepost's region is that of
`mapkit.kinds.rail.network.milepost_regions`. The borders between regions are then drawn taut, but never over a
milepost, so every milepost stays on the ground of its region, and two neighbours share one line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from mapkit.core.arrays import distinct_values
from mapkit.core.base import Area, Point
from mapkit.geography.backdrop import Backdrop
from mapkit.geography.basemap import LEVELS, level_for
from mapkit.geography.land_countries import PagePlaces, load_page_places
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.milepost_regions import find_regions
from mapkit.kinds.rail.render.ground.taut_lines import shorten_lines
from mapkit.kinds.rail.render.lines.polyline import Array, to_shapely_points

_NEAR_STATE_MM: Final = 3.0
"""Cities so near to a border may lie on its wrong side, for borders are generalised."""
_STATE_SHARE: Final = 0.9
_MOST_SHARE: Final = 0.5
_SEAM_MM: Final = 0.3
_NOWHERE: Final = shapely.Polygon()
_LEAST_SPILL_MM2: Final = 1.0
"""Smaller pieces of a country are gaps between its border and the coast."""
_LEAST_EDGE_MM: Final = 2.0
"""Shorter lines are remnants of a coast that a region's area follows closely."""
_SPIT_MM: Final = 1.2
"""Radius of the spit around a milepost in the sea of the base map."""
_UNDER_SYMBOL_MM: Final = 0.5
"""A milepost so near beyond a border has its own ground, for its symbol hides it."""
_AT_SEA_MM: Final = 15.0
"""Greatest distance at which a milepost off a coarse coast, or a city off any coast, gets ground."""
_OFF_SHORE_MM: Final = 3.0
"""The same for other mileposts off a fine coast; those farther out are on ship routes."""
_NUDGES_MM: Final = (0.0, 1e-6, 1e-5, 1e-4)
"""Places are moved so far, in turn, until GEOS makes valid cells; it fails at places of a grid."""
_ROUND_NUMBERS: Final = (40, 15, 5, 0)
_STRAIGHT_MM: Final = 1e-2
_FAR_TIMES: Final = 20


@dataclass(frozen=True)
class RegionGround:
    """Base map with room for every milepost, and the regions on it, in page millimetres."""

    backdrop: Backdrop
    tints: Mapping[str, BaseGeometry]
    """Region -> its ground; empty for a region without mileposts."""
    edges: BaseGeometry
    """The borders between regions, on land."""


def region_tints(board: Board, backdrop: Backdrop, spots: Mapping[str, Point] | None = None) -> dict[str, BaseGeometry]:
    """Return the ground of each region by its id, in page millimetres, as `lay_ground`."""
    return dict(lay_ground(board, backdrop, spots).tints)


def lay_ground(board: Board, backdrop: Backdrop, spots: Mapping[str, Point] | None = None) -> RegionGround:
    """Divide the ground between the regions.

    Args:
        board: The board with the regions.
        backdrop: The base map.
        spots: Milepost (id) -> where it is drawn; where it is projected to, by default.
    """
    place_of = {m.id: (spots or {}).get(m.id, (m.x, m.y)) for m in board.mileposts}
    region_of = find_regions(board)
    tints: dict[str, BaseGeometry] = {region.id: _NOWHERE for region in board.regions}
    city_mileposts = {city.milepost for city in board.cities}
    has_fine_coast = level_for(board.projection.scale_mm_per_m) == LEVELS[-1]
    reach_mm = {
        milepost_id: _OFF_SHORE_MM if has_fine_coast and milepost_id not in city_mileposts else _AT_SEA_MM
        for milepost_id in region_of
    }
    milepost_sites = sorted({(*place_of[ident], region, reach_mm[ident]) for ident, region in region_of.items()})
    if not milepost_sites:
        return RegionGround(backdrop, tints, shapely.MultiLineString())
    site_places = np.round(np.array([(x, y) for x, y, _, _ in milepost_sites]), 3)
    site_regions = [region for _, _, region, _ in milepost_sites]
    site_reaches = np.array([site_reach for _, _, _, site_reach in milepost_sites])
    tinted_ground, country_lands = _find_tinted_ground(
        board, backdrop, site_places, [(place_of[m.id], (m.x, m.y)) for m in board.mileposts if m.id in city_mileposts]
    )
    backdrop = replace(backdrop, warp=None)
    if backdrop.regions:
        return _lay_given_regions(
            replace(backdrop, warp=None), tints, tinted_ground, site_places, site_regions, site_reaches
        )
    backdrop, tinted_ground = _extend_ashore(replace(backdrop, warp=None), tinted_ground, site_places, site_reaches)
    region_areas = _divide_map(site_places, site_regions, backdrop)
    divided_lands = []
    for land in country_lands if len(country_lands) > 1 else []:
        own_areas = _divide_country(land, region_areas, site_places, site_regions, backdrop)
        if own_areas:
            divided_lands.append(land)
            region_areas = {
                region: shapely.union(
                    shapely.difference(area, land), shapely.intersection(own_areas.get(region, _NOWHERE), land)
                )
                for region, area in region_areas.items()
            }
    for region, area in region_areas.items():
        if region in tints:
            tints[region] = _keep_polygons(shapely.intersection(area, tinted_ground))
    shared_borders = [
        shapely.intersection(first_area.boundary, second_area.boundary)
        for first_area, second_area in _pair_neighbours(list(region_areas.values()))
    ]
    lines = [part for edge in shared_borders for part in shapely.get_parts(edge) if part.geom_type == "LineString"]
    merged_border: BaseGeometry = shapely.line_merge(shapely.MultiLineString(lines))
    for land in divided_lands:
        merged_border = shapely.difference(merged_border, shapely.buffer(land.boundary, _SEAM_MM))
    return RegionGround(backdrop, tints, shapely.intersection(merged_border, tinted_ground))


def _divide_country(
    land: BaseGeometry,
    region_areas: Mapping[str, BaseGeometry],
    site_places: Array,
    site_regions: Sequence[str],
    backdrop: Backdrop,
) -> dict[str, BaseGeometry]:
    """Divide a country between the regions of its own mileposts; nothing if no other region reaches into it."""
    is_own = shapely.contains(land, to_shapely_points(site_places))
    own_regions = [region for region, is_inside in zip(site_regions, is_own, strict=True) if is_inside]
    foreign_areas = [area for region, area in region_areas.items() if region not in own_regions]
    if not own_regions or shapely.area(shapely.intersection(foreign_areas, land)).sum() <= _LEAST_SPILL_MM2:
        return {}
    return _divide_map(site_places[is_own], own_regions, backdrop)


def _lay_given_regions(
    backdrop: Backdrop,
    tints: dict[str, BaseGeometry],
    milepost_ground: BaseGeometry,
    xy: Array,
    site_regions: Sequence[str],
    site_reaches: Array,
) -> RegionGround:
    """Lay the regions as their author draws them; the ground of others follows from their mileposts."""
    drawn = {ident: shapely.intersection(shape, backdrop.land) for ident, shape in backdrop.regions.items()}
    drawn_ground = shapely.union_all(list(drawn.values()))
    tinted_ground = drawn_ground if tints.keys() <= drawn.keys() else shapely.union(drawn_ground, milepost_ground)
    backdrop, tinted_ground = _extend_ashore(backdrop, tinted_ground, xy, site_reaches)
    undrawn_ground = shapely.difference(tinted_ground, shapely.union_all(list(backdrop.regions.values())))
    areas = _divide_map(xy, site_regions, backdrop)
    for ident in tints:
        own_ground = shapely.intersection(backdrop.regions[ident], tinted_ground) if ident in drawn else _NOWHERE
        added_ground = shapely.intersection(areas[ident], undrawn_ground) if ident in areas else _NOWHERE
        tints[ident] = _keep_polygons(shapely.union(own_ground, added_ground))
    region_outlines = shapely.union_all([tint.boundary for tint in tints.values()])
    map_lines = [backdrop.land.boundary, backdrop.country_borders, shapely.box(*backdrop.area).boundary]
    undrawn_outlines = shapely.difference(region_outlines, shapely.buffer(shapely.union_all(map_lines), _SEAM_MM))
    whole_lines = shapely.get_parts(shapely.line_merge(undrawn_outlines))
    border_lines = [part for part in whole_lines if part.geom_type == "LineString" and part.length >= _LEAST_EDGE_MM]
    return RegionGround(backdrop, tints, shapely.MultiLineString(border_lines))


def _pair_neighbours(areas: Sequence[BaseGeometry]) -> list[tuple[BaseGeometry, BaseGeometry]]:
    return [
        (first_area, second_area)
        for i, first_area in enumerate(areas)
        for second_area in areas[i + 1 :]
        if first_area.intersects(second_area)
    ]


def _keep_polygons(shape: BaseGeometry) -> BaseGeometry:
    """Return the polygons of a shape, without its lines and points."""
    polygons = [p for p in shapely.get_parts(shapely.get_parts(shape)) if p.geom_type == "Polygon"]
    return shapely.MultiPolygon(polygons)


def _divide_map(xy: Array, site_regions: Sequence[str], backdrop: Backdrop) -> dict[str, BaseGeometry]:
    """Return each region's part of the whole map, by Voronoi cells with their common borders drawn taut."""
    left, top, right, bottom = backdrop.area
    map_box = shapely.box(left, top, right, bottom)
    if len(set(site_regions)) == 1:
        return {site_regions[0]: map_box}
    points = to_shapely_points(xy)
    cells = _make_cells(xy, map_box)
    cell_numbers, site_numbers = shapely.STRtree(points).query(cells, predicate="intersects")
    region_cells: dict[str, list[BaseGeometry]] = {}
    for c, s in sorted(zip(cell_numbers.tolist(), site_numbers.tolist(), strict=True), key=lambda pair: pair[1]):
        region_cells.setdefault(site_regions[s], []).append(cells[c])
    rough_areas = {
        region_id: shapely.intersection(shapely.set_precision(shapely.union_all(own_cells), 1e-3), map_box)
        for region_id, own_cells in sorted(region_cells.items())
    }
    shared_borders = [
        shapely.intersection(a.boundary, b.boundary) for a, b in _pair_neighbours(list(rough_areas.values()))
    ]
    border_lines = [p for s in shared_borders for p in shapely.get_parts(s) if p.geom_type == "LineString"]
    border_arcs = shapely.get_parts(shapely.line_merge(shapely.node(shapely.MultiLineString(border_lines))))
    sorted_arcs = sorted((shapely.normalize(arc) for arc in border_arcs), key=lambda arc: arc.coords[:])
    for rounds in _ROUND_NUMBERS:
        areas = _fill_borders(shorten_lines(sorted_arcs, points, rounds), map_box, rough_areas, points, site_regions)
        if areas is not None:
            return areas
    return rough_areas


def _make_cells(xy: Array, box: BaseGeometry) -> NDArray[np.object_]:
    """Return the Voronoi cells of places; for places on one straight line, four far ones are added to them."""
    if np.linalg.matrix_rank(xy - xy[0], tol=_STRAIGHT_MM) < xy.shape[1]:
        left, top, right, bottom = box.bounds
        far_distance = _FAR_TIMES * np.array([right - left, bottom - top])
        box_middle = np.array([left + right, top + bottom]) / 2
        xy = np.vstack((xy, box_middle + far_distance * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])))
    spread = np.arange(len(xy))[:, None] * (7, 5) % (11, 13) - 6  # no four of them on one circle
    for nudge_mm in _NUDGES_MM:
        cells = shapely.get_parts(
            shapely.voronoi_polygons(
                shapely.multipoints(to_shapely_points(xy + nudge_mm * spread)), extend_to=box, ordered=False
            )
        )
        if shapely.is_valid(cells).all():
            break
    return cells


def _fill_borders(
    arcs: Sequence[BaseGeometry],
    box: BaseGeometry,
    rough_areas: Mapping[str, BaseGeometry],
    points: NDArray[np.object_],
    site_regions: Sequence[str],
) -> dict[str, BaseGeometry] | None:
    """Return the regions between the borders, or None if a milepost would lie in another region."""
    border_net = shapely.set_precision(shapely.union_all([box.boundary, *arcs]), 1e-3)
    net_faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(border_net)))
    regions_in_face: list[set[str]] = [set() for _ in net_faces]
    for face, point in zip(*shapely.STRtree(points).query(net_faces, predicate="intersects").tolist(), strict=True):
        regions_in_face[face].add(site_regions[point])
    region_faces: dict[str, list[BaseGeometry]] = {}
    for face, face_regions in zip(net_faces, regions_in_face, strict=True):
        if len(face_regions) > 1:
            return None
        overlaps = {name: shapely.area(shapely.intersection(face, area)) for name, area in rough_areas.items()}
        name = next(iter(face_regions)) if face_regions else max(sorted(overlaps), key=lambda n: overlaps[n])
        region_faces.setdefault(name, []).append(face)
    return {name: shapely.union_all(own_faces) for name, own_faces in sorted(region_faces.items())}


def _find_tinted_ground(
    board: Board, backdrop: Backdrop, xy: Array, towns: Sequence[tuple[Point, Point]]
) -> tuple[BaseGeometry, list[BaseGeometry]]:
    """Return the tinted ground: states with mileposts or between them, or the land of the countries of the cities.

    Of countries, the land of each comes second, none of states.

    Args:
        board: The board.
        backdrop: The base map.
        xy: The mileposts.
        towns: Where each city is drawn, and where it is projected to.
    """
    drawn_places, true_places = (np.array(city_places) for city_places in zip(*towns, strict=True))
    drawn_cities = to_shapely_points(drawn_places)
    true_cities = to_shapely_points(backdrop.warp(true_places) if backdrop.warp else true_places)
    if backdrop.states:
        shapes = np.array([s.shape for s in backdrop.states], dtype=object)
        near_states = shapely.STRtree(shapes).query(true_cities, predicate="dwithin", distance=_NEAR_STATE_MM)[0]
        if len(set(near_states.tolist())) >= _STATE_SHARE * len(true_cities):
            milepost_hull = shapely.MultiPoint(xy).convex_hull
            is_inside = shapely.area(shapely.intersection(shapes, milepost_hull)) >= _MOST_SHARE * shapely.area(shapes)
            is_tinted = is_inside | _holds_point(shapes, to_shapely_points(xy))
            # Generalised states leave narrow gaps: a milepost in one belongs to the nearest state.
            stray_points = np.array([p for p in to_shapely_points(xy) if not shapely.intersects(shapes, p).any()])
            if len(stray_points):
                _, gap_states = shapely.STRtree(shapes).query_nearest(
                    stray_points, max_distance=_UNDER_SYMBOL_MM, all_matches=False
                )
                is_tinted[gap_states] = True
            return shapely.union_all(shapely.buffer(shapes[is_tinted], 0.03, quad_segs=2)), []
    country_lookup = load_page_places(board.projection, backdrop.area)
    if backdrop.warp:
        country_lookup = country_lookup.move(backdrop.warp)
    return _find_country_ground(
        backdrop, drawn_cities, np.array(country_lookup.shapes(true_cities), dtype=np.str_), country_lookup
    )


def _find_country_ground(
    backdrop: Backdrop,
    cities: NDArray[np.object_],
    city_countries: NDArray[np.str_],
    country_lookup: PagePlaces,
) -> tuple[BaseGeometry, list[BaseGeometry]]:
    """Return the land of the countries of the cities, together and by country.

    Args:
        backdrop: The base map.
        cities: Mileposts of cities, as points.
        city_countries: The country of each city.
        country_lookup: Those of other land.
    """
    borders = shapely.union_all([backdrop.country_borders, backdrop.borders_over_water])
    # Borders do not meet the coast exactly, so they are buffered; the countries get the strip back below.
    land_parts = shapely.get_parts(shapely.difference(backdrop.land, shapely.buffer(borders, _SEAM_MM)))
    is_inland = (
        np.ones(len(cities), np.bool_) if borders.is_empty else shapely.distance(cities, borders) > _NEAR_STATE_MM
    )
    part_countries = np.array(country_lookup.shapes(land_parts), dtype=np.str_)
    is_cut = _find_cut_parts(land_parts, backdrop.area)
    part_index, city_index = shapely.STRtree(cities).query(land_parts, predicate="dwithin", distance=_NEAR_STATE_MM)
    is_own = part_countries[part_index] == city_countries[city_index]
    has_city = np.zeros(len(land_parts), np.bool_)
    # A town at the border does not make the ground of a neighbour that the page cuts off.
    has_city[part_index[is_own & (is_inland[city_index] | ~is_cut[part_index])]] = True
    is_foreign_coast = is_cut & ~_holds_point(land_parts, cities)
    is_home = has_city | (np.isin(part_countries, part_countries[has_city]) & ~is_foreign_coast)
    home_parts, home_countries = shapely.buffer(land_parts[is_home], _SEAM_MM), part_countries[is_home]
    country_lands = [
        shapely.intersection(shapely.union_all(home_parts[home_countries == country]), backdrop.land)
        for country in sorted(set(home_countries.tolist()))
    ]
    return shapely.intersection(shapely.union_all(home_parts), backdrop.land), country_lands


def _holds_point(shapes: NDArray[np.object_], points: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Return a mask of the shapes that contain a point."""
    is_hit = np.zeros(len(shapes), np.bool_)
    is_hit[distinct_values(shapely.STRtree(shapes).query(points, predicate="intersects")[1])] = True
    return is_hit


def _find_cut_parts(parts: NDArray[np.object_], area: Area) -> NDArray[np.bool_]:
    """Return a mask of the parts of land that the edge of the page cuts off."""
    left, top, right, bottom = area
    west, north, east, south = shapely.bounds(parts).reshape(-1, 4).T
    is_cut: NDArray[np.bool_] = (west <= left + _SEAM_MM) | (north <= top + _SEAM_MM)
    return is_cut | (east >= right - _SEAM_MM) | (south >= bottom - _SEAM_MM)


def _extend_ashore(
    backdrop: Backdrop, tinted_ground: BaseGeometry, xy: Array, site_reaches: Array
) -> tuple[Backdrop, BaseGeometry]:
    """Extend the ground by a round spit to each milepost that a coarse coast or shore leaves out.

    Args:
        backdrop: The base map.
        tinted_ground: The ground of all regions.
        xy: The mileposts.
        site_reaches: How far from the coast each gets ground, millimetres.
    """
    points = to_shapely_points(xy)
    is_off_ground = ~shapely.contains(tinted_ground, points)
    stray_points, stray_reaches = points[is_off_ground], site_reaches[is_off_ground]
    if len(stray_points) and not tinted_ground.is_empty:
        shortest_ways = shapely.shortest_line(stray_points, tinted_ground)
        is_foreign = shapely.contains(backdrop.land, stray_points)
        is_at_sea = shapely.length(shortest_ways) <= np.where(is_foreign, _UNDER_SYMBOL_MM, stray_reaches)
        map_window = shapely.box(*backdrop.area)
        all_spits = shapely.union_all(shapely.buffer(shortest_ways[is_at_sea], _SPIT_MM, quad_segs=8))
        tinted_ground = _smooth_spits(shapely.union(tinted_ground, all_spits), all_spits, map_window)
        new_land = _smooth_spits(shapely.union(backdrop.land, all_spits), all_spits, map_window)
        backdrop = replace(backdrop, land=new_land)
    wet_points = shapely.STRtree(points).query(np.array(backdrop.lakes, dtype=object), predicate="intersects")
    if wet_points.shape[1]:
        new_lakes = list(backdrop.lakes)
        for lake, point in zip(*wet_points.tolist(), strict=True):
            shortest_way = shapely.shortest_line(points[point], new_lakes[lake].boundary)
            if shortest_way.length <= _AT_SEA_MM:
                lake_spit = shapely.buffer(shortest_way, _SPIT_MM, quad_segs=8)
                new_lakes[lake] = _keep_polygons(shapely.difference(new_lakes[lake], lake_spit))
                tinted_ground = shapely.union(tinted_ground, lake_spit)
        backdrop = replace(backdrop, lakes=tuple(new_lakes))
    return backdrop, tinted_ground


def _smooth_spits(shape: BaseGeometry, spits: BaseGeometry, window: BaseGeometry) -> BaseGeometry:
    """Round the corners between a coast and its new spits; other parts of the coast stay unchanged."""
    spit_surroundings = shapely.buffer(spits, 2 * _SPIT_MM)
    closed_shape = shapely.buffer(
        shapely.buffer(shapely.intersection(shape, spit_surroundings), _SPIT_MM, quad_segs=6), -_SPIT_MM, quad_segs=6
    )
    return shapely.intersection(shapely.union(shape, shapely.intersection(closed_shape, spit_surroundings)), window)
