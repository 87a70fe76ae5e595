"""Georeference as SVG: control points, arrows of their errors, and meridians and parallels over the picture.

The page has the picture's own axes, and may show the scan underneath. Where the model bends, the grid bends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mapkit.drawing.svg_page import Element, SvgPage, format_mm, line_path_data
from mapkit.drawing.text_width import text_width
from mapkit.formats.scan import Scan
from mapkit.kinds.rail.model.georeference import GeoreferenceReport, PointErrors
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.lines.polyline import Array
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference

_LONGER_SIDE_MM: Final = 270.0
_EDGE_MM: Final = 10.0
_MARGIN_SHARE: Final = 0.1
"""Room around the control points, as a share of their extent."""
_DEGREE_STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0)
_GRID_LINES: Final = 16
_SAMPLE_COUNT: Final = 121
_FARTHEST_SHARE: Final = 0.3
_ARROW_SHARE: Final = 0.07
_SHORTEST_MM: Final = 0.3
_HEAD_MM: Final = 1.6
_TEXT_MM: Final = 2.6
_LINE_MM: Final = 4.2
_GRID_COLOUR: Final = "#5b8db0"
_ARROW_COLOUR: Final = "#c0392b"
_POINT_COLOUR: Final = "#1f4e79"
_HALF_TURN: Final = 180.0
_SCAN_OPACITY: Final = "0.6"
"""Pale enough that points and names stand out."""


@dataclass(frozen=True)
class _Window:
    """Drawn part of the picture: its pixels, and their scale on the page."""

    low: Array
    high: Array
    scale: float

    @property
    def area(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in millimetres."""
        width, height = (self.high - self.low) * self.scale
        return _EDGE_MM, _EDGE_MM, _EDGE_MM + float(width), _EDGE_MM + float(height)

    def to_page(self, pixels: Array) -> Array:
        """Convert pixels to millimetres of the page."""
        return (pixels - self.low) * self.scale + _EDGE_MM


def render_georeference(georeference: Georeference, scan: Scan | None = None) -> str:
    """Draw a georeference and return the SVG's text; lengths on the page are millimetres.

    Points are in pixels of the scan, which lies under them.

    Arrows lead from a control point's pixel to the model's pixel for its place; for a spline, which fits all its points
    exactly, to the pixel by the model fitted on the other points. They are enlarged by a factor that the page states.
    """
    report = georeference.report()
    window = _make_window(report.points)
    error_vectors = [_error_vector(p, report) for p in report.points]
    arrow_factor = _choose_factor(error_vectors, window)
    captions = _write_captions(report, arrow_factor)
    left, _, right, bottom = window.area
    document = SvgPage(
        right + _EDGE_MM,
        bottom + _LINE_MM * (len(captions) + 1) + _EDGE_MM / 2,
        title="Georeference",
        description=captions[0],
        layers=LAYERS,
    )
    theme = document.theme
    document.data({"model": report.model, "crs": report.crs, "arrow-factor": f"{arrow_factor:g}"})
    document.rect(
        document.layers["land"],
        window.area,
        {"fill": theme.paper, "stroke": theme.border, "stroke-width": "0.3"},
    )
    clip_attribute = {"clip-path": document.clip_to("picture", window.area)}
    if scan is not None:
        scan_corners = window.to_page(np.array([(0.0, 0.0), (scan.width, scan.height)])).ravel().tolist()
        scan_group = document.group(document.layers["land"], clip_attribute | {"opacity": _SCAN_OPACITY})
        document.picture(scan_group, scan.address, (scan_corners[0], scan_corners[1], scan_corners[2], scan_corners[3]))
    _draw_grid(document, document.group(document.layers["borders"], clip_attribute), georeference, window)
    _draw_arrows(document, error_vectors, report, window, arrow_factor)
    _draw_points(document, report, window, _boxes_along_arrows(error_vectors, report, window, arrow_factor))
    for k, text in enumerate(captions):
        text_place = (left, bottom + _LINE_MM * (k + 1.4))
        text_size = min(_TEXT_MM * 1.15, (right - left) / max(text_width(text, 1.0), 0.1))
        document.text(
            document.layers["legend"],
            text,
            text_place,
            {"font-size": format_mm(text_size), "fill": theme.ink if k < 1 else theme.quiet_ink},
        )
    return document.to_text()


