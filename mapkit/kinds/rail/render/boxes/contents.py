"""Contents of boxes: measured for their checks, and drawn on the page."""

import base64
from typing import Final

import numpy as np
import shapely

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import FLOOR, LEADING, POINT, Fitted, Room, fit_text, points_to_mm, wrap_text
from mapkit.drawing.picture_file import measure_picture, media_type
from mapkit.drawing.sheet import CARD
from mapkit.drawing.svg_page import Element, SvgPage, format_mm
from mapkit.drawing.text_width import Family
from mapkit.drawing.theme.theme import Theme
from mapkit.drawing.title import draw_title_text
from mapkit.geography.page_map import PageMap
from mapkit.kinds.rail.model.boxes import BoardBox, PageBox
from mapkit.kinds.rail.render.board_layers import LAYERS
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.legend import describe_counts, draw_boxed_legend, measure_boxed_legend
from mapkit.kinds.rail.render.sheets.destinations import draw_single_charts
from mapkit.kinds.rail.render.sheets.payoffs import draw_payoff_triangle
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.render.sheets.title_deeds import draw_deeds

PADDING_MM: Final = 4.0
_RIM_MM: Final = 1.3
"""Between the two lines of a box's frame."""
_SHEET_GAP_MM: Final = 3.0
_LARGEST_SCALE: Final = 2.0
_TEXT_POINTS: Final = tuple(points / 2 for points in range(32, 11, -1))
"""Sizes of texts, the largest first."""
_PARAGRAPH_GAP: Final = 0.5
"""Between two paragraphs, in lines."""
_LEAST_SHEET_TEXT: Final = {"destinations": points_to_mm(9), "payoffs": points_to_mm(8), "deeds": FLOOR}
"""Kind of a box -> the smallest text of its sheets at their own size, in millimetres."""
_ORNATE_TITLE_SHARE: Final = 0.5
"""Size of a title with ornaments, as a share of the height of its box."""
_INSIDE_STEPS: Final = 9
_LARGEST_NAME_MM: Final = 12.0


def inner_area(box: PageBox, area: Area) -> Area:
    """Return the part of a box for its content: all inside its frame for pictures and insets, else with padding."""
    margin = _RIM_MM if box.kind in ("picture", "inset") else _RIM_MM + PADDING_MM
    left, top, right, bottom = area
    return (left + margin, top + margin, right - margin, bottom - margin)


def draw_boxes(document: SvgPage, layout: Layout) -> None:
    """Draw the boxes that have a place, in the layer `legend`."""
    for name, area in sorted(layout.boxes.areas.items()):
        box = layout.board.boxes[name]
        group = draw_panel(document, name, box, area)
        _draw_content(document, group, layout, box, area)


