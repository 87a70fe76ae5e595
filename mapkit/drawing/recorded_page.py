"""A page that notes what is drawn on it as plain shapes, for a canvas that draws the same without SVG."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict, override

from mapkit.drawing.svg_page import Data, Element, SvgPage, mm
from mapkit.drawing.theme.theme import Theme


class Paint(TypedDict):
    """How shapes are painted: colours as `#rrggbb` or, where one sees through them, `#rrggbbaa`; millimetres.

    `size`, `bold`, `anchor` and `spacing` are of texts.
    """

    fill: NotRequired[str]
    stroke: NotRequired[str]
    width: NotRequired[float]
    dash: NotRequired[list[float]]
    shift: NotRequired[float]
    cap: NotRequired[Literal["round"]]
    join: NotRequired[Literal["round"]]
    evenodd: NotRequired[bool]
    size: NotRequired[float]
    bold: NotRequired[bool]
    anchor: NotRequired[Literal["middle", "end"]]
    spacing: NotRequired[float]


class Shape(TypedDict):
    """A path (`d`, as in SVG), or a text at (`x`, `y`), turned clockwise about that place by `turn` degrees.

    `paint` is its number in the list of paints.
    """

    paint: int
    d: NotRequired[str]
    text: NotRequired[str]
    x: NotRequired[float]
    y: NotRequired[float]
    turn: NotRequired[float]


class Shapes(TypedDict):
    """Shapes from the bottom up, and the paints that they name."""

    paints: list[Paint]
    shapes: list[Shape]


_Attributes = Mapping[str, str]
_ANCHORS: Final[Mapping[str, Literal["middle", "end"]]] = {"middle": "middle", "end": "end"}
_TURN: Final = re.compile(r"rotate\((\S+) ")


@dataclass
class _Group:
    """What was drawn in a group, in order."""

    own: dict[str, str]
    parts: list["_Group | _Drawn"] = field(default_factory=list)


@dataclass(frozen=True)
class _Drawn:
    """A path, or a text with its place."""

    own: _Attributes
    d: str = ""
    text: str = ""
    at: tuple[float, float] = (0.0, 0.0)


class RecordedPage(SvgPage):
    """A page that is drawn on as on any other, and gives its layers as shapes.

    Args:
        theme: The theme.
        layers: The names of its layers, from the bottom up.
    """

    def __init__(self, theme: Theme, layers: Sequence[str]) -> None:
        self.theme = theme
        self.layers: dict[str, Element] = {name: _Group({}) for name in layers}

    @override
    def data(self, values: Data) -> None:
        """Note nothing: this is for readers of SVG."""

    @override
    def group(self, parent: Element, attributes: _Attributes) -> Element:
        group = _Group(dict(attributes))
        parent.parts.append(group)
        return group

    @override
    def path(self, parent: Element, d: str, attributes: _Attributes, *, tip: str = "") -> Element:
        return _put(parent, _Drawn(attributes, d))

    @override
    def rect(
        self, parent: Element, area: tuple[float, float, float, float], attributes: _Attributes, *, tip: str = ""
    ) -> Element:
        left, top, right, bottom = map(mm, area)
        return _put(parent, _Drawn(attributes, f"M{left},{top} L{right},{top} {right},{bottom} {left},{bottom}Z"))

    @override
    def circle(
        self, parent: Element, middle: tuple[float, float], r: float, attributes: _Attributes, *, tip: str = ""
    ) -> Element:
        (x, y), wide = middle, 2 * r
        ring = f"M{mm(x - r)},{mm(y)} a{mm(r)},{mm(r)} 0 1 0 {mm(wide)},0 a{mm(r)},{mm(r)} 0 1 0 {mm(-wide)},0Z"
        return _put(parent, _Drawn(attributes, ring))

    @override
    def text(self, parent: Element, text: str, at: tuple[float, float], attributes: _Attributes) -> Element:
        return _put(parent, _Drawn(attributes, text=text, at=at))

    @override
    def text_rows(
        self, parent: Element, rows: Sequence[tuple[str, tuple[float, float]]], attributes: _Attributes
    ) -> Element:
        for row, at in rows:
            self.text(parent, row, at, attributes)
        return parent

    def shapes(self, layers: Sequence[str]) -> Shapes:
        """Return what was drawn on some layers; what nobody sees is left out."""
        paints: list[Paint] = []
        known: dict[str, int] = {}
        out: list[Shape] = []
        for layer in layers:
            for own, drawn in _flat(self.layers[layer], {}):
                paint = _paint(own, text=bool(drawn.text))
                if "fill" not in paint and "stroke" not in paint:
                    continue
                number = known.setdefault(repr(paint), len(paints))
                if number == len(paints):
                    paints.append(paint)
                out.append(_shape(number, own, drawn))
        return {"paints": paints, "shapes": out}


def _put(parent: Element, drawn: _Drawn) -> Element:
    parent.parts.append(drawn)
    return drawn


def _flat(group: _Group, above: _Attributes) -> Iterator[tuple[_Attributes, _Drawn]]:
    """Return what was drawn in a group, each with its attributes and those that it has from above."""
    own = {**above, **group.own}
    for part in group.parts:
        if isinstance(part, _Group):
            yield from _flat(part, own)
        else:
            yield {**own, **part.own}, part


def _shape(paint: int, own: _Attributes, drawn: _Drawn) -> Shape:
    if not drawn.text:
        return {"paint": paint, "d": drawn.d}
    shape: Shape = {"paint": paint, "text": drawn.text, "x": round(drawn.at[0], 2), "y": round(drawn.at[1], 2)}
    turned = _TURN.match(own.get("transform", ""))
    if turned:
        shape["turn"] = float(turned[1])
    return shape


def _paint(own: _Attributes, *, text: bool) -> Paint:
    paint: Paint = {}
    fill = _colour(own.get("fill", "#000000"), own.get("fill-opacity", "1"))
    if fill:
        paint["fill"] = fill
        if own.get("fill-rule") == "evenodd":
            paint["evenodd"] = True
    if _colour(own.get("stroke", "none"), own.get("stroke-opacity", "1")):
        paint.update(_stroke(own))
    if text:
        paint.update(_type(own))
    return paint


def _stroke(own: _Attributes) -> Paint:
    stroke: Paint = {
        "stroke": _colour(own["stroke"], own.get("stroke-opacity", "1")),
        "width": float(own.get("stroke-width", "1")),
    }
    if own.get("stroke-linecap") == "round":
        stroke["cap"] = "round"
    if own.get("stroke-linejoin") == "round":
        stroke["join"] = "round"
    if "stroke-dasharray" in own:
        stroke["dash"] = [float(word) for word in own["stroke-dasharray"].split()]
        stroke["shift"] = float(own.get("stroke-dashoffset", "0"))
    return stroke


def _type(own: _Attributes) -> Paint:
    found: Paint = {"size": float(own["font-size"])}
    if own.get("font-weight") == "bold":
        found["bold"] = True
    if own.get("text-anchor") in _ANCHORS:
        found["anchor"] = _ANCHORS[own["text-anchor"]]
    if "letter-spacing" in own:
        found["spacing"] = float(own["letter-spacing"])
    return found


def _colour(colour: str, opacity: str) -> str:
    """Return a colour with how much of what lies below it hides; nothing if nobody sees it."""
    share = float(opacity)
    if colour == "none" or share <= 0:
        return ""
    return colour if share >= 1 else f"{colour}{round(255 * share):02x}"
