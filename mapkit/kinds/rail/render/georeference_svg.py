"""A georeference as SVG: control points, arrows of their errors, and the meridians and parallels over the picture.

The page has the picture's own axes, and may show the scan underneath. Where the model bends, the grid bends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.drawing.svg_page import Element, SvgPage, line_d, mm
from mapkit.drawing.text_width import text_width
from mapkit.formats.scan import Scan
from mapkit.kinds.rail.model.georeference import GeoreferenceReport, PointErrors
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference

_LONGER_MM: Final = 270.0
_EDGE_MM: Final = 10.0
_AROUND: Final = 0.1
"""Room around the control points, as a share of their extent."""
_STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0)
_GRID_LINES: Final = 16
_SAMPLES: Final = 121
_FARTHEST: Final = 0.3
_ARROW_SHARE: Final = 0.07
_SHORTEST_MM: Final = 0.3
_HEAD_MM: Final = 1.6
_TEXT: Final = 2.6
_LINE_MM: Final = 4.2
_GRID: Final = "#5b8db0"
_ARROW: Final = "#c0392b"
_POINT: Final = "#1f4e79"
_HALF_TURN: Final = 180.0
_SCAN_OPACITY: Final = "0.6"
"""Pale enough that points and names stand out."""


@dataclass(frozen=True)
class _Window:
    """The part of the picture that is drawn: its pixels, and how they come to lie on the page."""

    low: Array
    high: Array
    scale: float

    @property
    def area(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in millimetres."""
        width, height = (self.high - self.low) * self.scale
        return _EDGE_MM, _EDGE_MM, _EDGE_MM + float(width), _EDGE_MM + float(height)

    def to_page(self, pixels: Array) -> Array:
        """Take pixels to millimetres of the page."""
        return (pixels - self.low) * self.scale + _EDGE_MM


def render_georeference(georeference: Georeference, scan: Scan | None = None) -> str:
    """Draw a georeference and return the SVG's text; lengths on the page are millimetres.

    A scan lies under the points, which are in its pixels.

    Arrows lead from a control point's pixel to where the model puts its place; for a spline, which misses none of
    its points, to where the model fitted on the other points puts it. They are drawn larger by a factor that the
    page states.
    """
    report = georeference.report()
    window = _window(report.points)
    arrows = [_arrow(p, report) for p in report.points]
    factor = _factor(arrows, window)
    captions = _captions(report, factor)
    left, _, right, bottom = window.area
    document = SvgPage(
        right + _EDGE_MM,
        bottom + _LINE_MM * (len(captions) + 1) + _EDGE_MM / 2,
        title="Georeference",
        description=captions[0],
        layers=LAYERS,
    )
    theme = document.theme
    document.data({"model": report.model, "crs": report.crs, "arrow-factor": f"{factor:g}"})
    document.rect(
        document.layers["land"],
        window.area,
        {"fill": theme.paper, "stroke": theme.border, "stroke-width": "0.3"},
    )
    clip = {"clip-path": document.clip_to("picture", window.area)}
    if scan is not None:
        corners = window.to_page(np.array([(0.0, 0.0), (scan.width, scan.height)])).ravel().tolist()
        under = document.group(document.layers["land"], clip | {"opacity": _SCAN_OPACITY})
        document.picture(under, scan.address, (corners[0], corners[1], corners[2], corners[3]))
    _draw_grid(document, document.group(document.layers["borders"], clip), georeference, window)
    _draw_arrows(document, arrows, report, window, factor)
    _draw_points(document, report, window, _along(arrows, report, window, factor))
    for k, text in enumerate(captions):
        at = (left, bottom + _LINE_MM * (k + 1.4))
        size = min(_TEXT * 1.15, (right - left) / max(text_width(text, 1.0), 0.1))
        document.text(
            document.layers["legend"],
            text,
            at,
            {"font-size": mm(size), "fill": theme.ink if k < 1 else theme.quiet_ink},
        )
    return document.to_text()


def _window(points: Sequence[PointErrors]) -> _Window:
    given = np.array([(p.x, p.y) for p in points])
    low, high = given.min(axis=0), given.max(axis=0)
    margin = max(float((high - low).max()) * _AROUND, 1e-6)
    low, high = low - margin, high + margin
    return _Window(low, high, _LONGER_MM / float((high - low).max()))


def _arrow(point: PointErrors, report: GeoreferenceReport) -> Array | None:
    off = (point.left_out_dx, point.left_out_dy) if report.model == "tps" else (point.dx, point.dy)
    return None if off[0] is None or off[1] is None else np.array(off, dtype=np.float64)