def _make_window(points: Sequence[PointErrors]) -> _Window:
    point_places = np.array([(p.x, p.y) for p in points])
    low, high = point_places.min(axis=0), point_places.max(axis=0)
    margin_px = max(float((high - low).max()) * _MARGIN_SHARE, 1e-6)
    low, high = low - margin_px, high + margin_px
    return _Window(low, high, _LONGER_SIDE_MM / float((high - low).max()))


def _error_vector(point: PointErrors, report: GeoreferenceReport) -> Array | None:
    error_offsets = (point.left_out_dx, point.left_out_dy) if report.model == "tps" else (point.dx, point.dy)
    return None if error_offsets[0] is None or error_offsets[1] is None else np.array(error_offsets, dtype=np.float64)


def _choose_factor(arrows: Sequence[Array | None], window: _Window) -> float:
    """Return the scale factor of arrows: 1, 2, 5, 10, 20 ..."""
    longest_arrow = max((float(np.hypot(*a)) for a in arrows if a is not None), default=0.0)
    wanted_length = float(np.hypot(*(window.high - window.low))) * _ARROW_SHARE
    if longest_arrow * 1e4 < wanted_length:
        return 1.0
    power_of_ten = 10.0 ** np.floor(np.log10(wanted_length / longest_arrow))
    return float(max(1.0, *(k * power_of_ten for k in (1, 2, 5) if k * power_of_ten * longest_arrow <= wanted_length)))


def _format_figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _write_captions(report: GeoreferenceReport, factor: float) -> list[str]:
    model_names = {"affine": "Affine map", "projective": "Projective map", "tps": "Thin-plate spline"}
    left_out_text = (
        ""
        if report.left_out_rms_pixels is None
        else f"; left out {_format_figure(report.left_out_rms_pixels)} px, "
        f"{_format_figure(report.left_out_rms_miles)} miles"
    )
    residual_text = (
        f"root mean square residual {_format_figure(report.rms_pixels)} px, {_format_figure(report.rms_miles)} miles"
    )
    target_text = "the other points put its place" if report.model == "tps" else "the map puts its place"
    worst = next((p for p in report.points if p.row == report.worst), None)
    ring_text = (
        "" if worst is None else f"; the point that fits least is ringed ({_point_label(worst)}, row {worst.row})"
    )
    return [
        f"{model_names[report.model]}, {len(report.points)} control points; {residual_text}{left_out_text}",
        f"Arrows lead from each point to where {target_text}, drawn {factor:g} times as long{ring_text}",
        *(f"{w.code}: {w.message}" for w in report.warnings),
    ]


def _point_label(point: PointErrors) -> str:
    return point.name or f"row {point.row}"


