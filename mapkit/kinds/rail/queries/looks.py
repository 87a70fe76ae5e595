"""How lines are drawn on the board, and how colours are seen, for pictures in the page."""

from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NotRequired

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from mapkit.core.base import Frozen
from mapkit.drawing.colours.colour import XYZ_FROM_RGB
from mapkit.drawing.colours.vision import DEUTAN, LMS_FROM_RGB, PROTAN, TRITAN
from mapkit.drawing.svg_page import SvgPage
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.model.board import Pattern, Style
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.render.colours.railroad_styles import PATTERNS
from mapkit.kinds.rail.render.lines.tracks import draw_pattern_lines

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_LONG_MM: Final = 11.0
_MARKER: Final = "#010203"
"""A colour that stands for the railroad's own."""

_DRAWN: Final = ("stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-dasharray", "stroke-dashoffset")


class Looks(Frozen):
    """Nothing more to say."""


SwatchPath = TypedDict(
    "SwatchPath",
    {
        "stroke": Literal["line", "casing"],
        "stroke-width": NotRequired[str],
        "stroke-linejoin": NotRequired[Literal["round", "miter"]],
        "stroke-linecap": NotRequired[Literal["round"]],
        "stroke-dasharray": NotRequired[str],
        "stroke-dashoffset": NotRequired[str],
        "d": str,
    },
)
"""An SVG path of a swatch; `stroke` is `line` for the railroad's colour, or `casing`."""

Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]


class Visions(Frozen):
    """Simulations of colour vision as matrices of linear sRGB, row by row.

    `tritan` has two, for lights whose product with `side` is positive and for the others.
    """

    protan: Matrix
    deutan: Matrix
    tritan: tuple[Matrix, Matrix]
    side: Row
    grey: Matrix


_PATH: Final = TypeAdapter(SwatchPath)


class LooksFound(QueryResult):
    """Samples of all patterns as the classic theme draws them, and how colours are seen.

    A swatch is a list of SVG paths, millimetres from (0, 0) to (`long`, 0), from the bottom up.
    """

    long: float
    swatches: dict[Pattern, list[SwatchPath]]
    visions: Visions


@question("looks", Looks, LooksFound)
def looks(_ask: Looks, _asked: Asked) -> LooksFound:
    """Return how lines are drawn and colours are seen."""
    return LooksFound(long=_LONG_MM, swatches=_swatches(), visions=_visions())


@cache
def _swatches() -> dict[Pattern, list[SwatchPath]]:
    return {pattern: _sample(Style(colour=_MARKER, pattern=pattern)) for pattern in PATTERNS}


def _sample(style: Style) -> list[SwatchPath]:
    document = SvgPage(_LONG_MM, 1, title="sample", description="sample", layers=("lines",))
    layer = document.layers["lines"]
    draw_pattern_lines(
        document, layer, style, {"sample": np.array([(0.0, 0.0), (_LONG_MM, 0.0)])}, {"sample": {"class": "sample"}}
    )
    out: list[SwatchPath] = []
    _collect(layer.get_xml(), {}, out)
    return out


def _collect(element: "Element", above: dict[str, str], out: list[SwatchPath]) -> None:
    own = above | {name: element.attrib[name] for name in ("stroke", *_DRAWN) if name in element.attrib}
    if element.tag == "path":
        colour = "line" if own["stroke"] == _MARKER else "casing"
        out.append(_PATH.validate_python({**own, "stroke": colour, "d": element.attrib["d"]}))
    for child in element:
        _collect(child, own, out)


@cache
def _visions() -> Visions:
    white = LMS_FROM_RGB @ np.ones(3)
    side = LMS_FROM_RGB[1] * white[0] - LMS_FROM_RGB[0] * white[1]
    grey = np.tile(XYZ_FROM_RGB[1] / XYZ_FROM_RGB[1].sum(), (3, 1))
    return Visions(
        protan=_rows(PROTAN),
        deutan=_rows(DEUTAN),
        tritan=(_rows(TRITAN[0]), _rows(TRITAN[1])),
        side=_row(side / np.abs(side).max(), 8),
        grey=_rows(grey),
    )


def _rows(matrix: NDArray[np.float64]) -> Matrix:
    first, second, third = matrix
    return _row(first, 6), _row(second, 6), _row(third, 6)


def _row(values: NDArray[np.float64], digits: int) -> Row:
    x, y, z = (round(float(value), digits) for value in values)
    return x, y, z
