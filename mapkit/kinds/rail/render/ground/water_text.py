"""Names of seas, lakes and rivers along their course, where track and other names leave room.

A sea or lake is named in the largest size that fits along its course or beside it, a river in one size beside its line.
Each letter is a text of its own, for few programs set text along a path; the group has the name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from mapkit.drawing.colours.legibility import mix_until_legible
from mapkit.drawing.svg_page import SvgPage, data_attributes, format_mm
from mapkit.drawing.text_extent import CAP_HEIGHT
from mapkit.drawing.text_width import Family, text_width
from mapkit.geography.page_map import PageMap
from mapkit.geography.water_names import WaterBody, load_water_bodies
from mapkit.kinds.rail.render.ground.free_space import FreeSpace
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.lines.polyline import Array

_LEAST_MM: Final = 2.4
_SIZE_SHARES: Final = (1.0, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35, 0.3, 0.25)
_LARGEST_SHARE: Final = {"ocean": 1.1, "sea": 0.75, "lake": 0.5}
"""Largest sizes as shares of that of regions' names."""
_SPACING: Final = {"ocean": 0.5, "sea": 0.35, "lake": 0.2, "river": 0.12}
"""Room between letters, as a part of the font size."""
_SHIFT_SHARE: Final = 0.16
"""How far from its course a name may be, as a share of the map's width."""
_SHIFTS: Final = 8
_STARTS: Final = 7
_SAMPLES: Final = 48
_RIVER_REACH_MM: Final = 8.0
"""A river farther from its point is another one."""
_ALONG_MM: Final = 90.0
_BESIDE_MM: Final = 0.7
_MOST_BEND_DEG: Final = 40.0


@dataclass(frozen=True)
class _Fit:
    """Place of a name: the line through the middles of its letters, and its size."""

    line: Array
    size: float


def draw_water_names(document: SvgPage, layout: Layout, space: FreeSpace) -> None:
    """Add the names to the layer `borders`, below all track, and take their room."""
    theme, language = document.theme, layout.board.drawing.language.partition("-")[0]
    style = {"class": "water-names", "font-style": "italic", "text-anchor": "middle"}
    group = document.group(document.layers["borders"], style | {"aria-hidden": "true", "pointer-events": "none"})
    sea_ink = mix_until_legible(theme.river, (theme.water,), theme.ink)
    river_ink = mix_until_legible(theme.river, (theme.land,), theme.ink)
    named: set[str] = set()
    for body in load_water_bodies():
        name = body.names[language]
        if name in named:
            continue
        page_points = PageMap(layout.board.projection).to_page(body.course)
        course = layout.warp(np.array([point for point in page_points if np.isfinite(point).all()]).reshape(-1, 2))
        if len(course) != len(body.course):
            continue
        fit = (
            _fit_river(name, course, layout, space)
            if body.kind == "river"
            else _fit_area(body, name, course, layout, space)
        )
        if fit is None:
            continue
        named.add(name)
        space.block(fit.line, fit.size * 1.6)
        letters = document.group(
            group,
            {"class": f"water-name {body.kind}-name", "font-size": format_mm(fit.size)}
            | {"fill": river_ink if body.kind == "river" else sea_ink}
            | data_attributes({"name": name}),
        )
        for letter, (x, y), angle in _set_letters(name, fit, layout.sizes.family):
            turn = {"transform": f"rotate({format_mm(angle)} {format_mm(x)} {format_mm(y)})"}
            document.text(letters, letter, (x, y), turn)


def _rank(body: WaterBody) -> str:
    return "ocean" if "Ocean" in body.names["en"] else body.kind


def _measure(name: str, size: float, spacing: float, family: Family) -> float:
    return text_width(name, size, italic=True, family=family) + spacing * size * (len(name) - 1)


def _fit_area(body: WaterBody, name: str, course: Array, layout: Layout, space: FreeSpace) -> _Fit | None:
    """Return the place of the name of a sea or lake in the largest size that fits."""
    left, top, right, bottom = space.area
    reach = _SHIFT_SHARE * (right - left)
    curve = _bend_curve(course if course[0, 0] <= course[-1, 0] else course[::-1])
    if not ((curve > (left - reach, top - reach)) & (curve < (right + reach, bottom + reach))).all(axis=1).any():
        return None
    curve_line = shapely.LineString(curve)
    if body.kind == "lake":
        reach = min(reach, curve_line.length / 2)
    rank = _rank(body)
    steps = np.linspace(-reach, reach, 2 * _SHIFTS + 1)
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    shifts = shifts[np.argsort(np.hypot(*shifts.T), kind="stable")]
    water = space.lakes if body.kind == "lake" else space.sea
    ways = course[:, None, None] + shifts[:, None] * np.linspace(0, 1, _SAMPLES)[:, None]
    shifts = shifts[~space.contains(~water, ways).any(axis=(0, 2))]  # no way to another sea leads over land
    room = water & space.free
    for share in _SIZE_SHARES:
        size = round(share * _LARGEST_SHARE[rank] * layout.sizes.region_text, 1)
        length = _measure(name, size, _SPACING[rank], layout.sizes.family)
        if size < _LEAST_MM or length > curve_line.length:
            continue
        starts = (curve_line.length - length) * np.linspace(0, 1, _STARTS)
        starts = starts[np.argsort(np.abs(starts - starts.mean()), kind="stable")]
        along = starts[:, None] + np.linspace(0, length, _SAMPLES)
        lines = shapely.get_coordinates(shapely.line_interpolate_point(curve_line, along)).reshape(-1, _SAMPLES, 2)
        candidates = shifts[:, None, None] + lines[None]
        is_free = space.contains(space.shrink(room, 0.6 * size), candidates).all(axis=-1)
        if is_free.any():
            shift, start = np.unravel_index(np.argmax(is_free), is_free.shape)
            return _Fit(candidates[shift, start], size)
    return None