def _factor(arrows: Sequence[Array | None], window: _Window) -> float:
    """Return how many times its true length an arrow is drawn: 1, 2, 5, 10, 20 ..."""
    longest = max((float(np.hypot(*a)) for a in arrows if a is not None), default=0.0)
    wanted = float(np.hypot(*(window.high - window.low))) * _ARROW_SHARE
    if longest * 1e4 < wanted:
        return 1.0
    ten = 10.0 ** np.floor(np.log10(wanted / longest))
    return float(max(1.0, *(k * ten for k in (1, 2, 5) if k * ten * longest <= wanted)))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _captions(report: GeoreferenceReport, factor: float) -> list[str]:
    names = {"affine": "Affine map", "projective": "Projective map", "tps": "Thin-plate spline"}
    left_out = (
        ""
        if report.left_out_rms_pixels is None
        else f"; left out {_figure(report.left_out_rms_pixels)} px, {_figure(report.left_out_rms_miles)} miles"
    )
    residual = f"root mean square residual {_figure(report.rms_pixels)} px, {_figure(report.rms_miles)} miles"
    whereto = "the other points put its place" if report.model == "tps" else "the map puts its place"
    worst = next((p for p in report.points if p.row == report.worst), None)
    ringed = "" if worst is None else f"; the point that fits least is ringed ({_label(worst)}, row {worst.row})"
    return [
        f"{names[report.model]}, {len(report.points)} control points; {residual}{left_out}",
        f"Arrows lead from each point to where {whereto}, drawn {factor:g} times as long{ringed}",
        *(f"{w.code}: {w.message}" for w in report.warnings),
    ]


def _label(point: PointErrors) -> str:
    return point.name or f"row {point.row}"


def _draw_grid(document: SvgPage, parent: Element, georeference: Georeference, window: _Window) -> None:
    """Draw meridians and parallels, with their degrees where they meet the left and the top edge."""
    middle = float(np.median([p.lon for p in georeference.points]))
    sides = [np.linspace(window.low[k], window.high[k], 25) for k in (0, 1)]
    seen = georeference.lonlat_or_nan(np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2))
    seen = seen[np.isfinite(seen).all(axis=1)]
    if not len(seen):
        return
    seen[:, 0] = middle + _wrapped(seen[:, 0] - middle)
    low, high = seen.min(axis=0), seen.max(axis=0)
    step = next((s for s in _STEPS if (high - low).max() / s <= _GRID_LINES), _STEPS[-1])
    style = {"fill": "none", "stroke": _GRID, "stroke-width": "0.25"}
    for axis, name in ((0, "meridian"), (1, "parallel")):
        along = np.linspace(low[1 - axis], high[1 - axis], _SAMPLES)
        for k in range(int(np.floor(low[axis] / step)), int(np.ceil(high[axis] / step)) + 1):
            line = np.empty((_SAMPLES, 2))
            line[:, axis], line[:, 1 - axis] = k * step, along
            line[:, 0] = _wrapped(line[:, 0])
            pixels = georeference.pixels_or_nan(line[np.abs(line[:, 1]) <= _HALF_TURN / 2])
            for run in _runs(pixels, window):
                page = window.to_page(run)
                degrees = float(_wrapped(np.array([k * step]))[0]) if axis == 0 else k * step
                document.path(parent, line_d(page), style | {"class": name}, tip=_degrees(degrees, axis))
                at = _edge_crossing(page, window, axis)
                if at is not None:
                    style_text = {"font-size": mm(_TEXT * 0.85), "fill": _GRID}
                    document.text(parent, _degrees(degrees, axis), at, style_text)


def _wrapped(lon: Array) -> Array:
    return np.asarray((lon + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN, dtype=np.float64)


def _runs(pixels: Array, window: _Window) -> Iterator[Array]:
    """Yield the stretches of a line that lie in or near the window."""
    far = (window.high - window.low).max() * _FARTHEST
    near = ((pixels >= window.low - far) & (pixels <= window.high + far)).all(axis=1)  # NaN is not near
    for run in np.split(np.arange(len(pixels)), np.flatnonzero(np.diff(near.astype(int))) + 1):
        if len(run) > 1 and near[run[0]]:
            yield pixels[run]


def _edge_crossing(page: Array, window: _Window, axis: int) -> tuple[float, float] | None:
    """Return where to write a line's degrees: meridians at the top edge, parallels at the left one."""
    left, top, right, bottom = window.area
    edge, across = (top + _TEXT, 1) if axis == 0 else (left + _TEXT / 2, 0)
    values = page[:, across] - edge
    hits = np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0)
    if not len(hits):
        return None
    k = hits[0]
    x, y = page[k] + (page[k + 1] - page[k]) * values[k] / (values[k] - values[k + 1])
    if axis == 0:
        return (float(x) + 0.5, float(y)) if left + 2 * _TEXT < x < right - 3 * _TEXT else None
    return (float(x), float(y) - 0.5) if top + 3 * _TEXT < y < bottom else None


