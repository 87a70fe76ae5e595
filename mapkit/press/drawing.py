"""Pages that the press adds: marks, plans, rulers; a few shapes in millimetres."""

from typing import Final

from mapkit.drawing.theme.theme import FONT
from mapkit.formats.xml_text import xml_text

INK: Final = "#1b1b1b"
QUIET: Final = "#6b6b6b"
HAIR: Final = 0.15
"""Width of marks to cut by, in millimetres."""


class PaperPage:
    """An SVG page under construction, without a ground."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._body: list[str] = []

    def line(self, start: tuple[float, float], end: tuple[float, float], width: float = HAIR, ink: str = INK) -> None:
        """Draw a straight line."""
        self._body.append(
            f'<path d="M{_n(start[0])},{_n(start[1])} L{_n(end[0])},{_n(end[1])}" fill="none" stroke="{ink}" '
            f'stroke-width="{_n(width)}"/>'
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
        left, top, wide, high = map(_n, area)
        self._body.append(
            f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="{fill}" fill-opacity="{_n(opacity)}" '
            f'stroke="{edge}" stroke-width="{_n(width)}"/>'
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
        """Write a line; `at` is its anchor on the baseline, `size` in millimetres."""
        turned = f' transform="rotate({_n(turn)} {_n(at[0])} {_n(at[1])})"' if turn else ""
        self._body.append(
            f'<text x="{_n(at[0])}" y="{_n(at[1])}" font-size="{_n(size)}" text-anchor="{anchor}" fill="{ink}" '
            f'font-weight="{"bold" if bold else "normal"}"{turned}>{xml_text(words)}</text>'
        )

    def svg(self) -> str:
        """Return the page's text."""
        width, height = _n(self.width), _n(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}">{"".join(self._body)}</svg>'
        )


def _n(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
