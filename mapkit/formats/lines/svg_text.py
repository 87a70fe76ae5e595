"""A traced layer in drawing units as an SVG that reads back as the same lines and mileposts."""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import shapely

from mapkit.formats.traced import TracedLayer
from mapkit.formats.xml_text import xml_text

_THIN: Final = 1000.0
"""Lines are the longer side of the page divided by this wide."""
_FINE: Final = 5
"""Coordinates are written to the longer side of the page divided by ten to this power, or finer."""
_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)


def svg_text(layer: TracedLayer) -> str:
    """Return a layer without a CRS as SVG: a group for each key and level, a circle for each milepost."""
    return _Svg(layer).text()


class _Svg:
    def __init__(self, layer: TracedLayer) -> None:
        self._layer = layer
        self._left, self._top, right, bottom = _page(layer)
        self._size = right - self._left, bottom - self._top
        longer = max(*self._size, 1e-6)
        self._width = longer / _THIN
        self._decimals = max(0, _FINE - math.floor(math.log10(longer)))

    def _number(self, value: float) -> str:
        text = f"{value:.{self._decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def text(self) -> str:
        wide, high = map(self._number, self._size)
        box = f"{self._number(self._left)} {self._number(self._top)} {wide} {high}"
        head = f'{_HEAD} viewBox="{box}" width="{wide}" height="{high}">'
        return "\n".join([head, *self._lines(), *self._points(), "</svg>"]) + "\n"

    def _lines(self) -> Iterator[str]:
        layer = self._layer
        groups: defaultdict[tuple[str, int], list[shapely.LineString]] = defaultdict(list)
        for key, level, line in zip(layer.line_keys, layer.levels, layer.lines, strict=True):
            groups[key, level].append(line)
        for (key, level), lines in groups.items():
            whose = f' data-railroad="{xml_text(key)}"' if key else ""
            on = f' data-level="{level}"' if level else ""
            yield f'<g{whose}{on} fill="none" stroke="#000" stroke-width="{self._number(self._width)}">'
            for line in lines:
                points = " ".join(f"{self._number(x)},{self._number(y)}" for x, y in line.coords)
                yield f'<polyline points="{points}"/>'
            yield "</g>"

    def _points(self) -> Iterator[str]:
        layer = self._layer
        groups: defaultdict[str, list[str]] = defaultdict(list)
        for point, name, owners, of_layer in zip(
            layer.points, layer.point_names, layer.owners, layer.layers, strict=True
        ):
            stops = f' data-railroad="{xml_text("; ".join(owners))}"' if owners else ""
            title = f"<title>{xml_text(name)}</title>" if name else ""
            at = f'cx="{self._number(point.x)}" cy="{self._number(point.y)}" r="{self._number(2 * self._width)}"'
            groups[of_layer].append(f"<circle {at}{stops}>{title}</circle>")
        for of_layer, circles in groups.items():
            label = f' inkscape:label="{xml_text(of_layer)}"' if of_layer else ""
            yield "\n".join([f'<g inkscape:groupmode="layer"{label}>', *circles, "</g>"])


def _page(layer: TracedLayer) -> tuple[float, float, float, float]:
    if layer.page is not None:
        return layer.page.corners
    shapes = [*layer.lines, *layer.points]
    left, top, right, bottom = shapely.total_bounds(shapes).tolist() if shapes else (0.0, 0.0, 1.0, 1.0)
    return left, top, right, bottom