def _bend_curve(points: Array) -> Array:
    """Return a smooth curve through three points."""
    t = np.linspace(0, 1, _SAMPLES)[:, None]
    control = 2 * points[1] - (points[0] + points[-1]) / 2
    curve: Array = (1 - t) ** 2 * points[0] + 2 * t * (1 - t) * control + t**2 * points[-1]
    return curve


def _fit_river(name: str, course: Array, layout: Layout, space: FreeSpace) -> _Fit | None:
    """Return the place of the name of a river: beside its line, where that is straightest."""
    size = max(_LEAST_MM, layout.sizes.dot_text)
    length = _measure(name, size, _SPACING["river"], layout.sizes.family)
    left, top, right, bottom = space.area
    room = space.shrink(space.free, 0.45 * size)
    best: tuple[float, Array] | None = None
    for x, y in course.tolist():
        if not (left < x < right and top < y < bottom):
            continue
        for middle, line in _list_stretches(layout.ground.backdrop.rivers, (x, y), length):
            directions = np.unwrap(np.arctan2(*np.diff(line, axis=0).T[::-1]))
            bend_deg = float(np.degrees(np.ptp(directions)))
            if bend_deg > _MOST_BEND_DEG:
                continue
            normal = np.column_stack((-np.sin(directions), np.cos(directions)))
            normal = np.vstack((normal, normal[-1:]))
            for side in (-1, 1):
                beside = line + side * (_BESIDE_MM + CAP_HEIGHT * size / 2) * normal
                cost = bend_deg + middle / 3 + (side > 0)
                if (best is None or cost < best[0]) and space.contains(room, beside).all():
                    best = (cost, beside)
    return None if best is None else _Fit(best[1], size)


def _list_stretches(rivers: BaseGeometry, at: tuple[float, float], length: float) -> Iterator[tuple[float, Array]]:
    """Yield stretches of the river at a place, left to right, each with its distance from there along the river."""
    point = shapely.Point(at)
    parts = [part for river in shapely.get_parts(rivers) for part in shapely.get_parts(shapely.line_merge(river))]
    parts = [part for part in parts if part.geom_type == "LineString" and part.length > length]
    if not parts:
        return
    line = min(parts, key=point.distance)
    if line.distance(point) > _RIVER_REACH_MM:
        return
    middle = line.project(point)
    first, last = max(0.0, middle - _ALONG_MM), min(line.length, middle + _ALONG_MM)
    for start in np.arange(first, last - length, 2.0):
        along = np.linspace(start, start + length, _SAMPLES)
        points = shapely.get_coordinates(shapely.line_interpolate_point(line, along))
        rough = np.vstack((points[:1].repeat(8, 0), points, points[-1:].repeat(8, 0)))
        sums = np.vstack((np.zeros((1, 2)), rough.cumsum(axis=0)))
        smooth = (sums[16 + 1 :] - sums[: -16 - 1]) / (16 + 1)
        yield abs(start + length / 2 - middle), smooth if smooth[0, 0] <= smooth[-1, 0] else smooth[::-1]


def _set_letters(name: str, fit: _Fit, family: Family) -> Iterator[tuple[str, tuple[float, float], float]]:
    """Yield each letter with the middle of its baseline and its turn in degrees, clockwise."""
    line = shapely.LineString(fit.line)
    gap = (line.length - text_width(name, fit.size, italic=True, family=family)) / max(len(name) - 1, 1)
    at = 0.0
    for letter in name:
        width = text_width(letter, fit.size, italic=True, family=family)
        if not letter.isspace():
            before, middle, after = (
                np.array(line.interpolate(max(place, 0.0)).coords[0]) for place in (at, at + width / 2, at + width)
            )
            direction = np.arctan2(*(after - before)[::-1])
            base = middle + CAP_HEIGHT * fit.size / 2 * np.array([-np.sin(direction), np.cos(direction)])
            yield letter, (float(base[0]), float(base[1])), float(np.degrees(direction))
        at += width + gap