def draw_panels(document: SvgPage, layout: Layout) -> None:
    """Draw the boxes that have a place with their names alone, for a picture that changes with every edit."""
    for name, area in sorted(layout.boxes.areas.items()):
        box = layout.board.boxes[name]
        group, inner = draw_panel(document, name, box, area), inner_area(box, area)
        text = layout.board.title if box.kind == "title" else name
        size = fit_text(
            text,
            Room(inner[2] - inner[0], inner[3] - inner[1]),
            _LARGEST_NAME_MM,
            bold=True,
            family=document.theme.family,
        ).size
        middle = ((inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2 + size / 3)
        style = {"font-size": format_mm(size), "font-weight": "bold", "text-anchor": "middle"}
        document.text(group, text, middle, style | {"fill": document.theme.ink})


def draw_panel(document: SvgPage, name: str, box: PageBox, area: Area) -> Element:
    """Draw the ground and frame of a box; return its group."""
    theme = document.theme
    group = document.group(document.layers["legend"], {"id": f"box-{name}", "class": f"page-box {box.kind}"})
    frame = {"fill": "none", "stroke": theme.frame}
    document.rect(group, area, frame | {"fill": theme.panel, "stroke-width": "0.9"})
    left, top, right, bottom = area
    rim = (left + _RIM_MM, top + _RIM_MM, right - _RIM_MM, bottom - _RIM_MM)
    document.rect(group, rim, frame | {"stroke-width": "0.25"})
    return group


def _draw_content(document: SvgPage, group: Element, layout: Layout, box: BoardBox, area: Area) -> None:
    theme = document.theme
    board, inner = layout.board, inner_area(box, area)
    left, top, right, bottom = inner
    width, height = right - left, bottom - top
    if box.kind == "legend":
        draw_boxed_legend(document, group, board, inner)
    elif box.kind == "picture" and box.content is not None and box.file is not None:
        picture = fit_inside(measure_box_picture(box), inner)
        document.picture(group, f"data:{media_type(box.file)};base64,{box.content}", picture)
    elif box.kind == "inset":
        _draw_inset(document, group, layout, box, inner)
    elif box.kind in ("title", "text"):
        canvas = Canvas((width, height), theme, title="", description="", clear=True)
        if box.kind == "title":
            if theme.title != "plain":
                size = _ORNATE_TITLE_SHARE * height
                title_group = document.group(group, {"fill": theme.ink})
                draw_title_text(document, title_group, board.title, (left, top, right), size, centred=True)
            _set_title(canvas, board.title if theme.title == "plain" else "", describe_counts(board))
        else:
            _set_paragraphs(canvas, box.text)
        document.embed(group, canvas.document, (left, top))
    elif sheets := make_box_sheets(layout, box, theme):
        scale, places = arrange_sheets(len(sheets), (sheets[0].width, sheets[0].height), inner)
        for canvas, at in zip(sheets, places, strict=True):
            document.embed(group, canvas.document, at, scale)


def _set_title(canvas: Canvas, title: str, counts: str) -> None:
    """Set the title in the middle, if it is not drawn already, and how many railroads and cities there are below."""
    middle = 0.64 * canvas.height
    if title:
        title_style = TextStyle(0.9 * middle, bold=True, align="middle", lines=2)
        canvas.words((0.0, 0.0, canvas.width, middle), title, title_style)
    counts_style = TextStyle(max(0.22 * canvas.height, FLOOR), fill=canvas.theme.quiet_ink, align="middle", lines=2)
    canvas.words((0.0, middle, canvas.width, canvas.height), counts, counts_style)


def fit_paragraphs(text: str, width: float, height: float, family: Family) -> tuple[float, list[list[str]], float]:
    """Return the size of a text, in millimetres, the lines of each paragraph, and their height.

    The size is the largest that fits, or 6 points if none does; then the height is more than there is.
    """
    for points in _TEXT_POINTS:
        size = points_to_mm(points)
        paragraphs = [wrap_text(paragraph, width, size, family=family) for paragraph in text.strip().split("\n")]
        line_count = sum(map(len, paragraphs)) + _PARAGRAPH_GAP * (len(paragraphs) - 1)
        if line_count * size * LEADING <= height:
            break
    return size, paragraphs, line_count * size * LEADING


def _set_paragraphs(canvas: Canvas, text: str) -> None:
    """Set a text; one that is too long is cut at the bottom, with an ellipsis."""
    size, paragraphs, height = fit_paragraphs(text, canvas.width, canvas.height, canvas.theme.family)
    if height > canvas.height:
        style = TextStyle(FLOOR, top=True, lines=int(canvas.height / (FLOOR * LEADING)))
        canvas.words((0.0, 0.0, canvas.width, canvas.height), text, style)
        return
    y = (canvas.height - height) / 2
    for lines in paragraphs:
        block = Fitted(tuple(lines), size)
        canvas.set((0.0, y, canvas.width, y + block.height), block, TextStyle(size, top=True))
        y += block.height + _PARAGRAPH_GAP * size * LEADING


def measure_box_picture(box: BoardBox) -> tuple[float, float]:
    """Return width and height of a box's picture: pixels, of SVG millimetres."""
    return measure_picture(base64.b64decode(box.content or ""), box.file or "")


def fit_inside(size: tuple[float, float], area: Area) -> Area:
    """Return the area of a picture, as large as fits, in the middle of another."""
    left, top, right, bottom = area
    scale = min((right - left) / size[0], (bottom - top) / size[1])
    x, y = (left + right - size[0] * scale) / 2, (top + bottom - size[1] * scale) / 2
    return (x, y, x + size[0] * scale, y + size[1] * scale)


def make_box_sheets(layout: Layout, box: PageBox, theme: Theme) -> list[Canvas]:
    """Return the charts or deeds of a box at their own size."""
    job = SheetJob(layout.board, theme, "a4", layout)
    if box.kind == "destinations":
        return draw_single_charts(job, box.only)
    if box.kind == "payoffs":
        triangle = draw_payoff_triangle(job)
        return [] if triangle is None else [triangle]
    return [card for _, card in draw_deeds(job, box.only)]


def arrange_sheets(count: int, size: tuple[float, float], area: Area) -> tuple[float, list[tuple[float, float]]]:
    """Return the scale and the places of sheets of one size, as large as fits, in rows that are centred in an area."""
    (left, top, right, bottom), (width, height) = area, size

    def scale_of(across: int) -> float:
        down = -(-count // across)
        return min(
            (right - left - (across - 1) * _SHEET_GAP_MM) / across / width,
            (bottom - top - (down - 1) * _SHEET_GAP_MM) / down / height,
        )

    across = max(range(1, count + 1), key=lambda number: (round(scale_of(number), 6), -number))
    scale, down = max(min(scale_of(across), _LARGEST_SCALE), 0.01), -(-count // across)
    step_x, step_y = width * scale + _SHEET_GAP_MM, height * scale + _SHEET_GAP_MM
    x = (left + right - across * step_x + _SHEET_GAP_MM) / 2
    y = (top + bottom - down * step_y + _SHEET_GAP_MM) / 2
    places = [(x + number % across * step_x, y + number // across * step_y) for number in range(count)]
    return scale, places


def measure_smallest_text(layout: Layout, box: PageBox, area: Area, theme: Theme) -> float | None:
    """Return the smallest text of a legend, charts or deeds in a box, in points; None for another kind, or nothing."""
    inner = inner_area(box, area)
    if box.kind == "legend":
        return measure_boxed_legend(layout.board, inner, theme.family) / POINT
    if box.kind not in _LEAST_SHEET_TEXT:
        return None
    if box.kind == "deeds":
        count, size = len(box.only) or len(layout.board.railroads), CARD
    else:
        sheets = make_box_sheets(layout, box, theme)
        count, size = len(sheets), (sheets[0].width, sheets[0].height) if sheets else CARD
    return arrange_sheets(count, size, inner)[0] * _LEAST_SHEET_TEXT[box.kind] / POINT if count else None


def choose_inset_window(layout: Layout, box: PageBox, inner: Area) -> tuple[Area, float]:
    """Return the part of the page that an inset shows, in the proportions of its box, and how much it is enlarged.

    That is 0 if it shows nothing of the map.
    """
    width, height = inner[2] - inner[0], inner[3] - inner[1]
    if box.extent is None:
        middle_x, y = layout.squares[box.around or ""]
        names = [name.box for name in layout.names if name.name.key == f"c-{box.around}"]
        x = (
            (min(middle_x, *(name[0] for name in names)) + max(middle_x, *(name[2] for name in names))) / 2
            if names
            else (middle_x)
        )
        zoom = box.zoom
    else:
        west, south, east, north = box.extent
        east += 360.0 if west > east else 0.0
        lons, lats = np.meshgrid(np.linspace(west, east, _INSIDE_STEPS), np.linspace(south, north, _INSIDE_STEPS))
        degrees = list(zip(lons.ravel().tolist(), lats.ravel().tolist(), strict=True))
        points = layout.warp(np.array(PageMap(layout.board.projection).to_page(degrees)))
        is_seen = np.isfinite(points).all() and shapely.MultiPoint(points).envelope.intersects(
            shapely.box(*layout.area)
        )
        if not is_seen:
            return layout.area, 0.0
        (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        zoom = min(width / max(x1 - x0, 1.0), height / max(y1 - y0, 1.0))
    half_width, half_height = width / zoom / 2, height / zoom / 2
    return (x - half_width, y - half_height, x + half_width, y + half_height), zoom


def _draw_inset(document: SvgPage, group: Element, layout: Layout, box: PageBox, inner: Area) -> None:
    """Repeat the layers of the map, enlarged, within a box; a frame on the map shows what part it is."""
    window, zoom = choose_inset_window(layout, box, inner)
    if zoom == 0:
        return
    left, top, _, _ = inner
    clip = document.clip_to(f"clip-{group.attribs['id']}", inner)
    clipped = document.group(group, {"clip-path": clip, "pointer-events": "none", "aria-hidden": "true"})
    document.rect(clipped, inner, {"fill": document.theme.water})
    move = f"translate({left - window[0] * zoom:.3f} {top - window[1] * zoom:.3f}) scale({zoom:.4f})"
    enlarged = document.group(clipped, {"transform": move})
    for layer in LAYERS[:-1]:
        document.repeat(enlarged, f"layer-{layer}")
    outline = {"fill": "none", "stroke": document.theme.frame, "stroke-width": "0.35"}
    document.rect(group, inner, outline)
    document.rect(group, window, outline | {"class": "inset-window", "stroke-dasharray": "1.6 0.8"})
