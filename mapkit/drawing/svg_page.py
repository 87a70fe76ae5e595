"""SVG pages under construction: elements with ids, classes and `data-` attributes, in SVG 1.1 for old readers.

Only SVG 1.1: presentation attributes, `#rrggbb`, `xlink:href`, no paint order, no baseline keywords. Lengths are
written with two decimals, in millimetres.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.garbage import gc_paused
from mapkit.drawing.theme.theme import CLASSIC, Theme
from mapkit.formats.xml_text import refuse_non_xml

Array = NDArray[np.float64]

Element = Any
"""An element of svgwrite, which has no types."""

Data = Mapping[str, object]

_INKSCAPE: Final = {"xmlns:inkscape": "http://www.inkscape.org/namespaces/inkscape"}
"""The namespace of layers, which Inkscape and Affinity read."""
_LAYER_NAMES: Final = re.compile(r' (?:xmlns:inkscape|inkscape:[a-z]+)="[^"<>]*"')


class SvgPage:
    """A page under construction."""

    def __init__(
        self,
        width: float,
        height: float,
        *,
        title: str,
        description: str,
        theme: Theme = CLASSIC,
        layers: Sequence[str],
    ) -> None:
        self.theme = theme
        self._drawing = heavy.svgwrite.Drawing(
            size=(f"{width:g}mm", f"{height:g}mm"),
            viewBox=f"0 0 {width:g} {height:g}",
            profile="full",
            debug=False,
        )
        self._drawing.attribs.update(
            {
                "role": "img",
                "aria-labelledby": "board-title board-description",
                "font-family": theme.font_family,
                **_INKSCAPE,
            }
        )
        base = heavy.svgwrite.base
        for element, ident in ((base.Title(title), "board-title"), (base.Desc(description), "board-description")):
            element.xml.set("id", ident)
            self._drawing.add(element)
        self.layers: dict[str, Element] = {}
        for name in layers:
            layer_attributes = {"id": f"layer-{name}", "class": "layer"}
            layer_attributes |= {"inkscape:groupmode": "layer", "inkscape:label": name.capitalize()}
            self.layers[name] = self.group(self._drawing, layer_attributes)

    def data(self, values: Data) -> None:
        """Set `data-` attributes on the root."""
        self._drawing.attribs.update(data_attributes(values))

    def clip_to(self, ident: str, area: tuple[float, float, float, float]) -> str:
        """Define a clipping rectangle; return its reference."""
        clip_path = self._drawing.clipPath(id=ident, debug=False)
        clip_path.add(self._drawing.rect(**_rect_attributes(area), debug=False))
        self._drawing.defs.add(clip_path)
        return f"url(#{ident})"

    def clip_to_path(self, ident: str, d: str) -> str:
        """Define a clipping path; return its reference."""
        clip_path = self._drawing.clipPath(id=ident, debug=False)
        clip_path.add(self._drawing.path(d=d, clip_rule="evenodd", debug=False))
        self._drawing.defs.add(clip_path)
        return f"url(#{ident})"

    def group(self, parent: Element, attributes: Mapping[str, str]) -> Element:
        """Add a group and return it."""
        return self._add_element(parent, self._drawing.g(debug=False), attributes)

    def path(self, parent: Element, d: str, attributes: Mapping[str, str], *, tip: str = "") -> Element:
        """Add a path."""
        return self._add_element(parent, self._drawing.path(d=d, debug=False), attributes, tip)

    def rect(
        self,
        parent: Element,
        area: tuple[float, float, float, float],
        attributes: Mapping[str, str],
        *,
        tip: str = "",
    ) -> Element:
        """Add a rectangle (left, top, right, bottom)."""
        return self._add_element(parent, self._drawing.rect(**_rect_attributes(area), debug=False), attributes, tip)

    def picture(self, parent: Element, address: str, area: tuple[float, float, float, float]) -> Element:
        """Add a picture, by its address, that fills an area: left, top, right, bottom."""
        left, top, right, bottom = area
        image = self._drawing.image(
            address,
            insert=(format_mm(left), format_mm(top)),
            size=(format_mm(right - left), format_mm(bottom - top)),
            debug=False,
        )
        return self._add_element(parent, image, {"preserveAspectRatio": "none"})

    def embed(self, parent: Element, page: "SvgPage", at: tuple[float, float], scale: float = 1.0) -> None:
        """Draw the layers of another page, enlarged, with its top left corner at a place; the other page is used up."""
        group = self.group(
            parent, {"transform": f"translate({format_mm(at[0])} {format_mm(at[1])}) scale({scale:.4f})"}
        )
        for layer in page.layers.values():
            layer.attribs.clear()
            group.add(layer)

    def circle(
        self, parent: Element, middle: tuple[float, float], r: float, attributes: Mapping[str, str], *, tip: str = ""
    ) -> Element:
        """Add a circle."""
        element = self._drawing.circle(center=(format_mm(middle[0]), format_mm(middle[1])), r=format_mm(r), debug=False)
        return self._add_element(parent, element, attributes, tip)

    def text(self, parent: Element, text: str, at: tuple[float, float], attributes: Mapping[str, str]) -> Element:
        """Add a line of text; `at` is its anchor on the baseline."""
        element = self._drawing.text(text, insert=(format_mm(at[0]), format_mm(at[1])), debug=False)
        return self._add_element(parent, element, attributes)

    def repeat(self, parent: Element, ident: str) -> Element:
        """Add an element again by its id, in the style of the parent where it has none of its own."""
        return self._add_element(parent, self._drawing.use(f"#{ident}", debug=False), {})

    def text_rows(
        self, parent: Element, rows: Sequence[tuple[str, tuple[float, float]]], attributes: Mapping[str, str]
    ) -> Element:
        """Add a text of several rows, each with its start on its baseline; each but the last ends with a space."""
        if len(rows) == 1:
            return self.text(parent, *rows[0], attributes)
        element = self._drawing.text("", debug=False)
        for index, (row, (x, y)) in enumerate(rows):
            trailing_space = " " if index < len(rows) - 1 else ""
            element.add(self._drawing.tspan(row + trailing_space, insert=(format_mm(x), format_mm(y)), debug=False))
        return self._add_element(parent, element, attributes)

    @gc_paused()
    def to_text(self) -> str:
        """Return the page as SVG text.

        Raises:
            ExportError: A text of it holds a character that XML cannot.
        """
        body = refuse_non_xml(self._drawing.tostring())
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'.replace("><g", ">\n<g").replace("><path", ">\n<path")

    def to_html(self) -> str:
        """Return the page as an element of an HTML page, without the names of layers in their own namespace."""
        return _LAYER_NAMES.sub("", self.to_text().partition("?>\n")[2]).strip()

    @staticmethod
    def _add_element(parent: Element, element: Element, attributes: Mapping[str, str], tip: str = "") -> Element:
        element.attribs.update(attributes)
        if tip:
            element.add(heavy.svgwrite.base.Title(tip))
        return parent.add(element)


def data_attributes(values: Data) -> dict[str, str]:
    """Return `data-` attributes: words unchanged, flags as true and false, numbers in full, lists joined by spaces."""
    attributes: dict[str, str] = {}
    for key, value in values.items():
        if isinstance(value, bool):
            value_text = "true" if value else "false"
        elif isinstance(value, (tuple, list)):
            value_text = " ".join(map(str, value))
        else:
            value_text = str(value)
        attributes[f"data-{key}"] = value_text
    return attributes


def format_mm(value: float) -> str:
    """Return a length with at most two decimals, never `-0`."""
    number_text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if number_text == "-0" else number_text


def line_path_data(points: Array | Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return path data for a polyline or, closed, a ring without its repeated last point; numbers as by `mm`."""
    numbers = np.asarray(points, dtype=np.float64).ravel().tolist()[: -2 if closed else None]
    more_points = " ".join(["%.2f,%.2f"] * (len(numbers) // 2 - 1))
    path_data = f"M%.2f,%.2f L{more_points}{'Z' if closed else ''}" % tuple(numbers)
    # every number has two decimals, so these are the ends of numbers
    path_data = path_data.replace("-0.00", "0").replace(".00", "")
    for digit in "123456789":
        path_data = path_data.replace(f".{digit}0", f".{digit}")
    return path_data


def _rect_attributes(area: tuple[float, float, float, float]) -> dict[str, tuple[str, str]]:
    left, top, right, bottom = area
    return {"insert": (format_mm(left), format_mm(top)), "size": (format_mm(right - left), format_mm(bottom - top))}
