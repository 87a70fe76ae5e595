"""Comparison of traced lines with the paint of a renderer (resvg): lines that nobody sees, and paint passed over."""

import io
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

import numpy as np
import resvg_py
import shapely
from defusedxml.ElementTree import fromstring
from numpy.typing import NDArray
from PIL import Image

from mapkit.formats.drawn_page import DrawnPage
from mapkit.formats.svg.path import Points
from mapkit.formats.svg.tree import SvgNode

_SIDE_PX: Final = 1200
"""Longer side of the page in pixels while it is compared."""
_MAX_DATA_BYTES: Final = 30_000_000
_MAX_SAMPLES: Final = 2000
_UNSEEN_SHARE: Final = 0.02
_PARTLY_SHARE: Final = 0.7
_MAX_TRIED: Final = 20
"""Elements that are hidden one by one, to see whether they are painted."""
_HIDDEN_TAGS: Final = {"text", "image", "foreignObject", "flowRoot", "script", "filter", "animate", "set"}
_SLOW_PROPERTIES: Final = ("filter", "stroke-dasharray")
_SLOW_DECLARATION: Final = re.compile(rf"(?<![-\w])(?:{'|'.join(_SLOW_PROPERTIES)})\s*:")
_SELECTORS: Final = re.compile(r"([^{}]*)\{")
_MAX_COMPOUNDS: Final = 3
"""The renderer tries all ways to match longer selectors."""
_REFERENCED_TAGS: Final = ("pattern", "marker", "mask", "clipPath")
_SVG_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"

Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]


class PaintComparison(NamedTuple):
    """Result of a comparison.

    Attributes:
        shares: Painted share of the length of each line.
        passed_over: Elements that are painted and were not read.
    """

    shares: tuple[float, ...]
    passed_over: tuple[SvgNode, ...]

    @property
    def unseen(self) -> tuple[int, ...]:
        """Lines of which nothing is painted; none if nothing of any line is, for then the renderer failed."""
        unseen = tuple(index for index, share in enumerate(self.shares) if share < _UNSEEN_SHARE)
        return unseen if len(unseen) < len(self.shares) else ()

    @property
    def partly_seen(self) -> tuple[int, ...]:
        """Lines of which only a part is painted."""
        return tuple(index for index, share in enumerate(self.shares) if _UNSEEN_SHARE <= share < _PARTLY_SHARE)


def compare_with_paint(
    data: bytes, page: DrawnPage, lines: Sequence[Points], traced: Collection[SvgNode], skipped: Sequence[SvgNode]
) -> PaintComparison | None:
    """Render a drawing with and without its lines, and compare; None if the renderer cannot, or not in short time.

    Args:
        data: The drawing, unpacked.
        page: Its page.
        lines: Traced lines, in its units.
        traced: Elements that they came from.
        skipped: Elements that were taken for not painted.
    """
    if len(data) > _MAX_DATA_BYTES or not min(page.width, page.height) > 0 or not lines:
        return None
    scale = _SIDE_PX / max(page.width, page.height)
    root = fromstring(data, forbid_dtd=False)
    if _is_slow(root):
        return None
    elements = _prepare(root)
    root.set("viewBox", f"{page.x} {page.y} {page.width} {page.height}")
    root.set("width", f"{page.width * scale}")
    root.set("height", f"{page.height * scale}")
    root.attrib.pop("preserveAspectRatio", None)
    painted = _render(root)
    for node in traced:
        elements[node.tag, node.ordinal].set("style", "display:none")
    without_lines = _render(root)
    if painted is None or without_lines is None:
        return None
    is_painted = (painted != without_lines).any(axis=2)
    shares = tuple(_measure_share(line, page, scale, is_painted) for line in lines)
    passed_over: list[SvgNode] = []
    for node in skipped[:_MAX_TRIED]:
        element = elements[node.tag, node.ordinal]
        style = element.get("style")
        element.set("style", "display:none")
        without_element = _render(root)
        if without_element is not None and (without_element != without_lines).any():
            passed_over.append(node)
        element.set("style", style or "")
    return PaintComparison(shares, tuple(passed_over))


def _is_slow(root: Element) -> bool:
    """Return whether a renderer could take very long: long selectors, or references inside patterns and masks."""
    style_texts = (element.text or "" for element in root.iter(f"{_SVG_NAMESPACE}style"))
    selectors = (part for text in style_texts for found in _SELECTORS.findall(text) for part in found.split(","))
    if any(len(re.split(r"[\s>+~]+", selector.strip())) > _MAX_COMPOUNDS for selector in selectors):
        return True
    inside = (element for tag in _REFERENCED_TAGS for element in root.iter(f"{_SVG_NAMESPACE}{tag}"))
    return any(element.find(f".//{_SVG_NAMESPACE}use") is not None for element in inside)


def _prepare(root: Element) -> dict[tuple[str, int], Element]:
    """Hide text and pictures, and drop filters and dashes; return the elements by tag and number, as in `SvgNode`."""
    elements: dict[tuple[str, int], Element] = {}
    counts: dict[str, int] = {}
    for element in root.iter():
        tag = element.tag.removeprefix(_SVG_NAMESPACE)
        tag = "" if "}" in tag else tag
        counts[tag] = counts.get(tag, 0) + 1
        elements[tag, counts[tag]] = element
        for name in _SLOW_PROPERTIES:
            element.attrib.pop(name, None)
        if "style" in element.attrib:
            element.set("style", _SLOW_DECLARATION.sub("x-unused:", element.attrib["style"]))
        if tag == "style" and element.text:
            element.text = _SLOW_DECLARATION.sub("x-unused:", element.text)
        if tag in _HIDDEN_TAGS:
            element.set("style", "display:none")
    return elements


def _render(root: Element) -> Pixels | None:
    try:
        png_bytes = resvg_py.svg_to_bytes(svg_string=tostring(root, encoding="unicode"), skip_system_fonts=True)
    except ValueError:
        return None
    return np.array(Image.open(io.BytesIO(bytes(png_bytes))).convert("RGBA"))


def _measure_share(line: Points, page: DrawnPage, scale: float, is_painted: Mask) -> float:
    """Return the share of a line's length on the page with paint within a pixel."""
    shape = shapely.linestrings((line - [page.x, page.y]) * scale)
    samples = int(min(max(shapely.length(shape), 2), _MAX_SAMPLES))
    points = shapely.get_coordinates(
        shapely.line_interpolate_point(shape, (np.arange(samples) + 0.5) / samples, normalized=True)
    )
    columns, rows = np.floor(points).astype(np.int64).T
    seen = np.zeros(samples, dtype=bool)
    height, width = is_painted.shape
    for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        x, y = columns + dx, rows + dy
        is_inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        seen[is_inside] |= is_painted[y[is_inside], x[is_inside]]
    return float(seen.mean())
