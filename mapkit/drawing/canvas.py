"""A sheet under construction: shapes, and text fitted to boxes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from mapkit.core.base import Area
from mapkit.drawing.fit import LEADING, Fitted, Room, fit_text
from mapkit.drawing.inks import paper_of
from mapkit.drawing.svg_page import Element, SvgPage, data_attributes, format_mm, line_path_data
from mapkit.drawing.theme.theme import Theme

_HALF_CAP_HEIGHT: Final = 0.345
_LAYER_NAME: Final = "sheet"


@dataclass(frozen=True)
class TextStyle:
    """Style of text.

    Args:
        size: Millimetres, at most.
        bold: Bold, upright.
        italic: Italic.
        fill: Colour; the theme's ink by default.
        align: Along the line.
        top: Whether lines begin at the top of their box, not in its middle.
        lines: In how many lines it may be set before it shrinks to 6 points.
        turned: Whether it reads upward.
    """

    size: float
    bold: bool = False
    italic: bool = False
    fill: str | None = None
    align: Literal["start", "middle", "end"] = "start"
    top: bool = False
    lines: int = 1
    turned: bool = False

    def but(self, **changes: object) -> "TextStyle":
        """Return a copy with changes."""
        return replace(self, **changes)  # type: ignore[arg-type]


class Canvas:
    """Page or card to draw on in order, with a background unless it is `clear`."""

    def __init__(
        self, size: tuple[float, float], theme: Theme, *, title: str, description: str, clear: bool = False
    ) -> None:
        self.theme = theme
        self.width, self.height = size
        self.document = SvgPage(*size, title=title, description=description, theme=theme, layers=(_LAYER_NAME,))
        self.layer = self.document.layers[_LAYER_NAME]
        if not clear:
            self.box((0.0, 0.0, *size), fill=paper_of(theme), attributes={"class": "paper"})

    def group(self, attributes: Mapping[str, str], parent: Element | None = None) -> Element:
        """Add a group."""
        return self.document.group(self._parent_or_layer(parent), attributes)

    def box(
        self,
        area: Area,
        *,
        fill: str | None = None,
        edge: str | None = None,
        width: float = 0.25,
        radius: float = 0.0,
        parent: Element | None = None,
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """Add a rectangle, with round corners if a radius is given."""
        box_attributes = {"fill": fill or "none"}
        if edge:
            box_attributes |= {"stroke": edge, "stroke-width": format_mm(width)}
        if radius:
            box_attributes |= {"rx": format_mm(radius), "ry": format_mm(radius)}
        self.document.rect(self._parent_or_layer(parent), area, box_attributes | dict(attributes or {}))

    def line(
        self, points: list[tuple[float, float]], *, ink: str, width: float = 0.25, parent: Element | None = None
    ) -> None:
        """Add a line."""
        line_attributes = {"fill": "none", "stroke": ink, "stroke-width": format_mm(width)}
        self.document.path(self._parent_or_layer(parent), line_path_data(points), line_attributes)

    def words(
        self,
        area: Area,
        text: str,
        kind: TextStyle,
        *,
        data: Mapping[str, object] | None = None,
        parent: Element | None = None,
    ) -> Fitted:
        """Set text in a box (left, top, right, bottom); return its lines and size.

        With `data`, the lines are in a group with these `data-` attributes.
        """
        left, top, right, bottom = area
        line_length, block_height = (bottom - top, right - left) if kind.turned else (right - left, bottom - top)
        fitted = fit_text(
            text,
            Room(line_length, block_height, kind.lines),
            kind.size,
            bold=kind.bold,
            italic=kind.italic,
            family=self.theme.family,
        )
        text_parent = self._parent_or_layer(parent)
        if data is not None:
            text_parent = self.document.group(text_parent, data_attributes(data))
        self.set(area, fitted, kind, parent=text_parent)
        return fitted

    def set(self, area: Area, fitted: Fitted, kind: TextStyle, *, parent: Element | None = None) -> None:
        """Set lines that are known to fit."""
        left, top, right, bottom = area
        text_attributes = {"font-size": format_mm(fitted.size), "fill": kind.fill or self.theme.ink}
        if kind.bold:
            text_attributes["font-weight"] = "bold"
        if kind.italic:
            text_attributes["font-style"] = "italic"
        if kind.align != "start":
            text_attributes["text-anchor"] = kind.align
        align_share = {"start": 0.0, "middle": 0.5, "end": 1.0}[kind.align]
        line_step = fitted.size * LEADING
        top_slack = 0.0 if kind.top else ((right - left if kind.turned else bottom - top) - fitted.height) / 2
        for index, line in enumerate(fitted.lines):
            baseline_offset = top_slack + line_step * (index + 0.5) + _HALF_CAP_HEIGHT * fitted.size
            if kind.turned:
                x, y = left + baseline_offset, bottom - (bottom - top) * align_share
                rotation = {"transform": f"rotate(-90 {format_mm(x)} {format_mm(y)})"}
                self.document.text(self._parent_or_layer(parent), line, (x, y), text_attributes | rotation)
            else:
                x = left + (right - left) * align_share
                self.document.text(self._parent_or_layer(parent), line, (x, top + baseline_offset), text_attributes)

    def to_text(self) -> str:
        """Return the canvas as SVG text."""
        return self.document.to_text()

    def _parent_or_layer(self, parent: Element | None) -> Element:
        return self.layer if parent is None else parent
