"""The track of points and income around the board, and the title (RW-C07)."""

from mapkit.drawing.fit import Room, fit_text, points_to_mm
from mapkit.drawing.svg_page import data_attributes, format_mm
from mapkit.drawing.text_width import text_width
from mapkit.drawing.title import draw_title_text
from mapkit.kinds.hex.render.picture.pen import Pen
from mapkit.kinds.hex.render.sheet import title_area

_FIFTH = 5


def draw_track(pen: Pen) -> None:
    """Draw every space of the track with its id and data; highlight every fifth one."""
    layer, inks, theme = pen.layer("track"), pen.inks, pen.theme
    for space, area in zip(pen.board.track, pen.sheet.spaces, strict=False):
        space_data = {"space": space.points, "income": space.income}
        group = pen.page.group(layer, {"id": f"space-{space.points}", "class": "space", **data_attributes(space_data)})
        space_fill = theme.panel if space.points % _FIFTH else inks.fifth
        pen.page.rect(group, area, {"fill": space_fill, "stroke": theme.ink, "stroke-width": format_mm(0.25)})
        left, top, right, bottom = area
        middle_x = (left + right) / 2
        pen.text(
            group, str(space.points), (middle_x, top + (bottom - top) * 0.36), points_to_mm(11), theme.ink, bold=True
        )
        income_text = pen.thousands(space.income)
        pen.text(group, income_text, (middle_x, bottom - (bottom - top) * 0.2), points_to_mm(7), theme.ink)


def draw_title(pen: Pen) -> None:
    """Write the title and the description of the board above the track."""
    left, top, right, bottom = title_area(pen.sheet)
    fitted_title = fit_text(
        pen.board.title,
        Room((right - left) * 0.6, bottom - top, 1),
        points_to_mm(24),
        bold=True,
        family=pen.theme.family,
    )
    layer = pen.layer("title")
    title_looks = {
        "font-size": format_mm(fitted_title.size),
        "font-weight": "bold",
        "fill": pen.theme.ink,
        "class": "title",
    }
    if pen.theme.title == "plain":
        for line in fitted_title.lines:
            pen.page.text(layer, line, (left, top + fitted_title.size), title_looks)
    else:
        width = text_width(pen.board.title, fitted_title.size, bold=True, family=pen.theme.family)
        group = pen.page.group(layer, {"class": "title", "fill": pen.theme.ink})
        right_end = left + max(width, 0.6 * (right - left))
        draw_title_text(pen.page, group, pen.board.title, (left, top, right_end), 0.8 * fitted_title.size)
    fitted_description = fit_text(
        pen.board.description, Room((right - left) * 0.38, bottom - top, 2), points_to_mm(10), family=pen.theme.family
    )
    for number, line in enumerate(fitted_description.lines):
        y = bottom - 2.4 - (len(fitted_description.lines) - 1 - number) * fitted_description.size * 1.2
        text_looks = {
            "font-size": format_mm(fitted_description.size),
            "fill": pen.theme.quiet_ink,
            "text-anchor": "end",
        }
        pen.page.text(layer, line, (right, y), text_looks)
