"""Labels of drawings: texts with their boxes on the page, and the mileposts that they stand beside."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.arrays import median
from mapkit.formats.svg.names import collapse_spaces
from mapkit.formats.svg.tree import SvgNode
from mapkit.formats.svg.units import Affine, BadSvgError, Size, parse_length

_DEFAULT_SIZE: Final = 16.0
_MAX_LENGTH: Final = 60
_ASCENT: Final = 0.75
"""Height of capitals above the baseline, as a share of the font size."""
_CHARACTER_WIDTH: Final = 0.5
_LINE_HEIGHT: Final = 1.2
_MAX_GAP: Final = 1.5
"""Farthest that a label stands from the centre of its milepost, in font sizes."""
_MAX_SIZE: Final = 2.0
"""Largest font size of a milepost's label, in medians; larger texts are titles and names of regions."""
_SHIFTS: Final = {"middle": 0.5, "end": 1.0}


class Label(NamedTuple):
    """A text, its element, and its box on the page."""

    text: str
    feature: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


def read_label(
    node: SvgNode, matrix: Affine, size: Size | None, style_of: Callable[[SvgNode], Mapping[str, str]]
) -> Label | None:
    """Return a text as a label; None if it has no letter, is long, or does not say where it stands.

    The box follows from the font size and the number of characters, for no font is read.
    """
    lines = [text for part in _text_parts(node) if (text := collapse_spaces(part.text))]
    text = collapse_spaces(" ".join(lines))
    if not any(map(str.isalpha, text)) or len(text) > _MAX_LENGTH:
        return None
    first = next((part for part in _text_parts(node) if "x" in part.attributes), node)
    try:
        x, y = (
            parse_length((first.attributes.get(name, "0").replace(",", " ").split() or ["0"])[0], side, name)
            for name, side in (("x", size and size.width), ("y", size and size.height))
        )
        font_size = parse_length(_inherited(first, "font-size", style_of) or f"{_DEFAULT_SIZE}", _DEFAULT_SIZE, "font")
    except BadSvgError:
        return None
    is_stacked = len({part.attributes.get("y") for part in _text_parts(node) if part.text.strip()}) > 1
    width = _CHARACTER_WIDTH * font_size * (max(map(len, lines)) if is_stacked else len(text))
    left = x - width * _SHIFTS.get(_inherited(first, "text-anchor", style_of), 0.0)
    bottom = y + (len(lines) - 1) * _LINE_HEIGHT * font_size * is_stacked
    top = y - _ASCENT * font_size
    corners = np.array([matrix.apply(*corner) for corner in product((left, left + width), (top, bottom))])
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Label(text, node.label, left, top, right, bottom, font_size * abs(matrix.determinant) ** 0.5)


def _text_parts(node: SvgNode) -> list[SvgNode]:
    return [node, *(part for child in node.children for part in _text_parts(child) if child.tag != "title")]


def _inherited(node: SvgNode, name: str, style_of: Callable[[SvgNode], Mapping[str, str]]) -> str:
    around: SvgNode | None = node
    while around is not None:
        if value := style_of(around).get(name, ""):
            return value
        around = around.parent
    return ""


def match_labels(points: Sequence[tuple[float, float]], labels: Sequence[Label]) -> dict[int, Label]:
    """Return the label of each point that has one; the nearest pairs come first, and a label names one point."""
    pairs: list[tuple[float, int, int]] = []
    xy = np.array(points).reshape(-1, 2)
    largest = _MAX_SIZE * median(np.array([label.size for label in labels])) if labels else 0.0
    for number, label in enumerate(labels):
        if label.size > largest:
            continue
        box = np.array([[label.left, label.top], [label.right, label.bottom]])
        gaps = np.linalg.norm(xy - np.clip(xy, *box), axis=1)
        near_points = np.flatnonzero(gaps <= _MAX_GAP * label.size)
        pairs += [(round(float(gaps[point]) / max(label.size, 1e-9), 6), number, int(point)) for point in near_points]
    label_by_point: dict[int, Label] = {}
    used_labels: set[int] = set()
    for _, number, point in sorted(pairs):
        if point not in label_by_point and number not in used_labels:
            label_by_point[point] = labels[number]
            used_labels.add(number)
    return label_by_point
