"""The graph of a board, read from its drawing alone: what a client of the SVG does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.core.base import Point
from mapkit.core.errors import WorkspaceError
from mapkit.kinds.rail.model.board import City, Junction, Milepost, Railroad, Region

SVG: Final = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class DrawnPiece:
    """A track piece of one railroad between two mileposts or junctions."""

    id: str
    railroad: str
    a: str
    b: str
    miles: float


@dataclass(frozen=True)
class DrawnSegment:
    """A segment; `path` is the drawn line in millimetres, from `a` to `b`."""

    id: str
    railroad: str
    a: str
    b: str
    miles: float
    pieces: tuple[str, ...]
    path: tuple[Point, ...]


@dataclass(frozen=True)
class DrawnBoard:
    """Everything of a board's graph, in the order of the board file."""

    id: str
    regions: tuple[Region, ...]
    mileposts: tuple[Milepost, ...]
    cities: tuple[City, ...]
    railroads: tuple[Railroad, ...]
    junctions: tuple[Junction, ...]
    pieces: tuple[DrawnPiece, ...]
    segments: tuple[DrawnSegment, ...]
    places: Mapping[str, Point]
    """Id in the picture (`m-`, `c-`, `j-` and the element's id) -> the middle of the symbol, in millimetres."""


def read_board_svg(text: str) -> DrawnBoard:
    """Rebuild the graph from the text of a drawn board.

    Raises:
        WorkspaceError: The text is not a drawn board.
        pydantic.ValidationError: An attribute was changed to something a board cannot have.
    """
    try:
        root = ET.fromstring(text.encode("utf-8"))  # noqa: S314 -- a drawing of ours, no entities
    except ET.ParseError as error:
        raise WorkspaceError(f"no SVG: {error}; draw the board again") from error
    if root.get("data-format") != "mapkit/board":
        raise WorkspaceError("not a drawn board: the root has no data-format='mapkit/board'; draw the board again")
    found = {
        name: {e.attrib["id"].removeprefix(prefix): _data(e) for e in root.iter() if _is(e, name)}
        for name, prefix in (
            ("region", "region-"),
            ("milepost", "m-"),
            ("city", "c-"),
            ("railroad", "rr-"),
            ("junction", "j-"),
            ("piece", "p-"),
            ("segment", "s-"),
        )
    }
    in_order = {name: sorted(items.items()) for name, items in found.items()}
    regions = sorted(found["region"].items(), key=lambda item: int(item[1]["order"]))
    return DrawnBoard(
        id=root.attrib["data-board"],
        regions=tuple(Region(id=ident, name=d["name"], short=d["short"], colour=d["colour"]) for ident, d in regions),
        mileposts=tuple(Milepost.model_validate_strings({"id": i} | _only(d)) for i, d in in_order["milepost"]),
        cities=tuple(City.model_validate_strings({"id": i} | _only(d)) for i, d in in_order["city"]),
        railroads=tuple(
            Railroad.model_validate_strings(
                {
                    "id": ident,
                    "name": d["name"],
                    "short": d["short"],
                    "price": d["price"],
                    "public": d["public"],
                    "style": {"colour": d["colour"], "pattern": d["pattern"]},
                }
            )
            for ident, d in in_order["railroad"]
        ),
        junctions=tuple(Junction.model_validate_strings({"id": i} | _only(d)) for i, d in in_order["junction"]),
        pieces=tuple(
            DrawnPiece(ident, d["railroad"], d["a"], d["b"], float(d["miles"])) for ident, d in in_order["piece"]
        ),
        segments=tuple(
            DrawnSegment(
                ident,
                d["railroad"],
                d["a"],
                d["b"],
                float(d["miles"]),
                tuple(d["pieces"].split()),
                _points(d[""]),
            )
            for ident, d in in_order["segment"]
        ),
        places={
            e.attrib["id"]: _middle(e) for e in root.iter() if any(_is(e, n) for n in ("milepost", "city", "junction"))
        },
    )


def _is(element: ET.Element, name: str) -> bool:
    return "id" in element.attrib and name in element.get("class", "").split()


def _middle(element: ET.Element) -> Point:
    """Return the middle of a circle or rectangle."""
    if "cx" in element.attrib:
        return float(element.attrib["cx"]), float(element.attrib["cy"])
    x, y, width, height = (float(element.attrib[key]) for key in ("x", "y", "width", "height"))
    return x + width / 2, y + height / 2


def _data(element: ET.Element) -> dict[str, str]:
    """Return the `data-` attributes, and the path data under the empty name."""
    data = {k.removeprefix("data-"): v for k, v in element.attrib.items() if k.startswith("data-")}
    return data | {"": element.get("d", "")}


def _only(data: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in data.items() if key}


def _points(d: str) -> tuple[Point, ...]:
    pairs = (word.split(",") for word in d.replace("M", "").replace("L", "").split())
    return tuple((float(x), float(y)) for x, y in pairs)
