"""Pages that printing adds: marks, plans, rulers, drawn with a few shapes in millimetres."""

from typing import Final

from mapkit.drawing.theme.theme import FONT
from mapkit.formats.xml_text import xml_text

INK: Final = "#1b1b1b"
QUIET: Final = "#6b6b6b"
HAIR: Final = 0.15
"""Width of marks to cut by, in millimetres."""


class PaperPage:
    """An SVG page under construction, without a background."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._elements: list[str] = []

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float = HAIR, ink: str = INK) -> None:
        """Draw a straight line."""
        self._elements.append(
            f'<path d="M{_fmt(start[0])},{_fmt(start[1])} L{_fmt(end[0])},{_fmt(end[1])}" fill="none" stroke="{ink}" '
            f'stroke-width="{_fmt(width)}"/>'
        )

    def box(
        self,
        area: tuple[float, float, float, float],
        *,
        fill: str = "none",
        edge: str = "none",
        width: float = HAIR,
        opacity: float = 1.0,
    ) -> None:
        """Draw a rectangle: left, top, width, height."""
        left, top, width_text, height_text = map(_fmt, area)
        self._elements.append(
            f'<rect x="{left}" y="{top}" width="{width_text}" height="{height_text}" fill="{fill}" '
            f'fill-opacity="{_fmt(opacity)}" stroke="{edge}" stroke-width="{_fmt(width)}"/>'
        )

    def text(
        self,
        words: str,
        at: tuple[float, float],
        size: float = 3.2,
        *,
        bold: bool = False,
        anchor: str = "start",
        ink: str = INK,
        turn: float = 0.0,
    ) -> None:
        """Write a line; `at` is its anchor on the baseline, `size` is in millimetres."""
        rotation = f' transform="rotate({_fmt(turn)} {_fmt(at[0])} {_fmt(at[1])})"' if turn else ""
        self._elements.append(
            f'<text x="{_fmt(at[0])}" y="{_fmt(at[1])}" font-size="{_fmt(size)}" text-anchor="{anchor}" fill="{ink}" '
            f'font-weight="{"bold" if bold else "normal"}"{rotation}>{xml_text(words)}</text>'
        )

    def svg(self) -> str:
        """Return the page as SVG text."""
        width, height = _fmt(self.width), _fmt(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}">{"".join(self._elements)}</svg>'
        )


def _fmt(value: float) -> str:
    number_text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if number_text == "-0" else number_text