def _draw_grid(document: SvgPage, parent: Element, georeference: Georeference, window: _Window) -> None:
    """Draw meridians and parallels, with their degrees where they meet the left and the top edge."""
    middle_lon = float(np.median([p.lon for p in georeference.points]))
    grid_sides = [np.linspace(window.low[k], window.high[k], 25) for k in (0, 1)]
    seen_degrees = georeference.lonlat_or_nan(np.stack(np.meshgrid(*grid_sides), axis=-1).reshape(-1, 2))
    seen_degrees = seen_degrees[np.isfinite(seen_degrees).all(axis=1)]
    if not len(seen_degrees):
        return
    seen_degrees[:, 0] = middle_lon + _wrap_longitude(seen_degrees[:, 0] - middle_lon)
    low, high = seen_degrees.min(axis=0), seen_degrees.max(axis=0)
    degree_step = next((s for s in _DEGREE_STEPS if (high - low).max() / s <= _GRID_LINES), _DEGREE_STEPS[-1])
    line_style = {"fill": "none", "stroke": _GRID_COLOUR, "stroke-width": "0.25"}
    for axis, line_class in ((0, "meridian"), (1, "parallel")):
        line_degrees = np.linspace(low[1 - axis], high[1 - axis], _SAMPLE_COUNT)
        for k in range(int(np.floor(low[axis] / degree_step)), int(np.ceil(high[axis] / degree_step)) + 1):
            line_points = np.empty((_SAMPLE_COUNT, 2))
            line_points[:, axis], line_points[:, 1 - axis] = k * degree_step, line_degrees
            line_points[:, 0] = _wrap_longitude(line_points[:, 0])
            line_pixels = georeference.pixels_or_nan(line_points[np.abs(line_points[:, 1]) <= _HALF_TURN / 2])
            for visible_run in _visible_runs(line_pixels, window):
                page_points = window.to_page(visible_run)
                line_degree = float(_wrap_longitude(np.array([k * degree_step]))[0]) if axis == 0 else k * degree_step
                document.path(
                    parent,
                    line_path_data(page_points),
                    line_style | {"class": line_class},
                    tip=_format_degrees(line_degree, axis),
                )
                label_place = _find_edge_crossing(page_points, window, axis)
                if label_place is not None:
                    style_text = {"font-size": format_mm(_TEXT_MM * 0.85), "fill": _GRID_COLOUR}
                    document.text(parent, _format_degrees(line_degree, axis), label_place, style_text)


def _wrap_longitude(lon: Array) -> Array:
    return np.asarray((lon + _HALF_TURN) % (2 * _HALF_TURN) - _HALF_TURN, dtype=np.float64)


def _visible_runs(pixels: Array, window: _Window) -> Iterator[Array]:
    """Yield the stretches of a line in or near the window."""
    far_px = (window.high - window.low).max() * _FARTHEST_SHARE
    is_near = ((pixels >= window.low - far_px) & (pixels <= window.high + far_px)).all(axis=1)  # NaN is not near
    for run_indices in np.split(np.arange(len(pixels)), np.flatnonzero(np.diff(is_near.astype(int))) + 1):
        if len(run_indices) > 1 and is_near[run_indices[0]]:
            yield pixels[run_indices]


def _find_edge_crossing(page: Array, window: _Window, axis: int) -> tuple[float, float] | None:
    """Return the place for a line's degrees: of meridians at the top edge, of parallels at the left one."""
    left, top, right, bottom = window.area
    edge_position, crossing_axis = (top + _TEXT_MM, 1) if axis == 0 else (left + _TEXT_MM / 2, 0)
    edge_offsets = page[:, crossing_axis] - edge_position
    crossing_steps = np.flatnonzero(np.sign(edge_offsets[:-1]) * np.sign(edge_offsets[1:]) < 0)
    if not len(crossing_steps):
        return None
    k = crossing_steps[0]
    x, y = page[k] + (page[k + 1] - page[k]) * edge_offsets[k] / (edge_offsets[k] - edge_offsets[k + 1])
    if axis == 0:
        return (float(x) + 0.5, float(y)) if left + 2 * _TEXT_MM < x < right - 3 * _TEXT_MM else None
    return (float(x), float(y) - 0.5) if top + 3 * _TEXT_MM < y < bottom else None


def _format_degrees(value: float, axis: int) -> str:
    direction_letter = ("E" if value > 0 else "W") if axis == 0 else ("N" if value > 0 else "S")
    return f"{abs(value):g}\N{DEGREE SIGN}{direction_letter if value and abs(value) != _HALF_TURN else ''}"


