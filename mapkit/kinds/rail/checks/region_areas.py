"""Checks of cities against the areas drawn by the author for their regions."""

import math
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.core.base import Point
from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.geography.own_layers import OwnLayers
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check

FAR_MI: Final = 5.0
"""Tolerance for generalised areas: a port may lie so far off its own coast."""
_MI_PER_DEGREE: Final = 69.0
_MIN_OVERLAP: Final = 0.01
"""Share of the smaller area, below which an overlap is the imprecision of a border that was drawn twice."""
_GAP: Final = "gap"
_FAULT_TEXTS: Final = {"overlap": "overlap", _GAP: "leave a gap"}
_CROSSING_PATTERN: Final = re.compile(r"Self-intersection\[(\S+) (\S+)\]")


def _find_city_outside_region(c: CheckedRails) -> Iterator[Found]:
    """A city outside the area of its region by more than 5 miles or in another's, or areas with bad borders.

    Two areas that overlap by more than a hundredth of the smaller one, a gap of that size that areas enclose with
    mileposts in it, a region without an area where others have one, or an outline that crosses itself, are findings.

    Only boards with a file of `regions` under `[layers]` of `board.toml` have such areas. Either the city has the wrong
    region, or a border is drawn on its wrong side. Cities are not compared with outlines that cross themselves, as a
    bow tie does: it is not clear what lies in them.
    """
    region_names = {region.id: region.name for region in c.board.regions}
    crossed_regions = set[str]()
    for ident, (lon, lat) in c.of_part("layers", _find_outline_crossings).items():
        crossed_regions.add(ident)
        layer_file, region_place = _find_layer_file(c), c.place("regions", ident)
        yield Found(
            f"the outline of {region_names.get(ident, ident)} crosses itself at lon {lon:.4f}, lat {lat:.4f}; "
            "draw it again without the crossing",
            ("outline", ident),
            Place(file=layer_file or region_place.file, row=None if layer_file else region_place.row, lon=lon, lat=lat),
        )
    all_areas = c.of_part("layers", _build_region_areas)
    areas = {ident: area for ident, area in all_areas.items() if ident not in crossed_regions}
    if not all_areas:
        return
    yield from _find_missing_areas(c, all_areas)
    milepost_points = shapely.MultiPoint([(milepost.lon, milepost.lat) for milepost in c.board.mileposts])
    for fault, first, second, shape in c.of_part("layers", _find_border_faults):
        is_lake = fault == _GAP and not shape.intersects(milepost_points)
        if crossed_regions.isdisjoint((first, second)) and not is_lake:
            names = " and ".join(region_names.get(ident, ident) for ident in (first, second))
            point = shapely.point_on_surface(shape)
            yield Found(
                f"the areas of {names} {_FAULT_TEXTS[fault]} at lon {point.x:.2f}, lat {point.y:.2f}; "
                "draw one border for both",
                (fault, first, second),
                Place(file=_find_layer_file(c), row=None, lon=point.x, lat=point.y),
            )
    for city in c.board.cities:
        milepost = c.mileposts.get(city.milepost)
        if milepost is None or city.region not in areas:
            continue
        point = shapely.Point(milepost.lon, milepost.lat)
        if areas[city.region].covers(point):
            continue
        own_name = region_names.get(city.region, city.region)
        other_region = next((region for region in areas if region != city.region and areas[region].covers(point)), None)
        distance_mi = _measure_miles(point, areas[city.region])
        if other_region is not None:
            other_name = region_names.get(other_region, other_region)
            problem_text = f"lies in the area of {other_name}, {distance_mi:.0f} miles from {own_name}"
        elif distance_mi > FAR_MI:
            problem_text = f"lies {distance_mi:.0f} miles from its area"
        else:
            continue
        yield Found(
            f"{city.name} is a city of {own_name}, but {problem_text}; correct its region in cities.csv, or the areas "
            "in the layer of regions",
            (city.id,),
            c.place("cities", city.id, at=city.milepost),
            {"miles": round(distance_mi, 1)} | ({"area": other_region} if other_region is not None else {}),
        )


def _find_missing_areas(c: CheckedRails, areas: Mapping[str, BaseGeometry]) -> Iterator[Found]:
    """Yield a finding for each region without an area."""
    for region in c.board.regions:
        if region.id not in areas:
            message = f"{region.name} has no area in the layer of regions, and others have; draw it"
            yield Found(message, ("area", region.id), c.place("regions", region.id))


def _find_layer_file(c: CheckedRails) -> str | None:
    """Return the file of the layers, if there is exactly one."""
    layer_files = [source.path for source in c.board.provenance.sources if source.path.startswith("layers/")]
    return layer_files[0] if len(layer_files) == 1 else None


def _find_outline_crossings(layers: OwnLayers | None) -> Mapping[str, Point]:
    """Return the point where the outline of each region crosses itself, by region id, degrees."""
    point_by_region: dict[str, Point] = {}
    for region_id, polygons in ((layers and layers.regions) or {}).items():
        for rings in polygons:
            validity_reason = shapely.is_valid_reason(shapely.Polygon(rings[0], rings[1:]))
            if (crossing_match := _CROSSING_PATTERN.search(validity_reason)) is not None:
                point_by_region.setdefault(region_id, (float(crossing_match[1]), float(crossing_match[2])))
    return point_by_region


def _build_region_areas(layers: OwnLayers | None) -> Mapping[str, BaseGeometry]:
    """Return the area of each region by id, in degrees, as one prepared shape."""
    area_by_region = {
        region_id: shapely.union_all([shapely.make_valid(shapely.Polygon(rings[0], rings[1:])) for rings in polygons])
        for region_id, polygons in ((layers and layers.regions) or {}).items()
    }
    shapely.prepare(list(area_by_region.values()))
    return area_by_region


def _find_border_faults(layers: OwnLayers | None) -> list[tuple[str, str, str, BaseGeometry]]:
    """Return overlaps of areas and gaps that areas enclose: the fault, two regions and its shape, the largest first."""
    areas = sorted(_build_region_areas(layers).items())
    least_area = _MIN_OVERLAP * min((area.area for _, area in areas), default=0.0)
    faults: list[tuple[str, str, str, BaseGeometry]] = [
        ("overlap", first, second, shapely.intersection(first_area, second_area))
        for (first, first_area), (second, second_area) in combinations(areas, 2)
        if first_area.intersects(second_area)
    ]
    parts = shapely.get_parts(shapely.union_all([area for _, area in areas]))
    for hole in (shapely.Polygon(ring) for part in parts for ring in part.interiors):
        first, second, *_ = *(ident for ident, area in areas if area.intersects(hole)), "", ""
        if second:
            faults.append((_GAP, first, second, hole))
    return sorted((fault for fault in faults if fault[3].area > least_area), key=lambda fault: -fault[3].area)


def _measure_miles(point: shapely.Point, area: BaseGeometry) -> float:
    """Return the distance of a point from an area, in a projection that is true around the point."""
    longitude_scale = math.cos(math.radians(point.y))
    flat_area = shapely.transform(area, lambda xy: xy * (longitude_scale, 1.0))
    return _MI_PER_DEGREE * float(shapely.distance(shapely.Point(point.x * longitude_scale, point.y), flat_area))


CHECKS = (make_listed_check("G08", _find_city_outside_region),)
