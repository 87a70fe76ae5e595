"""Extent of the land that the page of a draft shows: whole islands and the countries of its cities."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Area
from mapkit.core.geodesy import METRES_PER_MILE
from mapkit.geography.basemap import Level, level_for, load_layer
from mapkit.geography.gazetteer_table import PER_DEGREE, shipped_table
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Plane, Shapes

_REACH_SHARE: Final = 0.45
"""How far beyond the track the page may show land, as a share of the longer side of the track."""
_ROOM_SHARE: Final = 0.02
"""Water around the land, as a share of the longer side."""
_NEAR_SHARE: Final = 0.08
"""How far from the land an island may be that is shown too, so that the bleed cuts none."""
_PAGE_MM: Final = 700.0
"""About what the longer side is on the page, for the level of detail of the base map."""
_BORDER_MI: Final = 0.5
_HALF_TURN: Final = 180.0


def find_land_extent(plane: Plane, track: Floats, countries: Sequence[str]) -> tuple[Area, Area]:
    """Return what the page shows, in miles of the plane, and as west, south, east, north in degrees.

    Args:
        plane: The plane of the draft.
        track: Its stations on the plane, shape (n, 2).
        countries: Of the region; their land around the track is shown whole.
    """
    low, high = track.min(axis=0), track.max(axis=0)
    longer_mi = max(float((high - low).max()), 1.0)
    limit = shapely.box(*(low - _REACH_SHARE * longer_mi), *(high + _REACH_SHARE * longer_mi))
    window = _degree_window(plane, limit.bounds)
    land_parts = _divide_land(plane, window, level_for(_PAGE_MM / (longer_mi * METRES_PER_MILE)))
    shown = shapely.box(*low, *high)
    for part in land_parts[_is_home(plane, land_parts, track, window, countries)]:
        shown = shapely.box(*shapely.union(shown, shapely.intersection(part, limit).envelope).bounds)
    islands = land_parts[shapely.covers(limit, land_parts)]
    near_mi = _NEAR_SHARE * longer_mi
    while (cut := islands[shapely.dwithin(islands, shown, near_mi) & ~shapely.covers(shown, islands)]).size:
        shown = shapely.box(*shapely.union(shown, shapely.union_all(cut).envelope).bounds)
    shown = shapely.buffer(shown, _ROOM_SHARE * longer_mi, join_style="mitre")
    west, south, east, north = (round(side, 2) for side in _degree_window(plane, shown.bounds))
    left, bottom, right, top = shown.bounds
    return (left, bottom, right, top), (_wrap(west), max(south, -90.0), _wrap(east), min(north, 90.0))


def _wrap(lon: float) -> float:
    """Return a longitude between -180 and 180."""
    return round((lon + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN, 2)


def _degree_window(plane: Plane, bounds: Area) -> Area:
    """Return the degrees that the sides of a box of the plane span, longitudes unwrapped around the plane's middle."""
    corners = shapely.get_coordinates(shapely.segmentize(shapely.box(*bounds), (bounds[2] - bounds[0]) / 16 or 1.0))
    degrees = plane.to_degrees(corners)
    lons = plane.turned(degrees[:, 0])
    return float(lons.min()), float(degrees[:, 1].min()), float(lons.max()), float(degrees[:, 1].max())


def _divide_land(plane: Plane, window: Area, level: Level) -> Shapes:
    """Return the parts of the land in a window, between coasts and the borders of countries."""
    land = plane.shapes_in(load_layer("land", level).parts, window)
    # Parts that longitude 180 cuts are one again.
    whole_land = shapely.buffer(shapely.buffer(land, _BORDER_MI, join_style="mitre"), -_BORDER_MI, join_style="mitre")
    borders = plane.shapes_in(load_layer("countries", level).parts, window)
    return np.asarray(shapely.get_parts(shapely.difference(whole_land, shapely.buffer(borders, _BORDER_MI))))


def _is_home(plane: Plane, parts: Shapes, track: Floats, window: Area, countries: Sequence[str]) -> Flags:
    """Return a mask of the parts of land with track and more places of the countries than of others."""
    table = shipped_table()
    lon, lat, _ = (np.asarray(column) for column in table.columns())
    lon, lat = plane.turned(lon / PER_DEGREE), lat / PER_DEGREE
    west, south, east, north = window
    rows = np.flatnonzero((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north))
    is_home = np.array([table.country(row) in countries for row in rows.tolist()], dtype=np.int64)
    place_points = np.array(shapely.points(plane.to_plane(np.column_stack((lon[rows], lat[rows])))), dtype=object)
    part_index, place_index = shapely.STRtree(place_points).query(parts, predicate="intersects")
    balance = np.bincount(part_index, weights=2 * is_home[place_index] - 1, minlength=len(parts))
    track_tree = shapely.STRtree(np.array(shapely.points(track), dtype=object))
    has_track = np.zeros(len(parts), np.bool_)
    has_track[track_tree.query(parts, predicate="dwithin", distance=_BORDER_MI)[0]] = True
    return np.asarray(has_track & (balance > 0))