def _draw_arrows(
    document: SvgPage, arrows: Sequence[Array | None], report: GeoreferenceReport, window: _Window, factor: float
) -> None:
    arrow_style = {"clip-path": "url(#picture)", "fill": "none", "stroke": _ARROW_COLOUR, "stroke-width": "0.45"}
    arrow_group = document.group(document.layers["lines"], {"id": "arrows"} | arrow_style)
    for point, arrow in zip(report.points, arrows, strict=True):
        if arrow is None:
            continue
        arrow_tail = window.to_page(np.array([point.x, point.y]))
        arrow_vector = arrow * factor * window.scale
        arrow_length = float(np.hypot(*arrow_vector))
        if arrow_length < _SHORTEST_MM:
            continue
        arrow_direction = arrow_vector / arrow_length
        back = min(_HEAD_MM, arrow_length / 2)
        tip = arrow_tail + arrow_vector
        head_ends = [
            tip - back * arrow_direction + sign * back * 0.45 * np.array([-arrow_direction[1], arrow_direction[0]])
            for sign in (1, -1)
        ]
        size_text = f"{_point_label(point)}: {float(np.hypot(*arrow)):.2f} px"
        arrow_lines = np.array([arrow_tail, tip]), np.array([head_ends[0], tip, head_ends[1]])
        arrow_path = " ".join(map(line_path_data, arrow_lines))
        document.path(arrow_group, arrow_path, {"class": "arrow"}, tip=size_text)


def _boxes_along_arrows(
    arrows: Sequence[Array | None], report: GeoreferenceReport, window: _Window, factor: float
) -> list["_Box"]:
    """Return small boxes along the arrows, as obstacles for names."""
    arrow_boxes: list[_Box] = []
    for point, arrow in zip(report.points, arrows, strict=True):
        if arrow is not None:
            arrow_tail = window.to_page(np.array([point.x, point.y]))
            for arrow_share in np.linspace(0.1, 1, 8):
                x, y = (float(v) for v in arrow_tail + arrow_share * arrow * factor * window.scale)
                arrow_boxes.append((x - 0.3, y - 0.3, x + 0.3, y + 0.3))
    return arrow_boxes


def _draw_points(document: SvgPage, report: GeoreferenceReport, window: _Window, arrows: Sequence["_Box"]) -> None:
    theme = document.theme
    point_group = document.group(document.layers["mileposts"], {"id": "points", "fill": _POINT_COLOUR})
    name_group = document.group(document.layers["labels"], {"font-size": format_mm(_TEXT_MM), "fill": theme.ink})
    point_places = [window.to_page(np.array([p.x, p.y])) for p in report.points]
    taken_boxes = [*arrows, *((float(x) - 1, float(y) - 1, float(x) + 1, float(y) + 1) for x, y in point_places)]
    for point, (x, y) in zip(report.points, point_places, strict=True):
        middle = (float(x), float(y))
        document.circle(
            point_group,
            middle,
            0.9,
            {"class": "point"},
            tip=f"{_point_label(point)}: {point.lon:g}, {point.lat:g}",
        )
        if point.row == report.worst:
            document.circle(point_group, middle, 2.2, {"fill": "none", "stroke": _ARROW_COLOUR, "stroke-width": "0.4"})
        name_box = _find_free_box(middle, text_width(_point_label(point), _TEXT_MM), taken_boxes, window.area)
        taken_boxes.append(name_box)
        document.text(name_group, _point_label(point), (name_box[0], name_box[3] - 0.2 * _TEXT_MM), {})


_Box = tuple[float, float, float, float]


def _find_free_box(middle: tuple[float, float], width: float, taken_boxes: Sequence[_Box], area: _Box) -> _Box:
    """Return the box for a point's name: right, left, above or below it, with the fewest clashes."""
    x, y = middle
    half_height = _TEXT_MM / 2
    box_corners = (
        (x + 1.4, y - half_height),
        (x - 1.4 - width, y - half_height),
        (x - width / 2, y - 1.3 - _TEXT_MM),
        (x - width / 2, y + 1.3),
    )
    candidate_boxes = [(a, b, a + width, b + _TEXT_MM) for a, b in box_corners]

    def clashes(box: _Box) -> int:
        is_outside = box[0] < area[0] or box[1] < area[1] or box[2] > area[2] or box[3] > area[3]
        return 10 * is_outside + sum(
            box[0] < taken_box[2] and taken_box[0] < box[2] and box[1] < taken_box[3] and taken_box[1] < box[3]
            for taken_box in taken_boxes
        )

    return min(candidate_boxes, key=clashes)
