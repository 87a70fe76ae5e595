"""How lines are drawn on the board, and how colours are seen, for pictures in the page."""

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen
from mapkit.model.board import Style

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LONG_MM: Final = 11.0
_MARKER: Final = "#010203"
"""A colour that stands for the railroad's own."""

_DRAWN: Final = ("stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-dasharray", "stroke-dashoffset")


class Looks(Frozen):
    """Nothing more to say."""


@question("looks", Looks)
def looks(_ask: Looks, _asked: Asked) -> dict[str, Any]:
    """Return `swatches`, samples of all patterns as the classic theme draws them, and `visions`.

    A swatch is a list of SVG paths, millimetres from (0, 0) to (`long`, 0), from the bottom up; `stroke` is `line` for
    the railroad's colour or `casing`. A vision is what `mapkit.render.vision` simulates with, as rows of a matrix of
    linear sRGB; `tritan` has two, for lights whose product with `side` is positive and for the others.
    """
    return {"long": _LONG_MM, "swatches": _swatches(), "visions": _visions()}


@cache
def _swatches() -> dict[str, list[dict[str, str]]]:
    from mapkit.render.ink_patterns import PATTERNS  # noqa: PLC0415 - drawing is heavy, and for this alone

    return {pattern: _sample(Style(colour=_MARKER, pattern=pattern)) for pattern in PATTERNS}


def _sample(style: Style) -> list[dict[str, str]]:
    from mapkit.render.document import Document  # noqa: PLC0415
    from mapkit.render.tracks import stroke  # noqa: PLC0415

    document = Document(_LONG_MM, 1, title="sample", description="sample", layers=("lines",))
    layer = document.layers["lines"]
    stroke(document, layer, style, {"sample": np.array([(0.0, 0.0), (_LONG_MM, 0.0)])}, {"sample": {"class": "sample"}})
    out: list[dict[str, str]] = []
    _collect(layer.get_xml(), {}, out)
    return out


def _collect(element: "Element", above: dict[str, str], out: list[dict[str, str]]) -> None:
    own = above | {name: element.attrib[name] for name in ("stroke", *_DRAWN) if name in element.attrib}
    if element.tag == "path":
        colour = "line" if own["stroke"] == _MARKER else "casing"
        out.append({**own, "stroke": colour, "d": element.attrib["d"]})
    for child in element:
        _collect(child, own, out)


@cache
def _visions() -> dict[str, Any]:
    from mapkit.render.colour import XYZ_FROM_RGB  # noqa: PLC0415
    from mapkit.render.vision import DEUTAN, LMS_FROM_RGB, PROTAN, TRITAN  # noqa: PLC0415

    white = LMS_FROM_RGB @ np.ones(3)
    side = LMS_FROM_RGB[1] * white[0] - LMS_FROM_RGB[0] * white[1]
    grey = np.tile(XYZ_FROM_RGB[1] / XYZ_FROM_RGB[1].sum(), (3, 1))
    return {
        "protan": _rows(PROTAN),
        "deutan": _rows(DEUTAN),
        "tritan": [_rows(TRITAN[0]), _rows(TRITAN[1])],
        "side": [round(float(value), 8) for value in side / np.abs(side).max()],
        "grey": _rows(grey),
    }


def _rows(matrix: Any) -> list[list[float]]:  # noqa: ANN401 - an array
    return [[round(float(value), 6) for value in row] for row in matrix]
