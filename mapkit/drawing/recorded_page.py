"""A page that records its drawing as plain shapes, for a canvas that draws the same without SVG."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict, override

from mapkit.drawing.svg_page import Data, Element, SvgPage, format_mm
from mapkit.drawing.theme.theme import Theme


class Paint(TypedDict):
    """Paint of shapes: colours as `#rrggbb`, or `#rrggbbaa` if translucent; lengths in millimetres.

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
    """A path (`d`, as in SVG), or a text at (`x`, `y`), rotated clockwise about that place by `turn` degrees.

    `paint` is its number in the list of paints.
    """

    paint: int
    d: NotRequired[str]
    text: NotRequired[str]
    x: NotRequired[float]
    y: NotRequired[float]
    turn: NotRequired[float]


class Shapes(TypedDict):
    """Shapes from the bottom up, and their paints."""

    paints: list[Paint]
    shapes: list[Shape]


_SvgAttributes = Mapping[str, str]
_TEXT_ANCHORS: Final[Mapping[str, Literal["middle", "end"]]] = {"middle": "middle", "end": "end"}
_ROTATION: Final = re.compile(r"rotate\((\S+) ")


@dataclass
class _Group:
    """Shapes of a group, in order."""

    own: dict[str, str]
    parts: list["_Group | _DrawnShape"] = field(default_factory=list)


@dataclass(frozen=True)
class _DrawnShape:
    """A path, or a text with its place."""

    own: _SvgAttributes
    d: str = ""
    text: str = ""
    at: tuple[float, float] = (0.0, 0.0)


class RecordedPage(SvgPage):
    """A page with the drawing methods of `SvgPage` that returns its layers as shapes.

    Args:
        theme: The theme.
        layers: The names of its layers, from the bottom up.
    """

    def __init__(self, theme: Theme, layers: Sequence[str]) -> None:
        self.theme = theme
        self.layers: dict[str, Element] = {name: _Group({}) for name in layers}
        self._texts: defaultdict[str, list[_Group | _DrawnShape]] = defaultdict(list)

    @override
    def data(self, values: Data) -> None:
        """Ignore the data: it is for readers of SVG."""

    @override
    def group(self, parent: Element, attributes: _SvgAttributes) -> Element:
        group = _Group(dict(attributes))
        parent.parts.append(group)
        return group

    @override
    def path(self, parent: Element, d: str, attributes: _SvgAttributes, *, tip: str = "") -> Element:
        return _add_shape(parent, _DrawnShape(attributes, d))

    @override
    def rect(
        self, parent: Element, area: tuple[float, float, float, float], attributes: _SvgAttributes, *, tip: str = ""
    ) -> Element:
        left, top, right, bottom = map(format_mm, area)
        return _add_shape(
            parent, _DrawnShape(attributes, f"M{left},{top} L{right},{top} {right},{bottom} {left},{bottom}Z")
        )

    @override
    def circle(
        self, parent: Element, middle: tuple[float, float], r: float, attributes: _SvgAttributes, *, tip: str = ""
    ) -> Element:
        (x, y), diameter = middle, 2 * r
        half_circle = f"a{format_mm(r)},{format_mm(r)} 0 1 0"
        ring_path = (
            f"M{format_mm(x - r)},{format_mm(y)} {half_circle} {format_mm(diameter)},0 "
            f"{half_circle} {format_mm(-diameter)},0Z"
        )
        return _add_shape(parent, _DrawnShape(attributes, ring_path))

    @override
    def text(self, parent: Element, text: str, at: tuple[float, float], attributes: _SvgAttributes) -> Element:
        drawn = _add_shape(parent, _DrawnShape(attributes, text=text, at=at))
        self._texts[attributes.get("id", "")].append(drawn)
        return drawn

    @override
    def repeat(self, parent: Element, ident: str) -> Element:
        group = _Group({}, self._texts[ident])  # the text may follow
        parent.parts.append(group)
        return group

    @override
    def text_rows(
        self, parent: Element, rows: Sequence[tuple[str, tuple[float, float]]], attributes: _SvgAttributes
    ) -> Element:
        for row, at in rows:
            self.text(parent, row, at, attributes)
        return parent

    def shapes(self, layers: Sequence[str]) -> Shapes:
        """Return the visible shapes of some layers."""
        paints: list[Paint] = []
        paint_numbers: dict[str, int] = {}
        recorded_shapes: list[Shape] = []
        for layer in layers:
            for attributes, drawn in _flatten_group(self.layers[layer], {}):
                text = bool(drawn.text)
                paint: Paint = {}
                fill = _visible_colour(attributes.get("fill", "#000000"), attributes.get("fill-opacity", "1"))
                if fill:
                    paint["fill"] = fill
                    if attributes.get("fill-rule") == "evenodd":
                        paint["evenodd"] = True
                if _visible_colour(attributes.get("stroke", "none"), attributes.get("stroke-opacity", "1")):
                    paint.update(_stroke_paint(attributes))
                if text:
                    paint.update(_text_paint(attributes))
                if "fill" not in paint and "stroke" not in paint:
                    continue
                paint_number = paint_numbers.setdefault(repr(paint), len(paints))
                if paint_number == len(paints):
                    paints.append(paint)
                recorded_shapes.append(_to_shape(paint_number, attributes, drawn))
        return {"paints": paints, "shapes": recorded_shapes}


def _add_shape(parent: Element, drawn: _DrawnShape) -> Element:
    parent.parts.append(drawn)
    return drawn


def _flatten_group(group: _Group, above: _SvgAttributes) -> Iterator[tuple[_SvgAttributes, _DrawnShape]]:
    """Yield the shapes of a group, each with its own and inherited attributes."""
    own_attributes = {**above, **group.own}
    for part in group.parts:
        if isinstance(part, _Group):
            yield from _flatten_group(part, own_attributes)
        else:
            yield {**own_attributes, **part.own}, part


def _to_shape(paint: int, own: _SvgAttributes, drawn: _DrawnShape) -> Shape:
    if not drawn.text:
        return {"paint": paint, "d": drawn.d}
    shape: Shape = {"paint": paint, "text": drawn.text, "x": round(drawn.at[0], 2), "y": round(drawn.at[1], 2)}
    rotation = _ROTATION.match(own.get("transform", ""))
    if rotation:
        shape["turn"] = float(rotation[1])
    return shape


def _stroke_paint(own: _SvgAttributes) -> Paint:
    stroke: Paint = {
        "stroke": _visible_colour(own["stroke"], own.get("stroke-opacity", "1")),
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


def _text_paint(own: _SvgAttributes) -> Paint:
    text_paint: Paint = {"size": float(own["font-size"])}
    if own.get("font-weight") == "bold":
        text_paint["bold"] = True
    if own.get("text-anchor") in _TEXT_ANCHORS:
        text_paint["anchor"] = _TEXT_ANCHORS[own["text-anchor"]]
    if "letter-spacing" in own:
        text_paint["spacing"] = float(own["letter-spacing"])
    return text_paint


def _visible_colour(colour: str, opacity: str) -> str:
    """Return a colour with its opacity; empty if it is invisible."""
    opacity_share = float(opacity)
    if colour == "none" or opacity_share <= 0:
        return ""
    return colour if opacity_share >= 1 else f"{colour}{round(255 * opacity_share):02x}"
