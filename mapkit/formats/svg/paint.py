"""Paint of SVG elements: whether a renderer shows stroke and fill."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_ALPHA = re.compile(r"(?:rgb|hsl)a?\((?:[^,/)]*,){3}\s*([\d.]+)\s*\)|(?:rgb|hsl)a?\([^/)]*/\s*([\d.]+)%?\s*\)")
_HEX_ALPHA = re.compile(r"#(?:[0-9a-f]{3}([0-9a-f])|[0-9a-f]{6}([0-9a-f]{2}))")
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)")
_INHERITED = ("stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity")
PAINT_PROPERTIES = frozenset({*_INHERITED, "opacity"})


class Paint(NamedTuple):
    """Paint inside an element: inherited properties, and the product of the opacities around it."""

    values: tuple[str, ...] = ("none", "1", "1", "black", "1")
    opacity: float = 1.0

    def inside(self, style: Mapping[str, str]) -> "Paint":
        """Return the paint inside an element of a style."""
        own_values = (style.get(name, "inherit").strip().lower() for name in _INHERITED)
        return Paint(
            tuple(value if own in {"inherit", ""} else own for own, value in zip(own_values, self.values, strict=True)),
            self.opacity * _parse_number(style.get("opacity", "1")),
        )

    @property
    def has_stroke(self) -> bool:
        """Whether a renderer paints the stroke of a line."""
        colour, width, opacity, _, _ = self.values
        return _is_visible(colour) and _parse_number(width) > 0 and self.opacity * _parse_number(opacity) > 0

    @property
    def has_fill(self) -> bool:
        """Whether a renderer paints the inside of a shape."""
        *_, colour, opacity = self.values
        return _is_visible(colour) and self.opacity * _parse_number(opacity) > 0


def _parse_number(text: str) -> float:
    """Return the number at the start of a text, 1 if there is none."""
    match = _NUMBER.match(text)
    return float(match[1]) if match else 1.0


def _is_visible(colour: str) -> bool:
    match = _ALPHA.fullmatch(colour) or _HEX_ALPHA.fullmatch(colour)
    alpha = (match[1] or match[2]) if match else "1"
    return colour not in {"none", "transparent"} and alpha.strip("0.") != ""
