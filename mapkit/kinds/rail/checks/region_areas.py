"""Checks of cities against the areas that the author draws for their regions."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Point
from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.memo import remembered
from mapkit.geography.own_layers import OwnLayers, Polygon
from mapkit.kinds.rail.checks.check import Checked, listed

FAR_MI: Final = 5.0
"""Areas are generalised: a port may lie so far off the coast of its own."""
_MILES_A_DEGREE: Final = 69.0
_CROSSING: Final = re.compile(r"Self-intersection\[(\S+) (\S+)\]")


def _elsewhere(c: Checked) -> Iterator[Found]:
    """A city outside the area of its region by more than 5 miles or in another's, or an outline that crosses itself.

    Only boards with a file of `regions` under `[layers]` of `board.toml` have such areas. Either the city has the wrong
    region, or a border is drawn on its wrong side. Cities are not compared with outlines that cross themselves, as a
    bow tie does: it is not clear what lies in them.
    """
    names = {region.id: region.name for region in c.board.regions}
    crossed = set[str]()
    for ident, (lon, lat) in _crossings(c.board.layers).items():
        crossed.add(ident)
        file, where = _layer_file(c), c.place("regions", ident)
        yield Found(
            f"the outline of {names.get(ident, ident)} crosses itself at lon {lon:.4f}, lat {lat:.4f}; draw it again "
            "without the crossing",
            ("outline", ident),
            Place(file=file or where.file, row=None if file else where.row, lon=lon, lat=lat),
        )
    areas = {ident: area for ident, area in _areas(c.board.layers).items() if ident not in crossed}
    for city in c.board.cities:
        milepost = c.mileposts.get(city.milepost)
        if milepost is None or city.region not in areas:
            continue
        point = shapely.Point(milepost.lon, milepost.lat)
        if areas[city.region].covers(point):
            continue
        own = names.get(city.region, city.region)
        other = next((region for region in areas if region != city.region and areas[region].covers(point)), None)
        miles = _miles(point, areas[city.region])
        if other is not None:
            said = (
                f"is a city of {own}, but lies in the area of {names.get(other, other)}, {miles:.0f} miles from {own}"
            )
        elif miles > FAR_MI:
            said = f"is a city of {own}, but lies {miles:.0f} miles from its area"
        else:
            continue
        yield Found(
            f"{city.name} {said}; correct its region in cities.csv, or the areas in the layer of regions",
            (city.id,),
            c.place("cities", city.id, at=city.milepost),
            {"miles": round(miles, 1)} | ({"area": other} if other is not None else {}),
        )


def _layer_file(c: Checked) -> str | None:
    """Return the file of the layers, if there is but one."""
    files = [source.path for source in c.board.provenance.sources if source.path.startswith("layers/")]
    return files[0] if len(files) == 1 else None


@remembered(4)
def _crossings(layers: OwnLayers | None) -> Mapping[str, Point]:
    """Return region id -> where its outline crosses itself, degrees."""
    out: dict[str, Point] = {}
    for ident, polygons in ((layers and layers.regions) or {}).items():
        for rings in polygons:
            reason = shapely.is_valid_reason(shapely.Polygon(rings[0], rings[1:]))
            if (found := _CROSSING.search(reason)) is not None:
                out.setdefault(ident, (float(found[1]), float(found[2])))
    return out


@remembered(4)
def _areas(layers: OwnLayers | None) -> Mapping[str, BaseGeometry]:
    """Return region id -> its area in degrees, as one shape that is quick to ask."""
    found = {ident: _shape(polygons) for ident, polygons in ((layers and layers.regions) or {}).items()}
    shapely.prepare(list(found.values()))
    return found


def _shape(polygons: Sequence[Polygon]) -> BaseGeometry:
    return shapely.union_all([shapely.make_valid(shapely.Polygon(rings[0], rings[1:])) for rings in polygons])


def _miles(point: shapely.Point, area: BaseGeometry) -> float:
    """Return how far a point is from an area, on a map that is true around the point."""
    narrow = math.cos(math.radians(point.y))
    flat = shapely.transform(area, lambda xy: xy * (narrow, 1.0))
    return _MILES_A_DEGREE * float(shapely.distance(shapely.Point(point.x * narrow, point.y), flat))


CHECKS = (listed("G08", _elsewhere),)
