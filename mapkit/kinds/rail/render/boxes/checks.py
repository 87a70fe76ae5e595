"""Checks of the boxes of a page: their room, what they cover, and whether their contents can be read."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil
from typing import Final

import shapely

from mapkit.core.base import Area
from mapkit.core.checks import Found
from mapkit.core.findings import Place
from mapkit.core.plurals import count_noun
from mapkit.drawing.fit import FLOOR, POINT
from mapkit.drawing.text_width import missing_characters
from mapkit.kinds.rail.checks.check import CheckedRails, make_listed_check
from mapkit.kinds.rail.model.boxes import BoardBox
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.boxes import late
from mapkit.kinds.rail.render.layout import Layout, lay_out
from mapkit.kinds.rail.render.symbols import list_symbol_boxes

LEAST_DPI: Final = 150
"""Of a picture in print."""
_LEAST_POINTS: Final = 6.0
_MM_PER_INCH: Final = 25.4
_TOUCH_MM2: Final = 0.01


def _make_found(name: str, text: str, area: Area | None = None) -> Found:
    """Return a finding on a box, with its place on the page."""
    middle = {} if area is None else {"x": round((area[0] + area[2]) / 2, 2), "y": round((area[1] + area[3]) / 2, 2)}
    return Found(f"page.boxes.{name}: {text}", (name,), Place(file="board.toml"), {"kinds": [], **middle})


def _find_box_without_room(checked: CheckedRails) -> Iterator[Found]:
    """A box lies on the page, apart from other boxes; one with `at = "auto"` finds a free place.

    Free is what no track, symbol, name or other box takes, inside of the map's frame.
    """
    board = checked.board
    if not board.boxes:
        return
    page, places = board.page, lay_out(board).boxes
    for name, (width, height) in sorted(places.largest.items()):
        room = f"{width:.0f} x {height:.0f} mm have room" if width else "nothing of its proportions has room"
        wanted = "{:g} x {:g}".format(*board.boxes[name].size)
        yield _make_found(
            name, f"no place of {wanted} mm is free, so it is left out; {room}: make it smaller, or the page larger"
        )
    for name, (left, top, right, bottom) in sorted(places.areas.items()):
        if min(left, top) < 0 or right > page.width or bottom > page.height:
            yield _make_found(
                name,
                f"it reaches from {left:g}, {top:g} to {right:g}, {bottom:g} mm, over the edge of the page of "
                f"{page.width:g} x {page.height:g} mm; move it, or make it smaller",
                (left, top, right, bottom),
            )
    for (name, area), (other, other_area) in combinations(sorted(places.areas.items()), 2):
        if _overlap(area, other_area) > _TOUCH_MM2:
            yield _make_found(name, f"it overlaps the box {other!r}; move one of them", area)


def _overlap(area: Area, other: Area) -> float:
    width, height = (min(area[k + 2], other[k + 2]) - max(area[k], other[k]) for k in (0, 1))
    return max(width, 0.0) * max(height, 0.0)


def _find_box_over_map(checked: CheckedRails) -> Iterator[Found]:
    """A box whose place its author gave covers no track, no symbol and no name.

    Names keep clear of such boxes where they can.
    """
    if not checked.board.boxes:
        return
    layout = lay_out(checked.board)
    for name, area in sorted(layout.boxes.areas.items()):
        covered = [text for text, count in _count_covered(layout, area) if count]
        if covered:
            yield _make_found(name, f'it covers {", ".join(covered)}; move it, or write at = "auto"', area)


def _count_covered(layout: Layout, area: Area) -> Sequence[tuple[str, int]]:
    """Return in words how much of the map a box covers: names of up to three cities, and numbers of the rest."""
    box = shapely.box(*area)
    lines = [shapely.LineString(line) for line in layout.thin_lines.values()]
    railroads = {
        piece.railroad
        for piece, is_covered in zip(layout.board.pieces, shapely.intersects(lines, box), strict=True)
        if is_covered
    }
    symbols = list_symbol_boxes(layout.board, layout.spots, layout.squares, layout.sizes)
    hidden = sum(_overlap(area, symbol) > 0 for symbol in symbols)
    texts = [name.name.text for name in layout.names if _overlap(area, name.box) > _TOUCH_MM2]
    shorts = [railroad.short for railroad in layout.board.railroads if railroad.id in railroads]
    listed = ", ".join(repr(text) for text in sorted(texts)[:3])
    return (
        (f"track of {', '.join(shorts[:3])}{' and others' if len(shorts) > 3 else ''}", len(shorts)),  # noqa: PLR2004
        (count_noun(hidden, "milepost or junction", "mileposts or junctions"), hidden),
        (f"{count_noun(len(texts), 'name')} such as {listed}", len(texts)),
    )


def _find_unreadable_box(checked: CheckedRails) -> Iterator[Found]:
    """Text in boxes has at least 6 points, a picture at least 150 pixels an inch at its size, and an inset enlarges.

    A text that is too long is cut at the end of its box.
    """
    if not checked.board.boxes:
        return
    layout = lay_out(checked.board)
    for name, area in sorted(layout.boxes.areas.items()):
        if trouble := _describe_unreadable(layout, checked.board.boxes[name], area):
            yield _make_found(name, trouble, area)


def _describe_unreadable(layout: Layout, box: BoardBox, area: Area) -> str:
    """Return what of a box cannot be read, with its cure; nothing if all can."""
    inner = late.inner_area(box, area)
    width, height = inner[2] - inner[0], inner[3] - inner[1]
    if missing := missing_characters(box.text):
        return f"the shipped font has no {missing}; use Latin, Greek or Cyrillic letters"
    family = get_board_theme(layout.board).family
    if box.kind == "text" and (lacking := late.fit_paragraphs(box.text, width, height, family)[2] - height) > 0:
        return f"at 6 points the text is {lacking:.1f} mm too high; shorten it, or make the box larger"
    if box.kind == "picture" and not str(box.file).endswith(".svg"):
        size = late.measure_box_picture(box)
        placed = late.fit_inside(size, inner)
        dpi = size[0] / (placed[2] - placed[0]) * _MM_PER_INCH
        if dpi < LEAST_DPI:
            return (
                f"{box.file} has {dpi:.0f} dpi at this size, print needs {LEAST_DPI}; take a picture of "
                f"{ceil(size[0] * LEAST_DPI / dpi)} x {ceil(size[1] * LEAST_DPI / dpi)} pixels, or make the box smaller"
            )
    if box.kind == "inset":
        zoom = late.choose_inset_window(layout, box, inner)[1]
        trouble = f"it shows the extent at {zoom:.2f} of its size; make the box larger"
        return "" if zoom > 1 else trouble if zoom else "it shows nothing of the map; correct its extent"
    points = late.measure_smallest_text(layout, box, area, get_board_theme(layout.board))
    if points is None or points >= _LEAST_POINTS - 0.01:
        return ""
    larger = FLOOR / POINT / points
    return (
        f"its smallest text has {points:.1f} points, print needs 6; make the box about "
        f"{ceil(box.size[0] * larger)} x {ceil(box.size[1] * larger)} mm, or show less in it"
    )


CHECKS: Final = (
    make_listed_check("R15", _find_box_without_room),
    make_listed_check("R16", _find_box_over_map),
    make_listed_check("R17", _find_unreadable_box),
)
