"""Titles in the style of a theme: alone, in a cartouche, or in capitals on a ground."""

from mapkit.drawing.svg_page import Element, SvgPage, format_mm, line_path_data
from mapkit.drawing.text_width import text_width

_CORNER_SHARE = 0.16
"""Size of the cut corners of a cartouche, as a share of its height."""


def draw_title_text(
    document: SvgPage,
    parent: Element,
    title: str,
    area: tuple[float, float, float],
    size: float,
    *,
    centred: bool = False,
) -> float:
    """Draw a title from left to right at the top of an area: left, top, right; return the level below it.

    Args:
        document: The page.
        parent: Where to draw.
        title: The words.
        area: Left, top and right edge.
        size: Font size of a plain title; others are smaller, so that their ornaments have room.
        centred: Place a title with ornaments in the middle, not at the left edge.
    """
    theme, (left, top, right) = document.theme, area
    style = {"font-weight": "bold", "font-size": format_mm(size)}
    if theme.title == "plain":
        y = top + 0.74 * size
        document.text(parent, title, (left, y), style)
        return y
    words = title.upper() if theme.title == "banner" else title
    width = text_width(words, 1.0, bold=True, family=theme.family)
    size = min(0.82 * size, 0.84 * (right - left) / width)
    height = 1.5 * size
    spare = max(right - left - (width + 1.4) * size, 0.0)
    left, right = left + spare / 2 * centred, right - (spare / 2 if centred else spare)
    middle, y = (left + right) / 2, top + height / 2 + 0.35 * size
    style |= {"font-size": format_mm(size), "text-anchor": "middle"}
    if theme.title == "banner":
        document.rect(parent, (left, top, right, top + height), {"class": "title-ground", "fill": theme.frame})
        bar = {"class": "title-ground", "fill": theme.symbol or theme.ink}
        document.rect(parent, (left, top + height, right, top + 1.12 * height), bar)
        document.text(parent, words, (middle, y), style | {"fill": theme.casing})
        return top + 1.12 * height
    for inset, stroke in ((0.0, 0.035 * size), (0.11 * size, 0.012 * size)):
        box = (left + inset, top + inset, right - inset, top + height - inset)
        ring = {"class": "cartouche", "fill": "none", "stroke": theme.ink, "stroke-width": format_mm(max(stroke, 0.1))}
        document.path(parent, _cartouche_path(box, _CORNER_SHARE * height), ring)
    aside = {"aria-hidden": "true", "pointer-events": "none"}
    shift = 0.045 * size
    document.text(parent, words, (middle + shift, y + shift), style | aside)
    outline = {"fill": theme.panel, "stroke": theme.ink, "stroke-width": format_mm(0.022 * size)}
    document.text(parent, words, (middle, y), style | outline)
    return top + height


def _cartouche_path(box: tuple[float, float, float, float], corner: float) -> str:
    """Return the path of a frame with hollow round corners."""
    left, top, right, bottom = box
    radius = format_mm(corner)
    arc = f"A{radius},{radius} 0 0 0 "
    corners = [
        ((left + corner, top), (right - corner, top), (right, top + corner)),
        ((right, top + corner), (right, bottom - corner), (right - corner, bottom)),
        ((right - corner, bottom), (left + corner, bottom), (left, bottom - corner)),
        ((left, bottom - corner), (left, top + corner), (left + corner, top)),
    ]
    return (
        "".join(
            line_path_data([start, end]).replace("M", "M" if index == 0 else "L", 1)
            + f" {arc}{format_mm(turn[0])},{format_mm(turn[1])} "
            for index, (start, end, turn) in enumerate(corners)
        )
        + "Z"
    )