def _degrees(value: float, axis: int) -> str:
    letter = ("E" if value > 0 else "W") if axis == 0 else ("N" if value > 0 else "S")
    return f"{abs(value):g}\N{DEGREE SIGN}{letter if value and abs(value) != _HALF_TURN else ''}"


def _draw_arrows(
    document: SvgPage, arrows: Sequence[Array | None], report: GeoreferenceReport, window: _Window, factor: float
) -> None:
    clip = {"clip-path": "url(#picture)", "fill": "none", "stroke": _ARROW, "stroke-width": "0.45"}
    group = document.group(document.layers["lines"], {"id": "arrows"} | clip)
    for point, arrow in zip(report.points, arrows, strict=True):
        if arrow is None:
            continue
        tail = window.to_page(np.array([point.x, point.y]))
        whole = arrow * factor * window.scale
        length = float(np.hypot(*whole))
        if length < _SHORTEST_MM:
            continue
        ahead = whole / length
        back = min(_HEAD_MM, length / 2)
        tip = tail + whole
        wings = [tip - back * ahead + sign * back * 0.45 * np.array([-ahead[1], ahead[0]]) for sign in (1, -1)]
        size = f"{_label(point)}: {float(np.hypot(*arrow)):.2f} px"
        shape = f"{line_d(np.array([tail, tip]))} {line_d(np.array([wings[0], tip, wings[1]]))}"
        document.path(group, shape, {"class": "arrow"}, tip=size)


def _along(arrows: Sequence[Array | None], report: GeoreferenceReport, window: _Window, factor: float) -> list["_Box"]:
    """Return small boxes along the arrows, which names keep clear of."""
    out: list[_Box] = []
    for point, arrow in zip(report.points, arrows, strict=True):
        if arrow is not None:
            tail = window.to_page(np.array([point.x, point.y]))
            for share in np.linspace(0.1, 1, 8):
                x, y = (float(v) for v in tail + share * arrow * factor * window.scale)
                out.append((x - 0.3, y - 0.3, x + 0.3, y + 0.3))
    return out


def _draw_points(document: SvgPage, report: GeoreferenceReport, window: _Window, arrows: Sequence["_Box"]) -> None:
    theme = document.theme
    group = document.group(document.layers["mileposts"], {"id": "points", "fill": _POINT})
    names = document.group(document.layers["labels"], {"font-size": mm(_TEXT), "fill": theme.ink})
    at = [window.to_page(np.array([p.x, p.y])) for p in report.points]
    taken = [*arrows, *((float(x) - 1, float(y) - 1, float(x) + 1, float(y) + 1) for x, y in at)]
    for point, (x, y) in zip(report.points, at, strict=True):
        middle = (float(x), float(y))
        document.circle(group, middle, 0.9, {"class": "point"}, tip=f"{_label(point)}: {point.lon:g}, {point.lat:g}")
        if point.row == report.worst:
            document.circle(group, middle, 2.2, {"fill": "none", "stroke": _ARROW, "stroke-width": "0.4"})
        box = _free_box(middle, text_width(_label(point), _TEXT), taken, window.area)
        taken.append(box)
        document.text(names, _label(point), (box[0], box[3] - 0.2 * _TEXT), {})


_Box = tuple[float, float, float, float]


def _free_box(middle: tuple[float, float], width: float, taken: Sequence[_Box], area: _Box) -> _Box:
    """Return where a point's name goes: right, left, above or below it, where the fewest others are."""
    x, y = middle
    half = _TEXT / 2
    places = (
        (x + 1.4, y - half),
        (x - 1.4 - width, y - half),
        (x - width / 2, y - 1.3 - _TEXT),
        (x - width / 2, y + 1.3),
    )
    boxes = [(a, b, a + width, b + _TEXT) for a, b in places]

    def clashes(box: _Box) -> int:
        outside = box[0] < area[0] or box[1] < area[1] or box[2] > area[2] or box[3] > area[3]
        return 10 * outside + sum(box[0] < t[2] and t[0] < box[2] and box[1] < t[3] and t[1] < box[3] for t in taken)

    return min(boxes, key=clashes)
