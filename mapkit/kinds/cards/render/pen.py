"""Pen for a card of its own, or for one of several; it records texts that were cut."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mapkit.core.base import Area, Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.fit import Fitted
from mapkit.drawing.svg_page import Element, format_mm
from mapkit.drawing.theme.theme import Theme

_CUT_MARK = "…"


@dataclass
class CardPen:
    """Pen that draws into a group of a canvas, with its origin at the top left corner of the card.

    Attributes:
        canvas: Where to.
        parent: The group.
        cut: Texts that did not fit their boxes.
    """

    canvas: Canvas
    parent: Element
    cut: list[str] = field(default_factory=list)

    @property
    def theme(self) -> Theme:
        """Return the theme."""
        return self.canvas.theme

    def inside(self, attributes: Mapping[str, str]) -> "CardPen":
        """Return a pen for a group in this one, with a common record of cut texts."""
        return CardPen(self.canvas, self.canvas.group(attributes, self.parent), self.cut)

    def at(self, x: float, y: float, scale: float = 1.0) -> "CardPen":
        """Return a pen for a moved and scaled group."""
        scale_text = "" if scale == 1 else f" scale({scale:.4g})"
        return self.inside({"transform": f"translate({format_mm(x)} {format_mm(y)}){scale_text}"})

    def box(
        self,
        area: Area,
        *,
        fill: str | None = None,
        edge: str | None = None,
        width: float = 0.25,
        radius: float = 0.0,
    ) -> None:
        """Add a rectangle."""
        self.canvas.box(area, fill=fill, edge=edge, width=width, radius=radius, parent=self.parent)

    def path(self, d: str, fill: str = "none", edge: str | None = None, width: float = 0.25) -> None:
        """Add a path."""
        path_looks = {"fill": fill}
        if edge:
            path_looks |= {
                "stroke": edge,
                "stroke-width": format_mm(width),
                "stroke-linecap": "round",
                "stroke-linejoin": "round",
            }
        self.canvas.document.path(self.parent, d, path_looks)

    def circle(self, at: Point, r: float, fill: str = "none", edge: str | None = None, width: float = 0.25) -> None:
        """Add a circle."""
        circle_looks = {"fill": fill} | ({"stroke": edge, "stroke-width": format_mm(width)} if edge else {})
        self.canvas.document.circle(self.parent, at, r, circle_looks)

    def words(self, area: Area, text: str, kind: TextStyle) -> Fitted:
        """Set text in a box."""
        fitted_text = self.canvas.words(area, text, kind, parent=self.parent)
        if any(line.endswith(_CUT_MARK) for line in fitted_text.lines) and not text.rstrip().endswith(_CUT_MARK):
            self.cut.append(text)
        return fitted_text
