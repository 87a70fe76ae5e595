"""The stops that lines may run through: places of the gazetteer, thinned, and points between where there are none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import combining, normalize

import numpy as np
import shapely

from mapkit.core.names import undrawn_script
from mapkit.core.neighbours import find_pairs_among
from mapkit.drawing.text_width import missing_characters
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.drafting.ground import Ground
from mapkit.kinds.rail.drafting.plane import Flags, Floats, Ints, Plane

APART_MI: Final = 250.0
"""Places farther than this from all others are of another map, if few people live there."""
_FEW: Final = 0.05
"""What share of the people few are."""
_MOST: Final = 24_000
"""Places that are looked at, the most people first."""
_STOPS: Final = 2_400
"""Squares, as wide as stops are apart, that the land has, whatever the size of the region; half as many get a stop."""
_BARE: Final = 1.5
"""Distances between stops from the nearest one at which a point without a place is a stop too."""


@dataclass(frozen=True)
class Stops:
    """Where lines may run through.

    Attributes:
        at: Where, miles on the plane.
        places: The place at each; None at a point without one.
        apart: How far stops are apart at the least, miles.
    """

    at: Floats
    places: tuple[GazetteerPlace | None, ...]
    apart: float

    def __len__(self) -> int:
        """Return how many."""
        return len(self.places)


def usable(places: Sequence[GazetteerPlace]) -> list[GazetteerPlace]:
    """Return the places with names that can stand on a board, spelled in letters of the shipped font."""
    found = [one if one.name == (name := drawable(one.name)) else replace(one, name=name) for one in places]
    return [one for one in found if one.name and not any(letter.isdigit() for letter in one.name)]


def drawable(name: str) -> str:
    """Return a name in letters that the shipped font has: others lose their marks; empty if it is of another script."""
    if undrawn_script(name):
        return ""
    plain = normalize("NFC", name)
    for letter in missing_characters(plain):
        bare = "".join(one for one in normalize("NFKD", letter) if not combining(one))
        plain = plain.replace(letter, "" if missing_characters(bare) else bare)
    return plain[:1].upper() + plain[1:]


def together(places: Sequence[GazetteerPlace]) -> tuple[list[GazetteerPlace], list[GazetteerPlace]]:
    """Return the places that belong to one map, and those far from it, each the most people first."""
    lon, lat = (np.radians([getattr(one, axis) for one in places]) for axis in ("lon", "lat"))
    space = 3958.8 * np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
    group = _groups(space)
    people = np.bincount(group, weights=[one.population for one in places])
    kept = people >= max(_FEW * people.sum(), 1.0)
    kept[int(people.argmax())] = True
    near = [one for one, of in zip(places, group, strict=True) if kept[of]]
    far = [one for one, of in zip(places, group, strict=True) if not kept[of]]
    return near, far


def _groups(space: Floats) -> Ints:
    """Return a number for each point; those that a chain of short ways joins have the same."""
    cells, of = np.unique(np.floor(space / (APART_MI / 2)).astype(np.int64), axis=0, return_inverse=True)
    of = of.reshape(-1)
    number = np.full(len(cells), -1, dtype=np.int64)
    for start in range(len(cells)):
        if number[start] >= 0:
            continue
        number[start] = start
        waiting = [start]
        while waiting:
            here = waiting.pop()
            near = np.flatnonzero((np.abs(cells - cells[here]).max(axis=1) <= 2) & (number < 0))  # noqa: PLR2004 - half cells
            number[near] = start
            waiting += near.tolist()
    found: Ints = number[of]
    return found


def lay_stops(plane: Plane, ground: Ground, places: Sequence[GazetteerPlace]) -> Stops:
    """Return the stops of a region.

    Args:
        plane: The plane.
        ground: The ground.
        places: Its places, the most people first.
    """
    chosen = list(places[:_MOST])
    points = plane.to_plane(np.array([(one.lon, one.lat) for one in chosen]))
    apart = float(np.sqrt(_settled(ground, points) / _STOPS))
    largest = np.sort(np.unique(np.floor(points / (apart / 2)), axis=0, return_index=True)[1])  # of each half cell
    kept = largest[thinned(points[largest], apart)]
    at = points[kept]
    bare = _bare_points(ground, at, apart * _BARE)
    return Stops(np.vstack((at, bare)), (*(chosen[int(one)] for one in kept), *(None for _ in bare)), apart)


def _settled(ground: Ground, points: Floats) -> float:
    """Return how many square miles of land lie in the hull of places, with a little around it."""
    hull = shapely.buffer(shapely.convex_hull(shapely.multipoints(points)), ground.cell * 3)
    shapely.prepare(hull)
    centres = ground.centres()
    inside = shapely.contains_xy(hull, centres[:, 0], centres[:, 1]) & ground.dry.reshape(-1)
    return max(float(inside.sum()), 1.0) * ground.cell**2


def thinned(points: Floats, apart: float) -> Ints:
    """Return the points that are apart from all that come before them, in order."""
    one, other = find_pairs_among(points, apart)
    after: dict[int, list[int]] = {}
    for a, b in zip(one.tolist(), other.tolist(), strict=True):
        after.setdefault(min(a, b), []).append(max(a, b))
    taken: Flags = np.ones(len(points), np.bool_)
    for number in range(len(points)):
        if taken[number] and number in after:
            taken[after[number]] = False
    return np.flatnonzero(taken)


def _bare_points(ground: Ground, at: Floats, apart: float) -> Floats:
    """Return points of land that are far from all stops, and from each other."""
    centres = ground.centres()[ground.dry.reshape(-1)]
    step = max(int(apart / ground.cell / 3), 1)
    row, column = ground.cells_of(centres)
    centres = centres[(row % step == 0) & (column % step == 0)]
    hull = shapely.buffer(shapely.convex_hull(shapely.multipoints(at)), apart)
    shapely.prepare(hull)
    centres = centres[shapely.contains_xy(hull, centres[:, 0], centres[:, 1])]
    if not len(centres):
        return np.zeros((0, 2))
    tree = shapely.STRtree(np.array(shapely.points(at), dtype=object))
    near = tree.query(shapely.points(centres), predicate="dwithin", distance=apart)[0]
    far = np.setdiff1d(np.arange(len(centres)), near)
    centres = centres[far]
    found: Floats = centres[thinned(centres, apart)]
    return found
