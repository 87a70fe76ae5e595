"""The track of points and income around the board, and the title (RW-C07)."""

from mapkit.drawing.fit import Room, fit, pt
from mapkit.drawing.svg_page import data_attributes, mm
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.sheet import title_area

_FIFTH = 5


def draw_track(pen: Pen) -> None:
    """Draw every space of the track with its id and data; every fifth one stands out."""
    layer, inks, theme = pen.layer("track"), pen.inks, pen.theme
    for space, area in zip(pen.board.track, pen.sheet.spaces, strict=False):
        data = {"space": space.points, "income": space.income}
        group = pen.page.group(layer, {"id": f"space-{space.points}", "class": "space", **data_attributes(data)})
        fill = theme.panel if space.points % _FIFTH else inks.fifth
        pen.page.rect(group, area, {"fill": fill, "stroke": theme.ink, "stroke-width": mm(0.25)})
        left, top, right, bottom = area
        middle = (left + right) / 2
        pen.text(group, str(space.points), (middle, top + (bottom - top) * 0.36), pt(11), theme.ink, bold=True)
        said = pen.thousands(space.income)
        pen.text(group, said, (middle, bottom - (bottom - top) * 0.2), pt(7), theme.ink)


def draw_title(pen: Pen) -> None:
    """Write the title, and what the board is, above the track."""
    left, top, right, bottom = title_area(pen.sheet)
    fitted = fit(pen.board.title, Room((right - left) * 0.6, bottom - top, 1), pt(24), bold=True)
    layer = pen.layer("title")
    looks = {"font-size": mm(fitted.size), "font-weight": "bold", "fill": pen.theme.ink, "class": "title"}
    for line in fitted.lines:
        pen.page.text(layer, line, (left, top + fitted.size), looks)
    said = fit(pen.board.description, Room((right - left) * 0.38, bottom - top, 2), pt(10))
    for number, line in enumerate(said.lines):
        y = bottom - 2.4 - (len(said.lines) - 1 - number) * said.size * 1.2
        words = {"font-size": mm(said.size), "fill": pen.theme.quiet_ink, "text-anchor": "end"}
        pen.page.text(layer, line, (right, y), words)
