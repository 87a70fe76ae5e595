"""Drawings whose longitude and latitude are exchanged."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from mapkit.core.base import Point
from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.source import CityRow, PinnedPoint, TracedLine
from mapkit.kinds.rail.sources.places import looks_swapped


def refuse_swapped(drawn: Iterable[TracedLine | PinnedPoint], cities: Sequence[CityRow]) -> None:
    """Refuse drawings in degrees that lie among the cities only with longitude and latitude swapped.

    Args:
        drawn: Lines and points of all drawings; those in pixels are passed over.
        cities: The cities of the board; without any, nothing is refused.

    Raises:
        SourceError: There are such drawings; each is named once, with its first feature.
    """
    points: dict[str, list[Point]] = defaultdict(list)
    first: dict[str, str] = {}
    for one in drawn:
        if one.pixels:
            continue
        file = one.feature.partition("#")[0]
        first.setdefault(file, one.feature)
        points[file] += one.line if isinstance(one, TracedLine) else [(one.x, one.y)]
    wrong = [_message(first[file], middle) for file, middle in _middles(points) if looks_swapped(middle, cities)]
    if wrong:
        raise SourceError(wrong)


def _middles(points: dict[str, list[Point]]) -> Iterable[tuple[str, Point]]:
    for file, found in sorted(points.items()):
        yield file, (median(x for x, _ in found), median(y for _, y in found))


def _message(feature: str, middle: Point) -> str:
    lon, lat = middle
    return (
        f"{feature}: the file lies around lon {lon:.2f}, lat {lat:.2f}, far from every city, but among the cities if "
        "longitude and latitude are swapped; write longitude first"
    )
