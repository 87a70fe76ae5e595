"""Writer of a traced layer in drawing units as SVG that reads back as the same lines and mileposts."""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import shapely

from mapkit.formats.traced import TracedLayer
from mapkit.formats.xml_text import xml_text

_STROKE_DIVISOR: Final = 1000.0
"""Lines are the longer side of the page divided by this wide."""
_PRECISION_DIGITS: Final = 5
"""Coordinates are written to the longer side of the page divided by ten to this power, or finer."""
_DOCUMENT_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)


def layer_to_svg(layer: TracedLayer) -> str:
    """Return a layer without a CRS as SVG: a group for each key and level, a circle for each milepost."""
    return _SvgWriter(layer).text()


class _SvgWriter:
    def __init__(self, layer: TracedLayer) -> None:
        self._layer = layer
        self._left, self._top, right, bottom = _page_corners(layer)
        self._size = right - self._left, bottom - self._top
        longer_side = max(*self._size, 1e-6)
        self._width = longer_side / _STROKE_DIVISOR
        self._decimals = max(0, _PRECISION_DIGITS - math.floor(math.log10(longer_side)))

    def _format_number(self, value: float) -> str:
        text = f"{value:.{self._decimals}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def text(self) -> str:
        page_width, page_height = map(self._format_number, self._size)
        view_box = f"{self._format_number(self._left)} {self._format_number(self._top)} {page_width} {page_height}"
        svg_tag = f'{_DOCUMENT_HEAD} viewBox="{view_box}" width="{page_width}" height="{page_height}">'
        return "\n".join([svg_tag, *self._line_elements(), *self._point_elements(), "</svg>"]) + "\n"

    def _line_elements(self) -> Iterator[str]:
        layer = self._layer
        lines_by_group: defaultdict[tuple[str, int], list[shapely.LineString]] = defaultdict(list)
        for key, level, line in zip(layer.line_keys, layer.levels, layer.lines, strict=True):
            lines_by_group[key, level].append(line)
        for (key, level), lines in lines_by_group.items():
            railroad_attribute = f' data-railroad="{xml_text(key)}"' if key else ""
            level_attribute = f' data-level="{level}"' if level else ""
            stroke = f'fill="none" stroke="#000" stroke-width="{self._format_number(self._width)}"'
            yield f"<g{railroad_attribute}{level_attribute} {stroke}>"
            for line in lines:
                points = " ".join(f"{self._format_number(x)},{self._format_number(y)}" for x, y in line.coords)
                yield f'<polyline points="{points}"/>'
            yield "</g>"

    def _point_elements(self) -> Iterator[str]:
        layer = self._layer
        circles_by_layer: defaultdict[str, list[str]] = defaultdict(list)
        for point, name, owners, layer_name in zip(
            layer.points, layer.point_names, layer.owners, layer.layers, strict=True
        ):
            railroad_attribute = f' data-railroad="{xml_text("; ".join(owners))}"' if owners else ""
            title_element = f"<title>{xml_text(name)}</title>" if name else ""
            x, y, radius = map(self._format_number, (point.x, point.y, 2 * self._width))
            circle_tag = f'<circle cx="{x}" cy="{y}" r="{radius}"{railroad_attribute}>'
            circles_by_layer[layer_name].append(f"{circle_tag}{title_element}</circle>")
        for layer_name, circles in circles_by_layer.items():
            label_attribute = f' inkscape:label="{xml_text(layer_name)}"' if layer_name else ""
            yield "\n".join([f'<g inkscape:groupmode="layer"{label_attribute}>', *circles, "</g>"])


def _page_corners(layer: TracedLayer) -> tuple[float, float, float, float]:
    if layer.page is not None:
        return layer.page.corners
    shapes = [*layer.lines, *layer.points]
    left, top, right, bottom = shapely.total_bounds(shapes).tolist() if shapes else (0.0, 0.0, 1.0, 1.0)
    return left, top, right, bottom
