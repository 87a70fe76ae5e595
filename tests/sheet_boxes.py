"""Reads the text of a sheet with its boxes, as any program would that knows the shipped font."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from defusedxml.ElementTree import fromstring

from mapkit.drawing.text_width import text_width

SVG = "{http://www.w3.org/2000/svg}"
ASCENT, DESCENT = 0.7, 0.2
KEPT = ("font-size", "font-weight", "font-style", "text-anchor")


@dataclass(frozen=True)
class Text:
    """A line of text: its box (left, top, right, bottom), its size, and the `data-` attributes around it."""

    text: str
    box: tuple[float, float, float, float]
    size: float
    data: dict[str, str]


def texts(svg: str) -> list[Text]:
    """Return all lines of text, halos aside."""
    return list(_walk(fromstring(svg), {}, {}))


def _walk(element: Any, looks: dict[str, str], data: dict[str, str]) -> Iterator[Text]:
    if element.get("class") == "halos":
        return
    looks = looks | {key: element.attrib[key] for key in KEPT if key in element.attrib}
    data = data | {k.removeprefix("data-"): v for k, v in element.attrib.items() if k.startswith("data-")}
    if element.tag == f"{SVG}text":
        assert len(element) == 0
        yield _text(element, looks, data)
    for child in element:
        yield from _walk(child, looks, data)


def _text(element: Any, looks: dict[str, str], data: dict[str, str]) -> Text:
    size, words = float(looks["font-size"]), element.text or ""
    bold, italic = looks.get("font-weight") == "bold", looks.get("font-style") == "italic"
    width = text_width(words, size, bold=bold, italic=italic)
    x, y = float(element.get("x")), float(element.get("y"))
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[looks.get("text-anchor", "start")] * width
    turn = element.get("transform")
    if turn is None:
        box = (x - back, y - ASCENT * size, x - back + width, y + DESCENT * size)
    else:
        assert turn == f"rotate(-90 {element.get('x')} {element.get('y')})"
        box = (x - ASCENT * size, y + back - width, x + DESCENT * size, y + back)
    return Text(words, box, size, data)


def problems(svg: str, width: float, height: float, edge: float = 1.0) -> list[str]:
    """Return what is wrong: text outside the page, text over text, text under 6 points."""
    found = texts(svg)
    out = [f"{t.text!r} is of {t.size} mm" for t in found if t.size < 2.11]
    x0, y0, x1, y1 = np.array([text.box for text in found], dtype=np.float64).reshape(-1, 4).T
    inside = (edge <= x0) & (edge <= y0) & (x1 <= width - edge) & (y1 <= height - edge)
    out += [f"{found[at].text!r} {found[at].box} is outside the page" for at in np.flatnonzero(~inside)]
    tight = shapely.box(x0 + 0.06, y0 + 0.06, np.maximum(x1 - 0.06, x0 + 0.07), y1 - 0.06)
    tree = shapely.STRtree(tight)
    for one, other in tree.query(tight, predicate="intersects").T:
        if one < other:
            out.append(f"{found[one].text!r} is over {found[other].text!r}")
    return out
